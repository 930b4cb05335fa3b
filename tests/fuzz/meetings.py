#!/usr/bin/env python3
"""Launches whose groups are proved to be free of races, executed in Python: between two barriers no work-item may touch what
another one of its group writes.

    meetings.py --build DIR [--seed N] [--programs N] [--seconds S] [--keep DIR]

A program is some random kernels: rounds with barriers, sums in trees, rows that depend on the group's number, mad24(),
guards, strides, places that move with the rounds, and ways round a barrier, with places that are right or slightly
wrong.  Each is judged by tests/corpus/judge.c for a few launches.  What is proved is executed, each work-item of each
group by itself; a launch in which an integer overflows, or a factor of mul24() has too many bits, is none to compare.
"""

import collections
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import seeds
from writer import Writer

KERNELS = 12


class Undefined(Exception):
    pass


def fits(x, bits=32):
    if not -(1 << bits - 1) <= x < 1 << bits - 1:
        raise Undefined
    return x


def mul24(x, y):
    return fits(fits(x, 24) * fits(y, 24))


def divide(x, y):
    if y == 0:
        raise Undefined
    q = abs(x) // abs(y)
    return q if (x < 0) == (y < 0) else -q


class Kernel(Writer):
    """Text and, statement by statement, what Python executes.  Expressions are the same in both languages, but for
    divisions and what may overflow."""

    def __init__(self, rng, name):
        super().__init__(rng)
        self.name, self.code = name, []
        self.names, self.steps = ["l", "m", "x", "y", "gx", "gy", "n", "step"], []
        for _ in range(rng.choice([1, 2, 2, 3])):
            self.statement(0)

    def put(self, text, code):
        self.add(text)
        self.code.append("    " * self.depth + code)

    # Expressions: (OpenCL C, Python)

    def atom(self):
        r = self.rng
        if r.random() < 0.25:
            c = str(r.choice([0, 1, 1, 2, 3, 4, 8, 16, 17, 31]))
            return c, c
        v = r.choice(self.names)
        return v, v

    def expression(self, depth=2):
        r = self.rng
        if depth == 0 or r.random() < 0.2:
            return self.atom()
        (a, p), (b, q) = self.expression(depth - 1), self.expression(depth - 1)
        how = r.randrange(9)
        if how < 3:
            return f"({a} + {b})", f"fits({p} + {q})"
        if how < 4:
            return f"({a} - {b})", f"fits({p} - {q})"
        if how < 6:
            return f"mad24({a}, {b}, {self.names[0]})", f"fits(mul24({p}, {q}) + {self.names[0]})"
        if how < 7:
            return f"mul24({a}, {b})", f"mul24({p}, {q})"
        if how < 8:
            return f"({a} * {b})", f"fits({p} * {q})"
        c = r.choice([2, 3, 4, 8, 16])
        return r.choice([(f"({a} / {c})", f"divide({p}, {c})"), (f"({a} % {c})", f"({p} - {c} * divide({p}, {c}))")])

    def place(self):
        """Mostly the work-item's own, in some manner."""
        r = self.rng
        k = r.choice([v for v in self.names if v[0] == "k"] or ["1"])
        c, d = r.choice([1, 2, 4, 8]), r.choice([0, 1, 2, 3, 5])
        if k != "1" and r.random() < 0.3:
            return self.moving(k, c, d)
        if r.random() < 0.2:
            return r.choice([
                (f"(x * (int)get_local_size(0) + l * {c}) / {c}", f"divide(x * LX + l * {c}, {c})"),
                (f"(gx * {c} - {d}) / {c}", f"divide(fits(gx * {c} - {d}), {c})"),
                (f"{d} + ((l * {c} - {d}) >> {d})", f"{d} + (l * {c} - {d} >> {d})"),
                (f"{d} + ((gx - {d}) >> {d}) + m * 64", f"{d} + (gx - {d} >> {d}) + m * 64"),
                (f"(gx + {d}) % {8 * c} + m * {16 * c}", f"gx + {d} - {8 * c} * divide(gx + {d}, {8 * c}) + m * {16 * c}"),
                (f"x * {c * d} + l / {c}", f"x * {c * d} + divide(l, {c})")])
        return r.choice([
            ("l", "l"), ("l", "l"), ("m * step + l", "fits(fits(m * step) + l)"), ("l + " + k, f"fits(l + {k})"),
            ("mad24(m, step, l)", "fits(mul24(m, step) + l)"), ("mad24(gy, step, gx)", "fits(mul24(gy, step) + gx)"),
            ("mad24(y, n, x * 64 + l)", "fits(mul24(y, n) + fits(fits(x * 64) + l))"),
            ("gx + y * step", "fits(gx + fits(y * step))"), ("(int)get_local_size(0) - 1 - l", "LX - 1 - l"), ("(gx & 31)", "(gx & 31)"),
            ("l * 2 + " + k, f"fits(l * 2 + {k})"), ("gx / 2", "divide(gx, 2)"), (f"{k} + l * 8", f"fits({k} + l * 8)"),
            (f"max(min(l + {d}, 20), {k})", f"max(min(l + {d}, 20), {k})"), ("x", "x"), ("0", "0"), self.expression()])

    def moving(self, k, c, d):
        """Another one in each round: a tile, a row, a diagonal."""
        e = self.rng.choice([0, 1, 1, 2])
        return self.rng.choice([
            (f"(({k} + {e}) & 1) * 64 + l", f"({k} + {e} & 1) * 64 + l"),
            (f"({k} + {e}) % 3 * 64 + l + {d}", f"({k} + {e}) % 3 * 64 + l + {d}"),
            (f"({k} - l + 32) * 17 + l + {e}", f"fits(({k} - l + 32) * 17 + l + {e})"),
            (f"({k} + {e}) * 32 + l", f"fits(({k} + {e}) * 32 + l)"),
            (f"l * 32 + {k} + {e}", f"fits(l * 32 + {k} + {e})"),
            (f"({k} + l) * {c} + {d}", f"fits(({k} + l) * {c} + {d})")])

    def turn_off(self):
        """Some leave a round, or the loop, or come to a barrier, and others may not."""
        r = self.rng
        k = self.steps[-1][0]
        c, d = r.choice([(f"({k} & 1) == 0", f"({k} & 1) == 0"), (f"{k} == n - 1", f"{k} == n - 1"),
                         (f"{k} == 2", f"{k} == 2"), ("x == 1", "x == 1"), self.condition()])
        text, code = r.choice([("continue;", f"turn(); {self.steps[-1][1]}; continue"), ("break;", "break"),
                               ("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);", "b()")])
        self.put(f"if ({c}) {{ {text} }}", f"if {d}: {code}")

    def condition(self):
        r = self.rng
        k = r.choice([v for v in self.names if v[0] == "k"] or ["n"])
        a = r.choice([("l", "l"), ("l", "l"), ("gx", "gx"), ("m", "m"), self.expression(1)])
        b = r.choice([(k, k), (k, k), ("n", "n"), ("1", "1"), (f"{k} - 1", f"fits({k} - 1)"), self.expression(1)])
        op = r.choice(["<", "<", "<", "<=", "==", ">"])
        return f"{a[0]} {op} {b[0]}", f"{a[1]} {op} {b[1]}"

    def access(self):
        r = self.rng
        memory = r.choice(["s", "s", "s", "out"])
        (a, p), (b, q) = self.place(), self.place()
        text, code = r.choice([(f"{memory}[{a}] = total + l;", f"w('{memory}', {p})"), (f"{memory}[{a}] += {memory}[{b}];",
                                                                        f"w('{memory}', {p}); t('{memory}', {q})"),
                               (f"total += {memory}[{b}];", f"t('{memory}', {q})")])
        if r.random() < 0.6:
            c, d = self.condition()
            text, code = f"if ({c}) {{ {text} }}", f"if {d}: {code}"
        self.put(text, code)

    def barrier(self, chance=0.85):
        if self.rng.random() < chance:
            self.put("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);", "b()")

    def half(self, k):
        """One round of a sum by halves, or nearly."""
        r = self.rng
        (a, p), (b, q) = r.choice([("l", "l")] * 6 + [("l + 1", "l + 1")]), \
            r.choice([(f"l + {k}", f"l + {k}")] * 5 + [(f"l + {k} - 1", f"l + {k} - 1"), (f"{k} * 2 - l", f"{k} * 2 - l")])
        c = r.choice([f"l < {k}"] * 6 + [f"l <= {k}", f"l < {k} + 1", f"l < {k} - 1", f"gx < {k}", "l < 16"])
        self.barrier(0.2)
        if r.random() < 0.3:
            self.put(f"if ({c}) {{ total += s[{b}]; }}", f"if {c}: t('s', {q})")
            self.barrier(0.5)
            self.put(f"if ({c}) {{ s[{a}] = total + l; }}", f"if {c}: w('s', {p})")
        else:
            self.put(f"if ({c}) {{ s[{a}] += s[{b}]; }}", f"if {c}: w('s', {p}); t('s', {q})")
            if r.random() < 0.1:
                self.put(f"total += s[{b}];", f"t('s', {q})")

    def strided(self):
        """Each brings in what is a stride away, in one dimension or two, with the test before or behind."""
        r = self.rng
        k, stride, bound = self.fresh("k"), r.choice([16, 16, 32, 8, 15]), r.choice([34, 34, 18, 40, 64])
        place = r.choice([k, f"m * 40 + {k}", f"m * 34 + {k}", f"m * 64 + {k}", f"{k} + 1", f"{k} * 2", f"m * 32 + {k}"])
        before = r.random() < 0.6
        start = r.choice(["l", "l", "l", "l + 1", "m"])
        text, code = r.choice([(f"s[{place}] = total + {k};", f"w('s', {place})"), (f"s[{place}] += l;", f"w('s', {place})")])
        self.put(f"for (int {k} = {start}; {k} < {bound}; {k} += {stride}) {{ {text} }}" if before else
                 f"{{ int {k} = {start}; do {{ {text} {k} += {stride}; }} while ({k} < {bound}); }}", f"{k} = {start}")
        indent = "    " * self.depth
        head = f"while {k} < {bound}:" if before else "while True:"
        self.code += [indent + head, f"{indent}    {code}; {k} += {stride}; turn()"]
        if not before:
            self.code.append(f"{indent}    if not {k} < {bound}: break")
        self.barrier()

    def statement(self, depth):
        r = self.rng
        if r.random() < 0.12:
            return self.strided()
        if depth == 2 or r.random() < 0.45:
            self.access()
            return self.barrier(0.7)
        k = self.fresh("k")
        start = r.choice(["16", "8", "n", "(int)get_local_size(0) / 2"])
        first = {"(int)get_local_size(0) / 2": "LX // 2"}.get(start, start)
        kind = r.randrange(5)
        bound = r.choice(["4", "n", "x", "y + 1"])
        if kind < 3:
            how = r.choice([">>= 1", "/= 2", "/= 3", "-= 3"]) if kind else ">>= 1"
            self.put(f"for (int {k} = {start}; {k} > 0; {k} {how}) {{", f"{k} = {first}")
            step = {">>= 1": f"{k} >>= 1", "/= 2": f"{k} //= 2", "/= 3": f"{k} //= 3", "-= 3": f"{k} -= 3"}[how]
            head = f"while {k} > 0:"
        elif kind == 3:
            self.put(f"for (int {k} = 0; {k} < {bound}; {k}++) {{", f"{k} = 0")
            step, head = f"{k} += 1", f"while {k} < {bound}:"
        else:
            self.put(f"for (int {k} = 1; {k} < {bound}; {k} *= 2) {{", f"{k} = 1")
            step, head = f"{k} = fits({k} * 2)", f"while {k} < {bound}:"
        counter = self.fresh("k") if r.random() < 0.3 else None
        if counter:
            first = r.choice(["0", "1", "l"])
            self.lines.insert(-1, "    " * self.depth + f"int {counter} = {first};")
            self.code.append("    " * self.depth + f"{counter} = {first}")
            self.names.append(counter)
        self.code.append("    " * self.depth + head)
        self.names.append(k)
        self.steps.append((k, step))
        self.depth += 1
        if counter and r.random() < 0.6:
            a, b, e = counter, r.choice([counter, counter, k]), r.choice([0, 1, 1, 2])
            self.put(f"total += s[{a} * 64 + (int)get_local_size(0) - 1 - l];", f"t('s', fits({a} * 64 + LX - 1 - l))")
            self.put(f"s[({b} + {e}) * 64 + l] = total + l;", f"w('s', fits(({b} + {e}) * 64 + l))")
        elif kind < 3 and r.random() < 0.6:
            self.half(k)
        else:
            for _ in range(r.choice([1, 1, 2])):
                self.statement(depth + 1)
                if r.random() < 0.15:
                    self.turn_off()
        if counter:
            c, d = r.choice([self.condition(), ("l > 3", "l > 3"), (f"l > {k}", f"l > {k}"), ("n > 2", "n > 2")])
            self.put(f"if ({c}) {{ {counter}++; }}", f"if {d}: {counter} += 1")
            self.names.remove(counter)
        self.barrier()
        self.code.append("    " * self.depth + "turn()")
        self.code.append("    " * self.depth + step)
        self.depth -= 1
        self.names.remove(k)
        self.steps.pop()
        self.add("}")
        return None

    def source(self):
        return (f"__kernel void {self.name}(__global int *out, int n, int step)\n{{\n    __local int s[4096];\n"
                "    int l = get_local_id(0), m = get_local_id(1), x = get_group_id(0), y = get_group_id(1);\n"
                "    int gx = get_global_id(0), gy = get_global_id(1), total = 0;\n" + "\n".join(self.lines) +
                "\n    if (total == 12345)\n        out[1000000 + gx + gy * 4096] = 1;\n}\n")

    def function(self):
        return "def run(l, m, x, y, gx, gy, n, step, LX, w, t, b, turn):\n    pass\n" + "\n".join(self.code) + "\n"


