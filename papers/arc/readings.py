# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Other readings of what the paper leaves open, each beside the main one in a coarser grid."""

from dataclasses import replace

from scope import Reading, Scope

GRID = Scope(seeds=1, hops_seeds=1, onoff_seconds=600, share_seconds=600, hops=(1, 5, 10),
             losses=(0.02,))

# The most telling first: --readings N judges the first N.
READINGS = [
    Reading(),
    Reading("eq. 1's integral: all that is in flight", (("param", "outstanding=1"),), law="arc"),
    Reading("Reno's least timeout 0.2 s, as later in ns-2", (("tcp-min-rto-ms", 200),)),
    Reading("Reno's window at most 20 packets, as in ns-2", (("tcp-window", 20),)),
    Reading("that window, and queues of 500 ms", (("tcp-window", 20), ("queue-ms", 500))),
    Reading("queues of 500 ms", (("queue-ms", 500),)),
    Reading("B's filter: τ = 1 s", (("tau-ms", 1000),), law="arc"),
    Reading("ARC starts at 300 kbit/s", (("start-bps", 300000),), law="arc"),
    Reading("queues of 125 ms", (("queue-ms", 125),)),
    Reading("UDP begins off", (("udp-first", "off"),), scenario="single"),
    Reading("TFRC of RFC 5348 and not of ns-2", (("profile", "live"),), law="tfrc"),
    Reading("Reno with SACK", (("tcp-sack", "on"),)),
    Reading("least rate 12 kbit/s, a packet a second", (("min-bps", 12000),)),
    Reading("both cross flows of a hop forward", (("cross-placement", "forward"),),
            scenario="multihop"),
    Reading("the wireless link is the last hop", (("wireless-at", "hop"),), scenario="multihop"),
]


def scopes(n):
    return [replace(GRID, reading=reading) for reading in READINGS[:n]]
