"""Random kernels, as OpenCL C and as Python for machine.py, and random launches of them.

Every expression carries both texts and its C type; conversions are written by the rules of C99 (6.3.1) here, not taken
from a compiler.
"""

import itertools

from machine import Launch


class Type:
    def __init__(self, name, bits, signed):
        self.name, self.bits, self.signed, self.bytes = name, bits, signed, bits // 8

    def __repr__(self):
        return self.name


CHAR, UCHAR, SHORT, USHORT = Type("char", 8, True), Type("uchar", 8, False), Type("short", 16, True), \
    Type("ushort", 16, False)
INT, UINT, LONG, ULONG = Type("int", 32, True), Type("uint", 32, False), Type("long", 64, True), \
    Type("ulong", 64, False)
SIZE = Type("size_t", 64, False)
TYPES = [CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG]


class Expr:
    def __init__(self, c, py, type):
        self.c, self.py, self.type = c, py, type


def constant(v, type=INT):
    suffix = {UINT: "u", LONG: "L", ULONG: "uL"}.get(type, "")
    return Expr(f"({v}{suffix})" if v < 0 else f"{v}{suffix}", f"({v if type.signed else v & (1 << type.bits) - 1})", type)


def fits(a, b):
    """Are all values of a values of b?"""
    return (a.signed == b.signed and a.bits <= b.bits) or (not a.signed and b.signed and a.bits < b.bits)


def converted(e, t):
    """The Python text of e converted to t."""
    if fits(e.type, t):
        return e.py
    if not t.signed:
        return f"({e.py} & {(1 << t.bits) - 1})"
    return f"wrap({e.py}, {t.bits}, True)"


def cast(e, t):
    return Expr(f"({t.name})({e.c})", converted(e, t), t)


def promoted(t):
    return INT if t.bits < 32 else t


def common(a, b):
    a, b = promoted(a), promoted(b)
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return b if a.signed else a


def binary(op, a, b):
    if op in ("<<", ">>"):
        t = promoted(a.type)
        x, y = converted(a, t), f"({converted(b, promoted(b.type))} & {t.bits - 1})"
        py = f"({x} >> {y})" if op == ">>" else f"wrap({x} << {y}, {t.bits}, {t.signed})"
        return Expr(f"({a.c} {op} {b.c})", py, t)
    t = common(a.type, b.type)
    x, y = converted(a, t), converted(b, t)
    if op in ("<", "<=", ">", ">=", "==", "!="):
        return Expr(f"({a.c} {op} {b.c})", f"int({x} {op} {y})", INT)
    if op in ("/", "%"):
        py = f"{'quotient' if op == '/' else 'remainder'}({x}, {y}, {t.bits}, {t.signed})"
    elif op in ("&", "|", "^"):
        py = f"({x} {op} {y})"
    else:
        py = f"checked({x} {op} {y}, {t.bits})" if t.signed else f"(({x} {op} {y}) & {(1 << t.bits) - 1})"
    return Expr(f"({a.c} {op} {b.c})", py, t)


def logical(op, a, b):
    return Expr(f"({a.c} {'&&' if op == 'and' else '||'} {b.c})", f"int(({a.py}) != 0 {op} ({b.py}) != 0)", INT)


def select(c, a, b):
    t = common(a.type, b.type)
    return Expr(f"({c.c} ? {a.c} : {b.c})", f"({converted(a, t)} if {c.py} else {converted(b, t)})", t)


def call2(name, a, b, t):
    x, y = converted(a, t), converted(b, t)
    py = {"min": f"min({x}, {y})", "max": f"max({x}, {y})",
          "mul24": f"M.mul24({x}, {y}, {t.signed})",
          "add_sat": f"saturate({x} + {y}, {t.bits}, {t.signed})",
          "sub_sat": f"saturate({x} - {y}, {t.bits}, {t.signed})",
          "mul_hi": f"(({x} * {y}) >> {t.bits})",
          "hadd": f"(({x} + {y}) >> 1)"}[name]
    return Expr(f"{name}(({t.name})({a.c}), ({t.name})({b.c}))", py, t)


def mad24(a, b, c, t):
    x, y, z = converted(a, t), converted(b, t), converted(c, t)
    sum = f"M.mul24({x}, {y}, {t.signed}) + {z}"
    py = f"checked({sum}, 32)" if t.signed else f"(({sum}) & 0xffffffff)"
    return Expr(f"mad24(({t.name})({a.c}), ({t.name})({b.c}), ({t.name})({c.c}))", py, t)


class Pointer:
    """A pointer into argument memory: both texts and the element it points to."""

    def __init__(self, c, py, type, const, writable=True):
        self.c, self.py, self.type, self.const, self.writable = c, py, type, const, writable


