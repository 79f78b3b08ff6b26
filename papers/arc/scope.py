# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The paper's three set-ups as runs of arc-sim, in the length, number of seeds and reading that are
asked for."""

from dataclasses import dataclass, replace

from simulations import Run

RATE_START_S = 10
ONOFF_CAPACITY_BPS = 10_000_000
ONOFF_PERIOD_S = 200
ONOFF_SETTLE_S = 100            # the paper's ARC climbs 19 kbit/s each second: 26 s from 0.5 to 1 Mbit/s
SHARE_CAPACITY_BPS = 2_000_000
SHARE_SETTLE_S = 100
HOPS_SECONDS = 110
HOPS_START_S = 12               # C1 starts between 10 and 11 s
WIRELESS_HOPS = 10
LEAST_BPS = 188                 # a packet in 64 s, as TFRC: a floor that one sees would be a share of its own


@dataclass(frozen=True)
class Reading:
    """What the paper leaves open: options of arc-sim for one scenario, one law or all runs."""
    name: str = "the main one"
    options: tuple = ()
    scenario: str | None = None
    law: str | None = None

    def options_of(self, scenario, laws):
        applies = self.scenario in (None, scenario) and (self.law is None or self.law in laws)
        return self.options if applies else ()


@dataclass(frozen=True)
class Scope:
    reading: Reading = Reading()
    profile: str = "paper"
    seeds: int = 3
    hops_seeds: int = 3
    onoff_seconds: int = 1000
    share_seconds: int = 1000
    hops: tuple = tuple(range(1, 11))
    losses: tuple = (0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.1)

    def with_profile(self, profile):
        return replace(self, profile=profile)

    def _run(self, scenario, options, seed, *laws):
        common = [("min-bps", LEAST_BPS)] if set(laws) - {"reno"} else []
        if "arc" in laws:
            common.append(("profile", self.profile))
        return Run(scenario, (*options, *common, *self.reading.options_of(scenario, laws), ("seed", seed)))

    def onoff(self, law):
        """[ARC 4.1.1] Ten rate-based flows, UDP that takes half of the link every other 200 s."""
        options = (("rate-law", law), ("rate-flows", 10), ("udp-onoff", f"{ONOFF_CAPACITY_BPS // 2},{ONOFF_PERIOD_S}"),
                   ("capacity", ONOFF_CAPACITY_BPS), ("seconds", self.onoff_seconds))
        return [self._run("single", options, seed, law) for seed in range(1, self.seeds + 1)]

    def onoff_spans(self):
        """The second half of each phase of the UDP: away from where the bandwidth changes."""
        return [(t + ONOFF_SETTLE_S, t + ONOFF_PERIOD_S)
                for t in range(0, self.onoff_seconds - ONOFF_PERIOD_S + 1, ONOFF_PERIOD_S)]

    def share(self, law):
        """[ARC 4.1.2] Four rate-based and four Reno flows, ten Reno flows backward."""
        options = (("rate-law", law), ("rate-flows", 4), ("tcp-flows", 4), ("backward-tcp", 10),
                   ("capacity", SHARE_CAPACITY_BPS), ("seconds", self.share_seconds))
        return [self._run("single", options, seed, law) for seed in range(1, self.seeds + 1)]

    def share_spans(self):
        return [(SHARE_SETTLE_S, self.share_seconds)]

    def multihop(self, c1, cross, hops, loss=0.0):
        """[ARC 4.2] C1 over all hops, two cross flows at each."""
        wireless = [("wireless-loss", loss)] if loss else []
        options = (("c1", c1), ("cross", cross), ("hops", hops), *wireless, ("seconds", HOPS_SECONDS))
        return [self._run("multihop", options, seed, c1, cross) for seed in range(1, self.hops_seeds + 1)]
