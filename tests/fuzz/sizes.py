#!/usr/bin/env python3
"""Does the local size show in the bits of what kernels compute, and does clsizer know?

    sizes.py --build DIR [--what WORD,...] [--driver D] [--options O] [--sizes L,...] [--match RE] [--part I/N]
             [--seed N] [--kernels N] [--seconds S] [--cpu avx2]

Compares what kernels leave in memory with the first of the local sizes and with the others; of several lists, with `;`
between them, each in itself.  Of `1|2|3` each program is given one.  A kernel for which it is not the same must be one
that clsizer leaves alone; all that are not are printed.  One that does not leave the same each time with the first size
is none to compare.  What there is to try:

    constructs   the kernels of constructs.cl
    functions    every built-in function of float, in vectors of 1, 2, 3, 4, 8 and 16, and of double
    converts     every conversion between types, in all ways of rounding, saturating or not
    integers     built-in functions of integers
    overflows    integers that overflow in some way, and what may become of them
    random       kernels made by floats.py, --kernels of them or as many as --seconds allow; `open` and `double` likewise
    strided      likewise kernels made by strided.py
    grids        likewise kernels of floats.py in which work-items take steps as long as the range
    exits        likewise kernels made by exits.py

Where two NaNs meet, which of them is the result depends on how the compiler orders operands: what differs in the bits
of NaNs only is counted apart.  Exit status 1 if clsizer would tune anything else that differs, or a
program failed.

For many random kernels on PoCL, which runs `ld` for each and each size: COMPILER_PATH with a faster one saves a tenth.
"""

import argparse
import collections
import pathlib
import random
import re
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))
from exits import Exits  # noqa: E402
from floats import FLOAT1, FLOAT2, FLOAT3, NATIVE1, Floats, Grid  # noqa: E402
from harness import SKIPPED, USUAL, Bench, Failure, StillRuns  # noqa: E402
from strided import Strided  # noqa: E402

SIZES = "1,2,3,4,5,7,8,16,64,17x3,1x4,85x2"
# Drivers with classes of sizes (driver-classes): no size is proposed outside of the class of the program's own, along the
# dimension of the driver's vectors.  In these kernels, whose results lie side by side, that is the first one.
CLASSES = {"intel": "1,2,4,5,8,1x4,5x8;16,32,64,80,320,544,16x17,64x17,32x5"}
# For random kernels, which cost a compilation for each size.  Vectors, single work-items, and vectors with a rest.
SOME_SIZES = "4|8|16|64,1|2|1x4,5|17x2|17x3|85x2"
SOME_CLASSES = {"intel": "1|8,2|4|1x4,5|5x8;16|64,32|80|320,16x17|64x17|32x5"}
HEAD = """#define I (get_global_id(1) * get_global_size(0) + get_global_id(0))
"""
# Kernels of one program.  Intel's runtime (2026.22) may take which work-items leave from a kernel before.
TOGETHER = collections.defaultdict(lambda: 32, exits=1)
FLAGS = {"sse2": "sse2", "avx": "avx", "avx2": "avx2", "avx512": "avx512f"}  # what /proc/cpuinfo calls them


class Made:
    """A kernel: its name and text."""

    def __init__(self, name, text):
        self.name, self.text = name, text


def vector(type, n):
    return type if n == 1 else f"{type}{n}"


def load(n, buffer):
    return f"{buffer}[i]" if n == 1 else f"vload{n}(i, {buffer})"


