#!/usr/bin/env python3
"""Drivers that are not to be had here, as far as it is known what they do: the stub driver does it as well
(tests/stub_icd/stub.h says how), and programs are told the same with and without clsizer, and tuned where possible.

    drivers.py --build DIR [CASE...]        no CASE: all; --list prints their names
"""

import os
import re
import sys
import time

import transparent
from transparent import LOCAL, expect_same_run
from harness import Skip, expect, local_of, script

RANGE = ["65536,0", "4,0"]  # STUB_COST=local: the larger the group, the less it takes
WAYS = ("preload", "layer")


def driven(stub, way, arguments, **options):
    return stub.client("drive", way, [*RANGE, *arguments], **{"STUB_COST": "local", **options})


def known(stub, **options):
    """A cache that knows the kernel, on the driver with these options."""
    return stub.analysed("drive", [*RANGE, 20], **{"STUB_COST": "local", **options})


def sizes(result):
    """Local sizes of all launches that the driver was asked for, as text; None: its own choice."""
    return [m[1] if (m := LOCAL.match(line)) else None
            for line in result.log if line.startswith("clEnqueueNDRangeKernel")]


def decisions(result):
    return result.of("decision", kernel="twice")


# ---- event times ---------------------------------------------------------------------------------------


def odd_times(stub):
    """Event times that are zero at first, of two clocks, or now and then the wrong way round: believed where they can be."""
    cache = known(stub)
    for times in "late", "backward", "clocks":
        bare = driven(stub, "bare", [200, 0, "t"], STUB_TIMES=times)
        for way in WAYS:
            result = driven(stub, way, [200, 0, "t"], cache=cache, wisdom="none", STUB_TIMES=times, DRIVE_TICK=1000)
            expect_same_run(result, bare, f"{times}, {way}")
            found = [(e["reason"], local_of(e)) for e in decisions(result)]
            expect(found == [("faster", "1024")], f"{times}, {way}: {found}, {result.reasons('observed')}")


def no_times(stub):
    """No event times in spite of success, or instead of it, or no queues that have them: launches are timed by waiting."""
    cache = known(stub)
    for options in {"STUB_TIMES": "missing"}, {"STUB_TIMES": "silent"}, {"STUB_UNTIMED": 1}:
        bare = driven(stub, "bare", [200, 0, "t"], **options)
        for way in WAYS:
            result = driven(stub, way, [200, 0, "t"], cache=cache, wisdom="none", **options)
            expect_same_run(result, bare, f"{options}, {way}")
            expect(decisions(result), f"{options}, {way}: undecided: {result.reasons('observed')}")
            refused = [line for line in result.log if line.startswith("clCreateCommandQueue") and "NULL" in line]
            expect(not refused, f"{options}, {way}: the driver was asked for what it does not have: {refused}")


def busy_queues(stub):
    """What launches wait for in their queue is no compilation: neither paid for, nor done ahead by another process."""
    cache = known(stub)
    result = driven(stub, "layer", [150, 5000], cache=cache, wisdom="none", STUB_BUSY=4000000, CLSIZER_VERBOSE=3,
                    CLSIZER_EFFORT="measure", CLSIZER_MODE="launches", CLSIZER_VARIANTS="sizes")
    expect(decisions(result) and decisions(result)[0]["reason"] == "faster",
           f"{result.reasons('decision')}; {result.of('observed')}")
    spent = decisions(result)[0]["all_runs"]["spent_us"]
    expect(spent < 1000, f"spent {spent} us")
    expect("compiled ahead" not in result.err, result.err[-500:])


def still_events(stub):
    """Events that move on for those who wait only: we poll in vain a few times, and not once for every queue."""
    arguments = ["1048576,0", "64,0", 100, 0, "q"]
    cache = stub.analysed("drive", arguments)
    bare = stub.client("drive", "bare", arguments, STUB_STILL=1)
    for options in {"CLSIZER_MODE": "slices", "CLSIZER_ORCHESTRATION": "sync"}, {"CLSIZER_MODE": "launches"}, {}:
        result = stub.client("drive", "layer", arguments, cache=cache, wisdom="none", STUB_STILL=1, **options)
        expect_same_run(result, bare, str(options))
        markers = sum(line.startswith("clEnqueueMarkerWithWaitList(") for line in result.log)
        expect(markers <= 4, f"{options}: {markers} waits in vain")


