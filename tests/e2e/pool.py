#!/usr/bin/env python3
"""Kernels that the user (--pool) or the program (clsizer.h) offers. A good one is used, a bad one is named once, and
results are the program's.

    pool.py --build DIR [CASE...]        no CASE: all; --list prints their names

Every case runs on PoCL.
"""
import functools
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from harness import expect, expect_reason, run_cases, same  # noqa: E402

ARGUMENTS = ["-n", "128", "-l", "500"]
HEAD = "kernel void {}(int m, int n, int k, global const float *a, global const float *b, global float *c{})\n"
GOOD = HEAD.format("eight", "") + """{
    int col = get_global_id(0) * 8, row = get_global_id(1);
    float8 sum = 0;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * vload8(0, b + i * n + col);
    vstore8(sum, 0, c + row * n + col);
}
"""
BAD = HEAD.format("wrong", "") + "{ c[get_global_id(1) * n + get_global_id(0)] = FILL; }\n" + \
    HEAD.format("more", ", int d") + "{ }\n" + HEAD.format("idle", "") + "{ }\n" + \
    "kernel __attribute__((reqd_work_group_size(3, 1, 1))) " + HEAD.format("threes", "").removeprefix("kernel ") + "{ }\n" + \
    HEAD.format("types", "").replace("int m", "ulong m") + "{ }\n"
SPOILS = GOOD.replace("    vstore8(", "    if (!row) vstore8(sum, 0, (global float *)b + col);\n    vstore8(")


def pool_file(bench, name, variants):
    (bench.scratch / "good.cl").write_text(GOOD)
    (bench.scratch / "bad.cl").write_text(BAD)
    (bench.scratch / "spoils.cl").write_text(SPOILS)
    (bench.scratch / "broken.cl").write_text("kernel void eight(")
    path = bench.scratch / f"{name}.json"
    path.write_text(variants if isinstance(variants, str) else json.dumps({"variants": variants}))
    return path


@functools.lru_cache(maxsize=1)
def bare(bench):
    return bench.run_app("gemm", arguments=ARGUMENTS)


def analysed(bench):
    return bench.analysed_app("gemm", ["-n", "128", "-l", "1"])


def run(bench, cache, pool, **options):
    options.setdefault("CLSIZER_VARIANTS", "sizes")
    result = bench.run_app("gemm", "both", arguments=ARGUMENTS, cache=cache, CLSIZER_EFFORT="patient", CLSIZER_POOL=pool,
                           CLSIZER_NO_AHEAD=1, **{"CLSIZER_WISDOM": "none", **options})
    same(result, bare(bench), f"{pool}")
    return result


def good_ones_are_used(bench):
    """... with a size that they name, and remembered; a later run verifies them again, since their text may have changed."""
    cache, wisdom = analysed(bench), bench.store("w") / "wisdom"
    pool = pool_file(bench, "good", [{"kernel": "gemm", "source": "good.cl", "name": "eight", "units": [8],
                                      "local": [[4, 16], [16, 8]], "options": "-DUNUSED=1"}])
    result = run(bench, cache, pool, wisdom=wisdom, CLSIZER_WISDOM=None)
    used = [e for e in result.events if e.get("variant", {}).get("name") == "given eight"]
    expect(used, f"{result.reasons('observed')}")
    (bench.scratch / "good.cl").write_text(GOOD.replace("sum +=", "sum -="))
    result = bench.run_app("gemm", "both", arguments=ARGUMENTS, cache=cache, wisdom=wisdom, CLSIZER_EFFORT="patient",
                           CLSIZER_POOL=pool, CLSIZER_NO_AHEAD=1, CLSIZER_VARIANTS="sizes")
    same(result, bare(bench), "changed")
    expect_reason(result, "observed", "variant-differs")


