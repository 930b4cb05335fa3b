"""The model alone, judged with the sizes that were measured: `clsizer predict` against the sweeps.

Besides the programs' kernels these are kernels of [W] Table 4 in the further shapes that it has for them, which no program
here has.  Sweeps that the section `programs` has not made are made here."""

import math
import statistics

import sizes
from programs import FIXED, unique_steps

SHAPES = {"backprop": (3200, 6400), "bfs": (1 << 21,), "cfd": (193536, 232704), "gaussian": (4096,),
          "kmeans_16": (10000,), "kmeans_rodinia": (10000,), "kmeans_64": (10000,),
          "nn": (1 << 17, 1 << 18, 1 << 19), "particle": (2048,)}


FINALISTS = 5  # of a sweep, which the model's choice is compared with
ROUNDS = 14  # of that comparison
MOST = 256  # sizes that `clsizer predict` takes


def ranks(values):
    return [sum(v < w for v in values) + sum(v == w for v in values) / 2 for w in values]


def spearman(x, y):
    if len(x) < 3 or len(set(x)) < 2 or len(set(y)) < 2:
        return None
    return statistics.correlation(ranks(x), ranks(y))


def mape(predicted, measured):
    return statistics.fmean(abs(p - m) / m for p, m in zip(predicted, measured))


def slower(times, size):
    """How many times as long a size takes as the best one; times: {size: [ms per round]}.  The least of many noisy times
    is too small: so half of the rounds say which one is best, the other half how long it takes, and the other way round."""
    halves = [{s: statistics.median(ms[i::2]) for s, ms in times.items()} for i in (0, 1)]
    return math.sqrt(math.prod(told[size] / told[min(other, key=other.get)] for told, other in (halves, halves[::-1])))


def head_to_head(machine, stores, description, step, measured, choice):
    """The model's choice and that of a rule of thumb, in turns with the program's size and the fastest of the sweep."""
    allowed = [sizes.text(s) for s in sizes.grid(step["global"], machine.device)]
    rule = sizes.by_rule(allowed)
    names = {*sorted(measured, key=measured.get)[:FINALISTS], sizes.text(step["own"]), rule, *({choice} & {*allowed})}
    runs = machine.sweep(stores, description, step["kernel"], [sizes.parse(s) for s in sorted(names)], ROUNDS)
    times = {run["local"]: run["ms"] for run in runs}
    return {f"{who}_ratio": slower(times, size) for who, size in
            (("choice", choice), ("rule", rule), ("own", sizes.text(step["own"]))) if size in times}


def fastest(call, times=3):
    return min((call() for _ in range(times)), key=lambda result: result[1])


def compare(machine, program, kernel):
    """One kernel.  Times of the sweep are medians of its launches, in ms."""
    sweep, stores = program["sweeps"][kernel], machine.stores("static")
    step = next(s for s in program["description"]["steps"] if s["kernel"] == kernel)
    measured = {m["local"]: statistics.median(m["ms"]) for m in sweep["measured"] if m["local"] != "null"}
    locals_ = [step["own"]] + [sizes.parse(s) for s in measured if sizes.parse(s) != step["own"]][:MOST - 1]
    whole, seconds = fastest(lambda: machine.predict(stores, program["description"], step, locals_, "--features"))
    own, seconds_one = fastest(lambda: machine.predict(stores, program["description"], step, [step["own"]], "--only", "--features"))
    by_size = {sizes.text(c["local"]): c for c in whole["candidates"]}
    both = [s for s in measured if s in by_size and by_size[s].get("time_us")]
    both.sort(key=lambda s: s != sizes.text(step["own"]))  # that one first
    predicted, real = [by_size[s]["time_us"] / 1e3 for s in both], [measured[s] for s in both]
    scale = statistics.median(r / p for p, r in zip(predicted, real)) if both else None
    best = min(measured, key=measured.get)
    choice = sizes.text(whole.get("chosen"))
    kept = [s for s in both if by_size[s]["state"] == "kept"]
    result = {
        "own": sizes.text(step["own"]), "candidates": len(whole["candidates"]), "pruned": whole["pruned_fraction"], "compared": len(both), "best": best,
        "best_kept": by_size[best]["state"] == "kept" if best in by_size else None,
        "kept_ratio": min(measured[s] for s in kept) / measured[best] if kept else None,
        "choice": choice, "seconds": seconds, "seconds_one": seconds_one,
        "pessimistic": whole["pessimistic"], "estimated": whole["estimated"],
        "us_per_estimate": (seconds - seconds_one) * 1e6 / max(1, len(whole["candidates"]) - len(own["candidates"])),
    }
    if both:
        result.update(mape=mape(predicted, real), mape_scaled=mape([p * scale for p in predicted], real), scale=scale,
                      spearman=spearman(predicted, real),
                      pairs=[[s, p, r, by_size[s]["state"]] for s, p, r in zip(both, predicted, real)],
                      features=[by_size[s]["features"] for s in both])
    if choice in measured:
        result["percentile"] = sum(t >= measured[choice] for t in measured.values()) / len(measured)
    result.update(head_to_head(machine, stores, program["description"], step, measured, choice))
    return result


def compare_shape(machine, description, step):
    """A kernel whose sizes are measured here: as many as can be compiled in the time given, the model's choice first."""
    stores = machine.stores("shapes")
    choice = machine.predict(stores, description, step, [step["own"]])[0].get("chosen")
    extra = [choice] if choice and all(g % n == 0 for g, n in zip(step["global"], choice)) else []
    measured = machine.sweep(stores, description, step["kernel"], sizes.candidates(step, machine.device, extra), 5)
    stores.remove()
    return compare(machine, {"description": description, "sweeps": {step["kernel"]: {"measured": measured}}}, step["kernel"])


def compare_all(machine, results, names):
    for name in (name for name in names if name not in FIXED):
        program = results.data.get("programs", {}).get(name, {})
        for kernel in program.get("sweeps", {}):
            results.item("static", f"{name}/{kernel}", lambda p=program, k=kernel: compare(machine, p, k))
        if not program:
            shapes(machine, results, name, None)
    if not machine.options.quick:
        for name, n in ((name, n) for name, each in SHAPES.items() for n in each):
            shapes(machine, results, name, n)


def shapes(machine, results, name, n):
    description = machine.describe(name, n)
    for kernel, step in unique_steps(description).items():
        results.item("static", f"{name}/{kernel}" + (f" {n}" if n else ""),
                     lambda d=description, s=step: compare_shape(machine, d, s))
