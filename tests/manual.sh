#!/bin/sh
# manual.sh CLSIZER MANUAL-PAGE - the page has every option and reason, and is sound roff.
set -u
clsizer=$1 page=$2 failures=0

fail() {
    echo "FAIL: $1"
    failures=$((failures + 1))
}

# shown PATTERN NAME: a line of the page is that, but for the hyphens, which roff wants escaped
shown() { sed 's/\\-/-/g' "$page" | grep -q -e "$1" || fail "$2 is not in the manual"; }

[ "$("$clsizer" --options | wc -l)" -gt 10 ] || fail "no options to look for"
[ "$("$clsizer" --reasons | wc -l)" -gt 30 ] || fail "no reasons to look for"
for option in $("$clsizer" --options | sed 1d | cut -d' ' -f1); do
    shown "^.fB--$option.fR" "--$option"
done
for reason in $("$clsizer" --reasons | sed -n 's/^  \([a-z-]*\) .*/\1/p'); do
    shown "^\.B $reason\$" "$reason"
done
grep -q '@' "$page" && fail "a mark was not replaced: $(grep '@' "$page" | head -1)"
if command -v groff >/dev/null; then
    warnings=$(groff -man -Tascii -ww -z "$page" 2>&1)
    [ -z "$warnings" ] || fail "groff: $warnings"
fi
[ $failures -eq 0 ]
