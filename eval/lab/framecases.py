# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The cases in which frames are watched: what the link does to a picture (eval/lab/picture), to the
frame's time (frametimes, playout), to its size (scale, cameras), and what several links do
(severalpaths)."""

import math
from dataclasses import dataclass
from pathlib import Path

from groups import DRIVES

LINK_BPS = 3_000_000
FALLEN_BPS = 1_000_000
ROUND_TRIPS_MS = (20, 100, 200)
LOSSES = (0.01, 0.05, 0.1)
FAR_LOSSES = (0.02, 0.1, 0.2)
BURST_PKTS = 5  # mean length
FIRST_S = 3  # frames count from then on: a start is measured by the case late-start alone
LAST_S = 1  # and up to so long before the end


@dataclass(frozen=True)
class FrameCase:
    """capacity: (second, bit/s); or trace, a file of opportunities or of a capacity. late_s: when
    the receiver starts. outage: (second, length). windows: (begin_s, end_s, what), in which frames
    count. realtime: both ends have real-time priority, if the lab has; beside: commands that run
    meanwhile."""

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
    windows: tuple = ()
    realtime: bool = True
    beside: tuple = ()

    def first_s(self):
        return self.windows[0][0] if self.windows else self.late_s + FIRST_S

    def last_s(self):
        return self.windows[-1][1] if self.windows else self.seconds - LAST_S


def by_name(*cases):
    return {case.name: case for case in cases}


# --- picture ---

RANDOM = "random", "at random", lambda ratio: ("--loss", ratio)
BURSTS = "bursts", "in bursts", lambda ratio: ("--burst-loss", f"{ratio}:{BURST_PKTS}")


def lossy(kind, ratio, name, rtt_ms, what, **more):
    """name: with {kind} and {ratio}."""
    short, how, loss = kind
    return FrameCase(name.format(kind=short, ratio=f"{100 * ratio:g}"),
                     f"{ratio:.0%} {how}, {what}", rtt_ms, loss(ratio), **more)


def at_rtt(kind, ratio, rtt_ms):
    return lossy(kind, ratio, f"{{kind}}-{{ratio}}-{rtt_ms}", rtt_ms, f"{rtt_ms} ms")


LOSS_CASES = tuple(at_rtt(kind, ratio, rtt_ms) for kind in (RANDOM, BURSTS)
                   for rtt_ms in ROUND_TRIPS_MS for ratio in LOSSES)
# What is sent again comes after its frame is shown.
SHORT_CASES = tuple(lossy(kind, ratio, "short-{kind}-{ratio}", 200, "latency 200 ms",
                          latency_ms=200) for kind in (RANDOM, BURSTS) for ratio in LOSSES)
# Above the latency of 300 ms: no request is answered in time.
FAR_CASES = tuple(lossy(kind, ratio, "far-{kind}-{ratio}", 400, "400 ms")
                  for kind in (RANDOM, BURSTS) for ratio in FAR_LOSSES)
# Loss that is no congestion, and loss that looks like it.
WHOSE_CASES = (
    at_rtt(RANDOM, 0.2, 50),
    FrameCase("policer", "a policer of 2 Mbit/s, 100 ms", loss=("--police", "2M:15000")))
PICTURE = by_name(
    FrameCase("clean", "no loss"), *LOSS_CASES, *SHORT_CASES, *FAR_CASES, *WHOSE_CASES,
    FrameCase("fall", "3, 1, 3 Mbit/s for 10 s each, 5 % at random", loss=("--loss", 0.05),
              capacity=((0, LINK_BPS), (10, FALLEN_BPS), (20, LINK_BPS)), seconds=30),
    FrameCase("outage", "nothing passes from 8 to 11 s", outage=(8, 3)),
    FrameCase("short-outage", "nothing passes from 8 to 8.5 s", outage=(8, 0.5)),
    FrameCase("late-start", "the receiver starts 2 s late", late_s=2, seconds=15))

# --- frametimes, playout ---

TIMED_RTT_MS = 50
START_S = 5  # of a link that does not change: the start has passed
BUSY = ("sh", "-c", "while :; do :; done")
IDLE = ("chrt", "-i", "0", *BUSY)


def timed(name, what, **more):
    return FrameCase(name, what, TIMED_RTT_MS, **more)


def steady(name, what, *loss, bps=LINK_BPS, **more):
    return timed(name, f"{bps / 1e6:g} Mbit/s, {what}", loss=loss, capacity=((0, bps),),
                 seconds=41, windows=((START_S, 40, f"{START_S}-40 s"),), **more)


def host(name, what, beside):
    """What else the machine does: ends of the usual priority, as those of a user."""
    return steady(f"host-{name}", f"ends without real-time priority, beside them {what}",
                  realtime=False, beside=beside)


def of_trace(path, seconds=60):
    """Whoever repeats the trace would measure its seam, so it has to last."""
    path = Path(path).resolve()
    name = path.name.rpartition("#")[2].removesuffix(".kbps")
    return timed(f"trace-{name}", f"the trace {name}", trace=str(path), queue="1000ms",
                 seconds=seconds, windows=((START_S, seconds - 1, f"{START_S}-{seconds - 1} s"),))


TIMED = by_name(
    timed("3-1-3", "3, 1, 3 Mbit/s", capacity=((0, LINK_BPS), (20, FALLEN_BPS), (40, LINK_BPS)),
          seconds=61, windows=((4, 20, "4-20 s, 3 Mbit/s"), (20, 24, "20-24 s, after the fall"),
                               (24, 40, "24-40 s, 1 Mbit/s"), (44, 60, "44-60 s, 3 Mbit/s"))),
    steady("jitter", "jitter with a standard deviation of 5 ms, in order", "--jitter", 5),
    steady("free-10", "a sender bound at 2.8 Mbit/s", bps=10_000_000),
    steady("free-4.2", "a sender bound at 2.8 Mbit/s", bps=4_200_000),
    steady("loss", "1 % of the packets lost at random", "--loss", 0.01),
    of_trace(f"{DRIVES}#3_run_7.verizon.kbps"),  # 1 to 12 Mbit/s, 4 in the mean, no outage
    host("quiet", "nothing", ()), host("busy", "five busy loops", 5 * (BUSY,)),
    host("idle", "five busy loops of idle class", 5 * (IDLE,)))
CLEAN = timed("clean", "12 Mbit/s, of which the sender takes 3 at most", seconds=31,
              capacity=((0, 12_000_000),), windows=((5, 30, "5-30 s"),))
PLAYOUT = by_name(CLEAN, *TIMED.values())

# --- scale, cameras ---

STEP_S = 20
CAMERAS_S, WAVER, PERIOD_S = 80, 0.2, 26
SCALE = by_name(
    FrameCase("steps", "3, 0.3, 1, 3 Mbit/s for 20 s each", seconds=4 * STEP_S, capacity=tuple(
        (i * STEP_S, int(mbps * 1e6)) for i, mbps in enumerate((3, 0.3, 1, 3)))),
    FrameCase("5.1", "RFC 8867 5.1: 1, 2.5, 0.6, 1 Mbit/s", seconds=100, capacity=(
        (0, 1_000_000), (40, 2_500_000), (60, 600_000), (80, 1_000_000))))


def wavering(bps):
    return tuple((second, round(bps * (1 + WAVER * math.sin(2 * math.pi * second / PERIOD_S))))
                 for second in range(CAMERAS_S))


CAMERAS = by_name(*(FrameCase(f"{name}-{bps / 1e6:g}", f"{bps / 1e6:g}{what}", capacity=capacity,
                              seconds=CAMERAS_S)
                    for bps in (1_200_000, 500_000) for name, what, capacity in (
                        ("steady", "", ((0, bps),)), ("wavering", " ± 20 %", wavering(bps)))))

# --- severalpaths ---

PATHS_FIRST_S = 8  # until the rates are found
DRIVE_S = 60
SIX_DRIVES = ("1_run_14", "1_run_33", "2_run_42_2", "2_run_86", "3_run_51", "4_run_47")


@dataclass(frozen=True)
class Link:
    """drive: a part of eval/loop/drives.txt instead of the rate."""

    rate_mbps: float
    rtt_ms: float
    options: tuple = ()  # of linkemu
    drive: str = ""


@dataclass(frozen=True)
class PathsCase:
    """paths: of each path the number of its link. outages: (path, from s, for s), nothing passes;
    removed: the same of the sender's interface, which is gone. beside: other flows of ours on the
    first link. peers_bps: what a fixed sender makes that sends all twice, and one that shares."""

    name: str
    what: str
    links: tuple
    paths: tuple = (0, 1)
    outages: tuple = ()
    removed: tuple = ()
    beside: int = 0
    seconds: float = 30
    peers_bps: tuple = ()
    by: tuple = ("arc",)

    outage, late_s, latency_ms, realtime = (), 0, 0, True

    @property
    def rtt_ms(self):
        return max(link.rtt_ms for link in self.links)

    def first_s(self):
        return PATHS_FIRST_S

    def last_s(self):
        return self.seconds - LAST_S


TWO = (Link(2, 50), Link(2, 50))
BOUND = ("arc-bound", "arc-twice")
PEERS = ("arc", "arc-one", "rist-twice", "rist-shared", "srt")
TWO_BPS = (1_400_000, 2_800_000)
PATHS = by_name(
    PathsCase("one-of-3", "one link of 3", (Link(3, 50),), paths=(0,), by=("arc-one",)),
    PathsCase("2+1", "2 + 1", (Link(2, 50), Link(1, 50)), peers_bps=(700_000, 1_500_000), by=PEERS),
    PathsCase("20+80", "2 + 2, RTT 20 and 80 ms", (Link(2, 20), Link(2, 80)), peers_bps=TWO_BPS,
              by=PEERS),
    PathsCase("three", "1 + 1 + 1, RTT 30, 50 and 70 ms", (Link(1, 30), Link(1, 50), Link(1, 70)),
              paths=(0, 1, 2)),
    PathsCase("loss", "2 + 2, 5 % at random / 10 % in bursts, RTT 100 / 60 ms",
              (Link(2, 100, ("--loss", 0.05)), Link(2, 60, ("--burst-loss", "0.1:5"))),
              peers_bps=TWO_BPS, by=("arc", *BOUND, *PEERS[1:])),
    PathsCase("dies", "2 + 2, the second is silent from 14 s on", TWO, outages=((1, 14, 99),),
              peers_bps=TWO_BPS, by=("arc", *BOUND, "rist-twice")),
    PathsCase("returns", "2 + 2, the second is silent from 12 to 16 s", TWO,
              outages=((1, 12, 4),)),
    PathsCase("flaps", "2 + 2, the second is silent for each second 3 s", TWO,
              outages=tuple((1, second, 3) for second in (10, 16, 22)), peers_bps=TWO_BPS,
              by=("arc", *BOUND, "rist-twice")),
    PathsCase("removed", "2 + 2, the second interface is gone from 12 to 16 s", TWO,
              removed=((1, 12, 4),)),
    PathsCase("shared", "both over one link of 3, beside one flow", (Link(3, 50),), paths=(0, 0),
              beside=1),
    *(PathsCase(f"drive-{name}", f"drive {name}", tuple(
        Link(0, 60, drive=f"{DRIVES}#{name}.{who}.kbps") for who in ("att", "verizon")),
        seconds=DRIVE_S) for name in SIX_DRIVES))
