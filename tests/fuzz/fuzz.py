#!/usr/bin/env python3
"""Damaged input: seeds for fuzz_text, and the launcher and the helper as whole programs.

    fuzz.py --build DIR summary|request|wisdom|options|job|answer|binary|points|launcher|helper [SECONDS [SEED]]

The same damage is done in every run with the same seed, as far as the time goes (default: 3 seconds).
"""

import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent
WORDS = ["", " ", "0", "-1", "99999999999999999999", "NULL", "(", ")", "{", "}", ";", "*", "#", "\\", "\"", "\0",
         "\xff\xfe", "__global", "__local", "float4", "get_global_id(0)", "barrier(1);", "for(;;)", "while(1);",
         "#include \"x\"", "#define A A A", "__attribute__((reqd_work_group_size(0,0,0)))", "return", "goto x;", "x:",
         "asm(\"\");", "struct", "[1<<30]", "/*", "printf(\"%d\");", "double", "image2d_t", "half", "0x1p999"]


def sources():
    return sorted((TESTS / "golden").glob("*.cl")) + sorted((TESTS / "kernels").glob("*.cl"))


def seeds(build, target, scratch):
    """Files to begin with."""
    if target == "wisdom":
        records = TESTS / "fuzz" / "wisdom.jsonl"  # as versions before wrote them, without a head
        (scratch / "seed").write_text('{"clsizer-wisdom":1}\n' + records.read_text())
        return [records, scratch / "seed"]
    if target == "options":
        (scratch / "seed").write_text("!a*,kern?l,[a-z]")
        (scratch / "number").write_text("5")
        (scratch / "word").write_text("measure")
        return [scratch / name for name in ("seed", "number", "word")]
    if target in ("request", "job"):
        text = "__kernel void k(__global int *p) { p[get_global_id(0)] = 1; }"
        fields = "".join(f"{name} {len(value)}\n{value}\n" for name, value in
                         (("options", "-DA=1"), ("extensions", "cl_khr_fp64"), ("device", "a|b|c")))
        request = f"clsizer-request 1\n{fields}clversion OpenCL C 1.2\nbits 64\nendian little\nimages 1\n" \
                  f"source {len(text)}\n{text}"
        job = "clsizer-ahead 6\nanswer 2\n/a\nkernel 1\nk\nrange 2 131072 768 1 0 3 0\narg buffer 4096\narg null\narg local 64\n" \
              "arg value 4 255 0 26 7\narg image 4096 1 4337 4277 4306 32 31 30 29\narg sampler 0 4401 4416\n" \
              f"trial 1\nsize 64 2 1\nsize 256 1 1\nprogram\n{request}"
        (scratch / "seed").write_text(job if target == "job" else request)
        return [scratch / "seed"]
    if target == "points":
        sizes = ",".join("[" + ",".join(map(str, [n, 1, 1, 3, 1000 * n, *(1000 + 7 * i * n for i in range(19))])) + "]" for n in range(1, 7))
        lines = [f'{{"kernel":"k{i}","program":"0{i}","shape":"0f","sizes":[{sizes}],"own":true}}\n' for i in range(5)]
        (scratch / "seed").write_text(
            '{"clsizer-points":1,"kind":"cpu","device":"D|V|1","points":200,"races":5,"kernels":9,"of":5,'
            '"model":0,"both":500}\n' + "".join(lines))
        return [scratch / "seed"]
    if target == "answer":
        (scratch / "seed").write_text("64 1 1\n128 2 1\n1 1 1024\ntook 70\nworked 90\nend\n")
        return [scratch / "seed"]
    if target == "binary":  # with right checksums only behind fuzz_text
        text = "__kernel void k(__global int *p) { p[get_global_id(0)] = 1; }"
        (scratch / "seed").write_text(f"clsizer-source 3 0 123456789 4 5 {len(text)} 0123456789abcdef\n/tmp-DA=1{text}")
        return [scratch / "seed"]
    made = []
    for source in sources()[:12]:
        run = subprocess.run([build / "clsizer-analyze", "--summary", source], capture_output=True, check=False)
        if run.returncode == 0:
            made.append(scratch / (source.name + ".sum"))
            made[-1].write_bytes(run.stdout)
    return made


