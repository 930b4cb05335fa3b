#!/usr/bin/env python3
"""`clsizer tune`, --retune, --use-only=strict: what is decided, and what they say and return.

    tune.py --build DIR [CASE...]       no CASE: all; --list prints their names
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from harness import expect, run_cases, script, wisdom_records

CONV = ["-n", "256", "-l", "150"]


def start(bench, *arguments, **variables):
    """The launcher, with a clean environment."""
    env = bench.environment(**{"CLSIZER_EFFORT": None, "CLSIZER_ANALYSE_AFTER": None, "TMPDIR": bench.scratch, **variables})
    return subprocess.Popen([bench.build / "clsizer", *arguments], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def clsizer(bench, *arguments, status=0, **variables):
    """Its stdout and stderr; no report of its own is left behind."""
    process = start(bench, *arguments, **variables)
    out, err = process.communicate(timeout=100)
    expect(status in (None, process.returncode), f"{arguments}: status {process.returncode}, not {status}: {out}{err}")
    expect(not list(bench.scratch.glob("clsizer-report-*")), f"{arguments}: a report was left behind")
    return out, err


def tune_decides(bench):
    """It runs until all is decided, says what that gained, and later runs use it; stdout is the program's."""
    app = bench.app("conv2d")
    bare = bench.run_app("conv2d", "bare", CONV)
    out, err = clsizer(bench, "tune", "--variants", "sizes", app, *CONV)
    runs = int(re.search(r"clsizer: settled in (\d+) run", err)[1])
    expect(out == bare.out.decode() * runs, f"{runs} runs: {out}")
    row = re.search(rf"^conv2d +256x256 +{150 * runs} .* 1x32 +(\S+) +([\d.]+)", err, re.M)
    times = re.search(r"take ([\d.]+) ms instead of ([\d.]+), ([\d.]+) times", err)
    expect(row and times, err)
    record = wisdom_records(bench.scratch / "wisdom.jsonl")[-1]
    expect(record["outcome"] == "won" and row[1] == "x".join(map(str, record["local"][:2])), f"{row.groups()}, {record}")
    expect(abs(float(row[2]) / record["gain"] - 1) < 0.05 and float(times[3]) > 1, f"{row.groups()}, {times.groups()}, {record}")
    again = bench.run_app("conv2d", "both", CONV, CLSIZER_EFFORT="measure", CLSIZER_VARIANTS="sizes")
    expect([e["source"] for e in again.of("decision")] == ["wisdom"], f"{again.events}")


def tune_ends_with_a_variant(bench):
    """A kernel that a variant does from now on is settled."""
    _, err = clsizer(bench, "tune", bench.app("gemm"), "-n", "256", "-l", "40")
    runs = int(re.search(r"clsizer: settled in (\d+) run", err)[1])
    expect(runs < 6 and re.search(rf"^gemm +256x256 +{40 * runs} .* 16x16 +wide \S+ +[\d.]+ ", err, re.M), err)


def tune_and_report_agree(bench):
    """It ends with what `clsizer report` makes of its runs; and, where there is no Python for that, without."""
    for app in ("matvec", "-l", "200"), ("phases", "-l", "2000"), ("offset", "-l", "2"):
        file = bench.scratch / "report.jsonl"
        file.unlink(missing_ok=True)
        _, err = clsizer(bench, "tune", "--runs", "2", "--report", file, bench.app(app[0]), *app[1:], status=None)
        table = subprocess.run([bench.build / "clsizer", "report", file], capture_output=True, text=True, check=True,
                               env=bench.environment()).stdout
        done = subprocess.run([bench.build / "clsizer", "report", "--json", file], capture_output=True, text=True, check=True)
        kernels = json.loads(done.stdout)["kernels"]
        expect(table and table in err and f"of {len(kernels)} settled" in err, f"{table}\n{err}")
    _, err = clsizer(bench, "tune", "--runs", "1", bench.app("conv2d"), *CONV, status=None, PATH=bench.scratch)
    expect("needs Python 3" in err and "settled in 1 run; kernels of a run take" in err, err)


def tune_of_what_is_left_alone(bench):
    """A kernel that never had a shape has one row, with its launches."""
    _, err = clsizer(bench, "tune", "--kernels", "other", bench.app("conv2d"), "-n", "256", "-l", "50")
    expect("1 of 1 settled" in err and re.search(r"^conv2d +256x256 +50 .* 1x32 +=", err, re.M) and "--kernels leaves it out" in err, err)


