# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Made-up traces of mobile networks, whose statistics are those of recorded ones.

A trace is a list of times in milliseconds, each an opportunity to deliver 1504 bytes, as
mahimahi has it. The model has three parts:

- The rate while the link is up is a quantile function of a Gaussian process, so its
  distribution is the one of the table. The process is a sum of two of Ornstein and Uhlenbeck, a
  slow one (distance, shadowing) and a fast one (fading), whose variances and time constants
  give the autocorrelation.
- Outages come at exponential distances and have exponential lengths above a least one.
- The link serves in turns: a turn comes after a short gap or, with some probability, after a
  long one (a grant that had to be asked for), and delivers what the rate has given since the
  last one.

The tables of the LTE and EVDO kinds were fitted by hand to recordings of one commercial network
each, 60 to 120 s long; eval/lab/checktraces has their statistics. `wifi` has no recording behind
it: short turns of aggregated frames, contention as long gaps.

Opportunities are also made of a capacity over time: one that falls, or a recorded one."""

import bisect
import math
import random
from dataclasses import dataclass
from pathlib import Path

BYTES = 1504
STEP_MS = 10  # of the rate
LAST_RATE_S = 0.5  # for so long the last rate of a capacity holds
SEED_FORM = "trace-{}-{}"


@dataclass(frozen=True)
class Kind:
    """rates: Mbit/s at the probabilities QUANTILES while the link is up. slow, fast: (share of
    the variance, time constant in s). outage: (mean distance, least and mean length in s).
    gap_ms: mean of the short gaps between turns; long: (probability, least and most in ms)."""

    what: str
    rates: tuple
    slow: tuple
    fast: tuple
    outage: tuple
    gap_ms: float
    long: tuple


QUANTILES = (0, 0.1, 0.25, 0.5, 0.75, 0.95, 1)
KINDS = {
    "lte-driving": Kind("LTE downlink in a moving car, 7 Mbit/s",
                        (0.02, 0.1, 7.2, 8.2, 9.7, 12.6, 22),
                        (0.8, 13), (0.2, 0.6), (60, 0.2, 0.5), 1.9, (0.004, 10, 30)),
    "lte-uplink": Kind("LTE uplink in a moving car, 1 Mbit/s",
                       (0.02, 0.98, 1.07, 1.14, 1.18, 1.24, 1.5),
                       (0.5, 4), (0.5, 0.7), (14, 0.2, 0.65), 5, (0.09, 45, 51)),
    "lte-short": Kind("LTE uplink, 6 Mbit/s, few outages", (0.6, 1.9, 3.5, 6.2, 8.7, 12.4, 22),
                      (0.65, 20), (0.35, 0.3), (40, 0.2, 0.5), 2.0, (0.006, 10, 40)),
    "evdo-driving": Kind("EVDO uplink in a moving car, 0.9 Mbit/s",
                         (0.02, 0.5, 0.83, 0.97, 1.08, 1.28, 2.0),
                         (0.35, 6), (0.65, 0.5), (4, 0.1, 0.27), 5, (0.04, 25, 60)),
    "wifi": Kind("Wi-Fi with contention, 20 Mbit/s", (3, 10, 16, 21, 25, 31, 40),
                 (0.6, 5), (0.4, 0.3), (60, 0.1, 0.2), 4, (0.02, 20, 80)),
}


class Process:
    """Mean 0, variance 1."""

    def __init__(self, chance, *parts):
        self.chance = chance
        self.parts = [[chance.gauss(0, 1), share, math.exp(-STEP_MS / 1e3 / tau)]
                      for share, tau in parts]

    def step(self):
        for part in self.parts:
            part[0] = part[0] * part[2] + self.chance.gauss(0, math.sqrt(1 - part[2] ** 2))
        return sum(math.sqrt(share) * value for value, share, _ in self.parts)


def quantile(rates, value):
    """Of a standard Gaussian value."""
    at = 0.5 * (1 + math.erf(value / math.sqrt(2)))
    i = min(bisect.bisect_right(QUANTILES, at), len(QUANTILES) - 1)
    low, high = QUANTILES[i - 1], QUANTILES[i]
    return rates[i - 1] + (rates[i] - rates[i - 1]) * (at - low) / (high - low)


def outages(kind, chance, seconds):
    distance, least, mean = kind.outage
    at = chance.expovariate(1 / distance)
    while at < seconds:
        end = at + least + chance.expovariate(1 / (mean - least))
        yield at * 1e3, end * 1e3
        at = end + chance.expovariate(1 / distance)


def rate_steps(kind, chance, seconds):
    """Mbit/s of each STEP_MS."""
    process = Process(chance, kind.slow, kind.fast)
    dark = list(outages(kind, chance, seconds))
    for step in range(int(seconds * 1e3 / STEP_MS)):
        rate = quantile(kind.rates, process.step())
        at_ms = step * STEP_MS
        yield 0 if any(begin <= at_ms < end for begin, end in dark) else rate


def gap(kind, chance):
    probability, least, most = kind.long
    if chance.random() < probability:
        return chance.uniform(least, most)
    return 1 + chance.expovariate(1 / max(kind.gap_ms - 1, 0.01))


def make(name, seed, seconds):
    kind, chance = KINDS[name], random.Random(SEED_FORM.format(name, seed))
    times, credit_bytes = [], 0.0
    turn_ms = gap(kind, chance)
    for step, rate in enumerate(rate_steps(kind, chance, seconds)):
        for at_ms in range(step * STEP_MS, (step + 1) * STEP_MS):
            credit_bytes = credit_bytes + rate * 125 if rate else 0
            if at_ms < turn_ms:
                continue
            turn_ms = at_ms + gap(kind, chance)
            count = int(credit_bytes / BYTES)
            credit_bytes -= count * BYTES
            times += [at_ms] * count
    times.append(int(seconds * 1e3))  # the period
    return times


def opportunities(points, seconds):
    """Of a capacity: (second, kbit/s), from where on each holds. Times as eval/loop makes them."""
    times, credit_bytes, at = [], 0.0, 0
    for ms in range(round(seconds * 1e3)):
        while at + 1 < len(points) and round(points[at + 1][0] * 1e3) <= ms:
            at += 1
        credit_bytes += points[at][1] / 8
        count = int(credit_bytes / BYTES)
        credit_bytes -= count * BYTES
        times += [ms + 1] * count
    return times


def fall(from_mbps, to_mbps, within_s, begin_s, seconds):
    """Opportunities of a capacity that falls by the same factor in each second from begin_s on."""
    def kbps(at_s):
        fallen = min(max((at_s - begin_s) / within_s, 0), 1)
        return 1e3 * from_mbps * (to_mbps / from_mbps) ** fallen
    return opportunities([(ms / 1e3, kbps(ms / 1e3)) for ms in range(seconds * 1000)], seconds)


def later(times, ms):
    """The same so much later; its end comes first, since a trace repeats."""
    length = times[-1]
    ms %= length
    begin = bisect.bisect_right(times, length - ms)
    return [at + ms - length for at in times[begin:]] + [at + ms for at in times[:begin]]


def text(path):
    """Of a file, or of FILE#NAME, a part of one: what follows the line "# NAME", up to the next
    that begins so. ValueError: it has no such part."""
    file, _, part = str(path).partition("#")
    whole = Path(file).read_text(encoding="ascii")
    if not part:
        return whole
    _, found, rest = whole.partition(f"# {part}\n")
    if not found:
        raise ValueError(f"{file}: no part {part}")
    return rest.partition("#")[0]


def read_capacity(path):
    """(second, kbit/s) out of lines of both; ValueError: it has none."""
    lines = text(path).splitlines()
    try:
        rows = (line.split() for line in lines)
        points = [(float(second), float(kbps)) for second, kbps in rows]
    except ValueError:
        points = []
    if not points or points != sorted(points, key=lambda point: point[0]) or points[0][0] < 0:
        raise ValueError(f"{path}: no capacity (ascending seconds and kbit/s, one pair a line)")
    return points


def read(path):
    """A trace from a file, or a part of one: a capacity if its name ends with .kbps. ValueError: it
    is none."""
    if path.suffix == ".kbps":
        points = read_capacity(path)
        return opportunities(points, points[-1][0] + LAST_RATE_S)
    try:
        times = [int(line) for line in text(path).split()]
    except ValueError:
        times = []
    if not times or times != sorted(times) or times[-1] <= 0:
        raise ValueError(f"{path}: not a trace (ascending times in milliseconds, one a line)")
    return times


def led_in(times, seconds):
    """The trace behind so many seconds at its mean rate."""
    lead_ms, period_ms = round(1e3 * seconds), times[-1]
    count = round(len(times) * lead_ms / period_ms)
    return [*(round(lead_ms * (i + 1) / count) for i in range(count)),
            *(lead_ms + at for at in times)]


def correlation(row, lag):
    mean = sum(row) / len(row)
    pairs = [(a - mean) * (b - mean) for a, b in zip(row, row[lag:])]
    return sum(pairs) / len(pairs) / max(sum((a - mean) ** 2 for a in row) / len(row), 1e-9)


def binned(times, bin_ms):
    """Mbit/s."""
    row = [0] * (times[-1] // bin_ms)
    for at in times:
        if at // bin_ms < len(row):
            row[at // bin_ms] += BYTES * 8e-3 / bin_ms
    return row


def at_share(values, share):
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def statistics(times):
    """What is compared: of rates over 0.1 s and 1 s, of their correlation, of the gaps."""
    short, long = binned(times, 100), binned(times, 1000)
    gaps = [b - a for a, b in zip(times, times[1:]) if b > a]
    figures = {"mean_mbps": sum(short) / len(short)}
    for name, row in (("p", short), ("1s_p", long)):
        figures |= {f"{name}{share * 100:.0f}_mbps": at_share(row, share)
                    for share in (0.05, 0.25, 0.5, 0.75, 0.95)}
    figures |= {f"corr_{lag / 10:g}s": correlation(short, lag) for lag in (1, 5, 10, 50, 100)}
    figures |= {f"gap_p{share * 100:.0f}_ms": at_share(gaps, share) for share in (0.5, 0.9, 0.99)}
    figures["gap_max_ms"] = max(gaps)
    figures["gaps_300ms_a_minute"] = sum(g >= 300 for g in gaps) / times[-1] * 6e4
    figures["out_share"] = sum(g for g in gaps if g >= 100) / times[-1]
    return figures
