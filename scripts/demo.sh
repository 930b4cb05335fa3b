#!/usr/bin/env bash
# Unmodified OpenCL programs, bare and under clsizer, on PoCL: installs what is missing, builds, runs, prints a table.
# Arguments go to demo.py (--help says which).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ " $* " != *" --help "* ]] || exec python3 scripts/demo.py --help

scripts/setup.sh
scripts/build.sh build
exec python3 scripts/demo.py --build build "$@"
