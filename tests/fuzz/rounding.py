#!/usr/bin/env python3
"""Random kernels of products and sums, bare and with the variant `fixed`: every bit must be the same.

    rounding.py --build DIR [--seed N] [--programs N] [--seconds S] [--keep DIR]

What a driver rounds once or twice it decides for each text anew.  The kernels keep sums in memory and in arrays, take
products through branches and choices that arguments decide, and loop as often as these say: where a text with these as
constants may become another one.  A variant is verified where all numbers are small integers, of which nothing is
rounded, and then used on others.
"""

import random
import re
import sys

import seeds
from replay import DRIVER
from writer import Writer

ITEMS, AROUND = 512, 64  # work-items of a launch; a buffer has so many numbers more
FILL = f"""kernel void calm(global float *p, int by) {{ p[get_global_id(0)] = (int)(get_global_id(0) * 7 % 5) - by; }}
kernel void wild(global float *p, int by)
{{
    uint h = (get_global_id(0) + by) * 2654435761u;
    h ^= h >> 15; h *= 2246822519u; h ^= h >> 13;
    p[get_global_id(0)] = ((int)(h >> 9) - 4194304) / 4194304.0f;
}}
"""
KERNELS = 8


class Rounding(Writer):
    def __init__(self, rng, name):
        super().__init__(rng)
        self.name, self.counters, self.arrays = name, [], []
        self.variables = ["s", "t"]
        if rng.random() < 0.5:
            self.array()
        for _ in range(rng.choice([2, 3, 4, 6])):
            self.statement()
        self.add(f"a[i] {self.pick(('=', 2), ('+=', 3), ('*=', 1))} {self.sum()};")

    def scopes(self):
        return self.variables, self.counters, self.arrays

    def place(self):
        return self.pick(("i", 4), ("i + 1", 1), ("n", 1), *((f"i + {k}", 3) for k in self.counters), *((k, 2) for k in self.counters))

    def atom(self):
        kind = self.pick(("variable", 5), ("b", 3), ("c", 3), ("a", 3), ("constant", 1), ("array", 2 if self.arrays else 0))
        if kind == "variable":
            return self.rng.choice(self.variables)
        if kind == "constant":
            return self.rng.choice(["0.1f", "2.0f", "1.0f", "-0.3f", "7.7f"])
        if kind == "array":
            return f"{self.rng.choice(self.arrays)}[{self.pick(('0', 1), ('n & 3', 2), *((f'{k} & 3', 3) for k in self.counters))}]"
        return f"{kind}[{'i' if kind == 'a' else self.place()}]"

    def sum(self, depth=0):
        if depth > 3 or self.rng.random() < 0.2 * depth:
            return self.atom()
        one, two = self.sum(depth + 1), self.sum(depth + 1)
        kind = self.pick(("*", 6), ("+", 6), ("-", 3), ("choice", 2), ("/", 0.3), ("call", 0.7), ("fma", 0.5))
        if kind == "choice":
            return f"({self.condition()} ? {one} : {two})"
        if kind == "call":
            return self.rng.choice(["sqrt(fabs({}))", "exp(fmin({}, 3.0f))", "fabs({})", "fmax({}, 0.5f)", "sin({})"]).format(one)
        if kind == "fma":
            return f"{self.rng.choice(['fma', 'mad'])}({one}, {two}, {self.atom()})"
        return f"({one} {kind} {two})"

    def condition(self):
        return self.pick(("m", 2), ("n > 3", 2), ("m == 2", 1), ("n < m", 1), ("i < n", 1), *((f"{k} == m", 2) for k in self.counters))

    def array(self):
        name = self.fresh("q")
        self.add(f"float {name}[4] = {{{self.sum()}, s, b[i], {self.sum()}}};")
        self.arrays.append(name)

    def statement(self):
        kind = self.pick(("new", 3), ("memory", 4), ("change", 3), ("loop", 3 if self.depth < 3 else 0),
                         ("if", 2 if self.depth < 3 else 0), ("array", 2 if self.arrays else 0))
        change = self.pick(("=", 2), ("+=", 5), ("*=", 2), ("-=", 1))
        own = [v for v in self.variables if v not in "st"]
        if kind == "loop":
            k, to = self.fresh("k"), self.pick(("n", 4), ("m", 1), ("4", 1), ("n + m", 1))
            self.counters.append(k)
            self.inner(f"for (int {k} = 0; {k} < {to}; {k}++) {{")
            self.counters.remove(k)
        elif kind == "if":
            self.branch(self.condition)
        elif kind == "array":
            self.add(f"{self.rng.choice(self.arrays)}[{self.rng.choice([*self.counters, 'n', '1'])} & 3] {change} {self.sum()};")
        elif kind == "memory":
            self.add(f"a[i] {change} {self.sum()};")
        elif kind == "change" and own:
            self.add(f"{self.rng.choice(own)} {change} {self.sum()};")
        else:
            value, name = self.sum(), self.fresh()
            self.add(f"float {name} = {value};")
            self.variables.append(name)

    def source(self):
        return (f"kernel void {self.name}(global float *a, global float *b, global float *c, int n, int m, float s, float t)\n{{\n"
                "    int i = get_global_id(0);\n" + "\n".join(self.lines) + "\n}\n")


