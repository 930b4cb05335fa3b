#!/usr/bin/env python3
"""Random kernels with variables that some paths give no value: what clsizer calls tunable uses them on no path.

    unset.py --build DIR [--seed N] [--programs N] [--kernels N] [--seconds S]

Kernels are built with -cl-opt-disable, under which LLVM may not choose a value for such a variable (analysis/lower/unset.c),
and run in Python with all inputs.  A wrong proof is printed with the kernel and the seed that makes it again.
"""

import collections
import itertools
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import seeds

BITS = 5  # inputs that are 0 or 1; one more is a number of rounds, 0 to 2


class Return(Exception):
    """The kernel returns."""


class Kernel:
    """C and Python of the same statements.  v0.. may have no value (None in Python); f0.. are flags and always have one.
    In every third kernel, v0.. are the components of one vector."""

    def __init__(self, seed):
        self.rng, self.name = random.Random(seed), f"k{seed}"
        self.c, self.py, self.slots, self.counters, self.asked = [], [], 0, 0, []
        self.values = [f"v{i}" for i in range(self.rng.choice([1, 2, 2, 3]))]
        self.flags = [f"f{i}" for i in range(self.rng.choice([1, 2, 2]))]
        for flag in self.flags:
            self.add(0, f"int {flag} = 0;", f"{flag} = 0")
        for value in self.values:
            self.add(0, f"int {value};", f"{value} = None")
        for _ in range(self.rng.choice([2, 3, 4, 6])):
            self.statement(0, False)
        self.do_use(0, False)
        if seed % 3 == 0:
            self.c = ["    int4 u;", *(re.sub(r"\bv(\d)\b", r"u.s\1", line) for line in self.c if not line.startswith("    int v"))]

    def add(self, depth, c, py):
        self.c.append("    " * (depth + 1) + c)
        self.py.append("    " * (depth + 1) + py)

    def condition(self):
        """A new one, or one that was asked before."""
        if not self.asked or self.rng.random() < 0.5:
            self.asked.append(self.new_condition())
        return self.rng.choice(self.asked)

    def new_condition(self):
        rng = self.rng
        one = lambda: rng.choice([(f"b{(b := rng.randrange(BITS))}", f"b{b}"), (f"!b{(b := rng.randrange(BITS))}", f"not b{b}")]) \
            if rng.random() < 0.45 else (
                (t := f"{rng.choice(self.flags)} {rng.choice(['==', '!=', '>', '<', '=='])} {rng.choice([0, 1, 1, 2, -1])}"), t)
        a, b = one(), one()
        what = rng.random()
        if what < 0.65:
            return a
        if what < 0.8:
            return f"({a[0]}) && ({b[0]})", f"({a[1]}) and ({b[1]})"
        return f"({a[0]}) || ({b[0]})", f"({a[1]}) or ({b[1]})"

    def use(self, depth):
        self.add(depth, f"out[{self.slots}] = {(v := self.rng.choice(self.values))};", f"use({v})")
        self.slots += 1

    def inner(self, depth, loop):
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            self.statement(depth + 1, loop)

    def statement(self, depth, loop):
        names, weights = ["give", "flag", "use", "tell", "if", "loop", "switch", "leave"], [2, 1, 1.2, 4, 3, 2, 0.7, 1]
        what = self.rng.choices(names, weights)[0]
        if depth > 2 and what in ("if", "loop", "switch"):
            what = self.rng.choice(names[:3])
        getattr(self, "do_" + what)(depth, loop)

    def do_give(self, depth, loop):
        v, w = self.rng.choice(self.values), self.rng.choice(self.values)
        c = self.rng.choice([f"c[{self.slots + 8}]", f"c[{self.slots + 9}]", "7", w, f"{w} + c[2]"])
        self.add(depth, f"{v} = {c};", f"{v} = {'1' if c[0] != 'v' else w}")

    def do_flag(self, depth, loop):
        self.add(depth, *([f"{self.rng.choice(self.flags)} = {self.rng.choice([0, 1, 1, 2])}"] * 2))
        self.c[-1] += ";"

    def do_use(self, depth, loop):
        if self.rng.random() < 0.2:
            return self.use(depth)
        c, py = self.condition()
        self.add(depth, f"if ({c})", f"if {py}:")
        self.use(depth + 1)

    def do_tell(self, depth, loop):
        """Give a value and say so by a flag, which somebody asks for later."""
        flag, is_ = self.rng.choice(self.flags), self.rng.choice([1, 1, 2])
        if depth == 0 or self.rng.random() < 0.5:
            c, py = self.condition()
            self.add(depth, f"if ({c}) {{", f"if {py}:")
            self.do_tell(depth + 1, loop)
            return self.c.append("    " * (depth + 1) + "}")
        self.do_give(depth, loop)
        self.add(depth, f"{flag} = {is_};", f"{flag} = {is_}")
        self.asked += [(f"{flag} == {is_}",) * 2, (f"{flag} > 0",) * 2]

    def do_if(self, depth, loop):
        c, py = self.condition()
        self.add(depth, f"if ({c}) {{", f"if {py}:")
        self.inner(depth, loop)
        if self.rng.random() < 0.5:
            self.add(depth, "} else {", "else:")
            self.inner(depth, loop)
        self.c.append("    " * (depth + 1) + "}")

    def do_loop(self, depth, loop):
        c, py = self.condition()
        k, more = f"j{self.counters}", self.rng.random() < 0.4
        self.counters += 1
        self.add(depth, f"for (int {k} = 0; {k} < n{f' && ({c})' if more else ''}; {k}++) {{", f"for {k} in range(n):")
        if more:
            self.py.append("    " * (depth + 2) + f"if not ({py}): break")
        self.inner(depth, True)
        self.c.append("    " * (depth + 1) + "}")

    def do_switch(self, depth, loop):
        flag = self.rng.choice(self.flags)
        self.add(depth, f"switch ({flag}) {{", f"_ = {flag}")
        for i, case in enumerate(self.rng.sample([0, 1, 2], 2)):
            self.add(depth, f"case {case}: {{", f"{'elif' if i else 'if'} _ == {case}:")
            self.do_give(depth + 1, loop)
            if self.rng.random() < 0.5:
                self.statement(depth + 1, False)
            self.c.append("    " * (depth + 1) + "} break;")
        if self.rng.random() < 0.5:
            self.add(depth, "default:", "else:")
            self.do_give(depth + 1, loop)
        self.c.append("    " * (depth + 1) + "}")

    def do_leave(self, depth, loop):
        c, py = self.condition()
        c_word, py_word = self.rng.choice([("break", "break"), ("continue", "continue"), ("return", "raise Return")]) if loop else \
            ("return", "raise Return")
        self.add(depth, f"if ({c}) {c_word};", f"if {py}: {py_word}")

    def source(self):
        inputs = "".join(f" b{i} = c[{i}]," for i in range(BITS))
        return "\n".join([f"kernel void {self.name}(global int *out, global const int *c)", "{",
                          f"    out += get_global_id(0) * 64, c += get_global_id(0) * 64;", f"    int{inputs} n = c[{BITS}];",
                          *self.c, "}", ""])

    def misuse(self):
        """Inputs with which a variable without a value is used, or None."""
        used = []
        scope = {"use": lambda v: used.append(v), "Return": Return}
        arguments = [f"b{i}" for i in range(BITS)] + ["n"]
        exec("\n".join([f"def run({', '.join(arguments)}):", *self.py]), scope)
        for inputs in itertools.product(*[(0, 1)] * BITS, (0, 1, 2)):
            used.clear()
            try:
                scope["run"](*inputs)
            except Return:
                pass
            if None in used:
                return inputs
        return None


