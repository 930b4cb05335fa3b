#!/usr/bin/env python3
"""`clsizer predict --json` on kernels that use all of OpenCL C: features.py CLSIZER FILE.cl [--half]

Every RUN line of the file is predicted for a GPU and a CPU, with the legal sizes and with all of them (--half: legal ones
for the one, all for the other), and what comes out is checked: its form, that times lie within their bounds, that pruning
kept what the simulation ranks first, and that it admits what it had to assume.
"""
import itertools
import json
import math
import subprocess
import sys

DEVICES = ("tesla-k20c", "generic-cpu")
SIZES = ([], ["--all-sizes", "--simulate-all"])
FLAGS = ("pessimistic", "estimated", "untraced")
LIMITERS = ("none", "groups", "warps", "registers", "local-memory", "range")
NEAR_TIE = {"tesla-k20c": 1.05 + 1e-9, "generic-cpu": 1.02 + 1e-9}  # SEL_NEAR_TIE_GPU, SEL_NEAR_TIE in select/select.h
CLOSE = 1 + 1e-9


def runs(path):
    with open(path, encoding="utf-8") as source:
        for line in source:
            if line.startswith("/* RUN: "):
                kernel, size, *rest = line.split()[2:-1]
                yield kernel, size, [w for w in rest if w not in FLAGS], {w for w in rest if w in FLAGS}


def refuse_constant(name):
    raise ValueError(f"{name} is no JSON")


def predict(clsizer, path, device, kernel, size, args, options):
    command = [clsizer, "predict", "--json", "--device", device, "--kernel", kernel, "--global", size,
               "--build-options", "-cl-std=CL2.0", *options, path]
    command += [word for a in args for word in ("--arg", a)]
    done = subprocess.run(command, stdout=subprocess.PIPE, timeout=60, check=True)
    return json.loads(done.stdout, parse_constant=refuse_constant)


def check_candidate(c, dimensions, traced, sizes):
    state, _, other = c["state"].partition(" ")
    assert len(c["local"]) == dimensions and all(isinstance(x, int) and x > 0 for x in c["local"]), c
    assert state in ("kept", "duplicate-of", "inferior-to", "infeasible") and c["limiter"] in LIMITERS, c
    assert (not other) == (state in ("kept", "infeasible")) and (not other or other in sizes), c
    assert all(math.isfinite(c[t]) and c[t] >= 0 for t in ("best_us", "worst_us", "time_us")), c
    if traced and state != "infeasible":
        assert c["best_us"] <= c["time_us"] * CLOSE and c["time_us"] <= c["worst_us"] * CLOSE, c
        assert c["active_warps"] > 0, c


def check_choice(j, near, simulated_all):
    kept = [c for c in j["candidates"] if c["state"] == "kept"]
    assert abs(j["pruned_fraction"] - (1 - len(kept) / len(j["candidates"]))) < 1e-9, j["pruned_fraction"]
    if not j["traced"] or not kept:
        assert j["chosen"] is None, j["chosen"]
        return
    first = min(c["time_us"] for c in kept)
    chosen = [c for c in kept if c["local"] == j["chosen"]]
    assert chosen and chosen[0]["time_us"] <= first * near, j["chosen"]
    if simulated_all:
        assert first <= min(c["time_us"] for c in j["candidates"] if c["state"] != "infeasible") * CLOSE, first


def check(j, kernel, size, flags, near, simulated_all):
    size = [int(x) for x in size.split(",")]
    sizes = {"x".join(map(str, c["local"])) for c in j["candidates"]}
    assert (j["schema"], j["kernel"], j["global"]) == (1, kernel, size), (j["schema"], j["kernel"], j["global"])
    assert len(sizes) == len(j["candidates"]) > 0, "a size is listed twice"
    assert j["traced"] == ("untraced" not in flags), "traced"
    for flag in ("pessimistic", "estimated"):
        assert j[flag] == (flag in flags), flag
    for c in j["candidates"]:
        check_candidate(c, len(size), j["traced"], sizes)
    check_choice(j, near, simulated_all)


def main():
    clsizer, path, *half = sys.argv[1:]
    ways, failed = list(zip(DEVICES, SIZES) if half else itertools.product(DEVICES, SIZES)), 0
    for kernel, size, args, flags in runs(path):
        for device, options in ways:
            try:
                check(predict(clsizer, path, device, kernel, size, args, options), kernel, size, flags,
                      NEAR_TIE[device], bool(options))
            except (AssertionError, ValueError, subprocess.SubprocessError) as error:
                failed += 1
                print(f"{kernel} {size} on {device} {' '.join(options)}: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
