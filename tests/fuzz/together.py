"""Random kernels in which the work-items of a group work together: local memory, barriers, sums in trees, tiles, rounds
with barriers in them (`loops`).  For wide.py --groups.

No text says what they compute (rich.py).  Between two barriers no work-item touches what another one of its group writes,
and all of a group leave each loop at once.  Their sizes are written into them, as many programs have it.
"""

from rich import SLOTS
from writer import Writer

TYPES = "int int uint float float double long short uchar".split()


class Together(Writer):
    def __init__(self, rng, name, loops):
        super().__init__(rng)
        self.name, self.loops = name, loops
        self.dim = rng.choice([1, 1, 2])
        self.local = [rng.choice([16, 32, 64, 128]), 1, 1] if self.dim == 1 else [rng.choice([16, 32]), rng.choice([2, 4, 16]), 1]
        self.items = self.local[0] * self.local[1]
        self.values = [("x", "int"), ("y", "int"), ("l", "int"), ("w", "int"), ("k", "int"), ("a", "float")]
        self.arrays, self.private, self.counters = [], [], []
        for _ in range(rng.choice([1, 1, 2, 3])):
            self.arrays.append((self.fresh("s"), rng.choice(TYPES)))
        self.array = {s: rng.choice([0, 0, 1, 3]) for s, _ in self.arrays} if self.dim == 2 else {}
        for _ in range(rng.choice([0, 0, 1])):
            self.private.append((self.fresh("p"), rng.choice(TYPES)))
        self.four = (self.fresh("s"), rng.choice(TYPES))
        for _ in range(rng.choice([1, 2, 3])):
            t = rng.choice(TYPES)
            self.declare(t, self.load(t))
        for _ in range(rng.choice([2, 3, 4, 6])):
            self.statement()

    def declare(self, t, text):
        name = self.fresh("v")
        self.add(f"{t} {name} = {text};")
        self.values.append((name, t))
        return name

    # ---- values ----------------------------------------------------------------------------------------------------

    def load(self, t):
        at = self.rng.choice(["at", "at", "at + w", "(at ^ 5)", "y * 3 + x", "l", "(int)get_group_id(0)",
                              "mad24((int)get_group_id(0), 16, l)"])
        return self.rng.choice([f"f[({at}) & 4095]", f"n[({at}) & 4095]", f"b[({at}) & 4095]"]) if t in ("float", "double") else \
            self.rng.choice([f"n[({at}) & 4095]", f"b[({at}) & 4095]", f"s[({at}) & 4095]"])

    def value(self, depth=2):
        """A whole number or a real one, of a type that is not said, defined whatever it is made of."""
        r = self.rng
        if not depth or r.random() < 0.3:
            return r.choice([name for name, _ in self.values] + self.counters + [str(r.randrange(1, 9))])
        x, y = self.value(depth - 1), self.value(depth - 1)
        return r.choice([f"whole({x}) + whole({y})", f"whole({x}) - whole({y})", f"real({x}) * real({y})", f"whole({x}) * 3u",
                         f"whole({x}) ^ whole({y})", f"real({x}) + real({y})", f"(real({x}) < real({y}) ? real({x}) : real({y}))",
                         f"fabs(real({x}))", f"(whole({x}) >> 3)", f"real({x}) * 0.5f + real({y})", f"sqrt(fabs(real({x})))"])

    def cast(self, t, text):
        return f"({t})real({text})" if t in ("float", "double") else f"({t})whole({text})"

    def uniform(self):
        """A number of rounds that is the same for all of a group."""
        r = self.rng
        return r.choice(["3", "5", "(k & 3) + 1", "(w & 7)", "((int)get_group_id(0) & 3) + 1", "2"] +
                        [f"({c} & 3)" for c in self.counters])

    # ---- places in local memory ----------------------------------------------------------------------------------------

    def mine(self, s):
        pad = self.array.get(s, 0)
        return f"l1 * {self.local[0] + pad} + l0" if self.dim == 2 else "l"

    def other(self, s):
        r, n, pad = self.rng, self.items, self.array.get(s, 0)
        if self.dim == 2:
            a, b = self.local[0], self.local[1]
            row = r.choice(["l1", f"{b - 1} - l1", f"(l1 + 1) % {b}", "0"] + [f"({c} & {b - 1})" for c in self.counters])
            column = r.choice(["l0", f"{a - 1} - l0", f"(l0 + 1) % {a}", f"(l0 ^ {r.choice([1, 2, 5])})", "0"] +
                              [f"({c} & {a - 1})" for c in self.counters])
            return f"({row}) * {a + pad} + {column}"
        return r.choice(["l", "l", f"{n - 1} - l", f"(l ^ {r.choice([1, 2, 4, 7])})", f"(l + {r.choice([1, 3, 5])}) % {n}", "l / 2", "0",
                         f"(l & ~3)", f"(whole(n[at & 4095]) & {n - 1})"] + [f"({c} & {n - 1})" for c in self.counters])

    # ---- statements ------------------------------------------------------------------------------------------------------

    def statement(self):
        r = self.rng
        choices = [self.exchange, self.exchange, self.change, self.part, self.keep, self.one, self.sides]
        if self.depth < 3:
            choices += [self.loop_alone, self.loop_alone]
            choices += [self.loop, self.loop, self.tree] if self.loops else []
        r.choice(choices)()

    def barrier(self):
        self.add(f"barrier({self.rng.choice(['CLK_LOCAL_MEM_FENCE'] * 4 + ['CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE'])});")

    def exchange(self):
        s, t = self.rng.choice(self.arrays)
        self.add(f"{s}[{self.mine(s)}] = {self.cast(t, self.value())};")
        self.barrier()
        self.declare_or_add(t, self.rng.choice([f"{s}[{self.other(s)}]", f"{s}[{self.other(s)}] + {s}[{self.other(s)}]"]))
        self.barrier()

    def declare_or_add(self, t, text):
        own = [v for v, u in self.values if u == t and v[0] == "v"]
        if self.depth > 1 and own:
            v = self.rng.choice(own)
            self.add(f"{v} = {self.cast(t, f'whole({v}) + whole({text})' if t not in ('float', 'double') else f'real({v}) + real({text})')};")
        elif self.depth > 1:
            self.add(f"total += whole({text});")
        else:
            self.declare(t, text)

    def tree(self):
        s, t = self.rng.choice(self.arrays)
        if self.dim == 2 and self.array[s]:
            return self.exchange()
        k, u = self.fresh("k"), self.rng.choice(["int", "uint", "size_t"])
        self.add(f"{s}[l] = {self.cast(t, self.value())};")
        self.barrier()
        how = self.rng.randrange(3)
        size = self.rng.choice([str(self.items), "(get_local_size(0) * get_local_size(1))"])
        self.add(f"for ({u} {k} = {size} / 2; {k} > 0; {k} {self.rng.choice(['>>= 1', '/= 2'])}) {{" if how < 2 else
                 f"for ({u} {k} = 1; {k} < {size}; {k} *= 2) {{")
        self.add(f"    if ({'l < ' + k if how < 2 else f'l % (2 * {k}) == 0'})")
        self.add(f"        {s}[l] += {s}[l + {k}];")
        self.add("    barrier(CLK_LOCAL_MEM_FENCE);")
        self.add("}")
        self.declare_or_add(t, f"{s}[0]")
        self.barrier()
        return None

    def change(self):
        own = [(v, t) for v, t in self.values if v[0] == "v"]
        v, t = self.rng.choice(own)
        self.add(f"{v} = {self.cast(t, self.value(3))};")

    def part(self):
        own = [(v, t) for v, t in self.values if v[0] == "v"]
        v, t = self.rng.choice(own)
        self.add(f"if ({self.rng.choice(['l % 3 == 0', 'l < 5', f'whole({v}) & 4', 'x > w', f'real({v}) < 1', 'l1 == 0'])})")
        self.add(f"    {v} = {self.cast(t, self.value())};")

    def keep(self):
        if not self.private:
            return
        p, t = self.rng.choice(self.private)
        self.add(f"{p}[{self.rng.choice(['l & 3', '1', 'k & 3', 'whole(v) & 3'.replace('v', self.values[-1][0])])}] = {self.cast(t, self.value())};")
        self.declare_or_add(t, f"{p}[{self.rng.choice(['l & 3', '2', 'k & 3'])}]")

    def one(self):
        """One of them writes, all read."""
        s, t = self.rng.choice(self.arrays)
        self.barrier()
        self.add(f"if (l == {self.rng.randrange(self.items)})")
        self.add(f"    {s}[{self.rng.choice(['0', '3'])}] = {self.cast(t, self.value())};")
        self.barrier()
        self.declare_or_add(t, f"{s}[{self.other(s)}]")
        self.barrier()

    def sides(self):
        """Work-items go two ways, and behind a barrier once more, each in loops and to four places of its own."""
        s, t = self.rng.choice(self.arrays)
        four, u = self.four
        v, _ = self.rng.choice([(v, t) for v, t in self.values if v[0] == "v"])
        i, side = self.fresh("i"), self.rng.choice([f"l < {self.items // 2}", "l % 3 == 0", f"(whole({v}) & 4) != 0", "l >= 5", "x > w"])
        if self.rng.random() < 0.3:
            name = self.fresh("side")
            self.add(f"const bool {name} = {side};")
            side = name
        self.add(f"if ({side})")
        self.add(f"    {s}[{self.mine(s)}] = {self.cast(t, self.value())};")
        self.add("else")
        self.add(f"    for (int {i} = 0; {i} < 4; {i}++)")
        self.add(f"        {four}[l * 4 + {i}] = {self.cast(u, self.value())};")
        self.barrier()
        self.add(f"if ({side}) {{")
        self.add(f"    for (int {i} = 0; {i} < {self.uniform()}; {i}++)")
        self.add(f"        total += whole({s}[{self.other(s)}]) + {i};")
        self.add(f"    {four}[l * 4] = {self.cast(u, 'total')};")
        self.add("} else {")
        self.add(f"    for (int {i} = 0; {i} < {self.rng.choice(['9 + (k & 7)', '40', self.uniform()])}; {i}++)")
        self.add(f"        {four}[l * 4 + ({i} & 3)] {self.rng.choice(['+=', '-=', '*='])} {self.cast(u, self.value())};")
        self.add("}")
        self.add(f"total ^= whole({four}[l * 4 + {self.rng.randrange(4)}]);")
        self.barrier()

    def loop(self):
        """Of statements, barriers among them."""
        i = self.fresh("i")
        self.add(f"for (int {i} = 0; {i} < {self.uniform()}; {i}++) {{")
        self.depth += 1
        self.counters.append(i)
        known = len(self.values)
        for _ in range(self.rng.choice([1, 2, 2])):
            self.statement()
        del self.values[known:]
        self.counters.pop()
        self.depth -= 1
        self.add("}")

    def loop_alone(self):
        """Loops beside barriers, with none in them."""
        i, j = self.fresh("i"), self.fresh("j")
        v, t = self.rng.choice([(v, t) for v, t in self.values if v[0] == "v"])
        s, u = self.rng.choice(self.arrays)
        self.add(f"for (int {i} = 0; {i} < {self.uniform()}; {i}++) {{")
        self.add(f"    for (int {j} = {self.rng.choice(['0', '1', 'k & 1'])}; {j} < 4; {j}++) {{")
        self.add(f"        {v} = {self.rng.choice(['(l & 3) == 1', f'{j} == 2', f'real({v}) < 9'])} ? {self.cast(t, self.value())} : {v};")
        if self.rng.random() < 0.5:
            self.add(f"        total += {self.rng.choice(['1', f'whole({v})', i])};")
        self.add("    }")
        self.add("}")

    # ---- the text --------------------------------------------------------------------------------------------------------

    def source(self):
        space = "".join(f"    __local {t} {s}[{self.local[1] * (self.local[0] + self.array.get(s, 0)) if self.dim == 2 else self.items}];\n"
                        for s, t in self.arrays)
        space += "".join(f"    {t} {p}[4] = {{1, 2, 3, 4}};\n" for p, t in self.private)
        space += f"    __local {self.four[1]} {self.four[0]}[{4 * self.items}];\n"
        fill = "".join(f"    {s}[{self.mine(s)}] = l;\n" for s, _ in self.arrays)
        fill += f"    for (int i = 0; i < 4; i++) {self.four[0]}[l * 4 + i] = l - i;\n"
        if self.dim == 2:
            fill += "".join(f"    if (l0 < {self.array[s]}) {s}[l1 * {self.local[0] + self.array[s]} + {self.local[0]} + l0] = 1;\n"
                            for s, _ in self.arrays if self.array[s])
        out = "".join(f"    out[at * {SLOTS} + {i}] = whole({v});\n" for i, (v, _) in enumerate(self.values[::-1][:SLOTS - 1]) if v[0] == "v")
        at = self.rng.choice(["y * (int)get_global_size(0) + x", "mad24(y, (int)get_global_size(0), x)",
                              f"mad24(y, (int)get_global_size(0), (int)get_group_id(0) * {self.local[0]} + (int)get_local_id(0))"])
        return (f"__kernel void {self.name}(global const float *f, global const double *d, global const int *n, global const uchar *b, "
                f"global const short *s, global const long *l_, global long *out, int w, int h, int k, float a)\n{{\n{space}"
                f"    const int x = get_global_id(0), y = get_global_id(1), at = {at};\n"
                f"    const int l0 = get_local_id(0), l1 = get_local_id(1), l = l1 * {self.local[0]} + l0;\n"
                f"    uint total = 0;\n{fill}    barrier(CLK_LOCAL_MEM_FENCE);\n" + "\n".join(self.lines) +
                f"\n{out}    out[at * {SLOTS} + {SLOTS - 1}] = total;\n}}\n")


