#!/usr/bin/env python3
"""What measuring costs, and how good its choice is, on the sample programs under PoCL.

    bench_profiling.py [--build DIR] [--rounds N] [--runs N] [--json FILE] [--parts cold,oracle,orchestration]
                       [PROGRAM...]

cold    From empty stores, a series of runs in the default effort: wall time of each against a bare run made just
        before it, and what was decided by then.  "over" is what a run took beyond 1.05 times the bare one: the
        promise is that it stays below 20 ms in the first run.  The driver's cache knows the program's own size and
        nothing else when the series starts.
oracle  The selected size against the best of what an exhaustive run measures (all that the model does not rule out, 64
        at most): then the program runs with the size selected in the default effort, with the exhaustive best and with
        its own, interleaved.
orchestration
        Synchronous against asynchronous measuring: wall time of a first run with `--effort patient`, analysis known,
        in both, and against bare.

Raw data go to the JSON file, the tables to stdout.  PoCL's threads are pinned (POCL_AFFINITY=1), without which two of
them share one core at times.  Python's standard library only.
"""

import argparse
import json
import pathlib
import shutil
import statistics
import sys
import tempfile

import measure

PROGRAMS = ["conv2d", "jacobi", "pitch", "offset", "rmw", "prime", "saxpy", "gemm", "matvec", "kmeans", "spmv",
            "csr", "gridstride", "imagefilter", "histogram", "dlopenapp"]
PROMISE_FACTOR, PROMISE_MS = 1.05, 20


class Stores(measure.Stores):
    """Caches and wisdom of one series of runs, which begins with a copy of the driver's cache."""

    def __init__(self, bench, name, driver_cache):
        shutil.rmtree(bench.scratch / name, ignore_errors=True)
        super().__init__(bench.scratch / name, bench.scratch / name / "pocl")
        self.build = bench.build
        shutil.copytree(driver_cache, self.pocl, dirs_exist_ok=True)

    def run(self, program, tuned, arguments=(), **variables):
        command = [self.build / "apps" / program, *arguments]
        if tuned:
            command = [self.build / "clsizer", "--quiet", "--", *command]
        done = measure.run(command, self.environment(OCL_ICD_VENDORS=measure.POCL_ICD, **variables), timeout=300)
        if done.code:
            sys.exit(f"{program}: exit status {done.code}: {done.stderr[-500:]}")
        measure.wait_for_helpers()
        return done

    def decisions(self):
        """Per kernel, the last decision."""
        return {e["kernel"]: e for e in self.events() if e["event"] == "decision"}

    def verdicts(self):
        """Per kernel, what was made of it, in words."""
        words = {}
        for e in self.events():
            if e["event"] == "decision":
                words[e["kernel"]] = f"{measure.chosen_size(e)} {e['reason']}"
            elif e["event"] == "refusal":
                words[e["kernel"]] = "refused: " + e["reason"]
        return words


class Bench:
    def __init__(self, build, scratch):
        self.build, self.scratch = pathlib.Path(build).resolve(), pathlib.Path(scratch)

    def driver_cache(self, program):
        """A driver's cache that knows the program with its own size."""
        path = self.scratch / ("driver-" + program)
        if not path.exists():
            empty = self.scratch / "empty"
            empty.mkdir(exist_ok=True)
            stores = Stores(self, "prepare", empty)
            stores.run(program, False)
            shutil.move(stores.pocl, path)
        return path

    # ---- cold --------------------------------------------------------------------------------------------

    def cold(self, program, rounds, runs):
        """Series of runs from empty stores."""
        series = []
        for _ in range(rounds):
            stores = Stores(self, "cold", self.driver_cache(program))
            row = []
            for _ in range(runs):
                bare, tuned = stores.run(program, False), stores.run(program, True)
                if bare.stdout != tuned.stdout:
                    sys.exit(f"{program}: output differs under clsizer")
                row.append({"bare_ms": bare.wall_ms, "tuned_ms": tuned.wall_ms,
                            "verdicts": stores.verdicts(), "kernels": list(bare.kernels)})
            series.append(row)
        return series

    # ---- oracle ------------------------------------------------------------------------------------------

    def settle(self, stores, program, effort, limit):
        for n in range(1, limit + 1):
            kernels = stores.run(program, True, CLSIZER_EFFORT=effort).kernels
            if set(stores.verdicts()) >= set(kernels):
                return n
        return None

    def oracle(self, program, rounds):
        """Launch times with the size that the default effort selects, and with the exhaustive best."""
        chosen, best = (Stores(self, name, self.driver_cache(program)) for name in ("chosen", "best"))
        needed = self.settle(chosen, program, "measure", 12)
        self.settle(best, program, "exhaustive", 12)
        rows = []
        for kernel, oracle in best.decisions().items():
            ours = chosen.decisions().get(kernel)
            sizes = {"own": None, "oracle": measure.chosen_size(oracle)}
            if ours:
                sizes["selected"] = measure.chosen_size(ours)
            times = {name: [] for name in sizes}
            for _ in range(rounds):
                for name, size in sizes.items():
                    try:
                        done = best.run(program, False, ["--local", size] if size else [])
                    except SystemExit:  # the size does not divide the range: clsizer makes two launches of one
                        continue
                    times[name].append(done.kernels[kernel]["median"])
            if not all(times.values()):
                continue
            rows.append({"kernel": kernel, "runs": needed, "sizes": sizes, "median_ms": times})
        return rows

    # ---- orchestration -----------------------------------------------------------------------------------

    def orchestration(self, program, rounds):
        """Wall times of first runs with measuring waited for, and not."""
        known = Stores(self, "known", self.driver_cache(program))
        known.run(program, True)
        times = {"bare": [], "sync": [], "async": []}
        decided = {"sync": {}, "async": {}}
        for _ in range(rounds):
            for setting in times:
                stores = Stores(self, "orchestration", self.driver_cache(program))
                shutil.copytree(known.path / "cache", stores.path / "cache")
                done = stores.run(program, setting != "bare", CLSIZER_EFFORT="patient", CLSIZER_ORCHESTRATION=setting)
                times[setting].append(done.wall_ms)
                if setting != "bare":
                    decided[setting] = stores.verdicts()
        return {"wall_ms": times, "decided": decided}


