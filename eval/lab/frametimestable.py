# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The tables of eval/lab/frametimes, with medians over the runs, and docs/results/frametimes.md."""

import tempfile
from pathlib import Path

from places import ROOT
import boundcurve
import frametimesplot
import mdtable
import traces
from frametimessenders import SENDERS

DOCUMENT = ROOT / "docs" / "results" / "frametimes.md"
BY_HAND = "## What the tables say"
COLUMNS = ("window", "sender", "use", "network p95, ms", "whole p50 / p95 / p99, ms",
           "decoded p50 / p95, ms", "lost", "in time", "SSIM on the screen")


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
            "–" if window["ssim"] is None else f"{window['ssim']:.4f}")


def of_bound(window, curve):
    """Of the use that the bound has at the same delay in the network."""
    return f"{window['use'] / boundcurve.use_at(curve, window['network_p95_ms']):.2f}"


def bound(results, case, build):
    """Of a trace, as far as frames count; None: of no other case."""
    settings = in_order(results, case)[0][1][0]["settings"]
    if not settings["trace"]:
        return None
    end_ms = 1e3 * settings["windows"][-1][1]
    with tempfile.NamedTemporaryFile("w", encoding="ascii") as file:
        file.writelines(f"{at}\n" for at in traces.read(Path(settings["trace"])) if at <= end_ms)
        file.flush()
        found = boundcurve.curves(build, "-r", str(settings["rtt_ms"]), file.name)
    return next(iter(found.values()))


def in_order(results, case):
    """(sender, runs) of a case, in the order of SENDERS."""
    return [(name, results[case, name]) for name in SENDERS if (case, name) in results]


def rows(results, case):
    """(a window's medians, sender) of all."""
    senders = in_order(results, case)
    count = len(senders[0][1][0]["windows"])
    return [(medians(runs, number), name) for number in range(count) for name, runs in senders]


def table(results, case, curve=None):
    more = ("of the bound",) if curve else ()
    return mdtable.table(COLUMNS + more, [
        row(*each) + ((of_bound(each[0], curve),) if curve else ())
        for each in rows(results, case)])


def pictures(results, case, curve, folder):
    """The names of those that it draws."""
    senders = in_order(results, case)
    what = senders[0][1][0]["settings"]["what"]
    frametimesplot.draw(folder / f"{case}.png", what,
                        [(name, runs[0]["series"]) for name, runs in senders])
    if not curve:
        return [f"{case}.png"]
    frametimesplot.draw_bound(folder / f"{case}-bound.png", what, curve, [
        (name, window["network_p95_ms"], window["use"]) for window, name in rows(results, case)])
    return [f"{case}.png", f"{case}-bound.png"]


def write(results, cases, head, build):
    """The page; head: its text above the tables. What was written below them stays."""
    folder = DOCUMENT.with_suffix("")
    folder.mkdir(exist_ok=True)
    parts = [head]
    for case in cases:
        curve = bound(results, case, build)
        what = in_order(results, case)[0][1][0]["settings"]["what"]
        parts += [f"## {case}: {what}", table(results, case, curve)]
        parts += [f"![{what}]({folder.name}/{name})"
                  for name in pictures(results, case, curve, folder)]
    said = DOCUMENT.read_text(encoding="utf-8").partition(BY_HAND)[2] if DOCUMENT.exists() else ""
    parts += [BY_HAND + said.rstrip()] if said else []
    DOCUMENT.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
