"""Every program_test and .cl file of piglit's OpenCL tests, some 660, through its cl-program-tester.

    execution.py [-j JOBS] [PATTERN]       PATTERN: only files in whose path it occurs

A file's line says how the tester ended, its subtests' lines what became of each and, of what did not pass, which values
were wrong.
"""

import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys

PIGLIT = pathlib.Path("/usr/lib/x86_64-linux-gnu/piglit")
FOLDERS = ["tests/cl", "generated_tests/cl"]
MARK = "PIGLIT: "
FAULT = re.compile(r"^.*(?:Expecting|Error at|Could not|error:).*$", re.M)


def files(pattern):
    found = [path for folder in FOLDERS for path in (PIGLIT / folder).rglob("*")
             if path.suffix == ".program_test" or
             path.suffix == ".cl" and not path.with_suffix(".program_test").exists()]
    return sorted(path for path in found if pattern in str(path))


def lines(path):
    """What cl-program-tester says of one file."""
    try:
        done = subprocess.run([PIGLIT / "bin/cl-program-tester", path], cwd=PIGLIT, capture_output=True, timeout=240)
        status, text = done.returncode, (done.stdout + done.stderr).decode(errors="replace")
    except subprocess.TimeoutExpired:
        status, text = "timeout", ""
    said = [json.loads(line[len(MARK):]) for line in text.splitlines() if line.startswith(MARK)]
    result = next((s["result"] for s in said if "result" in s), "none")
    found = [f"{path.relative_to(PIGLIT)} {status} {result}"]
    found += [f"    {name}: {what}" for s in said for name, what in s.get("subtest", {}).items()]
    return found + ["    " + fault.strip() for fault in FAULT.findall(text)]


def main():
    words = sys.argv[1:]
    jobs = 1
    if words[:1] == ["-j"]:
        jobs, words = int(words[1]), words[2:]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for found in pool.map(lines, files(words[0] if words else "")):
            print("\n".join(found), flush=True)


if __name__ == "__main__":
    main()
