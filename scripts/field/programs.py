"""The programs of field.py: what they are called with, what they need, and which of their words are their own times.

A program is one row of PROGRAMS; its command runs in an empty directory.  Words with a "@" in front name files beside
this one; those that end in .c or .cpp stand for the program built from them.
"""

import os
import pathlib
import re
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"  # the one that Debian's modules belong to
OWN_PYTHON = os.environ.get("FIELD_PYTHON", PYTHON)  # one with modules from PyPI, of a virtual environment say
# Source packages from PyPI, unpacked, for their tests; a virtual environment with dpnp and Intel's driver.
SOURCES = os.environ.get("FIELD_SOURCES", "/usr/src/field")
SYCL = os.environ.get("FIELD_SYCL", "/usr/src/field/sycl")
STARPU = "/usr/lib/x86_64-linux-gnu/starpu/examples/"
EXAMPLES = "/usr/share/doc/python-pyopencl-doc/examples/"
PIGLIT = "/usr/lib/x86_64-linux-gnu/piglit/bin/"

# What is never the same twice: times, rates, addresses, process numbers.
TIMES = r"(?i)\b\d+([.,:]\d+)*(e[-+]?\d+)? ?(%|m?s\b|[mun]?secs?\b|seconds?|[munμ]s\b|[GMk]?B/?s|fps|x\b|[GMk]?FLOPS|" \
        r"[GMk]?bps|H/s|[GMTk]H/s)"
ADDRESSES = r"0x[0-9a-f]{6,}"


class Program:
    def __init__(self, name, command, needs=(), masks=(), ignore=(), timeout=300, **env):
        self.name, self.words, self.needs = name, command, needs
        self.masks = [re.compile(m) for m in (TIMES, ADDRESSES, *masks)]
        self.ignored = [re.compile(i) for i in ignore]
        self.timeout, self.env = timeout, env

    def command(self, built):
        words = self.words if isinstance(self.words, list) else ["sh", "-c", self.words]
        return [str(file_of(w, built)) if w.startswith("@") else
                re.sub(r"@([\w.-]+)", lambda m: str(file_of(m.group(), built)), w) for w in words]

    def missing(self, built):
        """What is not installed, in words; None when all is there."""
        for need in self.needs:
            kind, _, module = need.partition(":")
            if need.startswith("/"):
                if not pathlib.Path(need).exists():
                    return need
            elif module:
                python = {"python": PYTHON, "own": OWN_PYTHON, "sycl": SYCL + "/bin/python"}[kind]
                if subprocess.run([python, "-c", "import " + module], capture_output=True).returncode:
                    return need
            elif not shutil.which(need):
                return need
        text = " ".join(self.words) if isinstance(self.words, list) else self.words
        for source in re.findall(r"@([\w-]+\.(?:cpp|c))\b", text):
            if not build(source, built):
                return "does not build: " + source
        return None

    def mask(self, text):
        for m in self.masks:
            text = m.sub("#", text)
        return text

    def ignores(self, name):
        return any(i.search(name) for i in self.ignored)


def build(source, built):
    """Build one of the clients beside this file: its second line says with which libraries."""
    target = file_of("@" + source, built)
    path = HERE / source
    if not path.exists():
        return False
    newest = max(f.stat().st_mtime for f in (path, *HERE.glob("*.hpp")))
    if target.exists() and target.stat().st_mtime >= newest:
        return True
    with open(path) as f:
        flags = re.search(r"Build: (.*?)( \*/)?$", f.read(), re.M).group(1).split()
    compiler = "g++" if source.endswith(".cpp") else "gcc"
    done = subprocess.run([compiler, "-O1", "-w", "-o", str(target), str(path), *flags], capture_output=True)
    return done.returncode == 0


def file_of(word, built):
    name = word[1:]
    if name.startswith("built/"):
        return built / name[len("built/"):]
    return built / name.replace(".", "_") if name.endswith((".c", ".cpp")) else HERE / name


def ffmpeg(filter_, size="640x360", frames=20, inputs=1, pixels="yuv420p"):
    source = ["-f", "lavfi", "-i", f"testsrc2=size={size}:rate=30:duration={frames / 30}"]
    upload = ";".join(f"[{i}]{'negate,' * i}format={pixels},hwupload[u{i}]" for i in range(inputs))
    names = "".join(f"[u{i}]" for i in range(inputs))
    return ["ffmpeg", "-hide_banner", "-nostats", "-loglevel", "warning", "-init_hw_device", "opencl=gpu",
            "-filter_hw_device", "gpu", *source * inputs, "-filter_complex",
            f"{upload};{names}{filter_},hwdownload,format={pixels}", "-f", "framemd5", "-threads", "1", "out.md5"]