def two_queues(stub):
    """A sample in a queue that nobody has flushed: whoever waits for it flushes that queue, not the present one."""
    cache = known(stub)
    bare = driven(stub, "bare", [300, 0, "an"], STUB_LAZY=1)
    result = driven(stub, "layer", [300, 0, "an"], cache=cache, wisdom="none", STUB_LAZY=1, CLSIZER_MODE="launches")
    expect_same_run(result, bare, "two queues")
    expect(decisions(result), f"undecided: {result.of('observed')}")


def changed_queues(stub):
    """OpenCL 1.0's way to change a queue: launches there are left alone, and the program is told its own properties."""
    cache = known(stub)
    for changes in "o", "c", "oc":
        bare = driven(stub, "bare", [60, 0, "t" + changes])
        for way in WAYS:
            result = driven(stub, way, [60, 0, "t" + changes], cache=cache, wisdom="none")
            expect_same_run(result, bare, f"{changes}, {way}")
            expect(set(sizes(result)) == {"4"}, f"{changes}, {way}: {set(sizes(result))}")


def queues_on_the_device(stub):
    """Such a queue has nothing to do with the queue that had its handle before and hid its event times."""
    options = {"STUB_ON_DEVICE": 1, "STUB_RECYCLE": 1}
    bare = driven(stub, "bare", [5, 0, "u"], **options)
    expect(b"recycled" in bare.out, bare.out)
    for way in WAYS:
        expect_same_run(driven(stub, way, [5, 0, "u"], wisdom="none", **options), bare, way)


def two_of_a_kind(stub):
    """Two devices that tell the same of themselves, in turns: each is measured for itself."""
    cache = known(stub)
    bare = driven(stub, "bare", [400, 0, "d"], STUB_DEVICES=2)
    result = driven(stub, "layer", [400, 0, "d"], cache=cache, wisdom="none", STUB_DEVICES=2)
    expect_same_run(result, bare, "two devices")
    expect(len(decisions(result)) == 2, f"{decisions(result)}; {result.reasons('observed')}")


def cancelled_waits(stub):
    """A thread that is cancelled in the driver leaves events that must not be touched: those of launches before it, not
    those after it."""
    cache = known(stub)
    for way in "k", "kn", "gn", "bn":
        bare = driven(stub, "bare", [300, 0, way], STUB_CANCEL=1)
        result = driven(stub, "layer", [300, 0, way], cache=cache, wisdom="none", STUB_CANCEL=1, CLSIZER_MODE="launches")
        expect(result.out == bare.out and result.status == bare.status == 0, f"{way}: {result.out}, bare: {bare.out}")
        expect(decisions(result), f"{way}: undecided: {result.of('observed')}")
        left = sum(map(int, re.findall(r"stub: (\d+) event left", result.err)))
        expect(int("n" in way) <= left <= 3, f"{way}: {left} events left")


def outstanding_sizes(stub):
    """A size that took a quarter of the time whenever it was tried, in a run too short to decide: while the next one's own
    samples are not there, it is used."""
    poor = ["65536,0", "1,0"]
    usual = {"STUB_COST": "local", "CLSIZER_EFFORT": "exhaustive", "CLSIZER_MODE": "launches",
             "cache": stub.analysed("drive", [*poor, 20], STUB_COST="local"), "wisdom": stub.store("outstanding") / "wisdom"}
    first = stub.client("drive", "layer", [*poor, 9], **usual)
    expect(not decisions(first) and {"1", "1024"} <= set(sizes(first)), f"{decisions(first)}, {sizes(first)}")
    bare = stub.client("drive", "bare", [*poor, 200, 0, "n"], STUB_COST="local", STUB_STILL=1)
    result = stub.client("drive", "layer", [*poor, 200, 0, "n"], STUB_STILL=1, **usual)
    expect_same_run(result, bare, "nothing is waited for")
    expect(sizes(result).count("1024") >= 190, f"{sizes(result)}")


# ---- sizes that do not work ----------------------------------------------------------------------------


