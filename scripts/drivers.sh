#!/usr/bin/env bash
# Further OpenCL drivers to test clsizer with: installed when asked for, outside the tree, and chosen by one word.
#
#   scripts/drivers.sh                      list them: what is here, how a program is run on it
#   scripts/drivers.sh NAME...              install; does nothing where it is there already
#   scripts/drivers.sh run NAME COMMAND...  run a command on it
#   scripts/drivers.sh test NAME [SECONDS [SEED]]
#                                           build, and run the tests that take a driver; each fuzzer for SECONDS (60)
#
#   pocl       Debian's PoCL of this system (pocl-opencl-icd)
#   rusticl    Debian's rusticl of this system, on the processor (mesa-opencl-icd)
#   intel      Intel's CPU runtime, by pip, under Intel's licence
#   pocl7      PoCL 7 and newer, with LLVM 21 and newer: in a chroot of Debian testing, by mmdebstrap, as root
#   rusticl26  rusticl of that chroot
#
# They are put under $CLSIZER_DRIVERS, by default ~/.cache/clsizer-drivers (XDG_CACHE_HOME): 0.8 GiB for intel, 2.5 GiB for
# the chroot.  --prefix DIR before everything else chooses another place, --mirror URL the mirror of Debian for the chroot,
# by default the one that this system's own packages come from.  In the chroot the tree is where it is outside, and is
# built in build-testing/.  Exit status 77: the driver is not there.
set -euo pipefail
tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
names=(pocl rusticl intel pocl7 rusticl26)
prefix=${CLSIZER_DRIVERS:-${XDG_CACHE_HOME:-$HOME/.cache}/clsizer-drivers}
mirror=

# What is known to work together; newer ones may be tried by hand.
intel_packages=(intel-opencl-rt==2026.2.0 intel-cmplr-lib-rt==2026.2.0)
testing_packages=(
    gcc libc6-dev make cmake pkg-config clang llvm-dev opencl-c-headers ocl-icd-opencl-dev ocl-icd-libopencl1
    uthash-dev libjson-c-dev check python3 python3-pyopencl binutils file strace clinfo
    pocl-opencl-icd mesa-opencl-icd
)

say() { echo "drivers: $*" >&2; }

# need NAME COMMAND PACKAGE: a program that installing takes
need() {
    command -v "$2" >/dev/null || { say "$1: needs $2 (Debian: $3)"; return 1; }
}

# The file by which OpenCL's loader finds the driver, as its system sees it.
icd() {
    case $1 in
        pocl | pocl7) echo /etc/OpenCL/vendors/pocl.icd ;;
        rusticl | rusticl26) echo /etc/OpenCL/vendors/rusticl.icd ;;
        intel) echo "$prefix/intel/intel.icd" ;;
    esac
}

# Where it is in a system of its own, that system; else nothing.
root() {
    case $1 in pocl7 | rusticl26) echo "$prefix/testing" ;; esac
}

known() {
    case " ${names[*]} " in *" $1 "*) ;; *) say "no driver is called $1: ${names[*]}"; exit 2 ;; esac
}

there() { [ -e "$(root "$1")$(icd "$1")" ]; }

# The variables that choose it.
choice() {
    case $1 in rusticl*) echo RUSTICL_ENABLE=llvmpipe ;; esac
    echo "OCL_ICD_VENDORS=$(icd "$1")"
}

# ---- installing -------------------------------------------------------------------------------------------------------

install_intel() {
    local new=$prefix/intel.new
    need intel python3 python3 || return 1
    python3 -m pip --version >/dev/null 2>&1 || { say "intel: needs pip (Debian: python3-pip)"; return 1; }
    rm -rf "$new"
    mkdir -p "$new/lib"
    if ! python3 -m pip download --quiet --only-binary=:all: --dest "$new/wheels" "${intel_packages[@]}" >"$new/log" 2>&1; then
        say "intel: not reachable: $(grep -i error "$new/log" | tail -n 1)"
        return 1
    fi
    # Its libraries find each other in one folder.  The loader that comes with them stays behind.
    python3 - "$new" <<'PYTHON'
import pathlib, sys, zipfile
new = pathlib.Path(sys.argv[1])
for wheel in new.glob("wheels/*.whl"):
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            base = pathlib.PurePosixPath(name).name
            if "/data/lib/" in name and base and not base.startswith("libOpenCL"):
                (new / "lib" / base).write_bytes(archive.read(name))
            elif "licens" in name.lower() and base:
                (new / f"{name.split('-')[0]}-{base}").write_bytes(archive.read(name))
PYTHON
    [ -e "$new/lib/libintelocl.so" ] || { say "intel: its packages hold no libintelocl.so"; return 1; }
    echo "$prefix/intel/lib/libintelocl.so" >"$new/intel.icd"
    rm -rf "$new/wheels" "$new/log" "$prefix/intel"
    mv "$new" "$prefix/intel"
}

# The mirror that this system's packages come from.
own_mirror() {
    apt-get indextargets --format '$(SITE)' | awk '/\/debian\/?$/ && !found++ { print } END { exit !found }'
}

