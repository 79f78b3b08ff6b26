# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The picture of a run: rates above, queueing delay below."""

import shutil
import subprocess

from . import trace
from .run import LINK_INTERVAL_S, rates

BIN_S = 0.5  # goodput is a mean over this: one frame more or less is not news

SCRIPT = """
set terminal pngcairo size 1200,900 font "sans,12" noenhanced
set output "plot.png"
set multiplot
set lmargin at screen 0.075
set rmargin at screen 0.965
set xrange [0:{length}]
set grid xtics ytics lt 1 lw 1 lc rgb "#dddddd"
set border 3
set tics nomirror out
set key center center at screen 0.52,0.935 horizontal maxrows 1 samplen 3
set tmargin at screen 0.905
set bmargin at screen 0.47
set ylabel "Mbit/s" offset 1
set yrange [0:{top}]
set format x ""
set label 1 "gst-arc: bitrate and queueing delay over a link of changing capacity" \\
  at screen 0.52,0.975 center font "sans,14"
plot "capacity.dat" using 1:2 with lines lw 3 lc rgb "#333333" title "capacity", \\
     "sender.dat" using 1:2 with steps lw 2 lc rgb "#d95f02" title "target bitrate", \\
     "sender.dat" using 1:3 with lines lw 1.2 lc rgb "#7570b3" title "encoder output", \\
     "goodput.dat" using 1:2 with lines lw 2 lc rgb "#1b9e77" title "goodput at the link"
unset label 1
set key at screen 0.52,0.405
set tmargin at screen 0.375
set bmargin at screen 0.075
set ylabel "queueing delay, ms" offset 1
set xlabel "time, s"
set yrange [0:{delay_top}]
set format x "%g"
plot "delay.dat" using 1:2 with points pt 7 ps 0.35 lc rgb "#9ecae1" title "each packet", \\
     "p95.dat" using 1:2 with lines lw 2 lc rgb "#08519c" title "p95 of {bin:g} s", \\
     {limit} with lines dt 2 lw 1 lc rgb "#888888" title "{limit} ms", \\
     "drops.dat" using 1:2 with points pt 2 ps 1 lw 1.5 lc rgb "#e41a1c" title "dropped or lost"
"""


def write(path, rows):
    # A file without any point would end gnuplot's plot: NaN draws nothing.
    path.write_text("".join(" ".join(f"{v:.5g}" for v in row) + "\n" for row in rows) or "0 NaN NaN\n")


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


def draw(result, points, folder, limit_ms=40):
    """Writes plot.png into the folder and returns its path; None without gnuplot."""
    if not shutil.which("gnuplot"):
        return None
    data = folder / "plot-data"
    data.mkdir(exist_ok=True)
    ok = [p for p in result.packets if p["fate"] == "ok"]
    delay_top = max([p["queue_delay_ms"] for p in ok] + [limit_ms]) * 1.15
    write(data / "capacity.dat", capacity_rows(points, result.length_s))
    write(data / "sender.dat", [(r["time_s"], r.get("target-bitrate", 0) / 1e6, r.get("encoder-bitrate", 0) / 1e6)
                                for r in result.sender if 0 <= r["time_s"] <= result.length_s])
    write(data / "goodput.dat", goodput_rows(result.link))
    write(data / "delay.dat", [(p["arrived_s"], p["queue_delay_ms"]) for p in ok])
    write(data / "p95.dat", p95_rows(result.packets))
    write(data / "drops.dat", [(p["arrived_s"], delay_top * 0.95) for p in result.packets if p["fate"] != "ok"])
    top = max(bps for _, bps in points) * 1.25e-6
    (data / "plot.gp").write_text(SCRIPT.format(length=result.length_s, top=top, delay_top=delay_top, bin=BIN_S,
                                                limit=limit_ms))
    subprocess.run(["gnuplot", "plot.gp"], cwd=data, check=True)
    return (data / "plot.png").replace(folder / "plot.png")
