"""Whole programs: bare with several local sizes, under clsizer with several efforts, and the oracle."""

import math
import shutil
import statistics
import time

import measure
import sizes
import summary

SHARE = 0.05  # kernels with less of a program's kernel time are not searched for their best size
FINALISTS = 8  # sizes that are measured again, after each has been measured a few times
SETTLE = 3    # runs under `measure` that precede the warm ones: the first is cold
NOT_OFFERED = 77  # exit status of a workload whose size the driver should suggest: some have the function, which fails
DRIVERS_CHOICE = {"null", "suggested"}  # some drivers round otherwise with other sizes
SELDOM = {*DRIVERS_CHOICE, "patient"}  # run in the first two rounds only
NOISE = 0.015  # the standard error that a program may show against itself, else it is run for more rounds,
MOST_ROUNDS = 3  # up to so many times as many
SLOWEST = {"warm": 0.97, "cold": 0.95}  # whole runs over bare ones: what no program should stay below
AGAIN = 20  # rounds in which a program that seems to is measured again: of 37 the slowest of few rounds is mostly noise
FIXED = {"backprop_forward", "mm_tiled", "transpose_tiled", "blur_tiled"}  # with another size they compute something else
ENOUGH_MS = 100  # with their own size they repeat them, on a fast device, until they take about this much
POOR_MS = 600  # with a poor size a program repeats its launches less often, so as not to take much longer than this


def unique_steps(description):
    steps = {}
    for step in description["steps"]:
        steps.setdefault(step["kernel"], step)
    return steps


def chosen_sizes(stores, kernel):
    """Sizes that the report names for a kernel."""
    found = []
    for e in stores.events():
        local = e.get("chosen") or e.get("decision", {}).get("local") if e.get("kernel") == kernel else None
        if local and e.get("launch"):
            size = local[:e["launch"]["dim"]]
            if all(size) and size not in found:
                found.append(size)
    return found


def verdict(stores, kernels):
    """Per kernel: what clsizer decided, in its own words, and its account."""
    result = {}
    for kernel in kernels:
        chosen, words = measure.outcome(stores.events(), kernel)
        result[kernel] = {"chosen": chosen, "words": words}
        for (name, _), record in stores.records().items():
            if name == kernel:
                result[kernel].update({k: record[k] for k in ("observed_ns", "spent_ns", "saved_ns", "compile_ns")})
    return result


