#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The documents stand alone where they are installed, as in the package gst-arc-doc: each relative
link of an installed page leads to a file or a folder that is installed too, and what leads nowhere
is no link.

Usage: links.py SOURCE
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)|^\[[^\]]+\]: *(\S+)", re.MULTILINE)
EXTERNAL = re.compile(r"[a-z]+:")
NEEDED = ("README.md", "docs/guide/first-stream.md", "docs/reference/rmcsink.md",
          "docs/evaluation.md", "examples/pipelines/README.md")


def faults(folder):
    for name in NEEDED:
        if not (folder / name).exists():
            yield f"{name} is not installed"
    for page in sorted(folder.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        for link in sorted({first or second for first, second in LINK.findall(text)}):
            target = Path(os.path.normpath(page.parent / link))
            if not EXTERNAL.match(link) and not target.exists():
                yield f"{page.relative_to(folder)}: {link} is not installed"


def main(source):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, Path(source, "tools/documents/install.py"), "--to", folder],
                       check=True)
        found = list(faults(Path(folder)))
    print("\n".join(found) or "each link leads to what is installed")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
