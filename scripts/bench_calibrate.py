#!/usr/bin/env python3
"""Is a calibrated description of the CPU at hand repeatable, and how well does the model do with it?

Calibrates PoCL's device twice and compares every measured number.  Then runs the kernels of the benchmark programs
(tests/bench) and a few more with local sizes drawn from all over the legal range, and compares the times with what
`clsizer predict` makes of them: with the generic description, filled with what the driver tells, and with each of
the calibrated ones.  Per kernel: Spearman's rank correlation, and the time of the predicted best over that of the
best measured.

A kernel counts as sensitive when its local size matters: nine tenths of the sizes' times spread by more than 10 % and
by more than three times what the runs of one size spread (the median of (third - first quartile) / median).  Among
the others a rank correlation says nothing.

    scripts/bench_calibrate.py [--build DIR] [--programs NAME,...] [--sizes N] [--seed N] [--raw FILE]
                               [--under COMMAND] [--devices FILE,...]

--under "chrt -f 10" keeps other programs away from the measured ones, where that is allowed.  The kernels that no
benchmark program has need pyopencl and numpy (Debian: python3-pyopencl) and are left out without.
"""
import argparse
import json
import math
import os
import random
import shlex
import statistics
import subprocess
import sys
import tempfile

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TREE, "scripts", "bench"))

import static  # noqa: E402  (beside the benchmark's other parts)

# How far two calibrations may lie apart, as a ratio: capacities (one step of the footprints tried), latencies and
# throughputs of the core, what other programs on the machine take their share of, and what the operating system's
# scheduler has a say in.
TOLERANCE = [
    (("cache1.bytes", "cache2.bytes", "cache3.bytes"), 1.26),
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


MORE = {
    "saxpy": (SAXPY, [1 << 22], [{"float": 2.0}] + [{"bytes": 4 << 22}] * 3),
    "transpose": (TRANSPOSE, [1024, 1024], [{"bytes": 4 << 20}] * 2 + [{"int": 1024}]),
    "columns": (COLUMNS, [1024, 1024], [{"bytes": 4 << 20}] * 2 + [{"int": 1024}]),
    "conv2d": (CONV2D, [1024, 1024],
               [{"bytes": 4 * 1032 * 1032}, {"bytes": 100}, {"bytes": 4 << 20}, {"int": 1024}, {"int": 1032}]),
    "gemm": (GEMM, [384, 384], [{"bytes": 4 * 384 * 384}] * 3 + [{"int": 384}]),
}


def text(size):
    return "x".join(map(str, size))


def draw(size, most, count, chance):
    """`count` legal sizes; the extents are drawn by magnitude, so that small and large ones are as likely."""
    divisors = [[n for n in range(1, min(extent, most) + 1) if extent % n == 0] for extent in size]
    found, tries = [], 0
    while len(found) < count and tries < 100 * count:
        tries += 1
        local = []
        for of in divisors:
            aim = 2 ** chance.uniform(0, math.log2(of[-1]))
            local.append(min(of, key=lambda n, aim=aim: abs(math.log(n / aim))))
        if math.prod(local) <= most and local not in found:
            found.append(local)
    return found


class Pocl:
    def __init__(self, o):
        self.build, self.under = os.path.abspath(o.build), shlex.split(o.under)
        self.env = dict(os.environ, OCL_ICD_VENDORS="/etc/OpenCL/vendors/pocl.icd", POCL_AFFINITY="1")
        self.bench, self.clsizer = os.path.join(self.build, "apps", "bench"), os.path.join(self.build, "clsizer")
        self.device = json.loads(self.run([self.bench, "--device"]))

    def run(self, command):
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=600)
        if done.returncode:
            raise RuntimeError(f"{command[0]} {command[1]}: {done.stderr.strip()[-300:]}")
        return done.stdout

    def sweep(self, program, kernel, sizes):
        """{size: [ms]}: compiled first, then the sizes take turns, so that a slow moment hits all alike."""
        command = [self.bench, program, "--sweep", kernel, "--sizes", ",".join(map(text, sizes))]
        self.run(command + ["--rounds", "1"])
        lines = self.run(self.under + command + ["--rounds", "9", "--budget", "8000"]).splitlines()
        found = [json.loads(line) for line in lines if line.startswith("{")]
        return {f["local"]: f["ms"] for f in found if "error" not in f and len(f["ms"]) > 1}

    def predict(self, file, step, device, sizes):
        command = [self.clsizer, "predict", "--device", device, "--kernel", step["kernel"], "--only", "--json",
                   "--global", ",".join(map(str, step["global"]))]
        for i, a in enumerate(step["args"]):
            command += ["--buffer", f"{i}={a['bytes']}"] if "bytes" in a else ["--arg", f"{i}={a.get('int', a.get('float'))}"]
        for s in sizes:
            command += ["--local", s.replace("x", ",")]
        found = json.loads(self.run(command + [file]))
        return {text(c["local"]): c["time_us"] for c in found["candidates"]}, text(found["chosen"])

    def generic(self, path):
        """The generic description as the library fills it in for this device, as far as `clinfo` and we know."""
        told = {"units": f"{self.device['units']} units", "max_group_items": f"{self.device['max_items']} items"}
        told.update(self.traits())
        with open(os.path.join(TREE, "devices", "generic-cpu.dev"), encoding="utf-8") as f, \
                open(path, "w", encoding="utf-8") as out:
            for line in f:
                key = line.split("=")[0].strip()
                out.write(f"{key} = {told[key]}  # datasheet: the driver\n" if key in told else line)
        return path

    def traits(self):
        names = {"CL_DEVICE_MAX_CLOCK_FREQUENCY": ("clock_mhz", "MHz"),
                 "CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT": ("warp", "lanes"),
                 "CL_DEVICE_GLOBAL_MEM_CACHE_SIZE": ("cache3.bytes", "bytes")}
        found = {}
        for line in self.run(["clinfo", "--raw"]).splitlines():
            words = line.split()
            if len(words) >= 3 and words[1] in names:
                key, unit = names[words[1]]
                found[key] = f"{words[2]} {unit}"
        return found


