"""Pictures as SVG: the race, and local sizes as a heat map.  Each is a pair: the picture, "" where there is nothing to show, and
what is drawn in it, for its legend.

Drawn for a width of 360, which is a phone's; colours and fonts are in page.css.
"""

import html
import math

import wording

WIDTH, HEIGHT = 360, 230
LEFT, RIGHT, TOP, BOTTOM = 44, 8, 8, 30
MOST_DOTS = 1500  # of a picture


def svg(parts, height, label):
    return (f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{html.escape(label, quote=True)}">'
            + "".join(parts) + "</svg>")


def text(x, y, words, anchor="middle", kind=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"' + (f' class="{kind}"' if kind else "")
            + f">{html.escape(str(words))}</text>")


def microseconds(us):
    for limit, unit, factor in ((1e6, "s", 1e6), (1e3, "ms", 1e3), (1, "µs", 1)):
        if us >= limit * 0.9995:
            return f"{wording.number(us / factor, 2).removesuffix('.0')} {unit}"
    return f"{wording.number(us * 1000, 2).removesuffix('.0')} ns"


# ---- axes ------------------------------------------------------------------------------------------------

def log_ticks(low, high):
    """1, 2, 5, 10 ... between the two; at most seven."""
    steps = (1, 2, 5) if high / low > 4 else (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9)
    ticks = [m * 10.0 ** e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1) for m in steps]
    inside = [t for t in ticks if low <= t <= high]
    if len(inside) > 7:
        powers = [t for t in inside if math.isclose(math.log10(t), round(math.log10(t)), abs_tol=1e-9)]
        inside = powers[::math.ceil(len(powers) / 7)]
    return inside


def linear_ticks(high):
    step = 10 ** math.floor(math.log10(high)) if high > 0 else 1
    while high / step < 3:
        step /= 2
    return [i * step for i in range(int(high / step) + 1)][::max(1, round(high / step / 5))]


# ---- the race --------------------------------------------------------------------------------------------

def places(samples):
    """The time of each sample in seconds, runs one after another, and where runs end."""
    offset, ends, runs = 0.0, [], {}
    for s in samples:
        runs.setdefault(s.run.number, []).append(s.at)
    starts = {}
    for run, times in sorted(runs.items()):
        starts[run] = offset - min(times)
        offset += (max(times) - min(times)) * 1.02 + 1
        ends.append(offset)
    at = [(s.at + starts[s.run.number]) / 1e6 for s in samples]
    return at, [e / 1e6 for e in ends[:-1]]


def thinned(samples):
    step = max(1, math.ceil(len(samples) / MOST_DOTS))
    return samples[::step]


def dots(points, kind):
    """One path for all of them: a dot is a line of no length."""
    if not points:
        return ""
    return f'<path class="dots {kind}" d="' + "".join(f"M{x:.1f} {y:.1f}h0" for x, y in points) + '"/>'


def by_kind(shape, points):
    """The dots of (text of a size, x, y): the program's own, what is used now, others; and which of these there are."""
    kinds = {"other": [], "own": [], "now": []}
    for size, *at in points:
        kinds["own" if size == shape.own else "now" if shape.is_changed and size == shape.now_text else "other"].append(at)
    return [dots(at, kind) for kind, at in kinds.items()], {kind for kind, at in kinds.items() if at}


def race(shape):
    """Every sample: when it was measured, and how long a launch took with it."""
    samples = thinned([s for s in shape.samples if s.whole_us > 0])
    if len(samples) < 2:
        return "", set()
    at, ends = places(samples)
    last = max(at) or 1
    low, high = min(s.whole_us for s in samples) / 1.15, max(s.whole_us for s in samples) * 1.15
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    x = [LEFT + width * t / last for t in at]

    def y(us):
        return TOP + height * (1 - math.log(us / low) / math.log(high / low))

    parts = [f'<path class="grid" d="M{LEFT} {y(t):.1f}h{width}"/>' + text(LEFT - 5, y(t) + 3, microseconds(t), "end")
             for t in log_ticks(low, high)]
    parts += [text(LEFT + width * t / last, HEIGHT - BOTTOM + 14, f"{t:g}") for t in linear_ticks(last)]
    parts.append(text(LEFT + width / 2, HEIGHT - 2, "seconds" + (", runs one after another" if ends else "")))
    parts += [f'<path class="run" d="M{LEFT + width * e / last:.1f} {TOP}v{height}"/>' for e in ends]
    drawn, kinds = by_kind(shape, [(s.size, x[i], y(s.whole_us)) for i, s in enumerate(samples)])
    return svg(parts + drawn, HEIGHT, f"time of {len(samples)} launches of {shape.kernel} with different local sizes"), kinds


# ---- sizes -----------------------------------------------------------------------------------------------

def axes_of(sizes):
    """Columns (x) and rows (the other extents) of the sizes; a size is a text like 64x4."""
    def extents(size):
        return [int(n) for n in size.split("x")]

    split = {size: (extents(size)[0], tuple(extents(size)[1:])) for size in sizes}
    return sorted({x for x, _ in split.values()}), sorted({rest for _, rest in split.values()}), split


