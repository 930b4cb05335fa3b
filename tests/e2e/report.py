#!/usr/bin/env python3
"""What the report says of a program's launches, and what `clsizer report` makes of it.

    report.py --build DIR [CASE...]       no CASE: all; --list prints their names
"""

import csv
import html.parser
import io
import json
import math
import os
import pathlib
import pty
import random
import re
import shutil
import socket
import subprocess
import sys
import threading
import zlib

from harness import HERE, Failure, Skip, expect, explained_reasons, run_cases, wisdom_records

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


SCRIPT = """
import numpy, pyopencl as cl
context = cl.create_some_context(interactive=False)
queue, n = cl.CommandQueue(context), 1 << 20
kernel = cl.Kernel(cl.Program(context, "kernel void add(global float *a) { a[get_global_id(0)] += 1.0f; }").build(), "add")
numbers = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 * n)
kernel.set_args(numbers)
for _ in range(60):
    cl.enqueue_nd_range_kernel(queue, kernel, (n,), (8,))
    queue.finish()
"""


def scripts_are_named(bench):
    """Of a script that an interpreter runs, the report and wisdom name the script; of a program on the command line, and where
    none is named, the interpreter."""
    python = "/usr/bin/python3"
    if not pathlib.Path(python).exists() or bench.run([python, "-c", "import pyopencl"]).status:
        raise Skip("no PyOpenCL of the system's")
    script, wisdom = bench.scratch / "adder", bench.scratch / "adder.jsonl"
    script.write_text(SCRIPT)
    (bench.scratch / "module.py").write_text(SCRIPT)
    options = {"CLSIZER_WISDOM": wisdom, "PYOPENCL_NO_CACHE": "1", "PYTHONPATH": bench.scratch}
    interpreter = os.path.realpath(python)
    for words, name in ((["-W", "ignore", script, python], str(script)), (["-m", "module", script], "module"), (["-c", SCRIPT, script], interpreter)):
        result = bench.run([python, *words], "both", timeout=120, **options)
        expect(result.status == 0, result.err[-500:])
        run = only(result.of("run"), "run")
        expect(run["executable"] == name and run["command"][0] == python, f"{name}: {run}")
    records = wisdom_records(wisdom)
    expect(records and records[0]["executable"] == str(script), f"{records}")


def launches_are_counted(bench):
    """All launches, before and after a decision, are in the report, with their time and what became of them."""
    for launches in "150", "90":  # measured; from wisdom
        result = tuned_run(bench, ["-n", "256", "-l", launches])
        e = only(result.of("launches", kernel="conv2d"), "conv2d")
        decision = result.of("decision")[-1]
        expect(e["launches"] == int(launches) and e["state"] == "decided", f"{e}")
        chosen = decision.get("variant") or decision["decision"]
        won = "variant" in decision or chosen["outcome"] == "won"
        expect(won == ("now" in e) and (e["changed"] > 0) == won, f"{e}")
        expect(not won or e["now"]["local"] == chosen["local"], f"{e}, {decision}")
        # Launches with the same size differ, but not by ten times.
        expect(e["now_us"] / 10 < e["kernel_us"] / e["launches"] < 10 * e["own_us"], f"{e}")
        expect(not won or 0 < e["now_us"] < e["own_us"], f"{e}")
    # With nothing left to find out it is near what the program measures itself, unless something else disturbs one of the
    # two: then another run may show it.
    for _ in range(8):
        by_program = float(re.search(r"median_ms=([\d.]+)", result.err)[1]) * 1000
        if 1 / 3 < e["kernel_us"] / e["launches"] / by_program < 3:
            return
        result = tuned_run(bench, ["-n", "256", "-l", "90"])
        e = only(result.of("launches", kernel="conv2d"), "conv2d")
    raise Failure(f"{e}, {by_program}")


def spent_and_saved_mean_one_thing(bench):
    """The line at exit, the report's events about this run, and the table of `clsizer report` say the same; what earlier
    runs cost has a name of its own."""
    total = 0
    for run in range(3):
        file = bench.scratch / f"run{run}.jsonl"
        result = tuned_run(bench, ["-n", "256", "-l", "60"], CLSIZER_SUMMARY="1", CLSIZER_EFFORT="measure",
                           CLSIZER_BUDGET="100", CLSIZER_REPORT=file)
        line = re.search(r"saved ([\d.]+) ms, spent ([\d.]+) ms", result.err)
        counted = [e for e in events_of([file]) if e["event"] == "launches"]
        for name, by_line in ("saved", line[1]), ("spent", line[2]):
            ms = sum(e[f"{name}_us"] for e in counted) / 1000
            expect(abs(ms - float(by_line)) < 0.06, f"run {run}: {name} {by_line} in {line[0]}, {ms} in {counted}")
            whole = json.loads(told(bench, "--json", file)[0])["totals"][f"{name}_ms"]
            expect(abs(ms - whole) < 0.01, f"run {run}: {name} {whole} in the table, {ms} in the events")
        spent = sum(e["spent_us"] for e in counted)
        told_all = [e["all_runs"] for e in events_of([file]) if e["event"] in ("decision", "observed") and "all_runs" in e]
        # A proof may be charged after the last event: the sum is of what each run says at exit.
        total += spent
        expect(told_all and 0 <= told_all[-1]["spent_us"] <= total + 1, f"run {run}: {told_all}, {total} of which {spent}")
        expect(spent <= told_all[-1]["spent_us"] + 1000, f"run {run}: {told_all}, {spent}")


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
        size = "x".join(map(str, lane["local"][:2])) if lane["local"] else ""
        times = told.get(f"{lane['variant']} {size}" if "variant" in lane else size, [])
        if "variant" in lane:  # the first may be of a launch on copies
            expect(len(times) >= lane["samples"] - 1, f"{lane}: {times}")
        elif lane["samples"] and not lane.get("own"):
            expect(len(times) >= lane["samples"], f"{lane}: {times}")
            # Some were not asked for, and do not count in the race.
            expect(any(abs(us * 1000 / 65536 / lane["best_ns"] - 1) < 1e-3 for us in times), f"{lane}: {times}")


