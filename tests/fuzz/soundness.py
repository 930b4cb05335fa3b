#!/usr/bin/env python3
"""Random kernels: whatever clsizer proves about a launch is checked by running all its work-items in Python.

    soundness.py --build DIR [--seed N] [--programs N] [--kernels N] [--launches N] [--seconds S]

A program has a seed of its own.  Of a launch for which S is proved: no byte that one work-item writes may be touched by
another (but for equal stores and commuting atomics), and the memory left behind must be the same for several local
sizes (of a range too large to run, some work-items are); where O(d) is proved, also when the range is cut in two along
d; where I is proved, also when the launch is repeated.  Some refused launches are looked at, too: the enumeration must
find something wrong there.  A wrong proof is printed with the kernel, the launch and the seed that makes it again.
"""

import collections
import pathlib
import random
import subprocess
import sys
import tempfile

import machine
import seeds
from kernels import Kernel, divisor
from machine import TooLong, Undefined, run


def initial(memory, offset):
    """What memory holds before a launch: small numbers in words of four bytes."""
    if offset % 4:
        return 0
    return ((offset >> 2) * 2654435761 + memory * 40503 >> 7) % 61


def compile_python(kernel):
    names = {n: getattr(machine, n) for n in ("wrap", "checked", "quotient", "remainder", "saturate", "clamp", "element",
                                              "put")}
    names.update(ONCE=(0,), moved=lambda p, by: (p[0], p[1] + by))
    exec(compile(kernel.python(), kernel.name, "exec"), names)
    return names[kernel.name]


def launch_line(kernel, l):
    words = [kernel.name, l.dim, *l.size, *l.offset, *l.local]
    for a, value in zip(kernel.args, l.args):
        if a[0] == "buffer":
            memory, offset, limit = value
            words.append(f"b:{memory}:{offset}:{limit if limit is not None else 1 << 37}")
        elif a[0] == "scalar":
            words.append("s:" + (value & (1 << a[2].bits) - 1).to_bytes(a[2].bytes, "little").hex())
        else:
            words.append("s:" + "".join((v & (1 << a[2].bits) - 1).to_bytes(a[2].bytes, "little").hex() for v in value))
    return " ".join(map(str, words))


class Judge:
    """Asks clsizer: one helper run for a program's source, one run of the judge for its launches."""

    def __init__(self, build, scratch):
        self.build, self.scratch = pathlib.Path(build), pathlib.Path(scratch)

    def summarise(self, source):
        path = self.scratch / "program.cl"
        path.write_text(source)
        done = subprocess.run([self.build / "clsizer-analyze", "--summary", path, "--", "-cl-std=CL2.0"],
                              capture_output=True)
        summary = self.scratch / "program.sum"
        summary.write_bytes(done.stdout)
        if done.returncode or b'kernel "' not in done.stdout:
            raise RuntimeError(f"no summary: {done.stderr.decode()[-800:]} {done.stdout.decode()[:300]}\n{source}")
        return summary

    def verdicts(self, summary, lines):
        done = subprocess.run([self.build / "tests" / "judge", summary], input="\n".join(lines) + "\n",
                              capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"judge: {done.returncode} {done.stderr}")
        return [line.split(" ", 1) for line in done.stdout.splitlines()]


def sizes(rng, l):
    """The application's local size and some others that divide the range."""
    found = [tuple(l.local), (1, 1, 1), tuple(l.size)]
    found += [tuple(divisor(rng, n) for n in l.size) for _ in range(2)]
    return list(dict.fromkeys(found))


def overheard(function, l, local, low24, m, rng, before=None, budget=50000, quiet=False):
    """A byte that a work-item reads while another one writes it, and that matters: what is left behind changes when the
    reader sees what the others write, or None.  (Reads that nothing depends on are removed by compilers.)"""
    disputed = m.disputed()
    ways = [rng.choice, rng.choice, rng.choice, lambda seen: seen[-1]]  # by the last one a loop may wait for ever
    for way in ways if disputed else []:
        try:
            other = run(function, l, local, initial, low24, before, disputed, way, budget, quiet)
        except (Undefined, TooLong):
            return next(iter(disputed))
        if other.outcome() != m.outcome():
            return next(iter(disputed))
    return None


