"""The launches that were timed as a timeline: Chrome's trace format, which ui.perfetto.dev and chrome://tracing show.

A process per run, numbered from 1; its first track has its number, and shows what clsizer found out; then a track per queue.
Numbers of tracks are not used twice.  https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
"""

import json
import math

import output

BEGINNING = '{"otherData":{"about":"launches that clsizer timed; others are not shown"},'
MOST = 50000  # launches in the trace; of more, every second, third, ... is shown


def offsets(report):
    """{(run, device): how far the device's clock is ahead of the report's}.  No launch began before it was enqueued, so that
    the launch that began soonest after it tells."""
    ahead = {}
    for shape in report.shapes.values():
        for s in shape.samples:
            if s.start:
                key = s.run.number, shape.device
                ahead[key] = min(ahead.get(key, math.inf), s.start - s.at)
    return ahead


def bases(report):
    """When each run began, in microseconds after the first one."""
    first = min((run.unix_us for run in report.runs if run.unix_us), default=0)
    return {run.number: max(0, run.unix_us - first) for run in report.runs}


class Tracks:
    """Numbers for tracks: what overlaps on a queue, because it was timed by different clocks, goes to another track."""

    def __init__(self, first):
        self.first, self.ends, self.names = first, {}, {}

    def place(self, run, name, begin, end):
        row = 0
        while self.ends.get((run, name, row), 0) > begin + 1e-3:
            row += 1
        key = run, name, row
        self.ends[key] = end
        if key not in self.names:
            self.names[key] = self.first + len(self.names)
        return self.names[key]

    def metadata(self):
        return [about(run, "thread_name", name + (f" ({row + 1})" if row else ""), tid)
                for (run, name, row), tid in self.names.items()]


def about(run, what, name, tid):
    return {"ph": "M", "name": what, "pid": run + 1, "tid": tid, "args": {"name": name}}


def slices_of(report):
    """(run, track's name, begin, length, name, category, arguments) of each launch and of what it waited for."""
    ahead, base = offsets(report), bases(report)
    samples = [(shape, s) for shape in report.shapes.values() for s in shape.samples]
    for shape, s in samples[::max(1, math.ceil(len(samples) / MOST))]:
        at = base[s.run.number] + s.at
        begin = base[s.run.number] + s.start - ahead[s.run.number, shape.device] if s.start else at + s.overhead
        part = " (part)" if s.items < shape.items else ""
        yield (s.run.number, f"queue {s.queue}", begin, s.us, f"{shape.kernel} {s.size or 'driver decides'}{part}",
               "own" if s.size == shape.own else "sample",
               {"local size": s.size, "work-items": s.items, "enqueued, us before": round(begin - at, 3)})
        if s.overhead:
            yield (s.run.number, f"queue {s.queue}: compiling, waiting", max(0, begin - s.overhead), s.overhead,
                   f"before {shape.kernel} {s.size}", "overhead", {})


def marks_of(report):
    """What clsizer found out, when."""
    base = bases(report)
    for run, event in report.marks:
        name = ": ".join(filter(None, (event["event"], event.get("kernel"), event.get("reason"))))
        yield {"ph": "i", "s": "p", "name": name, "cat": event["event"], "pid": run.number + 1, "tid": run.number + 1,
               "ts": round(base[run.number] + event.get("at_us", 0), 3), "args": {"detail": event.get("detail", "")}}


def write(report, path):
    tracks, out = Tracks(len(report.runs) + 1), []
    for run, track, begin, length, name, category, arguments in sorted(slices_of(report), key=lambda s: s[:3]):
        tid = tracks.place(run, track, begin, begin + length)
        out.append({"ph": "X", "name": name, "cat": category, "pid": run + 1, "tid": tid, "ts": round(begin, 3),
                    "dur": round(length, 3), "args": arguments})
    names = [about(run.number, "process_name", f"{run.name} ({run.pid})", run.number + 1) for run in report.runs]
    names += [about(run.number, "thread_name", "clsizer", run.number + 1) for run in report.runs]
    trace = {"displayTimeUnit": "ns", "traceEvents": names + tracks.metadata() + out + list(marks_of(report))}
    output.write(path, BEGINNING, json.dumps(trace, separators=(",", ":"))[1:])