def samples_are_bounded(bench):
    """Of many launches that are timed some are listed, from the whole run."""
    bench.run_app("saxpy", arguments=["-n", "1024", "-l", "1"])  # the driver compiles it
    result = bench.run_app("saxpy", "both", ["-n", "1024", "-l", "60000"], CLSIZER_ANALYSE_AFTER="1000000000",
                           CLSIZER_EFFORT="measure")
    counted = only(result.of("launches", kernel="saxpy"), "saxpy")
    at = [t for e in result.of("samples", kernel="saxpy") for t in e["at"]]
    expect(counted["timed"] > 900 and 200 < len(at) <= 512, f"{counted}: {len(at)}")
    expect(at == sorted(at) and at[-1] > 0.8 * counted["at_us"] and at[0] < 0.3 * at[-1], f"{at[0]}, {at[-1]}, {counted}")


# ---- what the command makes of it ------------------------------------------------------------------------

def report_files(bench):
    """Two runs of a program that is tuned, one of which is mostly left alone: files and their events."""
    files = []
    for number, (app, arguments) in enumerate((("conv2d", CONV), ("conv2d", CONV), ("refusals", ["-l", "70"]))):
        files.append(bench.scratch / f"why{number}.jsonl")
        result = bench.run_app(app, "both", arguments, CLSIZER_REPORT=files[-1])
        expect(result.status == 0 and files[-1].exists(), result.err)
    return files


def local(events, kernel):
    """The size that the program asks for."""
    return next("x".join(map(str, e["launch"]["local"][:e["launch"]["dim"]])) for e in events if e.get("kernel") == kernel)


def events_of(files):
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def told(bench, *arguments, status=0, text=None, **variables):
    """What `clsizer report` prints: (stdout, stderr)."""
    done = subprocess.run([bench.build / "clsizer", "report", *arguments], input=text, capture_output=True, text=True,
                          env={**os.environ, "COLUMNS": "120", **variables}, timeout=60)
    expect(done.returncode == status, f"{arguments}: status {done.returncode}: {done.stderr}")
    expect("Traceback" not in done.stderr, done.stderr)
    return done.stdout, done.stderr


def table_of_several_files(bench):
    """Files are merged; every kernel has a row with what became of it, and why."""
    files = report_files(bench)
    events = events_of(files)
    out, err = told(bench, *files, COLUMNS="240")
    rows = {line.split()[0]: line for line in out.splitlines()[2:-1] if line[:1] != " "}
    expect(not err and set(rows) == {e["kernel"] for e in events if "kernel" in e}, out)
    expect(out.startswith("3 runs of conv2d, refusals on "), out)
    expect(" 300 " in rows["conv2d"] and re.search(r" \d+\.\d\d±?", rows["conv2d"]), rows["conv2d"])
    expect("the local size reaches results, line 24" in rows["local_size"], rows["local_size"])
    expect(f"  {local(events, 'conv2d')}  " in rows["conv2d"], rows["conv2d"])
    for name in ("swap_order", "other_buffer"):
        expect(" 70 " in rows[name], rows[name])
    last = out.splitlines()[-1]
    expect(re.search(r"1 (retuned|kept), \d+ left alone", last), last)


def table_fits(bench):
    """No line is longer than the terminal is wide; colour is for terminals, and for nobody with NO_COLOR."""
    files = report_files(bench)
    for width in (40, 80, 120, 300):
        out, _ = told(bench, *files, COLUMNS=str(width))
        longest = max(out.splitlines(), key=len)
        expect(len(longest) <= width, f"{len(longest)} of {width}: {longest}")
        expect("\033" not in out, "colour in a file")
        expect("conv2d" in out and "saved" in out, out)
    for variables, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        master, terminal = pty.openpty()
        env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm", **variables}
        with subprocess.Popen([bench.build / "clsizer", "report", *files], stdout=terminal, env=env):
            os.close(terminal)
            seen = b""
            try:
                while part := os.read(master, 65536):
                    seen += part
            except OSError:
                pass
        os.close(master)
        expect((b"\033[" in seen) == coloured and b"conv2d" in seen, f"{variables}: {seen[:200]}")


def table_for_programs(bench):
    """CSV and JSON have the same rows, which add up to what the events say."""
    files = report_files(bench)
    rows = list(csv.DictReader(io.StringIO(told(bench, "--csv", *files)[0])))
    whole = json.loads(told(bench, "--json", *files)[0])
    expect([r["kernel"] for r in rows] == [k["kernel"] for k in whole["kernels"]] and len(rows) > 5, f"{rows}")
    conv = whole["kernels"][[k["kernel"] for k in whole["kernels"]].index("conv2d")]
    counted = [e for e in events_of(files[:2]) if e["event"] == "launches"]
    expect(conv["launches"] == sum(e["launches"] for e in counted) == 300, f"{conv}")
    expect(abs(conv["kernel_ms"] * 1000 / sum(e["kernel_us"] for e in counted) - 1) < 1e-4, f"{conv}")
    expect(conv["runs"] == 2 and len(whole["runs"]) == 3, f"{whole['runs']}")
    expect(whole["runs"][0]["executable"] == bench.app("conv2d"), f"{whole['runs'][0]}")
    if conv["standing"] == "retuned":
        expect(conv["now"] != conv["own"] and conv["gain"] > 1.03 and conv["gain_error"] > 0, f"{conv}")
        expect(0 <= conv["off_best"] < 1, f"{conv}")
    left = [k for k in whole["kernels"] if k["standing"] == "left alone"]
    expect(len(left) > 5 and all(k["reason"] and k["why"] for k in left), f"{left}")
    expect(all(k["advice"] for k in left), f"no advice: {[k['reason'] for k in left if not k['advice']]}")