def refused_sizes(stub):
    """Sizes that the driver refuses though it said that it would take them: neither chosen nor tried for ever."""
    cache, wisdom = known(stub), stub.store("refused") / "wisdom"
    bare = driven(stub, "bare", [300], STUB_LARGEST=32)
    result = driven(stub, "layer", [300], cache=cache, wisdom="none", STUB_LARGEST=32)
    expect_same_run(result, bare, "while sizes are compared")
    expect(decisions(result) and int(local_of(decisions(result)[0])) <= 32, f"{decisions(result)}")
    expect(decisions(driven(stub, "layer", [300], cache=cache, wisdom=wisdom))[0]["reason"] == "faster", "not decided")
    for run, tries in (1, 1), (2, 0):  # the decision was made by a driver that took it
        result = driven(stub, "layer", [50], cache=cache, wisdom=wisdom, STUB_LARGEST=32)
        expect_same_run(result, bare_of(stub, 50, STUB_LARGEST=32), f"run {run}")
        refused = [size for size in sizes(result) if size and int(size) > 32]
        expect(len(refused) == tries, f"run {run}: refused {refused}")
        expect((result.reasons("refusal") == ["size-rejected"]) == bool(tries), f"run {run}: {result.reasons('refusal')}")


def bare_of(stub, launches, **options):
    return driven(stub, "bare", [launches], **options)


def failing_sizes(stub):
    """Launches that are taken and fail when they run, and all others behind them: that happens in one run at most."""
    cache = known(stub)
    bare = bare_of(stub, 60, STUB_FAULT=16)
    expect(b" 0 waits failed" in bare.out, f"bare: {bare.out}")
    for learned in False, True:  # while sizes are compared; with a decision that was sound before
        wisdom = stub.store(f"failing-{learned}") / "wisdom"
        if learned:
            driven(stub, "layer", [300], cache=cache, wisdom=wisdom)
        first = driven(stub, "layer", [60], cache=cache, wisdom=wisdom, STUB_FAULT=16)
        expect(b" 0 waits failed" not in first.out, f"{learned}: nothing failed, so nothing was tested: {first.out}")
        for run in 2, 3:
            result = driven(stub, "layer", [60], cache=cache, wisdom=wisdom, STUB_FAULT=16)
            expect_same_run(result, bare, f"{learned}, run {run}")
            expect(result.reasons("refusal") == ["launch-failed"], f"{learned}, {run}: {result.reasons('refusal')}")
            expect(set(sizes(result)) == {"4"}, f"{learned}, run {run}: {set(sizes(result))}")


def failing_when_confined(stub):
    """A size that fails in a process that may open no files any more: the kernel is left alone, and nothing written."""
    cache, wisdom = known(stub), stub.store("confined") / "wisdom"
    driven(stub, "layer", [300], cache=cache, wisdom=wisdom)
    for way in WAYS:
        result = driven(stub, way, [60, 0, "f"], cache=cache, wisdom=wisdom, STUB_FAULT=16)
        if result.status == 77:
            raise Skip("no seccomp here")
        expect(result.status == 0, f"{way}: status {result.status}: {result.err[-300:]}")
        expect(b" 0 waits failed" not in result.out, f"{way}: nothing failed, so nothing was tested: {result.out}")


def many_groups(stub):
    """No more groups along the second dimension than 16 bits count, unless the program has more itself."""
    arguments = ["16,131072", "4,4", 10]
    cache = stub.analysed("drive", arguments, CLSIZER_SIZES="twice=16x2")
    bare = stub.client("drive", "bare", arguments, STUB_GROUPS=65535)
    for size, possible in ("16x1", False), ("16x4", True):
        result = stub.client("drive", "layer", arguments, cache=cache, wisdom="none", STUB_GROUPS=65535,
                             CLSIZER_SIZES=f"twice={size}")
        expect_same_run(result, bare, size)
        expect(bool(decisions(result)) == possible, f"{size}: {result.reasons('refusal')}")
    result = stub.client("drive", "layer", [*arguments[:2], 300], cache=cache, wisdom="none", STUB_GROUPS=65535,
                         STUB_COST="local", CLSIZER_EFFORT="exhaustive")
    expect(result.status == 0, f"{result.status} {result.err[-300:]}")


