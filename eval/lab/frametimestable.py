# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The tables of eval/lab/frametimes, with medians over the runs, and docs/results/frametimes.md."""

from places import ROOT
import frametimesplot
import mdtable
from frametimessenders import SENDERS

DOCUMENT = ROOT / "docs" / "results" / "frametimes.md"
COLUMNS = ("window", "sender", "use", "network p95", "whole p50 / p95 / p99", "decoded p50 / p95",
           "lost", "in time", "SSIM on the screen")


def medians(runs, number):
    """Of a window's figures."""
    windows = [run["windows"][number] for run in runs]
    return {name: windows[0][name] if name == "what" else mdtable.median(windows, name)
            for name in windows[0]}


def times(window, name, ratios):
    values = [window[f"{name}_p{ratio}_ms"] for ratio in ratios]
    return "–" if None in values else " / ".join(f"{value:.0f}" for value in values)


def row(window, sender):
    return (window["what"], SENDERS[sender].what, f"{window['use']:.0%}",
            f"{window['network_p95_ms']:.0f}", times(window, "whole", (50, 95, 99)),
            times(window, "decoded", (50, 95)),
            f"{window['lost']:.0f} of {window['frames']:.0f}", f"{window['in_time']:.1%}",
            f"{window['ssim']:.4f}")


def in_order(results, case):
    """(sender, runs) of a case, in the order of SENDERS."""
    return [(name, results[case, name]) for name in SENDERS if (case, name) in results]


def table(results, case):
    senders = in_order(results, case)
    count = len(senders[0][1][0]["windows"])
    return mdtable.table(COLUMNS, [row(medians(runs, number), name) for number in range(count)
                                   for name, runs in senders])


def draw(results, case, path):
    senders = in_order(results, case)
    what = senders[0][1][0]["settings"]["what"]
    frametimesplot.draw(path, what, [(name, runs[0]["series"]) for name, runs in senders])


def write(results, cases, head):
    """The page; head: its text above the tables."""
    folder = DOCUMENT.with_suffix("")
    folder.mkdir(exist_ok=True)
    parts = [head]
    for case in cases:
        what = results[case, in_order(results, case)[0][0]][0]["settings"]["what"]
        picture = folder / f"frametimes-{case}.png"
        draw(results, case, picture)
        parts += [f"## {case}: {what}", table(results, case),
                  f"![{what}]({folder.name}/{picture.name})"]
    DOCUMENT.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
