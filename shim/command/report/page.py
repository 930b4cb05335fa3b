"""The report as a page to look at: one file, which loads nothing."""

import html
import pathlib

import output
import pictures
import table
import wording
from shapes import standing

MOST_BARS, MOST_ROWS, MOST_KERNELS, MOST_COMMANDS = 25, 1000, 300, 5
MOST_BYTES = 3_800_000  # of the kernels' sections

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
BEGINNING = '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="generator" content="clsizer report">'
# A link to a closed section opens it.
SCRIPT = """
function show() {
  const it = location.hash && document.getElementById(location.hash.slice(1));
  if (it && it.tagName == "DETAILS") { it.open = true; it.scrollIntoView(); }
}
addEventListener("hashchange", show);
show();
"""


def esc(x):
    return html.escape(str(x), quote=True)


def before_us(shape):
    """What the launches would have taken as the program asks for them."""
    return shape.kernel_us + max(0, shape.saved_us)


def name_of(shape):
    size = f' <span class="size muted">{esc(shape.global_text)}</span>' if shape.global_text else ""
    return esc(table.shorten(shape.kernel, 100)) + size


def link(shape, ids, words):
    return f'<a href="#k{ids[shape]}">{words}</a>' if shape in ids else words


def change(shape):
    own, now = (f'<span class="size">{esc(t)}</span>' for t in (shape.own_text, shape.now_text))
    return f"{own} → {now}" if shape.is_changed else own


# ---- the head --------------------------------------------------------------------------------------------

def tile(value, words):
    return f'<div class="tile"><b>{value}</b><span class="small">{words}</span></div>'


def head(report, shapes):
    names = sorted({run.name for run in report.runs})
    devices = sorted({(s.device.split("|")[0], s.driver) for s in shapes if s.device})
    versions = sorted({run.clsizer for run in report.runs if run.clsizer})
    times = sorted(run.time.replace("T", " ").rstrip("Z") for run in report.runs if run.time)
    lines = [f"{len(report.runs)} run{'s' * (len(report.runs) != 1)}"
             + (f", {times[0]}" + (f" to {times[-1]}" if times[-1] != times[0] else "") + " UTC" if times else "")
             + (f"; clsizer {', '.join(versions)}" if versions else "")]
    lines += [" · ".join(filter(None, device)) for device in dict(devices).items()]
    commands = list(dict.fromkeys(" ".join(run.command) for run in report.runs if run.command))
    more = [f"… and {len(commands) - MOST_COMMANDS} other command lines"] if len(commands) > MOST_COMMANDS else []
    commands = [f"<code>{esc(table.shorten(command, 300))}</code>" for command in commands[:MOST_COMMANDS]] + more
    return (f"<h1>{esc(', '.join(names[:4]) or 'nothing')}{', …' * (len(names) > 4)}</h1>"
            + "".join(f'<p class="small">{line}</p>' for line in [*map(esc, lines), *commands]))


def tiles(report, shapes):
    total = report.totals()
    before = sum(map(before_us, shapes))
    kinds = table.kinds_text(total)
    out = [tile(f"{wording.ms(total['kernel_us'])} ms", "time of all kernels"),
           tile(f"{wording.ms(before)} ms", "with the program's own sizes"),
           tile(f"{before / total['kernel_us']:.2f} ×" if total["kernel_us"] else "–", "as fast, all kernels together"),
           tile(f"{wording.ms(total['spent_us'])} ms", "spent on finding out"),
           tile(wording.count(total["launches"]), f"launches of {len(shapes)} kernels and shapes: {kinds}")]
    return f'<div class="tiles">{"".join(out)}</div>'


def key_of(kind, words):
    return f'<span class="key {kind}">{words}</span>'


