#!/usr/bin/env python3
"""Faults: whatever goes wrong inside clsizer, the program behaves as without it and the report has the reason.

    faults.py --build DIR [CASE...]        no CASE: all; --list prints their names

Every case runs on PoCL.
"""

import concurrent.futures
import fcntl
import functools
import os
import pathlib
import re
import signal
import sys
import time

from harness import Failure, Skip, expect, expect_reason, local_of, run_cases, same, script, wisdom_records

# Some 50 ms of launches; LONG is a second, for what has to go wrong in the middle.
PROGRAM = "conv2d"
ARGUMENTS = ["-n", "256", "-l", "150"]
LONG = ["-n", "512", "-l", "800"]


def bare_run(bench, arguments=None):
    """What PROGRAM prints without clsizer."""
    arguments = arguments or ARGUMENTS
    return bare_output(bench, arguments[arguments.index("-n") + 1])


@functools.cache
def bare_output(bench, size):
    """One launch for any number of them: each writes the same."""
    bare = bench.run_app(PROGRAM, arguments=["-n", size, "-l", "1"])
    expect(bare.status == 0, f"bare: exit status {bare.status}: {bare.err[-500:]}")
    return bare


def faulty_run(bench, what, arguments=None, **options):
    """Run with the fault, compare with bare, return the result."""
    bare = bare_run(bench, arguments)
    result = bench.run_app(PROGRAM, "both", arguments=arguments or ARGUMENTS, **options)
    same(result, bare, what)
    return result


def analysed_with(bench, program, arguments=None, **options):
    """A cache that knows the program, for which nothing is compiled ahead."""
    return bench.analysed_app(program, arguments, "both", CLSIZER_NO_AHEAD=1, **options)


def analysed_cache(bench, **options):
    """A cache that knows PROGRAM."""
    return analysed_with(bench, PROGRAM, ARGUMENTS, **options)


def expect_untouched(result):
    expect(not result.of("decision"), f"something was decided: {[local_of(e) for e in result.of('decision')]}")


# ---- the analysis helper -------------------------------------------------------------------------------


def helper_missing(bench):
    result = faulty_run(bench, "helper missing", CLSIZER_HELPER="/nonexistent/clsizer-analyze")
    expect_reason(result, "program", "helper-missing")
    expect_untouched(result)
    said = [line for line in result.err.splitlines() if line.startswith("clsizer")]
    expect(said == ["clsizer: --helper /nonexistent/clsizer-analyze: No such file or directory; no kernel is analysed"], result.err)
    result = faulty_run(bench, "helper missing, quietly", CLSIZER_HELPER="/nonexistent/clsizer-analyze", CLSIZER_QUIET="1")
    expect("clsizer" not in result.err, result.err)


def every_mode(bench):
    """Slices, repeated slices and whole launches as samples: the same output, and the mode that was allowed."""
    for mode in "slices", "rerun", "launches":
        result = faulty_run(bench, mode, arguments=["-n", "1024", "-l", "120"], cache=analysed_cache(bench),
                            CLSIZER_WISDOM="none", CLSIZER_MODE=mode, CLSIZER_VARIANTS="sizes")
        modes = {e.get("mode") for e in result.of("decision")}
        expect(modes == {mode}, f"{mode}: decided by {modes or 'nothing'}")


def mode_without_a_size(bench):
    """A program that leaves the size to the driver cannot be measured in parts: said once, and left alone."""
    arguments = ["-n", "100003", "-l", "40"]
    bare, cache = bench.run_app("prime", arguments=arguments), bench.analysed_app("prime", arguments)
    for mode in "slices", "swap":
        result = bench.run_app("prime", "layer", arguments=arguments, cache=cache, CLSIZER_WISDOM="none",
                               CLSIZER_MODE=mode, CLSIZER_SUMMARY=1)
        same(result, bare, mode)
        expect(len(result.of("refusal", reason="mode-not-proved")) == 1, f"{mode}: {result.events}")
        expect(not result.of("observed"), f"{mode}: a race was left open")
        expect(" 1 left alone;" in result.err, f"{mode}: not counted: {result.err}")


def copies_of_shared_buffers(bench):
    """Copies hold what another thread may change meanwhile, through the same queue: they never go back."""
    arguments = ["-n", "65536", "-l", "60"]
    bare, cache = bench.run_app("shared", arguments=arguments), bench.analysed_app("shared", arguments)
    for run in range(8):
        same(bench.run_app("shared", "layer", arguments=arguments, cache=cache, CLSIZER_WISDOM="none",
                           CLSIZER_MODE="swap", POCL_WORK_GROUP_SPECIALIZATION=0), bare, f"run {run}")


def proofs_are_of_one_launch(bench):
    """In place and into another buffer by turns: what may run twice is only the second."""
    arguments = ["-n", "65536", "-l", "20"]
    bare = bench.run_app("inplace", arguments=arguments)
    expect(bare.status == 0, f"bare: exit status {bare.status}: {bare.err[-500:]}")
    cache = bench.analysed_app("inplace", arguments, "both")
    for orchestration in "sync", "async":
        result = bench.run_app("inplace", "both", arguments=arguments, cache=cache, CLSIZER_WISDOM="none",
                               CLSIZER_MODE="rerun", CLSIZER_ORCHESTRATION=orchestration, CLSIZER_EFFORT="exhaustive",
                               CLSIZER_ANALYSE_AFTER=0, POCL_WORK_GROUP_SPECIALIZATION=0)
        same(result, bare, orchestration)


def helper_crashes(bench):
    crash = script(bench, "crash.sh", "kill -SEGV $$\n")
    result = faulty_run(bench, "helper crashing", arguments=LONG, CLSIZER_HELPER=crash)
    expect_reason(result, "program", "helper-crashed")
    expect_untouched(result)


def helper_exits_139(bench):
    crash = script(bench, "exit.sh", "exit 139\n")
    result = faulty_run(bench, "helper exiting with 139", arguments=LONG, CLSIZER_HELPER=crash)
    expect_reason(result, "program", "helper-crashed")


def helper_talks_nonsense(bench):
    liar = script(bench, "liar.sh",
                  'while [ $# -gt 0 ]; do [ "$1" = --output ] && out=$2; shift; done\n'
                  'echo nonsense on stdout; echo nonsense on stderr >&2\n'
                  'umask 077; head -c 5000 /dev/urandom >"$out"\n')
    result = faulty_run(bench, "helper writing nonsense", arguments=LONG, CLSIZER_HELPER=liar)
    expect("nonsense" not in result.err, "the helper's stderr reached the program's")
    expect_reason(result, "program", "helper-crashed", "summary-invalid")
    expect_untouched(result)


def helper_hangs(bench):
    pids = bench.scratch / "pid"
    hang = script(bench, "hang.sh", f"echo $$ >'{pids}'\nsleep 1000\n")
    result = faulty_run(bench, "helper hanging", arguments=LONG, CLSIZER_HELPER=hang,
                        CLSIZER_DEADLINE=200)
    expect_reason(result, "program", "analysis-timeout")
    expect_untouched(result)
    pid = int(pids.read_text())
    for _ in range(100):
        if not alive(pid):
            return
        time.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    raise Failure("the hanging helper was not killed at its deadline")


def builds_that_wait_are_analysed(bench):
    """While a helper is at work on one build the others wait, which are asked for when the program ends."""
    asked = bench.scratch / "asked"
    slow = script(bench, "slow.sh", f"echo $$ >>'{asked}'\nsleep 2\n")
    same(bench.run_app("variety", "both", wisdom="none", CLSIZER_HELPER=slow, CLSIZER_EFFORT="measure", CLSIZER_ANALYSE_AFTER=0,
                       CLSIZER_NO_AHEAD=1), bench.run_app("variety"), "slow helper")
    end = time.monotonic() + 20
    while len(asked.read_text().split()) < 3:
        expect(time.monotonic() < end, f"{asked.read_text().split()} of 3 builds were asked for")
        time.sleep(0.05)


def alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def driver_flags(bench):
    """Options that the driver takes from its own environment count like the program's."""
    flags = {"POCL_EXTRA_BUILD_FLAGS": "-cl-fast-relaxed-math"}
    bare = bench.run_app(PROGRAM, arguments=ARGUMENTS, **flags)
    cache = bench.analysed_app(PROGRAM, ARGUMENTS, "both", CLSIZER_STRICT="1", **flags)
    result = bench.run_app(PROGRAM, "both", arguments=ARGUMENTS, cache=cache, CLSIZER_STRICT="1", **flags)
    same(result, bare, "driver flags")
    expect_reason(result, "refusal", "relaxed-math")
    expect_untouched(result)


def relaxed_wanted(bench):
    """Relaxed floating point is tuned where the user does not mind the last bits."""
    cache = bench.analysed_app("unseen", way="both")
    for wanted in False, True:
        result = bench.run_app("unseen", "both", cache=cache, wisdom="none", CLSIZER_EFFORT="patient",
                               CLSIZER_ANALYSE_AFTER=0, **({"CLSIZER_RELAXED": 1} if wanted else {}))
        expect(result.status == 0, f"exit status {result.status}: {result.err[-500:]}")
        expect(("relaxed-math" in result.reasons("refusal")) != wanted, f"refused for {result.reasons('refusal')}")
        decided = {e["kernel"] for e in result.of("decision")}
        expect(decided == ({"quotient", "sums"} if wanted else set()), f"{wanted}: decided {decided}")


