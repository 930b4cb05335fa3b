"""What fuzzers share: their options, the loop over seeds, what is said at the end."""

import argparse
import collections
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
from harness import SKIPPED, USUAL, Bench, Failure  # noqa: E402


def parser(doc, programs=2, keeps=True):
    made = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--build", required=True)
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--programs", type=int, default=programs)
    made.add_argument("--seconds", type=float, default=0, help="go on until so much time has passed")
    if keeps:
        made.add_argument("--keep", help="write wrong programs into this folder")
    return made


def go_through(options, check, count, step=1):
    """check(seed) for each program, whose seeds are `step` apart: how much of it is wrong.  Prints `count`; all that is."""
    wrong, seed, start = 0, options.seed, time.monotonic()
    while seed < options.seed + options.programs * step or time.monotonic() - start < options.seconds:
        wrong += check(seed)
        seed += step
    for what, n in sorted(count.items()):
        print(f"{n:8} {what}")
    print(f"seeds {options.seed} to {seed - 1}, {wrong} wrong")
    return wrong


def run(options, begin, tested=lambda count: True, more=""):
    """begin(bench, count) makes make(seed), which makes (write(folder), check()) of a program: check() says what is wrong, if
    anything.  `count` is printed; if it is not `tested`, nothing was.  `more`: options to repeat a wrong one.  An exit status."""
    count = collections.Counter()
    with Bench(options.build, USUAL) as bench:
        if not bench.available():
            return SKIPPED
        make = begin(bench, count)

        def one(seed):
            write, check = make(seed)
            try:
                why = check()
            except Failure as failure:
                why = str(failure)
            if why:
                print(f"FAIL --seed {seed} --programs 1{more}: {why}", flush=True)
            if why and options.keep:
                folder = pathlib.Path(options.keep) / str(seed)
                folder.mkdir(parents=True, exist_ok=True)
                write(folder)
            return bool(why)
        wrong = go_through(options, one, count)
    if not tested(count):
        print("nothing was used: nothing was tested")
        return 1
    return wrong > 0
