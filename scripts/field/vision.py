"""OpenCV's vision on UMats: what programs chain (features, flow, background, stereo), or the many small functions of
images and matrices that umat.py has not.  Prints one checksum per result.

    vision.py chains|functions [NAME...]        no NAME: all of them
"""
import sys
import zlib

import cv2
import numpy as np

cv2.ocl.setUseOpenCL(True)
if not cv2.ocl.useOpenCL():
    sys.exit("OpenCV found no OpenCL device")
cv2.setRNGSeed(7)
ROUNDS = 3
random = np.random.default_rng(5)
scene = cv2.resize(random.integers(0, 256, (40, 54, 3), dtype=np.uint8), (323, 241), interpolation=cv2.INTER_CUBIC)
for n in range(30):
    x, y = (int(v) for v in random.integers(10, 200, 2))
    cv2.rectangle(scene, (x, y), (x + 30, y + 20), tuple(int(v) for v in random.integers(0, 256, 3)), -1)
grey_array = cv2.cvtColor(scene, cv2.COLOR_BGR2GRAY)
moved_array = np.roll(grey_array, (3, 5), (0, 1))
colour, grey, moved = cv2.UMat(scene), cv2.UMat(grey_array), cv2.UMat(moved_array)
real = cv2.UMat(random.random((240, 320), dtype=np.float32))
other = cv2.UMat(random.random((240, 320), dtype=np.float32) + 0.5)
doubles = cv2.UMat(random.random((257, 131)))
shorts = cv2.UMat(random.integers(-3000, 3000, (300, 401), dtype=np.int16))
points = cv2.goodFeaturesToTrack(grey_array, 80, 0.01, 8)
columns, rows = np.meshgrid(np.arange(300, dtype=np.float32), np.arange(200, dtype=np.float32))
bent = cv2.UMat(columns + 6 * np.sin(rows / 20)), cv2.UMat(rows + 6 * np.cos(columns / 25))
lean = np.array([[1, 0.1, 3], [0.05, 0.95, 4], [0.0002, 0.0001, 1]], np.float32)
small = cv2.UMat(np.ascontiguousarray(scene[::2, ::2]))


def features(detector):
    keypoints, descriptors = detector.detectAndCompute(grey, None)
    return np.array([k.pt for k in keypoints], np.float32), descriptors


def matches():
    a, b = (cv2.ORB_create(200).detectAndCompute(image, None)[1] for image in (grey, moved))
    return np.array([(m.queryIdx, m.trainIdx, m.distance) for m in cv2.BFMatcher(cv2.NORM_HAMMING).match(a, b)])


def matches_of_floats():
    a, b = (cv2.UMat(np.random.default_rng(s).random((300, 64), dtype=np.float32)) for s in (1, 2))
    found = cv2.BFMatcher(cv2.NORM_L2).knnMatch(a, b, 2)
    return np.array([(m.trainIdx, m.distance) for pair in found for m in pair])


def background(maker):
    subtractor = maker(history=20, detectShadows=True)
    for n in range(6):
        mask = subtractor.apply(cv2.UMat(np.roll(scene, n * 4, 1)))
    return mask, subtractor.getBackgroundImage()


