#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What of gst-arc works together: runs the cells of tests/check/combinations/table.ini.

    scripts/combinations                    all cells; a line each, then the table and its count
    scripts/combinations ROW|all COLUMN...  these
    scripts/combinations --list             their names
    scripts/combinations --write            docs/reference/combinations.md from the table"""

import argparse
import os
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2])]
from quiet import Claim, judge  # noqa: E402  pylint: disable=wrong-import-position
from table import Table  # noqa: E402  pylint: disable=wrong-import-position

FOLDER = Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"     # to which python3-gi belongs
MOST_S = 150
SKIPPED = 77
PAGE = FOLDER.parents[2] / "docs" / "reference" / "combinations.md"
NEEDS = "import gi; [gi.require_version(n, '1.0') for n in ('Gst', 'GstSdp', 'GstWebRTC')]"


def run(row, column, may_crash=False):
    """(whether the verdict of the table holds, what was seen)"""
    command = [PYTHON, FOLDER / "cell.py", row, column]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False, timeout=MOST_S)
    except subprocess.TimeoutExpired:
        return False, f"expected an end within {MOST_S} s, saw none"
    said = (done.stdout.strip().splitlines() or [""])[-1]
    if done.returncode in (0, SKIPPED):
        return True, said
    if done.returncode < 0 or not said:
        last = (done.stderr.strip().splitlines() or [""])[-1]
        return may_crash, f"expected an end, saw status {done.returncode}: {said} {last}"
    return False, said


def cells_of(table, row, columns):
    return [cell for cell in table.cells() if row in ("all", cell[0])
            and (not columns or cell[1] in columns)]


def line(number, n, row, column, ok, said, took_s):
    return (f"{number}/{n} {'' if ok else 'WRONG '}{row} x {column}: "
            f"{said.removeprefix('ok ')} ({took_s:.1f} s)")


def run_all(table, cells, jobs):
    """Prints a line for each; whether all hold."""
    to_run = [cell for cell in cells if table.cell(*cell)[0] != "none"]
    wrong, skipped = [], 0

    def one(cell):
        begin_s = time.monotonic()
        return cell, *run(*cell, table.cell(*cell)[0] == "fails"), time.monotonic() - begin_s

    begin_s = time.monotonic()
    with ThreadPoolExecutor(jobs) as pool:
        for number, (cell, ok, said, took_s) in enumerate(pool.map(one, to_run), 1):
            print(line(number, len(to_run), *cell, ok, said, took_s), flush=True)
            skipped += said.startswith("skipped: ")
            if not ok:
                wrong.append(cell)
    print()
    for text in matrix(table, cells, wrong) if len(cells) > 1 else ():
        print(text)
    print(f"\n{counted(table)}; {len(to_run)} run in {time.monotonic() - begin_s:.0f} s, "
          f"{skipped} skipped, {len(wrong)} wrong")
    return not wrong


def counted(table):
    count = table.count()
    return (f"{sum(count.values())} cells: {count['works']} work, {count['refused']} refused, "
            f"{count['none']} do not apply, {count['fails']} fail")


MARKS = {"works": "works", "refused": "refused", "none": "-", "fails": "fails"}


def matrix(table, cells, wrong):
    """For the terminal."""
    width = max(map(len, table.columns)) + 1
    yield " " * width + " ".join(f"{row:>9}" for row in table.rows)
    for column in table.columns:
        texts = ["WRONG" if cell in wrong else MARKS[table.cell(*cell)[0]] if cell in cells else ""
                 for cell in ((row, column) for row in table.rows)]
        yield f"{column:{width}}" + " ".join(f"{text:>9}" for text in texts)


# --- the page ---

HEAD = """# What works together

<!-- Made by `scripts/combinations --write`; do not edit. -->

