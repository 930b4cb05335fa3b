"""Random kernels whose work-items touch places of `out` that lie two to four numbers apart from their neighbours', or of a
private array, several times and in any order.  For sizes.py."""

from writer import Writer

TYPES = "int short uchar".split()


class Strided(Writer):
    def __init__(self, rng, name):
        super().__init__(rng)
        self.name = name
        self.apart, self.type = rng.choice([2, 3, 4]), rng.choice(TYPES)
        self.aside = rng.random() < 0.3
        self.values = ["i"]
        for _ in range(rng.choice([6, 9, 12])):
            self.statement()

    def value(self):
        v, w = self.rng.choice(self.values), self.rng.choice(self.values)
        return self.rng.choice([f"({v} + {w} % 99)", f"({v} ^ {w})", f"(({v} & 7) * 3)", v, f"({v} - {self.rng.randrange(9)} % 5)"])

    def condition(self):
        return self.rng.choice([f"{self.value()} & {self.rng.choice([1, 2, 4])}", f"{self.value()} > {self.rng.randrange(40)}"])

    def place(self, store=False):
        if self.aside and (not store or self.rng.random() < 0.3) and self.rng.random() < 0.3:
            return f"t[{self.value()} & 1]"
        k = self.rng.randrange(self.apart)
        return f"t[{k}]" if self.aside else f"o[{self.apart} * i + {k}]"

    def scopes(self):
        return [self.values]

    def body(self, head, tail):
        self.statement()

    def statement(self):
        choice = self.rng.random()
        if choice < 0.3:
            source = self.rng.choice([f"x[i + {self.rng.randrange(9)}]", f"y[{self.value()} & 63]", self.place()])
            self.values.append(self.fresh())
            self.add(f"uint {self.values[-1]} = {source};")
        elif choice < 0.6 and self.depth < 3:
            self.inner(f"if ({self.condition()}) {{")
            if self.rng.random() < 0.5:
                self.lines.pop()
                self.inner("} else {")
        else:
            self.add(f"{self.place(True)} = {self.value()};")

    def source(self):
        n = self.apart
        begin = [f"    {self.type} t[{n}];", *(f"    t[{k}] = x[i + {k}];" for k in range(n))] if self.aside else []
        end = [f"    o[{n} * i + {k}] = t[{k}];" for k in range(n)] if self.aside else []
        return "\n".join([f"__kernel void {self.name}(__global const int *x, __global const int *y, __global const int *z,",
                          "    __global uint *out)", "{", "    size_t i = I;", f"    __global {self.type} *o = (__global {self.type} *)out;",
                          *begin, *self.lines, *end, "}", ""])
