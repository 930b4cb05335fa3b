"""GEGL operations with and for OpenCL, on an image made here.  Leaves PPM files."""
import os
import subprocess

from made import write_picture

write_picture("in.png", 500, 333)
os.environ["GEGL_USE_OPENCL"] = "cpu"
os.environ["BABL_TOLERANCE"] = "0"  # else the fastest way to convert pixels is taken, which is another one from run to run
OPERATIONS = [["gaussian-blur", "std-dev-x=4"], ["box-blur", "radius=5"],
              ["brightness-contrast", "contrast=1.4"], ["levels", "in-low=0.1"], ["c2g", "radius=10"],
              ["edge-laplace"], ["pixelize"], ["bilateral-filter"], ["snn-mean"], ["edge-sobel"], ["invert"],
              ["motion-blur-linear"], ["noise-hsv"], ["color-temperature"], ["threshold"], ["dropshadow"], ["gamma"],
              ["alien-map"], ["bloom"], ["box-max", "radius=3"], ["box-min", "radius=2"], ["cartoon"],
              ["color-to-alpha", "color=#808080"], ["difference-of-gaussians"], ["gblur-1d", "std-dev=3"], ["gray"],
              ["high-pass"], ["hue-chroma", "hue=20"], ["local-threshold"], ["mean-curvature-blur"], ["mono-mixer"],
              ["mosaic"], ["noise-cie-lch", "seed=3"], ["oilify"], ["opacity", "value=0.6"], ["photocopy"],
              ["posterize"], ["red-eye-removal"], ["rgb-clip"], ["saturation", "scale=1.5"], ["sepia"],
              ["shadows-highlights"], ["softglow"], ["stretch-contrast"], ["stretch-contrast-hsv"],
              ["texturize-canvas"], ["unsharp-mask"], ["value-invert"], ["video-degradation"], ["vignette"], ["waves"],
              ["contrast-curve"], ["exposure", "exposure=0.7"], ["noise-hurl", "seed=3"],
              ["noise-reduction"], ["noise-simplex", "seed=3"], ["noise-perlin"], ["weighted-blend"]]
for name, *properties in OPERATIONS:
    done = subprocess.run(["gegl", "in.png", "-o", name + ".ppm", "--", "gegl:" + name, *properties], capture_output=True)
    print(name, done.returncode)