def programs(pocl, only):
    """Program, kernel's file, step: every kernel once."""
    for name in pocl.run([pocl.bench, "--list"]).split():
        if only and name not in only:
            continue
        described, seen = json.loads(pocl.run([pocl.bench, name, "--describe"])), set()
        for step in described["steps"]:
            if step["kernel"] not in seen:
                seen.add(step["kernel"])
                yield name, os.path.join(TREE, "tests", "kernels", described["file"]), step


def sweep_source(source, step, sizes, under):
    """As Pocl.sweep(), for a kernel of MORE, in this process."""
    import numpy as np
    import pyopencl as cl

    os.environ.setdefault("POCL_AFFINITY", "1")
    device = next(d for p in cl.get_platforms() if p.name == "Portable Computing Language" for d in p.get_devices())
    context = cl.Context([device])
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    kernel = getattr(cl.Program(context, source).build(), step["kernel"])
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    values = [cl.Buffer(context, flags, hostbuf=np.ones(a["bytes"] // 4, np.float32)) if "bytes" in a else
              np.int32(a["int"]) if "int" in a else np.float32(a["float"]) for a in step["args"]]
    kernel.set_args(*values)  # pyopencl keeps no reference to arguments

    def launch(size):
        event = cl.enqueue_nd_range_kernel(queue, kernel, step["global"], size)
        event.wait()
        return (event.profile.end - event.profile.start) / 1e6

    for size in sizes:
        launch(size)
    if under:  # the driver's threads are there by now
        for thread in os.listdir("/proc/self/task"):
            subprocess.run([*under[:-1], "-p", under[-1], thread], check=True)
    times = {text(s): [] for s in sizes}
    for _ in range(7):
        for size in sizes:
            times[text(size)].append(launch(size))
    if under:
        for thread in os.listdir("/proc/self/task"):
            subprocess.run(["chrt", "-o", "-p", "0", thread], check=True)
    return times


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


def quartiles(times):
    v = sorted(times)
    return v[len(v) // 4], v[3 * len(v) // 4]


def judge(times, models):
    """Everything there is to say about one kernel; `models`: name -> (predicted us by size, choice)."""
    measured = {s: quartiles(t)[0] for s, t in times.items()}
    noise = statistics.median((quartiles(t)[1] - quartiles(t)[0]) / statistics.median(t) for t in times.values())
    best = min(measured.values())
    spread = sorted(measured.values())[len(measured) * 9 // 10] / best
    found = {"sizes": len(measured), "best_ms": best, "spread": spread, "noise": noise,
             "sensitive": spread - 1 > max(0.1, 3 * noise), "models": {}}
    for name, (predicted, choice) in models.items():
        both = [s for s in measured if predicted.get(s)]
        found["models"][name] = {
            "spearman": static.spearman([predicted[s] for s in both], [measured[s] for s in both]),
            "ratio": measured[choice] / best, "choice": choice,
            "scale": statistics.median(measured[s] * 1e3 / predicted[s] for s in both)}
    return found


def print_row(name, row):
    line = f"{name:34}{row['sizes']:3} {row['spread']:6.2f} {row['noise']:5.2f} {'' if row['sensitive'] else 'flat':5}"
    for m in row["models"].values():
        line += f"{m['spearman'] if m['spearman'] is not None else float('nan'):8.2f}{m['ratio']:6.2f}"
    print(line, flush=True)


def print_sums(rows, models):
    for what, some in (("all", rows), ("sensitive", [r for r in rows if r["sensitive"]])):
        line = f"{what + ', ' + str(len(some)) + ' kernels: median, mean':54}"
        for m in models:
            of = [r["models"][m] for r in some]
            line += f"{statistics.median(x['spearman'] or 0 for x in of):8.2f}{statistics.fmean(x['ratio'] for x in of):6.2f}"
        print(line if some else f"{what}: none")


def calibrate(pocl, work):
    files = []
    for name in ("first", "second"):
        files.append(os.path.join(work, name + ".dev"))
        subprocess.run([*pocl.under, pocl.clsizer, "calibrate", "--output", files[-1]], env=pocl.env, check=True)
    print("two calibrations:")
    return files, compare(*files)


def options():
    o = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    o.add_argument("--build", default=os.path.join(TREE, "build"))
    o.add_argument("--programs", default="", help="benchmark programs, or names of further kernels")
    o.add_argument("--sizes", type=int, default=30, help="per kernel")
    o.add_argument("--seed", type=int, default=1)
    o.add_argument("--under", default="", help="prefix of commands that measure, such as \"chrt -f 10\"")
    o.add_argument("--devices", help="calibrated descriptions to use instead of new ones")
    o.add_argument("--raw", help="append one JSON object per kernel")
    return o.parse_args()


def kernels(pocl, o):
    """Name, file, step, function that measures sizes."""
    only = set(filter(None, o.programs.split(",")))
    for program, file, step in programs(pocl, only):
        yield f"{program}/{step['kernel']}", file, step, lambda s, p=program, k=step["kernel"]: pocl.sweep(p, k, s)
    for name, (source, size, args) in MORE.items():
        step = {"kernel": name, "global": size, "args": args}
        if not only or name in only:
            yield name, source, step, lambda s, src=source, st=step: sweep_source(src, st, s, pocl.under)


def main():
    o = options()
    pocl, rows, fine = Pocl(o), [], True
    os.environ.update(pocl.env)
    with tempfile.TemporaryDirectory() as work:
        files = o.devices.split(",") if o.devices else None
        if not files:
            files, fine = calibrate(pocl, work)
        models = {"generic": pocl.generic(os.path.join(work, "generic.dev"))}
        models.update((os.path.basename(f).removesuffix(".dev"), f) for f in files)
        print("\nper description: Spearman's correlation of predicted and measured times, time of the choice over the best")
        print(f"{'kernel':34}{'n':>3} spread noise      " + "".join(f"{m[:13]:>14}" for m in models), flush=True)
        for name, file, step, measure in kernels(pocl, o):
            if "__kernel" in file:
                source, file = file, os.path.join(work, name + ".cl")
                with open(file, "w", encoding="utf-8") as f:
                    f.write(source)
            chance = random.Random(f"{o.seed} {name}")
            sizes = draw(step["global"], pocl.device["max_items"], o.sizes, chance)
            try:
                times = measure(sizes)
                guesses = {m: pocl.predict(file, step, d, list(times)) for m, d in models.items()}
            except (RuntimeError, ImportError, subprocess.SubprocessError) as error:
                print(f"{name:34}left out: {error}")
                continue
            row = judge(times, guesses)
            rows.append(row)
            print_row(name, row)
            if o.raw:
                with open(o.raw, "a", encoding="utf-8") as f:
                    f.write(json.dumps({"kernel": name, **row, "ms": times,
                                        "predicted_us": {m: g[0] for m, g in guesses.items()}}) + "\n")
        print_sums(rows, models)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
