"""Random kernels whose work-items leave by where they are: at once, after a store, from loops.  Those who stay compute what
Intel's runtime rounds otherwise where they run one by one.  Every other one has loops in which all begin alike, and leaves
them behind another loop: PoCL 7.1 is wrong in 71 of 1,200 (driver-exits).  For sizes.py."""

from writer import Writer

TYPES = "int int uint long size_t".split()
NUMBERS = "0 1 3 5 17 700 n n-400 (n&15)".split()


class Exits(Writer):
    def __init__(self, rng, name):
        super().__init__(rng)
        self.name = name
        self.type = rng.choice(TYPES)
        id = rng.choice(["get_global_id(0)", "get_group_id(0) * get_local_size(0) + get_local_id(0)"])
        self.add(f"{self.type} v0 = {id};")
        self.values, self.together, self.ends = ["v0"], rng.random() < 0.5, []  # ends: of loops, and values before them
        for _ in range(rng.choice([1, 2, 2, 3, 4])):
            self.rounds() if self.together and self.depth < 4 and rng.random() < 0.5 else self.statement()
        if not self.together or rng.random() < 0.3:
            self.leave()
        self.sum()
        self.add("s += rsqrt(fabs(x[v0]));")
        self.add(f"{'if (s > y[5]) ' if rng.random() < 0.3 else ''}*(__global float *)(out + 256 * v0) = s;")
        while self.ends:
            if self.together:
                self.leave_behind()
            end, known = self.ends.pop()
            del self.values[known:]
            self.depth -= 1
            self.add(end)

    def declare(self, text):
        self.add(f"{self.type} v{len(self.values)} = {text};")
        self.values.append(f"v{len(self.values)}")

    def numeral(self):
        return f"({self.type}){self.rng.choice(NUMBERS)}"

    def value(self):
        rng, v, c = self.rng, self.rng.choice(self.values[-2:]), self.rng.choice([1, 2, 3, 4, 7, 8])
        return rng.choice([v, v, f"{v} + {c}", f"{v} - {c}", f"{v} * {c}", f"({v} << {c & 3})", f"({v} | {c})", f"({v} >> {c & 3})",
                           f"min({v}, {self.numeral()})", f"max({v}, {self.numeral()})", f"({self.numeral()} - {v})", f"({v} ^ {c})",
                           f"{v} + {self.numeral()}", f"{v} + {rng.choice(self.values)}", f"({v} & {c})"])

    def comparison(self):
        order = self.rng.choice("< <= > >= < <= > >= == !=".split())
        other = self.numeral() if self.rng.random() < 0.8 else f"min({self.numeral()}, {self.value()})"
        return f"{self.value()} {order} {other}"

    def condition(self):
        one = self.comparison()
        return one if self.rng.random() < 0.7 else f"({one} {self.rng.choice(['&&', '||'])} {self.comparison()})"

    def leave(self):
        if self.rng.random() < 0.7:
            self.add(f"if ({self.condition()}) {self.rng.choice(['return', 'return', 'break']) if self.depth > 1 else 'return'};")

    def sum(self):
        """The loop whose order Intel's runtime changes; where all begin together, of several lengths, or one that sets a flag."""
        v, to = self.values[-1], "(n & 31) + 9"
        if self.together and self.rng.random() < 0.5:
            to = self.rng.choice(["8", "(n & 7)", f"({self.rng.choice(self.values)} & 3) + 2", "(as_int(z[v0 & 4095]) & 7)"])
        if self.together and self.rng.random() < 0.2:
            f = f"f{len(self.lines)}"
            self.add(f"int {f} = 0;")
            self.add(f"for (int j = 0; j < {to}; j++) if (x[{v} + j & 4095] < y[j]) {{ s += 0.5f; {f} = 1; }}")
            self.add(f"if ({f}) s += rsqrt(fabs(x[v0 + 1]));")
        else:
            self.add(f"for (int j = 0; j < {to}; j++) s += x[{v} + j & 4095] * y[j];")

    def leave_behind(self):
        """Where a loop has ended that all may go round alike."""
        rng = self.rng
        test = rng.choice([self.condition(), "s > z[v0 & 4095]", "x[v0] > y[3]", "s < y[n & 15]"])
        action = rng.choice(["break", "break", "return", "continue", "s *= 0.5f", f"out[256 * v0 + {len(self.lines)}] = 5"])
        if rng.random() < 0.7 and not (action == "continue" and self.ends[-1][0] != "}"):
            self.add(f"if ({test}) {action};")

    def rounds(self):
        """A loop in which all make a first round, or of which it is not known."""
        rng = self.rng
        k = f"k{len(self.lines)}"
        v = rng.choice(self.values)
        begin = rng.choice(["0", "0", f"({v} & 3)", f"({v} & 7)", "n & 3", "v0"])
        end = rng.choice(["3", "5", "(n & 3) + 2", "(n & 3)", f"({v} & 7) + 1", f"({v} & 3)", "(as_int(z[v0 & 4095]) & 3) + 1",
                          "min(n, 9)"])
        begin, end = f"(int)({begin})", f"(int)({end})"
        form = rng.random()
        if form < 0.2:
            self.add(f"int {k} = {begin}; do {{")
            self.ends.append((f"}} while (++{k} < {end});", len(self.values)))
        else:
            flag = rng.random() < 0.2
            if flag:
                self.add(f"int m{k} = 1;")
            self.add(f"for (int {k} = {begin}; {k} < {end}{f' && m{k}' if flag else ''}; {k} += {rng.choice([1, 1, 2])}) {{")
            self.ends.append((f"    if ({self.condition()}) m{k} = 0; }}" if flag else "}", len(self.values)))
        self.depth += 1
        if rng.random() < 0.4:
            self.sum()

    def statement(self):
        rng, what = self.rng, self.rng.random()
        if what < 0.3:
            self.declare(self.value())
        elif what < 0.45:
            self.add(f"{rng.choice(['', f'if ({self.condition()}) ', 'if (x[v0] > y[3]) '])}out[256 * v0 + {len(self.lines)}] = 1;")
        elif what < 0.57:
            self.leave()
        elif what < 0.6:
            action = rng.choice(["return", "s += x[v0 + 1]; break", f"out[256 * v0 + {len(self.lines)}] = 3; break"])
            self.add(f"switch ({self.value()}) {{ case {rng.choice([0, 0, 5])}: case 1: {action}; case 9: s += 1; }}")
        elif what < 0.7:
            self.declare(self.value())
            self.add(f"for (int k = 0; k < 9 && {self.condition()}; k++) {self.values[-1]} = {self.value()};")
        elif what < 0.8:
            self.declare("v0")
            self.add(f"if ({rng.choice([self.condition(), 'x[v0] > y[3]'])}) {self.values[-1]} = {self.value()};")
        elif self.depth < 3:
            g, step = f"v{len(self.values)}", rng.choice(["get_global_size(0)", "get_global_size(0)", "7", "v0 + 1", "n"])
            begin, known = self.value(), len(self.values) + 1
            self.values.append(g)
            k = f"k{len(self.values)}"
            self.add(f"{self.type} {g} = {begin};")
            self.add(f"for (int {k} = 0; {k} < 6 && {g} {rng.choice('<<>')} {rng.choice(['n', '1500', '9'])}; {k}++, {g} {rng.choice(['+=', '+=', '-='])} {step}) {{"
                     if rng.random() < 0.3 else
                     f"for (; {g} < {rng.choice(['(%s)n' % self.type, '3000'])}; {g} += {rng.choice(['get_global_size(0)', '1000'])}) {{")
            self.ends.append(("}", known))
            self.depth += 1

    def source(self):
        return "\n".join([f"__kernel void {self.name}(__global const float *x, __global const float *y, __global const float *z, "
                          "__global uint *out, int n)", "{", "    float s = 0;", *self.lines, "}", ""])
