"""hashcat: finds the password of its own example of each of these kinds of hash, among words.

    hashes.py MODE...
"""
import pathlib
import re
import subprocess
import sys

for mode in sys.argv[1:]:
    info = subprocess.run(["hashcat", "--hash-info", "-m", mode], capture_output=True, text=True).stdout
    example = re.search(r"Example\.Hash\.*: (.*)", info).group(1)
    password = re.search(r"Example\.Pass\.*: (.*)", info).group(1)
    pathlib.Path("hash").write_text(example + "\n")
    pathlib.Path("words").write_text("".join(f"{word}{i}\n" for i in range(300) for word in ("ant", "bee")) + password + "\n")
    done = subprocess.run(["hashcat", "-m", mode, "-a", "0", "hash", "words", "--potfile-disable", "--force", "-D", "1",
                           "-o", "found", "--quiet"], capture_output=True, text=True)
    found = pathlib.Path("found")
    print(mode, done.returncode, done.stdout, found.read_text() if found.exists() else "not found")
    sys.stderr.write(done.stderr)
    found.unlink(missing_ok=True)
