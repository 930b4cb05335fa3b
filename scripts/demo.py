#!/usr/bin/env python3
"""Run the sample programs bare and under clsizer on PoCL and print a table.

For each program, with stores of its own that start empty:
  1. one run bare, so that PoCL has compiled the program's own size;
  2. cold: one run under clsizer, which has to find everything out within its budget; where that was not enough for
     a decision, up to two more runs with --effort patient (marked in the table);
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
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

ICD = "/etc/OpenCL/vendors/pocl.icd"
PROGRAMS = ["conv2d", "jacobi", "pitch", "offset", "rmw", "prime", "saxpy", "gemm", "matvec", "kmeans", "spmv",
            "gridstride", "imagefilter", "histogram", "dlopenapp", "reduction", "groupid"]
PATIENT_RUNS = 2
LINE = re.compile(r"^kernel=(\S+) local=(\S+) launches=(\d+) kernel_ms=(\S+) min_ms=(\S+) median_ms=(\S+)", re.M)


class Run:
    """One run of a program: stdout, exit status, and per kernel the total and the median launch in ms."""

    def __init__(self, done):
        self.output = (done.returncode, done.stdout)
        self.kernels = {}
        for name, local, launches, total, _, median in LINE.findall(done.stderr.decode(errors="replace")):
            self.kernels.setdefault(name, {"local": local, "launches": int(launches), "total": float(total),
                                           "median": float(median)})


class Demo:
    def __init__(self, build, scratch):
        self.build, self.scratch = pathlib.Path(build).resolve(), pathlib.Path(scratch)

    def environment(self, program):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(("CLSIZER_", "POCL_")) and k not in ("LD_PRELOAD", "OPENCL_LAYERS")}
        stores = self.scratch / program
        env.update(OCL_ICD_VENDORS=ICD, POCL_AFFINITY="1", POCL_CACHE_DIR=str(self.scratch / "pocl"),
                   CLSIZER_CACHE=str(stores / "cache"), CLSIZER_WISDOM=str(stores / "wisdom.jsonl"),
                   CLSIZER_REPORT=str(stores / "report.jsonl"))
        return env

    def run(self, program, tuned, effort=None):
        app = str(self.build / "apps" / program)
        launcher = [str(self.build / "clsizer"), "--quiet", *(["--effort", effort] if effort else []), "--"]
        done = subprocess.run([*launcher, app] if tuned else [app], env=self.environment(program), capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=120)
        return Run(done)

    def events(self, program):
        try:
            lines = (self.scratch / program / "report.jsonl").read_text().splitlines()
        except OSError:
            return []
        return [json.loads(line) for line in lines]

    def outcome(self, program, kernel):
        """What the report says last about a kernel: (chosen size or None, words)."""
        chosen, words = None, "not decided"
        for e in self.events(program):
            if e.get("kernel") != kernel:
                continue
            if e["event"] == "decision":
                local = e.get("chosen") or e.get("decision", {}).get("local")
                dim = e["launch"]["dim"]
                chosen = "x".join(str(n) for n in local[:dim]) if local else "null"
                words = {"no-gain": "kept: no gain"}.get(e["reason"], e["reason"])
            elif e["event"] == "refusal":
                chosen, words = None, "left alone: " + e["reason"]
        return chosen, words

    def settled(self, program, kernels):
        done = {e.get("kernel") for e in self.events(program) if e["event"] in ("decision", "refusal")}
        return done >= set(kernels)

    def measure(self, program, repetitions, effort):
        """Rows of the table for one program."""
        first = self.run(program, tuned=False)
        cold = [self.run(program, True, effort)]
        while len(cold) <= PATIENT_RUNS and not self.settled(program, first.kernels):
            cold.append(self.run(program, True, "patient"))
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
        chosen, words = self.outcome(program, kernel)
        if len(cold) > 1:
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
