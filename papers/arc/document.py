# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""docs/arc-figures.md, its pictures and its numbers."""

import ctypes.util
from pathlib import Path

import equations
import readings
import settling
from claims import NAMES, View, judge_reno_share, share_variation
from mdtable import head, row
from plots import draw
from simulations import SimulationError
from table import FIGURES
from verdicts import Claim, commit, mark, record
from verdicts import count as count_claims

PICTURES = "arc-figures"


def runs_of(scope):
    return [run for figure in FIGURES for run in figure.runs(scope)]


def claims():
    return [(figure, claim) for figure in FIGURES for claim in figure.claims]


def judge(view):
    return {claim.key: claim.judge(view) for _, claim in claims()}


def count(outcomes):
    verdicts = [outcome.verdict for outcome in outcomes.values()]
    return f"{verdicts.count('yes')} yes, {verdicts.count('partly')} partly, {verdicts.count('no')} no"


def claims_table(outcomes):
    lines = head("claim", "the paper says", "criterion", "we get", "agrees?")
    for _, claim in claims():
        outcome = outcomes[claim.key]
        lines.append(row(f"`{claim.key}`", claim.paper, claim.criterion, outcome.text,
                         mark(outcome.verdict)))
    return lines


def figure_sections(prefix):
    lines = []
    for figure in FIGURES:
        lines += [f"### {figure.title}", "", f"![{figure.title}]({PICTURES}/{prefix}{figure.name}.png)", ""]
    return lines


def readings_table(table):
    """One row a reading, one column a claim."""
    keys = [claim.key for _, claim in claims()]
    short = {"yes": "y", "partly": "p", "no": "**n**"}
    lines = head("reading", *(f"`{key}`" for key in keys), "sum")
    for name, outcomes in table.items():
        lines.append(row(name, *(short[outcomes[key].verdict] for key in keys), count(outcomes)))
    return lines


def recorded(outcomes, build):
    """The paper's claims as they go into papers/verdicts."""
    found = [Claim("ARC", claim.key, claim.where, claim.paper, claim.criterion,
                   outcomes[claim.key].text, outcomes[claim.key].verdict,
                   "sim-figures" if claim.quick else "") for _, claim in claims()]
    return [*found, *equations.claims(build)]


def alike_table(views):
    """Fig. 7c by reading: goodput of C1 in kbit/s where all flows have its law."""
    hops = [n for n in readings.GRID.hops if n > 3]
    rows = []
    for name, view in views.items():
        goodputs = {law: [view.goodput(law, law, n).mean / 1e3 for n in hops]
                    for law in ("arc", "reno")}
        ratios = [a / max(b, 1e-3) for a, b in zip(goodputs["arc"], goodputs["reno"])]
        rows.append(row(name, *(", ".join(f"{value:.0f}" for value in goodputs[law])
                                for law in ("arc", "reno")),
                        ", ".join(f"{ratio:.1f}" for ratio in ratios)))
    at = f"N = {', '.join(map(str, hops))}"
    return [*head("reading", f"ARC, {at}", f"Reno, {at}", "ARC/Reno"), *rows]


QUICK_HEAD = "## A quick subset"


def quick_table(view):
    """Figures of single short runs: each is one number, the same wherever the same ns-3 runs."""
    def kbps(c1, cross):
        hops = view.scope.hops[-1]
        return f"{view.goodput(c1, cross, hops).mean / 1e3:.1f}"
    share = judge_reno_share(view).numbers
    variation = {law: share_variation(view, law, "rate").mean for law in ("arc", "tfrc")}
    rows = [
        ("Reno's share beside four flows of the law, %",
         f"{100 * share['beside_arc']['mean']:.2f}", f"{100 * share['beside_tfrc']['mean']:.2f}",
         "–"),
        ("coefficient of variation of these flows", f"{variation['arc']:.4f}",
         f"{variation['tfrc']:.4f}", "–"),
        (f"C1 across Reno at N = {view.scope.hops[-1]}, kbit/s",
         *(kbps(law, "reno") for law in ("arc", "tfrc", "reno"))),
        (f"Reno as C1 across the law at N = {view.scope.hops[-1]}, kbit/s",
         *(kbps("reno", law) for law in ("arc", "tfrc", "reno")))]
    return [*head("figure", "ARC", "TFRC", "Reno"), *(row(*cells) for cells in rows)]


def quick_runs(scope):
    hops = scope.hops[-1]
    pairs = {(law, "reno") for law in NAMES} | {("reno", law) for law in NAMES}
    return [*scope.share("arc"), *scope.share("tfrc"),
            *(run for c1, cross in sorted(pairs) for run in scope.multihop(c1, cross, hops))]


def about_quick():
    """Other versions of ns-3 have other figures."""
    return (f"One seed, 200 s, {ctypes.util.find_library('ns3-core')}. With that library the test "
            "`sim-figures`")


def is_stale(laboratory, quick, docs):
    """Prints what the page says of the quick subset, if it is another thing today."""
    page = (docs / "arc-figures.md").read_text(encoding="utf-8")
    if about_quick() not in page:
        print("docs/arc-figures.md is of another version of ns-3: not compared")
        return False
    laboratory.simulate(quick_runs(quick))
    lines = quick_table(View(laboratory, quick))
    if "\n".join(lines) in page:
        return False
    print("docs/arc-figures.md is stale: make it again by papers/arc/run --all. Its quick subset "
          "is now:", *lines, sep="\n")
    return True


