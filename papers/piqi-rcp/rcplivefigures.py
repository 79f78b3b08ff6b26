# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The paper's Linux experiments (figures 16 to 19) over rmcsinks, one rcprelay and arcsrcs on
loopback, with an emulated delay of each flow before the relay, and the CPU time of the relay."""

import contextlib
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import picture
from mdtable import put, table
from verdicts import Claim, commit, mark, record, verdict

SEND_PORT, RELAY_PORT = 27000, 25000
RELAY = "pacing-priority=10 max-queue-time=2000000000"
SENDERS = {"as published": "profile=paper", "as shipped": ""}
LAWS = {"rcp": "RCP", "piqi-rcp": "PIQI-RCP"}
RTTS_MS = (20, 50, 80, 110, 140, 170, 200, 240, 270, 300)
CPU_LIMIT = 30


@dataclass(frozen=True)
class Case:
    figure: str
    play: str
    capacity_bps: float
    rtts_ms: tuple      # of each flow
    unit_s: int         # SECONDS of rcp-live-figures
    laws: tuple = tuple(LAWS)


CASES = (Case("16, 17a", "joins", 200e6, (50,) * 3, 5),
         Case("17b, 18", "crowd", 100e6, (25,) * 11, 5),
         Case("19", "mice", 200e6, (25,) * 40, 3),
         Case("–", "joins", 100e6, RTTS_MS, 2, ("piqi-rcp",)))


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


def play(args, command, case, law, sender):
    env = {**os.environ, "GST_PLUGIN_PATH_1_0": str(args.build / "gst"),
           "GST_REGISTRY_1_0": str(args.build / "eval" / "registry.bin")}
    with delays(args, case.rtts_ms):
        done = subprocess.run([args.build / "papers" / "piqi-rcp" / "rcp-live-figures", case.play,
                               str(int(case.capacity_bps)), law, RELAY, sender, str(SEND_PORT),
                               str(len(case.rtts_ms)), str(case.unit_s)],
                              env=env, text=True, capture_output=True, timeout=300)
    if done.returncode:
        command.fail(f"{case.figure} {law}: {done.stderr}")
    return [[float(word) for word in line.split(",")] for line in done.stdout.splitlines()]


# --- figures of rows ---

def between(rows, begin_s, end_s):
    return [row for row in rows if begin_s <= row[0] < end_s]


def ratios(rows, capacity_bps, column=2):
    """Of each bin of 20 ms to the capacity; a bin that a late row made longer counts by itself."""
    return [(b[column] - a[column]) * 8 / (b[0] - a[0]) / capacity_bps
            for a, b in zip(rows, rows[1:]) if b[0] > a[0]]


def mean_ratio(rows, capacity_bps, column=3):
    return (rows[-1][column] - rows[0][column]) * 8 / (rows[-1][0] - rows[0][0]) / capacity_bps


def jain(rows, n):
    sent = [rows[-1][5 + i] - rows[0][5 + i] for i in range(n)]
    return sum(sent) ** 2 / (n * sum(x * x for x in sent))


def figures(case, rows):
    end, unit, c = rows[-1][0], case.unit_s, case.capacity_bps
    n = len(case.rtts_ms)
    busy = between(rows, unit, end if case.play != "crowd" else 2 * unit)
    last = between(rows, end - unit / 2, end)
    steady = between(rows, 1.6 * unit, 2 * unit) if case.play == "crowd" else last
    bins = ratios(busy, c)
    return {"most": max(bins), "least": min(bins), "queue": max(row[1] for row in busy),
            "queue_end": max(row[1] for row in steady), "dropped": rows[-1][4],
            "use": mean_ratio(busy if case.play == "mice" else steady, c),
            "jain": jain(steady, n) if case.play != "mice" else None}


# --- claims ---

def claim(key, where, says, criterion, found, word):
    return Claim("PIQI-RCP", key, where, says, criterion, found, word)


def queue_claim(key, where, says, f, where_found):
    rcp, piqi = f["RCP"]["queue"], f["PIQI-RCP"]["queue"]
    return claim(key, where, says, "PIQI-RCP's deepest queue at most 10 packets, and RCP's ten "
                 "times as deep; partly: RCP's twice as deep", f"{where_found}: RCP {rcp:.0f}, "
                 f"PIQI-RCP {piqi:.0f} packets",
                 verdict(piqi <= 10 and rcp >= 10 * piqi, rcp >= 2 * piqi))


def crowd_claim(f):
    rcp, piqi = f["RCP"], f["PIQI-RCP"]
    high, even = rcp["most"] >= 3, piqi["most"] <= 1.2
    return claim("live-17b", "Fig. 17b", "ten flows that join bring thrice the capacity with RCP, "
                 "which falls to a tenth then; hardly more than the capacity with PIQI-RCP",
                 "over 20 ms RCP's most at least 3 and its least at most 0.1 of the capacity, "
                 "PIQI-RCP's most at most 1.2; partly: PIQI-RCP's most at most half of RCP's",
                 f"at 100 Mbit/s: RCP {rcp['least']:.2f} to {rcp['most']:.2f}, PIQI-RCP "
                 f"{piqi['least']:.2f} to {piqi['most']:.2f}",
                 verdict(high and even and rcp["least"] <= 0.1, 2 * piqi["most"] <= rcp["most"]))


def judge(found):
    joins, crowd, mice = (found[case.figure]["as published"] for case in CASES[:3])
    uses = [f["use"] for f in joins.values()]
    yield claim("live-16", "Fig. 16", "three flows keep the throughput high with both",
                "Jain at least 0.99 and out of the relay at least 0.93 of the capacity; partly: "
                "one of them", f"at 200 Mbit/s: RCP {uses[0]:.3f}, PIQI-RCP {uses[1]:.3f}; Jain "
                + ", ".join(f"{f['jain']:.4f}" for f in joins.values()),
                verdict(min(uses) >= 0.93 and min(f["jain"] for f in joins.values()) >= 0.99,
                        min(uses) >= 0.93))
    yield queue_claim("live-17a", "Fig. 17a", "at a join 9415 packets with RCP, at most one with "
                      "PIQI-RCP", joins, "at 200 Mbit/s")
    yield crowd_claim(crowd)
    yield queue_claim("live-18", "Fig. 18", "11 000 packets with RCP, one with PIQI-RCP", crowd,
                      "at 100 Mbit/s")
    rcp, piqi = mice["RCP"], mice["PIQI-RCP"]
    smaller = piqi["most"] < rcp["most"], piqi["least"] > rcp["least"]
    yield claim("live-19", "Fig. 19", "with mice RCP overshoots by 40 % and undershoots by 25 %, "
                "PIQI-RCP much less, at the same utilisation", "over 20 ms both smaller with "
                "PIQI-RCP, and utilisation within 6 % (gamma takes 5); partly: one of the three "
                "is not so", f"at 200 Mbit/s: RCP {rcp['least']:.2f} to {rcp['most']:.2f}, mean "
                f"{rcp['use']:.3f}; PIQI-RCP {piqi['least']:.2f} to {piqi['most']:.2f}, mean "
                f"{piqi['use']:.3f}", verdict(
                    all(smaller) and piqi["use"] >= 0.94 * rcp["use"], any(smaller)))


def cost(args):
    program = args.build / "papers" / "piqi-rcp" / "rcp-relay-cost"
    text = subprocess.run([program, "rate"], check=True, capture_output=True, text=True).stdout
    pattern = (r"trains of (\d+), sink takes (\w+)(, relay without trains)?: ([\d.]+) % of a CPU, "
               r"([\d.]+) us a packet; (\d+) Mbit/s out, .* (\d+) dropped, (\d+) lost")
    rows = [re.match(pattern, line).groups() for line in text.splitlines()]
    put(args.plots.parent / "rcp-figures.md", "the cost table",
        table(["packets that come together", "receivers take", "relay", "% of a CPU",
               "µs a packet", "Mbit/s out", "dropped, lost"],
              [[trains, takes, "as a kernel without both" if plain else "joins and cuts", cpu, us,
                out, f"{dropped}, {lost}"]
               for trains, takes, plain, cpu, us, out, dropped, lost in rows]))
    joined = {int(row[0]): float(row[3]) for row in rows if row[1] == "trains" and not row[2]}
    return claim("cpu", "V, Fig. 16", "the router's CPU is used to less than 30 % at 1 Gbit/s with "
                 "three flows", f"the relay's thread below {CPU_LIMIT} % of one core, packets of "
                 "1500 bytes that come alone, by three and by ten; partly: one of these",
                 ", ".join(f"{cpu:.1f} % (by {n})" for n, cpu in joined.items()),
                 verdict(max(joined.values()) < CPU_LIMIT, min(joined.values()) < CPU_LIMIT))


# --- the page ---

def draw(args, runs):
    commands = ["set grid lc rgb '#dddddd'", "set datafile separator ','",
                f"set multiplot layout 2,{len(runs)}", "set xlabel 's'"]
    for what in ("rate", "queue"):
        for title, path, capacity in runs:
            commands += [f"set title '{title}: {what}'"]
            if what == "rate":
                commands += [f"set yrange [0:{capacity / 1e6 * 2:g}]", "set ylabel 'Mbit/s'",
                             f"t=0; b=0; plot '{path}' using 1:((v=($3-b)*8e-6/($1-t+1e-9)), b=$3, "
                             "t=$1, v) with lines lc rgb '#1b6ca8' notitle"]
            else:
                commands += ["set yrange [0:*]", "set ylabel 'packets'",
                             f"plot '{path}' using 1:2 with lines lc rgb '#b03a2e' notitle"]
    picture.draw(args.plots / "live-figures.png", "2000,560", commands,
                 terminal="background '#ffffff'")


def row(case, title, f):
    return [case.figure, title, f"{case.capacity_bps / 1e6:g}",
            f"{f['least']:.2f} to {f['most']:.2f}", f"{f['use']:.3f}",
            f"{f['jain']:.4f}" if f["jain"] else "–", f"{f['queue']:.0f}",
            f"{f['queue_end']:.0f}", f"{f['dropped']:.0f}"]


HEAD = ["figure", "law", "Mbit/s", "input over 20 ms, of the capacity", "utilisation", "Jain",
        "deepest queue, packets", "at the end", "dropped"]


def run(args, command):
    found, lines, runs = {}, [], []
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            for kind, sender in SENDERS.items():
                for law in case.laws:
                    rows = play(args, command, case, law, sender)
                    f = figures(case, rows)
                    found.setdefault(case.figure, {}).setdefault(kind, {})[LAWS[law]] = f
                    what = " of 20 to 300 ms" if case.rtts_ms == RTTS_MS else ""
                    lines.append(row(case, f"{LAWS[law]}{what}, {kind}", f))
                    path = Path(folder) / f"{len(runs)}-{law}-{kind[3:]}-{case.play}.csv"
                    path.write_text("\n".join(",".join(map(str, r)) for r in rows))
                    if kind == "as published" and what == "":
                        runs.append((f"{case.figure} {LAWS[law]}", path, case.capacity_bps))
        draw(args, runs)
    claims = [*judge(found), cost(args)]
    record("piqi-live", "papers/piqi-rcp/run figures", claims)
    put(args.plots.parent / "rcp-figures.md", "the live claims",
        f"Recorded at {commit()}.\n\n"
        + table(["figure", "paper", "criterion", "ours", "holds?"],
                [[c.where, c.says, c.criterion, c.found, mark(c.verdict)] for c in claims]))
    return "the table of live figures", HEAD, lines