def median(values):
    return statistics.median(values) if values else float("nan")


def print_cold(rows):
    print(f"{'program':12} {'bare ms':>9}" + "".join(f" {'run ' + str(i + 1):>8} {'over':>7}"
                                                    for i in range(len(next(iter(rows.values()))[0]))) + "  decided")
    worst = {}
    for program, series in rows.items():
        runs, line = len(series[0]), ""
        bare = median([r["bare_ms"] for row in series for r in row])
        for i in range(runs):
            tuned = median([row[i]["tuned_ms"] for row in series])
            over = median([row[i]["tuned_ms"] - PROMISE_FACTOR * row[i]["bare_ms"] for row in series])
            worst[i] = max(worst.get(i, (-1e9, "")), (over, program))
            line += f" {tuned:8.0f} {over:7.0f}"
        first = [next((i + 1 for i, r in enumerate(row) if set(r["verdicts"]) >= set(r["kernels"])), None)
                 for row in series]
        said = "; ".join(f"{k} {v}" for k, v in series[-1][-1]["verdicts"].items())
        print(f"{program:12} {bare:9.0f}{line}  in run {'/'.join(str(f or '-') for f in first)}: {said}", flush=True)
    print("worst over: " + ", ".join(f"run {i + 1} {over:.0f} ms ({program})" for i, (over, program) in worst.items())
          + f"; promised: {PROMISE_MS} ms\n")


def print_oracle(rows):
    print(f"{'program':12} {'kernel':10} {'own':>10} {'selected':>10} {'oracle':>10} {'own ms':>8} {'selected':>8} "
          f"{'oracle':>8} {'sel/orc':>7} {'runs':>4}")
    ratios = []
    for program, kernels in rows.items():
        for r in kernels:
            ms = {name: min(times) for name, times in r["median_ms"].items()}
            selected = ms.get("selected", ms["own"])
            ratios.append(selected / ms["oracle"])
            print(f"{program:12} {r['kernel']:10} {'own':>10} {r['sizes'].get('selected', '-'):>10} "
                  f"{r['sizes']['oracle']:>10} {ms['own']:8.3f} {selected:8.3f} {ms['oracle']:8.3f} {ratios[-1]:7.3f} "
                  f"{r['runs'] or '-':>4}", flush=True)
    if ratios:
        print(f"selected / oracle: median {median(ratios):.3f}, worst {max(ratios):.3f}\n")


def print_orchestration(rows):
    print(f"{'program':12} {'bare ms':>9} {'sync':>8} {'async':>8} {'sync/bare':>9} {'async/bare':>10}")
    for program, r in rows.items():
        bare, sync, later = (median(r["wall_ms"][setting]) for setting in ("bare", "sync", "async"))
        print(f"{program:12} {bare:9.0f} {sync:8.0f} {later:8.0f} {sync / bare:9.2f} {later / bare:10.2f}", flush=True)
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--rounds", type=int, default=3, help="repetitions of everything (default 3)")
    parser.add_argument("--runs", type=int, default=4, help="runs of a cold series (default 4)")
    parser.add_argument("--json", default="bench_profiling.json", help="raw data (default bench_profiling.json)")
    parser.add_argument("--parts", default="cold,oracle,orchestration")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()

    scratch = tempfile.mkdtemp(prefix="clsizer-bench-")
    data = {}
    try:
        bench = Bench(options.build, scratch)
        programs = [p for p in options.programs or PROGRAMS if (bench.build / "apps" / p).exists()]
        parts = {"cold": (lambda p: bench.cold(p, options.rounds, options.runs), print_cold),
                 "oracle": (lambda p: bench.oracle(p, options.rounds), print_oracle),
                 "orchestration": (lambda p: bench.orchestration(p, options.rounds), print_orchestration)}
        for part in options.parts.split(","):
            measure_part, show = parts[part]
            rows = data[part] = {}
            for program in programs:
                rows[program] = measure_part(program)
                pathlib.Path(options.json).write_text(json.dumps(data, indent=1) + "\n")
            show(rows)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
