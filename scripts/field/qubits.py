"""QCGPU: circuits on 18 qubits; prints checksums of the amplitudes."""
import qcgpu
from made import show

register = qcgpu.State(18)
for layer in range(6):
    for qubit in range(18):
        register.h(qubit)
        register.u(qubit, 0.1 * layer, 0.2 * qubit, 0.3)
    for qubit in range(13):
        register.cx(qubit, qubit + 1)
        register.cu1(qubit, qubit + 1, 0.7)
    show(layer, register.amplitudes())
show(register.probabilities())