def never_decided(bench):
    """What a short program leaves open is said at its end."""
    result = faulty_run(bench, "a few launches", ["-n", "64", "-l", "3"], CLSIZER_ANALYSE_AFTER="5000",
                        CLSIZER_EFFORT="measure", CLSIZER_SUMMARY=1)
    expect_reason(result, "observed", "little-time")
    expect_untouched(result)
    expect("1 kernel: 0 retuned, 0 kept, 0 left alone, 1 undecided (run it again; --verbose 2 tells why); " in result.err,
           f"the line at exit: {result.err[-200:]}")


def left_out(bench):
    """Kernels that --kernels leaves out are named, once, and count as left alone."""
    result = faulty_run(bench, "left out", CLSIZER_KERNELS="!conv*", CLSIZER_SUMMARY=1)
    expect(len(result.of("refusal", reason="not-selected")) == 1, f"{result.events}")
    expect("1 kernel: 0 retuned, 0 kept, 1 left alone; " in result.err, f"the line at exit: {result.err[-200:]}")


def several_shapes(bench):
    """The line at exit says so if a kernel was launched in several shapes, which it counts."""
    result = bench.run_app("alias", "both", CLSIZER_SUMMARY=1)
    same(result, bench.run_app("alias"), "several shapes")
    expect("2 kernels, 3 shapes: " in result.err, f"the line at exit: {result.err[-200:]}")


# ---- files ---------------------------------------------------------------------------------------------


def cache_is_a_file(bench):
    path = bench.scratch / "not-a-directory"
    path.write_text("")
    result = faulty_run(bench, "cache is a file", cache=path)
    expect_reason(result, "program", "cache-unwritable", "cache-not-trusted")
    expect_untouched(result)


def cache_is_everybodys(bench):
    cache = analysed_cache(bench)
    cache.chmod(0o777)
    result = faulty_run(bench, "cache is world-writable", cache=cache)
    expect_reason(result, "program", "cache-not-trusted")
    expect_untouched(result)


