#!/usr/bin/env python3
"""Random programs, run bare and under clsizer: output must be the same.

    replay.py --build DIR [--seed N] [--programs N] [--ways N] [--seconds S] [--small]

A program is a handful of random kernels (kernels.py), each launched several times in a row with the habits that
replay.c knows, on buffers that all of them share.  A launch is only made if running it in Python says that it is
defined, stays in its buffers and does not depend on the order of work-items.  Two bare runs must agree, else the program
is none to compare with.  --small: a few work-items each, bare only, compared with what Python says is left in memory.
"""

import collections
import functools
import operator
import random
import re
import sys
import time

import seeds
from kernels import Kernel, Launch
from machine import TooLong, Undefined, run, wrap
from soundness import Judge, compile_python, initial, launch_line, overheard

MEASURING = [("slices", "sync"), ("slices", "async"), ("rerun", "sync"), ("rerun", "async"), ("sandbox", "sync"),
             ("swap", "sync"), ("launches", "auto"), ("auto", "auto")]
BURN = "static int burn(int x, int n)\n{ uint h = x; for (int j = 0; j < n; j++) h = h * 1664525u + 1013904223u; return h; }\n"
LARGEST = 1 << 22  # bytes of a buffer
SMALL = 1 << 13
HABITS = "etrfucksnw"
OUT_OF_ORDER, PROFILING = 1, 2
FOLD = {"add": operator.add, "and": operator.and_, "or": operator.or_, "xor": operator.xor, "min": min, "max": max}


def swapped(kernel, l, rng):
    """The launch with two buffers of one type exchanged, as programs do that work to and fro; None if there are none."""
    same = [(i, j) for i, a in enumerate(kernel.args) for j, b in enumerate(kernel.args[:i])
            if a[0] == b[0] == "buffer" and a[2] is b[2]]
    if not same:
        return None
    i, j = rng.choice(same)
    args = list(l.args)
    args[i], args[j] = args[j], args[i]
    return Launch(l.dim, l.size, l.offset, l.local, args)


def outcome(function, l, before, rng, extent, largest, budget):
    """Memory after the launch; None if it is none to make.  `extent`: memory -> bytes needed."""
    results = []
    for low24 in (True, False):
        try:
            m = run(function, l, l.local, initial, low24, before=before, budget=budget)
            if m.conflict() is not None or overheard(function, l, l.local, low24, m, rng, before, budget) is not None:
                return None
        except (Undefined, TooLong):
            return None
        results.append((m.final, m.low, m.high))
    if results[0] != results[1]:
        return None
    for arg, high in m.high.items():
        memory, base, _ = l.args[arg]
        if base + high > largest:
            return None
        extent[memory] = max(extent[memory], base + high)
    for memory, base, limit in (a for a in l.args if isinstance(a, tuple) and len(a) == 3):
        extent[memory] = max(extent[memory], base + limit if limit is not None else 0)
    after = {**before, **m.final}
    for (at, size, family), values in m.atoms.items():
        old = sum((after.get(at + i, initial(at >> 48, (at & (1 << 48) - 1) + i))) << 8 * i for i in range(size))
        signed = family.endswith("True")
        new = functools.reduce(FOLD[family.replace("True", "").replace("False", "")],
                               [wrap(v, 8 * size, signed) for v in values], wrap(old, 8 * size, signed))
        after.update((at + i, new >> 8 * i & 255) for i in range(size))
    return after


def argument(a, value):
    if a[0] == "buffer":
        memory, offset, limit = value
        return f"b:{memory}:{offset}:{limit if limit is not None else 'ALL' + str(memory)}"
    t = a[2]
    return "s:" + "".join((v & (1 << t.bits) - 1).to_bytes(t.bytes, "little").hex()
                          for v in (value if a[0] == "vector" else (value,)))