def classes(stub):
    """Intel's runtime for CPUs has one code for extents below its vectors' length, which is 8 here, and one for multiples
    of 16: sizes stay in the class of the program's own, or of the one that the driver says that it chooses, 32."""
    intel = {"STUB_CPU": 1, "STUB_VENDOR": "Intel(R) Corporation", "STUB_COST": "local", "CLSIZER_EFFORT": "patient"}
    single, whole = (lambda n: n < 8), (lambda n: n % 16 == 0)
    for size, own, x, y in (("65536,0", "4,0", single, single), ("49152,0", "48,0", whole, single),
                            ("65536,0", "0,0", whole, single), ("256,256", "16,4", whole, single),
                            ("256,256", "2,32", single, whole)):
        arguments = [size, own, 300, 0, "t"]
        cache = stub.analysed("drive", arguments, **intel)
        bare = stub.client("drive", "bare", arguments, **intel)
        result = stub.client("drive", "layer", arguments, cache=cache, wisdom="none", **intel)
        expect_same_run(result, bare, own)
        found = decisions(result)
        expect(found, f"{own}: {result.reasons('refusal')}")
        tried = {tuple(c["local"]) for c in found[0]["candidates"] if c["local"]}
        used = {tuple(map(int, text.split())) for text in sizes(result) if text}
        for extents in tried | used:
            expect(x(extents[0]) and all(y(n) for n in extents[1:2]), f"{own}: {extents} was tried or used")
        expect(len(tried) > 1, f"{own}: only {tried}")
    arguments = ["65536,0", "8,0", 50]
    cache = stub.analysed("drive", arguments, **intel)
    result = stub.client("drive", "layer", arguments, cache=cache, wisdom="none", **intel)
    expect(result.reasons("refusal") == ["driver-classes"] and set(sizes(result)) == {"8"},
           f"8: {result.reasons('refusal')}, {set(sizes(result))}")
    for asked, possible in ("twice=8", False), ("twice=4", True), ("twice=16", False):
        result = stub.client("drive", "layer", ["65536,0", "2,0", 10], cache=cache, wisdom="none", CLSIZER_SIZES=asked, **intel)
        expect(bool(decisions(result)) == possible, f"{asked}: {result.reasons('refusal')}")


def aborting_compiler(stub):
    """PoCL 6 may end the process while it compiles a valid kernel for more than two work-items, or for no more: sizes stay on
    the side of the program's own, or of the one that the driver chooses, which is larger if the range can be divided."""
    pocl = {"STUB_CPU": 1, "STUB_AS": "PoCL HSTR: cpu-x86_64", "STUB_DRIVER": "6.0+debian", "STUB_COST": "local",
            "CLSIZER_EFFORT": "patient"}
    few, many = {"STUB_MOST": 2}, {"STUB_LEAST": 3}
    for size, own, side in (("65536,0", "1,0", few), ("65536,0", "2,0", few), ("65536,0", "4,0", many), ("65536,0", "0,0", many),
                            ("256,256", "2,1", few), ("256,256", "1,4", many)):
        arguments = [size, own, 300, 0, "t"]
        cache = stub.analysed("drive", arguments, **pocl, **side)
        bare = stub.client("drive", "bare", arguments, **pocl, **side)
        result = stub.client("drive", "layer", arguments, cache=cache, wisdom="none", **pocl, **side)
        expect_same_run(result, bare, f"{size} {own}")
        expect(decisions(result), f"{size} {own}: {result.reasons('refusal')}")
        tried = {str(c["local"]) for c in decisions(result)[0]["candidates"]}
        expect(len(tried) > 1, f"{size} {own}: only {tried}")
    for size, own, asked in (("65538,0", "0,0", None), ("65537,0", "1,0", None), ("65536,0", "1,0", "twice=64"),
                             ("65536,0", "64,0", "twice=2"), ("65536,0", "1,0", "twice=null")):
        arguments = [size, own, 50]
        cache = stub.analysed("drive", arguments, **pocl)
        result = stub.client("drive", "layer", arguments, cache=cache, wisdom="none", **pocl, **({"CLSIZER_SIZES": asked} if asked else {}))
        reason = "size-not-possible" if asked else "driver-classes"
        expect(result.reasons("refusal") == [reason] and len(set(sizes(result))) == 1, f"{size} {own}: {result.reasons('refusal')}")
    arguments = ["65536,0", "1,0", 300, 0, "t"]
    pocl["STUB_DRIVER"] = "7.1"
    result = stub.client("drive", "layer", arguments, cache=stub.analysed("drive", arguments, **pocl), wisdom="none", **pocl)
    expect(any(text != "1" and text != "2" for text in sizes(result)), f"7.1: only {set(sizes(result))}")


