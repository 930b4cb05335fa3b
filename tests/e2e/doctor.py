#!/usr/bin/env python3
"""What `clsizer doctor` finds, and what it finds fault with.

    doctor.py --build DIR [CASE...]       no CASE: all; --list prints their names
"""

import os
import re
import shutil
import subprocess
import sys

from harness import Skip, expect, run_cases

NOBODY = 65534


def at_home(bench):
    """Variables with which everything is in the default places of a home of the test's own."""
    home = bench.scratch / "home"
    home.mkdir(exist_ok=True)
    return {"HOME": home, **dict.fromkeys(("XDG_CACHE_HOME", "XDG_DATA_HOME", "CLSIZER_CACHE", "CLSIZER_WISDOM"))}


def doctor(bench, *program, status=0, command=None, **variables):
    """What it prints: {subject: [(verdict, words)]}."""
    done = subprocess.run([command or bench.build / "clsizer", "doctor", *program], capture_output=True, text=True, timeout=60,
                          env=bench.environment(**{**at_home(bench), "CLSIZER_EFFORT": None, "CLSIZER_ANALYSE_AFTER": None,
                                                   **variables}))
    expect(done.returncode == status, f"{program} {variables}: status {done.returncode}: {done.stdout}{done.stderr}")
    found = {}
    for line in done.stdout.splitlines()[1:-1]:
        match = re.fullmatch(r"(\w+) +(ok|note|FAIL) +(.+)", line)
        expect(match, f"not understood: {line!r}")
        found.setdefault(match[1], []).append((match[2], match[3]))
    expect(any(v == "FAIL" for lines in found.values() for v, _ in lines) == (status == 1), done.stdout)
    return found


def faulty(bench, subject, words, *program, **variables):
    """It says this, and that it is a fault."""
    found = doctor(bench, *program, status=1, **variables)
    expect(any(v == "FAIL" and words in w for v, w in found.get(subject, [])), f"{subject}, {words}: {found}")


def compiled(bench, name, source, *flags):
    """A program or library from C; skips where the compiler cannot make one like that."""
    path, text = bench.scratch / name, bench.scratch / f"{name}.c"
    text.write_text(source)
    if subprocess.run([os.environ.get("CC", "cc"), *flags, "-o", path, text], capture_output=True).returncode:
        raise Skip(f"the compiler does not take {flags}")
    return path


def all_is_well(bench):
    """Library, helper, stores, loader, driver and program are named."""
    found = doctor(bench, bench.app("conv2d"))
    for subject, words in (("library", "libclsizer.so"), ("helper", "clsizer-analyze"), ("cache", "home/.cache/clsizer/summaries"),
                           ("wisdom", "home/.local/share/clsizer/wisdom"), ("loader", "libOpenCL.so"),
                           ("driver", "Portable Computing Language"), ("program", "conv2d uses libOpenCL.so itself")):
        expect(any(v == "ok" and words in w for v, w in found.get(subject, [])), f"{subject}: {found}")
    layers = bench.run_app("saxpy", "layer", ["--small"])
    expect(("takes layers" in found["loader"][0][1]) == bool(layers.events), f"{found['loader']}, {layers.events[:1]}")


def what_is_remembered_is_counted(bench):
    """After a run there are analysed programs and decisions."""
    result = bench.run_app("conv2d", "both", ["-n", "256", "-l", "150"], **at_home(bench))
    expect(result.of("decision"), f"{result.events}")
    found = doctor(bench)
    expect(found["cache"][0][1].endswith(": 1 analysed program") and found["wisdom"][0][1].endswith("about 1 program"), f"{found}")


