#!/usr/bin/env python3
"""tk1.py CLSIZER CLSIZER-ANALYZE: [C]'s estimates for the Jetson TK1 (Tables 4, 5 and 7) from kernels instead of counts."""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
POLY = os.path.join(HERE, "poly.cl")
CONV = os.path.join(HERE, "..", "kernels", "polybench_conv.cl")


def predict(kernel, size, args, buffers, file=POLY):
    """Predicted time in ms of one launch with groups of 32x32, or of 256."""
    local = "32,32" if "," in size else "256"
    command = [sys.argv[1], "predict", "--device", "jetson-tk1", "--estimator", "mwp", "--json", "--only",
               "--kernel", kernel, "--global", size, "--local", local, file]
    for i, value in args.items():
        command += ["--arg", f"{i}={value}"]
    for i, size in buffers.items():
        command += ["--buffer", f"{i}={size}"]
    out = subprocess.run(command, env=dict(os.environ, CLSIZER_HELPER=sys.argv[2]), stdout=subprocess.PIPE, check=True)
    return json.loads(out.stdout)["candidates"][0]["time_us"] / 1e3


def square(kernel, n, first, count, buffers):
    """A kernel on n x n matrices: from argument `first` on alpha, beta and `count` extents, or extents alone."""
    scalars = [1, 1] if count > 1 else []
    args = dict(enumerate(scalars + [n] * count, first))
    return predict(kernel, f"{n},{n}", args, dict.fromkeys(range(buffers), 4 * n * n))


def vector(n):
    """Products of a matrix and a vector by rows and by columns."""
    return sum(predict(k, str(n), {3: n, 4: n}, {0: 4 * n * n}) for k in ("mv_rows", "mv_columns"))


def main():
    n = 4096
    rows = [  # name, prediction, [C]'s estimate, tolerance
        ("GEMM", square("gemm", 1024, 3, 3, 3), 242.53, 0.05),
        ("SYRK", square("syrk", 1024, 2, 2, 2), 2605.45, 0.05),
        ("SYR2K", square("syr2k", 1024, 3, 2, 3), 5204.7, 0.05),
        ("3MM", 3 * square("gemm", 2048, 3, 3, 3), 5819.7, 0.05),
        ("2MM", square("gemm", 4096, 3, 3, 3), 15518.1, 0.05),
        ("ATAX", vector(4096), 193.04, 0.1),
        ("MVT 2048", vector(2048), 48.31, 0.1),
        ("2DCONV", predict("conv2d_3x3", f"{n},{n}", {2: n, 3: n}, dict.fromkeys((0, 1), 4 * n * n), CONV), 28.01, 0.15),
        ("GEMM tiled", square("mm_tiled", 1024, 3, 1, 3), 105.75, 0.05),
        ("SYRK tiled", square("syrk_tiled", 1024, 2, 1, 2), 713.42, 0.05),
        ("3MM tiled", 3 * square("mm_tiled", 2048, 3, 1, 3), 2530.5, 0.05),
        ("2MM tiled", square("mm_tiled", 4096, 3, 1, 3), 6748, 0.05),
    ]
    wrong = 0
    for name, got, wanted, tolerance in rows:
        off = got / wanted - 1
        wrong += abs(off) > tolerance
        print(f"{name:10} {got:9.2f} ms, [C] {wanted:9.2f}: {100 * off:+5.1f} %{' WRONG' if abs(off) > tolerance else ''}")
    return wrong > 0


sys.exit(main())
