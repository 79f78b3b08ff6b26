# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What the ARC paper says without a figure, as criteria over runs of its figures' set-ups."""

from dataclasses import replace

import measures
from claims import Claim, Outcome, View, reno_share, yes_if
from mdtable import head, row
from scope import Reading

# Eq. 1's integral, as the text has it and as the control theory behind it (lib/rc/law/arc.c).
INTEGRALS = {"in flight": 1, "r mRTT": 0}
PLAYED_S = 100                  # of the pieces that are played
SECONDS = 400                   # of a run of Fig. 3 or 5


def shorter(scope):
    """What is said without a figure shows in shorter runs."""
    return replace(scope, onoff_seconds=min(scope.onoff_seconds, SECONDS),
                   share_seconds=min(scope.share_seconds, SECONDS))


def integral_of(scope, value):
    return replace(scope, reading=Reading(options=(("param", f"outstanding={value}"),), law="arc"))


def hops_of(scope):
    """Where Fig. 7 has many."""
    return min((n for n in scope.hops if n > 3), default=max(scope.hops))


def runs(scope):
    hops = hops_of(scope)
    return [*(run for value in INTEGRALS.values() for each in (integral_of(scope, value),)
              for run in (*each.onoff("arc"), *each.share("arc"))),
            *scope.share("aimd"), *scope.share("tfrc"), *scope.share("arc"),
            *(run for law in ("aimd", "arc") for run in scope.multihop("reno", law, hops))]


# --- AIMD of the rate ---

def beside(view):
    """{law: Reno's share of one link, Reno's goodput across it over many hops}"""
    hops = hops_of(view.scope)
    return {law: (reno_share(view, law), view.goodput("reno", law, hops))
            for law in ("arc", "aimd")}


def judge_aimd(view):
    found, hops = beside(view), hops_of(view.scope)
    arc, aimd = found["arc"], found["aimd"]
    return Outcome(yes_if(all(a.high < b.low for a, b in zip(aimd, arc)),
                          all(a.mean < b.mean for a, b in zip(aimd, arc))),
                   f"four Reno flows get {aimd[0].text(0, 100)} % beside four of AIMD, "
                   f"{arc[0].text(0, 100)} % beside four of ARC; Reno across it at N = {hops} "
                   f"{aimd[1].text(0, 1e-3)} and {arc[1].text(0, 1e-3)} kbit/s",
                   {law: [each.json() for each in values] for law, values in found.items()})


# --- the window ---

def most_outstanding(view, value):
    """Of w, at any packet of any flow."""
    scope = integral_of(view.scope, value)
    traces = map(view.laboratory.trace, [*scope.onoff("arc"), *scope.share("arc")])
    return max(float(trace.head[f"{name}.most_outstanding_ratio"])
               for trace in traces for name in trace.ids("rate"))


def judge_window(view):
    found = {name: most_outstanding(view, value) for name, value in INTEGRALS.items()}
    return Outcome(yes_if(max(found.values()) <= 1, found["in flight"] <= 1),
                   "at most " + ", ".join(f"{ratio:.2f} of w ({name})"
                                          for name, ratio in found.items()), found)


# --- playback ---

def playback_s(rates_bps):
    """How long to wait before a stream of the mean rate plays without a stop, from the rates of
    each second."""
    mean = measures.fmean(rates_bps)
    got = most = 0
    for i, rate in enumerate(rates_bps):
        got += rate
        most = max(most, i + 1 - got / mean) if mean > 0 else PLAYED_S
    return most


def playback(view, law, prefix):
    def measure(trace):
        begin, end = view.scope.share_spans()[0]
        return measures.fmean(playback_s(trace.flows[name].received_bps[at:at + PLAYED_S])
                              for name in trace.ids(prefix)
                              for at in range(begin, end - PLAYED_S + 1, PLAYED_S))
    return view.share(law, measure)


def judge_reno_playback(view):
    tfrc, reno = playback(view, "tfrc", "rate"), playback(view, "tfrc", "tcp")
    ratio = reno.mean / tfrc.mean
    return Outcome(yes_if(2 <= ratio <= 4.5, ratio > 1),
                   f"TFRC {tfrc.text(1)} s, Reno beside it {reno.text(1)} s: {ratio:.1f} times",
                   {"tfrc": tfrc.json(), "reno": reno.json()})


def judge_arc_playback(view):
    arc, reno = playback(view, "arc", "rate"), playback(view, "arc", "tcp")
    tfrc = playback(view, "tfrc", "rate")
    return Outcome(yes_if(arc.high < reno.low and arc.low <= tfrc.high, arc.mean < reno.mean),
                   f"ARC {arc.text(1)} s, Reno beside it {reno.text(1)} s, TFRC {tfrc.text(1)} s",
                   {"arc": arc.json(), "reno": reno.json(), "tfrc": tfrc.json()})


STATEMENTS = (
    Claim("aimd", "3.1.2", "a rate that grows additively and falls multiplicatively is not "
          "friendly to Reno's window",
          f"Reno gets less beside it than beside ARC, in {SECONDS} s of Fig. 5 and over many "
          "hops, intervals apart; partly: in the mean", judge_aimd),
    Claim("w-bounds", "3.1", "what is outstanding never exceeds w",
          f"at no packet of {SECONDS} s of Fig. 3 and 5, whatever eq. 1 integrates; partly: with "
          "what is in "
          "flight, as the text has it", judge_window),
    Claim("playback-reno", "1", "Reno needs three times TFRC's playback delay",
          f"{SECONDS} s of Fig. 5, pieces of {PLAYED_S} s, each played at its mean rate without a "
          "stop: 2 to 4.5 "
          "times; partly: more than TFRC", judge_reno_playback),
    Claim("playback", "1, 3", "a smooth rate needs little playback delay",
          "the same: ARC less than Reno beside it, intervals apart, and no more than TFRC; "
          "partly: less than Reno in the mean", judge_arc_playback),
)


def quick_table(laboratory, scope):
    """Single short runs, for a test."""
    view = View(laboratory, scope)
    found = beside(view)
    rows = [("four Reno flows' share beside four, %",
             *(found[law][0].text(1, 100) for law in ("arc", "aimd")), "–"),
            (f"Reno as C1 across the law at N = {hops_of(scope)}, kbit/s",
             *(found[law][1].text(1, 1e-3) for law in ("arc", "aimd")), "–"),
            ("playback delay of 100 s, s",
             *(playback(view, law, "rate").text(2) for law in ("arc", "aimd", "tfrc"))),
            ("outstanding, of w", f"{most_outstanding(view, 0):.4f}", "–", "–")]
    return [*head("", "the paper's ARC", "AIMD", "TFRC"), *(row(*cells) for cells in rows)]
