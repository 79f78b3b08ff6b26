#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Fails if a library of lib/ needs a symbol that could reach the world, or holds data that could
change.

Usage: symbols.py NM OBJDUMP LIBRARY...
"""

import subprocess
import sys

ALLOWED = set("""
    memchr memcmp memcpy memmove memset strcmp bcmp __memcpy_chk __memmove_chk __memset_chk
    __assert_fail __stack_chk_fail __stack_chk_fail_local _GLOBAL_OFFSET_TABLE_
    acos asin atan atan2 cbrt ceil copysign cos exp exp2 expm1 fabs floor fma fmax fmin fmod frexp hypot ldexp llrint
    llround log log10 log1p log2 lrint lround modf nearbyint nextafter pow remainder rint round sin sqrt tan tanh trunc
    __divdi3 __udivdi3 __moddi3 __umoddi3 __divmoddi4 __udivmoddi4 __fixdfdi __fixunsdfdi __floatdidf __floatundidf
""".split())    # the last line: libgcc, for 64-bit numbers on a 32-bit machine


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols(nm, library, option):
    lines = (line.split() for line in run(nm, "-P", option, library).splitlines())
    return {words[0] for words in lines if len(words) > 1}


def writable(objdump, library):
    """Names in sections that can be written at run time. .data.rel.ro is constant once
    relocated."""
    for line in run(objdump, "-t", library).splitlines():
        head, tab, tail = line.partition("\t")
        words = head.split()
        if not tab or not words:
            continue
        section = words[-1]
        is_section_itself = " d " in head and tail.split()[-1] == section
        if section.startswith(".data.rel.ro") or is_section_itself:
            continue
        if section.startswith((".data", ".bss", ".tdata", ".tbss", "*COM*")):
            yield tail.split()[-1]


def main():
    nm, objdump, *libraries = sys.argv[1:]
    own = set().union(*(symbols(nm, library, "--defined-only") for library in libraries))
    if not own:
        sys.exit("the libraries define nothing: this test would see nothing")
    faults = []
    for library in libraries:
        undefined = symbols(nm, library, "--undefined-only") - own - ALLOWED
        faults += [f"{library}: needs {name}" for name in sorted(undefined)]
        faults += [f"{library}: writable {name}" for name in writable(objdump, library)]
    sys.exit("\n".join(faults) or 0)


main()
