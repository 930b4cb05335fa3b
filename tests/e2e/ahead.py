#!/usr/bin/env python3
"""The process that has a driver compile, clsizer-ahead, given jobs directly.

    ahead.py --build DIR [CASE...]       no CASE: all; --list prints their names

Every case runs on PoCL.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

from harness import Failure, expect, run_cases, script

GOOD = "__kernel void good(__global int *p) { p[get_global_id(0)] += 1; }"
CRASHES = "__kernel void crashes(__global int *p) { p[(1ul << 40) * (1 + get_global_id(0))] = 1; }"
SLOW = """__kernel void slow(__global int *p) { uint x = p[0];
for (uint i = 0; i < 30000000; i++) x = x * 1664525 + p[i & 7]; p[get_global_id(0) / 100] = x; }"""
SIZES = [(8, 1, 1), (16, 1, 1), (32, 1, 1)]


def device(bench):
    """What a job calls the device: its name, vendor and version."""
    told = bench.run(["clinfo", "--raw"]).out.decode()
    return "|".join(re.search(rf"CL_DEVICE_{field} +(.+)", told)[1].rstrip() for field in ("NAME", "VENDOR", "VERSION"))


class Jobs:
    """Jobs as the library writes them, in a directory of their own, and the processes that do them."""

    def __init__(self, bench):
        self.bench, self.cache, self.device = bench, bench.store("cache"), device(bench)
        self.pocl = bench.store("pocl")

    def write(self, path, answer, source, trial="trial 1\n"):
        kernel = re.search(r"void (\w+)", source)[1]
        fields = "".join(f"{name} {len(value)}\n{value}\n" for name, value in
                         (("options", ""), ("extensions", ""), ("device", self.device)))
        request = f"clsizer-request 1\n{fields}clversion OpenCL C 1.2\nbits 64\nendian little\nimages 1\n" \
                  f"source {len(source)}\n{source}"
        sizes = "".join(f"size {x} {y} {z}\n" for x, y, z in SIZES)
        new = self.cache / "new"
        new.write_text(f"clsizer-ahead 6\nanswer {len(str(answer))}\n{answer}\nkernel {len(kernel)}\n{kernel}\n"
                       f"range 1 4096 1 1 0 0 0\narg buffer 65536\n{trial}{sizes}program\n{request}")
        new.rename(path)
        return path

    def start(self, *arguments, **variables):
        env = self.bench.environment(POCL_CACHE_DIR=self.pocl, **variables)
        return subprocess.Popen([self.bench.build / "clsizer-ahead", *map(str, arguments)], env=env)


def answered(answer, seconds=60):
    """The sizes that it lists in the end, and the CPU time of the job in seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        text = answer.read_text() if answer.exists() else ""
        if text.endswith("end\n"):
            sizes = [tuple(map(int, line.split())) for line in text.splitlines() if line[0].isdigit()]
            return sizes, int(re.search(r"^worked (\d+)$", text, re.M)[1]) / 1e9
        time.sleep(0.005)
    raise Failure(f"no answer: {text!r}")


def children(process):
    with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as f:
        return f.read().split()


def one_process_for_all(bench):
    """The driver is loaded once for the jobs of a program, and a kernel that crashes costs only its own job; what is put
    there when the program has ended is still done."""
    jobs = Jobs(bench)
    first = jobs.cache / "0.ahead.1"
    application = subprocess.Popen(["sleep", "1000"])
    process = jobs.start("--for", application.pid, jobs.write(first, jobs.cache / "0.ahead", GOOD))
    try:
        sizes, took = answered(jobs.cache / "0.ahead")
        expect(sizes == SIZES and not first.exists(), f"first: {sizes}")
        worker = children(process)
        expect(len(worker) == 1, f"works in {worker}")
        jobs.write(f"{first}.1", jobs.cache / "1.ahead", GOOD.replace("1", "2"))
        sizes, then = answered(jobs.cache / "1.ahead")
        expect(sizes == SIZES and children(process) == worker, f"second: {sizes}, {children(process)}")
        expect(then < took / 2, f"the second job took {then} s, the first one {took} s")
        jobs.write(f"{first}.2", jobs.cache / "2.ahead", CRASHES)
        sizes, _ = answered(jobs.cache / "2.ahead")
        expect(not sizes, f"crashed: {sizes}")
        jobs.write(f"{first}.3", jobs.cache / "3.ahead", GOOD.replace("1", "3"))
        sizes, _ = answered(jobs.cache / "3.ahead")
        expect(sizes == SIZES and children(process) != worker, f"after that: {sizes}")
        jobs.write(f"{first}.4", jobs.cache / "4.ahead", GOOD.replace("1", "4"))
        application.kill()
        application.wait()
        sizes, _ = answered(jobs.cache / "4.ahead")
        expect(sizes == SIZES, f"last: {sizes}")
        expect(process.wait(timeout=20) == 0, "it did not end")
        expect(not list(jobs.cache.glob("*.ahead.*")), "a job was left behind")
    finally:
        application.kill()
        application.wait()
        process.kill()
        process.wait()


