#!/bin/sh
# manual.sh CLSIZER FOLDER - the pages there have every option and reason, and are sound roff.
set -u
clsizer=$1 folder=$2 failures=0

fail() {
    echo "FAIL: $1"
    failures=$((failures + 1))
}

# shown PATTERN NAME: a line of the page is that, but for the hyphens, which roff wants escaped
shown() { sed 's/\\-/-/g' "$page" | grep -q -e "$1" || fail "$2 is not in the manual"; }

[ "$("$clsizer" --options | wc -l)" -gt 10 ] || fail "no options to look for"
[ "$("$clsizer" --reasons | wc -l)" -gt 30 ] || fail "no reasons to look for"
page=$folder/clsizer.1
for option in $("$clsizer" --options | sed 1d | cut -d' ' -f1); do
    shown "^.fB--$option.fR" "--$option"
done
page=$folder/clsizer-report.1
for reason in $("$clsizer" --reasons | sed -n 's/^  \([a-z-]*\) .*/\1/p'); do
    shown "^\.B $reason\$" "$reason"
done
for page in "$folder/clsizer.1" "$folder/clsizer-report.1"; do
    grep -q '@' "$page" && fail "a mark was not replaced: $(grep '@' "$page" | head -1)"
    if command -v groff >/dev/null; then
        warnings=$(groff -man -Tascii -ww -z "$page" 2>&1)
        [ -z "$warnings" ] || fail "groff: $warnings"
    fi
done
[ $failures -eq 0 ]
