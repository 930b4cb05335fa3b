#!/usr/bin/env python3
"""cpu.py CLSIZER: the sizes that the model chooses, held against what sizes took on two AMD servers with PoCL 3.1, two cores
each (cpu.jsonl), and against a rule of thumb.

A line of the file is a kernel of tests/bench: its program, its global size, its program's own local size, its arguments (a
buffer's bytes or a value), and for each machine and each local size that was tried the median of its launches in us."""
import json
import math
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
WORSE = 0.01
# geometric means of what the choices take over the best sizes, when this was written.  The best of so many noisy times is too
# small, so they are larger than those of BENCHMARKS.md, where choices were compared with the best once more.
MOST = {"EPYC, AVX2": 1.136, "EPYC, AVX-512": 1.162}


def mean(ratios):
    return math.prod(ratios) ** (1 / len(ratios))


def by_rule(sizes):
    """The power of two nearest 256 work-items which is widest (sizes.by_rule() of scripts/bench)."""
    def rank(size):
        n = [int(x) for x in size.split("x")]
        return any(x & (x - 1) for x in n), abs(math.log2(math.prod(n) / 256)), -n[0]
    return min(sizes, key=rank)


def predict(clsizer, k):
    """Local sizes, the most promising one first."""
    command = [clsizer, "predict", "--json", "--device", "generic-cpu", "--kernel", k["kernel"],
               "--global", ",".join(map(str, k["global"])), "--local", ",".join(map(str, k["own"]))]
    for i, (kind, value) in enumerate(k["args"]):
        command += [f"--{kind}", f"{i}={value}"]
    done = subprocess.run([*command, HERE.parent / "kernels" / k["file"]], stdout=subprocess.PIPE, check=True)
    return ["x".join(map(str, c["local"])) for c in json.loads(done.stdout)["candidates"]]


def main():
    kernels = [json.loads(line) for line in (HERE / "cpu.jsonl").read_text().splitlines()]
    ratios = {machine: ([], []) for machine in MOST}
    for k in kernels:
        order = predict(sys.argv[1], k)
        for machine, us in k["us"].items():
            for size, to in zip((next(s for s in order if s in us), by_rule(us)), ratios[machine]):
                to.append(us[size] / min(us.values()))
    for machine, (choice, rule) in ratios.items():
        print(f"{machine:14} {len(choice)} kernels: choice/best {mean(choice):.3f}, worst {max(choice):.2f}; by rule {mean(rule):.3f}")
    return any(mean(choice) > MOST[machine] + WORSE for machine, (choice, _) in ratios.items())


if __name__ == "__main__":
    sys.exit(main())
