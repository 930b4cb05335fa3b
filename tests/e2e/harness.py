"""What the end-to-end tests share: drivers, ways of getting in, clean environments, report files.

Python's standard library only.
"""

import argparse
import functools
import inspect
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
APP_SOURCES = HERE.parent / "apps"
SKIPPED = 77  # exit status of a test that cannot run here

# Where scripts/drivers.sh puts the drivers that it installs.
INSTALLED = pathlib.Path(os.environ.get("CLSIZER_DRIVERS") or
                         pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "clsizer-drivers")

# name -> (ICD library or .icd file, further environment, arguments that keep the programs short)
DRIVERS = {
    "pocl": ("/etc/OpenCL/vendors/pocl.icd", {}, ["--small", "-l", "200"]),
    "rusticl": ("/etc/OpenCL/vendors/rusticl.icd", {"RUSTICL_ENABLE": "llvmpipe"}, ["--small", "-l", "200"]),
    "intel": (str(INSTALLED / "intel/intel.icd"), {}, ["--small", "-l", "200"]),
    # one that scripts/gpu_check.sh finds
    "other": (os.environ.get("CLSIZER_TEST_ICD", "/none"), {}, ["--small", "-l", "200"]),
    "oclgrind": ("/usr/lib/oclgrind/liboclgrind-rt-icd.so", {}, ["--small"]),
}

# The driver of tests that need one that measures; scripts/drivers.sh chooses others.
USUAL = os.environ.get("CLSIZER_TEST_DRIVER", "pocl")

# Programs whose small size still takes a simulator seconds.
SMALLER = {
    ("oclgrind", "inplace"): ["-n", "256"],
    ("oclgrind", "conv2d"): ["-n", "32"],
    ("oclgrind", "scratch"): ["-n", "1024"],
    ("oclgrind", "csr"): ["-n", "200"],
}

# Programs that a driver cannot run even without clsizer.
UNABLE = {
    ("oclgrind", "threads"): "Oclgrind 21.10 aborts when two threads launch at once",
    ("oclgrind", "queues"): "Oclgrind 21.10 aborts when two threads launch at once",
    ("oclgrind", "shared"): "Oclgrind 21.10 aborts when two threads launch at once",
    ("oclgrind", "spirv"): "Oclgrind 21.10 takes no SPIR-V",
    ("oclgrind", "variety"): "Oclgrind 21.10 hangs",
    ("oclgrind", "hostile"): "Oclgrind 21.10 crashes on such options",
    ("intel", "separate"): "Intel's runtime 2026.22 keeps the options of clCompileProgram() when the program is then built",
}

# What refuses kernels elsewhere, and need not where all sizes of a class compute the same (driver_quirks.def).
LIFTED = {"intel": {"relaxed-math", "driver-rounds", "undefined-conversion", "nan-bits", "undefined-alias"}, "other": {"relaxed-math"}}

# Programs that want another layer between clsizer and the driver.
LAYERS = {"spirv": "il_layer.so"}

# How the library gets in: (LD_PRELOAD, OPENCL_LAYERS).  "preload" keeps the library from joining the layers itself.
WAYS = {
    "bare": (False, False),
    "preload": (True, False),
    "layer": (False, True),
    "both": (True, True),
}


class Failure(Exception):
    """A test's expectation that was not met."""


class StillRuns(Failure):
    """A program that had not ended in time, and was killed."""


class Skip(Exception):
    """Why a test cannot run here."""


def expect(condition, message):
    if not condition:
        raise Failure(message)


class Result:
    """One run of a program: exit status (negative: signal), stdout, stderr, report events."""

    def __init__(self, status, out, err, events):
        self.status, self.out, self.err, self.events = status, out, err, events

    def of(self, event, **members):
        """The report's events of one kind whose members have the given values."""
        return [e for e in self.events
                if e.get("event") == event and all(e.get(k) == v for k, v in members.items())]

    def reasons(self, event):
        return sorted({e.get("reason", "") for e in self.of(event)})


