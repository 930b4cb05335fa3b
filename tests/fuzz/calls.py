#!/usr/bin/env python3
"""Random host programs, bare and under clsizer: they must print the same.

    calls.py --build DIR [--seed N] [--programs N] [--ways N] [--steps N] [--seconds S]

The kernels are always those of calls.cl; what is random is how a program goes about it: queues, transfers, maps, events,
callbacks, objects released while they are in use, threads, mistakes (calls/main.c).  Two bare runs must agree, else the program is
none to compare with.
"""

import pathlib
import random
import sys

import seeds
from replay import MEASURING, check_large

SOURCE = pathlib.Path(__file__).resolve().parent / "calls" / "calls.cl"


def main():
    parser = seeds.parser(__doc__)
    parser.add_argument("--ways", type=int, default=len(MEASURING))
    parser.add_argument("--steps", type=int, default=40)
    options = parser.parse_args()

    def begin(bench, count):
        def make(seed):
            rng = random.Random(seed)
            command = [str(bench.build / "tests" / "calls"), str(SOURCE), str(seed), str(options.steps),
                       rng.choice(["1", "1", "2", "3"])]

            def check():
                count["programs"] += 1
                return check_large(bench, command, rng.sample(MEASURING, options.ways), count)
            return lambda folder: (folder / "command").write_text(" ".join(command)), check
        return make

    return seeds.run(options, begin, more=f" --steps {options.steps} --ways {options.ways}")


if __name__ == "__main__":
    sys.exit(main())