chains = {
    "orb": lambda: features(cv2.ORB_create(300)),
    "akaze": lambda: features(cv2.AKAZE_create()),
    "fast": lambda: np.array([k.pt for k in cv2.FastFeatureDetector_create(20).detect(grey)]),
    "corners-to-track": lambda: cv2.goodFeaturesToTrack(grey, 80, 0.01, 8),
    "min-eigenvalue": lambda: cv2.cornerMinEigenVal(grey, 3),
    "pre-corner": lambda: cv2.preCornerDetect(grey, 3),
    "match": matches,
    "match-floats": matches_of_floats,
    "flow-farneback": lambda: cv2.calcOpticalFlowFarneback(grey, moved, None, 0.5, 3, 13, 2, 5, 1.1, 0),
    "flow-lk": lambda: cv2.calcOpticalFlowPyrLK(grey, moved, cv2.UMat(points), None)[0],
    "flow-dis": lambda: cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_FAST).calc(grey, moved, None),
    "mog2": lambda: background(cv2.createBackgroundSubtractorMOG2),
    "knn": lambda: background(cv2.createBackgroundSubtractorKNN),
    "stereo-bm": lambda: cv2.StereoBM_create(16, 9).compute(grey, moved),
}
functions = {
    "contrast": lambda: cv2.createCLAHE(2.0, (8, 8)).apply(grey),
    "remap": lambda: cv2.remap(colour, *bent, cv2.INTER_LINEAR),
    "remap-nearest": lambda: cv2.remap(grey, *bent, cv2.INTER_NEAREST, None, cv2.BORDER_CONSTANT),
    "perspective": lambda: cv2.warpPerspective(colour, lean, (300, 200), flags=cv2.INTER_LINEAR),
    "perspective-cubic": lambda: cv2.warpPerspective(grey, lean, (300, 200), flags=cv2.INTER_CUBIC),
    "undistort": lambda: cv2.undistort(colour, np.array([[500, 0, 320], [0, 500, 240], [0, 0, 1.0]]),
                                       np.array([-0.2, 0.1, 0, 0])),
    "denoise-colour": lambda: cv2.fastNlMeansDenoisingColored(small, None, 5, 5, 5, 11),
    "sharpen": lambda: cv2.addWeighted(colour, 1.6, cv2.GaussianBlur(colour, (0, 0), 3), -0.6, 0),
    "box": lambda: cv2.boxFilter(real, -1, (5, 3)),
    "sqr-box": lambda: cv2.sqrBoxFilter(grey, cv2.CV_32F, (7, 7)),
    "separable": lambda: cv2.sepFilter2D(grey, cv2.CV_32F, np.array([1, 2, 4, 2, 1.0]), np.array([1, 0, -1.0])),
    "scharr": lambda: cv2.Scharr(grey, cv2.CV_16S, 0, 1),
    "median-5": lambda: cv2.medianBlur(colour, 5),
    "tophat": lambda: cv2.morphologyEx(grey, cv2.MORPH_TOPHAT, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))),
    "hitmiss": lambda: cv2.morphologyEx(cv2.threshold(grey, 90, 255, 0)[1], cv2.MORPH_HITMISS,
                                        np.array([[0, 1, 0], [1, -1, 1], [0, 1, 0]])),
    "cubic": lambda: cv2.resize(colour, (500, 333), interpolation=cv2.INTER_CUBIC),
    "nearest": lambda: cv2.resize(grey, (777, 201), interpolation=cv2.INTER_NEAREST),
    "area": lambda: cv2.resize(grey, (211, 97), interpolation=cv2.INTER_AREA),
    "adaptive": lambda: cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_GAUSSIAN_C, cv2.THRESH_BINARY, 11, 2),
    "otsu": lambda: cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1],
    "back-project": lambda: cv2.calcBackProject([colour], [0], cv2.calcHist([colour], [0], None, [32], [0, 256]),
                                                [0, 256], 1),
    **{"colour-" + name: lambda code=code: cv2.cvtColor(colour, code) for name, code in [
        ("ycrcb", cv2.COLOR_BGR2YCrCb), ("xyz", cv2.COLOR_BGR2XYZ), ("luv", cv2.COLOR_BGR2Luv),
        ("hls", cv2.COLOR_BGR2HLS), ("rgba", cv2.COLOR_BGR2RGBA), ("565", cv2.COLOR_BGR2BGR565)]},
    "nv12": lambda: cv2.cvtColor(cv2.UMat(np.ascontiguousarray(grey_array[:240, :320])), cv2.COLOR_YUV2BGR_NV12),
    "template": lambda: cv2.matchTemplate(grey, cv2.UMat(np.ascontiguousarray(moved_array[50:62, 60:75])),
                                          cv2.TM_CCOEFF_NORMED),
    "phase": lambda: cv2.phase(real, other),
    "polar": lambda: cv2.cartToPolar(real, other),
    "log": lambda: cv2.log(other),
    "root": lambda: cv2.sqrt(real),
    "power": lambda: cv2.pow(other, 2.2),
    "divide": lambda: cv2.divide(real, other),
    "divide-shorts": lambda: cv2.divide(shorts, shorts, scale=3),
    "compare": lambda: cv2.compare(real, other, cv2.CMP_GT),
    "in-range": lambda: cv2.inRange(colour, (20, 30, 40), (180, 190, 200)),
    "differ": lambda: cv2.absdiff(grey, moved),
    "bits": lambda: cv2.bitwise_xor(grey, moved, mask=cv2.UMat(np.ascontiguousarray(grey_array & 1))),
    "table": lambda: cv2.LUT(colour, np.arange(255, -1, -1, dtype=np.uint8)),
    "scale-abs": lambda: cv2.convertScaleAbs(shorts, alpha=0.1, beta=3),
    "extremes": lambda: np.array(cv2.minMaxLoc(real)[:2]),
    "norms": lambda: np.array([cv2.norm(real, kind) for kind in (cv2.NORM_INF, cv2.NORM_L1, cv2.NORM_L2)]),
    "norm-differ": lambda: np.array([cv2.norm(grey, moved, kind) for kind in (cv2.NORM_INF, cv2.NORM_L1)]),
    "sum": lambda: np.array(cv2.sumElems(colour)),
    "count": lambda: np.array(cv2.countNonZero(grey)),
    "reduce": lambda: cv2.reduce(grey, 0, cv2.REDUCE_SUM, dtype=cv2.CV_32S),
    "reduce-mean": lambda: cv2.reduce(real, 1, cv2.REDUCE_AVG),
    "split": lambda: cv2.split(colour)[1],
    "merge": lambda: cv2.merge([grey, moved, grey]),
    "repeat": lambda: cv2.repeat(grey, 2, 3),
    "triangle": lambda: cv2.completeSymm(cv2.UMat(np.arange(64 * 64, dtype=np.float32).reshape(64, 64))),
    "eye": lambda: cv2.setIdentity(cv2.UMat(np.zeros((100, 90), np.float32)), 3),
    "scale-add": lambda: cv2.scaleAdd(real, 0.7, other),
    "product-doubles": lambda: cv2.gemm(doubles, doubles, 0.5, None, 0, flags=cv2.GEMM_2_T),
    "own-product": lambda: cv2.mulTransposed(real, True),
    "dft-real": lambda: cv2.dft(cv2.UMat(np.random.default_rng(2).random((128, 256), dtype=np.float32))),
    "spectrums": lambda: cv2.mulSpectrums(cv2.dft(real, flags=cv2.DFT_COMPLEX_OUTPUT),
                                          cv2.dft(other, flags=cv2.DFT_COMPLEX_OUTPUT), 0),
    "accumulate-product": lambda: cv2.accumulateProduct(real, other, cv2.UMat(np.zeros((240, 320), np.float32))),
    "pyramid": lambda: cv2.pyrUp(cv2.pyrDown(cv2.pyrDown(colour))),
    "distance": lambda: cv2.distanceTransform(cv2.threshold(grey, 100, 255, 0)[1], cv2.DIST_L2, 3),
    "photo-inpaint": lambda: cv2.inpaint(small, cv2.UMat(np.eye(121, 162, dtype=np.uint8)), 3, cv2.INPAINT_TELEA),
}


def checksum(result):
    if isinstance(result, (tuple, list)):
        return zlib.crc32(b"".join(checksum(r).to_bytes(4, "big") for r in result))
    return zlib.crc32(np.ascontiguousarray(result.get() if isinstance(result, cv2.UMat) else result))


which = {"chains": chains, "functions": functions}[sys.argv[1]]
for name in sys.argv[2:] or which:
    sums = set()
    try:
        for _ in range(ROUNDS):
            sums.add(checksum(which[name]()))
    except (cv2.error, TypeError, AttributeError) as e:
        print(name, "refused:", str(e).strip().splitlines()[0][:120])
        continue
    print(name, *(f"{s:08x}" for s in sorted(sums)), flush=True)
