"""One search with Kernel Tuner; runs in the benchmark's virtual environment.  The job is JSON on stdin (peers.py makes it); the
last line of stdout is the result: wall times in ms, sizes as text."""

import json
import pathlib
import sys
import time

import kernel_tuner
import numpy


def arguments(job):
    made = []
    for arg in job["args"]:
        if "bytes" in arg:
            made.append(numpy.fromfile(pathlib.Path(job["data"]) / f"{arg['buffer']}.raw", dtype=arg["type"]))
        else:
            made.append(numpy.int32(arg["int"]) if "int" in arg else numpy.float32(arg["float"]))
    return made


def main():
    job = json.load(sys.stdin)
    dim = len(job["global"])
    names = ["block_size_x", "block_size_y", "block_size_z"][:dim]
    allowed = {tuple(size) for size in job["sizes"]}
    parameters = {name: sorted({size[d] for size in allowed}) for d, name in enumerate(names)}
    evaluations = []

    def is_allowed(config):
        return tuple(config[n] for n in names) in allowed

    options = {} if job["strategy"] == "brute_force" else {
        "strategy": job["strategy"], "strategy_options": {"max_fevals": max(8, len(allowed) // 4)}}
    begin = time.time()
    results, _ = kernel_tuner.tune_kernel(
        job["kernel"], pathlib.Path(job["source"]).read_text(), tuple(job["global"]), arguments(job), parameters,
        lang="OpenCL", restrictions=is_allowed if dim > 1 else None, platform=job["platform"], device=job["device"],
        grid_div_x=["block_size_x"], grid_div_y=["block_size_y"] if dim > 1 else None,
        grid_div_z=["block_size_z"] if dim > 2 else None, quiet=True, **options)
    wall = (time.time() - begin) * 1e3
    # Each configuration has its own costs in ms, but no time of day that includes them: add them up in order.
    at = 0.0
    for r in results:
        cost = sum(r.get(k) or 0.0 for k in ("compile_time", "verification_time", "benchmark_time", "framework_time",
                                             "strategy_time"))
        at += cost
        if isinstance(r["time"], (int, float)):
            evaluations.append([at, "x".join(str(r[n]) for n in names), r["time"]])
    best = min(evaluations, key=lambda e: e[2])
    print(json.dumps({"wall_ms": wall, "evaluations": evaluations, "best": best[1], "best_ms": best[2]}))


if __name__ == "__main__":
    main()
