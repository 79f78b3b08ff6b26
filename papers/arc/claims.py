# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Each claim of the paper's section 4 as a criterion over simulated runs."""

from dataclasses import dataclass

import measures
from measures import stat
from scope import HOPS_SECONDS, HOPS_START_S, ONOFF_CAPACITY_BPS, RATE_START_S, SHARE_CAPACITY_BPS, WIRELESS_HOPS

JAIN_WINDOW_S = 10
NAMES = {"arc": "ARC", "tfrc": "TFRC", "reno": "Reno"}


@dataclass(frozen=True)
class Outcome:
    verdict: str                # yes, partly, no
    text: str
    numbers: dict               # JSON


@dataclass(frozen=True)
class Claim:
    key: str
    where: str                  # in the paper
    paper: str                  # what it says
    criterion: str              # what makes it yes; then what partly
    judge: object               # (view) -> Outcome
    quick: tuple = ()           # profiles with which the short form tests it: it holds there


class View:
    """The traces of one scope, and the figures that several claims use."""

    def __init__(self, laboratory, scope):
        self.laboratory, self.scope = laboratory, scope

    def per_seed(self, runs, measure):
        return stat([measure(self.laboratory.trace(run)) for run in runs])

    def onoff(self, law, measure):
        return self.per_seed(self.scope.onoff(law), measure)

    def share(self, law, measure):
        return self.per_seed(self.scope.share(law), measure)

    def goodput(self, c1, cross, hops, loss=0.0):
        return self.per_seed(self.scope.multihop(c1, cross, hops, loss),
                             lambda trace: trace.goodput_bps("c1", HOPS_START_S, HOPS_SECONDS))

    def many_hops(self):
        return [n for n in self.scope.hops if n > 3]


def yes_if(holds, partly=False):
    return "yes" if holds else "partly" if partly else "no"


def share_of(cases):
    """All: yes; more than half: partly."""
    cases = list(cases)
    return yes_if(all(cases), sum(cases) > len(cases) / 2)


# --- Fig 3 and 4: ten flows beside UDP that goes on and off ---

def onoff_variation(view, law, udp_on):
    def measure(trace):
        udp = trace.flows["udp0"].received_bps
        return measures.sent_variation(trace, "rate", [(begin, end) for begin, end in view.scope.onoff_spans()
                                                       if (udp[begin] > 0) == udp_on])
    return view.onoff(law, measure)


def judge_smoother_than_tfrc(view):
    arc, tfrc = ([onoff_variation(view, law, udp_on) for udp_on in (False, True)] for law in ("arc", "tfrc"))
    smoother = [a.high < t.low for a, t in zip(arc, tfrc)]
    return Outcome(yes_if(all(smoother), any(smoother)),
                   "coefficient of variation " + "; ".join(f"UDP {phase}: ARC {a.text(3)}, TFRC {t.text(3)}"
                                                           for phase, a, t in zip(("off", "on"), arc, tfrc)),
                   {"arc": {"udp_off": arc[0].json(), "udp_on": arc[1].json()},
                    "tfrc": {"udp_off": tfrc[0].json(), "udp_on": tfrc[1].json()}})


STEADY = 0.05                   # coefficient of variation


def judge_no_oscillation(view):
    found = [onoff_variation(view, "arc", udp_on) for udp_on in (False, True)]
    steady = [each.mean <= STEADY for each in found]
    return Outcome(yes_if(all(steady), any(steady)),
                   f"coefficient of variation UDP off {found[0].text(3)}, on {found[1].text(3)}",
                   {"udp_off": found[0].json(), "udp_on": found[1].json()})


def judge_tracks_bandwidth(view):
    spans = view.scope.onoff_spans()
    used = view.onoff("arc", lambda trace: measures.used_ratio(trace, "rate", ONOFF_CAPACITY_BPS, spans))
    return Outcome(yes_if(used.low >= 0.9, used.mean >= 0.9),
                   f"sum {used.text(1, 100)} % of what UDP leaves", {"arc": used.json()})


def jain(trace, window=JAIN_WINDOW_S):
    return measures.jain_series(trace, "rate", window, RATE_START_S + 1)


def reached(view, law, level=0.9):
    """Per seed, when the index first is at `level`; the length of the run if never."""
    return [measures.first_at(jain(view.laboratory.trace(run)), level) or view.scope.onoff_seconds
            for run in view.scope.onoff(law)]


def judge_fair_before_100(view):
    times = reached(view, "arc")
    at_100 = view.onoff("arc", lambda trace: dict(jain(trace))[100])
    return Outcome(yes_if(max(times) < 100 and at_100.mean >= 0.9, min(times) < 100),
                   f"0.9 at {max(times)} s (10 s windows, latest seed); at 100 s {at_100.text(3)}",
                   {"reached_s": times, "at_100_s": at_100.json()})


