#!/usr/bin/env python3
"""What the presence of the library costs, as ratios and differences measured side by side in one run.

    bench_overhead.py [--build DIR] [--rounds N] [--json FILE] [--check]

Calls: nanoseconds per call on the stub driver, whose own calls cost next to nothing, with one thread and with eight.
Launches: enqueue to finish of an empty kernel on PoCL, each run's against the driver's own functions, called in turn
with the program's in the same process (tests/transparent/overhead.c).  On some machines a launch takes one of several
times, by whether the device's threads still are awake, and nanoseconds decide which: so the same ratio is shown for the
driver's own functions after a delay of 250 ns, without clsizer.
Modes: bare, again bare (A/A: what the noise is), off, untuned (no kernel may be tuned), observing (launches are timed,
nothing is decided), decided (the program's own size was found best, from wisdom), asked (the program's own size was
asked for, so that every shape is decided).  Untuned and decided runs are measured as most of them are, without event
times: the first of each, which has them, is not counted.
Programs without OpenCL: start-up time and memory of a process with the library preloaded.
Runs of all modes are interleaved; figures are medians over rounds, of which there are six times as many for launches
from enqueue to finish.  --check: exit status 1 when a target is missed.
"""

import argparse
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import measure

HERE = pathlib.Path(__file__).resolve().parent
MODES = ("bare", "bare again", "off", "untuned", "observing", "decided", "asked")
ITEMS = 1024  # of the launch that is made again and again (tests/transparent/overhead.c)
# Targets: nanoseconds added per call; ratio of an empty launch; milliseconds and kilobytes without OpenCL.
CALL_NS, ENQUEUE_NS, LAUNCH_RATIO, LOAD_MS, LOAD_KB = 100, 500, 1.02, 1.0, 1024


class Bench:
    def __init__(self, build, scratch):
        self.build, self.scratch = build, scratch
        (scratch / "stub.icd").write_text(f"{build}/stub_icd.so\n")
        self.drivers = {"stub": str(scratch / "stub.icd"), "pocl": "/etc/OpenCL/vendors/pocl.icd"}

    def environment(self, driver, mode):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(("CLSIZER_", "STUB_")) and k not in ("LD_PRELOAD", "OPENCL_LAYERS")}
        stores = self.scratch / driver
        stores.mkdir(mode=0o700, exist_ok=True)
        env.update(OCL_ICD_VENDORS=self.drivers[driver], POCL_AFFINITY="1", STUB_RECYCLE="1", POCL_CACHE_DIR=str(self.scratch / "pocl"),
                   CLSIZER_CACHE=str(stores / "cache"), CLSIZER_WISDOM=str(stores / "wisdom.jsonl"))
        if not mode.startswith("bare"):
            env["OPENCL_LAYERS"] = str(self.build / "libclsizer.so")
        more = {"off": {"CLSIZER_OFF": "1"},
                "untuned": {"CLSIZER_KERNELS": "none-of-them", "CLSIZER_CACHE": str(stores / "untuned")},
                "observing": {"CLSIZER_ANALYSE_AFTER": "1000000000", "CLSIZER_WISDOM": "none",
                              "CLSIZER_CACHE": str(stores / "empty")},
                "decided": {},
                "asked": {"CLSIZER_SIZES": "*=64"},
                "learning": {"CLSIZER_ANALYSE_AFTER": "0", "CLSIZER_EFFORT": "patient",
                             "CLSIZER_REPORT": str(stores / "report.jsonl")}}
        env.update(more.get(mode, {}))
        return env

    def figures(self, driver, mode, threads, batch, what=()):
        command = [str(self.build / "clients" / "overhead"), str(threads), str(batch), *what]
        # PoCL 3.1 may abort in pocl_release_dlhandle_cache() where several threads launch one program: in 3 of 12 runs
        # bare and in 4 of 12 under clsizer, with eight threads.
        for chances in range(9, -1, -1):
            done = subprocess.run(command, env=self.environment(driver, mode), stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, timeout=300)
            if done.returncode != -signal.SIGABRT or "pocl_release_dlhandle_cache" not in done.stderr or not chances:
                break
        if done.returncode:
            sys.exit(f"bench: {command} {mode}: {done.returncode}, {done.stderr[-300:]}")
        out = done.stdout
        return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in out.splitlines()}

    def learn(self, driver):
        """Make the decision that the decided runs use; it must be to keep the program's size."""
        seen, report = 0, self.scratch / driver / "report.jsonl"
        for _ in range(8):
            self.figures(driver, "learning", 1, 50)
            time.sleep(0.3)  # the helper outlives the program
            events = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
            decisions = {e["reason"] for e in events[seen:] if e["event"] == "decision" and e["launch"]["global"][0] == ITEMS}
            seen = len(events)
            if decisions and "too-noisy" not in decisions:  # that would be measured again in every run
                return sorted(decisions)
        sys.exit(f"bench: nothing was decided for good on {driver}: {events[-3:]}")

    def compare(self, driver, threads, batch, rounds, what=()):
        """{mode: {figure: [value per round]}}; what: arguments of the client"""
        raw = {mode: {} for mode in MODES}
        for mode in "untuned", "decided":
            self.figures(driver, mode, threads, batch)
        for number in range(rounds):
            order = MODES if number % 2 else MODES[::-1]
            for mode in order:
                for name, ns in self.figures(driver, mode, threads, batch, what).items():
                    raw[mode].setdefault(name, []).append(ns)
        return raw


