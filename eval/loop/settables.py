# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Reads the tables of loop-sets, and sets those of several builds beside each other. Where the
experiments of this folder find other modules: import it before them."""

import csv
import difflib
import io
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "results"
sys.path += [str(ROOT / folder) for folder in ("eval/common", "scripts")]
import mdtable  # noqa: E402
import provenance  # noqa: E402


STAMP = re.compile(r"(?:\d{4}-\d\d-\d\d, )?commit `[^`]*`")
MOST_SHOWN = 20                 # lines of a difference


def made(check):
    """The stamp of a page that is written; what stands for it where the page is only compared."""
    return "commit ``" if check else provenance.stamp()


def difference(path, text):
    """Lines; none: the file is what was made, but for the commit that it names."""
    lines = (STAMP.sub("", each).splitlines() for each in (path.read_text(encoding="utf-8"), text))
    return list(difflib.unified_diff(*lines, "recorded", "made", n=0, lineterm=""))


def put(files, check, draw):
    """files: {name in docs/results: text}. Writes them, and their pictures by draw (); or only
    compares them. The status."""
    status = 0
    for name, text in files.items():
        path = RESULTS / name
        if not check:
            path.write_text(text, encoding="utf-8")
            print(path)
        elif differing := difference(path, text):
            print(*differing[:MOST_SHOWN], f"{path} is not what this build makes; without --check "
                  "the same command writes it", sep="\n")
            status = 1
    if not check:
        draw()
    return status


def csv_text(rows):
    """The data beside a page."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def csv_rows(name):
    with (RESULTS / name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def program(build):
    return build / "eval" / "loop" / "loop-sets"


def tables(loop_sets, *args):
    """{set: (what, columns, [(case, values)], summary)}"""
    text = subprocess.run([loop_sets, *args], capture_output=True, text=True, check=True).stdout
    found, lines = {}, iter(text.splitlines())
    for line in lines:
        name, what = line.split(": ", 1)
        columns = next(lines).split()
        rows = []
        for row in lines:
            if row.startswith(f"{name}:"):
                break
            words = row.rsplit(maxsplit=len(columns))
            rows.append((one_spaced(words[0]), words[1:]))
        found[name] = (what, columns, rows, row.split(":", 1)[1].split())
    return found


def measure(loop_sets, *args):
    """{set: (what, columns, [(case, values)])}"""
    return {name: each[:3] for name, each in tables(loop_sets, *args).items()}


@dataclass
class Column:
    """Of a set: each run's value."""
    worst: str                  # least, most, or mean: neither
    decimals: int
    cases: dict                 # {case: [value of each seed]}; nan: none


def one_spaced(case):
    return re.sub(" +", " ", case).replace(" ,", ",").strip()


def runs(loop_sets, *args):
    """{set: {column: Column}}"""
    text = subprocess.run([loop_sets, "-r", *args], capture_output=True, text=True,
                          check=True).stdout
    found = {}
    for line in text.splitlines():
        name, case, _, column, worst, decimals, value = line.split("\t")
        columns = found.setdefault(name, {})
        cases = columns.setdefault(column, Column(worst, int(decimals), {})).cases
        cases.setdefault(one_spaced(case), []).append(float(value))
    return found


def mean(rows, k):
    values = [float(values[k]) for _, values in rows if values[k] != "-"]
    return sum(values) / len(values)


def joined(tables, name):
    """[(case, [values of each program])] of a set"""
    of = [dict(table[name][2]) for table in tables]
    return [(case, [rows[case] for rows in of]) for case, _ in tables[-1][name][2]]


def table(columns, rows):
    """rows: as joined() has them"""
    cells = [[case, *map(" / ".join, zip(*values))] for case, values in rows]
    return mdtable.table(["case", *columns], cells)
