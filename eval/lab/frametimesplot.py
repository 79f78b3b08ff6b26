# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The plot of a case of eval/lab/frametimes: what the link served, and how late the pictures were,
by sender; and of a trace, use and delay beside what could be had at best."""

import math

import places  # noqa: F401
import boundcurve
import picture as drawing
from frametimesfigures import BIN_S, PLAYOUT_S

HEIGHT_PX = 800
START_S = 5  # a peak of the capacity before is cut
TOP_MS = 500  # what is later is drawn there
BOUND_MS = 300  # likewise, in the picture with the bound
COLOURS = ("#1f78b4", "#1b9e77", "#e6ab02", "#a6761d", "#7570b3", "#e7298a",
           "#66a61e", "#b2182b")


def lines(name, number, what):
    return (f"${name}{number} using 1:2 with lines lw 1.8 lc rgb "
            f"'{COLOURS[number % len(COLOURS)]}' title '{what}'")


def with_gaps(points):
    """No line through the time in which there was no picture."""
    found = []
    for (at_s, ms), (before_s, _) in zip(points, [*points[:1], *points]):
        if at_s - before_s > 1.5 * BIN_S:
            found.append((before_s, math.nan))
        found.append((at_s, min(ms, TOP_MS)))
    return found


def draw(path, title, runs):
    """runs: [(sender's name, its series)]."""
    if not drawing.available():
        return
    capacity = [(at_s, bps / 1e6) for at_s, bps in runs[0][1]["capacity"]]
    seconds = capacity[-1][0] + BIN_S
    due = [(0, 1e3 * PLAYOUT_S), (seconds, 1e3 * PLAYOUT_S)]
    rates = [drawing.block("capacity", [*capacity, (seconds, capacity[-1][1])])]
    delays = [drawing.block("due", due)]
    rate_parts = ["$capacity using 1:2 with steps lw 2 lc rgb '#333333' title 'capacity'"]
    delay_parts = ["$due using 1:2 with lines lw 1.5 dt 2 lc rgb '#333333' title 'due'"]
    for number, (name, series) in enumerate(runs):
        rates.append(drawing.block(f"rate{number}", [(at_s, bps / 1e6)
                                                     for at_s, bps in series["served"]]))
        delays.append(drawing.block(f"delay{number}", with_gaps(series["decoded"])))
        rate_parts.append(lines("rate", number, name))
        delay_parts.append(lines("delay", number, name))
    top = 1.15 * max(mbps for at_s, mbps in capacity if at_s >= START_S or not at_s)
    drawing.rates_and_delays(path, title, HEIGHT_PX, (seconds, top, 1.05 * TOP_MS),
                             (rates, rate_parts), (delays, delay_parts),
                             "capture to picture (p95), ms")


def draw_bound(path, title, curve, points):
    """points: [(sender's name, p95 of the network in ms, use)]."""
    if not drawing.available():
        return
    blocks = [drawing.block("bound", boundcurve.steps(curve, BOUND_MS))]
    parts = ["$bound using 1:2 with steps lw 2 lc rgb '#888888' title 'bound'"]
    for number, (name, p95_ms, use) in enumerate(points):
        blocks.append(drawing.block(f"point{number}", [(min(p95_ms, BOUND_MS), use)]))
        parts.append(f"$point{number} using 1:2 with points pt 7 ps 1.8 lc rgb "
                     f"'{COLOURS[number % len(COLOURS)]}' title '{name}'")
    drawing.draw(path, "700,440", [
        *drawing.STYLE, *blocks, f"set title '{title}' noenhanced",
        f"set xrange [0:{1.02 * BOUND_MS}]",
        "set yrange [0:1.05]", "set key bottom right",
        "set xlabel 'p95 of the wait in the network, ms'", "set ylabel 'use'",
        drawing.plot(parts)])