def tune_goes_on(bench):
    """What one run cannot decide, several do; and if they may not, that is said, with the reason."""
    arguments = ["--effort", "measure", "--budget", "100", "--mode", "launches", "--no-ahead", "--variants", "sizes", bench.app("conv2d"),
                 "-n", "1024", "-l", "2"]
    out, err = clsizer(bench, "tune", "--runs=1", *arguments, status=1, CLSIZER_ANALYSE_AFTER="1")
    expect("clsizer: not all settled in 1 run" in err and re.search(r"run 1, [\d.]+ s: 0 of 1 settled", err), err)
    expect(re.search(r"\bconv2d .*(before the kernel|sizes were measured|ended before)", " ".join(err.split())), err)
    out, err = clsizer(bench, "tune", "--runs", "60", *arguments, CLSIZER_ANALYSE_AFTER="1")
    runs = int(re.search(r"clsizer: settled in (\d+) run", err)[1])
    expect(runs > 1 and err.count("clsizer: run ") == runs, err)
    lines = [line for line in err.splitlines() if line.startswith("clsizer: run ")]
    good = r"clsizer: run \d+, [\d.]+ s: (1 of 1 settled|0 of 1 settled(; about [1-9]\d* more runs?, \d+ s)?)"
    expect(all(re.fullmatch(good, line) for line in lines) and "1 of 1" in lines[-1], err)


def tune_ends_like_the_program(bench):
    """A program that fails is run once, and its status returned; so is a signal."""
    log = bench.scratch / "runs"
    app = f"echo run >>{log}; {bench.app('conv2d')} {' '.join(CONV)}"
    for end, status, words in (("exit 7", 7, "ended with status 7"), ("kill -TERM $$", -signal.SIGTERM, "ended by signal 15"),
                               ("exec /no/such/program", 127, "ended with status 127")):
        log.unlink(missing_ok=True)
        _, err = clsizer(bench, "tune", script(bench, "app", f"{app}\n{end}\n"), status=status)
        expect(words in err and log.read_text() == "run\n", f"{end}: {err}")
    _, err = clsizer(bench, "tune", "true", status=1)
    expect("clsizer doctor true" in err, err)
    clsizer(bench, "tune", "no-such-program-anywhere", status=127)


def signals_are_handed_on(bench):
    """SIGTERM ends the program, not only the launcher that waits for it."""
    pid = bench.scratch / "pid"
    app = script(bench, "app", f"echo $$ >{pid}.new; mv {pid}.new {pid}; exec sleep 60\n")
    for command in ["tune", app], ["--use-only=strict", app]:
        pid.unlink(missing_ok=True)
        launcher = start(bench, *command)
        end = time.monotonic() + 20
        while not pid.exists() and time.monotonic() < end:
            time.sleep(0.02)
        launcher.terminate()
        launcher.communicate(timeout=20)
        expect(launcher.returncode == -signal.SIGTERM, f"{command}: {launcher.returncode}")
        expect(not pathlib.Path("/proc", pid.read_text().strip()).exists(), f"{command}: the program goes on")
        expect(not list(bench.scratch.glob("clsizer-report-*")), f"{command}: a report was left behind")


def retune(bench):
    """Kernels that match are decided anew, others are not; an unfinished look leaves nothing wrong behind."""
    wisdom = bench.scratch / "wisdom.jsonl"
    bench.run_app("conv2d", "both", CONV)
    first = wisdom_records(wisdom)[-1]
    for glob, source in (("other", "wisdom"), ("*", "measured"), ("!conv2d", "wisdom"), ("co*2d,other", "measured")):
        run = bench.run_app("conv2d", "both", CONV, CLSIZER_RETUNE=glob)
        expect([e["source"] for e in run.of("decision")] == [source], f"{glob}: {run.of('decision')}")
    expect(len(wisdom_records(wisdom)) == 1 and wisdom_records(wisdom)[-1]["spent_ns"] != first["spent_ns"], "nothing new")
    run = bench.run_app("conv2d", "both", CONV, CLSIZER_RETUNE="*", CLSIZER_USE_ONLY="1")
    expect([e["source"] for e in run.of("decision")] == ["wisdom"], f"--use-only: {run.of('decision')}")
    out, err = clsizer(bench, "--retune", "--verbose", "1", bench.app("conv2d"), *CONV, CLSIZER_EFFORT="patient")
    expect("; measured; " in err, err)
    out, err = clsizer(bench, "--retune=other", "--verbose", "1", bench.app("conv2d"), *CONV, CLSIZER_EFFORT="patient")
    expect("; measured; " not in err, err)


