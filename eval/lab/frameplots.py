# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The plots of runs in which frames are watched."""

import itertools
import math

import places  # noqa: F401
import boundcurve
import picture as drawing
from framefigures import BIN_S, PLAYOUT_S, summed

HEIGHT_PX = 800
START_S = 5  # a peak of the capacity before is cut
TOP_MS = 500  # what is later is drawn there
GLASS_TOP_MS = 600  # likewise, of playout
BOUND_MS = 300  # likewise, in the picture with the bound
COLOURS = ("#1f78b4", "#1b9e77", "#e6ab02", "#a6761d", "#7570b3", "#e7298a",
           "#66a61e", "#b2182b")
SCALE_COLOURS = {"arcscale": "#1b9e77", "plain": "#333333", "thresholds": "#d95f02"}
CAMERA_COLOURS = ("#1b9e77", "#7570b3")


LATE = "lines lw 1.5 dt 2", "#333333"
CAPACITY = "steps lw 2", "#333333"


class Curves:
    """Data and parts of `plot`; the names of the data begin with `name`."""

    def __init__(self, name):
        self.name, self.blocks, self.parts = name, [], []

    def add(self, points, style, colour, title=""):
        name = f"{self.name}{len(self.blocks)}"
        self.blocks.append(drawing.block(name, points))
        self.parts.append(f"${name} using 1:2 with {style} lc rgb '{colour}' "
                          + (f"title '{title}'" if title else "notitle"))

    def both(self):
        return self.blocks, self.parts


def steps_of(case):
    """Mbit/s."""
    return [*((at_s, bps / 1e6) for at_s, bps in case.capacity),
            (case.seconds, case.capacity[-1][1] / 1e6)]


def draw_run(run, sender, folder):
    """Of eval/lab/picture: what was sent, and how late each frame came."""
    if not drawing.available():
        return
    case, rates, delays = run.case, Curves("rate"), Curves("delay")
    link = summed(((at_s, size_bytes) for at_s, size_bytes, _, name in run.packets
                   if name == "forward"), case.seconds, 8e-6)
    rates.add(steps_of(case), *CAPACITY, "capacity")
    rates.add(link, "lines lw 1.8", "#d95f02", "sent into the link")
    rates.add(summed(((frame.captured_s, frame.size_bytes) for frame in run.all_frames),
                     case.seconds, 8e-6), "lines lw 1.8", "#1b9e77", "of which video, once")
    shown = [(f.captured_s, 1e3 * (f.shown_s - f.captured_s)) for f in run.all_frames
             if f.shown_s is not None]
    missing = [f.captured_s for f in run.all_frames if f.shown_s is None and f.captured_s >= 0]
    top = max([1.2e3 * run.deadline_s, *(delay for _, delay in shown)]) * 1.1
    delays.add(shown, "points pt 7 ps 0.3", "#6baed6", "intact frame")
    delays.add([(at_s, 1e3 * run.deadline_s) for at_s in (0, case.seconds)], *LATE, "in time")
    delays.add([(at_s, top * 0.96) for at_s in missing], "points pt 2 ps 0.6", "#e41a1c",
               "missing or broken")
    rates_top = 1.15 * max(value for _, value in [*link, *steps_of(case)])
    drawing.rates_and_delays(folder / "plot.png", f"{case.name}, {sender.name}: {sender.what}",
                             HEIGHT_PX, (case.seconds, rates_top, top), rates.both(),
                             delays.both(), "capture to picture, ms")


def with_gaps(points):
    """No line through the time in which there was no picture."""
    found = []
    for (at_s, ms), (before_s, _) in zip(points, [*points[:1], *points]):
        if at_s - before_s > 1.5 * BIN_S:
            found.append((before_s, math.nan))
        found.append((at_s, min(ms, TOP_MS)))
    return found


def draw_timed(path, title, runs):
    """What the link served, and how late the pictures were. runs: [(sender's name, its series)]."""
    if not drawing.available():
        return
    rates, delays = Curves("rate"), Curves("delay")
    capacity = [(at_s, bps / 1e6) for at_s, bps in runs[0][1]["capacity"]]
    seconds = capacity[-1][0] + BIN_S
    rates.add([*capacity, (seconds, capacity[-1][1])], *CAPACITY, "capacity")
    delays.add([(at_s, 1e3 * PLAYOUT_S) for at_s in (0, seconds)], *LATE, "due")
    for (name, series), colour in zip(runs, itertools.cycle(COLOURS)):
        rates.add([(at_s, bps / 1e6) for at_s, bps in series["served"]], "lines lw 1.8", colour,
                  name)
        delays.add(with_gaps(series["decoded"]), "lines lw 1.8", colour, name)
    top = 1.15 * max(mbps for at_s, mbps in capacity if at_s >= START_S or not at_s)
    drawing.rates_and_delays(path, title, HEIGHT_PX, (seconds, top, 1.05 * TOP_MS), rates.both(),
                             delays.both(), "capture to picture (p95), ms")


