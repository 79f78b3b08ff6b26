# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The table of eval/lab/browser, with medians over the runs of each pair, and docs/browser.md."""

import statistics

from places import ROOT
from mdtable import load, median, publish, record, table

DOCUMENT = ROOT / "docs" / "browser.md"
SHOWN = ("rtparcbwe", "rtpgccbwe", "chromium", "chromium-webrtcbin")


def phase_cell(phases):
    """Of the same phase in all runs."""
    return (f"{100 * median(phases, 'utilisation'):.0f} / {median(phases, 'delay_mean_ms'):.0f} / "
            f"{median(phases, 'delay_p95_ms'):.0f} ({median(phases, 'whole_p95_ms'):.0f}) / "
            f"{median(phases, 'drops'):.0f}")


def received_cells(runs):
    buffers = [run["jitter_buffer_ms"] for run in runs if run["jitter_buffer_ms"]]
    return [f"{median(runs, 'framesDecoded'):.0f}",
            f"{median(runs, 'freezeCount'):g}, {median(runs, 'totalFreezesDuration'):.1f} s",
            f"{statistics.median(buffers):.0f} ms" if buffers else "–"]


def call_table(folder, pairs):
    results, rows, spans = load(folder, "pair"), [], None
    for pair in pairs:
        if runs := results.get((pair.name,)):
            spans = spans or [f"{phase['begin_s']:g} to {phase['end_s']:g} s"
                              for phase in runs[0]["phases"]]
            cells = [phase_cell(phases) for phases in zip(*(run["phases"] for run in runs))]
            rows.append([pair.what, *cells, *received_cells(runs), len(runs)])
    if not rows:
        return "no run has figures"
    return table(["sender and receiver", *spans, "frames decoded", "freezes", "jitter buffer",
                  "runs"], rows)


def write(name, folder, pairs):
    """The table called `name` and its pictures into the document."""
    text = call_table(folder, pairs)
    if text.startswith("|"):
        record(DOCUMENT, name, text, lambda cells: "the same" not in cells[0])
    publish(DOCUMENT, {},
            {f"{name}-{pair}": folder / pair / "1" / "plot.png" for pair in SHOWN})
