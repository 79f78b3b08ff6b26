# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What is computed from traces."""

from dataclasses import dataclass
from statistics import fmean, pstdev, stdev

# Student's t, 95 %, two-sided, by degrees of freedom; above: the normal distribution's.
STUDENT_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145)
NORMAL_T = 1.96


@dataclass(frozen=True)
class Stat:
    """Mean over seeds and half of its 95 % confidence interval, which one seed does not have."""
    mean: float
    half: float | None

    def text(self, places=2, scale=1):
        half = "" if self.half is None else f" ± {self.half * scale:.{places}f}"
        return f"{self.mean * scale:.{places}f}{half}"

    def json(self):
        return {"mean": self.mean, "ci95": self.half}

    @property
    def low(self):
        return self.mean - (self.half or 0)

    @property
    def high(self):
        return self.mean + (self.half or 0)


def stat(values):
    n = len(values)
    if n < 2:
        return Stat(values[0], None)
    t = STUDENT_T[n - 2] if n - 2 < len(STUDENT_T) else NORMAL_T
    return Stat(fmean(values), t * stdev(values) / n ** 0.5)


def variation(values):
    """Coefficient of variation; of a flow that stands still 0."""
    mean = fmean(values)
    return pstdev(values) / mean if mean > 0 else 0.0


def sent_variation(trace, prefix, spans):
    """Mean over flows and spans of the coefficient of variation of the rate of each second."""
    return fmean(variation(trace.flows[name].sent_bps[begin:end]) for name in trace.ids(prefix) for begin, end in spans)


def jain(values):
    squares = sum(v * v for v in values)
    return sum(values) ** 2 / (len(values) * squares) if squares > 0 else 0.0


def jain_series(trace, prefix, window, start):
    """[(t, index)] of what was received in the `window` seconds before t, or since the start if
    window is None."""
    sums = []
    for name in trace.ids(prefix):
        total, sums_of_flow = 0.0, [0.0]
        for value in trace.flows[name].received_bps:
            total += value
            sums_of_flow.append(total)
        sums.append(sums_of_flow)
    first = start + (window or 1)
    return [(t, jain([s[t] - s[start if window is None else t - window] for s in sums]))
            for t in range(first, len(sums[0]))]


def first_at(series, level):
    """When it first reaches `level`; None: never."""
    return next((t for t, value in series if value >= level), None)


def for_good_at(series, level):
    """Since when it no longer is below `level`; None: it is at the end."""
    since = None
    for t, value in series:
        if value < level:
            since = None
        elif since is None:
            since = t
    return since


def used_ratio(trace, prefix, capacity_bps, spans):
    """Received by the flows of what the UDP leaves, over the spans."""
    got = left = 0.0
    for begin, end in spans:
        got += sum(sum(trace.flows[name].received_bps[begin:end]) for name in trace.ids(prefix))
        left += capacity_bps * (end - begin)
        left -= sum(sum(trace.flows[name].received_bps[begin:end]) for name in trace.ids("udp"))
    return got / left
