"""PoCL's own tests and examples, from Debian's pocl-source: one paragraph per test, with its exit status and output.

    pocl_tests.py FOLDER [PATTERN]         FOLDER: where they are built, once; PATTERN: only names in which it occurs
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tarfile

SOURCE = "/usr/src/pocl.tar.xz"
PARTS = tuple(f"pocl/{part}/" for part in ("poclu", "tests", "examples", "include"))
FLAGS = ["-O1", "-w", "-D_GNU_SOURCE", "-DCL_TARGET_OPENCL_VERSION=300", "-DCL_HPP_ENABLE_EXCEPTIONS",
         *(f"-DCL_USE_DEPRECATED_OPENCL_1_{minor}_APIS" for minor in range(3)), "-DCL_USE_DEPRECATED_OPENCL_2_0_APIS"]
LIBRARIES = ["-lOpenCL", "-lm", "-lpthread", "-ldl"]
EXAMPLES = "example0 example1 example2 example2a matadd matrix1 boxadd scalarwave trig vecadd EinsteinToolkit".split()
REPLICATED = {"POCL_WORK_GROUP_METHOD": "workitemrepl"}  # PoCL's tests run half of the regressions so

# program -> how it is called; the others: once, without arguments
CALLS = {
    "kernel/kernel": [[path] for path in """test_as_type test_convert_type_1 test_convert_type_2 test_convert_type_4
        test_convert_type_8 test_convert_type_16 test_bitselect test_hadd test_min_max test_length_distance
        test_fmin_fmax_fma test_local_struct_array test_convert_sat_regression test_rotate test_fabs test_copy_signbit
        test_ilogb test_ldexp test_isnan test_short16 test_frexp_modf test_block test_printf test_printf_vectors
        test_printf_vectors_ulongn test_sizeof test_ucharn test_abs test_abs_diff test_add_sat test_halfs test_mad_hi
        test_mad_sat test_mul_hi test_rhadd test_sub_sat""".split()],
    "workgroup/run_kernel": [call.split() for call in """implicit_barriers.cl 1 2 1 1;forloops.cl 2 2 1 1
        loopbarriers.cl 1 4 1 1;switch_case.cl 1 4 1 1;tricky_for.cl 1 2 1 1;for_with_divergent_return.cl 1 6 1 1
        cond_barriers_in_for.cl 2 4 1 1;basic_barriers.cl 2 2 2 2;conditional_barriers.cl 1 2 1 1
        outerlooppar.cl 2 2 1 1
        for_bug.cl 1 2 1 1;multilatch_bloop.cl 1 3 1 1;issue_548.cl 1 2 1 1;range_md.cl 1 13 1 1
        range_md.cl 1000 128 1 1""".replace("\n", ";").split(";")],
    "regression/test_alignment_with_dynamic_wg": [call.split() for call in
                                                  "1 1 4;1 1 7;2 2 5;1 7 3;1 8 3;2 8 3;3 3 2;3 2 3".split(";")],
    "examples/matrix1": [["128"], ["128", "-l"], ["512"], ["256", "-r"], ["256", "-f"]],
    "examples/vecadd": [[], ["128000", "128", "10000", "100", "1", "1"]],
    "examples/EinsteinToolkit": [[], ["s"]],
}
LEFT_OUT = {"runtime/test_version",  # needs a header that only PoCL's own build makes
            "regression/test_llvm_segfault_issue_889"}  # says more when the driver has the kernel already
COMPILED = re.compile(rb"(?m)^\d+ warnings? generated\.\n")  # said when the driver does not have the kernel yet
RANDOM = {"examples/example0", "examples/matrix1"}  # other numbers in every run; of these the last line only


def programs(tree):
    """(name, sources) of everything there is."""
    for folder in ("kernel", "workgroup", "regression", "runtime"):
        for path in sorted((tree / "tests" / folder).iterdir()):
            if path.suffix in (".c", ".cpp", ".cc") and f"{folder}/{path.stem}" not in LEFT_OUT:
                yield f"{folder}/{path.stem}", [path]
    for name in EXAMPLES:
        yield "examples/" + name, sorted((tree / "examples" / name).glob("*.c"))


def build(folder):
    """Unpacks and compiles, unless that is done."""
    if (folder / "done").exists():
        return
    with tarfile.open(SOURCE) as archive:
        archive.extractall(folder, [m for m in archive if m.name.startswith(PARTS)])
    tree = folder / "pocl"
    (folder / "pocl_opencl.h").write_text('#include <CL/opencl.h>\n#include "poclu.h"\n')
    (folder / "config.h").write_text(f'#define SRCDIR "{tree}"\n#define BUILDDIR "{folder}"\n')
    include = ["-I", folder, "-I", tree / "poclu", "-I", tree / "include", "-I", tree]
    library = folder / "libpoclu.so"
    subprocess.run(["gcc", *FLAGS, *include, "-shared", "-fPIC", "-o", library, *(tree / "poclu").glob("*.c"), *LIBRARIES],
                   check=True)

    def compile_one(program):
        name, sources = program
        (folder / name).parent.mkdir(exist_ok=True)
        compiler = "gcc" if sources[0].suffix == ".c" else "g++"
        own = [] if name.startswith("runtime/") else [f'-DSRCDIR="{sources[0].parent}"']
        command = [compiler, *FLAGS, *include, *own, "-o", folder / name, *sources, library, f"-Wl,-rpath={folder}",
                   *LIBRARIES]
        subprocess.run(command, check=True)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(compile_one, programs(tree)))
    (folder / "done").touch()


def run(folder, name, arguments, **env):
    try:
        done = subprocess.run([folder / name, *arguments], cwd=(folder / "pocl" / "tests" / "runtime"), timeout=600,
                              capture_output=True, stdin=subprocess.DEVNULL, env={**os.environ, **env})
        status, out, err = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        status, out, err = "timeout", b"", b""
    print("====", name, *arguments, *env.values(), "->", status)
    if name in RANDOM:
        out, err = out.splitlines()[-1] if out else b"", b""
    for text in (out, err):
        print(COMPILED.sub(b"", text).decode(errors="replace"), flush=True)


def main():
    folder, pattern = pathlib.Path(sys.argv[1]).resolve(), (sys.argv[2:] or [""])[0]
    folder.mkdir(parents=True, exist_ok=True)
    build(folder)
    for name, _ in programs(folder / "pocl"):
        if pattern not in name:
            continue
        for arguments in CALLS.get(name, [[]]):
            run(folder, name, arguments)
            if name.startswith("regression/"):
                run(folder, name, arguments, **REPLICATED)


if __name__ == "__main__":
    main()