LAUNCH = {"dim": 1, "global": [4096, 1, 1], "local": [4, 1, 1]}
ABOUT = {"schema": 1, "pid": 1, "kernel": "k", "program": "p", "device": "d|v|1", "launch": LAUNCH}
COUNTED = {**ABOUT, "event": "launches", "state": "decided", "launches": 60, "timed": 4, "kernel_us": 900.0, "own_us": 100.0}
SIZE_WON = {**ABOUT, "event": "decision", "reason": "faster", "source": "measured",
            "decision": {"outcome": "won", "local": [2048, 1, 1], "gain": 1.16, "noise": 0.01}}


def written(bench, *events, name="made.jsonl"):
    """A report with these events."""
    path = bench.scratch / name
    path.write_text("".join(json.dumps(e) + "\n" for e in events))
    return path


def bad_files(bench):
    """Files that are damaged, foreign, newer, or not there are named with the line; the rest of them is used."""
    good = report_files(bench)[0]
    lines = good.read_text().splitlines()
    bad = bench.scratch / "bad.jsonl"
    counted = next(line for line in lines if '"launches":150' in line)
    for damaged in ("", lines[1][:-20], '{"schema":1}', "[]", "x" * 99, counted.replace(":150", ':"150"')):
        bad.write_text("\n".join([lines[0], damaged, *lines[1:], ""]))
        out, err = told(bench, bad, status=1 if damaged else 0)
        expect("conv2d" in out and (f"{bad}:2: damaged" in err) == bool(damaged), f"{damaged[:50]}: {err} {out}")
    for content, words in (("# notes\n", ":1: this is no report"), ('{"a":1}\n', ":1: this is no report"),
                           ("\x7fELF\0\0", ":1: this is no report"),
                           (good.read_text() + '{"schema":2,"event":"new"}', f":{len(lines) + 1}: a newer clsizer")):
        bad.write_text(content)
        out, err = told(bench, good, bad, status=2)
        expect(f"{bad}{words}" in err and not out, f"{content[:30]}: {err}")
        expect(bad.read_text() == content, "it was changed")
    _, err = told(bench, bench.scratch / "none", status=2)
    expect("none: No such file" in err, err)
    told(bench, "/", status=2)
    told(bench, "--no-such-option", status=2)
    told(bench, status=2)
    for form in [], ["--csv"], ["--json"], ["--html", "-"], ["--trace", "-"]:
        for arguments, words in ((["/dev/null"], "no process has reported"),
                                 (["--kernels", "zz*", good], "no kernel's name matches zz*")):
            _, err = told(bench, *form, *arguments, status=1)
            expect(words in err and len(err.splitlines()) == 1, f"{form}: {err}")
    expect(told(bench, "-", text=good.read_text())[0] == told(bench, good)[0], "standard input")


def numbers_that_make_no_sense(bench):
    """A number that is too large to be one, or negative where nothing can be, is damage like any other."""
    for odd in "9" * 400, "1e999", "-12.5", "-1" + "0" * 30, '"1"':
        for name in "kernel_us", "own_us", "launches":
            file = written(bench, SIZE_WON, COUNTED)
            file.write_text(re.sub(rf'"{name}": [\d.]+', f'"{name}": {odd}', file.read_text()))
            for form in [], ["--csv"], ["--json"], ["--html", "-"], ["--trace", "-"]:
                _, err = told(bench, *form, file, status=1)
                expect(err == f'clsizer report: {file}:2: damaged, left out: the member "{name}" makes no sense\n', err)
    for where in '"us": [', '"best_ns": ', '"time_ns": ', '"global": [', '"samples": ':
        lane = {"local": [4, 1, 1], "samples": 3, "best_ns": 1.5}
        sampled = {**ABOUT, "event": "samples", "size": ["4"], "at": [1], "start": [1], "us": [1.5], "overhead": [0],
                   "items": [1], "queue": [1]}
        race = {**ABOUT, "event": "decision", "candidates": [{"local": [4, 1, 1], "time_ns": 5}] * 40, "race": {"lanes": [lane]},
                **SIZE_WON}
        file = written(bench, race, sampled, COUNTED)
        file.write_text(file.read_text().replace(where, where + "9" * 400, 1))
        for form in [], ["--csv"], ["--json"], ["--html", "-"], ["--trace", "-"], ["--t4", "-"]:
            done = subprocess.run([bench.build / "clsizer", "report", *form, file], capture_output=True, text=True, timeout=60)
            expect(done.returncode in (0, 1, 2) and "Traceback" not in done.stderr, f"{where}, {form}: {done.stderr[-800:]}")


def however_lines_are_written(bench):
    """What a report says is the same however its lines are written; damage in what is shown is named."""
    files = report_files(bench)
    spaced, other = bench.scratch / "spaced.jsonl", bench.scratch / "other.jsonl"
    events = events_of(files)
    spaced.write_text("".join(json.dumps(e) + "\n" for e in events))
    other.write_text("".join(json.dumps({"schema": 1, **dict(reversed(e.items()))}) + "\n" for e in events))
    for form in ["--csv"], ["--html", "-"], ["--trace", "-"]:
        expected = told(bench, *form, *files)
        expect(told(bench, *form, spaced) == expected == told(bench, *form, other), f"{form}")
    text = files[0].read_text()
    number = next(i for i, line in enumerate(text.splitlines(), 1) if '"candidates":[' in line and '"race":' in line)
    files[0].write_text(text.replace('"candidates":[{', '"candidates":[{{'))
    _, err = told(bench, "--html", "-", files[0], status=1)
    expect(f"{files[0]}:{number}: damaged, left out" in err, err)


ODD = [None, True, 0, -1, 1e308, float("inf"), float("nan"), "", "x", [], {}, [1], [0, 0, 0], {"a": 1}, 10 ** 30, [[]], 1e-320]


def mutated(value, rng):
    """The same with some parts missing and others odd."""
    if rng.random() < 0.02:
        return rng.choice(ODD)
    if isinstance(value, dict):
        return {k: mutated(v, rng) for k, v in value.items() if rng.random() > 0.01}
    return [mutated(v, rng) for v in value] if isinstance(value, list) else value


