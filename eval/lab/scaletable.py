# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The tables and plots of eval/lab/scale, with medians over the runs, and docs/scale.md."""

import json

from places import ROOT
import mdtable
import picture as drawing
from scalerun import CASES, SCALERS

DOCUMENT = ROOT / "docs" / "scale.md"
HEAD = ["link, Mbit/s", "", "SSIM, mean", "SSIM, 5th percentile", "frames shown, %", "freezes",
        "delay 50th / 95th percentile, ms", "use, %", "lines, mean"]
COLOURS = {"arcscale": "#1b9e77", "plain": "#333333", "thresholds": "#d95f02"}
SIZE = "1200,1000"
# Bottom and top of each lane, as a share of the picture's height.
LANES = ((0.77, 0.93), (0.54, 0.72), (0.30, 0.49), (0.06, 0.25))


def row(name, spans):
    def middle(key):
        return mdtable.median(spans, key)
    capacity = spans[0]["capacity_bps"]
    use = f"{100 * middle('sent_bps') / capacity:.0f}" if capacity else "–"
    frozen = f"{middle('freezes'):g}, {middle('frozen_s'):.1f} s" if middle("freezes") else "0"
    return [f"{capacity / 1e6:g}" if capacity else "all", name, f"{middle('ssim_mean'):.3f}",
            f"{middle('ssim_p5'):.3f}", f"{100 * middle('shown'):.1f}", frozen,
            f"{middle('delay_p50_ms'):.0f} / {middle('delay_p95_ms'):.0f}", use,
            f"{middle('lines_mean'):.0f}"]


def table_of(by_scaler):
    count = len(next(iter(by_scaler.values()))[0]["phases"])
    return mdtable.table(HEAD, [
        row(SCALERS[scaler].what, [run["all"] if phase is None else run["phases"][phase]
                                   for run in runs])
        for phase in [*range(count), None] for scaler, runs in by_scaler.items()])


def tables(folder):
    """{case: table}"""
    results = mdtable.load(folder, "case", "sender")
    found = {}
    for case in CASES:
        runs = {name: results[case, name] for name in SCALERS if (case, name) in results}
        if runs:
            found[case] = table_of(runs)
    return found


def lane(number, label, top, parts):
    bottom, upper = LANES[number]
    last = number == len(LANES) - 1
    return [f"set bmargin at screen {bottom}", f"set tmargin at screen {upper}",
            f"set ylabel '{label}' offset 1", f"set yrange {top}",
            f"set format x '{'%g' if last else ''}'", "set xlabel 'time, s'" if last else "",
            "unset key" if number else "set key center at screen 0.52,0.955 horizontal samplen 2",
            drawing.plot(parts)]


def draw_case(path, case, lanes):
    """lanes: {scaler: of its first run}."""
    capacity = [*((s, bps / 1e6) for s, bps in case.capacity),
                (case.seconds, case.capacity[-1][1] / 1e6)]
    blocks = [drawing.block("capacity", capacity)]
    parts = [["$capacity using 1:2 with steps lw 2 lc rgb '#999999' title 'capacity'"], [], [], []]
    for scaler, rows in lanes.items():
        colour = COLOURS[scaler]
        for number, name in enumerate(("sent", "lines", "ssim", "delay")):
            blocks.append(drawing.block(f"{name}_{scaler}", rows[name]))
            style = "points pt 7 ps 0.25" if name == "delay" else "lines lw 1.8"
            title = f'title "{SCALERS[scaler].what}"' if number == 0 else "notitle"
            parts[number].append(f"${name}_{scaler} using 1:2 with {style} lc rgb '{colour}' "
                                 f"{title}")
    drawing.draw(path, SIZE, [
        *blocks, "set multiplot", "set lmargin at screen 0.075", "set rmargin at screen 0.965",
        f"set xrange [0:{case.seconds}]", *drawing.STYLE,
        f"set label 1 \"{case.what}\" at screen 0.52,0.98 center font 'sans,14'",
        *lane(0, "sent, Mbit/s", "[0:*]", parts[0]), "unset label 1",
        *lane(1, "lines of picture", "[0:*]", parts[1]),
        *lane(2, "SSIM of the screen", "[0.5:1]", parts[2]),
        *lane(3, "capture to picture, ms", "[0:600]", parts[3])], terminal="noenhanced")


def draw(folder):
    for case in tables(folder):
        lanes = {scaler: json.loads((folder / case / scaler / "1" / "lanes.json").read_text())
                 for scaler in SCALERS if (folder / case / scaler / "1" / "lanes.json").exists()}
        if drawing.available() and lanes:
            draw_case(folder / f"{case}.png", CASES[case], lanes)


def write(folder):
    """The tables and the plots into the document."""
    found = tables(folder)
    mdtable.publish(DOCUMENT, found, {name: folder / f"{name}.png" for name in found})
