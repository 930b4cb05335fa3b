"""The files that are written: `-` is standard output, and of those that are there only our own are overwritten."""

import os

import events


def check(path, beginning):
    """`--html why.jsonl more.jsonl` is easily typed.  `beginning`: how files of this form begin if they are ours."""
    if path != "-" and os.path.isfile(path):
        with open(path, "rb") as file:
            start = file.read(len(beginning))
        if start and start != beginning.encode():
            raise events.Foreign(f"{path}: would be overwritten, and is not from `clsizer report`: name another file")


def write(path, beginning, rest):
    check(path, beginning)
    with open(1 if path == "-" else path, "w", encoding="utf-8", errors="replace", closefd=path != "-") as file:
        file.write(beginning + rest)
