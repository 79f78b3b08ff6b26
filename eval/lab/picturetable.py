# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The tables of eval/lab/picture, with medians over the runs, and docs/picture.md."""

from places import ROOT
import mdtable
from picturecauses import CAUSES
from picturecases import CASES, FAR_CASES, SHORT_CASES
from picturesenders import SENDERS

DOCUMENT, FEC_DOCUMENT = (ROOT / "docs" / name for name in ("picture.md", "fec.md"))
IN_FEC_DOCUMENT = ("short", "far")  # of TABLES
SHOWN = (("random-5-100", "arc"), ("random-5-100", "rist"), ("random-5-200", "arc"),
         ("fall", "arc"), ("fall", "srt"), ("fall", "rist"))


class Cell:
    """Medians of the runs by name."""

    def __init__(self, runs):
        self.runs = runs

    def __getitem__(self, name):
        return mdtable.median(self.runs, name)


def freezes(cell):
    return f"{cell['freezes']:.0f}, {cell['frozen_s']:.1f} s" if cell["freezes"] else "0"


def delays(cell):
    if cell["delay_p50_ms"] is None:
        return mdtable.UNKNOWN
    return " / ".join(f"{cell[name]:.0f}" for name in ("delay_p50_ms", "delay_p95_ms"))


def sent(cell):
    return f"{cell['video_bps'] / 1e6:.2f} + {cell['overhead']:.0%}"


def ssim(cell):
    return mdtable.UNKNOWN if cell["ssim"] is None else f"{cell['ssim']:.3f}"


def intact(cell):
    return f"{100 * cell['intact']:.1f}" + (f" · {freezes(cell)}" if cell["freezes"] else "")


def shown(cell):
    text = f"{100 * cell['intact']:.1f} % · {freezes(cell)}"
    return text if cell["ssim"] is None else f"{text} · {ssim(cell)}"


def whose(cell):
    return (f"{100 * cell['intact']:.1f} % · {freezes(cell)} · "
            f"{cell['video_bps'] / 1e6:.2f} Mbit/s · {100 * cell['lost_ratio']:.0f} %")


def outage(cell):
    late = cell["late_frames"]
    return f"{cell['back_s']:.2f} s, {'–' if late is None else f'{late:.0f}'}"


LOSSES = [name for name in CASES if name.startswith(("clean", "random", "bursts"))
          and name != "random-20-50"]
SOME = ["clean", *(f"{how}-{loss}" for how in ("random", "bursts")
                   for loss in ("5-20", "5-100", "5-200", "10-100"))]
TABLES = {  # name: (cases, what a cell is)
    "intact": (LOSSES, intact),
    "ssim": (LOSSES, ssim),
    "delays": (SOME, delays),
    "sent": (SOME, sent),
    "short": ([case.name for case in SHORT_CASES], shown),
    "far": ([case.name for case in FAR_CASES], shown),
    "fall": (["fall"], lambda cell: f"{100 * cell['intact']:.1f} % · {freezes(cell)} · "
             f"{delays(cell)} · {sent(cell)}"),
    "whose": (["random-20-50", "policer"], whose),
    "outage": (["outage", "short-outage"], outage),
    "late-start": (["late-start"], lambda cell: f"{cell['first_s']:.2f} s"),
}


def table_of(results, names, text):
    senders = [name for name in SENDERS if any(name == sender for _, sender in results)]
    rows = [[CASES[name].what, *(text(Cell(results[name, sender])) if (name, sender) in results
                                 else mdtable.UNKNOWN for sender in senders)]
            for name in names if any((name, sender) in results for sender in senders)]
    return mdtable.table(["case", *(SENDERS[name].what for name in senders)], rows)


def tables(folder, cases=CASES, senders=SENDERS):
    """Of these cases and senders, as far as the folder has runs of them."""
    results = {key: runs for key, runs in mdtable.load(folder, "case", "sender").items()
               if key[0] in cases and key[1] in senders}
    return {name: table_of(results, *what) for name, what in TABLES.items()}


def causes(folder):
    """What became of the packets that the link lost, in %, where runs followed them."""
    rows = []
    for (case, sender), runs in mdtable.load(folder, "case", "sender").items():
        cell = Cell([run["causes"] for run in runs if "causes" in run])
        if cell.runs:
            lost = max(cell["lost"], 1)
            rows.append([CASES[case].what, SENDERS[sender].what, f"{cell['lost']:.0f}",
                         *(f"{100 * cell[name] / lost:.1f}" for name in CAUSES),
                         f"{cell['ask_p50_ms']:.0f} / {cell['ask_p95_ms']:.0f}",
                         f"{cell['answer_p50_ms']:.0f} / {cell['answer_p95_ms']:.0f}",
                         f"{cell['copies']:.2f}", f"{cell['keyframes_asked']:.0f}"])
    return rows and mdtable.table(["case", "sender", "lost", *CAUSES, "asked after, ms",
                                   "sent again after, ms", "copies", "keyframes asked for"], rows)


def write(folder, cases, senders, documents=(DOCUMENT, FEC_DOCUMENT)):
    """The tables and the plots into the documents, where what was not measured stays."""
    found = [{}, {}]
    for name, text in tables(folder, cases, senders).items():
        fec = name in IN_FEC_DOCUMENT
        order = [CASES[case].what for case in TABLES[name][0]]
        found[fec][name] = mdtable.merge(mdtable.taken(documents[fec], name), text, order)
    plots = {f"{case}-{sender}": folder / case / sender / "1" / "plot.png"
             for case, sender in SHOWN if case in cases and sender in senders}
    for document, texts, pictures in zip(documents, found, (plots, {})):
        mdtable.publish(document, texts, pictures)
