#!/usr/bin/env python3
"""Run the OpenCL programs that this machine has, bare and under clsizer, and compare.

What each program is and how it is called: programs.py in scripts/field/.  What is not installed is skipped.

For each program, in directories and with stores of its own that start empty:
  1. bare, three times: so that the driver has compiled what the program asks for; "fresh", so that the program fills
     its own stores of compiled kernels as it does in a cold run; and once more, to learn what differs anyway;
  2. once in each way asked for (--ways): cold first, then warm with what cold remembered, then the rest with stores
     of their own;
  3. --rounds times, interleaved: fresh, bare, cold and warm, for the times: cold goes with fresh, warm with bare; each
     begins when what an earlier run left behind is done.

Compared with bare: exit status, standard output and error (without the program's own timings: masks) and every file
that the program leaves behind.  What differs between two bare runs is only reported as "unsteady".

Python's standard library only.
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import measure

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "field"))
import programs  # noqa: E402

DRIVERS = {
    "pocl": {"OCL_ICD_VENDORS": "/etc/OpenCL/vendors/pocl.icd", "POCL_AFFINITY": "1"},
    "rusticl": {"OCL_ICD_VENDORS": "/etc/OpenCL/vendors/rusticl.icd", "RUSTICL_ENABLE": "llvmpipe"},
    "intel": {},  # filled in by intel_driver()
    "other": {"OCL_ICD_VENDORS": os.environ.get("CLSIZER_TEST_ICD", "/none")},  # one driver's .icd file
}


def variants(kind):
    """Only these, without measuring.  A program's first run is often over before its kernels are known: its second
    run (wide2, fixed2) uses more of them."""
    return {"CLSIZER_VARIANTS": kind, "CLSIZER_EFFORT": "estimate", "CLSIZER_ANALYSE_AFTER": "0"}


# way -> how clsizer gets in, its options as variables, the way whose stores it shares
WAYS = {
    "bare": (None, {}, None),
    "fresh": (None, {}, None),  # bare too, with stores of the program's own that start empty
    "cold": ("launcher", {}, None),
    "warm": ("launcher", {}, "cold"),
    "preload": ("preload", {}, None),
    "layer": ("layer", {}, None),
    "patient": ("launcher", {"CLSIZER_EFFORT": "patient"}, None),
    "patient2": ("launcher", {"CLSIZER_EFFORT": "patient"}, "patient"),
    "exhaustive": ("launcher", {"CLSIZER_EFFORT": "exhaustive", "CLSIZER_ANALYSE_AFTER": "0"}, None),
    "estimate": ("launcher", {"CLSIZER_EFFORT": "estimate", "CLSIZER_ANALYSE_AFTER": "0"}, None),
    "strict": ("launcher", {"CLSIZER_STRICT": "1", "CLSIZER_EFFORT": "patient"}, None),
    "slices": ("launcher", {"CLSIZER_MODE": "slices", "CLSIZER_EFFORT": "patient", "CLSIZER_ANALYSE_AFTER": "0"}, None),
    "rerun": ("launcher", {"CLSIZER_MODE": "rerun", "CLSIZER_EFFORT": "patient", "CLSIZER_ANALYSE_AFTER": "0"}, None),
    "launches": ("launcher",
                 {"CLSIZER_MODE": "launches", "CLSIZER_EFFORT": "patient", "CLSIZER_ANALYSE_AFTER": "0"}, None),
    "wide": ("launcher", variants("wide"), None),
    "wide2": ("launcher", variants("wide"), "wide"),
    "fixed": ("launcher", variants("fixed"), None),
    "fixed2": ("launcher", variants("fixed"), "fixed"),
    "off": ("launcher", {"CLSIZER_OFF": "1"}, None),
    "dry-run": ("launcher", {"CLSIZER_DRY_RUN": "1"}, None),
}


class Run:
    """One run: exit status (negative: signal), text of both streams, {file: hash}, seconds, those of processors, report
    events."""

    def __init__(self, status, out, err, files, seconds, cpu, events):
        self.status, self.out, self.err, self.files = status, out, err, files
        self.seconds, self.cpu, self.events = seconds, cpu, events

    def differences(self, bare):
        """Names of what differs from a bare run."""
        found = [what for what in ("status", "out", "err") if getattr(self, what) != getattr(bare, what)]
        return found + sorted(name for name in {*self.files, *bare.files}
                              if self.files.get(name) != bare.files.get(name))


class Field:
    def __init__(self, build, driver, scratch, keep):
        self.build, self.scratch = pathlib.Path(build).resolve(), pathlib.Path(scratch)
        self.driver, self.keep = driver, keep
        self.library = self.build / "libclsizer.so"

    def vendors(self):
        """A directory with the driver's .icd file alone: one loader wants a file or a directory, others a directory."""
        place = self.scratch / "vendors" / self.driver
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy(DRIVERS[self.driver]["OCL_ICD_VENDORS"], place)
        return place

    def environment(self, program, way, stores):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(("CLSIZER_", "POCL_", "OCL_ICD_")) and k not in ("LD_PRELOAD", "OPENCL_LAYERS")}
        home = stores / "home"  # programs keep compiled kernels there
        (home / ".cache").mkdir(parents=True, exist_ok=True)
        env.update(DRIVERS[self.driver], HOME=str(home), LC_ALL="C.UTF-8", OCL_ICD_VENDORS=str(self.vendors()),
                   POCL_CACHE_DIR=str(self.scratch / program.name / "driver-cache"))
        env.update(XDG_CACHE_HOME=str(home / ".cache"), XDG_DATA_HOME=str(home / ".local/share"),
                   XDG_CONFIG_HOME=str(home / ".config"))
        env.update(program.env)
        entry, options, _ = WAYS[way]
        if not entry:
            return env
        env.update(CLSIZER_CACHE=str(stores / "cache"), CLSIZER_WISDOM=str(stores / "wisdom.jsonl"),
                   CLSIZER_REPORT=str(stores / "report.jsonl"), **options)
        if entry == "preload":
            env.update(LD_PRELOAD=str(self.library), CLSIZER_NO_LAYER="1")
        if entry == "layer":
            env.update(OPENCL_LAYERS=str(self.library))
        return env

    def run(self, program, way, stores=None):
        stores = self.scratch / program.name / (stores or WAYS[way][2] or way)
        stores.mkdir(parents=True, exist_ok=True, mode=0o700)
        place = self.scratch / program.name / "work"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        command = program.command(self.scratch / "built")
        if WAYS[way][0] == "launcher":
            command = [str(self.build / "clsizer"), "--quiet", "--", *command]
        report = stores / "report.jsonl"
        seen = report.stat().st_size if report.exists() else 0
        out, err = stores / "out", stores / "err"
        start, used = time.monotonic(), processors()
        with open(out, "wb") as o, open(err, "wb") as e:
            child = subprocess.Popen(command, cwd=place, env=self.environment(program, way, stores), stdout=o, stderr=e,
                                     stdin=subprocess.DEVNULL, start_new_session=True)
            try:
                status = child.wait(program.timeout)
            except BaseException as error:  # it does not outlive us
                status = "timeout"
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
                if not isinstance(error, subprocess.TimeoutExpired):
                    raise
        seconds, used = time.monotonic() - start, processors() - used
        events = []
        if report.exists():
            with open(report) as f:
                f.seek(seen)
                events = [json.loads(line) for line in f]
        files = {str(p.relative_to(place)): hashlib.sha256(p.read_bytes()).hexdigest()[:16]
                 for p in place.rglob("*") if p.is_file() and not program.ignores(p.name)}
        return Run(status, program.mask(out.read_text(errors="replace")), program.mask(err.read_text(errors="replace")),
                   files, seconds, used, events)

    def measure(self, program, ways, rounds):
        if self.keep is None:
            shutil.rmtree(self.scratch / program.name, ignore_errors=True)
        bare = self.run(program, "bare")  # the driver compiles
        fresh = self.run(program, "fresh")  # the program fills its own stores
        again = self.run(program, "bare")
        unsteady = {*again.differences(bare), *fresh.differences(bare)}
        row = {"program": program.name, "driver": self.driver, "status": bare.status, "unsteady": sorted(unsteady),
               "seconds": {"fresh": [fresh.seconds], "bare": [again.seconds]},
               "cpu": {"fresh": [fresh.cpu], "bare": [again.cpu]}, "different": {}, "kernels": {}}
        for way in ways:
            got = self.run(program, way)
            row["seconds"][way], row["cpu"][way] = [got.seconds], [got.cpu]
            different = [d for d in got.differences(bare) if d not in unsteady]
            if "status" not in different and got.status != bare.status and got.status != again.status:
                different.append("status")
            if different:
                row["different"][way] = different
                self.keep_evidence(program, way, bare, got)
            row["kernels"][way] = kernels(got.events)
        for _ in range(rounds):
            for way in ("fresh", "bare", *(w for w in ("cold", "warm") if w in ways)):
                stores = "cold-again" if way == "cold" else None  # warm: what the first cold run left
                if way in ("fresh", "cold"):
                    shutil.rmtree(self.scratch / program.name / (stores or way), ignore_errors=True)
                measure.wait_for_helpers()
                got = self.run(program, way, stores)
                row["seconds"][way].append(got.seconds)
                row["cpu"][way].append(got.cpu)
        return row

    def keep_evidence(self, program, way, bare, got):
        place = self.scratch / program.name / ("different-" + way)
        place.mkdir(exist_ok=True)
        for name, run in (("bare", bare), ("got", got)):
            (place / (name + ".out")).write_text(run.out)
            (place / (name + ".err")).write_text(run.err)
            (place / (name + ".files")).write_text("".join(f"{k} {v}\n" for k, v in sorted(run.files.items())))


