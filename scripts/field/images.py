"""pyclesperanto, the C++ library, on a volume made here: filters, labels, measurements.  Prints checksums."""
import sys
import warnings

import numpy as np
import pyclesperanto as cle
from made import show

warnings.simplefilter("ignore")
cle.select_device(0)
cle.wait_for_kernel_to_finish(True)
random = np.random.default_rng(11)
volume = (random.random((12, 90, 110)) * 200).astype(np.float32)
volume[3:9, 20:60, 30:80] += 500
flat = np.ascontiguousarray(volume[5])


def operation(name, image, *arguments, **named):
    try:
        for _ in range(4):
            result = getattr(cle, name)(image, *arguments, **named)
        show(name, np.asarray(cle.pull(result)) if hasattr(result, "shape") else np.asarray(result))
    except Exception as e:
        print(name, type(e).__name__, str(e).splitlines()[0][:150] if str(e) else "")


for image in (cle.push(volume), cle.push(flat)):
    for name, named in [
            ("gaussian_blur", dict(sigma_x=2, sigma_y=2)), ("difference_of_gaussian", dict(sigma1_x=1, sigma2_x=3)),
            ("mean_box", dict(radius_x=2, radius_y=1)), ("mean_sphere", dict(radius_x=2, radius_y=2)),
            ("median_sphere", dict(radius_x=1, radius_y=1)), ("maximum_box", dict(radius_x=2, radius_y=2)),
            ("minimum_sphere", dict(radius_x=2, radius_y=2)), ("variance_box", dict(radius_x=1, radius_y=1)),
            ("top_hat_box", dict(radius_x=4, radius_y=4)), ("laplace", {}), ("sobel", {}), ("absolute", {}),
            ("gamma_correction", dict(gamma=0.7)), ("gradient_x", {}), ("transpose_xy", {}), ("flip", dict(flip_x=True)),
            ("rotate", dict(angle_z=30)), ("scale", dict(factor_x=1.5, factor_y=0.7)), ("translate", dict(translate_x=3)),
            ("threshold_otsu", {}), ("maximum_z_projection", {}), ("sum_z_projection", {}), ("std_z_projection", {}),
            ("sum_of_all_pixels", {}), ("maximum_of_all_pixels", {}), ("histogram", {}),
            ("add_image_and_scalar", dict(scalar=3)), ("power", dict(scalar=1.5)), ("sub_stack", {})]:
        operation(name, image, **named)
    binary = cle.greater_constant(image, scalar=400)
    for name in ("binary_not", "binary_edge_detection", "dilate_box", "erode_sphere", "opening_box",
                 "connected_components_labeling", "invert"):
        operation(name, binary)
    labels = cle.connected_components_labeling(binary)
    for name in ("extend_labeling_via_voronoi", "label_pixel_count_map", "reduce_labels_to_centroids", "generate_touch_matrix"):
        operation(name, labels)
sys.exit(0)
