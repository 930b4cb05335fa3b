#!/usr/bin/env python3
"""Kernels whose groups must stay: rewritten where nobody touches what another one of its group writes between two barriers.

    groups.py --build DIR [CASE...]     no CASE: all; --list prints their names
"""

import sys

from harness import expect, run_cases

TILED = """kernel void product(global float *c, global const float *a, global const float *b, int n%s)
{
    local float s[16][16], t[16][16];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n / 16; k++) {
        s[ly][lx] = a[y * n + k * 16 + lx];
        t[ly][lx] = b[(k * 16 + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 16; i++)
            sum += s[ly][i] * t[i][lx];
        %s
    }
    c[y * n + x] = sum;
}
"""
BARRIER = "barrier(CLK_LOCAL_MEM_FENCE);"
TRANSPOSE = """kernel void transpose(global float *out, global const float *in, int n, local float *tile)
{
    int lx = get_local_id(0), ly = get_local_id(1);
    tile[ly * 17 + lx] = in[get_global_id(1) * n + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * 16 + ly) * n + get_group_id(1) * 16 + lx] = tile[lx * 17 + ly];
}
"""
HALVES = """kernel void product(global float *c, global const float *a, global const float *b, int n)
{
    local float s[256];
    int lx = get_local_id(0), ly = get_local_id(1), l = ly * 16 + lx;
    int at = mad24((int)get_global_id(1), n, (int)get_global_id(0));
    s[l] = a[at] * b[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 128; k > 0; k /= 2) {
        if (l %s k)
            s[l] += s[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        c[mad24((int)get_group_id(1), n, (int)get_group_id(0))] = s[0];
}
"""
HEAD = """kernel void product(global float *c, global const float *a, global const float *b, int n)
{
    local float t[16 * 289], u[16 * 16];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1), l = ly * 16 + lx;
"""
DIAGONALS = HEAD + """    int first = ly * 289;
    t[first + (lx + 1) * 17] = a[y * n + x];
    t[first + lx + 1] = b[y * n + x];
    if (lx == 0)
        t[first] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int m = 0; m < 16; m++) {
        if (lx <= m) {
            int p = first + (m - lx + 1) * 17 + lx + 1;
            t[p] = max(t[p - 18] + a[y * n + m], max(t[p - 1], t[p - 17]) - 0.5f);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int m = 14; m >= 0; m--) {
        if (lx <= m) {
            int p = first + (16 - lx) * 17 + lx + 16 - m;
            t[p] = max(t[p - 18] + b[y * n + m], max(t[p - 1], t[p - 17]) - 0.5f);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = t[first + (lx + 1) * 17 + 16];
}
"""
CLAMPED = HEAD + """    int before = max(lx - 1, x < 16 ? 0 : 1), behind = min(lx + 1, 14), rounds = n / 16;
    bool done;
    t[l] = a[y * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < rounds; i++) {
        done = false;
        if (lx > i && lx < 15 - i) {
            done = true;
            u[l] = min(t[ly * 16 + before], min(t[l], t[ly * 16 + behind])) + b[y * n + i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == rounds - 1)
            break;
        if (done)
            t[l] = u[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = t[l] + (done ? u[l] : 0);
}
"""
BORDERED = HEAD + """    for (int j = ly; j < 18; j += 16) {
        int i = lx;
        do {
            t[j * 34 + i] = a[(y - ly + j) % n * n + (x - lx + i) % n];
            i += 16;
        } while (i < 34);
    }
    u[l] = 0;
    if (lx == 0)
        u[l] = b[y * n];
    if (lx == 15)
        u[l] = b[y * n + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    c[y * n + x] = t[ly * 34 + lx] + t[(ly + 2) * 34 + lx + 18] + u[ly * 16 + 15 - lx];
}
"""
ROWS = """kernel void product(global float *c, global const float *a, int w)
{
    local float t[16];
    int i = get_global_id(0), l = get_local_id(0);
    float sum = 0;
    t[l] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < w; k++) {
        sum = sum * 0.5f + a[i * w + k];
        c[i * w + w - 1 - k] = sum + t[l ^ 1];
    }
}
"""
FILL = """
kernel void fill(global float *a, global float *b)
{
    size_t i = get_global_id(0);
    a[i] = (i * 7 % 31) / 8.0f;
    b[i] = (i * 5 % 29) / 4.0f;
}
"""
SIDE = 128
BYTES = 4 * SIDE * SIDE
INPUTS = f"launch - fill 1 {SIDE * SIDE} 1 1 0 0 0 0 0 0 b:2:0:{BYTES} b:3:0:{BYTES}"


def number(n):
    return f"s:{n.to_bytes(4, 'little').hex()}"


def product(local="16 16 1", n=SIDE):
    """A product of n x n numbers, the first of those that there are."""
    return f"launch f product 2 {n} {n} 1 0 0 0 {local} b:1:0:{BYTES} b:2:0:{BYTES} b:3:0:{BYTES} {number(n)}"


