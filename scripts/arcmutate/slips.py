# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Small changes of single lines of C, as a slip of the hand would make them."""

import re
from dataclasses import dataclass
from pathlib import Path

# What a user reads and what describes an element changes nothing that a test could see.
DESCRIPTIVE = re.compile(r"GST_(LOG|DEBUG|INFO|WARNING|ERROR|TRACE|FIXME|OBJECT|PARAM)|"
                         r"g_param_spec|PROPERTY|DESCRIPTION_|_STATIC_|g_assert|assert \(")
SWAPS = ((" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "),
         (" != ", " == "), (" && ", " || "), (" || ", " && "), (" + ", " - "), (" - ", " + "),
         (" * ", " / "), (" += ", " -= "), (" -= ", " += "), ("++", "--"), ("TRUE", "FALSE"),
         ("FALSE", "TRUE"), ("true", "false"), ("false", "true"), ("MAX (", "MIN ("),
         ("MIN (", "MAX ("), ("fmax (", "fmin ("), ("fmin (", "fmax ("))
CONDITION = re.compile(r"^( *(?:} else )?(?:else )?(?:if|while) \()(.*)(\)(?: \{)?)$")
# Assignments and calls; a declaration has a type before the name.
STATEMENT = re.compile(r"^ +(?!return|break|continue|goto|case|default|else)[*(]*[\w>.\[\]-]+"
                       r"(?:\)?(?:->|\.)[\w\[\]]+)*(?: [-+*/|&<>]*= .*| \(.*\)|\+\+|--);$")
NUMBER = re.compile(r"(?<![\w.])(\d+)(?![\w.])")


@dataclass(frozen=True)
class LineMutation:
    file: str                   # below the root
    line: int                   # from 1
    was: str
    became: str

    def apply(self, text):
        lines = text.split("\n")
        assert lines[self.line - 1] == self.was
        lines[self.line - 1] = self.became
        return "\n".join(lines)


def bodies(lines):
    """(line number, line, line before) of what is inside functions, without comments."""
    inside = comment = False
    before = ""
    for number, line in enumerate(lines, 1):
        if line == "{":
            inside = True
        elif line == "}":
            inside = False
        begins = "/*" in line
        if inside and not comment and not begins and not line.lstrip().startswith("#"):
            yield number, line, before
        if begins or comment:
            comment = "*/" not in line
        before = line


def without_strings(line):
    """As long as the line, so that places in it stay."""
    return re.sub(r'"(?:[^"\\]|\\.)*"', lambda found: "_" * len(found[0]), line)


def changes(line, before):
    """All changed lines that are tried."""
    if DESCRIPTIVE.search(line):
        return
    bare = without_strings(line)
    for old, new in SWAPS:
        for found in re.finditer(re.escape(old), bare):
            yield line[:found.start()] + new + line[found.end():]
    for found in NUMBER.finditer(bare):
        yield f"{line[:found.start()]}{int(found[1]) + 1}{line[found.end():]}"
    if found := CONDITION.match(line):
        yield f"{found[1]}!({found[2]}){found[3]}"
    if STATEMENT.match(line) and before.rstrip().endswith((";", "{", "}")):
        yield re.match(" *", line)[0] + ";"


def of_file(root, file):
    """[mutations] of each line that has some."""
    lines = (Path(root) / file).read_text("utf-8").split("\n")
    found = []
    for number, line, before in bodies(lines):
        if became := sorted(set(changes(line, before)) - {line}):
            found.append([LineMutation(file, number, line, each) for each in became])
    return found


def draw(root, folder, generator):
    """Lines without end, each as likely as any other of the folder, with one change of each."""
    files = sorted(path.relative_to(root).as_posix() for path in (root / folder).rglob("*.c"))
    lines = [line for file in files for line in of_file(root, file)]
    while lines:
        yield generator.choice(lines.pop(generator.randrange(len(lines))))
