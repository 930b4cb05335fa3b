"""What clsizer costs as things grow: NDRange, candidates, kernel length, distinct kernels, threads, wisdom."""

import statistics
import subprocess
import time

import measure

CONV = {"file": "polybench_conv.cl"}


def timed(command, env):
    begin = time.monotonic()
    done = subprocess.run([str(c) for c in command], env=env, capture_output=True, timeout=300)
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace")[-300:])
    return time.monotonic() - begin


def conv_step(n):
    return {"kernel": "conv2d_3x3", "global": [n, n], "own": [32, 8],
            "args": [{"bytes": 4 * n * n}, {"bytes": 4 * n * n}, {"int": n}, {"int": n}]}


def ndrange(machine):
    """Seconds of `clsizer predict` for a convolution over n x n work-items."""
    stores, rows = machine.stores("scale/predict"), []
    for n in (32, 96, 320, 1024, 3072, 10240, 32768):
        step = conv_step(n)
        whole, seconds = machine.predict(stores, CONV, step, [step["own"]])
        _, one = machine.predict(stores, CONV, step, [step["own"]], "--only")
        rows.append({"items": n * n, "candidates": len(whole["candidates"]), "seconds": seconds, "seconds_one": one})
    return {"rows": rows}


def candidates(machine):
    """The same, with more and more candidates: extents with few and with many divisors, then every size."""
    stores, rows = machine.stores("scale/predict"), []
    for n, options in ((1021, []), (1024, []), (720, []), (5040, []), (360, ["--all-sizes"]), (5040, ["--all-sizes"])):
        step = dict(conv_step(n), own=[1, 1])
        whole, seconds = machine.predict(stores, CONV, step, [step["own"]], *options)
        rows.append({"n": n, "candidates": len(whole["candidates"]), "seconds": seconds})
    return {"rows": rows}


def kernel_length(machine):
    """Seconds of analysis, and of prediction, for straight-line kernels of so many statements."""
    stores, rows = machine.stores("scale/length"), []
    for statements in (10, 100, 1000, 10000):
        path = stores.path / f"length{statements}.cl"
        body = "".join(f"    x = x * {1 + k % 7}.5f + in[i + {k % 64}];\n" for k in range(statements))
        path.write_text("__kernel void k(__global const float *restrict in, __global float *restrict out)\n{\n"
                        f"    int i = get_global_id(0);\n    float x = 0.0f;\n{body}    out[i] = x;\n}}\n")
        env = machine.environment(stores)
        analysis = timed([machine.build / "clsizer-analyze", path], env)
        predict = timed([machine.clsizer, "predict", "--json", "--device", machine.options.model_device, "--kernel", "k",
                         "--global", "1048576", "--local", "64", "--buffer", f"0={4 << 20}", "--buffer", f"1={4 << 20}",
                         path], env)
        rows.append({"statements": statements, "analysis_seconds": analysis, "predict_seconds": predict})
    return {"rows": rows}


def launches(machine, kernels, threads, rounds, tuned):
    stores = machine.stores(f"scale/launches-{'tuned' if tuned else 'bare'}", machine.scratch / "scale" / "pocl")
    command = [machine.build / "apps" / "scale", "launches", kernels, threads, rounds]
    if tuned:
        command = [machine.clsizer, "--quiet", "--", *command]
    run = measure.run(command, machine.environment(stores), 300)
    line = dict(word.split("=") for word in run.stderr.split() if "=" in word)
    return float(line["enqueue_ns"]), float(line["wall_ms"])


def enqueue(machine, which):
    """Nanoseconds in clEnqueueNDRangeKernel, bare and under clsizer, interleaved; medians."""
    rows = []
    for kernels, threads, rounds in which:
        launches(machine, kernels, threads, 1, False)  # compile
        launches(machine, kernels, threads, rounds, True)  # decide what can be decided
        runs = {"bare": [], "tuned": [], "again": []}
        for _ in range(machine.options.rounds):
            for name, samples in runs.items():
                samples.append(launches(machine, kernels, threads, rounds, name == "tuned"))
        rows.append({"kernels": kernels, "threads": threads, "launches": kernels * threads * rounds, "runs": runs,
                     **{name: statistics.median(s[0] for s in samples) for name, samples in runs.items()}})
    return {"rows": rows}


def wisdom(machine):
    """Wall time of a small program whose wisdom is a single file with so many records of other programs."""
    stores = machine.stores("scale/wisdom")
    machine.tuned(stores, "patient", "2dconv", "-l", "60")
    lines = stores.wisdom.read_text().splitlines() if stores.wisdom.exists() else []
    if not lines:
        raise RuntimeError("no wisdom was written")
    rows = []
    for records in (0, 1000, 10000, 100000):
        with open(stores.wisdom, "wb") as out:
            subprocess.run([str(machine.build / "apps" / "scale"), "wisdom", str(records)], input=lines[-1].encode() + b"\n",
                           stdout=out, check=True)
        begin = [machine.tuned(stores, "measure", "nn", "--small", "-l", "50").wall_ms for _ in range(3)]
        bare = [machine.bare(stores, "nn", "--small", "-l", "50").wall_ms for _ in range(3)]
        rows.append({"records": records, "bytes": stores.wisdom.stat().st_size, "tuned_ms": statistics.median(begin),
                     "bare_ms": statistics.median(bare)})
    stores.remove()
    return {"rows": rows}


def measure_all(machine, results):
    quick = machine.options.quick
    results.item("scale", "ndrange", lambda: ndrange(machine))
    results.item("scale", "candidates", lambda: candidates(machine))
    results.item("scale", "length", lambda: kernel_length(machine))
    results.item("scale", "kernels", lambda: enqueue(
        machine, [(1, 1, 20000), (16, 1, 1250)] + ([] if quick else [(64, 1, 300)])))
    results.item("scale", "threads", lambda: enqueue(
        machine, [(4, 1, 4000), (4, 2, 2000)] + ([] if quick else [(4, 4, 1000), (4, 8, 500)])))
    results.item("scale", "wisdom", lambda: wisdom(machine))
