#!/usr/bin/env python3
"""Transparency: what a program is told, and what the driver is asked, is the same with and without clsizer.

    transparent.py --build DIR [CASE...]        no CASE: all; --list prints their names

The driver is the stub (tests/stub_icd), which logs every call, unless a case says otherwise.
"""

import itertools
import os
import pathlib
import re
import shutil
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
import harness  # noqa: E402
from harness import SKIPPED, USUAL, Bench, Failure, Skip, expect, local_of, run_cases, same  # noqa: E402

INSIDE = ("preload", "layer", "both")
LAUNCHES = "60"
# For builds with that sanitizer: it is loaded behind us, and threads that are cancelled confuse it.
ASAN_OPTIONS = "verify_asan_link_order=0:detect_leaks=0:use_sigaltstack=0"


class Stub(Bench):
    """A bench whose runs leave the driver's log and objects that were left over."""

    def client(self, name, way="bare", arguments=(), **options):
        log = self.scratch / f"log-{next(self.numbers)}"
        command = [str(self.build / "clients" / name), *map(str, arguments)]
        options = {"ASAN_OPTIONS": ASAN_OPTIONS, **options}
        if name == "feeders":  # whose launches are counted: launches_of()
            options.setdefault("CLSIZER_VARIANTS", "sizes")
        result = self.run(command, way, **{"STUB_LOG": log, "STUB_LEAKS": 1, "CLSIZER_MARGIN": 3, **options})
        result.log = without_looks(log.read_text().splitlines() if log.exists() else [])
        return result

    def analysed(self, name, arguments=(), **options):
        """A cache that knows the client's kernels."""
        cache = self.store("cache")
        self.client(name, "layer", arguments, cache=cache, wisdom="none", **options)
        self.wait_for_helper(cache)
        expect(list(cache.glob("*.sum")), "the helper left no summary")
        return cache


def without_looks(log):
    """The log without launches on copies (docs/measuring.md), of kernels that are made for that: of a program that was
    asked for just before."""
    made = {line.rpartition(" = ")[2].split(",")[0] for before, line in zip(log, log[1:])
            if line.startswith("clCreateKernel(") and before.startswith("clGetKernelInfo(")}
    return [line for line in log if not (line.startswith("clEnqueueNDRangeKernel(") and line.split(", ")[1] in made)]


# ---- logs ----------------------------------------------------------------------------------------------

# Differences that are documented (docs/transparency.md, "How it is shown"), in a program whose decisions are made:
#   queues are created with CL_QUEUE_PROFILING_ENABLE (0x2), and its property list says so,
#   the driver is asked for facts (clGet*), whenever; what the program is told is in its stdout,
#   once per device, how the driver answers questions for event times on a queue without them,
#   one decided launch in 64 is given an event, which is looked at and let go of.
QUEUE_MADE = re.compile(r"^(clCreateCommandQueue(?:WithProperties)?\(.*, )0x([0-9a-f]+)(\) = .*)$")
QUESTION = ["clCreateCommandQueue(context#1, device#1, 0x0)", "clEnqueueMarkerWithWaitList", "clFlush",
            "clReleaseEvent", "clReleaseCommandQueue"]


def without_queries(log):
    return [line for line in log if not line.startswith("clGet")]


def without_profiling(line):
    made = QUEUE_MADE.match(line)
    return f"{made[1]}0x{int(made[2], 16) & ~2:x}{made[3]}" if made else line


def without_question(log):
    """Drop the one question for event times; it is a queue that no line outside of it names."""
    for i in range(len(log) - len(QUESTION) + 1):
        made = log[i].rpartition(" = ")[2].split(",")[0]
        window = log[i:i + len(QUESTION)]
        if all(line.startswith(start) for line, start in zip(window, QUESTION)) and \
                all(made + other in window[n] for n, other in ((1, ","), (2, ")"), (4, "!"))):
            return log[:i] + log[i + len(QUESTION):]
    return log


def without_samples(log, bare):
    """Both logs and how many samples: launches that only clsizer gave an event as the program made them, and no event
    let go of: ours is, once more, and the program's own, where it has one, somewhat later (STUB_LEAKS sees to both)."""
    launches, own = ([m for m in map(LAUNCH.match, lines) if m] for lines in (log, bare))
    timed = {m[0]: m[7] for m, b in zip(launches, own) if m[7] != "NULL" and b[7] == "NULL"}
    more = sum(line.startswith("clReleaseEvent") for line in log) - \
        sum(line.startswith("clReleaseEvent") for line in bare)
    expect(more == len(timed), f"{len(timed)} events of ours, {more} releases")
    log = [line.replace(timed[line], "NULL") if line in timed else line for line in log]
    return *([line for line in lines if not line.startswith("clReleaseEvent")] for lines in (log, bare)), len(timed)


def renumbered(log):
    """Objects numbered in the order of their appearance."""
    names = {}

    def rename(match):
        kind = match[1]
        return names.setdefault(match[0], f"{kind}#{sum(n.startswith(kind) for n in names) + 1}")

    return [re.sub(r"\b([a-z]+)#\d+", rename, line) for line in log]


def commands(log):
    """The log without the documented differences."""
    return renumbered(without_question([without_profiling(line) for line in without_queries(log)]))


def expect_equal_logs(got, want, what):
    for number, (a, b) in enumerate(zip(got, want), 1):
        expect(a == b, f"{what}: line {number} of the driver's log is\n  {a}\nnot\n  {b}")
    expect(len(got) == len(want), f"{what}: the driver's log has {len(got)} lines, not {len(want)}: "
                                  f"{(got[len(want):] or want[len(got):])[:5]}")


def expect_same_run(result, bare, what):
    got, want = (run.out.decode(errors="replace").splitlines() for run in (result, bare))
    for number, (a, b) in enumerate(zip(got, want), 1):
        expect(a == b, f"{what}: line {number} of the output is\n  {a}\nbare:\n  {b}")
    same(result, bare, what)
    left = [line for line in result.err.splitlines() if line.startswith("stub:")]
    expect(not left, f"{what}: {left}")


LAUNCH = re.compile(r"^clEnqueueNDRangeKernel\((queue#\d+), (kernel#\d+), 1, (\S+), (\S+), (\S+), (.*), "
                    r"(NULL|event#\d+)\) = 0$")

LOCAL = re.compile(r"^clEnqueueNDRangeKernel\(\S+ \S+ \d, (?:\d:NULL|\[[^]]*\]), \[[^]]*\], \[([^]]*)\], ")


def launch_range(match):
    """(first work-item, one behind the last) of a logged launch."""
    offset = 0 if "NULL" in match[3] else int(match[3].strip("[]"))
    return offset, offset + int(match[4].strip("[]"))


def sections(log):
    """The log cut at the client's markers: one list per launch; the first is what comes before."""
    parts = [[]]
    for line in log:
        if line.startswith("clUnloadPlatformCompiler"):
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def covered_once(lines):
    """The range that the launches among these lines cover, or None if they overlap or leave holes."""
    ranges = sorted(launch_range(m) for m in map(LAUNCH.match, lines) if m)
    if not ranges or any(a[1] != b[0] for a, b in zip(ranges, ranges[1:])):
        return None
    return ranges[0][0], ranges[-1][1]


# ---- cases: what the driver is asked -------------------------------------------------------------------


def log_off(stub):
    """Switched off: the driver's log is the bare one, to the letter."""
    bare = stub.client("script")
    expect(bare.status == 0 and len(bare.log) > 200, f"bare: {bare.err[-500:]}")
    for way in INSIDE:
        result = stub.client("script", way, CLSIZER_OFF=1)
        expect_same_run(result, bare, way)
        expect_equal_logs(result.log, bare.log, way)


def log_nothing_known(stub):
    """Kernels that are left alone: nothing but the documented differences."""
    bare = stub.client("script")
    for way in INSIDE:
        result = stub.client("script", way, CLSIZER_KERNELS="none-of-them")
        expect_same_run(result, bare, way)
        expect_equal_logs(commands(result.log), commands(bare.log), way)


