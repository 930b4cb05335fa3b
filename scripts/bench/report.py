"""BENCHMARKS.md from the results of every device that has some, as summary.py shortens them."""

import math
import statistics

import summary
from programs import AGAIN, FINALISTS, MOST_ROUNDS, NOISE, SHARE, SLOWEST, whole_runs

TARGETS = {"warm": 1.03, "estimate": 1.10}


def times(program, which, what="kernel"):
    """One number per run, in ms: kernel time without the first launch of each kernel, or wall time."""
    return program["runs"].get(which, {}).get(what, [])


def ratio(program, a, b, what="kernel"):
    """(median, min, max) of a / b, paired by round; None where there are no such runs."""
    pairs = [x / y for x, y in zip(times(program, a, what), times(program, b, what)) if y > 0]
    return (statistics.median(pairs), min(pairs), max(pairs)) if pairs else None


def slower(programs, which, limit):
    """Names of programs whose whole run takes longer than 1 / limit of the bare one's by more than the noise: two
    standard errors of the mean over rounds."""
    found = []
    for name, p in programs.items():
        pairs = [math.log(r) for r in whole_runs(p, which)]
        if len(pairs) > 1 and (statistics.mean(pairs) + 2 * statistics.stdev(pairs) / math.sqrt(len(pairs))
                               < math.log(limit)):
            found.append(name)
    return found


def mean(values):
    values = [v for v in values if v]
    return statistics.geometric_mean(values) if values else None


def show(value, digits=2):
    return "–" if value is None else f"{value:.{digits}f}"


def spread(r):
    return "–" if r is None else f"{r[0]:.2f} ({r[1]:.2f}-{r[2]:.2f})"


def middle(r):
    return r[0] if r else None


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "|".join("---" for _ in heads) + "|"]
    return "\n".join(lines + ["| " + " | ".join(str(c) for c in row) + " |" for row in rows]) + "\n"


def good(results, section):
    return {n: p for n, p in results.get(section, {}).items() if "error" not in p}


# ---- programs ----


SIZES = ["null", "suggested", "oracle", "estimate"]


def speed_table(programs):
    """In kernel time."""
    heads = ["program", "its sizes", *SIZES, "warm", "patient", "cold", "A/A", "same output", "`measure` decided"]
    rows = []
    for name, p in programs.items():
        row = [name, p["own"], *(show(middle(ratio(p, "own", c))) for c in SIZES)]
        row += [spread(ratio(p, "own", "warm")), show(middle(ratio(p, "own", "patient"))),
                show(middle(ratio(p, "own", "cold"))), spread(ratio(p, "own", "again"))]
        rows.append(row + ["yes" if p["identical"] else "NO", p["decided"]["measure"]])
    return table(heads, rows)


def wall_table(programs):
    """In the time of the whole process."""
    rows = []
    for name, p in programs.items():
        row = [name, f"{statistics.median(times(p, 'own', 'wall')):.0f}"]
        row += [show(middle(ratio(p, "own", c, "wall"))) for c in SIZES]
        row += [spread(ratio(p, "own", "warm", "wall")), show(middle(ratio(p, "own", "patient", "wall"))),
                spread(ratio(p, "own", "cold", "wall")), spread(ratio(p, "own", "again", "wall"))]
        rows.append(row)
    return table(["program", "bare, ms", *SIZES, "warm", "patient", "cold", "A/A"], rows)


def oracle_ratio(program, which):
    """Kernel time over the best that is known: the oracle's run, or the run itself where that was faster than it by luck."""
    return middle(ratio(program, which, "oracle"))


def poor_table(programs):
    rows = []
    for name, p in programs.items():
        if "poor" in p["runs"]:
            rows.append([name, p["poor"], p["poor_repeat"], spread(ratio(p, "poor", "poor-warm")),
                         show(middle(ratio(p, "poor", "poor-warm", "wall"))),
                         show(middle(ratio(p, "poor", "poor-cold", "wall"))), p["decided"]["poor-measure"]])
    return table(["program", "poor size", "repetitions", "warm", "warm wall", "cold wall", "`measure` decided"], rows)


