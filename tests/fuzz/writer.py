"""What generators of random kernels as text share: lines, names, blocks."""


class Writer:
    """Grows one kernel; `rng` decides everything.  Who derives from it has statement(), and in scopes() the lists of names
    of which those that a block declares end with it."""

    def __init__(self, rng):
        self.rng, self.lines, self.depth, self.number = rng, [], 1, 0

    def add(self, line):
        self.lines.append("    " * self.depth + line)

    def fresh(self, prefix="v"):
        self.number += 1
        return f"{prefix}{self.number}"

    def pick(self, *weighted):
        names, weights = zip(*weighted)
        return self.rng.choices(names, weights)[0]

    def body(self, head, tail):
        """A block's statements."""
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            self.statement()

    def inner(self, head, tail="}"):
        scopes = [(names, len(names)) for names in self.scopes()]
        self.add(head)
        self.depth += 1
        self.body(head, tail)
        self.depth -= 1
        for names, before in scopes:
            del names[before:]
        self.add(tail)

    def branch(self, condition):
        """`condition`: makes the text of one."""
        other = self.rng.random() < 0.4
        self.inner(f"if ({condition()}) {{", "} else {" if other else "}")
        if other:
            self.lines.pop()
            self.inner("} else {")
