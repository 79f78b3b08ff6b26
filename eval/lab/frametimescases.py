# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The cases of eval/lab/frametimes, and the windows in which frames count."""

import dataclasses
from dataclasses import dataclass
from pathlib import Path

from groups import DRIVES
from picturecases import FALLEN_BPS, LINK_BPS, PictureCase

RTT_MS = 50
# 1 to 12 Mbit/s, 4 in the mean, without an outage.
DRIVE = f"{DRIVES}#3_run_7.verizon.kbps"
START_S = 5  # of a link that does not change: the start has passed


@dataclass(frozen=True)
class Case(PictureCase):
    """windows: (begin_s, end_s, what). realtime: both ends have real-time priority, if the lab has;
    beside: commands that run meanwhile."""

    rtt_ms: int = RTT_MS
    windows: tuple = ()
    realtime: bool = True
    beside: tuple = ()

    def first_s(self):
        return self.windows[0][0]

    def last_s(self):
        return self.windows[-1][1]


def steady(name, what, *loss, bps=LINK_BPS):
    return Case(name, f"{bps / 1e6:g} Mbit/s, {what}", loss=loss, capacity=((0, bps),), seconds=41,
                windows=((START_S, 40, f"{START_S}-40 s"),))


BUSY = ("sh", "-c", "while :; do :; done")
IDLE = ("chrt", "-i", "0", *BUSY)


def hosts():
    """What else the machine does: ends of the usual priority, as those of a user."""
    for name, what, beside in (("quiet", "nothing", ()), ("busy", "five busy loops", 5 * (BUSY,)),
                               ("idle", "five busy loops of idle class", 5 * (IDLE,))):
        case = steady(f"host-{name}", f"ends without real-time priority, beside them {what}")
        yield dataclasses.replace(case, realtime=False, beside=beside)


def of_trace(path, seconds=60):
    """Whoever repeats the trace would measure its seam, so it has to last."""
    path = Path(path).resolve()
    name = path.name.rpartition("#")[2].removesuffix(".kbps")
    return Case(f"trace-{name}", f"the trace {name}", trace=str(path), queue="1000ms",
                seconds=seconds, windows=((START_S, seconds - 1, f"{START_S}-{seconds - 1} s"),))


CASES = {case.name: case for case in (
    Case("3-1-3", "3, 1, 3 Mbit/s", capacity=((0, LINK_BPS), (20, FALLEN_BPS), (40, LINK_BPS)),
         seconds=61, windows=((4, 20, "4-20 s, 3 Mbit/s"), (20, 24, "20-24 s, after the fall"),
                              (24, 40, "24-40 s, 1 Mbit/s"), (44, 60, "44-60 s, 3 Mbit/s"))),
    steady("jitter", "jitter with a standard deviation of 5 ms, in order", "--jitter", 5),
    steady("free-10", "a sender bound at 2.8 Mbit/s", bps=10_000_000),
    steady("free-4.2", "a sender bound at 2.8 Mbit/s", bps=4_200_000),
    steady("loss", "1 % of the packets lost at random", "--loss", 0.01), of_trace(DRIVE),
    *hosts())}
