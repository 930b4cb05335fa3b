#!/usr/bin/env python3
"""What the report says of a program's launches, and what `clsizer report` makes of it.

    report.py --build DIR [CASE...]       no CASE: all; --list prints their names
"""

import sys

from harness import expect, run_cases

CONV = ["-n", "256", "-l", "150"]


def only(events, what):
    expect(len(events) == 1, f"{what}: {len(events)} events: {events}")
    return events[0]


def tuned_run(bench, arguments=CONV, **variables):
    """A run in which conv2d is decided, and the events about it."""
    result = bench.run_app("conv2d", "both", arguments, **variables)
    expect(result.status == 0, result.err)
    return result


# ---- what is in the file ---------------------------------------------------------------------------------

def the_process_is_named(bench):
    """The first line tells which program this was, how it was called, and by which clsizer with which options."""
    result = tuned_run(bench, CLSIZER_MARGIN="7")
    run = only(result.of("run"), "run")
    expect(result.events[0] is run, "it is not the first line")
    expect(run["executable"] == bench.app("conv2d") and run["command"][1:] == CONV, f"{run}")
    expect(run["clsizer"] and run["options"]["margin"] == "7" and run["options"]["effort"] == "patient", f"{run}")


def launches_are_counted(bench):
    """All launches, before and after a decision, are in the report, with their time and what became of them."""
    for launches in "150", "90":  # measured; from wisdom
        result = tuned_run(bench, ["-n", "256", "-l", launches])
        e = only(result.of("launches", kernel="conv2d"), "conv2d")
        decision = result.of("decision")[-1]
        expect(e["launches"] == int(launches) and e["state"] == "decided", f"{e}")
        won = decision["decision"]["outcome"] == "won"
        expect(won == ("now" in e) and (e["changed"] > 0) == won, f"{e}")
        expect(not won or e["now"]["local"] == decision["decision"]["local"], f"{e}, {decision}")
        # Launches differ, but not by ten times.
        expect(0.1 < e["kernel_us"] / (e["launches"] * e["own_us"]) < 10, f"{e}")
        expect(not won or 0 < e["now_us"] < e["own_us"], f"{e}")


def launches_left_alone_are_counted(bench):
    """So are those of kernels that are refused, whether their source is known or not."""
    result = bench.run_app("refusals", "both", ["-l", "70"])
    refused = {e["kernel"] for e in result.of("refusal")}
    counted = {e["kernel"]: e["launches"] for e in result.of("launches")}
    expect(len(refused) > 5 and refused <= set(counted), f"{refused - set(counted)}")
    expect(set(counted.values()) == {70}, f"{counted}")
    result = bench.run_app("conv2d", "both", CONV, CLSIZER_KERNELS="none")
    e = only(result.of("launches"), "not selected")
    expect(e["launches"] == 150 and e["reason"] == "not-selected" and e["state"] == "refused", f"{e}")


def samples_are_listed(bench):
    """Every time that was measured in a race is told, with its size, in lines of bounded length."""
    result = tuned_run(bench)
    decision = result.of("decision", source="measured")[-1]
    told = {}
    for e in result.of("samples"):
        columns = [e[c] for c in ("size", "at", "start", "us", "overhead", "items", "queue")]
        expect(len({len(c) for c in columns}) == 1 and 0 < len(columns[0]) <= 64, f"{e}")
        expect(all(us > 0 for us in e["us"]) and e["at"] == sorted(e["at"]) and set(e["items"]) <= {65536}, f"{e}")
        for size, us in zip(e["size"], e["us"]):
            told.setdefault(size, []).append(us)
    for lane in decision["race"]["lanes"]:
        times = told.get("x".join(map(str, lane["local"][:2])), [])
        if lane["samples"] and not lane.get("own"):
            expect(len(times) >= lane["samples"], f"{lane}: {times}")
            # Some were not asked for, and do not count in the race.
            expect(any(abs(us * 1000 / 65536 / lane["best_ns"] - 1) < 1e-3 for us in times), f"{lane}: {times}")


CASES = [the_process_is_named, launches_are_counted, launches_left_alone_are_counted, samples_are_listed]

if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES))
