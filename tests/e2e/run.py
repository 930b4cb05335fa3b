#!/usr/bin/env python3
"""End-to-end test: a sample program on an OpenCL driver, bare and in every way that clsizer gets into it.

    run.py --build DIR --driver pocl|oclgrind|rusticl|intel [APP...]

Per program: stdout and exit status must be those of the bare run
  * cold, with empty stores, so that analysis happens in the middle,
  * preloaded, as a layer, and both at once, with the analysis known and decisions being made,
  * warm, with everything decided: no helper may start.
The report must then say about each kernel what the program's source expects (lines with `>>>`).
"""

import argparse
import os
import stat
import sys

from harness import APP_SOURCES, SKIPPED, UNABLE, Bench, Failure, expect, expectations, local_of, same

# A preloaded library does not see calls through dlsym(handle, ...): documented in the program.
UNSEEN = {("preload", "dlopenapp")}

# Oclgrind is too slow for the launches that measuring takes: there the user and the model decide.
DECIDED_BY = {"oclgrind": {"preload": {}, "layer": {"CLSIZER_SIZES": "*=2"}, "both": {"CLSIZER_EFFORT": "estimate"}}}


def forbidden_helper(bench):
    """A helper that leaves a mark when it is started."""
    mark = bench.scratch / "helper-was-started"
    script = bench.scratch / "helper.sh"
    script.write_text(f"#!/bin/sh\necho started >>'{mark}'\nexit 1\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return script, mark


def reason_of(refusal):
    """Where no other size is possible, neither is the one that was asked for."""
    return {"size-not-possible": "no-candidates", "driver-classes": "no-candidates"}.get(refusal["reason"], refusal["reason"])


def check_events(result, app, way, wanted, decided):
    """The report agrees with the program's expectations; with `decided`, decisions are not only allowed."""
    for kernel, want in wanted.items():
        refusals = {reason_of(e) for e in result.of("refusal", kernel=kernel)}
        decisions = result.of("decision", kernel=kernel)
        expect(refusals <= want.reasons,
               f"{way}: {kernel} refused for {sorted(refusals)}, not for {sorted(want.reasons)}")
        if want.decision:
            expect(decisions or not (decided and want.decided), f"{way}: nothing was decided about {kernel}")
        else:
            # Where groups must stay, a variant may have been looked for.
            others = [e for e in decisions if e["reason"] not in {*want.reasons, "variant-faster", "too-noisy"} or
                      e["decision"]["local"] != e["launch"]["local"]]
            expect(not others, f"{way}: {kernel} was decided, not refused: {others[:1]}")
            expect(refusals or decisions or not decided, f"{way}: {kernel} was not refused")
    unknown = {e["kernel"] for e in result.of("refusal") + result.of("decision")} - set(wanted)
    expect(not unknown, f"{way}: {app}.c says nothing about {sorted(unknown)}")


def refusals(result):
    """Each once per shape of launch: twice would mean that calls are intercepted twice."""
    return sorted((e["kernel"], reason_of(e), str(e.get("launch"))) for e in result.of("refusal"))


def analyse_others(bench, app, cache, bare, wanted):
    """One helper works at a time: a short run of several programs leaves some for the next runs."""
    known = None
    while len(wanted) > 1 and known != (known := len(list(cache.glob("*.sum")))):
        same(bench.run_app(app, "both", cache=cache, wisdom=bench.store("others")), bare, "cold again")
        bench.wait_for_helper(cache)


def check_app(bench, app):
    """Returns a word on what happened."""
    wanted = expectations(app, bench.driver)
    bare = bench.run_app(app)
    if bare.status == SKIPPED or (bare.status and bench.driver == "other"):  # not every driver can do everything
        return None
    expect(bare.status == 0, f"bare: exit status {bare.status}; stderr: {bare.err[-800:]}")

    cache = bench.store("cache")
    cold = bench.run_app(app, "both", cache=cache, wisdom=bench.store("cold"))
    same(cold, bare, "cold")
    bench.wait_for_helper(cache)
    analyse_others(bench, app, cache, bare, wanted)

    seen = None
    for way, options in DECIDED_BY.get(bench.driver, {"preload": {}, "layer": {}, "both": {}}).items():
        decided = bench.driver == "pocl" or bool(options)
        warm_wisdom = bench.store("wisdom-" + way)
        result = bench.run_app(app, way, cache=cache, wisdom=warm_wisdom, **options)
        same(result, bare, way)
        if (way, app) in UNSEEN:
            expect(not result.events, f"{way}: expected to see nothing, saw {result.events[:1]}")
        else:
            expect(result.events or not wanted, f"{way}: the report is empty")
            check_events(result, app, way, wanted, decided)
            expect(all(local_of(e).split("x")[0] == "2" for e in result.of("decision", source="asked")),
                   f"{way}: the size is not the one that was asked for: {result.of('decision')}")
            expect(seen in (None, refusals(result)), f"{way}: refusals {refusals(result)}, before: {seen}")
            seen = refusals(result)

    helper, mark = forbidden_helper(bench)
    warm = bench.run_app(app, "both", cache=cache, wisdom=warm_wisdom, CLSIZER_HELPER=helper, **options)
    same(warm, bare, "warm")
    expect(not mark.exists(), "warm: a helper was started")
    check_events(warm, app, "warm", wanted, decided)
    return ", ".join(sorted({f"{e['kernel']} {e['reason']} {local_of(e)}" for e in result.of("decision")}
                            | {f"{e['kernel']} refused: {e['reason']}" for e in result.of("refusal")})) or "undecided"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--spirv", metavar="LLVM-SPIRV", help="translator for the program from SPIR-V")
    parser.add_argument("apps", nargs="*")
    options = parser.parse_args()
    apps = options.apps or sorted(p.stem for p in APP_SOURCES.glob("*.c") if not p.stem.startswith("common"))
    passed = failed = skipped = 0
    for app in apps:
        with Bench(options.build, options.driver, options.spirv) as bench:
            why = UNABLE.get((options.driver, app))
            if app == "spirv" and not options.spirv:
                why = "llvm-spirv is not installed"
            if not bench.available():
                why = "this driver is not installed"
            try:
                said = None if why else check_app(bench, app)
                if said is None:
                    skipped += 1
                    print(f"skip {options.driver} {app}: {why or 'the device cannot run it'}", flush=True)
                else:
                    passed += 1
                    print(f"ok   {options.driver} {app}: {said}", flush=True)
            except Failure as failure:
                failed += 1
                print(f"FAIL {options.driver} {app}: {failure}", flush=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else SKIPPED if not passed else 0


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(main())
