#!/usr/bin/env python3
"""What races measure is kept, and has a say in the order of sizes where that pays, and nowhere else.

    learn.py --build DIR [CASE...]       no CASE: all; --list prints their names
"""

import json
import pathlib
import subprocess
import sys

from harness import expect, run_cases

HERE = pathlib.Path(__file__).resolve().parent
CONV = ["-n", "256", "-l", "150"]
PROGRAMS = 12


def run(bench, wisdom, **variables):
    """A race with 16 sizes, of which no process of an earlier run has compiled any."""
    done = bench.run_app("conv2d", "preload", CONV, wisdom=wisdom, cache=bench.store("cache"),
                         **{"CLSIZER_VARIANTS": "sizes", "CLSIZER_NO_AHEAD": "1", **variables})
    expect(done.status == 0, f"status {done.status}: {done.err}")
    return done


def decided(done):
    decisions = done.of("decision", source="measured")
    expect(len(decisions) == 1, f"{done.events}")
    return decisions[0]


def learn(bench, *arguments, status=0, **variables):
    done = subprocess.run([bench.build / "clsizer", "learn", *map(str, arguments)], capture_output=True, text=True, timeout=60,
                          env=bench.environment(**variables))
    expect(done.returncode == status, f"{arguments}: status {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def sizes_of(race):
    """{size: (time, features)} of the line of a race."""
    return {tuple(s[:3]): (s[4], s[5:]) for s in race["sizes"]}


def points_of(place):
    """The head and the races of the only file of points there."""
    files = list(place.glob("*.points"))
    expect(len(files) == 1, f"{files}")
    head, *races = map(json.loads, files[0].read_text().splitlines())
    return files[0], head, races


def raced(decision):
    """{size: lane} of what was measured."""
    return {tuple(lane["local"]): lane for lane in decision["race"]["lanes"] if lane["samples"]}


def reports_rank_estimators(bench):
    """A decision tells where each estimator had the size that won, among those that were measured; `clsizer learn` sums it up."""
    tk1 = HERE.parents[1] / "devices" / "jetson-tk1.dev"
    for estimator, device, names in (("bounds", None, ["bounds"]), ("bounds", tk1, ["bounds", "mwp", "param"]),
                                     ("mwp", tk1, ["bounds", "mwp", "param"])):
        file = bench.scratch / f"{estimator}{len(names)}.jsonl"
        run(bench, bench.store("wisdom"), CLSIZER_REPORT=file, CLSIZER_ESTIMATOR=estimator if device else "param",
            **({"CLSIZER_DEVICE_FILE": device} if device else {}))
        events = [json.loads(line) for line in file.read_text().splitlines()]
        decision, = (e for e in events if e["event"] == "decision")
        by, measured = decision["estimate"]["by"], raced(decision)
        of, told = by.pop("of"), list(by)
        expect(told in (names, [estimator]), f"{by}")  # where the race ends with the program, the one in use alone
        expect(of == len(measured) and all(1 <= place <= of for place in by.values()), f"{by}: {of}, {len(measured)} measured")
        time = {tuple(c["local"]): c["time_ns"] for c in decision["candidates"]}
        faster = sum(time[size] * 1.0001 < time[tuple(decision["decision"]["local"])] for size in measured)
        expect(by[estimator] == 1 + faster, f"{by}, but {faster} were predicted to be faster")
        said = learn(bench, "--report", file)
        expect(all(f"\n  {name} " in said for name in told) and said.count("\n") == 3 + len(told), said)
    with file.open("a") as f:
        f.write("{]\n")
    expect(f"{file}:{len(events) + 1}: is damaged" in learn(bench, "--report", file, status=2), "the line is not named")


def races_leave_points(bench):
    """Of each size that was measured, with its time by the fastest one's; not twice of the same launch."""
    place = bench.store("wisdom")
    decision = decided(run(bench, place))
    _, head, races = points_of(place)
    expect(len(races) == 1 and not head["races"] and head["device"] == decision["device"], f"{head}, {races}")
    lanes, sizes = raced(decision), sizes_of(races[0])
    own = next(size for size, lane in lanes.items() if lane["own"])
    expect(races[0]["own"] and tuple(races[0]["sizes"][0][:3]) == own, f"{own}: {races[0]}")
    expect(races[0]["kernel"] == "conv2d" and races[0]["program"] == decision["program"], f"{races[0]}")
    expect(sizes.keys() == lanes.keys() and len(sizes) > 4, f"{sizes.keys()}, {lanes.keys()}")
    best = min(lane["best_ns"] for lane in lanes.values())
    for size, (time, features) in sizes.items():
        expect(abs(time / 1000 - lanes[size]["best_ns"] / best) < 1e-3 * time / 1000 + 1e-3, f"{size}: {time}, {lanes[size]}")
        expect(len(features) == 19 and features[15] > 0, f"{size}: {features}")
    said = learn(bench, "--report", wisdom=place)
    expect(decision["device"] in said and f"{len(sizes)} points of 1 races of 1 kernels" in said, said)
    subprocess.run([bench.build / "clsizer", "wisdom", "forget", "--all"], check=True, capture_output=True,
                   env=bench.environment(wisdom=place))
    decided(run(bench, place))
    _, head, races = points_of(place)
    expect(len(races) == 1 and not head["races"], f"{head}, {len(races)}")
    expect(": 1 races" in learn(bench, wisdom=place), "what the races left was not learned from")
    _, head, races = points_of(place)
    expect(len(races) == 1 and head["races"] == 1, f"{head}, {len(races)}")


def what_is_not_decided_leaves_points(bench):
    """A race that goes on in the next run, too."""
    place = bench.store("wisdom")
    done = bench.run_app("conv2d", "preload", ["-n", "256", "-l", "12"], wisdom=place, cache=bench.store("cache"),
                         CLSIZER_VARIANTS="sizes", CLSIZER_NO_AHEAD="1")
    expect(not done.of("decision"), f"{done.of('decision')}")
    _, head, races = points_of(place)
    expect(len(races) == 1 and 2 <= len(races[0]["sizes"]) <= 12, f"{head}, {races}")


def none_without_wisdom(bench):
    """Nothing is kept where nothing is remembered, beside a file, and by nobody who changes nothing."""
    for variables in ({"CLSIZER_WISDOM": "none"}, {"CLSIZER_WISDOM": bench.scratch / "tuned.jsonl"}, {"CLSIZER_OFF": "1"},
                      {"CLSIZER_DRY_RUN": "1"}):
        place = bench.store("wisdom")
        run(bench, place, **variables)
        found = [str(p) for p in bench.scratch.rglob("*.points*")]
        expect(not found, f"{variables}: {found}")


def made_up(bench, time_of):
    """A place with points of 12 other programs, whose sizes are those of a real race and take what time_of() says of the
    model's place for them; and these sizes, {size: (time, features)}."""
    place = bench.store("wisdom")
    run(bench, place)
    file, head, races = points_of(place)
    found = {size: features for size, (_, features) in sizes_of(races[0]).items()}
    order = sorted(found, key=lambda size: found[size][-1])
    sizes = {size: (time_of(order.index(size)), found[size]) for size in found}
    lines = [json.dumps({"kernel": f"k{i}", "program": f"{i}", "shape": "0", "sizes": [[*s, 3, t, *x] for s, (t, x) in sizes.items()], "own": True},
                        separators=",:") for i in range(PROGRAMS)]
    other = bench.scratch / "other.points"
    other.write_text("\n".join([json.dumps({**head, "both": 0, "model": 0}, separators=",:"), *lines]) + "\n")
    place = bench.store("wisdom")
    expect(f": {PROGRAMS} races" in learn(bench, other, wisdom=place), "not all were added")
    return place, sizes


def both_order_where_it_pays(bench):
    """Where the model was wrong about other programs, sizes are measured in the order of the mean; all of the short list
    are, and those first that others' points speak for."""
    place, sizes = made_up(bench, lambda i: 16000 - 1000 * i)
    said = learn(bench, "--report", wisdom=place)
    expect("both decide what is measured first" in said, said)
    decision = decided(run(bench, place))
    expect(decision["estimate"]["order"] == "both", f"{decision['estimate']}")
    lanes = [tuple(lane["local"]) for lane in decision["race"]["lanes"] if not lane.get("own")]
    expect(len(lanes) > 8 and len(set(lanes) & sizes.keys()) > 8, f"{lanes}, {sizes.keys()}")
    keys = [(2 ** (sizes[s][1][-1] / 1000) - 1) * sizes[s][0] for s in lanes if s in sizes]
    expect(all(a <= b * 1.01 for a, b in zip(keys, keys[1:])), f"{list(zip(lanes, keys))}")


def the_model_orders_elsewhere(bench):
    """Where it was right, or is as good, or where there are no points, and the device's race is as it was."""
    place, _ = made_up(bench, lambda i: 1000 + 1000 * i)
    expect("the model decides what is measured first" in learn(bench, "--report", wisdom=place), "it pays")
    for where in place, bench.store("other"):
        decision = decided(run(bench, where))
        expect(decision["estimate"]["order"] == "model", f"{decision['estimate']}")
        predicted = {tuple(c["local"]): c["time_ns"] for c in decision["candidates"]}
        times = [predicted[tuple(lane["local"])] for lane in decision["race"]["lanes"][1:]]
        expect(len(times) > 8 and times[2:] == sorted(times[2:]), f"{times}")


def damaged_points_are_nobodys_loss(bench):
    """The command names file and line; programs run as without, and say nothing."""
    place, _ = made_up(bench, lambda i: 16000 - 1000 * i)
    file, _, _ = points_of(place)
    lines = file.read_text().splitlines(keepends=True)
    lines[3] = lines[3].replace("[", "[x", 1)
    file.write_text("".join(lines))
    expect(f"{file}:4: is damaged" in learn(bench, "--report", status=2, wisdom=place), "the line is not named")
    done = run(bench, place)
    expect(decided(done)["estimate"]["order"] == "model" and not done.of("warning"), f"{done.events}")
    expect("points" not in done.err, done.err)


CASES = [races_leave_points, reports_rank_estimators, what_is_not_decided_leaves_points, none_without_wisdom, both_order_where_it_pays,
         the_model_orders_elsewhere, damaged_points_are_nobodys_loss]

if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES))
