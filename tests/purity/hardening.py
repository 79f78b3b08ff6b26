#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Fails if a binary lacks what makes an overflow harder to use: guards on the stack, the checked
functions of the C library, and a table of functions that is read-only once they are bound.

Usage: hardening.py OBJDUMP BINARY..."""

import re
import subprocess
import sys

GUARDS, CHECKED = r" __stack_chk_fail$", r" __\w+_chk$"
DF_BIND_NOW, DF_1_NOW = 8, 1


def run(objdump, option, binary):
    return subprocess.run([objdump, option, binary], check=True, capture_output=True,
                          text=True).stdout


def binds_now(headers):
    flags = dict(re.findall(r"^ +(FLAGS(?:_1)?) +0x([0-9a-f]+)", headers, re.MULTILINE))
    return re.search(r"^ +BIND_NOW", headers, re.MULTILINE) \
        or int(flags.get("FLAGS", "0"), 16) & DF_BIND_NOW \
        or int(flags.get("FLAGS_1", "0"), 16) & DF_1_NOW


def faults(objdump, binary):
    headers, symbols = run(objdump, "-p", binary), run(objdump, "-T", binary)
    if not re.search(r"^ +RELRO ", headers, re.MULTILINE) or not binds_now(headers):
        yield f"{binary} has no read-only table of functions (-z relro, -z now)"
    if not re.search(GUARDS, symbols, re.MULTILINE):
        yield f"{binary} has no guards on the stack (-fstack-protector-strong)"


def main(objdump, *binaries):
    found = [fault for binary in binaries for fault in faults(objdump, binary)]
    # Not each binary calls a function of which there is a checked one.
    if not any(re.search(CHECKED, run(objdump, "-T", binary), re.MULTILINE) for binary in binaries):
        found.append("no binary calls a checked function (_FORTIFY_SOURCE)")
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