What may be added works with each way to send, except as below: `scripts/combinations` runs each
pair over the loopback. A picture comes within {within} s at a sink that drops late frames,
statistics of both ends move, and counters of errors stay 0.
"""


def page(table):
    yield HEAD.format(within=table.ini["common"]["within"])
    yield f"{counted(table)}."
    for head, sections in (("Ways to send", table.rows), ("What may be added", table.columns)):
        titles = "; ".join(section["title"] for section in sections.values())
        yield "\n" + textwrap.fill(f"**{head}**: {titles}.", 100)
    for verdict, title in (("fails", "What should work and does not yet"),
                           ("refused", "What is refused, and how"),
                           ("none", "What does not apply, and why")):
        if reasons := reasons_of(table, verdict):
            yield f"\n## {title}\n"
            yield from reasons


def reasons_of(table, verdict):
    """A line for each reason: what may be added, and to which ways to send."""
    columns = {}
    for column, section in table.columns.items():
        rows = {}
        for row in table.rows:
            held, why = table.cell(row, column)
            if held == verdict:
                rows.setdefault(why, []).append(table.rows[row]["title"])
        for why, titles in rows.items():
            columns.setdefault((why, tuple(titles)), []).append(section["title"])
    return [textwrap.fill(f"- {'; '.join(named)} ({'; '.join(titles)}): {why}.", 100,
                          subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)
            for (why, titles), named in columns.items()]


# --- as a test ---

def check(table, cells):
    """What the clock may have made is tried again."""
    ok = True
    for cell in cells:
        def claims(cell=cell):
            good, said = run(*cell)
            if said.startswith("skipped: "):
                print(f"skipped: {' x '.join(cell)}: {said.removeprefix('skipped: ')}")
            else:
                yield Claim(f"{' x '.join(cell)}: {said.removeprefix('ok ')}", good, timed=True)
        ok &= judge(claims, again_within_s=MOST_S / 2)
    return ok


def pairs(table, row):
    """Of the row, the columns that ./check runs: each column is run in two of the rows where it
    works, and in one where it is refused, and each row has about as many."""
    chosen = {name: [] for name in table.rows}
    for column, section in table.columns.items():
        wanted = section.get("check", "").split()
        for verdict, n in (("works", 2), ("refused", 1)):
            rows = [name for name in table.rows if table.cell(name, column)[0] == verdict]
            rows.sort(key=lambda name: (name not in wanted, len(chosen[name])))
            for name in rows[:n]:
                chosen[name].append(column)
    return [(row, column) for column in chosen[row]]


def main():
    parser = argparse.ArgumentParser(prog="scripts/combinations", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("row", nargs="?", default="all", metavar="ROW")
    parser.add_argument("columns", nargs="*", metavar="COLUMN")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N",
                        help="cells at a time (%(default)s)")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--fresh", action="store_true", help="the test of the page")
    parser.add_argument("--check", action="store_true", help="the tests of a row in ./check")
    args = parser.parse_args()
    table = Table()
    known = {args.row: {"all", *table.rows}} | {name: table.columns for name in args.columns}
    for name, names in known.items():
        if name not in names:
            parser.error(f"there is no {name}, but {', '.join(names)}")
    if args.list:
        for name, section in [*table.rows.items(), *table.columns.items()]:
            print(f"{name:18} {section['title']}")
        return 0
    text = "\n".join(page(table)) + "\n"
    if args.write:
        PAGE.write_text(text, encoding="utf-8")
    if args.write or args.fresh:
        print(counted(table))
        if stale := PAGE.read_text(encoding="utf-8") != text:
            print(f"{PAGE.name} is not of this table: scripts/combinations --write")
        build = (FOLDER / "meson.build").read_text(encoding="utf-8")
        if missing := [row for row in table.rows if f"'{row}'" not in build]:
            print(f"meson.build has no test of {', '.join(missing)}")
        return int(stale or bool(missing))
    if missing := subprocess.run([PYTHON, "-c", NEEDS], check=False).returncode:
        print("skipped: no python3-gi: apt-get install python3-gi gir1.2-gst-plugins-bad-1.0")
        return SKIPPED if args.check else missing
    if args.check:
        return not check(table, pairs(table, args.row))
    return not run_all(table, cells_of(table, args.row, args.columns), args.jobs)


if __name__ == "__main__":
    sys.exit(main())
