"""Random kernels with what programs have besides whole numbers: floating point, vectors, structures, private arrays,
switches, pointers that move, functions with out-parameters.  For wide.py --rich.

No text says what they compute: a driver's outcome of the kernel is compared with its outcome of the rewritten one.  What
they do is defined, and each work-item writes what is its own.  Floating point is stored with one pattern of bits for
all NaNs, since which of two is the result is left open.
"""

from writer import Writer

WHOLE = "char uchar short ushort int uint long ulong".split()
BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}
REAL = ["float", "double"]
FLOAT1 = ("fabs floor ceil trunc round rint sqrt exp log sin cos tanh rsqrt cbrt exp2 log2 sign degrees atan "
          "native_sin half_sqrt").split()
FLOAT2 = "fmin fmax min max copysign fdim fmod pow hypot atan2 nextafter step maxmag minmag remainder".split()
FLOAT3 = "fma mad mix clamp smoothstep".split()
MEMORY = [("f", "float"), ("d", "double"), ("n", "int"), ("b", "uchar"), ("s", "short"), ("l", "long")]
LENGTH = 1 << 12  # elements of each input
SLOTS = 12  # longs of each work-item's outcome

HEAD = f"""#define SLOTS {SLOTS}
#define ONE_NAN(v) (isnan(v) ? NAN : (v))
typedef struct {{ float a; short b[3]; uchar c; double d; }} Mixed;
typedef struct {{ int x; float4 v; Mixed m[2]; }} Outer;
kernel void fill(global float *f, global double *d, global int *n, global uchar *b, global short *s, global long *l)
{{
    uint i = get_global_id(0), h = i * 2654435761u;
    float special[] = {{0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN, 1e-40f, 3e38f, 16777217.0f, 0.5f, -2.5f}};
    h ^= h >> 15; h *= 2246822519u; h ^= h >> 13;
    f[i] = h % 7 == 0 ? special[(h >> 8) % 12] : ((int)(h >> 9) - 4194304) / 65536.0f;
    d[i] = h % 11 == 0 ? special[(h >> 7) % 12] : (double)f[i] * 1.0000001 + i;
    n[i] = h % 5 == 0 ? (int)h : (int)(h >> 16) % 100 - 50;
    b[i] = h >> 11;
    s[i] = h >> 5;
    l[i] = h % 3 == 0 ? (long)h << 31 : (long)(h >> 20) - 2000;
}}
"""


