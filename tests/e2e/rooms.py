#!/usr/bin/env python3
"""The rooms of the tree: calls go only downwards, and no files call each other in a circle.

  rooms.py [--circles] BUILD     check the sources and the object files in BUILD; --circles lists who calls whom there
  rooms.py --exported            what libclsizer.so should export, a line each

Fails on an include or a linker symbol that goes to a room above, and on any circle of object files of one program.
Exit status: 0 fine, 1 not, 77 nm is missing.
"""

import collections
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# From the bottom to the top.  A file may use what is in its own room and in those before it.
ROOMS = """
analysis/summary
analysis/prove analysis/lower analysis/rewrite analysis/source
devices
select select/trace select/prove analysis select/time select/choose select/learn select/advise select/predict
profiler
shim/guest shim/ledger shim/object shim/helper shim/site shim/enqueue shim/tune shim/calls shim/command
""".split()
RANK = {room: rank for rank, room in enumerate(ROOMS)}

# The helper is a program of its own: nobody else uses its rooms, and of others' it uses those of proofs alone.
HELPER = {"analysis/prove", "analysis/source", "analysis/lower", "analysis/rewrite", "analysis"}
PROOFS = {"select", "select/prove"}

# Recursive descents over one tree, in several files for their size.
MAY_CIRCLE = [re.compile(r"analysis/lower/lower_\w+\.c$"),
              re.compile(r"analysis/rewrite/(calls|expression|memory|pointer)\.c$")]

def room_of(path):
    return str(pathlib.PurePath(path).parent)

def allowed(user, used):
    """May a file in room `user` use one in room `used`?"""
    if user == used:
        return True
    if user == "analysis" and used in PROOFS:
        return True
    if (user in HELPER or used in HELPER) and used != "analysis/summary":
        return user in HELPER and used in HELPER and RANK[used] < RANK[user]
    return RANK[used] < RANK[user]

def sources():
    for top in ("analysis", "devices", "select", "profiler", "shim"):
        yield from sorted(p.relative_to(ROOT) for p in (ROOT / top).rglob("*.[ch]"))

def includes():
    """Includes that go upwards, as lines to print."""
    for path in sources():
        if room_of(path) not in RANK:
            yield f"{path}: its folder is none of the rooms in {pathlib.Path(__file__).name}"
            continue
        for line in (ROOT / path).read_text().splitlines():
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if match and room_of(match[1]) in RANK and not allowed(room_of(path), room_of(match[1])):
                yield f"{path} includes {match[1]}, which is above it"

def objects(build):
    """{source: (defined symbols, undefined symbols)} of the object files of the product."""
    paths = {}
    for top in ("analysis", "devices", "select", "profiler", "shim"):
        for path in sorted((build / top).rglob("*.c.o")):
            source = f"{top}/{str(path).split('.dir/', 1)[1][:-2]}"
            if (ROOT / source).exists():
                paths[source] = str(path)
    found = {source: (set(), set()) for source in paths}
    source_of = {path: source for source, path in paths.items()}
    listed = subprocess.run(["nm", "-A", *source_of], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        path, symbol = line.split(":", 1)
        *_, kind, name = symbol.split()
        if kind in "TDBRVWC":
            found[source_of[path]][0].add(name)
        elif kind == "U":
            found[source_of[path]][1].add(name)
    return found

def exported():
    """What takes the place of others' functions in the application: who calls it calls those."""
    calls = "".join((ROOT / "shim/calls" / name).read_text() for name in ("intercepted.def", "commands.def", "layer.c"))
    return {"prctl", *re.findall(r"^(?:\w*(?:CALL|COMMAND|MADE|NOTED|NOTED_FIRST)\(|SHIM_EXPORT )[^(]*?\b(cl[A-Z]\w+)[,(]", calls, re.MULTILINE)}

def calls(build):
    """{source: {used source: symbols}}"""
    found = objects(build)
    outside = exported()
    owner = {symbol: source for source, (defined, _) in found.items() for symbol in defined - outside}
    graph = {source: collections.defaultdict(set) for source in found}
    for source, (_, undefined) in found.items():
        for symbol in undefined:
            if owner.get(symbol, source) != source:
                graph[source][owner[symbol]].add(symbol)
    return graph

def circles(graph):
    """Strongly connected components of more than one file (Tarjan)."""
    index, low, stack, result = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph[node]:
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            members = [stack.pop()]
            while members[-1] != node:
                members.append(stack.pop())
            if len(members) > 1:
                result.append(sorted(members))

    for node in graph:
        if node not in index:
            visit(node)
    return result

def main():
    if "--exported" in sys.argv:
        print("\n".join(exported()))
        return 0
    if not shutil.which("nm"):
        print("skip: no nm")
        return 77
    listing = "--circles" in sys.argv
    build = pathlib.Path(sys.argv[-1])
    graph = calls(build)
    faults = list(includes())
    for source, used in sorted(graph.items()):
        for other, symbols in sorted(used.items()):
            if not allowed(room_of(source), room_of(other)):
                faults.append(f"{source} calls {other}, which is above it: {', '.join(sorted(symbols))}")
    for circle in circles(graph):
        if all(any(pattern.search(source) for pattern in MAY_CIRCLE) for source in circle):
            continue
        faults.append(f"a circle of {len(circle)} files: {' '.join(circle)}")
        if listing:
            faults += [f"    {a} -> {b}: {', '.join(sorted(graph[a][b]))}" for a in circle for b in sorted(graph[a])
                       if b in circle]
    print("\n".join(faults) if faults else f"{len(graph)} object files in {len(ROOMS)} rooms")
    return 1 if faults or not graph else 0

if __name__ == "__main__":
    sys.exit(main())
