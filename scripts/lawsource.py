# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The source of the live law: arclive.c with its trials and path measures, which are the units of
lib/rc/law and lib/rc/path that it includes, at first or second hand. Its code lines and constants
are counted by scripts/codelines --law, may not grow (tests/purity/shape.py), and each constant is
measured by eval/loop/ablate."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

FIRST = "lib/rc/law/arclive"
FOLDERS = ("rc/law/", "rc/path/")
# What every law has: its interface, and the stop when nobody answers.
OF_ALL_LAWS = {"lib/rc/law/arc", "lib/rc/law/cause", "lib/rc/law/law", "lib/rc/law/limits",
               "lib/rc/path/silence"}
INCLUDE = re.compile(r"^#include <([^>]+)\.h>", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
DEFINE = re.compile(r"^#define (\w+) +(.*\S)", re.MULTILINE)
SECTION = re.compile(r"^/\* --- (.*) --- \*/$", re.MULTILINE)


@dataclass(frozen=True)
class Constant:
    name: str
    value: str                  # as written
    path: str                   # of its file
    section: str                # of the file; "": it has none


def without_comments(text):
    """The same lines."""
    return COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)


def code_lines(text):
    return sum(1 for line in without_comments(text).splitlines() if line.strip())


def files(read):
    """{path: text} of the law. read: the text of a path, or None if there is no such file."""
    found, seen, todo = {}, set(), [FIRST]
    while todo:
        unit = todo.pop(0)
        if unit in seen:
            continue
        seen.add(unit)
        paths = {path: text for path in (f"{unit}.c", f"{unit}.h")
                 if (text := read(path)) is not None}
        if unit not in OF_ALL_LAWS:
            found |= paths
        todo += [f"lib/{name}" for text in paths.values() for name in INCLUDE.findall(text)
                 if name.startswith(FOLDERS)]
    return found


def of_tree(root):
    def read(path):
        return (root / path).read_text(encoding="utf-8") if (root / path).exists() else None
    return files(read)


def constants(sources):
    """Of files (), in their order."""
    found = []
    for path, text in sources.items():
        for match in DEFINE.finditer(without_comments(text)):
            sections = ["", *SECTION.findall(text[:text.index(f"#define {match[1]}")])]
            found.append(Constant(*match.groups(), path, sections[-1]))
    return found


def size(sources):
    """(code lines, constants)"""
    return sum(map(code_lines, sources.values())), len(constants(sources))


def unit_sizes(sources):
    """{unit: (code lines, constants)}"""
    units = dict.fromkeys(str(PurePosixPath(path).with_suffix("")) for path in sources)
    return {unit: size({path: text for path, text in sources.items()
                        if path.startswith(f"{unit}.")}) for unit in units}
