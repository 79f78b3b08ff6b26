# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The paper's Linux experiments (figures 16 to 19) and its topology of two routers in real time:
over rmcsinks, rcprelay and arcsrcs on loopback, with an emulated delay of each flow before the
relay; at 1 Gbit/s with light senders; and the CPU time of the relay.

What is measured stays in the results' folder, so that some cases can be measured now and the others
at another time."""

import contextlib
import os
import re
import subprocess
from dataclasses import dataclass

import picture
import rcpliveclaims
from mdtable import put, record as record_table, table
from provenance import commit, stamp
from verdicts import count, record

SEND_PORT, RELAY_PORT = 27000, 25000
RELAY = "pacing-priority=10 max-queue-time=2000000000"
SENDERS = {"as published": "profile=paper", "as shipped": ""}
LIGHT = "light senders"
LAWS = {"rcp": "RCP", "piqi-rcp": "PIQI-RCP", "piqi-rcp-rtt": "PIQI-RCP, a step each RTT"}
BOTH = ("rcp", "piqi-rcp")
COST = "cost"
RTTS_MS = (20, 50, 80, 110, 140, 170, 200, 240, 270, 300)


@dataclass(frozen=True)
class Case:
    name: str
    figure: str
    play: str
    capacity_bps: float
    rtts_ms: tuple      # of each flow
    unit_s: int         # SECONDS of the program
    after_s: int = 0    # AFTER of rcp-live-figures
    second_bps: float = 0       # of a second relay
    laws: tuple = BOTH
    light: bool = False

    @property
    def senders(self):
        return {LIGHT: ""} if self.light else SENDERS

    @property
    def last_s(self):
        return 5 if self.after_s else self.unit_s / 2


CASES = (
    # More than this, with what it overshoots by, is more than two cores carry beside other work.
    Case("joins", "16, 17a", "joins", 100e6, (50,) * 3, 5),
    Case("crowd", "17b, 18", "crowd", 50e6, (25,) * 11, 5),
    Case("mice", "19", "mice", 100e6, (25,) * 40, 4),
    Case("rtts", "–", "joins", 100e6, RTTS_MS, 2, 20, laws=("piqi-rcp",)),
    # At 155 and 50 Mbit/s threads of a machine of two cores come late, and RCP swings by that.
    Case("relays", "2, 10", "relays", 77.5e6, (710, *(20,) * 9), 20, 40, 25e6),
    Case("light-joins", "16, 17a", "joins", 1e9, (50,) * 3, 15, laws=tuple(LAWS), light=True),
    Case("light-crowd", "17b, 18", "crowd", 1e9, (25,) * 11, 5, light=True),
    Case("light-crowd-100", "17b, 18", "crowd", 100e6, (25,) * 11, 5, light=True),
    Case("light-mice", "19", "mice", 1e9, (25,) * 60, 5, light=True))


# --- measure ---

@contextlib.contextmanager
def delays(args, rtts_ms):
    program = args.build / "tools" / "linkemu" / "linkemu"
    links = [subprocess.Popen([program, f"--listen=127.0.0.1:{SEND_PORT + i}",
                               f"--to=127.0.0.1:{RELAY_PORT + i}", f"--delay={rtt / 2:g}",
                               "--queue=none"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) for i, rtt in enumerate(rtts_ms)]
    try:
        yield
    finally:
        for link in links:
            link.terminate()
            link.wait()


def call(args, command, program, *words):
    env = {**os.environ, "GST_PLUGIN_PATH_1_0": str(args.build / "gst"),
           "GST_REGISTRY_1_0": str(args.build / "eval" / "registry.bin")}
    done = subprocess.run([args.build / "papers" / "piqi-rcp" / program, *map(str, words)],
                          env=env, text=True, capture_output=True, timeout=300, check=False)
    if done.returncode:
        command.fail(f"{program} {' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def play(args, command, case, law, sender):
    n = len(case.rtts_ms)
    if case.light:
        return call(args, command, "rcp-gigabit", case.play, int(case.capacity_bps), law,
                    case.rtts_ms[0], n, case.unit_s)
    capacity = f"{case.capacity_bps:.0f}" + (f",{case.second_bps:.0f}" if case.second_bps else "")
    with delays(args, case.rtts_ms):
        return call(args, command, "rcp-live-figures", case.play, capacity, law, RELAY, sender,
                    SEND_PORT, n, case.unit_s, case.after_s or case.unit_s)


def stored(args, name):
    return args.out / "live" / f"{name}.csv"


def name_of(case, law, kind):
    return f"{case.name}-{law}-{kind.split()[-1]}"


def keep(args, name, text):
    """Its first line is the commit."""
    stored(args, name).parent.mkdir(parents=True, exist_ok=True)
    stored(args, name).write_text(f"{commit()}\n{text}", encoding="utf-8")


def keep_cost(args, text):
    """Behind the runs of the same commit."""
    path, before = stored(args, COST), ""
    if path.exists() and path.read_text(encoding="utf-8").startswith(f"{commit()}\n"):
        before = path.read_text(encoding="utf-8").partition("\n")[2]
    keep(args, COST, before + text)


def read(args, command, name):
    """The commit and the lines."""
    if not stored(args, name).exists():
        command.fail(f"{name} was not measured yet: run it without names of cases")
    head, *lines = stored(args, name).read_text(encoding="utf-8").splitlines()
    return head, lines


def measure(args, command):
    names = [*(case.name for case in CASES), COST]
    chosen = command.chosen({name: name for name in names}, args.cases)
    for case in CASES:
        for kind, sender in case.senders.items() if case.name in chosen else ():
            for law in case.laws:
                keep(args, name_of(case, law, kind), play(args, command, case, law, sender))
    if COST in chosen:
        keep_cost(args, call(args, command, "rcp-relay-cost", "rate"))


# --- the page ---

def draw(args, name, runs):
    """runs: title, path of rows, capacity"""
    commands = ["set grid lc rgb '#dddddd'", "set datafile separator ','",
                f"set multiplot layout 2,{len(runs)}", "set xlabel 's'"]
    for what in ("rate", "queue"):
        for title, path, capacity in runs:
            commands += [f"set title '{title}: {what}'"]
            source = f"'{path}' skip 1"
            if what == "rate":
                commands += [f"set yrange [0:{capacity / 1e6 * 2:g}]", "set ylabel 'Mbit/s'",
                             f"t=0; b=0; plot {source} using 1:((v=($3-b)*8e-6/($1-t+1e-9)), b=$3, "
                             "t=$1, v) with lines lc rgb '#1b6ca8' notitle"]
            else:
                commands += ["set yrange [0:*]", "set ylabel 'packets'",
                             f"plot {source} using 1:2 with lines lc rgb '#b03a2e' notitle"]
    picture.draw(args.plots / f"{name}.png", f"{330 * len(runs)},560", commands,
                 terminal="background '#ffffff'")


def half_seconds(source, column, name, colour):
    """Two commands: the start, and the plot of a flow's rate."""
    rate = f"(v=(${column}-b{column})*8e-6/($1-t{column}+1e-9))"
    return (f"t{column}=0; b{column}=0",
            f"{source} every 25 using 1:({rate}, b{column}=${column}, t{column}=$1, v) with lines "
            f"lc rgb '{colour}' title '{name}'")