def accounts_table(programs):
    """What tuning cost, from clsizer's own accounts, and what the driver's compilation costs, from the sweeps."""
    rows = []
    for name, p in programs.items():
        row = [name]
        for which in ("measure", "patient"):
            row += [show(p["account"][which][what], 0) for what in ("spent", "compile", "saved")]
        rows.append(row + [show(p["compile_ms"], 0)])
    return table(["program", "measure: spent ms", "of it one compilation", "saved ms", "patient: spent ms",
                  "of it one compilation", "saved ms", "compilation per size, ms"], rows)


def geometric(programs, a, b, what="kernel"):
    return mean(middle(ratio(p, a, b, what)) for p in programs.values())


def worst(programs, which):
    found = [(statistics.median(whole_runs(p, which)), n) for n, p in programs.items() if whole_runs(p, which)]
    return min(found) if found else (None, "–")


def against_itself(program, which):
    """The bare program against itself, in the rounds that count for `which`."""
    runs = program["repeated"].get(which, program["runs"])
    pairs = [a / b for a, b in zip(runs["own"]["wall"], (runs.get("itself") or runs.get("again", {})).get("wall", []))]
    return (statistics.median(pairs), min(pairs), max(pairs)) if pairs else None


def how_often(program, which):
    return f"{len(whole_runs(program, which))} rounds; " if which in program["repeated"] else ""


def farthest(programs, which, limit):
    """The programs that are farthest from the oracle, in words."""
    found = sorted(((oracle_ratio(p, which) or 0, name) for name, p in programs.items()), reverse=True)[:3]
    said = {"warm": "measure", "estimate": "estimate"}[which]
    return "farthest from it are " + "; ".join(f"{name} {show(r)} ({programs[name]['decided'][said]})"
                                               for r, name in found if r > limit)


def unreachable(best, target):
    """Why a speed-up is not reached, if no size would reach it; else ""."""
    return f"no local size does: with the best size known for every kernel it is {show(best)}" if best and best < target else ""


def target_rows(programs):
    """The rows of the table, and why what is missed is missed: [target, words]."""
    rows, whys = [], []

    def add(what, target, value, met, note="", why=""):
        missed = value is not None and not met(value)
        rows.append([what, target, show(value), "–" if value is None else "**missed**" if missed else "met", note])
        if missed and why:
            whys.append([what, why])

    for which, text in (("warm", "`measure` warm"), ("estimate", "`estimate`")):
        limit = TARGETS[which]
        add(f"{text} against the oracle, kernel time", f"≤ {limit}", mean(oracle_ratio(p, which) for p in programs.values()),
            lambda v, limit=limit: v <= limit, f"own size: {show(mean(oracle_ratio(p, 'own') for p in programs.values()))}",
            farthest(programs, which, limit))
    oracle, oracle_poor = geometric(programs, "own", "oracle"), mean(p["poor_oracle"] for p in programs.values())
    away = farthest(programs, "warm", 1)
    add("speed-up over the programs' own sizes, warm", "≥ 1.2", geometric(programs, "own", "warm"), lambda v: v >= 1.2,
        f"the oracle's: {show(oracle)}", unreachable(oracle, 1.2) or away)
    add("speed-up over poor sizes, warm", "≥ 3", geometric(programs, "poor", "poor-warm"), lambda v: v >= 3,
        f"the oracle's: {show(oracle_poor)}", unreachable(oracle_poor, 3) or away)
    itself = worst(programs, "again")
    for sizes, prefix in (("own", ""), ("poor", "poor-")):
        for kind, limit in SLOWEST.items():
            which = prefix + kind
            value, name = worst(programs, which)
            sure = slower(programs, which, limit)
            aa = against_itself(programs[name], which) if name in programs else None
            often = how_often(programs[name], which) if name in programs else ""
            whose = "A/A, own size" if prefix and not often else "A/A"
            said = "measure" if not prefix else "poor-measure"
            add(f"slowest program {kind} with {sizes} sizes, whole run", f"≥ {limit}", value,
                lambda v, limit=limit: v >= limit,
                f"{name}; {often}its {whose}: {spread(aa)}; the slowest against itself: {show(itself[0])} ({itself[1]}); slower by "
                f"more than the noise: {', '.join(sure) or 'none'}",
                "beyond the noise: " + ", ".join(f"{n} ({programs[n]['decided'][said]})" for n in sure) if sure else
                f"noise: no program is slower by more than that, and without clsizer {itself[1]} shows {show(itself[0])}")
    return rows, whys


