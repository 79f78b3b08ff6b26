#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Each example in C has a line in the documents that compiles it where it is installed, and the
line works as printed.

Usage: compilelines.py SOURCE
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE, EXAMPLES = "docs/guide/recipes.md", "examples/embed"
LINE = re.compile(r"^cc \$embed/(\w+)\.c -o \w+ (?:\\\n +)?\$\(pkg-config --cflags --libs (.+)\)$",
                  re.MULTILINE)


def faults(source):
    text = (source / PAGE).read_text(encoding="utf-8")
    lines = {line[1]: line for line in LINE.finditer(text)}
    programs = {path.stem for path in (source / EXAMPLES).glob("*.c")}
    for name in sorted(programs - lines.keys()):
        yield f"{PAGE} has no line that compiles {name}.c"
    for name in sorted(programs & lines.keys()):
        libraries = lines[name][2].split()
        if subprocess.run(["pkg-config", "--exists", *libraries], check=False).returncode:
            print(f"{name}.c: left out, there is no {' and '.join(libraries)}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(["sh", "-c", f"embed='{source / EXAMPLES}'\n{lines[name][0]}"],
                                  cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode or not (Path(folder) / name).exists():
                yield f"{PAGE}: {lines[name][0]}\n{done.stderr}"


def main(source):
    found = list(faults(Path(source).resolve()))
    print("\n".join(found) or "each line works")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
