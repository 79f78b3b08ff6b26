# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The RAMP paper's section 6 with other targets, gains and networks than it has: what tunes TCP's
share, and which of its claims hold in which reading of what it leaves open."""

import csv
import ctypes.util
import subprocess

from mdtable import table
from verdicts import Claim, differing, verdict

NS3 = "libns3-core.so.37"        # others have other figures
TEST = "test_a_larger_target_or_gain_takes_from_tcp"
# A target of 16 kB is 16384; the socket holds 64 kB.
TARGETS = (4096, 8192, 16384, 32768)
GAINS = (0.25, 0.5, 1, 2, 4)
READINGS = (
    ("the main one", ()),
    ("half of the gain", ("--gain-ratio=0.5",)),
    ("twice the gain", ("--gain-ratio=2",)),
    ("a target of 8 kB", ("--target-bytes=8192",)),
    ("a target of 32 kB", ("--target-bytes=32768",)),
    ("round-trip time 5 ms", ("--rtt-ms=5",)),
    ("round-trip time 50 ms", ("--rtt-ms=50",)),
    ("round-trip time 100 ms", ("--rtt-ms=100",)),
    ("least timeout 0.2 s", ("--min-rto-ms=200",)),
    ("selective acknowledgements", ("--sack=true",)),
    ("frames of one size", ("--key-gain=1",)),
    ("video of 1.2 Mbit/s", ("--rate=1.2e6",)),
    ("video of 2.5 Mbit/s", ("--rate=2.5e6",)),
    ("a socket of 32 kB", ("--buffer-bytes=32768",)),
    ("phases of 60 s", ("--phase-s=60",)),
)


def phases(ramp_sim, *options):
    run = subprocess.run([str(ramp_sim), *options], capture_output=True, text=True, check=True)
    return [{name: float(value) for name, value in row.items()}
            for row in csv.DictReader(run.stdout.split("\n\n")[1].splitlines())]


def total(rows, name):
    return sum(row[name] for row in rows)


def tuning(ramp_sim, name, values):
    """[(throughput over FCFS's, allocation over throughput)] of `ramp` by the option."""
    fcfs = total(phases(ramp_sim, "--scheduler=fifo"), "goodput_bps")
    found = [phases(ramp_sim, "--scheduler=ramp", f"--{name}={value}") for value in values]
    return [(total(rows, "goodput_bps") / fcfs,
             total(rows, "allocation_bps") / total(rows, "goodput_bps")) for rows in found]


def falls(values):
    return all(b < a for a, b in zip(values, values[1:]))


def percents(values):
    return ", ".join(f"{100 * value:.0f}" for value in values)


def claims(ramp_sim):
    """What the paper says of targets and gains."""
    by_target = [share for share, _ in tuning(ramp_sim, "target-bytes", TARGETS)]
    by_gain = tuning(ramp_sim, "gain-ratio", GAINS)
    shares, reserved = zip(*by_gain)
    own = GAINS.index(1)
    kilobytes = ", ".join(f"{value / 1024:g}" for value in TARGETS)
    gains = ", ".join(f"{value:g}" for value in GAINS)
    said = f"{percents(shares)} % of FCFS's throughput with {gains} times the gain"
    each = ("TCP's throughput changes one way with each step, by 10 points in all; partly: the "
            "latter")
    return [
        Claim("RAMP", "target-level", "6.2", "the target level tunes TCP's share", each,
              f"{percents(by_target)} % of FCFS's throughput with {kilobytes} kB",
              judged(by_target), TEST),
        Claim("RAMP", "responsiveness", "6.2", "how fast the controller answers tunes TCP's share",
              each, said, judged(shares), TEST),
        Claim("RAMP", "too-slow", "3.2", "too slow an allocation inhibits TCP's probing",
              "TCP gets less with a half and with a quarter of the gain; partly: with one",
              said, verdict(shares[0] < shares[own] and shares[1] < shares[own],
                            min(shares[:own]) < shares[own]), ""),
        Claim("RAMP", "too-fast", "3.2", "too fast an allocation reserves too much",
              "more is reserved, of what TCP sends, with twice and with four times the gain; "
              "partly: with one", f"{', '.join(f'{value:.2f}' for value in reserved)} times with "
              f"{gains} times the gain", verdict(min(reserved[own + 1:]) > reserved[own],
                                                 max(reserved[own + 1:]) > reserved[own])),
    ]


def judged(values):
    spread = max(values) - min(values) >= 0.1
    return verdict(spread and (falls(values) or falls(values[::-1])), spread)


def grid(ramp_sim, congestion_control, readings=READINGS):
    """A table: one row a reading, one column a claim. congestion_control: the claims, from the
    phases of FCFS, RAMP and RAMP with a target in time."""
    short = {"yes": "y", "partly": "p", "no": "**n**"}
    rows = []
    for name, options in readings:
        found = congestion_control(*(phases(ramp_sim, f"--scheduler={each}", *options)
                                     for each in ("fifo", "ramp", "ramp-time")))
        words = [claim.verdict for claim in found]
        rows.append([name, *(short[word] for word in words), words.count("yes")])
    keys = [f"`{claim.key}`" for claim in found]
    return table(["reading", *keys, "yes"], rows)


def changed(ramp_sim, congestion_control, recorded):
    """What the recorded grid and the record of claims say otherwise of the targets, the gains and
    every fifth reading; None:
    this is not the ns-3 that they are of."""
    if ctypes.util.find_library("ns3-core") != NS3:
        return None
    rows = grid(ramp_sim, congestion_control, READINGS[::5]).splitlines()
    return [*differing("ramp", claims(ramp_sim)), *(line for line in rows if line not in recorded)]