def events_of_any_form(bench):
    """Whatever is in an event, it is used or named as damaged."""
    advice = [{"what": "pad", "argument": "tile", "line": 7, "text": "pad the rows", "gain": 2.0, "now_us": 2.5, "then_us": 1.25}]
    events, file = events_of(report_files(bench)), bench.scratch / "odd.jsonl"
    events += [{**e, "event": "advice", "local": None, "advice": advice} for e in events if e["event"] == "launches"]
    for seed in range(6):
        rng = random.Random(seed)
        file.write_text("".join(json.dumps(mutated(e, rng) if rng.random() < 0.7 else e) + "\n" for e in events))
        for form in ([], ["--csv"], ["--json"], *([f"--{kind}", bench.scratch / kind] for kind in ("html", "trace", "t4"))):
            done = subprocess.run([bench.build / "clsizer", "report", *form, file], capture_output=True, text=True, timeout=60)
            expect(done.returncode in (0, 1, 2) and "Traceback" not in done.stderr, f"seed {seed}, {form}: {done.stderr[-800:]}")
            expect(done.returncode < 2 or form[:1] == ["--t4"] or "a newer clsizer" in done.stderr, f"seed {seed}, {form}: {done.stderr}")


def gain_of_what_is_in_force(bench):
    """The gain is that of a variant which came into use after a size was decided; a dry run's is what would be."""
    now = {"local": [2048, 1, 1], "variant": "wide"}
    found = {**ABOUT, "event": "observed", "reason": "variant-used", "detail": "wide"}
    for source in "measured", "wisdom":
        file = written(bench, {**SIZE_WON, "source": source}, found, {**COUNTED, "changed": 59, "now_us": 2.0, "now": now})
        kernel, = json.loads(told(bench, "--json", file)[0])["kernels"]
        expect((kernel["gain"], kernel["gain_error"], kernel["variant"]) == (50, None, "wide"), f"{kernel}")
        expect((kernel["reason"], kernel["why"]) == ("variant-faster", "the rewritten kernel wide is faster"), f"{kernel}")
    asked = {**SIZE_WON, "reason": "asked-for", "source": "asked"}
    kernel, = json.loads(told(bench, "--json", written(bench, asked, found, {**COUNTED, "now": now}))[0])["kernels"]
    expect((kernel["reason"], kernel["why"], kernel["variant"]) == ("asked-for", "--sizes says so", "wide"), f"{kernel}")
    kernel, = json.loads(told(bench, "--json", written(bench, SIZE_WON))[0])["kernels"]
    expect((kernel["gain"], kernel["gain_error"], kernel["why"]) == (1.16, 0.0116, "measured to be faster"), f"{kernel}")
    file = written(bench, {**SIZE_WON, "dry_run": True}, {**COUNTED, "now_us": 100.0})
    kernel, = json.loads(told(bench, "--json", file)[0])["kernels"]
    expect((kernel["gain"], kernel["standing"]) == (1.16, "would be"), f"{kernel}")


def reasons_are_given_once(bench):
    """What both a reason and its detail say is said once."""
    result = bench.run_app("variety", "both", ["-l", "5"], CLSIZER_EFFORT="measure", CLSIZER_ANALYSE_AFTER="1000000",
                           CLSIZER_REPORT=bench.scratch / "short.jsonl")
    late = {**ABOUT, "event": "observed", "reason": "few-launches", "launch": {**LAUNCH, "global": [64, 1, 1]},
            "detail": "its launches (5, 7.3 ms) were made before the kernel was known; run it again"}
    expect(result.status == 0, result.err)
    for file, words in (bench.scratch / "short.jsonl", "kernels are looked at from"), (written(bench, late), "run it again"):
        kernels = json.loads(told(bench, "--json", file)[0])["kernels"]
        said = [k["why"] for k in kernels if words in k["why"]]
        expect(said and all(w.count(words) == 1 and "(--analyse-after)" not in w for w in said), f"{kernels}")


def dry_run(bench):
    """What would be changed is told, and that it was not."""
    cache, file = bench.store("cache"), bench.scratch / "dry.jsonl"
    tuned_run(bench, cache=cache)
    tuned_run(bench, cache=cache, wisdom="none", CLSIZER_DRY_RUN="1", CLSIZER_REPORT=file)
    kernel, = json.loads(told(bench, "--json", file)[0])["kernels"]
    expect(kernel["standing"] in ("would be", "kept") and kernel["changed"] == 0 and "dry run" in kernel["why"], f"{kernel}")
    out, _ = told(bench, file)
    expect(kernel["standing"] == "kept" or "1 would be retuned" in out, out)


def reports_are_kept(bench):
    """A report is not overwritten by what is made of it."""
    first, second = report_files(bench)[:2]
    before = first.read_text()
    for form in ("--html", "--trace", "--t4"):
        _, err = told(bench, form, first, second, status=2)
        expect("would be overwritten" in err and first.read_text() == before, err)
        told(bench, form, bench.scratch / "no/such/directory", second, status=2)


def only_our_own_files_are_overwritten(bench):
    """What `clsizer report` did not write itself stays, whatever it is; its own files are written anew."""
    report, path = report_files(bench)[0], bench.scratch / "out"
    for form in "--html", "--trace", "--t4":
        for content in "notes", "<!doctype html><html></html>", '{"traceEvents":[]}', '{\n "schema_version": "1.0.0"\n}':
            path.write_text(content)
            _, err = told(bench, form, path, report, status=2)
            expect(f"{path}: would be overwritten" in err and len(err.splitlines()) == 1, err)
            expect(path.read_text() == content, f"{form}: {content} is gone")
        path.write_text("")
        told(bench, form, path, report)
        first = path.read_text()
        told(bench, form, path, report)
        expect(len(first) > 100 and path.read_text() == first, form)
        path.unlink()


def files_to_standard_output(bench):
    """- is standard output for every form that is one file; of T4 results of several kernels there are several."""
    report, path = report_files(bench)[0], bench.scratch / "out"
    for form in "--html", "--trace", "--t4":
        told(bench, form, path, report)
        out, err = told(bench, form, "-", report)
        expect(out == path.read_text() and not err, f"{form}: {out[:100]} {err}")
        path.unlink()
    other = bench.scratch / "other.jsonl"
    other.write_text(report.read_text().replace('"conv2d"', '"other"'))
    out, err = told(bench, "--t4", "-", report, other, status=2)
    expect("each needs a file of its own" in err and not out, err)
    out, _ = told(bench, "--t4", "-", "--kernels", "other", report, other)
    expect(json.loads(out)["metadata"]["kernel"] == "other", out)