class Bench:
    """A build, a driver, and a scratch directory with stores of its own."""

    def __init__(self, build, driver, spirv=None):
        self.build = pathlib.Path(build).resolve()
        self.driver = driver
        self.spirv = spirv
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="clsizer-e2e-"))
        self.library = self.build / "libclsizer.so"
        self.numbers = itertools.count(1)  # of runs; safe in threads

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.scratch, ignore_errors=True)

    def available(self):
        return pathlib.Path(DRIVERS[self.driver][0]).exists()

    def app(self, name):
        return str(self.build / "apps" / name)

    def store(self, name):
        """A fresh directory of this name.  A helper of an earlier run may still be writing into the one that was there."""
        path, end = self.scratch / name, time.monotonic() + 20
        while True:
            shutil.rmtree(path, ignore_errors=True)
            try:
                path.mkdir(mode=0o700)
                return path
            except FileExistsError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def environment(self, way="bare", cache=None, wisdom=None, **variables):
        """A clean environment.  Variables whose value is None are removed."""
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(("CLSIZER_", "POCL_", "OCL_ICD_", "STUB_")) and k not in ("LD_PRELOAD", "OPENCL_LAYERS")}
        icd, more, _ = DRIVERS[self.driver]
        env.update(more)
        env["OCL_ICD_VENDORS"] = icd if icd.endswith(".icd") else self.icd_file(icd)
        # Compiled kernels are kept between test runs, apart from the user's.
        pocl_cache = self.build / "e2e-pocl-cache"
        pocl_cache.mkdir(exist_ok=True)
        env["POCL_CACHE_DIR"] = str(pocl_cache)
        preload, layer = WAYS[way]
        if preload:
            env["LD_PRELOAD"] = str(self.library)
        if layer:
            env["OPENCL_LAYERS"] = str(self.library)
        if preload and not layer:
            env["CLSIZER_NO_LAYER"] = "1"
        env["CLSIZER_CACHE"] = str(cache or self.scratch / "cache")
        env["CLSIZER_WISDOM"] = str(wisdom or self.scratch / "wisdom.jsonl")
        env["XDG_CONFIG_HOME"] = str(self.scratch / "none")  # no configuration of the user's
        env["XDG_DATA_HOME"] = str(self.scratch / "data")
        env["CLSIZER_SYSTEM_WISDOM"] = "none"  # nor decisions of the machine
        env["CLSIZER_EFFORT"] = "patient"
        env["CLSIZER_ANALYSE_AFTER"] = "0"
        for name, value in variables.items():
            if value is None:
                env.pop(name, None)
            else:
                env[name] = str(value)
        return env

    def icd_file(self, library):
        path = self.scratch / (self.driver + ".icd")
        path.write_text(library + "\n")
        return str(path)

    def run(self, command, way="bare", timeout=200, cache=None, wisdom=None, **variables):
        """Run a command to its end and read its report."""
        report = self.scratch / f"report-{next(self.numbers)}.jsonl"
        env = self.environment(way, cache, wisdom, **{"CLSIZER_REPORT": report, **variables})
        with subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as program:
            try:
                out, err = program.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                stacks = where_it_stands(program.pid)
                program.kill()
                raise StillRuns(f"{' '.join(map(str, command))} ({way}) still runs after {timeout} s; "
                                f"stderr: {program.communicate()[1][-500:]}\n{stacks}") from None
        events = read_events(report)
        unknown = {e["reason"] for e in events if "reason" in e} - explained_reasons(self.build)
        expect(not unknown, f"`clsizer --reasons` does not know {sorted(unknown)}")
        return Result(program.returncode, out, err.decode(errors="replace"), events)

    def run_app(self, name, way="bare", arguments=None, **options):
        small = [*DRIVERS[self.driver][2], *SMALLER.get((self.driver, name), [])] if arguments is None else arguments
        if name in LAYERS:
            layers = [str(self.build / LAYERS[name])] + ([str(self.library)] if WAYS[way][1] else [])
            options.update(OPENCL_LAYERS=":".join(layers), IL_SCRATCH=self.scratch, IL_TRANSLATOR=self.spirv)
        return self.run([self.app(name), *small], way, **options)

    def analysed_app(self, name, arguments=None, way="layer", **options):
        """A cache that knows the program's kernels, by a run that remembers nothing else."""
        cache = self.store("cache")
        self.run_app(name, way, arguments, cache=cache, wisdom="none", **options)
        self.wait_for_helper(cache)
        expect(list(cache.glob("*.sum")), "the helper left no summary")
        return cache

    def wait_for_helper(self, cache, seconds=100):
        """The helper outlives short programs, which then leave their request: wait until it is answered."""
        cache, end = pathlib.Path(cache), time.monotonic() + seconds
        while time.monotonic() < end:
            if all((cache / (request.name.split(".")[0] + ".sum")).exists() for request in cache.glob("*.req")):
                break
            time.sleep(0.02)


