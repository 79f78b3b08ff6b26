#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Fails if a binary calls what a C library of the supported systems lacks: the oldest is glibc 2.34
(RHEL 9).

A symbol counts by the first version of glibc that had it: what is merely linked to a newer version of an old function
is no fault of ours. Without glibc there is nothing to see, and the link itself is the test.

Usage: glibc.py OBJDUMP BINARY...
"""

import re
import subprocess
import sys

OLDEST = (2, 34)
SYMBOL = re.compile(r"\(?GLIBC_([0-9.]+)\)?\s+(\S+)$")
LIBRARY = re.compile(r"=> (\S*/lib[cm]\.so\.6) ")
# glibc 2.38 has the compiler replace scanf() and strtol() by these.
RENAMED = "__isoc23_"


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def versions(objdump, binary, undefined):
    """Pairs of name and version."""
    for line in run(objdump, "-T", binary).splitlines():
        match = SYMBOL.search(line)
        if match and ("*UND*" in line) == undefined:
            yield match[2], tuple(int(number) for number in match[1].split("."))


def main():
    objdump, *binaries = sys.argv[1:]
    first = {}
    for library in set(LIBRARY.findall("".join(run("ldd", binary) for binary in binaries))):
        for name, version in versions(objdump, library, False):
            first[name] = min(version, first.get(name, version))
    needed = [(binary, name) for binary in binaries for name, _ in versions(objdump, binary, True)]
    if not first:
        print("no glibc here")
        sys.exit(77)
    if not needed:
        sys.exit("the binaries need nothing of glibc: this test would see nothing")
    faults = [f"{binary}: {name} is in glibc from {'.'.join(map(str, first[name]))} on" for binary, name in needed
              if first.get(name, OLDEST) > OLDEST and not name.startswith(RENAMED)]
    sys.exit("\n".join(faults) or 0)


main()
