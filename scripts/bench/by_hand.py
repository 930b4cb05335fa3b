"""Kernels written by hand for eight neighbours (tests/kernels/by_hand_8.cl, which tests/bench/by_hand.json offers) beside what
clsizer itself makes of the program's.  Both have the local size that clsizer finds for them."""

import statistics

import measure

NAME = "by_hand"
SETTLE = 3  # runs under `patient`, until all is decided
ROUNDS = 7


def measure_kernels(machine, rounds):
    pool = machine.root / "tests" / "bench" / "by_hand.json"
    ways = {"hand": ["--pool", pool, "--variants", "sizes"], "ours": [], "size": ["--variants", "sizes"]}
    stores = {way: machine.stores(f"{NAME}/{way}") for way in ["bare", *ways]}

    def run(way):
        if way in ways:
            return measure.run([machine.clsizer, "--quiet", "--effort", "patient", *ways[way], "--", machine.bench, NAME],
                               machine.environment(stores[way]))
        return machine.bare(stores["bare"], NAME)

    for way in ways:
        for _ in range(SETTLE):
            run(way)
    turns = [{way: run(way) for way in ["bare", *ways, "again"]} for _ in range(rounds)]
    last = turns[-1]
    made = {(way, kernel): (r.get("variant") or {}).get("name") for way in ways
            for (kernel, _), r in stores[way].records().items()}
    for each in stores.values():
        each.remove()
    return {kernel: {"ms": {way: statistics.median(t[way].kernels[kernel]["median"] for t in turns) for way in last},
                     "hand": made.get(("hand", kernel)), "ours": made.get(("ours", kernel)),
                     "identical": all(t[way].output == t["bare"].output for t in turns for way in t)}
            for kernel in last["bare"].kernels}


def measure_all(machine, results):
    results.item("by_hand", "all", lambda: {"kernels": measure_kernels(machine, 1 if machine.options.quick else ROUNDS)})
