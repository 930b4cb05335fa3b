#!/usr/bin/env python3
"""The process around the launches: children, ends of all kinds, other libraries, other layers.

    process.py --build DIR [CASE...]       no CASE: all; --list prints their names

Every case runs on PoCL.
"""

import os
import pathlib
import shutil
import sys
import time

from harness import DRIVERS, SKIPPED, Failure, Skip, expect, expect_reason, run_cases, same

PROGRAM = "conv2d"
ARGUMENTS = ["-n", "256", "-l", "150"]

# A program that watches its children: it makes itself what argv[2] says, forks once at the end, and says on stdout
# what SIGCHLD and wait() told it.
WATCHER = r"""
import ctypes, os, signal, subprocess, sys
seen = []
def on_child(number, frame): seen.append(number)
if sys.argv[1] == "subreaper": ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
signal.signal(signal.SIGCHLD, on_child if sys.argv[2] == "handler" else signal.SIG_IGN)
lib = ctypes.CDLL(sys.argv[3])
print("status", lib.embedded_main(), flush=True)
try: print("waited for", os.waitpid(-1, os.WNOHANG))
except ChildProcessError: print("no children")
print("signals", len(seen), "pid 1" if os.getpid() == 1 else "")
"""


def watcher(bench, way, kind, disposition, **options):
    """Run the launches of libembedded.so in a Python process that looks at its children.  Bare for as long as it takes
    to launch at all; otherwise a helper can start and end meanwhile."""
    command = [sys.executable, "-c", WATCHER, kind, disposition, bench.build / "libembedded.so"]
    if kind == "pid1":
        command = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", *command]
    return bench.run(command, way, **{"EMBEDDED_MS": 50 if way == "bare" else 1000, **options})


def check_watcher(bench, kind):
    """Nothing is changed, for the driver starts programs of its own for each new size."""
    watcher(bench, "bare", kind, "handler")  # the driver's compilations
    for disposition in ("handler", "ignore"):
        bare = watcher(bench, "bare", kind, disposition)
        expect(b"status 0" in bare.out and b"no children" in bare.out, f"bare: {bare.out} {bare.err[-500:]}")
        cache = bench.store("cache")
        for ms in (1000, 300):  # with a helper, which a busy machine may leave unfinished, and with its answer
            result = watcher(bench, "both", kind, disposition, cache=cache, CLSIZER_DRY_RUN=1, EMBEDDED_MS=ms)
            same(result, bare, f"{kind}, SIGCHLD {disposition}")
            bench.wait_for_helper(cache)
        expect_reason(result, "program", "analysed")


def subreaper(bench):
    """A process that orphans come back to does not get our helper as a child, and is tuned all the same."""
    check_watcher(bench, "subreaper")


def plain_parent(bench):
    """Nor does any other."""
    check_watcher(bench, "plain")