def programs_that_cannot_be_helped(bench):
    """Static, of another architecture, with more rights than their caller, no programs at all."""
    faulty(bench, "program", "was not found", "no-such-program")
    faulty(bench, "program", "was not found", "./no-such-program")
    (bench.scratch / "no-such-program").mkdir()
    faulty(bench, "program", "was not found", "no-such-program", PATH=f"{bench.scratch}:{os.environ['PATH']}")
    (bench.scratch / "text").write_text("hello\n")
    faulty(bench, "program", "neither a program nor a script", bench.scratch / "text")
    (bench.scratch / "empty").write_text("")
    faulty(bench, "program", "cannot be read: Exec format error", bench.scratch / "empty")
    faulty(bench, "program", "cannot be read: Is a directory", bench.scratch)
    other = bytearray((bench.build / "apps" / "conv2d").read_bytes())
    other[4] ^= 3  # 64 bits to 32
    (bench.scratch / "other").write_bytes(other)
    faulty(bench, "program", "another architecture", bench.scratch / "other")
    for size in (20, 64, 100, 700):  # cut: no crash
        (bench.scratch / "cut").write_bytes(bytes(other[:4]) + b"\2" + bytes(other[5:size]))
        doctor(bench, bench.scratch / "cut", status=1)
    shutil.copy("/bin/true", bench.scratch / "docker")
    faulty(bench, "program", "run elsewhere", bench.scratch / "docker")
    static = compiled(bench, "static", "int main(void) { return 0; }", "-static")
    faulty(bench, "program", "linked statically", static)
    for options, said in ((), f"clsizer: {static} is linked statically: no library can be put in front\n"), (["--quiet"], ""):
        run = subprocess.run([bench.build / "clsizer", *options, static], capture_output=True, text=True, timeout=60)
        expect((run.returncode, run.stdout, run.stderr) == (0, "", said), f"the launcher: {run}")


def setuid_program(bench):
    """The linker lets nothing in front of it."""
    if os.geteuid() != 0:
        raise Skip("needs root")
    path = bench.scratch / "setuid"
    shutil.copy(bench.app("conv2d"), path)
    os.chown(path, NOBODY, NOBODY)
    path.chmod(0o4755)
    faulty(bench, "program", "is setuid", path)
    path.chmod(0o755)
    doctor(bench, path)


def scripts(bench):
    """Of a script it is the interpreter that counts."""
    path = bench.scratch / "script"
    for line, runner in (("#!/bin/sh", "/sh"), ("#! /usr/bin/env python3", "/python3"), ("#!/usr/bin/env -S A=1 python3 -I", "/python3")):
        path.write_text(f"{line}\n")
        found = doctor(bench, path, "--its-own")["program"]
        expect("is a script for" in found[0][1] and found[0][1].endswith(runner) and len(found) == 2, f"{line}: {found}")
    for name, other in ("one", "two"), ("two", "one"):  # no end
        (bench.scratch / name).write_text(f"#!{bench.scratch / other}\n")
        (bench.scratch / name).chmod(0o755)
    faulty(bench, "program", "neither a program nor a script", bench.scratch / "one")
    path.write_text("#!/no/such/interpreter\n")
    faulty(bench, "program", "was not found", path)


def places_and_options(bench):
    """Places that cannot be used, options that make no sense, a switch that is off."""
    notes = bench.scratch / "notes"
    notes.write_text("precious\n")
    found = doctor(bench, CLSIZER_CACHE="/proc/nowhere", TMPDIR=bench.store("tmp"))
    expect(found["cache"][0][0] == "note" and "only a temporary one" in found["cache"][0][1], f"{found}")
    faulty(bench, "wisdom", "is not wisdom", CLSIZER_WISDOM=notes)
    expect(notes.read_text() == "precious\n", "it was changed")
    faulty(bench, "options", "off is set", CLSIZER_OFF="1")
    found = doctor(bench, CLSIZER_BUDGET="7")
    expect(("note", "CLSIZER_BUDGET=7 is set") in found["options"], f"{found}")
    conf = bench.store("conf")
    (conf / "clsizer.conf").write_text("budgett = 7\nmargin = 5\n")
    (conf / "clsizer.conf").chmod(0o600)
    found = doctor(bench, CLSIZER_REPROT="3", CLSIZER_MARGIN="wide", XDG_CONFIG_HOME=conf)["options"]
    for words in ("CLSIZER_REPROT=3: no variable of clsizer's", "CLSIZER_MARGIN=wide is not valid",
                  f"{conf}/clsizer.conf:1: budgett=7 is not valid"):
        expect(any(v == "note" and words in w for v, w in found), f"{words}: {found}")
    faulty(bench, "helper", "/nope: No such file", CLSIZER_HELPER="/nope")
    faulty(bench, "helper", "cannot be started", CLSIZER_HELPER="/bin/false")
    found = doctor(bench, CLSIZER_HELPER=bench.build / "clsizer-analyze")
    expect(found["helper"][0] == ("ok", str(bench.build / "clsizer-analyze")), f"{found}")
    shared = bench.store("shared")
    shared.chmod(0o777)
    faulty(bench, "cache", "cache-not-trusted", CLSIZER_CACHE=shared)


