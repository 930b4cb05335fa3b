"""What fuzzers that run random programs share: their options, the loop over seeds, what is said at the end."""

import argparse
import collections
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
from harness import SKIPPED, USUAL, Bench, Failure  # noqa: E402


def parser(doc):
    made = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--build", required=True)
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--programs", type=int, default=2)
    made.add_argument("--seconds", type=float, default=0)
    made.add_argument("--keep", help="write the source and plan of a wrong program into this folder")
    return made


def run(options, begin, tested=lambda count: True, more=""):
    """begin(bench, count) makes make(seed), which makes (write(folder), check()) of a program: check() says what is wrong, if
    anything.  `count` is printed; if it is not `tested`, nothing was.  `more`: options to repeat a wrong one.  An exit status."""
    count, wrong, seed, start = collections.Counter(), 0, options.seed, time.monotonic()
    with Bench(options.build, USUAL) as bench:
        if not bench.available():
            return SKIPPED
        make = begin(bench, count)
        while seed < options.seed + options.programs or time.monotonic() - start < options.seconds:
            write, check = make(seed)
            try:
                why = check()
            except Failure as failure:
                why = str(failure)
            if why:
                wrong += 1
                print(f"FAIL --seed {seed} --programs 1{more}: {why}", flush=True)
                if options.keep:
                    folder = pathlib.Path(options.keep) / str(seed)
                    folder.mkdir(parents=True, exist_ok=True)
                    write(folder)
            seed += 1
    for what, n in sorted(count.items()):
        print(f"{n:8} {what}")
    print(f"seeds {options.seed} to {seed - 1}, {wrong} wrong")
    if not tested(count):
        print("nothing was used: nothing was tested")
        return 1
    return wrong > 0
