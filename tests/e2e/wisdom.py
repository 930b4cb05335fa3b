#!/usr/bin/env python3
"""What `clsizer wisdom` does with decisions, and with files that are not what they should be.

    wisdom.py --build DIR [CASE...]       no CASE: all; --list prints their names
"""

import json
import os
import re
import subprocess
import sys

from harness import Skip, expect, run_cases

HEAD = '{"clsizer-wisdom":1}\n'
NOBODY = 65534
PROGRAM = "0123456789abcdef0123456789abcdef"


def checksum(body):
    """FNV-1a, 64 bits."""
    value = 0xcbf29ce484222325
    for byte in body.encode():
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return f"{value:016x}"


def record(kernel="blur", size=1024, outcome="won", local=(64, 4, 1), date="2026-01-31T12:00:00Z", program=PROGRAM,
           executable="/opt/photo/editor", device="Fast GPU|Vendor", **more):
    """A line of a wisdom file."""
    key = {"program": program, "kernel": kernel, "dim": 2, "zero_offset": True, "own": [8, 8, 1], "local_args": "00000000000000aa",
           "device": device, "driver": "1.0", "global": [size, 512, 1]}
    text = {"v": 1, "key": key, "model": 16, "outcome": outcome, "mode": "launches", "local": list(local), "gain": 2.5,
            "noise": 0.01, "item_ns": 0.5, "executable": executable, "date": date, **more}
    body = json.dumps(text, separators=(",", ":"))[:-1]
    return f'{body},"check":"{checksum(body)}"}}\n'


