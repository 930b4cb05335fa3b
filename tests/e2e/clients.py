#!/usr/bin/env python3
"""Programs of others that Debian has: the same output, files and exit status bare and in every way in.

    clients.py --build DIR [CASE...]       no CASE: all; --list prints their names

Every case runs on PoCL, and is skipped, with a word, where its package is not installed.  dpnp is none of Debian's: it
needs a virtual environment that holds it and Intel's runtime for CPUs (pip install dpnp), named by $CLSIZER_DPNP.  scripts/field.sh runs
more of them, and longer.
"""

import os
import pathlib
import subprocess
import sys
import tarfile

from harness import INSTALLED, Skip, expect, run_cases, same

FIELD = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "field"
PYTHON = "/usr/bin/python3"  # the one that Debian's modules belong to
WAYS = ("layer", "preload")  # the first one cold, the second with what the first learned


def compile_client(target, sources, *flags):
    command = ["gcc", "-O1", "-w", "-o", str(target), *map(str, sources), *map(str, flags)]
    done = subprocess.run(command, capture_output=True)
    expect(done.returncode == 0, f"{target} does not compile: {done.stderr.decode()[-500:]}")


def compare(bench, command, cache, **options):
    """Results of the runs inside, in the order of WAYS."""
    bare = bench.run(command, **options)
    results = []
    for way in WAYS:
        results.append(bench.run(command, way, cache=cache, **options))
        same(results[-1], bare, f"{command[0]} {way}")
        expect(results[-1].err == bare.err, f"{command[0]} {way}: stderr {results[-1].err[-300:]}; bare {bare.err[-300:]}")
        bench.wait_for_helper(cache)
    return results


# ---- PoCL's own tests ----------------------------------------------------------------------------------

POCL_SOURCE = pathlib.Path("/usr/src/pocl.tar.xz")
POCL_TESTS = """buffer-image-copy clBuildProgram clCreateKernelsInProgram clCreateProgramWithBinary
clEnqueueNativeKernel clGetDeviceInfo clGetEventInfo clSetEventCallback clSetMemObjectDestructorCallback
command_buffer command_buffer_images dlopen event_cycle event_double_wait event_free fill-buffer
read-copy-write-buffer user_event""".split()
POCL_FLAGS = ["-D_GNU_SOURCE", "-DCL_TARGET_OPENCL_VERSION=300",
              *(f"-DCL_USE_DEPRECATED_OPENCL_1_{minor}_APIS" for minor in range(3))]


def pocl_tests(bench):
    """The runtime tests of PoCL, from its source package."""
    if not POCL_SOURCE.exists():
        raise Skip("pocl-source is not installed")
    work, cache = bench.store("pocl-source"), bench.store("cache")
    with tarfile.open(POCL_SOURCE) as archive:
        archive.extractall(work, [m for m in archive if m.name.startswith(("pocl/poclu/", "pocl/tests/runtime/"))])
    tree = work / "pocl"
    (work / "pocl_opencl.h").write_text('#include <CL/opencl.h>\n#include "poclu.h"\n')
    (work / "config.h").write_text(f'#define SRCDIR "{tree}"\n#define BUILDDIR "{work}"\n')
    flags = [*POCL_FLAGS, "-I", work, "-I", tree / "poclu", "-lOpenCL", "-lm", "-lpthread"]
    compile_client(work / "libpoclu.so", (tree / "poclu").glob("*.c"), "-shared", "-fPIC", *flags)
    for name in POCL_TESTS:
        compile_client(work / name, [tree / "tests" / "runtime" / f"test_{name}.c"], work / "libpoclu.so",
                       f"-Wl,-rpath={work}", *flags)
        compare(bench, [work / name], cache)


# ---- libraries -----------------------------------------------------------------------------------------


def clblast(bench):
    """A client of CLBlast, whose kernels all require their size."""
    if not pathlib.Path("/usr/include/clblast_c.h").exists():
        raise Skip("libclblast-dev is not installed")
    program = bench.scratch / "clblast"
    compile_client(program, [FIELD / "clblast.c"], "-lclblast", "-lOpenCL", "-lm")
    results = compare(bench, [program, "200", "short"], bench.store("cache"))
    expect(any(r.of("program", reason="analysed") for r in results), "its kernels were not seen")


def opencv(bench):
    """OpenCV's transparent API from Python; it keeps the programs that it builds as binaries."""
    if not os.path.exists(PYTHON) or subprocess.run([PYTHON, "-c", "import cv2"], capture_output=True).returncode:
        raise Skip("python3-opencv is not installed")
    command = [PYTHON, FIELD / "umat.py", "40", "blur", "warpAffine", "add"]
    cpu = {"OPENCV_OPENCL_DEVICE": ":CPU:"}
    bare = bench.run(command, XDG_CACHE_HOME=bench.store("bare"), **cpu)
    expect(bare.status == 0, f"bare: {bare.status} {bare.err[-500:]}")
    cache, kept, decided = bench.store("cache"), bench.store("opencv"), 0
    for way in ("layer", "preload", "layer"):
        result = bench.run(command, way, cache=cache, XDG_CACHE_HOME=kept, **cpu)
        same(result, bare, way)
        bench.wait_for_helper(cache)
        decided += len(result.of("decision"))
    expect(decided, "nothing was decided")


def dpnp(bench):
    """Arrays on SYCL: memory of the device, pointers to any place in it, and kernels that may follow pointers."""
    venv = pathlib.Path(os.environ.get("CLSIZER_DPNP", INSTALLED / "dpnp"))
    if not (venv / "bin" / "python").exists():
        raise Skip(f"no virtual environment with dpnp in {venv} ($CLSIZER_DPNP)")
    command = [venv / "bin" / "python", FIELD / "strided.py", "60"]
    intel = {"ONEAPI_DEVICE_SELECTOR": "opencl:cpu", "LD_LIBRARY_PATH": venv / "lib", "OCL_ICD_VENDORS": bench.store("none"),
             "OCL_ICD_FILENAMES": venv / "lib" / "libintelocl.so"}
    results = compare(bench, command, bench.store("cache"), CLSIZER_ANALYSE_AFTER="0", **intel)
    expect(any(r.of("decision") for r in results), f"nothing was decided: {results[-1].reasons('refusal')}")
    expect(not any(r.of("refusal", reason="svm-argument") for r in results), "its memory is not known")


CASES = [pocl_tests, clblast, opencv, dpnp]

if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(run_cases(__doc__, CASES))