def damaged(text, dice):
    for _ in range(dice.randrange(1, 4)):
        at, size = dice.randrange(len(text) + 1), dice.randrange(60)
        other = dice.randrange(len(text) + 1)
        text = dice.choice((text[:at] + dice.choice(WORDS) + text[at:], text[:at] + text[at + size:],
                            text[:at] + text[other:other + size] + text[at:], text[:at] + dice.choice(WORDS) +
                            text[at + 1:]))
    return text


def launcher(build, scratch, dice):
    """A command line: an answer of the launcher's own or of the command's, never a signal."""
    options = [line.split()[0] for line in subprocess.run([build / "clsizer", "--options"], capture_output=True, text=True,
                                                          check=True).stdout.splitlines()[1:]]
    line = []
    for _ in range(dice.randrange(6)):
        name = "--" + damaged(dice.choice(options), dice) if dice.random() < 0.3 else "--" + dice.choice(options)
        value = dice.choice(("1", "0", "50", "measure", "none", "x" * dice.randrange(5000), dice.choice(WORDS), "-5%"))
        line += dice.choice(([name], [name, value], [name + "=" + value], [value]))
    line = [os.fsencode(word.replace("\0", "")) for word in line]
    if dice.random() < 0.7:
        line += [b"--", b"/bin/true"]
    run = subprocess.run([build / "clsizer", *line], capture_output=True, timeout=20, check=False, cwd=scratch)
    if run.returncode not in (0, 2, 125, 126, 127):
        sys.exit(f"clsizer {line}: exit status {run.returncode}: {run.stderr[-500:]}")
    if run.returncode and not run.stderr:
        sys.exit(f"clsizer {line}: exit status {run.returncode} without a word")
    return run.returncode == 0


def helper(build, scratch, dice):
    """A damaged kernel: a summary, or an error in words."""
    path = scratch / "damaged.cl"
    source = dice.choice(sources()).read_text(errors="replace")
    path.write_bytes(damaged(source, dice).encode(errors="replace"))
    run = subprocess.run([build / "clsizer-analyze", "--summary", path], capture_output=True, timeout=40, check=False)
    said = run.stdout if run.returncode == 0 else run.stderr
    if run.returncode not in (0, 1) or not said or b"Sanitizer" in run.stderr:
        kept = pathlib.Path(tempfile.gettempdir()) / "clsizer-fuzz-helper.cl"
        shutil.copy(path, kept)
        sys.exit(f"clsizer-analyze {kept}: exit status {run.returncode}: {run.stderr[-2000:]}")
    return run.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("target")
    parser.add_argument("seconds", nargs="?", type=int, default=3)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    options = parser.parse_args()
    build = pathlib.Path(options.build).resolve()
    # In a build with that sanitizer the library is preloaded into programs that do not know it.
    os.environ["ASAN_OPTIONS"] = "verify_asan_link_order=0:detect_leaks=" + ("0" if options.target == "launcher" else "1")
    with tempfile.TemporaryDirectory(prefix="clsizer-fuzz-") as name:
        scratch = pathlib.Path(name)
        if options.target not in ("launcher", "helper"):
            files = seeds(build, options.target, scratch)
            return subprocess.run([build / "tests" / "fuzz_text", options.target, str(options.seconds), *files],
                                  check=False).returncode
        dice, end, rounds, accepted = random.Random(options.seed), time.monotonic() + options.seconds, 0, 0
        while time.monotonic() < end:
            accepted += globals()[options.target](build, scratch, dice)
            rounds += 1
    print(f"{options.target}: {rounds} inputs, {accepted} accepted")
    return 0 if rounds else 1


if __name__ == "__main__":
    sys.exit(main())