def program(bench, source, launches):
    text, plan = bench.scratch / "groups.cl", bench.scratch / "groups.txt"
    text.write_text(source + FILL)
    plan.write_text("\n".join(["queue 0", *(f"memory {m} {BYTES}" for m in (1, 2, 3)), INPUTS, *launches]) + "\n")
    return [str(bench.build / "tests" / "replay"), str(text), str(plan)]


def same(bench, source, launches, **variables):
    """The program under clsizer, which knows its kernels beforehand, and rewrites what it may; its memory as bare."""
    command, cache = program(bench, source, launches), bench.store("cache")
    bare = bench.run(command)
    bench.run(command, "both", cache=cache, CLSIZER_WISDOM="none", CLSIZER_DRY_RUN="1")
    tuned = bench.run(command, "both", cache=cache, **{"CLSIZER_WISDOM": "none", "CLSIZER_EFFORT": "estimate",
                                                       "CLSIZER_VARIANTS": "wide", **variables})
    expect(bare.status == 0 and tuned.status == 0, f"status {bare.status} and {tuned.status}: {tuned.err[-500:]}")
    expect(tuned.out == bare.out, "other output")
    return tuned


def kernel_of(tuned, event):
    """The events of the kernel that must keep its groups."""
    return [e for e in tuned.of(event) if e.get("kernel") in ("product", "transpose")]


def is_used(tuned):
    return any(e["reason"] == "variant-used" for e in kernel_of(tuned, "observed"))


def reasons(tuned, event):
    return [e.get("reason") for e in kernel_of(tuned, event)]


def tiles(bench):
    """A product of tiles runs as vectors, with its groups."""
    tuned = same(bench, TILED % ("", BARRIER), [product()] * 8)
    expect(is_used(tuned), f"{tuned.events}")
    verdict = tuned.of("decision", kernel="product")[0]["proof"]
    expect(not verdict["size"]["proven"] and verdict["groups"]["proven"], f"{verdict}")


def local_argument(bench):
    """Local memory may be an argument."""
    launch = f"launch f transpose 2 {SIDE} {SIDE} 1 0 0 0 16 16 1 b:1:0:{BYTES} b:2:0:{BYTES} {number(SIDE)} l:{16 * 17 * 4}"
    tuned = same(bench, TRANSPOSE, [launch] * 8)
    expect(is_used(tuned), f"{tuned.events}")


def measured(bench):
    """By default it is measured beside the program's kernel, and its win is kept for later runs."""
    command = program(bench, TILED % ("", BARRIER), [product()] * 400)
    bare = bench.run(command)
    for _ in range(8):
        tuned = bench.run(command, "both", CLSIZER_EFFORT="measure", CLSIZER_VARIANTS="auto", CLSIZER_ANALYSE_AFTER="0")
        expect(tuned.status == 0 and tuned.out == bare.out, f"status {tuned.status}, {tuned.err[-500:]}")
        if tuned.of("decision", kernel="product", source="wisdom", reason="variant-faster"):
            break
    expect(is_used(tuned), f"{tuned.events}")
    decision = tuned.of("decision", kernel="product")[0]
    expect(decision["variant"]["name"] == "wide" and decision["decision"]["local"] == [16, 16, 1], f"{decision}")


def hasty(bench):
    """Without its second barrier, a tile is overwritten while others read it: left alone."""
    tuned = same(bench, TILED % ("", ""), [product()] * 8)
    refusal = tuned.of("refusal", kernel="product")[0]
    expect(not is_used(tuned) and refusal["reason"] in ("barrier", "local-memory"), f"{refusal}")
    expect("touch" in refusal["detail"], f"{refusal}")


def halves(bench):
    """A sum by halves, whose places are products of 24 bits, runs as vectors; one that touches too much is left alone."""
    expect(is_used(same(bench, HALVES % "<", [product()] * 8)), "not used")
    command, cache = program(bench, HALVES % "<=", [product()] * 8), bench.store("cache")
    wrong = bench.run(command, "both", cache=cache, CLSIZER_WISDOM="none", CLSIZER_EFFORT="estimate", CLSIZER_VARIANTS="wide")
    expect(not is_used(wrong), f"{wrong.events}")


def rounds(bench):
    """Diagonals, neighbours that are clamped, and tiles that are brought in by strides run as vectors."""
    for name, source in ("diagonals", DIAGONALS), ("clamped", CLAMPED), ("bordered", BORDERED):
        tuned = same(bench, source, [product()] * 8)
        expect(is_used(tuned), f"{name}: {tuned.events}")


def overflow(bench):
    """Sums of numbers from memory that are compared may overflow, which is said at once."""
    tuned = same(bench, DIAGONALS.replace("float", "int").replace("0.5f", "1"), [product()] * 8)
    expect(not is_used(tuned) and "undefined-overflow" in reasons(tuned, "observed"), f"{tuned.events}")


