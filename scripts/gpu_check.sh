#!/usr/bin/env bash
# Test and measure clsizer on a machine with a GPU's OpenCL driver and no network.
#
#   scripts/gpu_check.sh --pack DIRECTORY      here, on a machine that builds clsizer: puts everything that is needed into
#                                              DIRECTORY: programs, tests, benchmark, OpenCL loader, clang with its libraries
#   DIRECTORY/gpu_check.sh [OPTION...]         there: runs the unit tests, checks every workload against the host on the
#                                              device, benches, and leaves DIRECTORY/out/: BENCHMARKS.md, raw numbers, logs.
#                                              Options go to the benchmark (--quick, --minutes 8, --platform 1, ...)
#
# There: x86-64 with a C library not older than 2.34 and Python 3.9 or newer; the helper brings its own C library.  Copy
# out/benchmarks/* to benchmarks/ and run `scripts/bench.sh --only report` to add the numbers to BENCHMARKS.md; the raw
# ones are in out/bench-results.
# Where no .icd file names the driver (containers that NVIDIA's runtime made), one is written into DIRECTORY/vendors.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# clang is started by its absolute path, which a build fixes; there it is a link to DIRECTORY/helper/clang.
clang_at=/tmp/clsizer-gpu-check/clang

# wrapper FILE PROGRAM [ARGUMENT...]: a script that runs helper/PROGRAM with the libraries beside it
wrapper() {
    local file=$1 program=$2
    shift 2
    cat >"$file" <<SCRIPT
#!/bin/sh
helper=\$(dirname "\$(readlink -f "\$0")")/HELPER
exec "\$helper/ld.so" --library-path "\$helper/lib" "\$helper/$program" $* "\$@"
SCRIPT
    chmod +x "$file"
}

# libraries FILE...: what the dynamic linker loads for them
libraries() {
    ldd "$@" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u
}

