#!/usr/bin/env bash
# Configure and build: scripts/build.sh [DIRECTORY [CMAKE OPTION...]], by default build/.  Quiet when all is well.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

directory=${1:-build}
shift || true
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { cmake -S . -B "$directory" "$@" && cmake --build "$directory" -j "$(nproc)"; } >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
