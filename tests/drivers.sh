#!/bin/sh
# scripts/drivers.sh says what there is, and installs nothing that nobody asked for: drivers.sh SCRIPT
script=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

# expect STATUS PATTERN ARGUMENT...
expect() {
    status=$1 pattern=$2
    shift 2
    out=$(CLSIZER_DRIVERS="$dir/none" bash "$script" "$@" 2>&1 </dev/null)
    got=$?
    if [ $got != "$status" ] || ! echo "$out" | grep -q "$pattern"; then
        echo "not ok: $*: status $got, expected $status and '$pattern': $out"
        failed=1
    fi
}

expect 0 'run NAME COMMAND' --help
expect 0 '^intel *absent$'
expect 0 '^pocl7 *absent$' list
expect 77 'skipped: intel is not installed' run intel true
expect 77 'skipped: pocl7 is not installed' test pocl7
expect 2 'no driver is called nobody' nobody
expect 2 'no driver is called nobody' run nobody true
expect 2 'run NAME COMMAND' run intel
[ ! -e "$dir/none" ] || { echo "not ok: something was made in $dir/none"; failed=1; }
exit $failed