def kernel(letter, name, type, n, results, before="", inputs=None):
    """`results`: (element type, lanes, expression of a, b and c)."""
    lines, at, t = [], 0, vector(type, n)
    for e, lanes, text in results:
        size = {"char": 1, "short": 2, "int": 4, "long": 8, "half": 2, "float": 4, "double": 8}[e.lstrip("u")]
        at = -(-at // 8) * 8
        to = f"(__global {e} *)((__global uchar *)out + {at})"
        lines.append(f"    *({to}) = {text};" if lanes == 1 else f"    vstore{lanes}({text}, 0, {to});")
        at += size * (4 if lanes == 3 else lanes)
    if at > 1024:
        raise ValueError(f"{name} has too many results")
    p = inputs or type
    names = [f"{t} {v} = {load(n, b)};" for v, b in zip("abc", "xyz")]
    head = f"__kernel void {letter}_{name}(__global const {p} *x, __global const {p} *y, __global const {p} *z, __global uint *out)"
    return Made(f"{letter}_{name}", "\n".join([head, "{", "    int i = I; out += 256 * i;", "    " + " ".join(names),
                                              *([f"    {before}"] if before else []), *lines, "}", ""]))


# ---- built-in functions ------------------------------------------------------------------------------------------------

def functions_of(real, n):
    t, whole = vector(real, n), vector("int", n)
    mask = vector("int" if real == "float" or n == 1 else "long", n)
    of = lambda f, args: (real, n, f"{f}({args})")  # noqa: E731
    for f in FLOAT1:
        yield f, [of(f, "a")], ""
    for f in FLOAT2:
        yield f, [of(f, "a, b")], ""
    for f in FLOAT3:
        yield f, [of(f, "a, b, c")], ""
    if real == "float":
        for f in NATIVE1:
            yield "native_" + f, [of("native_" + f, "a")], ""
            yield "half_" + f, [of("half_" + f, "a")], ""
        for f in ("divide", "powr"):
            yield "native_" + f, [of("native_" + f, "a, b")], ""
            yield "half_" + f, [of("half_" + f, "a, b")], ""
    integer = f"{whole} j = convert_{whole}_sat(b);"
    for f in ("ldexp", "pown", "rootn"):
        yield f, [of(f, "a, j")], integer
    yield "nan", [(real, n, f"nan(as_u{mask if n > 1 else {'float': 'int', 'double': 'long'}[real]}(a))")], ""
    yield "ilogb", [("int", n, "ilogb(a)")], ""
    for f in ("fract", "modf", "sincos"):
        yield f, [of(f, "a, &p"), (real, n, "p")], f"{t} p;"
    for f in ("frexp", "lgamma_r"):
        yield f, [of(f, "a, &p"), ("int", n, "p")], f"{whole} p;"
    yield "remquo", [of("remquo", "a, b, &p"), ("int", n, "p")], f"{whole} p;"
    for f in ("isequal", "isnotequal", "isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "isordered",
              "isunordered"):
        yield f, [(mask.rstrip("0123456789"), n, f"{f}(a, b)")], ""
    for f in ("isfinite", "isinf", "isnan", "isnormal", "signbit"):
        yield f, [(mask.rstrip("0123456789"), n, f"{f}(a)")], ""
    yield "bitselect", [of("bitselect", "a, b, c")], ""
    yield "select", [of("select", f"a, b, {'isless(a, c)' if real == 'float' or n > 1 else '(long)isless(a, c)'}")], ""
    for name, text in (("add", "a + b"), ("subtract", "a - b"), ("multiply", "a * b"), ("divide", "a / b"), ("negate", "-a"),
                       ("add3", "a + b + c"), ("muladd", "a * b + c"), ("submul", "a - b * c"), ("products", "a * b + b * c"),
                       ("lerp", "a + (b - a) * c"), ("choose", "a < b ? a : b"), ("choose_or", "a >= b ? a * c : b"),
                       ("reciprocal", "1 / a"), ("thirds", "a / 3 + b * (1 / c)"), ("half_of", "a * 0.5f + a")):
        yield name, [(real, n, text)], ""
    if n in (1, 2, 3, 4):
        yield "dot", [(real, 1, "dot(a, b)")], ""
        yield "distance", [(real, 1, "distance(a, b)"), (real, 1, "length(a)")], ""
        yield "normalize", [of("normalize", "a")], ""
        if real == "float":
            yield "fast", [(real, 1, "fast_distance(a, b)"), (real, 1, "fast_length(a)"), of("fast_normalize", "a")], ""
    if n in (3, 4):
        yield "cross", [of("cross", "a, b")], ""


def functions():
    for real, letter, lanes in (("float", "f", (1, 4, 3, 2, 8, 16)), ("double", "d", (1, 4, 2, 3, 8))):
        for n in lanes:
            for name, results, before in functions_of(real, n):
                yield kernel(letter, f"{name}_{real}{n}", real, n, results, before)


WHOLE = "char uchar short ushort int uint long ulong".split()


def converts():
    ways = ("", "_rte", "_rtz", "_rtp", "_rtn")
    for n in (1, 4, 3, 8):
        for letter, source in [("f", "float"), ("d", "double")] + [("i", t) for t in WHOLE]:
            for to in [*WHOLE, "float", "double"]:
                if to == source:
                    continue
                v = vector(to, n)
                sat = [] if to in ("float", "double") else ["_sat"]
                plain = [] if letter != "i" and sat else [""]  # out of range: constructs.cl
                for group in plain + sat:
                    results = [(to, n, f"convert_{v}{group}{w}(a)") for w in ways]
                    yield kernel(letter, f"{source}_to_{v}{group}", source, n, results)


def integers():
    for t in WHOLE:
        wide = {"char": "short", "uchar": "ushort", "short": "int", "ushort": "uint", "int": "long", "uint": "ulong"}.get(t)
        for n in (1, 3, 4, 16):
            of = lambda text, e=t: (e, n, text)  # noqa: E731
            u = "u" + t.lstrip("u")
            groups = {
                "sat": [of("add_sat(a, b)"), of("sub_sat(a, b)"), of("mad_sat(a, b, c)"), of("hadd(a, b)"), of("rhadd(a, b)")],
                "high": [of("mul_hi(a, b)"), of("mad_hi(a, b, c)")],
                "bits": [of("rotate(a, b)"), of("clz(a)"), of("popcount(a)"), of("bitselect(a, b, c)")],
                "order": [of("min(a, b)"), of("max(a, b)"), of("clamp(a, min(b, c), max(b, c))"), of("abs(a)", u),
                          of("abs_diff(a, b)", u)],
                "divide": [of(f"a / (b | ({t})1)"), of(f"a % (b | ({t})1)")] if t.startswith("u") else [],
                "products": [of("a * b + c"), of("a * b * c - a"), of("(a ^ b) & ~c | a >> 3")] if t.startswith("u") else [],
                "upsample": [of(f"upsample(a, as_{vector(u, n)}(b))", wide)] if wide else [],
            }
            for name, results in groups.items():
                if results and sum(n for _ in results) <= 100:
                    yield kernel("i", f"{name}_{t}{n}", t, n, results)


# h, and what is made of it: all results lie side by side, as vectors have them.
OVERFLOWING = {
    "product": "int h = x[i] * y[i];", "sum": "int h = x[i] + y[i];", "difference": "int h = x[i] - y[i];",
    "times": "int h = x[i] * 31;", "plus": "int h = x[i] + 1000000007;", "both": "int h = x[i] * 65537 + y[i];",
    "shifted": "int h = x[i] << 7;", "negated": "int h = -x[i];",
    "hash": "int h = x[i]; for (int k = 0; k < 20; k++) h = h * 31 + 1000000007;",
    "products": "int h = 0; for (int k = 0; k < 20; k++) h += x[i + k] * y[k];",
    "id": "int h = i * 1000003;", "step": "int h = i + x[0] * 7;", "cube": "int h = (i + 5) * (i + 3) * (i + 1);",
    "guarded": "int h = x[i] > 0 ? x[i] * y[i] : y[i] + 1;",
    "short": "short s = x[i], r = y[i]; int h = s * r * 5;",
}
USES = {
    "int": ["h", "h < 0", "h < x[i]", "h > z[i] ? 5 : x[i]", "h == z[i] || h == 0", "h / 5", "h % 7", "h / 8", "h % 8",
            "h >> 3", "h ^ (h >> 16)", "min(h, z[i])", "max(h, 0)", "mul_hi(h, y[i])", "rotate(h, 5)", "(h + z[i]) / 2",
            "h < 0 ? -h : h", "(h < 0 ? -h : h) % 100", "clamp(h, 0, 255)"],
    "uint": ["(uint)h / 5u", "(uint)h % 7u", "(uint)h >> 3", "z[h & 1023]", "z[abs(h % 1000)]", "z[(uint)h % 1000u]", "abs(h)"],
    "long": ["h", "(long)h * 3 + 1", "(long)h + (long)x[i]", "(h & 1) ? h : 2l * h", "(short)h", "h & 255", "(h >> 3) & 15", "h >> 3", "h / 5",
             "h % 7", "clamp(h, 0, 1000)", "min(h, z[i])"],
    "ulong": ["(uint)h"], "short": ["h"], "uchar": ["convert_uchar_sat(h)"], "float": ["h", "(uint)h"], "double": ["h"],
}


def overflows():
    for name, made in OVERFLOWING.items():
        for type, uses in USES.items():
            for n, use in enumerate(uses):
                yield Made(f"i_{name}_{type}{n}",
                           f"__kernel void i_{name}_{type}{n}(__global const int *x, __global const int *y, __global const int *z, "
                           f"__global uint *out)\n{{\n    int i = I;\n    {made}\n    ((__global {type} *)out)[i] = {use};\n}}\n")


def constructs():
    text = (HERE / "constructs.cl").read_text()
    made = 4 * len(re.findall(r"^CONVERTS\(\w, ", text, re.M)) + len(re.findall(r"^BY_ZERO\(\w+\)$", text, re.M))
    made += 3 * len(re.findall(r"^WRAPS\(\w+, ", text, re.M))
    return text, len(re.findall(r"^__kernel void ", text, re.M)) + made


def random_kernels(seed, real="float", open=False):
    while True:
        rng = random.Random(f"{seed} {real} {open}")
        name = f"{real[0]}_{'open' if open else 'random'}_{seed}"
        yield Made(name, Floats(rng, name, real, open).source())
        seed += 1


def strided_kernels(seed):
    while True:
        name = f"i_strided_{seed}"
        yield Made(name, Strided(random.Random(f"strided {seed}"), name).source())
        seed += 1


def made_by(maker, word, seed):
    while True:
        yield Made(f"f_{word}_{seed}", maker(random.Random(f"{word} {seed}"), f"f_{word}_{seed}").source())
        seed += 1


# ---- running -----------------------------------------------------------------------------------------------------------

def only_nans(lines):
    return all(line.endswith("NaNs=0") for line in lines if line.startswith("  at "))


class Trial:
    """One driver, one set of options: what differs, and what clsizer says."""

    def __init__(self, bench, options):
        self.bench, self.options = bench, options
        self.count, self.finds = collections.Counter(), []
        self.variables = {"POCL_KERNELLIB_NAME": options.cpu}

    def command(self, path, match, sizes):
        return [str(self.bench.build / "tests" / "sizes"), str(path), self.options.options, match, *sizes]

    def differing(self, path, lists):
        """{kernel: what the lines below it say}; None if the program does not build."""
        sizes = " /".join(" ".join(sizes) for sizes in lists).split()
        r = self.bench.run(self.command(path, self.options.match or ".", sizes),
                           timeout=self.options.limit, **self.variables)
        found, name = {}, None
        for line in r.out.decode().splitlines():
            if line.startswith("  "):
                found[name].append(line)
            elif line.startswith("differs "):
                name = line.split()[1]
                found[name] = []
            elif line.startswith("unsteady "):
                self.count["not the same twice with one size"] += 1
                found.pop(line.split()[1], None)  # with other inputs it may have been the same
            else:
                self.count["same"] += 1
        if r.status:
            self.count["programs that failed"] += 1
            print(f"{path}: status {r.status}: {r.err[-1500:]}", flush=True)
        return found

    def left_alone(self, path, names, lists):
        """{kernel: reason} of those of `names` that clsizer leaves alone."""
        alone = []
        for sizes in lists:
            command = self.command(path, f"^({'|'.join(names)})$", ["8" if "8" in sizes else sizes[-1]])
            r = self.bench.run(command, "both", timeout=600, CLSIZER_DRY_RUN="1", **self.variables)
            alone.append({e["kernel"]: e["reason"] for e in r.of("refusal") if e.get("kernel")})
        return {name: reason for name, reason in alone[0].items() if all(name in a for a in alone)}

    def written(self, text, sizes):
        """The file, and for each list the sizes to try."""
        path, rng = self.bench.scratch / "sizes.cl", random.Random(text)
        path.write_text(text)
        return path, [[rng.choice(size.split("|")) for size in one.split(",")] for one in sizes.split(";")]

    def ends(self, path, size):
        try:
            self.bench.run(self.command(path, ".", [size]), timeout=self.options.limit, **self.variables)
            return True
        except StillRuns:
            return False

    def try_endless(self, made, sizes):
        """A kernel that does not end with some size: with the first one it does, so clsizer must leave it alone."""
        path, lists = self.written(HEAD + made.text, sizes)
        ending = [[own] for own, *_ in lists if self.ends(path, own)]
        verdict = self.left_alone(path, [made.name], ending).get(made.name, "TUNED") if ending else "ends with none"
        self.count["does not end"] += 1
        self.count[f"of these {verdict}"] += 1
        print(f"{made.name}: does not end in {self.options.limit} s: {verdict}", flush=True)
        if verdict == "TUNED":
            self.finds.append(made.name)

    def try_program(self, text, sizes):
        path, lists = self.written(text, sizes)
        found = self.differing(path, lists)
        numbers = [name for name, lines in found.items() if not only_nans(lines)]
        alone = self.left_alone(path, numbers, lists) if numbers else {}
        for name, lines in found.items():
            if name not in numbers:
                self.count["differs, NaNs only"] += 1
                continue
            self.count["differs"] += 1
            verdict = alone.get(name, "TUNED")
            if "garbage" in name and verdict == "TUNED":
                verdict = "garbage with one size as well"
            self.count[f"of these {verdict}"] += 1
            if verdict == "TUNED":
                self.finds.append(name)
            if verdict == "TUNED" or self.options.verbose:
                print(f"{name}: {verdict} of {';'.join(','.join(sizes) for sizes in lists)}")
                print("\n".join(lines), flush=True)
                if self.options.keep:
                    (pathlib.Path(self.options.keep) / f"{name}.cl").write_text(text)

    def try_kernels(self, made, together, sizes):
        for i in range(0, len(made), together):
            few = made[i:i + together]
            try:
                self.try_program(HEAD + "\n".join(m.text for m in few), sizes)
            except StillRuns:
                if len(few) > 1:
                    self.try_kernels(few, 1, sizes)
                else:
                    self.try_endless(few[0], sizes)


def chosen(kernels, options):
    part, parts = map(int, options.part.split("/"))
    matching = [k for k in kernels if re.search(options.match, k.name)]
    return matching[part - 1::parts]


def try_word(trial, word, options):
    sizes = options.sizes or CLASSES.get(options.driver, SIZES)
    if word == "constructs":
        text, kernels = constructs()
        trial.count["kernels"] += kernels
        trial.try_program(text, sizes)
        return
    fixed = {"functions": functions, "converts": converts, "integers": integers, "overflows": overflows}
    if word in fixed:
        made = chosen(fixed[word](), options)
        trial.count["kernels"] += len(made)
        trial.try_kernels(made, TOGETHER[word], sizes)
        return
    makers = {"grids": Grid, "exits": Exits}
    if word in makers:
        source = made_by(makers[word], word, options.seed)
    else:
        sizes = options.sizes or SOME_CLASSES.get(options.driver, SOME_SIZES)
        real, open = {"random": ("float", False), "open": ("float", True), "double": ("double", False)}.get(word, (None, False))
        source = random_kernels(options.seed, real, open) if real else strided_kernels(options.seed)
    start, made = time.monotonic(), 0
    while made < options.kernels or time.monotonic() - start < options.seconds:
        few = TOGETHER[word]
        batch = [next(source) for _ in range(min(few, options.kernels - made) if made < options.kernels else few)]
        made += len(batch)
        trial.try_kernels(batch, few, sizes)
    trial.count["kernels"] += made
    print(f"{word}: seeds {options.seed} to {options.seed + made - 1}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--what", default="constructs,random")
    parser.add_argument("--driver", default=USUAL)
    # tried besides none: -cl-mad-enable -cl-opt-disable -cl-std=CL1.2 -cl-denorms-are-zero -cl-no-signed-zeros
    # -cl-single-precision-constant -cl-finite-math-only
    parser.add_argument("--options", default="", help="of the build; --options=-cl-...")
    parser.add_argument("--sizes")
    parser.add_argument("--cpu", choices=FLAGS, help="what PoCL compiles for, as Debian builds it")
    parser.add_argument("--match", default="")
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kernels", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--verbose", action="store_true", help="print what differs and is left alone, too")
    parser.add_argument("--limit", type=float, default=3600, help="seconds for a program; when they are over, each of its "
                        "kernels is tried alone for as long")
    parser.add_argument("--keep", help="write programs with finds into this folder")
    options = parser.parse_args()
    if options.cpu and f" {FLAGS[options.cpu]} " not in pathlib.Path("/proc/cpuinfo").read_text().replace("\n", " "):
        print(f"this CPU has no {options.cpu}")
        return SKIPPED
    if options.keep:
        pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
    with Bench(options.build, options.driver) as bench:
        if not bench.available():
            return SKIPPED
        trial = Trial(bench, options)
        for word in options.what.split(","):
            try:
                try_word(trial, word, options)
            except Failure as failure:
                trial.finds.append(word)
                print(f"FAIL {word}: {failure}", flush=True)
    for what, n in sorted(trial.count.items()):
        print(f"{n:8} {what}")
    print(f"{len(trial.finds)} wrong {' '.join(trial.finds[:20])}")
    return len(trial.finds) + trial.count["programs that failed"] > 0


if __name__ == "__main__":
    sys.exit(main())