def no_times_of_parts(stub):
    """An event that stands for several parts holds as many references as a whole launch's, also where it has no times."""
    cache = known(stub)
    for times in None, "missing", "silent":
        bare = driven(stub, "bare", [40, 0, "ptr"], STUB_TIMES=times)
        for way in WAYS:
            result = driven(stub, way, [40, 0, "ptr"], cache=cache, wisdom="none", STUB_TIMES=times, CLSIZER_SIZES="*=48")
            expect_same_run(result, bare, f"{times}, {way}")
            expect(len(sizes(result)) > 40, f"{times}, {way}: not in parts: {result.reasons('refusal')}")


# ---- old drivers, other interfaces' memory, hints -------------------------------------------------------


def old_drivers(stub):
    """Nothing is called that came after the device's version of OpenCL; before 1.1 launches stay whole."""
    for version in "1.0", "1.1", "1.2":
        cache = known(stub, STUB_VERSION=version)
        bare = driven(stub, "bare", [200, 0, "t"], STUB_VERSION=version)
        for options in {}, {"CLSIZER_MODE": "slices"}, {"CLSIZER_MODE": "sandbox"}, {"STUB_TIMES": "missing"}:
            result = driven(stub, "layer", [200, 0, "t"], cache=cache, wisdom="none", STUB_VERSION=version, **options)
            expect_same_run(result, bare, f"{version}, {options}")
            if not options:
                expect(decisions(result), f"{version}: undecided: {result.reasons('observed')}")
        whole = driven(stub, "layer", [200], cache=cache, wisdom="none", STUB_VERSION=version, CLSIZER_MODE="slices")
        expect(("no-offsets" in whole.reasons("observed")) == (version == "1.0"), f"{version}: {whole.reasons('observed')}")


def foreign_memory(stub):
    """Memory that objects may share without OpenCL's saying so: launches that could touch it are left alone."""
    cache = known(stub)
    for way, reason, route in (("w", "shared-context", "layer"), ("wv", "shared-context", "both"),
                               ("x", "svm-argument", "layer"), ("h", None, "layer")):
        bare = driven(stub, "bare", [100, 0, way], STUB_SUFFIX="ARM")
        result = driven(stub, route, [100, 0, way], cache=cache, wisdom="none", STUB_SUFFIX="ARM")
        expect_same_run(result, bare, way)
        expect(result.reasons("refusal") == ([reason] if reason else []), f"{way}: {result.reasons('refusal')}")
        expect(bool(decisions(result)) == (reason is None), f"{way}: {result.reasons('decision')}")
        expect(reason is None or set(sizes(result)) == {"4"}, f"{way}: {set(sizes(result))}")


def language_version(stub):
    """__OPENCL_VERSION__ is what the driver likes above 2.0: programs that are others for it are left alone."""
    head = "#if __OPENCL_VERSION__ {}\n#pragma OPENCL EXTENSION all : disable\n#define in {}\n#else\n#define in {}\n#endif\n"
    for version, test, names, refused in (("3.0", ">= 300", ("in", "out"), True), ("3.0", ">= 300", ("in", "in"), False),
                                          ("3.0", "> 100", ("in", "out"), False), ("2.0", ">= 200", ("in", "out"), False)):
        result = driven(stub, "layer", [50], cache=stub.store("version"), wisdom="none", STUB_VERSION=version,
                        DRIVE_HEAD=head.format(test, *names))
        reasons = result.reasons("refusal")
        expect((reasons == ["driver-macro"]) == refused, f"{version}, {test}, {names}: {reasons}")


def described(stub):
    """Devices are described by their name, else by what their architecture is."""
    for options, words in (({"STUB_NAME": "NVIDIA H200", "STUB_NVIDIA": "9.0"}, "NVIDIA H200; H200 description"),
                           ({"STUB_NAME": "NVIDIA GH200 480GB", "STUB_NVIDIA": "9.0"}, "H100 description"),
                           ({"STUB_NAME": "NVIDIA L40S", "STUB_NVIDIA": "8.9"}, "GeForce RTX 4090 description"),
                           ({"STUB_NAME": "Tesla T4", "STUB_NVIDIA": "7.5"}, "Tesla T4; generic description"),
                           ({"STUB_NAME": "gfx90a:sramecc+:xnack-", "STUB_WAVEFRONT": 64}, "generic description")):
        result = driven(stub, "layer", [5], wisdom="none", CLSIZER_VERBOSE=3, **options)
        expect(words in result.err, f"{options}: {re.findall('device: .*', result.err)}")