def decided(stub, cost):
    """Stores with everything decided: (cache, wisdom, decision)."""
    cache, wisdom = stub.analysed("script", [LAUNCHES], STUB_COST=cost), stub.store("decided") / "wisdom"
    result = stub.client("script", "layer", [600], cache=cache, wisdom=wisdom, STUB_COST=cost)
    decisions = result.of("decision", kernel="twice", source="measured")
    expect(decisions, f"nothing was decided; refusals: {result.reasons('refusal')}")
    return cache, wisdom, decisions[0]


def log_kept(stub):
    """Decided, and the program's own size is the best: nothing but the documented differences; in the runs to follow, which
    have no event times, nothing but questions."""
    cache, wisdom, decision = decided(stub, "flat")
    expect(decision["reason"] == "no-gain", f"decided {decision['reason']} where all sizes cost the same")
    launches = 200
    bare = stub.client("script", arguments=[launches])
    for way in INSIDE:
        (cache / "settled").unlink(missing_ok=True)  # or queues have no event times
        result = stub.client("script", way, [launches], cache=cache, wisdom=wisdom, CLSIZER_BUDGET=0,
                             CLSIZER_EFFORT="measure", CLSIZER_ANALYSE_AFTER=1000000)
        expect_same_run(result, bare, way)
        expect(result.of("decision", source="wisdom"), f"{way}: the stored decision was not used")
        log, own, samples = without_samples(without_question(without_queries(result.log)), bare.log)
        expect(0 < samples <= launches // 64, f"{way}: {samples} launches of {launches} were timed")
        expect_equal_logs(commands(log), commands(own), way)
        queries = [line for part in sections(result.log)[2:launches] for line in part if "clGetMem" in line]
        expect(not queries, f"{way}: a decided launch asks {queries[:1]}")
        result = stub.client("script", way, [launches], cache=cache, wisdom=wisdom, CLSIZER_BUDGET=0,
                             CLSIZER_EFFORT="measure", CLSIZER_ANALYSE_AFTER=1000000)
        expect_same_run(result, bare, f"{way}, without event times")
        expect_equal_logs(without_queries(result.log), without_queries(bare.log), f"{way}, without event times")


def without_names(line):
    return re.sub(r"#\d+", "", line)


def log_tuned(stub):
    """Decided on another size: the difference is the local size of the decided kernel's launches, and no other."""
    cache, wisdom, decision = decided(stub, "local")
    expect(decision["reason"] == "faster", f"decided {decision['reason']} where larger groups cost less")
    chosen = int(local_of(decision))
    expect(chosen != 64, "the program's own size won")
    bare = stub.client("script", arguments=[LAUNCHES], STUB_COST="local")
    for way in INSIDE:
        result = stub.client("script", way, [LAUNCHES], cache=cache, wisdom=wisdom, STUB_COST="local")
        expect_same_run(result, bare, way)
        expect(result.of("decision", source="wisdom"), f"{way}: the stored decision was not used")
        retuned = 0
        got, own = (sections(without_question(without_queries(run.log)))[1:int(LAUNCHES)] for run in (result, bare))
        for number, (a, b) in enumerate(zip(got, own), 1):
            a, b = [without_names(line) for line in a], [without_names(line) for line in b]
            expect(a == [line.replace("[64]", f"[{chosen}]") if "NDRange" in line else line for line in b],
                   f"{way}: launch {number} is {a}; bare: {b}")
            retuned += 1
        expect(retuned > 50, f"{way}: {retuned} launches were looked at")


def log_racing(stub):
    """While candidates are measured every launch reaches the driver once and whole, and nothing is left behind."""
    cache = stub.analysed("script", [LAUNCHES], STUB_COST="local")
    bare = stub.client("script", arguments=[400], STUB_COST="local")
    asked = [covered_once(part) for part in sections(bare.log)]
    for mode in "slices", "rerun", "launches":
        for lazy in None, 1:  # variants make launches of their own, on copies: variants_leave_nothing()
            result = stub.client("script", "layer", [400], cache=cache, wisdom="none", STUB_COST="local",
                                 CLSIZER_VARIANTS="sizes", CLSIZER_MODE=mode, STUB_LAZY=lazy, CLSIZER_WAIT=50)
            expect_same_run(result, stub.client("script", arguments=[400], STUB_COST="local", STUB_LAZY=lazy), mode)
            parts = sections(result.log)
            for number in range(1, 401):
                lines = parts[number]
                if mode == "rerun":
                    whole = {i for m in map(LAUNCH.match, lines) if m for i in (launch_range(m),)}
                    ends = min(a for a, _ in whole), max(b for _, b in whole)
                    expect(ends == asked[number], f"{mode}: launch {number} covers {ends}")
                else:
                    expect(covered_once(lines) == asked[number], f"{mode}: launch {number} is {lines}")
            if not lazy:
                expect(result.of("decision", kernel="twice", mode=mode), f"{mode}: nothing was decided")


def variants_leave_nothing(stub):
    """With kernels of ours the program is told the same, and no object is left; where its context's references are
    counted, none of ours is."""
    cache = stub.analysed("script", [LAUNCHES], STUB_COST="local")
    bare = stub.client("script", arguments=[400], STUB_COST="local")
    for way in INSIDE:
        for variants, wanted in ("fixed", {"variant-used"}), ("auto", {"variant-competes", "variant-slower"}):
            result = stub.client("script", way, [400], cache=cache, wisdom="none", STUB_COST="local",
                                 CLSIZER_VARIANTS=variants)
            expect_same_run(result, bare, f"{way}, {variants}")
            expect(wanted & set(result.reasons("observed")), f"{way}, {variants}: {result.reasons('observed')}")
            builds = sum(line.startswith("clBuildProgram(") for line in result.log)
            expect(builds > sum(line.startswith("clBuildProgram(") for line in bare.log), f"{builds} programs were built")


def released_at_the_end(stub):
    """A program that lets go of its objects in an exit handler, behind ours: none of ours keeps its context."""
    cache = stub.analysed("script", [LAUNCHES], STUB_COST="local")
    bare = stub.client("farewell", STUB_LEAKS=None)
    expect(bare.status == 0 and b"at the end: " in bare.out, f"bare: {bare.status}, {bare.err[-200:]}")
    for way in INSIDE:
        result = stub.client("farewell", way, cache=cache, wisdom="none", CLSIZER_VARIANTS="fixed", STUB_LEAKS=None)
        expect_same_run(result, bare, way)
        expect("variant-used" in result.reasons("observed"), f"{way}: {result.reasons('observed')}")


def initial_choice(stub):
    """Behind samples that nobody waits for the rest has the size that the model trusts, if one of them has it."""
    cache, log = stub.analysed_app("conv2d", ["-l", "5"]), stub.scratch / "launches"
    for own, trusted in ("1x32", True), ("1024x1", False):
        log.unlink(missing_ok=True)
        stub.run_app("conv2d", "layer", ["--local", own, "-l", "1"], cache=cache, wisdom="none",
                     STUB_LAZY=1, STUB_LOG=log, CLSIZER_MODE="slices", CLSIZER_ORCHESTRATION="async",
                     CLSIZER_EFFORT="patient", CLSIZER_ANALYSE_AFTER=0)
        sizes = [m[1].replace(" ", "x") for m in map(LOCAL.match, log.read_text().splitlines()) if m]
        expect(len(set(sizes)) > 1, f"{own}: no other size was measured: {sizes}")
        expect((sizes[-1] in sizes[:-1] and sizes[-1] != own) if trusted else sizes[-1] == own, f"{own}: {sizes}")


def seen_when_waited_for(stub):
    """A program that enqueues everything before it waits, once, and leaves: all its launches count as seen to run."""
    result = stub.run_app("steps", "layer", ["-n", "100000", "-l", "100"], STUB_LAZY=1, CLSIZER_EFFORT="measure",
                          CLSIZER_ANALYSE_AFTER=60000)
    seen, = (e["all_runs"]["observed_us"] for e in result.of("observed", reason="little-time"))
    expect(80000 < seen < 120000, f"100 launches of 1000 us took {seen} us")


def paced_while_new(stub):
    """A program that enqueues all its launches before it waits does not get far ahead of the device while its kernel is
    unknown, so that the launches to come can be tuned; not where the user forbids it."""
    log = stub.scratch / "burst"
    for orchestration, paced in ("auto", True), ("async", False):
        log.unlink(missing_ok=True)
        result = stub.run_app("steps", "layer", ["-n", "100000", "-l", "600"], cache=stub.store("cache"), wisdom="none",
                              STUB_LAZY=1, STUB_LOG=log, CLSIZER_ANALYSE_AFTER=60000,
                              CLSIZER_ORCHESTRATION=orchestration)
        calls = re.findall("clEnqueueNDRangeKernel|clFlush", log.read_text())
        bursts = [len(list(run)) for call, run in itertools.groupby(calls) if call == "clEnqueueNDRangeKernel"]
        expect(sum(bursts) == 600, f"{orchestration}: {bursts} launches")
        expect(max(bursts) < 150 if paced else len(bursts) == 1, f"{orchestration}: {bursts} launches of 1 ms at once")
        held, = (e.get("held_us", 0) for e in result.of("observed", reason="little-time"))
        expect((held > 0) == paced, f"{orchestration}: held up for {held} us")


def paced_while_racing(stub):
    """Such a program waits for samples, so that a run has more than one of them; not where the user forbids it."""
    cache = stub.analysed_app("steps", ["-n", "100000", "-l", "5"])
    for orchestration, wanted in ("auto", 1), ("async", 0):
        result = stub.run_app("steps", "layer", ["-n", "100000", "-l", "600"], cache=cache, wisdom="none", STUB_LAZY=1,
                              STUB_COST="local", CLSIZER_MODE="launches", CLSIZER_ORCHESTRATION=orchestration)
        decisions = len(result.of("decision", kernel="diffuse"))
        expect(decisions == wanted, f"{orchestration}: {decisions} decisions, {result.events}")


def short_launches(stub):
    """Of many short launches only some are looked at, and yet they are decided within a run."""
    cache = stub.analysed_app("steps", ["-n", "1000", "-l", "2000"])
    result = stub.run_app("steps", "layer", ["-n", "1000", "-l", "8000"], cache=cache, wisdom="none", STUB_COST="flat",
                          CLSIZER_EFFORT="measure", CLSIZER_MODE="launches", CLSIZER_ANALYSE_AFTER=5)
    expect(len(result.of("decision", kernel="diffuse")) == 1, f"{result.events}")


def saved_while_racing(stub):
    """A run that ends amid its comparison: what it says of the shape, and of the size that it uses already; what faster
    samples saved counts, on balance."""
    cache = stub.analysed_app("steps", ["-n", "100000", "-l", "5"])
    result = stub.run_app("steps", "layer", ["-n", "100000", "-l", "14"], cache=cache, wisdom="none", CLSIZER_SUMMARY=1,
                          STUB_COST="local", CLSIZER_MODE="launches", CLSIZER_VARIANTS="sizes", CLSIZER_VERBOSE=2,
                          CLSIZER_ORCHESTRATION="async")  # looks take real time, more than 14 launches save
    unfinished, = result.of("observed", reason="race-unfinished")
    saved = unfinished["all_runs"]["saved_us"] / 1000
    expect(saved > 1 and not unfinished["all_runs"]["spent_us"], f"nothing was saved: {unfinished['all_runs']}")
    told, = result.of("launches", kernel="diffuse")
    in_use = "x".join(map(str, told["now"]["local"][:1]))
    expect(f"0 left alone, 1 undecided, 1 of them faster already: {in_use}, {told['own_us'] / told['now_us']:.2f} times as fast; "
           f"saved {saved:.1f} ms, spent 0.0 ms" in result.err, f"the line at exit: {result.err[-300:]}")
    again = stub.run_app("steps", "layer", ["-n", "100000", "-l", "14"], cache=cache, wisdom="none", CLSIZER_SUMMARY=1,
                         STUB_COST="local", CLSIZER_MODE="launches", CLSIZER_VARIANTS="sizes", CLSIZER_ORCHESTRATION="async")
    expect(re.search(r"times as fast \(--verbose 2 tells why\); saved", again.err), f"nothing is remembered: {again.err[-300:]}")
    again = stub.run_app("steps", "layer", ["-n", "100000", "-l", "14"], cache=cache, wisdom=stub.store("wisdom"), CLSIZER_SUMMARY=1,
                         STUB_COST="local", CLSIZER_MODE="launches", CLSIZER_VARIANTS="sizes", CLSIZER_ORCHESTRATION="async")
    expect(re.search(r"times as fast \(run it again, about \d+ times; --verbose 2 tells why\); saved", again.err), f"{again.err[-300:]}")
    expect(told["state"] == "racing" and told["now_us"] < told["own_us"], f"{told}")
    expect(f"; {in_use} is used meanwhile, {told['own_us'] / told['now_us']:.2f} times as fast" in unfinished["detail"],
           f"{unfinished['detail']}, {told}")
    expect("observed: diffuse (100000) 4; race-unfinished; " in result.err, f"the words: {result.err[-600:]}")
    expect(not result.of("refusal"), f"the mode was refused: {result.of('refusal')}")


def not_paced_behind_the_host(stub):
    """Launches behind a native kernel, which may wait for what the program does later, are not held up."""
    with Stub(stub.build, USUAL) as pocl:
        if not pocl.available():
            return "PoCL is not installed"
        arguments = ["4096,0", "4,0", 40, 0, "nm"]
        pocl.client("drive", arguments=arguments)  # the driver's compilations
        for way in ("bare", *INSIDE):
            result = pocl.client("drive", way, arguments, wisdom="none", CLSIZER_ANALYSE_AFTER=60000)
            expect(b"in time" in result.out and result.status == 0, f"{way}: {result.out} {result.err[-300:]}")
    return None


def done_before_the_driver(stub):
    """At exit clsizer is done before the driver's exit handlers: what these take away, a thread of the driver's that
    still compiles would miss if there were time."""
    for way in INSIDE:
        result = stub.run_app("steps", way, ["-n", "1000", "-l", "5"], STUB_EXIT=1, CLSIZER_SUMMARY=1)
        said = re.findall("^(clsizer|stub):", result.err, re.M)
        expect(said == ["clsizer", "stub"], f"{way}: {result.err}")


def launches_of(log, items):
    """The launches in a log of clsizer's parts: lists of local sizes; what else came into the queue: None.

    Fails where something came in the middle of a launch.
    """
    launches, parts, covered = [], [], 0
    for line in log:
        part = LAUNCH.match(line)
        if part:
            first, end = launch_range(part)
            parts.append(part[5])
            covered += end - first
            expect(covered <= items, f"launch {len(launches)} is more than the program's: {line}")
        elif line.startswith("clEnqueueFillBuffer") and ", 0, 64, " in line:  # not clsizer's, of its copies
            expect(not parts, f"a command of another thread is in the middle of launch {len(launches)}: {parts}")
            launches.append(None)
        if parts and covered == items:
            launches.append(parts)
            parts, covered = [], 0
    expect(not parts, f"the last launch is not complete: {parts}")
    return launches


def in_parts(launches):
    return sum(launch is not None and len(launch) > 1 for launch in launches)


def expect_whole_from_then_on(result, launches, reason, what):
    """Parts before the first command of another thread, none afterwards, and the report says why."""
    expect("ThreadSanitizer" not in result.err, f"{what}: {result.err[:3000]}")
    first = launches.index(None)
    expect(in_parts(launches[:first]), f"{what}: nothing was launched in parts, so little was tested")
    expect(not in_parts(launches[first:]), f"{what}: parts in a queue that two threads feed")
    expect(result.of("observed", reason=reason) or result.of("decision"),
           f"{what}: reasons {result.reasons('observed')}, not {reason}")


def feeders_slices(stub):
    """A second thread comes while candidates are measured on parts: none of its commands is amidst a launch."""
    items = 65536
    cache = stub.analysed("script", [LAUNCHES])
    for orchestration in "sync", "async":
        for first in 2, 4, 6:
            what = f"{orchestration}, {first}"
            result = stub.client("feeders", "layer", [items, 40, first], cache=cache, wisdom="none", STUB_COST="local",
                                 CLSIZER_MODE="slices", CLSIZER_ORCHESTRATION=orchestration, STUB_PAUSE=300)
            expect(result.status == 0, f"{what}: {result.status} {result.err[-300:]}")
            expect_whole_from_then_on(result, launches_of(result.log, items), "shared-queue", what)


def followers(stub):
    """A thread that comes after the one that made the queue does not wait in its place."""
    cache = stub.analysed("script", [LAUNCHES])
    for first, waits in (0, True), (-1, False):
        result = stub.client("feeders", "layer", [65536, 40, first], cache=cache, wisdom="none", STUB_COST="local",
                             CLSIZER_MODE="slices", CLSIZER_ORCHESTRATION="sync")
        expect(result.status == 0, f"{first}: {result.status} {result.err[-300:]}")
        expect((in_parts(launches_of(result.log, 65536)) > 0) == waits, f"{first}: waits: {not waits}")


def prime_decided(stub):
    """(items, cache, wisdom): a launch whose decided size does not divide it."""
    items, cache, wisdom = 65521, stub.analysed("script", [LAUNCHES]), stub.store("prime") / "wisdom"
    result = stub.client("feeders", "layer", [items, 300], cache=cache, wisdom=wisdom, STUB_COST="local")
    decisions = result.of("decision", kernel="twice", source="measured")
    expect(decisions and decisions[0]["reason"] == "faster", f"decisions: {decisions}")
    expect(in_parts(launches_of(result.log, items)) > 50, "no launch of the decided size has a tail")
    return items, cache, wisdom


def feeders_tails(stub):
    """The same where the decided size leaves a tail; a program of two threads from the start is tuned without."""
    items, cache, wisdom = prime_decided(stub)
    for first in 2, 5, 20:
        result = stub.client("feeders", "layer", [items, 40, first], cache=cache, wisdom=wisdom, STUB_PAUSE=300)
        expect(result.status == 0, f"{first}: {result.status} {result.err[-300:]}")
        expect_whole_from_then_on(result, launches_of(result.log, items), "shared-queue", str(first))
    for size in items, 65536:
        result = stub.client("feeders", "layer", [size, 300, 1], cache=cache, wisdom="none", STUB_COST="local")
        launches = launches_of(result.log, size)
        expect(None in launches and not in_parts(launches[launches.index(None):]), f"{size}: parts")
        if size == 65536:
            expect(result.of("decision", kernel="twice"), f"nothing was decided: {result.reasons('observed')}")
        else:  # no size divides it but 1, if that could be afforded
            expect(result.of("refusal", reason="shared-queue") or
                   {"no-gain", "too-noisy"}.issuperset(result.reasons("decision")) and result.of("decision"),
                   f"refused: {result.reasons('refusal')}; decided: {result.reasons('decision')}")


def unseen_commands(stub):
    """A program that has functions of extensions which nobody sees it call: its launches stay whole."""
    items, cache, wisdom = prime_decided(stub)
    for function, whole in {"clEnqueueNothingSTUB": True, "clEnqueueNoSuchCall": False, "stubSetHook": False,
                            "clEnqueueTask": False}.items():
        bare = stub.client("feeders", arguments=[items, 40, 0, 0, function])
        result = stub.client("feeders", "layer", [items, 40, 0, 0, function], cache=cache, wisdom=wisdom)
        expect_same_run(result, bare, function)
        expect((in_parts(launches_of(result.log, items)) == 0) == whole, f"{function}: {result.log[-20:]}")
        reasons = result.reasons("observed")
        expect(("unseen-commands" in reasons) == whole, f"{function}: reasons {reasons}")


def long_wait_lists(stub):
    """Wait lists of any length reach the driver as they are; very long ones keep launches whole."""
    items, cache, wisdom = prime_decided(stub)
    for length in 1, 55, 56, 64, 1000:
        listed = "[" + " ".join(["event#1"] * length)  # later parts may wait for earlier ones, too
        for size, mode, store in (items, None, wisdom), (items, None, "none"), (65536, "slices", "none"):
            what = f"{length} events, {size} items, {mode}"
            bare = stub.client("feeders", arguments=[size, 100, 0, length], STUB_COST="local")
            result = stub.client("feeders", "layer", [size, 100, 0, length], cache=cache, wisdom=store,
                                 STUB_COST="local", CLSIZER_MODE=mode)
            expect_same_run(result, bare, what)
            launches = launches_of(result.log, size)
            expect(len(launches) == 100, f"{what}: {len(launches)} launches")
            expect(bool(in_parts(launches)) == (length <= 55), f"{what}: {in_parts(launches)} launches in parts")
            whole = result.of("observed", reason="long-wait-list")
            expect(bool(whole) == (length > 55), f"{what}: reasons {result.reasons('observed')}")
            for line in filter(LAUNCH.match, result.log):
                expect(listed in line, f"{what}: {line[:300]}")


# ---- cases: what the program is told -------------------------------------------------------------------

SHIM = pathlib.Path(__file__).resolve().parent.parent.parent / "shim" / "calls"


def told_the_same(bench, arguments, cache):
    """The table of errors, by every way in; in its second half decisions are made."""
    wisdom = bench.store("wisdom") / "wisdom"
    bare = bench.client("errors", arguments=arguments)
    expect(bare.status == 0, f"bare: {bare.status}, {bare.err[-500:]}")
    for way in INSIDE:
        for _ in range(3):  # it may be out of luck on a busy machine
            result = bench.client("errors", way, arguments, cache=cache, wisdom=wisdom)
            expect_same_run(result, bare, way)
            if result.of("decision", kernel="twice"):
                break
        else:
            raise Failure(f"{way}: nothing was decided, so little was tested")
    result = bench.run([bench.build / "clsizer", "--quiet", bench.build / "clients" / "errors", *arguments],
                       cache=cache, wisdom=wisdom, ASAN_OPTIONS=ASAN_OPTIONS)
    expect_same_run(result, bare, "launcher")
    expect_same_run(bench.client("errors", "both", arguments, CLSIZER_OFF=1), bare, "off")
    return bare


def errors_stub(stub):
    """Every invalid argument: the driver's own code, and output parameters touched alike."""
    bare = told_the_same(stub, ["--bold"], stub.analysed("script", [LAUNCHES]))
    rows = {line.split(b":")[0].decode() for line in bare.out.splitlines()}
    intercepted = {name for file in ("intercepted.def", "commands.def")
                   for name in re.findall(r"^(?:(?:CALL|MADE|(?:[A-Z]+_)?COMMAND)\([^,]+, |NOTED(?:_FIRST)?\()(cl\w+)", (SHIM / file).read_text(), re.M)}
    intercepted |= set(re.findall(r"^    X\((cl\w+),", (SHIM / "extension.c").read_text(), re.M))
    expect(intercepted <= rows, f"errors.c says nothing about {sorted(intercepted - rows)}")


def errors_untimed(stub):
    """The same where events tell no time and launches are timed by waiting for them."""
    cache = stub.analysed("script", [LAUNCHES])
    bare = stub.client("errors", arguments=["--bold"], STUB_COST="none")
    expect(bare.status == 0, f"bare: {bare.status}, {bare.err[-500:]}")
    for way in INSIDE:
        result = stub.client("errors", way, ["--bold"], cache=cache, wisdom="none", STUB_COST="none")
        expect_same_run(result, bare, way)


def errors_pocl(stub):
    """The same on PoCL, as far as it survives."""
    with Stub(stub.build, USUAL) as pocl:
        if not pocl.available():
            raise Skip("PoCL is not installed")
        told_the_same(pocl, [], pocl.analysed("errors"))


def errors_on_demand(stub):
    """Calls that fail for the driver's own reasons, one after the other: told alike, and nothing is left behind."""
    cache = stub.analysed("script", [LAUNCHES])
    for call in ("clCreateProgramWithSource", "clBuildProgram", "clCreateKernel", "clSetKernelArg", "clEnqueueNDRangeKernel", "clRetainEvent",
                 "clReleaseEvent", "clReleaseKernel", "clReleaseProgram", "clReleaseCommandQueue",
                 "clCreateUserEvent", "clSetUserEventStatus", "clCreateBuffer", "clGetKernelInfo", "clRetainKernel",
                 "clCreateCommandQueue", "clCreateCommandQueueWithProperties"):
        for nth in 1, 2:  # queues and launches are tried once more, and events are retained by us, too
            every = call.startswith(("clCreateCommandQueue", "clEnqueue", "clRetainEvent", "clReleaseEvent",
                                     "clGetKernelInfo"))
            fail = f"{call}=-6" + ("" if every else f"@{nth}")
            bare = stub.client("script", STUB_FAIL=fail)
            # Calls on copies would be counted, too; faults.any_call_on_copies_fails() is about those.
            result = stub.client("script", "layer", cache=cache, wisdom="none", STUB_FAIL=fail, CLSIZER_VARIANTS="sizes",
                                 CLSIZER_ORCHESTRATION="async")
            expect(result.status == bare.status and result.out == bare.out,
                   f"{fail}: {result.status} {result.err[-200:]}; bare: {bare.status} {bare.err[-200:]}")
    # What clsizer asks on its own account may fail at any time.  The first marker is its own.
    bare = stub.client("script", arguments=[LAUNCHES], STUB_COST="local")
    for fail in ("clGetDeviceInfo=-5", "clGetKernelWorkGroupInfo=-5", "clGetMemObjectInfo=-5",
                 "clEnqueueMarkerWithWaitList=-5@1"):
        expect_same_run(stub.client("script", "layer", [LAUNCHES], cache=cache, wisdom="none", STUB_COST="local",
                                    CLSIZER_MODE="slices", STUB_FAIL=fail), bare, fail)


def recycled(stub):
    """A driver that gives out released handles at once."""
    cache = stub.analysed("script", [LAUNCHES])
    for client, arguments in ("script", [200]), ("errors", ["--bold"]):
        bare = stub.client(client, arguments=arguments, STUB_RECYCLE=1)
        for lazy in None, 1:
            result = stub.client(client, "layer", arguments, cache=cache, wisdom="none", STUB_RECYCLE=1, STUB_LAZY=lazy,
                                 CLSIZER_WAIT=20, CLSIZER_VARIANTS="sizes" if lazy else None)  # which waits for nothing
            expect_same_run(result, stub.client(client, arguments=arguments, STUB_RECYCLE=1, STUB_LAZY=lazy), client)
        expect(bare.status == 0, bare.err)


def seldom(stub, way, reasons, routes=INSIDE):
    """Launches of this kind have the size that was asked for, or are left alone for these reasons."""
    cache, usual = stub.store("seldom"), {"wisdom": "none", "CLSIZER_SIZES": "*=16"}
    stub.client("seldom", "layer", [way], cache=cache, **usual)
    stub.wait_for_helper(cache)
    bare = stub.client("seldom", arguments=[way])
    expect(bare.status == 0, f"{way}: bare: {bare.status} {bare.err}")
    for route in routes:
        result = stub.client("seldom", route, [way], cache=cache, **usual)
        expect_same_run(result, bare, f"{way}, {route}")
        expect(result.reasons("refusal") == reasons, f"{way}, {route}: {result.reasons('refusal')}")
        sizes = {m[1] for m in map(LOCAL.match, result.log) if m}
        expect(sizes == {"64" if reasons else "16"}, f"{way}, {route}: launched with {sizes}")


def seldom_used(stub):
    """Objects and arguments that come by functions of extensions, built-in kernels, pipes: seen, and left alone where they
    must be, for a named reason."""
    for way, reasons in {"queue": [], "built-in": ["built-in-kernel"], "pipe": ["unknown-function"],
                         "indirect": [], "clSetKernelArgMemPointerINTEL": ["svm-argument"],
                         "clSetKernelArgSVMPointerARM": ["svm-argument"],
                         "clSetKernelArgDevicePointerEXT": ["svm-argument"]}.items():
        seldom(stub, way, reasons)


def shared_virtual_memory(stub):
    """Any place in an allocation is as good as a buffer; what else a pointer may point to is not known, or gone."""
    for way, reasons in {"svm": [], "svm-inside": [], "svm-fine": ["svm-argument"], "svm-atomics": ["svm-argument"],
                         "svm-foreign": ["svm-argument"], "svm-freed": ["released-argument"],
                         "svm-free-enqueued": ["released-argument"]}.items():
        seldom(stub, way, reasons)


def unified_shared_memory(stub):
    """The same of memory that only the device uses; what the host uses, too, another context's, and a part of what is gone
    are not known."""
    for way, reasons in {"usm": [], "usm-inside": [], "usm-again": [], "usm-host": ["svm-argument"],
                         "usm-shared": ["svm-argument"], "usm-freed": ["released-argument"],
                         "usm-freed-waiting": ["released-argument"], "usm-part-freed": ["svm-argument"],
                         "usm-context": ["svm-argument"], "usm-khr": [], "usm-khr-host": ["svm-argument"],
                         "usm-khr-freed": ["released-argument"]}.items():
        seldom(stub, way, reasons)


def built_for_each_device(stub):
    """A program built for one device after another: left alone if options differ, also if those of one device are changed
    only after both have had the same.  And one that is built while it is being built."""
    usual = {"STUB_DEVICES": 2, "CLSIZER_SIZES": "*=16"}
    cache = stub.analysed("perdevice", ["0-DN=2"], **usual)
    for builds, reasons in ((["0-DN=1", "0-DN=2"], []), (["0-DN=2", "1-DN=2"], []),
                            (["0-DN=1", "1-DN=2"], ["options-differ-by-device"]),
                            (["0-DN=1", "1-DN=1", "1-DN=2"], ["options-differ-by-device"]),
                            (["0-DN=1+-DN=2"], ["builds-overlap"]), (["0-DN=1+-DN=2", "0-DN=2"], ["builds-overlap"])):
        bare = stub.client("perdevice", arguments=builds, STUB_DEVICES=2)
        expect(bare.status == 0, f"{builds}: bare: {bare.status} {bare.err}")
        for route in INSIDE:
            result = stub.client("perdevice", route, builds, cache=cache, wisdom="none", **usual)
            expect_same_run(result, bare, f"{builds}, {route}")
            expect(result.reasons("refusal") == reasons, f"{builds}, {route}: {result.reasons('refusal')}")
            sizes = {m[1] for m in map(LOCAL.match, result.log) if m}
            expect(sizes == {"64" if reasons else "16"}, f"{builds}, {route}: launched with {sizes}")


def working_directories(stub):
    """Relative paths in the environment are of the directory in which the program starts, wherever it goes."""
    cache = stub.store("wandering")
    cache.joinpath("helper").symlink_to(stub.build / "clsizer-analyze")
    log = stub.scratch / "log-wanders"
    result = stub.run(["env", "-C", cache, stub.build / "clients/wanders"], "preload", cache="summaries", wisdom="none",
                      CLSIZER_SIZES="*=16", CLSIZER_HELPER="./helper", STUB_LOG=log)
    expect(result.status == 0 and result.out == b"done\n", f"{result.status} {result.out} {result.err}")
    expect(list(cache.glob("summaries/*.sum")), f"no summary: {result.events}")
    sizes = {m[1] for m in map(LOCAL.match, log.read_text().splitlines()) if m}
    expect(sizes == {"16"}, f"launched with {sizes}")


def ten_megabytes(stub):
    """Ten megabytes of build options, and of a kernel's name: only ever data."""
    seldom(stub, "options", ["too-large"], ["layer"])
    seldom(stub, "name", [], ["layer"])


def gone(stub):
    """Memory objects that a program released before the launch are not asked about: there may be nothing there."""
    cache = stub.analysed("gone", CLSIZER_SIZES="twice=16")
    for arguments, first in ((), []), (["slots"], ["64"]):
        bare = stub.client("gone", arguments=arguments)
        expect(bare.status == 0, bare.err)
        for way in INSIDE:
            result = stub.client("gone", way, arguments, cache=cache, wisdom="none", CLSIZER_SIZES="twice=16")
            expect_same_run(result, bare, f"{way}, {arguments}")
            asked = [line for line in result.log if line.startswith("clGetMemObjectInfo")]
            expect(asked, f"{way}: nothing was asked about the others")
            invalid = [line for line in asked if "!released" in line]
            expect(not invalid, f"{way}, {arguments}: {invalid[:2]}")
            sizes = [re.findall(r"\[(\d+)\]", line)[1] for line in result.log
                     if line.startswith("clEnqueueNDRangeKernel")]
            expect(sizes == first + ["16", "16", "64"] * 4, f"{way}, {arguments}: launched with {sizes}")
            said = [e["reason"] for e in result.events if e["event"] in ("observed", "refusal")]
            expect(said == ["released-argument"] * len(first), f"{way}, {arguments}: said {said}")


def kernels_without_end(stub):
    """A program that makes ever new kernels pays for each the same, 1 s, not 12, and their sources are not all kept."""
    options = {"STUB_LOG": None, "STUB_LEAKS": None, "CLSIZER_EFFORT": "measure", "CLSIZER_ANALYSE_AFTER": 1000000}
    bare = stub.client("programs", arguments=[24000], **options)
    begun = os.times()
    result = stub.client("programs", "both", [24000], **options)
    ended = os.times()
    expect_same_run(result, bare, "24000 programs")
    expect("many-shapes" in result.reasons("observed"), f"not said: {result.reasons('observed')}")
    took = sum(ended[2:4]) - sum(begun[2:4])  # of the processors: it may have to share them
    expect(took < 8, f"it took {took:.1f} s")

    def megabytes(way):
        result = stub.client("programs", way, [1000, 300000], **options)
        return int(re.search(r"^(\d+) kB$", result.err, re.M)[1]) / 1024
    kept = megabytes("both") - megabytes("bare")
    expect(kept < 150, f"of 300 MB of sources {kept:.0f} MB were kept")


def cancelled(stub):
    """A thread that is to end does so where it may, and not while we write or wait."""
    options = {"STUB_LOG": None, "STUB_STILL": 1, "CLSIZER_EFFORT": "measure"}
    bare = stub.client("cancelled", **options)
    expect(b"not" not in bare.out and bare.status == 0, f"bare: {bare.out} {bare.err}")
    for way in INSIDE:
        expect_same_run(stub.client("cancelled", way, **options), bare, way)


def left_in_the_cache(stub):
    """What a helper finds out when the program has ended is left for the next run, and nothing else."""
    slow, cache = stub.scratch / "slow.sh", stub.store("includes")
    slow.write_text('#!/bin/bash\nsleep 1\necho nonsense >"$4.new"\nrm "$2"\nmv "$4.new" "$4"\n')
    slow.chmod(0o700)
    for word in "outside", "include":
        stub.client("programs", "both", [1, 0, word], cache=cache, CLSIZER_EFFORT="measure", CLSIZER_HELPER=slow)
        stub.wait_for_helper(cache)
        time.sleep(1.5)
        names = [path.name for path in cache.iterdir() if path.name != "settled"]
        expect(len(names) == 1 and names[0].endswith(".sum"), f"{word}: the cache has {names}")
        (cache / names[0]).unlink()


SAFE, UNSAFE = "#define RULE get_global_id(0)\n", "#define RULE get_local_id( 0)\n"


def write_before(path, text):
    """A file as a build to come finds it: times of files are kept in ticks."""
    path.write_text(text)
    time.sleep(0.05)


class Included:
    """A program that includes rule.h, which is in one of two folders."""

    def __init__(self, stub, name):
        self.stub, self.cache, self.folder = stub, stub.store(name), stub.scratch / f"{name} größe"
        self.first, self.second = self.folder / "first", self.folder / "second"
        for folder in self.first, self.second:
            folder.mkdir(parents=True)
        self.options = f'-I "{self.first}" -I "{self.second}"'

    def run(self, wanted, binary=None, **options):
        """One run; wanted: where the summary came from (None: it was not analysed), and what was refused."""
        options = {"CLSIZER_EFFORT": "patient", "CLSIZER_ANALYSE_AFTER": 0, "STUB_LOG": None, **options}
        result = self.stub.client("included", "layer", [self.options, *([binary] if binary else [])], cache=self.cache,
                                  wisdom="none", **options)
        expect(result.status == 0 and result.out == b"done\n", f"{result.status} {result.out} {result.err}")
        analysed = [e["source"] for e in result.of("program", reason="analysed")]
        refused = [e["reason"] for e in result.of("refusal", kernel="spread")]
        expect((analysed, refused) == wanted, f"wanted {wanted}: {analysed}, {refused}, {result.events}")


def included_files(stub):
    """What is known of a program that includes files is used again while they are the same, and no longer."""
    included = Included(stub, "included")
    other, rule, shadow = included.second / "other.h", included.second / "rule.h", included.first / "rule.h"
    unsafe = ["local-id-observed"]
    write_before(rule, SAFE)
    included.run((["helper"], []))
    included.run((["cache"], []))
    times = rule.stat()
    write_before(rule, UNSAFE)
    os.utime(rule, ns=(times.st_atime_ns, times.st_mtime_ns))
    time.sleep(0.05)
    expect(rule.stat().st_size == times.st_size, "the size tells the difference")
    included.run((["helper"], unsafe))
    included.run((["cache"], unsafe))
    write_before(rule, SAFE)
    included.run((["helper"], []))
    write_before(shadow, UNSAFE)
    included.run((["helper"], unsafe))
    shadow.unlink()
    included.run((["helper"], []))
    write_before(rule, '#include "other.h"\n')
    write_before(other, SAFE)
    included.run((["helper"], []))
    included.run((["cache"], []))
    write_before(other, UNSAFE)
    included.run((["helper"], unsafe))
    other.unlink()
    write_before(included.first / "other.h", SAFE)
    included.run((["helper"], []))
    one, two = included.second / "one.h", included.second / "two.h"
    write_before(one, f"#pragma once\n{SAFE}")
    two.symlink_to("one.h")
    write_before(rule, '#include "one.h"\n#include "two.h"\n')
    included.run((["helper"], []))
    included.run((["cache"], []))
    two.unlink()
    write_before(two, f"#undef RULE\n{UNSAFE}")
    included.run((["helper"], unsafe))
    write_before(rule, f'#if __has_include("other.h")\n{UNSAFE}#else\n{SAFE}#endif\n')
    included.run(([], ["driver-macro"]))


def included_and_kept(stub):
    """A driver that may have compiled what a file was before it changed."""
    included = Included(stub, "kept")
    write_before(included.second / "rule.h", SAFE)
    included.run((["helper"], []))
    for _ in range(2):
        included.run(([], ["include-kept"]), STUB_VENDOR="NVIDIA Corporation")


def included_at_the_end(stub):
    """The same for a program that is analysed when it has ended, in its next run."""
    included = Included(stub, "ended")
    write_before(included.second / "rule.h", SAFE)
    later = {"CLSIZER_EFFORT": "measure", "CLSIZER_ANALYSE_AFTER": 1, "STUB_STILL": 1}
    included.run(([], []), **later)
    stub.wait_for_helper(included.cache)
    included.run((["cache"], []), **later)
    write_before(included.second / "rule.h", UNSAFE)
    included.run(([], []), **later)


def included_in_linked_units(stub):
    """Two programs linked from units of which one was the same, and the other read a file that has changed meanwhile."""
    included = Included(stub, "linked")
    write_before(included.first / "rule.h", SAFE)
    write_before(included.first / "other", UNSAFE)
    result = stub.client("relinked", "layer", [included.first, "other"], cache=included.cache, wisdom="none",
                         CLSIZER_SIZES="*=16")
    expect(result.status == 0 and result.out == b"done\n", f"{result.status} {result.out} {result.err}")
    sizes = [m[1] for m in map(LOCAL.match, result.log) if m]
    expect(sizes == ["16"] * 40 + ["64"] * 40, f"{sizes}, {result.events}")


def included_in_binaries(stub):
    """A binary holds what was included when it was made."""
    included = Included(stub, "binaries")
    rule, binary = included.second / "rule.h", stub.scratch / "included.bin"
    write_before(rule, SAFE)
    included.run((["helper"], []), binary)
    included.run((["cache"], []), binary)
    write_before(rule, UNSAFE)
    included.run(([], ["include-changed"]), binary)
    binary.unlink()
    included.run((["helper"], ["local-id-observed"]), binary)
    included.run((["cache"], ["local-id-observed"]), binary)


def included_by_links(stub):
    """The way to a file is exchanged, and the file that it leads to is as old as the first."""
    included = Included(stub, "links")
    folders = [included.folder / name for name in ("one", "two")]
    for folder, text in zip(folders, (SAFE, UNSAFE)):
        folder.mkdir()
        write_before(folder / "rule.h", text)
    included.first.rmdir()
    included.first.symlink_to("one")
    time.sleep(0.05)
    binary = stub.scratch / "links.bin"
    included.run((["helper"], []), binary)
    included.run((["cache"], []), binary)
    included.first.unlink()
    included.first.symlink_to("two")
    included.run(([], ["include-changed"]), binary)
    included.run(([], ["include-changed"]), binary)
    included.first.unlink()
    folders[0].rename(included.first)
    included.run(([], ["include-changed"]), binary)


def failing_events(stub):
    """User events that fail under launches that would be split."""
    with Stub(stub.build, USUAL) as pocl:
        for bench in (stub, pocl) if pocl.available() else (stub,):
            cache = bench.analysed("failing", STUB_COST="local")
            bare = bench.client("failing", STUB_COST="local")
            expect(bare.status == 0, f"bare: {bare.status} {bare.err[-500:]}")
            for way in "preload", "layer":
                for mode in "slices", "launches":
                    result = bench.client("failing", way, cache=cache, wisdom="none", CLSIZER_MODE=mode,
                                          STUB_COST="local")
                    expect_same_run(result, bare, f"{bench.driver} {way} {mode}")
                    expect(bench is pocl or mode == "slices" or result.of("decision"), f"{way} {mode}: nothing was decided")


def blamed(stub):
    """What fails with a user event of the program's is not taken for a failure of ours, not even while the event fails."""
    cache = stub.analysed("script", [LAUNCHES])
    bare = stub.client("blamed", STUB_INHERIT=1)
    expect(bare.status == 0 and b"failed: 1" in bare.out, f"bare: {bare.status} {bare.out} {bare.err[-500:]}")
    for way in "preload", "layer":
        result = stub.client("blamed", way, cache=cache, wisdom="none", CLSIZER_SIZES="*=16", STUB_INHERIT=1)
        expect_same_run(result, bare, way)
        expect(result.of("decision"), f"{way}: nothing was decided: {result.events}")
        expect(not result.of("refusal"), f"{way}: {result.of('refusal')}")


DRIVERS_OPTIONS = {
    "Mesa": ["CLOVER_EXTRA_BUILD_OPTIONS", "CLOVER_EXTRA_COMPILE_OPTIONS", "CLOVER_EXTRA_LINK_OPTIONS"],
    "Advanced Micro Devices, Inc.": ["AMD_OCL_BUILD_OPTIONS", "AMD_OCL_BUILD_OPTIONS_APPEND", "AMD_OCL_LINK_OPTIONS",
                                     "AMD_OCL_LINK_OPTIONS_APPEND"],
}


def driver_options(stub):
    """Options from variables of the driver's: its own keep kernels from being touched, others' do not matter."""
    names = [(vendor, name) for vendor, variables in DRIVERS_OPTIONS.items() for name in variables]
    for vendor in DRIVERS_OPTIONS:
        for owner, name in names:
            options = {"wisdom": "none", "STUB_VENDOR": vendor, name: "-DOTHER=1"}
            for result in stub.client("script", "layer", **options), stub.run_app("separate", "layer", **options):
                refused = {e["kernel"] for e in result.of("refusal", reason="driver-options")}
                linked = b"separate" in result.out
                want = owner == vendor and (linked or "LINK" not in name)
                expect(bool(refused) == want, f"{vendor}, {name}: refused {refused}; {result.out[-200:]}")
    with Stub(stub.build, "oclgrind") as oclgrind:  # behind the program's own
        if not oclgrind.available():
            raise Skip("Oclgrind is not installed")
        cache = oclgrind.store("cache")
        options = {"cache": cache, "CLSIZER_STRICT": 1, "OCLGRIND_BUILD_OPTIONS": "-cl-fast-relaxed-math"}
        for _ in range(2):
            result = oclgrind.run_app("saxpy", "layer", ["-n", "1024", "-l", "20"], **options)
            oclgrind.wait_for_helper(cache)
        expect(result.of("refusal", reason="relaxed-math"), f"Oclgrind: refused for {result.reasons('refusal')}")


# ---- cases: programs of other people -------------------------------------------------------------------


def expect_same_everywhere(bench, command, ways=INSIDE, times=1, **options):
    """The program runs inside as it runs bare."""
    bare = bench.run(command, **options)
    if bare.status == SKIPPED:
        raise Skip(f"{command[0]} lacks what it needs")
    expect(bare.status == 0 and bare.out, f"bare: {bare.status}, {bare.err[-500:]}")
    for way in ways:
        for _ in range(times):  # from the second on with what the first one learned
            expect_same_run(bench.run(command, way, **options), bare, f"{command[0]} {way}")


ROUNDED = '''
import sys
import pyopencl as cl
context = cl.Context(cl.get_platforms()[0].get_devices())
queue = cl.CommandQueue(context)
memory = [cl.Buffer(context, cl.mem_flags.READ_WRITE, 4096 * 4) for _ in range(2)]
source = """
kernel void plain(global float *a, global float *b) { size_t i = get_global_id(0); b[i] = a[i] * 2.0f; }
kernel void roots(global float *a, global float *b) { size_t i = get_global_id(0); b[i] = rsqrt(a[i]); }
kernel void sums(global float *a, global float *b)
{
    size_t i = get_global_id(0);
    float sum = 0.0f;
    for (uint j = 0; j < i % 17; j++)
        sum += a[j];
    b[i] = sum;
}
kernel void converts(global float *a, global uchar *b) { size_t i = get_global_id(0); b[i] = (uchar)a[i]; }
kernel void signs(global float *a, global float *b) { size_t i = get_global_id(0); b[i] = copysign(1.0f, a[i] * a[i ^ 1]); }
kernel void fits(global float *a, global uchar *b) { size_t i = get_global_id(0); b[i] = (uchar)clamp(a[i], 0.0f, 255.0f); }
"""
program = cl.Program(context, source).build(sys.argv[1:])
for name in "plain", "roots", "sums", "converts", "signs", "fits":
    kernel = cl.Kernel(program, name)
    for _ in range(20):
        kernel(queue, (4096,), (4,), *memory)
        queue.finish()
'''


def driver_rounds(stub):
    """Drivers for CPUs may round roots, and sums in loops, by the local size; on known ones they do so under relaxed
    options.  What numbers become that do not fit an integer may depend on it, too, and the sign of NaNs.  Such kernels are left alone there."""
    python = "/usr/bin/python3"
    if not pathlib.Path(python).exists():
        raise Skip("no Python of the system's")
    relaxed = ["-cl-fast-relaxed-math"]
    rounds = {"roots": "driver-rounds", "sums": "driver-rounds", "converts": "undefined-conversion", "signs": "nan-bits"}
    for vendor, version, cpu, options, want in (
            ("Intel(R) Corporation", "2025.20", True, [], rounds),
            ("Intel(R) Corporation", "2026.22.10", True, [], {}),  # sizes stay in one class (drivers.classes)
            ("Intel(R) Corporation", "2026.22.10", True, relaxed, {}),
            ("Intel(R) Corporation", "2025.20", False, relaxed, {}),
            ("nobody", "2026", True, [], rounds),
            ("Mesa/X.org", "22", True, [], {}),
            ("Mesa/X.org", "22", True, relaxed, {"roots": "relaxed-math", "sums": "relaxed-math", "signs": "relaxed-math"})):
        result = stub.run([python, "-c", ROUNDED, *options], "layer", wisdom="none", cache=stub.store("roots"),
                          STUB_VENDOR=vendor, STUB_DRIVER=version, PYOPENCL_NO_CACHE=1, CLSIZER_EFFORT="patient", CLSIZER_ANALYSE_AFTER=0,
                          **({"STUB_CPU": 1} if cpu else {}))
        expect(result.status == 0 and result.events, f"{result.err[-500:]}")
        refused = {e["kernel"]: e["reason"] for e in result.of("refusal")}
        expect(refused == want, f"{vendor} {version}, {cpu}, {options}: refused {refused}")


MODES = '''
import numpy, pyopencl as cl

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
memory = [cl.Buffer(context, cl.mem_flags.READ_WRITE, 1 << 16) for _ in range(2)]
source = """
kernel void modes(global float *a, global float *b, int mode)
{
    size_t i = get_global_id(0);
    float v;
    switch (mode) {
    case 0: v = a[i] + 1.0f; break;
    case 1: v = sqrt(a[i]); break;
    }
    b[i] = 2.0f * v;
}
"""
kernel = cl.Kernel(cl.Program(context, source).build(), "modes")
for items, mode in (4096, 1), (8192, 7):
    kernel.set_args(*memory, numpy.int32(mode))
    for _ in range(20):
        cl.enqueue_nd_range_kernel(queue, kernel, (items,), (4,))
        queue.finish()
'''


def no_value(stub):
    """A `switch` without a default gives a variable no value where the argument is an odd one: then, and only then, the
    launch is left alone."""
    python = "/usr/bin/python3"
    if not pathlib.Path(python).exists():
        raise Skip("no Python of the system's")
    result = stub.run([python, "-c", MODES], "layer", wisdom="none", cache=stub.store("modes"), PYOPENCL_NO_CACHE=1,
                      CLSIZER_EFFORT="patient", CLSIZER_ANALYSE_AFTER=0)
    expect(result.status == 0 and result.events, f"{result.err[-500:]}")
    refused = {(e["launch"]["global"][0], e["reason"]) for e in result.of("refusal")}
    expect(refused == {(8192, "undefined-by-arguments")}, f"refused {refused}")


def clinfo(stub):
    """The same to the last byte, on all drivers of this machine at once and on the stub."""
    if not shutil.which("clinfo"):
        raise Skip("clinfo is not installed")
    for arguments in [], ["--raw"]:
        expect_same_everywhere(stub, ["clinfo", *arguments])
        expect_same_everywhere(stub, ["clinfo", *arguments], OCL_ICD_VENDORS=None, RUSTICL_ENABLE="llvmpipe")


def pyopencl(stub):
    """A program in Python on PoCL."""
    python = "/usr/bin/python3"
    with Stub(stub.build, USUAL) as pocl:
        if not pocl.available() or not pathlib.Path(python).exists():
            raise Skip("PoCL or Python is not installed")
        expect_same_everywhere(pocl, [python, str(pathlib.Path(__file__).resolve().parent / "client.py")],
                               ("preload", "layer"), 2, PYOPENCL_NO_CACHE=1)


# ---- cases: locks --------------------------------------------------------------------------------------


def widening(stub):
    """PoCL 3.1 may end the process if launches of one kernel and local size run together, and one is wider: it waits until
    those with a size of ours are done."""
    with Stub(stub.build, "pocl") as pocl:
        if not pocl.available():
            raise Skip("PoCL is not installed")
        options = {"CLSIZER_SIZES": "*=256", "STUB_LOG": None}
        cache = pocl.analysed("widening", [256, 24], **options)
        bare = pocl.client("widening", arguments=[256, 24], **options)
        expect(bare.status == 0, f"bare: {bare.status} {bare.err[-500:]}")
        for attempt in range(3):
            result = pocl.client("widening", "layer", [256, 24], cache=cache, wisdom="none", **options)
            expect_same_run(result, bare, f"attempt {attempt}")
            expect(result.of("decision", reason="asked-for"), f"attempt {attempt}: {result.events}")


def reenter(stub):
    """A driver that calls back from inside every call: nothing is locked meanwhile."""
    bare = stub.client("reenter")
    expect(bare.status == 0 and b"often" in bare.out, f"bare: {bare.out} {bare.err[-500:]}")
    cache = stub.analysed("script", [LAUNCHES])
    for way in INSIDE:
        for options in {}, {"CLSIZER_MODE": "slices"}, {"CLSIZER_MODE": "launches", "STUB_LAZY": 1}, {"CLSIZER_OFF": 1}:
            result = stub.client("reenter", way, cache=cache, wisdom="none", STUB_LOG=None, CLSIZER_WAIT=20, **options)
            expect_same_run(result, bare, f"{way} {options}")


def stress(stub):
    """Threads, cancellation, signals and forks, while everything is undecided, being measured, and decided."""
    bare = stub.client("stress", STUB_LOG=None, STUB_LEAKS=None)
    expect(bare.status == 0, f"bare: {bare.err[-500:]}")
    cache, wisdom = stub.analysed("script", [LAUNCHES]), stub.store("stress") / "wisdom"
    for way in "preload", "layer":
        for options in ({"CLSIZER_MODE": "slices"}, {"CLSIZER_MODE": "launches", "STUB_COST": "local"},
                        {"STUB_RECYCLE": 1, "STUB_COST": "local"}, {"cache": stub.store("empty")},
                        {"CLSIZER_VARIANTS": "fixed", "wisdom": "none"}, {"CLSIZER_VARIANTS": "auto", "wisdom": "none"},
                        {"CLSIZER_EFFORT": "measure", "CLSIZER_MODE": "slices", "STUB_LAZY": 1, "CLSIZER_WAIT": 1}):
            result = stub.client("stress", way, STUB_LOG=None, STUB_LEAKS=None,
                                 **{"cache": cache, "wisdom": wisdom, "timeout": 30, **options})
            expect_same_run(result, bare, f"{way} {options}")
            races = [line for line in result.err.splitlines() if "ThreadSanitizer" in line]
            expect(not races, f"{way} {options}: {races}\n{result.err[:6000]}")


# ---- main ----------------------------------------------------------------------------------------------

CASES = [log_off, log_nothing_known, log_kept, log_tuned, log_racing, variants_leave_nothing, initial_choice, seen_when_waited_for,
         paced_while_new, paced_while_racing, short_launches, saved_while_racing, not_paced_behind_the_host,
         done_before_the_driver, feeders_slices, followers, feeders_tails, unseen_commands, long_wait_lists,
         errors_stub, errors_untimed, errors_pocl, errors_on_demand, recycled, seldom_used, shared_virtual_memory, unified_shared_memory, built_for_each_device,
         working_directories, ten_megabytes, gone, released_at_the_end,
         kernels_without_end,
         cancelled, left_in_the_cache, included_files, included_and_kept, included_at_the_end, included_in_linked_units, included_in_binaries,
         included_by_links, failing_events, blamed,
         driver_options, driver_rounds, no_value, clinfo, pyopencl, widening, reenter, stress]


def stub_bench(build):
    harness.DRIVERS["stub"] = (str(pathlib.Path(build).resolve() / "stub_icd.so"), {}, [])
    return Stub(build, "stub")


def main(cases, words):
    return run_cases(words, cases, stub_bench)


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(main(CASES, __doc__))
