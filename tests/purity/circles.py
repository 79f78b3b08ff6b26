# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""circles.py NM LIBRARY...: no files call each other in a circle, by the symbols that their objects
define and need."""

import re
import subprocess
import sys
from collections import defaultdict

SYMBOL = re.compile(r"^.*?([^/:]+)\.c\.o:[0-9a-f ]* ([A-Z]) (\S+)$", re.MULTILINE)


def calls(nm, library):
    """{object: the objects whose symbols it needs}"""
    listed = subprocess.run([nm, "-A", library], check=True, capture_output=True, text=True).stdout
    symbols = SYMBOL.findall(listed)
    home = {symbol: file for file, kind, symbol in symbols if kind != "U"}
    needs = defaultdict(set)
    for file, kind, symbol in symbols:
        if kind == "U" and symbol in home:
            needs[file].add(home[symbol])
    return needs


def reach(needs, start):
    """All that start needs, directly or through others."""
    found, waiting = set(), [start]
    while waiting:
        for file in needs[waiting.pop()] - found:
            found.add(file)
            waiting.append(file)
    return found


def circles(needs):
    within = {file: reach(needs, file) for file in list(needs)}
    return {frozenset(other for other in within[file] if file in within.get(other, ())) for file in within
            if file in within[file]}


def main(nm, *libraries):
    found = [circle for library in libraries for circle in circles(calls(nm, library))]
    print("\n".join("circle: " + " ".join(sorted(circle)) for circle in found) or "no circles")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
