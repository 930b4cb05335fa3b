#!/usr/bin/env python3
"""Variants on a driver with classes of local sizes (driver-classes): used where they round alike, left where they may not.

    classes.py --build DIR

Exit status: 0, 1 on a failure, 77 where Intel's runtime is not installed.
"""

import argparse
import sys

from harness import SKIPPED, Bench, Failure, expect


GUARDED = """kernel void column(global const float *in, global float *out, int n, int rows)
{
    int x = get_global_id(0);
    if (x >= n)
        return;
    float s = 0;
    for (int j = 0; j < rows; j++)
        s += in[j * 4096 + x];
    out[x] = s;
}
"""


DIVIDED = GUARDED.replace("s = 0", "s = 1").replace("s += ", "s /= ")


def guarded(bench, local, n, text=GUARDED):
    """A program that adds up columns of 256 numbers, of 4096 columns the first n."""
    source, plan = bench.scratch / "guarded.cl", bench.scratch / "guarded.txt"
    source.write_text(text)
    words = [f"s:{number.to_bytes(4, 'little').hex()}" for number in (n, 256)]
    launch = " ".join(["launch f column 1 4096 1 1 0 0 0", str(local), f"1 1 b:1:0:{4 << 20} b:2:0:{4 << 12}", *words])
    plan.write_text("\n".join(["queue 0", f"memory 1 {4 << 20}", f"memory 2 {4 << 12}", *[launch] * 10]) + "\n")
    return [str(bench.build / "tests" / "replay"), str(source), str(plan)]


CLEARED = """kernel void cleared(global char *out, int n)
{
    int x = get_global_id(0);
    if (x >= n)
        return;
    out[x] = 0;
}
kernel void cleared_rows(global char *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= n)
        return;
    for (int j = 0; j < 4; j++)
        out[(4 * y + j) * 4096 + x] = 0;
}
"""


def cleared(bench, kernel, size):
    """A program that clears the first 3 bytes of 65536 or of each row, several times, and then all."""
    source, plan = bench.scratch / "cleared.cl", bench.scratch / "cleared.txt"
    source.write_text(CLEARED)
    launch = f"launch f {kernel} {size} 0 0 0 256 1 1 b:1:0:65536 s:"
    plan.write_text("\n".join(["queue 0", "memory 1 65536", *[launch + "03000000"] * 5, *[launch + "00000100"] * 5]) + "\n")
    return [str(bench.build / "tests" / "replay"), str(source), str(plan)]


PRODUCT = """kernel void product(global const float *a, global const float *b, global float *out, int n)
{
    int x = get_global_id(%d), y = get_global_id(%d);
    float s = 0;
    for (int j = 0; j < n; j++)
        s += a[y * n + j] * b[j * 256 + x];
    out[y * 256 + x] = s;
}
"""


def product(bench, x, local):
    """A program that multiplies matrices of 256x256, columns along dimension x, where the driver's vectors then lie."""
    source, plan = bench.scratch / "product.cl", bench.scratch / "product.txt"
    source.write_text(PRODUCT % (x, 1 - x))
    launch = f"launch f product 2 256 256 1 0 0 0 {local[0]} {local[1]} 1 b:1:0:262144 b:2:0:262144 b:3:0:262144 s:00010000"
    plan.write_text("\n".join(["queue 0", *(f"memory {m} 262144" for m in (1, 2, 3)), *[launch] * 10]) + "\n")
    return [str(bench.build / "tests" / "replay"), str(source), str(plan)]


ASKED = """__attribute__((intel_reqd_sub_group_size(32)))
kernel void total(global const float *in, global float *out, int n)
{
    int x = get_global_id(0);
    float s = 0;
    for (int j = 0; j < n; j++)
        s += in[x * n + j];
    out[x] = s;
}
"""


