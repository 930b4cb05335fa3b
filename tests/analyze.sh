#!/bin/sh
# analyze.sh HELPER - request mode of clsizer-analyze: what it refuses, and that an answer always comes.
helper=${1:?usage: analyze.sh HELPER}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0
kernel='__kernel void k(__global int *o) { o[get_global_id(0)] = 1; }'
pocl='cpu|GenuineIntel|OpenCL 3.0 PoCL HSTR: pthread-x86_64'
nvidia='NVIDIA H200|NVIDIA Corporation|OpenCL 3.0 CUDA'

field() { printf '%s %d\n%s\n' "$1" "$(printf %s "$2" | wc -c)" "$2"; }

# request DEVICE OPTIONS SOURCE
request() {
    printf 'clsizer-request 1\n'
    field options "$2"
    field extensions 'cl_khr_fp64 cl_khr_byte_addressable_store'
    field device "$1"
    printf 'clversion OpenCL C 1.2\nprofile FULL_PROFILE\nbits %s\nendian little\nimages 1\n' "${bits:-64}"
    printf 'source %d\n%s' "$(printf %s "$3" | wc -c)" "$3"
}

# answer NAME EXPECTED [ARGUMENTS]: the error of the answer to $dir/request starts with EXPECTED ("" = no error)
answer() {
    name=$1 expected=$2
    shift 2
    rm -f "$dir/answer"
    noise=$(timeout 60 "$helper" --request "$dir/request" --output "$dir/answer" "$@" 2>&1)
    status=$?
    error=$(sed -n 's/^error "\(.*\)"$/\1/p' "$dir/answer")
    case $error in
    "$expected"*) [ -n "$expected" ] || [ -z "$error" ] ;;
    *) false ;;
    esac && [ $status = 0 ] && [ -z "$noise" ] && tail -n 1 "$dir/answer" | grep -q '^end ' &&
        [ "$(stat -c %a "$dir/answer")" = 600 ] && echo "ok $name" && return
    echo "not ok $name: status $status, error '$error', expected '$expected' $noise"
    failed=1
}

# try NAME EXPECTED DEVICE OPTIONS SOURCE
try() {
    request "$3" "$4" "$5" >"$dir/request"
    answer "$1" "$2"
}

# macro NAME EXPECTED DEVICE: a program that tests one macro
macro() {
    try "macro $1 on ${3%%|*}" "$2" "$3" '' "#ifdef $1
#endif
$kernel"
}

try plain '' "$pocl" '' "$kernel"
bits=32 && try 32-bit '' "$pocl" '' "$kernel" && bits=64
try options '' "$pocl" '-w -Werror -cl-nv-verbose -cl-nv-maxrregcount 32 -D X="1 + 1" -DY -cl-mad-enable' "$kernel"
try unknown-option unsupported-option: "$pocl" '-cl-frobnicate' "$kernel"
try injected-option unsupported-option: "$pocl" '-o /dev/null' "$kernel"
try quoting unsupported-option: "$pocl" "-DX='1'" "$kernel"
try syntax 'does-not-compile: 1:' "$pocl" '' '__kernel void k('
# The same question in disguise: digraph, trigraph, blanks behind a continuation, a comment that ends in two lines.
try digraph driver-macro: "$pocl" '' "%:ifdef __x86_64__
%:endif
$kernel"
try trigraph driver-macro: "$pocl" '' "??=ifdef __x86_64__
??=endif
$kernel"
try continuation driver-macro: "$pocl" '' "#if\\  
def __x86_64__
#endif
$kernel"
try comment driver-macro: "$pocl" '' "/* *\\
/
#ifdef __x86_64__
#endif
/* */
$kernel"

# PoCL renames built-in functions by macros.
macro min driver-macro: "$pocl"
macro atom_add driver-macro: "$pocl"
macro wait_group_events driver-macro: "$nvidia"
macro USE_DOUBLE '' "$pocl"

try include include-not-found: "$pocl" '' '#include "not-there.h"'
# A file that was written after the build began is not what the driver read.
echo '#define ONE 1' >"$dir/one.h"
built=$(($(date +%s) - 60))000000000
request "$pocl" "-I$dir" "#include \"one.h\"
$kernel" | sed "s/^images 1$/&\nbuilt $built/" >"$dir/request"
answer include-changed include-changed:
macro __x86_64__ 'driver-macro: __x86_64__' "$pocl"
macro __x86_64__ 'driver-macro: __x86_64__' "$nvidia"
macro __NV_CL_C_VERSION '' "$pocl"
macro __NV_CL_C_VERSION driver-macro: "$nvidia"
macro __AMD__ '' "$nvidia"
macro __clang__ '' "$pocl"
macro __clang__ driver-macro: "$nvidia"
macro __SOMETHING__ driver-macro: "$pocl"
macro cl_khr_fp64 '' "$nvidia"
macro MY_OPTION '' "$nvidia"
try guard '' "$pocl" '' "#ifndef __K_H__
#define __K_H__
$kernel
#endif"
try comment '' "$pocl" '' "/*
#ifdef __x86_64__
*/
$kernel"
try spliced driver-macro: "$pocl" '' "#if\\
def __x86\\
_64__
#endif
$kernel"
try indirect driver-macro: "$pocl" '' "#define CPU defined(__x86_64__)
#if CPU
#endif
$kernel"

request "$pocl" '' "$kernel" >"$dir/whole"
for n in 0 5 18 30 100 200 $(($(wc -c <"$dir/whole") - 1)); do
    head -c $n "$dir/whole" >"$dir/request"
    answer "truncated to $n" bad-request:
done
request "$pocl" '' "$(
    echo '#define A0 o[0] += 1;'
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
        echo "#define A$i A$((i - 1)) A$((i - 1)) A$((i - 1)) A$((i - 1))"
    done
    echo '__kernel void k(__global int *o) { A15 }'
)" >"$dir/request"
answer deadline analysis-timeout: --deadline 700
exit $failed
