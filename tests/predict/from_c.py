#!/usr/bin/env python3
"""from_c.py CLSIZER: predictions from single-threaded C (poly.c, region.c) against those of kernels (poly.cl) that
do the same and against [C]'s; loops that cannot be ranges, and regions that cannot be functions."""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "kernels")
TOLERANCE = 0.02
SAMPLED = 0.06  # transactions by level: of touches that are looked at, here and there in another order


def run(*words):
    """The finished process of `clsizer predict` for a Jetson TK1."""
    return subprocess.run([sys.argv[1], "predict", "--device", "jetson-tk1", *words], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def answer(*words):
    """What it printed as JSON."""
    done = run("--json", *words)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return json.loads(done.stdout)


def given(arguments, buffers):
    """Options for scalars and buffers."""
    return [w for i, v in arguments.items() for w in ("--arg", f"{i}={v}")] + \
           [w for i, v in buffers.items() for w in ("--buffer", f"{i}={v}")]


def function(name, *options, file="poly.c"):
    """Options for a function of poly.c, or a region."""
    return ["--from-c", os.path.join(HERE, file), "--function", name, *options]


def of(name):
    """Options for a function of poly.c, or for a region of region.c."""
    return function(name, file="region.c" if name in ("product", "steps") else "poly.c")


def check_tables():
    """[C]'s estimates from C: Table 4, and the column for GPUs of Table 7; how many are missed."""
    wrong = 0

    def mwp(name, *arguments):
        local = "256" if name.startswith("mv") else "32,32"
        given_in_order = given(dict(enumerate(arguments)), {})
        return answer(*function(name, *given_in_order), "--only", "--local", local, "--estimator", "mwp")["candidates"][0]["time_us"] / 1e3

    for name, got, wanted, tolerance in (
        ("GEMM, MM", mwp("gemm", 1024, 1024, 1024, 1, 1), 242.51, 0.05),
        ("SYRK", mwp("syrk", 1024, 1024, 1, 1), 2605.45, 0.05),
        ("SYR2K", mwp("syr2k", 1024, 1024, 1, 1), 5204.7, 0.05),
        ("3MM", 3 * mwp("gemm_passed", 2048, 1, 1), 5819.7, 0.05),
        ("2MM", mwp("gemm", 4096, 4096, 4096, 1, 1), 15518.1, 0.05),
        ("ATAX", mwp("mv_rows", 4096, 4096) + mwp("mv_columns", 4096, 4096), 193.04, 0.1),
        ("MVT 4096", mwp("mvt", 4096), 193.0, 0.1),
        ("MVT 2048", mwp("mvt", 2048), 48.31, 0.1),
        ("2DCONV", mwp("convolution", 4096, 4096), 28.01, 0.15),
    ):
        off = got / wanted - 1
        wrong += abs(off) > tolerance
        print(f"{name:12} {got:9.2f} ms, [C] {wanted:9.2f}: {100 * off:+.1f} %{' WRONG' if abs(off) > tolerance else ''}")
    return wrong


def check_choice():
    """[C] Table 7, without its FPGA's times: in their place what a ZC702 takes at best, 4 GB/s (4.5 there), and 32
    multiplications and additions in a cycle of 10 ns, as many as 220 DSP slices allow in a power of two.  How many
    choices are others than [C]'s."""
    wrong = 0
    n, blocks = 1024, 1 << 17
    for name, arguments, size, local, bytes_moved, products, wanted in (
        ("gemm", (n, n, n, 1, 1), "2", "32,32", 16 * n ** 2, n ** 3, "Jetson TK1"),
        ("mvt", (2048,), "1", "256", 2 * 4 * 2048 ** 2, 2 * 2048 ** 2, "ZC702"),
        ("gemver1", (n,), "2", "32,32", 8 * n ** 2, 2 * n ** 2, "Jetson TK1"),
        ("deriche1", (n, 1, 1, 1, 1), "1", "256", 8 * n ** 2, 4 * n ** 2, "Jetson TK1"),
        ("dct1d", (blocks,), "1", "256", 64 * blocks, 64 * blocks, "ZC702"),
    ):
        at_best = max(bytes_moved / 4e9, products * 10e-9 / 32) * 1e3
        with tempfile.NamedTemporaryFile("w", suffix=".dev") as fpga:
            fpga.write(f"name = ZC702\nfixed_ms {name} = {at_best}\n")
            fpga.flush()
            got = answer("--device", fpga.name, *function(name, *given(dict(enumerate(arguments)), {})), "--loops", size,
                         "--local", local, "--only")
        wrong += got["chosen"] != wanted
        times = ", ".join(f"{d['device']} {d['total_us'] / 1e3:.2f} ms" for d in got["devices"])
        print(f"{name:12} {times}{'' if got['chosen'] == wanted else ' WRONG'}")
    return wrong


def proved(prediction):
    """Which facts are, by name."""
    return {name: [x["proven"] for x in (f if isinstance(f, list) else [f])] for name, f in prediction["facts"].items()}


def trips(*words):
    """How often the loops of a warp run."""
    return re.findall("([0-9]+) times$", run("--trace", *words).stdout, re.M)


def check_times():
    """Function, its arguments and buffers, the kernel, its arguments, buffers and range; how many differ."""
    n, m, wrong = 1024, 4096, 0
    square, large = 4 * n * n, 4 * m * m
    gemm = "gemm", os.path.join(HERE, "poly.cl"), f"{n},{n}", {3: 1, 4: 1, 5: n, 6: n, 7: n}, dict.fromkeys((0, 1, 2), square)
    for name, arguments, buffers, kernel, file, size, kernel_arguments, kernel_buffers in (
        ("gemm", {0: n, 1: n, 2: n, 3: 1, 4: 1}, dict.fromkeys((5, 6, 7), square), *gemm),
        ("gemm_fixed", {0: 1, 1: 1}, dict.fromkeys((2, 3, 4), square), *gemm),
        ("gemm_passed", {0: n, 1: 1, 2: 1}, dict.fromkeys((3, 4, 5), square), *gemm),
        ("product", {"n": n, "alpha": 1, "beta": 1}, dict.fromkeys("ABC", square), *gemm),
        ("steps", {"rows": m, "columns": m}, {"a": large, "x": 4 * m, "y": 4 * m},
         "mv_rows", os.path.join(HERE, "poly.cl"), f"{m}", {3: m, 4: m}, {0: large, 1: 4 * m, 2: 4 * m}),
        ("syrk", {0: n, 1: n, 2: 1, 3: 1}, {4: square, 5: square},
         "syrk", os.path.join(HERE, "poly.cl"), f"{n},{n}", {2: 1, 3: 1, 4: n, 5: n}, {0: square, 1: square}),
        ("syr2k", {0: n, 1: n, 2: 1, 3: 1}, dict.fromkeys((4, 5, 6), square),
         "syr2k", os.path.join(HERE, "poly.cl"), f"{n},{n}", {3: 1, 4: 1, 5: n, 6: n}, dict.fromkeys((0, 1, 2), square)),
        ("mv_rows", {0: m, 1: m}, {2: large, 3: 4 * m, 4: 4 * m},
         "mv_rows", os.path.join(HERE, "poly.cl"), f"{m}", {3: m, 4: m}, {0: large, 1: 4 * m, 2: 4 * m}),
        ("mv_columns", {0: m, 1: m}, {2: large, 3: 4 * m, 4: 4 * m},
         "mv_columns", os.path.join(HERE, "poly.cl"), f"{m}", {3: m, 4: m}, {0: large, 1: 4 * m, 2: 4 * m}),
    ):
        local = "32,32" if "," in size else "256"
        common = ["--only", "--local", local, "--estimator", "all"]
        function_words = [*common, *of(name), *given(arguments, buffers)]
        kernel_words = [*common, "--kernel", kernel, "--global", size, file, *given(kernel_arguments, kernel_buffers)]
        c, k = answer(*function_words), answer(*kernel_words)
        rounds = trips(*function_words)
        one, other = c["candidates"][0], k["candidates"][0]
        off = {e: one["estimates"][e] / t - 1 for e, t in other["estimates"].items()}
        traffic = max(abs(one["transactions"][t] - v) / max(v, 1) for t, v in other["transactions"].items())
        bad = c["global"] != k["global"] or not c["facts"]["size"]["proven"] or proved(c) != proved(k) or \
            traffic > SAMPLED or max(map(abs, off.values())) > TOLERANCE or \
            not rounds or rounds != trips(*kernel_words)
        wrong += bad
        print(f"{name:12} range {c['global']}, median {one['time_us'] / 1e3:9.2f} ms, kernel {other['time_us'] / 1e3:9.2f};",
              ", ".join(f"{e} {100 * x:+.2f} %" for e, x in off.items()), f"traffic {100 * traffic:.2f} %",
              "WRONG" if bad else "")
    return wrong


def check_ranges():
    """Which ranges the loops become: how many do not."""
    wrong = 0
    gemm = given({0: 1024, 1: 512, 2: 256, 3: 1, 4: 1}, {})
    for name, options, wanted in (
        ("gemm", gemm, [512, 1024]),
        ("gemm", [*gemm, "--loops", "1"], [1024]),
        ("gemm", [*gemm, "--loops", "2"], [512, 1024]),
        ("convolution", given({0: 4096, 1: 2048}, {}), [2046, 4094]),
        ("every_third", given({0: 100}, {}), [32]),
        ("sums_of_rows", given({0: 128, 1: 64}, {}), [128]),
        ("lengths", given({0: 4096}, {}), [4096]),
        ("cube", given({0: 8, 1: 16, 2: 31, "set": 1}, {}), [32, 16, 8]),
    ):
        got = answer(*function(name, *options))["global"]
        wrong += got != wanted
        print(f"{name:12} {got}{'' if got == wanted else f' WRONG: not {wanted}'}")
    done = run(*function("sums_of_rows", *given({0: 128, 1: 64}, {})))  # the loop that stays is told, too
    bad = done.returncode or not re.search(r"the loop in line 136 stays a loop: .*\bx\b.*line 137", done.stderr)
    print(f"sums_of_rows {done.stderr.strip()}{' WRONG' if bad else ''}")
    return wrong + bool(bad)


def check_texts():
    """The kernels that are printed, predicted as kernels: how many take another range or time than their functions."""
    wrong, n = 0, 1024
    for name, arguments in (
        ("gemm", {0: n, 1: n, 2: n, 3: 1, 4: 1}), ("gemm_fixed", {0: 1, 1: 1}), ("syr2k", {0: n, 1: n, 2: 1, 3: 1}),
        ("mv_columns", {0: n, 1: n}), ("convolution", {0: n, 1: n}), ("every_third", {0: n}), ("sums_of_rows", {0: n, 1: n}),
        ("lengths", {0: n}), ("gemm_passed", {0: n, 1: 1, 2: 1}), ("cube", {0: 8, 1: 16, 2: 31, "set": 1}),
        ("product", {"n": n, "alpha": 1, "beta": 1}), ("steps", {"rows": n, "columns": n}),
    ):
        scalars = given(arguments, {})
        printed = run(*of(name), *scalars, "--emit-cl")
        c = answer(*of(name), *scalars)
        with tempfile.NamedTemporaryFile("w", suffix=".cl") as text:
            text.write(printed.stdout)
            text.flush()
            k = answer("--kernel", name, "--global", ",".join(map(str, c["global"])), *scalars, text.name)
        best = c["candidates"][0]
        of_text = next(x for x in k["candidates"] if x["local"] == best["local"])
        off = of_text["time_us"] / best["time_us"] - 1
        bad = not k["facts"]["size"]["proven"] or abs(off) > 0.01 or \
            f"global size {','.join(map(str, c['global']))} " not in printed.stdout
        wrong += bad
        print(f"{name:12} as text {100 * off:+.2f} %{' WRONG' if bad else ''}")
    return wrong


def check_refusals():
    """Loops that stay loops, and what is said of them; how many do not."""
    wrong = 0
    for name, arguments, said in (
        ("prefix_sum", {0: 1024}, r"the loop in line 89 stays a loop: .*\bx\b.*line 90"),
        ("gauss_seidel", {0: 1024}, r"the loop in line 95 stays a loop: .*\bu\b.*line 97"),
        ("histogram", {0: 1024}, r"the loop in line 103 stays a loop: .*\bbins\b.*line 104"),
        ("sum", {0: 1024}, "the loop in line 110 stays a loop: it counts downwards, ends early, leaves more to its next iteration"),
        ("search", {0: 1024}, "the loop in line 117 stays a loop: it counts downwards, ends early"),
        ("two_nests", {0: 1024}, "the loop in line 126 stays a loop: .*more beside it"),
        ("gemm", {}, "the loop in line 7 stays a loop: how often it runs is not known; give the arguments"),
        ("no_such", {}, "no_such: no function of that name"),
        ("rows", {0: 1024}, r"poly.c: rows: line 163: 'float \*\*row' is no number, and no array or pointer of numbers"),
        ("nothing_passed", {}, "nothing_passed: it has no parameters: pass to it what it works on"),
        *((name, None, f"region.c: {said}") for name, said in (
            ("sum", "sum: line 73: the region changes 's', which has a value before or behind it"),
            ("greatest", "greatest: line 82: the region changes 's', which"),
            ("counted", "counted: line 94: the region changes 'length', which"),
            ("of_a_file", "does-not-compile: 101:[0-9]+: error: unknown type name 'FILE'"),
            ("of_rows", r"of_rows: line 109: 'float \*\*x' is no number"),
            ("twice", "twice: line 120: another region; name them by '#pragma clsizer begin NAME'"),
            ("halved", "halved: line 128: the region ends in another block than it begins in"),
            ("outside", "outside: line 134: the region is in no function"),
            ("without_end", "without_end: line 139: the region has no '#pragma clsizer end'"),
            ("carried", "carried: line 150: the region changes 's', which"),
            ("one_place", "the loop in line 158 stays a loop: .*out.*line 159"),
        )),
    ):
        done = run(*function(name, file="poly.c" if arguments is not None else "region.c"), *given({0: 64} if arguments is None else arguments, {}))
        bad = done.returncode == 0 or not re.search(said, done.stderr)
        wrong += bad
        print(f"{name:12} {done.stderr.strip()}{' WRONG' if bad else ''}")
    with tempfile.NamedTemporaryFile("w", suffix=".c") as text:  # lines stay where they are
        text.write("void f(int n, float x[n][n])\n{\nfor (int i = 1; i < n; i++)\nx[i - 1]\n/* ] */ [\n0] =\nx[i][0];\n}\n")
        text.flush()
        done = run("--from-c", text.name, "--function", "f", "--arg", "n=64")
        wrong += not re.search("the loop in line 3 stays .* in line 6$", done.stderr)
        print(f"{'lines':12} {done.stderr.strip()}")
    done = run(*function("gemm"), "--arg", "99=1")  # said once, and as of a kernel
    bad = done.returncode != 2 or done.stderr.count("\n") != 1 or "has no argument 99" not in done.stderr
    print(f"{'arguments':12} {done.stderr.strip()}{' WRONG' if bad else ''}")
    return wrong + bad


sys.exit(check_tables() + check_choice() + check_times() + check_ranges() + check_texts() + check_refusals() > 0)