def other_size(bench, source, own, asked, **variables):
    """Why a size that is asked for is used or not, for a program that adds up rows of 16 numbers."""
    path, plan = bench.scratch / "total.cl", bench.scratch / "total.txt"
    path.write_text(source)
    launch = f"launch f total 1 1024 1 1 0 0 0 {own} 1 1 b:1:0:65536 b:2:0:4096 s:10000000"
    plan.write_text("\n".join(["queue 0", "memory 1 65536", "memory 2 4096", *[launch] * 10]) + "\n")
    command, cache = [str(bench.build / "tests" / "replay"), str(path), str(plan)], bench.store("cache")
    bench.run(command, "both", cache=cache, CLSIZER_WISDOM="none", CLSIZER_DRY_RUN="1", **variables)
    return bench.run(command, "both", cache=cache, CLSIZER_WISDOM="none", CLSIZER_SIZES=f"total={asked}", **variables)


def run_wide(bench, command):
    """The program under clsizer, which rewrites what it may, with its kernels known beforehand."""
    cache = bench.store("cache")
    bench.run(command, "both", cache=cache, CLSIZER_WISDOM="none", CLSIZER_DRY_RUN="1")
    return bench.run(command, "both", cache=cache, CLSIZER_WISDOM="none", CLSIZER_EFFORT="estimate", CLSIZER_VARIANTS="wide")


def same_bits(bench, command):
    bare, result = bench.run(command), run_wide(bench, command)
    expect(bare.status == 0 and result.status == 0, f"{command}: status {bare.status} and {result.status}: {result.err[-500:]}")
    expect(result.out == bare.out, f"{command}: other output")
    expect("variant-differs" not in result.reasons("observed"), f"{command}: found out only when it was verified")
    return result.reasons("observed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    options = parser.parse_args()
    with Bench(options.build, "intel") as bench:
        if not bench.available():
            print("skipped: intel is not installed (scripts/drivers.sh intel)")
            return SKIPPED
        try:
            # Where groups are multiples of 16 and all work-items stay, the driver adds in order.
            reasons = same_bits(bench, [bench.app("gemm"), "-n", "256", "-l", "20"])
            expect("variant-used" in reasons, f"gemm of 256: {reasons}")
            for local, n, used in (64, 4096, True), (64, 4001, False), (4, 4096, False):
                reasons = same_bits(bench, guarded(bench, local, n))
                expect(("variant-used" in reasons) == used, f"{n} columns by {local}: {reasons}")
            # What is made of vectors already, the driver makes none of: it did so wrongly, not seen where few are cleared.
            for kernel, size in ("cleared", "1 65536 1 1"), ("cleared_rows", "2 4096 4 1"):
                reasons = same_bits(bench, cleared(bench, kernel, size))
                expect("variant-used" in reasons, f"{kernel}: {reasons}")
            for local in 64, 4:  # by one after the other, or by their product
                reasons = same_bits(bench, guarded(bench, local, 4096, DIVIDED))
                expect(("variant-used" in reasons) == (local == 64), f"quotients by {local}: {reasons}")
            # Only the extent along which the vectors lie counts, and the driver tells which one that is.
            for x, local in (0, (32, 8)), (0, (16, 1)), (0, (8, 32)), (1, (32, 8)), (1, (8, 32)), (1, (4, 16)):
                reasons = same_bits(bench, product(bench, x, local))
                expect(("variant-used" in reasons) == (local[x] % 16 == 0), f"columns along {x} by {local}: {reasons}")
            # Vectors may be longer than usual: the kernel may ask for that, and so may the user.
            unasked, mode = ASKED.split("\n", 1)[1], {"CL_CONFIG_CPU_VECTORIZER_MODE": "64"}
            for source, variables, length in (unasked, {}, 16), (ASKED, {}, 32), (unasked, mode, 64):
                for own, asked in (8, 16), (16, 32), (32, 64), (64, 128), (128, 64), (4, 8):
                    result = other_size(bench, source, own, asked, **variables)
                    same = (own < length) == (asked < length)
                    expect(("asked-for" in result.reasons("decision")) == same,
                           f"{length} in a vector, {own} -> {asked}: {result.reasons('decision')}, {result.reasons('refusal')}")
                    expect("size-differs" not in result.reasons("observed"), f"{length} in a vector, {own} -> {asked}: other bits")
        except Failure as failure:
            print(f"FAIL {failure}")
            return 1
    print("classes ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
