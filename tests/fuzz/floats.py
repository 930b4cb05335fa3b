"""Random kernels of floating point, integers that overflow and conversions that do not fit, for sizes.py.

Every kernel has the arguments that sizes.c passes.  No text says what they compute: they are compared with themselves.
"""

from writer import Writer

FLOAT1 = ("acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erf erfc exp exp2 exp10 expm1 "
          "fabs floor log log2 log10 log1p logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi trunc degrees radians "
          "sign lgamma tgamma").split()
FLOAT2 = ("atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag nextafter pow powr remainder max min step").split()
FLOAT3 = "fma mad mix clamp smoothstep".split()
NATIVE1 = "cos exp exp2 exp10 log log2 log10 recip rsqrt sin sqrt tan".split()
OFTEN = "sqrt exp log sin cos fabs floor rsqrt tanh".split()
CONSTANTS = "0.0f 1.0f -1.0f 0.5f 2.0f 3.0f 0.1f 1e-3f 255.0f 1e10f 3.14159265f 0.299f 16777216.0f 1e-30f".split()


class Floats(Writer):
    """With `open` it does what the language leaves open, too."""

    def __init__(self, rng, name, real="float", open=False):
        super().__init__(rng)
        self.name, self.real, self.open = name, real, open
        self.floats, self.ints = [], []
        self.begin()
        for v, b in zip("abc", "xyz"):
            self.declare(f"{b}[{rng.choice(['i', 'i', 'i * 3 + 1', '(i + 7) % 5440', '4'])}]", real, self.floats)
        self.declare(f"as_int((float){rng.choice(self.floats)}) & {rng.choice([7, 31, 255])}", "int", self.ints)
        for _ in range(rng.choice([1, 2, 3, 4, 6])):
            self.statement()
        self.results()

    def begin(self):
        self.add("int i = I; out += 256 * i;")

    def declare(self, text, type, names):
        name = self.fresh()
        self.add(f"{type} {name} = {text};")
        names.append(name)

    def scopes(self):
        return self.floats, self.ints

    # ---- expressions -----------------------------------------------------------------------------------------------

    def constant(self):
        c = self.rng.choice(CONSTANTS)
        return c if self.real == "float" else c.rstrip("f")

    def whole(self, depth):
        """An int."""
        rng = self.rng
        what = self.pick(("name", 5), ("constant", 3), ("add", 3), ("bits", 2), ("float", 1.5), ("less", 1), ("min", 1),
                         ("product", 2 if self.open else 0), ("shift", 1 if self.open else 0))
        if depth <= 0 or what == "name":
            return rng.choice(self.ints + ["i"])
        if what == "constant":
            return str(rng.choice([0, 1, 2, 3, 7, 100, 255, -1]))
        a = self.whole(depth - 1)
        if what == "bits":
            return f"({a} {rng.choice('&|^')} {rng.choice([1, 7, 15, 255])})"
        if what == "less":
            return f"({self.value(depth - 1)} {rng.choice(['<', '>', '<=', '=='])} {self.value(depth - 1)})"
        if what == "float":
            t = rng.choice(["int", "int", "uint", "uchar", "char", "short", "ushort", "long", "ulong"])
            v = self.value(depth - 1)
            if not self.open:
                return f"(int)clamp({v}, ({self.real})-100, ({self.real})100)" if rng.random() < 0.5 else \
                    f"convert_int_sat{rng.choice(['', '_rte', '_rtn', '_rtp'])}({v})"
            return rng.choice([f"(int)({t})({v})", f"(int)convert_{t}{rng.choice(['', '_rte', '_sat'])}({v})"])
        b = self.whole(depth - 1)
        if what == "min":
            return f"{rng.choice(['min', 'max'])}({a}, {b})"
        if what == "product":
            return rng.choice([f"({a} * {b})", f"({a} * 1103515245 + 12345)", f"({a} / ({b} | 1))", f"({a} % 1000)",
                               f"mul24({a}, {b})", f"({a} / {rng.choice(self.ints)})", f"({a} % {rng.choice(self.ints)})",
                               f"(int)abs({a})", f"(- {a})"])
        if what == "shift":
            return f"({a} {rng.choice(['<<', '>>'])} {b})"
        return f"({a} {rng.choice('+-')} {b})" if self.open else f"(({a} {rng.choice('+-')} {b}) & 0xffff)"

    def value(self, depth):
        """A floating-point number."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.12:
            return rng.choice(self.floats) if rng.random() < 0.75 else self.constant()
        what = self.pick(("ring", 12), ("divide", 2), ("call1", 3), ("often", 3), ("call2", 2), ("call3", 2),
                         ("choice", 1.5), ("int", 1), ("load", 1.5), ("native", 0.5), ("cast", 0.4), ("negate", 0.5))
        a = self.value(depth - 1)
        if what == "call1":
            return f"{rng.choice(FLOAT1)}({a})"
        if what == "often":
            return f"{rng.choice(OFTEN)}({a})"
        if what == "native":
            return f"native_{rng.choice(NATIVE1)}({a})" if self.real == "float" else f"sqrt({a})"
        if what == "int":
            return f"({self.real}){self.whole(depth - 1)}"
        if what == "load":
            return f"{rng.choice('xyz')}[({self.whole(depth - 1)}) & 1023]"
        if what == "negate":
            return f"(-({a}))"
        if what == "cast":
            return f"({self.real})({'float' if self.real == 'double' else 'int' if self.open else 'float'})({a})"
        b = self.value(depth - 1)
        if what == "call2":
            return f"{rng.choice(FLOAT2)}({a}, {b})"
        if what == "choice":
            return f"({self.value(0)} {rng.choice(['<', '>', '<=', '>=', '==', '!='])} {self.value(0)} ? {a} : {b})"
        if what == "call3":
            return f"{rng.choice(FLOAT3)}({a}, {b}, {self.value(depth - 1)})"
        return f"({a} {'/' if what == 'divide' else rng.choice('++-**')} {b})"

    # ---- statements -------------------------------------------------------------------------------------------------

    def statement(self):
        what = self.pick(("declare", 5), ("assign", 4), ("if", 3), ("loop", 4), ("while", 1), ("array", 1), ("vector", 1.5),
                         ("whole", 2), ("switch", 0.5), ("told", 0.7), ("partly", 0.7 if self.open else 0), ("bits", 1 if self.open else 0))
        if self.depth > 3 and what in ("if", "loop", "while", "switch", "told", "partly"):
            what = "assign"
        getattr(self, "do_" + what)()

    def do_declare(self):
        self.declare(self.value(3), self.real, self.floats)

    def do_whole(self):
        self.declare(self.whole(3), "int", self.ints)

    def do_assign(self):
        name = self.rng.choice(self.floats)
        self.add(f"{name} {self.rng.choice(['=', '+=', '*=', '-=', '='])} {self.value(2)};")

    def body(self, head, tail):
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            self.statement() if self.rng.random() < 0.4 else self.do_assign()
        if tail == "}" and head.startswith(("for", "while")) and self.rng.random() < 0.4:
            self.add(f"if ({self.value(1)} > {self.value(1)}) {self.rng.choice(['break', 'continue'])};")

    def do_if(self):
        self.branch(lambda: f"{self.value(1)} {self.rng.choice(['<', '>'])} {self.value(2)}")

    def do_loop(self):
        k = self.fresh()
        bound = self.pick(("3", 1), ("8", 1), ("17", 1), ("64", 0.5), (f"({self.rng.choice(self.ints)} & 31)", 2))
        self.ints.append(k)
        self.inner(f"for (int {k} = 0; {k} < {bound}; {k}++) {{")
        self.ints.remove(k)

    def do_while(self):
        k, f = self.fresh(), self.rng.choice(self.floats)
        self.add(f"int {k} = 0;")
        self.inner(f"while ({k}++ < 40 && {f} {self.rng.choice(['<', '>'])} {self.constant()}) {{")

    def do_switch(self):
        self.add(f"switch ({self.rng.choice(self.ints)} & 3) {{")
        for case in ("case 0:", "case 2:", "default:"):
            self.add(case)
            self.depth += 1
            self.do_assign()
            if self.rng.random() < 0.7:
                self.add("break;")
            self.depth -= 1
        self.add("}")

    def do_partly(self):
        """A variable that is given a value on some ways only, and one that needs it where it has one, or anywhere."""
        name, whole = self.fresh(), self.rng.random() < 0.4
        one = (lambda: self.whole(2)) if whole else (lambda: self.value(2))
        by = self.rng.choice([f"{self.value(1)} < {self.value(1)}", f"{self.rng.choice(self.ints)} & 4", "i < 3000"])
        self.add(f"{'int' if whole else self.real} {name};")
        self.add(f"if ({by}) {name} = {one()};")
        if self.rng.random() < 0.5:
            self.add(f"else if ({self.value(1)} > {self.value(1)}) {name} = {one()};")
        names = self.ints if whole else self.floats
        if self.rng.random() < 0.4:
            self.declare(f"{by} ? {name} : {one()}", "int" if whole else self.real, names)
        elif not whole and self.rng.random() < 0.5:
            self.add(f"if ({by}) {self.rng.choice(names)} = {name};")
        else:
            names.append(name)

    def do_told(self):
        """A variable that a round of a loop gives a value, and a flag that says so; open: used elsewhere, too, or forgotten."""
        rng, name, flag, k = self.rng, self.fresh(), self.fresh(), self.fresh()
        wrong = self.rng.choice(["", "", "|| i < 3000", f"|| {self.value(1)} > 1"]) if self.open else ""
        forgotten = f"if ({self.value(1)} < 1) " if self.open and rng.random() < 0.3 else ""
        inside = self.open and rng.random() < 0.2
        given = f"{rng.choice('xyz')}[(i + {k}) & 1023]" if rng.random() < 0.6 else self.value(2)
        declaration, codes = f"{self.real} {name};", rng.choice(["0", "0", "-1"])
        self.add(f"int {flag} = {codes};")
        if not inside:
            self.add(declaration)
        self.add(f"for (int {k} = 0; {k} < {rng.choice(['5', '3', f'({rng.choice(self.ints)} & 7)'])}"
                 f"{rng.choice(['', f' && {flag} == {codes}'])}; {k}++) {{")
        if inside:
            self.add(declaration)
        self.add(f"if ({self.value(1)} {rng.choice('<>')} {self.value(1)}) {{ {forgotten}{name} = {given}; "
                 f"{flag} = {rng.choice(['1', f'{k} + 1'])};{rng.choice([' break;', ' continue;', ''])} }}")
        use = f"if ({flag} {rng.choice(['>', '!='])} {codes} {wrong}) {rng.choice(self.floats)} += {name};"
        if inside:
            self.add(use)
        self.add("}")
        if not inside:
            self.add(use)

    def do_bits(self):
        """The bits of a number, as others."""
        rng, name = self.rng, self.fresh()
        a = f"(float)({self.rng.choice(self.floats)})"
        self.declare(rng.choice([f"as_int({a}) ^ {self.whole(1)}", f"as_int({a}) >> {self.whole(0)}", f"as_int({a}) / 3"]), "int",
                     self.ints)
        if rng.random() < 0.5:
            self.add(f"union {{ float f; int n; uchar c[4]; }} {name};")
            self.add(f"{name}.f = {a};")
            self.add(f"{name}.c[{self.whole(0)} & 3] = (uchar)({self.whole(1)});")
            self.declare(f"{name}.{rng.choice(['f', 'f', 'n'])}", self.real, self.floats)

    def do_array(self):
        name, n, t = self.fresh(), self.rng.choice([4, 8, 16]), self.real
        self.add(f"{t} {name}[{n}];")
        self.add(f"for (int q = 0; q < {n}; q++) {name}[q] = {self.rng.choice('xyz')}[i + q];")
        for _ in range(self.rng.choice([1, 2])):
            self.add(f"{name}[({self.whole(1)}) & {n - 1}] += {self.value(1)};")
        self.declare(f"{name}[({self.whole(1)}) & {n - 1}]", t, self.floats)

    def do_vector(self):
        n, name = self.rng.choice([2, 3, 4, 8]), self.fresh()
        t = f"{self.real}{n}"
        self.add(f"{t} {name} = vload{n}(i, {self.rng.choice('xyz')}) {self.rng.choice('+*-')} "
                 f"vload{n}(i, {self.rng.choice('xyz')}) {self.rng.choice('+*/')} ({t})({self.value(1)});")
        if self.rng.random() < 0.5:
            self.add(f"{name} = {self.rng.choice(OFTEN)}({name}) * {name}.s{''.join(self.rng.choice('01') for _ in range(n))};")
        self.declare(f"dot({name}, {name})" if self.rng.random() < 0.3 and n <= 4 else f"{name}.s1", self.real, self.floats)

    def results(self):
        step = 1 if self.real == "float" else 2
        for number, name in enumerate(self.floats):
            self.add(f"*(__global {self.real} *)(out + {number * step}) = {name};")
        for number, name in enumerate(self.ints):
            self.add(f"out[{64 + number}] = {name};")
        if self.open:
            self.add(f"((__global uchar *)out)[1000] = (uchar)({self.value(1)});")
            self.add(f"((__global long *)out)[126] = (long)({self.whole(2)});")

    def source(self):
        t = self.real
        head = f"__kernel void {self.name}(__global const {t} *x, __global const {t} *y, __global const {t} *z, " \
               "__global uint *out)"
        return "\n".join([head, "{", *self.lines, "}", ""])


class Grid(Floats):
    """Work-items that do the work of `n`, each its own id and those that follow by the length of the range; what they add up
    on the way stands in their own place."""

    def __init__(self, rng, name):
        self.sums = []
        super().__init__(rng, name)

    def begin(self):
        rng = self.rng
        type = rng.choice(["int", "int", "uint", "long", "size_t"])
        start = rng.choice(["get_global_id(0)", "get_global_id(0)", "get_group_id(0) * get_local_size(0) + get_local_id(0)",
                            "first + lid"])
        self.step = rng.choice(["get_global_size(0)", "get_num_groups(0) * get_local_size(0)", "gsize"])
        guard = rng.choice(["", "", f"if (get_global_id(0) {rng.choice(['>= n', '> (uint)n', '+ 7 > n'])}) return;"])
        end = rng.choice(["g < n", "g < n", "g < (size_t)n", "g + 3 <= n", "n > g"])
        self.add("int lid = get_local_id(0), gsize = get_global_size(0), first = get_local_size(0) * get_group_id(0);")
        if guard and rng.random() < 0.5:
            self.add(guard)
            guard = ""
        for _ in range(rng.choice([0, 0, 1, 2])):
            self.sums.append(self.fresh("s"))
            self.add(f"float {self.sums[-1]} = {rng.choice(['0', 'x[get_global_id(0)]', '1'])};")
        if rng.random() < 0.3:
            self.add("all[256 * get_global_id(0) + 210] = 7;")
            self.add(f"if (get_global_id(0) {rng.choice(['< 5', '== 0', '> 700', '& 1', '== 21'])}) return;")
        self.add(guard)
        self.form = rng.choice(["for", "for", "while", "do"])
        if self.form == "for":
            self.add(f"for ({type} g = {start}; {end}; g += {self.step}) {{")
        else:
            self.add(f"{type} g = {start};")
            self.add(f"while ({end}) {{" if self.form == "while" else f"if ({end}) do {{")
        self.end = end
        self.depth += 1
        self.add("int i = g; __global uint *out = all + 256 * i;")
        self.floats += self.sums

    def results(self):
        for s in self.sums:
            self.add(f"{s} {self.rng.choice(['+=', '+=', '=', '*=', '-='])} {self.value(2)};")
        super().results()
        if self.rng.random() < 0.2:
            self.add(f"if ({self.rng.choice(['i < 5', 'i == 19', 'i > 3000', '(i & 255) == 7'])}) break;")
        if self.form != "for":
            self.add(f"g += {self.step};")
        self.depth -= 1
        self.add(f"}} while ({self.end});" if self.form == "do" else "}")
        for number, s in enumerate(self.sums):
            self.add(f"*(__global float *)(all + 256 * get_global_id(0) + 200 + {number}) = {s};")

    def source(self):
        return super().source().replace("*out)", "*all, int n)", 1)
