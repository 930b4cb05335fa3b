#!/usr/bin/env python3
"""cpu.py CLSIZER: the sizes that the model chooses, held against what sizes took on three AMD servers with PoCL 3.1, two cores
each (cpu.jsonl), and against a rule of thumb; what advice promises on a CPU, against what predicting the changed kernel gives.

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
MOST = {"EPYC, AVX2": 1.123, "EPYC, AVX-512": 1.128, "EPYC, Zen 5": 1.106}


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


def ask(clsizer, kernel, size, local, buffers, args, estimator):
    """The answer for one launch of poly.cl: bytes of its buffers, values of what follows them."""
    command = [clsizer, "predict", "--json", "--only", "--device", "generic-cpu", "--estimator", estimator, "--kernel", kernel,
               "--global", size, "--local", local]
    for i, bytes_ in enumerate(buffers):
        command += ["--buffer", f"{i}={bytes_}"]
    for i, value in enumerate(args, len(buffers)):
        command += ["--arg", f"{i}={value}"]
    return json.loads(subprocess.run([*command, HERE / "poly.cl"], stdout=subprocess.PIPE, check=True).stdout)


def check_advice(clsizer):
    """How many promises are broken, and how many kernels get advice that need none."""
    n, items, wrong = 4096, 1 << 20, 0
    matrix = [4 * n * n] * 2, [n]
    for what, argument, kernel, size, local, launch, times, better in (
        ("coalesce", "in", "read_turned", f"{n},{n}", "16,16", matrix, 1, "not_turned"),
        ("coalesce", "out", "write_turned", f"{n},{n}", "256,1", matrix, 1, "not_turned"),
        ("coalesce", "in", "colours", f"{items}", "256", ([32 * items, 4 * items], []), 1, "colours_apart"),
        ("range", None, "colours_apart", "512", "256", ([32 * items, 4 * items], []), 64, "colours_apart"),
    ):
        whole = str(512 * times) if times > 1 else size
        for estimator in "bounds", "pipeline":
            answer = ask(clsizer, kernel, size, local, *launch, estimator)
            got = answer["candidates"][0]["time_us"] * times / ask(clsizer, better, whole, local, *launch, estimator)["candidates"][0]["time_us"]
            given = [a["gain"] for a in answer["advice"] if a["what"] == what and a["argument"] == argument]
            broken = len(given) != 1 or len(answer["advice"]) != 1 or abs(given[0] / got - 1) > 0.1
            wrong += broken
            print(f"{kernel:13} {what:8} {estimator:8} promises {given}, {better} is {got:.3f} times as fast{' WRONG' if broken else ''}")
    products = [4 * 1024 ** 2] * 3, [1, 1, 1024, 1024, 1024]
    for kernel, size, local, launch in (
        ("not_turned", f"{n},{n}", "16,16", matrix), ("saxpy", f"{items}", "256", ([4 * items] * 2, [2])),
        ("mv_rows", f"{n}", "64", ([4 * n * n, 4 * n, 4 * n], [n, n])),  # neighbours lie rows apart, but each goes along its own
        ("gemm", "1024,1024", "16,16", products), ("mv_columns", f"{n}", "64", ([4 * n * n, 4 * n, 4 * n], [n, n])),
        ("parity", f"{items}", "256", ([4 * items], [1, 1, 256])),  # both ways are taken at any rate
    ):
        given = [a["text"] for a in ask(clsizer, kernel, size, local, *launch, "pipeline")["advice"]]
        wrong += bool(given)
        print(f"{kernel:13} {f'WRONG: {given}' if given else 'needs no advice'}")
    return wrong


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
    if check_advice(sys.argv[1]):
        return True
    return any(mean(choice) > MOST[machine] + WORSE for machine, (choice, _) in ratios.items())


if __name__ == "__main__":
    sys.exit(main())
