"""StarPU's examples that have OpenCL kernels, with the OpenCL device as the only worker; one paragraph per example."""

import os
import pathlib
import subprocess

EXAMPLES = pathlib.Path("/usr/lib/x86_64-linux-gnu/starpu/examples")
CALLS = """vector_scal;block;incrementer;variable;multiformat;fblock;complex;matvecmult
    mandelbrot -width 320 -height 240 -niter 1 -no-x11""".replace("\n", ";").split(";")
ENVIRONMENT = {"STARPU_NCPUS": "0", "STARPU_OPENCL_ON_CPUS": "1", "STARPU_OPENCL_ONLY_ON_CPUS": "1", "STARPU_NOPENCL": "1",
               "STARPU_SILENT": "1", "STARPU_OPENCL_PROGRAM_DIR": "/usr/share/starpu/opencl"}

home = pathlib.Path(os.environ["HOME"])  # StarPU keeps what it measures there
for call in CALLS:
    name, *arguments = call.split()
    if not (EXAMPLES / name).exists():
        continue
    done = subprocess.run([EXAMPLES / name, *arguments], capture_output=True, timeout=120,
                          env={**os.environ, **ENVIRONMENT, "STARPU_HOME": str(home)})
    print("====", name, *arguments, "->", done.returncode)
    print((done.stdout + done.stderr).decode(errors="replace"), flush=True)
