#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Fails if a header does not compile alone, and twice in one file.

Usage: headers.py DIRECTORY INCLUDE_DIRECTORIES PKG_CONFIG_PACKAGES COMPILER [ARGUMENT...]
INCLUDE_DIRECTORIES, PKG_CONFIG_PACKAGES: separated by commas; packages may be empty.
"""

import pathlib
import subprocess
import sys


def cflags(packages):
    if not packages:
        return []
    return subprocess.run(["pkg-config", "--cflags", *packages.split(",")],
                          check=True, capture_output=True, text=True).stdout.split()


def main():
    directory, includes, packages, *compiler = sys.argv[1:]
    flags = ["-fsyntax-only", *(f"-I{i}" for i in includes.split(",")), *cflags(packages)]
    headers = sorted(pathlib.Path(directory).rglob("*.h"))
    if not headers:
        sys.exit(f"no header in {directory}")
    failed = [h for h in headers
              if subprocess.run([*compiler, *flags, "-include", str(h), "-include", str(h), "-"],
                                input="", text=True).returncode != 0]
    sys.exit("\n".join(f"{h}: does not compile alone" for h in failed) or 0)


main()
