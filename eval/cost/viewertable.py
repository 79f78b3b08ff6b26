# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What a viewer costs a server, by build/eval/cost/viewers: the table of viewers.md."""

import json
import statistics
import subprocess
from functools import partial

from mdtable import table

ARC, RTPBIN, MULTI = "arcserversink", "rtpbin", "multiudpsink"
GCM, ICM = "aes-128-gcm", "aes-128-icm"
# viewers, bit/s, seconds: (sink, cipher)
CASES = {
    (100, 500_000, 10): ((ARC, None), (RTPBIN, None)),
    (300, 500_000, 10): ((ARC, None), (RTPBIN, None), (MULTI, None), (ARC, GCM), (ARC, ICM),
                         (RTPBIN, GCM)),
    (1000, 500_000, 12): ((ARC, None), (RTPBIN, None), (MULTI, None)),
    (5000, 20_000, 22): ((ARC, None),),
}
ONCE = (5000, 20_000, 22)       # of how long they take to join


def name_of(sink, cipher, build=None):
    return ", ".join(filter(None, (sink, cipher, build)))


def run(bench, case, sink, cipher, build=None):
    viewers, rate, seconds = case
    command = [bench.build / "eval" / "cost" / "viewers", f"--sink={sink}", f"--viewers={viewers}",
               f"--rate={rate}", f"--seconds={seconds}", *([f"--srtp={cipher}"] if cipher else [])]
    output = subprocess.run(command, env=bench.environment(build or bench.build), check=True,
                            text=True, stdout=subprocess.PIPE, timeout=seconds + 60)
    return json.loads(output.stdout)


def measure(bench, repeats, builds):
    """{case: {name: [a row a repeat]}}, in turns; builds: {name: folder} of further arcserversinks,
    without a key, and not ONCE."""
    found = {}
    for case, sinks in CASES.items():
        runs = {name_of(*each): partial(run, bench, case, *each) for each in sinks}
        runs |= {name_of(ARC, None, name): partial(run, bench, case, ARC, None, build=folder)
                 for name, folder in builds.items() if case != ONCE}
        found[case] = {name: [] for name in runs}
        for _ in range(1 if case == ONCE else repeats):
            for name, make in runs.items():
                found[case][name].append(make())
    return found


def spread(values, places):
    middle, least, most = statistics.median(values), min(values), max(values)
    return f"{middle:.{places}f} ({least:.{places}f} to {most:.{places}f})"


def ratio(rows, others):
    """Of each turn, so that what else the machine does then meets both."""
    return spread([r["us_a_packet"] / o["us_a_packet"] for r, o in zip(rows, others)], 2)


def cells(case, name, rows, peers):
    def values(key, by=1):
        return [r[key] / by for r in rows]

    viewers, rate, _ = case
    plain = peers.get(name_of(ARC, None))
    return [name, viewers, f"{rate / 1e6:g}",
            f"{100 * min(r['packets'] / r['expected'] for r in rows):.0f} %",
            spread(values("us_a_packet"), 1),
            ratio(rows, peers[RTPBIN]) if RTPBIN in peers and name != RTPBIN else "–",
            ratio(rows, plain) if name in (name_of(ARC, GCM), name_of(ARC, ICM)) else "–",
            f"{statistics.median(values('kib_a_viewer')):.0f}",
            f"{statistics.median(values('late_us_p50', 1e3)):.1f}",
            spread(values("late_us_p99", 1e3), 0),
            f"{statistics.median(values('joined_ms', 1e3)):.2f}" if name.startswith(ARC) else "–"]


def lines(cases):
    return table(["sink", "viewers", "Mbit/s each", "came, least", "CPU a packet, us", "/ rtpbin",
                  "/ without a key", "memory, KiB", "delay p50, ms", "delay p99, ms",
                  "all joined after, s"],
                 (cells(case, name, rows, found) for case, found in cases.items()
                  for name, rows in found.items()))