def medians(raw):
    return {mode: {name: statistics.median(values) for name, values in figures.items()}
            for mode, figures in raw.items()}


def show(title, raw, missed):
    table = medians(raw)
    print(f"\n{title}: ns per call bare, and added by each mode")
    print(f"  {'':58}" + "".join(f"{mode:>12}" for mode in MODES))
    for name, bare in table["bare"].items():
        if name.endswith("ratio)"):
            continue
        added = [table[mode][name] - bare for mode in MODES[1:]]
        print(f"  {name:58}{bare:12.0f}" + "".join(f"{ns:12.0f}" for ns in added))
        pairs = name.count("+") + 1
        target = ENQUEUE_NS if "NDRange" in name else CALL_NS * pairs
        for mode in MODES[2:]:
            # A shape that was never launched before, or is too short to be decided, is being found out about.
            found_out = "new shape" in name or mode == "observing" or (mode == "decided" and "100 shapes" in name)
            if "+clFinish" not in name and not found_out and table[mode][name] - bare > target:
                missed.append(f"{title}: {name} {mode}: {table[mode][name] - bare:.0f} ns more, target {target} "
                              f"(bare again: {table['bare again'][name] - bare:+.0f})")


def show_launches(title, raw, missed):
    name = "clEnqueueNDRangeKernel+clFinish"
    table = medians(raw)
    bare = table["bare"]
    ratios = {mode: statistics.median(a / b for a, b in zip(raw[mode][name + "(ratio)"], raw["bare"][name + "(ratio)"]))
              for mode in MODES[1:]}
    print(f"\n{title}: enqueue to finish of an empty kernel, bare {bare[name] / 1000:.1f} us; against the driver's own "
          f"functions in the same process, bare {bare[name + '(ratio)']:.3f}; ratio to that")
    print("  " + ", ".join(f"{mode} {ratio:.3f}" for mode, ratio in ratios.items()))
    delayed = statistics.median(raw["bare"][name + "(delayed, ratio)"])
    print(f"  bare, the driver's own functions 250 ns later: {delayed:.3f}")
    timed = statistics.median(a / b for a, b in zip(raw["bare"][name + "(timed queue)"], raw["bare"][name]))
    print(f"  bare on a queue with event times, which clsizer turns on while it needs them: {timed:.3f}")
    for mode in "off", "untuned", "decided":
        if ratios[mode] > LAUNCH_RATIO:
            missed.append(f"{title}: {mode} launch {ratios[mode]:.3f} of bare, target {LAUNCH_RATIO}")
    return ratios


