"""The device, the programs built for it, and where raw results go."""

import json
import os
import pathlib
import subprocess
import sys
import time

import measure
import sizes


class Machine:
    """How to run workloads bare and under clsizer on the chosen device, and what to do first of all."""

    def __init__(self, options):
        self.build = pathlib.Path(options.build).resolve()
        self.root = pathlib.Path(__file__).resolve().parents[2]
        self.scratch = pathlib.Path(options.scratch).resolve()
        self.kernels = self.root / "tests" / "kernels"
        self.bench, self.clsizer = self.build / "apps" / "bench", self.build / "clsizer"
        self.options = options
        self.more = {"OCL_ICD_VENDORS": options.icd} if options.icd else {}
        for variable, value in (("APP_PLATFORM", options.platform), ("APP_DEVICE", options.device)):
            if value is not None:
                self.more[variable] = str(value)
        self.device = json.loads(self.bare(self.stores("device"), "--device").stdout)

    def stores(self, name, pocl=None):
        path = self.scratch / name
        return measure.Stores(path, pocl or path / "pocl")

    def environment(self, stores):
        return stores.environment(**self.more)

    def bare(self, stores, *arguments, timeout=120):
        return measure.run([self.bench, *arguments], self.environment(stores), timeout)

    def tuned(self, stores, effort, *arguments, timeout=120):
        device = ["--device-file", self.options.device_file] if self.options.device_file else []
        return measure.run([self.clsizer, "--quiet", "--effort", effort, *device, "--", self.bench, *arguments],
                           self.environment(stores), timeout)

    def describe(self, name, n=None):
        """Kernels, sizes and arguments of a workload, of its own size or of size `n`."""
        return json.loads(self.bare(self.stores("device"), name, "--describe", *(["-n", n] if n else [])).stdout)

    def sweep(self, stores, description, kernel, which, rounds):
        """Measure local sizes (lists) of one kernel in one process: [{"local", "first_ms", "ms": [...]}, ...]."""
        budget = ["--budget", str(int(self.options.sweep_ms))] if self.options.sweep_ms else []
        run = self.bare(stores, description["name"], "-n", description["n"], "--sweep", kernel, "--sizes",
                        ",".join(sizes.text(s) for s in which), "--rounds", str(rounds), *budget, timeout=900)
        if run.code:
            raise RuntimeError(f"sweep of {kernel}: {run.stderr.strip()[-300:]}")
        lines = [json.loads(line) for line in run.stdout.decode().splitlines() if line.startswith("{")]
        return [line for line in lines if "error" not in line and line["ms"]]

    def described_as(self):
        """What predictions are made for: the device's own description, if there is one."""
        kind = "gpu" if self.device["gpu"] else "cpu"
        known = subprocess.run([self.clsizer, "predict", "--device", self.device["name"], "--kernel", "nearest_neighbour",
                                "--global", "64", self.kernels / "nn.cl"], env=self.environment(self.stores("device")),
                               capture_output=True, timeout=120)
        return f"generic-{kind}" if known.returncode else self.device["name"]

    def predict(self, stores, description, step, locals_, *options):
        """`clsizer predict --json` for a step, and the seconds it took."""
        command = [self.clsizer, "predict", "--json", "--device", self.options.model_device, "--kernel", step["kernel"],
                   "--global", ",".join(map(str, step["global"]))]
        for size in locals_:
            command += ["--local", ",".join(map(str, size))]
        for i, arg in enumerate(step["args"]):
            if "bytes" in arg:
                command += ["--buffer", f"{i}={arg['bytes']}"]
            else:
                command += ["--arg", f"{i}={arg.get('int', arg.get('float'))}"]
        command += [*options, self.kernels / description["file"]]
        begin = time.monotonic()
        done = subprocess.run([str(c) for c in command], env=self.environment(stores), capture_output=True, timeout=120)
        if done.returncode:
            raise RuntimeError(f"predict {step['kernel']}: {done.stderr.decode(errors='replace').strip()[-300:]}")
        return json.loads(done.stdout), time.monotonic() - begin


class Results:
    """Raw results as one JSON file, written after every item, so that a run that was cut off goes on where it was."""

    def __init__(self, path, fresh):
        self.path = pathlib.Path(path)
        self.data = {}
        self.deadline = float("inf")
        if not fresh and self.path.exists():
            self.data = json.loads(self.path.read_text())

    def save(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps(self.data, indent=1) + "\n")
        os.replace(new, self.path)

    def item(self, section, name, make):
        """The item, made by make() unless it is there already; a failure is noted and tried again next time.  After
        `deadline` (time.monotonic()) nothing more is begun."""
        items = self.data.setdefault(section, {})
        if name in items and "error" not in items[name]:
            return items[name]
        begin = time.monotonic()
        if begin > self.deadline:
            print(f"  {section} {name}: no time left; run again to go on", flush=True)
            return {"error": "no time left"}
        try:
            items[name] = make()
        except Exception as error:  # one program's failure must not end the whole
            items[name] = {"error": f"{type(error).__name__}: {error}"}
            print(f"  {section} {name}: {items[name]['error']}", file=sys.stderr, flush=True)
        print(f"  {section} {name}: {time.monotonic() - begin:.1f} s", flush=True)
        self.save()
        return items[name]
