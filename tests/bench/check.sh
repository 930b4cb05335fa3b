#!/bin/sh
# Every workload at a small size, with its own local size, against the host: check.sh BENCH [OPTION...]
set -u
bench=$1
shift
icd=/etc/OpenCL/vendors/pocl.icd
[ -e $icd ] || exit 77
export OCL_ICD_VENDORS=$icd
POCL_CACHE_DIR=$(mktemp -d) || exit 1
export POCL_CACHE_DIR
trap 'rm -rf "$POCL_CACHE_DIR"' EXIT
failed=0

names=$("$bench" --list) || exit 1
for name in $names kmeans_16 kmeans_64 by_hand; do # the three are not listed
    "$bench" "$name" --small --check "$@" >"$POCL_CACHE_DIR/log" 2>&1 || {
        cat "$POCL_CACHE_DIR/log"
        failed=1
    }
done
exit $failed