class Struct:
    def __init__(self, name, fields):
        self.name, self.fields, at = name, [], 0
        for number, t in enumerate(fields):
            at = -(-at // t.bytes) * t.bytes
            self.fields.append((f"f{number}", t, at))
            at += t.bytes
        align = max(t.bytes for t in fields)
        self.bytes = -(-at // align) * align

    def text(self):
        return f"typedef struct {{ {' '.join(f'{t.name} {n};' for n, t, _ in self.fields)} }} {self.name};"


class Block:
    """Statements; each is (lines of C, lines of Python)."""

    def __init__(self):
        self.c, self.py = [], []

    def add(self, c, py):
        self.c.append(c)
        self.py.append(py)

    def nest(self, head, block, py_head, tail="}", py_lead=(), py_tail=()):
        self.c += [head] + ["    " + line for line in block.c] + ([tail] if tail else [])
        self.py += [*py_head] + ["    " + line for line in [*py_lead, *(block.py or ["pass"]), *py_tail]]


def divisor(rng, n):
    """A divisor of n, at random."""
    if n <= 64:
        return rng.choice([s for s in range(1, n + 1) if n % s == 0])
    found = 1
    for p in rng.choices([2, 2, 2, 3, 5, 7, 17, 31, 127, 257, 32767], k=rng.choice([2, 6, 12, 40, 60])):
        if n % (found * p) == 0:
            found *= p
    return rng.choice([found, found, n // found])


class Kernel:
    """Grows one kernel.  `rng` decides everything.  With `burn` it takes its time, by arguments that the Python text does
    not have: a sum that comes to nothing."""

    def __init__(self, rng, name, burn=False):
        self.rng, self.name, self.burn = rng, name, burn
        self.dim = rng.choice([1, 1, 2, 2, 3])
        self.number = itertools.count()
        self.args, self.scalars, self.buffers, self.variables, self.fixed = [], [], [], [], []
        self.structs, self.helpers, self.arrays, self.loops, self.chosen = [], [], [], 0, []
        self.touched_local = False
        self.ported = rng.random() < 0.2  # little more than ids as CUDA programs compute them
        self.make_arguments()
        self.body = Block()
        self.prologue()
        for _ in range(rng.choice([0, 0, 0, 1] if self.ported else [1, 2, 2, 3, 4, 5])):
            self.statement(self.body, 0)
            self.barrier()
        self.store(self.body)

    def barrier(self):
        """Where all work-items come by, now and then.  It changes nothing unless one needs what another did."""
        if self.rng.random() < 0.06 and not any("return" in line for line in self.body.c):
            self.body.c.append("barrier(CLK_GLOBAL_MEM_FENCE);")

    def pick(self, *weighted):
        names, weights = zip(*weighted)
        return self.rng.choices(names, weights)[0]

    def fresh(self, prefix):
        return f"{prefix}{next(self.number)}"

    # ---- arguments -----------------------------------------------------------------------------------------------

    def make_arguments(self):
        rng = self.rng
        for i in range(rng.choice([1, 1, 2, 2, 3])):
            t = rng.choice([INT, INT, UINT, CHAR, UCHAR, SHORT, USHORT, LONG, ULONG])
            if rng.random() < 0.15:
                t = Struct(self.name.upper() + f"s{i}", [rng.choice(TYPES) for _ in range(rng.randint(1, 4))])
                self.structs.append(t)
            self.add_buffer(f"out{i}", t, False)
        for i in range(rng.choice([0, 1, 1, 2])):
            self.add_buffer(f"in{i}", rng.choice(TYPES), True)
        for i in range(rng.choice([1, 2, 3, 4])):
            t = self.pick((INT, 8), (UINT, 5), (ULONG, 2), (LONG, 2), (USHORT, 1), (SHORT, 1), (CHAR, 1), (UCHAR, 1))
            self.args.append(("scalar", f"n{i}", t))
            self.scalars.append(Expr(f"n{i}", f"n{i}", t))
        if rng.random() < 0.15:
            t, lanes = rng.choice([INT, UINT, SHORT]), rng.choice([2, 4])
            self.args.append(("vector", "v", t, lanes))
            for i in range(lanes):
                self.scalars.append(Expr(f"v.{'xyzw'[i]}", f"v[{i}]", t))

    def add_buffer(self, name, t, const):
        self.args.append(("buffer", name, t, const, self.rng.random() < 0.2))
        self.buffers.append(Pointer(name, f"({len(self.args) - 1}, 0)", t, const))

    # ---- expressions -----------------------------------------------------------------------------------------------

    def work_item(self, d):
        return Expr(f"get_global_id({d})", f"W.gid[{d}]", SIZE)

    def prologue(self):
        """The ids, as most kernels name them."""
        for d in range(self.dim):
            t = self.pick((INT, 8), (UINT, 3), (SIZE, 3), (LONG, 1), (USHORT, 0.4))
            e = self.work_item(d)
            if self.ported:
                t = self.pick((SIZE, 3), (LONG, 3), (INT, 1))
            if self.rng.random() < (0.9 if self.ported else 0.3):
                e = self.group_sum(d) if self.rng.random() < 0.6 else Expr(
                    f"(get_group_id({d}) * get_local_size({d}) + get_local_id({d}))",
                    f"(W.group[{d}] * W.lsize[{d}] + W.lid[{d}])", SIZE)
                if self.rng.random() < (0.3 if self.ported else 0.8):
                    e = binary("+", e, Expr(f"get_global_offset({d})", f"W.offset[{d}]", SIZE))
                if self.rng.random() < 0.2:
                    d = 2 - d
            elif self.rng.random() < 0.1:
                e = binary("-", e, Expr(f"get_global_offset({d})", f"W.offset[{d}]", SIZE))
            self.fixed.append(self.declare(self.body, e, t, "g"))

    def narrow(self, e):
        """The value, often after it was in a narrower variable."""
        t = self.pick((INT, 6), (UINT, 3), (SIZE, 3), (LONG, 1), (SHORT, 0.5), (USHORT, 0.5), (UCHAR, 0.3))
        return e if t is SIZE else cast(e, t)

    def group_sum(self, d):
        """The global id without offset as group * size + local, as programs ported from CUDA compute it; now and then
        something else."""
        rng = self.rng
        group, size, local, id = (Expr(f"get_{f}({d})", f"W.{w}[{d}]", SIZE) for f, w in (
            ("group_id", "group"), ("local_size", "lsize"), ("local_id", "lid"), ("global_id", "gid")))
        form = self.pick(("plain", 6), ("mad24", 2), ("wide", 2), ("start", 2), ("back", 2), ("odd", 1.5))
        if form == "mad24":
            return self.narrow(mad24(group, size, local, rng.choice([INT, UINT])))
        if form == "start":  # where the group begins
            return binary("+", self.narrow(binary("-", self.narrow(id), self.narrow(local))), self.narrow(local))
        if form == "back":
            first = self.narrow(binary("*", self.narrow(group), self.narrow(size)))
            one = constant(rng.choice([1, 1, 2, 1000]))
            e = self.narrow(binary(rng.choice("+-"), first, one))
            return binary("+", e, self.narrow(local))
        if form == "odd":
            e = rng.choice([lambda: binary("*", self.narrow(group), constant(rng.choice([4, 8, 16]))),
                            lambda: binary("*", self.narrow(binary("*", group, constant(2))), self.narrow(size)),
                            lambda: binary("*", self.narrow(binary("+", group, rng.choice(self.scalars))), size)])()
            return binary("+", e, self.narrow(local))
        product = binary("*", cast(self.narrow(group), LONG) if form == "wide" else self.narrow(group), self.narrow(size))
        if rng.random() < 0.4:
            product = self.narrow(product)
        return binary("+", product, self.narrow(local))

    def declare(self, block, e, t, prefix):
        name = f"g{len(self.fixed)}" if prefix == "g" else self.fresh(prefix)
        block.add(f"{t.name} {name} = {e.c};", f"{name} = {converted(e, t)}")
        return Expr(name, name, t)

    def leaf(self):
        rng = self.rng
        what = self.pick(("id", 8), ("scalar", 6), ("constant", 5), ("variable", 5), ("size", 1.5), ("odd", 0.6))
        if what == "id":
            return rng.choice(self.fixed) if rng.random() < 0.7 else self.work_item(rng.randrange(self.dim))
        if what == "scalar":
            return rng.choice(self.scalars)
        if what == "variable" and self.variables:
            return rng.choice(self.variables)
        d = rng.randrange(3) if rng.random() < 0.1 else rng.randrange(self.dim)
        if what == "size":
            return rng.choice([Expr(f"get_global_size({d})", f"W.gsize[{d}]", SIZE),
                               Expr(f"get_global_offset({d})", f"W.offset[{d}]", SIZE),
                               Expr("get_work_dim()", "W.dim", UINT),
                               Expr("get_global_linear_id()", "W.linear", SIZE)])
        if what == "odd":
            return rng.choice([Expr(f"get_local_id({d})", f"W.lid[{d}]", SIZE),
                               Expr(f"get_group_id({d})", f"W.group[{d}]", SIZE),
                               Expr(f"get_local_size({d})", f"W.lsize[{d}]", SIZE),
                               Expr(f"get_num_groups({d})", f"W.ngroup[{d}]", SIZE)])
        return constant(rng.choice([0, 1, 1, 2, 3, 4, 5, 7, 8, 16, 31, 63, 64, 100, 255, 256, -1, -2, 1000, 65536]),
                        self.pick((INT, 8), (UINT, 1), (LONG, 1)))

    def expression(self, depth):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.2:
            return self.leaf()
        what = self.pick(("ring", 10), ("bits", 2), ("divide", 2), ("cast", 2), ("choice", 1.2), ("call", 2),
                         ("load", 1.2), ("compare", 0.5), ("negate", 0.7), ("array", 0.5))
        a = self.expression(depth - 1)
        if what == "cast":
            return cast(a, rng.choice(TYPES))
        if what == "negate":
            return Expr(f"(~{a.c})", f"(~({converted(a, promoted(a.type))}) & {2**a.type.bits - 1})", a.type) \
                if not a.type.signed and a.type.bits >= 32 else binary("-", constant(0), a)
        if what == "load":
            return self.load(depth - 1)
        if what == "array" and self.arrays:
            name, t, n = rng.choice(self.arrays)
            i = self.array_index(depth - 1, n)
            return Expr(f"{name}[{i.c}]", f"element({name}, {i.py})", t)
        b = self.expression(depth - 1)
        if what == "choice":
            return select(self.condition(depth - 1), a, b)
        if what == "compare":
            return binary(rng.choice(["<", "<=", "==", "!="]), a, b)
        if what == "call":
            return self.function(a, b, depth)
        op = rng.choice({"ring": "++*-", "bits": "&|^<>", "divide": "/%"}.get(what, "+-"))
        if op in "<>":
            return binary(op * 2, a, constant(rng.choice([1, 2, 3, 4, 8, 16, 24, 31])) if rng.random() < 0.8 else b)
        if op in "/%&" and rng.random() < 0.7:
            b = constant(rng.choice([1, 2, 3, 4, 8, 10, 16, 255, 256])) if op != "&" else \
                constant(rng.choice([1, 3, 7, 15, 255, 0xffff, -2, -4, 6, -8]))
        if op == "^" and rng.random() < 0.7:
            b = constant(rng.choice([1, 2, 3, 4, 5, 6, 10, 64, 255, -2, -6, -8, 0x7fffffff]))
        return binary(op, a, b)

    def function(self, a, b, depth):
        rng = self.rng
        name = self.pick(("min", 2), ("max", 2), ("mul24", 3), ("mad24", 3), ("add_sat", 0.5), ("sub_sat", 0.5),
                         ("mul_hi", 0.3), ("hadd", 0.4), ("clamp", 1), ("helper", 1.5))
        t = rng.choice([INT, INT, UINT])
        if name == "helper":
            return self.helper(a, b)
        if name == "mad24":
            return mad24(a, b, self.expression(depth - 1), t)
        if name == "clamp":
            c = self.expression(depth - 1)
            return Expr(f"clamp(({t.name})({a.c}), ({t.name})({b.c}), ({t.name})({c.c}))",
                        f"clamp({converted(a, t)}, {converted(b, t)}, {converted(c, t)})", t)
        return call2(name, a, b, t)

    def helper(self, a, b):
        """A function of two integers, of types of its own."""
        name = self.name + self.fresh("h")
        x, y, r = self.rng.choice(TYPES), self.rng.choice(TYPES), self.rng.choice(TYPES)
        saved = self.fixed, self.scalars, self.variables, self.buffers, self.arrays, self.chosen
        self.fixed, self.scalars = [Expr("x", "x", x)], [Expr("y", "y", y)]
        self.variables, self.buffers, self.arrays, self.chosen = [], [], [], []
        e = self.expression(2)
        self.fixed, self.scalars, self.variables, self.buffers, self.arrays, self.chosen = saved
        self.helpers.append((f"static {r.name} {name}({x.name} x, {y.name} y) {{ return {e.c}; }}",
                             f"    def {name}(x, y): return {converted(e, r)}"))
        return Expr(f"{name}({a.c}, {b.c})", f"{name}({converted(a, x)}, {converted(b, y)})", r)

    def index(self):
        """Mostly what kernels index with, so that there is something to prove."""
        rng, ids = self.rng, self.fixed
        what = self.pick(("linear", 9), ("mad", 3), ("id", 2), ("coefs", 4), ("twisted", 3), ("free", 1.5),
                         ("linear_id", 1), ("swapped", 1), ("digits", 1.5), ("interleaved", 0.7), ("binned", 0.7))
        if what == "binned" and any(b.const for b in self.buffers):
            return self.binned()
        if what == "digits":
            return self.digits()
        if what == "id" or (self.ported and self.dim == 1):
            return rng.choice(ids)
        if what == "linear_id":
            return Expr("get_global_linear_id()", "W.linear", SIZE)
        if what == "free":
            return self.expression(3)
        order = [self.clamped(g) if rng.random() < 0.06 else g for g in ids]
        if what == "swapped":
            rng.shuffle(order)
        if what == "interleaved":
            order[0] = binary(rng.choice("||+^"), binary("*", order[0], constant(rng.choice([2, 2, 4, 3]))), self.parity())
        e = order[-1]
        for g in reversed(order[:-1]):
            pitch = rng.choice(self.scalars) if rng.random() < 0.8 else self.leaf()
            if what == "mad":
                e = mad24(e, pitch, g, rng.choice([INT, UINT]))
            else:
                e = binary("+", binary("*", e, pitch), g)
        if what == "coefs":
            e = constant(rng.choice([0, 0, 1, 5]))
            for g in order:
                c = rng.choice(self.scalars) if rng.random() < 0.4 else constant(rng.choice([1, 2, 3, 8, -1, 64, 100]))
                if rng.random() < 0.15:
                    g = binary("-", rng.choice(self.scalars), g)
                e = binary("+", e, binary("*", g, c))
        if what == "twisted":
            e = rng.choice([lambda: cast(e, rng.choice(TYPES)),
                            lambda: binary("%", e, rng.choice(self.scalars)),
                            lambda: binary("^", e, constant(rng.choice([1, 2, 3, -1, 255]))),
                            lambda: binary("|", e, constant(rng.choice([1, 4, 128]))),
                            lambda: binary("&", e, constant(rng.choice([-1, -2, 255, 0xffff, 7]))),
                            lambda: binary(">>", e, constant(rng.choice([1, 2, 8, 16]))),
                            lambda: binary("<<", e, constant(rng.choice([1, 2, 8, 16, 30]))),
                            lambda: binary("/", e, constant(rng.choice([2, 3, 4]))),
                            lambda: select(self.condition(1), e, self.leaf()),
                            lambda: call2("min", e, rng.choice(self.scalars), rng.choice([INT, UINT, LONG]))])()
        tail = self.pick(("none", 6), ("times", 2), ("plus", 3), ("cast", 1))
        if tail == "times":
            e = binary("*", e, constant(rng.choice([2, 3, 4])) if rng.random() < 0.7 else rng.choice(self.scalars))
            if rng.random() < 0.7:
                e = binary("+", e, rng.choice(self.variables) if self.variables else constant(1))
        if tail == "plus":
            e = binary("+", e, self.leaf())
        if rng.random() < 0.04:
            e = self.clamped(e)
        if self.chosen and rng.random() < 0.4:
            e = binary("+", e, binary("*", rng.choice(self.chosen), rng.choice([constant(64), *self.scalars])))
        if tail == "cast":
            e = cast(e, self.pick((INT, 3), (UINT, 3), (LONG, 3), (SIZE, 3), (USHORT, 1), (SHORT, 1)))
        return e

    def clamped(self, e):
        """Kept on one side of something, or between two, which are mostly the same for all and often change nothing."""
        rng = self.rng
        t = self.pick((INT, 4), (UINT, 2), (LONG, 2), (ULONG, 1), (SHORT, 0.5), (USHORT, 0.5))

        def side():
            x = rng.choice(self.scalars + self.chosen) if rng.random() < 0.7 else self.leaf()
            return binary(rng.choice("+-"), x, constant(1)) if rng.random() < 0.4 else x

        if rng.random() < 0.3:
            e = binary(rng.choice("+-"), e, side())
        if rng.random() < 0.5:
            return call2("min", e, side(), t)
        e = call2("max", e, constant(rng.choice([0, 0, 0, 1, -4])) if rng.random() < 0.6 else side(), t)
        return call2("min", e, side(), t) if rng.random() < 0.5 else e

    def parity(self):
        """The colour of a work-item on a checkerboard, and the like."""
        rng = self.rng
        e = rng.choice(self.fixed)
        if rng.random() < 0.6:
            e = binary(rng.choice("++-"), e, rng.choice(self.fixed))
        if rng.random() < 0.6:
            e = binary("+", e, self.leaf())
        return binary(*rng.choice([("&", e, constant(1)), ("&", e, constant(1)), ("%", e, constant(2)),
                                   ("%", e, constant(3)), ("&", e, constant(3)), ("&", e, constant(2))]))

    def digits(self):
        """A flat number in rows, and planes, of other lengths."""
        rng = self.rng
        i, w, h = rng.choice(self.fixed), self.extent(), self.extent()
        plane = binary("*", w, h)
        if rng.random() < 0.5:
            rest = binary("%", i, plane)
            x, y, z = binary("%", rest, w), binary("/", rest, w), binary("/", i, plane)
        else:
            x, y, z = binary("%", i, w), binary("%", binary("/", i, w), h), binary("/", i, plane)
        pitch = binary("+", w, constant(rng.choice([0, 1, 3, -1]))) if rng.random() < 0.7 else self.extent()
        slice = binary("*", pitch, binary("+", h, constant(rng.choice([0, 1, 2, -1]))))
        if rng.random() < 0.25:
            x, y, z = rng.sample([x, y, z], 3)
        e = binary("+", x, binary("*", y, pitch))
        return binary("+", e, binary("*", z, slice)) if rng.random() < 0.8 else e

    def binned(self):
        """A place of one's own that a few bits of memory choose, or one that is nearly one's own."""
        rng = self.rng
        bits = rng.choice([1, 2, 3, 4])
        e = self.load(0)
        for _ in range(rng.choice([1, 1, 2])):
            e = rng.choice([lambda: binary("&", e, constant((1 << bits) - 1)),
                            lambda: binary("&", binary(">>", e, constant(rng.choice([1, 2, 4]))), constant((1 << bits) - 1)),
                            lambda: cast(e, rng.choice(TYPES)),
                            lambda: binary("+", e, constant(rng.choice([0, 1, 2])))])()
        step = constant(rng.choice([1 << bits, 1 << bits, (1 << bits) + 1, (1 << bits) - 1]))
        return binary(rng.choice("+++|"), binary("*", rng.choice(self.fixed), step), e)

    def extent(self):
        return self.rng.choice(self.scalars) if self.rng.random() < 0.5 else constant(self.rng.choice([2, 3, 4, 5, 8]))

    def condition(self, depth):
        rng = self.rng
        what = self.pick(("bound", 8), ("equal", 2), ("both", 2), ("free", 2), ("uniform", 1.5), ("data", 0.5),
                         ("parity", 1.5))
        if what == "parity":
            return binary(rng.choice(["==", "==", "!=", "<"]), self.parity(),
                          constant(rng.choice([0, 1, 1, 2])) if rng.random() < 0.7 else rng.choice(self.scalars))
        if what == "both" and depth > 0:
            return logical(rng.choice(["and", "or"]), self.condition(depth - 1), self.condition(depth - 1))
        if what == "free":
            return binary(rng.choice(["<", ">", "<=", ">=", "==", "!="]), self.expression(depth), self.expression(depth))
        if what == "data" and any(b.const for b in self.buffers):
            return binary(rng.choice(["<", ">", "!="]), self.load(1), self.leaf())
        left = rng.choice(self.scalars) if what == "uniform" else rng.choice(self.fixed)
        if rng.random() < 0.3:
            left = binary(rng.choice("+-*%&"), left, self.leaf())
        op = rng.choice(["==", "==", "!="]) if what == "equal" else rng.choice(["<", "<", "<=", ">=", ">"])
        return binary(op, left, self.leaf())

    # ---- memory -----------------------------------------------------------------------------------------------------

    def at(self, p, i):
        """The place of element i: Python text, size, C text, type."""
        t = p.type
        py = f"moved({p.py}, ({i.py}) * {t.bytes})"
        if isinstance(t, Struct):
            name, field, offset = self.rng.choice(t.fields)
            return f"moved({py}, {offset})", f"{p.c}[{i.c}].{name}", field
        return py, f"{p.c}[{i.c}]", t

    def load(self, depth):
        if not self.buffers:
            return self.leaf()
        p = self.rng.choice(self.buffers)
        i = self.index() if depth <= 0 or self.rng.random() < 0.7 else self.expression(1)
        py, c, t = self.at(p, i)
        return Expr(c, f"M.load({py}, {t.bytes}, {t.signed})", t)

    def array_index(self, depth, n):
        e = self.expression(depth)
        e = cast(e, UINT)
        return binary("%", e, constant(n, UINT))

    def store(self, block):
        rng = self.rng
        p = rng.choice([b for b in self.buffers if not b.const])
        i = self.index()
        if not isinstance(p.type, Struct) and rng.random() < 0.12:
            return self.vector_store(block, p, i)
        py, c, t = self.at(p, i)
        value = constant(rng.choice([0, 1, -1, 77])) if rng.random() < 0.15 else self.expression(2)
        op = self.pick(("=", 8), ("+=", 1), ("atomic", 1.2), ("++", 0.3))
        if c in value.c:
            value = self.leaf()  # compilers remove stores of what is there
        if op == "atomic" and t in (INT, UINT) and not isinstance(p.type, Struct):
            return self.atomic(block, p, i, value)
        if op in ("+=", "++"):
            # never "+ 0": compilers remove that, and the store with it
            value = binary("+", Expr(c, f"M.load({py}, {t.bytes}, {t.signed})", t),
                           binary("|", value, constant(1)) if op == "+=" else constant(1))
        burn = " + (burn(g0, turns) & none)" if self.burn and op == "=" else ""
        block.add(f"{c} = {value.c}{burn};", f"M.store({py}, {t.bytes}, {value.py})")

    def vector_store(self, block, p, i):
        n, t = self.rng.choice([2, 3, 4, 8]), p.type
        items = [self.leaf() for _ in range(n)]
        block.add(f"vstore{n}(({t.name}{n})({', '.join(f'({t.name})({e.c})' for e in items)}), (size_t)({i.c}), {p.c});",
                  f"at = {converted(i, SIZE)}")
        for j, e in enumerate(items):
            block.add("", f"M.store(moved({p.py}, at * {n * t.bytes} + {j * t.bytes}), {t.bytes}, {e.py})")

    def atomic(self, block, p, i, value):
        t = p.type
        kind = self.pick(("add", 4), ("sub", 1), ("inc", 2), ("dec", 1), ("min", 1), ("max", 1), ("and", 1), ("or", 1),
                         ("xor", 1), ("xchg", 1.5))
        if kind == "xchg" and self.rng.random() < 0.6:
            value = constant(self.rng.choice([0, 1, 1, 5]))
        old = ("atom" if self.rng.random() < 0.3 else "atomic") + "_"
        more = "" if kind in ("inc", "dec") else f", ({t.name})({value.c})"
        c = f"{old if old == 'atomic_' else 'atomic_'}{kind}(&{p.c}[{i.c}]{more})"
        used = self.rng.random() < 0.15 and self.variables
        py = f"M.atom('{kind}', moved({p.py}, ({i.py}) * 4), 4, {t.signed}, {converted(value, t)}, {bool(used)})"
        if used:
            # stored, too: compilers see whether an old value is used
            x, q = self.rng.choice(self.variables), self.rng.choice(
                [b for b in self.buffers if not b.const and not isinstance(b.type, Struct)])
            block.add(f"{x.c} = {c};", f"{x.py} = {converted(Expr('', py, t), x.type)}")
            place, c, u = self.at(q, self.index())
            block.add(f"{c} = {x.c};", f"M.store({place}, {u.bytes}, {x.py})")
        else:
            block.add(c + ";", py)

    # ---- statements ------------------------------------------------------------------------------------------------

    def statement(self, block, depth):
        what = self.pick(("declare", 4), ("assign", 3), ("store", 5), ("if", 3 if depth < 3 else 0),
                         ("loop", 3 if depth < 2 else 0), ("return", 0.8), ("pointer", 1.2 if depth == 0 else 0),
                         ("array", 0.8 if depth == 0 else 0), ("put", 1), ("helper", 0.8), ("leave", 0.7),
                         ("walk", 1.5 if depth < 2 else 0), ("choose", 0.8 if depth < 2 else 0))
        getattr(self, "do_" + what)(block, depth)

    def do_declare(self, block, depth):
        e = self.index() if self.rng.random() < 0.5 else self.expression(2)
        t = self.pick((INT, 6), (UINT, 3), (LONG, 2), (SIZE, 2), (USHORT, 0.5), (SHORT, 0.5), (UCHAR, 0.5))
        x = self.declare(block, e, t, "x")
        if depth == 0:
            (self.fixed if self.rng.random() < 0.25 else self.variables).append(x)

    def do_assign(self, block, depth):
        if not self.variables:
            return self.do_declare(block, depth)
        x, e = self.rng.choice(self.variables), self.expression(2)
        if self.rng.random() < 0.5:
            e = binary(self.rng.choice("+-*"), x, self.leaf())
        block.add(f"{x.c} = {e.c};", f"{x.py} = {converted(e, x.type)}")

    def do_store(self, block, depth):
        self.store(block)

    def inner(self, depth):
        inner, mark, chosen = Block(), len(self.variables), len(self.chosen)
        for _ in range(self.rng.choice([1, 1, 2])):
            self.statement(inner, depth + 1)
        del self.variables[mark:], self.chosen[chosen:]
        return inner

    def do_if(self, block, depth):
        c = self.condition(1)
        block.nest(f"if ({c.c}) {{", self.inner(depth), [f"if {c.py}:"])
        if self.rng.random() < 0.3:
            block.nest("else {", self.inner(depth), ["else:"])

    def do_return(self, block, depth):
        c = self.condition(1)
        block.add(f"if ({c.c}) return;", f"if {c.py}: return")

    def do_leave(self, block, depth):
        if self.loops:
            c = self.condition(1)
            if self.rng.random() < 0.5:
                block.add(f"if ({c.c}) continue;", f"if {c.py}: break")
            else:
                block.add(f"if ({c.c}) break;", f"if {c.py}:")
                block.py += [f"    left{self.loops} = True", "    break"]

    def do_loop(self, block, depth):
        rng = self.rng
        t = self.pick((INT, 6), (UINT, 3), (LONG, 1), (SIZE, 2), (USHORT, 0.4), (CHAR, 0.3), (UCHAR, 0.3))
        name = self.fresh("k")
        k = Expr(name, name, t)
        form = self.pick(("up", 6), ("stride", 3), ("down", 2), ("until", 1), ("do", 1), ("free", 0.5))
        init = constant(0) if rng.random() < 0.6 else self.leaf()
        bound = rng.choice(self.scalars) if rng.random() < 0.6 else constant(rng.choice([1, 2, 3, 4, 8, 16]))
        step = constant(rng.choice([1, 1, 1, 2, 3]))
        if rng.random() < 0.15:
            step = self.leaf()
        if rng.random() < 0.12:
            bound = self.clamped(bound if rng.random() < 0.5 else rng.choice(self.fixed))
        test = binary(rng.choice(["<", "<", "<="]), k, bound)
        if form == "stride":
            d = rng.randrange(self.dim)
            init = self.fixed[d] if rng.random() < 0.8 else self.work_item(d)
            step = Expr(f"get_global_size({d})", f"W.gsize[{d}]", SIZE)
        elif form == "down":
            init, step, test = bound, binary("-", constant(0), step), binary(rng.choice([">", ">="]), k, self.leaf())
        elif form == "until":
            test = binary("!=", k, bound)
        elif form == "free":
            test = self.condition(1)
        next_k = binary("+", k, step)
        if rng.random() < 0.08:
            next_k = binary(rng.choice(["*", "<<", ">>"]), k, constant(2))
        self.loops += 1
        flag = f"left{self.loops}"
        keep = rng.random() < 0.9
        (self.fixed if keep else self.variables).append(k)
        self.variables.append(k)
        inner = self.inner(depth)
        self.variables = [v for v in self.variables if v is not k]
        self.fixed = [v for v in self.fixed if v is not k]
        self.loops -= 1
        advance = f"{name} = {converted(next_k, t)}"
        body = Block()
        body.py = ["M.step()"] + ([] if form == "do" else [f"if not {test.py}: break"]) + [
            f"{flag} = False", "for _ in ONCE:"] + ["    " + line for line in inner.py or ["pass"]] + [
            f"if {flag}: break", advance] + ([f"if not {test.py}: break"] if form == "do" else [])
        body.c = inner.c
        block.py.append(f"{name} = {converted(init, t)}")
        if form == "do":
            # "continue" goes on with the test: the step stands in it
            block.c.append(f"{t.name} {name} = {init.c};")
            body.c = inner.c
            block.nest("do {", body, ["while True:"], f"}} while (({name} = {next_k.c}), {test.c});")
        else:
            block.nest(f"for ({t.name} {name} = {init.c}; {test.c}; {name} = {next_k.c}) {{", body, ["while True:"])

    def do_walk(self, block, depth):
        """Loops in each other that advance one pointer or counter, each or only one of them, always or now and then."""
        rng = self.rng
        p = rng.choice([b for b in self.buffers if not b.const])
        if isinstance(p.type, Struct):
            return
        bounds = [self.extent() for _ in range(rng.choice([1, 2, 2, 3]))]
        step = constant(rng.choice([1, 1, 2, -1])) if rng.random() < 0.5 else rng.choice(self.scalars)
        first = self.index() if rng.random() < 0.4 else rng.choice(self.fixed)
        for b in bounds if rng.random() < 0.6 else []:
            first = binary("*", first, b)
        walker = self.fresh("w")
        t = self.pick((INT, 5), (UINT, 1), (SIZE, 1), (LONG, 1))
        if rng.random() < 0.5:
            block.add(f"__global {p.type.name} *{walker} = {p.c} + {first.c};",
                      f"{walker} = moved({p.py}, ({first.py}) * {p.type.bytes})")
            place = Pointer(walker, walker, p.type, False), constant(0)
        else:
            block.add(f"{t.name} {walker} = {first.c};", f"{walker} = {converted(first, t)}")
            place = p, Expr(walker, walker, t)

        def advance():
            b = Block()
            if place[0] is p:
                e = binary("+", place[1], step)
                b.add(f"{walker} = {e.c};", f"{walker} = {converted(e, t)}")
            else:
                b.add(f"{walker} += {step.c};", f"{walker} = moved({walker}, ({step.py}) * {p.type.bytes})")
            if rng.random() < 0.25:
                c, maybe = self.condition(1), Block()
                maybe.nest(f"if ({c.c}) {{", b, [f"if {c.py}:"])
                return maybe
            return b

        inner = Block()
        py, c, _ = self.at(*place)
        value = self.leaf()
        inner.add(f"{c} = {value.c};", f"M.store({py}, {p.type.bytes}, {value.py})")
        for number, bound in enumerate(reversed(bounds)):
            if number == 0 or rng.random() < 0.2:
                more = advance()
                inner.c, inner.py = inner.c + more.c, inner.py + more.py
            k = self.fresh("k")
            test, outer = binary(rng.choice(["<", "<", "<", "<="]), Expr(k, k, INT), bound), Block()
            outer.add("", f"{k} = 0")
            outer.nest(f"for (int {k} = 0; {test.c}; {k}++) {{", inner, ["while True:"],
                       py_lead=["M.step()", f"if not {test.py}: break"], py_tail=[f"{k} += 1"])
            inner = outer
        block.c, block.py = block.c + inner.c, block.py + inner.py

    def do_pointer(self, block, depth):
        rng = self.rng
        p = rng.choice(self.buffers)
        if isinstance(p.type, Struct):
            return
        name, i = self.fresh("p"), self.index() if rng.random() < 0.6 else self.leaf()
        t = p.type
        if rng.random() < 0.2:
            t = rng.choice(TYPES)
        const = "const " if p.const else ""
        other = rng.choice(self.buffers)
        c = f"(__global {const}{t.name} *)({p.c} + {i.c})"
        py = f"moved({p.py}, ({i.py}) * {p.type.bytes})"
        if rng.random() < 0.25 and other.const == p.const and not isinstance(other.type, Struct):
            test = self.condition(1)
            c = f"{test.c} ? {c} : (__global {const}{t.name} *)({other.c})"
            py = f"({py}) if {test.py} else ({other.py})"
        block.add(f"__global {const}{t.name} *{name} = {c};", f"{name} = {py}")
        self.buffers.append(Pointer(name, name, t, p.const))

    def do_array(self, block, depth):
        rng = self.rng
        name, t, n = self.fresh("a"), rng.choice([INT, UINT, LONG, SHORT]), rng.choice([2, 4, 5, 8])
        first = rng.choice(self.fixed)
        block.add(f"{t.name} {name}[{n}];", f"{name} = [0] * {n}")
        block.add(f"for (int j = 0; j < {n}; j++) {name}[j] = ({t.name})({first.c});",
                  f"{name} = [{converted(first, t)}] * {n}")
        self.arrays.append((name, t, n))

    def do_put(self, block, depth):
        if not self.arrays:
            return self.do_assign(block, depth)
        name, t, n = self.rng.choice(self.arrays)
        i, e = self.array_index(1, n), self.expression(2)
        block.add(f"{name}[{i.c}] = {e.c};", f"put({name}, {i.py}, {converted(e, t)})")

    def do_choose(self, block, depth):
        """One of several, chosen by what is the same for all, or nearly so."""
        rng = self.rng
        t = self.pick((INT, 6), (UINT, 2), (LONG, 1), (SHORT, 0.5))
        name = self.fresh("c")

        def one():
            return self.leaf() if rng.random() < 0.15 else rng.choice([constant(3), constant(0), *self.scalars])

        what = rng.choice(self.scalars) if rng.random() < 0.85 else self.leaf()
        what = cast(binary("&", what, constant(3)), INT) if rng.random() < 0.7 else cast(what, INT)
        first = one()
        block.add(f"{t.name} {name} = {first.c};", f"{name} = {converted(first, t)}")
        c, py = [f"switch ({what.c}) {{"], [f"case = {what.py}", "through = False"]
        for value in range(rng.choice([2, 3, 3, 4])):
            e, ends = one(), rng.random() < 0.7
            if rng.random() < 0.3:
                e = binary("+", cast(Expr(name, name, t), LONG), cast(e, INT))
            c.append(f"case {value}: {name} = {e.c};{' break;' * ends}")
            py += [f"if through or case == {value}:", f"    {name} = {converted(e, t)}", f"    through = {not ends}"]
        block.c += c + ["}"]
        block.py += py
        self.chosen.append(Expr(name, name, t))

    def do_helper(self, block, depth):
        """A function that stores through a pointer it is given."""
        rng = self.rng
        p = rng.choice([b for b in self.buffers if not b.const])
        if isinstance(p.type, Struct):
            return
        name, x = self.name + self.fresh("h"), rng.choice(TYPES)
        t, i, e = p.type, self.index(), self.leaf()
        self.helpers.append((
            f"static void {name}(__global {t.name} *p, {x.name} i, {t.name} e) {{ if (i < 100000) p[i] = e; }}",
            f"    def {name}(p, i, e):\n        if i < 100000: M.store(moved(p, i * {t.bytes}), {t.bytes}, e)"))
        block.add(f"{name}({p.c}, {i.c}, {e.c});", f"{name}({p.py}, {converted(i, x)}, {converted(e, t)})")

    # ---- texts ------------------------------------------------------------------------------------------------------

    def parameter(self, a):
        if a[0] == "buffer":
            _, name, t, const, restrict = a
            return f"__global {'const ' if const else ''}{t.name} *{'restrict ' if restrict else ''}{name}"
        return f"{a[2].name}{a[3] if a[0] == 'vector' else ''} {a[1]}"

    def source(self):
        lines = [s.text() for s in self.structs] + [h for h, _ in self.helpers]
        parameters = [self.parameter(a) for a in self.args] + ["int turns", "int none"] * self.burn
        head = f"__kernel void {self.name}({', '.join(parameters)})"
        return "\n".join([*lines, head, "{", *["    " + line for line in self.body.c if line], "}", ""])

    def python(self):
        lines = [f"def {self.name}(W, A, M):"]
        lines += [f"    {a[1]} = A[{i}]" for i, a in enumerate(self.args) if a[0] != "buffer"]
        lines += [h for _, h in self.helpers] + ["    " + line for line in self.body.py]
        return "\n".join(lines)

    # ---- launches -----------------------------------------------------------------------------------------------------

    def sparse_launch(self):
        """A range that ids in narrow variables may not fit, of which some work-items are run."""
        rng = self.rng
        l = self.launch(tame=True)
        size, offset, d = list(l.size), list(l.offset), rng.randrange(self.dim)
        size[d] = rng.choice([1 << 8, 3 << 8, 1 << 15, 1 << 16, 3 << 16, (1 << 23) - 256, (1 << 23) - 8, 1 << 23,
                              (1 << 24) - 16, 1 << 24, 1 << 30, (1 << 31) - 65536, (1 << 31) - 32, 1 << 31, 1 << 32,
                              3 << 32])
        offset[d] = rng.choice([0, 0, 0, 1, 7, 8, 31, 65535, 1 << 23, (1 << 31) - 65536, 1 << 31])
        local = [divisor(rng, n) for n in size]

        def one(n):
            return rng.choice([0, 0, 1, n - 1, n - 1, n - 2, n // 2, n // 2 - 1, rng.randrange(n), rng.randrange(n),
                               rng.randrange(n), 255, 256, 32767, 32768, 65535, 65536, (1 << 31) - 1]) % n

        sample = {tuple(o + one(n) for o, n in zip(offset, size)) for _ in range(40)}
        args = [self.scalar(a[2], size, offset, False) if a[0] == "scalar" else v for a, v in zip(self.args, l.args)]
        return Launch(self.dim, size, offset, local, args, sorted(sample))

    def launch(self, tame=False, large=False):
        """A launch of some dozens of work-items, or thousands; tame: one that real buffers have room for."""
        rng = self.rng
        extents = {1: [1, 5, 8, 12, 16, 24, 30, 33, 64], 2: [1, 2, 3, 4, 5, 6, 8, 9], 3: [1, 2, 3, 4]}[self.dim]
        if large:
            extents = {1: [3000, 4096, 4099], 2: [48, 61, 64], 3: [13, 16, 18]}[self.dim]
        size = [rng.choice(extents) if d < self.dim else 1 for d in range(3)]
        offset = [0, 0, 0]
        if rng.random() < 0.35:
            far = [0, 1, 2, 5, 16] + ([] if tame else [255, 250, 65530, 8388600, 16777210, 2147483640, 4294967290])
            offset = [rng.choice(far) if d < self.dim else 0 for d in range(3)]
        local = [rng.choice([s for s in range(1, min(n, 16) + 1) if n % s == 0]) for n in size]
        args = []
        for i, a in enumerate(self.args):
            if a[0] == "buffer":
                args.append((i + 1, 0, None))
            elif a[0] == "scalar":
                args.append(self.scalar(a[2], size, offset, tame))
            else:
                args.append(tuple(self.scalar(a[2], size, offset, tame) for _ in range(a[3])))
        if rng.random() < 0.25:
            self.alias(args, tame)
        return Launch(self.dim, size, offset, local, args)

    def scalar(self, t, size, offset, tame):
        rng = self.rng
        n, s = [a + b for a, b in zip(size, offset)], size
        v = rng.choice([n[0], n[0], n[0], n[0] + 1, n[0] + 3, n[0] - 1, s[0], n[1], s[0] * s[1], n[0] * n[1],
                        2 * n[0], n[0] * n[1] * n[2], n[0] // 2, 0, 1, 1, 2, 3, 4, 7, 16, 64, 128, 256, 1000, -1, -5,
                        *([] if tame else [-n[0], 65535, 65536, 1 << 20, (1 << 23) - 1, 1 << 23, 1 << 24, (1 << 24) - 1,
                                           (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 30, (1 << 32) + n[0]])])
        return (v + (1 << (t.bits - 1)) & (1 << t.bits) - 1) - (1 << (t.bits - 1)) if t.signed else v & (1 << t.bits) - 1

    def alias(self, args, tame):
        """One memory under two names, whole or as overlapping parts."""
        rng = self.rng
        buffers = [i for i, a in enumerate(self.args) if a[0] == "buffer"]
        if len(buffers) < 2:
            return
        a, b = rng.sample(buffers, 2)
        whole = 1 << 16
        if tame and rng.random() < 0.5:
            args[a], args[b] = args[b], args[a]
            return
        if rng.random() < 0.5:
            args[a] = args[b] = (a + 1, 0, whole)
            return
        at, other = rng.choice([0, 128, 256, 1024]), rng.choice([0, 128, 256, 4096])
        args[a] = (a + 1, at, rng.choice([128, 256, 1024, whole]))
        args[b] = (a + 1, other, rng.choice([128, 256, 1024, whole]))
