#!/usr/bin/env bash
# What the presence of the library costs: calls, launches, threads, programs without OpenCL.  Builds what is missing;
# arguments go to bench_overhead.py (--help says which).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ " $* " != *" --help "* ]] || exec python3 scripts/bench_overhead.py --help

scripts/setup.sh
[ -n "${CLSIZER_BENCH_BUILD:-}" ] || scripts/build.sh build
exec python3 scripts/bench_overhead.py --build "${CLSIZER_BENCH_BUILD:-build}" "$@"