def quiet_when_decided(stub):
    """Once all is decided, runs of that command line have no event times but now and then, and what was decided."""
    cache, wisdom = known(stub), stub.store("quiet") / "wisdom"
    usual = {"cache": cache, "wisdom": wisdom, "CLSIZER_EFFORT": "measure"}
    timed = re.compile(r"^clCreateCommandQueue\(.*, 0x2\) = queue")
    history = []
    for run in range(20):
        result = driven(stub, "layer", [150, 1000], **usual)
        expect_same_run(result, driven(stub, "bare", [150, 1000]), f"run {run}")
        history.append(any(map(timed.match, result.log)))
        if not history[-1]:
            expect(set(sizes(result)) == {local_of(decisions(result)[0])}, f"run {run}: {set(sizes(result))}")
    first = history.index(False)
    expect(0 < first < 4 and history[first:first + 16] == [False] * 15 + [True], f"timed: {history}")
    for _ in range(3):  # who spends without a budget wants to know
        patient = driven(stub, "layer", [150, 1000], **{**usual, "CLSIZER_EFFORT": "patient"})
        expect(any(map(timed.match, patient.log)), "not timed under patient")
    other = driven(stub, "layer", [151, 1000], **usual)
    expect(any(map(timed.match, other.log)), "another command line is not timed")
    # A shape that was not there before: the next run is timed again.
    driven(stub, "layer", [151, 1000], **usual)
    changed = stub.client("drive", "layer", [*RANGE, 151, 1000], STUB_COST="local",
                          DRIVE_HEAD="/* another program */", **usual)
    expect(not any(map(timed.match, changed.log)), "decided programs are timed")
    expect(changed.reasons("observed") == ["not-timed"], f"{changed.reasons('observed')}")
    again = driven(stub, "layer", [151, 1000], **usual)
    expect(any(map(timed.match, again.log)), "not timed after something new")


def numbered_sources(stub):
    """A source that has a UUID in it, to keep it from drivers' caches, is the same program with another one."""
    usual = {"cache": known(stub), "wisdom": stub.store("numbered"), "STUB_COST": "local", "CLSIZER_EFFORT": "measure"}
    for number, source in (("e" * 32, "measured"), ("0123456789abcdef" * 2, "wisdom"), ("f" * 31, "measured")):
        for _ in range(4):
            result = stub.client("drive", "layer", [*RANGE, 150, 1000], DRIVE_HEAD=f"__constant int defeat_cache_{number} = 0;\n", **usual)
            made = [e["source"] for e in decisions(result)]
            if made == [source]:
                break
            expect(not made, f"{number}: {made}")
        expect(made == [source], f"{number}: {made}, {result.reasons('observed')}")


def trailing_lines(stub):
    """The line that PyOpenCL puts behind a source, or not, does not make another program of it; other lines do."""
    usual = {"cache": known(stub), "wisdom": stub.store("trailing"), "STUB_COST": "local", "CLSIZER_EFFORT": "measure"}
    line = "\n\n__constant int pyopencl_defeat_cache_{} = 0;".format
    for tail, source in ((None, "measured"), (line("e" * 32), "wisdom"), (line("0123456789abcdef" * 2), "wisdom"),
                         (line("f" * 31), "measured"), (line("g" * 32), "measured"), (line("e" * 32) + "\n", "measured")):
        for _ in range(4):
            result = stub.client("drive", "layer", [*RANGE, 150, 1000], **({"DRIVE_TAIL": tail} if tail else {}), **usual)
            made = [e["source"] for e in decisions(result)]
            if made == [source]:
                break
            expect(not made, f"{tail}: {made}")
        expect(made == [source], f"{tail}: {made}, {result.reasons('observed')}")


def removed_decisions_are_missed(stub):
    """A run that would have no event times has them if decisions were removed, and decides again."""
    for removed in ("file", "lines", "all of several", "nothing"):
        cache, wisdom = known(stub), stub.store("removed")
        usual = {"cache": cache, "wisdom": wisdom / "w.jsonl" if removed == "lines" else wisdom, "CLSIZER_EFFORT": "measure"}
        for run in range(4):
            result = driven(stub, "layer", [150, 1000], **usual)
        expect([e["source"] for e in decisions(result)] == ["wisdom"], f"{removed}: {result.events}")
        for path in wisdom.glob("*.jsonl"):
            lines = path.read_text().splitlines(True)
            if removed == "lines":
                path.write_text("".join(line for line in lines if '"key"' not in line))
            elif removed != "nothing":
                path.unlink()
        result = driven(stub, "layer", [150, 1000], **usual)
        expect("not-timed" not in result.reasons("observed"), f"{removed}: {result.reasons('observed')}")
        sources = [e["source"] for e in decisions(result)]
        expect(sources == (["wisdom"] if removed == "nothing" else ["measured"]), f"{removed}: {sources}, {result.reasons('observed')}")


