# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What a case asks for. judge(run, reference) gives (what, value, met) rows; `run` is a metrics.Run."""

from dataclasses import dataclass

WINDOW_S = 20  # of fairness, RFC 8868
CALM_S = 3  # a phase is measured from then on


@dataclass(frozen=True)
class Uses:
    """Of what is achievable, in each phase from 3 s after its begin."""

    ratio: float

    def judge(self, run, _reference):
        worst = min((p["utilisation"] for p in run.phases), default=0)
        return [(f"uses {self.ratio:.0%} in each phase", f"{worst:.0%}", worst >= self.ratio)]


@dataclass(frozen=True)
class Delay:
    """Queueing delay outside of the 2 s after a fall."""

    mean_ms: float
    p95_ms: float

    def judge(self, run, _reference):
        return [(f"mean delay {self.mean_ms:g} ms", f"{run.delay_mean_ms:.0f}", run.delay_mean_ms <= self.mean_ms),
                (f"p95 delay {self.p95_ms:g} ms", f"{run.delay_p95_ms:.0f}", run.delay_p95_ms <= self.p95_ms)]


@dataclass(frozen=True)
class Drained:
    """After a fall the queue is below 100 ms within that time."""

    seconds: float

    def judge(self, run, _reference):
        worst = max((s["drained_s"] for s in run.steps if s["fall"]), default=0)
        return [(f"queue below 100 ms {self.seconds:g} s after a fall", f"{worst:.1f}", worst <= self.seconds)]


@dataclass(frozen=True)
class Converged:
    """90 % of what is achievable within that time after a step."""

    up_s: float
    down_s: float

    def judge(self, run, _reference):
        up = max((s["converged_s"] for s in run.steps if not s["fall"]), default=0)
        down = max((s["converged_s"] for s in run.steps if s["fall"]), default=0)
        return [(f"90 % {self.up_s:g} s after a rise", f"{up:.1f}", up <= self.up_s),
                (f"90 % {self.down_s:g} s after a fall", f"{down:.1f}", down <= self.down_s)]


@dataclass(frozen=True)
class Fair:
    """Jain's index over 20 s windows from 20 s after the last join on."""

    jain: float

    def judge(self, run, _reference):
        worst = min(run.jain, default=0)
        return [(f"Jain {self.jain:g} in windows of 20 s", f"{worst:.3f}", worst >= self.jain)]


@dataclass(frozen=True)
class Resumed:
    """Fair shares (Jain 0.95 over 5 s) that long after the pause."""

    seconds: float

    def judge(self, run, _reference):
        return [(f"fair again {self.seconds:g} s after the pause", f"{run.resumed_s:.1f}", run.resumed_s <= self.seconds)]


@dataclass(frozen=True)
class Shares:
    """Video and TCP keep that much of their fair share, and the video its least rate."""

    video: float
    tcp: float

    def judge(self, run, _reference):
        return [(f"video {self.video:.0%} of its fair share", f"{run.video_share:.0%}", run.video_share >= self.video),
                (f"TCP {self.tcp:.0%} of its fair share", f"{run.tcp_share:.0%}", run.tcp_share >= self.tcp),
                ("never below the least rate, kbit/s", f"{run.least_sent_bps / 1e3:.0f}", run.least_sent_bps >= 150e3)]


@dataclass(frozen=True)
class LikeReference:
    """The forward rate is not further below that of the reference case."""

    ratio: float

    def judge(self, run, reference):
        value = run.forward_bps / reference.forward_bps if reference else 0
        return [(f"{1 - self.ratio:.0%} of the rate in {run.case.reference}", f"{value:.0%}", value >= 1 - self.ratio)]


@dataclass(frozen=True)
class MaxMin:
    """Each flow's mean rate in the last half."""

    mbps: tuple
    tolerance: float

    def judge(self, run, _reference):
        worst = max(abs(rate / 1e6 / wanted - 1) for rate, wanted in zip(run.late_bps, self.mbps))
        rates = " ".join(f"{rate / 1e6:.2f}" for rate in run.late_bps)
        return [(f"max-min within {self.tolerance:.0%}", rates, worst <= self.tolerance)]


@dataclass(frozen=True)
class Recovered:
    """After each of the times the rate (2 s) is never below the ratio again, that soon."""

    ratio: float
    seconds: float
    after: tuple

    def judge(self, run, _reference):
        worst = max(run.recovered_s(at, self.ratio) for at in self.after)
        return [(f"{self.ratio:.0%} {self.seconds:g} s after a change", f"{worst:.1f}", worst <= self.seconds)]


@dataclass(frozen=True)
class Returned:
    """That share of the old rate, that soon after an outage."""

    ratio: float
    seconds: float

    def judge(self, run, _reference):
        value = run.returned_s(self.ratio)
        return [(f"{self.ratio:.0%} of the old rate {self.seconds:g} s after the outage", f"{value:.1f}",
                 value <= self.seconds)]