def without_python(bench):
    """Where there is no Python, that is said."""
    _, err = told(bench, "x", status=126, PATH="/nonexistent")
    expect("needs Python 3" in err, err)


def advice_is_about_reasons(bench):
    """What the report advises and words for reasons is for reasons that there are."""
    sys.path.insert(0, str(bench.build / "clsizer-report"))
    import wording  # pylint: disable=import-outside-toplevel,import-error
    unknown = {*wording.ADVICE, *wording.WHOLE} - explained_reasons(bench.build)
    expect(not unknown, f"there are no such reasons: {unknown}")


def kernels_of_gpus_get_advice(bench):
    """What would make a kernel faster on a GPU is told, once a shape, in the file, on stderr and in the page; likewise on a CPU."""
    arguments, file = ["-n", "512", "-l", "40"], bench.scratch / "gpu.jsonl"
    result = bench.run_app("matvec", "both", arguments)
    expect(result.status == 0 and result.of("launches", kernel="ax") and not result.of("advice"), result.err)
    result = bench.run_app("matvec", "both", arguments, CLSIZER_WISDOM="none", CLSIZER_VERBOSE="2", CLSIZER_REPORT=file,
                           CLSIZER_DEVICE_FILE=HERE.parents[1] / "devices" / "jetson-tk1.dev")
    expect(result.status == 0, result.err)
    event = only([e for e in events_of([file]) if e["event"] == "advice" and e["kernel"] == "ax"], "ax")
    piece = event["advice"][0]
    expect(piece["what"] == "coalesce" and piece["argument"] == "a" and piece["line"] > 0 and piece["gain"] > 1, f"{event}")
    expect(abs(piece["now_us"] / piece["then_us"] / piece["gain"] - 1) < 0.01, f"{event}")
    expect(event["local"], f"no size: {event}")
    expect(re.search(r"^clsizer: advice: ax \(512\) .*, line \d+: coalesce 'a': .* times as fast by the model$", result.err, re.M), result.err)
    expect("Coalesce &#x27;a&#x27;: store it transposed (line" in page_of(bench, file).read_text(), "not in the page")
    out, _ = told(bench, "--json", file)
    expect(any("Coalesce 'a'" in (k["advice"] or "") for k in json.loads(out)["kernels"]), out)
    slow, file = bench.scratch / "slow.dev", bench.scratch / "cpu.jsonl"
    slow.write_text("like = generic-cpu\nlaunch_ns = 10 ms  # assumed: for a test\n")
    result = bench.run_app("matvec", "both", arguments, CLSIZER_WISDOM="none", CLSIZER_REPORT=file, CLSIZER_DEVICE_FILE=slow)
    event = only([e for e in events_of([file]) if e["event"] == "advice" and e["kernel"] == "ax"], "ax on a CPU")
    expect([piece["what"] for piece in event["advice"]] == ["range"], f"{event}")


def by_hand(step, kernels):
    """The options of `clsizer predict` for a step of what `bench NAME --describe` prints."""
    words = ["--kernel", step["kernel"], "--global", "x".join(map(str, step["global"])), "--local", "x".join(map(str, step["own"]))]
    for i, argument in enumerate(step["args"]):
        kind = "--buffer" if "buffer" in argument else "--arg"
        value = argument["bytes"] if "buffer" in argument else argument.get("int", argument.get("float"))
        words += [kind, f"{i}={value}"]
    return [*words, kernels]


def predictions_can_be_asked_for_again(bench):
    """`clsizer predict --from` says of a launch what it says when all is given by hand, and for the device at hand what the
    library went by."""
    def predict(*arguments):
        done = subprocess.run([bench.build / "clsizer", "predict", *arguments], capture_output=True, text=True, timeout=100,
                              env=bench.environment())
        expect(done.returncode == 0 and done.stdout, f"{arguments}: {done.returncode}: {done.stderr}")
        return done.stdout

    for name, proved in ("stencil2d", True), ("mm_tiled", False):
        command, file = [bench.app("bench"), name, "-n", "256", "-l", "30"], bench.scratch / f"{name}.jsonl"
        described = json.loads(subprocess.run([*command, "--describe"], capture_output=True, check=True, text=True).stdout)
        bench.run(command, "both", wisdom="none", CLSIZER_VARIANTS="sizes")  # waits until its kernels are known
        result = bench.run(command, "both", wisdom="none", CLSIZER_REPORT=file, CLSIZER_VARIANTS="sizes", CLSIZER_EFFORT="estimate")
        expect(result.status == 0, result.err)
        events, step = events_of([file]), described["steps"][0]
        only([e for e in events if e['event'] == 'arguments'], str([(e['event'], e.get('reason'), e.get('detail')) for e in events]))
        hand = by_hand(step, HERE.parent / "kernels" / described["file"])
        for options in (["--device", "k620"], ["--device", "cpu"], ["--device", "k620", "--device", "h200", "--json"]):
            told = predict("--from", file, "--kernel", step["kernel"], *options)
            expect(told == predict(*hand, *options), f"{name} {options}: {told}")
        again = {tuple(c["local"]): c["time_us"] * 1000
                 for c in json.loads(predict("--from", file, "--estimator", "bounds", "--json"))["candidates"]}
        times = {tuple(c["local"][:2]): c["time_ns"] for e in events if e["event"] == "decision" for c in e["candidates"] if c["local"]}
        expect(len(times) > 10 if proved else not times, f"{name}: {times}")
        expect(all(math.isclose(again[size], ns, rel_tol=1e-4) for size, ns in times.items() if size in again), f"{name}: {times}, {again}")
        expect(len(times.keys() & again.keys()) > 10 * proved - 1, f"{name}: {times}, {again}")


