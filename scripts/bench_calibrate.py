#!/usr/bin/env python3
"""Is a calibrated description of the CPU at hand repeatable, and does the model do better with it?

Calibrates PoCL's device twice and compares every measured number.  Then runs sample kernels with local sizes all over
the legal range, and correlates (Spearman) the measured times with what `clsizer predict` makes of them: with the
generic description, filled with what the driver tells, and with each of the two calibrated ones.

    scripts/bench_calibrate.py [--build DIR] [--kernels NAME,...] [--raw FILE]

Needs pyopencl and numpy (Debian: python3-pyopencl).  POCL_AFFINITY=1 makes the timings steadier.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

import numpy as np
import pyopencl as cl

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# How far two calibrations may lie apart, as a ratio: capacities, latencies and throughputs of the core, what other
# programs on the machine take their share of, and what the operating system's scheduler has a say in.
TOLERANCE = [
    (("cache3.latency", "cache3.delay", "dram_latency", "dram_delay"), 1.5),
    (("launch_ns", "group_ns", "compile_ns"), 2.5),
    (("",), 1.15),
]

SAXPY = """__kernel void saxpy(float a, __global const float *x, __global const float *y, __global float *z)
{ size_t i = get_global_id(0); z[i] = a * x[i] + y[i]; }"""
TRANSPOSE = """__kernel void transpose(__global const float *in, __global float *out, int n)
{ int x = get_global_id(0), y = get_global_id(1); out[x * n + y] = in[y * n + x]; }"""
COLUMNS = """__kernel void columns(__global const float *in, __global float *out, int n)
{ int x = get_global_id(0), y = get_global_id(1); out[x * n + y] = in[x * n + y]; }"""
CONV2D = """__kernel void conv2d(__global const float *in, __global const float *w, __global float *out, int n, int m)
{
    int x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++)
            s += in[(y + j) * m + x + i] * w[j * 5 + i];
    out[y * n + x] = s;
}"""
GEMM = """__kernel void gemm(__global const float *a, __global const float *b, __global float *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
}"""


def cases():
    """Name, source, global size, arguments: ("buffer", floats), or a numpy scalar."""
    n, g, p = 1 << 22, 1024, 384
    i, f = np.int32, np.float32
    yield "saxpy", SAXPY, (n,), [f(2), ("buffer", n), ("buffer", n), ("buffer", n)]
    yield "transpose", TRANSPOSE, (g, g), [("buffer", g * g), ("buffer", g * g), i(g)]
    yield "columns", COLUMNS, (g, g), [("buffer", g * g), ("buffer", g * g), i(g)]
    yield "conv2d", CONV2D, (g, g), [("buffer", (g + 8) * (g + 8)), ("buffer", 25), ("buffer", g * g), i(g), i(g + 8)]
    yield "gemm", GEMM, (p, p), [("buffer", p * p), ("buffer", p * p), ("buffer", p * p), i(p)]


def local_sizes(size, most):
    """Powers of two (times three where the extent has that factor), every other one in two dimensions."""
    if len(size) == 1:
        return [(x,) for x in (1 << k for k in range(0, 13)) if x <= most]
    extents = [[x for x in (1, 4, 16, 64, 128, 256, 1024, 3, 48, 192, 384) if e % x == 0] for e in size]
    return [(x, y) for x in sorted(extents[0]) for y in sorted(extents[1]) if x * y <= most]


def measure(context, queue, source, name, size, arguments, sizes, runs=7):
    """Fastest event time in us of each local size; the sizes take turns, so that a slow moment hits all alike."""
    kernel = getattr(cl.Program(context, source).build(), name)
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    values = [cl.Buffer(context, flags, hostbuf=np.ones(a[1], np.float32)) if isinstance(a, tuple) else a
              for a in arguments]  # pyopencl keeps no reference to arguments
    kernel.set_args(*values)
    best = {}
    for run in range(runs + 1):
        for local in sizes:
            event = cl.enqueue_nd_range_kernel(queue, kernel, size, local)
            event.wait()
            took = (event.profile.end - event.profile.start) / 1e3
            if run:
                best[local] = min(took, best.get(local, took))
    return [best[s] for s in sizes]


def predict(clsizer, device, path, name, size, arguments, sizes):
    text = lambda t: ",".join(map(str, t))
    command = [clsizer, "predict", "--device", device, "--kernel", name, "--global", text(size), "--only", "--json"]
    for i, a in enumerate(arguments):
        command += ["--buffer", f"{i}={a[1] * 4}"] if isinstance(a, tuple) else ["--arg", f"{i}={a}"]
    for s in sizes:
        command += ["--local", text(s)]
    found = json.loads(subprocess.run(command + [path], check=True, capture_output=True, text=True).stdout)
    times = {tuple(c["local"]): c["time_us"] for c in found["candidates"]}
    return [times[s] for s in sizes]


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    rank = [0.0] * len(values)
    at = 0
    while at < len(order):
        end = at
        while end + 1 < len(order) and values[order[end + 1]] == values[order[at]]:
            end += 1
        for i in order[at:end + 1]:
            rank[i] = (at + end) / 2
        at = end + 1
    return rank


def spearman(a, b):
    return float(np.corrcoef(ranks(a), ranks(b))[0, 1])


def read(path):
    numbers = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            if "=" in line and not line.startswith("#"):
                key, rest = line.split("=", 1)
                value, _, why = rest.partition("#")
                numbers[key.strip()] = (value.split(), why.strip())
    return numbers


def compare(first, second):
    """Largest ratio of the numbers that both measured, by tolerance; True if all lie within."""
    a, b, fine = read(first), read(second), True
    worst = {limit: (1.0, "") for _, limit in TOLERANCE}
    for key in a:
        if key not in b or not (a[key][1].startswith("measured") and b[key][1].startswith("measured")):
            continue
        x, y = float(a[key][0][0]), float(b[key][0][0])
        ratio = max(x, y) / min(x, y) if x and y else 1.0 if x == y else float("inf")
        limit = next(limit for keys, limit in TOLERANCE if "" in keys or key in keys)
        worst[limit] = max(worst[limit], (ratio, key))
        if ratio > limit:
            fine = False
            print(f"  {key}: {x} and {y}, {ratio:.2f} times, tolerance {limit}")
    for limit, (ratio, key) in worst.items():
        print(f"  tolerance {limit}: largest ratio {ratio:.2f} {key}")
    return fine


def generic(path, device):
    """The generic description as the library fills it in for this device."""
    told = {"clock_mhz": f"{device.max_clock_frequency} MHz", "units": f"{device.max_compute_units} units",
            "warp": f"{device.native_vector_width_float} lanes", "cache3.bytes": f"{device.global_mem_cache_size} bytes",
            "max_group_items": f"{device.max_work_group_size} items"}
    with open(os.path.join(TREE, "devices", "generic-cpu.dev"), encoding="utf-8") as f, \
            open(path, "w", encoding="utf-8") as out:
        for line in f:
            key = line.split("=")[0].strip()
            out.write(f"{key} = {told[key]}  # datasheet: the driver\n" if key in told else line)
    return path


def pocl():
    for p in cl.get_platforms():
        if p.name == "Portable Computing Language":
            return cl.get_platforms().index(p), p.get_devices()[0]
    sys.exit("bench_calibrate: no PoCL here")


def main():
    o = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    o.add_argument("--build", default=os.path.join(TREE, "build"))
    o.add_argument("--kernels", default="")
    o.add_argument("--raw", help="append one JSON object per kernel")
    o = o.parse_args()
    clsizer = os.path.join(os.path.abspath(o.build), "clsizer")
    platform, device = pocl()
    with tempfile.TemporaryDirectory() as work:
        models = {"generic": generic(os.path.join(work, "generic.dev"), device)}
        for name in ("first", "second"):
            models[name] = os.path.join(work, name + ".dev")
            subprocess.run([clsizer, "calibrate", "--platform", str(platform), "--output", models[name]], check=True)
        print("two calibrations:")
        fine = compare(models["first"], models["second"])
        context = cl.Context([device])
        queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
        rho, loss = {m: [] for m in models}, {m: [] for m in models}
        print("\nSpearman correlation of predicted and measured times; time of the predicted best over the measured best")
        print(f"{'kernel':12}{'sizes':>6}" + "".join(f"{m:>18}" for m in models))
        for name, source, size, arguments in cases():
            if o.kernels and name not in o.kernels.split(","):
                continue
            path = os.path.join(work, name + ".cl")
            with open(path, "w", encoding="utf-8") as f:
                f.write(source)
            sizes = local_sizes(size, device.max_work_group_size)
            times = measure(context, queue, source, name, size, arguments, sizes)
            row = ""
            for m, file in models.items():
                guess = predict(clsizer, file, path, name, size, arguments, sizes)
                rho[m].append(spearman(guess, times))
                loss[m].append(times[guess.index(min(guess))] / min(times))
                row += f"{rho[m][-1]:10.2f}{loss[m][-1]:7.2f}x"
                if o.raw:
                    with open(o.raw, "a", encoding="utf-8") as f:
                        f.write(json.dumps({"kernel": name, "description": m, "local": sizes, "measured_us": times,
                                            "predicted_us": guess}) + "\n")
            print(f"{name:12}{len(sizes):6}{row}", flush=True)
        print(f"{'median, mean':18}" + "".join(f"{statistics.median(rho[m]):10.2f}{statistics.mean(loss[m]):7.2f}x"
                                               for m in models))
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
