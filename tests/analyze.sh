#!/bin/sh
# analyze.sh HELPER [SPIR-V TRANSLATOR] - request mode of clsizer-analyze: what it refuses, and that an answer always comes.
helper=${1:?usage: analyze.sh HELPER} translator=${2-}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0
kernel='__kernel void k(__global int *o) { o[get_global_id(0)] = 1; }'
pocl='cpu|GenuineIntel|OpenCL 3.0 PoCL HSTR: pthread-x86_64'
nvidia='NVIDIA H200|NVIDIA Corporation|OpenCL 3.0 CUDA'
intel='Intel(R) Xeon(R)|Intel(R) Corporation|OpenCL 3.0 (Build 0)'
intel_gpu='Intel(R) Arc(TM)|Intel(R) Corporation|OpenCL 3.0 NEO '

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
try empty-folder unsupported-option: "$pocl" '-I "" -DX' "$kernel"
try empty-definition unsupported-option: "$pocl" '-D ""' "$kernel"
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
# ... behind a byte order mark; with the line ends of old Macs, and in half a line end that follows a continuation.
mark=$(printf '\357\273\277') cr=$(printf '\r')
try byte-order-mark driver-macro: "$pocl" '' "$mark#ifdef __x86_64__
#endif
$kernel"
try mark-and-include include-not-found: "$pocl" '' "$mark#include \"not-there.h\"
$kernel"
try carriage-returns driver-macro: "$pocl" '' "//$cr#ifdef __x86_64__$cr#endif$cr$kernel"
try return-and-include include-not-found: "$pocl" '' "$kernel$cr#include \"not-there.h\"$cr"
try continued-returns driver-macro: "$pocl" '' "#if\\$cr def\\
${cr}ined(__x86_64__)$cr#endif$cr$kernel"
try dos-lines '' "$pocl" '' "#define ONE \\$cr
 1$cr
#if ONE$cr
$kernel$cr
#endif$cr
"
# A macro need not be asked for by a conditional.
asks="__kernel void k(__global int *o) { o[get_global_id(0)] ="
try plain-clang driver-macro: "$pocl" '' "$asks __clang_major__ < 3 ? get_local_id(0) : 1; }"
try plain-time driver-macro: "$pocl" '' "$asks __TIME__[7] == 49 ? get_local_id(0) : 1; }"
for name in __FILE__ __BASE_FILE__ __FILE_NAME__; do
    try "plain-$name" driver-macro: "$pocl" '' "$asks sizeof($name) == 9 ? get_local_id(0) : 1; }"
done
for name in __COUNTER__ __INCLUDE_LEVEL__; do
    try "plain-$name" driver-macro: "$pocl" '' "$asks $name == 1 ? get_local_id(0) : 1; }"