class Program:
    """Everything about one workload: `result` is the raw result."""

    def __init__(self, machine, name):
        self.machine, self.name = machine, name
        self.description = machine.describe(name)
        self.steps = unique_steps(self.description)
        shutil.rmtree(machine.scratch / name, ignore_errors=True)
        self.pocl = machine.scratch / name / "pocl"
        self.stores = {"bare": machine.stores(f"{name}/bare", self.pocl)}
        self.repeats = max(self.description["repeat"], int(ENOUGH_MS / self.once("own")))
        self.result = {"description": self.description, "settle": {}, "verdict": {}, "runs": {}, "sweeps": {}}

    def arguments(self, local):
        return [self.name, "--local", local, "-l", str(self.poor_repeat if local == "poor" else self.repeats)]

    def bare(self, local):
        return self.machine.bare(self.stores["bare"], *self.arguments(local))

    def once(self, local):
        """Milliseconds that the kernels take once."""
        probe = self.machine.bare(self.stores["bare"], self.name, "--local", local, "-l", "3")
        return sum(k["total"] - k["first"] for k in probe.kernels.values()) / 2

    def limit_poor(self):
        self.poor_repeat = self.result["poor_repeat"] = min(self.repeats, max(2, int(POOR_MS / self.once("poor"))))

    def under(self, which, effort, local="own", pocl=None):
        stores = self.stores[which] = self.machine.stores(f"{self.name}/{which}", pocl or self.pocl)
        return self.machine.tuned(stores, effort, *self.arguments(local))

    def cold(self, which, local, template):
        """Nothing known: no wisdom, no analysis, and of the driver's kernels only those of bare runs."""
        pocl = self.machine.scratch / self.name / "pocl-cold"
        measure.wait_for_helpers()  # of a cold run just before: they write there
        shutil.rmtree(pocl, ignore_errors=True)
        shutil.copytree(template, pocl)
        self.machine.stores(f"{self.name}/{which}", pocl).remove()
        return self.under(which, "measure", local, pocl)

    def settle(self, local, prefix):
        """Bring stores into the state that warm runs find; the first run, from nothing, is a cold one."""
        template = self.machine.scratch / self.name / f"pocl-{prefix}"
        first = self.bare(local)
        shutil.rmtree(template, ignore_errors=True)
        shutil.copytree(self.pocl, template)
        runs = [self.cold(prefix + "measure", local, template)]
        # As for a user: what the first run had compiled ahead is there for the next.
        shutil.copytree(self.machine.scratch / self.name / "pocl-cold", self.pocl, dirs_exist_ok=True)
        runs += [self.under(prefix + "measure", "measure", local) for _ in range(SETTLE - 1)]
        self.result["verdict"][prefix + "measure"] = verdict(self.stores[prefix + "measure"], self.steps)
        return first, runs, template

    def sweep(self, kernel, step):
        extra = [s for which in ("estimate", "measure", "patient") for s in chosen_sizes(self.stores[which], kernel)]
        try:
            extra.append(self.machine.predict(self.stores["bare"], self.description, step, [step["own"]])[0]["chosen"])
        except (RuntimeError, KeyError):
            pass
        extra = [s for s in extra if s and all(g % n == 0 for g, n in zip(step["global"], s))]
        which = sizes.candidates(step, self.machine.device, extra)
        measured = self.machine.sweep(self.stores["bare"], self.description, kernel, which, 3)
        measured.sort(key=lambda m: min(m["ms"]))
        finalists = [sizes.parse(m["local"]) for m in measured[:FINALISTS]] + [step["own"]]
        final = self.machine.sweep(self.stores["bare"], self.description, kernel, finalists, 7)
        best = min(final, key=lambda m: sorted(m["ms"])[len(m["ms"]) // 2])
        return {"space": len(which), "measured": measured, "final": final, "best": best["local"]}

    def oracle(self, first):
        """Best size per kernel that matters, as the program takes it; none where groups must stay."""
        total = sum(k["total"] for k in first.kernels.values())
        best = []
        for kernel, step in self.steps.items():
            if first.kernels[kernel]["total"] >= SHARE * total and self.name not in FIXED:
                sweep = self.result["sweeps"][kernel] = self.sweep(kernel, step)
                best.append(f"{kernel}={sweep['best']}")
        return ",".join(best)

    def rounds(self, plan, count):
        """Run the plan's configurations in turn, `count` times, and on while the program is too noisy.  Every other
        round goes backwards: what ran before, and heated the processor, is another configuration then."""
        most, i = MOST_ROUNDS * count if "again" in plan else count, 0
        while i < count or (i < most and self.noise() > NOISE):
            for name in list(plan)[::-1 if i % 2 else 1]:
                if i < 2 or name not in SELDOM:
                    self.result["runs"].setdefault(name, []).append(plan[name]())
            i += 1

    def noise(self):
        """Standard error of the whole run's time against itself."""
        pairs = [a.wall_ms / b.wall_ms for a, b in zip(self.result["runs"]["own"], self.result["runs"]["again"])]
        return statistics.stdev(pairs) / math.sqrt(len(pairs)) if len(pairs) > 1 else 0

    def measure(self):
        options = self.machine.options
        poor_first = None
        first, settling, template = self.settle("own", "")
        for effort in ("estimate", "patient"):
            self.under(effort, effort)
            self.result["verdict"][effort] = verdict(self.stores[effort], self.steps)
        best = self.oracle(first)
        plan = {
            "own": lambda: self.bare("own"),
            "null": lambda: self.bare("null"),
            "estimate": lambda: self.under("estimate", "estimate"),
            "warm": lambda: self.under("measure", "measure"),
            "patient": lambda: self.under("patient", "measure"),
            "again": lambda: self.bare("own"),
            "cold": lambda: self.cold("cold", "own", template),
        }
        if self.name in FIXED:
            del plan["null"]
        if best and self.bare(best).output == first.output:
            plan["oracle"] = lambda: self.bare(best)
        if self.machine.device["suggests"] and self.bare("suggested").code != NOT_OFFERED:
            plan["suggested"] = lambda: self.bare("suggested")
        self.rounds(plan, options.rounds)
        if self.name not in FIXED:
            self.limit_poor()
            poor_first, poor_settling, poor_template = self.settle("poor", "poor-")
            self.rounds({"poor": lambda: self.bare("poor"),
                         "poor-warm": lambda: self.under("poor-measure", "measure", "poor"),
                         "poor-cold": lambda: self.cold("poor-cold", "poor", poor_template)}, max(2, options.rounds))
            self.result["settle"]["poor-measure"] = poor_settling
        self.result["settle"]["measure"] = settling
        return self.finish(first, poor_first)

    def repeat(self, which, poor_repeat):
        """Whole runs under clsizer beside bare ones, in turn with bare ones again."""
        prefix, _, kind = which.rpartition("-")
        local, prefix = ("poor", "poor-") if prefix else ("own", "")
        self.poor_repeat = poor_repeat
        first, _, template = self.settle(local, prefix)
        make = {"warm": lambda: self.under(prefix + "measure", "measure", local),
                "cold": lambda: self.cold(prefix + "again", local, template)}
        self.rounds({"own": lambda: self.bare(local), which: make[kind], "itself": lambda: self.bare(local)}, AGAIN)
        runs = self.result["runs"]
        shutil.rmtree(self.machine.scratch / self.name, ignore_errors=True)
        return {"identical": all(r.output == first.output for several in runs.values() for r in several),
                "runs": {name: [r.raw() for r in several] for name, several in runs.items()}}

    def finish(self, first, poor_first):
        """The same results everywhere, but for sizes that the driver chooses?  Then raw numbers instead of runs."""
        same = first.code == 0
        for name, runs in (*self.result["runs"].items(), *self.result["settle"].items()):
            if name in DRIVERS_CHOICE:
                continue
            reference = poor_first if name.startswith("poor") else first
            same = same and all(r.output == reference.output for r in runs)
        self.result["identical"] = same
        for part in ("runs", "settle"):
            self.result[part] = {name: [r.raw() for r in runs] for name, runs in self.result[part].items()}
        shutil.rmtree(self.machine.scratch / self.name, ignore_errors=True)
        return self.result


def whole_runs(program, which):
    """Bare times of whole runs over those of `which` ("warm", "poor-cold", ...), one for each round: of the measurement
    with more rounds, if the program was measured again.  The program is shortened (summary.py)."""
    runs = program["repeated"].get(which, program["runs"])
    bare = runs["poor" if "poor" in runs and which.startswith("poor") else "own"]
    return [b / r for b, r in zip(bare["wall"], runs.get(which, {}).get("wall", []))]


def seems_slow(program, which):
    ratios = whole_runs(summary.program(program), which)
    return bool(ratios) and statistics.median(ratios) < SLOWEST[which.rpartition("-")[2]]


def repeat_doubtful(machine, results, names):
    """Measure again what seems to be slower than it should be."""
    for name in names:
        program = results.data["programs"].get(name, {"error": "not measured"})
        for which in () if "error" in program else ("warm", "cold", "poor-warm", "poor-cold"):
            if which in program.get("repeated", {}) or not seems_slow(program, which):
                continue
            if time.monotonic() > results.deadline:
                print(f"  programs {name} {which}: no time left to repeat it; run again to go on", flush=True)
                return
            again = Program(machine, name).repeat(which, program.get("poor_repeat"))
            program.setdefault("repeated", {})[which] = again
            program["identical"] = program["identical"] and again["identical"]
            results.save()
            print(f"  programs {name} {which} again: {statistics.median(whole_runs(summary.program(program), which)):.3f}", flush=True)


def measure_all(machine, results, names):
    for name in names:
        results.item("programs", name, lambda name=name: Program(machine, name).measure())
    repeat_doubtful(machine, results, names)
