#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""words.py ROOT: the words of all documents, and of those that the packages install, by folder.
Fails where they are more than a reader was promised: before a page grows, another one shrinks."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

ALL_MOST, INSTALLED_MOST = 96_000, 36_000      # the aims are 95 000 and 30 000


def counted(root, pages):
    """{folder: words}"""
    words = Counter()
    for page in pages:
        words[page.parent.as_posix()] += len((root / page).read_text(encoding="utf-8").split())
    return words


def main(root):
    sys.path.insert(0, str(root / "tools/documents"))
    import install  # pylint: disable=import-outside-toplevel
    found = subprocess.run(["git", "-C", root, "ls-files", "*.md"], capture_output=True, text=True,
                           check=False).stdout.split()
    everything = counted(root, [Path(page) for page in found if (root / page).exists()])
    good = True
    for what, words, most in (("all", everything, ALL_MOST),
                              ("installed", counted(root, install.pages()), INSTALLED_MOST)):
        for folder, n in sorted(words.items(), key=lambda row: -row[1]):
            print(f"{n:6} {folder} ({what})")
        ok = sum(words.values()) <= most
        print(f"{'ok' if ok else 'FAILED'}: {sum(words.values())} words of {most} ({what})")
        good &= ok
    return 0 if good else 1


sys.exit(main(Path(sys.argv[1])))