def without_opencl(bench, rounds, missed):
    """Start-up time and memory of a program without OpenCL: ms and kB added by preloading."""
    def environment(inside):
        env = dict(os.environ)
        env.pop("LD_PRELOAD", None)
        if inside:
            env["LD_PRELOAD"] = str(bench.build / "libclsizer.so")
        return env

    def start(inside):
        env, runs = environment(inside), 20
        begin = time.perf_counter()
        for _ in range(runs):
            os.waitpid(os.posix_spawn("/bin/true", ["true"], env), 0)
        return (time.perf_counter() - begin) * 1000 / runs

    def memory(inside):
        text = subprocess.run(["/bin/cat", "/proc/self/smaps_rollup"], env=environment(inside), check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        fields = {line.split(":")[0]: int(line.split()[1]) for line in text.splitlines()[1:]}
        return {name: fields[name] for name in ("Rss", "Private_Dirty", "Private_Clean")}

    raw = {"start_ms": {"bare": [], "preloaded": []}, "memory_kb": {"bare": [], "preloaded": []}}
    for _ in range(max(rounds, 5)):
        for name, inside in ("bare", False), ("preloaded", True):
            raw["start_ms"][name].append(start(inside))
            raw["memory_kb"][name].append(memory(inside))
    ms = statistics.median(raw["start_ms"]["preloaded"]) - statistics.median(raw["start_ms"]["bare"])
    kb = {field: statistics.median(m[field] for m in raw["memory_kb"]["preloaded"]) -
          statistics.median(m[field] for m in raw["memory_kb"]["bare"]) for field in raw["memory_kb"]["bare"][0]}
    print(f"\nwithout OpenCL: start-up {ms:+.2f} ms (bare {statistics.median(raw['start_ms']['bare']):.2f}), resident "
          f"{kb['Rss']:+.0f} kB, of which written {kb['Private_Dirty']:+.0f} kB")
    if ms > LOAD_MS:
        missed.append(f"without OpenCL: {ms:.2f} ms more, target {LOAD_MS}")
    if kb["Rss"] > LOAD_KB:
        missed.append(f"without OpenCL: {kb['Rss']:.0f} kB more, target {LOAD_KB}")
    return raw


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(HERE.parent / "build"))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", help="keep the raw numbers here")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    missed = []
    with tempfile.TemporaryDirectory(prefix="clsizer-bench-") as scratch:
        bench = Bench(pathlib.Path(options.build).resolve(), pathlib.Path(scratch))
        decisions = {driver: bench.learn(driver) for driver in bench.drivers}
        raw = {"decisions": decisions, "machine": list(os.uname()), "processors": os.cpu_count()}
        print("decided on " + ", ".join(f"{driver}: {', '.join(why)}" for driver, why in decisions.items()))
        raw["calls, 1 thread"] = bench.compare("stub", 1, 2000, options.rounds)
        show("calls, 1 thread", raw["calls, 1 thread"], missed)
        raw["calls, 8 threads"] = bench.compare("stub", 8, 200, options.rounds)
        show("calls, 8 threads", raw["calls, 8 threads"], [])
        for threads in 1, 8:
            title = f"launches on PoCL, {threads} thread{'s' * (threads > 1)}"
            raw[title] = bench.compare("pocl", threads, 100, options.rounds)
            show(title, raw[title], missed if threads == 1 else [])
            if threads == 1:  # a hundredth of a launch is to be told from none: many rounds
                title += ", nothing else"
                raw[title] = bench.compare("pocl", threads, 100, 6 * options.rounds, ["launches"])
            show_launches(title, raw[title], missed if threads == 1 else [])
        raw["without OpenCL"] = without_opencl(bench, options.rounds, missed)
        measure.wait_for_helpers()  # they write there
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(raw, indent=1) + "\n")
    print("\n" + ("\n".join("missed: " + line for line in missed) or "all targets met"))
    return 1 if missed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