def peer_target(peers):
    """clsizer's time to the goal over Kernel Tuner's search, where there is something to find; of how many kernels."""
    ratios = []
    for p in peers.values():
        if p["own_ms"] <= 1.05 * p["oracle_ms"]:
            continue
        tuner, patient = p["tuners"]["brute_force"]["wall_ms"], p["clsizer"]["patient"]["reached_ms"]
        ratios.append(patient / tuner if patient is not None else None)
    arrived = [r for r in ratios if r is not None]
    return arrived, len(ratios)


def programs_part(results):
    programs = dict(sorted(good(results, "programs").items(), key=lambda item: (item[1]["suite"], item[0])))
    if not programs:
        return ""
    peers = good(results, "peers")
    rows, whys = target_rows(programs)
    if peers:
        arrived, count = peer_target(peers)
        value = statistics.median(arrived) if arrived else None
        rows.append(["within 5 % of the oracle: `patient`'s time over Kernel Tuner's brute force", "≤ 0.1", show(value),
                     "–" if value is None else "met" if value <= 0.1 and len(arrived) == count else "**missed**",
                     f"median; arrived on {len(arrived)} of {count} kernels whose own size is not that good"])
    text = "### Targets\n\n" + table(["what", "target", "here", "", "note"], rows)
    if whys:
        text += "\nWhy they are missed:\n\n" + "".join(f"* {what}: {why}.\n" for what, why in whys)
    text += f"\n{len(programs)} programs; geometric means over programs of medians over rounds. "
    text += f"Output identical in {sum(p['identical'] for p in programs.values())} of {len(programs)}.\n"
    text += "\n### Programs with the sizes that such codes ship with\n\n"
    text += "Speed-up over the bare program with its own sizes, in kernel time without each kernel's first launch (median " \
            "of rounds, min-max in brackets). 1.00 is the program itself; A/A is the program against itself.\n\n"
    text += speed_table(programs)
    text += "\nThe same in wall-clock time of the whole process, with its start, compilation and transfers:\n\n"
    text += wall_table(programs)
    text += "\n### The same with a deliberately poor size\n\nSpeed-up over the bare program with the poor size.\n\n"
    text += poor_table(programs)
    text += "\n### What tuning and compiling cost\n\n" + accounts_table(programs)
    return text


# ---- model ----


def static_part(results):
    static = good(results, "static")
    if not static:
        return ""
    rows = []
    for name, s in static.items():
        rows.append([name, s["candidates"], f"{100 * s['pruned']:.0f} %", s["best"],
                     {True: "yes", False: "no", None: "not a candidate"}[s["best_kept"]], show(s["kept_ratio"]),
                     show(s.get("own_ratio")), s["choice"], show(s.get("choice_ratio")), f"{100 * s['percentile']:.0f} %" if "percentile" in s else "–",
                     f"{100 * s['mape']:.0f} %" if "mape" in s else "–",
                     f"{100 * s['mape_scaled']:.0f} %" if "mape_scaled" in s else "–", show(s.get("spearman")),
                     f"{s['us_per_estimate']:.0f}" if s["us_per_estimate"] > 0 else "–"])

    def average(key):
        values = [s[key] for s in static.values() if s.get(key) is not None]
        return statistics.fmean(values) if values else None

    text = "### The model alone\n\n`clsizer predict` against the sizes that were measured ([W] figures 5-7). Pruned: part " \
           "of all candidates. Best kept: was the measured best not pruned; kept/best: the best of what was kept over " \
           "the best. Percentile: part of the measured sizes that the choice is at least as fast as. MAPE: of predicted " \
           "times as they are, and with one factor per kernel taken out. Own, choice and rule " \
           "over best: in turns with the fastest of the sweep, 14 rounds, of which one half says which is best and the other how " \
           "long it takes. Rows with a number: further shapes of [W] Table 4, " \
           "with the workload's size `-n`.\n\n"
    text += f"Means: pruned {show(100 * average('pruned'), 0)} %, best kept in " \
            f"{sum(s['best_kept'] is True for s in static.values())} of {len(static)}, choice/best " \
            f"{show(mean(s.get('choice_ratio') for s in static.values()))} (geometric; [W] on its GPUs: 1.132), percentile " \
            f"{show(100 * (average('percentile') or 0), 0)} %, MAPE {show(100 * (average('mape') or 0), 0)} % (scaled " \
            f"{show(100 * (average('mape_scaled') or 0), 0)} %), rank correlation {show(average('spearman'))}.\n\n"
    both = [s for s in static.values() if s.get("choice_ratio") and s.get("rule_ratio")]
    if both:
        text += f"Of the {len(both)} kernels whose choice was measured: choice/best {show(mean(s['choice_ratio'] for s in both))}, " \
                "and with the power of two nearest 256 work-items that is widest in dimension 0 " \
                f"{show(mean(s['rule_ratio'] for s in both))}.\n\n"
    return text + table(["kernel", "candidates", "pruned", "best", "best kept", "kept/best", "own/best", "choice", "choice/best",
                   "percentile", "MAPE", "scaled", "rank correlation", "µs per estimate"], rows)


