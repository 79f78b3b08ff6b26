#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Installs the documents that a user needs: guides, reference, and one page of the evaluation. A
link to what is not installed becomes the name of the file in the source tree.

Usage: install.py FOLDER, below the prefix (a script of `meson install`); or with --to an empty
folder, which gets the examples too."""

import os
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = ("README.md", "SECURITY.md", "docs/README.md", "docs/evaluation.md", "docs/guide/**/*.md",
         "docs/reference/**/*.md")
PLAIN = ("NEWS",)
EXAMPLES = "examples"           # meson installs them
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)]*)?\)")
REFERENCE = re.compile(r"^(!?)\[([^\]]*)\]\[([^\]]+)\]$", re.MULTILINE)
TARGET = re.compile(r"^\[([^\]]+)\]: *(\S+)\n", re.MULTILINE)
EXTERNAL = re.compile(r"[a-z]+:")


def pages():
    return sorted({path.relative_to(ROOT) for glob in PAGES for path in ROOT.glob(glob)})


class Page:
    """The text of a page as it is installed, and the pictures that it shows."""

    def __init__(self, path, installed):
        self.path, self.installed, self.pictures = path, installed, set()
        text = (ROOT / path).read_text(encoding="utf-8")
        # A line `![text][name]` and its target become one link.
        targets = dict(TARGET.findall(text))
        text = REFERENCE.sub(lambda m: f"{m[1]}[{m[2]}]({targets[m[3]]})"
                             if m[3] in targets else m[0], text)
        self.text = LINK.sub(self.link, TARGET.sub("", text))

    def link(self, match):
        picture, text, link, _ = match.groups()
        if EXTERNAL.match(link):
            return match[0]
        target = Path(os.path.normpath(self.path.parent / link))
        if picture:
            self.pictures.add(target)
            return match[0]
        if target in self.installed or target.parts[0] == EXAMPLES \
                or any(target in path.parents for path in self.installed):
            return match[0]
        return f"`{target}`" if target.name in text else f"{text} (`{target}`)"


def install(folder):
    installed = set(pages()) | {Path(name) for name in PLAIN}
    for path in installed:
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix != ".md":
            shutil.copyfile(ROOT / path, place)
            continue
        page = Page(path, installed)
        place.write_text(page.text, encoding="utf-8")
        for picture in page.pictures:
            (folder / picture).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / picture, folder / picture)


def main():
    if sys.argv[1] == "--to":
        install(Path(sys.argv[2]))
        shutil.copytree(ROOT / EXAMPLES, Path(sys.argv[2]) / EXAMPLES)
    else:
        install(Path(os.environ["MESON_INSTALL_DESTDIR_PREFIX"]) / sys.argv[1])


if __name__ == "__main__":
    main()
