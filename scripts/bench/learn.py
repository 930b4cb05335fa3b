#!/usr/bin/env python3
"""Would what was measured of other programs order sizes better than the model does?  learn.py RESULTS.json...

Reads raw results of the benchmark (scripts/bench/static.py).  Each program is taken as if it were new: how good a size of
it is, is guessed from the nearest sizes of all other programs, by the principal components of their features ([L], with
what `clsizer predict --features` prints).  The sizes of a launch are ordered by the model, by that guess, and by both.
What is printed tells whether listening to it would pay; nothing listens.
"""
import json
import math
import statistics
import sys
from collections import Counter

MATTERS = 1.25  # worst / best of a launch whose size matters
FEW_SIZES = 5  # launches with fewer are learned from, not judged
GOOD = 0.9  # best / time of a size that is good enough
LEAST_BETTER = 0.03  # of the rank correlation, for both to be used
LEAST_POINTS, LEAST_LAUNCHES = 100, 8
BINS = 10
VARIANCE = 0.95  # that the components keep
NEIGHBOURS = 5


def launches_of(path):
    """(program, [point, ...]) of each launch: "pairs" has [size, predicted, measured, state] of each size."""
    with open(path, encoding="utf-8") as file:
        results = json.load(file)
    for name, launch in results["static"].items():
        points = [dict(x=list(f.values()), names=list(f), predicted=pair[1], time=pair[2])
                  for pair, f in zip(launch["pairs"], launch.get("features", [])) if f and pair[1] > 0 and pair[2] > 0]
        for p in points:
            p["y"] = min(q["time"] for q in points) / p["time"]
        if points:
            yield name.split("/")[0], points


def eigen(a):
    """(value, vector) pairs of the symmetric matrix a, which is used up, the largest value first (Jacobi)."""
    n = range(len(a))
    v = [[float(i == j) for j in n] for i in n]
    for p, q in [(p, q) for _ in range(64) for p in n for q in range(p + 1, len(a))]:
        if abs(a[p][q]) < 1e-14:
            continue
        theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
        t = math.copysign(1, theta) / (abs(theta) + math.hypot(theta, 1))
        c = 1 / math.hypot(t, 1)
        for row in a + v:
            row[p], row[q] = c * row[p] - t * c * row[q], t * c * row[p] + c * row[q]
        a[p], a[q] = [c * x - t * c * y for x, y in zip(a[p], a[q])], [t * c * x + c * y for x, y in zip(a[p], a[q])]
    return sorted(((a[i][i], [row[i] for row in v]) for i in n), reverse=True)


def guesser(points):
    """How good a size with given features is: the mean of its nearest neighbours among the points."""
    columns = list(zip(*(p["x"] for p in points)))
    mean = [statistics.fmean(c) for c in columns]
    spread = [statistics.pstdev(c) for c in columns]

    def scaled(x):
        return [(a - m) / s if s > 1e-6 else 0 for a, m, s in zip(x, mean, spread)]

    def inner(f, g):
        return sum(a * b for a, b in zip(f, g))

    rows = list(zip(*(scaled(p["x"]) for p in points)))
    pairs = eigen([[inner(f, g) / len(points) for g in rows] for f in rows])
    axes = []
    while sum(value for value, _ in pairs[:len(axes)]) < VARIANCE * sum(value for value, _ in pairs):
        axes.append(pairs[len(axes)][1])
    at = [[inner(axis, scaled(p["x"])) for axis in axes] for p in points]

    def guess(x):
        here = [inner(axis, scaled(x)) for axis in axes]
        nearest = sorted(range(len(points)), key=lambda i: math.dist(here, at[i]))[:NEIGHBOURS]
        return max(1e-3, statistics.fmean(points[i]["y"] for i in nearest))
    return guess


def ranks(values):
    return [sum(v < w for v in values) + sum(v == w for v in values) / 2 for w in values]


def spearman(x, y):
    if len(x) < 3 or len(set(x)) < 2 or len(set(y)) < 2:
        return None
    return statistics.correlation(ranks(x), ranks(y))


