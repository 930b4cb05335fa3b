"""`clsizer report`: what happened, from the files that --report wrote.  Python's standard library only."""

import argparse
import fnmatch
import gc
import os
import signal
import sys

import events
import output
import page
import shapes
import t4
import table
import timeline

MOST_ROWS = 60


def options():
    parser = argparse.ArgumentParser(
        prog="clsizer report", description="Tell what became of each kernel, from files that `clsizer --report FILE` wrote.",
        epilog="exit status: 0; 1 a file is damaged in part, the rest was used, or nothing was found; 2 wrong usage, or a "
               "file that cannot be used")
    parser.add_argument("files", nargs="+", metavar="FILE", help="reports of any number of runs; - is standard input")
    parser.add_argument("--all", action="store_true", help=f"all shapes in the table, not only the {MOST_ROWS} that took longest")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="the table as CSV, with all that is known")
    form.add_argument("--json", action="store_true", help="the same as JSON")
    form.add_argument("--html", metavar="OUT",
                      help="write a page to look at, one file that needs no network; - is standard output")
    form.add_argument("--trace", metavar="OUT", help="write a timeline for ui.perfetto.dev and chrome://tracing; - as above")
    form.add_argument("--t4", metavar="OUT",
                      help="write the measured sizes as T4 results, which Kernel Tuner and others exchange; "
                           "of several kernels and shapes, each to a file with its name in it, OUT-KERNEL-...")
    parser.add_argument("--kernels", metavar="GLOB", default="*", help="only kernels whose name matches")
    return parser.parse_args()


def complain(words):
    print(f"clsizer report: {words}", file=sys.stderr)
    complain.happened = True


complain.happened = False


def load(files, glob):
    report = shapes.Report()
    for path in files:
        for event in events.read(path, complain):
            if glob == "*" or fnmatch.fnmatchcase(event.get("kernel", ""), glob) or "kernel" not in event:
                report.add(event)
    if not report.runs:
        complain("no process has reported anything")
    elif glob != "*" and not report.shapes:
        complain(f"no kernel's name matches {glob}")
    return report


def write_t4(report, path):
    files = t4.write(report, path)
    if files != [path]:
        print("\n".join(files))


def main():
    asked = options()
    gc.disable()  # it would look for circles among a million numbers, again and again
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    try:
        for form, path in (page, asked.html), (timeline, asked.trace), (t4, asked.t4):
            output.check(path or "-", form.BEGINNING)
        report = load(asked.files, asked.kernels)
        if asked.csv:
            table.print_csv(report, sys.stdout)
        elif asked.json:
            table.print_json(report, sys.stdout)
        elif asked.html:
            page.write(report, asked.html)
        elif asked.trace:
            timeline.write(report, asked.trace)
        elif asked.t4:
            write_t4(report, asked.t4)
        else:
            table.print_table(report, sys.maxsize if asked.all else MOST_ROWS)
        sys.stdout.flush()
    except events.Foreign as error:
        complain(error)
        return 2
    except OSError as error:
        complain(f"{error.filename}: {os.strerror(error.errno)}" if error.filename and error.errno else error)
        return 2
    return 1 if complain.happened else 0


if sys.version_info < (3, 9):
    sys.exit("clsizer report: this command needs Python 3.9 or later")
sys.exit(main())
