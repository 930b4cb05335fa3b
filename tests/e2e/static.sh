#!/usr/bin/env bash
# Properties of the tree and of the built library that no run shows.
#
#   static.sh rooms BUILD           includes and calls go only downwards, and no files call each other in a circle
#   static.sh includes              only the helper includes LLVM's headers, only shim OpenCL's
#   static.sh drivers               single drivers are named in the table of their quirks alone
#   static.sh documents             what the documents name exists; every room and every file has its entry
#   static.sh needed BUILD          libclsizer.so needs libc alone
#   static.sh symbols BUILD         it exports the intercepted calls, what a layer has, prctl(), and nothing else
#   static.sh calls BUILD           our part of the library neither uses stdout nor ends the process, and finds what it calls
#   static.sh format                clang-format would change nothing
#   static.sh cppcheck              cppcheck finds nothing
#   static.sh page                  BENCHMARKS.md is what scripts/bench makes of benchmarks/, which is small
#
# Exit status: 0 fine, 1 not, 77 a tool is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

check=${1:?which check}
build=${2:-build}
failed=0

fail() {
    echo "FAIL $*"
    failed=1
}

need() {
    command -v "$1" >/dev/null || { echo "skip: no $1"; exit 77; }
}

sources() {
    find analysis devices profiler select shim tests -name '*.[ch]' | sort
}

# forbid PATTERN FILE...: no FILE may include what PATTERN matches
forbid() {
    local pattern=$1 hits
    shift
    hits=$(grep -nHE "^[[:space:]]*#[[:space:]]*include[[:space:]]+[<\"]($pattern)" "$@" /dev/null || true)
    [ -z "$hits" ] || fail "no $pattern here:"$'\n'"$hits"
}

# files FOLDER [PATTERN]: the sources and headers in FOLDER, without those whose names match PATTERN
files() {
    find "$1" -name '*.[ch]' | grep -vE "${2:-^$}" | sort
}

includes() {
    local llvm='llvm-c/|clang-c/|llvm/|clang/'
    # shellcheck disable=SC2046
    {
        forbid "$llvm" $(files analysis/summary) $(files analysis/prove) $(files devices) $(files select) \
            $(files profiler) $(files shim)
        forbid 'CL/' $(files analysis) $(files devices) $(files select) $(files profiler)
        forbid '(analysis|devices|select|profiler|shim)/' $(files tests/apps)
    }
}

# Drivers are named in the table of their quirks alone, and where it is told how a device was measured (*.dev).  Names
# from the OpenCL registry are not theirs: of functions and constants (clFunctionINTEL), of options (-cl-intel-...).
drivers() {
    local names='pocl|mesa|rusticl|clover|intel|oclgrind' hits
    hits=$(find analysis devices profiler select shim -type f -not -name '*.md' -not -name '*.dev' -not -name '*.pyc' \
        -not -path analysis/summary/driver_quirks.def -exec grep -HnE '' {} + |
        sed -E 's/\<(our_)?cl[A-Z][A-Za-z]*INTEL\>|\<CL_[A-Z_]+_INTEL\>|"-cl-intel-//g' | grep -iE "$names" || true)
    [ -z "$hits" ] || fail "drivers are named outside analysis/summary/driver_quirks.def:"$'\n'"$hits"
}

rooms() {
    need nm
    python3 tests/e2e/rooms.py "$build" || fail rooms
}

documents() {
    python3 tests/e2e/documents.py || fail documents
}

needed() {
    need readelf
    local unexpected
    unexpected=$(readelf -d "$build/libclsizer.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -vxE 'libc\.so\.6|ld-linux-x86-64\.so\.2|ld-linux-aarch64\.so\.1' || true)
    [ -z "$unexpected" ] || fail "libclsizer.so needs more than libc: $unexpected"
}

symbols() {
    need readelf
    local listed exported
    listed=$(python3 tests/e2e/rooms.py --exported | sort)
    exported=$(readelf --dyn-syms -W "$build/libclsizer.so" |
        awk '$7 != "UND" && ($5 == "GLOBAL" || $5 == "WEAK") { sub(/@.*/, "", $8); print $8 }' | sort -u)
    [ "$listed" = "$exported" ] || fail "exported symbols differ from shim/calls/*.def and layer.c:"$'\n'"$(
        diff <(echo "$listed") <(echo "$exported"))"
}

calls() {
    need nm
    local users
    # _exit: in spawn.c, by the forked child
    users=$(find "$build"/shim/CMakeFiles/{clsizer_objects,clsizer_options}.dir "$build"/{profiler,select,devices}/CMakeFiles \
        "$build"/analysis/CMakeFiles/clsizer_summary.dir -name '*.o' -not -name 'predict*' -print0 | xargs -0 nm -A -u |
        grep -E ' (stdout|printf|vprintf|puts|putchar|__printf_chk|exit|_exit|quick_exit|abort|__assert_fail)$' |
        grep -v '/spawn\.c\.o: .* _exit$' || true)
    [ -z "$users" ] || fail "these refer to stdout or end the process:"$'\n'"$users"
    # What is called behind preloaded wrappers must have been looked up there.
    for users in $(grep -roh 'next()->cl[A-Za-z]*' shim | sed 's/next()->//' | sort -u); do
        grep -q "[ (*]$users," shim/calls/intercepted.def shim/calls/commands.def || grep -q "FIND($users);" shim/calls/preload.c ||
            fail "$users is called, but preload.c does not look it up"
    done
}

format() {
    local tool
    tool=$(command -v clang-format-14 || command -v clang-format || true)
    [ -n "$tool" ] || { echo "skip: no clang-format"; exit 77; }
    sources | xargs "$tool" --dry-run --Werror || fail "clang-format -i would change the files above"
}

run_cppcheck() {
    need cppcheck
    # headers: where they are included; two processes at least: one alone follows calls across files, and is wrong there
    sources | grep -v '^tests/unit/\|\.h$' | xargs cppcheck --quiet --std=c11 --enable=warning --inline-suppr \
        --suppressions-list=tests/e2e/cppcheck.suppress --suppress=missingIncludeSystem --error-exitcode=1 \
        -j "$(($(nproc) + 1))" -I . -D_GNU_SOURCE || fail "cppcheck"
}

page() {
    local made large
    made=$(mktemp)
    python3 scripts/bench --only report --report "$made"
    diff BENCHMARKS.md "$made" || fail "\`scripts/bench.sh --only report\` would change BENCHMARKS.md"
    rm -f "$made"
    large=$(find benchmarks -size +200k)
    [ -z "$large" ] || fail "raw results belong into bench-results: $large"
}

case $check in
cppcheck) run_cppcheck ;;
includes | drivers | rooms | documents | needed | symbols | calls | format | page) "$check" ;;
*) echo "unknown check $check" >&2; exit 2 ;;
esac
exit "$failed"