def step(kernel, l, habits):
    numbers = [*l.size, *l.offset, *(l.local or (0, 0, 0))]
    burn = [f"s:{n.to_bytes(4, 'little').hex()}" for n in (kernel.turns, 0)] if kernel.burn else []
    return " ".join(map(str, ["launch", habits or "-", kernel.name, l.dim, *numbers,
                              *(argument(a, v) for a, v in zip(kernel.args, l.args)), *burn]))


def habits_of(rng, allowed):
    return "".join(h for h in allowed if rng.random() < 0.25)


class Program:
    """Source, plan, and what Python says is in memory at the end (--small)."""

    def __init__(self, seed, judge, small):
        rng = random.Random(seed)
        self.kernels, self.memory, self.extent, self.proved = [], {}, collections.Counter(), 0
        self.properties = rng.choice([0, 0, PROFILING, OUT_OF_ORDER, OUT_OF_ORDER | PROFILING])
        steps = []
        for i in range(60):
            k = Kernel(rng, f"k{i}", burn=not small)
            k.turns = rng.choice([300, 3000])
            if self.add_launches(k, rng, judge, small, steps):
                self.kernels.append(k)
            if len(self.kernels) == (8 if small else 4):
                break
        self.source = BURN + "\n".join(k.source() for k in self.kernels)
        self.launches = len(steps)
        # read_behind() reads 64 bytes of memory 1
        self.extent = {m: max(64, n) for m, n in self.extent.items()}
        self.extent.setdefault(1, 64)
        lines = [f"queue {self.properties}"] + [f"memory {m} {n}" for m, n in sorted(self.extent.items())]
        for m, n in self.extent.items():
            steps = [re.sub(rf":ALL{m}(?= |$)", f":{n}", s) for s in steps]
        self.plan = "\n".join(lines + steps) + "\n"

    def add_launches(self, k, rng, judge, small, steps):
        """False if no launch of k is one to make, or none is proved (of those, a few will do)."""
        l = k.launch(tame=True, large=not small)
        if not small:
            summary = judge.summarise(BURN + k.source())
            proved = judge.verdicts(summary, [launch_line(k, l) + f" s:{'00' * 4} s:{'00' * 4}"])[0][0][0] == "S"
            if not proved and rng.random() < 0.9:
                return False
            self.proved += proved
        function, found = compile_python(k), []
        for variant in (l, swapped(k, l, rng) if rng.random() < 0.5 else None):
            need = collections.Counter(self.extent)
            after = variant and outcome(function, variant, self.memory, rng, need,
                                        *((SMALL, 20000) if small else (LARGEST, 300000)))
            if after is not None:
                self.memory, self.extent, found = after, need, found + [variant]
                steps.append(step(k, variant, habits_of(rng, HABITS)))
        for i in range(0 if small or not found else rng.choice([12, 20, 30])):
            steps.append(step(k, found[i % len(found)], habits_of(rng, HABITS)))
        return bool(found)

    def write(self, directory):
        source, plan = directory / "program.cl", directory / "plan.txt"
        source.write_text(self.source)
        plan.write_text(self.plan)
        return [source, plan]

    def checksums(self):
        """As replay.c prints them."""
        lines = []
        for m, n in sorted(self.extent.items()):
            h = 0xcbf29ce484222325
            for i in range(n):
                h = (h ^ self.memory.get(m << 48 | i, initial(m, i))) * 0x100000001b3 & (1 << 64) - 1
            lines.append(f"memory {m} {h:016x}")
        return lines


def run_bare(bench, command):
    results = [bench.run(command, timeout=120, **DRIVER) for _ in range(2)]
    return results[0] if all(r.status == 0 and r.out == results[0].out for r in results) else None


DRIVER = {"POCL_WORK_GROUP_SPECIALIZATION": "0", "POCL_AFFINITY": "1"}  # one compilation for all sizes


def check_small(bench, program, files, count):
    bare = bench.run([str(bench.build / "tests" / "replay"), *map(str, files)], **DRIVER)
    got = [line for line in bare.out.decode().splitlines() if line.startswith("memory")]
    count["small programs"] += 1
    count["small launches"] += program.launches
    return None if got == program.checksums() else f"the driver's memory is another than Python's: {bare.err[-300:]}"


