"""Kernel Tuner and clsizer on the same kernels: how long each looks, and what it finds.

Kernel Tuner searches offline, in a process of its own (tuner.py, in the benchmark's virtual environment), over the
likeliest of the oracle's sizes.  clsizer searches in the program: the launches are traced, and it has reached a quality when
the median of five launches is that good."""

import json
import statistics
import subprocess

import sizes

KERNELS = [("2dconv", "conv2d_3x3"), ("backprop", "backprop_adjust_weights"), ("jacobi5", "jacobi_5pt"),
           ("srad1", "srad1"), ("hotspot2d", "hotspot2d"), ("nn", "nn_distance"), ("spmv_random", "spmv_csr"),
           ("cutcp", "cutcp")]
QUICK = KERNELS[:2]
GOAL = 1.05
LONGER = 4  # times as many launches as the program makes of itself


def kernel_tuner(machine, name, step, description, which, strategy):
    data = machine.scratch / "peers" / name
    data.mkdir(parents=True, exist_ok=True)
    stores = machine.stores(f"peers/{name}-{strategy}")
    machine.bare(stores, name, "--dump", data)
    job = {"source": str(machine.kernels / description["file"]), "kernel": step["kernel"], "global": step["global"],
           "args": step["args"], "data": str(data), "sizes": which, "strategy": strategy,
           "platform": machine.options.platform or 0, "device": machine.options.device or 0}
    script = machine.root / "scripts" / "bench" / "tuner.py"
    done = subprocess.run([machine.options.python, str(script)], input=json.dumps(job).encode(), capture_output=True,
                          env=machine.environment(stores), timeout=machine.options.peer_timeout)
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace").strip()[-500:])
    result = json.loads(done.stdout.decode().splitlines()[-1])
    stores.remove()
    return result


def trace(machine, name, kernel, effort, repeat):
    """Launch times of one kernel in a run that begins with nothing known: [[ms since the first launch, ms], ...]."""
    stores = machine.stores(f"peers/{name}-{effort}")
    path = stores.path / "trace"
    machine.tuned(stores, effort, name, "--trace", path, "-l", str(repeat), timeout=180)
    launches = [line.split() for line in path.read_text().splitlines()]
    begin = float(launches[0][1]) - float(launches[0][2])
    found = sorted({sizes.text(s) for e in stores.events() if e.get("kernel") == kernel and e["event"] == "decision"
                    for s in [(e.get("chosen") or e.get("decision", {}).get("local") or [])[:e["launch"]["dim"]]] if s})
    stores.remove()
    return [[float(t) - begin, float(ms)] for k, t, ms in launches if k == kernel], found


def reached(launches, goal_ms):
    """When the median of five launches is first within the goal, and what was lost against it until then."""
    for i in range(len(launches) - 4):
        if statistics.median(ms for _, ms in launches[i:i + 5]) <= goal_ms:
            return launches[i][0], sum(max(0.0, ms - goal_ms) for _, ms in launches[:i])
    return None, sum(max(0.0, ms - goal_ms) for _, ms in launches)


def tuner_scale(result, found):
    """What Kernel Tuner's own times are to be multiplied by: its winner's time in the common measurement over its own, which
    another process took in another way."""
    return result["final"].get(found["best"], found["best_ms"]) / found["best_ms"]


def tuner_reached(result, found):
    """When Kernel Tuner had measured a size within the goal; None: never."""
    scale = tuner_scale(result, found)
    return next((t for t, _, ms in found["evaluations"] if ms * scale <= GOAL * result["oracle_ms"]), None)


def compare(machine, name, kernel, program):
    machine.stores(f"peers/{name}-sweep").remove()
    description = program["description"] if program else machine.describe(name)
    step = next(s for s in description["steps"] if s["kernel"] == kernel)
    which = [s for s in sizes.candidates(step, machine.device) if s][:machine.options.peer_sizes]
    stores = machine.stores(f"peers/{name}-sweep")
    result = {"sizes": len(which), "tuners": {}, "clsizer": {}}
    names = set()
    for strategy in ("brute_force", "genetic_algorithm"):
        found = result["tuners"][strategy] = kernel_tuner(machine, name, step, description, which, strategy)
        names.add(found["best"])
    for effort in ("measure", "patient"):
        launches, found = trace(machine, name, kernel, effort, LONGER * description["repeat"])
        result["clsizer"][effort] = {"launches": launches, "chosen": found}
        names.update(found)
    if program:
        names.add(program["sweeps"][kernel]["best"])
    contest = [step["own"]] + [sizes.parse(n) for n in sorted(names)]
    final = machine.sweep(stores, description, kernel, contest, 9)
    result["final"] = {m["local"]: statistics.median(m["ms"]) for m in final}
    result["oracle_ms"] = best = min(result["final"].values())
    result["own_ms"] = result["final"][sizes.text(step["own"])]
    for found in result["tuners"].values():
        found["ratio"] = result["final"].get(found["best"], found["best_ms"]) / best
        found["reached_ms"] = tuner_reached(result, found)
    for found in result["clsizer"].values():
        found["reached_ms"], found["lost_ms"] = reached(found["launches"], GOAL * best)
        last = [ms for _, ms in found["launches"][-20:]]
        found["ratio"] = statistics.median(last) / best
    stores.remove()
    return result


def compare_all(machine, results):
    if subprocess.run([machine.options.python, "-c", "import kernel_tuner"], capture_output=True, check=False).returncode:
        print("  peers: no Kernel Tuner here", flush=True)
        return
    for name, kernel in QUICK if machine.options.quick else KERNELS:
        program = results.data.get("programs", {}).get(name)
        program = program if program and kernel in program.get("sweeps", {}) else None
        results.item("peers", f"{name}/{kernel}", lambda n=name, k=kernel, p=program: compare(machine, n, k, p))