def draw_relays(args, runs):
    """runs: title, path, number of flows"""
    blue, red = "#1b6ca8", "#b03a2e"
    commands = ["set grid lc rgb '#dddddd'", "set datafile separator ','", "set key top right",
                f"set multiplot layout 2,{len(runs)}", "set xlabel 's'", "set xrange [0:60]",
                "set yrange [0:90]",
                "set ylabel 'Mbit/s'"]
    for title, path, _ in runs:
        parts = [half_seconds(f"'{path}' skip 1", 6, "x1", blue),
                 half_seconds(f"'{path}' skip 1", 7, "x2", red)]
        commands += [f"set title '{title}: rates'", *(start for start, _ in parts),
                     picture.plot([part for _, part in parts])]
    commands += ["set yrange [0:*]", "set ylabel 'packets'"]
    for title, path, n in runs:
        lines = [f"'{path}' skip 1 using 1:{column} with lines lc rgb '{colour}' title '{name}'"
                 for column, colour, name in ((2, blue, "first"), (6 + n, red, "second"))]
        commands += [f"set title '{title}: queues'", picture.plot(lines)]
    picture.draw(args.plots / "live-relays.png", "1320,560", commands,
                 terminal="background '#ffffff'")


def row(case, title, f):
    return [case.figure, title, f"{case.capacity_bps / 1e6:g}",
            f"{f['least']:.2f} to {f['most']:.2f}", f"{f['use']:.3f}",
            f"{f['jain']:.4f}" if f["jain"] else "–", f"{f['queue']:.0f}",
            f"{f['queue_end']:.0f}", f"{f['dropped']:.0f}"]


HEAD = ["figure", "law", "Mbit/s", "input over 20 ms, of the capacity", "utilisation", "Jain",
        "deepest queue, packets", "at the end", "dropped"]


def relays_row(title, f):
    return [title, *(f"{f[name] / 1e6:.2f}" for name in ("before", "x1", "others")),
            f"{f['jain']:.4f}", f"{100 * f['swing']:.1f} %", f"{f['settled_s']:.0f}",
            ", ".join(f"{queue:.0f}" for queue in f["queues"]), f"{f['dropped']:.0f}"]


