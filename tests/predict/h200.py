#!/usr/bin/env python3
"""h200.py CLSIZER [RESULTS.json]: the sizes that the model chooses, held against what sizes took on an NVIDIA H200
(h200.jsonl), for each estimator and for the geometric mean of three of them.  RESULTS.json is written, for `clsizer learn`,
in the form of the benchmark's raw results.

A line of the file is a kernel of tests/bench: its global size, its program's own local size, its arguments (a buffer's bytes
or a value), and for each local size that was tried the median of three launches in us, by the device's clock (`bench --sweep`,
driver 580.159.04)."""
import json
import math
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MOST = 1.08  # geometric mean of what the choices take over the best sizes: 1.067 when this was written, 1.21 before anything was measured
BETTER = 0.01  # if the mean of several estimators chooses so much better, programs should use it, too
WORST = 1.7  # bfs_expand, whose work nobody knows
OVER = 18    # of all, more than a tenth slower than the best
NEAR_TIE = 1.05  # SEL_NEAR_TIE_GPU
TOGETHER = "bounds", "mwp", "param"


def predict(clsizer, k):
    command = [clsizer, "predict", "--json", "--features", "--estimator", "all", "--device", "NVIDIA H200", "--kernel", k["kernel"],
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


def mean(ratios):
    return math.prod(ratios) ** (1 / len(ratios))


def scores(times, names):
    """{size: geometric mean of how many times as long as its best size each of the estimators says that it takes}"""
    best = {name: min(t[name] for t in times.values()) for name in names}
    return {size: mean([t[name] / best[name] for name in names]) for size, t in times.items()}


def choose(score):
    """As est_prefer() does: of nearly equal sizes that nearest 256 work-items, and of several the one with the longest rows."""
    size = {s: tuple(map(int, s.split("x"))) for s in score}
    near = [s for s in score if score[s] <= NEAR_TIE * min(score.values())]
    return min(near, key=lambda s: (abs(math.log2(math.prod(size[s]) / 256)), [-n for n in size[s]]))


def compare(kernels, predictions):
    """What the choice of each estimator takes over the best; and over the program's own, which is kept unless each of
    TOGETHER says that it is slower: what an unmeasured change of size is worth."""
    timed = [(k, {text(c["local"]): c["estimates"] for c in p["candidates"] if text(c["local"]) in k["us"]})
             for k, p in zip(kernels, predictions)]
    means = {}
    for names in [(name,) for name in sorted(timed[0][1][text(kernels[0]["own"])])] + [TOGETHER]:
        chosen, changed = [], []
        for k, times in timed:
            score, own = scores(times, names), text(k["own"])
            size = choose(score)
            agreed = all(times[size][name] < times[own][name] for name in names)
            chosen.append(k["us"][size] / min(k["us"].values()))
            changed.append(k["us"][size if agreed else own] / k["us"][own])
        means[names] = mean(chosen)
        slower = sum(c > 1.05 for c in changed)
        print(f"{' and '.join(names):22} choice/best {mean(chosen):.3f}, worst {max(chosen):.2f}; "
              f"instead of the own size {mean(changed):.3f}, {slower} slower by a twentieth, worst {max(changed):.2f}")
    return means[TOGETHER] < means["bounds",] - BETTER


def main():
    kernels = [json.loads(line) for line in (HERE / "h200.jsonl").read_text().splitlines()]
    predictions = [predict(sys.argv[1], k) for k in kernels]
    ratios, own, launches = [], [], {}
    for k, predicted in zip(kernels, predictions):
        best = min(k["us"].values())
        size = text(predicted["chosen"])
        ratios.append(k["us"][size] / best)
        own.append(k["us"][text(k["own"])] / best)
        launches[f"{k['file']}/{k['kernel']} {text(k['global'])} {text(k['own'])}"] = launch_of(k, predicted)
        print(f"{k['kernel']:24} {text(k['global']):12} {size:8} {ratios[-1]:5.2f}, own {own[-1]:5.2f}")
    over = sum(r > 1.1 for r in ratios)
    together = compare(kernels, predictions)
    negative = sum(min(c["transactions"].values()) < 0 for p in predictions for c in p["candidates"])
    print(f"{len(kernels)} kernels: choice/best {mean(ratios):.3f}, {over} over 1.1, worst {max(ratios):.2f}; own/best {mean(own):.3f}")
    print(f"{negative} sizes with less than no transactions" + ", programs should use several estimators" * together)
    if sys.argv[2:]:
        device = {"name": "NVIDIA H200", "vendor": "NVIDIA Corporation", "driver": "580.159.04", "gpu": True}
        pathlib.Path(sys.argv[2]).write_text(json.dumps({"device": device, "static": launches}))
    return mean(ratios) > MOST or over > OVER or max(ratios) > WORST or together or negative > 0


if __name__ == "__main__":
    sys.exit(main())
