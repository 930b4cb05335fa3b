"""A client in Python: arrays, a reduction, a kernel of its own, events and what can be asked about them."""
import sys

try:
    import numpy
    import pyopencl
    import pyopencl.array
    import pyopencl.reduction
except ImportError:
    sys.exit(77)

SOURCE = """
__kernel void twice(__global const float *in, __global float *out)
{
    size_t i = get_global_id(0);
    out[i] = in[i] * 2;
}
"""

context = pyopencl.Context(pyopencl.get_platforms()[0].get_devices())
queue = pyopencl.CommandQueue(context, properties=pyopencl.command_queue_properties.PROFILING_ENABLE)
plain = pyopencl.CommandQueue(context)
program = pyopencl.Program(context, SOURCE).build(options=["-cl-mad-enable"])
kernel = pyopencl.Kernel(program, "twice")
numbers = pyopencl.array.to_device(queue, numpy.arange(1 << 16, dtype=numpy.float32))
out = pyopencl.array.empty_like(numbers)

for i in range(100):
    event = kernel(queue if i % 2 else plain, numbers.shape, (4,), numbers.data, out.data)
    event.wait()
    numbers, out = out, numbers
    if i % 10 == 0:
        numbers.set(numpy.arange(1 << 16, dtype=numpy.float32), queue=queue)
print(kernel.function_name, kernel.num_args, kernel.reference_count, program.reference_count)
print(plain.properties, queue.properties, event.profile.end >= event.profile.start)
print(numbers.get()[:8], float(pyopencl.array.sum(out + numbers, queue=queue).get()))
try:
    kernel(queue, (12,), (5,), numbers.data, out.data)
except pyopencl.Error as error:
    print(error)