def bad_ones_are_named(bench):
    """A wrong result, none at all, input that is written, other arguments, no such kernel, a source that does not build: one
    message and report entry each."""
    cache = analysed(bench)
    for name, variant, reason in (
            ("wrong", {"source": "bad.cl", "name": "wrong", "options": "-DFILL=7"}, "variant-differs"),
            ("idle", {"source": "bad.cl", "name": "idle", "options": "-DFILL=7"}, "variant-differs"),
            ("spoils", {"source": "spoils.cl", "name": "eight", "units": [8]}, "variant-differs"),
            ("more", {"source": "bad.cl", "name": "more", "options": "-DFILL=7"}, "variant-no-kernel"),
            ("threes", {"source": "bad.cl", "name": "threes", "options": "-DFILL=7"}, "variant-unverified"),
            ("types", {"source": "bad.cl", "name": "types", "options": "-DFILL=7"}, "variant-unverified"),
            ("absent", {"source": "bad.cl", "name": "absent", "options": "-DFILL=7"}, "variant-no-kernel"),
            ("broken", {"source": "broken.cl", "name": "eight"}, "variant-not-built"),
            ("units", {"source": "good.cl", "name": "eight", "units": [7]}, "variant-size")):
        result = run(bench, cache, pool_file(bench, name, [{"kernel": "gemm", **variant}]))
        expect_reason(result, "observed", reason)
        drifts = result.reasons("observed").count("drift")  # then all is looked at again
        expect(1 <= result.err.count(f"({reason})") <= 1 + drifts, f"{name}: {result.err}")
        expect("variant-used" not in result.reasons("observed"), f"{name}: it is used")
        words = {"threes": "the driver refuses to launch it", "types": "the driver refuses the program's arguments for it"}
        expect(words.get(name, "") in result.err, f"{name}: {result.err}")


def results_within_a_tolerance(bench):
    """... that the user states are good enough, others are not."""
    cache = analysed(bench)
    (bench.scratch / "off.cl").write_text(GOOD.replace("vstore8(sum,", "vstore8(sum * 1.00001f,"))
    for tolerance, reason, other in ((2e-5, "variant-used", "variant-differs"), (5e-6, "variant-differs", "variant-used")):
        path = pool_file(bench, "near", [{"kernel": "gemm", "source": "off.cl", "name": "eight", "units": [8],
                                          "tolerance": tolerance}])
        result = bench.run_app("gemm", "both", arguments=ARGUMENTS, cache=cache, CLSIZER_EFFORT="patient", CLSIZER_POOL=path,
                               CLSIZER_NO_AHEAD=1, CLSIZER_WISDOM="none", CLSIZER_VARIANTS="sizes")
        reasons = result.reasons("observed") + [e["reason"] for e in result.of("decision")]
        expect(reason in [r.replace("variant-faster", "variant-used") for r in reasons] and other not in reasons,
               f"{tolerance}: {reasons} {result.err}")
        expect(result.status == 0, f"{result.err}")  # the program allows 1e-4


def files_that_are_none(bench):
    """One line says where and why; nothing of the file is used."""
    cache = analysed(bench)
    good = {"kernel": "gemm", "source": "good.cl", "name": "eight", "units": [8]}
    for name, content, words in (
            ("text", "{\"variants\": [", "text.json, byte"),
            ("more", '{"variants": []} {"variants": []}', "more.json, byte 17: something follows the object"),
            ("other", "{}", "there is no list \"variants\""),
            ("kernel", [{"source": "good.cl"}], "variant 1: \"kernel\" is missing"),
            ("member", [good, {**good, "sauce": 1}], "variant 2: \"sauce\" means nothing here"),
            ("missing", [{**good, "source": "none.cl"}], "none.cl: No such file"),
            ("program", [{**good, "program": "*"}], "\"program\" is not the beginning of a hash"),
            ("numbers", [{**good, "units": [0]}], "\"units\" is not one to three whole numbers"),
            ("tolerance", [{**good, "tolerance": "1"}], "\"tolerance\" is not a number"),
            ("sizes", [{**good, "local": [16]}], "\"local\" is not one to three whole numbers")):
        result = run(bench, cache, pool_file(bench, name, content))
        expect(result.err.count(words) == 1, f"{name}: {result.err}")
        expect_reason(result, "warning", "bad-pool")
        expect("variant-competes" not in result.reasons("observed"), f"{name}: {result.reasons('observed')}")


def names_that_nobody_offers(bench):
    """A variant that is forced by a wrong name is told of once; one that clsizer would have to make is refused at once."""
    cache = analysed(bench)
    pool = pool_file(bench, "offered", [{"kernel": "gemm", "source": "good.cl", "name": "eight", "units": [8]}])
    for sizes, words in (("gemm=given eigth:4x16", "clsizer: --sizes gemm=given eigth: no variant of that name was offered (--pool)"),
                         ("g*=given eight:4x16", None), ("gemm=wdie:4x16", "wide, fixed, 'given NAME'"),
                         ("gemm=given:4x16", "CLSIZER_SIZES=gemm=given:4x16 is not valid")):
        result = run(bench, cache, pool, CLSIZER_SIZES=sizes)
        expect(result.err.count(words) == 1 if words else "--sizes" not in result.err, f"{sizes}: {result.err}")


