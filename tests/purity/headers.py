#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Fails if a header does not compile alone, and twice in one file.

Usage: headers.py [--built] DIRECTORY INCLUDE_DIRECTORIES PKG_CONFIG_PACKAGES COMPILER [ARGUMENT...]
INCLUDE_DIRECTORIES, PKG_CONFIG_PACKAGES: separated by commas; packages may be empty.
--built: a header that its own source includes before all others has compiled alone in the build.
"""

import pathlib
import re
import subprocess
import sys


def cflags(packages):
    if not packages:
        return []
    return subprocess.run(["pkg-config", "--cflags", *packages.split(",")],
                          check=True, capture_output=True, text=True).stdout.split()


def has_compiled(header):
    source = header.with_suffix(".c")
    if not source.exists() or "\n#pragma once\n" not in header.read_text(encoding="utf-8"):
        return False
    first = re.search(r'^#include ["<](?:.*/)?(.*)[">]', source.read_text(encoding="utf-8"), re.M)
    return first is not None and first[1] == header.name


def main():
    built = sys.argv[1] == "--built"
    directory, includes, packages, *compiler = sys.argv[1 + built:]
    flags = ["-fsyntax-only", *(f"-I{i}" for i in includes.split(",")), *cflags(packages)]
    headers = sorted(pathlib.Path(directory).rglob("*.h"))
    if not headers:
        sys.exit(f"no header in {directory}")
    if built:
        headers = [header for header in headers if not has_compiled(header)]
    failed = [h for h in headers
              if subprocess.run([*compiler, *flags, "-include", str(h), "-include", str(h), "-"],
                                input="", text=True).returncode != 0]
    sys.exit("\n".join(f"{h}: does not compile alone" for h in failed) or 0)


main()
