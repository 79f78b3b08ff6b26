# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The cases of eval/lab/picture: what the link does to a picture."""

from dataclasses import dataclass

LINK_BPS = 3_000_000
FALLEN_BPS = 1_000_000
ROUND_TRIPS_MS = (20, 100, 200)
LOSSES = (0.01, 0.05, 0.1)
BURST_PKTS = 5  # mean length
FIRST_S = 3  # frames count from then on: a start is measured by the case late-start alone
LAST_S = 1  # and up to so long before the end


@dataclass(frozen=True)
class PictureCase:
    """capacity: (second, bit/s); or trace, a file of opportunities or of a capacity. late_s: when
    the receiver starts. outage: (second, length)."""

    name: str
    what: str
    rtt_ms: int = 100
    loss: tuple = ()  # linkemu's options
    capacity: tuple = ((0, LINK_BPS),)
    outage: tuple = ()
    late_s: float = 0
    seconds: float = 20
    latency_ms: int = 0  # of every receiver; 0: that of the run
    queue: str = "300ms"
    trace: str = ""

    def first_s(self):
        return self.late_s + FIRST_S

    def last_s(self):
        return self.seconds - LAST_S


def random_loss(ratio):
    return "--loss", ratio


def burst_loss(ratio):
    return "--burst-loss", f"{ratio}:{BURST_PKTS}"


def at_random(ratio, rtt_ms):
    return PictureCase(f"random-{100 * ratio:g}-{rtt_ms}", f"{ratio:.0%} at random, {rtt_ms} ms",
                       rtt_ms, random_loss(ratio))


def in_bursts(ratio, rtt_ms):
    return PictureCase(f"bursts-{100 * ratio:g}-{rtt_ms}", f"{ratio:.0%} in bursts, {rtt_ms} ms",
                       rtt_ms, burst_loss(ratio))


def too_late(name, what, ratio, loss):
    """What is sent again comes after its frame is shown."""
    return PictureCase(f"short-{name}-{100 * ratio:g}", f"{ratio:.0%} {what}, latency 200 ms",
                       200, loss(ratio), latency_ms=200)


LOSS_CASES = tuple(make(ratio, rtt_ms) for make in (at_random, in_bursts)
                   for rtt_ms in ROUND_TRIPS_MS for ratio in LOSSES)
SHORT_CASES = tuple(too_late(*kind, ratio, loss) for *kind, loss in (
    ("random", "at random", random_loss), ("bursts", "in bursts", burst_loss))
    for ratio in LOSSES)
FAR_RTT_MS = 400  # above the latency of 300 ms: no request is answered in time
FAR_CASES = tuple(PictureCase(f"far-{name}-{100 * ratio:g}", f"{ratio:.0%} {what}, 400 ms",
                              FAR_RTT_MS, loss(ratio))
                  for name, what, loss in (("random", "at random", random_loss),
                                           ("bursts", "in bursts", burst_loss))
                  for ratio in (0.02, 0.1, 0.2))
# Loss that is no congestion, and loss that looks like it.
WHOSE_CASES = (
    at_random(0.2, 50),
    PictureCase("policer", "a policer of 2 Mbit/s, 100 ms", loss=("--police", "2M:15000")))
FALL = PictureCase("fall", "3, 1, 3 Mbit/s for 10 s each, 5 % at random", loss=("--loss", 0.05),
                   capacity=((0, LINK_BPS), (10, FALLEN_BPS), (20, LINK_BPS)), seconds=30)
OUTAGES = (PictureCase("outage", "nothing passes from 8 to 11 s", outage=(8, 3)),
           PictureCase("short-outage", "nothing passes from 8 to 8.5 s", outage=(8, 0.5)))
CASES = {case.name: case for case in (
    PictureCase("clean", "no loss"), *LOSS_CASES, *SHORT_CASES, *FAR_CASES, *WHOSE_CASES, FALL,
    *OUTAGES,
    PictureCase("late-start", "the receiver starts 2 s late", late_s=2, seconds=15))}
