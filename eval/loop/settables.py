# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Reads the tables of loop-sets, and sets those of several builds beside each other. Where the
experiments of this folder find other modules: import it before them."""

import difflib
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


def first_cells(line, most):
    return "|".join(line.split("|")[:most + 1]) if most and line.startswith("|") else line


def put(page, text, check, draw, most_cells=None):
    """Writes a page of docs/results, and its pictures by draw (); or only compares it, but for the
    commit that it names and for what is behind the first `most_cells` of each table. The status."""
    path = RESULTS / page
    if not check:
        path.write_text(text, encoding="utf-8")
        draw()
        print(path)
        return 0
    recorded, made = ([first_cells(line, most_cells) for line in STAMP.sub("", each).splitlines()]
                      for each in (path.read_text(encoding="utf-8"), text))
    differing = [line for line in difflib.unified_diff(recorded, made, "recorded", "made", n=0,
                                                       lineterm="")]
    if differing:
        print(*differing[:MOST_SHOWN], f"{path} is not what this build makes; without --check the "
              "same command writes it", sep="\n")
    return 1 if differing else 0


def program(build):
    return build / "eval" / "loop" / "loop-sets"


def measure(loop_sets, *args):
    """{set: (what, columns, [(case, values)])}"""
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
        found[name] = (what, columns, rows)
    return found


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