def map_of(times, every, shape):
    """The sizes as cells, the fastest the strongest; the number is the time relative to it.  `times` {size: us} may lack
    some of `every`."""
    columns, rows, split = axes_of(every)
    wide = (WIDTH - LEFT - RIGHT) / len(columns)
    high = max(16, min(30, 300 / len(rows)))
    best, parts, marks = min(times.values()), [], set()
    font = min(9.5, wide / 2.7)
    for size in every:
        x, y = LEFT + wide * columns.index(split[size][0]), TOP + high * (len(rows) - 1 - rows.index(split[size][1]))
        box = f'x="{x + 1:.1f}" y="{y + 1:.1f}" width="{wide - 2:.1f}" height="{high - 2:.1f}" rx="2"'
        if size not in times:
            parts.append(f'<rect {box} class="none"/>')
        else:
            ratio = times[size] / best
            share = max(0.06, min(1, (1 / ratio) ** 1.5))
            parts.append(f'<rect {box} class="cell" fill-opacity="{share:.2f}">'
                         f"<title>{size}: {microseconds(times[size])}</title></rect>")
            if font >= 6:
                kind = "strong" if share > 0.85 else "half" if share > 0.65 else "weak"
                value = f"{ratio:.1f}" if ratio < 10 else f"{ratio:.0f}"
                parts.append(f'<text x="{x + wide / 2:.1f}" y="{y + high / 2 + 3:.1f}" style="font-size:{font:.1f}px" '
                             f'class="value {kind}">{value}</text>')
        if size == shape.own:
            parts.append(f'<rect {box} class="mark is-own"/>')
            marks.add("own")
        if shape.is_changed and size == shape.local and not shape.variant:
            parts.append(f'<rect {box} class="mark"/>')
            marks.add("now")
    bottom = TOP + high * len(rows)
    parts += [text(LEFT + wide * (i + 0.5), bottom + 13, n) for i, n in enumerate(columns) if wide > 20 or i % 2 == 0]
    parts += [text(LEFT - 6, TOP + high * (len(rows) - 0.5 - i) + 3, "x".join(map(str, r)) or "", "end")
              for i, r in enumerate(rows)]
    parts.append(text(LEFT + (WIDTH - LEFT - RIGHT) / 2, bottom + 27, "local size, x across, y upwards"))
    return svg(parts, bottom + 31, "time per local size, relative to the fastest"), marks


def measured_and_model(shape):
    """({size: us} as measured, the same as predicted), of the program's own kernel."""
    measured = {t: us for t, us, _, lane in shape.lanes() if t and not lane.get("variant")}
    model = {}
    for c in shape.candidates():
        if c.get("local") and c.get("time_ns") and c.get("state") != "infeasible":
            model["x".join(map(str, c["local"][:shape.dim]))] = c["time_ns"] / 1000
    return measured, model


def is_line(sizes_):
    """Have the sizes one extent besides 1?"""
    return len(axes_of(sizes_)[1]) == 1


def sizes(shape):
    """(measured, model): two maps over the same sizes."""
    measured, model = measured_and_model(shape)
    every = sorted({*measured, *model})
    if len(every) < 2 or is_line(every):
        return ("", set()), ("", set())
    return tuple(map_of(times, every, shape) if times else ("", set()) for times in (measured, model))


def profile(shape):
    """The same where sizes have one extent: dots for what was measured, also of the variant that is used now, a line for the
    model."""
    measured, model = measured_and_model(shape)
    points = [(size, size, us) for size, us in measured.items()]
    if shape.variant and shape.local:
        points += [(size, shape.local, us) for size, us, *_ in shape.lanes() if size == shape.now_text]
    every = sorted({*model, *(at for _, at, _ in points)}, key=lambda size: [int(n) for n in size.split("x")])
    if len(every) < 2 or not is_line(every) or not points:
        return "", set()
    best = min(us for _, _, us in points)
    points = [(size, at, us / best) for size, at, us in points]
    model = {size: us / min(model.values()) for size, us in model.items()}
    high = max(1.5, *(ratio for _, _, ratio in points), *model.values()) * 1.1
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    x = {size: LEFT + width * (i + 0.5) / len(every) for i, size in enumerate(every)}

    def y(ratio):
        return TOP + height * (1 - math.log(ratio / 0.93) / math.log(high / 0.93))

    parts = [f'<path class="grid" d="M{LEFT} {y(t):.1f}h{width}"/>' + text(LEFT - 5, y(t) + 3, f"{t:g} ×", "end")
             for t in log_ticks(0.95, high)]
    step = math.ceil(len(every) / 10)
    parts += [text(x[size], HEIGHT - BOTTOM + 14, size.split("x")[0]) for size in every[::step]]
    parts.append(text(LEFT + width / 2, HEIGHT - 2, "local size"))
    if model:
        parts.append('<path class="model" d="M' + "L".join(f"{x[s]:.1f} {y(model[s]):.1f}" for s in every if s in model) + '"/>')
    drawn, kinds = by_kind(shape, [(size, x[at], y(ratio)) for size, at, ratio in points])
    kinds |= {"model"} if model else set()
    return svg(parts + drawn, HEIGHT, f"time of {shape.kernel} with each local size, relative to the fastest"), kinds