def small_kernels_get_no_advice(bench):
    """Nobody is told how to make faster what takes less than a twentieth of the time, all shapes of a kernel together."""
    piece = {"what": "pad", "argument": "tile", "line": 7, "text": "pad the rows", "gain": 2.0, "now_us": 2.5, "then_us": 1.25}
    shapes = [("large", 64, 931.0), ("small", 64, 49.0), ("parts", 64, 30.0), ("parts", 128, 40.0), ("unknown", 64, None)]
    events = []
    for kernel, size, us in shapes:
        about = {**ABOUT, "kernel": kernel, "launch": {"dim": 1, "global": [size, 1, 1], "local": [32, 1, 1]}}
        events += [{**about, "event": "advice", "local": None, "advice": [piece]},
                   {**COUNTED, **about, **({"kernel_us": us} if us else {})}]
        if not us:
            del events[-1]["kernel_us"]
    file = written(bench, *events)
    out, _ = told(bench, "--json", file)
    advised = sorted(k["kernel"] for k in json.loads(out)["kernels"] if "Pad the rows (line 7): 2 times" in (k["advice"] or ""))
    expect(advised == ["large", "parts", "parts", "unknown"], advised)
    expect(page_of(bench, file).read_text().count("Pad the rows") == 4, "not so in the page")


# ---- the page to look at ---------------------------------------------------------------------------------

def page_of(bench, *files, name="page.html"):
    path = bench.scratch / name
    out, err = told(bench, "--html", path, *files)
    expect(not out and not err, out + err)
    return path


class Elements(html.parser.HTMLParser):
    """Counts elements, and objects to those that are not closed, or that name something elsewhere."""

    def __init__(self, text):
        super().__init__()
        self.open, self.count, self.links, self.ids = [], {}, [], set()
        self.feed(text)
        expect(not self.open, f"not closed: {self.open}")

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.count[tag] = self.count.get(tag, 0) + 1
        self.ids.add(attrs.get("id"))
        self.links += [v for k, v in attrs.items() if k in ("src", "href", "srcset", "data", "action")]
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_endtag(self, tag):
        expect(self.open and self.open.pop() == tag, f"</{tag}> closes nothing")


def page_is_complete(bench):
    """The page has every kernel, the race and maps of sizes of those that were measured, and needs nothing else."""
    files = report_files(bench)
    text = page_of(bench, *files).read_text()
    found = Elements(text)
    kernels = {e["kernel"] for e in events_of(files) if "kernel" in e}
    expect(all(f"<summary>{k} " in text for k in kernels) and found.count["details"] >= len(kernels), f"{found.count}")
    expect(found.count["svg"] >= 3, f"{found.count}")  # the race, and sizes as measured and predicted
    expect(all(link == "data:," or link[1:] in found.ids and link[0] == "#" for link in found.links), f"{found.links}")
    expect("http:" not in text and "https:" not in text and "@import" not in text and "url(" not in text, "it loads something")
    expect("line 24" in text and "pass what is meant as an argument" in text, "no line, or no advice")


def legends(page):
    """{caption of a picture: its note}"""
    return dict(re.findall(r'<figcaption>(.*?)</figcaption>.*?<p class="small">(.*?)</p></figure>', page))


def page_says_what_is_there(bench):
    """Runs are from the first to the last, with all their command lines; a legend has what is drawn, and nothing else."""
    runs = [{"schema": 1, "event": "run", "pid": pid, "time": f"2026-01-0{day}T00:00:00Z", "command": ["app", str(min(pid, 9))]}
            for pid, day in enumerate((3, 1, 2, 4, 1, 1, 1, 1, 1, 1, 1), 1)]
    page = page_of(bench, written(bench, *runs[:3], COUNTED)).read_text()
    expect("3 runs, 2026-01-01 00:00:00 to 2026-01-03" in page and page.count("<code>app ") == 3, page[:9000])
    page = page_of(bench, written(bench, *runs, COUNTED)).read_text()
    expect(page.count("<code>app ") == 5 and "… and 4 other command lines" in page, page[:9000])
    lanes = [{"local": [4, 1, 1], "samples": 3, "best_ns": 9.0}, {"local": [8, 1, 1], "variant": "wide", "samples": 3, "best_ns": 1.0}]
    variant = {"name": "wide", "local": [8, 1, 1], "gain": 9}
    own, now, others, model = ("4, the program’s", "wide 8, used now", "others", "The line: the model")
    for more, predicted, there, absent in (([], [], [own, now], [others, model]),
                                           ([], [4, 8, 16], [own, now, model], [others]),
                                           ([{"local": [16, 1, 1], "samples": 2, "best_ns": 3.0}], [4, 8], [own, now, others, model], [])):
        event = {**SIZE_WON, "race": {"lanes": lanes + more}, "variant": variant, "reason": "variant-faster",
                 "candidates": [{"local": [n, 1, 1], "time_ns": 5.0 * n, "state": "kept"} for n in predicted]}
        page = page_of(bench, written(bench, event)).read_text()
        note = next(note for caption, note in legends(page).items() if caption.startswith("Sizes as measured"))
        expect(all(w in note for w in there) and not any(w in note for w in absent), f"{predicted}: {note}")
        expect(('class="dots now"' in page) and ('class="dots other"' in page) == (others in there), f"{predicted}")
    square = {**ABOUT["launch"], "dim": 2, "global": [64, 64, 1], "local": [4, 4, 1]}
    event = {**SIZE_WON, "launch": square, "variant": {**variant, "local": [8, 8, 1]}, "race": {"lanes": [
        {"local": [n, 4, 1], "samples": 3, "best_ns": n} for n in (4, 8)] + [{"local": [4, 8, 1], "samples": 1, "best_ns": 2.0}]}}
    note = legends(page_of(bench, written(bench, event)).read_text())["Sizes as measured"]
    expect("dashed" in note and "framed" not in note, note)


