# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The picture of a run: what the link served to each flow, and how long packets waited."""

import shutil
import subprocess

import metrics

BIN_S = 0.5
MOST_POINTS = 20000
COLOURS = ("#1b9e77", "#d95f02", "#7570b3", "#e7298a", "#66a61e")
SCRIPT = """
set terminal pngcairo size 1200,800 font "sans,12" noenhanced
set output "plot.png"
set multiplot
set lmargin at screen 0.075
set rmargin at screen 0.965
set xrange [0:{length}]
set grid xtics ytics lt 1 lw 1 lc rgb "#dddddd"
set border 3
set tics nomirror out
set key center center at screen 0.52,0.925 horizontal maxrows 1 samplen 2
set tmargin at screen 0.895
set bmargin at screen 0.48
set ylabel "Mbit/s" offset 1
set yrange [0:{top}]
set format x ""
set label 1 "{title}" at screen 0.52,0.97 center font "sans,14"
plot "capacity.dat" using 1:2 with steps lw 2 lc rgb "#333333" title "capacity", {flows}
unset label 1
set key center center at screen 0.52,0.415
set tmargin at screen 0.385
set bmargin at screen 0.085
set ylabel "queueing delay, ms" offset 1
set xlabel "time, s"
set yrange [0:{delay_top}]
set format x "%g"
plot "delay.dat" using 1:2 with points pt 7 ps 0.25 lc rgb "#6baed6" title "a packet", \\
     "drops.dat" using 1:2 with points pt 2 ps 0.8 lw 1.2 lc rgb "#e41a1c" title "dropped or lost"
"""


def write(path, rows):
    path.write_text("".join(" ".join(f"{v:.5g}" for v in row) + "\n" for row in rows) or "0 NaN\n", encoding="ascii")


def draw(run, contender, folder):
    if not shutil.which("gnuplot"):
        return
    data = folder / "plot-data"
    data.mkdir(exist_ok=True)
    case, step, names = run.case, round(BIN_S / metrics.BIN_S), []
    for path in sorted(run.served):
        row = run.served[path]
        write(data / f"flow{path}.dat", [(i * metrics.BIN_S + BIN_S / 2, sum(row[i:i + step]) * 8e-6 / BIN_S)
                                         for i in range(0, run.bins, step)])
        name = contender + (f" {path}" if len(run.forward) > 1 else "")
        names.append((path, "TCP" if path == metrics.TCP_PATH else name))
    points = [*case.capacity, (case.seconds, case.capacity[-1][1])]
    write(data / "capacity.dat", [(second, bps / 1e6) for second, bps in points])
    served = [(p[0], p[2]) for p in run.packets if p[2] is not None]
    write(data / "delay.dat", served[::1 + len(served) // MOST_POINTS])
    delay_top = max([delay for _, delay in served] + [40]) * 1.1
    write(data / "drops.dat", [(p[0], delay_top * 0.96) for p in run.packets if p[2] is None])
    flows = ", ".join(f'"flow{path}.dat" using 1:2 with lines lw 1.8 lc rgb '
                      f'"{"#999999" if path == metrics.TCP_PATH else COLOURS[i % len(COLOURS)]}" title "{name}"'
                      for i, (path, name) in enumerate(names))
    top = max(bps for _, bps in case.capacity) * 1.15e-6
    (data / "plot.gp").write_text(SCRIPT.format(length=case.seconds, top=top, delay_top=delay_top, flows=flows,
                                                title=f"{case.name}, {contender}: {case.what}"), encoding="utf-8")
    subprocess.run(["gnuplot", "plot.gp"], cwd=data, check=True)
    (data / "plot.png").replace(folder / "plot.png")
    shutil.rmtree(data)