def plan(rng):
    """Each kernel has memory of its own to write; all read the first two."""
    size = 4 * (ITEMS + AROUND)
    whole = [rng.choice([1, 2, 3, 4, 5, 8, 17]), rng.choice([0, 1, 2, 7])]
    words = [f"s:{n.to_bytes(4, 'little').hex()}" for n in whole] + [f"s:{rng.choice(['0000803f', '00000040', 'cdcccc3d'])}" for _ in range(2)]
    lines = ["queue 0"] + [f"memory {m} {size}" for m in range(1, KERNELS + 3)]
    for fill, times in (("calm", 6), ("wild", 3)):
        lines += [f"launch - {fill} 1 {ITEMS + AROUND} 1 1 0 0 0 0 0 0 b:{m}:0:{size} s:{m % 3:02x}000000" for m in range(1, KERNELS + 3)]
        for k in range(KERNELS):
            lines += [f"launch f k{k} 1 {ITEMS} 1 1 0 0 0 16 1 1 b:{k + 3}:0:{size} b:1:0:{size} b:2:0:{size} " + " ".join(words)] * times
    return "\n".join(lines) + "\n"


class Program:
    def __init__(self, seed):
        rng = random.Random(seed)
        self.source = FILL + "".join(Rounding(rng, f"k{i}").source() for i in range(KERNELS))
        self.plan = plan(rng)

    def write(self, folder):
        files = [folder / "program.cl", folder / "plan.txt"]
        for path, text in zip(files, (self.source, self.plan)):
            path.write_text(text)
        return files


def check(bench, program, count):
    command = [str(bench.build / "tests" / "replay"), *map(str, program.write(bench.scratch))]
    usual = dict(timeout=300, **DRIVER)
    bare = bench.run(command, **usual)
    for _ in range(2):  # the first run may end before its kernels are known
        tuned = bench.run(command, "both", cache=bench.store("cache"), CLSIZER_SIZES="k*=fixed:16", CLSIZER_ANALYSE_AFTER="0",
                          CLSIZER_WISDOM="none", **usual)
    for event in tuned.of("observed"):
        if "variant" in event["reason"] or event["reason"] == "driver-rounds":
            count[event["reason"] + (": " + re.sub(r"[\d.-]+", "N", event.get("detail") or "") if "un" in event["reason"] else "")] += 1
    if bare.status or tuned.status:
        return f"status {bare.status} and {tuned.status} {tuned.err[-500:]}"
    one, two = bare.out.decode().splitlines(), tuned.out.decode().splitlines()
    return ", ".join(f"{a} and {b}" for a, b in zip(one, two) if a != b)


def main():
    def begin(bench, count):
        def make(seed):
            program = Program(seed)
            return program.write, lambda: check(bench, program, count)
        return make

    return seeds.run(seeds.parser(__doc__).parse_args(), begin, lambda count: count["variant-used"])


if __name__ == "__main__":
    sys.exit(main())
