"""The model alone, judged with the sizes that were measured: `clsizer predict` against the sweeps.

Besides the programs' kernels these are kernels of [W] Table 4 in the further shapes that it has for them, which no program
here has."""

import statistics

import sizes
from learn import spearman
from programs import unique_steps

SHAPES = {"backprop": (3200, 6400), "bfs": (1 << 21,), "cfd": (193536, 232704), "gaussian": (4096,),
          "kmeans_16": (10000,), "kmeans_rodinia": (10000,), "kmeans_64": (10000,),
          "nn": (1 << 17, 1 << 18, 1 << 19), "particle": (2048,)}


def mape(predicted, measured):
    return statistics.fmean(abs(p - m) / m for p, m in zip(predicted, measured))


def fastest(call, times=3):
    return min((call() for _ in range(times)), key=lambda result: result[1])


def compare(machine, program, kernel):
    """One kernel.  Times of the sweep are medians of its launches, in ms."""
    sweep, stores = program["sweeps"][kernel], machine.stores("static")
    step = next(s for s in program["description"]["steps"] if s["kernel"] == kernel)
    measured = {m["local"]: statistics.median(m["ms"]) for m in sweep["measured"] if m["local"] != "null"}
    locals_ = [step["own"]] + [sizes.parse(s) for s in measured if sizes.parse(s) != step["own"]]
    whole, seconds = fastest(lambda: machine.predict(stores, program["description"], step, locals_, "--features"))
    own, seconds_one = fastest(lambda: machine.predict(stores, program["description"], step, [step["own"]], "--only", "--features"))
    by_size = {sizes.text(c["local"]): c for c in whole["candidates"]}
    both = [s for s in measured if s in by_size and by_size[s].get("time_us")]
    predicted, real = [by_size[s]["time_us"] / 1e3 for s in both], [measured[s] for s in both]
    scale = statistics.median(r / p for p, r in zip(predicted, real)) if both else None
    best = min(measured, key=measured.get)
    choice = sizes.text(whole.get("chosen"))
    kept = [s for s in both if by_size[s]["state"] == "kept"]
    result = {
        "candidates": len(whole["candidates"]), "pruned": whole["pruned_fraction"], "compared": len(both), "best": best,
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
    result["own_ratio"] = measured[sizes.text(step["own"])] / measured[best]
    if choice in measured:
        result["choice_ratio"] = measured[choice] / measured[best]
        result["percentile"] = sum(t >= measured[choice] for t in measured.values()) / len(measured)
    return result


def compare_shape(machine, description, step):
    """A kernel of a workload that is no program of the benchmark: all its sizes are measured here."""
    stores = machine.stores("shapes")
    measured = machine.sweep(stores, description, step["kernel"], sizes.candidates(step, machine.device), 5)
    stores.remove()
    return compare(machine, {"description": description, "sweeps": {step["kernel"]: {"measured": measured}}}, step["kernel"])


def compare_all(machine, results, names):
    for name in names:
        program = results.data.get("programs", {}).get(name, {})
        for kernel in program.get("sweeps", {}):
            results.item("static", f"{name}/{kernel}", lambda p=program, k=kernel: compare(machine, p, k))
    if machine.options.quick:
        return
    for name, n in ((name, n) for name, each in SHAPES.items() for n in each):
        description = machine.describe(name, n)
        for kernel, step in unique_steps(description).items():
            results.item("static", f"{name}/{kernel} {n}", lambda d=description, s=step: compare_shape(machine, d, s))