def contradiction(function, l, proved, rng, quiet):
    """Why the proof is wrong, or None; Undefined and TooLong pass through."""
    reference = None
    for low24 in (True, False):
        for local in sizes(rng, l):
            m = run(function, l, local, initial, low24, quiet=quiet)
            at = m.conflict()
            at = overheard(function, l, local, low24, m, rng, quiet=quiet) if at is None else at
            if at is not None:
                return f"work-items meet at byte {at & (1 << 48) - 1} of memory {at >> 48}, local {local}"
            if reference is None or reference[0] != low24:
                reference = low24, m.outcome(), m.steps
            elif m.outcome() != reference[1]:
                return f"another result with local size {local}"
    if l.sample:
        return None  # a part of the launch, or a repetition, would have other work-items
    low24 = False
    whole = run(function, l, l.local, initial, low24)
    for d in range(3):
        if str(d) not in proved[1:4] or l.size[d] < 2:
            continue
        cut = rng.randrange(1, l.size[d])
        parts = [l.part(d, 0, cut), l.part(d, cut, l.size[d] - cut)]
        first, second = (run(function, p, rng.choice(sizes_of(p)), initial, low24) for p in parts)
        both = dict(first.final)
        both.update(second.final)
        atoms = collections.Counter()
        for m in (first, second):
            atoms.update((k, v) for k, values in m.atoms.items() for v in values)
        if both != whole.final or atoms != collections.Counter((k, v) for k, x in whole.atoms.items() for v in x):
            return f"another result when cut at {cut} along dimension {d}"
    if "I" in proved:
        again = run(function, l, l.local, initial, low24, before=whole.final)
        if whole.atoms or {**whole.final, **again.final} != whole.final:
            return "another result when repeated"
    return None


def sizes_of(l):
    return [(1, 1, 1), tuple(l.size)]


def show(kernel, l, why, seed):
    print(f"WRONG PROOF, --seed {seed} --programs 1: {why}\n{kernel.source()}\nglobal {l.size} offset {l.offset} "
          f"local {l.local}")
    for a, v in zip(kernel.args, l.args):
        print(f"  {a[1]} = {v}")
    print(flush=True)


def check_program(judge, seed, options, count):
    """The number of wrong proofs."""
    rng = random.Random(seed)
    kernels = [Kernel(rng, f"k{i}") for i in range(options.kernels)]
    launches = [(k, k.sparse_launch() if rng.random() < 0.3 else k.launch()) for k in kernels
                for _ in range(options.launches)]
    summary = judge.summarise("\n".join(k.source() for k in kernels))
    answers = judge.verdicts(summary, [launch_line(k, l) for k, l in launches])
    functions = {k.name: compile_python(k) for k in kernels}
    wrong = 0
    for (k, l), (proved, reason) in zip(launches, answers):
        count["launches"] += 1
        refused = proved[0] != "S"
        if refused:
            count["not proved: " + reason.split(" ")[0]] += 1
            if rng.randrange(12):
                continue
        try:
            why = contradiction(functions[k.name], l, "S" if refused else proved, rng, False)
            why = why and contradiction(functions[k.name], l, "S" if refused else proved, rng, True)
        except Undefined as e:
            count[f"undefined: {e}"] += 1
            continue
        except TooLong:
            count["too long"] += 1
            continue
        if refused:
            count["refusals looked at, " + ("rightly" if why else "without need")] += 1
            continue
        count["proved and checked" + ", some work-items" * bool(l.sample)] += 1
        count.update("fact " + letter for letter in proved[1:] if letter != "-")
        if why:
            wrong += 1
            show(k, l, why, seed)
    return wrong


def main():
    parser = seeds.parser(__doc__, programs=10, keeps=False)
    parser.add_argument("--kernels", type=int, default=12)
    parser.add_argument("--launches", type=int, default=6)
    options = parser.parse_args()
    count = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="clsizer-soundness-") as scratch:
        judge = Judge(options.build, scratch)
        wrong = seeds.go_through(options, lambda seed: check_program(judge, seed, options, count), count)
    if not count["proved and checked"] or not count["refusals looked at, rightly"]:
        print("nothing was proved, or nothing can be found wrong: nothing was tested")
        return 1
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
