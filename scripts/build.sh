#!/usr/bin/env bash
# Configure and build: scripts/build.sh [DIRECTORY [CMAKE OPTION...]], by default build/.  Quiet when all is well.
set -euo pipefail
if [ "${1:-}" = --help ]; then
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit
fi
cd "$(dirname "${BASH_SOURCE[0]}")/.."

directory=${1:-build}
shift || true
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { cmake -S . -B "$directory" "$@" && cmake --build "$directory" -j "$(nproc)"; } >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