def bars(shapes, ids):
    """Time per kernel, before and after."""
    shown = [s for s in shapes[:MOST_BARS] if s.kernel_us]
    if not shown:
        return ""
    longest = max(map(before_us, shown))
    rows = []
    for s in shown:
        before, after = (f"{100 * us / longest:.2f}%" for us in (before_us(s), s.kernel_us))
        bar = (f'<div class="bar" style="width:{before}"></div><div class="bar now" style="width:{after}"></div>' if s.is_changed
               else f'<div class="bar same" style="width:{after}"></div>')
        value = (f"{wording.ms(before_us(s))} → " if s.is_changed else "") + f"{wording.ms(s.kernel_us)} ms"
        rows.append(f'{link(s, ids, name_of(s)) if s in ids else f"<a>{name_of(s)}</a>"}'
                    f'<span class="n small">{value}</span><div>{bar}</div>')
    rest = sum(s.kernel_us for s in shapes[MOST_BARS:])
    more = f'<p class="small">All others together: {wording.ms(rest)} ms.</p>' if rest else ""
    key = key_of("own", "with the program’s size") + key_of("now", "as it was") + key_of("other", "unchanged")
    return (f'<h2>Time per kernel</h2><div class="card"><div class="bars">{"".join(rows)}</div>{more}'
            f'<p class="small">{key}</p></div>')


# ---- the table -------------------------------------------------------------------------------------------

def cell(title, value, kind=""):
    return f'<td data-title="{title}"' + (f' class="{kind}"' if kind else "") + f">{value}</td>"


def row(shape, ids, total):
    kind = standing(shape)
    numbers = {title: cell(title, value(shape, total), "n") for title, value, right, _ in table.COLUMNS if right}
    return ("<tr>" + cell("kernel", link(shape, ids, name_of(shape)))
            + cell("became", kind, f"standing {kind.split()[0]}") + numbers["launches"] + numbers["ms"] + numbers["share"]
            + cell("local size", change(shape)) + numbers["gain"] + numbers["off best"] + numbers["cost ms"]
            + cell("why", esc(wording.why(shape)), "why") + "</tr>")


def whole_table(shapes, ids):
    total = sum(s.kernel_us for s in shapes)
    titles = (("kernel", ""), ("became", ""), ("launches", "n"), ("ms", "n"), ("share", "n"), ("local size", ""), ("gain", "n"),
              ("off best", "n"), ("cost ms", "n"), ("why", ""))
    more = len(shapes) - MOST_ROWS
    return ('<h2>All kernels</h2><div class="card"><table class="all"><thead><tr>'
            + "".join(f'<th class="{kind}">{title}</th>' for title, kind in titles) + "</tr></thead><tbody>"
            + "".join(row(s, ids, total) for s in shapes[:MOST_ROWS]) + "</tbody></table>"
            + (f'<p class="small">… and {more} more, which took less time.</p>' if more > 0 else "") + "</div>")


# ---- a kernel --------------------------------------------------------------------------------------------

def facts(shape):
    items = [("launches", wording.count(shape.launches) if shape.counted else ""), ("of these timed", shape.timed or ""),
             ("all together", f"{wording.ms(shape.kernel_us)} ms" if shape.kernel_us else ""),
             ("one, as the program asks", pictures.microseconds(shape.own_us) if shape.own_us else ""),
             ("one, as it is now", pictures.microseconds(shape.now_us) if shape.now_us and shape.is_changed else ""),
             ("times as fast", wording.gain(shape)), ("off the best seen", wording.percent(shape.off_best)),
             ("cost", f"{wording.ms(shape.spent_us)} ms" if shape.spent_us else "")]
    return ('<ul class="facts">' + "".join(f'<li><span class="small">{name}</span><b>{esc(value)}</b></li>'
                                           for name, value in items if value) + "</ul>")


def figure(caption, picture, note):
    return f'<figure><figcaption>{caption}</figcaption>{picture}<p class="small">{note}</p></figure>' if picture else ""


def keys(shape, kinds):
    words = {"own": f"{esc(shape.own_text)}, the program’s", "now": f"{esc(shape.now_text)}, used now", "other": "others"}
    return "".join(key_of(kind, text) for kind, text in words.items() if kind in kinds)


