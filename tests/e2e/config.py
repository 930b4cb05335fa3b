#!/usr/bin/env python3
"""Configuration files, the system's decisions, and machines on which nothing can be written.

    config.py --build DIR [CASE...]       no CASE: all; --list prints their names
"""

import os
import re
import shutil
import subprocess
import sys

from harness import Skip, expect, run_cases, same, wisdom_records

CONV = ["-n", "256", "-l", "150"]
NOBODY = 65534

# No variable says anything: what counts is in files.
SILENT = dict.fromkeys(("CLSIZER_EFFORT", "CLSIZER_ANALYSE_AFTER", "CLSIZER_WISDOM"))


def user_file(bench, text, mode=0o600):
    """The user's configuration file of this text; where it is, and the variable that leads to it."""
    path = bench.store("config") / "clsizer.conf"
    path.write_text(text)
    path.chmod(mode)
    return path, {"XDG_CONFIG_HOME": path.parent}


def in_another_machine(bench, prepare, *command):
    """The command, as root of a machine whose files `prepare`, shell commands, has changed: $1 is the scratch directory."""
    if os.geteuid() or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        raise Skip("needs root, and `unshare -m`")
    return ["unshare", "-m", "sh", "-ec", prepare + '\nshift; exec "$@"', "-", bench.scratch, *command]


# Files of ours in /etc and /var/lib, which only the command sees.
OWN_ETC = """
mkdir "$1/etc" "$1/lib"; cp -a /etc/. "$1/etc"; mount --bind "$1/etc" /etc
mount --bind "$1/lib" /var/lib
"""


def settings_count(bench):
    """What files say counts: the user's before the machine's, and variables before both."""
    prepare = OWN_ETC + "printf 'budget = 11\\nmargin=7 # more\\n\\n  # nothing\\neffort = patient\\n' >/etc/clsizer.conf"
    _, place = user_file(bench, "margin = 8\nno-ahead\n  sandbox =  12  \n")
    run = bench.run(in_another_machine(bench, prepare, bench.app("conv2d"), *CONV), "both",
                    **{**SILENT, **place, "CLSIZER_SANDBOX": "13"})
    options = run.of("run")[0]["options"]
    wanted = {"budget": "11", "margin": "8", "effort": "patient", "no-ahead": "1", "sandbox": "13"}
    expect({k: options.get(k) for k in wanted} == wanted, f"{options}")
    expect(run.of("decision", source="measured"), f"patience was not heard of: {run.events}")


def off(bench):
    """A machine, or a user, that wants nothing of it."""
    _, place = user_file(bench, "off\n")
    run = bench.run_app("conv2d", "both", CONV, **place)
    expect(not run.events, f"{run.events}")
    run = bench.run_app("conv2d", "both", CONV, **place, CLSIZER_OFF="0")
    expect(run.of("decision"), "a variable counts more")


def files_with_faults(bench):
    """Each wrong line is named, and the others count; so does no file that others may write."""
    bare = bench.run_app("conv2d", "bare", CONV)
    for text, words in (("margin = 7\nbudgett = 3\n", ":2: budgett=3 is not valid (an option that"),
                        ("margin = 7\nbudget = lots\n", ":2: budget=lots is not valid (a percentage"),
                        ("budget = lots\nmargin = 7\n", ":1: budget=lots is not valid (a percentage"),
                        ("margin = 7\nreport = why.jsonl\n", ":2: report=why.jsonl is not valid (an absolute path"),
                        ("margin = 7\nbudget\n", ":2: budget= is not valid (a percentage"),
                        ("margin = 7\n= 3\n", ":2: =3 is not valid (an option"),
                        ("margin = 7\nquiet = perhaps\n", ":2: quiet=perhaps is not valid (0 or 1"),
                        ("margin = 7\n\0\xff = x\n" + "y" * 100000 + "\n", ":3: yyy")):
        path, place = user_file(bench, text)
        run = bench.run_app("conv2d", "both", CONV, **place)
        expect(f"clsizer: {path}{words}" in run.err, f"{text[:60]!r}: {run.err[:500]}")
        same(run, bare, text[:60])
        expect(run.of("run")[0]["options"].get("margin") == "7", f"{text[:60]!r}: the rest does not count: {run.of('run')}")
    path, place = user_file(bench, "margin = 7\n", 0o666)
    run = bench.run_app("conv2d", "both", CONV, **place)
    expect(f"{path}: belongs to somebody else" in run.err and "margin" not in run.of("run")[0]["options"], f"mode: {run.err}")
    link = path.with_name("link")
    path.chmod(0o600)
    path.rename(link)
    path.symlink_to(link)
    run = bench.run_app("conv2d", "both", CONV, **place)
    expect(run.of("run")[0]["options"].get("margin") == "7", "a link of one's own")
    if os.geteuid() == 0:
        os.chown(link, NOBODY, NOBODY)
        run = bench.run_app("conv2d", "both", CONV, **place)
        expect("margin" not in run.of("run")[0]["options"], f"owner: {run.err}")
    path.unlink()
    path.mkdir()
    run = bench.run_app("conv2d", "both", CONV, **place)
    expect(f"{path}: " in run.err and run.of("decision"), f"a directory: {run.err}")