def where_it_stands(pid):
    """The calls that each thread of a process is in, where a debugger is installed."""
    if not shutil.which("gdb"):
        return "(no gdb to show where)"
    return subprocess.run(["gdb", "--batch", "--nx", "-p", str(pid), "-ex", "thread apply all backtrace 20"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


@functools.lru_cache
def explained_reasons(build):
    """The names that `clsizer --reasons` explains."""
    table = subprocess.run([build / "clsizer", "--reasons"], capture_output=True, check=True, text=True).stdout
    return set(re.findall(r"^  ([a-z-]+) +\S", table, re.M))


def wisdom_records(path):
    """What a wisdom file holds, the oldest record first."""
    lines = path.read_text().splitlines() if path.exists() else []
    return [r for r in map(json.loads, lines) if "key" in r]


def read_events(path):
    """The lines of a report; every one must be an object of schema 1."""
    if not path.exists():
        return []
    events = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        try:
            event = json.loads(line)
        except ValueError as error:
            raise Failure(f"report line {number} is not JSON: {error}: {line[:200]}") from None
        expect(event.get("schema") == 1 and "event" in event,
               f"report line {number} lacks schema or event: {line[:200]}")
        events.append(event)
    return events


def same(result, bare, what):
    """The application must not be able to tell."""
    expect(result.status == bare.status,
           f"{what}: exit status {result.status}, not {bare.status}; stderr: {result.err[-4000:]}")
    got, want = (r.out.decode(errors="replace") for r in (result, bare))
    expect(result.out == bare.out, f"{what}: stdout differs:\n{got}--- bare:\n{want}")


class Expectation:
    """What the report may say about one kernel."""

    def __init__(self, verdict, reasons):
        self.decision = verdict in ("tuned", "allowed")  # may be there
        self.decided = verdict == "tuned"                # must be there, given enough launches
        self.reasons = set(reasons.split("|")) if reasons else set()  # of refusals


def expectations(app, driver=None):
    """What a program's source says about its kernels, {kernel: Expectation}; on a driver that need not refuse them for that
    reason, they may be tuned.  One line per kernel in its head comment:

    >>> KERNEL: tuned              decided, whatever the decision
    >>> KERNEL: allowed            decided or not
    >>> KERNEL: refused REASON|... refused for one of these
    >>> KERNEL: tuned, refused REASON|...   some launches this, some that
    """
    text = (APP_SOURCES / (app + ".c")).read_text()
    lines = re.findall(r"^ \* >>> (\w+): (tuned|allowed|)(?:, )?(?:refused ([\w|-]+))?$", text, re.M)
    expect(len(lines) == text.count(" >>> "), f"{app}.c has expectations that are not understood")
    lifted = LIFTED.get(driver, set())
    return {kernel: Expectation(verdict or ("allowed" if lifted & set(reasons.split("|")) else ""), reasons)
            for kernel, verdict, reasons in lines}


def local_of(event):
    """The local size in a decision event as text: "64x4", "driver's choice"."""
    local = event.get("chosen")
    if local is None:
        local = event.get("decision", {}).get("local")
    if not local:
        return "driver's choice"
    return "x".join(str(n) for n in local[:event.get("launch", {}).get("dim", 3)])


def script(bench, name, body):
    """A shell script in the scratch directory."""
    path = bench.scratch / name
    path.write_text("#!/bin/bash\n" + body)
    path.chmod(0o700)
    return path


def expect_reason(result, event, *reasons):
    seen = result.reasons(event)
    expect(set(seen) & set(reasons), f"the report has {event} reasons {seen}, none of {list(reasons)}")


def run_cases(description, cases, new_bench=lambda build: Bench(build, USUAL)):
    """The main program of a file of cases, functions of a Bench, each of which gets a new one."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    names = {case.__name__: case for case in cases}
    if options.list:
        print("\n".join(names))
        return 0
    passed = failed = skipped = 0
    for name in options.cases or names:
        with new_bench(options.build) as bench:
            if not bench.available():
                print(f"skip {name}: {bench.driver} is not installed")
                return SKIPPED
            try:
                names[name](bench)
                passed += 1
                print(f"ok   {name}", flush=True)
            except Skip as why:
                skipped += 1
                print(f"skip {name}: {why}", flush=True)
            except Failure as failure:
                failed += 1
                print(f"FAIL {name}: {failure}\n     {inspect.getdoc(names[name]) or ''}", flush=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0 if passed else SKIPPED
