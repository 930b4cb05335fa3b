#!/usr/bin/env bash
# Run the benchmark and write BENCHMARKS.md: installs what is missing, builds, measures for about 25 minutes (--quick: 3).
# Options go to scripts/bench/ (--help says which).  Kernel Tuner and matplotlib come from PyPI, into build/bench-venv; where
# that cannot be had, there is no comparison with Kernel Tuner, and no plots.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ " $* " != *" --help "* ]] || exec python3 scripts/bench --help

[ -n "${BENCH_NO_SETUP:-}" ] || scripts/setup.sh
[ -n "${BENCH_NO_SETUP:-}" ] || scripts/build.sh build
venv=build/bench-venv
if ! "$venv/bin/python" -c 'import kernel_tuner, pyopencl, matplotlib' 2>/dev/null; then
    { python3 -m venv "$venv" && "$venv/bin/pip" -q install kernel-tuner pyopencl matplotlib; } >/dev/null 2>&1 ||
        echo "bench: no Kernel Tuner and no plots: they could not be installed (Debian: python3-venv; PyPI)" >&2
fi
python=$venv/bin/python
[ -x "$python" ] || python=python3
exec "$python" scripts/bench "$@"
