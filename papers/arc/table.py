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
        Claim("3-smooth", "Fig. 3", "ARC's rates oscillate much less than TFRC's",
              "coefficient of variation below TFRC's, intervals apart, with UDP off and on; partly: with one",
              claims.judge_smoother_than_tfrc, PAPER),
        Claim("steady", "conclusion 3", "ARC's rates do not oscillate under a constant load",
              "coefficient of variation at most 0.05 with UDP off and on; partly: with one",
              claims.judge_no_oscillation),
        Claim("3-track", "4.1.1", "ARC's rates track the bandwidth that UDP leaves",
              "at least 90 % with the interval; partly: in the mean",
              claims.judge_tracks_bandwidth, PAPER),
    ), TALL, draw_onoff),
    Figure("fig4", "Fairness index (Fig. 4)", onoff_runs, (
        Claim("4-arc-100", "Fig. 4", "ARC reaches Jain 0.9 before 100 s",
              "10 s windows: 0.9 before 100 s with each seed, and in the mean at 100 s; partly: with one seed",
              claims.judge_fair_before_100, PAPER),
        Claim("4-arc-200", "Fig. 4", "ARC is at its maximum after 200 s",
              "least value after 200 s at least 0.98; partly: mean value",
              claims.judge_fairest_after_200, PAPER),
        Claim("4-tfrc-first", "Fig. 4", "TFRC is unfair in the first 200 s",
              "mean until 200 s below 0.9; partly: below ARC's",
              claims.judge_tfrc_unfair_at_first),
        Claim("4-tfrc-late", "Fig. 4", "TFRC reaches 0.9 only at the end",
              "0.9 first after 200 s and for good after 200 s with each seed; partly: for good with one",
              claims.judge_tfrc_fair_late),
    ), TALLER, draw_jain),
    Figure("fig5", "Sending rates beside Reno (Fig. 5)", share_runs, (
        Claim("5-arc", "Fig. 5", "ARC is smoother than Reno",
              "coefficient of variation below Reno's, intervals apart; partly: in the mean",
              claims.judge_smoother_than_reno("arc"), PAPER),
        Claim("5-tfrc", "Fig. 5", "TFRC is smoother than Reno",
              "coefficient of variation below Reno's, intervals apart; partly: in the mean",
              claims.judge_smoother_than_reno("tfrc"), PAPER),
        Claim("5-share", "conclusion 1", "beside four ARC flows Reno gets more than beside four TFRC flows",
              "Reno's share beside ARC at least that beside TFRC; partly: intervals overlap",
              claims.judge_reno_share, BOTH),
    ), TALLER, draw_share),
    Figure("fig7a", "C1 beside Reno cross traffic (Fig. 7a)", hops_runs([(law, "reno") for law in LAWS]), (
        Claim("7a-falls", "Fig. 7a", "goodput falls with the hops",
              "less at the most hops than at one, for all three laws; partly: for two",
              claims.judge_falls_with_hops, PAPER),
        Claim("7a-arc", "Fig. 7a", "ARC has the largest goodput for N > 3",
              "above both others at each N > 3; partly: at more than half",
              claims.judge_arc_largest, PAPER),
    ), WIDE, lambda view: [plots.hops(view, claims.C1_CURVES, "Fig. 7a: C1 across Reno traffic, by the law of C1")]),
    Figure("fig7b", "C1 is Reno (Fig. 7b)", hops_runs([("reno", law) for law in LAWS]), (
        Claim("7b-arc", "Fig. 7b", "Reno gets most across ARC, more than across Reno",
              "above both others at each N; partly: at more than half",
              claims.judge_reno_best_under_arc, PAPER),
        Claim("7b-tfrc", "Fig. 7b", "Reno gets very little across TFRC, next to across Reno",
              "less than half at each N; partly: less",
              claims.judge_reno_poor_under_tfrc, PAPER),
        Claim("7b-order", "Fig. 7b", "Reno across ARC gets no less than across TFRC",
              "more at each N; partly: at more than half",
              claims.judge_reno_beside_arc_not_below_tfrc, BOTH),
        Claim("friendlier", "conclusion 1", "ARC is friendlier than TFRC towards Reno",
              "yes of 5-share and of 7b-order; partly: of one", claims.judge_friendlier),
    ), WIDE, lambda view: [plots.hops(view, claims.CROSS_CURVES, "Fig. 7b: C1 = Reno, by the law of cross traffic")]),
    Figure("fig7c", "All flows alike (Fig. 7c)", hops_runs([(law, law) for law in LAWS]), (
        Claim("7c-tfrc", "Fig. 7c", "TFRC is worst for N > 3",
              "below both others at each N > 3; partly: at more than half",
              claims.judge_tfrc_worst, PAPER),
        Claim("7c-like", "Fig. 7c", "ARC and Reno are similar for N > 3",
              "ratio 0.67 to 1.5 at each N > 3; partly: at more than half",
              claims.judge_arc_like_reno),
    ), WIDE, lambda view: [plots.hops(view, claims.SAME_CURVES, "Fig. 7c: C1 and cross traffic of the same law")]),
    Figure("fig7d", "A wireless last link, N = 10 (Fig. 7d)", wireless_runs, (
        Claim("7d-reno", "Fig. 7d", "ARC is far above Reno",
              "more than 2 times from 2 %, 5 times from 5 % loss; partly: more at each",
              claims.judge_wireless("reno"), PAPER),
        Claim("7d-tfrc", "Fig. 7d", "ARC is far above TFRC",
              "more than 2 times from 2 %, 5 times from 5 % loss; partly: more at each",
              claims.judge_wireless("tfrc")),
        Claim("7d-low", "4.2, scenario 4", "Reno and TFRC get very little over the lossy link",
              "each at most a tenth of a hop from 2 % loss on; partly: one",
              claims.judge_others_low),
        Claim("7d-most", "abstract", "ARC gains up to 1300 % over TFRC and Reno",
              "at least 14 times one of them at some loss; partly: 7 times",
              claims.judge_most_gain),
    ), WIDE, lambda view: [plots.wireless(view, "Fig. 7d: C1 across 10 hops of Reno traffic and a lossy last link")]),
]
