"""OpenMM's OpenCL platform: a box of argon for a few steps, twice from the same state."""
import sys

import openmm
from openmm import unit

platform = openmm.Platform.getPlatformByName("OpenCL")
system, force = openmm.System(), openmm.NonbondedForce()
force.setNonbondedMethod(openmm.NonbondedForce.CutoffPeriodic)
force.setCutoffDistance(0.9)
n, spacing = 8, 0.38
system.setDefaultPeriodicBoxVectors(*(openmm.Vec3(*(n * spacing if i == j else 0 for j in range(3))) for i in range(3)))
positions = []
for i in range(n ** 3):
    system.addParticle(39.9)
    force.addParticle(0.0, 0.34, 0.998)
    positions.append(openmm.Vec3(i % n, i // n % n, i // n // n) * spacing)
system.addForce(force)
context = openmm.Context(system, openmm.VerletIntegrator(0.002), platform, {"Precision": "double"})
context.setPositions(positions)
for steps in (0, 50):
    context.getIntegrator().step(steps)
    state = context.getState(getEnergy=True, getPositions=True)
    print(steps, f"{state.getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole):.6f}",
          f"{sum(abs(x) for p in state.getPositions(asNumpy=True)._value for x in p):.6f}")
sys.stdout.flush()
