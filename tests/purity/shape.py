# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""shape.py ROOT [--list]: the sizes that CONTRIBUTING.md asks for, over the C, C++ and Python code
below ROOT.

- Functions have at most 60 lines, from the name to the closing brace.
- Lines have at most 100 columns.
- Files do not include each other in a circle (a file is its .c, .h and private .h together).
- No two files outside the tests have one name.
- The live law does not grow: its code lines and constants (scripts/lawsource.py).

What misses a size today is in shape.txt with what it has. The list only shrinks: more than it says
fails, and so does an entry that is no longer needed. --list prints what it would be now."""

import ast
import re
import sys
from collections import defaultdict
from pathlib import Path

FOLDERS = ("gst", "lib", "tools", "tests", "papers", "eval", "examples", "scripts")
MOST_FUNCTION_LINES = 60
MOST_COLUMNS = 100

# arc.h is installed as <gst/arc/arc.h>; the law of that name is arc, too.
NAMES = {"arc.h"}
TEXTS = {
    "function": f"{{}} lines, a function has at most {MOST_FUNCTION_LINES}",
    "columns": f"{{}} lines of more than {MOST_COLUMNS} columns",
    "circle": "{} files include each other",
    "name": "{} files of one name",
    "law-lines": "{} code lines with its trials and path measures: more than before",
    "law-constants": "{} constants with its trials and path measures: more than before",
}
LIST = Path(__file__).with_name("shape.txt")
sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))
import lawsource  # noqa: E402

NO_FUNCTION = re.compile(r"\s*(typedef|struct|class|namespace|enum|union|extern)\b")
# What ends before a function begins; a class is no function, its members are.
BEFORE = re.compile(r"(;|}|\*/|^\s*(public|protected|private):)$")


def signature(lines, brace):
    """(name, its line) of the function whose opening brace stands alone in that line, or None."""
    first = brace
    while first > 0 and (before := lines[first - 1].rstrip()) and not BEFORE.search(before):
        first -= 1
    for i in range(first, brace):
        if NO_FUNCTION.match(lines[i]):
            return None
        if match := re.search(r"([\w:~]+) ?\((\w*)", lines[i]):
            return match[2] if re.match(r"(TIMED_)?CLAIM", match[1]) else match[1], i
    return None


def c_functions(lines):
    """(name, lines) of functions, whose braces stand alone, at column 0 or, in a class, at column
    2."""
    for brace, line in enumerate(lines):
        if line in ("{", "  {") and (found := signature(lines, brace)):
            end = next(i for i in range(brace, len(lines)) if lines[i].startswith(line.replace("{", "}")))
            yield found[0], end - found[1] + 1


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.end_lineno - node.lineno + 1


def is_python(path):
    if path.suffix == ".py":
        return True
    if path.suffix:
        return False
    with path.open("rb") as file:
        return re.match(rb"#!.*python", file.readline()) is not None


def code_files(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and (path.suffix in (".c", ".h", ".cc") or is_python(path)):
                yield path, path.relative_to(root).as_posix()


def include_circles(files):
    """A file includes the headers of others; a circle among them, as names of files without
    suffix."""
    unit = {name: re.sub(r"(private)?\.(c|h|cc)$", "", name) for name in files}
    by_header = {name: unit[name] for name in files if name.endswith(".h")}
    uses = defaultdict(set)
    for name, text in files.items():
        for header in re.findall(r'^#include [<"]([^>"]+)[>"]', text, re.MULTILINE):
            beside = str(Path(name).parent / header)
            for full in (beside, header, f"lib/{header}", f"gst/{header}"):
                if full in by_header:
                    uses[unit[name]].add(by_header[full])
                    break
    done = set()

    def visit(name, path):
        if name in path:
            yield [*path[path.index(name):], name]
        elif name not in done:
            for other in sorted(uses[name] - {name}):
                yield from visit(other, [*path, name])
            done.add(name)

    for name in sorted(uses):
        yield from visit(name, [])


def measured(root):
    """{(what, where): number} of everything that misses a size."""
    found, names, texts = {}, defaultdict(set), {}
    for path, name in code_files(root):
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        in_tests = name.startswith("tests/")
        if path.suffix in (".c", ".h", ".cc"):
            texts[name] = text
        for function, n in python_functions(text) if is_python(path) else c_functions(lines):
            if n > MOST_FUNCTION_LINES:
                found["function", f"{name}:{function}"] = n
        if n := sum(len(line) > MOST_COLUMNS for line in lines):
            found["columns", name] = n
        if not in_tests and path.suffix and path.name not in NAMES:
            names[path.name].add(name)
    for circle in include_circles(texts):
        found["circle", "->".join(circle)] = len(circle) - 1
    for same in names.values():
        if len(same) > 1:
            found["name", ",".join(sorted(same))] = len(same)
    lines, constants = lawsource.size(lawsource.of_tree(root))
    return found | {("law-lines", f"{lawsource.FIRST}.c"): lines,
                    ("law-constants", f"{lawsource.FIRST}.c"): constants}


def main(root, *options):
    found = measured(root)
    if options == ("--list",):
        print("\n".join(f"{what} {where} {n}" for (what, where), n in sorted(found.items())))
        return 0
    rows = [line.split() for line in LIST.read_text(encoding="utf-8").splitlines()]
    listed = {(what, where): int(n) for what, where, n in rows}
    faults = [
        *(f"{where}: {TEXTS[what].format(n)}" for (what, where), n in sorted(found.items())
          if n > listed.get((what, where), 0)),
        *(f"{where}: take `{what}` off tests/purity/shape.txt" for what, where in sorted(set(listed) - set(found))),
    ]
    print("\n".join(faults) or "in shape")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]))
