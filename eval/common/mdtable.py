# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Tables of Markdown: their rows, medians of runs, figures against their targets, and their place
in a document."""

import json
import re
import shutil
import statistics
from collections import namedtuple


class Check(namedtuple("Check", "target found good")):
    """A target, what was found, and whether it holds."""

    def verdict(self):
        return mark(self.good)

    def __str__(self):
        return f"Target: {self.target}. Found: {self.found}: {self.verdict()}.\n"


def mark(good):
    return "**pass**" if good else "**FAIL**"


def by(rows, **wanted):
    return [r for r in rows if all(r.get(k) == v for k, v in wanted.items())]


def distinct(rows, key):
    """Values in the order in which they were measured."""
    return list(dict.fromkeys(r[key] for r in rows))


def row(*cells):
    return "| " + " | ".join(str(c) for c in cells) + " |"


def head(*cells):
    return [row(*cells), "|" + "---|" * len(cells)]


def table(cells, rows):
    """Text; cells: of the head."""
    return "\n".join([*head(*cells), *(row(*each) for each in rows)])


def number(value, places, sign=""):
    text = f"{value:{sign}.{places}f}"
    return text if float(text) else f"{0:{sign}.{places}f}"


def mbit(rate):
    return f"{rate / 1e6:g}"


def load(folder, *keys):
    """{values of these keys: figures of each run} of all metrics.json below the folder."""
    results = {}
    for path in sorted(folder.rglob("metrics.json")):
        figures = json.loads(path.read_text(encoding="utf-8"))
        results.setdefault(tuple(figures[key] for key in keys), []).append(figures)
    return results


def median(runs, name):
    """Of those that know it; None: no run does."""
    known = [run[name] for run in runs if run.get(name) is not None]
    return statistics.median(known) if known else None


def put(document, name, text):
    """Between the marks of this name in the document."""
    page, count = re.subn(rf"(<!-- begin of {name} -->\n).*?(<!-- end of {name} -->)",
                          lambda found: f"{found[1]}{text.rstrip()}\n{found[2]}",
                          document.read_text(encoding="utf-8"), flags=re.S)
    if count != 1:
        raise ValueError(f"{document}: no marks of {name}")
    document.write_text(page, encoding="utf-8")


def publish(document, sections, pictures):
    """sections: {name: text}; pictures: {name in the folder that has the document's name: file},
    of which those that are there are copied."""
    for name, text in sections.items():
        put(document, name, text)
    folder = document.with_suffix("")
    folder.mkdir(exist_ok=True)
    for name, picture in pictures.items():
        if picture.exists():
            shutil.copy(picture, folder / f"{name}.png")