def judge(points, keys):
    """Runs to a size that is good enough, first / best, best of three / best, rank correlation."""
    y = [points[i]["y"] for i in sorted(range(len(points)), key=keys.__getitem__)]
    return next(i for i, good in enumerate(y, 1) if good >= GOOD), 1 / y[0], 1 / max(y[:3]), spearman(keys, [p["time"] for p in points]) or 0


def judge_random(points):
    """What may be expected of sizes in any order."""
    ratios, n = sorted(1 / p["y"] for p in points), len(points)
    three = sum(r * math.comb(n - i - 1, 2) for i, r in enumerate(ratios)) / math.comb(n, 3)
    return (n + 1) / (sum(p["y"] >= GOOD for p in points) + 1), statistics.fmean(ratios), three, 0


def judge_all(launches):
    scores = {"model": [], "learned": [], "both": [], "random": []}
    for new in sorted({program for program, _ in launches}):
        others = [p for program, points in launches if program != new for p in points]
        guess = guesser(others) if others else lambda _: 1
        for points in (points for program, points in launches if program == new):
            if len(points) < FEW_SIZES or min(p["y"] for p in points) * MATTERS > 1:
                continue
            model = [p["predicted"] / min(q["predicted"] for q in points) for p in points]
            learned = [1 / guess(p["x"]) for p in points]
            keys = {"model": model, "learned": learned, "both": [math.sqrt(a * b) for a, b in zip(model, learned)]}
            for name, score in scores.items():
                score.append(judge(points, keys[name]) if name in keys else judge_random(points))
    return scores


def entropy(values):
    return -sum(n / len(values) * math.log2(n / len(values)) for n in Counter(values).values())


def bins(values):
    """Of equal count; equal values share one."""
    edges = [sorted(values)[b * len(values) // BINS] for b in range(1, BINS)]
    return [sum(v >= edge for edge in edges) for v in values]


def redundancy(x, y):
    """2 I(X,Y) / (H(X) + H(Y))"""
    x, y = bins(x), bins(y)
    whole = entropy(x) + entropy(y)
    return 2 * (whole - entropy(list(zip(x, y)))) / whole if whole else 0


def main():
    launches = [launch for path in sys.argv[1:] for launch in launches_of(path)]
    points = [p for _, of_launch in launches for p in of_launch]
    if not points:
        sys.exit("no measured sizes with features: learn.py RESULTS.json...")
    scores = judge_all(launches)
    print(f"{len(points)} points of {len(launches)} launches of {len({program for program, _ in launches})} programs; "
          f"of {len(scores['model'])} launches the size matters ({MATTERS:g} times)\n\n"
          "Each program as if it were new, what is learned being that of the others\n"
          "             runs to 90 %    first / best  best of 3 / best  rank corr.")
    for name, score in scores.items() if scores["model"] else ():
        runs, first, three, order = map(statistics.fmean, zip(*score))
        print(f"  {name:<10} {runs:6.2f} ({sorted(s[0] for s in score)[len(score) // 2]:g}) {first:15.3f} {three:15.3f}" +
              (f" {order:12.2f}" if name != "random" else ""))
    gain = statistics.fmean(b[3] - m[3] for b, m in zip(scores["both"], scores["model"])) if scores["model"] else 0
    if len(points) < LEAST_POINTS or len(launches) < LEAST_LAUNCHES:
        print(f"\nToo little to learn from: {len(points)} points of {len(launches)} launches; "
              f"{LEAST_POINTS} and {LEAST_LAUNCHES} are needed.")
    else:
        print(f"\nBoth order sizes {'' if gain >= LEAST_BETTER else 'no '}better than the model alone: "
              f"rank correlation {gain:+.2f} ({LEAST_BETTER:+.2f} is asked for).")
    print("\nWhat each feature tells of the time, of the most that it could tell")
    for f, name in enumerate(points[0]["names"]):
        print(f"  {name:<28} {redundancy([p['x'][f] for p in points], [p['y'] for p in points]):6.3f}")


if __name__ == "__main__":
    main()
