# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The pictures, by gnuplot. Each function returns the lines of one panel."""

import picture
from picture import block

import claims
import measures
from scope import RATE_START_S, WIRELESS_HOPS

LAW_COLOURS = {"ARC": "#1b6ca8", "TFRC": "#d1495b", "Reno": "#3a3a3a"}
LAW_POINTS = {"ARC": 7, "TFRC": 5, "Reno": 9}
FLOW_COLOURS = ("#1b6ca8", "#d1495b", "#2a9d5c", "#e0a030", "#7b4fa3",
                "#00a0b0", "#8aa82a", "#e377c2", "#7f7f7f", "#111111")


def draw(path, size, panels, columns=1):
    script = ["set encoding utf8", *picture.STYLE]
    if len(panels) > 1:
        script.append(f"set multiplot layout {-(-len(panels) // columns)},{columns}")
    picture.draw(path, size, script + sum(panels, []), font="sans,11", terminal="background '#ffffff'")


def panel(title, x, y, top, blocks, parts, key="set key top right", more=()):
    return [*blocks, f'set title "{title}"', f"set xlabel '{x}'", f"set ylabel '{y}'", f"set yrange [0:{top}]",
            key, *more, picture.plot(parts)]


def smooth(values, seconds=1):
    return [sum(values[max(i + 1 - seconds, 0):i + 1]) / min(i + 1, seconds) for i in range(len(values))]


def rates(trace, prefix, title, name, top, limit=None):
    """The sending rate of each flow, second by second."""
    blocks, parts = [], []
    for i, flow in enumerate(trace.ids(prefix)):
        rows = enumerate(trace.flows[flow].sent_bps, 1)
        blocks.append(block(f"{name}{i}", [(t, value / 1e3) for t, value in rows]))
        rtt = float(trace.head[f"{flow}.rtt_ms"])
        parts.append(f"${name}{i} using 1:2 with lines lw 1 lc rgb '{FLOW_COLOURS[i % 10]}' title '{rtt:.0f} ms'")
    if limit:
        blocks.append(block(f"{name}limit", [(t, value / 1e3) for t, value in limit]))
        parts.append(f"${name}limit using 1:2 with lines lw 2 dt 2 lc rgb '#000000' title 'equal share'")
    return panel(title, "time, s", "sent, kbit/s", top, blocks, parts, "set key outside right top")


def equal_share(trace, capacity_bps):
    n = len(trace.ids("rate"))
    udp = trace.flows["udp0"].received_bps
    return [(t, (capacity_bps - value) / n) for t, value in enumerate(smooth(udp), 1)]


def jain(traces, window, title, name):
    blocks, parts = [], []
    for label, trace in traces.items():
        series = measures.jain_series(trace, "rate", window, RATE_START_S + 1)
        blocks.append(block(name + label, series))
        parts.append(f"${name}{label} using 1:2 with lines lw 1.5 lc rgb '{LAW_COLOURS[label]}' title '{label}'")
    parts.append("0.9 with lines dt 2 lc rgb '#000000' title '0.9'")
    return panel(title, "time, s", "Jain index", "1.05", blocks, parts, "set key bottom right")


def curves(rows, title, x, x_of):
    """Mean over seeds with its confidence interval, kbit/s against hops or loss; rows: label -> {n:
    Stat}."""
    blocks, parts = [], []
    for i, (label, row) in enumerate(rows.items()):
        points = [(x_of(n), v.mean / 1e3, max(v.low, 0) / 1e3, v.high / 1e3) for n, v in row.items()]
        blocks.append(block(f"c{i}", points))
        parts.append(f"$c{i} using 1:2:3:4 with yerrorlines lw 2 pt {LAW_POINTS[label]} lc rgb '{LAW_COLOURS[label]}' "
                     f"title '{label}'")
    at = [x_of(n) for n in next(iter(rows.values()))]
    return panel(f"{title} (mean, 95 % confidence interval)", x, "goodput of C1, kbit/s", "*", blocks, parts,
                 more=[f"set xrange [{min(at) - 0.3}:{max(at) + 0.3}]", "set xtics 1"])


def hops(view, rows_of, title):
    rows = claims.table(view, rows_of, view.scope.hops)
    return curves(rows, title, "hops N", lambda n: n)


def wireless(view, title):
    rows = {label: {loss: view.goodput(law, "reno", WIRELESS_HOPS, loss) for loss in view.scope.losses}
            for law, label in claims.NAMES.items()}
    return curves(rows, title, "loss of the wireless link, %", lambda loss: 100 * loss)