def page_trusts_nothing(bench):
    """What a report says is shown and not obeyed."""
    text, evil = report_files(bench)[0].read_text(), "<img src=x onerror=alert(1)>\"'&"
    file = bench.scratch / "evil.jsonl"
    lines = [json.loads(line) for line in text.splitlines()]
    for e in lines:
        for member in ("kernel", "device", "driver", "executable", "reason", "detail", "clsizer", "time"):
            if member in e:
                e[member] = evil
        for size in ("now", "variant"):
            if size in e:
                e[size]["variant"] = e[size]["name"] = evil
        e.setdefault("command", [evil])
    file.write_text("\n".join(map(json.dumps, lines)))
    page = page_of(bench, file).read_text()
    expect("<img" not in page and "&lt;img src=x" in page, "it is obeyed")
    Elements(page)


def many_events(bench, n):
    """A file of n events: runs of a program with forty kernels, of which the first measures them."""
    of = {}
    for e in events_of(report_files(bench)):
        of.setdefault(e["event"], []).append(e)
    measured = next(e for e in of["decision"] if e.get("race"))
    path, lines, pid = bench.scratch / "many.jsonl", [], 10 ** 6
    while len(lines) < n:
        pid += 1
        lines.append({**of["run"][0], "pid": pid})
        for k in range(40):
            about = {"pid": pid, "kernel": f"kernel_{k}", "launch": measured["launch"]}
            first = pid == 10 ** 6 + 1
            lines += [{**e, **about} for e in [measured, *of["samples"][:4]]] if first else [{**of["decision"][-1], **about}]
            lines.append({**of["launches"][0], **about})
    path.write_text("".join(json.dumps(e) + "\n" for e in lines[:n]))
    return path


def page_of_many_events(bench):
    """100000 events make a page below 5 MB, in two seconds.  What others do makes a processor slower, too: in twice that."""
    file = many_events(bench, 100000)
    begin = os.times()
    page = page_of(bench, file)
    took = os.times().children_user - begin.children_user
    print(f"     {file.stat().st_size / 1e6:.0f} MB of events: {took:.2f} s of a processor, page {page.stat().st_size / 1e6:.2f} MB")
    expect(took < 4, f"{took:.2f} s")
    expect(page.stat().st_size < 5e6, f"{page.stat().st_size}")
    Elements(page.read_text())


# ---- for other tools -------------------------------------------------------------------------------------

TYPES = {"object": dict, "array": list, "string": str, "number": (int, float), "integer": int}


def conform(value, schema, place="$"):
    """As much of JSON Schema as the schemas here use."""
    kinds = schema.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    expect(not kinds or isinstance(value, tuple(TYPES[k] for k in kinds)), f"{place} is no {kinds}: {value!r}")
    expect("enum" not in schema or value in schema["enum"], f"{place} is {value!r}")
    expect("pattern" not in schema or re.search(schema["pattern"], value), f"{place} is {value!r}")
    expect("minimum" not in schema or value >= schema["minimum"], f"{place} is {value!r}")
    for name in schema.get("required", []):
        expect(name in value, f"{place} has no {name}")
    for name, inner in schema.get("properties", {}).items():
        if name in value:
            conform(value[name], inner, f"{place}.{name}")
    for i, item in enumerate(value if "items" in schema else []):
        conform(item, schema["items"], f"{place}[{i}]")


NUMBER = {"type": "number", "minimum": 0}
TRACE = {"type": "object", "required": ["traceEvents"], "properties": {"traceEvents": {"type": "array", "items": {
    "type": "object", "required": ["ph", "name", "pid", "tid"], "properties": {
        "ph": {"enum": ["M", "X", "i"]}, "name": {"type": "string"}, "cat": {"type": "string"}, "ts": NUMBER, "dur": NUMBER,
        "pid": {"type": "integer", "minimum": 1}, "tid": {"type": "integer", "minimum": 1}, "args": {"type": "object"}}}}}}


def timeline(bench):
    """The trace is one that Chrome and Perfetto read: named tracks for the queues, on which nothing overlaps."""
    files, path = report_files(bench), bench.scratch / "trace.json"
    told(bench, "--trace", path, *files)
    trace = json.loads(path.read_text())
    conform(trace, TRACE)
    events = trace["traceEvents"]
    slices = [e for e in events if e["ph"] == "X"]
    expect(all("ts" in e and "dur" in e for e in slices) and all("ts" in e for e in events if e["ph"] == "i"), "no times")
    named = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
    expect({(e["pid"], e["tid"]) for e in events} <= named and len({tid for _, tid in named}) == len(named), f"{named}")
    expect({e["pid"] for e in events if e["name"] == "process_name"} == {1, 2, 3}, "not three runs")
    samples = [us for e in events_of(files) if e["event"] == "samples" for us in e["us"]]
    launches = [e for e in slices if e["cat"] != "overhead"]
    expect(sorted(e["dur"] for e in launches) == sorted(round(us, 3) for us in samples), f"{len(launches)}, {len(samples)}")
    ends = {}
    for e in sorted(slices, key=lambda e: e["ts"]):
        expect(ends.get(e["tid"], 0) <= e["ts"] + 0.01, f"overlap on track {e['tid']} at {e['ts']}")
        ends[e["tid"]] = e["ts"] + e["dur"]
    expect([e for e in events if e["ph"] == "i" and e["name"].startswith("decision: conv2d")], "no decisions")


def timeline_is_bounded(bench):
    """However much there is to show."""
    event = {"schema": 1, "pid": 1, "event": "samples", "kernel": "k", "program": "p", "device": "d",
             "launch": {"dim": 1, "global": [64], "local": [8]}, "size": ["8"] * 64, "start": [0] * 64, "us": [1.5] * 64,
             "overhead": [0] * 64, "items": [64] * 64, "queue": [1] * 64}
    file, path = bench.scratch / "many.jsonl", bench.scratch / "trace.json"
    file.write_text("".join(json.dumps({**event, "at": [float(64 * n + i) for i in range(64)]}) + "\n" for n in range(2000)))
    told(bench, "--trace", path, file)
    launches = [e for e in json.loads(path.read_text())["traceEvents"] if e["ph"] == "X"]
    expect(30000 < len(launches) <= 50000 and path.stat().st_size < 15e6, f"{len(launches)}, {path.stat().st_size}")