def clblast(routine, *arguments):
    program = "clblast_test_" + routine
    return Program("clblast-" + routine, [program, *arguments], needs=[program],
                   masks=[r"Completed all test-cases.*", r"in \d+ ms"])


def tested(name, *words, python=OWN_PYTHON, **more):
    """A package's own tests."""
    return Program(name, [python, "@tested.py", *words], timeout=1800, **more)


def sycl(name, *words):
    """Tests of SYCL's arrays, on Intel's runtime whatever the driver is."""
    return Program(name, [SYCL + "/bin/python", *words], needs=[SYCL + "/lib/libintelocl.so", "sycl:pytest"], timeout=1800,
                   masks=[r"=+"],
                   OCL_ICD_VENDORS="/nowhere", ONEAPI_DEVICE_SELECTOR="opencl:cpu", LD_LIBRARY_PATH=SYCL + "/lib",
                   OCL_ICD_FILENAMES=SYCL + "/lib/libintelocl.so")


def example(name, file, *arguments, python=OWN_PYTHON, **more):
    """One of PyOpenCL's examples: what it prints but for the statistics at its end, and its pictures without the date
    that they have in their names."""
    rename = "for f in *_20*_*.jpg; do [ ! -e $f ] || mv $f ${f%%_*}.jpg; done"
    words = " ".join((python, "-W ignore", EXAMPLES + file, *arguments))
    return Program(name, f"{words} && {rename}", needs=[EXAMPLES + file, "own:pyopencl", "own:matplotlib"],
                   masks=[r"(?s)Duration stats.*", r"Time : [\d.]+", r"in [\d.]+ s", r"(?m)^(Log)?Itops .*|^\d+\.\d+ .*"],
                   **more)


def piglit(name, *arguments, **more):
    return Program("piglit-" + name, [PIGLIT + name, *arguments], needs=[PIGLIT + name], **more)


PIGLIT_API = """build-program compile-program create-buffer create-command-queue create-context create-image
create-kernel create-kernels-in-program create-program-with-binary create-program-with-source create-sampler
enqueue-copy-buffer enqueue-copy-buffer-rect enqueue-fill-buffer enqueue-fill-image enqueue-map-buffer
enqueue-migrate-mem-objects enqueue-read_write-buffer get-command-queue-info get-context-info get-device-ids
get-device-info get-event-info get-kernel-arg-info get-kernel-info get-kernel-work-group-info get-mem-object-info
get-platform-ids get-platform-info get-program-build-info get-program-info link-program retain_release-command-queue
retain_release-context retain_release-event retain_release-kernel retain_release-mem-object retain_release-program
set-kernel-arg unload-compiler""".split()

DPNP = "fill copy fft umath linalg indexing sort sum nanfunctions histogram manipulation search logic".split()

