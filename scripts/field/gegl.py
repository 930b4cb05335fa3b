"""GEGL operations with and for OpenCL, on an image made here.  Leaves PPM files."""
import os
import struct
import subprocess
import zlib


def png(path, w, h):
    rows = b"".join(b"\0" + bytes((x * 7 + y * (3 + c) + x * y // (5 + c)) & 255 for x in range(w) for c in range(3))
                    for y in range(h))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0)) +
                chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


png("in.png", 500, 333)
os.environ["GEGL_USE_OPENCL"] = "cpu"
OPERATIONS = [["gaussian-blur", "std-dev-x=4"], ["box-blur", "radius=5"],
              ["brightness-contrast", "contrast=1.4"], ["levels", "in-low=0.1"], ["c2g", "radius=10"],
              ["edge-laplace"], ["pixelize"], ["bilateral-filter"], ["snn-mean"], ["edge-sobel"], ["invert"],
              ["motion-blur-linear"], ["noise-hsv"], ["color-temperature"], ["threshold"], ["dropshadow"], ["gamma"]]
for name, *properties in OPERATIONS:
    done = subprocess.run(["gegl", "in.png", "-o", name + ".ppm", "--", "gegl:" + name, *properties], capture_output=True)
    print(name, done.returncode)
