"""What runs the Python form of a random kernel: integers of C's types, memory that remembers who touched what.

Shares nothing with clsizer: it decides by enumeration what clsizer decides by proof.
"""

import itertools


class Undefined(Exception):
    """The launch does what OpenCL C leaves undefined, so that nothing can be said about it."""


class TooLong(Exception):
    """The launch takes more steps than the enumeration will."""


def wrap(x, bits, signed):
    x &= (1 << bits) - 1
    return x - (1 << bits) if signed and x >> (bits - 1) else x


def checked(x, bits):
    """Signed arithmetic: overflow is undefined."""
    if not -(1 << (bits - 1)) <= x < 1 << (bits - 1):
        raise Undefined("signed overflow")
    return x


def quotient(x, y, bits, signed):
    if y == 0:
        raise Undefined("division by 0")
    q = abs(x) // abs(y)
    q = -q if (x < 0) != (y < 0) else q
    return checked(q, bits) if signed else q


def remainder(x, y, bits, signed):
    return x - y * quotient(x, y, bits, signed)


def saturate(x, bits, signed):
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    return min(max(x, low), high)


def clamp(x, low, high):
    if low > high:
        raise Undefined("clamp")
    return min(max(x, low), high)


def element(array, i):
    if not 0 <= i < len(array):
        raise Undefined("private array bounds")
    return array[i]


def put(array, i, x):
    element(array, i)
    array[i] = x


class Launch:
    """A range, the application's local size, and arguments: integers, tuples of them, or (memory, offset, bytes).  Of a
    range with too many work-items, `sample` has the ids of those that are run."""

    def __init__(self, dim, size, offset, local, args, sample=None):
        self.dim, self.size, self.offset, self.local, self.args = dim, tuple(size), tuple(offset), local, args
        self.sample = sample

    def ids(self):
        return self.sample or itertools.product(*(range(o, o + n) for o, n in zip(self.offset, self.size)))

    def part(self, d, start, n):
        """The same launch for n work-items of dimension d from start on."""
        size, offset = list(self.size), list(self.offset)
        size[d], offset[d] = n, offset[d] + start
        return Launch(self.dim, size, offset, None, self.args)