class Rich(Writer):
    def __init__(self, rng, name):
        super().__init__(rng)
        self.name, self.loops, self.helpers = name, 0, []
        self.variables = []  # (text, type), of numbers
        self.vectors = []  # (text, element, lanes)
        self.arrays = []  # (text, type, length: a power of two)
        self.pointers = []  # (text, type): each may be read at 0 ... 15
        self.fixed = ["w", "h", "k"]
        self.alone = False  # in a function of numbers only
        self.in_search = None  # what the loop whose body comes next takes out: do_search()
        self.dim = rng.choice([1, 1, 2, 2, 3])
        self.kept = rng.choice(["each", "each", "apart"])  # where a work-item's results lie
        self.begin()
        for _ in range(rng.choice([2, 3, 4, 5, 7])):
            self.statement()
        self.results()

    # ---- bits ------------------------------------------------------------------------------------------------------

    def scopes(self):
        return self.variables, self.vectors, self.arrays, self.pointers

    def declare(self, type, text):
        name = self.fresh()
        self.add(f"{type} {name} = {text};")
        self.variables.append((name, type))
        return name

    def begin(self):
        rng, names = self.rng, "xyz"[:self.dim]
        for d, x in enumerate(names):
            t = self.pick(("int", 6), ("uint", 3), ("size_t", 3), ("long", 1))
            e = f"get_global_id({d})"
            if rng.random() < 0.2:
                e = f"get_group_id({d}) * get_local_size({d}) + get_local_id({d}) + get_global_offset({d})"
            self.add(f"{t} {x} = {e};")
            self.variables.append((f"(int){x}", "int"))
        if rng.random() < 0.6:
            self.add("if (" + rng.choice(["x >= w", "x > w - 1" if self.dim < 2 else "x >= w || y >= h"]) + ") return;")
        size = [f"(int)(get_global_size({d}) + get_global_offset({d}))" for d in range(3)]
        at = "(int)x"
        for d, x in enumerate(names[1:], 1):
            at = f"(int){x} * {size[0]} + {at}" if d == 1 else f"((int)z * {size[1]} + (int)y) * {size[0]} + (int)x"
        self.add(f"int at = {at}, count = {' * '.join(size[:self.dim])};")
        self.fixed += ["at", "count"]

    def own(self, slot):
        """The place of a result of 8 bytes."""
        return f"at * SLOTS + {slot}" if self.kept == "each" else f"{slot} * count + at"

    def store(self, slot, text, type):
        if type in REAL:
            text = f"ONE_NAN({text})"
        if self.kept == "each" or BITS.get(type, 0) == 64 or type == "double":
            self.add(f"*(global {type} *)(out + ({self.own(slot)})) = {text};")
        else:
            self.add(f"((global {type} *)(out + {slot} * count))[at] = {text};")

    def results(self):
        rng, slot = self.rng, 0
        pool = self.variables + [(f"{n}.s{rng.randrange(k)}", t) for n, t, k in self.vectors] + \
            [(f"{n}[{self.index(k)}]", t) for n, t, k in self.arrays]
        rng.shuffle(pool)
        for text, t in pool[:SLOTS - 2]:
            self.store(slot, text, t)
            slot += 1
        for name, t, n in self.vectors[-1:]:
            if n == 4 and t in ("int", "uint", "float") and self.kept == "each":
                v = f"select({name}, ({t}4)(NAN), isnan({name}))" if t == "float" else name
                self.add(rng.choice([f"vstore4({v}, 0, (global {t} *)(out + at * SLOTS + {SLOTS - 2}));"]))

    # ---- numbers ----------------------------------------------------------------------------------------------------

    def index(self, n, depth=1):
        """Below n, a power of two."""
        what = self.pick(("near", 3), ("mask", 3), ("agreed", 3), ("constant", 1))
        if what == "constant":
            return str(self.rng.randrange(n))
        if what == "agreed":
            return self.agreed(n)
        if what == "mask":
            return f"({self.value('int', depth)}) & {n - 1}"
        return f"({self.rng.choice(['at', 'x', 'x + 1', 'x * 2', 'at + k', 'at - 1', 'h * x', 'w - x'])}) & {n - 1}"

    def agreed(self, n):
        """Likewise, on which neighbours may agree: clamped, or a remainder or quotient."""
        rng, c = self.rng, self.rng.choice([0, 1, 2, 5])
        x = rng.choice(["(int)x", f"(int)x + {c}", f"(int)x - {c}", "(int)x + k", f"{c} - (int)x", "at", "at - w"])
        return rng.choice([f"clamp({x}, 0, {n - 1})", f"min(max({x}, 0), {n - 1})", f"min((uint)({x}), {n - 1}u)", f"(uint)({x}) % {n}u",
                           f"(uint)({x}) % (uint)((k & {n - 1}) + 1)", f"max({x}, 0) % {n}", f"max({x}, 0) / (at + 9)",
                           f"(uint)({x}) / {2 ** 32 // n}u", f"{x} < 0 ? 0 : min({x}, {n - 1})", f"(x > 0 ? min((int)x - 1, {n - 1}) : 0)"])

    def constant(self, t):
        rng = self.rng
        if t in REAL:
            c = rng.choice("0.0 -0.0 1.0 -1.0 0.5 2.0 0.1 1e-3 255.0 1e10 3.14159265 16777216.0 1e-30 INFINITY".split())
            return c if c == "INFINITY" else c + ("f" if t == "float" else "")
        return f"({t}){rng.choice([0, 1, 2, 3, 7, 16, 31, 100, 127, 128, 255, 1000, 32767, 65535, -1, -2, -128])}"

    def leaf(self, t):
        rng = self.rng
        same = [v for v, u in self.variables if u == t]
        here = not self.alone
        what = self.pick(("same", 6 if same else 0), ("other", 2 if self.variables else 0), ("load", 2 * here), ("constant", 2),
                         ("fixed", 1.5), ("element", 2), ("array", 1.5), ("pointer", 1.5))
        if what == "same":
            return rng.choice(same)
        if what == "constant":
            return self.constant(t)
        if what == "load":
            name, u = rng.choice(MEMORY)
            return self.to(t, f"{name}[{self.index(LENGTH, 0)}]", u)
        if what == "element" and self.vectors:
            v, u, n = rng.choice(self.vectors)
            return self.to(t, f"{v}.s{'0123456789abcdef'[rng.randrange(n)]}", u)
        if what == "array" and self.arrays:
            v, u, n = rng.choice(self.arrays)
            return self.to(t, f"{v}[{self.index(n, 0)}]", u)
        if what == "pointer" and self.pointers:
            v, u = rng.choice(self.pointers)
            return self.to(t, rng.choice([f"{v}[{rng.randrange(16)}]", f"{v}[k & 15]", f"*{v}"]), u)
        if what == "other" and self.variables:
            return self.to(t, *rng.choice(self.variables))
        if what == "fixed" and here and rng.random() < 0.3:
            return self.to(t, "a", "float")
        return self.to(t, rng.choice(self.fixed), "int")

    def to(self, t, text, u):
        """A value of type u as one of t."""
        if t == u:
            return text
        if u in REAL and t not in REAL:
            return f"convert_{t}_sat{self.rng.choice(['', '', '_rte', '_rtn', '_rtp'])}({text})"
        return self.rng.choice([f"({t})({text})", f"convert_{t}({text})"])

    def value(self, t, depth):
        if depth <= 0 or self.rng.random() < 0.15:
            return self.leaf(t)
        return self.real(t, depth) if t in REAL else self.whole(t, depth)

    def other(self, depth):
        t = self.rng.choice(WHOLE + REAL * 2)
        return self.value(t, depth), t

    def real(self, t, depth):
        rng = self.rng
        what = self.pick(("ring", 12), ("call1", 3), ("call2", 3), ("call3", 2), ("choice", 2), ("other", 1.5), ("negate", 0.7),
                         ("load", 1), ("power", 0.5), ("dot", 0.7), ("contract", 1.5))
        a = self.value(t, depth - 1)
        if what == "call1":
            f = rng.choice(FLOAT1)
            return f"{f}({a})" if t == "float" or not f.startswith(("native", "half")) else f"fabs({a})"
        if what == "other":
            return self.to(t, *self.other(depth - 1))
        if what == "negate":
            return f"-({a})"
        if what == "power":
            return rng.choice([f"ldexp({a}, {self.value('int', 0)} & 15)", f"pown({a}, {self.value('int', 0)} & 3)",
                               f"({t})ilogb({a})", f"({t})isnan({a})", f"({t})signbit({a})"])
        if what == "load":
            return self.leaf(t)
        if what == "dot":
            same = [v for v, u, n in self.vectors if u == t and n <= 4]
            if same:
                v = rng.choice(same)
                return rng.choice([f"dot({v}, {v})", f"length({v})", f"distance({v}, {v} * 2)"])
        b = self.value(t, depth - 1)
        if what == "contract":  # of which compilers make one operation, or two
            c = self.leaf(t)
            return "(" + rng.choice([f"-({a} * {b}) + {c}", f"{c} - {a} * {b}", f"-({a} * {b}) - {c}", f"{a} * {b} - {c} * {a}"]) + ")"
        if what == "call2":
            return f"{rng.choice(FLOAT2)}({a}, {b})"
        if what == "choice":
            return f"({self.condition(depth - 1)} ? {a} : {b})"
        if what == "call3":
            f, c = rng.choice(FLOAT3), self.value(t, depth - 1)
            return f"clamp({a}, ({t})-2, ({t})3)" if f == "clamp" else f"{f}({a}, {b}, {c})"
        return f"({a} {rng.choice('++-**/')} {b})"

    def whole(self, t, depth):
        rng = self.rng
        u, bits = "u" + t.lstrip("u"), BITS[t]
        what = self.pick(("ring", 8), ("bits", 4), ("shift", 2), ("divide", 2), ("call", 3), ("choice", 2), ("compare", 1.5),
                         ("other", 2), ("small", 2))
        a = self.value(t, depth - 1)
        if what == "other":
            return self.to(t, *self.other(depth - 1))
        if what == "compare":
            return f"({t})({self.condition(depth - 1)})"
        b = self.value(t, depth - 1)
        if what == "choice":
            return f"({self.condition(depth - 1)} ? {a} : {b})"
        if what == "bits":
            return rng.choice([f"(({t})({a} {rng.choice('&|^')} {b}))", f"({t})~{a}"])
        if what == "shift":
            return f"({t})({rng.choice([t, u])}){{}} {rng.choice(['<<', '>>'])} (({b}) & {bits - 1}))".format(f"(({a})") \
                if rng.random() < 0.5 else f"({t})(({a}) >> {rng.randrange(bits)})"
        if what == "divide":
            if t == u:
                return f"({t})(({a}) {rng.choice('/%')} (({b}) | ({t})1))"
            return f"({t})(({a}) {rng.choice('/%')} ({t})((({b}) & 7) + {rng.choice([1, 2, 3])}))"
        if what == "small":
            return f"({t})((({a}) & 63) {rng.choice('+-*')} (({b}) & 15))" if bits > 8 else f"({t})((({a}) & 7) * (({b}) & 7))"
        if what == "call":
            a, b, c = (f"({t})({v})" for v in (a, b, self.value(t, 0)))
            return rng.choice([f"min({a}, {b})", f"max({a}, {b})", f"({t})abs({a})", f"add_sat({a}, {b})", f"sub_sat({a}, {b})",
                               f"hadd({a}, {b})", f"rhadd({a}, {b})", f"mul_hi({a}, {b})", f"rotate({a}, {b})", f"clz({a})",
                               f"popcount({a})", f"bitselect({a}, {b}, {c})", f"clamp({a}, ({t})3, ({t})90)",
                               f"({t})abs_diff({a}, {b})", f"mad_sat({a}, {b}, {c})",
                               f"select({a}, {b}, ({t})({self.condition(0)}))"])
        return f"({t})({'ulong' if bits == 64 else 'uint'})({{}} {rng.choice('+-*')} {{}})".format(
            *(f"({'ulong' if bits == 64 else 'uint'})({v})" for v in (a, b)))

    def condition(self, depth):
        rng = self.rng
        here = not self.alone
        what = self.pick(("compare", 6), ("bound", 4 * here), ("uniform", 2 * here), ("both", 2 if depth > 0 else 0), ("not", 0.7), ("bits", 2),
                         ("is", 1), ("any", 0.7))
        if what == "both":
            return f"({self.condition(depth - 1)} {rng.choice(['&&', '||'])} {self.condition(depth - 1)})"
        if what == "not":
            return f"!({self.condition(depth - 1)})" if depth > 0 else "k != 3"
        if what == "uniform":
            return rng.choice(["k < 3", "w > h", "a < 1.0f", "(k & 1)", "h"])
        if what == "bound":
            return f"(int)x {rng.choice(['<', '>', '>=', '<=', '==', '!='])} {rng.choice(['w - 1', '0', 'k', 'h', '7', 'w / 2'])}"
        if what == "bits":
            return f"({self.value('int', 0)} & {rng.choice([1, 2, 3, 4])})"
        if what == "is":
            return f"{rng.choice(['isnan', 'isinf', 'isfinite', 'signbit', 'isnormal'])}({self.value('float', depth)})"
        if what == "any" and self.vectors:
            v, u, n = rng.choice(self.vectors)
            if n > 1 and u not in ("uchar", "ushort", "uint", "ulong"):
                return f"{rng.choice(['any', 'all'])}({v} {rng.choice(['<', '>', '!='])} ({u}{n})({self.constant(u)}))"
        t = rng.choice(WHOLE + REAL * 3)
        a, b = self.value(t, depth), self.value(t, depth)
        if t in REAL and rng.random() < 0.15:
            return f"{rng.choice(['isless', 'isgreaterequal', 'islessgreater', 'isunordered', 'isnotequal'])}({a}, {b})"
        return f"({a} {rng.choice(['<', '>', '<=', '>=', '==', '!='])} {b})"

    # ---- statements --------------------------------------------------------------------------------------------------

    def statement(self):
        deep = self.depth > 3
        what = self.pick(("declare", 6), ("assign", 5), ("if", 0 if deep else 4 / self.depth), ("loop", 0 if deep else 4 / self.depth), ("while", 0 if deep else 1),
                         ("do", 0 if deep else 1), ("switch", 0 if deep else 1.5), ("array", 1.5 if self.depth < 2 else 0.5),
                         ("put", 2), ("vector", 2.5), ("swizzle", 1.5), ("struct", 1 if self.depth < 2 else 0),
                         ("search", 0 if deep else 1.5), ("pointer", 1.5), ("move", 1), ("helper", 1), ("out", 1), ("return", 0.5), ("leave", 1.5 if self.loops else 0),
                         ("store", 1.2), ("inner_pointer", 0.7), ("through", 0.7))
        getattr(self, "do_" + what)()

    def type(self):
        return self.pick(*((t, 1) for t in WHOLE), ("int", 4), ("float", 6), ("double", 2), ("uint", 2))

    def do_declare(self):
        t = self.type()
        self.declare(t, self.value(t, 3))

    def lvalues(self):
        return [v for v in self.variables if v[0].isidentifier() or "." in v[0]]

    def do_assign(self):
        own = [v for v in self.lvalues() if v[0] not in self.frozen()]
        if not own:
            return self.do_declare()
        name, t = self.rng.choice(own)
        if t in REAL and self.rng.random() < 0.5:
            return self.add(f"{name} {self.rng.choice(['+=', '*=', '-='])} {self.value(t, 2)};")
        self.add(f"{name} = {self.value(t, 2)};")

    def frozen(self):
        return [f for f in self.fixed if f.startswith("k")]

    def do_if(self):
        self.branch(lambda: self.condition(2))

    def bound(self):
        return self.pick(("3", 1), ("8", 1), ("(k & 7)", 1.5), ("(h & 7)", 1), (f"({self.value('int', 1)} & 7)", 2), ("(x & 3)", 1))

    def loop(self, head, tail="}"):
        self.loops += 1
        self.inner(head, tail)
        self.loops -= 1

    def do_loop(self):
        k, t = self.fresh("k"), self.pick(("int", 5), ("uint", 2), ("size_t", 1), ("uchar", 0.5), ("short", 0.5))
        first, step = self.rng.choice(["0", "0", "0", "1", "(k & 1)", "(x & 1)"]), self.rng.choice(["++", "++", " += 2"])
        self.fixed.append(k)
        more = f" && {self.condition(1)}" if self.rng.random() < 0.2 else ""
        if self.rng.random() < 0.2 and t == "int":
            self.loop(f"for (int {k} = {self.bound()}; {k} >= 0{more}; {k}--) {{")
        else:
            self.loop(f"for ({t} {k} = {first}; {k} < {self.bound()}{more}; {k}{step}) {{")
        self.fixed.remove(k)

    def do_while(self):
        k = self.fresh("k")
        self.add(f"int {k} = 0;")
        self.loop(f"while ({k}++ < {self.rng.choice(['5', '(k & 7)', '(x & 7)'])} && {self.condition(1)}) {{")

    def do_do(self):
        k = self.fresh("k")
        self.add(f"int {k} = 0;")
        self.loop("do {", f"}} while (++{k} < {self.bound()});")

    def do_leave(self):
        self.add(f"if ({self.condition(1)}) {self.rng.choice(['break', 'continue'])};")

    def do_search(self):
        """A loop that is left in several ways, with other values on each, and whose counter shows behind it."""
        rng = self.rng
        k, found, t = self.fresh("k"), self.declare("int", "-1"), self.type()
        last = self.declare(t, self.value(t, 1))
        self.add(f"int {k};")
        self.fixed.append(k)
        begin = rng.choice(["0", "0", "(k & 1)", "(x & 1)"])
        self.in_search = [found, last, t, k]
        self.loop(f"for ({k} = {begin}; {k} < {self.bound()}; {k}{rng.choice(['++', ' += 2'])}) {{")
        self.fixed.remove(k)
        self.variables.append((k, "int"))

    def way_out(self, found, last, t, k):
        rng = self.rng
        self.add(f"if ({self.condition(1)}) {{")
        self.depth += 1
        for what in rng.sample([f"{found} = {k} * 3 + {rng.randrange(9)};", f"{last} = {self.value(t, 1)};",
                                f"{last} = {self.to(t, k, 'int')};", f"{found} = n[({k} + {rng.randrange(9)}) & {LENGTH - 1}] & 1023;"],
                               rng.choice([0, 1, 2])):
            self.add(what)
        if rng.random() < 0.3:
            self.store(SLOTS - 1, self.value("int", 0), "int")
        self.add("break;" if rng.random() < 0.8 else "continue;")
        self.depth -= 1
        self.add("}")

    def body(self, head, tail):
        search, self.in_search = self.in_search, None
        if not search:
            return super().body(head, tail)
        for _ in range(self.rng.choice([1, 2, 3])):
            if self.rng.random() < 0.7:
                self.statement()
            self.way_out(*search)

    def do_return(self):
        self.add(f"if ({self.condition(1)}) return;")

    def do_switch(self):
        self.add(f"switch ({self.value(self.rng.choice(['int', 'uint', 'uchar', 'short']), 1)} & 3) {{")
        loops, self.loops = self.loops, 0
        for case in self.rng.sample(["case 0:", "case 1:", "case 2:", "default:"], self.rng.choice([2, 3, 4])):
            self.add(case)
            self.inner("{")
            if self.rng.random() < 0.7:
                self.add("break;")
        self.loops = loops
        self.add("}")

    def do_store(self):
        """Before the end: what comes later may not start again."""
        t = self.rng.choice(["int", "float", "uint", "long"])
        self.store(SLOTS - 1, self.value(t, 1), t)

    # ---- arrays, structures, vectors, pointers ------------------------------------------------------------------------

    def do_array(self):
        rng = self.rng
        name, n, t = self.fresh("a"), rng.choice([2, 4, 8, 16]), self.type()
        form = rng.random()
        if form < 0.3:
            self.add(f"{t} {name}[{n}] = {{{', '.join(self.constant(t) for _ in range(rng.randint(1, n)))}}};")
        elif form < 0.5:
            rows = f"{name}r"
            self.add(f"{t} {rows}[2][{n}];")
            self.add(f"for (int q = 0; q < {2 * n}; q++) {rows}[q / {n}][q % {n}] = {self.to(t, f'n[(at + q) & {LENGTH - 1}]', 'int')};")
            self.add(f"{t} *{name} = {rows}[{rng.choice(['0', '1', 'k & 1'])}];")
        else:
            source, u = rng.choice(MEMORY)
            self.add(f"{t} {name}[{n}];")
            self.add(f"for (int q = 0; q < {n}; q++) {name}[q] = {self.to(t, f'{source}[(at + q) & {LENGTH - 1}]', u)};")
        self.arrays.append((name, t, n))

    def do_put(self):
        if not self.arrays:
            return self.do_assign()
        name, t, n = self.rng.choice(self.arrays)
        self.add(f"{name}[{self.index(n)}] = {self.value(t, 2)};")

    def do_inner_pointer(self):
        if not self.arrays:
            return self.do_pointer()
        name, t, n = self.rng.choice(self.arrays)
        if n < 4:
            return self.do_pointer()
        q = self.fresh("q")
        self.add(f"{t} *{q} = {name} + ({self.index(n // 2, 0)});")
        if self.rng.random() < 0.4:
            self.add(f"if ({self.condition(1)}) {q} = {name} + {n // 2};")
        self.arrays.append((q, t, n // 2))

    def do_vector(self):
        rng = self.rng
        name, n, t = self.fresh(), rng.choice([2, 3, 4, 4, 4, 8]), self.type()
        v = f"{t}{n}"
        same = [a for a, u, k in self.vectors if (u, k) == (t, n)]
        one = lambda: rng.choice(  # noqa: E731
            same * 2 + [f"({v})({self.value(t, 1)})", f"({v})({', '.join(self.value(t, 1) for _ in range(n))})"] +
            [f"vload{n}({self.index(LENGTH // 16, 0)}, {m})" for m, u in MEMORY if u == t])
        a, b = one(), one()
        if t in REAL:
            text = rng.choice([f"{a} {rng.choice('+-*/')} {b}", f"fma({a}, {b}, {one()})", f"mad({a}, {b}, {one()})", f"fmax({a}, {b})",
                               f"sqrt(fabs({a}))", f"{a} < {b} ? {a} : {b}", f"mix({a}, {b}, {one()})", f"{a} * {b} + {one()}",
                               f"floor({a})", f"select({a}, {b}, {a} != {b})", f"min({a}, {b})", f"clamp({a}, ({t})-2, ({t})2)",
                               f"-{a} * ({t})2", f"exp({a})", f"normalize({a})" if n <= 4 else a])
        else:
            u = "u" + t.lstrip("u")
            text = rng.choice([f"as_{v}(as_{u}{n}({a}) {rng.choice('+-*')} as_{u}{n}({b}))", f"{a} {rng.choice('&|^')} {b}",
                               f"min({a}, {b})", f"max({a}, {b})", f"{a} < {b} ? {a} : {b}", f"{a} >> (({v})({rng.randrange(BITS[t])}))",
                               f"add_sat({a}, {b})", f"select({a}, {b}, {a} > {b})", f"rotate({a}, {b})", f"~{a}", f"hadd({a}, {b})",
                               f"as_{v}({a} == {b})", f"as_{v}(as_{u}{n}({a}) << ({u}{n})({rng.randrange(BITS[t])}))", f"abs_diff({a}, {b})" if t == u else a])
        self.add(f"{v} {name} = {text};")
        self.vectors.append((name, t, n))

    def do_swizzle(self):
        if not self.vectors:
            return self.do_vector()
        rng = self.rng
        name, t, n = rng.choice(self.vectors)
        what = rng.choice(["one", "two", "shuffle", "half", "convert", "component"])
        if what == "one":
            self.add(f"{name}.s{rng.randrange(n)} = {self.value(t, 2)};")
        elif what == "component":
            self.add(f"{name}.s{rng.randrange(n)} += ({t})1;")
        elif what == "two":
            self.add(f"{name}.xy = {name}.yx;")
        elif what == "shuffle":
            self.add(f"{name} = {name}.s{''.join(str(rng.randrange(n)) for _ in range(n))};")
        elif what == "half" and n in (4, 8):
            self.add(f"{name}.{rng.choice(['lo', 'even'])} = {name}.{rng.choice(['hi', 'odd'])};")
        else:
            u, new = rng.choice(WHOLE + REAL), self.fresh()
            how = f"convert_{u}{n}{'_sat' if u not in REAL and t in REAL else ''}({name})"
            self.add(f"{u}{n} {new} = {how};")
            self.vectors.append((new, u, n))

    def do_struct(self):
        rng, name = self.rng, self.fresh("s")
        self.add(f"Outer {name};" if rng.random() < 0.5 else f"Outer {name} = {{k}};")
        parts = [("x", "int"), ("v.y", "float"), ("v.s3", "float"), ("m[0].a", "float"), ("m[1].b[2]", "short"), ("m[1].c", "uchar"),
                 ("m[0].d", "double")]
        for part, t in rng.sample(parts, rng.choice([2, 3, 5])):
            self.add(f"{name}.{part} = {self.value(t, 1)};")
            self.variables.append((f"{name}.{part}", t))
        if rng.random() < 0.4:
            self.add(f"{name}.m[1] = {name}.m[0];") if all(f"{name}.{p}" in dict(self.variables) for p in ("m[0].a", "m[0].d")) and \
                not {f"{name}.m[1].b[2]", f"{name}.m[1].c"} & dict(self.variables).keys() else None

    def do_pointer(self):
        rng = self.rng
        (name, t), p = rng.choice(MEMORY), self.fresh("p")
        self.add(f"global const {t} *{p} = {name} + ({self.index(LENGTH // 2, 0)});")
        if rng.random() < 0.4:
            self.add(f"if ({self.condition(1)}) {p} = {name} + ({self.index(64, 0)});")
        self.pointers.append((p, t))

    def do_move(self):
        """Few at a time, and seldom: it stays in its memory."""
        if not self.pointers:
            return self.do_pointer()
        p, _ = self.rng.choice(self.pointers)
        self.add(f"{p} += {self.rng.choice(['1', '1', '(k & 3)', '(x & 1)', '2'])};")

    def do_through(self):
        """What a pointer leads to, as it goes along in a loop."""
        rng, q, sum = self.rng, self.fresh("p"), self.fresh()
        name, t = rng.choice(MEMORY)
        self.add(f"global const {t} *{q} = {name} + ({self.index(LENGTH // 2, 0)});")
        self.add(f"{t} {sum} = 0;")
        self.add(f"for (int q = 0; q < {self.bound()}; q++, {q} += {rng.choice(['1', '(w & 31)', '2'])})")
        self.add(f"    {sum} {'+=' if t in REAL else '^='} *{q};")
        self.variables.append((sum, t))

    def do_helper(self):
        rng, f, t, u = self.rng, self.name + self.fresh("_f"), self.type(), self.type()
        saved = self.variables, self.vectors, self.arrays, self.pointers, self.fixed
        self.variables, self.vectors, self.arrays, self.pointers, self.fixed = [("p", t), ("q", u)], [], [], [], ["(int)k"]
        self.alone = True
        body = "if (p > 3) return ({0})q; ".format(t) if rng.random() < 0.4 and t in WHOLE and u in WHOLE else ""
        value, self.alone = self.value(t, 2), False
        self.variables, self.vectors, self.arrays, self.pointers, self.fixed = saved
        self.helpers.append(f"{t} {f}({t} p, {u} q, int k) {{ {body}return {value}; }}")
        self.declare(t, f"{f}({self.value(t, 1)}, {self.value(u, 1)}, k)")

    def do_out(self):
        """A function with an out-parameter, or one of the language."""
        a, t = self.fresh(), self.rng.choice(["float", "float", "double"])
        x = self.value(t, 1)
        f = self.rng.choice(["fract", "modf", "sincos"])
        self.add(f"{t} {a}; {t} {a}b = {f}({x}, &{a});")
        self.variables += [(a, t), (a + "b", t)]

    # ---- text ----------------------------------------------------------------------------------------------------------

    def parameters(self):
        return ", ".join([f"global const {t} *{n}" for n, t in MEMORY] + ["global long *out", "int w", "int h", "int k", "float a"])

    def source(self):
        return "\n".join([*self.helpers, f"kernel void {self.name}({self.parameters()})", "{", *self.lines, "}", ""])
