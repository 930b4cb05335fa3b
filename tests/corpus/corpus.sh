#!/bin/sh
# corpus.sh BUILD_DIR [NAME...] - judge the launches that corpus/*.cl write down (judge.c), or those of NAME.cl only.
build=${1:?usage: corpus.sh BUILD_DIR [NAME...]}
shift
case $build in /*) ;; *) build=$PWD/$build ;; esac
cd "$(dirname "$0")" || exit 1
summary=$(mktemp) || exit 1
trap 'rm -f "$summary"' EXIT
failed=0
[ $# -gt 0 ] || set -- *.cl
for name; do
    file=${name%.cl}.cl
    "$build/clsizer-analyze" --summary "$file" >"$summary" && "$build/tests/corpus_judge" "$summary" "$file" || failed=1
done
exit $failed
