"""From events to one row per shape: a kernel, a global size and the local size that the program asks for, on a device."""

import collections
import math
import statistics

SMALL = 0.05  # of all kernels' time: with less a kernel gets no advice
MARKED, MOST_MARKS = ("decision", "refusal", "program", "warning"), 10000


class Run:
    """One process."""

    def __init__(self, number, event):
        self.number, self.pid, self.time = number, event.get("pid"), event.get("time", "")
        self.unix_us = event.get("unix_us", 0)
        self.clsizer, self.command = event.get("clsizer", ""), event.get("command", [])
        self.executable, self.options = event.get("executable", ""), event.get("options", {})

    @property
    def name(self):
        return (self.executable or (self.command or ["?"])[0]).rsplit("/", 1)[-1]


class Sample:
    """One launch, or slice of one, that was timed: microseconds, and for a whole launch of the shape."""

    __slots__ = ("run", "size", "at", "start", "us", "overhead", "items", "queue", "whole_us")

    def __init__(self, run, items, row):
        self.run = run
        self.size, self.at, self.start, self.us, self.overhead, self.items, self.queue = row
        self.whole_us = self.us * items / self.items if self.items else self.us


def text_of(local, dim):
    """64x4; "" stands for the driver's choice."""
    return "x".join(map(str, local[:dim])) if local else ""


class Shape:
    def __init__(self, event):
        launch = event.get("launch") or {}
        self.kernel, self.program, self.device = event.get("kernel", ""), event.get("program", ""), event.get("device", "")
        self.dim, self.global_size = launch.get("dim", 1), launch.get("global") or []
        self.own = text_of(launch.get("local"), self.dim)
        self.items = math.prod(self.global_size) if self.global_size else 0
        self.driver = ""
        self.runs = set()
        self.launches = self.changed = self.timed = 0
        self.kernel_us = self.saved_us = self.spent_us = 0.0
        self.own_us = self.now_us = None
        self.counted = False  # a process told at its end how many launches there were
        self.state = "new"
        self.local = None     # how launches are made now, or would be if `dry_run`, if not as the program asks
        self.dry_run = False
        self.variant = ""
        self.last = {}        # the last event of each kind
        self.measured = None  # the last decision or open race with measured times
        self.samples = []
        self.is_small = False  # Report.sorted()

    # ---- entering events

    def add(self, event, run):
        self.runs.add(run.number)
        kind = event["event"]
        if kind == "launches":
            self.count(event)
        elif kind == "samples":
            columns = [event.get(c, []) for c in ("size", "at", "start", "us", "overhead", "items", "queue")]
            self.samples += [Sample(run, self.items, row) for row in zip(*columns)]
        else:
            self.last[kind] = event
            if event.get("race"):
                self.measured = event
            if kind == "decision":
                self.decide(event)
            elif kind == "refusal":
                self.state = "refused"

    def decide(self, event):
        decision, variant = event.get("decision", {}), event.get("variant")
        changed = decision.get("outcome") in ("won", "model", "asked")
        self.state, self.dry_run = "decided", bool(event.get("dry_run"))
        self.variant = variant.get("name", "") if variant else ""
        local = (variant or decision).get("local")
        self.local = text_of(local, self.dim) if variant or changed else None
        self.now_us = None

    def count(self, event):
        self.counted = True
        self.driver = event.get("driver", self.driver)
        self.launches += event.get("launches", 0)
        self.changed += event.get("changed", 0)
        self.timed += event.get("timed", 0)
        self.kernel_us += event.get("kernel_us", 0)
        self.saved_us += event.get("saved_us", 0)
        self.spent_us += event.get("spent_us", 0)
        if event.get("state") == "retired":
            return
        self.own_us = event.get("own_us", self.own_us)
        if self.dry_run:
            return  # launches went on as the program asks
        now = event.get("now")
        self.state = event.get("state", self.state)
        if self.state in ("new", "racing") and "refusal" in self.last and "decision" not in self.last:
            self.state = "refused"  # all launches that were looked at
        self.local = text_of(now.get("local"), self.dim) if now else None
        self.variant = now.get("variant", "") if now else ""
        self.now_us = event.get("now_us", self.now_us)
        if event.get("reason"):
            self.last.setdefault("refusal", event)

    # ---- what is asked of them

    @property
    def global_text(self):
        return text_of(self.global_size, self.dim)

    @property
    def own_text(self):
        return self.own or "driver's"

    @property
    def now_text(self):
        """"wide8 64x4"; the program's own size if nothing else is in force."""
        size = self.own_text if self.local is None else self.local or "driver's"
        return f"{self.variant} {size}" if self.variant else size

    @property
    def is_changed(self):
        return self.local is not None

    @property
    def verdict(self):
        """The event that says why things are as they are."""
        order = {"decided": ("decision",), "refused": ("refusal", "decision")}.get(self.state, ("observed", "refusal"))
        return next((self.last[k] for k in order if k in self.last), {})

    @property
    def reason(self):
        """A variant may have come into use after the decision, which is about sizes then."""
        reason = self.verdict.get("reason", "")
        return "variant-faster" if self.state == "decided" and self.variant and reason != "asked-for" else reason

    @property
    def line(self):
        """Of the source, where a refusal comes from; 0: unknown."""
        event = self.verdict
        return event.get("facts", {}).get(event.get("fact", ""), {}).get("line", 0)

    def candidates(self):
        """The sizes that the model looked at."""
        return (self.measured or {}).get("candidates", [])

    def lanes(self):
        """The sizes that competed: [(text, microseconds of a launch with it, how often it was measured, lane)]."""
        race = (self.measured or {}).get("race", {})
        return [((f"{lane['variant']} " if lane.get("variant") else "") + text_of(lane.get("local"), self.dim),
                 lane["best_ns"] * self.items / 1000, lane["samples"], lane)
                for lane in race.get("lanes", []) if lane.get("samples") and lane.get("best_ns")]

    @property
    def gain(self):
        """How many times as fast as the program's launch; None: nothing is known."""
        decision = self.last.get("decision", {}) if self.state == "decided" else {}
        if not self.is_changed:
            return 1.0 if decision else None
        if self.own_us and self.now_us and not self.dry_run:
            return self.own_us / self.now_us
        return (decision.get("variant") or decision.get("decision", {})).get("gain")

    @property
    def gain_error(self):
        """Half the width of the gain's 95 % interval, from the samples of both sizes, else from the noise of the race that
        decided for what is in force."""
        gain, event = self.gain, self.last.get("decision", {})
        if not gain or not self.is_changed:
            return None
        errors = [self.relative_error(size) for size in (self.own, self.now_text)]
        if None not in errors:
            return 2 * gain * math.hypot(*errors)
        noise = event.get("decision", {}).get("noise")
        return gain * noise if noise and (event.get("variant") or {}).get("name", "") == self.variant else None

    def relative_error(self, size):
        """The standard error of the median time with this size, over that median: times have outliers on one side, so
        it is taken from the median deviation (1.4826 times that is a normal distribution's standard deviation, whose median
        has 1.2533 times the mean's error)."""
        times = [s.whole_us for s in self.samples if s.size == size]
        if len(times) < 3:
            return None
        middle = statistics.median(times)
        deviation = statistics.median(abs(t - middle) for t in times)
        return 1.2533 * 1.4826 * deviation / math.sqrt(len(times)) / middle

    @property
    def off_best(self):
        """How much slower the present size was measured to be than the best one, as a fraction; None: unknown."""
        times = {text: us for text, us, _, lane in self.lanes() if not lane.get("failed")}
        now = times.get(self.now_text if self.is_changed else self.own)
        return now / min(times.values()) - 1 if now else None


