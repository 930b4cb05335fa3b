#!/usr/bin/env bash
# Install what building, testing and demonstrating clsizer needs, from Debian 12's own packages.  Does nothing, in
# well under a second, when all is there.  Not among it, for its size of 290 MB: chromium-headless-shell, in which the
# page of `clsizer report --html` is tested where it is installed.
#
#   scripts/setup.sh          install what is missing (root, or sudo)
#   scripts/setup.sh --check  only say what is missing; exit status 1 if anything is
set -euo pipefail
if [ "${1:-}" = --help ]; then
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit
fi

packages=(
    gcc libc6-dev make cmake pkg-config                    # build
    clang-15 llvm-15-dev libclang-common-15-dev            # the analysis helper
    llvm-spirv-15                                          # ... for programs from SPIR-V
    opencl-c-headers ocl-icd-opencl-dev ocl-icd-libopencl1 # OpenCL headers and loader
    uthash-dev libjson-c-dev                               # libraries
    check                                                  # unit tests
    pocl-opencl-icd mesa-opencl-icd oclgrind clinfo        # OpenCL drivers
    python3-pyopencl python3-opencv                        # clients in the tests
    libclblast-dev pocl-source
    python3 binutils file strace valgrind                  # end-to-end tests and demo
    clang-format-14 cppcheck                               # style
)

missing=()
for package in "${packages[@]}"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "${1:-}" = --check ]; then
    echo "missing: ${missing[*]}"
    exit 1
fi
if ! command -v apt-get >/dev/null; then
    echo "setup: no apt-get here; please install: ${missing[*]}" >&2
    exit 1
fi

as_root=()
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: neither root nor sudo; please install: ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "setup: installing ${missing[*]}"
install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
    apt-get install -y -qq --no-install-recommends "${missing[@]}")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Package lists may be absent or old: refresh them only if they turn out not to do.
if ! "${install[@]}" >"$log" 2>&1 </dev/null; then
    "${as_root[@]}" apt-get update -qq </dev/null
    if ! "${install[@]}" >"$log" 2>&1 </dev/null; then
        cat "$log" >&2
        exit 1
    fi
fi