def processors():
    """Seconds of processor time of the children that ended: the programs, not our helpers, which are nobody's child."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def intel_driver(folder, scratch):
    """Intel's driver for CPUs as `pip install intel-opencl-rt` leaves it in a virtual environment: its libraries without
    the loader that comes with them."""
    libraries = sorted((pathlib.Path(folder) / "lib").glob("*"))
    place = scratch / "intel"
    place.mkdir(exist_ok=True)
    for library in libraries:
        if not library.name.startswith("libOpenCL") and not (place / library.name).exists():
            (place / library.name).symlink_to(library)
    if not (place / "libintelocl.so").exists():
        sys.exit(f"{folder}: no virtual environment with intel-opencl-rt (--intel)")
    (place / "intel.icd").write_text(str(place / "libintelocl.so") + "\n")
    return {"OCL_ICD_VENDORS": str(place / "intel.icd"), "LD_LIBRARY_PATH": str(place)}


def kernels(events):
    """{what became of it: {kernel names}} from a run's report."""
    found = collections.defaultdict(set)
    for e in events:
        name = e.get("kernel", "-")
        if e["event"] == "decision":
            changed = e.get("reason") in ("faster", "predicted-faster")
            found["changed" if changed else "kept: " + e.get("reason", "?")].add(name)
        elif e["event"] == "refusal":
            found["refused: " + e.get("reason", "?")].add(name)
        elif e["event"] == "program" and e.get("reason") != "analysed":
            found["program: " + e.get("reason", "?")].add(e.get("detail", "")[:100])
        elif e["event"] == "observed":
            found["variant used" if e.get("reason") == "variant-used" else "undecided"].add(name)
        elif e["event"] == "warning":
            found["warning: " + e.get("reason", "?")].add(name)
    return {k: sorted(v) for k, v in sorted(found.items())}


