"""Bempp: boundary operators of Laplace's and Helmholtz' equations on a sphere, and potentials; prints checksums."""
import bempp_cl.api as bempp
import numpy as np
from made import show

bempp.DEFAULT_DEVICE_INTERFACE = "opencl"
bempp.set_default_cpu_device(0, 0)
grid = bempp.shapes.regular_sphere(3)
constant = bempp.function_space(grid, "DP", 0)
linear = bempp.function_space(grid, "P", 1)
points = 3 * np.random.default_rng(2).random((3, 500)) + 1.5

for kind in ("single_layer", "double_layer"):
    for name, space in (("constant", constant), ("linear", linear)):
        operator = getattr(bempp.operators.boundary.laplace, kind)(space, space, space)
        show(f"laplace {kind} {name}", operator.weak_form().A)
operator = bempp.operators.boundary.helmholtz.single_layer(linear, linear, linear, 2.5)
show("helmholtz", operator.weak_form().A)
density = bempp.GridFunction(linear, coefficients=np.arange(linear.global_dof_count) / 100)
show("potential", bempp.operators.potential.laplace.single_layer(linear, points) @ density)