def draw_bound(path, title, curve, points):
    """Use and delay beside what could be had at best. points: [(sender's name, p95 of the network
    in ms, use)]."""
    if not drawing.available():
        return
    curves = Curves("curve")
    curves.add(boundcurve.steps(curve, BOUND_MS), "steps lw 2", "#888888", "bound")
    for (name, p95_ms, use), colour in zip(points, itertools.cycle(COLOURS)):
        curves.add([(min(p95_ms, BOUND_MS), use)], "points pt 7 ps 1.8", colour, name)
    drawing.draw(path, "700,440", [
        *drawing.STYLE, *curves.blocks, f"set title '{title}' noenhanced",
        f"set xrange [0:{1.02 * BOUND_MS}]", "set yrange [0:1.05]", "set key bottom right",
        "set xlabel 'p95 of the wait in the network, ms'", "set ylabel 'use'",
        drawing.plot(curves.parts)])


def draw_glass(path, title, runs):
    """When frames stood on the screen. runs: [(what, [(at_s, ms)])]."""
    if not drawing.available():
        return
    curves = Curves("glass")
    for (what, points), colour in zip(runs, itertools.cycle(COLOURS)):
        curves.add([(at_s, min(ms, GLASS_TOP_MS)) for at_s, ms in points], "lines lw 1.8", colour,
                   what)
    drawing.draw(path, "900,320", [
        *drawing.STYLE, *curves.blocks, f"set title '{title}' noenhanced",
        f"set yrange [0:{1.05 * GLASS_TOP_MS}]", "set key top right horizontal",
        "set xlabel 'time, s'", "set ylabel 'camera to screen (p95), ms'",
        drawing.plot(curves.parts)])


def draw_lanes(path, size, seconds, lanes, *commands):
    """Panels over one axis of time. lanes: (bottom and top as shares of the picture's height,
    label, range, commands, curves)."""
    if not drawing.available():
        return
    script = [*(block for lane in lanes for block in lane[4].blocks), "set multiplot",
              "set lmargin at screen 0.075", "set rmargin at screen 0.965",
              f"set xrange [0:{seconds}]", *drawing.STYLE, *commands]
    for number, ((bottom, top), label, span, more, curves) in enumerate(lanes):
        last = number == len(lanes) - 1
        script += [f"set bmargin at screen {bottom}", f"set tmargin at screen {top}",
                   f"set ylabel '{label}' offset 1", f"set yrange {span}",
                   f"set xlabel '{'time, s' if last else ''}'", *(["unset key"] if number else []),
                   *more, drawing.plot(curves.parts), "unset label 1"]
    drawing.draw(path, size, script, terminal="noenhanced")


def draw_scale(path, case, runs):
    """runs: {scaler: what the plot has of its first run}."""
    kinds = (("sent", (0.77, 0.93), "sent, Mbit/s", "[0:*]"),
             ("lines", (0.54, 0.72), "lines of picture", "[0:*]"),
             ("ssim", (0.30, 0.49), "SSIM of the screen", "[0.5:1]"),
             ("delay", (0.06, 0.25), "capture to picture, ms", "[0:600]"))
    lanes = []
    for kind, place, label, span in kinds:
        curves = Curves(kind)
        if kind == "sent":
            curves.add(steps_of(case), "steps lw 2", "#999999", "capacity")
        for scaler, rows in runs.items():
            curves.add(rows[kind], "points pt 7 ps 0.25" if kind == "delay" else "lines lw 1.8",
                       SCALE_COLOURS[scaler.name], scaler.what.replace("'", "''")
                       if kind == "sent" else "")
        lanes.append((place, label, span, [f"set format x '{'%g' if kind == 'delay' else ''}'"],
                      curves))
    draw_lanes(path, "1200,1000", case.seconds, lanes,
               "set key center at screen 0.52,0.955 horizontal samplen 2",
               f"set label 1 \"{case.what}\" at screen 0.52,0.98 center font 'sans,14'")


def draw_cameras(path, cases, runs):
    """The lines of both cameras over each link, from the top. runs: of each case."""
    height, lanes = 0.165, []
    for number, (case, rows) in enumerate(zip(cases, runs)):
        bottom = 0.07 + (len(cases) - 1 - number) * (height + 0.065)
        curves = Curves(f"lines{number}_")
        for i, colour in enumerate(CAMERA_COLOURS):
            curves.add(rows[i], "steps lw 2", colour, f"camera {i + 1}")
        lanes.append(((bottom, bottom + height), "lines of picture", "[0:*]",
                      [f"set title '{case.what} Mbit/s' offset 0,-0.7"], curves))
    draw_lanes(path, "1200,900", cases[0].seconds, lanes,
               "set key at screen 0.96,0.985 right horizontal samplen 2")
