# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Groups of cases for live networks: noise, traces, falls, high rates, TCP, L4S, a busy host.

Use and queueing delay are those of the bottleneck's log. What a stall holds up is queueing delay;
jitter comes behind the bottleneck and is not in it."""

import math
from dataclasses import dataclass, replace
from pathlib import Path

from cases import BY_NAME, CASES, CONTROLS, VIDEO_LEAST_BPS, Case, Flow, Tcp, mbps
import criteria as want
from traces import BYTES, KINDS, fall, read, read_capacity

HEADROOM = 1.5  # of the source over the capacity
START_BPS = 500_000
RTT_50_MS = 25  # one way
JITTERS_MS = (5, 10, 20, 30)
REORDER_MS = 10
STALLS_MS = ((30, 200), (60, 500), (100, 1000))
NOISE_RATES_MBPS = (1, 4, 10)
TCP_MBPS = 4
SHORT_MBPS = 10  # with a queue of 25 or 50 ms: half of the bandwidth-delay product, and all of it
SHORT_SHARES = {"reno": 0.4, "cubic": 0.4, "bbr": 0.25}  # of the fair one, that ours has at least
OWN_FLOWS = 10
OWN_FALL_MBPS = (30, 3)
SCALABLE_FLOWS = range(5)
DRIVES = Path(__file__).resolve().parents[2] / "eval" / "loop" / "drives.txt"
WORST_DRIVES = ("3_run_48.att", "4_run_24.att", "4_run_76.att")  # that two cores can carry
FALL_MBPS = (15, 1.5)
FALL_AT_S = 10
FALL_QUEUE = "10000ms"  # at the mean rate
CONTROLS_FILE = Path("/proc/sys/net/ipv4/tcp_available_congestion_control")


@dataclass(frozen=True)
class Group:
    """jobs: how many runs share the machine unless --jobs says so."""

    what: str
    cases: tuple
    jobs: int = 4


def source(rate_mbps, **more):
    return Flow(most_bps=int(rate_mbps * HEADROOM * 1e6), **more)


def jittered(name, what, option, rate_mbps):
    return Case(f"{name}-{rate_mbps}m", f"{rate_mbps} Mbit/s, jitter {what}", 60,
                mbps((0, rate_mbps)), flows=(source(rate_mbps),), delay_ms=RTT_50_MS,
                link=("--jitter", option), start_bps=START_BPS,
                criteria=want.uses(0.9) + want.standing(15, 30))


def jitter(ms, rate_mbps):
    return jittered(f"jitter-{ms}", f"sd {ms} ms in order", ms, rate_mbps)


def reorder(ms, rate_mbps):
    what = f"exponential with a mean of {ms} ms, packets overtake"
    return jittered(f"reorder-{ms}", what, f"exp:{ms},reorder", rate_mbps)


def stall(length_ms, distance_ms, rate_mbps):
    return Case(f"stall-{length_ms}-{rate_mbps}m",
                f"{rate_mbps} Mbit/s, stalls of {length_ms} ms each {distance_ms} ms", 60,
                mbps((0, rate_mbps)), flows=(source(rate_mbps),), delay_ms=RTT_50_MS,
                queue=f"{rate_mbps * 37500}B", link=("--stall", f"{length_ms}:{distance_ms}"),
                measured=True, start_bps=START_BPS,
                criteria=want.uses(0.9) + want.standing(15, length_ms + 30))


def traced(name, what, mean_mbps, trace):
    return Case(name, what, 60, mbps((0, mean_mbps)), flows=(source(3 * mean_mbps),),
                delay_ms=RTT_50_MS, queue="1000ms", trace=trace, steps=False, measured=True,
                start_bps=START_BPS,
                criteria=want.uses(0.75) + want.standing(math.inf, 120) + want.keeps_up(2)
                + want.lossless())


def made(kind):
    rates = KINDS[kind].rates
    return traced(kind, KINDS[kind].what, rates[len(rates) // 2], kind)


def of_file(path):
    """A case of a recorded trace."""
    times = read(path)
    mean_mbps = len(times) * BYTES * 8e-3 / times[-1]
    return traced(f"trace-{path.name}", f"the trace {path.name}", mean_mbps, str(path.resolve()))


def falling(name, what, seconds, times, most_mbps, p95_ms):
    """Alone on a link whose capacity falls, with a queue that holds seconds."""
    mean_mbps = len(times) * BYTES * 8e-3 / times[-1]
    return Case(name, what, seconds, mbps((0, mean_mbps)), flows=(source(most_mbps),),
                delay_ms=RTT_50_MS, queue=FALL_QUEUE, trace=tuple(times), steps=False,
                measured=True, start_bps=START_BPS,
                criteria=want.standing(math.inf, p95_ms) + want.lossless())


def fallen(within_s):
    """eval/loop/traceset.c has it. The trace is longer than the run, because it repeats."""
    high, low = FALL_MBPS
    return falling(f"fall-{within_s}", f"{high} to {low} Mbit/s in {within_s} s", 60,
                   fall(high, low, within_s, FALL_AT_S, 70), high, 300)


def driven(name):
    path = Path(f"{DRIVES}#{name}.kbps")
    most_mbps = max(kbps for _, kbps in read_capacity(path)) / 1e3
    return falling(f"drive-{name}", "recorded uplink of a car", 110, read(path), most_mbps, 500)


def step(name, high, low):
    return Case(name, f"{high}, {low}, {high} Mbit/s, RTT 50 ms", 65,
                mbps((0, high), (20, low), (40, high)), flows=(source(high),), delay_ms=RTT_50_MS,
                start_bps=START_BPS, criteria=want.uses(0.95))


def start(rate_mbps, seconds):
    return Case(f"start-{rate_mbps}", f"{rate_mbps} Mbit/s from the start, RTT 50 ms", 20,
                mbps((0, rate_mbps)), flows=(source(rate_mbps),), delay_ms=RTT_50_MS,
                start_bps=START_BPS, criteria=want.starts(seconds))


def ten_flows():
    flows = tuple(source(20, start_s=i, path=f"{40 * i / 9:.0f}") for i in range(10))
    return Case("high-10", "ten flows on 100 Mbit/s, RTT 20 to 100 ms", 70, mbps((0, 100)),
                flows=flows, delay_ms=10, start_bps=START_BPS, criteria=want.fair(0.97))


def fast():
    """Both ends, the link and its log want more than two cores: how much of it they reach."""
    return Case("500", "500 Mbit/s, RTT 20 ms", 30, mbps((0, 500)), flows=(source(500),),
                delay_ms=10, start_bps=START_BPS, criteria=want.uses(0.9))


def beside(control, queue_ms, tcp_first):
    """Whoever comes later comes 20 s later; TCP leaves before the end, for 20 s."""
    name = f"{control}-first-{queue_ms}" if tcp_first else f"{control}-later-{queue_ms}"
    who = "TCP first" if tcp_first else "ours first"
    return Case(name, f"beside one {control} flow, {who}, queue {queue_ms} ms", 120,
                mbps((0, TCP_MBPS)), flows=(source(TCP_MBPS, start_s=20 if tcp_first else 0),),
                tcp=(Tcp(control, start_s=0 if tcp_first else 20, stop_s=100),),
                delay_ms=RTT_50_MS, queue=f"{queue_ms}ms", start_bps=START_BPS,
                criteria=want.together(0.7, 1.3) + want.steady(0.3) + want.quiet(40))


def beside_in_short_queue(control, queue_ms, tcp_first=True):
    """Whoever comes later comes 10 s later."""
    name = f"short-{control}-{'first' if tcp_first else 'later'}-{queue_ms}"
    who = "TCP first" if tcp_first else "ours first"
    return Case(name, f"beside one {control} flow on {SHORT_MBPS} Mbit/s, {who}, "
                f"queue {queue_ms} ms", 60,
                mbps((0, SHORT_MBPS)), flows=(source(SHORT_MBPS, start_s=10 if tcp_first else 0),),
                tcp=(Tcp(control, start_s=0 if tcp_first else 10),),
                delay_ms=RTT_50_MS, queue=f"{queue_ms}ms", start_bps=START_BPS,
                criteria=want.shares(SHORT_SHARES[control], 0.5, VIDEO_LEAST_BPS))


def own_flows():
    return tuple(source(SHORT_MBPS) for _ in range(OWN_FLOWS))


def ten_alone():
    return Case("own-10", "ten flows of ours alone on 10 Mbit/s", 60, mbps((0, SHORT_MBPS)),
                flows=own_flows(), delay_ms=RTT_50_MS, start_bps=START_BPS,
                criteria=want.fair(0.95) + want.shared(0.6) + want.delay(30, 60))


def ten_fallen(within_s):
    """Not to 1.5 Mbit/s as one flow: ten have a least rate of that together."""
    high, low = OWN_FALL_MBPS
    one = falling(f"own-10-fall-{within_s}",
                  f"ten flows of ours, {high} to {low} Mbit/s in {within_s} s", 60,
                  fall(high, low, within_s, FALL_AT_S, 70), high, 300)
    return replace(one, flows=own_flows(), criteria=want.prompt(3, 1000) + want.shared(0.6))


def handover(each_s):
    """A route of RTT 30 ms, then 120 ms, and back."""
    changes = tuple((at, (15, 60)[at // each_s % 2]) for at in range(0, 60, each_s))
    return Case(f"handover-{each_s}", f"RTT 30 and 120 ms by turns, {each_s} s each, 3 Mbit/s", 60,
                mbps((0, 3)), flows=(source(3),), delays=changes, start_bps=START_BPS,
                criteria=want.rerouted(1) + want.standing(math.inf, 100))


def dips():
    """The packets of 20 ms come 4 ms sooner, once in 8 s."""
    changes = [(0, 25)]
    for at in range(8, 60, 8):
        changes += [(at, 21), (at + 0.02, 25)]
    return Case("dip-4", "20 Mbit/s, RTT 50 ms, 4 ms less one way for 20 ms each 8 s", 60,
                mbps((0, 20)), flows=(source(20),), delays=tuple(changes), start_bps=START_BPS,
                criteria=want.uses(0.93) + want.delay(15, 30))


def scalable_control():
    """The kernel's TCP that sends ECT(1), or None. DCTCP sends ECT(0): classic for DualPI2."""
    return "prague" if "prague" in CONTROLS_FILE.read_text(encoding="ascii").split() else None


