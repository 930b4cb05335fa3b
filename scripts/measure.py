"""Running OpenCL programs bare and under clsizer, and reading what they say: for demo.py and the benchmark.

The programs are those of tests/apps and tests/bench; their timing lines are described in tests/apps/common.h.
Python's standard library only.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import time

POCL_ICD = "/etc/OpenCL/vendors/pocl.icd"
LINE = re.compile(r"^kernel=(\S+) local=(\S+) launches=(\d+) kernel_ms=(\S+) min_ms=(\S+) median_ms=(\S+)", re.M)
FIRST = re.compile(r"^first=(\S+) first_ms=(\S+)", re.M)


class Run:
    """One run of a program: stdout and exit status, wall time, and per kernel the total and the median launch, in ms."""

    def __init__(self, code, stdout, stderr, wall_ms):
        self.code, self.stdout, self.wall_ms = code, stdout, wall_ms
        self.stderr = stderr.decode(errors="replace")
        self.output = (code, stdout)
        self.kernels = {}
        for name, local, launches, total, _, median in LINE.findall(self.stderr):
            self.kernels.setdefault(name, {"local": local, "launches": int(launches), "total": float(total),
                                           "median": float(median)})
        for name, first in FIRST.findall(self.stderr):
            self.kernels[name]["first"] = float(first)

    def raw(self):
        return {"code": self.code, "wall_ms": round(self.wall_ms, 3), "kernels": self.kernels}


def wait_for_helpers(limit=60):
    """Wait until nothing of clsizer's is at work for programs that have ended; seconds waited."""
    begin = time.monotonic()
    while time.monotonic() < begin + limit:
        names = set()
        for path in pathlib.Path("/proc").glob("[0-9]*/comm"):
            try:
                names.add(path.read_text().strip())
            except OSError:  # it ended
                pass
        if not names & {"clsizer-analyze", "clsizer-ahead"}:
            break
        time.sleep(0.05)
    return time.monotonic() - begin


def run(command, env, timeout=120):
    """Run when nothing is at work for earlier runs."""
    wait_for_helpers()
    begin = time.monotonic()
    done = subprocess.run([str(c) for c in command], env=env, capture_output=True, stdin=subprocess.DEVNULL,
                          timeout=timeout)
    return Run(done.returncode, done.stdout, done.stderr, (time.monotonic() - begin) * 1e3)


class Stores:
    """Where clsizer and PoCL keep things during a series of runs: a directory that begins empty."""

    def __init__(self, path, pocl):
        self.path, self.pocl = pathlib.Path(path), pathlib.Path(pocl)
        self.report, self.wisdom = self.path / "report.jsonl", self.path / "wisdom.jsonl"
        self.path.mkdir(parents=True, exist_ok=True)
        self.pocl.mkdir(parents=True, exist_ok=True)

    def environment(self, **more):
        """The caller's, without anything of clsizer's or PoCL's in it; PoCL's threads are pinned to cores."""
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(("CLSIZER_", "POCL_")) and k not in ("LD_PRELOAD", "OPENCL_LAYERS")}
        env.update(POCL_AFFINITY="1", POCL_CACHE_DIR=str(self.pocl), CLSIZER_CACHE=str(self.path / "cache"),
                   CLSIZER_WISDOM=str(self.wisdom), CLSIZER_REPORT=str(self.report), **more)
        return env

    def events(self):
        return read_lines(self.report)

    def records(self):
        """The last wisdom record of every kernel."""
        return {(r["key"]["kernel"], tuple(r["key"]["own"])): r for r in read_lines(self.wisdom)
                if "key" in r}

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


def read_lines(path):
    try:
        return [json.loads(line) for line in path.read_text().splitlines()]
    except OSError:
        return []


def chosen_size(event):
    """The size that a decision names: "64x4", or "null" for the driver's choice."""
    local = event.get("chosen") or event.get("decision", {}).get("local")
    return "x".join(str(n) for n in local[:event["launch"]["dim"]]) if local else "null"


def outcome(events, kernel):
    """What the report says last about a kernel: (chosen size or None, words)."""
    chosen, words = None, "not decided"
    for e in events:
        if e.get("kernel") != kernel:
            continue
        if e["event"] == "decision":
            chosen = chosen_size(e)
            words = {"no-gain": "kept: no gain"}.get(e["reason"], e["reason"])
        elif e["event"] == "refusal":
            chosen, words = None, "left alone: " + e["reason"]
    return chosen, words


def settled(events, kernels):
    done = {e.get("kernel") for e in events if e["event"] in ("decision", "refusal")}
    return done >= set(kernels)