def judge_fairest_after_200(view):
    def after(measure):
        return view.onoff("arc", lambda trace: measure([value for t, value in jain(trace) if t > 200]))
    least, mean = after(min), after(measures.fmean)
    return Outcome(yes_if(least.mean >= 0.98, mean.mean >= 0.98),
                   f"after 200 s mean {mean.text(3)}, least {least.text(3)}",
                   {"mean": mean.json(), "least": least.json()})


def judge_tfrc_unfair_at_first(view):
    def before(law):
        return view.onoff(law, lambda trace: measures.fmean(value for t, value in jain(trace) if t <= 200))
    arc, tfrc = before("arc"), before("tfrc")
    return Outcome(yes_if(tfrc.mean < 0.9, tfrc.mean < arc.mean),
                   f"mean until 200 s TFRC {tfrc.text(3)}, ARC {arc.text(3)}", {"arc": arc.json(), "tfrc": tfrc.json()})


def judge_tfrc_fair_late(view):
    first = reached(view, "tfrc")
    stays = [measures.for_good_at(jain(view.laboratory.trace(run)), 0.9) for run in view.scope.onoff("tfrc")]
    mean = view.onoff("tfrc", lambda trace: measures.fmean(value for t, value in jain(trace) if t > 200))
    late = [t is None or t > 200 for t in stays]
    text = ", ".join("never" if t is None else f"{t} s" for t in stays)
    return Outcome(yes_if(all(t > 200 for t in first) and all(late), any(late)),
                   f"first at {', '.join(map(str, first))} s, for good at {text} (by seed); "
                   f"mean after 200 s {mean.text(3)}",
                   {"first_s": first, "for_good_s": stays, "mean_after_200_s": mean.json()})


# --- Fig 5: four rate-based flows beside four Reno flows ---

def share_variation(view, law, prefix):
    return view.share(law, lambda trace: measures.sent_variation(trace, prefix, view.scope.share_spans()))


def judge_smoother_than_reno(law):
    def judge(view):
        own, reno = share_variation(view, law, "rate"), share_variation(view, law, "tcp")
        return Outcome(yes_if(own.high < reno.low, own.mean < reno.mean),
                       f"coefficient of variation {NAMES[law]} {own.text(2)}, Reno beside it {reno.text(2)}",
                       {law: own.json(), "reno": reno.json()})
    return judge


def reno_share(view, law):
    """Of the bottleneck's capacity, by the four Reno flows together (1: all; 0.5: fair)."""
    begin, end = view.scope.share_spans()[0]
    return view.share(law, lambda trace: sum(trace.goodput_bps(name, begin, end) for name in trace.ids("tcp"))
                      / SHARE_CAPACITY_BPS)


def judge_reno_share(view):
    arc, tfrc = reno_share(view, "arc"), reno_share(view, "tfrc")
    return Outcome(yes_if(arc.mean >= tfrc.mean, arc.high >= tfrc.low),
                   f"four Reno flows get {arc.text(0, 100)} % of the link beside ARC, "
                   f"{tfrc.text(0, 100)} % beside TFRC",
                   {"beside_arc": arc.json(), "beside_tfrc": tfrc.json()})


# --- Fig 7: C1 over many hops ---

def table(view, curves, hops):
    """{label: {n: Stat}} of C1's goodput; curves: label -> (c1, cross)."""
    return {label: {n: view.goodput(c1, cross, n) for n in hops} for label, (c1, cross) in curves.items()}


def describe(rows):
    return "; ".join(f"{label} " + ", ".join(f"{value.mean / 1e3:.0f}" for value in row.values())
                     for label, row in rows.items())


def as_json(rows):
    return {label: {str(n): value.json() for n, value in row.items()} for label, row in rows.items()}


def at(hops):
    return "N = " + ", ".join(map(str, hops)) + ", kbit/s: "


C1_CURVES = {name: (law, "reno") for law, name in NAMES.items()}
CROSS_CURVES = {name: ("reno", law) for law, name in NAMES.items()}
SAME_CURVES = {name: (law, law) for law, name in NAMES.items()}


def judge_extreme(rows, label, hops, sign):
    """Is the curve above (sign 1) or below (-1) all others, and where do the confidence intervals
    agree?"""
    wins = clear = 0
    for n in hops:
        own, others = rows[label][n], [row[n] for name, row in rows.items() if name != label]
        wins += all(sign * (own.mean - other.mean) > 0 for other in others)
        clear += all((own.low > other.high) if sign > 0 else (own.high < other.low) for other in others)
    text = f"at {wins} of {len(hops)}, with intervals apart at {clear}; " + at(hops) + describe(rows)
    return Outcome(yes_if(wins == len(hops), wins > len(hops) / 2), text, as_json(rows))