def l4s(others):
    """One flow of ours beside scalable TCP, or where the kernel has none beside more of ours."""
    control = scalable_control()
    ours = 1 if control else 1 + others
    what = f"{others} {control} flows" if control else f"{others} more of its kind"
    return Case(f"l4s-{others}", f"100 Mbit/s, RTT 25 ms, DualPI2, beside {what}", 60,
                mbps((0, 100)), flows=tuple(source(100) for _ in range(ours)),
                tcp=tuple(Tcp(control) for _ in range(others)) if control else (),
                delay_ms=12.5, link=("--aqm", "dualpi2"), start_bps=START_BPS,
                criteria=want.uses(0.9) + want.standing(5, 5) + want.even(0.3))


def busy():
    settings = {**vars(BY_NAME["3-1-3"]), "name": "busy-3-1-3", "busy_loops": 5,
                "what": "3, 1, 3 Mbit/s, five busy loops beside", "criteria": want.uses(0.9)}
    return Case(**settings)


def groups(trace_files=()):
    """By name. trace_files: more cases for `traces`."""
    return {
        "rfc8867": Group("the cases of RFC 8867, and what it leaves out", tuple(CASES), 6),
        "noise": Group("jitter and stalls", tuple(
            make(*noise, rate) for rate in NOISE_RATES_MBPS
            for make, rows in ((jitter, [(ms,) for ms in JITTERS_MS]),
                               (reorder, [(REORDER_MS,)]), (stall, STALLS_MS))
            for noise in rows)),
        "traces": Group("mobile networks and Wi-Fi, made up or recorded (--trace)",
                        (*(made(kind) for kind in KINDS), *map(of_file, trace_files))),
        "falls": Group("the capacity falls within seconds, the queue holds 10 s",
                       (*map(driven, WORST_DRIVES), fallen(2), fallen(8)), 2),
        "high": Group("10 to 500 Mbit/s", (ten_flows(), step("40-10-40", 40, 10),
                                           step("100-20-100", 100, 20), fast()), 1),
        "tcp": Group("beside the kernel's TCP", tuple(
            beside(control, queue_ms, first) for queue_ms in (300, 1000) for control in CONTROLS
            for first in (True, False))),
        "short": Group("beside the kernel's TCP in a queue of half or all of the "
                       "bandwidth-delay product", (
                           *(beside_in_short_queue(control, queue_ms) for queue_ms in (25, 50)
                             for control in CONTROLS),
                           *(beside_in_short_queue("cubic", queue_ms, False)
                             for queue_ms in (25, 50)))),
        "own": Group("ten flows of ours alone", (ten_alone(), ten_fallen(2), ten_fallen(6)), 1),
        "routes": Group("the way gets longer and shorter", (handover(20), handover(5), dips())),
        "l4s": Group("DualPI2", tuple(map(l4s, SCALABLE_FLOWS)), 1),
        "start": Group("how long the start takes", (start(3, 2), start(10, 3))),
        "busy": Group("a busy host", (busy(),), 1),
    }