RELAYS_HEAD = ["law", "x1 before the join", "x1", "each of the others", "Jain of these",
               "swing of x1", "settled after, s", "deepest queue: first, second relay", "dropped"]


def cost_table(lines):
    """The table, and {packets that come together: % of a core} of the relay as it is; of several
    runs the one with the least time a packet, since other work on the machine only adds."""
    pattern = (r"trains of (\d+), sink takes (\w+)(, relay without trains)?: ([\d.]+) % of a CPU, "
               r"([\d.]+) us a packet; (\d+) Mbit/s out, .* (\d+) dropped, (\d+) lost")
    least = {}
    for found in sorted((re.match(pattern, line).groups() for line in lines),
                        key=lambda row: float(row[4])):
        least.setdefault((int(found[0]), found[1] == "packets", bool(found[2])), found)
    rows = [least[key] for key in sorted(least)]
    text = table(["packets that come together", "receivers take", "relay", "% of a CPU",
                  "µs a packet", "Mbit/s out", "dropped, lost"],
                 [[trains, takes, "as a kernel without both" if plain else "joins and cuts", cpu,
                   us, out, f"{dropped}, {lost}"]
                  for trains, takes, plain, cpu, us, out, dropped, lost in rows])
    return text, {int(row[0]): float(row[3]) for row in rows if row[1] == "trains" and not row[2]}


def load(args, command):
    """Commits; {case: {sender: {law: figures}}}; and {case: % of a core} of light senders."""
    commits, found, cpu = set(), {}, {}
    for case in CASES:
        for kind in case.senders:
            for law in case.laws:
                head, lines = read(args, command, name_of(case, law, kind))
                rows = [[float(word) for word in line.split(",")] for line in lines
                        if not line.startswith("#")]
                of = rcpliveclaims.relay_figures if case.second_bps else rcpliveclaims.figures
                found.setdefault(case.name, {}).setdefault(kind, {})[LAWS[law]] = of(case, rows)
                commits.add(head)
                cpu.setdefault(case.name, []).extend(
                    float(line.split()[2]) for line in lines if line.startswith("# relay"))
    return commits, found, cpu


def pictures(args):
    def runs(names, kind):
        return [(f"{case.figure} {LAWS[law]}", stored(args, name_of(case, law, kind)),
                 case.capacity_bps) for case in CASES if case.name in names for law in BOTH]
    draw(args, "live-figures", runs(("joins", "crowd", "mice"), "as published"))
    draw(args, "light-figures", runs(("light-joins", "light-crowd-100", "light-mice"), LIGHT))
    relays = next(case for case in CASES if case.second_bps)
    draw_relays(args, [(f"{LAWS[law]} {kind}", stored(args, name_of(relays, law, kind)),
                        len(relays.rtts_ms)) for kind in SENDERS for law in BOTH])


def run(args, command):
    measure(args, command)
    commits, found, cpu = load(args, command)
    page = args.plots.parent / "rcp-figures.md"
    head, lines = read(args, command, COST)
    costs, shares = cost_table(lines)
    commits |= {head}
    pictures(args)
    one = [case for case in CASES if not case.second_bps]
    two = next(case for case in CASES if case.second_bps)
    claims = [*rcpliveclaims.judge_elements(CASES, found), *rcpliveclaims.judge_relays(two, found),
              *rcpliveclaims.judge_light(found), rcpliveclaims.judge_cost(shares)]
    measured_at = ", ".join(sorted(commits))
    record("piqi-live", "papers/piqi-rcp/run figures", claims, measured_at)
    put(page, "the live claims",
        f"Recorded {stamp(commits)}. Of {len(claims)} claims: {count(claims)}.")
    record_table(page, "the cost table", costs, lambda cells: "packets" not in cells[1],
                 ("receivers take", "dropped, lost"))
    put(page, "the table of two relays", table(RELAYS_HEAD, [
        relays_row(f"{law}, {kind}", f) for kind, of in found[two.name].items()
        for law, f in of.items()]))
    record_table(page, "the table of light senders", table([*HEAD, "relay, % of a core"], [
        [*row(case, law, f), f"{percent:.0f}"] for case in one if case.light
        for (law, f), percent in zip(found[case.name][LIGHT].items(), cpu[case.name])]),
        lambda cells: cells[2] == "1000", ("at the end",))
    return "the table of live figures", HEAD, [
        row(case, law + (" of 20 to 300 ms" if case.name == "rtts" else "") + f", {kind}", f)
        for case in one if not case.light for kind, of in found[case.name].items()
        for law, f in of.items()]
