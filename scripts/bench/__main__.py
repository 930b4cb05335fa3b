"""The benchmark (scripts/bench.sh): measures what is missing in the raw results, then writes BENCHMARKS.md.

Sections: programs (whole programs, bare and under clsizer, and the oracle), static (the model against what was measured),
peers (Kernel Tuner), by_hand (variants beside kernels written by hand), scale (what clsizer costs as things grow), samples (demo.py's table; PoCL only), soon (how many runs a
decision takes, and how alike the decisions of many first runs are; an hour, and only if asked for), report.  Raw results are
a file and some plots per device, which git ignores; a run that was cut off goes on where it was.  The page is made from what
is kept of them in --summaries, where items that were not measured again stay: `--only report` needs nothing else, not even a
build."""

import argparse
import json
import pathlib
import platform
import re
import sys
import tempfile
import time

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1]))

import by_hand  # noqa: E402
import machine as machines  # noqa: E402
import measure  # noqa: E402
import peers  # noqa: E402
import plots  # noqa: E402
import programs  # noqa: E402
import report  # noqa: E402
import scale  # noqa: E402
import soon  # noqa: E402
import static  # noqa: E402
import summary  # noqa: E402

SECTIONS = ["programs", "static", "peers", "by_hand", "scale", "samples", "report"]  # all that are measured unless others are asked for
ASKED = ["soon"]
SHARES = {"programs": 0.68, "static": 0.72, "peers": 0.81, "by_hand": 0.84, "scale": 0.88, "samples": 1.0}  # of the time, at the section's end
QUICK = ["backprop", "gaussian", "nn", "2dconv", "jacobi5", "spmv_random"]


def parse():
    parser = argparse.ArgumentParser(prog="bench.sh", description=__doc__)
    parser.add_argument("--build", default="build")
    parser.add_argument("--icd", default=measure.POCL_ICD, help="OCL_ICD_VENDORS: an .icd file or a directory; '' for "
                        "the system's (default: PoCL's)")
    parser.add_argument("--platform", type=int, help="number of the platform, from 0")
    parser.add_argument("--device", type=int, help="number of the device, from 0")
    parser.add_argument("--device-file", help="device description for clsizer and for predictions")
    parser.add_argument("--model-device", help="device that predictions are made for (default: this one, if it is "
                        "described, else generic-cpu or generic-gpu)")
    parser.add_argument("--results", default="bench-results", help="directory of raw results and plots (default "
                        "bench-results, which git ignores)")
    parser.add_argument("--summaries", default="benchmarks", help="directory of what is kept of them, DEVICE.jsonl "
                        "(default benchmarks)")
    parser.add_argument("--report", default="BENCHMARKS.md")
    parser.add_argument("--scratch", help="stores of the runs (default: a temporary directory)")
    parser.add_argument("--only", help="sections, or programs, separated by commas")
    parser.add_argument("--rounds", type=int, default=3, help="interleaved rounds (default 3)")
    parser.add_argument("--sweep-ms", type=float, help="compile sizes for one kernel's oracle for so long (default: until "
                        "every size has been tried)")
    parser.add_argument("--peer-sizes", type=int, default=48, help="sizes that Kernel Tuner looks at, at most")
    parser.add_argument("--peer-timeout", type=float, default=240)
    parser.add_argument("--python", default=sys.executable, help="Python with Kernel Tuner")
    parser.add_argument("--minutes", type=float, default=25, help="begin nothing more after this long; a later run goes on "
                        "(default 25)")
    parser.add_argument("--quick", action="store_true", help="a few programs, one round")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.sweep_ms = 1, 1500
    return options


def samples(machine, results):
    """The sample programs, as demo.py measures them."""
    def measure_samples():
        path = machine.scratch / "samples.json"
        command = [sys.executable, machine.root / "scripts" / "demo.py", "--build", machine.build, "--json", path,
                   *(["conv2d", "saxpy"] if machine.options.quick else [])]
        done = measure.run(command, machine.environment(machine.stores("samples")), timeout=900)
        if not path.exists():
            raise RuntimeError(done.stderr.strip()[-300:])
        return {"rows": json.loads(path.read_text())}

    if machine.options.icd == measure.POCL_ICD:
        results.item("samples", "demo", measure_samples)


def names_of(machine, options):
    every = machine.bare(machine.stores("device"), "--list").stdout.decode().split()
    only = options.only.split(",") if options.only else []
    sections = [s for s in only if s in SECTIONS + ASKED] or SECTIONS
    names = [n for n in only if n in every]
    unknown = set(only) - set(SECTIONS) - set(ASKED) - set(every)
    if unknown:
        sys.exit(f"bench: neither sections nor programs: {', '.join(sorted(unknown))}")
    # All suites early on, in case that time runs out.
    return sections, names or (QUICK if options.quick else every[::3] + every[1::3] + every[2::3])


def main():
    options = parse()
    summaries, page = pathlib.Path(options.summaries), pathlib.Path(options.report)
    if options.only == "report":
        report.write(summaries, page)
        return
    with tempfile.TemporaryDirectory(prefix="clsizer-bench-", ignore_cleanup_errors=True) as scratch:  # helpers write there
        options.scratch = options.scratch or scratch
        machine = machines.Machine(options)
        options.model_device = options.device_file or options.model_device or machine.described_as()
        sections, names = names_of(machine, options)
        slug = re.sub(r"[^a-z0-9]+", "-", machine.device["name"].lower()).strip("-")
        results = machines.Results(pathlib.Path(options.results) / slug / "results.json", options.fresh)
        results.data["device"] = machine.device
        results.data["host"] = {"processor": platform.processor() or platform.machine(), "system": platform.platform(),
                                "date": time.strftime("%Y-%m-%d"), "rounds": options.rounds,
                                "sweep_ms": options.sweep_ms, "model_device": options.model_device}
        results.save()
        measurements = {
            "programs": lambda: programs.measure_all(machine, results, names),
            "static": lambda: static.compare_all(machine, results, names),
            "peers": lambda: peers.compare_all(machine, results),
            "by_hand": lambda: by_hand.measure_all(machine, results),
            "scale": lambda: scale.measure_all(machine, results),
            "samples": lambda: samples(machine, results),
            "soon": lambda: soon.measure_all(machine, results, names),
        }
        begin = time.monotonic()
        for section, measure_section in measurements.items():
            if section in sections:
                share = SHARES[section] if sections == SECTIONS else 1.0
                results.deadline = begin + 60 * options.minutes * share
                measure_section()
            if "report" in sections:  # after each: what is cut off leaves a page, too
                path = summaries / f"{slug}.jsonl"
                summary.write(summary.kept(path, summary.of(results.data)), path)
                report.write(summaries, page)
        plots.draw(results.data, results.path.parent)


if __name__ == "__main__":
    main()
