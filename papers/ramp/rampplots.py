# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The paper's figures in virtual time and in ns-3, and what a packet costs."""

import subprocess

import picture
from mdtable import table
from runs import ROOT

OUT = ROOT / "docs" / "ramp-figures"
GRID = "set grid lt 1 lc rgb '#cccccc'"
PLOTS = {
    "fig4": (420, "bottom left", "Real-rate video beside greedy UDP on 10 Mbit/s (paper: Fig. 4)", """set xlabel 's'
set ylabel 'accumulated error, MB'
plot $data using 1:($2/1e6) skip 1 with lines lw 3 title 'RAMP, as published (16 kB)', \\
  '' using 1:($3/1e6) skip 1 with lines lw 2 title 'RAMP, ours (50 ms, borrowing)', \\
  '' using 1:($4/1e6) skip 1 with lines lw 2 title 'FCFS'
"""),
    "fig5": (600, "top right", "Steps of the requirement, packets of 250 bytes (paper: Fig. 5)", """set multiplot layout 2,1
set ylabel 'Mbit/s'
plot $data using 1:($3/1e6) skip 1 with lines lw 2 title 'allocation', '' using 1:($2/1e6) skip 1 with lines lw 2 title 'requirement'
unset title
set xlabel 's'
set ylabel 'fill level, kB'
plot $data using 1:($4/1e3) skip 1 with lines lw 2 title 'fill level', 16.384 lc rgb 'black' dt 2 title 'target'
unset multiplot
"""),
    "fig6": (420, "top right", "Step response (paper: Fig. 6)", """set xlabel 's'
set ylabel 'Mbit/s'
set yrange [0.8:2.8]
plot $data using 1:($2/1e6) skip 1 with steps lw 2 lc rgb 'black' title 'requirement', \\
  '' using 1:($3/1e6) skip 1 with lines lw 2 title 'allocation with 150 ms of dead time, as in the paper', \\
  '' using 1:($4/1e6) skip 1 with lines lw 2 title 'allocation without, as here'
"""),
}

SCHEDULERS = {"fifo": "FIFO", "ramp": "RAMP, as published (16 kB)", "ramp-time": "RAMP, target of 50 ms",
              "ramp-borrow": "RAMP, ours (50 ms, borrowing)"}
TCP_PLOTS = {
    "fig7-8": (760, "cwnd_pkts", "congestion window, packets", "[0:60]", ("fifo", "ramp", "ramp-time")),
    "tcp-rtt": (760, "rtt_ms", "round-trip time, ms", "[0:1500]", ("fifo", "ramp", "ramp-time")),
}


def simulate(build):
    """Each scheduler's rows in time, and a row a phase."""
    runs = {}
    for name in SCHEDULERS:
        text = subprocess.run([str(build / "papers/ramp/ramp-sim"), f"--scheduler={name}"], capture_output=True, text=True, check=True).stdout
        runs[name] = text.split("\n\n")
    return runs


def plot_tcp(name, runs):
    height, column, label, y_range, schedulers = TCP_PLOTS[name]
    variables = {s: "$" + s.replace("-", "_") for s in schedulers}
    data = [f"{variables[s]} << EOD\n{runs[s][0]}\nEOD" for s in schedulers]
    panels = [f"set title '{SCHEDULERS[s]}: TCP over 6 kB and 2, 1.5, 0.5, 1.5, 2 Mbit/s'\n"
              f"plot {variables[s]} using 'time_s':'{column}' with lines lw 1.5 notitle" for s in schedulers]
    picture.draw(OUT / f"{name}.png", f"900,{height}", [
        *data, GRID, "set key top right", "set datafile separator ','", f"set ylabel '{label}'",
        f"set yrange {y_range}", "set xrange [0:150]", f"set multiplot layout {len(schedulers)},1", *panels])


def print_tcp(runs):
    rows = []
    for phase in range(5):
        lines = [run[1].split("\n") for run in runs.values()]
        phases = [dict(zip(line[0].split(","), map(float, line[1 + phase].split(","))))
                  for line in lines]
        rows.append([f"{phases[0]['bucket_bps'] / 1e6:g}", *(
            f"{r['goodput_bps'] / 1e6:.2f}; {r['cwnd_max_pkts']:.0f}; {r['cuts_per_s']:.2f}; "
            f"{r['timeouts']:.0f}; {r['rtt_ms']:.0f}; {r['scheduler_delay_ms']:.0f}"
            for r in phases)])
    print(table(["bottleneck, Mbit/s", *SCHEDULERS.values()], rows))
    print("goodput in Mbit/s; largest window in packets; reductions a second; timeouts; RTT in ms; "
          "delay in the scheduler in ms")


def data_of(build, name):
    run = subprocess.run([str(build / "papers/ramp/ramp-figures"), name], capture_output=True, text=True, check=True)
    if run.stderr:
        print(run.stderr, end="")
    return run.stdout


def plot(name, data):
    height, key, title, commands = PLOTS[name]
    picture.draw(OUT / f"{name}.png", f"900,{height}",
                 [f"$data << EOD\n{data}EOD", GRID, f"set key {key}", f"set title '{title}'", commands])


def run(args):
    OUT.mkdir(exist_ok=True)
    for name in PLOTS:
        data = data_of(args.build, name)
        plot(name, data)
        if name == "fig4":
            lines = data.split("\n")
            print("fig4 after a minute:", dict(zip(lines[0].split(), lines[-2].split())))
    cost = data_of(args.build, "cost")
    (OUT / "cost.txt").write_text(cost)
    print(cost, end="")
    if (args.build / "papers/ramp/ramp-sim").exists():
        runs = simulate(args.build)
        for name in TCP_PLOTS:
            plot_tcp(name, runs)
        print_tcp(runs)
