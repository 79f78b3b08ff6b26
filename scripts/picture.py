# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The one way to plot: every picture of this repository is drawn by gnuplot through this module.

A picture is a list of gnuplot commands. Data that is made in Python comes before the commands, as
a block() that `plot $name` reads; a file that a program wrote is named in the command itself."""

import shutil
import subprocess

LIMIT_S = 120
FRAME = ("set border 3", "set tics nomirror")
STYLE = ("set grid lt 1 lc rgb '#dddddd'", *FRAME)
EMPTY = ["NaN NaN NaN"]         # a block without rows would end gnuplot's plot; NaN draws nothing

# Of a picture of rates above queueing delays, in pixels: from the top, from the bottom, and above
# the lower panel.
TITLE_PX, KEY_PX, TOP_PX, BOTTOM_PX, KEY_ABOVE_PX, GAP_PX = 23, 59, 85, 67, 26, 84
LOWER_TOP = 0.38                # of the lower panel, as a share of the picture's height
LANE_HEIGHT, LANE_GAP = 0.1, 0.045      # of a third panel below, likewise


def available():
    return shutil.which("gnuplot") is not None


def draw(path, size, commands, font="sans,10", terminal=""):
    """size: "width,height" in pixels; terminal: more options of pngcairo."""
    script = [f"set terminal pngcairo size {size} font '{font}' {terminal}",
              f"set output '{path}'", *commands, ""]
    subprocess.run(["gnuplot"], input="\n".join(script), text=True, check=True, timeout=LIMIT_S)


def block(name, rows, digits=6):
    """Data for `plot $name`: rows of numbers."""
    lines = [" ".join(f"{value:.{digits}g}" for value in row) for row in rows]
    return "\n".join([f"${name} << EOD", *(lines or EMPTY), "EOD"])


def plot(parts):
    return "plot " + ", \\\n  ".join(parts)


def lowest(lane, height):
    """A panel with the axis of time. lane: (blocks, parts of `plot`, label, distance of tics)."""
    bottom = BOTTOM_PX / height
    return ["unset key", f"set tmargin at screen {bottom + LANE_HEIGHT}",
            f"set bmargin at screen {bottom}", f"set ylabel '{lane[2]}' offset 1",
            f"set yrange [0:{2.2 * lane[3]}]", f"set ytics {lane[3]}", plot(lane[1])]


def rates_and_delays(path, title, height, tops, rates, delays, delay="queueing delay, ms",
                     lane=None):
    """Two panels over time. tops: (length in s, most Mbit/s, most ms); rates, delays: (blocks,
    parts of `plot`); delay: what the lower panel has; lane: of a third one below, as lowest()."""
    length_s, rates_top, delays_top = tops
    above = LOWER_TOP + GAP_PX / height
    bottom = BOTTOM_PX / height + (LANE_HEIGHT + LANE_GAP if lane else 0)
    time_axis = ["set xlabel 'time, s'", "set format x '%g'"]
    draw(path, f"1200,{height}", [
        *rates[0], *delays[0], *(lane[0] if lane else ()), "set multiplot",
        "set lmargin at screen 0.075", "set rmargin at screen 0.965", f"set xrange [0:{length_s}]",
        "set grid xtics ytics lt 1 lw 1 lc rgb '#dddddd'", *FRAME, "set tics out",
        f"set key center center at screen 0.52,{1 - KEY_PX / height}",
        "set key horizontal maxrows 1 samplen 2",
        f"set tmargin at screen {1 - TOP_PX / height}", f"set bmargin at screen {above}",
        "set ylabel 'Mbit/s' offset 1", f"set yrange [0:{rates_top}]", "set format x ''",
        f"set label 1 \"{title}\" at screen 0.52,{1 - TITLE_PX / height}",
        "set label 1 center font 'sans,14'", plot(rates[1]), "unset label 1",
        f"set key at screen 0.52,{LOWER_TOP + KEY_ABOVE_PX / height}",
        f"set tmargin at screen {LOWER_TOP}", f"set bmargin at screen {bottom}",
        f"set ylabel '{delay}' offset 1", f"set yrange [0:{delays_top}]",
        *(() if lane else time_axis), plot(delays[1]),
        *([*time_axis, *lowest(lane, height)] if lane else ())],
        font="sans,12", terminal="noenhanced")
