#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""guidefigures.py ROOT [--write]: the measured figures of docs/guide/choosing.md and the sentences
of docs/evaluation.md are those of the tables that they come from, so that a new measurement does
not leave them behind.

--write puts new figures into the rows of their tables; sentences are for people to change."""

import re
import sys
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "eval" / "common"))
import mdtable  # noqa: E402 pylint: disable=wrong-import-position

GUIDE, EVALUATION = "docs/guide/choosing.md", "docs/evaluation.md"
LAB, BROWSER, PICTURE = "docs/lab.md", "docs/browser.md", "docs/picture.md"
P95_AIM_MS = 30         # of eval/lab/groups.py, above the length of a stall

BROWSER_SENDERS = {
    "rtparcbwe uses {} % of 3, 1 and 3 Mbit/s to Chromium": "webrtcbin with rtparcbwe -> Chromium",
    "rtpgccbwe {} %": "webrtcbin with rtpgccbwe -> Chromium",
}
PHASES = ("0 to 20 s", "20 to 40 s", "40 to 65 s")
LOSS_CASES = (
    ("5 % lost at random, round trip 100 ms", "5% at random, 100 ms"),
    ("5 % lost at random, round trip 200 ms", "5% at random, 200 ms"),
    ("5 % lost in bursts, round trip 100 ms", "5% in bursts, 100 ms"),
    ("5 % lost in bursts, round trip 200 ms", "5% in bursts, 200 ms"),
)
FALL = ("the link falls from 3 to 1 Mbit/s, 5 % lost",
        "3, 1, 3 Mbit/s for 10 s each, 5 % at random")
PICTURE_SENDERS = ("gst-arc, at most 1.5 Mbit/s", "SRT", "RIST")


class Source:
    """The tables of a page, whole from the data beside it if it has such."""

    def __init__(self, root, name):
        self.name, self.document = name, root / name

    def table(self, name):
        """{first cell: {heading: cell}} of the table of that name."""
        rows = mdtable.cells_of(mdtable.kept(self.document, name) or "|")
        return {row[0]: dict(zip(rows[0], row)) for row in rows[1:]}

    def cell(self, name, row, column):
        try:
            return self.table(name)[row][column].rstrip("°")  # of older runs
        except KeyError:
            sys.exit(f"{self.name}: no row '{row}' with a column '{column}' in '{name}'")


def whole(number):
    return Decimal(number).quantize(Decimal(1), ROUND_HALF_UP)


def browser_sentences(browser):
    """From "96 / 4 / 14 (17) / 0"."""
    for text, row in BROWSER_SENDERS.items():
        first, second, third = (
            browser.cell("test-source", row, phase).split(" / ")[0]
            for phase in PHASES)
        yield EVALUATION, text.format(f"{first}, {second} and {third}")


def seen(intact, delays):
    if intact == "–":
        return "–"
    return f"{whole(intact)} %, {delays.split(' / ')[0]} ms"


def picture_rows(picture):
    for guide_name, row in LOSS_CASES:
        yield GUIDE, guide_name, " | ".join(
            seen(picture.cell("intact", row, sender).split(" · ")[0],
                 picture.cell("delays", row, sender))
            for sender in PICTURE_SENDERS)
    guide_name, row = FALL
    cells = []
    for sender in PICTURE_SENDERS:
        intact, _, delays, _ = picture.cell("fall", row, sender).split(" · ")
        cells.append(seen(intact.split()[0], delays))
    yield GUIDE, guide_name, " | ".join(cells)


def sentences(lab):
    """(page, what it has to say)"""
    rate = lab.cell("verdicts", "5.7", "missed").split(": ")[1]
    beside = f"Against ten short TCP flows {{}} {whole(rate[:-1])} % of the rate that it has"
    yield GUIDE, beside.format("it keeps")
    yield EVALUATION, beside.format("gst-arc keeps")
    recorded = lab.table("group traces")["trace-ATT-LTE-driving.up.0-120s"]
    ours = recorded["arc"].split(" · ")[0].split(" / ")
    yield EVALUATION, (f"On a recorded LTE uplink gst-arc used {ours[0][:-1]} % of the capacity "
                       f"with {ours[2]} ms at the 95th percentile of the queueing delay")
    uses, above = [], []
    for name, row in lab.table("group noise").items():
        if match := re.fullmatch(r"stall-(\d+)-\w+", name):
            use, _, p95_ms = row["arc"].split(" · ")[0].split(" / ")
            uses.append(int(use[:-1]))
            above.append(int(p95_ms) - int(match[1]) - P95_AIM_MS)
    yield GUIDE, (f"it uses {min(uses)} to {max(uses)} % of the link, and the 95th percentile of "
                  f"the delay is {min(above)} to {max(above)} ms above the target")


def main(root, write):
    lab, browser, picture = (Source(root, name) for name in (LAB, BROWSER, PICTURE))
    pages = {name: (root / name).read_text(encoding="utf-8") for name in (GUIDE, EVALUATION)}
    faults = []
    for name, first, rest in picture_rows(picture):
        row = f"| {first} | {rest} |"
        if row in pages[name].splitlines():
            continue
        old = re.compile(rf"^\| {re.escape(first)} \|.*\d.*$", re.MULTILINE)
        if write and old.search(pages[name]):
            pages[name] = old.sub(lambda _, row=row: row, pages[name], count=1)
        else:
            faults.append(f"{name} should have\n    {row}")
    faults += [f"{name} should say\n    ... {text} ..."
               for name, text in (*sentences(lab), *browser_sentences(browser))
               if text not in " ".join(pages[name].split())]
    if write:
        for name, text in pages.items():
            (root / name).write_text(text, encoding="utf-8")
    print("\n".join(faults) or "as measured")
    if faults and not write:
        print("tests/docs/guidefigures.py . --write changes the tables")
    return bool(faults)


sys.exit(main(Path(sys.argv[1]), sys.argv[2:] == ["--write"]))
