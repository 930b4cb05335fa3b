#!/bin/sh
# launcher.sh CLSIZER - exit codes, messages and environment of the launcher, with a stand-in for the library.
set -u

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0

# A library of our own beside a copy of the launcher: this test is not about libclsizer.so.
mkdir "$work/bin" "$work/dir"
cp "$1" "$work/bin/clsizer" || exit 1
printf 'int clsizer_stand_in;\n' >"$work/lib.c"
${CC:-cc} -shared -fPIC -o "$work/bin/libclsizer.so" "$work/lib.c" || exit 77
clsizer=$work/bin/clsizer
cd "$work/dir" || exit 1
for variable in $(env | sed -n 's/^\(CLSIZER_[A-Z_]*\)=.*/\1/p'); do unset "$variable"; done
unset LD_PRELOAD ASAN_OPTIONS

fail() {
    echo "FAIL: $1"
    failures=$((failures + 1))
}

# expect STATUS ARGUMENT...: run, keep stdout and stderr, compare the exit code
expect() {
    wanted=$1
    shift
    "$clsizer" "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ $status -eq "$wanted" ] || fail "clsizer $*: exit $status, not $wanted: $(cat "$work/err")"
}
has() { grep -q -e "$2" "$work/$1" || fail "no '$2' in $1: $(head -3 "$work/$1")"; }
lacks() { ! grep -q -e "$2" "$work/$1" || fail "'$2' in $1"; }

# ---- usage -----------------------------------------------------------------------------------------------
expect 2
has err '^usage:'
expect 2 --
expect 2 --effort=measure
expect 2 --no-such-option true
has err 'unknown option --no-such-option'
expect 2 -x true
expect 2 --effort
has err 'needs a value, LEVEL: estimate, '
expect 2 --effort hasty true
has err 'estimate, measure, patient or exhaustive'
expect 2 --budget=lots true
has err 'percentage'
expect 2 --verbose 4 true
has err '0\.\.3'
expect 2 --mode=trampoline true
has err 'auto, slices, rerun, launches, sandbox or swap'
expect 0 --help
has out '--effort LEVEL'
has out 'predict'
has out '  doctor '
has out '^exit status: '
[ -s "$work/err" ] && fail "--help wrote to stderr"
expect 0 --version
has out '^clsizer [0-9]'
expect 0 --options
has out 'CLSIZER_EFFORT'
expect 0 --reasons
has out '^  scattered-writes  *where a work-item writes'
expect 0 --reasons scattered-writes
has out '^where a work-item writes'
[ "$(wc -l <"$work/out")" = 1 ] || fail "more than one reason"
"$clsizer" --reasons scattered-writes 2>"$work/err" >/dev/full && fail "--reasons on a full disk: exit 0"
expect 2 --reasons no-such
has err 'no reason is called "no-such"'
for word in help -h; do
    expect 0 $word
    has out '^exit status: '
done
for word in version -V; do
    expect 0 $word
    has out '^clsizer [0-9]'
done
expect 127 -- version
expect 2 --effort=measure
has err '^clsizer: a command is missing$'
expect 2 tune
has err '^clsizer tune: a program is missing$'
has err '^usage: clsizer tune '
for command in tune wisdom doctor predict; do
    expect 0 help $command
    cp "$work/out" "$work/help"
    expect 0 $command --help
    cmp "$work/help" "$work/out" || fail "help $command is not $command --help"
done
expect 2 help no-such
has err '^clsizer: no command is called "no-such"; there are tune report wisdom .*`clsizer help` tells'
expect 127 -- help no-such
expect 127 -- help tune

# ---- the command -----------------------------------------------------------------------------------------
expect 127 no-such-command-anywhere
has err 'no-such-command-anywhere: command not found'
lacks err 'what you mean'
for word in reprot repor rport raport doctr predictt wisdum wisdoom anlayze; do
    expect 127 $word x
    has err "$word: command not found"
    has err 'clsizer: is `clsizer [a-z]*` what you mean?'
done
expect 127 reprot
has err '`clsizer report`'
expect 127 repoooort
lacks err 'what you mean'
printf '#!/bin/sh\nexit 4\n' >reprot
chmod +x reprot
PATH=$PATH:. expect 4 reprot
printf 'not a program\n' >plain
expect 126 ./plain
expect 3 sh -c 'exit 3'
expect 0 sh -c 'echo "$1 $2"' - --effort --help
has out '^--effort --help$'
expect 0 -- sh -c 'echo fine'
has out '^fine$'
expect 127 -- predict-no-such
PATH=/nonexistent expect 127 --quiet predict
has err 'no options before its name'
expect 125 analyze x.cl
has err 'clsizer-analyze is neither beside'
printf '#!/bin/sh\necho "$@"\nexit 5\n' >"$work/bin/clsizer-analyze"
chmod +x "$work/bin/clsizer-analyze"
expect 5 analyze --facts 'a file.cl' -- -DX
has out '^--facts a file.cl -- -DX$'
expect 1 sh -c 'read line; exit 1' </dev/null

