# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The picture of a run: what the link served to each flow, and how long packets waited."""

import places  # noqa: F401
import metrics
import picture

BIN_S = 0.5
MOST_POINTS = 20000
COLOURS = ("#1b9e77", "#d95f02", "#7570b3", "#e7298a", "#66a61e",
           "#a6761d", "#1f78b4", "#b2182b", "#e6ab02", "#4d4d4d")
TCP_COLOUR = "#999999"


def capacity_points(run):
    step = round(BIN_S / metrics.BIN_S)
    if not run.capacity:
        return run.case.capacity
    return [(i * metrics.BIN_S, sum(run.capacity[i:i + step]) / len(run.capacity[i:i + step]))
            for i in range(0, len(run.capacity), step)]


def rates(run, contender):
    points = [*capacity_points(run), (run.case.seconds, run.case.capacity[-1][1])]
    blocks = [picture.block("capacity", [(second, bps / 1e6) for second, bps in points], 5)]
    parts = ["$capacity using 1:2 with steps lw 2 lc rgb '#333333' title 'capacity'"]
    step = round(BIN_S / metrics.BIN_S)
    for i, path in enumerate(sorted(run.served)):
        row = run.served[path]
        blocks.append(picture.block(f"flow{path}", [
            (i * metrics.BIN_S + BIN_S / 2, sum(row[i:i + step]) * 8e-6 / BIN_S) for i in range(0, run.bins, step)], 5))
        name = contender + (f" {path}" if len(run.forward) > 1 else "")
        colour, name = (TCP_COLOUR, "TCP") if path == metrics.TCP_PATH else (COLOURS[i % len(COLOURS)], name)
        parts.append(f"$flow{path} using 1:2 with lines lw 1.8 lc rgb '{colour}' title '{name}'")
    return blocks, parts


def delays(run, served, top):
    drops = [(p[0], top * 0.96) for p in run.packets if p[2] is None]
    return ([picture.block("delay", served[::1 + len(served) // MOST_POINTS], 5), picture.block("drops", drops, 5)],
            ["$delay using 1:2 with points pt 7 ps 0.25 lc rgb '#6baed6' title 'a packet'",
             "$drops using 1:2 with points pt 2 ps 0.8 lw 1.2 lc rgb '#e41a1c' title 'dropped or lost'"])


def draw(run, contender, folder):
    if not picture.available():
        return
    served = [(p[0], p[2]) for p in run.packets if p[2] is not None]
    delays_top = max([delay for _, delay in served] + [40]) * 1.1
    rates_top = max(bps for _, bps in capacity_points(run)) * 1.15e-6
    picture.rates_and_delays(folder / "plot.png", f"{run.case.name}, {contender}: {run.case.what}", 800,
                             (run.case.seconds, rates_top, delays_top), rates(run, contender),
                             delays(run, served, delays_top))