class Launch:
    def __init__(self, rng, kernel):
        r = rng
        self.kernel = kernel
        self.local = r.choice([(16, 1), (32, 1), (8, 2), (8, 4)])
        self.groups = (r.choice([1, 2, 3, 5]), r.choice([1, 1, 2, 3]))
        self.offset = r.choice([(0, 0), (0, 0), (0, 0), (3, 0), (16, 1)])
        self.n, self.step = r.choice([1, 2, 4, 8, 16, 17, 32, 64, 1 << 20, -1]), r.choice([8, 16, 31, 32, 64, 1024, 1 << 22, 0])

    def line(self):
        size = "x".join(str(a * b) for a, b in zip(self.local, self.groups))
        offset = "+%dx%d" % self.offset if any(self.offset) else ""
        return f"// >>> {self.kernel.name} {size}{offset}/{self.local[0]}x{self.local[1]} n={self.n} step={self.step} : ?"

    def races(self):
        """A description of the first race, None if there is none.  Undefined, if it is."""
        space = {"fits": fits, "mul24": mul24, "divide": divide}
        exec(self.kernel.function(), space)  # pylint: disable=exec-used
        for y in range(self.groups[1]):
            for x in range(self.groups[0]):
                race = self.group(space["run"], x, y)
                if race:
                    return race
        return None

    def group(self, run, x, y):
        writers, readers = {}, {}
        for m in range(self.local[1]):
            for l in range(self.local[0]):
                state = {"barriers": 0, "turns": 0}
                own = (l, m)

                def note(to, memory, place, own=own, state=state):
                    to.setdefault((state["barriers"], memory, place), set()).add(own)

                def barrier(state=state):
                    state["barriers"] += 1

                def turn(state=state):
                    state["turns"] += 1
                    if state["turns"] > 3000:
                        raise Undefined
                gx = self.offset[0] + x * self.local[0] + l
                gy = self.offset[1] + y * self.local[1] + m
                run(l, m, x, y, gx, gy, self.n, self.step, self.local[0], lambda a, p, n=note: n(writers, a, p),
                    lambda a, p, n=note: n(readers, a, p), barrier, turn)
        for at, who in writers.items():
            if at[1] == "s" and not 0 <= at[2] < 4096:
                raise Undefined
            if len(who | readers.get(at, set())) > 1:
                return f"group {x}, {y}: {sorted(who)} write {at[1]}[{at[2]}], {sorted(readers.get(at, set()))} read"
        return None