def cache_is_corrupt(bench):
    cache = analysed_cache(bench)
    for summary in cache.glob("*.sum"):
        text = summary.read_bytes()
        summary.write_bytes(text[:len(text) // 2])
    faulty_run(bench, "summaries cut in half", cache=cache)
    for summary in cache.glob("*.sum"):
        summary.write_bytes(os.urandom(3000))
    faulty_run(bench, "summaries overwritten", cache=cache)


def wisdom_is_corrupt(bench):
    """What cannot be verified is skipped and said; what can is used; what is appended afterwards is readable."""
    cache, wisdom = analysed_cache(bench), bench.scratch / "wisdom.jsonl"
    first = faulty_run(bench, "fresh wisdom", cache=cache, wisdom=wisdom)
    expect(first.of("decision"), "nothing was decided in the first run")
    line = wisdom.read_text().splitlines()[-1]
    with wisdom.open("a") as f:
        f.write("garbage\n\n{}\n" + line.replace("conv2d", "conv2e") + "\n" + "\0" * 100 + "\n")
        f.write(line[:len(line) // 2])
    second = faulty_run(bench, "corrupt wisdom", cache=cache, wisdom=wisdom)
    expect_reason(second, "warning", "wisdom-skipped")
    expect(second.of("decision", source="wisdom"), "the intact record was not used")

    # Another shape of launch is stored behind the half line, and found again.
    other = ["-n", "128", "-l", "150"]
    faulty_run(bench, "storing after a half line", arguments=other, cache=cache, wisdom=wisdom)
    again = faulty_run(bench, "reading after a half line", arguments=other, cache=cache, wisdom=wisdom)
    expect(again.of("decision", source="wisdom"), "the record stored after a half line was lost")


def wisdom_is_a_directory(bench):
    """A file per program.  One of a newer version, or of something else, is named and left as it is."""
    cache, wisdom = analysed_cache(bench), bench.store("wisdom")
    expect(faulty_run(bench, "a new directory", cache=cache, wisdom=wisdom).of("decision"), "nothing was decided")
    (program,) = wisdom.glob("*.jsonl")
    again = faulty_run(bench, "a file per program", cache=cache, wisdom=wisdom)
    expect(again.of("decision", source="wisdom"), "the decision was not used")
    for text in program.read_text().replace(":1}", ":2}", 1), "text of somebody else's\n":
        program.write_text(text)
        result = faulty_run(bench, "not ours", cache=cache, wisdom=wisdom)
        expect_reason(result, "warning", "wisdom-unusable")
        expect(any(str(program) in e["detail"] for e in result.of("warning")), f"not named: {result.of('warning')}")
        expect(not result.of("decision", source="wisdom"), "it was read")
        expect(program.read_text() == text, "it was written")


def wisdom_is_something_else(bench):
    other = bench.scratch / "notes"
    other.write_text("precious\n")
    result = faulty_run(bench, "not wisdom", wisdom=other)
    expect_reason(result, "warning", "wisdom-unusable")
    expect(other.read_text() == "precious\n" and not list(bench.scratch.glob("notes.*")), "something was written")


def bad_device_file(bench):
    path = bench.scratch / "device"
    path.write_bytes(b"units = -1\nwarp = banana\n\xff\xfe")
    result = faulty_run(bench, "bad device file", CLSIZER_DEVICE_FILE=path)
    expect_reason(result, "warning", "bad-device-file")
    result = faulty_run(bench, "no device file", CLSIZER_DEVICE_FILE=bench.scratch / "nowhere")
    expect_reason(result, "warning", "bad-device-file")


def another_device_has_variants(bench):
    """How wide they are is the driver's to say, whatever description the model takes."""
    devices = pathlib.Path(__file__).resolve().parents[2] / "devices"
    result = bench.run_app("gemm", "preload", arguments=["-n", "64", "-l", "40"], CLSIZER_WISDOM="none",
                           CLSIZER_EFFORT="patient", CLSIZER_VARIANTS="wide", CLSIZER_SIZES="gemm=16x16",
                           CLSIZER_DEVICE_FILE=devices / "generic-cpu.dev")
    expect_reason(result, "observed", "variant-used")


def report_unwritable(bench):
    """Nowhere to report to: nothing is said on stdout, the program runs."""
    bare = bare_run(bench)
    for path in (bench.scratch, "/nonexistent/report.jsonl", "/dev/full"):
        result = bench.run([bench.app(PROGRAM), *ARGUMENTS], "both", CLSIZER_REPORT=path)
        same(result, bare, f"report to {path}")


def report_of_others(bench):
    """What is no report is left as it is, which is said once; with "-" the lines are on stderr."""
    bare, notes = bare_run(bench), bench.scratch / "notes"
    for text in "precious", "\n", "{\"schema\"":
        notes.write_text(text)
        result = bench.run([bench.app(PROGRAM), *ARGUMENTS], "both", CLSIZER_REPORT=notes)
        same(result, bare, "report to notes")
        expect(notes.read_text() == text, f"{text!r} was written to")
        expect(result.err.count(f"clsizer: report {notes}: not empty, and not a report") == 1, result.err[-500:])
    result = bench.run([bench.app(PROGRAM), *ARGUMENTS], "both", CLSIZER_REPORT="-")
    same(result, bare, "report to stderr")
    expect('"event":"' in result.err, f"no report on stderr: {result.err[-500:]}")


def asked_in_vain(bench):
    """What the library alone cannot do as asked is said once on stderr."""
    notes = bench.scratch / "notes"
    notes.write_text("precious\n")
    result = faulty_run(bench, "in vain", wisdom=notes, CLSIZER_BUGDET=3, CLSIZER_KERNELS="*,!nosuch*",
                        CLSIZER_SIZES="conv*=8x8,other=4", CLSIZER_RETUNE="conv*,blurr*")
    for said in ("CLSIZER_BUGDET is no variable", f"{notes}:1: is not wisdom", "--kernels !nosuch*: no kernel",
                 "--sizes other=4: no kernel", "--retune blurr*: no kernel"):
        expect(result.err.count(said) == 1, f"{said}: not said once: {result.err[-800:]}")
    expect(result.err.count("clsizer: ") == 5, f"more was said: {result.err[-800:]}")
    expect(notes.read_text() == "precious\n", "the notes were written to")


def many_at_once(bench):
    """Several processes with the same empty stores, as under mpirun: none disturbs another."""
    bare, cache = bare_run(bench), bench.store("cache")
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        runs = [pool.submit(bench.run_app, PROGRAM, "both", arguments=ARGUMENTS, cache=cache) for _ in range(6)]
        results = [run.result() for run in runs]
    bench.wait_for_helper(cache)
    results.append(bench.run_app(PROGRAM, "both", arguments=ARGUMENTS, cache=cache))
    for result in results:
        same(result, bare, "one of many")
        expect(set(result.reasons("program")) <= {"analysed"}, f"analysis failed: {result.of('program')}")
        expect(not result.of("refusal"), f"refused: {result.reasons('refusal')}")
    expect(results[-1].of("decision"), "nothing was decided in the end")


# ---- options -------------------------------------------------------------------------------------------


def bad_values(bench):
    """From the library alone: one warning each on stderr, and the default."""
    result = faulty_run(bench, "bad values", cache=analysed_cache(bench), CLSIZER_EFFORT="bogus",
                        CLSIZER_BUDGET="-3", CLSIZER_DEADLINE="soon")
    for variable in ("CLSIZER_EFFORT", "CLSIZER_BUDGET", "CLSIZER_DEADLINE"):
        lines = [line for line in result.err.splitlines() if variable in line]
        expect(len(lines) == 1, f"{variable}: {len(lines)} warnings, not one: {lines}")
    expect(result.events, "the library did not go on with the defaults")


def silent_alone(bench):
    """The library alone says nothing on stderr unless asked."""
    result = faulty_run(bench, "plain preload")
    said = [line for line in result.err.splitlines() if "clsizer" in line]
    expect(not said, f"said on stderr: {said}")


def switched_off(bench):
    result = faulty_run(bench, "off", cache=analysed_cache(bench), CLSIZER_OFF=1)
    expect(not result.events, "a report although switched off")


def launcher_usage(bench):
    """The launcher refuses what it does not understand with 2, and otherwise returns the program's status."""
    launcher, app = bench.build / "clsizer", [bench.app(PROGRAM), *ARGUMENTS]
    for bad in (["--no-such-option", *app], ["--effort", "bogus", *app], ["--budget=much", *app], []):
        result = bench.run([launcher, *bad])
        expect(result.status == 2, f"clsizer {bad[:2]}: exit status {result.status}, not 2")
        expect(result.err.strip() and not result.out, f"clsizer {bad[:2]}: message belongs on stderr")
    for good in ("--help", "--options", "--version"):
        result = bench.run([launcher, good])
        expect(result.status == 0 and result.out, f"clsizer {good}: status {result.status}")
    same(bench.run([launcher, "--quiet", "--", *app]), bare_run(bench), "launcher")
    expect(bench.run([launcher, "sh", "-c", "exit 7"]).status == 7, "the program's exit status is lost")
    expect(bench.run([launcher, "/nonexistent/program"]).status == 127, "a missing program should give 127")


# ---- the driver ----------------------------------------------------------------------------------------


def spied(bench, name, way, only=None, app=PROGRAM, arguments=ARGUMENTS, **options):
    """Run with the spy layer between clsizer and the driver: (result, what the driver was asked to launch)."""
    log = bench.scratch / f"spy-{name}"
    spy = str(bench.build / "spy_layer.so")
    layers = f"{spy}:{bench.library}" if way == "layer" else spy
    result = bench.run_app(app, way, arguments=arguments, OPENCL_LAYERS=layers, SPY_LOG=log, SPY_ONLY=only,
                           **options)
    return result, log.read_text().splitlines()


def driver_fails_other_sizes(bench):
    """A driver that takes no local size but the program's: every profiling launch fails."""
    cache, bare = analysed_cache(bench), bare_run(bench)
    for way in ("layer", "preload"):
        result, log = spied(bench, "fail-" + way, way, only="1x32", cache=cache, wisdom=bench.store("w") / "wisdom")
        same(result, bare, f"{way}, failing driver")
        failed = [line for line in log if not line.endswith("status=0")]
        expect(failed, f"{way}: no other local size was tried, so nothing was tested")
        chosen = {local_of(e) for e in result.of("decision")}
        expect(chosen <= {"1x32"}, f"{way}: decided on {chosen}, which the driver does not take")


def sizes_asked_for(bench):
    """--sizes: every launch once the kernel is known has that size, in whichever run; what cannot be is refused."""
    bare = bare_run(bench)
    result, log = spied(bench, "asked", "layer", CLSIZER_SIZES="other=2,conv*=16x8,conv2d=1", CLSIZER_WISDOM="none",
                        CLSIZER_VERBOSE=1)
    same(result, bare, "size asked for")
    expect([(e["reason"], e["source"], local_of(e)) for e in result.of("decision")] == [("asked-for", "asked", "16x8")],
           f"{result.of('decision')}")
    sizes = [line.split("local=")[1].split()[0] for line in log]
    expect(set(sizes) == {"16x8"}, f"launched: {set(sizes)}")
    expect("1x32 -> 16x8" in result.err, result.err[-300:])
    for sizes, words in (("conv2d=4096", "larger than the range"), ("conv2d=256x256", "larger than this kernel"),
                         ("conv2d=2x2x2", "dimensions")):
        result, log = spied(bench, "asked-" + words.split()[-1], "layer", CLSIZER_SIZES=sizes, CLSIZER_WISDOM="none")
        same(result, bare, sizes)
        expect([e["reason"] for e in result.of("refusal")] == ["size-not-possible"], f"{result.events}")
        expect(words in result.of("refusal")[0]["detail"], f"{result.of('refusal')}")
        expect(all("local=1x32" in line for line in log), f"{sizes}: {log[:3]}")
    bare = bench.run_app("reduction")
    result = bench.run_app("reduction", "both", CLSIZER_SIZES="*=64", CLSIZER_WISDOM="none")
    same(result, bare, "a kernel whose result depends on its local size")
    expect(not result.of("decision") and result.of("refusal"), f"{result.events}")


def decisions_are_reopened(bench):
    """Work per work-item grows tenfold half way, a scalar changes at every launch: one race, and one more."""
    arguments = ["-n", "16384", "-l", "2000"]
    bare = bench.run_app("phases", arguments=arguments)
    cache = bench.analysed_app("phases", ["-l", "400"], "both", CLSIZER_VARIANTS="sizes")
    result = bench.run_app("phases", "both", arguments=arguments, cache=cache, CLSIZER_WISDOM="none",
                           CLSIZER_VARIANTS="sizes", POCL_AFFINITY=1)  # a variant's launches are too short to be noticed
    same(result, bare, "work that grows")
    expect(result.of("observed", reason="drift"), "the decision was never looked at again")
    expect(len(result.of("decision")) >= 2, f"{len(result.of('decision'))} decisions, not two")
    expect(len(result.of("decision")) <= 4, f"{len(result.of('decision'))} decisions: there is no end to it")


def what_won_nearby_is_measured_first(bench):
    cache, wisdom = analysed_cache(bench), bench.scratch / "wisdom.jsonl"
    first = faulty_run(bench, "one size", arguments=["-n", "512", "-l", "120"], cache=cache, wisdom=wisdom,
                       CLSIZER_VARIANTS="sizes")
    won = [e["decision"]["local"] for e in first.of("decision") if e["decision"]["outcome"] == "won"]
    expect(won, f"nothing won: {first.of('decision')}")
    second = faulty_run(bench, "another size", arguments=["-n", "1024", "-l", "120"], cache=cache, wisdom=wisdom,
                        CLSIZER_VARIANTS="sizes")
    decided = second.of("decision", source="measured")
    expect(decided, "the second size was not measured")
    expect(decided[0]["race"]["lanes"][1]["local"] == won[0],
           f"{decided[0]['race']['lanes'][1]['local']} was measured first, not {won[0]}")


def short_runs_add_up(bench):
    """Programs too short to decide anything leave their account and their race to the next run."""
    cache, wisdom, seen = analysed_cache(bench), bench.scratch / "wisdom.jsonl", []
    for run in range(8):
        faulty_run(bench, f"run {run}", arguments=["-n", "256", "-l", "150"], cache=cache, wisdom=wisdom,
                   CLSIZER_EFFORT="measure", CLSIZER_BUDGET="0", CLSIZER_ANALYSE_AFTER="1")
        records = wisdom_records(wisdom)
        expect(records, f"run {run}: nothing was written")
        if not seen or records[-1]["observed_ns"] != seen[-1]:
            seen.append(records[-1]["observed_ns"])
        if records[-1]["outcome"] != "open" or len(seen) == 4:
            break
    expect(records[-1]["outcome"] != "open" or (len(seen) > 1 and seen == sorted(seen)),
           f"{run + 1} runs: the account does not grow: {seen}, {records[-1]}")
    expect(len({str(r["key"]) for r in records}) == len(records), f"superseded records were kept: {records}")


def nothing_is_measured(bench):
    """With a budget of 0, and with --use-only: no sample, nothing spent but on proofs, and what is not decided says so."""
    cache, arguments = analysed_cache(bench), ["-n", "512", "-l", "600", "--local", "1x1"]
    for way in ({"CLSIZER_EFFORT": "measure", "CLSIZER_BUDGET": 0}, {"CLSIZER_USE_ONLY": 1}):
        result = faulty_run(bench, str(way), arguments=arguments, cache=cache, wisdom="none", CLSIZER_SUMMARY=1, **way)
        expect_reason(result, "observed", "not-measured")
        expect(not any("race" in e for e in result.events), f"{way}: something was measured")
        expect(re.search(r"spent 0\.\d ms", result.err), f"{way}: {result.err[-200:]}")


def decisions_are_used_only(bench):
    """--use-only takes over what was decided, and leaves wisdom as it is; other shapes keep their own size."""
    cache, wisdom = analysed_cache(bench), bench.scratch / "wisdom.jsonl"
    first = faulty_run(bench, "deciding", arguments=LONG, cache=cache, wisdom=wisdom)
    expect(first.of("decision", source="measured"), "nothing was decided")
    text = wisdom.read_text()
    again = faulty_run(bench, "using", arguments=LONG, cache=cache, wisdom=wisdom, CLSIZER_USE_ONLY=1)
    expect(again.of("decision", source="wisdom"), "the decision was not used")
    other = faulty_run(bench, "another shape", arguments=["-n", "640", "-l", "300"], cache=cache, wisdom=wisdom,
                       CLSIZER_USE_ONLY=1)
    expect_untouched(other)
    expect(wisdom.read_text() == text, "wisdom was changed")


def single_launches_add_up(bench):
    """A program with one or two launches in a run has its sizes compared across runs."""
    for launches in ("1", "2"):
        cache, wisdom, records = analysed_cache(bench), bench.scratch / f"wisdom{launches}.jsonl", []
        for run in range(12):
            result = faulty_run(bench, f"{launches} launches, run {run}", arguments=["-n", "1024", "-l", launches],
                                cache=cache, wisdom=wisdom, CLSIZER_EFFORT="measure", CLSIZER_BUDGET="100",
                                CLSIZER_NO_AHEAD="1", CLSIZER_ANALYSE_AFTER="1", CLSIZER_MODE="launches",
                                POCL_WORK_GROUP_SPECIALIZATION="0")  # a compilation would count as a launch's time
            if any(e["source"] == "wisdom" for e in result.of("decision")):
                break
            records += wisdom_records(wisdom)
        few = [r["few"] for r in records if "few" in r]
        measured = [r for r in records if r.get("race") or r["outcome"] == "won"]
        # on a full machine one may be what a run noted when half of it was over
        expect(len(few) >= 2 and [f["launches"] for f in few].count(int(launches)) >= len(few) - 1, f"{launches} launches: {few}")
        expect(max(len(f["own"]) for f in few) >= 2, f"{launches} launches: {few}")
        expect(measured, f"{launches} launches: no other size was measured: {records[-1]}")


def patience_decides_in_one_run(bench):
    """Two launches are enough, whatever mode is proved."""
    for mode in ("auto", "rerun", "sandbox", "swap"):
        result = faulty_run(bench, mode, arguments=["-n", "2048", "-l", "3"], cache=bench.store(mode),
                            CLSIZER_EFFORT="patient", CLSIZER_MODE=mode, CLSIZER_WISDOM="none",
                            CLSIZER_VARIANTS="sizes", CLSIZER_ANALYSE_AFTER="1", CLSIZER_ORCHESTRATION="sync")
        decisions = result.of("decision")
        expect(decisions and decisions[0]["source"] == "measured", f"{mode}: {[e.get('reason') for e in result.events]}")
        expect(decisions[0]["reason"] == "faster", f"{mode}: {decisions[0]['reason']}")


ADDRESSES = '''
import numpy, pyopencl as cl

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
half = 1 << 18
whole = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=numpy.zeros(half // 2, numpy.uint32))
first, second = whole[:half], whole[half:]
source = """
kernel void until(global uint *a, global uint *end, int n)
{
    global uint *p = a + get_global_id(0);
    if (p < end)
        for (int i = 0; i < n; i++)
            *p = *p * 1664525u + 1013904223u;
}
"""
kernel = cl.Kernel(cl.Program(context, source).build(), "until")
kernel.set_args(first, second, numpy.int32(2000))
for _ in range(4):
    cl.enqueue_nd_range_kernel(queue, kernel, (half // 2,), (4,))
    queue.finish()
'''


def copies_have_other_addresses(bench):
    """A kernel that runs up to where another buffer begins: with a copy in its place it would run on."""
    python = "/usr/bin/python3"
    if not pathlib.Path(python).exists() or bench.run([python, "-c", "import pyopencl"]).status:
        raise Skip("no PyOpenCL of the system's")
    result = bench.run([python, "-c", ADDRESSES], "both", timeout=120, CLSIZER_EFFORT="patient", CLSIZER_WISDOM="none",
                       CLSIZER_MODE="swap", CLSIZER_ANALYSE_AFTER="0", PYOPENCL_NO_CACHE=1)
    expect(result.status == 0, result.err[-500:])
    details = [e.get("detail", "") for e in result.of("refusal", reason="mode-not-proved")]
    expect(any("addresses-seen" in d for d in details), f"{result.events}")


def irregular_rows_are_compared_on_the_same_rows(bench):
    """Rows that grow along the range: sizes are measured on one slice, and the choice is one that was measured."""
    arguments = ["-l", "6"]
    bare = bench.run_app("csr", arguments=arguments)
    result = bench.run_app("csr", "both", arguments=arguments, CLSIZER_EFFORT="patient", CLSIZER_WISDOM="none",
                           CLSIZER_ANALYSE_AFTER="1")
    same(result, bare, "csr")
    decisions = result.of("decision", kernel="csr")
    expect(decisions and decisions[0]["mode"] == "rerun", f"{decisions}")
    lanes = {tuple(lane["local"]): lane["samples"] for lane in decisions[0]["race"]["lanes"]}
    expect(len(lanes) > 4 and all(samples for samples in lanes.values()), f"{lanes}")
    chosen = decisions[0]["decision"]["local"]
    expect(tuple(chosen) in lanes, f"{chosen}")


AHEAD = ["-n", "512", "-l", "60"]


def sizes_in(answer):
    """The sizes that an answer lists, before what the job took."""
    return [tuple(map(int, line.split())) for line in answer.splitlines() if line[0].isdigit()]


def ahead_run(bench, cache, pocl, arguments=AHEAD, **options):
    """A short run under the default effort, and what had been compiled ahead by the time that no process is at it."""
    result = faulty_run(bench, "compiled ahead", arguments=arguments, cache=cache,
                        wisdom=bench.scratch / "wisdom.jsonl", CLSIZER_EFFORT="measure", CLSIZER_VERBOSE=3,
                        CLSIZER_VARIANTS="sizes", POCL_CACHE_DIR=pocl, **options)
    end, answers = time.monotonic() + 60, {}
    while result.status == 0 and "to be compiled ahead" in result.err and time.monotonic() < end:
        answers = {f.name: f.read_text() for f in cache.glob("*.ahead")}
        if answers and all(a.endswith("end\n") for a in answers.values()):
            break
        time.sleep(0.05)
    expect(not list(cache.glob("*.ahead.*")), "a job was left behind")
    return result, [size for a in answers.values() for size in sizes_in(a)]


def compiled(pocl, offset=False):
    """Local sizes that PoCL has on disk for launches without an offset, or with one."""
    return {tuple(map(int, d.name.split("-")[:3])) for d in pocl.glob("*/*/*/*-smallgrid")
            if ("-goffs0" in d.name) != offset}


def compiled_ahead(bench):
    """Sizes are compiled by another process, which outlives the program; the next run measures them at once."""
    cache, pocl = analysed_cache(bench, CLSIZER_VARIANTS="sizes"), bench.store("pocl")
    _, sizes = ahead_run(bench, cache, pocl)
    expect(len(sizes) >= 3, f"compiled ahead: {sizes}")
    expect(set(sizes) <= compiled(pocl), f"{set(sizes) - compiled(pocl)} are not in the driver's cache")
    bench.scratch.joinpath("wisdom.jsonl").unlink(missing_ok=True)
    before = compiled(pocl)
    result, _ = ahead_run(bench, cache, pocl)
    expect("to be compiled ahead" not in result.err, "what is compiled was asked for again")
    races = [e["race"] for e in result.events if e.get("race")]
    expect(result.of("decision"), f"nothing was decided with all sizes compiled: {races}")
    expect(compiled(pocl) == before, f"compiled again: {compiled(pocl) - before}")


def summaries_do_not_grow_without_end(bench):
    """What nobody came for in a day goes, and above 256 MiB what was written first.  What is the user's stays."""
    cache = bench.store("large")
    ours = [cache / f"{i:032x}.sum" for i in range(5)]
    users = [cache / name for name in ("model.sum", "0123.sum", "model.bin.gz", "my.request", "check.sum.txt", "0123.src.1")]
    stale = [cache / f"{'0123abcd' * 4}.{kind}.1" for kind in ("ahead", "src", "sum")]
    for file in stale:
        file.touch()
        os.utime(file, (0, 0))
    for age, file in enumerate(users + ours):
        with open(file, "wb") as f:
            f.truncate(60 << 20)
        os.utime(file, (age, age))
    bench.run_app("conv2d", "preload", cache=cache)
    bench.wait_for_helper(cache)
    end = time.monotonic() + 10
    while time.monotonic() < end and ours[1].exists():
        time.sleep(0.02)
    expect([file.exists() for file in ours] == [False, False, True, True, True], f"{[file.exists() for file in ours]}")
    left = [file.name for file in stale if file.exists()]
    expect(not left, f"still there: {left}")
    expect(all(file.exists() for file in users), f"gone: {[file.name for file in users if not file.exists()]}")
    expect(len(list(cache.glob("*.sum"))) == 6, "the new one is gone")


def own_and_another(answer):
    """An answer in which nothing but PROGRAM's own size and one more were compiled."""
    own = "1 32 1"
    another = next(line for line in answer.splitlines() if line != own)
    return f"{own}\n{another}\nend\n"


def measured_whole(bench, what, cache, pocl, arguments):
    """A run in which sizes are tried on whole launches: slices are out of the question."""
    result = faulty_run(bench, what, arguments=arguments, cache=cache, wisdom=bench.scratch / "wisdom.jsonl",
                        CLSIZER_EFFORT="measure", CLSIZER_VARIANTS="sizes", POCL_CACHE_DIR=pocl)
    end = time.monotonic() + 20
    while list(cache.glob("*.ahead.*")) and time.monotonic() < end:  # a process for whole launches is at work
        time.sleep(0.05)
    lanes = [lane for e in result.events for lane in e.get("race", {}).get("lanes", [])]
    expect(any(lane["samples"] for lane in lanes), f"{what}: nothing is measured any more: {lanes}")
    expect(all(e["mode"] != "slices" for e in result.of("decision")), f"{what}: {result.of('decision')}")


def compiled_ahead_in_slices(bench):
    """A program of one long launch: its sizes are compiled for slices of it, too, so that the run after that compares them
    within the launch, and the rest of it profits already."""
    arguments = ["-n", "4096", "-l", "1"]
    cache, pocl = analysed_with(bench, PROGRAM, arguments, CLSIZER_VARIANTS="sizes"), bench.store("pocl")
    ahead_run(bench, cache, pocl, arguments)  # only learns how long the launch takes
    result, sizes = ahead_run(bench, cache, pocl, arguments)
    expect("to be compiled ahead" in result.err, f"nothing was asked for: {result.err[-500:]}")
    for offset in False, True:
        expect(len(sizes) >= 4 and set(sizes) <= compiled(pocl, offset),
               f"offset {offset}: {set(sizes) - compiled(pocl, offset)} of {sizes} are not in the driver's cache")
    before = compiled(pocl, False), compiled(pocl, True)
    answers = {answer: answer.read_text() for answer in cache.glob("*.ahead")}
    undecided = bench.scratch.joinpath("wisdom.jsonl").read_text()
    for what, some in ("whoever was asked has died", lambda text: ""), ("hardly any size was compiled", own_and_another):
        for answer, text in answers.items():
            answer.write_text(some(text))
            os.utime(answer, (0, 0))
        measured_whole(bench, what, cache, pocl, arguments)
        for answer, text in answers.items():
            answer.write_text(text)
        bench.scratch.joinpath("wisdom.jsonl").write_text(undecided)
    for _ in range(3):  # on a busy machine one launch may not be enough
        result, _ = ahead_run(bench, cache, pocl, arguments)
        if result.of("decision"):
            break
    expect([e["mode"] for e in result.of("decision")] == ["slices"], f"decided: {result.of('decision')}")
    expect((compiled(pocl, False), compiled(pocl, True)) == before, "something was compiled in the program")


def compiled_ahead_with_options(bench):
    """A variable of PoCL's adds build options, once: what is compiled is the application's program, not another."""
    options = {"POCL_EXTRA_BUILD_FLAGS": "-DADDED=1"}
    cache, pocl = analysed_cache(bench, CLSIZER_VARIANTS="sizes", **options), bench.store("pocl")
    _, sizes = ahead_run(bench, cache, pocl, **options)
    programs = {d.parent for d in pocl.glob("*/*/program.bc")}
    expect(len(sizes) >= 3, f"compiled ahead: {sizes}")
    expect(len(programs) == 1, f"one program was compiled as {programs}")


def compiled_in_turn(bench):
    """Of the processes that programs leave behind, one works for a directory, and one waits for its turn; what others were
    to do is left to the next run."""
    cache, pocl = analysed_cache(bench, CLSIZER_VARIANTS="sizes"), bench.store("pocl")
    with open(cache / "ahead.lock", "w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX, 1, 1)  # one works
        asked = faulty_run(bench, "one works", arguments=AHEAD, cache=cache, CLSIZER_EFFORT="measure", CLSIZER_VERBOSE=3,
                           CLSIZER_VARIANTS="sizes", POCL_CACHE_DIR=pocl)
        expect("to be compiled ahead" in asked.err, "nothing was asked for")
        end = time.monotonic() + 20
        while time.monotonic() < end and not is_locked(lock, 0):
            time.sleep(0.02)
        expect(is_locked(lock, 0), "nobody waits")
        faulty_run(bench, "one waits", arguments=AHEAD[:3] + ["59"], cache=cache, CLSIZER_EFFORT="measure",
                   CLSIZER_VARIANTS="sizes", POCL_CACHE_DIR=pocl)
        end = time.monotonic() + 20
        while time.monotonic() < end and len(list(cache.glob("*.ahead.*"))) > 1:
            time.sleep(0.02)
        jobs = [job.name for job in cache.glob("*.ahead.*")]
        expect(len(jobs) == 1, f"left are the jobs {jobs}")
    end = time.monotonic() + 60
    while time.monotonic() < end and not any(f.read_text().endswith("end\n") for f in cache.glob("*.ahead")):
        time.sleep(0.05)
    expect(any(f.read_text().endswith("end\n") for f in cache.glob("*.ahead")), "who waited has done nothing")


def is_locked(file, byte):
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
    except OSError:
        return True
    fcntl.lockf(file, fcntl.LOCK_UN, 1, byte)
    return False


def compiled_ahead_in_vain(bench):
    """A driver that keeps nothing: seen by the process itself, and no size is believed to be compiled."""
    cache, pocl = analysed_cache(bench, CLSIZER_VARIANTS="sizes"), bench.store("pocl")
    result, sizes = ahead_run(bench, cache, pocl, POCL_KERNEL_CACHE=0)
    expect("to be compiled ahead" in result.err, "nothing was tried")
    expect(not sizes, f"believed to be compiled: {sizes}")


def not_compiled_ahead(bench):
    """Switched off: as if it were not there."""
    cache, pocl = analysed_cache(bench, CLSIZER_VARIANTS="sizes"), bench.store("pocl")
    result, sizes = ahead_run(bench, cache, pocl, CLSIZER_NO_AHEAD=1)
    expect("compiled ahead" not in result.err and not sizes and not list(cache.glob("*.ahead*")), "it was not off")


def learned_to_start(bench, cache, wisdom, options):
    """Microseconds that new sizes took to start in a short run; None: no new ones, or none is left for the next run.

    Nine launches: three of the program's own size, then one of each new size, for which the usual budget would want
    more launches the faster the machine is."""
    wisdom.unlink(missing_ok=True)
    result = faulty_run(bench, "short", arguments=["-n", "1024", "-l", "9"], cache=cache, wisdom=wisdom,
                        CLSIZER_NO_AHEAD=1, CLSIZER_BUDGET=100, **options)
    return next((e["all_runs"].get("compile_us") for e in result.of("observed")
                 if not all(lane["samples"] for lane in e.get("race", {"lanes": []})["lanes"])), None)


def compiled_once_for_all(bench):
    """A driver that turned out not to compile for each size has nothing compiled ahead any more."""
    cache, wisdom = analysed_cache(bench), bench.scratch / "wisdom.jsonl"
    options = {"CLSIZER_VERBOSE": 3, "CLSIZER_EFFORT": "measure", "POCL_WORK_GROUP_SPECIALIZATION": 0,
               "POCL_CACHE_DIR": bench.store("pocl")}
    learned = [learned_to_start(bench, cache, wisdom, options)]
    while len(learned) < 8 and (learned[-1] is None or learned[-1] >= 1000):  # other programs have the processors
        learned.append(learned_to_start(bench, cache, wisdom, options))
    if learned[-1] is None or learned[-1] >= 1000:
        raise Skip(f"first launches took {learned} us more")
    longer = faulty_run(bench, "longer", arguments=["-n", "1024", "-l", "60"], cache=cache, wisdom=wisdom, **options)
    expect("to be compiled ahead" not in longer.err, "asked for in vain")


def compiled_together(bench):
    """Where there is no budget the sizes are compiled before the first is measured, by several processes at once."""
    if len(os.sched_getaffinity(0)) < 2:
        raise Skip("one core")
    cache, pocl = analysed_cache(bench, CLSIZER_VARIANTS="sizes"), bench.store("pocl")
    for name, effort, off in (("patient", "patient", 0), ("exhaustive", "exhaustive", 0), ("off", "patient", 1)):
        for answer in cache.glob("*.ahead"):
            answer.unlink() if off else answer.write_text("1 1 1\nend\n")
        result = faulty_run(bench, name, arguments=["-n", "512", "-l", "4"], cache=cache, CLSIZER_WISDOM="none",
                            CLSIZER_EFFORT=effort, CLSIZER_VERBOSE=3, CLSIZER_ANALYSE_AFTER=0, POCL_CACHE_DIR=pocl,
                            CLSIZER_NO_AHEAD=off, CLSIZER_VARIANTS="sizes")
        answers = [f.read_text() for f in cache.glob("*.ahead")]
        sizes = {size for a in answers for size in sizes_in(a)}
        if off:
            expect(not answers, f"{name}: {sizes}")
            continue
        expect(answers and all(a.endswith("end\n") for a in answers), f"{name}: not waited for")
        expect(len(sizes) >= 8, f"{name}: {sizes}")
        expect(sizes <= compiled(pocl), f"{name}: {sizes - compiled(pocl)} are not in the driver's cache")
        lanes = {tuple(lane["local"]) for e in result.events if e.get("race") for lane in e["race"]["lanes"]}
        expect(sizes <= lanes, f"{name}: {sizes - lanes} were compiled and not raced")


def images_compiled_ahead(bench):
    """Kernels with images and samplers as arguments.  Where times vary much, a race may end before it is asked for its
    sizes: then once more, with nothing known."""
    pocl, arguments = bench.store("pocl"), ["-n", "256", "-l", "300"]
    bare = bench.run_app("imagefilter", arguments=["-n", "256", "-l", "1"])

    def attempt(n):
        """The sizes that were compiled ahead for up to three runs."""
        cache, answers = bench.store(f"cache-{n}"), []
        for _ in range(3):
            same(bench.run_app("imagefilter", "both", arguments=arguments, cache=cache, POCL_CACHE_DIR=pocl,
                               wisdom=bench.scratch / f"images-{n}.jsonl", CLSIZER_ANALYSE_AFTER=1,
                               CLSIZER_EFFORT="measure"), bare, "images")
            bench.wait_for_helper(cache)
            end = time.monotonic() + 30
            while list(cache.glob("*.ahead.*")) and time.monotonic() < end:
                time.sleep(0.05)
            answers = [f.read_text() for f in cache.glob("*.ahead")]
            if answers:
                break
        end = time.monotonic() + 100
        while answers and not answers[0].endswith("end\n") and time.monotonic() < end:
            time.sleep(0.05)
            answers = [f.read_text() for f in cache.glob("*.ahead")]
        return {size for a in answers for size in sizes_in(a)}
    for n in range(4):
        sizes = attempt(n)
        if sizes:
            break
    expect(len(sizes) >= 3, f"compiled ahead: {sizes}")
    expect(sizes <= compiled(pocl), f"{sizes - compiled(pocl)} are not in the driver's cache")


# What measuring asks the driver for: modes and orchestrations.
MEASURING = [("slices", "sync"), ("slices", "async"), ("rerun", "sync"), ("rerun", "async"), ("sandbox", "sync"),
             ("swap", "sync"), ("launches", "auto")]
CALLS = ["clCreateBuffer", "clCreateKernel", "clCreateKernel/copies", "clSetKernelArg", "clEnqueueCopyBuffer",
         "clEnqueueMarkerWithWaitList", "clGetEventInfo", "clGetEventProfilingInfo", "clRetainEvent",
         "clEnqueueNDRangeKernel"]


def calls_of(path):
    """How often the driver was asked for each call."""
    return {name: int(count) for name, count in (line.split() for line in path.read_text().splitlines())}


def any_call_fails(bench):
    """One call of the profiler's own fails, by turns its first and its last: results and return codes are the program's."""
    cache, counts, tried = analysed_cache(bench), bench.scratch / "counts", 0
    options = dict(arguments=["-n", "512", "-l", "12"], cache=cache, OPENCL_LAYERS=str(bench.build / "spy_layer.so"),
                   SPY_COUNT=counts, SPY_OWN="1x32", POCL_WORK_GROUP_SPECIALIZATION=0)
    bare = bench.run_app(PROGRAM, **options)
    asked = calls_of(counts)
    for turn, (mode, orchestration) in enumerate(MEASURING):
        def run(**fault):
            return bench.run_app(PROGRAM, "preload", CLSIZER_WISDOM="none", CLSIZER_MODE=mode,
                                 CLSIZER_ORCHESTRATION=orchestration, **options, **fault)
        same(run(), bare, f"{mode}, {orchestration}")
        ours = {name: count - asked[name] for name, count in calls_of(counts).items()}
        for name in filter(ours.get, CALLS):
            number = 1 if (turn + CALLS.index(name)) % 2 else ours[name]
            tried += 1
            same(run(SPY_FAIL=f"{name}:{asked[name] + number}"), bare,
                 f"{mode}, {orchestration}, {name} {number} failing")
    expect(tried > 35, f"only {tried} calls failed")


# ---- variants ------------------------------------------------------------------------------------------


def variants_compute_the_same(bench):
    """Kernels called with constants: by force, and where they win; what the program prints is what it prints without."""
    for program in "conv2d", "gemm", "csr", "phases", "steps", "threads", "introspect":
        bare = bench.run_app(program)
        cache, wisdom = analysed_with(bench, program), bench.store("variants")
        result = bench.run_app(program, "both", cache=cache, wisdom=bench.store("w"), CLSIZER_VARIANTS="fixed")
        same(result, bare, f"{program}, fixed")
        expect(result.reasons("observed"), f"{program}: nothing was said of a variant")
        for run in "cold", "warm":
            result = bench.run_app(program, "both", cache=cache, wisdom=wisdom, CLSIZER_VARIANTS="auto")
            same(result, bare, f"{program}, auto, {run}")


def variants_are_launched(bench):
    """... with the program's arguments, as the driver sees them; without the option there are none."""
    cache = analysed_cache(bench)
    for variants, wanted in ("sizes", False), ("fixed", True):
        result, log = spied(bench, variants, "layer", cache=cache, CLSIZER_WISDOM="none", CLSIZER_VARIANTS=variants)
        same(result, bare_run(bench), variants)
        expect(("variant-used" in result.reasons("observed")) == wanted, f"{variants}: {result.reasons('observed')}")
        ours = [line for line in log if line.startswith("conv2d__clsizer ")]
        expect((len(ours) > 50) == wanted and bool(ours) == wanted, f"{variants}: {len(ours)} of {len(log)} launches")


def runs_of(bench, name, arguments, most, **variables):
    """Successive runs of gemm with the same stores, each like a bare one: results and launches."""
    cache, wisdom = bench.store(name), bench.store(name + "-wisdom")
    bare = bench.run_app("gemm", arguments=arguments)
    for run in range(most):
        result, log = spied(bench, f"{name}-{run}", "layer", app="gemm", arguments=arguments, cache=cache, wisdom=wisdom,
                            **variables)
        same(result, bare, f"run {run}")
        bench.wait_for_helper(cache)
        end = time.monotonic() + 100  # what it left to do may take a while beside other tests
        while time.monotonic() < end and not all(f.read_text().endswith("end\n") for f in cache.glob("*.ahead")):
            time.sleep(0.02)
        yield result, log
    raise Failure(f"no variant was decided: {result.events}")


def variants_make_all_launches(bench):
    """... from the first on, in a run that finds in wisdom what to use."""
    for result, log in runs_of(bench, "all", ["-n", "128", "-l", "40"], 8, CLSIZER_EFFORT="patient", CLSIZER_ANALYSE_AFTER=0):
        if any("variant" in e for e in result.of("decision", source="wisdom")):
            expect(len(log) == 40 and all("wide" in line for line in log), f"{len(log)} launches: {log[:3]}")
            return


def variants_of_one_launch(bench):
    """A program whose only launch is long has one in a later run, for that launch: a part of it shows that it is faster."""
    for result, log in runs_of(bench, "one", ["-n", "512", "-l", "1"], 6, CLSIZER_EFFORT="measure"):
        if result.of("decision"):
            expect(["variant" in e for e in result.of("decision")] == [True], f"{result.of('decision')}")
            wide = [line for line in log if "wide" in line]
            expect(log[-1] in wide and len(log) - len(wide) <= 3, f"the launch itself is not the variant's: {log}")
            return


def far_better_variants_come_first(bench):
    """Without a budget the first launch, if it is long, decides; not by sizes where a variant is far better than these can
    be."""
    arguments = ["-n", "384", "-l", "3"]
    bare = bench.run_app("gemm", arguments=arguments)
    result, log = spied(bench, "first", "layer", app="gemm", arguments=arguments, cache=bench.store("first"),
                        wisdom=bench.store("first-wisdom"), CLSIZER_EFFORT="patient", CLSIZER_ANALYSE_AFTER=None)
    same(result, bare, "first run")
    expect([e.get("reason") for e in result.of("decision")] == ["variant-faster"], f"{result.of('decision')}")
    sizes = {line for line in log if "wide" not in line}
    expect(len(sizes) <= 2, f"sizes were tried: {sorted(sizes)}")  # the program's, whole and in parts
    expect("wide" in log[-1], f"the last launch: {log[-1]}")


def variants_are_tried_soon(bench):
    """A process tries one as soon as it would have paid for that, in a program of a few seconds."""
    arguments, cache = ["-n", "512", "-l", "40"], bench.analysed_app("gemm", ["-n", "64", "-l", "1"])
    result = bench.run_app("gemm", "layer", arguments=arguments, cache=cache, CLSIZER_EFFORT="measure", CLSIZER_VERBOSE=3)
    same(result, bench.run_app("gemm", arguments=arguments), "soon")
    said = re.search(r"wide would have saved ([0-9.]+) s by now", result.err)
    expect(said, f"it was not: {result.err[-500:]}")
    expect(0.1 < float(said[1]) < 2, f"it was not soon: {said[0]}")


def variants_that_fail(bench):
    """A variant that does not build, has no kernel, cannot be run on copies: the program's kernel runs, and one reason
    is told."""
    cache = analysed_cache(bench)
    for fault, reason in {"clBuildProgram:2": "variant-not-built", "clCreateKernel:2": "variant-no-kernel"}.items():
        for variants in "fixed", "auto":
            result, log = spied(bench, f"{variants}-{reason}", "layer", cache=cache, CLSIZER_WISDOM="none",
                                CLSIZER_VARIANTS=variants, CLSIZER_NO_AHEAD=1, SPY_FAIL=fault)
            same(result, bare_run(bench), f"{fault}, {variants}")
            expect_reason(result, "observed", reason)
            if variants == "fixed":  # there may be another one in the failed one's place
                expect(not any("clsizer" in line for line in log), f"{fault}: a variant was launched")
    result = faulty_run(bench, "no room for copies", cache=cache, CLSIZER_WISDOM="none", CLSIZER_VARIANTS="fixed",
                        CLSIZER_SANDBOX=0)
    expect_reason(result, "observed", "variant-unverified")


def variants_are_tried_elsewhere(bench):
    """Another process finds out whether the driver can compile and launch a variant, and makes its binary, for which this
    effort waits, while others begin with the first sizes; one that it could not is not built in the program."""
    def run(effort="patient", **options):
        return bench.run_app("gemm", "layer", arguments=["-n", "64", "-l", "2000"], cache=cache, CLSIZER_WISDOM="none",
                             CLSIZER_EFFORT=effort, CLSIZER_VERBOSE=3, **options)

    def has_wide(result):
        return any(e.get("reason") in ("variant-competes", "variant-used", "variant-slower") and
                   e.get("variant", {}).get("name", e.get("detail", "")).startswith("wide") for e in result.of("observed"))

    def tried(cut=()):
        """The answers of trials, which alone say what they took. Those that were cut short are never complete."""
        end = time.monotonic() + 100
        while time.monotonic() < end:
            answers = [f for f in cache.glob("*.ahead") if f not in cut]
            if answers and all(f.read_text().endswith("end\n") for f in answers):
                return [f for f in answers if "\ntook " in f.read_text()]
            time.sleep(0.05)
        raise Failure(f"nothing was tried: {[f.name for f in cache.glob('*.ahead')]}")
    bare = bench.run_app("gemm", arguments=["-n", "64", "-l", "2000"])
    cache = bench.analysed_app("gemm", ["-n", "64", "-l", "1"])
    result = run()
    same(result, bare, "first")
    expect("another process tries wide" in result.err, f"it was not tried: {result.err[-500:]}")
    expect("wide: built from its binary" in result.err and has_wide(result), f"not in the same run: {result.err[-500:]}")
    answers = tried()
    expect(answers, "it could not be launched")
    result = run()
    same(result, bare, "again")
    expect("tries wide" not in result.err, "what was tried is tried again")
    expect(has_wide(result), f"{result.reasons('observed')}")
    texts = {answer: answer.read_text().splitlines(True)[:2] for answer in answers}
    for _ in range(3):  # sizes that are decided on before the variant is looked at may be of those left out
        for answer, lines in texts.items():
            answer.write_text("".join(lines))
        result = run("measure", CLSIZER_BUDGET=100)  # beside others, looking at sizes takes all of the usual one
        same(result, bare, "some sizes")
        if "tries wide" not in result.err:
            break
        tried(texts)
    expect("tries wide" not in result.err and has_wide(result), f"not with some sizes: {result.err[-500:]}")
    for answer in answers:
        answer.write_text("end\n")
    result = run()
    same(result, bare, "refused")
    expect_reason(result, "observed", "variant-not-built")
    expect(not has_wide(result), "a variant that could not be compiled is used")


def variants_are_kept(bench):
    """Later runs make a variant from what the driver made of its text; one that is damaged, or that the driver does not
    take, is as none."""
    def run(**fault):
        result = bench.run_app("gemm", "preload", arguments=arguments, cache=cache, CLSIZER_WISDOM="none",
                               CLSIZER_SIZES="*=wide:1x4", CLSIZER_VERBOSE=3, CLSIZER_ANALYSE_AFTER=0,
                               OPENCL_LAYERS=str(bench.build / "spy_layer.so"), **fault)
        same(result, bare, "a run")
        expect_reason(result, "observed", "variant-used")
        return "wide: built from its binary" in result.err

    def kept(before=None):
        """The file, once there is another one than `before`."""
        end = time.monotonic() + 100
        while time.monotonic() < end:
            for path in cache.glob("*.bin"):
                if path.stat().st_size and path.stat().st_mtime_ns != before:
                    return path
            time.sleep(0.05)
        raise Failure("no binary was kept")

    def text_built(what, **fault):
        """The text is built in place of what is there, and that is replaced."""
        before = kept().stat().st_mtime_ns
        expect(not run(**fault), what)
        kept(before)
        expect(run(), f"{what}: the binary was not replaced")
    arguments = ["-n", "64", "-l", "200"]
    bare, cache = bench.run_app("gemm", arguments=arguments), bench.analysed_app("gemm", ["-n", "64", "-l", "1"])
    expect(run(), "the process that tried it left no binary")
    good = kept().read_bytes()
    expect(run(), "the binary was not used")
    text_built("the driver did not take it", SPY_FAIL="clBuildProgram:2")
    for bad in good[:len(good) // 2], good[:-1] + bytes([good[-1] ^ 1]):
        kept().write_bytes(bad)
        text_built(f"{len(bad)} bytes of {len(good)} were believed")
    kept().write_bytes(b"")
    for _ in range(2):
        expect(not run(), "nothing was believed")
        time.sleep(1)
        expect([path.stat().st_size for path in cache.glob("*.bin")] == [0], "what did not come is asked for again")


def what_is_asked_for_is_tried_elsewhere(bench):
    """A variant that is asked for by name is first compiled by another process, too, for which the program waits; one that
    it could not compile is not built in the program."""
    arguments = ["-n", "64", "-l", "200"]

    def run(**asked):
        return bench.run_app("gemm", "layer", arguments=arguments, cache=cache, CLSIZER_WISDOM="none", CLSIZER_VERBOSE=3,
                             CLSIZER_EFFORT="estimate", CLSIZER_ANALYSE_AFTER=0, **asked)
    bare, cache = bench.run_app("gemm", arguments=arguments), bench.analysed_app("gemm", ["-n", "64", "-l", "1"])
    for asked in ({"CLSIZER_VARIANTS": "wide"}, {"CLSIZER_SIZES": "*=wide:1x4"}):
        result = run(**asked)
        same(result, bare, f"{asked}")
        expect("another process tries wide" in result.err, f"{asked}: it was not tried: {result.err[-500:]}")
        expect_reason(result, "observed", "variant-used")
        for answer in cache.glob("*.ahead"):
            answer.write_text("end\n")
        result = run(**asked)
        same(result, bare, f"{asked}, not compiled")
        expect_reason(result, "observed", "variant-not-built")


def any_call_on_copies_fails(bench):
    """One call that is made for a variant, or to look at a size, fails, by turns the first and the last: results are the
    program's."""
    cache, counts = analysed_cache(bench), bench.scratch / "counts"
    options = dict(arguments=["-n", "256", "-l", "30"], cache=cache, OPENCL_LAYERS=str(bench.build / "spy_layer.so"),
                   SPY_COUNT=counts, SPY_OWN="1x32", CLSIZER_WISDOM="none", CLSIZER_NO_AHEAD=1)
    bare = bench.run_app(PROGRAM, **options)
    asked = calls_of(counts)
    for variants, size in ("fixed", "1x32"), ("sizes", "1x16"):
        def run(**fault):
            return bench.run_app(PROGRAM, "preload", CLSIZER_VARIANTS=variants, CLSIZER_SIZES=f"*={size}", **options,
                                 **fault)
        same(run(), bare, "no fault")
        ours, tried = {name: count - asked[name] for name, count in calls_of(counts).items()}, 0
        for name in [*CALLS, "clBuildProgram", "clEnqueueReadBuffer"]:
            for number in sorted({1, ours[name]}) if ours.get(name) else []:
                tried += 1
                before = 0 if name == "clEnqueueReadBuffer" else asked[name]  # the program reads when all is done
                same(run(SPY_FAIL=f"{name}:{before + number}"), bare, f"{variants}: {name} {number} failing")
        expect(tried >= 10, f"{variants}: only {tried} calls failed")


def whole_beside_other_queues(bench):
    """PoCL 3.1 may end the process if commands of one kernel and size run together, and only some have an offset: with
    several queues no launch is made in parts."""
    bare = bench.run_app("threads")
    result = bench.run_app("threads", "layer", cache=analysed_with(bench, "threads"), CLSIZER_WISDOM="none",
                           CLSIZER_MODE="slices")
    same(result, bare, "two queues")
    expect_reason(result, "observed", "several-queues")
    expect(not result.of("decision"), f"measured in slices: {result.of('decision')}")


def sizes_beside_other_queues(bench):
    """Nor does a kernel of several shapes get other sizes there, if their ranges differ in width: their races end."""
    cache, arguments = analysed_with(bench, "queues"), ["-n", "32768", "-l", "800"]
    for local in [], ["--local", "null"]:
        bare = bench.run_app("queues", arguments=arguments + local)
        result = bench.run_app("queues", "layer", arguments=arguments + local, cache=cache, CLSIZER_WISDOM="none")
        same(result, bare, "eight queues")
        expect(len(result.of("refusal", reason="several-queues")) >= 7, f"no refusals: {result.events}")
        expect(not result.of("observed", reason="race-unfinished"), "a race goes on for which there is no size")
    for _ in range(3):  # on a busy machine a second shape may begin its race before there are other queues
        result = bench.run_app("queues", "layer", arguments=arguments, cache=cache, CLSIZER_WISDOM="none",
                               CLSIZER_EFFORT="patient")
        refused = result.of("refusal", reason="several-queues")
        paid = [e["all_runs"]["spent_us"] for e in refused if e["all_runs"]["spent_us"] > 5000]  # less are proofs
        if len(paid) <= 1:
            break
    expect(len(paid) <= 1, f"sizes were compiled that could not be tried: {paid} us")


def memory_of_others(bench):
    """What the driver says is shared with other interfaces may overlap unseen: left alone, for a named reason."""
    cache = analysed_cache(bench)
    for variable, reason in (("SPY_SHARED", "shared-context"), ("SPY_MEMORY", "svm-argument")):
        _, asked = spied(bench, "bare", "bare")
        result, launched = spied(bench, reason, "layer", cache=cache, **{variable: 1})
        expect_reason(result, "refusal", reason)
        expect(set(launched) == set(asked), f"{reason}: the driver was asked for {set(launched) - set(asked)}")


def dry_run_changes_nothing(bench):
    cache = analysed_cache(bench)
    _, asked = spied(bench, "bare", "bare")
    result, launched = spied(bench, "dry", "layer", cache=cache, CLSIZER_DRY_RUN=1)
    expect(result.of("decision", dry_run=True), "a dry run should report what it would do")
    expect(launched == asked, f"dry run: the driver was asked for {set(launched) - set(asked)}")
    wisdom = bench.store("dry-wisdom") / "wisdom"
    decided, _ = spied(bench, "decided", "layer", cache=cache, wisdom=wisdom, CLSIZER_VARIANTS="sizes")
    expect(decided.of("decision", reason="faster"), "nothing was decided, so nothing is remembered")
    before = wisdom.read_text()
    result, launched = spied(bench, "dry-warm", "layer", cache=cache, wisdom=wisdom, CLSIZER_DRY_RUN=1)
    expect(result.of("decision", dry_run=True, source="wisdom"), "the stored decision was not reported")
    expect(launched == asked, f"dry run, decided before: the driver was asked for {set(launched) - set(asked)}")
    expect(wisdom.read_text() == before, "a dry run wrote wisdom")
    result = bench.run([bench.build / "clsizer", bench.app(PROGRAM), *ARGUMENTS], cache=cache, wisdom=wisdom,
                       CLSIZER_DRY_RUN=1)
    expect("1 kernel: 1 would be retuned, " in result.err, f"the line at exit: {result.err[-200:]}")


def estimates_are_no_measurements(bench):
    """That the model alone would keep the program's size stops no later run from measuring."""
    arguments, wisdom = ["-n", "64", "-l", "400"], bench.store("estimated") / "wisdom"
    bare = bench.run_app("gemm", arguments=arguments)
    cache = bench.analysed_app("gemm", arguments, CLSIZER_VARIANTS="sizes")
    for effort, source in ("estimate", "model"), ("estimate", "wisdom"), ("patient", "measured"):
        result = bench.run_app("gemm", "layer", arguments=arguments, cache=cache, wisdom=wisdom, CLSIZER_EFFORT=effort,
                               CLSIZER_MARGIN=50, CLSIZER_VARIANTS="sizes")
        same(result, bare, effort)
        reasons = {e["reason"] for e in result.of("decision", source=source)}
        expect(reasons and reasons <= {"no-gain", "too-noisy"}, f"{effort}: {result.events}")


def one_launch_is_enough(bench):
    """Without a budget a program that launches once, updates its memory in place and was never seen before is measured
    in that very run."""
    arguments = ["-n", "16777216", "-l", "1"]
    bare = bench.run_app("rmw", arguments=arguments)
    result = bench.run_app("rmw", "layer", arguments=arguments, cache=bench.store("cache"), wisdom="none",
                           CLSIZER_ANALYSE_AFTER=None)
    same(result, bare, "one launch")
    expect(result.of("decision", source="measured"), f"nothing was decided: {result.events}")
    result = bench.run_app("rmw", "layer", arguments=["-n", "1024", "-l", "2"], cache=bench.store("cache"),
                           wisdom="none", CLSIZER_ANALYSE_AFTER=None)
    expect_untouched(result)
    expect(not any(e.get("race") for e in result.events), f"too short to be worth it: {result.events}")


def tuned_launches_are_complete(bench):
    """Whatever was tried and chosen: every launch arrives once and whole."""
    cache = analysed_cache(bench, CLSIZER_VARIANTS="sizes")
    _, asked = spied(bench, "bare", "bare")
    for way in ("layer", "preload"):
        _, launched = spied(bench, "tuned-" + way, way, cache=cache, wisdom=bench.store("w") / "wisdom",
                            CLSIZER_MODE="launches", CLSIZER_VARIANTS="sizes")
        expect(covered(launched) == covered(asked), f"{way}: {covered(launched)} work-items, not {covered(asked)}")
        expect(launched != asked, f"{way}: no other local size was used, so nothing was tested")


def memory_in_every_mode(bench):
    """The host's own memory, maps, native kernels, commands that events alone order, buffers that are NULL, in every
    mode."""
    used = set()  # waiting in vain once, on a busy machine, ends waiting: which modes get to a decision varies
    for app in "hostmemory", "eventorder", "absent":
        arguments = ["-n", "262144", "-l", "60"]
        bare = bench.run_app(app, arguments=arguments)
        expect(bare.status == 0, f"bare: {bare.err[-500:]}")
        cache = bench.analysed_app(app, arguments)
        for mode, orchestration in (("slices", "sync"), ("slices", "async"), ("rerun", "sync"),
                                    ("rerun", "async"), ("sandbox", "sync"), ("swap", "sync")):
            result = bench.run_app(app, "layer", arguments=arguments, cache=cache, wisdom="none", CLSIZER_MODE=mode,
                                   CLSIZER_ORCHESTRATION=orchestration, POCL_WORK_GROUP_SPECIALIZATION=0)
            same(result, bare, f"{app} {mode} {orchestration}")
            used.update(e["mode"] for e in result.of("decision"))
    expect(used - {"none"}, f"nothing was decided in these modes: {used}")


def parts_leave_no_references(bench):
    """A launch in parts is as many references to its queue as a whole one, and has the first part's times."""
    arguments, cache = ["--small", "-l", "20"], bench.store("cache")
    bare = bench.run_app("profqueue", arguments=arguments)
    expect(bare.status == 0, f"bare: {bare.err[-500:]}")
    result = bench.run_app("profqueue", "layer", arguments=arguments, cache=cache, wisdom="none", CLSIZER_SIZES="blend=48")
    same(result, bare, "parts")
    expect(result.of("decision", kernel="blend"), f"{result.reasons('refusal')}")


def covered(log):
    """Work-items in all launches of a log."""
    total = 0
    for line in log:
        x, y = line.split("global=")[1].split()[0].split("x")
        total += int(x) * int(y)
    return total


def no_opencl(bench):
    """A process that uses no OpenCL, and one that launches nothing: no report, no helper, no files."""
    cache = bench.scratch / "untouched"
    for command in (["/bin/true"], ["/bin/sh", "-c", "ls / | head -1"], ["clinfo"]):
        bare = bench.run(command)
        result = bench.run(command, "both", cache=cache)
        same(result, bare, command[0])
        expect(not result.events, f"{command[0]}: {result.events[:1]}")
    expect(not cache.exists() or not list(cache.iterdir()), "files appeared in the cache")


CASES = [every_mode, mode_without_a_size, copies_of_shared_buffers, proofs_are_of_one_launch, driver_flags,
         relaxed_wanted, never_decided, left_out, several_shapes, helper_missing, helper_crashes, helper_exits_139,
         helper_talks_nonsense, helper_hangs, builds_that_wait_are_analysed,
         cache_is_a_file, cache_is_everybodys, cache_is_corrupt, wisdom_is_corrupt, wisdom_is_a_directory,
         wisdom_is_something_else,
         bad_device_file, another_device_has_variants, report_unwritable, report_of_others, asked_in_vain, many_at_once, bad_values, silent_alone,
         switched_off, launcher_usage, driver_fails_other_sizes, any_call_fails, sizes_asked_for,
         decisions_are_reopened, what_won_nearby_is_measured_first, short_runs_add_up, nothing_is_measured,
         decisions_are_used_only, single_launches_add_up,
         patience_decides_in_one_run, copies_have_other_addresses, irregular_rows_are_compared_on_the_same_rows,
         summaries_do_not_grow_without_end,
         compiled_ahead, compiled_ahead_in_slices, compiled_ahead_with_options, compiled_in_turn, compiled_ahead_in_vain,
         compiled_once_for_all, compiled_together, images_compiled_ahead, not_compiled_ahead,
         whole_beside_other_queues, sizes_beside_other_queues, memory_of_others, dry_run_changes_nothing,
         estimates_are_no_measurements, one_launch_is_enough, tuned_launches_are_complete, memory_in_every_mode,
         parts_leave_no_references, variants_compute_the_same, variants_are_launched, variants_make_all_launches,
         variants_of_one_launch, far_better_variants_come_first, variants_are_tried_soon, variants_that_fail,
         variants_are_tried_elsewhere, what_is_asked_for_is_tried_elsewhere, variants_are_kept, any_call_on_copies_fails,
         no_opencl]


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(run_cases(__doc__, CASES))
