#!/usr/bin/env python3
"""h200.py CLSIZER [RESULTS.json]: the sizes that the model chooses, held against what sizes took on an NVIDIA H200
(h200.jsonl).  RESULTS.json is written, for `clsizer learn`, in the form of the benchmark's raw results.

A line of the file is a kernel of tests/bench: its global size, its program's own local size, its arguments (a buffer's bytes
or a value), and for each local size that was tried the median of three launches in us, by the device's clock (`bench --sweep`,
driver 580.159.04)."""
import json
import math
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MOST = 1.08  # geometric mean of what the choices take over the best sizes: 1.064 when this was written, 1.21 before anything was measured
WORST = 1.7  # bfs_expand, whose work nobody knows
OVER = 18    # of all, more than a tenth slower than the best


def predict(clsizer, k):
    command = [clsizer, "predict", "--json", "--features", "--device", "NVIDIA H200", "--kernel", k["kernel"],
               "--global", ",".join(map(str, k["global"])), "--local", ",".join(map(str, k["own"]))]
    for size in k["us"]:
        command += ["--local", size.replace("x", ",")]
    for i, (kind, value) in enumerate(k["args"]):
        command += [f"--{kind}", f"{i}={value}"]
    done = subprocess.run([*command, HERE.parent / "kernels" / k["file"]], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def text(size):
    return "x".join(map(str, size))


def launch_of(k, predicted):
    """As scripts/bench/static.py has it, with the own size first."""
    found = {text(c["local"]): c for c in predicted["candidates"]}
    sizes = sorted(k["us"], key=lambda s: s != text(k["own"]))  # that one first
    return {"own": text(k["own"]),
            "pairs": [[s, found[s]["time_us"] / 1e3, k["us"][s] / 1e3, found[s]["state"]] for s in sizes],
            "features": [found[s]["features"] for s in sizes]}


def main():
    kernels = [json.loads(line) for line in (HERE / "h200.jsonl").read_text().splitlines()]
    ratios, own, launches = [], [], {}
    for k in kernels:
        predicted, best = predict(sys.argv[1], k), min(k["us"].values())
        size = text(predicted["chosen"])
        ratios.append(k["us"][size] / best)
        own.append(k["us"][text(k["own"])] / best)
        launches[f"{k['file']}/{k['kernel']} {text(k['global'])} {text(k['own'])}"] = launch_of(k, predicted)
        print(f"{k['kernel']:24} {text(k['global']):12} {size:8} {ratios[-1]:5.2f}, own {own[-1]:5.2f}")
    mean, of_own = (math.prod(r) ** (1 / len(r)) for r in (ratios, own))
    over = sum(r > 1.1 for r in ratios)
    print(f"{len(kernels)} kernels: choice/best {mean:.3f}, {over} over 1.1, worst {max(ratios):.2f}; own/best {of_own:.3f}")
    if sys.argv[2:]:
        device = {"name": "NVIDIA H200", "vendor": "NVIDIA Corporation", "driver": "580.159.04", "gpu": True}
        pathlib.Path(sys.argv[2]).write_text(json.dumps({"device": device, "static": launches}))
    return mean > MOST or over > OVER or max(ratios) > WORST


if __name__ == "__main__":
    sys.exit(main())