# ---- the environment ----------------------------------------------------------------------------------------
expect 0 env
has out "^LD_PRELOAD=$work/bin/libclsizer.so\$"
has out '^CLSIZER_SUMMARY=[0-9]*:[0-9]*$'
lacks out '^CLSIZER_EFFORT='
expect 0 --quiet env
has out '^CLSIZER_QUIET=1$'
has out '^CLSIZER_QUIET=1$'
expect 0 --effort patient --budget=2.5 --dry-run --verbose=2 --kernels 'a*,!ab' env
has out '^CLSIZER_EFFORT=patient$'
has out '^CLSIZER_BUDGET=2.5$'
has out '^CLSIZER_DRY_RUN=1$'
has out '^CLSIZER_VERBOSE=2$'
has out '^CLSIZER_KERNELS=a\*,!ab$'
here=$(pwd -P)
touch h d
chmod +x h
expect 0 --report r.jsonl --wisdom=w.jsonl --cache c --device-file "$work/dir/d" --helper h env
has out "^CLSIZER_REPORT=$here/r.jsonl\$"
has out "^CLSIZER_WISDOM=$here/w.jsonl\$"
has out "^CLSIZER_CACHE=$here/c\$"
has out "^CLSIZER_DEVICE_FILE=$work/dir/d\$"
has out "^CLSIZER_HELPER=$here/h\$"
expect 0 --wisdom none --report= env
has out '^CLSIZER_WISDOM=none$'
has out '^CLSIZER_REPORT=$'
cp "$work/bin/libclsizer.so" "$work/other.so"
# The launcher itself may have been built with that sanitizer.
LD_PRELOAD="$work/other.so" ASAN_OPTIONS=verify_asan_link_order=0 expect 0 env
has out "^LD_PRELOAD=$work/bin/libclsizer.so:$work/other.so\$"
expect 0 env
has out '^ASAN_OPTIONS=verify_asan_link_order=0$'
ASAN_OPTIONS=detect_leaks=0 expect 0 env
has out '^ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0$'
ASAN_OPTIONS=verify_asan_link_order=1 expect 0 env
has out '^ASAN_OPTIONS=verify_asan_link_order=1$'
CLSIZER_EFFORT=estimate expect 0 env
has out '^CLSIZER_EFFORT=estimate$'
CLSIZER_EFFORT=estimate expect 0 --effort exhaustive env
has out '^CLSIZER_EFFORT=exhaustive$'

# ---- files that the library could not use, and would not speak of ------------------------------------------
expect 2 --report nowhere/r.jsonl touch started
has err "^clsizer: --report $here/nowhere/r.jsonl: No such file or directory\$"
[ ! -e started ] || fail "the command was started"
expect 2 --report . true
has err 'Is a directory$'
mkfifo pipe
expect 2 --report pipe true
has err 'not a regular file$'
expect 0 --report /dev/null true
expect 2 --report /dev/stdout true
has err 'stdout is the program.s; "-" stands for stderr$'
expect 0 --report - env
has out '^CLSIZER_REPORT=-$'
printf 'precious' >notes
for theirs in notes "$work/other.so"; do
    cp "$theirs" before
    expect 2 --report "$theirs" touch started
    has err 'not empty, and not a report$'
    cmp -s "$theirs" before || fail "$theirs was written"
done
[ ! -e started ] || fail "the command was started"
printf '{"schema":1,"event":"warning"}\n' >r.jsonl
expect 0 --report r.jsonl true
expect 2 --wisdom nowhere/w.jsonl true
expect 2 --system-wisdom nowhere true
echo 'precious' >notes
expect 2 --wisdom notes true
has err "^clsizer: --wisdom $here/notes: is not wisdom\$"
expect 2 --system-wisdom notes true
expect 0 --wisdom . --system-wisdom . true
expect 2 --device-file nowhere true
expect 2 --helper d true
has err 'Permission denied$'
expect 2 --report
has err 'needs a value, FILE: a path$'

# ---- where the library is --------------------------------------------------------------------------------
mkdir -p "$work/with blank"
cp "$work/bin/"* "$work/with blank/"
clsizer="$work/with blank/clsizer" expect 125 true
rm "$work/with blank/libclsizer.so"
clsizer="$work/with blank/clsizer" expect 125 true
has err 'libclsizer.so'
ln -s "$work/bin/clsizer" "$work/dir/link"
clsizer="$work/dir/link"
expect 0 env
has out "^LD_PRELOAD=$work/bin/libclsizer.so\$"

[ $failures -eq 0 ] && echo "launcher: all passed"
exit $((failures > 0))
