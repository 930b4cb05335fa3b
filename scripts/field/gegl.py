"""GEGL operations with and for OpenCL, on an image made here.  Leaves PPM files."""
import os
import subprocess

from made import write_picture

write_picture("in.png", 500, 333)
os.environ["GEGL_USE_OPENCL"] = "cpu"
OPERATIONS = [["gaussian-blur", "std-dev-x=4"], ["box-blur", "radius=5"],
              ["brightness-contrast", "contrast=1.4"], ["levels", "in-low=0.1"], ["c2g", "radius=10"],
              ["edge-laplace"], ["pixelize"], ["bilateral-filter"], ["snn-mean"], ["edge-sobel"], ["invert"],
              ["motion-blur-linear"], ["noise-hsv"], ["color-temperature"], ["threshold"], ["dropshadow"], ["gamma"]]
for name, *properties in OPERATIONS:
    done = subprocess.run(["gegl", "in.png", "-o", name + ".ppm", "--", "gegl:" + name, *properties], capture_output=True)
    print(name, done.returncode)
