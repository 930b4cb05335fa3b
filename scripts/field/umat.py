"""OpenCV's transparent API: image functions on a UMat; prints one checksum per result.

    umat.py [ROUNDS [FUNCTION...]]        no FUNCTION: all of them
"""
import sys
import zlib

import cv2
import numpy as np

cv2.ocl.setUseOpenCL(True)
if not cv2.ocl.useOpenCL():
    sys.exit("OpenCV found no OpenCL device")
rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 8
random = np.random.default_rng(1)
colour = random.integers(0, 256, (481, 643, 3), dtype=np.uint8)
grey = cv2.UMat(np.ascontiguousarray(colour[:, :, 1]))
real = cv2.UMat(random.random((480, 640), dtype=np.float32))
colour = cv2.UMat(colour)
kernel = np.ones((5, 5), np.uint8)
turn = cv2.getRotationMatrix2D((320, 240), 30, 1.1)

functions = {
    "cvtColor": lambda: cv2.cvtColor(colour, cv2.COLOR_BGR2HSV),
    "cvtColor-lab": lambda: cv2.cvtColor(colour, cv2.COLOR_BGR2Lab),
    "blur": lambda: cv2.blur(colour, (7, 7)),
    "gaussian": lambda: cv2.GaussianBlur(grey, (9, 9), 2),
    "median": lambda: cv2.medianBlur(grey, 3),
    "bilateral": lambda: cv2.bilateralFilter(grey, 5, 30, 30),
    "sobel": lambda: cv2.Sobel(grey, cv2.CV_16S, 1, 0),
    "laplacian": lambda: cv2.Laplacian(grey, cv2.CV_16S),
    "canny": lambda: cv2.Canny(grey, 50, 150),
    "erode": lambda: cv2.erode(grey, kernel),
    "dilate": lambda: cv2.dilate(colour, kernel),
    "gradient": lambda: cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, kernel),
    "resize": lambda: cv2.resize(colour, (320, 240), interpolation=cv2.INTER_AREA),
    "enlarge": lambda: cv2.resize(grey, None, fx=1.5, fy=1.7, interpolation=cv2.INTER_LINEAR),
    "warpAffine": lambda: cv2.warpAffine(colour, turn, (640, 480)),
    "pyrDown": lambda: cv2.pyrDown(grey),
    "pyrUp": lambda: cv2.pyrUp(grey),
    "threshold": lambda: cv2.threshold(grey, 100, 255, cv2.THRESH_BINARY)[1],
    "equalizeHist": lambda: cv2.equalizeHist(grey),
    "calcHist": lambda: cv2.calcHist([grey], [0], None, [256], [0, 256]),
    "integral": lambda: cv2.integral(grey),
    "filter2D": lambda: cv2.filter2D(real, -1, np.ones((3, 3), np.float32) / 9),
    "add": lambda: cv2.add(real, real),
    "multiply": lambda: cv2.multiply(real, real, scale=0.5),
    "exp": lambda: cv2.exp(real),
    "pow": lambda: cv2.pow(real, 3),
    "flip": lambda: cv2.flip(colour, 1),
    "transpose": lambda: cv2.transpose(real),
    "copyMakeBorder": lambda: cv2.copyMakeBorder(grey, 8, 8, 8, 8, cv2.BORDER_REFLECT),
    "normalize": lambda: cv2.normalize(real, None, 0, 1, cv2.NORM_MINMAX),
    "dft": lambda: cv2.dft(real, flags=cv2.DFT_COMPLEX_OUTPUT),
    "gemm": lambda: cv2.gemm(real, cv2.transpose(real), 1, None, 0),
    "denoise": lambda: cv2.fastNlMeansDenoising(cv2.resize(grey, (160, 120)), None, 10, 5, 11),
    "matchTemplate": lambda: cv2.matchTemplate(grey, cv2.UMat(np.full((16, 16), 100, np.uint8)), cv2.TM_SQDIFF),
    "corners": lambda: cv2.cornerHarris(grey, 2, 3, 0.04),
    "accumulate": lambda: cv2.accumulateWeighted(grey, cv2.UMat(np.zeros((481, 643), np.float32)), 0.1),
}
for name in sys.argv[2:] or functions:
    function = functions[name]
    sums = set()
    for _ in range(rounds):
        result = function()
        sums.add(zlib.crc32(np.ascontiguousarray(result.get() if isinstance(result, cv2.UMat) else result)))
    print(name, *(f"{s:08x}" for s in sorted(sums)))
