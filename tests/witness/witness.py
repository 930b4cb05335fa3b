#!/usr/bin/env python3
"""The model's counts against Oclgrind's: witness.py CLSIZER-ANALYZE COUNTS FILE.cl...

Every `// RUN: KERNEL GLOBAL LOCAL ARGUMENT...` line of a file is executed twice: by Oclgrind, which interprets each
work-item and prints how often it executed which LLVM instruction, and by the model, warp by warp (32 lanes and 1).
ARGUMENT: bN buffer of N bytes, lN bytes of local memory, iN int, fX float.  In files that mention REAL the model
runs each kernel as half, too.

Operations per class and accesses per address space, with their bytes, have to be equal.  Both start from clang's
code for the kernel, but from different versions of LLVM (Oclgrind 21.10: 14; the helper: 15 to 22); what remains
different is the spelling, see classify().
"""
import os
import re
import subprocess
import sys
import tempfile

CLASSES = {
    "iadd": ("add", "sub", "and", "or", "xor", "shl", "lshr", "ashr", "icmp", "fcmp", "select"),
    "imul": ("mul",), "idiv": ("udiv", "sdiv", "urem", "srem"),
    "fadd": ("fadd", "fsub", "fneg"), "fmul": ("fmul",), "fdiv": ("fdiv",),
    "conv": ("sitofp", "uitofp", "fptosi", "fptoui"),
}
CLASS_OF = {op: cls for cls, ops in CLASSES.items() for op in ops}
DOUBLES = {"fadd": "dadd", "fmul": "dmul", "fdiv": "ddiv", "fma": "dfma"}
# Free in the model, and not compared: address computation, renaming, control transfer, work-item functions.
FREE = {"getelementptr", "phi", "bitcast", "alloca", "sext", "zext", "trunc", "fpext", "fptrunc", "ret",
        "insertelement", "extractelement", "shufflevector", "extractvalue", "insertvalue", "freeze", "br", "switch"}


def runs(path):
    with open(path, encoding="utf-8") as source:
        for line in source:
            if line.startswith("// RUN: "):
                words = line.split()[2:]
                yield words[0], triple(words[1]), triple(words[2]), words[3:]


def triple(size):
    return (size.split(",") + ["1", "1"])[:3]


def simulator_file(path, kernel, size, local, arguments):
    lines = [os.path.abspath(path), kernel, " ".join(size), " ".join(local)]
    for a in arguments:
        if a[0] == "b":
            lines.append(f"<size={a[1:]} fill=0 uchar>")
        elif a[0] == "l":
            lines.append(f"<size={a[1:]}>")
        else:
            lines += [f"<size=4 {'int' if a[0] == 'i' else 'float'}>", a[1:]]
    return "\n".join(lines) + "\n"


def classify(histogram, doubles):
    """Oclgrind's instructions as the model's classes.

    * A call of llvm.fmuladd or fma counts as one operation per component; so does everything in the model.
    * A sign extension of a truncated id is `shl` + `ashr` here, `trunc` + `sext`, free, there.
    * `br` and `switch` are not compared: how blocks are joined is up to the version.
    * Private arrays are arithmetic in the model.
    """
    seen = {}

    def add(what, n, size=0):
        old = seen.get(what, (0, 0))
        seen[what] = (old[0] + n, old[1] + size)

    extensions = min(histogram.get("shl", (0, 0))[0], histogram.get("ashr", (0, 0))[0])
    for op, (n, size) in histogram.items():
        memory = re.match(r"(load|store) (global|local|constant|private)$", op)
        call = re.match(r"call (?:llvm\.(?:fmuladd|fma)\.|_Z3fma)(?:v(\d+)|Dv(\d+)_)?", op)
        if memory and memory[2] == "private":
            add("iadd", n)
        elif memory:
            add(f"{memory[2]} {'read' if memory[1] == 'load' else 'write'}", n, size)
        elif call:
            add("fma", n * int(call[1] or call[2] or 1))
        elif op.startswith("call _Z7barrier"):
            add("barrier", n)
        elif op in CLASS_OF:
            add(CLASS_OF[op], n - extensions if op in ("shl", "ashr") else n)
        elif not op.startswith("call ") and op not in FREE:
            sys.exit(f"Oclgrind executed '{op}': what is that in the model?")
    if doubles:
        seen = {DOUBLES.get(k, k): v for k, v in seen.items()}
    return {k: v for k, v in seen.items() if v[0]}


def by_oclgrind(path, kernel, size, local, arguments, folder, doubles):
    sim = os.path.join(folder, "run.sim")
    with open(sim, "w", encoding="utf-8") as f:
        f.write(simulator_file(path, kernel, size, local, arguments))
    done = subprocess.run(["oclgrind-kernel", "--inst-counts", sim], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=True, text=True)
    if done.stderr:  # an access out of bounds, say
        sys.exit(f"{kernel}: {done.stderr}")
    histogram = {}
    for line in done.stdout.splitlines():
        m = re.match(r"\s*([\d,']+) - (.*?)(?: \((\d+) bytes\))?(?:\(\))?$", line)
        if m:
            histogram[m[2]] = (int(re.sub(r"\D", "", m[1])), int(m[3] or 0))
    return classify(histogram, doubles)


def by_model(counts, summary, kernel, size, local, arguments, warp):
    command = [counts, summary, kernel, ",".join(size), ",".join(local), str(warp)] + arguments
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    seen = {}
    for line in done.stdout.splitlines():
        words = line.split()
        if words[0] == "ops":
            seen[words[1]] = (int(words[2]), 0)
        elif len(words) == 4:
            seen[f"{words[0]} {words[1]}"] = (int(words[2]), int(words[3]))
        else:
            seen[words[0]] = (1, 0)
    seen.pop("branch", None)
    return seen


def summarise(analyze, path, output, *options):
    with open(output, "wb") as out:
        subprocess.run([analyze, "--summary", path, *(["--", *options] if options else [])], stdout=out, check=True)
    return output


def halved(want):
    return {k: (n, size // 2) for k, (n, size) in want.items()}


def compare(name, want, got, warp):
    wrong = [k for k in sorted(set(want) | set(got)) if want.get(k) != got.get(k)]
    for k in wrong:
        print(f"not ok {name}, warp {warp}: {k}: Oclgrind {want.get(k)}, model {got.get(k)}")
    return not wrong


def main():
    analyze, counts, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    good, total = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            summary = summarise(analyze, path, os.path.join(folder, "summary"))
            with open(path, encoding="utf-8") as source:
                has_real = "REAL" in source.read()
            as_half = summarise(analyze, path, os.path.join(folder, "half"), "-DREAL=half") if has_real else None
            for kernel, size, local, arguments in runs(path):
                want = by_oclgrind(path, kernel, size, local, arguments, folder, kernel == "doubles")
                variants = [(kernel, summary, want)] + ([(f"{kernel} of half", as_half, halved(want))] if as_half else [])
                for name, file, expected in variants:
                    total += 1
                    if all([compare(name, expected, by_model(counts, file, kernel, size, local, arguments, w), w)
                            for w in (32, 1)]):
                        good += 1
                        print(f"ok {name}: {len(expected)} counts")
    print(f"{good} of {total}")
    return 0 if good == total > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
