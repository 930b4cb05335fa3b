#!/usr/bin/env python3
"""What is installed: the Debian package, where others find the library, completions, manual pages.

    package.py --build DIR [CASE...]       no CASE: all; --list prints their names
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from harness import Skip, expect, run_cases

CONV = ["-n", "256", "-l", "150"]


def output(command, status=0, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=100, **options)
    expect(done.returncode == status, f"{command}: status {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            raise Skip(f"no {tool}")


def debian_package(bench):
    """It is made, installed into a root of its own, works there, and leaves nothing when it is removed."""
    need("cpack", "dpkg", "dpkg-shlibdeps", "pkg-config")
    if os.geteuid():
        raise Skip("needs root")
    output(["cpack", "-G", "DEB", "-B", bench.scratch / "deb"], cwd=bench.build)
    package = next((bench.scratch / "deb").glob("clsizer_*.deb"))
    fields = output(["dpkg-deb", "-f", package])
    expect(re.search(r"^Depends: .*clang-\d+", fields, re.M) and "libc6" in fields, fields)
    root = bench.store("root")
    database = root / "var/lib/dpkg"
    for part in "info", "updates":
        (database / part).mkdir(parents=True)
    for part in "status", "available", "diversions", "statoverride":
        (database / part).touch()
    files = lambda: {p.relative_to(root) for p in root.rglob("*") if database not in p.parents and not p.is_dir()}
    before = files()
    dpkg = ["dpkg", f"--root={root}", f"--log={bench.scratch / 'log'}", "--force-depends", "--force-script-chrootless"]
    output([*dpkg, "-i", package])
    for path in ("bin/clsizer", "lib/clsizer/libclsizer.so", "libexec/clsizer/clsizer-analyze", "share/man/man1/clsizer-tune.1",
                 "share/doc/clsizer/docs/usage.md", "share/bash-completion/completions/clsizer", "include/clsizer.h"):
        expect((root / "usr" / path).exists(), f"no {path}: {files()}")
    env = bench.environment(XDG_CONFIG_HOME=bench.scratch)
    clsizer = root / "usr/bin/clsizer"
    report = bench.scratch / "why.jsonl"
    output([clsizer, "--report", report, bench.app("conv2d"), *CONV], env=env)
    expect('"source":"measured"' in report.read_text(), "nothing was decided")
    expect("conv2d" in output([clsizer, "report", report], env=env), "no table")
    expect("Nothing stands in the way" in output([clsizer, "doctor"], env=env), "the doctor")
    pkg_config = {**os.environ, "PKG_CONFIG_PATH": str(root / "usr/lib/pkgconfig")}
    layer = output(["pkg-config", "--variable=layer", "clsizer"], env=pkg_config).strip()
    expect(pathlib.Path(layer).resolve() == (root / "usr/lib/clsizer/libclsizer.so").resolve(), layer)
    header = output(["pkg-config", "--cflags", "clsizer"], env=pkg_config).split("-I")[1].strip()
    expect((pathlib.Path(header) / "clsizer.h").exists(), header)
    expect(output(["pkg-config", "--modversion", "clsizer"], env=pkg_config).strip() in output([clsizer, "--version"]), "version")
    output([*dpkg, "-r", "clsizer"])
    expect(files() == before, f"left behind: {files() - before}")


def commands(bench):
    """The names of our own commands, from the usage."""
    usage = output([bench.build / "clsizer", "--help"]).split("\n\n")[0]
    return re.findall(r"^ +clsizer (\w+)", usage, re.M)


def manual_pages(bench):
    """Every command has a page, sound roff, with all that its --help says."""
    need("groff")
    names = commands(bench)
    expect({"tune", "report", "wisdom", "doctor", "analyze", "predict", "learn"} <= set(names), f"{names}")
    for name in names:
        page = bench.build / f"clsizer-{name}.1"
        done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-rLL=200n", "-P-c", page], capture_output=True, text=True)
        shown = re.sub(r".\x08", "", done.stdout)
        expect(not done.stderr and f"clsizer-{name} - " in shown, f"{page}: {done.stderr}")
        expect(f"CLSIZER-{name.upper()}(1)" in shown, f"{page}: another title")
        narrow = output(["groff", "-man", "-Tascii", "-ww", "-rLL=78n", "-P-c", "-P-u", page])
        expect(max(map(len, re.sub(r".\x08", "", narrow).splitlines())) <= 80, f"{page}: wide lines")
        help = output([bench.build / "clsizer", name, "--help"])
        usage = re.split(r"\n(?! {7})", help.replace("usage: ", " " * 7, 1))[0]
        expect(name == "report" or all(line.strip() in shown for line in usage.splitlines()), f"{page} lacks {usage}")
        expect(name in ("analyze", "predict") or max(map(len, help.splitlines())) <= 100, f"{name} --help: wide lines")
        for option in set(re.findall(r"--[a-z0-9-]+", help)) - {"--help"}:
            expect(option in shown, f"{page} lacks {option}")
        expect(f"clsizer-{name}" in (bench.build / "clsizer.1").read_text().replace("\\-", "-"), f"clsizer.1 lacks {name}")


# What completes to what: words before, the beginning; what must be offered, what must not.
COMPLETIONS = [
    ([], "--eff", "--effort", "--kernels"),
    ([], "tu", "tune", "wisdom"),
    (["--effort"], "pat", "patient", "measure"),
    (["--variants"], "", "wide", "tune"),
    (["--quiet"], "wis", "wisdom", None),
    (["wisdom"], "exp", "export", "import"),
    (["--effort", "patient", "wisdom"], "exp", "export", None),
    (["--effort", "patient"], "--verb", "--verbose", "--quiet"),
    (["tune"], "--r", "--runs", None),
    (["tune"], "--verb", "--verbose", "--quiet"),
    (["tune", "--effort"], "p", "patient", "measure"),
    (["tune", "--quiet", "--mode"], "sw", "swap", "auto"),
    (["predict"], "--est", "--estimator", "--effort"),
    (["predict", "--device"], "jet", "jetson-tk1", "h200"),
    (["predict", "--only", "--estimator"], "m", "mwp", "all"),
    (["analyze", "--driver"], "o", "oclgrind", "pocl"),
    (["analyze"], "--fa", "--facts", "--body"),
    (["predict", "--device", "cpu", "--loops"], "", "3", "--json"),
    (["report"], "--ht", "--html", "--effort"),
]


def completions(bench):
    """bash, zsh and fish offer options, their values, and commands; every word that is offered for a command is in its help."""
    need("bash")
    script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _clsizer; printf "%s\\n" "${COMPREPLY[@]}"')
    for before, begin, wanted, other in [*COMPLETIONS, (["--effort", "="], "pat", "patient", "measure")]:
        words = output(["bash", "-c", script, "-", bench.build / "clsizer.bash", "clsizer", *before, begin]).split()
        expect(wanted in words and other not in words, f"bash: {before} {begin}: {words}")
    for shell, name in ("zsh", "_clsizer"), ("fish", "clsizer.fish"):
        if shutil.which(shell):
            output([shell, "-n", bench.build / name])
    if shutil.which("fish"):
        for before, begin, wanted, other in COMPLETIONS:
            line = " ".join(["clsizer", *before, begin])
            words = output(["fish", "--no-config", "-c", f"source {bench.build}/clsizer.fish; complete -C '{line}'"],
                           env={**os.environ, "HOME": str(bench.scratch)})
            words = [w.split("\t")[0] for w in words.splitlines()]
            expect(wanted in words and other not in words, f"fish: {line}: {words}")
    text = (bench.build / "clsizer.bash").read_text()
    for name in commands(bench):
        offered = re.search(rf'^  {name}\) COMPREPLY=\(\$\(compgen -W "([^"$]*)', text, re.M)[1].split()
        help = output([bench.build / "clsizer", name, "--help"])
        expect(offered and all(word in help or word == "--help" for word in offered), f"{name}: {offered}")
    options = output([bench.build / "clsizer", "--options"]).splitlines()[1:]
    for shell in "clsizer.bash", "_clsizer", "clsizer.fish":
        text = (bench.build / shell).read_text()
        for option in options:
            name = option.split()[0]
            expect(re.search(rf"(--|-l ){name}\b", text), f"{shell} lacks {name}")


CASES = [debian_package, manual_pages, completions]

if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES))
