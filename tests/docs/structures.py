#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""structures.py ROOT: the structures of <gst/arc/arc.h> are what docs/reference says.

- Each name of arc.h is described on some page, but the query between elements, which only elements
  of this plugin can use. What is no element's has another document.
- Where the code makes a structure of arc.h by gst_structure_new, each of its fields has its line,
  with its type, in the description of that structure.

tests/check/elements/names.c checks statistics as they are made; messages and events are made on
occasions that a test of documents does not have."""

import re
import sys
from pathlib import Path

NAME = re.compile(r'^#define (GST_\w+) "(\w+)"', re.MULTILINE)
INTERNAL = {"GST_ARC_QUEUES_UPSTREAM"}
ELSEWHERE = {"GST_ARC_MONITOR_SNAPSHOT": "docs/guide/monitor.md",
             "GST_ARC_MONITOR_MESSAGE": "docs/guide/monitor.md"}
MADE = re.compile(r"gst_structure_new \((GST_[A-Z_]+|name),(.*?)NULL\)", re.DOTALL)
PAIR = re.compile(r'"([a-z-]+)",\s*(G_TYPE_\w+|GST_TYPE_\w+)')
SECTION = re.compile(r"^### `(\w+)`$(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^- `([\w-]+)` \((\w+)(?:,\s[^)]*)?\):\s", re.MULTILINE)
# What gst/arcsrc/peer.c makes by a variable.
BY_VARIABLE = ("GST_ARC_SRC_TIMEOUT", "GST_ARC_SRC_RESUMED")


def described(root):
    """{structure: {field: type}}, of all pages together."""
    structures = {}
    for page in (root / "docs/reference").glob("*.md"):
        for name, text in SECTION.findall(page.read_text(encoding="utf-8")):
            structures.setdefault(name, {}).update(ROW.findall(text))
    return structures


def made(root):
    """(names of arc.h, field, type, file) of each field that the code makes."""
    for path in sorted((root / "gst").rglob("*.c")):
        for macro, body in MADE.findall(path.read_text(encoding="utf-8")):
            for field, kind in PAIR.findall(body):
                macros = BY_VARIABLE if macro == "name" else (macro,)
                yield macros, field, kind.split("_TYPE_")[1].lower(), path.relative_to(root)


def faults(root):
    names = dict(NAME.findall((root / "gst/arc/arc.h").read_text(encoding="utf-8")))
    structures = described(root)
    for macro, name in names.items():
        if macro in ELSEWHERE:
            if f"`{name}`" not in (root / ELSEWHERE[macro]).read_text(encoding="utf-8"):
                yield f"{name} of arc.h is not in {ELSEWHERE[macro]}"
        elif macro not in INTERNAL and name not in structures:
            yield f"{name} of arc.h is on no page of docs/reference"
    for macros, field, kind, path in made(root):
        for macro in macros:
            fields = structures.get(names.get(macro))
            if fields is None or macro in INTERNAL:
                continue
            if fields.get(field) != kind:
                yield (f"{path}: {names[macro]} has {field} ({kind}), docs/reference says "
                       f"{fields.get(field, 'nothing')}")


def main(root):
    found = list(faults(root))
    print("\n".join(found) or "as described")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
