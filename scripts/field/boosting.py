"""LightGBM's histograms on OpenCL: trees for a regression and for two classes; prints checksums.  A dozen launches per
tree, through a loader that is linked into the library."""
import zlib

import lightgbm as lgb
import numpy as np

random = np.random.default_rng(1)
rows = random.random((20_000, 20))
target = 3 * rows[:, 0] + rows[:, 1] ** 2 + 0.1 * random.random(len(rows))
common = dict(device_type="gpu", gpu_use_dp=True, num_threads=1, deterministic=True, seed=3, verbose=-1)
for bins, objective, wanted in ((63, "regression", target), (255, "binary", target > 2), (15, "regression", target)):
    trees = lgb.train(dict(common, objective=objective, max_bin=bins), lgb.Dataset(rows, wanted), 10)
    print(objective, bins, f"{zlib.crc32(trees.predict(rows).tobytes()):08x}", flush=True)
