#!/usr/bin/env bash
# Install what is missing, build, run every test: once as users get it, once more what can be under the address and
# undefined-behaviour sanitizers, and what has threads under the thread sanitizer.  The last line is
# `N passed, N failed, N skipped`.
#
#   scripts/test.sh           all of it, fourteen minutes on two processors; what fails beside others runs once more, alone
#   scripts/test.sh --quick   build/, and what needs no OpenCL program there: two minutes at most on a built tree
#
# By kind, on a built tree: ctest --test-dir build -L unit (golden, static, e2e, transparent, drivers, faults, fuzz, ...)
set -euo pipefail
if [ "${1:-}" = --help ]; then
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit
fi
cd "$(dirname "${BASH_SOURCE[0]}")/.."

passed=0 failed=0 skipped=0

# results FILE: what ctest's JUnit file says: how many passed, failed, were skipped; then the names of those that failed.
# A test that was not run failed, unless it said itself (exit status 77) that it is skipped.
results() {
    python3 - "$1" <<'PYTHON'
import sys, xml.etree.ElementTree as tree
cases = tree.parse(sys.argv[1]).getroot().findall("testcase")
passed = sum(c.get("status") == "run" for c in cases)
skipped = [c for c in cases if c.find("skipped") is not None and "SKIP_" in (c.find("skipped").get("message") or "")]
failed = [c.get("name") for c in cases if c.get("status") != "run" and c not in skipped]
print(passed, len(failed), len(skipped), *failed)
PYTHON
}

# run_tests DIRECTORY [OPTION...]: ctest there; shows the output of what fails and adds to the counts.  As many
# run at once as there are processors: with twice as many, which saves two minutes, tests fail that wait for others.
run_tests() {
    local file p f s names
    file=$(mktemp)
    echo "== tests in $1"
    ctest --test-dir "$1" -j "$(nproc)" "${@:2}" --output-on-failure --output-junit "$file" </dev/null || true
    read -r p f s names < <(results "$file")
    rm -f "$file"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    failures=$names
}

# run_alone DIRECTORY: once more what failed there, if that is little, one at a time: tests of times and of other
# processes may be disturbed by what ran beside them.  Not the promises of transparency, which hold beside anything.
run_alone() {
    local before=$passed were=$failed again=() name
    for name in $failures; do
        [[ $name == transparent.* ]] || again+=("$name")
    done
    [ ${#again[@]} -gt 0 ] && [ ${#again[@]} -le 3 ] || return 0
    run_tests "$1" -j 1 -R "^($(IFS='|'; echo "${again[*]//./\\.}"))\$"
    failed=$((were - (passed - before)))
    echo "== failed beside others, then ran alone: ${again[*]}; passed then: $((passed - before))"
}

scripts/setup.sh
echo "== building"
scripts/build.sh build
if [ "${1:-}" = --quick ]; then
    run_tests build -L quick
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
    exit
fi
# Built while tests wait, which leave a quarter of the processors' time.  Where each session has its share of that
# (autogroup), niceness counts only inside one.
setsid nice -n 19 bash -ec '{ echo 19 >/proc/self/autogroup; } 2>/dev/null || true
    scripts/build.sh build-asan -DCLSIZER_SANITIZE=address,undefined
    scripts/build.sh build-tsan -DCLSIZER_SANITIZE=thread' &
run_tests build
run_alone build
wait $! # ends this script if they do not build
run_tests build-asan
run_tests build-tsan

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
