# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What a case asks for: criteria, of which each is (figures, reference) -> (what, value, limit,
sense, format) of one run. Sense +1 wants at least the limit, -1 at most. figures: those of
metrics.Run; reference: those of the case that this one refers to."""

WINDOW_S = 20  # of fairness, RFC 8868
CALM_S = 3  # a phase is measured from then on
SHARE, MS, SECONDS, RATIO, KBPS = "{:.1%}", "{:.0f} ms", "{:.1f} s", "{:.3f}", "{:.0f} kbit/s"


def at_least(what, limit, form, value):
    return lambda figures, reference: (what, value(figures, reference), limit, 1, form)


def at_most(what, limit, form, value):
    return lambda figures, reference: (what, value(figures, reference), limit, -1, form)


def figure(name):
    return lambda figures, _: figures[name]


def uses(ratio):
    """Of what is achievable, in each phase from 3 s after its begin."""
    return at_least(f"uses {ratio:.0%} in each phase", ratio, SHARE, lambda figures, _: min(
        (phase["utilisation"] for phase in figures["phases"]), default=0)),


def delay(mean_ms, p95_ms):
    """Queueing delay outside of the 2 s after a fall."""
    return (at_most(f"queueing delay: mean {mean_ms:g} ms", mean_ms, MS, figure("delay_mean_ms")),
            at_most(f"p95 {p95_ms:g} ms", p95_ms, MS, figure("delay_p95_ms")))


def standing(p50_ms, p95_ms):
    """Median and 95th percentile of the queueing delay, outside of outages."""
    return (at_most(f"queueing delay: p50 {p50_ms:g} ms", p50_ms, MS, figure("delay_p50_ms")),
            at_most(f"p95 {p95_ms:g} ms", p95_ms, MS, figure("delay_p95_ms")))


def prompt(seconds, worst_ms):
    """So long packets that wait 400 ms come in, and none waits longer than the worst."""
    return (at_most(f"above 400 ms for {seconds:g} s", seconds, SECONDS, figure("above_s")),
            at_most(f"worst {worst_ms:g} ms", worst_ms, MS, figure("delay_max_ms")))


def of_steps(name, fall):
    return lambda figures, _: max((step[name] for step in figures["steps"]
                                   if step["fall"] == fall), default=0)


def drained(seconds):
    """After a fall the queue is below 100 ms within that time."""
    return at_most(f"queue below 100 ms {seconds:g} s after a fall", seconds, SECONDS,
                   of_steps("drained_s", True)),


def converged(up_s, down_s):
    """90 % of what is achievable within that time after a step."""
    return (at_most(f"90 % {up_s:g} s after a rise", up_s, SECONDS,
                    of_steps("converged_s", False)),
            at_most(f"90 % {down_s:g} s after a fall", down_s, SECONDS,
                    of_steps("converged_s", True)))


def fair(jain):
    """Jain's index over 20 s windows from 20 s after the last join on."""
    return at_least(f"Jain {jain:g} in windows of 20 s", jain, RATIO,
                    lambda figures, _: min(figures["jain"], default=0)),


def shared(least):
    """No flow among several of ours is below that much of its fair share for 10 s."""
    return at_least(f"each flow has {least:.0%} in each 10 s", least, SHARE,
                    figure("least_ten_share")),


def resumed(seconds):
    """Fair shares (Jain 0.95 over 5 s) that long after the pause."""
    return at_most(f"fair {seconds:g} s after the pause", seconds, SECONDS, figure("resumed_s")),


def shares(video, tcp, least_bps):
    """Video and TCP keep that much of their fair share, and the video its least rate."""
    return (at_least(f"video has {video:.0%} of its fair share", video, SHARE,
                     figure("video_share")),
            at_least(f"TCP has {tcp:.0%} of its fair share", tcp, SHARE, figure("tcp_share")),
            at_least(f"video never below {least_bps / 1e3:.0f} kbit/s", least_bps / 1e3, KBPS,
                     lambda figures, _: figures["least_sent_bps"] / 1e3))


def like_reference(ratio):
    """The forward rate is not further below that of the reference case."""
    return at_least(f"{1 - ratio:.0%} of the rate without", 1 - ratio, SHARE,
                    lambda figures, reference: figures["forward_bps"] / reference["forward_bps"]
                    if reference else 0),


def max_min(mbps, tolerance):
    """Each flow's mean rate in the last half."""
    wanted = ", ".join(f"{rate:g}" for rate in mbps)
    return at_most(f"max-min ({wanted} Mbit/s) within {tolerance:.0%}", tolerance, SHARE,
                   lambda figures, _: max(abs(rate / 1e6 / wanted - 1) for rate, wanted
                                          in zip(figures["late_bps"], mbps))),


def recovered(seconds):
    """So soon after each change of the route every 4 s are used to 90 %."""
    return at_most(f"90 % {seconds:g} s after a change", seconds, SECONDS,
                   lambda figures, _: max(figures["recovered_s"])),


def rerouted(seconds):
    """For so long at most less than 80 % is used, after each change of the route."""
    return at_most(f"{seconds:g} s below 80 % after a change", seconds, SECONDS,
                   lambda figures, _: max(figures["slowed_s"])),


def returned(seconds):
    """80 % of the old rate, that soon after an outage."""
    return at_most(f"80 % of the old rate {seconds:g} s after", seconds, SECONDS,
                   figure("returned_s")),


def keeps_up(seconds):
    """80 % of what is achievable, that soon after each fade."""
    return at_most(f"80 % {seconds:g} s after a fade", seconds, SECONDS,
                   lambda figures, _: max(figures["faded_s"], default=0)),


def starts(seconds):
    """80 % of what is achievable, that soon after the first packet."""
    return at_most(f"80 % {seconds:g} s after the start", seconds, SECONDS, figure("started_s")),


def lossless():
    """Nothing is lost in the queue, outside of outages."""
    return at_most("no loss outside of outages", 0, SHARE, figure("calm_loss")),


def together(least, most):
    """Video and TCP have that much of their fair share."""
    return tuple(make(f"{who} has {text}", limit, SHARE, figure(name))
                 for who, name in (("video", "video_share"), ("TCP", "tcp_share"))
                 for make, text, limit in (
                     (at_least, f"{least:.0%} of its fair share", least),
                     (at_most, f"at most {most:.0%}", most)))


def steady(least):
    """No 10 s of the video beside TCP are below that much of its fair share."""
    return at_least(f"video has {least:.0%} in each 10 s", least, SHARE,
                    figure("video_worst_share")),


def quiet(p95_ms):
    """95th percentile of the queueing delay from 5 s after TCP has left."""
    return at_most(f"p95 {p95_ms:g} ms from 5 s after TCP", p95_ms, MS, figure("quiet_p95_ms")),


def even(tolerance):
    """Each flow of the last half is that close to its fair share."""
    def worst(figures, _):
        late_bps = figures["late_bps"]
        fair_bps = figures["fair_bps"] or max(sum(late_bps) / len(late_bps), 1)
        return max(abs(rate / fair_bps - 1) for rate in late_bps)
    return at_most(f"within {tolerance:.0%} of the fair share", tolerance, SHARE, worst),