def removed_binaries_are_missed(stub):
    """A program whose kernels come from binaries of before clsizer has event times in the very run after these were removed;
    if they stay for long, it goes without."""
    timed = re.compile(r"^clCreateCommandQueue\(.*, 0x2\) = queue")
    usual = {"cache": stub.store("binaries"), "wisdom": stub.store("decided"), "CLSIZER_EFFORT": "measure"}
    arguments = ["-I" + str(stub.scratch), stub.scratch / "old.bin"]
    (stub.scratch / "rule.h").write_text("#define RULE get_global_id(0)\n")
    stub.client("included", "bare", arguments)
    history = []
    for _ in range(22):
        result = stub.client("included", "layer", arguments, **usual)
        expect(result.reasons("refusal") == ["from-binary"], f"{result.events}")
        history.append(any(map(timed.match, result.log)))
    expect(all(history[:16]) and not any(history[18:]), f"timed: {history}")
    other = {**usual, "cache": stub.store("others")}
    for _ in range(3):
        stub.client("included", "layer", arguments, **other)
    (stub.scratch / "old.bin").unlink()
    result = stub.client("included", "layer", arguments, **other)
    expect(any(map(timed.match, result.log)), "not timed")
    expect("not-timed" not in result.reasons("observed"), f"{result.reasons('observed')}")


def options_that_leave_out(stub):
    """What was left alone because of an option is tuned in the first run without that."""
    cache, wisdom = known(stub), stub.store("options")
    usual = {"cache": cache, "wisdom": wisdom, "CLSIZER_EFFORT": "measure"}
    for _ in range(3):
        driven(stub, "layer", [150, 1000], **usual, CLSIZER_KERNELS="!twice")
    result = driven(stub, "layer", [150, 1000], **usual)
    expect([e["source"] for e in decisions(result)] == ["measured"], f"{result.events}")


# ---- devices whose kernels share the processor with us --------------------------------------------------


def tiny_groups_are_analysed_sooner(stub):
    """On a CPU a program is analysed while it runs once that is cheap, and a program with tiny groups, or short rows, unless
    they are the whole launch, in half of that time; others at their end.  By the clock these 20 launches take 0.1 ms, 0.28 s
    or 1.4 s of one busy core, which is all that the client may use.  The helper does not answer, so its request stays there."""
    started = stub.scratch / "started"
    helper = script(stub, "helper.sh", f"touch '{started}'\nwhile [ -d '{stub.scratch}' ]; do sleep 0.05; done\n")
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for extent, local, tick, wanted in (("65536,0", "4,0", 4000, 0), ("65536,0", "4,0", 8000000, 1),
                                        ("14,8192", "7,16", 8000000, 1), ("7,16384", "7,16", 8000000, 0),
                                        ("512,512", "8,8", 8000000, 0), ("512,512", "8,8", 40000000, 1)):
        result = stub.client("drive", "layer", [extent, local, 20, 0, "y"], cache=stub.store("cache"), wisdom="none",
                             STUB_CPU=1, DRIVE_TICK=tick, CLSIZER_HELPER=helper, CLSIZER_EFFORT="measure",
                             CLSIZER_ANALYSE_AFTER=1)
        expect(result.out.splitlines()[0] == b"%d requests" % wanted, f"{local} of {extent}, {tick} ns: {result.out}")
        end = time.monotonic() + 20
        while not started.exists():
            expect(time.monotonic() < end, f"{local} of {extent}, {tick} ns: not analysed at its end either")
            time.sleep(0.01)
        started.unlink()


CASES = [odd_times, no_times, no_times_of_parts, busy_queues, still_events, two_queues, changed_queues,
         queues_on_the_device, two_of_a_kind, cancelled_waits, outstanding_sizes, refused_sizes, failing_sizes,
         failing_when_confined, many_groups, classes, aborting_compiler, old_drivers, foreign_memory, language_version, described,
         quiet_when_decided, numbered_sources, trailing_lines, removed_decisions_are_missed, removed_binaries_are_missed, options_that_leave_out,
         tiny_groups_are_analysed_sooner]

if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(transparent.main(CASES, __doc__))
