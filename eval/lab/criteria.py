# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What a case asks for. rows(figures, reference) gives (what, value, limit, sense, format) of one
run: sense +1 wants at least the limit, -1 at most. figures: those of metrics.Run; reference:
those of the case that this one refers to."""

from dataclasses import dataclass

WINDOW_S = 20  # of fairness, RFC 8868
CALM_S = 3  # a phase is measured from then on
SHARE, MS, SECONDS, RATIO, KBPS = "{:.1%}", "{:.0f} ms", "{:.1f} s", "{:.3f}", "{:.0f} kbit/s"


@dataclass(frozen=True)
class Uses:
    """Of what is achievable, in each phase from 3 s after its begin."""

    ratio: float

    def rows(self, figures, _reference):
        worst = min((p["utilisation"] for p in figures["phases"]), default=0)
        return [(f"uses {self.ratio:.0%} in each phase", worst, self.ratio, 1, SHARE)]


@dataclass(frozen=True)
class Delay:
    """Queueing delay outside of the 2 s after a fall."""

    mean_ms: float
    p95_ms: float

    def rows(self, figures, _reference):
        return [(f"queueing delay: mean {self.mean_ms:g} ms", figures["delay_mean_ms"], self.mean_ms, -1, MS),
                (f"p95 {self.p95_ms:g} ms", figures["delay_p95_ms"], self.p95_ms, -1, MS)]


@dataclass(frozen=True)
class Drained:
    """After a fall the queue is below 100 ms within that time."""

    seconds: float

    def rows(self, figures, _reference):
        worst = max((s["drained_s"] for s in figures["steps"] if s["fall"]), default=0)
        return [(f"queue below 100 ms {self.seconds:g} s after a fall", worst, self.seconds, -1, SECONDS)]


@dataclass(frozen=True)
class Converged:
    """90 % of what is achievable within that time after a step."""

    up_s: float
    down_s: float

    def rows(self, figures, _reference):
        up = max((s["converged_s"] for s in figures["steps"] if not s["fall"]), default=0)
        down = max((s["converged_s"] for s in figures["steps"] if s["fall"]), default=0)
        return [(f"90 % {self.up_s:g} s after a rise", up, self.up_s, -1, SECONDS),
                (f"90 % {self.down_s:g} s after a fall", down, self.down_s, -1, SECONDS)]


@dataclass(frozen=True)
class Fair:
    """Jain's index over 20 s windows from 20 s after the last join on."""

    jain: float

    def rows(self, figures, _reference):
        return [(f"Jain {self.jain:g} in windows of 20 s", min(figures["jain"], default=0), self.jain, 1, RATIO)]


@dataclass(frozen=True)
class Resumed:
    """Fair shares (Jain 0.95 over 5 s) that long after the pause."""

    seconds: float

    def rows(self, figures, _reference):
        return [(f"fair {self.seconds:g} s after the pause", figures["resumed_s"], self.seconds, -1, SECONDS)]


@dataclass(frozen=True)
class Shares:
    """Video and TCP keep that much of their fair share, and the video its least rate."""

    video: float
    tcp: float

    def rows(self, figures, _reference):
        least_bps = figures["least_bps"]
        return [(f"video has {self.video:.0%} of its fair share", figures["video_share"], self.video, 1, SHARE),
                (f"TCP has {self.tcp:.0%} of its fair share", figures["tcp_share"], self.tcp, 1, SHARE),
                (f"video never below {least_bps / 1e3:.0f} kbit/s", figures["least_sent_bps"] / 1e3, least_bps / 1e3, 1,
                 KBPS)]


@dataclass(frozen=True)
class LikeReference:
    """The forward rate is not further below that of the reference case."""

    ratio: float

    def rows(self, figures, reference):
        value = figures["forward_bps"] / reference["forward_bps"] if reference else 0
        return [(f"{1 - self.ratio:.0%} of the rate without", value, 1 - self.ratio, 1, SHARE)]