def verdicts(build, folder, kernels, launches):
    text = "\n".join(k.source() for k in kernels) + "\n" + "\n".join(l.line() for l in launches) + "\n"
    source, summary = Path(folder) / "meetings.cl", Path(folder) / "meetings.sum"
    source.write_text(text)
    with open(summary, "wb") as out:
        subprocess.run([build / "clsizer-analyze", "--summary", source], stdout=out, check=True)
    lines = subprocess.run([build / "tests/corpus_judge", summary, source], capture_output=True, text=True,
                           check=False).stdout.splitlines()
    if len(lines) != len(launches):
        sys.exit(f"{len(launches)} launches, {len(lines)} verdicts")
    return text, [re.search(r"\S+: ([\w-]+)", line).group(1) for line in lines]


def main():
    options = seeds.parser(__doc__, programs=4).parse_args()
    count = collections.Counter()

    def check(seed):
        rng, wrong = random.Random(seed), 0
        kernels = [Kernel(rng, f"k{i}") for i in range(KERNELS)]
        launches = [Launch(rng, k) for k in kernels for _ in range(6)]
        text, verdict = verdicts(Path(options.build).resolve(), folder, kernels, launches)
        for l, v in zip(launches, verdict):
            count[v] += 1
            try:
                race = v == "proved" and l.races()
            except Undefined:
                count["  undefined"] += 1
                continue
            if race:
                wrong += 1
                print(f"seed {seed}: {l.line()}\n{race}\n{l.kernel.source()}")
                if options.keep:
                    (Path(options.keep) / f"meetings{seed}.cl").write_text(text)
        return wrong

    with tempfile.TemporaryDirectory() as folder:
        return seeds.go_through(options, check, count) > 0


if __name__ == "__main__":
    sys.exit(main())
