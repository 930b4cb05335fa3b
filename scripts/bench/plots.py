"""Plots of raw results, written beside them; not drawn without matplotlib."""

import summary
from peers import tuner_scale
from report import good, middle, ratio

try:
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "clsizer"  # the same file for the same numbers
    from matplotlib import pyplot
except ImportError:
    pyplot = None


def _save(figure, path):
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def programs(path, speedups):
    """Speed-up over the program's own sizes, a group of bars per program."""
    names = list(speedups)
    kinds = list(next(iter(speedups.values())))
    figure, axes = pyplot.subplots(figsize=(10, 0.32 * len(names) + 1.5))
    for i, kind in enumerate(kinds):
        at = [n + (i - (len(kinds) - 1) / 2) * 0.2 for n in range(len(names))]
        axes.barh(at, [(speedups[n][kind] or 1) - 1 for n in names], height=0.2, left=1, label=kind)
    axes.set_xscale("log", base=2)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
    axes.set_xlabel("speed-up over the program's own sizes, kernel time")
    axes.legend(loc="lower right")
    _save(figure, path)


def model(path, static):
    """Predicted against measured times, every size of every kernel, in units of the kernel's best measured time."""
    figure, axes = pyplot.subplots(figsize=(6, 6))
    for state, colour in (("inferior", "tab:orange"), ("kept", "tab:blue")):
        x, y = [], []
        for s in static.values():
            best = min((p[2] for p in s.get("pairs", [])), default=None)
            for _, predicted, measured, kept in s.get("pairs", []):
                if (kept == "kept") == (state == "kept"):
                    x.append(measured / best)
                    y.append(predicted * s["scale"] / best)
        axes.scatter(x, y, s=6, color=colour, alpha=0.6, label="kept" if state == "kept" else "pruned")
    axes.axline((1, 1), slope=1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("measured / best measured")
    axes.set_ylabel("predicted (scaled per kernel) / best measured")
    axes.legend()
    _save(figure, path)


def peers(path, found):
    """Quality against search time: best so far of Kernel Tuner, running launches of clsizer."""
    columns = 2
    rows = (len(found) + columns - 1) // columns
    figure, grid = pyplot.subplots(rows, columns, figsize=(10, 2.6 * rows), squeeze=False)
    for axes, (name, p) in zip(grid.flat, found.items()):
        for who, result in p["tuners"].items():
            x, y, best = [], [], float("inf")
            for at, _, ms in result["evaluations"]:
                best = min(best, ms * tuner_scale(p, result))
                x.append(at / 1e3)
                y.append(best / p["oracle_ms"])
            axes.step(x, y, where="post", label="Kernel Tuner, " + who.replace("_", " "))
        for who, result in p["clsizer"].items():
            axes.plot([t / 1e3 for t, _ in result["launches"]], [ms / p["oracle_ms"] for _, ms in result["launches"]],
                      ".", markersize=2, label="clsizer, " + who, rasterized=True)
        axes.axhline(1.05, color="black", linewidth=0.8)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_title(name, fontsize=9)
    for axes in grid[-1]:
        axes.set_xlabel("seconds")
    for axes in grid[:, 0]:
        axes.set_ylabel("time / best")
    grid.flat[0].legend(fontsize=7)
    _save(figure, path)


def draw(results, folder):
    """What there is raw results for, into a folder."""
    if not pyplot:
        return
    speedups = {name: {which: middle(ratio(p, "own", which)) for which in ("null", "estimate", "warm", "oracle")}
                for name, p in good(summary.of(results), "programs").items()}
    for name, plot, data in (("programs", programs, speedups), ("model", model, good(results, "static")),
                             ("peers", peers, good(results, "peers"))):
        if data:
            plot(folder / f"{name}.svg", data)