class Sides:
    """A mask for each neighbour that is needed behind a barrier, in a loop: LLVM 15 read its bits as bytes (masks.c)."""

    name, dim, local, form = "sides", 1, [64, 1, 1], ("wide", 16, 0)

    def source(self):
        return f"""__kernel void sides(global const float *f, global const double *d, global const int *n, global const uchar *b,
                    global const short *s, global const long *l_, global long *out, int w, int h, int k, float a)
{{
    __local int p[64], q[256];
    const int l = get_local_id(0), at = get_global_id(0);
    if (l < 32)
        p[l] = n[at & 4095];
    else
        for (int i = 0; i < 4; i++)
            q[l * 4 + i] = n[(at + i) & 4095];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 32) {{
        int sum = 0;
        for (int i = 0; i < 9; i++)
            sum += p[(l + i) & 31] * i;
        out[at * {SLOTS}] = sum;
    }} else {{
        for (int i = 0; i < 9 + (k & 7); i++)
            q[l * 4 + (i & 3)] += i * 3;
        out[at * {SLOTS}] = q[l * 4 + 1];
    }}
}}
"""


# Numbers of any type as whole and as real ones: what does not fit has a value all the same.
WHOLE_AND_REAL = """uint OVERLOADED whole(float v) { return as_uint(isnan(v) ? 1.0f : v); }
uint OVERLOADED whole(double v) { return whole((float)v); }
uint OVERLOADED whole(int v) { return v; }
uint OVERLOADED whole(uint v) { return v; }
uint OVERLOADED whole(long v) { return v; }
uint OVERLOADED whole(ulong v) { return v; }
uint OVERLOADED whole(short v) { return v; }
uint OVERLOADED whole(uchar v) { return v; }
float OVERLOADED real(float v) { return v; }
float OVERLOADED real(double v) { return v; }
float OVERLOADED real(int v) { return v & 65535; }
float OVERLOADED real(uint v) { return v & 65535; }
float OVERLOADED real(long v) { return v & 65535; }
float OVERLOADED real(ulong v) { return v & 65535; }
float OVERLOADED real(short v) { return v; }
float OVERLOADED real(uchar v) { return v; }
""".replace("OVERLOADED", "__attribute__((overloadable))")
