"""pyclesperanto's image filters on a volume of blobs; prints checksums.  Without sobel(), whose kernel
reads past the end of its arrays, so that results differ from run to run."""
import numpy as np
import pyclesperanto_prototype as cle
from made import show

random = np.random.default_rng(5)
volume = np.zeros((24, 96, 128), np.float32)
for z, y, x in random.integers((4, 8, 8), (20, 88, 120), (40, 3)):
    volume[z - 2:z + 3, y - 4:y + 5, x - 4:x + 5] += 100
volume += random.random(volume.shape, dtype=np.float32)

source = cle.push(volume)
for _ in range(20):
    blurred = cle.gaussian_blur(source, sigma_x=2, sigma_y=2, sigma_z=1)
    mean = cle.mean_box(source, radius_x=3, radius_y=3, radius_z=1)
    median = cle.median_sphere(source, radius_x=1, radius_y=1, radius_z=1)
    top = cle.top_hat_box(source, radius_x=4, radius_y=4, radius_z=1)
    sums = cle.add_images_weighted(blurred, mean, factor1=0.5, factor2=-0.25)
for name, image in (("blur", blurred), ("mean", mean), ("median", median), ("top hat", top), ("sum", sums)):
    show(name, cle.pull(image))
mask = cle.threshold_otsu(blurred)
labels = cle.connected_components_labeling_box(mask)
show("mask", cle.pull(mask))
show("labels", cle.pull(labels))
show("voronoi", cle.pull(cle.voronoi_labeling(mask)))
show("maxima", cle.pull(cle.detect_maxima_box(blurred)))
show("projection", cle.pull(cle.maximum_z_projection(source)))
show("rotated", cle.pull(cle.rotate(source, angle_around_z_in_degrees=30, rotate_around_center=True)))
show("centroids", cle.pull(cle.centroids_of_labels(labels)))
show("touch", cle.pull(cle.generate_touch_matrix(labels)))
print("sum", cle.sum_of_all_pixels(mask), "max", cle.maximum_of_all_pixels(labels))