def in_place(bench):
    """Rows that are loaded ahead of stores, of a kernel that is launched with one buffer for both: after others, or at once."""
    launch = f"launch f product 1 64 1 1 0 0 0 16 1 1 b:1:0:{BYTES} b:%d:0:{BYTES} {number(12)}"
    for before in [2] * 8, [1] * 8:
        tuned = same(bench, ROWS, [launch % of for of in (*before, 1, 2, 1)])
        expect(is_used(tuned), f"{before}: {tuned.events}")


def no_groups(bench):
    """Where the driver chooses the groups, nobody knows them."""
    tuned = same(bench, TRANSPOSE.replace("16 + ly", "1 + ly").replace("16 + lx", "1 + lx"),
                 [f"launch f transpose 2 16 16 1 0 0 0 0 0 0 b:1:0:{BYTES} b:2:0:{BYTES} {number(16)} l:{16 * 17 * 4}"] * 8)
    expect(not is_used(tuned) and {"barrier", "local-memory"} & {*reasons(tuned, "refusal")}, f"{tuned.events}")


def first_without(bench):
    """A first launch that leaves the size to the driver says nothing of others."""
    launch = (f"launch f transpose 2 %s 1 0 0 0 %s b:1:0:{BYTES} b:2:0:{BYTES} {number(SIDE)} l:{16 * 17 * 4}")
    tuned = same(bench, TRANSPOSE, [launch % ("8 8", "0 0 0")] + [launch % (f"{SIDE} {SIDE}", "16 16 1")] * 8)
    expect(is_used(tuned), f"{tuned.events}")


def odd_groups(bench):
    """Groups that are no multiple of the neighbours stay as they are."""
    source = (TILED % ("", BARRIER)).replace("16", "4")
    tuned = same(bench, source, [product("4 4 1")] * 8)
    expect(not is_used(tuned) and {"barrier", "local-memory"} & {*reasons(tuned, "refusal")}, f"{tuned.events}")


def other_rounds(bench):
    """One variant for launches with other integers: where a driver may lose rounds of a loop it is not used for them."""
    source = (TILED % (", int rounds", BARRIER)).replace("n / 16", "rounds")
    launches = [f"{product()} {number(rounds)}" for rounds in (8, 8, 8, 4, 8, 4, 8, 4, 4, 4, 4)]
    tuned = same(bench, source, launches + [f"{product(n=64)} {number(4)}"])
    expect(is_used(tuned), f"{tuned.events}")


def other_places(bench):
    """... but for integers that only say where something is, as it is for other contents of memory."""
    source = (TILED % (", int row", BARRIER)).replace("a[y * n", "a[(y + row) % n * n")
    tuned = same(bench, source, [f"{product()} {number(row)}" for row in range(24)])
    used = [e["changed"] for e in kernel_of(tuned, "launches")]
    expect(is_used(tuned) and sum(used) > 16, f"{used} {tuned.events}")


def large_integers(bench):
    """Integers that cannot be compared at each launch: left alone by such a driver."""
    launch = product() + " s:" + "00" * 16
    tuned = same(bench, (TILED % (", int4 more", BARRIER)).replace("n / 16", "n / 16 + more.z"), [launch] * 8)
    expect(not is_used(tuned) and "driver-barriers" in reasons(tuned, "observed"), f"{tuned.events}")


def memory_decides(bench):
    """How often a loop runs depends on memory: such a driver may lose rounds with other contents only."""
    tuned = same(bench, (TILED % ("", BARRIER)).replace("n / 16", "(b[0] < 9 ? n / 16 : 1)"), [product()] * 8)
    expect(not is_used(tuned) and "driver-barriers" in reasons(tuned, "observed"), f"{tuned.events}")


def offset(bench):
    """Launches with an offset may have any: left alone by such a driver."""
    launch = product().replace("product 2 128 128 1 0 0 0", "product 2 128 112 1 0 16 0")
    tuned = same(bench, TILED % ("", BARRIER), [launch] * 8)
    expect(not is_used(tuned) and "driver-barriers" in reasons(tuned, "observed"), f"{tuned.events}")


def asked_size(bench):
    """A size that the user asks for is not given to it, nor is it rewritten then."""
    tuned = same(bench, TILED % ("", BARRIER), [product()] * 8, CLSIZER_SIZES="product=8x8", CLSIZER_VARIANTS="auto")
    expect(not is_used(tuned) and not kernel_of(tuned, "decision"), f"{tuned.events}")


CASES = [tiles, local_argument, measured, hasty, halves, rounds, in_place, no_groups, first_without, odd_groups, other_rounds,
         other_places, overflow, large_integers, memory_decides, offset, asked_size]

if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES))