@dataclass(frozen=True)
class MaxMin:
    """Each flow's mean rate in the last half."""

    mbps: tuple
    tolerance: float

    def rows(self, figures, _reference):
        worst = max(abs(rate / 1e6 / wanted - 1) for rate, wanted in zip(figures["late_bps"], self.mbps))
        wanted = ", ".join(f"{rate:g}" for rate in self.mbps)
        return [(f"max-min ({wanted} Mbit/s) within {self.tolerance:.0%}", worst, self.tolerance, -1, SHARE)]


@dataclass(frozen=True)
class Recovered:
    """So soon after each change of the route every 4 s are used to 90 %."""

    seconds: float

    def rows(self, figures, _reference):
        worst = max(figures["recovered_s"])
        return [(f"90 % {self.seconds:g} s after a change", worst, self.seconds, -1, SECONDS)]


@dataclass(frozen=True)
class Returned:
    """80 % of the old rate, that soon after an outage."""

    seconds: float

    def rows(self, figures, _reference):
        return [(f"80 % of the old rate {self.seconds:g} s after", figures["returned_s"], self.seconds, -1, SECONDS)]


@dataclass(frozen=True)
class Standing:
    """Median and 95th percentile of the queueing delay, outside of outages."""

    p50_ms: float
    p95_ms: float

    def rows(self, figures, _reference):
        p50_ms, p95_ms = figures["delay_p50_ms"], figures["delay_p95_ms"]
        return [(f"queueing delay: p50 {self.p50_ms:g} ms", p50_ms, self.p50_ms, -1, MS),
                (f"p95 {self.p95_ms:g} ms", p95_ms, self.p95_ms, -1, MS)]


@dataclass(frozen=True)
class KeepsUp:
    """80 % of what is achievable, that soon after each fade."""

    seconds: float

    def rows(self, figures, _reference):
        worst = max(figures["faded_s"], default=0)
        return [(f"80 % {self.seconds:g} s after a fade", worst, self.seconds, -1, SECONDS)]


@dataclass(frozen=True)
class Starts:
    """80 % of what is achievable, that soon after the first packet."""

    seconds: float

    def rows(self, figures, _reference):
        what = f"80 % {self.seconds:g} s after the start"
        return [(what, figures["started_s"], self.seconds, -1, SECONDS)]


@dataclass(frozen=True)
class Lossless:
    """Nothing is lost in the queue, outside of outages."""

    def rows(self, figures, _reference):
        return [("no loss outside of outages", figures["calm_loss"], 0, -1, SHARE)]


@dataclass(frozen=True)
class Together:
    """Video and TCP have that much of their fair share."""

    least: float
    most: float

    def rows(self, figures, _reference):
        for who, share in (("video", figures["video_share"]), ("TCP", figures["tcp_share"])):
            yield f"{who} has {self.least:.0%} of its fair share", share, self.least, 1, SHARE
            yield f"{who} has at most {self.most:.0%}", share, self.most, -1, SHARE


@dataclass(frozen=True)
class Steady:
    """No 10 s of the video beside TCP are below that much of its fair share."""

    least: float

    def rows(self, figures, _reference):
        worst = figures["video_worst_share"]
        return [(f"video has {self.least:.0%} in each 10 s", worst, self.least, 1, SHARE)]


@dataclass(frozen=True)
class Quiet:
    """95th percentile of the queueing delay from 5 s after TCP has left."""

    p95_ms: float

    def rows(self, figures, _reference):
        value = figures["quiet_p95_ms"]
        return [(f"p95 {self.p95_ms:g} ms from 5 s after TCP", value, self.p95_ms, -1, MS)]


@dataclass(frozen=True)
class Even:
    """Each flow of the last half is that close to its fair share."""

    tolerance: float

    def rows(self, figures, _reference):
        late_bps = figures["late_bps"]
        fair_bps = figures["fair_bps"] or max(sum(late_bps) / len(late_bps), 1)
        worst = max(abs(rate / fair_bps - 1) for rate in late_bps)
        what = f"within {self.tolerance:.0%} of the fair share"
        return [(what, worst, self.tolerance, -1, SHARE)]
