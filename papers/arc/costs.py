# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What simulating costs: by flows and by simulated time, each run alone on the machine."""

from statistics import median

from simulations import Laboratory, Run

FLOWS = (2, 10, 40)
SECONDS = (100, 300, 1000)
FAIR_SHARE_BPS = 1_000_000


def run_of(flows, seconds):
    return Run("single", (("rate-law", "arc"), ("rate-flows", flows), ("capacity", flows * FAIR_SHARE_BPS),
                          ("seconds", seconds)))


def measure(laboratory):
    """[(flows, seconds, wall s, events, MiB)]"""
    runs = [run_of(flows, seconds) for flows in FLOWS for seconds in SECONDS]
    Laboratory(laboratory.arc_sim, laboratory.cache.parent, 1).simulate(runs)
    rows = []
    for run in runs:
        options, head = dict(run.options), laboratory.trace(run).head
        rows.append((options["rate-flows"], options["seconds"], *cost(head)))
    return rows


def cost(head):
    return float(head["wall_s"]), int(head["events"]), int(head["max_rss_kib"]) / 1024


def total(laboratory, runs):
    """Of all runs: how many, seconds of one processor, events. By the median speed, since some had
    to wait."""
    costs = [cost(laboratory.trace(run).head) for run in dict.fromkeys(runs)]
    events = sum(c[1] for c in costs)
    return len(costs), events / median(c[1] / c[0] for c in costs), events