pack() {
    local pack clang resource file
    cd "$here/.."
    scripts/setup.sh
    scripts/build.sh build-gpu-check -DCLSIZER_CLANG_AT="$clang_at"
    mkdir -p "$1"
    pack=$(cd "$1" && pwd)
    rm -rf "${pack:?}"/{tree,build,helper,loader,gpu_check.sh}
    mkdir -p "$pack"/{tree,build/apps,build/tests,helper/lib,loader}
    git ls-files -z | tar -c --null -T - | tar -x -C "$pack/tree"
    cp scripts/gpu_check.sh "$pack"
    cp build-gpu-check/{clsizer,clsizer-ahead,libclsizer.so} "$pack/build"
    find build-gpu-check/apps -maxdepth 1 -type f -executable -exec cp {} "$pack/build/apps" \;
    find build-gpu-check/tests -maxdepth 1 -name 'test_*' -type f -executable -exec cp {} "$pack/build/tests" \;

    clang=$(sed -n 's/^CLSIZER_CLANG:[^=]*=//p' build-gpu-check/CMakeCache.txt)
    resource=$("$clang" -print-resource-dir)
    cp build-gpu-check/clsizer-analyze "$(readlink -f "$clang")" "$pack/helper"
    cp -r "$resource" "$pack/helper/resource"
    rm -rf "$pack/helper/resource/lib"
    for file in $(libraries build-gpu-check/clsizer-analyze "$clang"); do
        cp -L "$file" "$pack/helper/lib"
    done
    cp -L /lib64/ld-linux-x86-64.so.2 "$pack/helper/ld.so"
    strip --strip-unneeded "$pack"/build/{clsizer,clsizer-ahead,libclsizer.so} "$pack"/build/*/* "$pack/helper/clsizer-analyze"
    wrapper "$pack/build/clsizer-analyze" clsizer-analyze
    sed -i 's|/HELPER|/../helper|' "$pack/build/clsizer-analyze"
    # shellcheck disable=SC2016 # expands in the wrapper
    wrapper "$pack/helper/clang-here" "$(basename "$(readlink -f "$clang")")" -resource-dir '"$helper/resource"'
    sed -i 's|/HELPER||' "$pack/helper/clang-here"

    for file in $(libraries "$pack"/build/apps/* "$pack"/build/tests/*); do
        case $(basename "$file") in
        libOpenCL.so.* | libsubunit.so.* | libjson-c.so.*) cp -L "$file" "$pack/loader" ;;
        esac
    done
    du -sh "$pack"
}

# Which drivers: the system's .icd files; without any, NVIDIA's by its library.
find_driver() {
    local library
    [ -z "${OCL_ICD_VENDORS:-}" ] || return 0
    if compgen -G '/etc/OpenCL/vendors/*.icd' >/dev/null; then
        export OCL_ICD_VENDORS=/etc/OpenCL/vendors
        return 0
    fi
    library=$( (ldconfig -p 2>/dev/null | sed -n 's/.*libnvidia-opencl\.so\.1 .* => //p'
        ls /usr/local/nvidia/lib64/libnvidia-opencl.so.1 /usr/lib64/libnvidia-opencl.so.1 2>/dev/null || true) | head -n 1)
    if [ -z "$library" ]; then
        echo "gpu_check: no .icd file and no libnvidia-opencl.so.1 here" >&2
        exit 1
    fi
    mkdir -p "$here/vendors"
    echo "$library" >"$here/vendors/nvidia.icd"
    export OCL_ICD_VENDORS=$here/vendors
}

# unit_tests: every one, output to out/, a line each for those that fail
unit_tests() {
    local test passed=0 failed=0
    for test in "$here"/build/tests/test_*; do
        if "$test" >"$here/out/$(basename "$test").log" 2>&1; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAILED: $(basename "$test")"
        fi
    done
    echo "unit tests: $passed passed, $failed failed"
}

# run_workloads HOW [COMMAND...]: each at a small size against the host
run_workloads() {
    local how=$1 name passed=0 failed=0
    shift
    for name in $("$here/build/apps/bench" --list); do
        if "$@" "$here/build/apps/bench" "$name" --small --check -l 24 >"$here/out/$name-$how.log" 2>&1; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAILED: $name $how"
        fi
    done
    echo "workloads against the host, $how: $passed passed, $failed failed"
}

# Bare, and under clsizer twice: the first time their analysis ends too late for such short runs.
workloads() {
    local tuned=(env CLSIZER_ANALYSE_AFTER=0 "$here/build/clsizer" --quiet --effort patient --)
    run_workloads bare env
    run_workloads tuned-cold "${tuned[@]}"
    run_workloads tuned-warm "${tuned[@]}"
    grep -c '"event":"decision"' "$here/out/report.jsonl" | sed 's/^/decisions: /' || true
}

check() {
    mkdir -p "$here/out" "$(dirname "$clang_at")"
    ln -sfn "$here/helper/clang-here" "$clang_at"
    export LD_LIBRARY_PATH=$here/loader${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export BENCH_KERNELS=$here/tree/tests/kernels CLSIZER_HELPER=$here/build/clsizer-analyze
    export CLSIZER_CACHE=$here/out/cache CLSIZER_WISDOM=$here/out/wisdom.jsonl CLSIZER_REPORT=$here/out/report.jsonl
    find_driver
    "$here/build/apps/bench" --device | tee "$here/out/device.json"
    unit_tests | tee "$here/out/unit-tests.txt"
    workloads | tee "$here/out/workloads.txt"
    if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
        echo "gpu_check: no Python 3.9 here, so no benchmark; what was found is in $here/out" >&2
        return 1
    fi
    python3 "$here/tree/scripts/bench" --build "$here/build" --icd "$OCL_ICD_VENDORS" --results "$here/out/bench-results" \
        --summaries "$here/out/benchmarks" --report "$here/out/BENCHMARKS.md" "$@"
}

if [ "${1:-}" = --pack ]; then
    [ $# = 2 ] || { echo "usage: $0 --pack DIRECTORY" >&2; exit 2; }
    pack "$2"
elif [ -d "$here/helper" ]; then
    check "$@"
else
    echo "usage: $0 --pack DIRECTORY, then DIRECTORY/gpu_check.sh on the machine with the GPU" >&2
    exit 2
fi
