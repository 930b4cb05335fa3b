"""What is kept in git of a device's raw results: a few numbers per program, kernel and run, one JSON object a line.

The first line describes the device and the machine ("section": "device"); each of the others is one item of a section, with
its "name".  The page is made from these lines alone (report.py); the raw results (machine.Results) are made again.  Times are
in ms, one for each round, in the order of the rounds."""

import json
import os
import statistics

from peers import tuner_reached

SECTIONS = ["programs", "static", "peers", "by_hand", "scale", "samples", "soon"]
STATIC = ("candidates", "pruned", "best", "best_kept", "kept_ratio", "own_ratio", "choice", "choice_ratio", "rule_ratio",
          "percentile", "mape", "mape_scaled", "spearman", "us_per_estimate")
DIGITS = 6  # of a number: more than a measurement has


def short(value):
    """Numbers of so many digits, wherever they are."""
    if isinstance(value, dict):
        return {k: short(v) for k, v in value.items()}
    if isinstance(value, list):
        return [short(v) for v in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def runs(raw):
    """{configuration: {"wall": [...], "kernel": [...]}}: whole runs; kernel time without the first launch of each kernel."""
    return {which: {"wall": [r["wall_ms"] for r in several],
                    "kernel": [sum(k["total"] - k["first"] for k in r["kernels"].values()) for r in several]}
            for which, several in raw.items()}


def poor_oracle(raw):
    """What the oracle would be over the poor size: kernel time per launch, of all kernels as often as with the poor size;
    None if either was not run."""
    def per_launch(which):
        every = [r["kernels"] for r in raw["runs"][which]]
        return {k: statistics.median((r[k]["total"] - r[k]["first"]) / max(1, r[k]["launches"] - 1) for r in every)
                for k in every[0]}

    if "poor" not in raw["runs"] or "oracle" not in raw["runs"]:
        return None
    often = {k: max(1, v["launches"] - 1) for k, v in raw["runs"]["poor"][0]["kernels"].items()}
    poor, best = (sum(n * per_launch(which)[k] for k, n in often.items()) for which in ("poor", "oracle"))
    return poor / best


def size_names(raw, which):
    """The local sizes of a program's kernels, each once, as text."""
    found = {s["kernel"]: "x".join(map(str, s[which])) or "null" for s in raw["description"]["steps"]}
    return ", ".join(dict.fromkeys(found.values()))


def decided(kernels):
    """What clsizer decided about a program's kernels, in words, each once."""
    words = [f"{v['chosen'] or ''} {v['words']}".strip() if v["words"].startswith(("faster", "predicted", "no "))
             else v["words"] for v in kernels.values()]
    return "; ".join(dict.fromkeys(words))


def account(kernels):
    """What that cost by clsizer's own accounts, in ms.  A compilation of unknown time counts as none."""
    return {what: sum(max(0, v.get(what + "_ns", 0)) for v in kernels.values()) / 1e6
            for what in ("spent", "compile", "saved")}


def program(raw):
    """One program: its runs, what clsizer decided, what the driver's compilation costs by the sweeps, and how many of
    each kernel's sizes they measured: {kernel: [sizes, of how many, the best]}."""
    compiled = [m["first_ms"] - min(m["ms"]) for s in raw["sweeps"].values() for m in s["measured"]]
    return {"suite": raw["description"]["suite"], "own": size_names(raw, "own"), "poor": size_names(raw, "poor"),
            "identical": raw["identical"], "poor_repeat": raw.get("poor_repeat"), "poor_oracle": poor_oracle(raw),
            "compile_ms": statistics.median(compiled) if compiled else None,
            "decided": {which: decided(kernels) for which, kernels in raw["verdict"].items()},
            "account": {which: account(raw["verdict"][which]) for which in ("measure", "patient")},
            "sweeps": {k: [len(s["measured"]), s["space"], s["best"]] for k, s in raw["sweeps"].items()},
            "runs": runs(raw["runs"]),
            "repeated": {which: runs(again["runs"]) for which, again in raw.get("repeated", {}).items()}}


def peer(raw):
    """Who found what, and when; not what they tried."""
    tuners = {who: {"best": f["best"], "ratio": f["ratio"], "wall_ms": f["wall_ms"], "reached_ms": tuner_reached(raw, f)}
              for who, f in raw["tuners"].items()}
    ours = {who: {k: f[k] for k in ("chosen", "ratio", "reached_ms", "lost_ms")} for who, f in raw["clsizer"].items()}
    return {"sizes": raw["sizes"], "own_ms": raw["own_ms"], "oracle_ms": raw["oracle_ms"], "tuners": tuners, "clsizer": ours}


def static(raw):
    """The model and one kernel."""
    return {k: v for k, v in raw.items() if k in STATIC}


def of(results):
    """Raw results as the report takes them: the same sections, shorter items.  Failures stay as they are."""
    shorten = {"programs": program, "peers": peer, "static": static}
    found = {"device": results["device"], "host": results["host"]}
    for section in SECTIONS:
        found[section] = {name: short(raw if "error" in raw else shorten.get(section, dict)(raw))
                          for name, raw in results.get(section, {}).items()}
    return found


def kept(path, results):
    """Results as of() makes them, with those items of a file that they lack: one that measured a few sections or programs
    takes nothing away.  A file of another device, or none, adds nothing."""
    old = read(path) if path.exists() else {"device": None}
    if old["device"] != results["device"]:
        return results
    today, days = results["host"]["date"], old["host"]["date"]
    host = {**old["host"], **results["host"], "date": days if today in days else f"{today} and {days}"}
    return {**results, "host": host, **{s: {**old[s], **results[s]} for s in SECTIONS}}


def write(results, path):
    """Results as of() makes them, to a file."""
    lines = [{"section": "device", "device": results["device"], "host": results["host"]}]
    lines += [{"section": s, "name": name, **item} for s in SECTIONS for name, item in results[s].items()]
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text("".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines))
    os.replace(new, path)


def read(path):
    """What write() wrote."""
    first, *items = map(json.loads, path.read_text().splitlines())
    results = {"device": first["device"], "host": first["host"], **{section: {} for section in SECTIONS}}
    for item in items:
        results[item.pop("section")][item.pop("name")] = item
    return results