def kernels_that_are_not_met(bench):
    """A variant of a kernel that the program does not launch, and one for another program."""
    cache = analysed(bench)
    result = run(bench, cache, pool_file(bench, "unmet", [
        {"kernel": "gemn", "source": "good.cl", "name": "eight"},
        {"kernel": "gemm", "source": "good.cl", "name": "eight", "units": [8], "program": "0123456789abcdef"}]))
    expect(result.err.count("no kernel gemn was launched") == 1, result.err)
    expect("given" not in result.err, result.err)
    expect("variant-competes" not in result.reasons("observed"), f"{result.reasons('observed')}")


def those_of_the_benchmark(bench):
    """Each of the four kernels that are written by hand beside clsizer's own rewriting computes what the program's does."""
    cache, arguments = bench.analysed_app("bench", ["by_hand", "-n", "256", "-l", "1"]), ["by_hand", "-n", "256", "-l", "30"]
    pool = pathlib.Path(__file__).resolve().parent.parent / "bench" / "by_hand.json"
    names = [v["name"] for v in json.loads(pool.read_text())["variants"]]
    bare = bench.run_app("bench", arguments=arguments)
    result = bench.run_app("bench", "both", arguments=arguments, cache=cache, CLSIZER_EFFORT="patient", CLSIZER_POOL=pool,
                           CLSIZER_NO_AHEAD=1, CLSIZER_WISDOM="none", CLSIZER_VARIANTS="sizes")
    same(result, bare, "by hand")
    met = {e.get("variant", {}).get("name", e.get("detail", "")).split(":")[0] for e in result.of("observed")
           if e["reason"] in ("variant-competes", "variant-used", "variant-slower")}
    expect(len(names) == 4 and all(any(name in words for words in met) for name in names),
           f"{sorted(met)} {result.reasons('observed')} {result.err}")
    expect("variant-differs" not in result.reasons("observed"), result.err)


def analysed_offer(bench):
    return bench.analysed_app("offer", ["-l", "1"], "both")


def the_better_one_on_both_inputs(bench):
    """[D] 4: CSR scalar and vector, on a random and on a diagonal matrix; the program offers the vector one.

    Its two runs on copies decide, and a machine that is busy then spoils a run: so there may be several."""
    cache, seen = analysed_offer(bench), []
    bare = bench.run_app("offer", arguments=["-l", "200"])
    while [16384] not in seen and len(seen) < 10:
        result = bench.run_app("offer", "both", arguments=["-l", "200"], cache=cache, CLSIZER_WISDOM="none",
                               CLSIZER_NO_AHEAD=1, CLSIZER_VARIANTS="sizes")
        same(result, bare, "offered")
        stuck = [e["detail"] for e in result.of("observed", reason="race-unfinished") if e["detail"].startswith("0 of ")]
        expect(not stuck, f"it was asked for, and yet: {stuck}")
        seen.append([e["launch"]["global"][0] for e in result.of("launches") if "variant" in (e.get("now") or {})])
    expect([16384] in seen, f"never used for the random matrix alone, but: {seen} {result.err}")


def programs_that_ask_wrongly(bench):
    """Each wrong call is told in one line, has one entry in the report, and returns what clsizer.h says; in every way in."""
    cache = analysed_offer(bench)
    bare = bench.run_app("offer", arguments=["-l", "60"], APP_OFFER="wrong")
    for way in "preload", "layer", "both":
        result = bench.run_app("offer", way, arguments=["-l", "60"], cache=cache, CLSIZER_WISDOM="none", CLSIZER_NO_AHEAD=1,
                               CLSIZER_VARIANTS="sizes", CLSIZER_EFFORT="patient", APP_OFFER="wrong")
        same(result, bare, way)  # 0: the codes are right
        expect(result.err.count("(bad-variant)") == 8, f"{way}: {result.err}")
        expect(result.err.count("is not that of struct clsizer_variant") == 1 and "it is NULL" in result.err, f"{way}: {result.err}")
        expect(len(result.of("warning", reason="bad-variant")) == 8, f"{way}: {result.of('warning')}")
        expect_reason(result, "observed", "variant-not-built")
    result = bench.run_app("offer", "both", arguments=["-l", "60"], cache=cache, CLSIZER_OFF=1, APP_OFFER="wrong")
    same(result, bare, "off")
    expect("(bad-variant)" not in result.err and not result.events, f"off: {result.err}")


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, [good_ones_are_used, bad_ones_are_named, results_within_a_tolerance, files_that_are_none,
                                 names_that_nobody_offers, kernels_that_are_not_met, those_of_the_benchmark, the_better_one_on_both_inputs, programs_that_ask_wrongly]))
