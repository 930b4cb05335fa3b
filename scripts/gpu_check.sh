#!/usr/bin/env bash
# Test and measure clsizer on a machine with a GPU's OpenCL driver and no network.
#
#   scripts/gpu_check.sh --pack DIRECTORY      here, on a machine that builds clsizer: puts everything that is needed into
#                                              DIRECTORY: programs, tests, benchmark, OpenCL loader, clang with its libraries
#   DIRECTORY/gpu_check.sh [SECONDS] [OPTION...]
#                                              there: checks every workload against the host on the device, runs the tests
#                                              that take a driver, each fuzzer for SECONDS (60), benches, and leaves
#                                              DIRECTORY/out/: BENCHMARKS.md, raw numbers, logs.  Options go to the
#                                              benchmark (--quick, --minutes 8, --platform 1, ...)
#
# There: x86-64 with a C library not older than 2.34 and Python 3.9 or newer; the helper brings its own C library.  Copy
# out/benchmarks/* to benchmarks/ and run `scripts/bench.sh --only report` to add the numbers to BENCHMARKS.md; the raw
# ones are in out/bench-results.
# OCL_ICD_VENDORS chooses the driver; without it NVIDIA's is taken where its library is, by an .icd file in DIRECTORY/vendors.
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

# stand_in FILE: a library of the same name and symbols, without what they do.  LLVM's libraries need it to be there, and
# clang calls nothing of it; the two that there are take 50 MB.
stand_in() {
    nm -D --defined-only "$1" | sed -nE 's/^[0-9a-f]+ [A-Z] ([A-Za-z0-9_]+)(@.*)?$/char \1;/p' | sort -u |
        gcc -shared -w -Wl,-soname,"$(basename "$1")" -x c -o "$1.new" -
    mv "$1.new" "$1"
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
    cp build-gpu-check/{clsizer,clsizer-ahead} build-gpu-check/*.so "$pack/build"
    find build-gpu-check/apps -maxdepth 1 -type f -executable -exec cp {} "$pack/build/apps" \;
    find build-gpu-check/tests -maxdepth 1 -type f -executable ! -name 'test_*' -exec cp {} "$pack/build/tests" \;

    clang=$(sed -n 's/^CLSIZER_CLANG:[^=]*=//p' build-gpu-check/CMakeCache.txt)
    resource=$("$clang" -print-resource-dir)
    cp build-gpu-check/clsizer-analyze "$(readlink -f "$clang")" "$pack/helper"
    cp -r "$resource" "$pack/helper/resource"
    rm -rf "$pack/helper/resource/lib"
    for file in $(libraries build-gpu-check/clsizer-analyze "$clang"); do
        cp -L "$file" "$pack/helper/lib"
    done
    for file in libz3 libicudata; do
        stand_in "$pack"/helper/lib/$file.so.*
    done
    cp -L /lib64/ld-linux-x86-64.so.2 "$pack/helper/ld.so"
    strip --strip-debug "$pack"/build/{clsizer,clsizer-ahead,*.so} "$pack"/build/*/* "$pack/helper/clsizer-analyze"
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

at_once=$(nproc) # how many tests

# Which drivers, if nobody says: NVIDIA's by its library, since containers that its runtime made may have no .icd file for
# it, or one for the processor; else the system's.
find_driver() {
    local library
    [ -z "${OCL_ICD_VENDORS:-}" ] || return 0
    library=$( (ldconfig -p 2>/dev/null | sed -n 's/.*libnvidia-opencl\.so\.1 .* => //p'
        ls /usr/local/nvidia/lib64/libnvidia-opencl.so.1 /usr/lib64/libnvidia-opencl.so.1 2>/dev/null || true) | head -n 1)
    if [ -n "$library" ]; then
        mkdir -p "$here/vendors"
        echo "$library" >"$here/vendors/nvidia.icd"
        export OCL_ICD_VENDORS=$here/vendors
    elif compgen -G '/etc/OpenCL/vendors/*.icd' >/dev/null; then
        export OCL_ICD_VENDORS=/etc/OpenCL/vendors
    else
        echo "gpu_check: no .icd file and no libnvidia-opencl.so.1 here" >&2
        exit 1
    fi
}

# each NAME COMMAND...: for every line of standard input, several at once, `{}` being the line; output to out/NAME-LINE.log,
# a line for each that fails
each() {
    local name=$1 list total failed
    shift
    list=$(cat)
    total=$(echo "$list" | wc -l)
    # shellcheck disable=SC2016 # the inner shell expands them
    failed=$(echo "$list" | xargs -P "$at_once" -I '{}' sh -c 'log=$1 line=$2; shift 2; "$@" >"$log" 2>&1 ||
        { s=$?; [ $s = 77 ] || echo "$line: status $s: $(tail -n 1 "$log")"; }' sh "$here/out/$name-{}.log" '{}' "$@")
    [ -z "$failed" ] || echo "$failed" | sed "s/^/FAILED $name: /"
    echo "$name: $total, of which $(echo -n "$failed" | grep -c '') failed"
}

# Each at a small size against the host: bare, and under clsizer twice; the first time their analysis ends too late for such
# short runs.
workloads() {
    local how bench=$here/build/apps/bench small=(--small --check -l 24)
    local tuned=(env CLSIZER_ANALYSE_AFTER=0 "$here/build/clsizer" --quiet --effort patient --)
    "$bench" --list | each bare "$bench" '{}' "${small[@]}"
    for how in cold warm; do
        "$bench" --list | each $how "${tuned[@]}" "$bench" '{}' "${small[@]}"
    done
    grep -c '"event":"decision"' "$here/out/report.jsonl" | sed 's/^/decisions: /' || true
}

# The tests that take a driver: SECONDS for the fuzzers, which share the processor.
tests() {
    local tests=$here/tree/tests seconds=$1 fuzzer
    (cd "$tests/apps" && ls -- *.c) | sed 's/\.c$//; /^common/d' |
        each run python3 "$tests/e2e/run.py" --build "$here/build" --driver "$CLSIZER_TEST_DRIVER" '{}'
    at_once=$(((at_once + 3) / 4))
    for fuzzer in replay calls soundness sizes wide rounding; do
        seq "$at_once" | sed 's/$/00000/' | each "$fuzzer" python3 "$tests/fuzz/$fuzzer.py" --build "$here/build" \
            --seconds "$seconds" --seed '{}' &
    done
    wait
}

# Programs that crash leave a core in out/, if we may say so, until we end.
keep_cores() {
    local pattern
    pattern=$(cat /proc/sys/kernel/core_pattern 2>/dev/null) || return 0
    [ -w /proc/sys/kernel/core_pattern ] || return 0
    ulimit -c unlimited
    # shellcheck disable=SC2064 # the pattern of now
    trap "echo '$pattern' >/proc/sys/kernel/core_pattern" EXIT
    echo "$here/out/core.%E.%p" >/proc/sys/kernel/core_pattern
}

# What the threads of crashed programs were doing: out/crash-N.log, if there is a debugger.
crashes() {
    local debugger core program n=0
    debugger=$(command -v gdb || command -v cuda-gdb) || return 0
    while read -r core && [ $n -lt 8 ]; do
        program=$(basename "$core" | sed 's/^core\.//; s/\.[0-9]*$//; s|!|/|g')
        n=$((n + 1))
        "$debugger" -batch -ex 'thread apply all bt 30' "$program" "$core" >"$here/out/crash-$n.log" 2>&1 || true
    done < <(find "$here/out" -name 'core.*' | sort)
    [ $n = 0 ] || echo "$n crashes: out/crash-*.log"
    find "$here/out" -name 'core.*' -delete
}

check() {
    local seconds=60
    case ${1:-} in [0-9]*) seconds=$1; shift ;; esac
    mkdir -p "$here/out" "$(dirname "$clang_at")"
    ln -sfn "$here/helper/clang-here" "$clang_at"
    export LD_LIBRARY_PATH=$here/loader${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export BENCH_KERNELS=$here/tree/tests/kernels CLSIZER_HELPER=$here/build/clsizer-analyze
    export CLSIZER_CACHE=$here/out/cache CLSIZER_WISDOM=$here/out/wisdom.jsonl CLSIZER_REPORT=$here/out/report.jsonl
    find_driver
    keep_cores
    export CLSIZER_TEST_DRIVER=other CLSIZER_TEST_ICD
    CLSIZER_TEST_ICD=$(find "$OCL_ICD_VENDORS" -name '*.icd' | sort | head -n 1)
    "$here/build/apps/bench" --device | tee "$here/out/device.json"
    workloads | tee "$here/out/workloads.txt"
    if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
        echo "gpu_check: no Python 3.9 here, so no tests and no benchmark; what was found is in $here/out" >&2
        return 1
    fi
    tests "$seconds" | tee "$here/out/tests.txt"
    crashes
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
