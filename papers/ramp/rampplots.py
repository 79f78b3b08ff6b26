# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The paper's figures in virtual time and in ns-3, and what a packet costs."""

import csv
import subprocess
from textwrap import fill

import picture
import rampreadings
import rampverdicts
from mdtable import cells_of, keep, put, table
from runs import ROOT
from provenance import commit, stamp
from verdicts import count, record, records

PAGE = ROOT / "docs" / "ramp-figures.md"
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

# [RAMP 5.1]: a video over TCP, alone and beside UDP of more than the interface carries.
SHARING = ("--scenario=sharing", "--rate=1.5e6", "--phase-s=60", "--rtt-ms=2", "--fifo-pkts=100")
SHARING_RUNS = {"fifo alone": ("--scheduler=fifo",),
                "ramp": ("--scheduler=ramp", "--greedy=12e6"),
                "ramp-borrow": ("--scheduler=ramp-borrow", "--greedy=12e6"),
                "fifo": ("--scheduler=fifo", "--greedy=12e6"),
                "priority": ("--scheduler=priority", "--greedy=12e6")}
SHARING_TITLES = {"ramp": "RAMP, as published (16 kB)", "ramp-borrow": "RAMP, ours (50 ms, borrowing)",
                  "fifo": "FCFS"}

SCHEDULERS = {"fifo": "FIFO", "ramp": "RAMP, as published (16 kB)", "ramp-time": "RAMP, target of 50 ms",
              "ramp-borrow": "RAMP, ours (50 ms, borrowing)"}
TCP_PLOTS = {
    "fig7-8": (760, "cwnd_pkts", "congestion window, packets", "[0:60]", ("fifo", "ramp", "ramp-time")),
    "tcp-rtt": (760, "rtt_ms", "round-trip time, ms", "[0:1500]", ("fifo", "ramp", "ramp-time")),
}


def ramp_sim(build, *options):
    """The rows in time, and those of the phases, as text."""
    run = subprocess.run([str(build / "papers/ramp/ramp-sim"), *options], capture_output=True,
                         text=True, check=True)
    return run.stdout.split("\n\n")


def columns(text):
    """{name: numbers} of rows in time."""
    rows = [dict(row) for row in csv.DictReader(text.splitlines())]
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def phases(text):
    return [{name: float(value) for name, value in row.items()}
            for row in csv.DictReader(text.splitlines())]


def simulate(build):
    return {name: ramp_sim(build, f"--scheduler={name}") for name in SCHEDULERS}


def share(build):
    return {name: columns(ramp_sim(build, *SHARING, *options)[0])
            for name, options in SHARING_RUNS.items()}


def plot_sharing(runs):
    alone = runs["fifo alone"]["read_bytes"]
    blocks, parts = [], []
    for name, title in SHARING_TITLES.items():
        label = name.replace("-", "_")
        error = [(at, got - wanted) for at, got, wanted
                 in zip(runs[name]["time_s"], runs[name]["read_bytes"], alone)]
        blocks.append(picture.block(label, error, digits=9))
        parts.append(f"${label} using 1:($2/1e6) with lines lw 2 title '{title}'")
    picture.draw(OUT / "fig4-tcp.png", "900,420", [
        *blocks, GRID, "set key bottom left", "set xlabel 's'",
        "set ylabel 'accumulated error, MB'",
        "set title 'Real-rate video over TCP beside greedy UDP on 10 Mbit/s (paper: Fig. 4)'",
        picture.plot(parts)])


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
    """The table, and what it says of itself."""
    run = subprocess.run([str(build / "papers/ramp/ramp-figures"), name], capture_output=True,
                         text=True, check=True)
    return run.stdout, run.stderr


def plot(name, data):
    height, key, title, commands = PLOTS[name]
    picture.draw(OUT / f"{name}.png", f"900,{height}",
                 [f"$data << EOD\n{data}EOD", GRID, f"set key {key}", f"set title '{title}'", commands])


PERIODS = {"paper_0.1_ms": "0.1 ms, as published", "fixed_12.5_ms": "12.5 ms",
           "dynamic": "by the bursts"}


