#!/usr/bin/env bash
# Run the OpenCL programs that this machine has, bare and under clsizer, and compare: output, exit status, files, time.
#
#   scripts/field.sh                     what is installed; the rest is skipped
#   scripts/field.sh --install           first install what Debian has of it (root, or sudo)
#   scripts/field.sh --help              options of field.py, which does the work
#
# FIELD_PYTHON: a Python with modules from PyPI (tinygrad, openmm, reikna, pyvkfft, pyopencl, sasmodels,
# nengo-ocl, gputools, loopy, lightgbm, pyclesperanto-prototype, bempp-cl, pyrqa, qcgpu, pyclesperanto, halide, pyfr,
# gmsh, dpivsoft, opencv-python-headless, matplotlib, pytest), a virtual environment's.
# FIELD_SOURCES: a folder with source packages from PyPI, unpacked: pyopencl, reikna, for their tests.
# FIELD_SYCL: a virtual environment with dpnp and pytest (`pip install dpnp pytest`), which brings Intel's driver for CPUs.
# --driver intel --intel VENV: on Intel's driver for CPUs, from PyPI, too
# (`pip install intel-opencl-rt intel-cmplr-lib-rt tbb`).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ " $* " != *" --help "* ]] || exec python3 scripts/field.py --help

packages=(clinfo clpeak ffmpeg python3-opencv clblast-tests clblast-utils clfft-client libclblast-dev libclfft-dev
    libviennacl-dev libboost-dev darktable gegl ufo-filters libufo-bin hashcat python3-pyopencl python3-silx python3-mako
    python3-pytest piglit pocl-source ocl-icd-opencl-dev starpu-examples mandelbulber2 openssl python3-gpyfft g++
    libasl-dev hcxkeys libreoffice-calc python3-pygpu python3-qgis qgis-common python3-gdal x264 leela-zero
    python-pyopencl-doc)
if [ "${1:-}" = --install ]; then
    shift
    as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"
fi
[[ " $* " == *" --list "* ]] || scripts/build.sh build
exec python3 scripts/field.py --build build "$@"