# ---- peers ----


def peers_part(results):
    peers = good(results, "peers")
    if not peers:
        return ""
    rows = []
    for name, p in peers.items():
        for who, found in (*p["tuners"].items(), *p["clsizer"].items()):
            tuner = who in p["tuners"]
            reached = found["reached_ms"]
            rows.append([name, ("Kernel Tuner, " if tuner else "clsizer, ") + who.replace("_", " "),
                         found["best"] if tuner else ", ".join(found["chosen"]) or "own",
                         show(found["ratio"]), f"{p['own_ms'] / p['oracle_ms']:.2f}",
                         f"{found['wall_ms']:.0f}" if tuner else "–",
                         "never" if reached is None else f"{reached:.0f}",
                         "–" if tuner else f"{found['lost_ms']:.0f}"])
    text = "### Kernel Tuner on the same kernels\n\nTime over the best known (the oracle, and every size that anybody chose, " \
           "measured together at the end). Kernel Tuner searches before the program runs, over at most " \
           f"{max(p['sizes'] for p in peers.values())} of the oracle's sizes, the likeliest; its search is lost time, and its " \
           "own times count in proportion to its winner's in the common measurement. " \
           "clsizer searches in the running program, whose launches do their work " \
           "meanwhile; `lost` is what launches took beyond the goal until it was reached. Kernel Tuner's default " \
           "strategy is brute force; the genetic algorithm may try a quarter of the set.\n\n"
    return text + table(["kernel", "who", "chosen", "time / best", "own / best", "search ms", "within 5 % after ms",
                         "lost ms"], rows)


# ---- by hand ----


def by_hand_part(results):
    kernels = good(results, "by_hand").get("all", {}).get("kernels", {})
    if not kernels:
        return ""
    rows = [[kernel, show(k["ms"]["bare"], 3), *(show(k["ms"]["bare"] / k["ms"][way]) for way in ("size", "hand", "ours", "again")),
             k["ours"] or "–", show(k["ms"]["hand"] / k["ms"]["ours"]), "yes" if k["identical"] else "**no**"]
            for kernel, k in kernels.items()]
    text = "### Kernels written by hand\n\nThe same four kernels as people write them, and written by hand for eight neighbours " \
           "(`tests/kernels/by_hand_8.cl`), which `--pool` offers; ours is what clsizer makes of the first ones. Kernel time, median " \
           "launch of warm runs; \"times\": as fast as the program alone with its own size. Each with the local size that clsizer " \
           "decided for it. The target is 0.9 of the variant by hand.\n\n"
    return text + table(["kernel", "ms", "best size, times", "by hand, times", "ours, times", "A/A", "ours is", "ours / by hand",
                         "same output"], rows)


# ---- scale ----