def refused(build, text, scratch):
    """Names of kernels that the analysis refuses, or leaves to the launch, which has no arguments here that would help."""
    path = pathlib.Path(scratch) / "unset.cl"
    path.write_text(text)
    r = subprocess.run([f"{build}/clsizer-analyze", str(path), "--", "-cl-opt-disable"], capture_output=True, text=True)
    if r.returncode:
        sys.exit(f"{r.stderr}\n{text}")
    names = set()
    for line in r.stdout.splitlines():
        if line.startswith("kernel "):
            name = line.split()[1]
        elif "undefined-value" in line or "a variable would have no value" in line:
            names.add(name)
    return names


def main():
    parser = seeds.parser(__doc__, programs=12, keeps=False)
    parser.add_argument("--kernels", type=int, default=40)
    options = parser.parse_args()
    count = collections.Counter()

    def check(seed):
        made, wrong = [Kernel(s) for s in range(seed, seed + options.kernels)], 0
        left_alone = refused(options.build, "\n".join(k.source() for k in made), scratch)
        for kernel in made:
            inputs, tunable = kernel.misuse(), kernel.name not in left_alone
            count[f"{'tunable' if tunable else 'refused'}, {'uses what has no value' if inputs else 'sound'}"] += 1
            if tunable and inputs:
                wrong += 1
                print(f"WRONG PROOF, --seed {kernel.name[1:]} --programs 1 --kernels 1: inputs {inputs}\n{kernel.source()}")
        return wrong

    with tempfile.TemporaryDirectory() as scratch:
        wrong = seeds.go_through(options, check, count, options.kernels)
    return wrong or not count["tunable, sound"] or not count["refused, uses what has no value"]


if __name__ == "__main__":
    sys.exit(main())
