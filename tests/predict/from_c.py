#!/usr/bin/env python3
"""from_c.py CLSIZER: predictions from single-threaded C (poly.c) against those of kernels (poly.cl) that
do the same, and loops that cannot be ranges."""
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


def function(name, *options):
    """Options for a function of poly.c."""
    return ["--from-c", os.path.join(HERE, "poly.c"), "--function", name, *options]


def check_times():
    """Function, its arguments and buffers, the kernel, its arguments, buffers and range; how many differ."""
    n, m, wrong = 1024, 4096, 0
    square, large = 4 * n * n, 4 * m * m
    gemm = "gemm", os.path.join(HERE, "poly.cl"), f"{n},{n}", {3: 1, 4: 1, 5: n, 6: n, 7: n}, dict.fromkeys((0, 1, 2), square)
    for name, arguments, buffers, kernel, file, size, kernel_arguments, kernel_buffers in (
        ("gemm", {0: n, 1: n, 2: n, 3: 1, 4: 1}, dict.fromkeys((5, 6, 7), square), *gemm),
        ("gemm_fixed", {0: 1, 1: 1}, dict.fromkeys((2, 3, 4), square), *gemm),
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
        c = answer(*common, *function(name), *given(arguments, buffers))
        k = answer(*common, "--kernel", kernel, "--global", size, file, *given(kernel_arguments, kernel_buffers))
        one, other = c["candidates"][0], k["candidates"][0]
        off = {e: one["estimates"][e] / t - 1 for e, t in other["estimates"].items()}
        traffic = max(abs(one["transactions"][t] - v) / max(v, 1) for t, v in other["transactions"].items())
        bad = c["global"] != k["global"] or not c["facts"]["size"]["proven"] or traffic > SAMPLED or \
            max(map(abs, off.values())) > TOLERANCE
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
    ):
        got = answer(*function(name, *options))["global"]
        wrong += got != wanted
        print(f"{name:12} {got}{'' if got == wanted else f' WRONG: not {wanted}'}")
    return wrong


def check_texts():
    """The kernels that are printed, predicted as kernels: how many take another range or time than their functions."""
    wrong, n = 0, 1024
    for name, arguments in (
        ("gemm", {0: n, 1: n, 2: n, 3: 1, 4: 1}), ("gemm_fixed", {0: 1, 1: 1}), ("syr2k", {0: n, 1: n, 2: 1, 3: 1}),
        ("mv_columns", {0: n, 1: n}), ("convolution", {0: n, 1: n}), ("every_third", {0: n}), ("sums_of_rows", {0: n, 1: n}),
        ("lengths", {0: n}),
    ):
        scalars = given(arguments, {})
        printed = run(*function(name), *scalars, "--emit-cl")
        c = answer(*function(name), *scalars)
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
        ("rows", {0: 1024}, "rows: a parameter is no number, and no array or pointer of numbers"),
        ("nothing_passed", {}, "nothing_passed: it has no parameters: pass to it what it works on"),
    ):
        done = run(*function(name), *given(arguments, {}))
        bad = done.returncode == 0 or not re.search(said, done.stderr)
        wrong += bad
        print(f"{name:12} {done.stderr.strip()}{' WRONG' if bad else ''}")
    done = run(*function("gemm"), "--arg", "99=1")  # said once, and as of a kernel
    bad = done.returncode != 2 or done.stderr.count("\n") != 1 or "has no argument 99" not in done.stderr
    print(f"{'arguments':12} {done.stderr.strip()}{' WRONG' if bad else ''}")
    return wrong + bad


sys.exit(check_times() + check_ranges() + check_texts() + check_refusals() > 0)
