# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The capacity trace of the emulated link, as the user writes it: "0:3M,20:1M,40:3M"."""

import re
from dataclasses import dataclass

UNITS = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}


@dataclass(frozen=True)
class Phase:
    """A time of constant capacity."""

    start_s: float
    end_s: float
    capacity_bps: float
    falls: bool  # capacity was higher before


def parse(text):
    """[(second, bit/s)] in order of time; ValueError says what is wrong."""
    points = []
    for item in text.split(","):
        match = re.fullmatch(r"\s*([\d.]+):([\d.]+)([kMG]?)\s*", item)
        if not match:
            raise ValueError(f"'{item}' is not SECOND:RATE, such as 20:1M")
        points.append((float(match[1]), float(match[2]) * UNITS[match[3]]))
    seconds = [second for second, _ in points]
    if seconds[0] != 0 or seconds != sorted(set(seconds)):
        raise ValueError("a trace begins at second 0 and goes forward")
    return points


def phases(points, length_s):
    result = []
    for i, (start, bps) in enumerate(points):
        end = points[i + 1][0] if i + 1 < len(points) else length_s
        if start < length_s:
            result.append(Phase(start, min(end, length_s), bps, i > 0 and bps < points[i - 1][1]))
    return result


def capacity_at(points, second):
    return [bps for start, bps in points if start <= max(second, 0)][-1]


def after_fall(all_phases, second, span_s=1.0):
    """Is this within the first second after a downward step? No sender can know of the step before
    it hears of it."""
    return any(p.falls and p.start_s <= second < p.start_s + span_s for p in all_phases)
