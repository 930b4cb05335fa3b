"""sasmodels on OpenCL: I(q) and I(qx, qy) of scattering models, plain, with polydispersity, with magnetism.

Prints checksums.
"""
import os

os.environ.setdefault("SAS_OPENCL", "0:0")
import numpy as np  # noqa: E402
from made import show  # noqa: E402
from sasmodels import kernelcl  # noqa: E402
from sasmodels.core import load_model  # noqa: E402
from sasmodels.direct_model import call_kernel  # noqa: E402

MODELS = "sphere cylinder lamellar".split()
assert kernelcl.use_opencl()
q = np.logspace(-3, -0.5, 5000)
side = np.linspace(-0.1, 0.1, 160)
qx, qy = (g.ravel() for g in np.meshgrid(side, side))
for name in MODELS:
    for dtype in ("single", "double"):
        model = load_model(name, dtype=dtype, platform="ocl")
        curve = model.make_kernel([q])
        image = model.make_kernel([qx, qy])
        loose = {}
        for parameter in model.info.parameters.call_parameters:
            if parameter.polydisperse and parameter.type == "volume":
                loose = {parameter.name + "_pd": 0.1, parameter.name + "_pd_n": 12}
                break
        for what, kernel, values in (("q", curve, {}), ("q pd", curve, loose), ("xy", image, {}), ("xy pd", image, loose)):
            for _ in range(3):
                result = call_kernel(kernel, values)
            show(name, dtype, what, result)
        curve.release()
        image.release()
