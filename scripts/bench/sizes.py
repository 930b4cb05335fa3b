"""Local sizes: parsing, printing, and the set that the oracle is looked for in."""

import math


def text(size):
    return "x".join(str(n) for n in size) if size else "null"


def parse(words):
    return [] if words == "null" else [int(n) for n in words.split("x")]


def product(size):
    p = 1
    for n in size:
        p *= n
    return p


def by_rule(which, items=256):
    """Of these (texts) the one that a rule of thumb takes: powers of two, as near to `items` as there are, the widest."""
    def rank(size):
        return any(n & (n - 1) for n in size), abs(math.log2(product(size) / items)), -size[0]

    return min(which, key=lambda size: rank(parse(size)))


def grid(extents, device):
    """Every local size that divides the global size and that the device takes, the likelier ones first: group sizes that
    are used in practice, then the others."""
    found = [[]]
    for extent, limit in zip(extents, device["max_extent"]):
        divisors = [n for n in range(1, min(extent, limit, device["max_items"]) + 1) if extent % n == 0]
        found = [s + [n] for s in found for n in divisors if product(s) * n <= device["max_items"]]
    order = {64: 0, 256: 0, 1024: 0, 128: 1, 512: 1, 4096: 1, 2048: 1, 32: 2}

    def rank(size):
        odd = sum(n & (n - 1) != 0 for n in size)
        return (order.get(product(size), 3) + 2 * odd, -size[0])

    return sorted(found, key=rank)


def candidates(step, device, extra=()):
    """`extra` (lists), the program's own, a poor one, NULL, then the grid; no size twice."""
    result = []
    for size in [step["own"], *extra, step["poor"], [], *grid(step["global"], device)]:
        if size not in result:
            result.append(size)
    return result