class Memory:
    """The memory of one launch: what it held before, and for each byte who touched it."""

    FAMILIES = {"add": "add", "sub": "add", "inc": "add", "dec": "add"}

    def __init__(self, launch, initial, low24, before=None, budget=50000, quiet=False):
        self.args, self.initial, self.low24 = launch.args, initial, low24
        self.before, self.rumour, self.quiet = before or {}, None, quiet
        self.steps = budget
        self.reader, self.writer, self.values, self.atomic = {}, {}, {}, {}
        self.last, self.final = {}, {}  # what work-items leave in a byte: all of them; the one that ran last
        self.atoms = {}  # (byte, size, family) -> operands
        self.plain_order = False  # an atomic whose old value was used
        self.own = {}
        self.low, self.high = {}, {}
        self.item = None

    def begin(self, item):
        self.item, self.own = item, {}

    def end(self):
        for at, b in self.own.items():
            if at in self.writer:
                self.final[at] = b
                self.last.setdefault(at, set()).add(b)

    def step(self):
        self.steps -= 1
        if self.steps < 0:
            raise TooLong()

    def place(self, pointer, size):
        arg, offset = pointer
        offset = wrap(offset, 64, True)
        self.step()
        if not 0 <= offset < 1 << 37:
            raise Undefined("far outside")
        memory, base, limit = self.args[arg]
        if limit is not None and offset + size > limit:
            raise Undefined("outside")
        self.low[arg] = min(self.low.get(arg, offset), offset)
        self.high[arg] = max(self.high.get(arg, 0), offset + size)
        return memory << 48 | (base + offset)

    def byte(self, at):
        if self.rumour and at in self.rumour:
            others = [b for item, written in self.rumour[at].items() if item != self.item for b in written]
            return self.choice([self.byte_now(at), *others])
        return self.byte_now(at)

    def byte_now(self, at):
        return self.own[at] if at in self.own else self.byte_before(at)

    def byte_before(self, at):
        if at in self.before:
            return self.before[at]
        return self.initial(at >> 48, at & ((1 << 48) - 1))

    def load(self, pointer, size, signed):
        try:
            at = self.place(pointer, size)
        except Undefined:
            if not self.rumour:
                raise
            return self.choice([0, 77])  # from where a rumour leads to; compilers remove it if nothing depends on it
        x = 0
        for i in range(size):
            other = self.reader.setdefault(at + i, self.item)
            if other != self.item:
                self.reader[at + i] = ALL
            x |= self.byte(at + i) << 8 * i
        return wrap(x, 8 * size, signed)

    def store(self, pointer, size, x):
        at = self.place(pointer, size)
        if self.quiet and all(self.byte(at + i) == x >> 8 * i & 255 for i in range(size)):
            return
        for i in range(size):
            b = x >> 8 * i & 255
            self.own[at + i] = b
            other = self.writer.setdefault(at + i, self.item)
            if other != self.item:
                self.writer[at + i] = ALL
            self.values.setdefault(at + i, {}).setdefault(self.item, []).append(b)

    def atom(self, kind, pointer, size, signed, x, used):
        if used or kind == "xchg":
            self.plain_order = True
            old = self.load(pointer, size, signed)
            new = {"xchg": x, "sub": old - x, "min": min(old, x), "max": max(old, x), "and": old & x, "or": old | x,
                   "xor": old ^ x, "dec": old - 1, "inc": old + 1}.get(kind, old + x)
            self.store(pointer, size, new)
            return old
        at = self.place(pointer, size)
        family = (at, size, self.FAMILIES.get(kind, kind) + (str(signed) if kind in ("min", "max") else ""))
        x = {"inc": 1, "dec": -1, "sub": -x}.get(kind, x) & ((1 << 8 * size) - 1)
        self.atoms.setdefault(family, []).append(x)
        for i in range(size):
            self.atomic.setdefault(at + i, set()).add((family, self.item))
        old = wrap(sum(self.byte(at + i) << 8 * i for i in range(size)), 8 * size, signed)
        self.own.update((at + i, old + x >> 8 * i & 255) for i in range(size))
        return 0

    def mul24(self, x, y, signed):
        if self.low24:
            x, y = wrap(x, 24, signed), wrap(y, 24, signed)
        return wrap(x * y, 32, signed)

    def disputed(self):
        """Bytes that one work-item reads and another one writes, and what each writes there."""
        found = {at: self.values[at] for at, who in self.writer.items()
                 if self.reader.get(at, who) != who or (who == ALL and at in self.reader)}
        for at, marks in self.atomic.items():
            if at in self.reader and {item for _, item in marks} != {self.reader[at]}:
                found[at] = {None: [self.byte_before(at) ^ 255, 1, 0]}
        return found

    def conflict(self):
        """A byte that shows the order of writers and atomics, or None."""
        for at, who in self.writer.items():
            if who == ALL and len(self.last[at]) > 1:
                return at
        for at, marks in self.atomic.items():
            others = {item for _, item in marks} | {self.writer.get(at, next(iter(marks))[1])}
            if len(others) > 1 and (len({f for f, _ in marks}) > 1 or at in self.writer):
                return at
        return None

    def outcome(self):
        """What is left when the launch has ended (no conflicts)."""
        return self.final, {k: sorted(v) for k, v in self.atoms.items()}


ALL = "all"


class Item:
    """One work-item's ids."""

    def __init__(self, launch, gid, local):
        self.dim, self.gid = launch.dim, gid
        self.gsize, self.offset, self.lsize = launch.size, launch.offset, local
        rel = [g - o for g, o in zip(gid, launch.offset)]
        self.lid = [r % s for r, s in zip(rel, local)]
        self.group = [r // s for r, s in zip(rel, local)]
        self.ngroup = [-(-n // s) for n, s in zip(launch.size, local)]
        self.linear = (rel[2] * launch.size[1] + rel[1]) * launch.size[0] + rel[0]


def run(kernel, launch, local, initial, low24=True, before=None, rumour=None, choice=None, budget=50000, quiet=False):
    """Run the work-items, each on the memory as it was before the launch; where `rumour` says what
    others write into a byte, on one of those by `choice`.  `quiet`: a store of what is there already is none, as where
    compilers see that."""
    m = Memory(launch, initial, low24, before, budget, quiet)
    m.rumour, m.choice = rumour, choice
    for number, gid in enumerate(launch.ids()):
        m.begin(number)
        kernel(Item(launch, gid, local), launch.args, m)
        m.end()
    return m