def scale_part(results):
    scale = good(results, "scale")
    if not scale:
        return ""
    text = "### Scale\n\n"
    if "ndrange" in scale:
        text += "`clsizer predict` of a convolution over ever larger ranges, whole process:\n\n"
        text += table(["work-items", "candidates", "seconds", "of it with one candidate"],
                      [[f"{r['items']:.0e}", r["candidates"], show(r["seconds"], 3), show(r["seconds_one"], 3)]
                       for r in scale["ndrange"]["rows"]])
    if "candidates" in scale:
        text += "\nWith ever more candidates:\n\n"
        text += table(["range", "candidates", "seconds"], [[f"{r['n']}x{r['n']}", r["candidates"], show(r["seconds"], 3)]
                                                        for r in scale["candidates"]["rows"]])
    if "length" in scale:
        text += "\nStraight-line kernels of ever more statements:\n\n"
        text += table(["statements", "analysis s", "analysis and prediction s"],
                      [[r["statements"], show(r["analysis_seconds"], 3), show(r["predict_seconds"], 3)]
                       for r in scale["length"]["rows"]])
    for section, title in (("kernels", "distinct kernels"), ("threads", "threads")):
        if section in scale:
            text += f"\nTime in `clEnqueueNDRangeKernel` for tiny kernels, ns, by {title} (bare / clsizer / bare again):\n\n"
            text += table(["kernels", "threads", "launches", "bare", "clsizer", "bare again"],
                          [[r["kernels"], r["threads"], r["launches"]] + [f"{r[k]:.0f}" for k in ("bare", "tuned", "again")]
                           for r in scale[section]["rows"]])
    if "wisdom" in scale:
        text += "\nA small program with ever more records of other programs in its wisdom, a single file (a directory has a file " \
                "per program), whole process:\n\n"
        text += table(["records", "MiB", "bare ms", "under clsizer ms"],
                      [[r["records"], f"{r['bytes'] / 2**20:.1f}", show(r["bare_ms"], 1), show(r["tuned_ms"], 1)]
                       for r in scale["wisdom"]["rows"]])
    return text


# ---- how soon, how alike ----


def regret(choices):
    """(mean, worst, A/A): kernel time with what was chosen over that with the best of all choices, less 1, over the series;
    and how far the most frequent choice is from itself.  Half of the rounds say which is the best, the others how far from
    it each is, so that luck makes no choice both."""
    def half(c, which):
        return c["ms"][which] if isinstance(c["ms"], list) else c["ms"]

    made = list({c["choice"]: c for c in reversed(choices)}.values())
    best = min(made, key=lambda c: half(c, 0))
    often = max(made, key=lambda c: c["times"])
    again = [c for c in choices if c["choice"] == often["choice"] and c is not often]
    every = [half(c, 1) / half(best, 1) - 1 for c in made for _ in range(c["times"])]
    return statistics.mean(every), max(every), half(again[0], 1) / half(often, 1) - 1 if again else None


def soon_part(results):
    soon = good(results, "soon")
    alike = {n.split()[1]: r["choices"] for n, r in soon.items() if n.startswith("alike ")}
    decided = {n.partition(" ")[2]: r for n, r in soon.items() if n.startswith("decided ")}
    text = ""
    if decided:
        text += "Runs of some 5 s with the sizes that the programs ship with, two from nothing, in turn with bare ones; " \
                "undecided are kernels with a twentieth of the kernel time or more:\n\n"
        text += table(["program", "bare s", "first run", "second run", "undecided after the first", "after the second"],
                      [[n.replace(" busy", ", one core busy"), show(statistics.mean(r["bare"])), show(r["runs"][0]),
                        show(r["runs"][1]), *(", ".join(u) or "–" for u in r["undecided"])] for n, r in sorted(decided.items())])
        for busy in (False, True):
            rows = [r for n, r in decided.items() if n.endswith(" busy") == busy]
            done = sum(not r["undecided"][1] for r in rows)
            text += f"\nAll decided by the end of the second run{', one core busy' if busy else ''}: {done} of {len(rows)}.\n"
        first = [x for n, r in decided.items() if not n.endswith(" busy") for x in r.get("first", [])]
        if first:
            text += f"\nWhat was tried first beside the program's own size takes {show(statistics.median(first))} times as long " \
                    f"as the best that was tried (median), at most 1.3 times as long for {sum(x <= 1.3 for x in first)} of " \
                    f"{len(first)} kernels and shapes.\n"
    if alike:
        text += "\nTwo runs from nothing, again and again: what was chosen, and what it costs against the best of these choices " \
                "(each launch in the shortest of six runs in turn); A/A is the most frequent one against itself; rows without it " \
                "are of median launches, in the shortest run:\n\n"
        text += table(["program", "series", "choices", "most often", "mean regret", "worst", "A/A"],
                      [[n, sum(c["times"] for c in choices), sum(c["times"] > 0 for c in choices),
                        max(choices, key=lambda c: c["times"])["choice"].replace(",", ", ") or "its own",
                        *("–" if r is None else f"{100 * r:.1f} %" for r in regret(choices))] for n, choices in alike.items()])
    return text and "### How soon, how alike\n\n" + text


# ---- samples ----


