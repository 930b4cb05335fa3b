#!/usr/bin/env python3
"""Random kernels as `clsizer analyze --emit wide=N` or `lanes=N` rewrites them: what they leave in memory must be the same.

    wide.py --build DIR [--seed N] [--programs N] [--seconds S] [--rich | --cases | --groups [--loops]] [--under] [--keep DIR]

A program is a handful of random kernels (kernels.py).  Each is launched in its wide form where there is one, else as it
is; what the driver leaves in memory is compared with what running the kernels in Python leaves there.  A launch is only
made if it is defined, stays in its buffers, and if no work-item touches what another one writes.

With --rich the kernels are those of rich.py, with floating point, vectors, structures and what else Python does not run:
the driver's outcome of each is compared with its outcome of the rewritten one.  A kernel that leaves something else with
another local size is none to compare.  With --cases they are those of wide_cases.cl, some in each program.  With
--groups they are those of together.py, whose groups stay as they are, with barriers outside of loops; with --groups --loops,
which is not for PoCL (LOSES_ROUNDS in driver_quirks.def), also in them.

With --under the same kernels run bare and under clsizer, which rewrites those that it may, with local sizes of 16 in most
dimensions: some drivers have other code for others, along the one in which their vectors lie (driver-classes).  None may be
refused only when it is verified, but with --loops, where PoCL's own mistakes differ.
"""

import collections
import pathlib
import random
import re
import subprocess
import sys
import time

import seeds
from harness import Failure
from kernels import Kernel, Launch
from replay import DRIVER, SMALL, Program, outcome, step
from rich import HEAD, LENGTH, MEMORY, SLOTS, Rich
from soundness import compile_python
from together import Sides, Together, WHOLE_AND_REAL


class Wide(Program):
    """Source, plan, and what Python says is in memory at the end."""

    def __init__(self, seed, bench, count):
        rng = random.Random(seed)
        self.memory, self.extent, self.launches = {}, collections.Counter(), 0
        sources, steps = [], []
        for i in range(150):
            k = Kernel(rng, f"k{i}")
            if re.search("barrier|atom", k.source()) and rng.random() < 0.98:
                continue
            if self.add_launch(k, rng, bench, sources, steps, count) and len(sources) >= 16:
                break
        self.source = "\n".join(sources)
        self.extent = {m: max(64, n) for m, n in self.extent.items()}
        self.extent.setdefault(1, 64)
        for m, n in self.extent.items():
            steps = [re.sub(rf":ALL{m}(?= |$)", f":{n}", s) for s in steps]
        lines = ["queue 0"] + [f"memory {m} {n}" for m, n in sorted(self.extent.items())]
        self.plan = "\n".join(lines + steps) + "\n"

    def add_launch(self, k, rng, bench, sources, steps, count):
        form, lanes, d = rng.choice(["wide", "wide", "lanes"]), rng.choice([4, 8, 16]), rng.randrange(k.dim)
        l = aligned(k.launch(tame=True), lanes, d)
        need = collections.Counter(self.extent)
        after = outcome(compile_python(k), l, self.memory, rng, need, SMALL, 20000)
        if after is None:
            count["no launch to make"] += 1
            return False
        text, why = emit(bench, k, f"{form}={lanes}:{d}")
        count[f"not offered: {why}" if why else f"{form}={lanes}:{d}"] += 1
        if not text and rng.random() < 0.8:
            return False
        self.memory, self.extent = after, need
        sources.append(k.source() + text)
        steps.append(wide_step(k, l, form, neighbours(text), d) if text else step(k, l, ""))
        self.launches += 1
        return True


class Case:
    """A kernel of wide_cases.cl."""

    def __init__(self, text, name, dim):
        self.text, self.name, self.dim = text, name, dim

    def source(self):
        return self.text


