#!/usr/bin/env python3
"""Random kernels as `clsizer analyze --emit wide=N` or `lanes=N` rewrites them: what they leave in memory must be the same.

    wide.py --build DIR [--seed N] [--programs N] [--seconds S] [--keep DIR]

A program is a handful of random kernels (kernels.py).  Each is launched in its wide form where there is one, else as it
is; what the driver leaves in memory is compared with what running the kernels in Python leaves there.  A launch is only
made if it is defined, stays in its buffers, and if no work-item touches what another one writes.
"""

import argparse
import collections
import pathlib
import random
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
from harness import SKIPPED, USUAL, Bench, Failure  # noqa: E402
from kernels import Kernel, Launch  # noqa: E402
from replay import DRIVER, SMALL, Program, outcome, step  # noqa: E402
from soundness import compile_python  # noqa: E402


class Wide(Program):
    """Source, plan, and what Python says is in memory at the end."""

    def __init__(self, seed, bench, count):
        rng = random.Random(seed)
        self.memory, self.extent, self.launches = {}, collections.Counter(), 0
        sources, steps = [], []
        for i in range(150):
            k = Kernel(rng, f"k{i}")
            if re.search("barrier|atom", k.source()) and rng.random() < 0.98:
                continue
            if self.add_launch(k, rng, bench, sources, steps, count) and len(sources) >= 16:
                break
        self.source = "\n".join(sources)
        self.extent = {m: max(64, n) for m, n in self.extent.items()}
        self.extent.setdefault(1, 64)
        for m, n in self.extent.items():
            steps = [re.sub(rf":ALL{m}(?= |$)", f":{n}", s) for s in steps]
        lines = ["queue 0"] + [f"memory {m} {n}" for m, n in sorted(self.extent.items())]
        self.plan = "\n".join(lines + steps) + "\n"

    def add_launch(self, k, rng, bench, sources, steps, count):
        form, lanes, d = rng.choice(["wide", "wide", "lanes"]), rng.choice([4, 8, 16]), rng.randrange(k.dim)
        l = aligned(k.launch(tame=True), lanes, d)
        need = collections.Counter(self.extent)
        after = outcome(compile_python(k), l, self.memory, rng, need, SMALL, 20000)
        if after is None:
            count["no launch to make"] += 1
            return False
        text, why = emit(bench, k, f"{form}={lanes}:{d}")
        count[f"not offered: {why}" if why else f"{form}={lanes}:{d}"] += 1
        if not text and rng.random() < 0.8:
            return False
        self.memory, self.extent = after, need
        sources.append(k.source() + text)
        steps.append(wide_step(k, l, form, lanes, d) if text else step(k, l, ""))
        self.launches += 1
        return True


def aligned(l, lanes, d):
    offset = list(l.offset)
    offset[d] -= offset[d] % lanes
    return Launch(l.dim, l.size, offset, l.local, l.args)


def emit(bench, k, shape):
    """The text of that form and "", or "" and why there is none."""
    path = bench.scratch / "kernel.cl"
    path.write_text(k.source())
    done = subprocess.run([bench.build / "clsizer-analyze", "--emit", shape, path, "--", "-cl-std=CL2.0"],
                          capture_output=True, text=True)
    if done.returncode not in (0, 1) or (done.returncode == 1) != (not done.stdout):
        raise RuntimeError(f"clsizer-analyze: {done.returncode} {done.stderr}\n{k.source()}")
    return done.stdout, done.stderr.split(": ", 2)[2].split(":")[0].strip() if not done.stdout else ""


def wide_step(k, l, form, lanes, d):
    size, offset, end = list(l.size), list(l.offset), l.offset[d] + l.size[d]
    size[d], offset[d] = -(-size[d] // lanes), offset[d] // lanes
    words = step(k, Launch(l.dim, size, offset, None, l.args), "").split(" ")
    words[2] += f"_{form}{lanes}"
    return " ".join([*words, f"s:{end.to_bytes(8, 'little').hex()}"])


def check(bench, program, count):
    files = program.write(bench.scratch)
    try:
        done = bench.run([str(bench.build / "tests" / "replay"), *map(str, files)], timeout=300, **DRIVER)
    except Failure as e:  # a loop that does not end
        return str(e)
    got = [line for line in done.out.decode().splitlines() if line.startswith("memory")]
    count["programs"] += 1
    count["launches"] += program.launches
    return None if got == program.checksums() else f"status {done.status} {done.err[-2000:]}\n{done.out.decode()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--keep", help="write the source and plan of a wrong program into this folder")
    options = parser.parse_args()
    count, wrong, seed, start = collections.Counter(), 0, options.seed, time.monotonic()
    with Bench(options.build, USUAL) as bench:
        if not bench.available():
            return SKIPPED
        while seed < options.seed + options.programs or time.monotonic() - start < options.seconds:
            program = Wide(seed, bench, count)
            why = check(bench, program, count) if program.launches else None
            if why:
                wrong += 1
                print(f"FAIL --seed {seed} --programs 1: {why}", flush=True)
                if options.keep:
                    folder = pathlib.Path(options.keep) / str(seed)
                    folder.mkdir(parents=True, exist_ok=True)
                    program.write(folder)
            seed += 1
    for what, n in sorted(count.items()):
        print(f"{n:8} {what}")
    print(f"seeds {options.seed} to {seed - 1}, {wrong} wrong")
    if not any("=" in what for what in count):
        print("nothing was rewritten: nothing was tested")
        return 1
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
