#!/usr/bin/env python3
"""Security: other users, other people's text, and what the helper may do.

    security.py --build DIR [CASE...]       no CASE: all; --list prints their names

Every case runs on PoCL; some need root.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import time

from harness import Skip, expect, expect_reason, run_cases, same, script

PROGRAM = "conv2d"
ARGUMENTS = ["-n", "256", "-l", "150"]
NOBODY = 65534


def bare_run(bench):
    return bench.run_app(PROGRAM, arguments=ARGUMENTS)


def need_root():
    if os.geteuid() != 0:
        raise Skip("needs root")


# ---- programs with more rights than their caller ---------------------------------------------------------


def setuid_program(bench):
    """A layer gets into a setuid program where the loader lets it: it does nothing there, and writes nothing."""
    need_root()
    place = bench.scratch / "place"
    place.mkdir()
    program = place / PROGRAM
    shutil.copy(bench.app(PROGRAM), program)
    os.chown(program, NOBODY, NOBODY)
    program.chmod(0o4755)
    library = place / "libclsizer.so"
    shutil.copy(bench.library, library)
    for path in (bench.scratch, place, library):
        path.chmod(0o755)
    home = bench.store("home")
    os.chown(home, NOBODY, NOBODY)
    probe = place / "id"
    shutil.copy("/usr/bin/id", probe)
    os.chown(probe, NOBODY, NOBODY)
    probe.chmod(0o4755)
    if subprocess.run([probe, "-u"], capture_output=True).stdout.strip() != str(NOBODY).encode():
        raise Skip("setuid programs do not work here")
    shared = {"POCL_CACHE_DIR": home / "pocl", "HOME": home, "XDG_CACHE_HOME": home, "XDG_DATA_HOME": home,
              "CLSIZER_CACHE": home / "cache", "CLSIZER_REPORT": home / "report"}
    bare = bench.run([program, *ARGUMENTS], **shared)
    expect(bare.status == 0, f"bare: {bare.status} {bare.err[-500:]}")
    result = bench.run([program, *ARGUMENTS], OPENCL_LAYERS=library, LD_PRELOAD=library, **shared)
    same(result, bare, "setuid")
    left = sorted(p.name for p in home.iterdir())
    expect(left == ["pocl"], f"in a setuid program we wrote {left}")


# ---- directories and files -------------------------------------------------------------------------------


def directories_are_private(bench):
    """What we create under the XDG directories is ours alone, whatever the umask."""
    home = bench.store("home")
    run = script(bench, "run.sh", f"umask 0; exec '{bench.app(PROGRAM)}' \"$@\"\n")
    for _ in range(2):
        result = bench.run([run, *ARGUMENTS], "both", HOME=home, XDG_CACHE_HOME=None, XDG_DATA_HOME=None,
                           CLSIZER_CACHE=None, CLSIZER_WISDOM=None, CLSIZER_REPORT=home / "report")
        same(result, bare_run(bench), "no stores yet")
        bench.wait_for_helper(home / ".cache/clsizer/summaries")
    ours = [p for p in home.rglob("*") if "clsizer" in p.parts]
    expect(any(p.name == "summaries" for p in ours) and any(p.is_file() for p in ours), f"nothing was made: {ours}")
    for path in ours + [home / "report"]:
        expect(path.stat().st_mode & 0o077 == 0, f"{path} has mode {path.stat().st_mode:o}")


def linked_cache(bench):
    """A cache directory that is a symbolic link is not ours, wherever it leads."""
    link = bench.scratch / "link"
    link.symlink_to(bench.store("target"))
    result = bench.run_app(PROGRAM, "both", arguments=ARGUMENTS, cache=link)
    same(result, bare_run(bench), "cache is a link")
    expect_reason(result, "program", "cache-not-trusted")
    expect(not list((bench.scratch / "target").iterdir()), "files appeared behind the link")


def linked_stores(bench):
    """Neither wisdom nor a summary is read or written through a symbolic link."""
    cache, wisdom, victim = bench.store("cache"), bench.scratch / "wisdom.jsonl", bench.scratch / "victim"
    victim.write_text("precious\n")
    wisdom.symlink_to(victim)
    bare = bare_run(bench)
    result = bench.run_app(PROGRAM, "both", arguments=ARGUMENTS, cache=cache, wisdom=wisdom)
    same(result, bare, "wisdom is a link")
    expect_reason(result, "warning", "wisdom-unusable")
    bench.wait_for_helper(cache)
    for summary in list(cache.glob("*.sum")):
        summary.rename(bench.scratch / "moved")
        summary.symlink_to(bench.scratch / "moved")
    result = bench.run_app(PROGRAM, "both", arguments=ARGUMENTS, cache=cache, CLSIZER_HELPER="/nonexistent")
    same(result, bare, "summary is a link")
    expect(not result.of("program", reason="analysed"), "a summary was read through a link")
    expect(victim.read_text() == "precious\n", "a file behind a link was written")


def stores_of_others(bench):
    """Directories and files of other users are not believed."""
    need_root()
    bare, cache = bare_run(bench), bench.store("cache")
    bench.run_app(PROGRAM, "both", arguments=ARGUMENTS, cache=cache)
    bench.wait_for_helper(cache)
    for path in cache.glob("*.sum"):
        os.chown(path, NOBODY, NOBODY)
    result = bench.run_app(PROGRAM, "both", arguments=ARGUMENTS, cache=cache, CLSIZER_HELPER="/nonexistent")
    same(result, bare, "summaries of another user")
    expect(not result.of("program", reason="analysed"), "another user's summary was believed")
    os.chown(cache, NOBODY, NOBODY)
    result = bench.run_app(PROGRAM, "both", arguments=ARGUMENTS, cache=cache)
    same(result, bare, "cache of another user")
    expect_reason(result, "program", "cache-not-trusted")
    wisdom = bench.scratch / "theirs.jsonl"
    wisdom.write_text("")
    os.chown(wisdom, NOBODY, NOBODY)
    result = bench.run_app(PROGRAM, "both", arguments=ARGUMENTS, wisdom=wisdom)
    same(result, bare, "wisdom of another user")
    expect_reason(result, "warning", "wisdom-unusable")
    report = bench.scratch / "their-link"
    victim = bench.scratch / "victim"
    victim.write_text("precious\n")
    report.symlink_to(victim)
    os.chown(report, NOBODY, NOBODY, follow_symlinks=False)
    same(bench.run_app(PROGRAM, "both", arguments=ARGUMENTS, CLSIZER_REPORT=report), bare, "report behind a link")
    expect(victim.read_text() == "precious\n", "the report followed another user's link")


def homes_of_others(bench):
    """Root with the HOME of another user, as sudo may leave it, puts nothing there."""
    need_root()
    home = bench.store("home")
    options = {"HOME": home, "XDG_DATA_HOME": None, "XDG_CACHE_HOME": None, "CLSIZER_CACHE": None, "CLSIZER_WISDOM": None}
    for owner in (NOBODY, os.geteuid()):
        os.chown(home, owner, owner)
        same(bench.run_app(PROGRAM, "both", arguments=ARGUMENTS, **options), bare_run(bench), f"home of {owner}")
        expect(bool(list(home.iterdir())) == (owner != NOBODY), f"home of {owner} has {list(home.iterdir())}")
    home = bench.store("data")
    os.chown(home, NOBODY, NOBODY)
    bench.run_app(PROGRAM, "both", arguments=ARGUMENTS, **{**options, "XDG_DATA_HOME": home, "XDG_CACHE_HOME": home / "a/b"})
    expect(not list(home.iterdir()), f"another user's directory has {list(home.iterdir())}")


# ---- the helper ------------------------------------------------------------------------------------------


def helper_inherits_nothing(bench):
    """Descriptors, preloads, the terminal and the folder, which somebody may want to unmount, stay with the application."""
    seen = bench.scratch / "seen"
    spy = script(bench, "helper.sh", f"{{ readlink /proc/$$/cwd; ls -l /proc/self/fd; cat /proc/self/environ | tr '\\0' '\\n'; "
                                     f"ps -o sid= -o pid= -p $$; }} >'{seen}'\n")
    run = script(bench, "run.sh", f"exec 7</etc/passwd 9>'{bench.scratch}/open' 200</dev/null\n"
                                  f"exec '{bench.app(PROGRAM)}' \"$@\"\n")
    result = bench.run([run, *ARGUMENTS], "both", CLSIZER_HELPER=spy)
    same(result, bare_run(bench), "spying helper")
    text = seen.read_text()
    expect(text.startswith("/\n"), f"the helper is in {text[:100]}")
    for word in ("passwd", "/open", "200 ->", "LD_PRELOAD=", "OPENCL_LAYERS="):
        expect(word not in text, f"the helper got {word}: {text}")


def helper_is_limited(bench):
    """The real helper sets its limits before it reads anything."""
    limits = bench.scratch / "limits"
    helper = script(bench, "helper.sh", f"for i in $(seq 50); do cat /proc/$$/limits >'{limits}.new' 2>/dev/null && "
                                        f"mv '{limits}.new' '{limits}.$i'; sleep 0.01; done &\n"
                                        f"exec '{bench.build}/clsizer-analyze' \"$@\"\n")
    cache = bench.store("cache")
    result = bench.run_app(PROGRAM, "both", arguments=["-n", "512", "-l", "1500"], cache=cache, CLSIZER_HELPER=helper)
    bench.wait_for_helper(cache)
    expect(result.status == 0, result.err[-500:])
    seen = "".join(p.read_text() for p in bench.scratch.glob("limits.*"))
    for name in ("Max cpu time", "Max file size", "Max address space"):
        finite = [line for line in seen.splitlines() if line.startswith(name) and line.split()[3] != "unlimited"]
        expect(finite, f"{name} is not limited")


def ahead_is_limited(bench):
    """So does the program that has the driver compile: here it waits for a job that never comes."""
    job = bench.scratch / "job"
    os.mkfifo(job, 0o600)
    process = subprocess.Popen([bench.build / "clsizer-ahead", job])
    names, unlimited, end = ("Max cpu time", "Max file size", "Max data size"), True, time.monotonic() + 10
    while unlimited and time.monotonic() < end:
        time.sleep(0.02)
        lines = pathlib.Path(f"/proc/{process.pid}/limits").read_text().splitlines()
        unlimited = [line for line in lines if line.startswith(names) and line.split()[3] == "unlimited"]
    process.kill()
    process.wait()
    expect(not unlimited, f"not limited: {unlimited}")


# ---- text ------------------------------------------------------------------------------------------------


def hostile_options(bench):
    """Build options and sources full of other languages' syntax, and very long ones: only ever data."""
    marks = bench.store("marks")
    bare = bench.run_app("hostile", arguments=["--small"], CLSIZER_MARK=None, MARK=marks / "x")
    expect(bare.status == 0, f"bare: {bare.status} {bare.err[-500:]}")
    cache = bench.store("cache")
    for way in ("both", "preload"):
        result = bench.run_app("hostile", way, arguments=["--small"], cache=cache, MARK=marks / "x",
                               CLSIZER_VERBOSE=3)
        same(result, bare, f"hostile text, {way}")
        bench.wait_for_helper(cache)
    expect(not list(marks.iterdir()), f"somebody ran {list(marks.iterdir())}")


CASES = [setuid_program, directories_are_private, linked_cache, linked_stores, stores_of_others, homes_of_others,
         helper_inherits_nothing, helper_is_limited, ahead_is_limited, hostile_options]

if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(run_cases(__doc__, CASES))
