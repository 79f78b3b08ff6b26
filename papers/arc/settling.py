# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""[ARC 1] How long TFRC overloads a link after half of it is taken away, with self-clocking and
without."""

from dataclasses import replace

from scope import ONOFF_CAPACITY_BPS, Reading, Scope
from verdicts import Claim, verdict

KEY = "settling"
PERIOD_S, SECONDS = 60, 480
OVERLOAD = 1.1                  # of the capacity
RTT_S = 0.25                    # the longest of the ten flows, without a queue
MANY = 4                        # RTTs
VARIANTS = {"without": 0, "with": 1.5}          # parameter self_clocking


def run(value):
    reading = Reading(options=(("param", f"self_clocking={value}"),))
    scope = replace(Scope(), reading=reading, seeds=1, onoff_seconds=SECONDS)
    (made,) = scope.onoff("tfrc")
    options = [(name, f"{ONOFF_CAPACITY_BPS // 2},{PERIOD_S}" if name == "udp-onoff" else option)
               for name, option in made.options]
    return replace(made, options=tuple(options))


def runs():
    return [run(value) for value in VARIANTS.values()]


def overload(trace):
    """Mean over the times at which UDP comes back: s above OVERLOAD, and the part that is lost of
    what is sent in the first 3 s."""
    flows = [trace.flows[name] for name in trace.ids("rate")]
    starts = range(2 * PERIOD_S, SECONDS, 2 * PERIOD_S)
    seconds = lost = 0
    for start in starts:
        sent = [sum(flow.sent_bps[t] for flow in flows) for t in range(start, start + PERIOD_S)]
        got = [sum(flow.received_bps[t] for flow in flows) for t in range(start, start + PERIOD_S)]
        most = OVERLOAD * ONOFF_CAPACITY_BPS - ONOFF_CAPACITY_BPS // 2
        seconds += next(i for i, bps in enumerate(sent) if bps <= most)
        lost += 1 - sum(got[:3]) / sum(sent[:3])
    return seconds / len(starts), lost / len(starts)


def claim(laboratory):
    laboratory.simulate(runs())
    found = {name: overload(laboratory.trace(run(value))) for name, value in VARIANTS.items()}
    (slow_s, _), (fast_s, _) = found["without"], found["with"]
    text = "; ".join(f"{name} self-clocking {seconds:.1f} s, {100 * lost:.0f} % lost"
                     for name, (seconds, lost) in found.items())
    return Claim("ARC", KEY, "1", "laws without self-clocking take many RTTs to settle",
                 f"ten TFRC flows, UDP takes half of the link: without self-clocking they overload "
                 f"it by a tenth for more than {MANY} RTTs of {RTT_S:g} s, and longer than with "
                 "it; partly: longer", text,
                 verdict(slow_s > max(MANY * RTT_S, fast_s), slow_s > fast_s))
