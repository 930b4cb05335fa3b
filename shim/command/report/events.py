"""Which files are reports, and what is wrong with those that are not.

The members of a line are defined at the head of shim/ledger/report.c.
"""

import json

SCHEMA = 1
MOST_TOLD = 5  # damaged lines of a file that are named one by one
MOST = 2 ** 64  # no number is beyond it: sums of them are finite


# ---- what members must be, where they are there; others may be anything ------------------------------------

def number(value):
    return isinstance(value, (int, float)) and -MOST <= value <= MOST


def amount(value):
    return isinstance(value, (int, float)) and 0 <= value <= MOST


def amount_or_none(value):
    return value is None or amount(value)


def count(value):
    return isinstance(value, int) and 0 <= value <= MOST


def numbers(values):
    return (type(values) is list and {int, float}.issuperset(map(type, values))
            and (not values or (-MOST <= min(values) and max(values) <= MOST)))


def extents(values):
    if type(values) is not list:
        return False
    for n in values:
        if type(n) is not int or not 0 <= n <= MOST:
            return False
    return True


def size(values):
    return values is None or extents(values)


def texts(values):
    return type(values) is list and {str}.issuperset(map(type, values))


def each(form):
    return lambda values: type(values) is list and all(map(form, values))


def misfit(members, forms, others=None):
    """The name of a member that is not as its form says: str, or a function that is true of it."""
    for name, value in members.items():
        form = forms.get(name, others)
        if form and type(value) is not form and (form is str or not form(value)):
            return name
    return None


def having(forms, others=None):
    return lambda value: type(value) is dict and misfit(value, forms, others) is None


FORM = {
    "event": str, "time": str, "kernel": str, "program": str, "device": str, "reason": str, "detail": str, "fact": str,
    "source": str, "pid": number, "at_us": number, "launch": having({"dim": count, "global": extents, "local": size}),
    "facts": having({}, having({"reason": str, "line": count, "detail": str})),
    "race": having({"lanes": each(having({"local": size, "variant": str, "samples": count, "best_ns": amount_or_none,
                                          "overhead_us": number}))}),
    "decision": having({"outcome": str, "local": size, "gain": amount, "noise": amount}),
    "variant": having({"name": str, "local": size, "gain": amount}),
    "candidates": each(having({"local": size, "state": str, "time_ns": amount_or_none})),
    "launches": count, "changed": count, "timed": count, "kernel_us": amount, "own_us": amount, "now_us": amount,
    "saved_us": number, "spent_us": number, "state": str, "driver": str, "now": having({"local": size, "variant": str}),
    "advice": each(having({"what": str, "argument": str, "line": count, "text": str, "gain": amount, "now_us": amount,
                           "then_us": amount})),
    "local": size, "unix_us": amount, "clsizer": str, "executable": str, "command": texts, "options": having({}),
    "size": texts, "at": numbers, "start": numbers, "us": numbers, "overhead": numbers, "items": numbers, "queue": numbers,
}


def no_number(name):
    raise ValueError(f"{name} is no number")


DECODER = json.JSONDecoder(parse_constant=no_number)


# ---- files -----------------------------------------------------------------------------------------------

class Foreign(Exception):
    """The file is no report, or one that only a newer clsizer can read."""


def parse(line, place):
    """The event in a line; ValueError if it is damaged."""
    event = DECODER.decode(line)
    if type(event) is not dict or "event" not in event:
        raise ValueError("it lacks the member \"event\"")
    if event.get("schema") != SCHEMA:
        if isinstance(event.get("schema"), int) and event["schema"] > SCHEMA:
            raise Foreign(f"{place}: a newer clsizer wrote this (schema {event['schema']}; this one reads {SCHEMA})")
        raise ValueError("it lacks the member \"schema\"")
    if event["event"] != "refusal":
        event.pop("facts", None)  # the same in every event of a kernel, and of no use
    name = misfit(event, FORM)
    if name:
        raise ValueError(f'the member "{name}" makes no sense')
    return event


def read(path, complain):
    """Yield the events of a report.

    `complain` is called with words about each damaged line, which is left out: a program that was killed, or a full disk,
    may have cut it.  Raises Foreign for what is no report at all, and OSError.
    """
    damaged = events = 0
    with open(0 if path == "-" else path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if line.isspace():
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