def judge_falls_with_hops(view):
    first, last = min(view.scope.hops), max(view.scope.hops)
    rows = table(view, C1_CURVES, (first, last))
    return Outcome(share_of(row[last].mean < row[first].mean for row in rows.values()),
                   at((first, last)) + describe(rows), as_json(rows))


def judge_arc_largest(view):
    hops = view.many_hops()
    return judge_extreme(table(view, C1_CURVES, hops), "ARC", hops, 1)


def judge_reno_best_under_arc(view):
    hops = view.scope.hops
    return judge_extreme(table(view, CROSS_CURVES, hops), "ARC", hops, 1)


def judge_reno_poor_under_tfrc(view):
    hops = view.scope.hops
    rows = table(view, {name: CROSS_CURVES[name] for name in ("TFRC", "Reno")}, hops)
    ratios = [rows["TFRC"][n].mean / max(rows["Reno"][n].mean, 1) for n in hops]
    return Outcome(yes_if(all(r < 0.5 for r in ratios), all(r < 1 for r in ratios)),
                   f"N = {', '.join(map(str, hops))}: " + ", ".join(f"{100 * r:.0f}" for r in ratios)
                   + " % of what it gets across Reno",
                   {"ratio": dict(zip(map(str, hops), ratios))})


def judge_tfrc_worst(view):
    hops = view.many_hops()
    return judge_extreme(table(view, SAME_CURVES, hops), "TFRC", hops, -1)


def judge_arc_like_reno(view):
    hops = view.many_hops()
    rows = table(view, {name: SAME_CURVES[name] for name in ("ARC", "Reno")}, hops)
    ratios = [rows["ARC"][n].mean / max(rows["Reno"][n].mean, 1) for n in hops]
    return Outcome(share_of(0.67 <= r <= 1.5 for r in ratios),
                   "ARC/Reno " + ", ".join(f"{r:.2f}" for r in ratios) + f" at N = {', '.join(map(str, hops))}",
                   {"ratio": dict(zip(map(str, hops), ratios))})


def judge_reno_beside_arc_not_below_tfrc(view):
    hops = view.scope.hops
    return judge_extreme(table(view, {name: CROSS_CURVES[name] for name in ("ARC", "TFRC")}, hops), "ARC", hops, 1)


def judge_friendlier(view):
    """On one link and over many hops."""
    parts = [judge_reno_share(view), judge_reno_beside_arc_not_below_tfrc(view)]
    words = [part.verdict for part in parts]
    return Outcome(yes_if(words == ["yes", "yes"], "yes" in words),
                   f"one link: {words[0]}; many hops: {words[1]}",
                   {"share": parts[0].numbers, "hops": parts[1].numbers})


# --- Fig 7d: the wireless hop ---

LOW_BPS = 100e3                 # a tenth of a hop


def judge_others_low(view):
    losses = [loss for loss in view.scope.losses if loss >= 0.02]
    most = {law: max(view.goodput(law, "reno", WIRELESS_HOPS, loss).mean for loss in losses)
            for law in ("tfrc", "reno")}
    low = [value < LOW_BPS for value in most.values()]
    text = ", ".join(f"{NAMES[law]} {value / 1e3:.0f}" for law, value in most.items())
    return Outcome(yes_if(all(low), any(low)), f"most, kbit/s: {text}",
                   {f"{law}_bps": value for law, value in most.items()})


def wireless_gain(view, other, losses):
    return {loss: view.goodput("arc", "reno", WIRELESS_HOPS, loss).mean
            / max(view.goodput(other, "reno", WIRELESS_HOPS, loss).mean, 1) for loss in losses}


def judge_wireless(other):
    def judge(view):
        losses = [loss for loss in view.scope.losses if loss >= 0.02]
        gains = wireless_gain(view, other, losses)
        wanted = [gain > (5 if loss >= 0.05 else 2) for loss, gain in gains.items()]
        return Outcome(yes_if(all(wanted), all(gain > 1 for gain in gains.values())),
                       f"ARC/{NAMES[other]} " + ", ".join(f"{gain:.1f}" for gain in gains.values())
                       + " at " + ", ".join(f"{100 * loss:.0f}" for loss in losses) + " % loss",
                       {"ratio": {f"{loss:g}": gain for loss, gain in gains.items()}})
    return judge


def judge_most_gain(view):
    losses = [loss for loss in view.scope.losses if loss > 0]
    most = max(gain for other in ("reno", "tfrc") for gain in wireless_gain(view, other, losses).values())
    return Outcome(yes_if(most >= 14, most >= 7), f"most {100 * (most - 1):.0f} % more", {"most_ratio": most})