def summary(row, way):
    return ", ".join(f"{what} {len(names)}" for what, names in row["kernels"].get(way, {}).items()) or "nothing reported"


def show(row, ways):
    middle, cpu = ({way: statistics.median(times) for way, times in row[what].items()} for what in ("seconds", "cpu"))
    flags = []
    if row["different"]:
        flags.append("DIFFERENT " + "; ".join(f"{w}: {','.join(d[:4])}" for w, d in row["different"].items()))
    if row["unsteady"]:
        flags.append("unsteady: " + ",".join(row["unsteady"][:4]))
    slow = [w for w, base in (("cold", "fresh"), ("warm", "bare")) if w in middle and middle[w] > 1.05 * middle[base] + 0.02]
    if slow:
        flags.append("slower " + ",".join(slow))
    if "warm" in cpu and cpu["warm"] > 1.03 * max(row["cpu"]["bare"]) + 0.02:
        flags.append(f"cpu: bare {cpu['bare']:.2f} warm {cpu['warm']:.2f}")
    print(f"{row['program']:<18} rc={row['status']} seconds: " +
          " ".join(f"{w} {middle[w]:.2f}" for w in ("fresh", "bare", *ways)) + ("  " + " | ".join(flags) if flags else "  same"))
    for way in ways:
        if way in row["kernels"] and row["kernels"][way]:
            print(f"    {way:<10} {summary(row, way)}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--driver", choices=DRIVERS, default="pocl")
    parser.add_argument("--intel", metavar="VENV", help="virtual environment with Intel's driver, for --driver intel")
    parser.add_argument("--ways", default="cold,warm,preload,layer,patient",
                        help="comma-separated, or 'all': " + ", ".join(WAYS))
    parser.add_argument("--rounds", type=int, default=2, help="interleaved rounds for the times (default 2)")
    parser.add_argument("--keep", metavar="DIR", help="work there and leave everything behind")
    parser.add_argument("--json", help="append one object per program to this file")
    parser.add_argument("--list", action="store_true", help="say what would run, and what is missing")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))

    ways = [w for w in WAYS if WAYS[w][0]] if options.ways == "all" else options.ways.split(",")
    scratch = pathlib.Path(options.keep or tempfile.mkdtemp(prefix="clsizer-field-")).resolve()
    (scratch / "built").mkdir(parents=True, exist_ok=True)
    bad = skipped = ran = 0
    if options.driver == "intel":
        DRIVERS["intel"] = intel_driver(pathlib.Path(options.intel or "").resolve(), scratch)
    try:
        field = Field(options.build, options.driver, scratch, options.keep)
        for program in programs.PROGRAMS:
            if options.programs and program.name not in options.programs:
                continue
            missing = program.missing(scratch / "built")
            if missing or options.list:
                print(f"{program.name:<18} {'skipped: ' + missing if missing else 'here'}")
                skipped += bool(missing)
                continue
            row = field.measure(program, ways, options.rounds)
            bad += bool(row["different"])
            ran += 1
            show(row, ways)
            if options.json:
                with open(options.json, "a") as f:
                    f.write(json.dumps(row) + "\n")
    finally:
        if not options.keep:
            shutil.rmtree(scratch, ignore_errors=True)
    print(f"{bad} of {ran} programs differ, {skipped} skipped")
    return 1 if bad else 0 if ran or options.list else 77


if __name__ == "__main__":
    sys.exit(main())