install_testing() {
    local new=$prefix/testing.new
    need "$1" mmdebstrap mmdebstrap && need "$1" unshare util-linux || return 1
    [ "$(id -u)" = 0 ] || { say "$1: making and entering a chroot needs root"; return 1; }
    mirror=${mirror:-$(own_mirror)} || { say "$1: this system knows no mirror of Debian (--mirror)"; return 1; }
    rm -rf "$new" "$prefix/testing"
    mkdir -p "$prefix"
    # The system's own way to the network, and whether it believes its clock.
    apt-config dump | grep -E '^Acquire::(Check-|[Hh]ttps?::)' >"$prefix/apt.conf" || true
    if ! mmdebstrap --quiet --aptopt="$prefix/apt.conf" --variant=apt --include="$(IFS=,; echo "${testing_packages[*]}")" \
        testing "$new" "$mirror" >"$prefix/testing.log" 2>&1 </dev/null; then
        say "$1: not reachable, or not to be installed: $(grep '^E: ' "$prefix/testing.log" | head -n 1) ($prefix/testing.log)"
        rm -rf "$new"
        return 1
    fi
    rm -f "$prefix/apt.conf" "$prefix/testing.log"
    mv "$new" "$prefix/testing"
}

install() {
    case $1 in
        pocl | rusticl) "$tree/scripts/setup.sh" ;;
        intel) install_intel ;;
        pocl7 | rusticl26) install_testing "$1" ;;
    esac
}

# ---- using ------------------------------------------------------------------------------------------------------------

# in_root ROOT COMMAND...: in that system, with the tree where it is outside
in_root() {
    # shellcheck disable=SC2016 # the inner shell expands them
    exec unshare --mount bash -euc '
        root=$1 tree=$2
        shift 2
        mkdir -p "$root$tree"
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        mount --rbind /sys "$root/sys"
        mount --bind "$tree" "$root$tree"
        exec chroot "$root" env HOME=/root TMPDIR=/tmp bash -c "cd \"\$0\" && exec \"\$@\"" "$tree" "$@"' bash "$1" "$tree" "${@:2}"
}

# Run a command on a driver.
run() {
    local variables base
    there "$1" || { echo "skipped: $1 is not installed (scripts/drivers.sh $1)"; exit 77; }
    mapfile -t variables < <(choice "$1")
    case $1 in pocl7) base=pocl ;; rusticl26) base=rusticl ;; *) base=$1 ;; esac
    variables+=("CLSIZER_TEST_DRIVER=$base" "CLSIZER_DRIVERS=$prefix")
    [ -z "$(root "$1")" ] || in_root "$(root "$1")" env "${variables[@]}" "${@:2}"
    exec env "${variables[@]}" "${@:2}"
}

# The tests that take a driver, on the one that run() chose: BUILD SECONDS SEED
run_tests() {
    local build=$1 seconds=$2 seed=$3 failed=0
    scripts/build.sh "$build"
    try() {
        echo "== $*"
        "$@" || { local status=$?; [ $status = 77 ] || { failed=1; echo "== failed: $*"; }; }
    }
    try sh tests/corpus/corpus.sh "$build"
    try python3 tests/e2e/run.py --build "$build" --driver "$CLSIZER_TEST_DRIVER"
    try python3 tests/transparent/transparent.py --build "$build"
    try python3 tests/fuzz/soundness.py --build "$build" --seed "$seed" --seconds "$seconds"
    for fuzzer in replay calls; do
        try python3 tests/fuzz/$fuzzer.py --build "$build" --seed "$seed" --programs 0 --seconds "$seconds"
    done
    for what in constructs,random open double grids exits; do
        try python3 tests/fuzz/sizes.py --build "$build" --what $what --seed "$seed" --kernels 0 --seconds "$seconds"
    done
    return $failed
}

list() {
    for name in "${names[@]}"; do
        if there "$name"; then
            printf '%-10s %s%s\n' "$name" "$(root "$name" | sed 's/^.*$/chroot & env /')" "$(choice "$name" | paste -sd ' ')"
        else
            printf '%-10s absent\n' "$name"
        fi
    done
}

while [ $# -gt 1 ]; do
    case $1 in
        --prefix) prefix=$2 ;;
        --mirror) mirror=$2 ;;
        *) break ;;
    esac
    shift 2
done
case ${1:-list} in
    --help | -h) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" ;;
    list) list ;;
    run)
        [ $# -gt 2 ] || { say "run NAME COMMAND..."; exit 2; }
        known "$2"
        run "${@:2}"
        ;;
    test)
        [ $# -gt 1 ] || { say "test NAME [SECONDS [SEED]]"; exit 2; }
        known "$2"
        build=build
        [ -z "$(root "$2")" ] || build=build-testing
        run "$2" scripts/drivers.sh --here "$build" "${3:-60}" "${4:-1}"
        ;;
    --here) cd "$tree" && run_tests "${@:2}" ;;
    *)
        failed=0
        for name; do known "$name"; done
        for name; do
            there "$name" || install "$name" || { failed=1; continue; }
            list | grep "^$name "
        done
        exit $failed
        ;;
esac
