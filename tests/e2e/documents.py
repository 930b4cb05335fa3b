#!/usr/bin/env python3
"""The documents say what is true of the tree.

  documents.py [ROOT]     check README.md, ARCHITECTURE.md, docs/ and the rooms' READMEs; ROOT: another tree than ours

Fails on a file, folder, function, identifier or link that is named and does not exist; on a room without a README, or
that ARCHITECTURE.md lists in another order than rooms.py; on a source file without an entry in its room's README, which
is a line "| `NAME` | what it decides |" and, for NAME.c, speaks of NAME.h, too.
Exit status: 0 fine, 1 not.
"""

import collections
import pathlib
import re
import sys

from rooms import ROOMS, ROOT as OURS

ROOT = pathlib.Path(sys.argv[1]).resolve() if sys.argv[1:] else OURS
PRODUCT = ("analysis", "devices", "profiler", "select", "shim")
TOPS = (*PRODUCT, "benchmarks", "docs", "scripts", "tests")

NAME = re.compile(r"[\w.*/-]*[\w*]\.(?:cmake|[ch]|cl|def|dev|in|map|md|py|sh)\b(?![\w/-])")
FOLDER = re.compile(rf"(?<![\w/.-])(?:{'|'.join(TOPS)})/[\w.*/-]*[\w*]")
WORD = re.compile(r"\b([A-Za-z_]\w+)\(\)|`(?:struct |enum )?(\w*_\w+)(?:=\w+)?`")  # function(), `some_name`
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
ENTRY = re.compile(r"^\| `([^`]+)` \| .+ \|$", re.MULTILINE)
ROOM_ROW = re.compile(r"^\| \[([\w/]+)\]\(([\w/]+)/README\.md\) \|", re.MULTILINE)
PLACEHOLDER = re.compile(r"(^|/)[A-Z_-]+(/|\.(?!md$))")  # FILE.cl, DIRECTORY/run.sh

FILES = [p.relative_to(ROOT).as_posix() for top in TOPS for p in sorted((ROOT / top).rglob("*")) if p.is_file()]
FILES += [p.name for p in sorted(ROOT.iterdir()) if p.is_file()]
NAMED = collections.defaultdict(list)  # paths by their last part
for file in FILES:
    NAMED[file.rsplit("/", 1)[-1]].append(file)
WORDS = {word for file in FILES if file.endswith((".c", ".h", ".cl", ".def", ".py"))
         for word in re.findall(r"\w+", (ROOT / file).read_text(errors="replace"))}


def documents():
    yield from (name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md") if (ROOT / name).exists())
    yield from sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "docs").glob("*.md"))
    yield from (f"{room}/README.md" for room in ROOMS if (ROOT / room / "README.md").exists())


def examples(text):
    """(prose, code blocks): in the latter a name alone is anybody's."""
    code = re.compile(r"^```[\s\S]*?^```$|^(?:    .*\n)+", re.MULTILINE)
    blocks = [block for block in code.findall(text) if not block.lstrip().startswith("* ")]  # no nested lists
    for block in blocks:
        text = text.replace(block, "\n")
    return text, "\n".join(blocks)


def wrong_name(name, folder):
    """What is wrong with the name of a file or folder in a document of that folder; None: nothing."""
    if "*" in name:
        return None if any(pathlib.PurePath(file).match(name) for file in FILES) else "matches nothing"
    if (ROOT / name).exists() or (ROOT / folder / name).exists():
        return None
    known = [file for file in NAMED[name.rsplit("/", 1)[-1]] if file.endswith("/" + name)]
    return None if len(known) == 1 else f"may be any of {', '.join(known)}" if known else "does not exist"


def names(document, text):
    folder = str(pathlib.PurePath(document).parent)
    prose, code = examples(text)
    prose = LINK.sub("", prose)  # links() looks at these
    found = set(NAME.findall(prose)) | set(FOLDER.findall(prose)) | {n for n in NAME.findall(code) if "/" in n}
    found |= set(FOLDER.findall(code))
    for name in sorted(found):
        wrong = None if PLACEHOLDER.search(name) else wrong_name(name, folder)
        if wrong:
            yield f"{document}: {name} {wrong}"
    for word in sorted({call or word for call, word in WORD.findall(prose)} - WORDS):
        yield f"{document}: {word} is nowhere in the sources"


def anchors(text):
    """The headings, as the fragments of links to them."""
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


def links(document, text):
    for target in LINK.findall(text):
        if re.match(r"\w+:", target):
            continue
        path, _, fragment = target.partition("#")
        file = (ROOT / document).parent / path if path else ROOT / document
        if not file.exists():
            yield f"{document}: the link to {target} leads nowhere"
        elif fragment and fragment not in anchors(file.read_text()):
            yield f"{document}: {path or document} has no heading for #{fragment}"


def partner(name):
    return name[:-1] + {"c": "h", "h": "c"}[name[-1]] if name.endswith((".c", ".h")) else name


def entries():
    """Faults of the rooms: missing READMEs, files without an entry, entries without a file."""
    overview = (ROOT / "ARCHITECTURE.md").read_text()
    listed = [room for room, folder in ROOM_ROW.findall(overview) if room == folder]
    if listed != ROOMS:
        yield f"ARCHITECTURE.md lists the rooms {' '.join(listed)}; rooms.py has {' '.join(ROOMS)}"
    inside = collections.defaultdict(list)
    for file in FILES:
        if file.startswith(PRODUCT) and file.endswith((".c", ".h", ".def")):
            room, name = file.rsplit("/", 1)
            inside[room].append(name)
    for room in sorted(set(inside) | set(ROOMS)):
        readme = ROOT / room / "README.md"
        if room not in ROOMS:
            yield f"{room}: none of the rooms in rooms.py, but has {' '.join(inside[room])}"
        elif not readme.exists():
            yield f"{room}: has no README.md"
        else:
            entry = ENTRY.findall(readme.read_text())
            yield from (f"{room}/README.md: has an entry for {name}, which is not there"
                        for name in entry if not (ROOT / room / name).exists())
            yield from (f"{room}/README.md: {name} has two entries" for name in set(entry) if entry.count(name) > 1)
            yield from (f"{room}/README.md: has no entry for {name}"
                        for name in inside[room] if name not in entry and partner(name) not in entry)


def main():
    faults, count = list(entries()), 0
    for document in documents():
        text, count = (ROOT / document).read_text(), count + 1
        faults += [*names(document, text), *links(document, text)]
    print("\n".join(faults) if faults else f"{count} documents, {len(FILES)} files")
    return 1 if faults or count < len(ROOMS) else 0


if __name__ == "__main__":
    sys.exit(main())