def commands_read_them(bench):
    """The launcher and its commands go by the files, too."""
    wisdom = bench.store("elsewhere")
    _, place = user_file(bench, f"wisdom = {wisdom}\nuse-only = strict\n")
    env = bench.environment(**{**SILENT, **place})
    done = subprocess.run([bench.build / "clsizer", "wisdom", "path"], env=env, capture_output=True, text=True)
    expect(done.stdout == f"{wisdom}\n", f"{done}")
    done = subprocess.run([bench.build / "clsizer", bench.app("conv2d"), "-n", "512", "-l", "150"], env=env, capture_output=True, text=True)
    expect(done.returncode == 3 and "no decision" in done.stderr, f"{done}")
    done = subprocess.run([bench.build / "clsizer", "doctor"], env=env, capture_output=True, text=True)
    expect(f"wisdom = {wisdom} is configured" in done.stdout, f"{done}")
    for text, effort in ("effort = exhaustive\nhelper = /no/helper\n", ""), ("", "CLSIZER_EFFORT=patient"):
        _, place = user_file(bench, text)
        env = bench.environment(**{**SILENT, **place})
        done = subprocess.run([bench.build / "clsizer", "tune", "env"], env=env, capture_output=True, text=True)
        expect("".join(re.findall("CLSIZER_EFFORT=.*", done.stdout)) == effort, f"{text}: {done}")
        done = subprocess.run([bench.build / "clsizer", "predict", "--kernel", "k", "--global", "64", "no-such.cl"], env=env,
                              capture_output=True, text=True)
        expect(("/no/helper" in done.stderr) == bool(text), f"{text}: {done}")


def decided(bench, name="site", mode=0o700):
    """A wisdom directory with the decision about conv2d."""
    place = bench.store(name)
    place.chmod(mode)
    bench.run_app("conv2d", "both", CONV, wisdom=place)
    expect(wisdom_records(next(place.glob("*.jsonl"))), "nothing was decided")
    return place


def the_systems_decisions(bench):
    """Decisions in /var/lib/clsizer/wisdom are used without being asked for."""
    site = decided(bench)
    prepare = OWN_ETC + f'mkdir -p /var/lib/clsizer; cp -a {site} /var/lib/clsizer/wisdom'
    for value, source in (None, "wisdom"), ("none", "measured"):
        shutil.rmtree(bench.scratch / "etc", ignore_errors=True)
        shutil.rmtree(bench.scratch / "lib", ignore_errors=True)
        run = bench.run(in_another_machine(bench, prepare, bench.app("conv2d"), *CONV), "both", wisdom="none", CLSIZER_SYSTEM_WISDOM=value)
        expect([e["source"] for e in run.of("decision")] == [source], f"{value}: {run.events}")


def no_home(bench):
    """A service without a home: what was decided is used, and what is not, is; nothing is put elsewhere."""
    site, temporary = decided(bench), bench.store("tmp")
    nowhere = bench.scratch / "nonexistent"
    variables = {"XDG_CACHE_HOME": None, "XDG_DATA_HOME": None, "XDG_CONFIG_HOME": None, "CLSIZER_CACHE": None, "CLSIZER_WISDOM": None,
                 "TMPDIR": temporary}
    bare = bench.run_app("conv2d", "bare", CONV)
    for home in None, nowhere:
        for more, source in ({"CLSIZER_SYSTEM_WISDOM": site}, "wisdom"), ({}, "measured"):
            run = bench.run_app("conv2d", "both", CONV, **variables, HOME=home, **more)
            same(run, bare, f"{home} {more}")
            expect([e["source"] for e in run.of("decision")] == [source], f"{home}, {more}: {run.events}")
            expect("clsizer" not in run.err, f"nobody asked for a place: {run.err}")
    ours = temporary / f"clsizer-{os.geteuid()}"
    expect(not nowhere.exists() and ours.stat().st_mode & 0o777 == 0o700, "where things are kept")


