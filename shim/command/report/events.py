"""Which files are reports, and what is wrong with those that are not.

The members of a line are defined at the head of shim/ledger/report.c.
"""

import json

SCHEMA = 1
MOST_TOLD = 5  # damaged lines of a file that are named one by one


NUMBER, ABSENT = (int, float), type(None)

# What members must be where they are there; others may be anything.  A tuple: one of these types.  A list: a list of
# values of the form in it, or, if there is a second one, that.  The name "*": any other.
SIZE = [int, ABSENT]
FACT = {"reason": str, "line": int, "detail": str}
FORM = {
    "event": str, "pid": int, "time": str, "kernel": str, "program": str, "device": str, "reason": str, "detail": str,
    "fact": str, "source": str, "at_us": NUMBER, "launch": {"dim": int, "global": [int], "local": SIZE},
    "facts": {"*": FACT}, "race": {"lanes": [{"local": SIZE, "variant": str, "samples": int, "best_ns": (*NUMBER, ABSENT),
                                                     "overhead_us": NUMBER}]},
    "decision": {"outcome": str, "local": SIZE, "gain": NUMBER, "noise": NUMBER},
    "variant": {"name": str, "local": SIZE, "gain": NUMBER},
    "candidates": [{"local": SIZE, "state": str, "time_ns": (*NUMBER, ABSENT)}],
    "launches": int, "changed": int, "timed": int, "kernel_us": NUMBER, "own_us": NUMBER, "now_us": NUMBER,
    "saved_us": NUMBER, "spent_us": NUMBER, "state": str, "driver": str, "now": {"local": SIZE, "variant": str},
    "unix_us": NUMBER, "clsizer": str, "executable": str, "command": [str], "options": dict,
    "size": [str], "at": [NUMBER], "start": [NUMBER], "us": [NUMBER], "overhead": [NUMBER], "items": [int], "queue": [int],
}
PLAIN = {type, tuple}  # forms that isinstance() takes


def fits(value, form):
    if type(form) in PLAIN:
        return isinstance(value, form)
    if type(form) is dict:
        if type(value) is not dict:
            return False
        rest = form.get("*", object)
        for k, v in value.items():
            f = form.get(k, rest)
            if not (isinstance(v, f) if type(f) in PLAIN else fits(v, f)):
                return False
        return True
    if type(value) is not list:
        return fits(value, form[1]) if form[1:] else False
    f = form[0]
    for v in value:
        if not (isinstance(v, f) if type(f) in PLAIN else fits(v, f)):
            return False
    return True


def no_number(text):
    raise ValueError(f"{text} is no number")


DECODER = json.JSONDecoder(parse_constant=no_number)


class Foreign(Exception):
    """The file is no report, or one that only a newer clsizer can read."""


def parse(text, place):
    """The event in a line; ValueError if it is damaged."""
    event = DECODER.decode(text)
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        raise ValueError("it lacks the member \"event\"")
    if event.get("schema") != SCHEMA:
        if isinstance(event.get("schema"), int) and event["schema"] > SCHEMA:
            raise Foreign(f"{place}: a newer clsizer wrote this (schema {event['schema']}; this one reads {SCHEMA})")
        raise ValueError("it lacks the member \"schema\"")
    if event["event"] != "refusal":
        event.pop("facts", None)  # the same in every event of a kernel, and of no use
    for name, value in event.items():
        form = FORM.get(name, object)
        if not (isinstance(value, form) if type(form) in PLAIN else fits(value, form)):
            raise ValueError(f'the member "{name}" has another form')
    return event


def read(path, complain):
    """Yield the events of a report.

    `complain` is called with words about each damaged line, which is left out: a program that was killed, or a full disk,
    may have cut it.  Raises Foreign for what is no report at all, and OSError.
    """
    damaged = events = 0
    with open(0 if path == "-" else path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            place = f"{path}:{number}"
            try:
                yield parse(line, place)
                events += 1
            except (ValueError, RecursionError) as error:
                if not events and not damaged and not line.lstrip().startswith('{"schema"'):
                    raise Foreign(f"{place}: this is no report of clsizer's: {line.strip()[:40]!r}") from None
                damaged += 1
                if damaged <= MOST_TOLD:
                    complain(f"{place}: damaged, left out: {error}")
    if damaged > MOST_TOLD:
        complain(f"{path}: {damaged - MOST_TOLD} more lines are damaged")