done
try plain-version driver-macro: "$nvidia" '' "$asks __OPENCL_VERSION__ == 250 ? get_local_id(0) : 1; }"
try plain-version-120 '' "$pocl" '' "$asks __OPENCL_C_VERSION__ + __LINE__; }"
try plain-own '' "$nvidia" '' "int __mine(int x) { return x; }
$asks __mine(1); }"

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
$kernel" | sed "s/^bits 64$/built $built\n&/" >"$dir/request"
answer include-changed include-changed:
macro __x86_64__ 'driver-macro: __x86_64__' "$pocl"
macro __x86_64__ 'driver-macro: __x86_64__' "$nvidia"
macro _OPENMP '' "$pocl"
macro _SOMEBODYS_EMU_H '' "$pocl"
macro _SOMEBODYS_EMU_H driver-macro: "$nvidia"
macro _OPENCL_H_ driver-macro: "$pocl"
macro _SOMEBODYS_EMU driver-macro: "$pocl"
macro __SOMEBODYS_EMU_H driver-macro: "$pocl"
macro __powerpc__ '' "$pocl"
macro __powerpc__ driver-macro: "$nvidia"
macro __powerpc__ '' "$intel"
macro __arm__ '' "$intel"
macro __x86_64__ driver-macro: "$intel"
macro __CPU__ driver-macro: "$intel"
macro __INTEL_LLVM_COMPILER driver-macro: "$intel"
macro __ARM_NEON driver-macro: 'cpu|ARM|OpenCL 3.0 PoCL HSTR: pthread-aarch64-unknown-linux-gnu-cortex-a72'
macro __NV_CL_C_VERSION '' "$pocl"
macro __NV_CL_C_VERSION driver-macro: "$nvidia"
macro __AMD__ '' "$nvidia"
macro __clang__ '' "$pocl"
macro __clang__ driver-macro: "$nvidia"
macro __clang__ '' "$intel"
macro __clang__ driver-macro: "$intel_gpu"
macro __SPIR__ driver-macro: "$intel"
macro __SOMETHING__ driver-macro: "$pocl"
# Neither driver defines it, nor PoCL the other: a program that needs them to compile does not.
try gnuc does-not-compile: "$pocl" '' "#ifdef __GNUC__
$kernel
#else
nothing
#endif"
try spir64 does-not-compile: "$pocl" '' "#ifdef __SPIR64__
$kernel
#else
nothing
#endif"
# ... behind a NUL byte in a header, which clang takes for white space.
printf '\000\n#ifdef __x86_64__\n#endif\n' >"$dir/nul.h"
try nul-in-a-header driver-macro: "$pocl" "-I$dir" "#include \"nul.h\"
$kernel"
# PoCL's own headers, and clang's.
macro cl_khr_depth_images driver-macro: "$pocl"
macro inline driver-macro: "$pocl"
macro CLANG_HAS_RW_IMAGES driver-macro: "$pocl"
macro __opencl_c_named_address_space_builtins driver-macro: "$pocl"
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

# What the program defines itself, before it asks and whatever else is so, has the value that it gives; clang predefines before.
asks_size="#if __SIZEOF_THING__ == 8
#endif
$kernel"
asks_vendor="#if __NV_CL_C_VERSION > 5 || __POCL__
#endif
$kernel"
try own-size driver-macro: "$pocl" '' "$asks_size"
try own-size-option '' "$pocl" -D__SIZEOF_THING__=8 "$asks_size"
try own-size-elsewhere '' "$nvidia" -D__SIZEOF_THING__=8 "$asks_size"
try own-size-define '' "$pocl" '' "#define __SIZEOF_THING__ 8
$asks_size"
try own-size-or driver-macro: "$pocl" '' "#ifndef __SIZEOF_THING__
#define __SIZEOF_THING__ 8
#endif
$asks_size"
try own-size-sometimes driver-macro: "$pocl" -DSOME "#ifdef SOME
#define __SIZEOF_THING__ 8
#endif
$asks_size"
try own-size-later driver-macro: "$pocl" '' "$asks_size
#define __SIZEOF_THING__ 8"
try own-size-later-in-code driver-macro: "$pocl" '' "$asks __SIZEOF_THING__; }
#define __SIZEOF_THING__ 8
$asks_size"
try own-size-popped driver-macro: "$pocl" '' "#pragma push_macro(\"__SIZEOF_THING__\")
#define __SIZEOF_THING__ 8
#pragma pop_macro(\"__SIZEOF_THING__\")
$asks_size"
try own-processor '' "$pocl" -D__x86_64__=7 "#if __x86_64__ == 7
#endif
$kernel"
try own-vendor 'driver-macro: __POCL__' "$pocl" '' "$asks_vendor"
try own-vendor-option '' "$pocl" -D__POCL__ "$asks_vendor"
try own-vendor-itself driver-macro: "$nvidia" '-D__POCL__ -D__NV_CL_C_VERSION=3' "$asks_vendor"
try own-language 'driver-macro: __OPENCL_VERSION__' "$nvidia" -D__OPENCL_VERSION__=250 "$asks __OPENCL_VERSION__ == 250 ? get_local_id(0) : 1; }"
mesa='llvmpipe|Mesa|OpenCL 3.0 rusticl' gpu='PoCL GPU|NVIDIA|OpenCL 3.0 PoCL HSTR: CUDA-sm_75'
macro __MESA__ '' "$pocl"
macro __MESA__ driver-macro: "$mesa"
macro __NVPTX__ '' "$pocl"
macro __NVPTX__ driver-macro: "$gpu"
macro __has_builtin '' "$pocl"
macro __has_builtin driver-macro: "$nvidia"

