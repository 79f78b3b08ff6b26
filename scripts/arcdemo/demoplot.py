# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The picture of a run: rates above, queueing delay below."""

import picture

from . import trace
from .run import LINK_INTERVAL_S, rates

BIN_S = 0.5  # goodput is a mean over this: one frame more or less is not news
HEIGHT = 900
TITLE = "gst-arc: bitrate and queueing delay over a link of changing capacity"
RATES = ("$capacity using 1:2 with lines lw 3 lc rgb '#333333' title 'capacity'",
         "$sender using 1:2 with steps lw 2 lc rgb '#d95f02' title 'target bitrate'",
         "$sender using 1:3 with lines lw 1.2 lc rgb '#7570b3' title 'encoder output'",
         "$goodput using 1:2 with lines lw 2 lc rgb '#1b9e77' title 'goodput at the link'")


def goodput_rows(link):
    step = round(BIN_S / LINK_INTERVAL_S)
    for i in range(step, len(link) + 1):
        window = link[i - step:i]
        yield window[-1]["time_s"] - BIN_S / 2, rates(window)["goodput_bps"] / 1e6


def p95_rows(packets):
    bins = {}
    for p in packets:
        if p["fate"] == "ok":
            bins.setdefault(int(p["arrived_s"] / BIN_S), []).append(p["queue_delay_ms"])
    for index, delays in sorted(bins.items()):
        yield (index + 0.5) * BIN_S, sorted(delays)[int(0.95 * len(delays))]


def capacity_rows(points, length_s):
    for phase in trace.phases(points, length_s):
        yield phase.start_s, phase.capacity_bps / 1e6
        yield phase.end_s, phase.capacity_bps / 1e6


def rate_blocks(result, points):
    sender = [(r["time_s"], r.get("target-bitrate", 0) / 1e6, r.get("input-bitrate", 0) / 1e6)
              for r in result.sender if 0 <= r["time_s"] <= result.length_s]
    return [picture.block("capacity", capacity_rows(points, result.length_s), 5), picture.block("sender", sender, 5),
            picture.block("goodput", goodput_rows(result.link), 5)]


def delays(result, ok, top, limit_ms):
    drops = [(p["arrived_s"], top * 0.95) for p in result.packets if p["fate"] != "ok"]
    blocks = [picture.block("delay", [(p["arrived_s"], p["queue_delay_ms"]) for p in ok], 5),
              picture.block("p95", p95_rows(result.packets), 5), picture.block("drops", drops, 5)]
    return blocks, ("$delay using 1:2 with points pt 7 ps 0.35 lc rgb '#9ecae1' title 'each packet'",
                    f"$p95 using 1:2 with lines lw 2 lc rgb '#08519c' title 'p95 of {BIN_S:g} s'",
                    f"{limit_ms} with lines dt 2 lw 1 lc rgb '#888888' title '{limit_ms} ms'",
                    "$drops using 1:2 with points pt 2 ps 1 lw 1.5 lc rgb '#e41a1c' title 'dropped or lost'")


def lines_lane(result):
    """Lines of picture over time, where arcscale is in the line; or None."""
    if not result.sizes:
        return None
    rows = [(size.at_s, size.height) for size in result.sizes]
    rows.append((result.length_s, rows[-1][1]))
    return ([picture.block("lines", rows, 6)],
            ("$lines using 1:2 with steps lw 2 lc rgb '#1b9e77' notitle",), "lines",
            max(lines for _, lines in rows) / 2)


def draw(result, points, folder, limit_ms=40):
    """Writes plot.png into the folder and returns its path; None without gnuplot."""
    if not picture.available():
        return None
    ok = [p for p in result.packets if p["fate"] == "ok"]
    delays_top = max([p["queue_delay_ms"] for p in ok] + [limit_ms]) * 1.15
    rates_top = max(bps for _, bps in points) * 1.25e-6
    path = folder / "plot.png"
    picture.rates_and_delays(path, TITLE, HEIGHT, (result.length_s, rates_top, delays_top),
                             (rate_blocks(result, points), RATES), delays(result, ok, delays_top, limit_ms),
                             lane=lines_lane(result))
    return path
