#!/usr/bin/env bash
# What measuring costs and how good its choice is, on the sample programs: builds, runs, prints tables, keeps the raw data
# as JSON.  Arguments go to bench_profiling.py (--help says which).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ " $* " != *" --help "* ]] || exec python3 scripts/bench_profiling.py --help

scripts/setup.sh
scripts/build.sh build
exec python3 scripts/bench_profiling.py --build build "$@"
