#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""commits.py ROOT: each commit that a document cites is in the history of the tree, was committed
when the figures were made (no `+`), and each page of figures cites one. Prints which pages are of
a law that has changed since. Skipped without the whole history.

    commits.py ROOT --refusal       the makers of pages refuse a tree with changes"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
# A name of a commit has a letter and a digit, so that neither a bitrate nor a word is one, or is
# behind the word.
NAME = re.compile(r"(?:(?<=commit )|(?<=commit `)|(?<![\w/.#-])(?=[0-9a-f]*[a-f])(?=[a-f]*[0-9]))"
                  r"([0-9a-f]{7,12})(\+?)(?![\w-]|\.\w)")
LAW = ("lib/rc/law", "lib/rc/path")


def git(root, *arguments, **more):
    return subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True,
                          check=False, **more)


def cited(root):
    """{page: {commit: whether it had changes that were not committed}}"""
    pages = [*root.glob("*.md"), root / "NEWS", *root.glob("docs/**/*.md"), *root.glob("eval/*.md"),
             *root.glob("papers/**/*.md"), *root.glob("papers/verdicts/*.json")]
    found = {}
    for page in sorted(pages):
        names = NAME.findall(page.read_text(encoding="utf-8"))
        found[page.relative_to(root).as_posix()] = {name: bool(plus) for name, plus in names}
    return found


def changes_of_law(root, name):
    return int(git(root, "rev-list", "--count", f"{name}..HEAD", "--", *LAW).stdout or 0)


def faults(root, pages):
    history = set(git(root, "rev-list", "HEAD").stdout.split())
    for page, names in pages.items():
        for name, changed in names.items():
            if not any(each.startswith(name) for each in history):
                yield f"{page}: no commit {name} is in the history"
            elif changed:
                yield f"{page}: {name}+ is no commit"
        if page.startswith("docs/results/") and not names:
            yield f"{page} does not say of which commit its figures are"


def old(root, pages):
    for page, names in pages.items():
        if not page.startswith("docs/") or not names:
            continue
        least = min(changes_of_law(root, name) for name in names)
        if least:
            yield f"{page}: the law has changed {least} times since its newest figures"


def refusal(root):
    """Of a tree made here, whose only file changes."""
    sys.path.append(str(root / "eval/common"))
    import provenance  # pylint: disable=import-outside-toplevel,import-error
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "law.c"
        file.write_text("one\n", encoding="utf-8")
        for words in (("init", "-q"), ("add", "law.c"),
                      ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one")):
            git(place, *words)
        print("committed:", provenance.recorded_commit(place))
        file.write_text("two\n", encoding="utf-8")
        try:
            provenance.recorded_commit(place)
        except SystemExit as said:
            print("changed:", said)
            return 0
    print("FAILED: figures of a tree with changes were recorded")
    return 1


def main(root, options):
    if options:
        return refusal(root)
    known = git(root, "rev-parse", "--show-toplevel", "--is-shallow-repository").stdout.split("\n")
    if known[:2] != [str(root), "false"]:
        print("skipped: the whole history of this tree is not here")
        return SKIPPED
    pages = cited(root)
    wrong = list(faults(root, pages))
    print(*wrong, *old(root, pages), sep="\n")
    print(sum(map(len, pages.values())), "commits cited,", len(wrong), "faults")
    return bool(wrong)


sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2:]))
