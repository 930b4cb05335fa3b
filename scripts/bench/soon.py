"""How soon programs are decided, and how alike the decisions of many first runs are.

Every run here is as long as a user's might be (LENGTH_MS bare); what the driver compiles for bare runs is compiled already,
and nothing else is known when a series begins."""

import contextlib
import os
import shutil
import statistics
import subprocess
import sys

import measure

LENGTH_MS = 5000
PROGRAMS = 20  # those with most to gain, as far as that was measured
SHARE = 0.05   # kernels with less of a program's kernel time need not be decided
REPEATED = ["gaussian", "gemm_polybench", "2dconv", "spmv_random", "kmeans_rodinia"]
SERIES = 20    # of two runs each, from nothing
ROUNDS = 12    # in which the choices are compared


@contextlib.contextmanager
def busy_core(wanted):
    """One core that another program keeps busy."""
    spinner = subprocess.Popen([sys.executable, "-c", "while True: pass"]) if wanted else None
    try:
        yield
    finally:
        if spinner:
            spinner.kill()
            spinner.wait()


class Long:
    """A workload, repeated until it takes LENGTH_MS, with the sizes that it ships with."""

    def __init__(self, machine, name):
        self.machine, self.name = machine, name
        self.directory = machine.scratch / "soon" / name
        shutil.rmtree(self.directory, ignore_errors=True)
        self.bare_stores = machine.stores(f"soon/{name}/bare")
        self.arguments = [name, "--local", "own"]
        self.bare()
        once, repeat = self.bare(), machine.describe(name)["repeat"]
        times = max(1, round(repeat * LENGTH_MS / sum(k["total"] for k in once.kernels.values())))
        self.arguments += ["-l", str(times)]

    def bare(self):
        return self.machine.bare(self.bare_stores, *self.arguments)

    def begin(self, which):
        """Stores in which nothing is known."""
        measure.wait_for_helpers()  # they may still write there
        shutil.rmtree(self.directory / which, ignore_errors=True)
        pocl = self.directory / which / "pocl"
        shutil.copytree(self.bare_stores.pocl, pocl)
        return self.machine.stores(f"soon/{self.name}/{which}", pocl)

    def tuned(self, stores):
        return self.machine.tuned(stores, "measure", *self.arguments)

    def launches(self, sizes):
        """Times of all launches of a run with these sizes and variants, in order."""
        trace = self.machine.scratch / "trace"
        environment = self.machine.environment(self.bare_stores)
        if ":" in sizes:
            command = [self.machine.clsizer, "--quiet", "--sizes", sizes, "--", self.machine.bench, *self.arguments]
        else:
            command = [self.machine.bench, *self.arguments, *(["--local", sizes] if sizes else [])]
        run = measure.run([*command, "--trace", trace], environment)
        if run.code:
            raise RuntimeError(f"status {run.code} with {sizes or 'its own sizes'}")
        return [float(line.split()[2]) for line in trace.read_text().splitlines()]


def undecided(stores, run):
    """Kernels that matter and whose last run ended without a decision."""
    total = sum(k["total"] for k in run.kernels.values())
    events = stores.events()
    last = max(i for i, e in enumerate(events) if e["event"] == "run")
    open_ = {e["kernel"] for e in events[last:] if e["event"] == "launches" and e["state"] not in ("decided", "refused")}
    return sorted(k for k in open_ if run.kernels.get(k, {"total": 0})["total"] >= SHARE * total)


def first_tried(events):
    """Of each kernel and shape for which something else than the program's own size was tried: the shortest time of what was
    tried first over the shortest of all."""
    took = {}  # shape -> what was tried -> shortest time of an item; in order
    for e in [e for e in events if e["event"] == "samples"]:
        shape = took.setdefault((e["kernel"], tuple(e["launch"]["global"])), {})
        for what, us, items in zip(e["size"], e["us"], e["items"]):
            shape[what] = min(shape.get(what, us / items), us / items)
    return [list(shape.values())[1] / min(shape.values()) for shape in took.values() if len(shape) > 1]


def decided(machine, name, busy):
    """Two runs from nothing: seconds of each and of bare ones beside them, and which kernels are undecided after each."""
    program = Long(machine, name)
    with busy_core(busy):
        stores, row = program.begin("runs"), {"bare": [], "runs": [], "undecided": []}
        for _ in range(2):
            row["bare"].append(program.bare().wall_ms / 1e3)
            run = program.tuned(stores)
            row["runs"].append(run.wall_ms / 1e3)
            row["undecided"].append(undecided(stores, run))
        row["first"] = first_tried(stores.events())
    shutil.rmtree(program.directory, ignore_errors=True)
    return row


def choice(stores):
    """What wisdom says, as --sizes takes it; kernels that keep their size, or are not decided, are left out."""
    text = []
    for (kernel, own), r in sorted(stores.records().items()):
        variant = r.get("variant", {}) if r["outcome"] != "open" else {}
        local = variant.get("local", r["local"])
        if "name" not in variant and (r["outcome"] == "open" or tuple(local) == own):
            continue
        dim = r["key"]["dim"]
        size = "x".join(map(str, local[:dim])) if local[0] else "null"
        text.append(f"{kernel}={variant['name'] + ':' if 'name' in variant else ''}{size}")
    return ",".join(dict.fromkeys(text))


def compared(program, count):
    """A row for each choice, for none, and for the most frequent one once more, 0 times: the kernel time that it takes, by
    every other round and by the others.  Each launch takes as long as in the round in which it was the shortest, since
    disturbances only add."""
    rows = [{"choice": made, "times": count.get(made, 0)} for made in {"": 0, **count}]
    rows.append({"choice": max(count, key=count.get), "times": 0})
    took = [([], []) for _ in rows]
    for turn in range(ROUNDS):
        for row, rounds in list(zip(rows, took))[::-1 if turn // 2 % 2 else 1]:
            rounds[turn % 2].append(program.launches(row["choice"]))
    for row, halves in zip(rows, took):
        row["ms"] = [sum(map(min, zip(*rounds))) for rounds in halves]
    return rows


def alike(machine, name):
    """SERIES times two runs from nothing: how often which choice was made, and what it takes."""
    program, count = Long(machine, name), {}
    for _ in range(SERIES):
        stores = program.begin("runs")
        program.tuned(stores)
        program.tuned(stores)
        made = choice(stores)
        count[made] = count.get(made, 0) + 1
    rows = compared(program, count)
    shutil.rmtree(program.directory, ignore_errors=True)
    return {"choices": rows}


def most_to_gain(results, names):
    """The programs that the best sizes, or what clsizer chose, sped up most."""
    def gain(name):
        runs = results.data.get("programs", {}).get(name, {}).get("runs", {})
        ms = {k: statistics.median(sum(x["total"] for x in r["kernels"].values()) for r in v) for k, v in runs.items() if v}
        return ms["own"] / min(ms.get("oracle", ms["own"]), ms.get("warm", ms["own"])) if "own" in ms else 1
    return sorted(names, key=gain, reverse=True)[:PROGRAMS]


def measure_all(machine, results, names):
    cores = len(os.sched_getaffinity(0))
    for name in [n for n in REPEATED if n in names]:
        results.item("soon", f"alike {name}", lambda name=name: alike(machine, name))
    for name in most_to_gain(results, names):
        for busy in (False, True) if cores > 1 else (False,):
            results.item("soon", f"decided {name}{' busy' if busy else ''}", lambda: decided(machine, name, busy))
