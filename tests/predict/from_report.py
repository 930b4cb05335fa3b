#!/usr/bin/env python3
"""`clsizer predict --from REPORT` says what it says when all is given by hand; and what is wrong with a report.

    from_report.py CLSIZER
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = """
#ifndef N
#define N 1
#endif
typedef struct { int a, b; } pair;
kernel void scale(global const float *in, global float *out, float f, int n, int4 v, local int *bins)
{
    int i = get_global_id(0);
    bins[i & 3] = v.y;
    if (i < n)
        out[i] = in[i * N] * f + v.x + bins[0];
}
kernel void image(read_only image2d_t in, sampler_t s, global float4 *out, int w, global int *never)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    out[at.y * w + at.x] = read_imagef(in, s, at);
}
kernel void structure(global float *a, pair p)
{
    if (get_global_id(0) < p.b)
        a[get_global_id(0) * p.b] = 0;
}
"""
PROGRAM, DEVICE = "0123456789abcdef0123456789abcdef", "Some CPU|vendor|1.0"
TRAITS = {"is_cpu": 1, "units": 3, "clock_mhz": 3000, "max_group_items": 512, "warp": 4, "local_bytes": 32768}
SCALE = [65536, 262144, "0000c03f", "00000100", "01000000020000000300000004000000", 16]
BY_HAND = ["--kernel", "scale", "--global", "65536", "--offset", "64", "--local", "32", "--buffer", "in=65536", "--buffer", "1=262144",
           "--arg", "f=1.5", "--arg", "n=65536", "--arg", "4=1,2,3,4", "--arg", "bins=16"]
failed = []


def event(kind, **members):
    return json.dumps({"schema": 1, "event": kind, "program": PROGRAM, "device": DEVICE, **members})


def launch(*size, offset=(0, 0, 0), local=None):
    return {"dim": len(size), "global": [*size, 1, 1][:3], "offset": list(offset), "local": local}


class Report:
    def __init__(self, clsizer, place):
        self.clsizer, self.file, self.source, self.summary = clsizer, place / "r.jsonl", place / "k.cl", place / "k.sum"
        self.source.write_text(SOURCE)
        self.summary.write_bytes(subprocess.run([os.environ["CLSIZER_HELPER"], "--summary", "--options", "", self.source],
                                                capture_output=True, check=True).stdout)
        self.reset()

    def reset(self, **members):
        self.kept = {"summary": str(self.summary), "traits": TRAITS, **members}
        self.lines = [event("run")]
        self.shape("scale", 9, launch(65536, offset=(64, 0, 0), local=[32, 1, 1]), SCALE)
        self.shape("image", 2, launch(640, 480), [1228800, None, 4915200, "80020000", None])
        self.shape("structure", 1, launch(4096), [16384, "0000000000010000"])

    def shape(self, kernel, ms, where, arguments):
        about = {"kernel": kernel, "launch": where}
        self.lines += [event("arguments", arguments=arguments, **about, **self.kept), event("launches", launches=1, kernel_us=ms * 1000, **about)]

    def predict(self, *arguments, status=0, hand=False):
        if not hand:
            self.file.write_text("\n".join(self.lines) + "\n")
        done = subprocess.run([self.clsizer, "predict", *([] if hand else ["--from", self.file]), *arguments], capture_output=True,
                              text=True, timeout=60)
        if done.returncode != status:
            failed.append(f"{arguments}: status {done.returncode}, not {status}: {done.stderr}")
        return done.stdout, done.stderr

    def same(self, given, by_hand, *options):
        told, hand = self.predict(*given, *options)[0], self.predict(*by_hand, *options, hand=True)[0]
        if told != hand or not told:
            failed.append(f"{given} {options}:\n{told}\nby hand:\n{hand}")

    def refused(self, words, *arguments, status=1, line=None):
        """A message that names the file, and the line if there is one; before it there may be what is wrong with a value."""
        out, err = self.predict(*arguments, status=status)
        place = f"clsizer predict: {self.file}" + (f":{line}: " if line else ": ")
        *before, last = err.splitlines()
        if out or not last.startswith(place) or words not in last or len(before) > (words == "makes no sense"):
            failed.append(f"{arguments}: expected {place}... {words}: {out}{err}")


def as_by_hand(report):
    """Each way to ask, of a launch with arguments of all kinds, and of another one."""
    hand = [*BY_HAND, str(report.source)]
    for options in (["--device", "k620"], ["--device", "k620", "--explain", "--local", "32"], ["--device", "cpu", "--json", "--all-sizes", "--local", "32"],
                    ["--device", "k620", "--estimator", "all", "--json", "--local", "32"], ["--device", "k620", "--device", "h200"],
                    ["--device", "h100", "--only", "--local", "64", "--local", "7"], ["--device", "k620", "--arg", "n=5", "--offset", "0"]):
        report.same(["--kernel", "scale"], hand, *options)
    for options in (["--device", "k620"], ["--devices", "all", "--device", "cpu"]):
        report.same(["--kernel", "image"], ["--kernel", "image", "--global", "640x480", "--buffer", "0=1228800", "--buffer", "2=4915200",
                                            "--arg", "w=640", report.source], *options)
    # A structure, which cannot be given by hand.
    out = report.predict("--kernel", "structure")[0]
    if "has no value" in out or "without a size" in out:
        failed.append(out)
    # The source instead of what was kept, with its own options.
    options = ["--build-options", "-DN=16", "--device", "k620", str(report.source)]
    report.same(["--kernel", "scale"], BY_HAND, *options)
    if report.predict("--kernel", "scale", *options)[0] == report.predict("--kernel", "scale", "--device", "k620")[0]:
        failed.append("the source's options do not matter")


def which(report):
    """The longest one; what is left out is named, once, beside the answer."""
    out, err = report.predict("--json")
    first = json.loads(out)
    if first["kernel"] != "scale" or err != "clsizer predict: scale 65536 with 32; not image 640x480 with driver's, structure 4096 with driver's (--kernel, --global)\n":
        failed.append(f"{out[:80]}: {err}")
    if first["device"] != "Some CPU" or max(c["local"][0] for c in first["candidates"]) > 512:
        failed.append(f"not the report's device: {out[:300]}")
    report.shape("scale", 20, launch(128), SCALE)
    out, err = report.predict("--kernel", "scale", "--json")
    if json.loads(out)["global"] != [128] or "scale 65536 with 32 (" not in err or "image" in err:
        failed.append(f"{out[:80]}: {err}")
    out, err = report.predict("--kernel", "scale", "--global", "65536", "--json")
    if json.loads(out)["global"] != [65536] or err:
        failed.append(f"{out[:80]}: {err}")
    out, _ = report.predict("--devices", "all")
    if "Some CPU" not in out or "H200" not in out:
        failed.append(out)
    # The one that is explained is the choice, unless a size is asked for.
    chosen, asked = (report.predict("--explain", "--global", "65536", "--kernel", "scale", *more)[0] for more in ([], ["--local", "32"]))
    if chosen == asked:
        failed.append(f"the choice is not explained:\n{chosen}")
    report.reset()


def bad_reports(report):
    many = len(report.lines)
    report.refused("it has no kernel other; there are scale 65536 with 32, image 640x480 with driver's, structure 4096 with driver's", "--kernel", "other")
    report.refused("it has no kernel scale of this --global; there are scale 65536 with 32, image", "--kernel", "scale", "--global", "3")
    for line in "{]", "5", "{}", '{"schema":1,"event":', "null":
        report.lines.insert(many, line)
        report.refused("is damaged", line=many + 1)
        del report.lines[many]
    report.lines.insert(many, '{"schema":2,"event":"new"}')
    report.refused("newer", line=many + 1)
    for place, members in (("launch", launch()), ("launch", launch(0)), ("launch", launch(1 << 41)), ("launch", launch(-4)), ("launch", 3), ("launch", launch(4, offset=(-1, 0, 0))),
                           ("launch", launch(4, local=[-1, 1, 1])), ("launch", {**launch(4), "dim": 0}), ("launch", {**launch(4), "global": "4"}),
                           ("arguments", 3), ("arguments", None), ("arguments", [*SCALE[:5], -1]), ("arguments", [*SCALE[:5], 0.5]),
                           ("arguments", [*SCALE[:5], {}])):
        report.lines = report.lines[:1]
        report.lines.append(event("arguments", **{**report.kept, "kernel": "scale", "launch": launch(65536), "arguments": SCALE, place: members}))
        report.refused("makes no sense", line=2)
    for at, value, words in ((0, "00", "give its size with --buffer"), (2, 4, "not a buffer"), (2, "0000", "does not fit"), (2, "0000c03g", "does not fit"),
                             (5, "01000000", "does not fit"), (6, 4, "has no argument 6")):
        report.lines[1:] = [event("arguments", **report.kept, kernel="scale", launch=launch(65536), arguments=[*SCALE[:at], value, *SCALE[at + 1:]])]
        if words not in report.predict(status=2)[1]:
            failed.append(f"argument {at}: {value}")
    for traits in {}, {"units": -1}, {"units": "x"}, {"warp": 2 ** 40, "max_group_items": 2 ** 32 - 1, "cache_bytes": 2 ** 63}, {"is_cpu": 7}:
        report.reset(traits=traits)
        report.predict("--kernel", "scale")
    report.reset(traits=None)
    report.refused("does not describe the device: give --device", "--kernel", "scale", status=2, line=2)
    report.predict("--kernel", "scale", "--device", "cpu")
    report.reset(summary=None)
    report.refused("give FILE.cl and --build-options", "--kernel", "scale", line=2)
    report.predict("--kernel", "scale", report.source)
    for content, words in (None, "No such file"), ("", "another version"), ("clsizer-summary 1\n", "another version"):
        report.reset(summary=str(report.file.parent / "other.sum"))
        if content is not None:
            (report.file.parent / "other.sum").write_text(content)
        report.refused(words, "--kernel", "scale", line=2)
    report.lines = [event("run"), event("launches", kernel="scale", launch=launch(4), launches=1, kernel_us=5)]
    report.refused("an older clsizer wrote it; run the program once more")
    report.lines = ["# Changelog"]
    report.refused("this is no report of clsizer's", line=1)
    report.reset()
    # One that is being written.
    report.file.write_text("\n".join(report.lines) + '\n{"schema":1,"ev')
    out, err = report.predict("--from", report.file, "--kernel", "scale", hand=True)
    if not out or err:
        failed.append(f"being written: {err}")
    for arguments, words in ((["--from-c", "x.c", "--function", "f"], "--from-c"), (["--build-options", "-DN", "--kernel", "scale"], "source file")):
        if words not in report.predict(*arguments, status=2)[1]:
            failed.append(f"{arguments}")
    if "No such file" not in report.predict("--from", "/no/such", hand=True, status=1)[1] or "directory" not in report.predict("--from", "/tmp", hand=True, status=1)[1]:
        failed.append("no file")


with tempfile.TemporaryDirectory() as scratch:
    told = Report(sys.argv[1], pathlib.Path(scratch))
    for part in as_by_hand, which, bad_reports:
        part(told)
print("\n".join(failed))
sys.exit(bool(failed))