def is_bare(bench, command, r, bare, count):
    """Is it what a bare run leaves, if only one in some?  rusticl 22.3 left another log in 4 of 40."""
    if (r.status, r.out) == (bare.status, bare.out):
        return True
    for _ in range(40):
        again = bench.run(command, timeout=120, **DRIVER)
        if (r.status, r.out) == (again.status, again.out):
            count["bare runs that differ at times"] += 1
            return True
    return False


def check_large(bench, command, measuring, count):
    """What differs between a program's bare runs and those under clsizer, in the ways of `measuring`; None: nothing."""
    bare = run_bare(bench, command)
    if not bare:
        count["no two equal bare runs"] += 1
        return None
    cache = bench.store("cache")
    for _ in range(2):
        bench.run(command, "both", timeout=120, cache=cache, CLSIZER_WISDOM="none", CLSIZER_DRY_RUN="1", **DRIVER)
        time.sleep(0.2)
    wisdom = bench.scratch / "wisdom.jsonl"
    wisdom.unlink(missing_ok=True)
    for kind in "wide", "fixed":  # used wherever they are proved and verified, be they faster or not
        r = bench.run(command, "both", timeout=120, cache=cache, CLSIZER_EFFORT="estimate", CLSIZER_WISDOM="none",
                      CLSIZER_VARIANTS=kind, **DRIVER)
        count.update(f"{e.get('detail') or kind}: {e['reason']}" for e in r.of("observed")
                     if e.get("reason") in ("variant-used", "variant-differs"))
        if "variant-differs" in r.reasons("observed") or not is_bare(bench, command, r, bare, count):
            return f"{kind}: status {r.status}, bare {bare.status}\n{r.err[-800:]}\n{r.out.decode()}\n--\n{bare.out.decode()}"
    for mode, orchestration in measuring:
        stored = {"CLSIZER_WISDOM": "none"} if mode != "auto" else {"wisdom": wisdom}
        for _ in range(1 if mode != "auto" else 2):  # cold and warm
            r = bench.run(command, "both", timeout=120, cache=cache, CLSIZER_MODE=mode,
                          CLSIZER_ORCHESTRATION=orchestration, **stored, **DRIVER)
            count[f"runs {mode} {orchestration}"] += 1
            count.update(f"decided by {e.get('mode')}" for e in r.of("decision"))
            count.update(f"refused: {e.get('reason')}" for e in r.of("refusal"))
            count.update(f"{e['reason']}" for e in r.of("observed") if e.get("reason", "").startswith("variant-"))
            if not is_bare(bench, command, r, bare, count):
                return f"{mode}, {orchestration}: status {r.status}, bare {bare.status}\n{r.err[-800:]}\n" \
                       f"{r.out.decode()}\n--\n{bare.out.decode()}"
            if r.err != bare.err and "warning" in r.err:
                return f"{mode}, {orchestration}: {r.err[-500:]}"
    return None


def main():
    parser = seeds.parser(__doc__)
    parser.add_argument("--ways", type=int, default=len(MEASURING))
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()

    def begin(bench, count):
        judge = Judge(bench.build, bench.scratch)

        def make(seed):
            program = Program(seed, judge, options.small)

            def check():
                files, rng = program.write(bench.scratch), random.Random(seed)
                if options.small:
                    return check_small(bench, program, files, count)
                count["programs"] += 1
                count["launches of each program, in all"] += program.launches
                count["kernels proved"] += program.proved
                command = [str(bench.build / "tests" / "replay"), *map(str, files), *rng.choice([[], [], ["1"], ["2"]])]
                return check_large(bench, command, rng.sample(MEASURING, options.ways), count)
            return program.write, check
        return make

    return seeds.run(options, begin, more=" --small" if options.small else "")


if __name__ == "__main__":
    sys.exit(main())