def process_one(bench):
    """Process 1 of a container."""
    probe = bench.run(["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "true"])
    if probe.status != 0:
        raise Skip("no new PID namespaces here")
    check_watcher(bench, "pid1")


def killed_helper(bench):
    """What a helper that misses its deadline had started does not come back to a subreaper, nor to process 1."""
    probe = bench.run(["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "true"])
    watcher(bench, "bare", "subreaper", "handler")  # the driver's compilations
    for kind in ("subreaper", "pid1") if probe.status == 0 else ("subreaper",):
        bare = watcher(bench, "bare", kind, "handler")
        result = watcher(bench, "both", kind, "handler", cache=bench.store("cache"), CLSIZER_DRY_RUN=1,
                         CLSIZER_DEADLINE=10)
        same(result, bare, f"{kind}, helper killed")
        expect(result.of("refusal", reason="analysis-timeout"), f"it was not killed: {result.events}")


# ---- ends, and other turns in life ----------------------------------------------------------------------


def host(bench, way, kind, chances=1, **options):
    """`chances`: runs, all but the last of which may hang.  Where they all hang without us, there is nothing to compare."""
    for chance in range(chances, 0, -1):
        try:
            return bench.run([bench.build / "tests" / "host", kind, bench.build / "libembedded.so"], way, **options)
        except Failure as failure:
            if "still runs" not in str(failure) or (chance == 1 and (way != "bare" or chances == 1)):
                raise
    raise Skip(f"{chances} bare runs of {kind} hung")


def lives(bench, *kinds, **options):
    """The same output and exit status in every way in, while things are decided."""
    cache = bench.store("cache")
    host(bench, "both", "exit", cache=cache, CLSIZER_WISDOM="none", EMBEDDED_MS=500)
    bench.wait_for_helper(cache)
    for kind in kinds:
        bare = host(bench, "bare", kind, **options)
        for way in ("preload", "layer", "both"):
            result = host(bench, way, kind, cache=cache, wisdom=bench.store("w") / "wisdom", **options)
            same(result, bare, f"{kind}, {way}")
        expect(b": 0" in bare.out, f"{kind}: nothing was launched: {bare.out}")
        expect(result.of("program") or result.of("decision") or kind == "stack",
               f"{kind}: nothing was looked at: {result.events[:2]}")


def plain_ends(bench):
    lives(bench, "exit", "_exit", "quick_exit")


def sudden_ends(bench):
    lives(bench, "signal", "abort", "exec")


def exit_handlers(bench):
    """Launches from exit handlers and destructors, some of them after our own teardown."""
    lives(bench, "atexit", "late")


def reloaded(bench):
    """dlclose() of libOpenCL, and back again."""
    lives(bench, "reload")


def short_threads(bench):
    lives(bench, "threads", "stack")


def first_thread_ended(bench):
    """A program whose first thread has ended: /proc says little about it, and it is analysed all the same."""
    bare = host(bench, "bare", "leader")
    result = host(bench, "both", "leader", cache=bench.store("cache"), EMBEDDED_MS=1500)
    same(result, bare, "leader")
    expect_reason(result, "program", "analysed")


def cancelled(bench):
    """A thread that is cancelled while it launches leaves no lock of ours behind, and we run into none that it left in
    the driver.  PoCL 3.1 would run into its compiler's, so the thread has time to be done with that; on a machine so
    busy that it has not, there are second chances."""
    lives(bench, "cancel", timeout=20, chances=4)


def interrupted(bench):
    """Signals interrupt whatever they can."""
    lives(bench, "itimer")


# ---- moods of the application ------------------------------------------------------------------------------


def mood(bench, way, kind, before=(), **options):
    """Run the program that is in some state while it launches; by the launcher, unless bare."""
    command = [*before, *([] if way == "bare" else [bench.build / "clsizer"]), bench.build / "tests" / "moods", kind]
    result = bench.run(command, **options)
    if result.status == SKIPPED:
        raise Skip(f"the system does not allow {kind}")
    return result


def moods(bench, kind, **options):
    """The same as bare while the helper is at work, while things are decided, and afterwards.  The last run."""
    mood(bench, "bare", kind)  # the driver's compilations
    bare = mood(bench, "bare", kind)
    expect(bare.status == 0, f"bare: {bare.status} {bare.err[-300:]}")
    cache, wisdom = bench.store("cache"), bench.store("w") / "wisdom"
    for turn in ("cold", "deciding", "warm"):
        result = mood(bench, "launcher", kind, cache=cache, wisdom=wisdom, CLSIZER_ANALYSE_AFTER=3, **options)
        same(result, bare, f"{kind}, {turn}")
        mood(bench, "launcher", "plain", cache=cache, wisdom=wisdom)  # whatever the mood did not allow
        bench.wait_for_helper(cache)
    return result


def floating_point(bench):
    """What we compute raises no exception that the program sees, or is ended by."""
    expect(moods(bench, "traps").of("decision"), "nothing was decided")


def coroutine(bench):
    """Launches from a coroutine: its stack is smaller than the thread's."""
    moods(bench, "coroutine")


def still_clock(bench):
    """Whoever has put clocks of his own in the place of the system's: no wait of ours depends on them."""
    moods(bench, "clock", CLSIZER_EFFORT="patient")


def small_stack(bench):
    """PoCL's device that runs kernels in the thread that waits, whose stack is smaller than usual."""
    moods(bench, "thread", POCL_DEVICES="basic", CLSIZER_EFFORT="exhaustive")


def confined(bench):
    """A program that would be killed for opening a file does not open any."""
    moods(bench, "seccomp")
    moods(bench, "worker")


def confined_unasked(bench):
    """Nor is a program killed that would be for asking whether it may."""
    moods(bench, "silence")


def confined_in_a_container(bench):
    """That there was a filter before does not hide the program's own."""
    moods(bench, "container")


def next_namespace(bench):
    """Process 1 of the program's next namespace is not ours to be.  Nothing is changed: the driver, too, starts
    programs for sizes that it has not compiled."""
    moods(bench, "namespace", CLSIZER_DRY_RUN=1)


def hampered(bench, kind, before=(), **options):
    """The same as bare where PoCL can load what it has compiled, but would end the process for another size."""
    driver = bench.scratch / "driver"
    if not driver.exists():
        driver.mkdir()
        mood(bench, "bare", "plain", POCL_CACHE_DIR=driver)
    bare = mood(bench, "bare", kind, before, POCL_CACHE_DIR=driver)
    expect(bare.status == 0, f"bare: {bare.status} {bare.err[-300:]}")
    result = mood(bench, "launcher", kind, before, POCL_CACHE_DIR=driver, CLSIZER_NO_AHEAD=1, **options)
    same(result, bare, f"{kind} {options}")
    return result


def without_means(bench):
    """No linker is found any more, or from the start, or no file can be opened, or there is no memory: no size is compiled
    for."""
    cache = bench.store("known")
    hampered(bench, "plain", CLSIZER_DRY_RUN=1, CLSIZER_ANALYSE_AFTER=0, cache=cache)
    bench.wait_for_helper(cache)
    for kind, before in ("lost", []), ("plain", ["env", "PATH=/nonexistent"]), ("full", ["prlimit", "--nofile=256"]), \
            ("memory", ["prlimit", "--data=1000000000"]):
        for effort in "measure", "patient":
            result = hampered(bench, kind, before, CLSIZER_EFFORT=effort, cache=cache)
            if kind != "full":  # then it cannot be reported
                expect_reason(result, "observed", "hampered")


IGNORING = ["env", "--ignore-signal=CHLD"]


def ignored_children(bench):
    """SIGCHLD is ignored, from the start or later: no size is compiled for."""
    for result in hampered(bench, "ignore"), hampered(bench, "plain", IGNORING):
        expect_reason(result, "observed", "hampered")
        expect("race-unfinished" not in result.reasons("observed"), "the last word hides that")


def ignored_children_decided(bench):
    """Nor is a size that was asked for, chosen by the model or by an earlier run; but one that was launched stays."""
    for options in {"CLSIZER_SIZES": "mood=64"}, {"CLSIZER_EFFORT": "estimate"}, {"CLSIZER_EFFORT": "estimate"}:
        result = hampered(bench, "plain", IGNORING, **options)
        expect_reason(result, "observed", "hampered")
    expect(result.of("decision", source="wisdom"), f"not from an earlier run: {result.events}")
    result = hampered(bench, "ignore", CLSIZER_SIZES="mood=64")
    expect(result.of("decision") and not result.of("observed"), f"it did not stay: {result.events}")


def jailed(bench):
    """After chroot() nothing is compiled, and our files are none of the jail's."""
    jail = bench.scratch / "jail"
    for folder in ("cache", "driver"):
        (jail / bench.scratch.relative_to("/") / folder).mkdir(parents=True)
    there = sorted(jail.rglob("*"))
    for effort in "measure", "patient":
        result = hampered(bench, "jail", ["env", "-C", jail], CLSIZER_EFFORT=effort)
        expect(sorted(jail.rglob("*")) == there, f"in the jail: {sorted(jail.rglob('*'))}")
    expect_reason(result, "program", "analysed")


def without_rights(bench):
    """Another user, who may start no process."""
    expect_reason(hampered(bench, "nobody"), "program", "analysed")


def no_proc(bench):
    """Without /proc the driver knows less, and is not asked for what it would complain about."""
    bare_system = ["unshare", "--mount", "sh", "-c", 'umount -l /proc && exec "$0" "$@"']
    if bench.run([*bare_system, "true"]).status != 0:
        raise Skip("no new mount namespaces")
    bare = mood(bench, "bare", "plain", bare_system)
    result = mood(bench, "launcher", "plain", bare_system, CLSIZER_QUIET=1)
    same(result, bare, "no /proc")
    expect(result.err == bare.err, f"stderr was {bare.err!r}, is {result.err!r}")


def replaced_stderr(bench):
    """The line at exit, and explanations, go to stderr, not to what has its number by then."""
    moods(bench, "stderr", CLSIZER_VERBOSE=3)


def other_stderr(bench):
    """What a script catches of a program's stderr is the program's."""
    caught = bench.scratch / "caught"
    for way in (bench.build / "clsizer", "env"):
        done = bench.run(["sh", "-c", 'exec "$0" sh -c \'"$0" plain 2>"$1"\' "$1" "$2"', way,
                          bench.build / "tests" / "moods", caught])
        expect(done.status == 0, f"{way}: {done.status} {done.err[-300:]}")
        expect(not caught.read_text(), f"{way}: it caught {caught.read_text()}")
    done = mood(bench, "launcher", "plain")
    expect("clsizer: 1 kernel" in done.err, f"the line at exit is missing: {done.err[-300:]}")


def limited_stderr(bench):
    """A stderr that may not grow."""
    log = bench.scratch / "log"
    for way in ("bare", "launcher"):
        log.write_text("full\n")
        limited = ["sh", "-c", f"exec \"$0\" \"$@\" 2>>'{log}'"]
        done = mood(bench, way, "limit", limited)
        expect(done.status == 0, f"{way}: {done.status}")
    expect(log.read_text() == "full\n", f"it grew: {log.read_text()}")


def ended_in_a_signal(bench):
    """exit() in a signal handler that came while a lock of ours was held."""
    cache, wisdom = bench.store("cache"), bench.store("w") / "wisdom"
    for _ in range(3):
        result = mood(bench, "launcher", "exit", cache=cache, wisdom=wisdom, timeout=20, CLSIZER_EFFORT="measure",
                      CLSIZER_NO_AHEAD=1)
        expect(result.status in (0, 5), f"exit status {result.status}: {result.err[-300:]}")
        bench.wait_for_helper(cache)
    expect(result.status == 5, "no signal came")


# ---- tools that look for errors ----------------------------------------------------------------------------


def sanitized(bench, program, **options):
    """A program with a sanitizer in it finds nothing wrong that it does not find alone."""
    command = [bench.build / "tests" / program, "plain"]
    if not command[0].exists():
        raise Skip("not built: no such sanitizer, or everything has one")
    bare = bench.run(command, **options)
    if bare.status != 0:
        raise Skip(f"it does not work here: {bare.status} {bare.err[-300:]}")
    cache, wisdom = bench.store("cache"), bench.store("w") / "wisdom"
    for turn in ("helper started", "decided"):
        result = bench.run([bench.build / "clsizer", *command], cache=cache, wisdom=wisdom, **options)
        same(result, bare, f"{program}, {turn}")
        bench.wait_for_helper(cache)
    expect(result.of("decision") or result.of("observed"), f"nothing was looked at: {result.events}")


def address_sanitizer(bench):
    sanitized(bench, "moods_address", ASAN_OPTIONS="detect_leaks=0")  # the driver's, at exit


def thread_sanitizer(bench):
    sanitized(bench, "moods_thread")


def valgrind(bench):
    """Hands off, also as process 1, whose helpers are started in a way that ends Valgrind."""
    command = ["valgrind", "--tool=none", bench.build / "tests" / "moods", "plain"]
    namespace = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if not shutil.which("valgrind") or bench.run([*namespace, "true"]).status != 0:
        raise Skip("no Valgrind, or no new PID namespaces")
    result = bench.run([*namespace, *command], "both", cache=bench.store("cache"))
    same(result, bench.run(command[2:]), "valgrind as process 1")
    expect([(e["event"], e.get("reason")) for e in result.events] == [("run", None), ("warning", "valgrind")],
           f"not left alone: {result.events}")


def traced(bench):
    """Who follows the application's children does not meet our helper, nor wait for it."""
    app, log, cache = [bench.build / "tests" / "moods", "plain"], bench.scratch / "log", bench.store("cache")
    strace = ["strace", "-f", "-qq", "-o", log, "-e", "trace=execve"]
    if not shutil.which("strace") or bench.run([*strace, "true"]).status != 0:
        raise Skip("no strace, or no tracing here")
    bench.run(app)  # the driver's compilations
    bare = bench.run(app)
    result = bench.run([*strace, bench.build / "clsizer", *app], cache=cache, CLSIZER_DRY_RUN=1)
    same(result, bare, "strace -f")
    expect_reason(result, "program", "analysed")
    expect("clsizer-analyze" not in log.read_text(), f"the helper was followed: {log.read_text()}")


# ---- others in the process -------------------------------------------------------------------------------


def bind_now(bench):
    """LD_BIND_NOW: everything that we import is there."""
    bare = bench.run_app(PROGRAM, arguments=ARGUMENTS)
    for way in ("preload", "layer", "both"):
        same(bench.run_app(PROGRAM, way, arguments=ARGUMENTS, LD_BIND_NOW=1), bare, f"LD_BIND_NOW, {way}")
    same(bench.run(["clinfo"], "both", LD_BIND_NOW=1), bench.run(["clinfo"]), "clinfo, LD_BIND_NOW")


def while_others_load(bench):
    """Looking for a loader that is in nobody's scope does not hang when another thread loads a library."""
    library = bench.scratch / "libOpenCL-not.so"
    shutil.copy(bench.build / "spy_layer.so", library)
    result = bench.run([bench.build / "tests" / "host", "loading", library], "preload", timeout=20)
    expect(result.status == 0 and result.out == b"loading: -1001\n", f"{result.status}: {result.out} {result.err}")


def other_preload(bench):
    """Another preloaded library before or behind ours sees every launch of the application's."""
    other, cache = bench.build / "other_preload.so", bench.store("cache")
    bare = bench.run_app(PROGRAM, arguments=ARGUMENTS)
    counts = {}
    for name, libraries in {"alone": [other], "before": [other, bench.library], "behind": [bench.library, other]}.items():
        log = bench.scratch / name
        for layers in (None, bench.library):
            result = bench.run_app(PROGRAM, arguments=ARGUMENTS, LD_PRELOAD=":".join(map(str, libraries)),
                                   OPENCL_LAYERS=layers, OTHER_LOG=log, cache=cache)
            same(result, bare, f"other library {name}, layers {layers}")
            expect(result.events or name == "alone" and not layers, f"{name}: we saw nothing")
        counts[name] = log.read_text().splitlines()
    expect(set(counts["before"]) == set(counts["alone"]),
           f"the library before us counted {counts['before']}, not {counts['alone']}")


def other_layers(bench):
    """Layers above and below ours, both orders, and ours named twice."""
    spy, bare = bench.build / "spy_layer.so", bench.run_app(PROGRAM, arguments=ARGUMENTS)
    cache = bench.store("cache")
    for number, layers in enumerate(([spy, bench.library], [bench.library, spy], [spy, bench.library, spy])):
        for preload in (None, bench.library):
            log = bench.scratch / f"log-{number}-{preload is None}"
            result = bench.run_app(PROGRAM, arguments=ARGUMENTS, OPENCL_LAYERS=":".join(map(str, layers)),
                                   LD_PRELOAD=preload, SPY_LOG=log, cache=cache)
            same(result, bare, f"layers {layers}")
            expect(result.events, f"layers {layers}: we saw nothing")
            expect(log.read_text(), f"layers {layers}: the other layer saw nothing")


def everything(bench, devices, **options):
    """Launches on every device that there is, in turns, in every way in, while things are decided and afterwards."""
    arguments, cache = ["--small", "-l", "60"], bench.store("cache")
    bare = bench.run_app("platforms", arguments=arguments, **options)
    expect(bare.status == 0, f"bare: {bare.status} {bare.err[-500:]}")
    if f"devices: {devices}".encode() not in bare.out:
        raise Skip(f"there are not {devices} devices: {bare.out}")
    for way in ("layer", "preload", "both"):
        for times in range(2):
            result = bench.run_app("platforms", way, arguments=arguments, cache=cache, **options)
            same(result, bare, f"{way} {times}")
            bench.wait_for_helper(cache)
    return result


def several_platforms(bench):
    """Several drivers in one process."""
    folder, installed = bench.store("vendors"), 0
    for name, (library, _, _) in DRIVERS.items():
        if os.path.exists(library):
            text = open(library).read() if library.endswith(".icd") else library + "\n"
            (folder / f"{name}.icd").write_text(text)
            installed += 1
    if installed < 2:
        raise Skip("only one driver is installed")
    result = everything(bench, installed, OCL_ICD_VENDORS=folder, RUSTICL_ENABLE="llvmpipe")
    devices = {e["device"] for e in result.of("decision") + result.of("observed")}
    expect(len(devices) > 1, f"launches were looked at on {devices} only")


def two_devices(bench):
    """Two devices in one context."""
    everything(bench, 2, POCL_DEVICES="pthread pthread")


def mixed_devices(bench):
    """Two devices in one context, one of which runs in the program's threads: left alone."""
    result = everything(bench, 2, POCL_DEVICES="pthread basic")
    reasons = {e["reason"] for e in result.of("refusal")}
    expect(reasons == {"mixed-devices"}, f"{reasons}")


def helpers_end_with_their_directory(bench):
    """Helpers outlive a program by seconds, but not the directory that they write into; and nothing is put there anew."""
    def helpers(cache):
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = entry.read_bytes()
            except OSError:  # it has ended
                continue
            if str(cache).encode() in words and b"clsizer-a" in words.split(b"\0")[0]:
                found.append(entry.parent.name)
        return found

    met = 0
    for attempt in range(12):
        cache = bench.store(f"cache{attempt}")
        bench.run_app("conv2d", "both", ["-n", str(512 + 64 * attempt), "-l", "40"], cache=cache, wisdom="none", CLSIZER_EFFORT="measure",
                      CLSIZER_ANALYSE_AFTER="1", POCL_CACHE_DIR=bench.store("pocl"))
        met += bool(helpers(cache))
        shutil.rmtree(cache)
        end = time.monotonic() + 2.5
        while helpers(cache) and time.monotonic() < end:
            time.sleep(0.05)
        expect(not helpers(cache), f"attempt {attempt}: {helpers(cache)} go on without their directory")
        expect(not cache.exists(), f"attempt {attempt}: it was made anew")
        if met == 3:
            return
    raise Skip("the helpers had always ended before the program")


CASES = [subreaper, plain_parent, process_one, killed_helper, plain_ends, sudden_ends, exit_handlers, reloaded, short_threads,
         first_thread_ended, cancelled, interrupted, floating_point, coroutine, still_clock, small_stack, confined, confined_unasked, confined_in_a_container, next_namespace,
         without_means, ignored_children, ignored_children_decided, jailed, without_rights, no_proc,
         replaced_stderr, other_stderr, limited_stderr, ended_in_a_signal, address_sanitizer, thread_sanitizer, valgrind,
         traced, bind_now, while_others_load, other_preload, other_layers, several_platforms, two_devices, mixed_devices,
         helpers_end_with_their_directory]

if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(run_cases(__doc__, CASES))