# builtin NAME EXPECTED DEVICE: a program that asks for one of the compiler's functions
builtin() {
    try "builtin $1 on ${3%%|*}" "$2" "$3" '' "#ifndef __has_builtin
#define __has_builtin(x) 0
#endif
#if defined(__has_builtin) && __has_builtin( /* */ $1)
#endif
$kernel"
}
builtin __builtin_amdgcn_thing '' "$pocl"
builtin __builtin_amdgcn_thing '' "$mesa"
builtin __builtin_amdgcn_thing driver-macro: 'gfx906|Advanced Micro Devices, Inc.|OpenCL 2.0 x'
builtin __nvvm_thing '' "$pocl"
builtin __nvvm_thing driver-macro: "$gpu"
builtin __builtin_ia32_thing 'driver-macro: __has_builtin(__builtin_ia32_thing)' "$pocl"
builtin __builtin_expect '' "$pocl"
builtin __builtin_expect '' "$mesa"
builtin __builtin_expect '' "$intel"
builtin __builtin_expect driver-macro: "$intel_gpu"
builtin __builtin_expect driver-macro: "$nvidia"
builtin __builtin_thing driver-macro: "$intel"
builtin __builtin_thing driver-macro: "$pocl"
builtin get_global_id driver-macro: "$pocl"
try builtin-in-code driver-macro: "$pocl" '' "$asks __has_builtin(__builtin_ia32_pause) ? get_local_id(0) : 1; }"
try builtin-by-another-name driver-macro: "$pocl" '' "#define has __has_builtin
#if has(thing)
#endif
$kernel"
try builtin-by-a-macro driver-macro: "$pocl" '' "#define has(x) __has_builtin(x)
#if has(thing)
#endif
$kernel"

# Groups of several sizes, where the program leaves the size to the driver: OpenCL 2.0's.
uneven() {
    try "$1" '' "$2" "$3" "$kernel"
    grep -q "^flags$4\$" "$dir/answer" || { echo "not ok $1: $(grep '^flags' "$dir/answer")"; failed=1; }
}
uneven even-1.2 "$nvidia" '' ''
uneven uneven-3.0 "$nvidia" '-cl-std=CL3.0' ' uneven'
uneven even-by-option "$nvidia" '-cl-std=CL3.0 -cl-uniform-work-group-size' ''
uneven even-by-driver "$pocl" '-cl-std=CL3.0' ''
uneven even-by-device 'A GPU|A vendor|OpenCL 1.2 x' '-cl-std=CL1.2' ''

# ---- linked programs -----------------------------------------------------------------------------------

