"""The report for terminals and for other programs: a table, CSV, JSON."""

import csv
import json
import os
import shutil
import sys
import textwrap

import wording
from shapes import standing

COLUMNS = [  # title, value of a shape, right-aligned?, importance: the least go first where they do not fit
    ("kernel", lambda s, _: s.kernel, False, 9),
    ("shape", lambda s, _: s.global_text, False, 6),
    ("launches", lambda s, _: wording.count(s.launches) if s.counted else "?", True, 5),
    ("ms", lambda s, _: wording.ms(s.kernel_us) if s.kernel_us else "?", True, 8),
    ("share", lambda s, total: wording.percent(s.kernel_us / total) if total and s.kernel_us else "", True, 3),
    ("own", lambda s, _: s.own_text, False, 7),
    ("now", lambda s, _: s.now_text if s.is_changed else "=", False, 8),
    ("gain", lambda s, _: wording.gain(s), True, 7),
    ("off best", lambda s, _: wording.percent(s.off_best), True, 1),
    ("cost ms", lambda s, _: wording.ms(s.spent_us) if s.spent_us else "", True, 2),
]
WHY, LEAST_WHY, LONGEST_NAME = "why", 30, 40
COLOURS = {"retuned": "32", "would be": "32", "kept": "0", "left alone": "33", "undecided": "36"}


def shorten(text, width):
    """Long names differ at their ends, too: "beginning…end"."""
    if len(text) <= width:
        return text
    return text[:width - width // 3 - 1] + "…" + text[len(text) - width // 3:]


def wants_colour(stream):
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text, colour, wanted):
    return f"\033[{colour}m{text}\033[0m" if wanted and colour != "0" else text


def fit(columns, rows, width):
    """Drop columns until their table is not wider than `width`: [(title, right, index, width)]."""
    chosen = [(title, right, i, max(len(title), *(len(row[i]) for row in rows)), rank)
              for i, (title, _, right, rank) in enumerate(columns) if any(row[i] for row in rows)]
    while sum(c[3] + 2 for c in chosen) - 2 > width and len(chosen) > 1:
        chosen.remove(min(chosen, key=lambda c: c[4]))
    return [c[:4] for c in chosen]


def row_text(cells, chosen):
    return "  ".join(cells[i].rjust(w) if right else cells[i].ljust(w) for _, right, i, w in chosen)


def print_shape(shape, cells, chosen, width, colour, out):
    """A row, with the reason behind it where there is room, else below."""
    line, why, left = row_text(cells, chosen), wording.why(shape), 4
    if width - len(line) - 2 >= LEAST_WHY:
        left = len(line) + 2
        parts = textwrap.wrap(why, width - left) or [""]
        line = f"{line}  {parts.pop(0)}"
    else:
        parts = textwrap.wrap(why, max(20, width - left))
    print(paint(line.rstrip(), COLOURS[standing(shape)], colour), file=out)
    for part in parts:
        print(" " * left + part, file=out)


def print_head(report, width, out):
    names = sorted({run.name for run in report.runs})
    versions = sorted({run.clsizer for run in report.runs if run.clsizer})
    devices = sorted({shape.device.split("|")[0] for shape in report.shapes.values() if shape.device})
    text = (f"{len(report.runs)} run{'s' * (len(report.runs) != 1)} of {', '.join(names[:3])}{', ...' * (len(names) > 3)}"
            + (f" on {', '.join(devices)}" if devices else "")
            + (f", clsizer {', '.join(versions)}" if versions else ""))
    print(textwrap.fill(text, width), file=out)


def kinds_text(total):
    return ", ".join(f"{total[k]} {k}" + " retuned" * (k == "would be") for k in COLOURS if total[k])


def print_totals(report, width, out):
    total = report.totals()
    kinds = kinds_text(total)
    text = (f"total: {wording.count(total['launches'])} launches, {wording.ms(total['kernel_us'])} ms of kernel time; "
            f"{kinds or 'no kernels'}; saved {wording.ms(total['saved_us'])} ms, spent {wording.ms(total['spent_us'])} ms")
    print(textwrap.fill(text, width), file=out)


def print_table(report, most, out=sys.stdout):
    if not report.runs:
        return
    shapes, width = report.sorted(), shutil.get_terminal_size((100, 24)).columns
    total = sum(s.kernel_us for s in shapes)
    name = max(12, min(LONGEST_NAME, width // 4))
    rows = [[shorten(value(s, total), name) for _, value, _, _ in COLUMNS] for s in shapes[:most]]
    colour = wants_colour(out)
    print_head(report, width, out)
    if rows:
        chosen = fit(COLUMNS, rows, width)
        print(paint(row_text([c[0] for c in COLUMNS], chosen).rstrip(), "1", colour), file=out)
        for shape, cells in zip(shapes, rows):
            print_shape(shape, cells, chosen, width, colour, out)
    if len(shapes) > most:
        print(f"... and {len(shapes) - most} more (--all)", file=out)
    print_totals(report, width, out)


# ---- for other programs ----------------------------------------------------------------------------------

def rounded(x):
    return None if x is None else float(f"{x:.6g}")


def record(shape, total_us):
    return {
        "kernel": shape.kernel, "program": shape.program, "device": shape.device, "driver": shape.driver,
        "global": shape.global_text, "own": shape.own or None, "state": shape.state, "standing": standing(shape),
        "now": (shape.local if shape.is_changed else shape.own) or None, "variant": shape.variant or None,
        "runs": len(shape.runs), "launches": shape.launches if shape.counted else None, "changed": shape.changed,
        "timed": shape.timed, "kernel_ms": rounded(shape.kernel_us / 1000) if shape.kernel_us else None,
        "share": rounded(shape.kernel_us / total_us) if total_us else None, "own_us": rounded(shape.own_us),
        "now_us": rounded(shape.now_us), "gain": rounded(shape.gain), "gain_error": rounded(shape.gain_error),
        "off_best": rounded(shape.off_best), "saved_ms": rounded(shape.saved_us / 1000),
        "spent_ms": rounded(shape.spent_us / 1000), "reason": shape.reason, "why": wording.why(shape),
        "line": shape.line or None, "advice": " ".join(wording.advice(shape)) or None}


def records(report):
    shapes = report.sorted()
    total = sum(s.kernel_us for s in shapes)
    return [record(s, total) for s in shapes]


def print_csv(report, out):
    rows = records(report)
    writer = csv.DictWriter(out, rows[0] if rows else ["kernel"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def print_json(report, out):
    total = report.totals()
    json.dump({"runs": [{"program": r.name, "executable": r.executable, "command": r.command, "pid": r.pid,
                         "time": r.time, "clsizer": r.clsizer, "options": r.options} for r in report.runs],
               "kernels": records(report),
               "totals": {"launches": total["launches"], **{f"{name}_ms": rounded(total[f"{name}_us"] / 1000)
                                                            for name in ("kernel", "saved", "spent")}}},
              out, indent=1)
    out.write("\n")
