# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""paths.py ROOT: the files that the documents name exist.

In every *.md of the repository: a path from the root in backticks, a bare name of a file in
backticks (somewhere below ROOT), a link to a file, and a test that is named behind its file, as in
tests/check/rc/rmc.c test_kr_two_is_refused."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

FOLDERS = ("docs", "eval", "examples", "gst", "lib", "papers", "scripts", "tests", "tools")
PATH = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[\w./*-]*)`?")
FILE = re.compile(r"`([\w-]+\.(?:c|h|cc|py|md|launch))`")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
TESTS = re.compile(r"(tests/[\w/]+\.c):? ((?:test_\w+(?:, )?)+)")
TEST = re.compile(r"^(?:TIMED_)?CLAIMS?(?:_ON|_OF_SIGNAL)? \((\w+)", re.MULTILINE)


def documents(root):
    """What is in the repository, or in a release, where there is none."""
    names = []
    if shutil.which("git"):
        listed = subprocess.run(["git", "-C", root, "ls-files", "*.md"], capture_output=True,
                                text=True, check=False)
        names = listed.stdout.split()
    return [root / name for name in names] or [
        *root.glob("*.md"), *(p for folder in FOLDERS for p in (root / folder).rglob("*.md"))]


def faults(root, names, document):
    text = document.read_text(encoding="utf-8")
    for path in PATH.findall(text):
        path = path.rstrip("./")
        if not (any(root.glob(path)) if "*" in path else (root / path).exists()):
            yield f"{path} does not exist"
    for name in FILE.findall(text):
        if name not in names:
            yield f"there is no file {name}"
    for link in LINK.findall(text):
        if not (document.parent / link).exists():
            yield f"the link {link} leads nowhere"
    for path, tests in TESTS.findall(text):
        file = root / path
        there = TEST.findall(file.read_text(encoding="utf-8")) if file.exists() else []
        for test in re.findall(r"\w+", tests):
            if test not in there:
                yield f"{path} has no {test}"


def main(root):
    names = {path.name for folder in FOLDERS for path in (root / folder).rglob("*")}
    names |= {path.name for path in root.iterdir()}
    found = [f"{document.relative_to(root)}: {fault}" for document in documents(root)
             for fault in faults(root, names, document)]
    print("\n".join(found) or "all there")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