class Beside:
    """Kernels of rich.py or of a file, and launches of them bare and rewritten, each with a memory for what comes out."""

    FEW = 3
    SINGLE = False  # set where the device has no double: then it is float everywhere
    IN_GROUPS = False

    def __init__(self, seed, bench, count):
        rng = random.Random(seed)
        self.head = self.text_before()
        self.sources, self.text, self.launch, self.launches = [], [], [], 0
        self.extent = {m: 2 * LENGTH * {"uchar": 1, "short": 2, "int": 4, "float": 4}.get(t, 8) for m, (_, t) in enumerate(MEMORY, 1)}
        for k in self.kernels(rng):
            if self.SINGLE:
                self.head, k = single(self.head), Case(single(k.source()), k.name, k.dim)
            form, lanes, d = getattr(k, "form", None) or (rng.choice(["wide", "lanes"]), rng.choice([4, 8, 16]), rng.randrange(k.dim))
            text, why = emit(bench, k, f"{form}={lanes}:{d}", self.head, rng.choice(["CL1.2", "CL3.0"]), self.IN_GROUPS)
            count[f"not offered: {why}" if why else f"{form}={lanes}:{d}"] += 1
            if text:
                self.add_launch(k, text, rng, form, neighbours(text), d)
            if len(self.text) == self.FEW:
                break

    def text_before(self):
        return HEAD

    def kernels(self, rng):
        for i in range(60):
            yield Rich(rng, f"k{i}")

    def add_launch(self, k, text, rng, form, lanes, d):
        extents = {1: [1, 3, 8, 16, 31, 64, 100], 2: [1, 2, 5, 8, 13, 16], 3: [1, 2, 3, 5, 8]}[k.dim]
        size = [rng.choice(extents) if i < k.dim else 1 for i in range(3)]
        size[d] = max(size[d], rng.choice([1, lanes, lanes + 1, 2 * lanes + 3]))
        offset = [rng.choice([0, 0, 0, 1, 5]) if i < k.dim else 0 for i in range(3)]
        offset[d] = rng.choice([0, 0, lanes])
        number, count = len(self.text) + len(MEMORY) + 1, 1
        for n, o in zip(size, offset):
            count *= n + o
        self.extent[number] = max(64, 8 * SLOTS * count)
        whole = [rng.choice([size[0], size[0] - 1, size[0] + 7, 3, 8]), rng.choice([size[1], 1, 2, 5]), rng.choice([0, 1, 2, 3, 5, 7])]
        words = [f"b:{m}:0:{self.extent[m]}" for m in (*range(1, len(MEMORY) + 1), number)] + [
            f"s:{n.to_bytes(4, 'little', signed=True).hex()}" for n in whole] + ["s:" + rng.choice(["0000c03f", "000000bf", "00000000"])]
        self.sources.append(k.source())
        self.text.append(text)
        self.launch.append((k, Launch(k.dim, size, offset, None, ()), words, form, lanes, d))
        self.launches += 1

    def plan(self, rewritten, local=None):
        fill = " ".join(["launch - fill 1", str(LENGTH), "1 1 0 0 0 0 0 0", *(f"b:{m}:0:{self.extent[m]}" for m in range(1, len(MEMORY) + 1))])
        lines = ["queue 0"] + [f"memory {m} {n}" for m, n in sorted(self.extent.items())] + [fill]
        for k, l, words, form, lanes, d in self.launch:
            name, size, offset, end = k.name, list(l.size), list(l.offset), l.offset[d] + l.size[d]
            if rewritten:
                name, size[d], offset[d] = f"{name}_{form}{lanes}", -(-size[d] // lanes), offset[d] // lanes
                words = [*words, f"s:{end.to_bytes(8, 'little').hex()}"]
            lines.append(" ".join(map(str, ["launch -", name, k.dim, *size, *offset, *(local or (0, 0, 0)), *words])))
        return "\n".join(lines) + "\n"

    def write(self, directory):
        files = [directory / "program.cl", directory / "bare.txt", directory / "rewritten.txt", directory / "by_one.txt"]
        for path, text in zip(files, [self.head + "\n".join(a + b for a, b in zip(self.sources, self.text)), self.plan(False), self.plan(True),
                                      self.plan(False, (1, 1, 1))]):
            path.write_text(text)
        return files


def single(text):
    return text.replace("double", "float")


def has_double(bench):
    source, plan = bench.scratch / "double.cl", bench.scratch / "double.txt"
    source.write_text("kernel void k(global double *p) { *p = 1; }\n")
    plan.write_text("queue 0\n")
    return bench.run([str(bench.build / "tests" / "replay"), str(source), str(plan)], **DRIVER).status == 0


class Cases(Beside):
    FEW = 8

    def text_before(self):
        before, *self.parts = re.split("^// ---- .*\n", (pathlib.Path(__file__).parent / "wide_cases.cl").read_text(), flags=re.MULTILINE)
        return HEAD + before

    def kernels(self, rng):
        """Each with what stands before it, as far as the kernel before."""
        all = [found for part in self.parts for found in re.findall(r"((?:.*\n)*?CASE\((\w+)\)\n{\n(?:.*\n)*?}\n)", part)]
        for text, name in rng.sample(all, len(all)):
            yield Case(text, name, rng.choice([1, 1, 2, 3]))


class Groups(Beside):
    """Kernels of together.py, each with its own local size, divided where it is rewritten."""

    FEW = 4
    IN_GROUPS = True
    LOOPS = False

    def text_before(self):
        return HEAD + WHOLE_AND_REAL

    def kernels(self, rng):
        yield Sides()
        for i in range(40):
            yield Together(rng, f"k{i}", self.LOOPS)

    def add_launch(self, k, text, rng, form, lanes, d):
        if k.local[d] % lanes:
            return
        size = [k.local[i] * rng.choice([1, 2, 3]) for i in range(3)]
        size[2] = 1
        number = len(self.text) + len(MEMORY) + 1
        self.extent[number] = 8 * SLOTS * size[0] * size[1]
        words = [f"b:{m}:0:{self.extent[m]}" for m in (*range(1, len(MEMORY) + 1), number)] + [
            f"s:{n.to_bytes(4, 'little', signed=True).hex()}" for n in (rng.randrange(1, 60), 3, rng.randrange(0, 20))] + ["s:0000c03f"]
        self.sources.append(k.source())
        self.text.append(text)
        self.launch.append((k, Launch(k.dim, size, [0, 0, 0], None, ()), words, form, lanes, d))
        self.launches += 1

    def plan(self, rewritten, local=None):
        lines = super().plan(False).splitlines()
        for i, (k, l, words, form, lanes, d) in enumerate(self.launch):
            name, size, own = k.name, list(l.size), list(k.local)
            if rewritten:
                name, size[d], own[d] = f"{name}_{form}{lanes}", size[d] // lanes, own[d] // lanes
            lines[i - len(self.launch)] = " ".join(map(str, ["launch -", name, k.dim, *size, 0, 0, 0, *own, *words]))
        return "\n".join(lines) + "\n"


class GroupsInLoops(Groups):
    LOOPS = True


def again(lines):
    """Each launch but that which fills the inputs is made six times, the last ones with what was found out."""
    return "\n".join(line for line in lines for _ in range(6 if line.startswith("launch f ") else 1)) + "\n"


class UnderGroups(Groups):
    """The same, launched several times each, and then with other inputs than those with which they were verified."""

    def __init__(self, seed, bench, count):
        super().__init__(f"under {seed}", bench, collections.Counter())

    def text_before(self):
        fill = re.search(r"kernel void fill(?:.*\n)*?}\n", HEAD)[0]
        return super().text_before() + fill.replace(" fill(", " refill(").replace("h = i *", "h = (i + 77777) *")

    def plan(self, rewritten=False, local=None):
        lines = [line.replace("launch - k", "launch f k") for line in super().plan(False).splitlines()]
        fill = next(line for line in lines if " fill " in line)
        return again([*lines, fill.replace(" fill ", " refill "), *(line for line in lines if " k" in line)])


class UnderGroupsInLoops(UnderGroups):
    LOOPS = True


class Under(Beside):
    """Kernels of rich.py, launched several times each, with groups of 16 in each dimension, or all but one, or one group."""

    def __init__(self, seed, bench, count):
        super().__init__(f"under {seed}", bench, collections.Counter())

    def add_launch(self, k, text, rng, form, lanes, d):
        size = [rng.choice({1: [16, 64, 112, 256], 2: [16, 32, 48], 3: [16, 16, 32]}[k.dim]) if i < k.dim else 1 for i in range(3)]
        number = len(self.text) + len(MEMORY) + 1
        self.extent[number] = max(64, 8 * SLOTS * size[0] * size[1] * size[2])
        whole = [rng.choice([size[0], size[0], size[0] - 1, size[0] + 7, 8]), rng.choice([size[1], size[1], 5]), rng.choice([1, 3, 7])]
        words = [f"b:{m}:0:{self.extent[m]}" for m in (*range(1, len(MEMORY) + 1), number)] + [
            f"s:{n.to_bytes(4, 'little', signed=True).hex()}" for n in whole] + ["s:" + rng.choice(["0000c03f", "000000bf"])]
        self.sources.append(k.source())
        self.text.append("")
        self.launch.append((k, Launch(k.dim, size, [0, 0, 0], None, ()), words, form, lanes, d))
        self.launches += 1

    def plan(self, rewritten=False, local=None):
        lines = []
        for line in super().plan(False).splitlines():
            word = line.split(" ")
            if word[0] == "launch" and word[2] != "fill":
                word[1], dim, rng = "f", int(word[3]), random.Random(line)
                word[10:13] = ["16" if i < dim else "1" for i in range(3)]
                if dim > 1:
                    word[10 + rng.randrange(dim)] = rng.choice(["1", "4", "8", "16"])
                else:
                    word[10] = rng.choice(["16", word[4]])
            lines.append(" ".join(word))
        return again(lines)


def check_under(bench, program, count):
    source, plan, *_ = program.write(bench.scratch)
    command = [str(bench.build / "tests" / "replay"), str(source), str(plan)]
    cache = bench.store("cache")
    try:
        bare = bench.run(command, timeout=300, **DRIVER)
        bench.run(command, "both", timeout=300, cache=cache, CLSIZER_WISDOM="none", CLSIZER_DRY_RUN="1", **DRIVER)
        time.sleep(0.2)
        tuned = bench.run(command, "both", timeout=300, cache=cache, CLSIZER_EFFORT="estimate", CLSIZER_WISDOM="none",
                          CLSIZER_VARIANTS="wide", **DRIVER)
    except Failure as failure:
        return str(failure)
    count["programs"] += 1
    count["launches"] += program.launches
    for event in tuned.of("observed"):
        count[f"{event['reason']}={event.get('detail')}" if event["reason"] == "variant-used" else
              f"{event['reason']}: {(event.get('detail') or '')[:60]}"] += 1
    if bare.status == tuned.status == -6:  # an assertion of PoCL's, about loops with barriers
        count["ended by the driver"] += 1
        return None
    mistaken = isinstance(program, UnderGroupsInLoops)  # PoCL, which loses rounds (LOSES_ROUNDS)
    if bare.status or tuned.status or bare.out != tuned.out or (
            not mistaken and "variant-differs" in tuned.reasons("observed")):
        return f"status {bare.status} and {tuned.status}, " + ("other bits" if bare.out != tuned.out else "variant-differs")
    return None


def check_beside(bench, program, count):
    source, *plans = program.write(bench.scratch)

    def memories(plan):
        done = bench.run([str(bench.build / "tests" / "replay"), str(source), str(plan)], timeout=300, **DRIVER)
        if done.status:
            raise Failure(f"status {done.status} {done.err[:2000]}")
        return [line for line in done.out.decode().splitlines() if line.startswith("memory")]

    try:
        bare, rewritten = map(memories, plans[:2])
        count["programs"] += 1
        count["launches"] += program.launches
        if bare == rewritten:
            return None
        by_one = memories(plans[2])
    except Failure as failure:
        return str(failure)
    wrong = ["the inputs"] if bare[:len(MEMORY)] != rewritten[:len(MEMORY)] else []
    for (k, l, _, form, lanes, d), *three in zip(program.launch, *(r[len(MEMORY):] for r in (bare, rewritten, by_one))):
        if three[0] != three[2]:
            count["differs by the local size alone"] += 1
        elif three[0] != three[1]:
            wrong.append(f"{k.name} {form}={lanes}:{d} {l.size} {l.offset}")
    return "; ".join(wrong)


def aligned(l, lanes, d):
    offset = list(l.offset)
    offset[d] -= offset[d] % lanes
    return Launch(l.dim, l.size, offset, l.local, l.args)


def emit(bench, k, shape, head="", std="CL2.0", in_groups=False):
    """The text of that form and "", or "" and why there is none.  Where groups must stay, none unless `in_groups`."""
    path = bench.scratch / "kernel.cl"
    path.write_text(head + k.source())
    done = subprocess.run([bench.build / "clsizer-analyze", "--emit", shape, "--kernel", k.name, path, "--", f"-cl-std={std}",
                           *(["-cl-single-precision-constant"] if Beside.SINGLE else [])],
                          capture_output=True, text=True)
    if done.returncode not in (0, 1) or (done.returncode == 1) != (not done.stdout):
        raise RuntimeError(f"clsizer-analyze: {done.returncode} {done.stderr}\n{k.source()}")
    if done.stdout and (" of a group in each work-item" in done.stdout) != in_groups:
        return "", "groups"
    return done.stdout, done.stderr.split(": ", 2)[2].split(":")[0].strip() if not done.stdout else ""


def neighbours(text):
    """How many are in a work-item: with rows, fewer than were asked for."""
    return int(re.search(r"with the work of (\d+) neighbours", text)[1])


def wide_step(k, l, form, lanes, d):
    size, offset, end = list(l.size), list(l.offset), l.offset[d] + l.size[d]
    size[d], offset[d] = -(-size[d] // lanes), offset[d] // lanes
    words = step(k, Launch(l.dim, size, offset, None, l.args), "").split(" ")
    words[2] += f"_{form}{lanes}"
    return " ".join([*words, f"s:{end.to_bytes(8, 'little').hex()}"])


def check(bench, program, count):
    files = program.write(bench.scratch)
    try:
        done = bench.run([str(bench.build / "tests" / "replay"), *map(str, files)], timeout=300, **DRIVER)
    except Failure as e:  # a loop that does not end
        return str(e)
    got = [line for line in done.out.decode().splitlines() if line.startswith("memory")]
    count["programs"] += 1
    count["launches"] += program.launches
    return None if got == program.checksums() else f"status {done.status} {done.err[-2000:]}\n{done.out.decode()}"


def main():
    parser = seeds.parser(__doc__)
    parser.add_argument("--rich", action="store_true", help="kernels of rich.py, compared with what the driver makes of them")
    parser.add_argument("--cases", action="store_true", help="kernels of wide_cases.cl, likewise")
    parser.add_argument("--groups", action="store_true", help="kernels of together.py, likewise")
    parser.add_argument("--loops", action="store_true", help="with barriers in loops")
    parser.add_argument("--under", action="store_true", help="the same kernels, rewritten by the library where it may")
    options = parser.parse_args()
    kind, look = ((UnderGroupsInLoops if options.loops else UnderGroups if options.groups else Under, check_under)
                  if options.under else (Cases, check_beside) if options.cases
                  else (GroupsInLoops if options.loops else Groups, check_beside) if options.groups
                  else (Beside, check_beside) if options.rich else (Wide, check))

    def begin(bench, count):
        Beside.SINGLE = not has_double(bench)

        def make(seed):
            program = kind(seed, bench, count)
            return program.write, lambda: look(bench, program, count) if program.launches else None
        return make

    return seeds.run(options, begin, lambda count: any("=" in what for what in count))


if __name__ == "__main__":
    sys.exit(main())
