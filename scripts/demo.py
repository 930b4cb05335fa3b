#!/usr/bin/env python3
"""Run the sample programs bare and under clsizer on PoCL and print a table.

For each program, with stores of its own that start empty:
  1. one run bare, so that PoCL has compiled the program's own size;
  2. cold: one run under clsizer, which has to find everything out within its budget; where that was not enough for
     a decision, up to two more runs like it, then up to two with --effort patient (marked in the table);
  3. then, interleaved so that all see the same machine: bare, warm (clsizer with its decision), bare again.

Times are kernel time as the program itself measures it (host clock from the enqueue to the end of clFinish).  "bare"
and "retuned" are per launch: the median over a run's launches, and of the runs the best one.  PoCL's threads are
pinned to cores (POCL_AFFINITY=1, bare and retuned alike): left to themselves two of them at times share one core for a
whole run, which doubles everything.  "noise" compares the two bare runs with each other in the same way: a ratio
within it says nothing.  "warm run" and "cold run" compare whole runs, bare / clsizer, tuning included.

Python's standard library only.
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
            "gridstride", "imagefilter", "histogram", "dlopenapp", "reduction", "groupid"]
SETTLING = (None, None, "patient", "patient")  # efforts of the runs after the first, until all is decided


class Demo:
    def __init__(self, build, scratch):
        self.build, self.scratch = pathlib.Path(build).resolve(), pathlib.Path(scratch)

    def stores(self, program):
        return measure.Stores(self.scratch / program, self.scratch / "pocl")

    def run(self, program, tuned, effort=None):
        app = self.build / "apps" / program
        launcher = [self.build / "clsizer", "--quiet", *(["--effort", effort] if effort else []), "--"]
        return measure.run([*launcher, app] if tuned else [app],
                           self.stores(program).environment(OCL_ICD_VENDORS=measure.POCL_ICD))

    def settled(self, program, kernels):
        return measure.settled(self.stores(program).events(), kernels)

    def measure(self, program, repetitions, effort):
        """Rows of the table for one program."""
        first = self.run(program, tuned=False)
        cold = [self.run(program, True, effort)]
        for more in SETTLING:
            if not self.settled(program, first.kernels):
                cold.append(self.run(program, True, more or effort))
        runs = {"bare": [], "warm": [], "again": []}
        for _ in range(repetitions):
            runs["bare"].append(self.run(program, False))
            runs["warm"].append(self.run(program, True, effort))
            runs["again"].append(self.run(program, False))
        everything = [first, *cold, *runs["bare"], *runs["warm"], *runs["again"]]
        identical = all(r.output == first.output for r in everything) and first.output[0] == 0
        return [self.row(program, kernel, cold, runs, identical) for kernel in first.kernels]

    def row(self, program, kernel, cold, runs, identical):
        def median(which, what):
            return statistics.median(r.kernels[kernel][what] for r in runs[which])

        bare, warm, again = (min(r.kernels[kernel]["median"] for r in runs[which]) for which in ("bare", "warm", "again"))
        bare_total = statistics.median([median("bare", "total"), median("again", "total")])
        chosen, words = measure.outcome(self.stores(program).events(), kernel)
        if len(cold) > 1 + SETTLING.index("patient"):
            words += " (patient)"
        own = runs["bare"][0].kernels[kernel]["local"]
        return {
            "program": program, "kernel": kernel, "own": own, "chosen": chosen or own, "words": words,
            "bare_ms": (bare + again) / 2, "warm_ms": warm, "ratio": (bare + again) / 2 / warm,
            "noise": max(bare, again) / min(bare, again), "cold_ratio": bare_total / cold[0].kernels[kernel]["total"],
            "warm_ratio": bare_total / median("warm", "total"), "identical": identical,
        }


COLUMNS = [  # heading, width, text; texts to the left, numbers to the right
    ("program", -11, lambda r: r["program"]),
    ("kernel", -10, lambda r: r["kernel"]),
    ("its size", -8, lambda r: r["own"]),
    ("chosen", -8, lambda r: r["chosen"]),
    ("bare ms", 8, lambda r: f"{r['bare_ms']:.3f}"),
    ("retuned", 8, lambda r: f"{r['warm_ms']:.3f}"),
    ("ratio", 6, lambda r: f"{r['ratio']:.2f}"),
    ("noise", 6, lambda r: f"{r['noise']:.2f}"),
    ("warm run", 8, lambda r: f"{r['warm_ratio']:.2f}"),
    ("cold run", 8, lambda r: f"{r['cold_ratio']:.2f}"),
    ("same output", -11, lambda r: "yes" if r["identical"] else "NO"),
    ("why", -1, lambda r: r["words"]),
]


def print_line(texts):
    cells = [t.rjust(w) if w > 0 else t.ljust(-w) for t, (_, w, _) in zip(texts, COLUMNS)]
    print("  ".join(cells).rstrip(), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--repetitions", type=int, default=2, help="interleaved rounds per program (default 2)")
    parser.add_argument("--effort", help="clsizer's --effort (default: its own)")
    parser.add_argument("--json", help="also write the raw rows to this file")
    parser.add_argument("programs", nargs="*", default=None)
    options = parser.parse_args()

    scratch = tempfile.mkdtemp(prefix="clsizer-demo-")
    try:
        demo, rows = Demo(options.build, scratch), []
        print("Kernel time per launch, bare and under clsizer with its decision: ratio = bare / retuned, above 1 is faster, "
              "within the noise it says nothing.\nWarm and cold run: the same ratio for whole runs, with a stored decision and "
              "with everything to find out.\n")
        print_line([heading for heading, _, _ in COLUMNS])
        for program in options.programs or PROGRAMS:
            for row in demo.measure(program, options.repetitions, options.effort):
                rows.append(row)
                print_line([text(row) for _, _, text in COLUMNS])
    finally:
        shutil.rmtree(scratch, ignore_errors=True)

    gains = [r["ratio"] for r in rows if r["chosen"] != r["own"]]
    worst = min(rows, key=lambda r: r["ratio"] * r["noise"])
    same = sum(r["identical"] for r in rows)
    print(f"\n{len(gains)} of {len(rows)} kernels retuned" + (f", {statistics.geometric_mean(gains):.2f}x faster "
          f"(geometric mean), best {max(gains):.1f}x" if gains else "") + f"; worst ratio {worst['ratio']:.2f}x "
          f"({worst['kernel']}, noise {worst['noise']:.2f}x); output identical in {same} of {len(rows)}.")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")
    return 0 if same == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
