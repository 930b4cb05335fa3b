"""Nengo on OpenCL: two populations of spiking neurons and a product learned between them.  Prints checksums."""
import nengo
import nengo_ocl
import numpy as np
import pyopencl as cl
from made import show

context = cl.Context(cl.get_platforms()[0].get_devices())
with nengo.Network(seed=3) as model:
    stimulus = nengo.Node(lambda t: [np.sin(6 * t), np.cos(6 * t)])
    a = nengo.Ensemble(200, dimensions=2)
    b = nengo.Ensemble(150, dimensions=1, neuron_type=nengo.LIFRate())
    error = nengo.Ensemble(100, dimensions=1)
    nengo.Connection(stimulus, a)
    learned = nengo.Connection(a, b, function=lambda x: 0, learning_rule_type=nengo.PES())
    nengo.Connection(b, error)
    nengo.Connection(a, error, function=lambda x: -x[0] * x[1])
    nengo.Connection(error, learned.learning_rule)
    probes = {"a": nengo.Probe(a, synapse=0.01), "b": nengo.Probe(b, synapse=0.01), "spikes": nengo.Probe(a.neurons)}
with nengo_ocl.Simulator(model, context=context, progress_bar=False) as simulator:
    simulator.run(1.0, progress_bar=False)
    for name, probe in probes.items():
        show(name, simulator.data[probe])