# unit FORM OPTIONS SOURCE [NAME TEXT]...: with headers
unit() {
    printf 'unit %s %d %d %d\n%s%s' "$1" ${#2} ${#3} $((($# - 3) / 2)) "$2" "$3"
    shift 3
    while [ $# -gt 0 ]; do
        printf 'header %d %d\n%s%s' ${#1} ${#2} "$1" "$2"
        shift 2
    done
}

# linked NAME EXPECTED LINK-OPTIONS UNITS
linked() {
    request "$pocl" "$3" "$4" | sed 's/^images 1$/&\nform units/' >"$dir/request"
    answer "$1" "$2"
}

f_user='int f(int);
__kernel void k(__global int *o) { o[get_global_id(0)] = f(3); }'
linked two-units '' '' "$(unit c '' "$f_user")$(unit c '-DB=2' 'int f(int x) { return B * x; }')"
grep -q '^fact S proved' "$dir/answer" || { echo 'not ok two-units: k is not proved'; failed=1; }
linked link-options '' '-create-library -cl-fast-relaxed-math' "$(unit c '' "$kernel")"
linked unknown-link-option unsupported-option: '-frobnicate' "$(unit c '' "$kernel")"
linked twice-defined does-not-link: '' "$(unit c '' 'int f() { return 1; }')$(unit c '' 'int f() { return 2; }')"
linked bad-unit does-not-compile: '' "$(unit c '' "$kernel")$(unit c '' 'int f(')"
linked cut-unit bad-request: '' 'unit c 0 10 0
short'
linked embedded-header '' '' "$(unit c '' "#include \"deep/a.h\"
$kernel" deep/a.h '#include "b.h"' deep/b.h 'int g(int);')"
linked header-macro driver-macro: '' "$(unit c '' "#include \"a.h\"
$kernel" a.h '#ifdef __x86_64__
#endif')"
linked header-twice ambiguous-header: '' "$(unit c '' "$kernel" a.h 'int g();' a.h 'int h();')"
linked header-outside ambiguous-header: '' "$(unit c '' "$kernel" ../a.h 'int g();')"
linked header-is-a-file ambiguous-header: '' "$(unit c "-I$dir" "$kernel" one.h 'int g();')"
linked missing-header include-not-found: '' "$(unit c '' '#include "c.h"' a.h '')"

# ---- SPIR-V --------------------------------------------------------------------------------------------

request "$pocl" '' 'this is no SPIR-V' | sed 's/^images 1$/&\nform spirv/' >"$dir/request"
if [ -n "$translator" ]; then
    answer no-spirv does-not-translate:
else
    answer no-translator no-spirv-translator:
fi

# spirv_fact NAME KERNEL FACTS - of a kernel in SPIR-V
spirv_fact() {
    facts=$("$helper" --facts "$dir/k.spv" | awk -F'\t' -v k="$2" '$1 == k { print $2, $3 }')
    if [ "$facts" = "$3" ]; then
        echo "ok $1"
    else
        echo "not ok $1: $facts, not $3"
        failed=1
    fi
}

# A kernel that calls a kernel is called with the wrong convention, and atomics have their scope.
cat >"$dir/k.cl" <<'EOF'
__kernel void callee(__global uint *o) { o[get_global_id(0)] = get_local_size(0); }
__kernel void caller(__global uint *o) { callee(o); }
__kernel void wide(__global atomic_uint *o)
{
    atomic_fetch_add_explicit(o, 1, memory_order_relaxed, memory_scope_device);
}
__kernel void narrow(__global atomic_uint *o)
{
    atomic_fetch_add_explicit(o, 1, memory_order_relaxed, memory_scope_work_group);
}
EOF
if [ -n "$translator" ] && "clang-${translator##*-}" -c -x cl -target spir64-unknown-unknown -cl-std=CL2.0 -O0 \
    -Xclang -disable-O0-optnone -emit-llvm -Xclang -finclude-default-header -o "$dir/k.bc" "$dir/k.cl" 2>/dev/null &&
    "$translator" "$dir/k.bc" -o "$dir/k.spv" 2>/dev/null; then
    spirv_fact spirv-caller caller '-012IAU local-size-observed'
    spirv_fact spirv-device-scope wide 'S012-AU tunable'
    spirv_fact spirv-group-scope narrow '-012--U ordered-atomic'
fi

# A name that looks like an instruction with flags.
echo '__kernel void named(__global uint *o, uint n) { o[n + 1] = n; }' >"$dir/k.cl"
if [ -n "$translator" ] && "clang-${translator##*-}" -S -x cl -target spir64-unknown-unknown -O0 -emit-llvm \
    -fno-discard-value-names -Xclang -disable-O0-optnone -o - "$dir/k.cl" 2>/dev/null |
    sed 's/%add /%"a = add nsw i32" /g; s/%add$/%"a = add nsw i32"/; s/%add,/%"a = add nsw i32",/' >"$dir/k.ll" &&
    "clang-${translator##*-}" -c -x ir -target spir64-unknown-unknown -emit-llvm -o "$dir/k.bc" \
        "$dir/k.ll" 2>/dev/null &&
    "$translator" "$dir/k.bc" -o "$dir/k.spv" 2>/dev/null; then
    if grep -q 'a = add nsw' "$dir/k.spv" && "$helper" --summary "$dir/k.spv" | grep -q '^[0-9]* add bits=32 cls'; then
        echo "ok spirv-name"
    else
        echo "not ok spirv-name: $("$helper" --summary "$dir/k.spv" | grep '^[0-9]* add bits=32')"
        failed=1
    fi
fi

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

# A byte that reaches its stores on 16^8 ways.
ways() {
    echo '__kernel void k(__global uchar *o, __global const float *f, __global const int *m) {'
    numbers='0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15'
    for i in $numbers; do echo "uchar a$i = o[$i], b$i;"; done
    echo 'size_t g = get_global_id(0); a0 = (uchar)f[g];'
    from=a to=b
    for layer in 0 1 2 3 4 5 6 7; do
        echo "switch (m[$layer] & 15) {"
        for j in $numbers; do
            echo "case $j:"
            for i in $numbers; do echo "$to$i = $from$(((i + j) % 16));"; done
            echo 'break;'
        done
        echo '}'
        from=$to to=$([ $to = a ] && echo b || echo a)
    done
    for i in $numbers; do echo "o[16 * g + $i] = $from$i;"; done
    echo '}'
}
request "$pocl" '' "$(ways)" >"$dir/request"
answer many-ways '' --deadline 10000

# Pragmas relax floating point, too; clang has this one for the driver's target and not for SPIR.
relaxed() {
    try "$1" '' "$pocl" '' "$2
__kernel void k(__global float *o, int n) {
$3
float a = 0; for (int i = 0; i < n; i++) a += o[n * get_global_id(0) + i]; o[get_global_id(0)] = a; }"
    grep -q "^flags$4\$" "$dir/answer" || { echo "not ok $1: $(grep '^flags' "$dir/answer")"; failed=1; }
}
relaxed not-relaxed '' '' ''
relaxed reassociated '' '#pragma clang fp reassociate(on)' ' relaxed'
relaxed contracted '#pragma clang fp contract(fast)' '' ' relaxed'
relaxed as-usual '#pragma OPENCL FP_CONTRACT ON' '' ''
relaxed float-control '#pragma float_control(precise, off)' '' ' relaxed'

# Options that leave special values open.
for option in -cl-finite-math-only -cl-denorms-are-zero -cl-no-signed-zeros; do
    try "$option" '' "$pocl" "$option" "$kernel"
    grep -q '^flags loose' "$dir/answer" || { echo "not ok $option: $(grep '^flags' "$dir/answer")"; failed=1; }
done

# ---- for people ----------------------------------------------------------------------------------------

# says STATUS PATTERN ARGUMENT...: what is printed on either stream
says() {
    expected=$1 pattern=$2
    shift 2
    timeout 60 "$helper" "$@" >"$dir/out" 2>&1
    status=$?
    [ $status = "$expected" ] && grep -q -e "$pattern" "$dir/out" && echo "ok $*" && return
    echo "not ok $*: status $status, expected $expected and '$pattern': $(cat "$dir/out")"
    failed=1
}

printf '%s\n' "$kernel" >"$dir/k.cl"
printf '__kernel void k(' >"$dir/broken.cl"
says 0 '^usage: ' --help
says 2 "unrecognized option '--frobnicate'" --frobnicate "$dir/k.cl"
says 2 'one file at a time' "$dir/k.cl" "$dir/k.cl"
says 2 '^usage: '
says 1 'missing.cl: No such file' "$dir/missing.cl"
truncate -s 200M "$dir/large.cl"
says 1 'large.cl: File too large' "$dir/large.cl"
says 1 '^clsizer-analyze: .*broken.cl: does-not-compile: 1:' "$dir/broken.cl"
says 1 'unsupported-option: --frobnicate' --facts "$dir/k.cl" -- --frobnicate
says 0 '^k.S012IAU.tunable' --facts "$dir/k.cl" -- -DX=1
# What grows without bounds when it is looked at, or inlined, as it is written.
ten() { printf '%s %s %s %s %s %s %s %s %s %s\n' "$1" "$1" "$1" "$1" "$1" "$1" "$1" "$1" "$1" "$1"; }
cat >"$dir/grows.cl" <<EOF
__kernel void squares(__global int *o)
{
    int i = get_global_id(0), x = i;
    for (int k = 0; k < 1024; k++) { $(ten "$(ten 'x *= x;')") }
    o[i] = x;
}
EOF
says 0 squares_wide8 --emit wide=8 "$dir/grows.cl"
# PoCL has no vload for global memory there, and would say so on the program's stderr.
says 0 ' [*](global squares_int8 [*])(o' --emit wide=8 --driver pocl "$dir/grows.cl" -- -cl-std=CL2.0
cat >"$dir/inlined.cl" <<EOF
void leaf(__global int *o, int n) { o[n] += n * o[n + 1]; }
void leaves(__global int *o, int n) { $(ten "$(ten 'leaf(o, n++);')") }
void branch(__global int *o, int n) { $(ten "$(ten 'leaves(o, n++);')") }
__kernel void huge(__global int *o, int n) { $(ten 'branch(o, n++);') }
EOF
says 1 'huge: .*too-large' --emit wide=8 "$dir/inlined.cl"
# Of several functions that are too large each goes once.
cat >"$dir/calls.cl" <<EOF
#define F(n, m) void f##n(__global int *o) { $(ten "f##m(o);") }
void f0(__global int *o) { o[get_global_id(0)] += 1; }
F(1, 0) F(2, 1) F(3, 2) F(4, 3) F(5, 4) F(6, 5)
__kernel void huge(__global int *o) { f6(o); }
__kernel void small(__global int *o) { f0(o); }
EOF
says 0 'huge.*too-large' --facts "$dir/calls.cl"
says 0 'small.*tunable' --facts "$dir/calls.cl"
# What depends on the driver: of the one that is named, or of all.
cat >"$dir/d.cl" <<'EOF'
#if __SOMETHING__ && __MESA__
#endif
__kernel void k(__global float *o, int n) { o[get_global_id(0)] /= n; barrier(CLK_GLOBAL_MEM_FENCE); }
EOF
fast=-cl-fast-relaxed-math own=-D__SOMETHING__
says 0 '^  with pocl, pocl7: driver-barriers: a barrier' "$dir/d.cl"
says 0 '^  with mesa, oclgrind, intel, nvidia, amd: relaxed-math: ' "$dir/d.cl" -- $fast
says 0 '^with pocl, pocl7, mesa, oclgrind, intel-cpu, intel, nvidia, amd: driver-macro: __SOMETHING__' "$dir/d.cl"
says 0 '^with mesa: driver-macro: __MESA__' "$dir/d.cl" -- -D__SOMETHING__
says 0 '^k.S012-AU.tunable' --facts "$dir/d.cl" -- $fast
says 0 '^k.S012-AU.driver-barriers' --facts --driver pocl "$dir/d.cl" -- $own
says 0 '^k.S012-AU.tunable' --facts --driver nvidia "$dir/d.cl" -- $own
says 0 '^k.S012-AU.relaxed-math' --facts --driver nvidia "$dir/d.cl" -- $own $fast
says 1 'd.cl: driver-macro: __SOMETHING__' --facts --driver nvidia "$dir/d.cl"
says 1 'd.cl: driver-macro: __MESA__' --facts --driver mesa "$dir/d.cl" -- $own
# A loop around another one that work-items leave in different rounds: with one driver in one version.
printf '%s\n' 'kernel void k(global float *o, global const float *x) { size_t i = get_global_id(0); float v = 0;' \
    'for (int k = 0; k < 9; k++) { for (int j = 0; j < 8; j++) v += x[i]; if (v > 1) break; } o[i] = v; }' >"$dir/n.cl"
says 0 '^k.S012IA-.tunable' --facts --driver pocl "$dir/n.cl"
says 0 '^k.S012IA-.driver-exits' --facts --driver pocl7 "$dir/n.cl"
# What every launch meets, and what depends on it: with some drivers, or with any.  --facts: tests/golden/any_launch.cl.
cat >"$dir/a.cl" <<'EOF'
kernel void k(global long *o, global const int *a, int n) { int i = get_global_id(0), x = a[i]; if (n == 3) x = 1; o[i] = X; }
EOF
says 0 '^  with pocl, pocl7: undefined-overflow: an integer' "$dir/a.cl" -- '-DX=(long)(a[i]*a[i+1])'
says 0 '^  with pocl, pocl7: tunable, if the launch rules out undefined-overflow: an integer' "$dir/a.cl" -- '-DX=(long)(x*x)'
says 0 '^  tunable, if the launch rules out undefined-index: line 1 ' "$dir/a.cl" -- '-DX=((int[]){1,2,3})[x]'
says 0 '^k.S012IAU.tunable	' --facts --driver nvidia "$dir/a.cl" -- '-DX=(long)(x*x)'
# Who leaves first decides which others are in vectors, and these may compare otherwise if the options let them.
for guard in 'i < 1' 'i >= n'; do
    echo "kernel void k(global float *o, global const float *x, int n) { int i = get_global_id(0); if ($guard) return;
        o[i] = x[2 * i] >= x[2 * i + 1] ? x[2 * i] : x[2 * i + 1]; }" >"$dir/z.cl"
    [ "$guard" = 'i < 1' ] && found=relaxed-math || found=tunable
    says 0 '^k.S012IAU.tunable' --facts --driver intel-cpu "$dir/z.cl"
    says 0 "^k.S012IAU.$found" --facts --driver intel-cpu "$dir/z.cl" -- -cl-no-signed-zeros
done
# What a compiler may find to be divided by 0: with one driver that is anything.
kernel='__kernel void k(__global float4 *o, __global const float4 *x, float a) { int i = get_global_id(0);'
divides() # 0 or 1 line of that; the quotient
{
    echo "$kernel float s = 0; for (int j = 0; j < 9; j++) s += x[j].y; $2; }" >"$dir/q.cl"
    found=$("$helper" --driver mesa "$dir/q.cl" | grep -c '^  with mesa: driver-quotients: ')
    [ "$found" = "$1" ] || { echo "not ok divides by 0: $found times, not $1: $2"; failed=1; }
}
for divisor in 0.0f '((x[i] - x[i + 1]) * 0.0f)' '(x[i] - x[i])' 'floor(0.5f)' '(float4)(1.0f, 2.0f, a, 0.0f)' '-sqrt(0.0f)' \
    'mad(x[i], 0.0f, 0.0f)' 'mix(0.0f, 0.0f, a)'; do
    divides 1 "o[i] = x[i] / $divisor"
done
divides 1 'o[i] = half_divide(x[i], x[i] - x[i])'
divides 1 'o[i].x = atan2(x[i].x, 0.0f * a)'
for divisor in x[i] a s 'sqrt(2.0f)' '(float4)(1.0f, 2.0f, a, 3.0f)' 'fmax(x[i], 0.0f)' 'clamp(x[i], 0.0f, 0.0f + a)' \
    '(x[i] - x[i + 1])' 'mad(x[i], a, 0.0f)'; do
    divides 0 "o[i] = x[i] / $divisor"
done
divides 0 'o[i] = atan2(x[i], x[i + 1])'
says 1 'nobody: no such driver' --driver nobody "$dir/d.cl"
exit $failed
