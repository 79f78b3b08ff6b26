# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Settling times after the steps of the wanted rate: those that the pacer found for rmcsink, and
from the samples of the paper's bare loop."""

import math
import statistics

PACKET_BITS = 1500 * 8
MEAN_PACKETS = 40               # a mean over fewer packets is coarser than the 5 % asked for
HOLD = 10                       # samples that make "stays": a later one may be outside because the machine delayed it
NEVER = math.inf


def sample_rates(run, begin, end):
    """(time since the step, bit/s) of each sample; the first belongs to the interval in which the
    step came."""
    samples = run["samples"]
    pairs = [(a[0], b[0], b[1]) for a, b in zip(samples, samples[1:]) if begin <= b[0] < end]
    return [(at - begin, 8 * size / (at - before)) for before, at, size in pairs]


def loop_settling(run, phase):
    """(seconds until the rate is within 5 % and stays for HOLD samples, seconds of each mean)."""
    length, ts = run["seconds"] / 3, run["ts_ms"] * 1e-3
    final = run["rate_bps"] / 10 if phase == 1 else run["rate_bps"]
    rates = sample_rates(run, phase * length, (phase + 1) * length)
    n = max(1, math.ceil(MEAN_PACKETS * PACKET_BITS / (final * ts)))
    good = [abs(sum(r for _, r in rates[i:i + n]) / n / final - 1) <= 0.05 for i in range(len(rates) - n + 1)]
    settled = next((i for i in range(len(good) - HOLD + 1) if all(good[i:i + HOLD])), None)
    return NEVER if settled is None else rates[settled][0], n * ts


def loop_plot(run, phase):
    at = phase * run["seconds"] / 3
    return [[round(t - at, 4), round(r)] for t, r in sample_rates(run, 0, run["seconds"]) if -0.1 <= t - at < 0.5]


def sink_settling(run, phase):
    step = run["steps"][phase - 1]
    return NEVER if step["settling_s"] is None else step["settling_s"], step["mean_s"]


def sink_plot(run, phase):
    return run["steps"][phase - 1]["rates"]


SETTLING = {"rmcsink": sink_settling, "loop": loop_settling}
PLOT = {"rmcsink": sink_plot, "loop": loop_plot}


def row(labels, outs, plot_rates):
    """The median of the repeats, null if that is never, and the rates of the first for the
    picture."""
    result = dict(labels)
    for phase, name in ((1, "down"), (2, "up")):
        found = [SETTLING[labels["kind"]](out, phase) for out in outs]
        median = statistics.median_low(t for t, _ in found)
        result[name + "_s"] = None if median == NEVER else median
        result[name + "_mean_s"] = found[0][1]
        if labels["rate_bps"] in plot_rates:
            result[name + "_rates"] = PLOT[labels["kind"]](outs[0], phase)
    return result


def rows(runs, outputs, plot_rates):
    repeats = {}
    for run, out in zip(runs, outputs):
        repeats.setdefault(tuple(run.labels.items()), []).append(out)
    return [row(dict(labels), outs, plot_rates) for labels, outs in repeats.items()]
