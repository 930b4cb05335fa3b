#!/usr/bin/env bash
# How much the model prunes, whether it keeps the best, and how long it takes: scripts/bench_model.sh [OPTION...]
# Options: those of scripts/bench_model.py (--only, --gpu, --output).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ " $* " != *" --help "* ]] || exec python3 scripts/bench_model.py --help

scripts/build.sh build
exec python3 scripts/bench_model.py build/clsizer "$@"
