#!/usr/bin/env python3
"""Property test: random kernels and ranges, in every mode and orchestration, behave as bare.

    property.py --build DIR [--seed N] [--cases N] [--rounds N]

Each round has a seed of its own: one bare run of `property SEED CASES`, then one for every mode and orchestration under
clsizer with `--effort patient`.  Output must be identical; over all rounds every mode must have been used.
"""

import argparse
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
from harness import SKIPPED, USUAL, Bench, Failure, expect, same  # noqa: E402

MEASURING = [("slices", "sync"), ("slices", "async"), ("rerun", "sync"), ("rerun", "async"), ("sandbox", "sync"),
             ("swap", "sync"), ("launches", "auto"), ("auto", "auto")]


def check_round(bench, seed, cases, used):
    command = [str(bench.build / "property"), str(seed), str(cases)]
    # One compilation for all sizes: there are many here.
    driver = {"POCL_WORK_GROUP_SPECIALIZATION": "0", "POCL_AFFINITY": "1"}
    bare = bench.run(command, **driver)
    if bare.status == SKIPPED:
        return False
    expect(bare.status == 0, f"seed {seed}: bare: exit status {bare.status}: {bare.err[-500:]}{bare.out[-500:]}")
    cache = bench.store("cache")
    known = -1
    while known < len(list(cache.glob("*.sum"))) < cases:  # summaries are wanted from the first launch
        known = len(list(cache.glob("*.sum")))
        bench.run(command, "both", timeout=120, cache=cache, CLSIZER_WISDOM="none", CLSIZER_DRY_RUN="1", **driver)
        time.sleep(0.3)
    for mode, orchestration in MEASURING:
        result = bench.run(command, "both", timeout=120, cache=cache, CLSIZER_WISDOM="none", CLSIZER_MODE=mode,
                           CLSIZER_ORCHESTRATION=orchestration, **driver)
        same(result, bare, f"seed {seed}, {mode}, {orchestration}")
        expect(not result.of("warning"), f"seed {seed}, {mode}: {result.of('warning')[:1]}")
        used.setdefault((mode, orchestration), []).extend(e.get("mode") for e in result.of("decision"))
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--cases", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    used = {}
    with Bench(options.build, USUAL) as bench:
        if not bench.available():
            return SKIPPED
        try:
            for seed in range(options.seed, options.seed + options.rounds):
                if not check_round(bench, seed, options.cases, used):
                    return SKIPPED
            for (mode, orchestration), modes in used.items():
                print(f"{mode:9} {orchestration:6} {len(modes)} decisions", flush=True)
                if mode not in ("auto", "launches"):  # the launches are too few for whole ones to decide
                    expect(mode in modes, f"{mode}, {orchestration}: never used, so nothing was tested")
        except Failure as failure:
            print(f"FAIL {failure}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