def write(laboratory, scope, live_scope, docs, build, quick, n_readings):
    """Simulates everything; then the document, each picture and the record of the claims. quick:
    the scope of the figures that a test compares."""
    paper, live = View(laboratory, scope), View(laboratory, live_scope)
    others = readings.scopes(n_readings)
    everything = []
    for part in (paper.scope, live.scope, readings.GRID.with_profile("live"), *others):
        everything += runs_of(part)
        laboratory.simulate(runs_of(part))
    outcomes = {"paper": judge(paper), "live": judge(live)}
    table = {s.reading.name: judge(View(laboratory, s)) for s in others}
    table["`live`"] = judge(View(laboratory, readings.GRID.with_profile("live")))

    folder = docs / PICTURES
    folder.mkdir(exist_ok=True)
    for view, prefix in ((paper, ""), (live, "live-")):
        for figure in FIGURES:
            draw(folder / f"{prefix}{figure.name}.png", figure.size, figure.panels(view))
    found = [*recorded(outcomes["paper"], build), settling.claim(laboratory)]
    record("arc", "papers/arc/run --all", found)
    text = compose(outcomes, table, len(dict.fromkeys(everything)), found,
                   quick_table(View(laboratory, quick)), live_scope,
                   alike_table({s.reading.name: View(laboratory, s) for s in others}))
    (docs / "arc-figures.md").write_text("\n".join(text) + "\n")


LIVE_HEAD, NEXT_HEAD = "## ARC as shipped", "## Other readings"


def live_section(outcomes, scope):
    return [
        f"{LIVE_HEAD} (`profile=live`), same scenarios",
        "",
        f"Of {len(outcomes)} claims: {count(outcomes)}. Commit `{commit()}`; {scope.seeds} seeds, "
        f"of Fig. 7 {scope.hops_seeds}.",
        "",
        *claims_table(outcomes),
        "",
        *figure_sections("live-"),
    ]


def write_live(laboratory, scope, docs):
    """Only what changes with the live law: its section and its pictures. It stands beside the
    paper's law, TFRC and Reno as they were recorded: a receiver or a feedback that changed needs
    write()."""
    view = View(laboratory, scope)
    laboratory.simulate(runs_of(view.scope))
    for figure in FIGURES:
        draw(docs / PICTURES / f"live-{figure.name}.png", figure.size, figure.panels(view))
    page = docs / "arc-figures.md"
    before, head_line, rest = page.read_text().partition(LIVE_HEAD)
    _, next_line, after = rest.partition(NEXT_HEAD)
    if not head_line or not next_line:
        raise SimulationError(f"{page} has no section of the live law: make it by papers/arc/run --all")
    page.write_text(before + "\n".join(live_section(judge(view), view.scope)) + "\n" + next_line + after)


INTRODUCTION = (
    "ARC (Adaptive Rate Control) decides at which rate a stream is sent, from the delay of its "
    "packets,",
    "from losses, and from the rate at which packets arrive. This page repeats the figures of its "
    "paper (L.",
    "A. Grieco, S. Mascolo, L. De Cicco; [papers.md](papers.md#arc)) in the simulator ns-3, beside "
    "TFRC",
    "(the rate control of RFC 5348) and TCP Reno. The paper's form of the law is `profile=paper` "
    "of the",
    "elements. Their default, `profile=live`, is judged by the same claims further down.")


def compose(outcomes, table, n_runs, found, quick, live_scope, alike):
    text = equations.claims_table(found)
    return [
        "# The ARC paper's figures, from ns-3",
        "",
        *INTRODUCTION,
        "",
        f"Made by `papers/arc/run --all` at commit `{commit()}`, which also draws the pictures and "
        "records the claims",
        "for [claims.md](results/claims.md). The laws, the receiver and the pacing are those of "
        "`lib/rc`, as in",
        "the elements; the network and Reno are ns-3's.",
        "",
        f"{n_runs} simulations. Mean ± 95 % confidence interval over three seeds; readings "
        "and the",
        "quick subset have fewer. Pictures of single runs are of the first seed.",
        "",
        *(Path(__file__).parent / "findings.md").read_text().splitlines(),
        "",
        "## The paper's ARC (`profile=paper`)",
        "",
        f"Of {len(found)} claims: {count_claims(found)}; {len(outcomes['paper'])} of them are of "
        "simulations.",
        "",
        *claims_table(outcomes["paper"]),
        "",
        "Equations and mechanisms are held by the tests of the law; what nothing here measures is "
        "open.",
        "",
        *text,
        "",
        *figure_sections(""),
        *live_section(outcomes["live"], live_scope),
        f"{NEXT_HEAD} of what the paper leaves open",
        "",
        "A coarser grid of one seed: 600 s for Fig. 3 to 5, hops 1, 5, 10 and a loss of 2 % "
        "for",
        f"Fig. 7. {len(table) - 1} of {len(readings.READINGS)} readings (`--readings N`). y: yes, "
        "p: partly, n: no.",
        "",
        *readings_table(table),
        "",
        "Fig. 7c by reading, kbit/s:",
        "",
        *alike,
        "",
        QUICK_HEAD,
        "",
        about_quick(),
        "simulates these again and fails if they are others.",
        "",
        *quick,
    ]
