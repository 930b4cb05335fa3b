"""Measured sizes as T4 results, the format of auto-tuning results that Kernel Tuner and others share, version 1.0.0.

A file is about one kernel and range.  https://github.com/odgaard/TuningSchema
"""

import json
import os
import re

import events
import output

BEGINNING = '{\n "$comment": "Made by clsizer report",'
PARAMETERS = ("block_size_x", "block_size_y", "block_size_z")  # as Kernel Tuner calls the extents of the local size


def configuration(lane):
    """0, 0, 0: the driver's choice."""
    values = dict(zip(PARAMETERS, lane.get("local") or (0, 0, 0)))
    return {**values, "variant": lane["variant"]} if lane.get("variant") else values


def result(shape, size, us, lane):
    """Times are milliseconds of a whole launch."""
    times = [s.whole_us / 1000 for s in shape.samples if s.size == size] or [us / 1000]
    predicted = {tuple(c.get("local") or ()): c.get("time_ns") for c in shape.candidates()}
    model = predicted.get(tuple(lane.get("local") or ()))
    measurements = [{"name": "time", "value": sum(times) / len(times), "unit": "ms"},
                    {"name": "best", "value": us / 1000, "unit": "ms"}]
    if model and not lane.get("variant"):
        measurements.append({"name": "predicted", "value": model / 1e6, "unit": "ms"})
    return {"timestamp": shape.measured.get("time", ""), "configuration": configuration(lane), "objectives": ["time"],
            "times": {"compilation_time": lane.get("overhead_us", 0) / 1000, "runtimes": times, "framework": 0,
                      "search_algorithm": 0, "validation": 0},
            "invalidity": "runtime" if lane.get("failed") else "correct", "correctness": 0 if lane.get("failed") else 1,
            "measurements": measurements}


def document(shape):
    return {"schema_version": "1.0.0", "results": [result(shape, size, us, lane) for size, us, _, lane in shape.lanes()],
            "metadata": {"timeunit": "milliseconds", "kernel": shape.kernel, "global_size": shape.global_size[:shape.dim],
                         "own_local_size": shape.own, "device": shape.device, "driver": shape.driver, "program": shape.program}}


def write(report, path):
    """One file per kernel and shape that was measured: `path`, or with their names in it if there are several.  Returns the
    files."""
    shapes = [shape for shape in report.sorted() if shape.lanes()]
    if not shapes:
        raise events.Foreign("no size was measured in these runs: there are no results to write")
    if path == "-" and len(shapes) > 1:
        raise events.Foreign(f"{len(shapes)} kernels and shapes were measured, and each needs a file of its own: not with --t4 -")
    files = [path] if len(shapes) == 1 else []
    stem, suffix = os.path.splitext(path)
    while len(files) < len(shapes):
        shape = shapes[len(files)]
        name = re.sub(r"[^\w.-]", "_", f"-{shape.kernel[:80]}-{shape.global_text}-{shape.own_text}")
        file = f"{stem}{name}{suffix}"
        files.append(f"{stem}{name}-{len(files)}{suffix}" if file in files else file)
    for file in files:
        output.check(file, BEGINNING)
    for shape, file in zip(shapes, files):
        output.write(file, BEGINNING, json.dumps(document(shape), indent=1)[1:])
    return files
