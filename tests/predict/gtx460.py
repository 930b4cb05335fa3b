#!/usr/bin/env python3
"""gtx460.py CLSIZER: [R] on its GeForce GTX 460: how throughput grows with warps (eq. 4.5, Table 3.1), block sizes and
hotspots of its chapter 7, and what values cost that have no registers (6.4)."""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "resios.cl")
DEVICE = os.path.join(HERE, "..", "..", "devices", "geforce-gtx-460.dev")
UNITS, WARP, CLOCK, LAUNCH = 7, 32, 1350, 4.06  # MHz; us of a launch with a group for each unit
CHAIN = 1024 * 128  # operations
LATENCY = {"madd": 18, "mul": 20}  # [R] Table 3.1
PEAK = {"madd": 32, "mul": 16}  # lanes per cycle
DRAM = 86.4  # GB/s
ESTIMATORS = ("param", "bounds", "pipeline")
REGISTERS = 104


def run(*words):
    return subprocess.run([sys.argv[1], "predict", *words], stdout=subprocess.PIPE, check=True, text=True).stdout


def times(kernel, local, groups, *words, file=KERNELS, device=DEVICE):
    """Predicted times in us, by estimator."""
    out = run("--device", device, "--estimator", "all", "--json", "--only", "--kernel", kernel, "--global", str(groups * local),
              "--local", str(local), *words, file)
    return json.loads(out)["candidates"][0]["estimates"]


def check_throughput():
    """Lanes per cycle and unit: how many differ by more than 4 % from latency and throughput as measured."""
    wrong = 0
    for kernel in LATENCY:
        for warps in (1, 2, 4, 8, 16, 32):
            wanted = min(WARP * warps / LATENCY[kernel], PEAK[kernel])
            us = times(kernel, warps * WARP, UNITS)
            got = {e: CHAIN * WARP * warps / ((us[e] - LAUNCH) * CLOCK) for e in ESTIMATORS}
            bad = [e for e in got if abs(got[e] / wanted - 1) > 0.04]
            wrong += len(bad)
            print(f"{kernel:5} {warps:3} warps {wanted:6.2f} lanes per cycle;",
                  ", ".join(f"{e} {g:.2f}" for e, g in got.items()), f"WRONG: {bad}" if bad else "")
    return wrong


def check_advice():
    """[R] 7's block sizes and the accesses that nothing hides, what costs most first: how many are others."""
    wrong = 0
    for kernel, size_of, words, suggested, hotspots in (
        ("mul", "1120", (), "160", []),
        ("transpose", "4096,4096", ("--arg", "2=4096", "--arg", "3=4096", "--local", "32,32"), "32x32", ["odata", "idata"]),
        ("convolution", "1024,1024", ("--arg", "3=1024", "--arg", "4=1", "--local", "32,32"), "32x32", ["out_row"] * 3),
    ):
        out = run("--device", DEVICE, "--estimator", "param", "--explain", "--kernel", kernel, "--global", size_of, *words, KERNELS)
        size = re.search("suggested by parallelism: (.*)", out).group(1)
        spots = re.findall("hotspot: .* '(.*)' in line", out)
        out = run("--device", DEVICE, "--estimator", "param", "--json", "--kernel", kernel, "--global", size_of, *words, KERNELS)
        told = json.loads(out)["metrics"]
        bad = (size != suggested or spots != hotspots or [s["argument"] for s in told["hotspots"]] != spots
               or "x".join(map(str, told["suggested"])) != size)
        wrong += bad
        print(f"{kernel:11} suggested {size}, hotspots {', '.join(spots) or 'none'}{' WRONG' if bad else ''}")
    return wrong


def check_metrics():
    """Two operations and twelve bytes a work-item, four of them in a cache, and nothing else: how many are told otherwise."""
    items = 1 << 24
    out = run("--device", DEVICE, "--estimator", "param", "--json", "--only", "--kernel", "saxpy", "--global", str(items), "--local", "256",
              "--arg", "2=1", "--buffer", f"0={4 * items}", "--buffer", f"1={4 * items}", os.path.join(HERE, "poly.cl"))
    told, ns = json.loads(out)["metrics"], json.loads(out)["candidates"][0]["time_us"] * 1e3
    peak = 2 * UNITS * PEAK["madd"] * CLOCK / 1e3
    wrong = 0
    for name, wanted in (("gflops", 2 * items / ns), ("gbytes_s", 12 * items / ns), ("flop_byte", 1 / 6), ("compute_of_peak", 2 * items / ns / peak),
                         ("dram_of_peak", 8 * items / ns / DRAM), ("memory_busy", 1)):
        bad = abs(told[name] / wanted - 1) > 0.05
        wrong += bad
        print(f"saxpy {name:15} {told[name]:.4g}, not {wanted:.4g}{' WRONG' if bad else ''}")
    return wrong


def values(n):
    """A kernel with so many values that are all used in each iteration."""
    lines = ["__kernel void values(__global float *x, float a, int n)", "{", "int i = get_global_id(0);"]
    lines += [f"float v{k} = x[{k} * n + i];" for k in range(n)]
    lines += ["for (int j = 0; j < 256; j++) {", *(f"v{k} = v{k} * a + v{(k + 1) % n};" for k in range(n)), "}"]
    lines += ["x[i] = " + " + ".join(f"v{k}" for k in range(n)) + ";", "}"]
    text = tempfile.NamedTemporaryFile("w", suffix=".cl")
    text.write("\n".join(lines) + "\n")
    text.flush()
    return text


def check_spills():
    """Too many values take longer than on a device with registers for them, by each estimator; fewer take as long."""
    with open(DEVICE, encoding="utf-8") as file:
        description = re.sub(r"regs_item = 63", "regs_item = 255", file.read())
    more = tempfile.NamedTemporaryFile("w", suffix=".dev")
    more.write(description)
    more.flush()
    wrong = 0
    for n in (REGISTERS, 40):
        text = values(n)
        with_63, with_255 = (times("values", 256, UNITS, "--arg", "1=1", "--arg", "2=1792", "--buffer", f"0={4 * 1792 * n}",
                                   file=text.name, device=d) for d in (DEVICE, more.name))
        for e, t in with_63.items():
            bad = t <= with_255[e] if n == REGISTERS else t != with_255[e]
            wrong += bad
            print(f"{n:3} values, {e:8} {t:9.1f} us with 63 registers, {with_255[e]:9.1f} with 255{' WRONG' if bad else ''}")
    return wrong


sys.exit(check_throughput() + check_advice() + check_metrics() + check_spills() > 0)
