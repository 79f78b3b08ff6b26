# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The cases by name: RFC 8867 and what it leaves out. eval/loop/cases.c has them in virtual
time."""

import random
from dataclasses import dataclass, replace

import criteria as want

VIDEO_LEAST_BPS = 150_000
VIDEO_MOST_BPS = 1_500_000
# What that is on the network: six packets a frame at most, RTP, UDP and IP headers of 40 bytes. RFC
# 8867's flow of 20 kbit/s of audio is left out.
NETWORK_SHARE = 1.035
CONTROLS = ("reno", "cubic", "bbr")


@dataclass(frozen=True)
class Flow:
    """One video sender. path: what linkemu's --path takes behind the number, more delay and which
    links."""

    start_s: float = 0
    pause: tuple = ()
    back: bool = False
    path: str = "0"
    most_bps: int = VIDEO_MOST_BPS


@dataclass(frozen=True)
class Tcp:
    """A long flow of the kernel, or `short` of the short ones of RFC 8868. stop_s: 0: the end."""

    control: str
    start_s: float = 0
    short: int = 0
    stop_s: float = 0


@dataclass(frozen=True)
class Case:
    """capacity: (second, bit/s) of the forward link. steps=False: it changes too often for figures
    of each phase. trace: a kind of traces.py, a file or the opportunities, instead of the capacity,
    which is a mean then. measured: the capacity is what linkemu logged. busy_loops: programs that
    want a CPU."""

    name: str
    what: str
    seconds: float
    capacity: tuple
    flows: tuple = (Flow(),)
    tcp: tuple = ()
    delay_ms: float = 50
    queue: str = "300ms"
    link: tuple = ()
    steps: bool = True
    reverse: tuple = ()
    delays: tuple = ()  # (second, ms), instead of delay_ms
    outage: tuple = ()  # (second, length)
    criteria: tuple = ()
    reference: str = ""
    start_bps: int = VIDEO_LEAST_BPS
    trace: str | tuple = ""
    measured: bool = False
    busy_loops: int = 0


def mbps(*points):
    return tuple((second, int(rate * 1e6)) for second, rate in points)


def variable(name, delay_ms, **more):
    return Case(name, f"RFC 8867 5.1: variable capacity, one way {delay_ms:g} ms", 100,
                mbps((0, 1), (40, 2.5), (60, 0.6), (80, 1)), delay_ms=delay_ms,
                criteria=want.uses(0.95) + want.delay(15, 30) + want.drained(1)
                + want.converged(3, 1), **more)


def feedback(name, what, reverse):
    return Case(name, f"RFC 8867 5.3: {what}", 100, mbps((0, 2), (20, 1), (40, 0.5), (60, 2)),
                flows=(Flow(), Flow(back=True)), reverse=reverse)


def beside_tcp(control, queue_ms):
    return Case(f"5.6-{control}-{queue_ms}", f"RFC 8867 5.6: beside one {control} flow, queue {queue_ms} ms", 120,
                mbps((0, 2)), flows=(Flow(start_s=5),), tcp=(Tcp(control),), queue=f"{queue_ms}ms",
                criteria=want.shares(0.25, 0.5, VIDEO_LEAST_BPS))


def lossy(percent, utilisation):
    return Case(f"loss-{percent}", f"{percent} % random loss, 1 Mbit/s", 60, mbps((0, 1)),
                link=("--loss", percent / 100), criteria=want.uses(utilisation))


def cellular_points(seconds, seed=7):
    """A synthetic cellular link: a random walk of its rate in steps of 0.2 s, with fades. Not a
    recording."""
    chance, rate, points = random.Random(seed), 2.0, []
    for step in range(int(seconds / 0.2)):
        rate = min(max(rate * chance.lognormvariate(0, 0.12) * (2.0 / rate) ** 0.03, 0.3), 6)
        points.append((step * 0.2, round(rate * (0.35 if chance.random() < 0.01 else 1), 3)))
    return mbps(*points)


THREE = tuple(Flow(start_s=s) for s in (0, 20, 40))
NO_TCP = Case("5.7-solo", "5.7 without TCP", 150, mbps((0, 2)), flows=(Flow(start_s=5), Flow(start_s=5)))

CASES = [
    variable("5.1", 50),
    variable("5.1-100", 100),
    Case("5.2", "RFC 8867 5.2: variable capacity, two flows", 125,
         mbps((0, 4), (25, 2), (50, 3.5), (75, 1), (100, 2)), flows=(Flow(), Flow()),
         criteria=want.fair(0.95) + want.uses(0.95)),
    feedback("5.3-clean", "as 5.3, feedback path not limited", ()),
    replace(feedback("5.3", "congested feedback link", ("--reverse-trace", "0:2M,35:0.8M,70:2M")),
            reference="5.3-clean", criteria=want.like_reference(0.05)),
    Case("5.4", "RFC 8867 5.4: three flows join", 120, mbps((0, 3.5)), flows=THREE, criteria=want.fair(0.95) + want.uses(0.95)),
    Case("5.5", "RFC 8867 5.5: five flows, one way 10 to 150 ms", 150, mbps((0, 4)), delay_ms=10,
         flows=tuple(Flow(start_s=10 * i, path=f"{ms - 10}") for i, ms in enumerate((10, 25, 50, 100, 150))),
         criteria=want.fair(0.95) + want.uses(0.95)),
    *(beside_tcp(control, queue_ms) for queue_ms in (300, 1000) for control in CONTROLS),
    NO_TCP,
    replace(NO_TCP, name="5.7", what="RFC 8867 5.7: ten short TCP flows", tcp=(Tcp("cubic", short=10),),
            reference="5.7-solo", criteria=want.like_reference(0.2)),
    Case("5.8", "RFC 8867 5.8: the second of three flows pauses from 40 to 60 s", 120, mbps((0, 3.5)),
         flows=(Flow(), Flow(pause=(40, 60)), Flow()), criteria=want.fair(0.95) + want.resumed(10) + want.uses(0.95)),
    Case("6.2", "RFC 8867 6.2: 5.1 with CoDel that marks", 100, mbps((0, 1), (40, 2.5), (60, 0.6), (80, 1)),
         link=("--aqm", "codel", "--ecn"), criteria=want.uses(0.95) + want.delay(15, 30) + want.drained(1)),
    Case("6.3", "RFC 8867 6.3: three bottlenecks", 120, mbps((0, 2)), delay_ms=0,
         flows=(Flow(path="100"), Flow(path="40:1-1"), Flow(path="40:3-3")), link=("--hop", "8M", "--hop", "1.5M"),
         criteria=want.max_min((0.75, 1.25, 0.75), 0.25)),
    Case("cellular", "cellular link, synthetic trace", 60, cellular_points(60), steps=False, criteria=want.uses(0.7)),
    Case("jitter", "Wi-Fi-like jitter, sd 5 ms", 60, mbps((0, 1)), link=("--jitter", 5), criteria=want.uses(0.95)),
    Case("route", "route change, one way 50, 150, 50 ms", 90, mbps((0, 1)), delays=((0, 50), (30, 150), (60, 50)),
         criteria=want.recovered(10)),
    lossy(1, 0.95), lossy(5, 0.85), lossy(10, 0.7),
    Case("outage", "nothing passes for 3 s", 60, mbps((0, 1)), outage=(30, 3), criteria=want.returned(3)),
    Case("3-1-3", "3, 1, 3 Mbit/s, one way 25 ms, a source up to 4 Mbit/s", 65, mbps((0, 3), (20, 1), (40, 3)),
         flows=(Flow(most_bps=4_000_000),), delay_ms=25, start_bps=500_000,
         criteria=want.uses(0.95) + want.delay(15, 30) + want.drained(1)),
]
BY_NAME = {case.name: case for case in CASES}


def ceiling_bps(flow):
    """The most that the flow's source gives, on the network."""
    return flow.most_bps * NETWORK_SHARE