def samples_part(results):
    samples = good(results, "samples")
    if not samples:
        return ""
    rows = [[r["program"], r["kernel"], r["own"], r["chosen"], show(r["bare_ms"], 3), show(r["warm_ms"], 3),
             show(r["ratio"]), show(r["noise"]), show(r["warm_ratio"]), show(r["cold_ratio"]),
             "yes" if r["identical"] else "NO", r["words"]] for r in samples["demo"]["rows"]]
    return "### The sample programs\n\nAs `scripts/demo.sh` prints them: times per launch in ms, ratio = bare / retuned.\n\n" + \
        table(["program", "kernel", "its size", "chosen", "bare ms", "retuned", "ratio", "noise", "warm run", "cold run",
               "same output", "why"], rows)


# ---- all ----

INTRO = """# Benchmarks

Written by `scripts/bench.sh` from the numbers in `{summaries}/*.jsonl`; nothing here is asserted in tests. It leaves the raw
results of its own machine in `bench-results/`, with plots.
`scripts/gpu_check.sh` makes the numbers of a GPU machine, which this page then shows too.

The workloads (`tests/bench/`, `tests/kernels/`) have the shapes of the kernels that the papers evaluate ([W] Table 4, [C] Table
4, [D], [L] Table 2), written anew, checked against the host, with the local sizes that such codes ship with. All
comparisons are ratios of runs that were interleaved in rounds; the noise is what the program shows against itself (A/A).
Slower by more than the noise is a program whose mean ratio over rounds is below the target by two standard errors.
A run begins when what clsizer does after the end of the one before (analysis, compiling ahead) is done. While the standard
error of a program's A/A is above {noise:g} %, its rounds go on, up to {most} times as many.
What seems to be slower than its target is measured again, in {again} rounds; these count for the targets then.

* **own / null / suggested**: bare, with the program's size, with NULL, with `clGetKernelSuggestedLocalWorkSize` ("–": not offered).
* **estimate**: clsizer with the model's choice, nothing measured. **cold**: `measure`, the default, with nothing known and
  nothing compiled but the program's own kernels. **warm**: `measure` in its fourth run or later, with what the earlier ones found.
  **patient**: after one run with `--effort patient`.
* **oracle**: the best size there is, found offline kernel by kernel: every size that divides the global size is measured, and
  the {finalists} fastest ones again, in turns. Where a kernel has less than {share:g} % of its program's time it keeps its own size.
  "–": with that size the output is another one (some drivers round otherwise with other sizes).
* **same output**: of all runs under clsizer, as of the bare one with the same local sizes.
"""


def bounded_oracles(results):
    """What to say if time did not allow to measure all sizes of a kernel; the driver refuses a few, too."""
    sweeps = [s for p in good(results, "programs").values() for s in p["sweeps"].values()]
    bounded = sum(measured < 0.9 * space for measured, space, _ in sweeps)
    if not bounded:
        return ""
    return f"For {bounded} of {len(sweeps)} kernels the search for the oracle was bounded: as many of the likelier sizes as " \
           "could be compiled in the time given, and what clsizer chose.\n\n"


def chapter(results):
    """One device."""
    device, host = results["device"], results["host"]
    text = f"\n## {device['name']} ({device['vendor']})\n\nDriver {device['driver']}, {device['platform'].strip()}; " \
           f"{device['units']} compute units, groups up to {device['max_items']}. {host['system']}, {host['date']}, " \
           f"{host['rounds']} rounds or more; predictions for `{host['model_device']}`.{' ' * ('note' in host)}" \
           f"{host.get('note', '')}\n\n"
    text += bounded_oracles(results)
    parts = [part(results) for part in (programs_part, static_part, peers_part, by_hand_part,
                                         scale_part, samples_part, soon_part)]
    failed = [f"* {section} {name}: {item['error'].splitlines()[-1]}" for section in summary.SECTIONS
              for name, item in results[section].items() if "error" in item]
    if failed:
        parts.append("### Not measured\n\n" + "\n".join(failed) + "\n")
    return text + "\n".join(p for p in parts if p)


def write(directory, path):
    """The page of all devices with a file in the directory."""
    intro = INTRO.format(summaries=directory.name, finalists=FINALISTS, share=100 * SHARE, noise=100 * NOISE,
                         most=MOST_ROUNDS, again=AGAIN)
    path.write_text(intro + "".join(chapter(summary.read(file)) for file in sorted(directory.glob("*.jsonl"))))
