"""A picture of a fractal by mandelbulber2 on the OpenCL device, without a window.

It knows a device by a part of the MD4 of its name, version and number.
"""

import pathlib
import re
import subprocess

SCENE = "/usr/share/mandelbulber2/examples/IFS_001.fract"

facts = subprocess.run(["clinfo", "--raw"], capture_output=True, text=True, check=True).stdout
name, version = (re.search(rf"CL_DEVICE_{what}\s+(.*)", facts).group(1) for what in ("NAME", "VERSION"))
md4 = subprocess.run(["openssl", "md4", "-provider", "legacy"], input=f"{name}{version}0", capture_output=True,
                     text=True, check=True).stdout.split()[-1]
options = {"opencl_enabled": 1, "opencl_device_type": 2, "opencl_device_list": md4[:6], "opencl_mode": 3}
subprocess.run(["mandelbulber2", "-n", "-C", "-r", "160x120", "-f", "png", "-o", str(pathlib.Path.cwd() / "out.png"),
                "-O", "#".join(f"{k}={v}" for k, v in options.items()), SCENE], check=True, stdout=subprocess.DEVNULL)