class Report:
    """All of the files together."""

    def __init__(self):
        self.runs, self.shapes = [], {}
        self.present = {}  # the last run of each pid
        self.marks = []    # (run, event): the first MOST_MARKS of what was found out

    def add(self, event):
        if event["event"] == "run":
            run = Run(len(self.runs), event)
            self.runs.append(run)
            self.present[run.pid] = run
            return
        run = self.present.get(event.get("pid"))
        if not run:
            run = self.present[event.get("pid")] = Run(len(self.runs), event)
            self.runs.append(run)
        if event["event"] in MARKED and len(self.marks) < MOST_MARKS:
            self.marks.append((run, event))
        if not event.get("kernel"):
            return
        launch = event.get("launch") or {}
        known = (event.get("device"), event["program"], launch.get("dim"), tuple(launch.get("global") or ()),
                 tuple(launch.get("local") or ())) if event.get("program") else None
        key = event["kernel"], known
        if key not in self.shapes:
            self.shapes[key] = Shape(event)
        self.shapes[key].add(event, run)

    def sorted(self):
        """By time, the longest first; then by launches.  Finds out which are of small kernels, too."""
        times = collections.Counter()
        for s in self.shapes.values():
            times[s.kernel, s.program] += s.kernel_us
        for s in self.shapes.values():
            s.is_small = 0 < times[s.kernel, s.program] < SMALL * sum(times.values())
        return sorted(self.shapes.values(), key=lambda s: (-s.kernel_us, -s.launches, s.kernel))

    def totals(self):
        shapes = self.shapes.values()
        total = collections.Counter()
        for s in shapes:
            total["launches"] += s.launches
            total["kernel_us"] += s.kernel_us
            total["saved_us"] += s.saved_us
            total["spent_us"] += s.spent_us
            total[standing(s)] += 1
        return total


def standing(shape):
    """What became of the shape; "would be" is only changed without --dry-run."""
    if shape.state == "refused":
        return "left alone"
    if shape.state != "decided":
        return "undecided"
    return "kept" if not shape.is_changed else "would be" if shape.dry_run else "retuned"
