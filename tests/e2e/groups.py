#!/usr/bin/env python3
"""Kernels with barriers and local memory: their size is the program's; asked for, a variant leaves their groups as they are.

    groups.py --build DIR
"""

import argparse
import sys

from harness import SKIPPED, USUAL, Bench, Failure, expect

# The second one reads what another work-item of its group writes meanwhile.
SOURCE = """kernel void mirrored(global const float *in, global float *out)
{
    local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)] * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[63 - l] + s[l];
}
kernel void hasty(global const float *in, global float *out)
{
    local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 63)
        s[l] = s[l + 1];
    out[get_global_id(0)] = s[l];
}
"""
EXTENT = 1 << 16


def program(bench, kernel):
    source, plan = bench.scratch / "groups.cl", bench.scratch / f"{kernel}.txt"
    source.write_text(SOURCE)
    launch = f"launch f {kernel} 1 {EXTENT} 1 1 0 0 0 64 1 1 b:1:0:{4 * EXTENT} b:2:0:{4 * EXTENT}"
    plan.write_text("\n".join(["queue 0", f"memory 1 {4 * EXTENT}", f"memory 2 {4 * EXTENT}", *[launch] * 10]) + "\n")
    return [str(bench.build / "tests" / "replay"), str(source), str(plan)]


def run(bench, command, variants):
    cache = bench.store("cache")
    bench.run(command, "both", cache=cache, CLSIZER_WISDOM="none", CLSIZER_DRY_RUN="1")
    bare = bench.run(command)
    result = bench.run(command, "both", cache=cache, CLSIZER_WISDOM="none", CLSIZER_EFFORT="patient", CLSIZER_NO_AHEAD="1",
                       CLSIZER_VARIANTS=variants)
    expect(bare.status == 0 and result.status == 0, f"{command}: status {bare.status} and {result.status}: {result.err[-500:]}")
    expect(result.out == bare.out, f"{command}: other output")
    expect("variant-differs" not in result.reasons("observed"), f"{command}: found out only when it was verified")
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    options = parser.parse_args()
    with Bench(options.build, USUAL) as bench:
        if not bench.available():
            return SKIPPED
        try:
            for command in ([bench.app("reduction"), "--small"], program(bench, "mirrored")):
                result = run(bench, command, "wide")
                expect("groups-stay" in result.reasons("decision"), f"{command}: {result.reasons('decision')}")
                expect("variant-used" in result.reasons("observed"), f"{command}: {result.reasons('observed')}")
                result = run(bench, command, "auto")
                expect(set(result.reasons("refusal")) <= {"barrier", "local-memory"} and result.reasons("refusal") and
                       not result.reasons("decision"), f"{command}: {result.reasons('refusal')}")
            result = run(bench, program(bench, "hasty"), "wide")
            expect("not-in-step" in result.reasons("refusal") and "variant-used" not in result.reasons("observed"),
                   f"hasty: {result.reasons('refusal')}")
        except Failure as failure:
            print(f"FAIL {failure}")
            return 1
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