class Place:
    """A wisdom directory, or a file, and the command that works on it."""

    def __init__(self, bench, name="wisdom"):
        self.bench, self.path = bench, bench.store(name)

    def write(self, text, name=f"{PROGRAM}.jsonl"):
        path = self.path / name
        path.write_text(text)
        path.chmod(0o600)
        return path

    def run(self, *command, status=0, text=None, **variables):
        """What it prints: stdout, stderr."""
        env = self.bench.environment(**{"wisdom": self.path, **variables})
        done = subprocess.run([self.bench.build / "clsizer", "wisdom", *command], capture_output=True, text=True, timeout=60,
                              env=env, input=text)
        expect(done.returncode == status, f"{command}: status {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout, done.stderr

    def records(self):
        lines = [line for path in sorted(self.path.glob("*.jsonl")) for line in path.read_text().splitlines()]
        return [json.loads(line) for line in lines if '"key"' in line]

    def contents(self):
        return {path.name: path.read_bytes() for path in self.path.iterdir() if path.name != ".lock"}


def what_a_run_decided_is_listed(bench):
    """Kernel, program, sizes and gain of a decision; and the run after `forget` decides again."""
    place = Place(bench)
    result = bench.run_app("conv2d", "both", ["-n", "256", "-l", "150"], wisdom=place.path, CLSIZER_VARIANTS="sizes")
    decision = result.of("decision")[-1]["decision"]
    out, _ = place.run("list")
    row = next(line for line in out.splitlines() if line.startswith("  conv2d")).split()
    won = decision["outcome"] == "won"
    size = "x".join(map(str, decision["local"][:2])) if won else "="
    expect(row[:5] == ["conv2d", "conv2d", "256x256", "1x32", size] and row[6] == ("faster" if won else "kept"), f"{row}, {decision}")
    expect(not won or abs(float(row[5]) - decision["gain"]) < 0.01, f"{row}, {decision}")
    again = bench.run_app("conv2d", "both", ["-n", "256", "-l", "150"], wisdom=place.path)
    expect([e["source"] for e in again.of("decision")] == ["wisdom"], f"{again.of('decision')}")
    expect("1 record forgotten" in place.run("forget", "conv2d")[0] and not list(place.path.glob("*.jsonl")), f"{place.contents()}")
    again = bench.run_app("conv2d", "both", ["-n", "256", "-l", "150"], wisdom=place.path)
    expect([e["source"] for e in again.of("decision")] == ["measured"], f"{again.of('decision')}")


def selections(bench):
    """Which records a selection means: by kernel, program (path, name, hash), device."""
    place = Place(bench)
    place.write(HEAD + record() + record("blur", 2048) + record("sharpen", outcome="no-gain", device="Slow CPU|Other"))
    other = "f" * 32
    place.write(HEAD + record("blur", program=other, executable="/usr/bin/film"), f"{other}.jsonl")
    for arguments, kernels in ((["--json"], "blur blur sharpen blur"), (["--json", "blur"], "blur blur blur"),
                               (["--json", "b*", "shar*"], "blur blur sharpen blur"), (["--json", "--program", "film"], "blur"),
                               (["--json", "--program", "/opt/*"], "blur blur sharpen"), (["--json", "--program", "ffff"], "blur"),
                               (["--json", "--device", "slow*"], "sharpen"), (["--json", "--device", "fast*", "s*"], "")):
        out, err = place.run("list", *arguments, status=0 if kernels else 1)
        found = [json.loads(line)["key"]["kernel"] for line in out.splitlines()]
        expect(found == kernels.split() and ("nothing like that" in err) == (not kernels), f"{arguments}: {found} {err}")
    out, _ = place.run("list")
    rows = [line.split() for line in out.splitlines() if line.startswith("  ")]
    expect(rows[1][:7] == ["blur", "editor", "1024x512", "8x8", "64x4", "2.50", "faster"], f"{rows}")
    expect([r for r in rows if r[0] == "sharpen"][0][4:7] == ["=", "-", "kept"] and len(rows) == 4 + 2, f"{rows}")
    shown = json.loads(place.run("show", "sharpen")[0])
    expect(shown["key"]["kernel"] == "sharpen" and shown["check"], f"{shown}")


def what_a_variant_does_is_no_kept_size(bench):
    """`kept` means that nothing better was found."""
    place, variant = Place(bench), {"name": "wide", "local": [16, 16, 1], "gain": 8.76, "text": "0f"}
    place.write(HEAD + record("gemm", outcome="no-gain", variant=variant) + record("plain", outcome="no-gain", variant={}))
    rows = {line.split()[0]: line.split() for line in place.run("list")[0].splitlines() if line.startswith("  ")}
    expect(rows["gemm"][4:8] == ["wide", "16x16", "8.76", "faster"] and rows["plain"][4:7] == ["=", "-", "kept"], f"{rows}")


def newer_files_are_named(bench):
    """A program whose decisions a newer version wrote runs without them, says so once, and leaves them as they are."""
    place = Place(bench)
    tuned = ["-n", "256", "-l", "150"]
    bench.run_app("conv2d", "both", tuned, wisdom=place.path)
    path, = place.path.glob("*.jsonl")
    lines = path.read_text().splitlines(keepends=True)
    single = bench.scratch / "single.jsonl"
    for number, text in ((1, HEAD.replace("1", "2") + "".join(lines[1:])), (2, lines[0] + "".join(lines[1:]).replace('"v":1', '"v":2'))):
        for file, given in (path, place.path), (single, single):
            file.write_text(text)
            result = bench.run_app("conv2d", "both", tuned, wisdom=given)
            said = [line for line in result.err.splitlines() if line.startswith("clsizer")]
            expect(said == [f"clsizer: {file}:{number}: is of a newer version of clsizer; it is left as it is"], f"{result.err}")
            expect(file.read_text() == text, "it was changed")
            expect(result.reasons("warning") == ["wisdom-unusable"], f"{result.reasons('warning')}")


def names_with_wildcards(bench):
    """A directory's name is no pattern."""
    place = Place(bench, "[w]*")
    place.write(HEAD + record())
    expect("blur" in place.run("list")[0] and "1 record," in place.run("check")[0], "not found")
    expect("1 record forgotten" in place.run("forget", "blur")[0], "not forgotten")


def files_that_are_not_right(bench):
    """File and line of every fault are named, what is right is used, and no file is changed."""
    place = Place(bench)
    good, bad = record(), record("sharpen").replace("2.5", "9.5")
    newer = record("late").replace('{"v":1', '{"v":2')
    outside = record("outside", program="../../escaped")
    for what, text, line, words, status in (
            ("damaged", HEAD + good + bad + record("last"), 3, "is damaged", 1),
            ("cut", HEAD + good + good[:40], 3, "is damaged", 1),
            ("line of a newer version", HEAD + good + newer, 3, "is of a newer version", 2),
            ("no sense", HEAD + good + record("odd", outcome="lost"), 3, "makes no sense", 1),
            ("a path for a program", HEAD + good + outside, 3, "makes no sense", 1),
            ("foreign", "precious\n" + good, 1, "is not wisdom", 2),
            ("binary", "\x7fELF\0\0" + good, 1, "is not wisdom", 2),
            ("newer", '{"clsizer-wisdom":2}\n' + good, 1, "is of a newer version", 2)):
        path = place.write(text)
        before = place.contents()
        for command in ["list"], ["check"], ["export"], ["show", "blur"]:
            out, err = place.run(*command, status=status)
            expect(f"clsizer: {path}:{line}: {words}" in err, f"{what}, {command}: {err}")
            expect(("blur" in out) == (status == 1) or command == ["check"], f"{what}, {command}: {out}")
            expect(command != ["check"] or f"({int('newer' in what)} newer)" in out, f"{what}: {out}")
            expect(command != ["export"] or ('"sharpen"' not in out and '"outside"' not in out), f"{what}: {out}")
        empty = Place(bench, "empty")
        out, err = empty.run("import", path, status=status)
        expect(f"{path}:{line}: {words}" in err and place.contents() == before, f"{what}: {err}")
        kernels = [r["key"]["kernel"] for r in empty.records()]
        expect("blur" in kernels if status == 1 else not kernels, f"{what}: {kernels}")
        expect(not (bench.scratch / "escaped.jsonl").exists(), "a path was followed")
        place.run("forget", "blur", status=status)
        expect(place.contents() == before if status == 2 else "blur" not in place.path.joinpath(path).read_text(), what)
        expect(status == 2 or what == "no sense" or bad not in text or bad in path.read_text(), f"{what}: a line was lost")
    out, err = place.run("import", bench.scratch / "none", status=2)
    expect("No such file" in err, err)
    place.run("import", bench.scratch, status=0)  # a directory without wisdom
    if os.geteuid() == 0:
        path = place.write(HEAD + good)
        os.chown(path, NOBODY, NOBODY)
        expect("belongs to somebody else" in place.run("list", status=2)[1], "foreign owner")


def records_that_meet(bench):
    """Of two records with one key: a decision before an open race, else the later one."""
    early, late = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"
    for what, have, come, wins in (
            ("later decision", record(date=early), record(local=(32, 1, 1), date=late), "come"),
            ("earlier decision", record(date=late), record(local=(32, 1, 1), date=early), "have"),
            ("open race", record(date=early), record(outcome="open", date=late), "have"),
            ("decision for an open race", record(outcome="open", date=late), record(date=early), "come"),
            ("the same", record(), record(), "have"),
            ("another size", record(), record(size=64), "both")):
        place = Place(bench)
        place.write(HEAD + have)
        (bench.scratch / "come.jsonl").write_text(HEAD + come)
        out, _ = place.run("import", bench.scratch / "come.jsonl")
        text = (place.path / f"{PROGRAM}.jsonl").read_text()
        expect({"come": text == HEAD + come, "have": text == HEAD + have, "both": text == HEAD + have + come}[wins], f"{what}: {text}")
        expect(out.startswith("0 records" if wins == "have" else "1 record added"), f"{what}: {out}")


def there_and_back(bench):
    """What is exported is imported into another directory or file, from a file, a directory or a pipe; and can be read by a run."""
    place = Place(bench)
    bench.run_app("conv2d", "both", ["-n", "256", "-l", "150"], wisdom=place.path)
    place.write(HEAD + record())
    exported, _ = place.run("export")
    (bench.scratch / "all.jsonl").write_text(exported)
    single = bench.scratch / "single.jsonl"
    for source, text in ((bench.scratch / "all.jsonl", None), (place.path, None), ("-", exported)):
        there = Place(bench, "there")
        there.run("import", source, text=text)
        expect(sorted(map(str, there.records())) == sorted(map(str, place.records())), f"{source}: {there.records()}")
        single.unlink(missing_ok=True)
        place.run("merge", single, source, text=text)
        expect(sorted(single.read_text().splitlines()) == sorted(exported.splitlines()), f"{source}: {single.read_text()}")
    for wisdom in there.path, single:
        run = bench.run_app("conv2d", "both", ["-n", "256", "-l", "150"], wisdom=wisdom, CLSIZER_USE_ONLY="1")
        expect([e["source"] for e in run.of("decision")] == ["wisdom"], f"{wisdom}: {run.events}")
    site = Place(bench, "site")
    site.run("import", single)
    out, _ = place.run("list", wisdom=Place(bench, "empty").path, CLSIZER_SYSTEM_WISDOM=site.path)
    expect(str(site.path) in out and "conv2d" in out and "blur" in out, out)


def signed(record, key, local):
    """A line like the record, about another launch, with another size."""
    body = json.dumps({**{k: v for k, v in record.items() if k != "check"}, "key": {**record["key"], **key}, "local": local},
                      separators=(",", ":"))[:-1]
    return f'{body},"check":"{checksum(body)}"}}\n'


def imported_is_not_trusted(bench):
    """A forged record is taken and listed; it is used where the size is proved, and changes nothing where it is not."""
    place, tuned = Place(bench), ["-n", "256", "-l", "150"]
    bench.run_app("conv2d", "both", tuned, wisdom=place.path, CLSIZER_VARIANTS="sizes")
    real, bare = place.records()[-1], bench.run_app("refusals")
    alone = bench.run_app("refusals", "both", wisdom="none", CLSIZER_USE_ONLY="1")
    reasons = {"local_size": "local-size-observed", "swap_order": "ordered-atomic"}
    launched = {e["kernel"]: e for e in alone.of("launches") if e["kernel"] in reasons}
    forged = Place(bench, "forged")
    text = HEAD + signed({**real, "outcome": "won"}, {}, [16, 4, 1])
    for name, e in launched.items():
        key = {"program": e["program"], "kernel": name, "dim": 1, "own": e["launch"]["local"], "global": e["launch"]["global"]}
        text += signed({**real, "outcome": "won"}, key, [64, 1, 1])
    out, _ = forged.run("import", "-", text=text)
    expect(out.startswith("3 records added"), f"{launched}: {out}")
    out, _ = forged.run("list")
    for row in r"conv2d .* 16x4 ", r"local_size .* 8 +64 ", r"swap_order .* 8 +64 ":
        expect(re.search(f"^  {row}", out, re.M), out)
    used = bench.run_app("conv2d", "both", tuned, wisdom=forged.path, CLSIZER_USE_ONLY="1")
    expect([(e["source"], e["decision"]["local"][:2]) for e in used.of("decision")] == [("wisdom", [16, 4])], f"{used.events}")
    run = bench.run_app("refusals", "both", wisdom=forged.path, CLSIZER_USE_ONLY="1")
    expect(run.out == bare.out and not run.of("decision"), f"{run.out}, {run.of('decision')}")
    for name, reason in reasons.items():
        expect([e["reason"] for e in run.of("refusal") if e["kernel"] == name] == [reason], f"{name}: {run.events}")
        expect([e["changed"] for e in run.of("launches") if e["kernel"] == name] == [0], f"{name}: {run.events}")


def what_cannot_be_written(bench):
    """A full disk, a directory that is not ours: said, and the old files stay."""
    place = Place(bench)
    place.write(HEAD + record())
    before = place.contents()
    with open("/dev/full", "w") as full:
        done = subprocess.run([bench.build / "clsizer", "wisdom", "export"], env=bench.environment(wisdom=place.path), stdout=full)
    expect(done.returncode == 2, f"status {done.returncode}")
    (bench.scratch / "more.jsonl").write_text(HEAD + record("more"))
    limit = ["sh", "-c", 'ulimit -f 0; trap "" XFSZ; exec "$@"', "-", bench.build / "clsizer", "wisdom"]
    for command in ["import", bench.scratch / "more.jsonl"], ["forget", "blur"]:
        (place.path / ".lock").touch(0o600)
        place.write(HEAD + record() + record("other"))
        before = place.contents()
        done = subprocess.run([*limit, *command], env=bench.environment(wisdom=place.path), capture_output=True, text=True)
        expect(done.returncode == 2 and f"{PROGRAM}.jsonl: File too large" in done.stderr, f"{done}")
        expect(place.contents() == before, f"{command}: {place.contents()}")
    if os.geteuid() != 0:
        raise Skip("needs root")
    place.path.chmod(0o777)
    for path in place.path.iterdir():
        os.chown(path, NOBODY, NOBODY)
    for command in ["import", bench.scratch / "more.jsonl"], ["forget", "blur"]:
        expect("belongs to somebody else" in place.run(*command, status=2)[1], "foreign owner")


def usage(bench):
    """What is not understood changes nothing."""
    place = Place(bench)
    place.write(HEAD + record())
    before = place.contents()
    for command, status in (([], 2), (["--help"], 0), (["list", "--help"], 0), (["lsit"], 2), (["import"], 2), (["merge", "x"], 2),
                            (["forget"], 2), (["forget", "--all", "blur"], 2),
                            (["import", "--device", "Fast*", place.path], 2), (["check", "--program", "x"], 2),
                            (["list", "--all"], 2), (["show", "--json"], 2), (["list", "--unknown"], 2), (["path", "x"], 2)):
        out, err = place.run(*command, status=status)
        expect("usage: clsizer wisdom" in out + err, f"{command}: {out}{err}")
    for command, words in ([], "a command is missing"), (["lsit"], "'lsit' is none of its commands"), \
            (["import"], "import needs a file"), (["merge", "x"], "merge needs OUT"), (["forget"], "forget needs either"), \
            (["show", "--json"], "show has no use for --json"), (["path", "x"], "path takes no argument: 'x'"):
        err = place.run(*command, status=2)[1]
        expect(err.startswith(f"clsizer wisdom: {words}"), f"{command}: {err}")
    expect(place.run("path")[0] == f"{place.path}\n", "path")
    expect("nothing is remembered" in place.run("list", status=2, wisdom="none")[1], "none")
    none = place.run("list", status=2, CLSIZER_WISDOM=None, XDG_DATA_HOME=None, HOME=None)[1]
    expect("no place for wisdom" in none, none)
    nowhere = {"CLSIZER_WISDOM": None, "XDG_DATA_HOME": None, "HOME": None}
    expect("1 record," in place.run("check", place.path, **nowhere)[0], "check")
    expect("1 record added" in place.run("merge", bench.scratch / "merged", place.path, **nowhere)[0], "merge")
    expect("nothing like that" in place.run("export", "no-such", status=1)[1], "export")
    expect(place.contents() == before, "it was changed")
    expect("1 record forgotten" in place.run("forget", "--all")[0], "all")


CASES = [what_a_run_decided_is_listed, selections, what_a_variant_does_is_no_kept_size, newer_files_are_named, names_with_wildcards, files_that_are_not_right, records_that_meet, there_and_back,
         imported_is_not_trusted, what_cannot_be_written,
         usage]

if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES))