def figures(shape):
    (measured, marked), (model, of_model) = pictures.sizes(shape)
    race, raced = pictures.race(shape)
    profile, shown = pictures.profile(shape)
    by_model = "model" in shown

    def marks(kinds):
        words = [words for kind, words in (("own", "dashed: the program’s size"), ("now", "framed: used now")) if kind in kinds]
        return "; ".join(["Time relative to the fastest", *words]) + "."

    parts = (figure("The race: every launch that was timed", race, keys(shape, raced))
             + figure("Sizes as measured" + ", and as the model predicts" * by_model, profile,
                      keys(shape, shown) + "The line: the model. " * by_model + "Times relative to the fastest.")
             + figure("Sizes as measured", measured, marks(marked))
             + figure("Sizes as the model predicts", model, "Before anything was measured. " + marks(of_model)))
    return f'<div class="plots">{parts}</div>' if parts else ""


def sizes_table(shape):
    lanes = sorted(shape.lanes(), key=lambda lane: lane[1])
    if not lanes:
        return ""
    best = lanes[0][1]
    rows = "".join(f'<tr><td class="size">{esc(size or "the driver’s")}</td><td class="n">{pictures.microseconds(us)}</td>'
                   f'<td class="n">{us / best:.2f}</td><td class="n">{samples}</td></tr>' for size, us, samples, _ in lanes)
    return ('<details><summary class="small">All sizes that were measured</summary><table class="sizes"><tr><th>size</th>'
            f'<th class="n">best time</th><th class="n">relative</th><th class="n">samples</th></tr>{rows}</table></details>')


def proofs(shape):
    """What is not proved of the kernel, with its line."""
    facts_ = shape.verdict.get("facts", {})
    unproved = [(name, f) for name, f in facts_.items() if f.get("reason", "proved") != "proved"]
    if not unproved or shape.state == "decided":
        return ""
    words = wording.explanations()
    rows = "".join(f'<tr><td class="size">{esc(name)}</td><td>{esc(words.get(f["reason"], f["reason"]))}</td>'
                   f'<td class="n">{f.get("line", "")}</td><td class="muted">{esc(f.get("detail", ""))}</td></tr>'
                   for name, f in unproved)
    return ('<details><summary class="small">All facts that are not proved of it</summary><table class="sizes"><tr><th>fact</th>'
            f'<th>why</th><th class="n">line</th><th></th></tr>{rows}</table></details>')


def section(shape, number, opened):
    advice, why = wording.advice(shape), wording.why(shape)
    line = f" Its source, line {shape.line}." if shape.line and f"line {shape.line}" not in why else ""
    kind = standing(shape)
    return (f'<details class="kernel card" id="k{number}"{" open" * opened}><summary>{name_of(shape)}'
            f'<span class="{kind.split()[0]}">{kind}</span><span>{change(shape)}</span></summary>'
            f"<p>{esc(why[:1].upper() + why[1:])}.{line}</p>"
            + "".join(f'<p class="advice">{esc(a)}</p>' for a in advice) + facts(shape) + figures(shape) + sizes_table(shape)
            + proofs(shape) + "</details>")


def sections(shapes):
    """(the sections, {shape: number} of those that there is room for)"""
    out, ids, size, opened = [], {}, 0, 3
    for number, shape in enumerate(shapes[:MOST_KERNELS], 1):
        worth = shape.is_changed or shape.samples
        text = section(shape, number, bool(worth and opened > 0))
        size += len(text)
        if size > MOST_BYTES:
            break
        opened -= bool(worth)
        out.append(text)
        ids[shape] = number
    more = len(shapes) - len(out)
    return "".join(out) + (f'<p class="small">… and {more} more, which took less time: see the table, '
                           "or <code>clsizer report --csv</code>.</p>" if more else ""), ids


def write(report, path):
    shapes = report.sorted()
    kernels, ids = sections(shapes)
    style = pathlib.Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    body = head(report, shapes) + tiles(report, shapes) + bars(shapes, ids) + whole_table(shapes, ids)
    text = (f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
            '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
            f"<title>{esc(', '.join(sorted({r.name for r in report.runs})[:4]) or 'clsizer')}: clsizer report</title>"
            f"<style>{style}</style></head><body><main>{body}<h2>Kernel by kernel</h2>{kernels}"
            '<footer class="small">Made by <code>clsizer report --html</code>. Times are of the device; “with the program\'s own '
            "sizes” is an estimate from those that were measured. Gains are given with the half width of their 95 % interval."
            f"</footer></main><script>{SCRIPT}</script></body></html>\n")
    output.write(path, BEGINNING, text)
