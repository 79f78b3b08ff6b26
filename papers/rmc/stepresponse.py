# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Settling times after the steps of the wanted rate, by one rule for rmcsink's arrivals and for the
samples of the paper's loop, and how far a response passes the new rate."""

import math
import statistics

PACKET_BITS = 1500 * 8
WITHIN = 0.05                   # the paper's t_s,5%
MEAN_PACKETS = 40               # a mean over fewer packets is coarser than that
# "Enter and stay": this share of the means in the time after it. Each late wake-up spoils all means
# that it falls into, up to three of the loop's 20 in that time and 20 of rmcsink's 400; a response
# that has not settled is monotonous in its error from sample to sample and spoils all.
STAYS_RATIO = 0.75
STAYS_S = 0.4
RESPONSE_SAMPLES = 10           # after the step, where a response may pass the new rate
NEVER = math.inf


def settled_at(means, final_bps):
    """means: [(time since the step, bit/s)]. The time of the first within WITHIN after which
    STAYS_RATIO of those in STAYS_S are; else NEVER."""
    good = [abs(bps / final_bps - 1) <= WITHIN for _, bps in means]
    end = 0
    for i, (at, _) in enumerate(means):
        while end < len(means) and means[end][0] < at + STAYS_S:
            end += 1
        if end == len(means):
            break
        if good[i] and sum(good[i:end]) >= STAYS_RATIO * (end - i):
            return at
    return NEVER


def passing(rates, final_bps, falls):
    """By how much of the new rate the first samples are beyond it, at most."""
    side = -1 if falls else 1
    beyond = (side * (bps / final_bps - 1) for _, bps in rates[:RESPONSE_SAMPLES])
    return max(0, *beyond)


# --- the paper's loop ---

def sample_rates(run, begin, end):
    """(time since the step, bit/s) of each sample; the first belongs to the interval in which the
    step came."""
    samples = run["samples"]
    pairs = [(a[0], b[0], b[1]) for a, b in zip(samples, samples[1:]) if begin <= b[0] < end]
    return [(at - begin, 8 * size / (at - before)) for before, at, size in pairs]


def means_of(rates, n):
    return [(rates[i][0], statistics.fmean(bps for _, bps in rates[i:i + n]))
            for i in range(len(rates) - n + 1)]


def loop_response(run, phase):
    """(settling time, seconds of each mean, how far it passes the new rate)"""
    length, ts = run["seconds"] / 3, run["ts_ms"] * 1e-3
    final = run["rate_bps"] / 10 if phase == 1 else run["rate_bps"]
    rates = sample_rates(run, phase * length, (phase + 1) * length)
    n = max(1, math.ceil(MEAN_PACKETS * PACKET_BITS / (final * ts)))
    return settled_at(means_of(rates, n), final), n * ts, passing(rates, final, phase == 1)


def loop_plot(run, phase):
    at = phase * run["seconds"] / 3
    return [[round(t - at, 4), round(r)] for t, r in sample_rates(run, 0, run["seconds"])
            if -0.1 <= t - at < 0.5]


# --- rmcsink ---

def sink_response(run, phase):
    step = run["steps"][phase - 1]
    rates = [rate for rate in step["rates"] if rate[0] >= 0]
    return (settled_at(step["means"], step["to_bps"]), step["mean_s"],
            passing(rates, step["to_bps"], phase == 1))


def sink_plot(run, phase):
    return run["steps"][phase - 1]["rates"]


RESPONSE = {"sink": sink_response, "loop": loop_response}
PLOT = {"sink": sink_plot, "loop": loop_plot}


def row(labels, outs, plot_rates):
    """The medians of the repeats, null if that is never, and the rates of the first for the
    picture."""
    result = dict(labels)
    for phase, name in ((1, "down"), (2, "up")):
        found = [RESPONSE[labels["kind"]](out, phase) for out in outs]
        median = statistics.median_low(settled for settled, _, _ in found)
        result[name + "_s"] = None if median == NEVER else median
        result[name + "_mean_s"] = found[0][1]
        result[name + "_passes"] = statistics.median_low(passes for _, _, passes in found)
        if labels["rate_bps"] in plot_rates:
            result[name + "_rates"] = PLOT[labels["kind"]](outs[0], phase)
    return result


def rows(runs, outputs, plot_rates):
    repeats = {}
    for run, out in zip(runs, outputs):
        repeats.setdefault(tuple(run.labels.items()), []).append(out)
    return [row(dict(labels), outs, plot_rates) for labels, outs in repeats.items()]
