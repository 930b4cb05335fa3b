#!/bin/sh
# golden.sh BUILD_DIR - compare clsizer-analyze's view of each golden kernel with what the file expects.
#
# A golden file is OpenCL C.  A line `// OPTIONS: ...` holds build options; the lines `// >>> ...` at its end are
# the expected output of `clsizer-analyze --summary | golden`, or what a form of clsizer-analyze named by `// FORM: ...`
# prints, its messages first.
# `golden.sh BUILD_DIR --update` rewrites them: read the diff.
build=$(cd "${1:?usage: golden.sh BUILD_DIR [--update]}" && pwd) || exit 1
cd "$(dirname "$0")/golden" || exit 1
actual=$(mktemp) && expected=$(mktemp) || exit 1
trap 'rm -f "$actual" "$expected"' EXIT
failed=0

# tell FORM FILE [OPTION...]
tell() {
    form=$1
    shift
    if [ -n "$form" ]; then
        # shellcheck disable=SC2086 # a form is words
        "$build/clsizer-analyze" $form "$@" 2>&1 >/dev/null
        # shellcheck disable=SC2086
        "$build/clsizer-analyze" $form "$@"
    else
        "$build/clsizer-analyze" --summary "$@" | "$build/tests/golden"
    fi
}

for file in *.cl; do
    options=$(sed -n 's|^// OPTIONS: ||p' "$file")
    form=$(sed -n 's|^// FORM: ||p' "$file")
    # shellcheck disable=SC2086 # options are words
    tell "$form" "$file" -- $options >"$actual" 2>/dev/null || echo "exit status $?" >>"$actual"
    if [ "$2" = --update ]; then
        { grep -v '^// >>> ' "$file"; sed 's|^|// >>> |' "$actual"; } >"$expected" && cat "$expected" >"$file"
        continue
    fi
    sed -n 's|^// >>> ||p' "$file" >"$expected"
    if [ -s "$expected" ] && diff -u "$expected" "$actual"; then
        echo "ok ${file%.cl}"
    else
        echo "not ok ${file%.cl}"
        failed=1
    fi
done
exit $failed