def tried_again(bench):
    """A worker that dies under a job which is not its first one: that may be the fault of jobs before, so another one does
    it.  What both have worked is told."""
    jobs = Jobs(bench)
    first = jobs.cache / "0.ahead.1"
    process = jobs.start("--for", os.getpid(), jobs.write(first, jobs.cache / "0.ahead", GOOD))
    try:
        answered(jobs.cache / "0.ahead")
        worker = children(process)
        jobs.write(f"{first}.1", jobs.cache / "1.ahead", SLOW)
        while f"{first}.1" in map(str, jobs.cache.iterdir()):
            time.sleep(0.005)
        time.sleep(0.2)
        os.kill(int(worker[0]), signal.SIGKILL)
        sizes, took = answered(jobs.cache / "1.ahead")
        expect(sizes == SIZES and children(process) != worker, f"it was not tried again: {sizes}")
        expect(took > 0.1, f"took {took} s")
        jobs.write(f"{first}.2", jobs.cache / "2.ahead", CRASHES)
        sizes, _ = answered(jobs.cache / "2.ahead")
        expect(not sizes, f"crashed: {sizes}")
    finally:
        process.kill()
        process.wait()


def helper_cannot_run(bench):
    """One that ends before it has looked at its job is not started again and again."""
    build, log = bench.scratch / "build", bench.scratch / "log"
    shutil.copytree(bench.build, build, ignore=lambda folder, names: [n for n in names if pathlib.Path(folder, n).is_dir()])
    build.joinpath("clsizer-ahead").unlink()
    script(bench, "build/clsizer-ahead", f"echo started >>{log}; exit 127\n")
    cache = bench.store("cache")
    for size, launches in ("64", "1"), ("512", "40"):
        result = bench.run([build / "clsizer", bench.app("gemm"), "-n", size, "-l", launches], cache=cache, CLSIZER_VERBOSE=3)
        bench.wait_for_helper(cache)
    starts = log.read_text().count("started") if log.exists() else 0
    expect("process tries" in result.err, f"none was asked: {result.err[-2500:]}")
    expect(0 < starts < 10, f"started {starts} times")


def tested_once(bench):
    """Whether the driver keeps what it compiles is tested for the first job alone; and if it does not, nothing is compiled
    for the others."""
    jobs = Jobs(bench)
    paths = [jobs.write(jobs.cache / f"{i}.ahead.1", jobs.cache / f"{i}.ahead", GOOD.replace("1", str(i + 2)), "")
             for i in range(3)]
    process = jobs.start("--in-turn", jobs.cache, *paths)
    took = []
    for i in range(3):
        sizes, worked = answered(jobs.cache / f"{i}.ahead")
        expect(sizes == SIZES, f"{i}: {sizes}")
        took.append(worked)
    process.wait()
    expect(max(took[1:]) < took[0] / 2, f"jobs took {took} s")
    jobs.pocl = bench.store("other")
    process = jobs.start(*(jobs.write(p, p.with_suffix(""), GOOD.replace("1", str(i + 2)), "")
                           for i, p in enumerate(paths)), POCL_KERNEL_CACHE=0)
    process.wait()
    for i in range(3):
        sizes, worked = answered(jobs.cache / f"{i}.ahead")
        expect(not sizes, f"not kept, {i}: {sizes}")
        expect(not i or worked < took[0] / 10, f"not kept, {i}: took {worked} s")


CASES = [one_process_for_all, tried_again, helper_cannot_run, tested_once]


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES))
