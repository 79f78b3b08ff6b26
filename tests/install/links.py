#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The documents stand alone where they are installed, as in the package gst-arc-doc: each relative
link of an installed page leads to a file or a folder that is installed too.

Usage: links.py BUILD
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)|^\[[^\]]+\]: *(\S+)", re.MULTILINE)
EXTERNAL = re.compile(r"[a-z]+:")


def installed(build):
    """{where it will be: where it is now} of each file that meson installs; meson names a folder
    without what is in it."""
    text = subprocess.run(["meson", "introspect", "--installed", build], check=True,
                          capture_output=True, text=True).stdout
    files = {}
    for now, then in json.loads(text).items():
        now, then = Path(now), Path(then)
        files |= {then / path.relative_to(now): path
                  for path in (now.rglob("*") if now.is_dir() else [now])}
    return files


def faults(files):
    there = {place for path in files for place in (path, *path.parents)}
    pages = [path for path in files if path.suffix == ".md"]
    if not pages:
        yield "no page is installed"
    for page in sorted(pages):
        text = files[page].read_text(encoding="utf-8")
        for link in sorted({first or second for first, second in LINK.findall(text)}):
            target = Path(os.path.normpath(page.parent / link))
            if not EXTERNAL.match(link) and target not in there:
                yield f"{page}: {link} is not installed"


def main(build):
    found = list(faults(installed(build)))
    print("\n".join(found) or "each link leads to what is installed")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