def strict(bench):
    """Exit status 3 where a decision is missing; the program's own otherwise, or if it failed."""
    app, wisdom = bench.app("conv2d"), bench.scratch / "wisdom.jsonl"
    bench.run_app("conv2d", "both", CONV)
    text, report = wisdom.read_text(), bench.scratch / "why.jsonl"
    program = f"{app} {' '.join(CONV)}"
    for what, options, command, status in (
            ("decided", [], program, 0),
            ("decided, not analysed yet", ["--cache", bench.store("new")], program, 0),
            ("another shape", [], f"{app} -n 512 -l 150", 3),
            ("nothing remembered", ["--wisdom", "none"], program, 3),
            ("one of two", [], f"{program}; {app} -n 512 -l 150", 3),
            ("in a process before the last", [], f"{app} -n 512 -l 150; {program}", 3),
            ("too short to be measured", [], f"{app} -n 64 -l 3", 0),
            ("left alone", ["--kernels", "other", "--wisdom", "none"], program, 0),
            ("a program that fails", ["--wisdom", "none"], f"{program}; exit 7", 7),
            ("no kernels", [], "exit 0", 0),
            ("a report of one's own", ["--report", report], f"{app} -n 512 -l 150", 3),
            ("one with earlier runs", ["--report", report], program, 0),
            ("off", ["--off"], f"{app} -n 512 -l 150", 0)):
        _, err = clsizer(bench, "--use-only=strict", *options, "sh", "-c", command, status=status)
        expect(("--use-only=strict: no decision for conv2d" in err) == (status == 3 or status == 7), f"{what}: {err}")
        expect(wisdom.read_text() == text, f"{what}: wisdom was changed")
    expect(report.stat().st_size > 1000, "no report")
    _, err = clsizer(bench, "--use-only=strict", "--report", "-", app, status=2)
    expect("not with --report -" in err, err)
    clsizer(bench, "--use-only", "sh", "-c", f"{app} -n 512 -l 150", status=0)
    words = "clsizer: --use-only=strict: no decision for 1 shape; "
    for size, way, only, quiet, told in (("512", "layer", "strict", "0", True), ("512", "preload", "strict", "0", True),
                                         ("256", "layer", "strict", "0", False), ("512", "layer", "1", "0", False),
                                         ("512", "layer", "strict", "1", False), ("64", "layer", "strict", "0", False)):
        run = bench.run_app("conv2d", way, ["-n", size, "-l", "150" if size != "64" else "3"], CLSIZER_USE_ONLY=only, CLSIZER_ANALYSE_AFTER=None,
                            CLSIZER_QUIET=quiet)
        err = run.err
        expect((words in err) == told and err.count("clsizer:") == told, f"{size}, {way}, {only}, {quiet}: {err}")
    clsizer(bench, "--use-only=strict", "no-such-program-anywhere", status=127)


def usage(bench):
    """What is not understood, or makes no sense, starts nothing."""
    for arguments, words in (([], "usage: clsizer tune"), (["--runs"], "--runs needs"), (["--runs", "0", "true"], "--runs needs"),
                             (["--runs=x", "true"], "--runs needs"), (["--unknown", "true"], "unknown option"),
                             (["--wisdom", "none", "true"], "not with --off"), (["--use-only", "true"], "not with --off"),
                             (["--budget", "0", "--effort", "measure", "true"], "not with --off"), (["--off", "true"], "not with --off"),
                             (["--report", "-", "true"], "not with --report -"),
                             (["--report", "/dev/null", "true"], "not with --report /dev/null"), (["--effort", "hasty", "true"], "estimate, measure")):
        _, err = clsizer(bench, "tune", *arguments, status=2)
        expect(words in err, f"{arguments}: {err}")
    expect("usage: clsizer tune" in clsizer(bench, "tune", "--help")[0], "--help")
    for value in "stricter", "2":
        _, err = clsizer(bench, f"--use-only={value}", "true", status=2)
        expect("0, 1 or strict" in err, err)
    expect("takes no options before its name" in clsizer(bench, "--quiet", "tune", status=127)[1], "before")


CASES = [tune_decides, tune_ends_with_a_variant, tune_and_report_agree, tune_of_what_is_left_alone, tune_goes_on,
         tune_ends_like_the_program,
         signals_are_handed_on, retune, strict, usage]

if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(run_cases(__doc__, CASES))