def temporary_places_of_others(bench):
    """A temporary directory that is not ours alone is not believed."""
    for what, prepare in (("ours", lambda above, ours: None),
                          ("others may write", lambda above, ours: ours.chmod(0o777)),
                          ("the one above", lambda above, ours: above.chmod(0o777)),
                          ("somebody else's", lambda above, ours: os.chown(ours, NOBODY, NOBODY)),
                          ("a link", lambda above, ours: (ours.rmdir(), ours.symlink_to(bench.store("target"))))):
        if what.startswith("somebody") and os.geteuid():
            continue
        above = bench.store(f"tmp {what}")  # a helper of the run before may still write into its own
        ours = above / f"clsizer-{os.geteuid()}"
        ours.mkdir(mode=0o700)
        prepare(above, ours)
        bench.run_app("conv2d", "both", CONV, XDG_CACHE_HOME=None, XDG_DATA_HOME=None, CLSIZER_CACHE=None, HOME=None, TMPDIR=above)
        expect(any(ours.iterdir()) == (what == "ours"), f"{what}: {list(ours.iterdir())}")


def read_only_root(bench):
    """All is read-only: the system's decisions are used where /tmp can be written, and else the program runs as it is."""
    site, home = decided(bench), bench.store("home")
    bare = bench.run_app("conv2d", "bare", CONV)
    variables = {"HOME": home, "XDG_CACHE_HOME": None, "XDG_DATA_HOME": None, "XDG_CONFIG_HOME": None, "CLSIZER_CACHE": None,
                 "CLSIZER_WISDOM": None, "CLSIZER_SYSTEM_WISDOM": site, "CLSIZER_REPORT": "-", "CLSIZER_VERBOSE": "2"}
    prepare = """
for m in $(awk '{print $5}' /proc/self/mountinfo | sort -r); do mount -o remount,ro,bind "$m" || true; done 2>/dev/null
mount -t tmpfs tmpfs /mnt  # which PoCL needs for itself
"""
    for what, temporary, words in (
            ("a temporary directory", "/mnt", '"source":"wisdom"'),
            ("nothing", bench.scratch, "cache-unwritable")):
        run = bench.run(in_another_machine(bench, prepare, bench.app("conv2d"), *CONV), "both",
                        **{**variables, "TMPDIR": temporary, "POCL_CACHE_DIR": "/mnt"})
        same(run, bare, what)
        expect(words in run.err, f"{what}: {run.err[-3000:]}")
    expect(not list(home.iterdir()), "something was written")


def two_users(bench):
    """What root has decided for all serves another user, who cannot write there."""
    if os.geteuid() or not shutil.which("setpriv"):
        raise Skip("needs root and setpriv")
    os.umask(0o022)
    site, home = decided(bench, mode=0o755), bench.store("home")
    bench.scratch.chmod(0o711)
    os.chown(home, NOBODY, NOBODY)
    command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    if subprocess.run([*command, "test", "-x", bench.app("conv2d")]).returncode:
        raise Skip("the build tree is closed to others")
    before = {p.name: p.read_bytes() for p in site.iterdir()}
    report = home / "why.jsonl"
    bench.run([*command, bench.app("conv2d"), *CONV], "both", HOME=home, TMPDIR=home, POCL_CACHE_DIR=home, XDG_CACHE_HOME=home,
              XDG_DATA_HOME=home, CLSIZER_CACHE=None, CLSIZER_WISDOM=None, CLSIZER_SYSTEM_WISDOM=site, CLSIZER_REPORT=report)
    expect('"source":"wisdom"' in report.read_text(), report.read_text()[-2000:])
    expect({p.name: p.read_bytes() for p in site.iterdir()} == before, "the site's wisdom was changed")


CASES = [settings_count, off, files_with_faults, commands_read_them, the_systems_decisions, no_home, temporary_places_of_others,
         read_only_root, two_users]

if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES))