def t4_results(bench):
    """What was measured, in the format that Kernel Tuner and others exchange; several kernels to several files."""
    files, path = report_files(bench), bench.scratch / "results.json"
    schema = json.loads((HERE / "t4-results-schema.json").read_text())
    out, _ = told(bench, "--t4", path, *files[:1])
    expect(not out, out)
    document = json.loads(path.read_text())
    conform(document, schema)
    events = events_of(files[:1])
    race = next(e for e in events if e.get("race"))["race"]
    measured = {(*(lane["local"] or (0, 0, 0)), *([lane["variant"]] if "variant" in lane else []))
                for lane in race["lanes"] if lane["samples"]}
    found = {tuple(r["configuration"].values()): r for r in document["results"]}
    expect(set(found) == measured and len(measured) > 2, f"{set(found) ^ measured}")
    for r in found.values():
        times = r["times"]["runtimes"]
        expect(times and all(0 < t < 1000 for t in times) and r["invalidity"] == "correct", f"{r}")
    for e in ({**r, "invalidity": "fine"} for r in document["results"]):
        try:
            conform({"results": [e]}, schema)
        except Failure:
            continue
        raise Failure("the schema is not applied")
    other = bench.scratch / "other.jsonl"
    other.write_text(files[0].read_text().replace('"conv2d"', '"../odd name"'))
    out, _ = told(bench, "--t4", path, files[0], other)
    written = [pathlib.Path(line) for line in out.splitlines()]
    expect(len(written) == 2 and all(p.parent == bench.scratch and p.exists() for p in written), out)
    told(bench, "--t4", path, files[2], status=2)
    expect(told(bench, "--kernels", "conv*", "--csv", *files)[0].count("\n") == 2, "--kernels")


# ---- ... in a browser ------------------------------------------------------------------------------------

def browser():
    for name in ("chromium-headless-shell", "chromium", "google-chrome"):
        if shutil.which(name):
            return [name, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking",
                    "--disable-component-update", "--no-first-run"]
    raise Skip("no Chromium here (apt-get install chromium-headless-shell: 290 MB)")


class Listener:
    """A proxy that answers nothing and remembers what it was asked for."""

    def __init__(self):
        self.asked, self.socket = [], socket.create_server(("127.0.0.1", 0))
        self.flag = f"--proxy-server=127.0.0.1:{self.socket.getsockname()[1]}"
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            try:
                connection = self.socket.accept()[0]
            except OSError:
                return
            with connection:
                self.asked.append(connection.recv(300).split(b"\r\n")[0].decode(errors="replace"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()


def browse(bench, listener, page, *flags):
    """What the browser prints; nothing may have gone wrong on the page."""
    done = subprocess.run([*browser(), f"--user-data-dir={bench.store('profile')}", listener.flag, "--enable-logging=stderr",
                           "--proxy-bypass-list=<-loopback>", *flags, page.as_uri()], capture_output=True, text=True, timeout=60)
    expect(done.returncode == 0, done.stderr[-2000:])
    complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    expect(not complaints, f"{complaints}")
    return done.stdout


MEASURE = """<script>document.title = JSON.stringify([innerWidth, document.documentElement.scrollWidth,
Math.min(...[...document.querySelectorAll("svg text")].filter(t => t.checkVisibility()).map(t => t.getBoundingClientRect().height))])
</script>"""


def first_pixel(png):
    """Red, green, blue at the top left, and (width, height)."""
    data, at, packed = png.read_bytes(), 8, b""
    while at < len(data):
        size, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        packed += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += size + 12
    return tuple(zlib.decompress(packed)[1:4]), tuple(int.from_bytes(data[i:i + 4], "big") for i in (16, 20))


def page_in_a_browser(bench):
    """The page is shown on a phone and on a wide screen, dark and light, and asks nobody for anything."""
    page = page_of(bench, *report_files(bench))
    asking = page.with_name("asking.html")
    asking.write_text("<img src='http://example.invalid/picture'>")
    with Listener() as listener:
        browse(bench, listener, page, "--dump-dom")
        expect(not listener.asked, f"requests: {listener.asked}")
        browse(bench, listener, asking, "--dump-dom")
        expect(listener.asked, "requests are not seen")
        measuring = page.with_name("measuring.html")
        measuring.write_text(page.read_text().replace("</body>", MEASURE + "</body>"))
        for width in (390, 1600):
            title = re.search(r"<title>(.*?)</title>", browse(bench, listener, measuring, f"--window-size={width},1200", "--dump-dom"))
            inner, needed, least = json.loads(title[1])
            expect(inner == width and needed <= width, f"{needed} pixels wide on {inner}")
            expect(least >= 7, f"text {least} pixels high at {width}")
            for scheme, name in ((0, "dark"), (1, "light")):
                png = bench.scratch / f"{width}-{name}.png"
                browse(bench, listener, page, f"--window-size={width},2400", f"--blink-settings=preferredColorScheme={scheme}",
                       f"--screenshot={png}")
                pixel, size = first_pixel(png)
                expect(size == (width, 2400) and png.stat().st_size > 30000, f"{png}: {size}, {png.stat().st_size} bytes")
                expect((sum(pixel) < 200) == (name == "dark") and (sum(pixel) > 600) == (name == "light"), f"{name}: {pixel}")


CASES = [the_process_is_named, scripts_are_named, launches_are_counted, spent_and_saved_mean_one_thing, launches_left_alone_are_counted,
         samples_are_listed, samples_are_bounded, table_of_several_files, table_fits, table_for_programs, bad_files,
         numbers_that_make_no_sense, however_lines_are_written, events_of_any_form, gain_of_what_is_in_force,
         reasons_are_given_once, dry_run, reports_are_kept, only_our_own_files_are_overwritten, files_to_standard_output,
         without_python, advice_is_about_reasons, kernels_of_gpus_get_advice,
         predictions_can_be_asked_for_again, small_kernels_get_no_advice, page_is_complete, page_says_what_is_there, page_trusts_nothing,
         page_of_many_events, timeline, timeline_is_bounded, t4_results, page_in_a_browser]

if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES))
