# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The figures: what each needs to be simulated, what it claims and how it is drawn."""

from dataclasses import dataclass

import claims
import plots
from claims import Claim
from scope import ONOFF_CAPACITY_BPS, WIRELESS_HOPS

WIDE, TALL, TALLER = "1000,560", "1000,800", "1000,1000"
LAWS = ("arc", "tfrc", "reno")
PAPER, BOTH = ("paper",), ("paper", "live")


@dataclass(frozen=True)
class Figure:
    name: str
    title: str
    runs: object                # (scope) -> runs
    claims: tuple
    size: str
    panels: object              # (view) -> panels of gnuplot


def onoff_runs(scope):
    return scope.onoff("arc") + scope.onoff("tfrc")


def share_runs(scope):
    return scope.share("arc") + scope.share("tfrc")


def hops_runs(pairs):
    return lambda scope: [run for n in scope.hops for c1, cross in pairs for run in scope.multihop(c1, cross, n)]


def wireless_runs(scope):
    return [run for loss in scope.losses for law in LAWS for run in scope.multihop(law, "reno", WIRELESS_HOPS, loss)]


def draw_onoff(view):
    panels = []
    for letter, law in (("a", "arc"), ("b", "tfrc")):
        trace = view.laboratory.trace(view.scope.onoff(law)[0])
        title = f"Fig. 3{letter}: ten {claims.NAMES[law]} flows beside UDP of 5 Mbit/s that goes on and off, 10 Mbit/s"
        panels.append(plots.rates(trace, "rate", title, law, 2000, plots.equal_share(trace, ONOFF_CAPACITY_BPS)))
    return panels


def draw_jain(view):
    traces = {claims.NAMES[law]: view.laboratory.trace(view.scope.onoff(law)[0]) for law in ("arc", "tfrc")}
    windows = ((1, "of 1 s"), (claims.JAIN_WINDOW_S, "of the 10 s before"), (None, "since the start"))
    return [plots.jain(traces, window, f"Fig. 4: fairness of ten flows, throughput {text}", f"w{i}")
            for i, (window, text) in enumerate(windows)]


def draw_share(view):
    arc, tfrc = (view.laboratory.trace(view.scope.share(law)[0]) for law in ("arc", "tfrc"))
    return [plots.rates(arc, "rate", "Fig. 5a: four ARC flows beside four Reno flows, 2 Mbit/s", "a", 1000),
            plots.rates(tfrc, "rate", "Fig. 5b: four TFRC flows beside four Reno flows", "b", 1000),
            plots.rates(arc, "tcp", "Fig. 5c: the four Reno flows beside ARC", "c", 1000)]


FIGURES = [
    Figure("fig3", "Sending rates beside UDP that goes on and off (Fig. 3)", onoff_runs, (
        Claim("3-smooth", "ARC's rates oscillate much less than TFRC's", claims.judge_smoother_than_tfrc, PAPER),
        Claim("3-track", "ARC's rates track the bandwidth that UDP leaves (≥ 90 %)",
              claims.judge_tracks_bandwidth, PAPER),
    ), TALL, draw_onoff),
    Figure("fig4", "Fairness index (Fig. 4)", onoff_runs, (
        Claim("4-arc-100", "ARC reaches Jain 0.9 before 100 s", claims.judge_fair_before_100, PAPER),
        Claim("4-arc-200", "ARC is at its maximum after 200 s (≥ 0.98)", claims.judge_fairest_after_200, PAPER),
        Claim("4-tfrc-first", "TFRC is unfair in the first 200 s", claims.judge_tfrc_unfair_at_first),
        Claim("4-tfrc-late", "TFRC reaches 0.9 only at the end", claims.judge_tfrc_fair_late),
    ), TALLER, draw_jain),
    Figure("fig5", "Sending rates beside Reno (Fig. 5)", share_runs, (
        Claim("5-arc", "ARC is smoother than Reno", claims.judge_smoother_than_reno("arc"), PAPER),
        Claim("5-tfrc", "TFRC is smoother than Reno", claims.judge_smoother_than_reno("tfrc"), PAPER),
        Claim("5-share", "(conclusion) ARC is friendlier to Reno than TFRC is", claims.judge_reno_share, BOTH),
    ), TALLER, draw_share),
    Figure("fig7a", "C1 beside Reno cross traffic (Fig. 7a)", hops_runs([(law, "reno") for law in LAWS]), (
        Claim("7a-falls", "goodput falls with the hops", claims.judge_falls_with_hops, PAPER),
        Claim("7a-arc", "ARC has the largest goodput for N > 3", claims.judge_arc_largest, PAPER),
    ), WIDE, lambda view: [plots.hops(view, claims.C1_CURVES, "Fig. 7a: C1 across Reno traffic, by the law of C1")]),
    Figure("fig7b", "C1 is Reno (Fig. 7b)", hops_runs([("reno", law) for law in LAWS]), (
        Claim("7b-arc", "Reno gets most across ARC, more than across Reno", claims.judge_reno_best_under_arc, PAPER),
        Claim("7b-tfrc", "Reno gets very little across TFRC (under half of across Reno)",
              claims.judge_reno_poor_under_tfrc, PAPER),
        Claim("7b-order", "Reno across ARC gets no less than across TFRC",
              claims.judge_reno_beside_arc_not_below_tfrc, BOTH),
    ), WIDE, lambda view: [plots.hops(view, claims.CROSS_CURVES, "Fig. 7b: C1 = Reno, by the law of cross traffic")]),
    Figure("fig7c", "All flows alike (Fig. 7c)", hops_runs([(law, law) for law in LAWS]), (
        Claim("7c-tfrc", "TFRC is worst for N > 3", claims.judge_tfrc_worst, PAPER),
        Claim("7c-like", "ARC is about Reno (within 1.5) for N > 3", claims.judge_arc_like_reno),
    ), WIDE, lambda view: [plots.hops(view, claims.SAME_CURVES, "Fig. 7c: C1 and cross traffic of the same law")]),
    Figure("fig7d", "A wireless last link, N = 10 (Fig. 7d)", wireless_runs, (
        Claim("7d-reno", "ARC is far above Reno (> 2 from 2 %, > 5 from 5 % loss)",
              claims.judge_wireless("reno"), PAPER),
        Claim("7d-tfrc", "ARC is far above TFRC (the same)", claims.judge_wireless("tfrc")),
        Claim("7d-most", "up to 1300 % more", claims.judge_most_gain),
    ), WIDE, lambda view: [plots.wireless(view, "Fig. 7d: C1 across 10 hops of Reno traffic and a lossy last link")]),
]
