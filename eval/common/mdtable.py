# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Tables of Markdown: their rows, medians of runs, figures against their targets, and their place
in a document and in the data beside it."""

import csv
import json
import re
import shutil
import statistics
from collections import namedtuple


UNKNOWN = "–"


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


def cells_of(text):
    """Of each row of a table, that of the head first; []: there is no table."""
    rows = [line.strip().strip("|").split("|") for line in text.strip().splitlines()]
    return [[cell.strip() for cell in each] for each in rows[:1] + rows[2:]]


def merge(before, after, order=()):
    """A table, in which what the other one knows is replaced. Each row begins with its name; those
    in the order come first."""
    known = {(name, column): value
             for head_cells, *rows in filter(None, (cells_of(before), cells_of(after)))
             for name, *values in rows
             for column, value in zip(head_cells[1:], values) if value != UNKNOWN}
    columns = dict.fromkeys(column for _, column in known)
    names = {name for name, _ in known}
    rows = [[name, *(known.get((name, column), UNKNOWN) for column in columns)]
            for name in dict.fromkeys([*order, *(name for name, _ in known)]) if name in names]
    return table([*cells_of(before or after)[0][:1], *columns], rows) if rows else before or after


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


def taken(document, name):
    """What is between the marks of this name in the document."""
    found = re.search(rf"<!-- begin of {name} -->\n(.*?)<!-- end of {name} -->",
                      document.read_text(encoding="utf-8"), flags=re.S)
    return found[1] if found else ""


def put(document, name, text):
    """Between the marks of this name in the document."""
    page, count = re.subn(rf"(<!-- begin of {name} -->\n).*?(<!-- end of {name} -->)",
                          lambda found: f"{found[1]}{text.rstrip()}\n{found[2]}",
                          document.read_text(encoding="utf-8"), flags=re.S)
    if count != 1:
        raise ValueError(f"{document}: no marks of {name}")
    document.write_text(page, encoding="utf-8")


def data_of(document):
    """The file beside it that has its tables whole: for each a line with its name, its head and its
    rows."""
    return document.with_suffix(".csv")


def all_kept(document):
    """{name: [cells of each row]} of the data."""
    found = {}
    if data_of(document).exists():
        with data_of(document).open(encoding="utf-8", newline="") as file:
            for cells in filter(None, csv.reader(file)):
                if len(cells) == 1:
                    rows = found[cells[0]] = []
                else:
                    rows.append(cells)
    return found


def kept(document, name):
    """Text: of the data, or of the document, which has no data yet."""
    rows = all_kept(document).get(name)
    return table(rows[0], rows[1:]) if rows else taken(document, name)


def keep(document, name, text):
    """A table into the data."""
    tables = all_kept(document) | {name: cells_of(text)}
    with data_of(document).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for each, rows in tables.items():
            writer.writerows([*([[]] if file.tell() else []), [each], *rows])


def part(text, shown=None, hidden=()):
    """Of a table the rows that shown (cells) picks, without shown all; hidden: names of columns
    that are left out."""
    cells, *rows = cells_of(text)
    columns = [k for k, cell in enumerate(cells) if cell not in hidden]
    return table([cells[k] for k in columns],
                 [[each[k] for k in columns] for each in filter(shown or any, rows)])


def record(document, name, text, shown=None, hidden=()):
    """Into the data; and its part into the document, if it has its marks."""
    keep(document, name, text)
    if f"<!-- begin of {name} -->" in document.read_text(encoding="utf-8"):
        put(document, name, part(text, shown, hidden))


def publish(document, sections, pictures):
    """sections: {name: text}; pictures: {name in the folder that has the document's name: file},
    of which those that are there are copied."""
    for name, text in sections.items():
        put(document, name, text)
    folder = document.with_suffix("")
    for name, picture in pictures.items():
        if picture.exists():
            folder.mkdir(exist_ok=True)
            shutil.copy(picture, folder / f"{name}.png")