def publish_period(build):
    """What the period of a reservation is worth: a table and bars of the longest delays."""
    lines = data_of(build, "period")[0].strip().splitlines()
    rows = [dict(zip(lines[0].split(), line.split())) for line in lines[1:]]
    put(PAGE, "the period", f"Recorded {stamp()}.\n\n" + table(
        ["link, Mbit/s", "period", "data: mean, ms", "most", "video: mean, ms", "most"],
        [(f"{float(r['link_bps']) / 1e6:g}", PERIODS[r["period"]], r["data_mean_ms"],
          r["data_most_ms"], r["video_mean_ms"], r["video_most_ms"]) for r in rows]))
    links = list(dict.fromkeys(r["link_bps"] for r in rows))
    blocks = [picture.block(f"m{i}", [(k, float(r["data_most_ms"])) for k, r in enumerate(
        r for r in rows if r["period"] == mode)]) for i, mode in enumerate(PERIODS)]
    tics = ", ".join(f"'{float(link) / 1e6:g} Mbit/s' {k}" for k, link in enumerate(links))
    picture.draw(OUT / "period.png", "700,360", [
        *blocks, GRID, "set key top right", "set style fill solid", "set boxwidth 0.25",
        "set logscale y", "set yrange [1:2000]", "set xrange [-0.6:2.6]", f"set xtics ({tics})",
        "set ylabel 'longest delay of the data, ms'",
        picture.plot([f"$m{i} using ($1 + {0.27 * (i - 1)}):2 with boxes title '{title}'"
                      for i, title in enumerate(PERIODS.values())])])


def judge(args, data, told):
    """What needs no ns-3, and what does."""
    figures = dict(word.split("=") for word in told.splitlines()[0].split()[1:])
    found = rampverdicts.steps(rampverdicts.series(data)) + rampverdicts.response(figures)
    if not (args.build / "papers/ramp/ramp-sim").exists():
        return found
    sharing, runs = share(args.build), simulate(args.build)
    plot_sharing(sharing)
    for name in TCP_PLOTS:
        plot_tcp(name, runs)
    print_tcp(runs)
    reading = ramp_sim(args.build, "--scenario=flow-control")
    return (rampverdicts.sharing(sharing) + found + rampverdicts.flow_control(phases(reading[1]))
            + rampverdicts.congestion_control(*(phases(runs[name][1])
                                                for name in ("fifo", "ramp", "ramp-time"))))


def counted(grid):
    """Of the grid, how many claims hold: with the main reading, and with the worst and the best."""
    head, *rows = cells_of(grid)
    yes = [int(cells[-1]) for cells in rows]
    return (f"Of the {len(head) - 2} claims {yes[0]} hold with the main reading, and "
            f"{min(yes)} to {max(yes)} with the {len(yes) - 1} others.")


def publish_readings(args):
    """What other targets, gains and networks change: into the record beside what it has."""
    ramp_sim = args.build / "papers/ramp/ramp-sim"
    found = rampreadings.claims(ramp_sim)
    _, before, kept = records()["ramp"]
    kept = {c.key: c for c in kept} | {c.key: c for c in found}
    commits = list(dict.fromkeys([*before.split(", "), commit()]))
    record("ramp", "papers/ramp/run", list(kept.values()), ", ".join(commits))
    grid = rampreadings.grid(ramp_sim, rampverdicts.congestion_control)
    keep(PAGE, "the readings", grid)
    put(PAGE, "the readings", f"Recorded {stamp()}. {counted(grid)}")
    put_count(kept.values(), stamp(commits))


def put_count(found, recorded):
    put(PAGE, "the claims", fill(f"Recorded {recorded}. Of {len(found)} claims: {count(found)}.",
                                 100))


def publish(found):
    put_count(found, stamp())
    record("ramp", "papers/ramp/run", found)


def run(args):
    OUT.mkdir(exist_ok=True)
    tables = {name: data_of(args.build, name) for name in PLOTS}
    for name, (data, told) in tables.items():
        plot(name, data)
        print(told, end="")
    cost, _ = data_of(args.build, "cost")
    (OUT / "cost.txt").write_text(cost)
    print(cost, end="")
    publish_period(args.build)
    found = judge(args, tables["fig5"][0], tables["fig6"][1])
    if (args.build / "papers/ramp/ramp-sim").exists():
        publish([*found, *rampverdicts.tested(args.build), *rampverdicts.left_open()])
        publish_readings(args)
