# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The table of eval/lab/browser, with medians over the runs of each pair, and docs/browser.md."""

import json
import re
import shutil
import statistics
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "browser.md"
PICTURES = DOCUMENT.parent / "browser"
SHOWN = ("rtparcbwe", "rtpgccbwe", "chromium", "chromium-webrtcbin")


def median(runs, name):
    return statistics.median(run[name] for run in runs)


def phase_cell(phases):
    """Of the same phase in all runs."""
    return (f"{100 * median(phases, 'utilisation'):.0f} / {median(phases, 'delay_mean_ms'):.0f} / "
            f"{median(phases, 'delay_p95_ms'):.0f} ({median(phases, 'whole_p95_ms'):.0f}) / "
            f"{median(phases, 'drops'):.0f}")


def received_cells(runs):
    buffers = [run["jitter_buffer_ms"] for run in runs if run["jitter_buffer_ms"]]
    buffer = f"{statistics.median(buffers):.0f} ms" if buffers else "–"
    return (f"{median(runs, 'framesDecoded'):.0f} | {median(runs, 'freezeCount'):g}, "
            f"{median(runs, 'totalFreezesDuration'):.1f} s | {buffer}")


def runs_of(folder, pair):
    files = sorted((folder / pair.name).glob("*/metrics.json"))
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]


def call_table(folder, pairs):
    first, lines = None, []
    for pair in pairs:
        runs = runs_of(folder, pair)
        if not runs:
            continue
        first = first or runs[0]
        cells = [phase_cell(phases) for phases in zip(*(run["phases"] for run in runs))]
        lines.append(f"| {pair.what} | {' | '.join(cells)} | {received_cells(runs)} | "
                     f"{len(runs)} |")
    if not first:
        return "no run has figures"
    spans = [f"{phase['begin_s']:g} to {phase['end_s']:g} s" for phase in first["phases"]]
    head = ["| sender and receiver | " + " | ".join(spans)
            + " | frames decoded | freezes | jitter buffer | runs |",
            "|---" * (len(spans) + 5) + "|"]
    return "\n".join(head + lines)


def write(name, folder, pairs):
    """The table called `name` and its pictures into the document."""
    text = DOCUMENT.read_text(encoding="utf-8")
    table = call_table(folder, pairs)
    text, count = re.subn(rf"(<!-- begin of {name} -->\n).*?(<!-- end of {name} -->)",
                          lambda found: f"{found[1]}{table}\n{found[2]}", text, flags=re.S)
    if count != 1:
        raise ValueError(f"{DOCUMENT}: no marks of {name}")
    DOCUMENT.write_text(text, encoding="utf-8")
    PICTURES.mkdir(exist_ok=True)
    for pair in SHOWN:
        picture = folder / pair / "1" / "plot.png"
        if picture.exists():
            shutil.copy(picture, PICTURES / f"{name}-{pair}.png")
