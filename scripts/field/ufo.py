"""The ufo framework: filters of tomography on images made here.  Leaves raw files."""
import array
import shlex
import subprocess

W, H, IMAGES = 256, 200, 12
for k in range(IMAGES):
    values = array.array("f", [((x * 37 + y * 91 + k * 11) % 255) / 7 + x * y % 13 for y in range(H) for x in range(W)])
    with open(f"in-{k:02}.raw", "wb") as f:
        f.write(values.tobytes())
READ = f"read path=in-*.raw type=raw raw-width={W} raw-height={H} raw-bitdepth=32"
FILTERS = {
    "gradient": "gradient", "flip": "flip direction=vertical", "transpose": "transpose",
    "blur": "blur size=9 sigma=2", "fft": "fft dimensions=1 ! filter ! ifft dimensions=1",
    "binarize": "binarize threshold=9", "clip": "clip max=12", "bin": "bin size=2",
    "crop": "crop x=10 y=20 width=100 height=99", "swap": "swap-quadrants", "map": "map-slice number=4",
    "mask": "mask", "pad": "zeropad",
}
for name, text in FILTERS.items():
    command = ["ufo-launch", "-q", *shlex.split(f"{READ} ! {text} ! write filename={name}-%i.raw")]
    done = subprocess.run(command, capture_output=True, text=True)
    print(name, done.returncode, done.stderr[-200:] if done.returncode else "")