PROGRAMS = [
    Program("clinfo", ["clinfo"], needs=["clinfo"]),
    Program("clpeak", ["clpeak", "--global-bandwidth", "--compute-sp", "--kernel-latency", "--transfer-bandwidth"],
            needs=["clpeak"], masks=[r"(?m): \d+\.\d+( us)?$"]),
    # ffmpeg's filters
    *(Program("ffmpeg-" + name, ffmpeg(filter_), needs=["ffmpeg"]) for name, filter_ in [
        ("avgblur", "avgblur_opencl=sizeX=5:sizeY=5"),
        ("boxblur", "boxblur_opencl=lr=3:cr=2"),
        ("unsharp", "unsharp_opencl=la=1.5"),
        ("convolution", "convolution_opencl=0m=1 2 1 2 4 2 1 2 1:0rdiv=1/16"),
        ("dilation", "dilation_opencl"),
        ("erosion", "erosion_opencl"),
        ("prewitt", "prewitt_opencl"),
        ("sobel", "sobel_opencl"),
        ("roberts", "roberts_opencl"),
        ("pad", "pad_opencl=w=800:h=480:x=80:y=60"),
        ("transpose", "transpose_opencl=dir=1"),
        ("transpose-mirrored", "transpose_opencl=dir=3"),
    ]),
    Program("ffmpeg-colorkey", ffmpeg("colorkey_opencl=color=red:similarity=0.3:blend=0.2", pixels="rgba"),
            needs=["ffmpeg"]),
    Program("ffmpeg-nlmeans", ffmpeg("nlmeans_opencl=s=2:p=3:r=5", "320x180", 6), needs=["ffmpeg"]),
    Program("ffmpeg-deshake", ffmpeg("deshake_opencl", "320x180", 10), needs=["ffmpeg"]),
    Program("ffmpeg-overlay", ffmpeg("overlay_opencl=x=40:y=30", inputs=2), needs=["ffmpeg"]),
    *(Program("ffmpeg-xfade" + suffix, ffmpeg(f"xfade_opencl=transition={kind}:duration=0.5:offset=0.1", inputs=2),
              needs=["ffmpeg"])
      for suffix, kind in [("", "fade"), ("-wipe", "wipeleft"), ("-slide", "slideup")]),
    Program("ffmpeg-program", ffmpeg("program_opencl=source=@mirror.cl:kernel=mirror"), needs=["ffmpeg"]),
    Program("ffmpeg-source", ["ffmpeg", "-hide_banner", "-nostats", "-loglevel", "warning", "-init_hw_device",
                              "opencl=gpu", "-filter_hw_device", "gpu", "-filter_complex",
                              "openclsrc=source=@plasma.cl:kernel=plasma:size=320x240:format=rgba,"
                              "hwdownload,format=rgba",
                              "-frames:v", "20", "-f", "framemd5", "-threads", "1", "out.md5"], needs=["ffmpeg"]),
    # its kernels race: one thread
    Program("x264", "ffmpeg -loglevel error -f lavfi -i testsrc2=size=640x360:duration=2 -pix_fmt yuv420p in.y4m && "
            "OPENCL_LAYERS=@as_gpu.c${OPENCL_LAYERS:+:$OPENCL_LAYERS} x264 --quiet --opencl --threads 1 -o out.264 in.y4m",
            needs=["x264", "ffmpeg"], masks=[r"\[.*%.*\].*|encoded .*"], ignore=[r"\.clbin$"], POCL_MAX_PTHREAD_COUNT="1"),
    # games
    Program("leela-zero", "OPENCL_LAYERS=@as_gpu.c${OPENCL_LAYERS:+:$OPENCL_LAYERS} exec " + PYTHON + " @go.py",
            needs=["/usr/lib/leelaz/bin/leelaz", "clinfo"], timeout=900,
            masks=[r"Thinking at most.*", r"Playouts: .*", r"\d+ n/s"]),
    # OpenCV
    Program("opencv-umat", [PYTHON, "@umat.py"], needs=["python:cv2"], OPENCV_OPENCL_DEVICE=":CPU:"),
    *(Program("opencv-" + what, [PYTHON, "@vision.py", what], needs=["python:cv2"], timeout=900,
              masks=[r"ERROR:\d+@[\d.]+"], OPENCV_OPENCL_DEVICE=":CPU:") for what in ("chains", "functions")),
    *(Program("opencv-own-" + what, [OWN_PYTHON, "@vision.py", what], needs=["own:cv2"], timeout=900,
              masks=[r"ERROR:\d+@[\d.]+"], OPENCV_OPENCL_DEVICE=":CPU:") for what in ("chains", "functions")),
    # BLAS and FFT libraries
    *(clblast(r) for r in
      ["xaxpy", "xdot", "xgemv", "xger", "xgemm", "xsyrk", "xtrsm", "xomatcopy", "xim2col", "xamax", "xhad",
       "xconvgemm", "xgemmbatched"]),
    Program("clblast-tuner", ["clblast_tuner_xaxpy", "-fraction", "0"], needs=["clblast_tuner_xaxpy"],
            masks=[r"\d+\.\d+", r"(?m)^.*best.*$"]),
    Program("clfft-client", "for n in 256 1000 4096; do clFFT-client -c -x $n -b 50 -p 5 || exit; done; "
            "clFFT-client -c -x 128 -y 64 -p 3", needs=["clFFT-client"], masks=[r"\d+\.\d+(e[-+]\d+)?"]),
    Program("clblast-client", ["@clblast.c"]),
    # Intel's driver does not compile some of it: its logs number what the process has compiled
    Program("clfft-api", ["@clfft.c"], masks=[r"(?m)^\d+:(?=\d+:\d+: )"]),
    Program("viennacl", ["@viennacl.cpp"]),
    Program("viennacl-formats", ["@viennacl_formats.cpp"]),
    Program("boost-compute", ["@boost_compute.cpp"]),
    Program("boost-algorithms", ["@boost_algorithms.cpp"]),
    # images
    Program("darktable", [PYTHON, "@darktable.py"], needs=["darktable-cli"], ignore=[r"\.db", r"lock", r"\.log$", r"\.bin", r"darktablerc"],
            timeout=900, POCL_EXTRA_BUILD_FLAGS="-I/usr/share/darktable/kernels"),
    Program("darktable-cltest", ["darktable-cltest", "--core", "--configdir", "cfg", "--cachedir", "cache"],
            needs=["darktable-cltest"], ignore=["."]),
    Program("gegl", [PYTHON, "@gegl.py"], needs=["gegl"], timeout=900),
    Program("ufo", [PYTHON, "@ufo.py"], needs=["ufo-launch"], UFO_DEVICE_TYPE="cpu"),
    Program("mandelbulber", [PYTHON, "@mandelbulber.py"], needs=["mandelbulber2", "clinfo"], timeout=900,
            QT_QPA_PLATFORM="offscreen"),
    Program("qgis", [PYTHON, "@terrain.py"], needs=["python:qgis.analysis", "python:osgeo.gdal"],
            QT_QPA_PLATFORM="offscreen", POCL_EXTRA_BUILD_FLAGS="-I/usr/share/qgis/resources/opencl_programs"),
    # simulations; ASL's own text mixes float and double
    Program("asl", ["@asl.cpp"], POCL_EXTRA_BUILD_FLAGS="-cl-single-precision-constant"),
    # it keeps the driver's binaries, which hold what was compiled so far; its order of contacts is the threads'
    Program("bullet", ["@bullet.cpp"], ignore=[r"\.bin$"], masks=[r"(?m)^\d+ warnings? generated\.\n"],
            POCL_MAX_PTHREAD_COUNT="1"),
    # tasks
    Program("starpu", [PYTHON, "@starpu.py"], needs=[STARPU + "vector_scal"], timeout=900),
    # passwords
    Program("hashcat-md5", "printf %s zebra | md5sum | cut -c1-32 >h; hashcat -m 0 -a 3 h '?l?l?l?l?l' "
            "--potfile-disable --force -D 1 -o found --quiet; cat found", needs=["hashcat"],
            ignore=["hashcat"], timeout=600),
    Program("hashcat-sha256", "printf %s passw0 | sha256sum | cut -c1-64 >h; hashcat -m 1400 -a 3 h '?l?l?l?l?l?d' "
            "--potfile-disable --force -D 1 -o found --quiet; cat found", needs=["hashcat"], timeout=600),
    Program("hashcat-modes", [PYTHON, "@hashes.py", "100", "1800"], needs=["hashcat"], ignore=["."], timeout=900),
    Program("hcxkeys", "seq -f password%g 800 >words; wlangenpmkocl -e network -i words -A found; cat found",
            needs=["wlangenpmkocl"]),
    # spreadsheets
    Program("libreoffice", [PYTHON, "@sheet.py"], needs=["soffice"],
            ignore=[r"\.(dat|db|log|xc[ud]|xml|lck|tmp|fods)$", r"^[a-z]+$"],
            timeout=600, SC_FORCE_CALCULATION="opencl"),
    # Python
    Program("pyopencl", [PYTHON, "@arrays.py"], needs=["python:pyopencl"]),
    Program("silx", [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "silx.opencl"],
            needs=["python:silx.opencl", "python:pytest", "python:pyopencl"], timeout=900, SILX_TEST_LOW_MEM="True"),
    Program("tinygrad", [OWN_PYTHON, "@tiny.py"], needs=["own:tinygrad"], CL="1", DEV="CL", CACHELEVEL="0"),
    Program("openmm", [OWN_PYTHON, "@md.py"], needs=["own:openmm"]),
    Program("reikna", [OWN_PYTHON, "@fft.py", "reikna"], needs=["own:reikna", "own:pyopencl"]),
    Program("vkfft", [OWN_PYTHON, "@fft.py", "pyvkfft"], needs=["own:pyvkfft.opencl"]),
    Program("gpyfft", [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "gpyfft.test"],
            needs=["python:gpyfft", "python:pytest"], timeout=900),
    Program("sasmodels", [OWN_PYTHON, "@scattering.py"], needs=["own:sasmodels", "own:pyopencl"]),
    Program("nengo-ocl", [OWN_PYTHON, "@neurons.py"], needs=["own:nengo_ocl"]),
    Program("gputools", [OWN_PYTHON, "@volumes.py"], needs=["own:gputools"]),
    Program("loopy", [OWN_PYTHON, "@transformed.py"], needs=["own:loopy", "own:pyopencl"]),
    Program("halide", [OWN_PYTHON, "@pipelines.py"], needs=["own:halide"]),
    Program("dpivsoft", [OWN_PYTHON, "@piv.py"], needs=["own:dpivsoft", "own:cv2"], ignore=["png$"]),
    Program("pyfr", [OWN_PYTHON, "@vortex.py"], needs=["own:pyfr", "own:gmsh"], ignore=["."], OMPI_ALLOW_RUN_AS_ROOT="1",
            OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1"),
    example("nbody", "n-body.py", "-n 4096 -i 20 -m ImplicitEuler -x CorRad", POCL_MAX_PTHREAD_COUNT="1"),
    example("nbody-double", "n-body.py", "-n 1024 -i 5 -t FP64 -m RungeKutta -x NegExp", POCL_MAX_PTHREAD_COUNT="1"),
    *(example("black-hole-" + method.lower(), "black-hole-accretion.py", "-s 256 -o", method, *more)
      for method, more in [("EachPixel", ["-s 64"]), ("TrajectoPixel", []), ("TrajectoCircle", []), ("EachCircle", [])]),
    *(example(f"pi-{kind.lower()}-{rng.lower()}", "pi-monte-carlo.py", "-g OpenCL -i 100000000 -b 64 -e 64 -f 4 -l 4",
              "-v", kind, "-m", rng, ignore=[r"^Pi_"])
      for kind, rng in [("FP32", "MWC"), ("FP64", "KISS"), ("INT32", "SHR3"), ("INT64", "CONG")]),
    Program("pyopencl-own", [OWN_PYTHON, "@arrays.py"], needs=["own:pyopencl"]),  # a wheel brings its own loader
    Program("pygpu", [PYTHON, "@blocks.py"], needs=["python:pygpu"]),
    Program("lightgbm", [OWN_PYTHON, "@boosting.py"], needs=["own:lightgbm"]),
    Program("clesperanto", [OWN_PYTHON, "@cells.py"], needs=["own:pyclesperanto_prototype"], timeout=900),
    Program("qcgpu", [OWN_PYTHON, "@qubits.py"], needs=["own:qcgpu"]),
    Program("bempp", [OWN_PYTHON, "@boundary.py"], needs=["own:bempp_cl"], timeout=900),
    Program("pyfai", [OWN_PYTHON, "@tested.py", "pyFAI.opencl.test.test_openCL", "pyFAI.opencl.test.test_preproc"],
            needs=["own:pyFAI.opencl", "own:pyopencl", "own:pytest"], timeout=900),
    Program("fdfd", [OWN_PYTHON, "@fdfd.py"], needs=["own:meanas", "own:pyopencl"], PYOPENCL_CTX="0"),
    Program("doritex", [OWN_PYTHON, "@words.py"], needs=["own:doritex", "own:pyopencl"]),
    Program("qmctoolscl", [OWN_PYTHON, "@sequences.py"], needs=["own:qmctoolscl", "own:pyopencl"], PYOPENCL_NO_CACHE="1"),
    Program("pyrqa", [OWN_PYTHON, "@recurrence.py"], needs=["own:pyrqa"], timeout=900),
    Program("pyclesperanto", [OWN_PYTHON, "@images.py"], needs=["own:pyclesperanto"], timeout=900),
    # packages' own tests
    tested("pyopencl-tests", SOURCES + "/pyopencl/test",
           needs=[SOURCES + "/pyopencl/test", "own:pyopencl", "own:pytest"]),
    # the test left out hangs bare, too, on a busy machine
    sycl("dpctl-tests", "@tested.py", "dpctl.tests", "-k", "not test_context_multi_device"),
    # those left out copy what nobody has written
    sycl("dpnp-tests", "@tested.py", "--every", "20", *(f"dpnp.tests.test_{part}" for part in DPNP), "-k", "not empty"),
    # conformance
    Program("piglit-execution", [PYTHON, "@execution.py"], needs=[PIGLIT + "cl-program-tester"],
            masks=[r"tempfile_\w+"], timeout=3600),
    Program("pocl-tests", [PYTHON, "@pocl_tests.py", "@built/pocl"], needs=["/usr/src/pocl.tar.xz", "g++"],
            masks=[r"tempfile_\w+", r"\.dot(\.\d+)?", r"\d+(\.\d+)? GFlop/s"], timeout=3600),
    *(piglit("cl-api-" + name) for name in PIGLIT_API),
    *(piglit("cl-" + name) for name in ["custom-buffer-flags", "custom-flush-after-enqueue-kernel",
                                        "custom-r600-create-release-buffer-bug", "custom-run-simple-kernel",
                                        "custom-use-sub-buffer-in-kernel", "program-bitcoin-phatk",
                                        "program-max-work-item-sizes", "program-predefined-macros"]),
]
