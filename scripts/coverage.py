#!/usr/bin/env python3
"""Which kernels may be tuned, and what stands in the way of the others.

    scripts/coverage.py [--options="BUILD OPTIONS"] [--list] FILE.cl... REPORT.jsonl...

OpenCL C files are analysed alone (`clsizer-analyze --facts`): "tunable" means that a launch with suitable arguments
will be.  Reports (`clsizer --dry-run --analyse-after 0 --report REPORT.jsonl PROGRAM`) say what happened to the
kernels that a program launched with the arguments that it really had; a kernel whose launches fared differently
counts as tunable if one of them was.
"""
import argparse
import collections
import json
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def analyse(helper, path, options):
    """(kernel, reason, line, detail) of each kernel in an OpenCL C file."""
    done = subprocess.run([helper, "--facts", path, "--", *options], capture_output=True, text=True)
    if done.returncode:
        return [("*", "not-analysed", "0", done.stderr.strip().split("\n")[0])]
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return [(row[0], "tunable" if row[2] == "tunable-if" else row[2], row[3], row[4]) for row in rows]


def report(path):
    """The same from a report; the line is not known."""
    found = {}
    for line in path.read_text(errors="replace").splitlines():
        event = json.loads(line)
        if event["event"] not in ("decision", "refusal") or "kernel" not in event:
            continue
        key = event.get("program"), event["kernel"]
        if event["event"] == "decision":
            found[key] = ("tunable", "-")
        elif key not in found:
            found[key] = (event["reason"], event.get("detail") or "-")
    return [(kernel, reason, "0", detail) for (_, kernel), (reason, detail) in found.items()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--options", default="", help="build options for the OpenCL C files")
    parser.add_argument("--helper", default=str(ROOT / "build" / "clsizer-analyze"))
    parser.add_argument("--list", action="store_true", help="one line per kernel, too")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    reasons = collections.Counter()
    for path in args.files:
        rows = report(path) if path.suffix == ".jsonl" else analyse(args.helper, path, shlex.split(args.options))
        for kernel, reason, line, detail in rows:
            reasons[reason] += 1
            if args.list:
                print(f"{path.name}:{line}: {kernel}: {reason} ({detail})")
    total = sum(reasons.values())
    if total == 0:
        sys.exit("coverage: no kernels")
    for reason, n in reasons.most_common():
        print(f"{n:6} {100 * n / total:5.1f} %  {reason}")
    print(f"{total:6} kernels")


if __name__ == "__main__":
    main()