def places_of_the_machine(bench):
    """What is decided for all users is told of once, also where it is not read."""
    site = bench.store("site")
    file = site / f"{'0' * 32}.jsonl"
    file.touch(0o644)
    found = doctor(bench, CLSIZER_SYSTEM_WISDOM=site)["wisdom"]
    expect([v for v, _ in found] == ["ok", "ok"], f"{found}")
    found = doctor(bench, CLSIZER_SYSTEM_WISDOM=site, HOME=None)["wisdom"]
    expect([v for v, _ in found] == ["note", "ok"] and "nothing is remembered" in found[0][1], f"{found}")
    file.chmod(0o666)
    faulty(bench, "wisdom", "1 of 1 files are not read: belongs to somebody else", CLSIZER_SYSTEM_WISDOM=site)
    found = doctor(bench, status=1, CLSIZER_SYSTEM_WISDOM=file)["wisdom"]
    expect([v for v, _ in found] == ["ok", "FAIL"], f"{found}")
    found = doctor(bench, XDG_DATA_HOME=file)["wisdom"]
    expect(found[0][0] == "note" and "cannot be written to" in found[0][1], f"{found}")


def drivers(bench):
    """No driver, one that crashes, one that hangs, no helper."""
    faulty(bench, "driver", "none was found", OCL_ICD_VENDORS=bench.store("none"))
    icd = bench.scratch / "crash.icd"
    library = compiled(bench, "crash.so", "#include <stdlib.h>\n__attribute__((constructor)) static void a(void) { abort(); }",
                       "-shared", "-fPIC")
    icd.write_text(f"{library}\n")
    faulty(bench, "driver", "ended with signal 6", OCL_ICD_VENDORS=icd)


def alone(bench):
    """A launcher whose other parts are gone."""
    place = bench.store("place") / "clsizer"
    shutil.copy(bench.build / "clsizer", place)
    found = doctor(bench, command=place, status=1)
    expect([v for v, _ in found["library"]] == ["FAIL"] and found["helper"][0][0] == "FAIL", f"{found}")
    helper = place.with_name("clsizer-analyze")
    helper.write_text("#!/bin/sh\nexit 3\n")
    helper.chmod(0o755)
    found = doctor(bench, command=place, status=1)
    expect(("FAIL" in dict(found["helper"])) and any("cannot be started" in w for _, w in found["helper"]), f"{found}")


def stores(bench):
    """Where programs hide their kernels' source."""
    home = bench.scratch / "home"
    (home / ".cache/pyopencl").mkdir(parents=True)
    found = doctor(bench)["store"]
    expect(len(found) == 1 and f"{home}/.cache/pyopencl" in found[0][1] and "PYOPENCL_NO_CACHE=1" in found[0][1], f"{found}")
    cache = bench.store("xdg")
    (cache / "opencv/4.6/opencl_cache").mkdir(parents=True)
    found = doctor(bench, XDG_CACHE_HOME=cache)["store"]
    expect(len(found) == 1 and f"{cache}/opencv/4.6/opencl_cache" in found[0][1], f"{found}")


def usage(bench):
    """A command line as the program has it, but no options."""
    for arguments, status in ((["--help"], 0), (["--unknown"], 2), (["--unknown", "a"], 2)):
        done = subprocess.run([bench.build / "clsizer", "doctor", *arguments], capture_output=True, text=True)
        expect(done.returncode == status and "usage: clsizer doctor" in done.stdout + done.stderr, f"{arguments}: {done}")


CASES = [all_is_well, what_is_remembered_is_counted, programs_that_cannot_be_helped, setuid_program, scripts, places_and_options,
         places_of_the_machine, drivers, alone, stores, usage]

if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES))
