# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""docs/arc-figures.md, its pictures and its numbers."""

import ctypes.util
import re
from dataclasses import replace
from pathlib import Path

import equations
import readings
import settling
import measures
import statements
from claims import NAMES, View, jain, judge_reno_share, onoff_variation, share_variation
from mdtable import head, row
from plots import draw
from scope import ONOFF_CAPACITY_BPS, Scope
from simulations import SimulationError
from table import FIGURES
from provenance import commit, stamp
from verdicts import Claim, differing, mark, record, records
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


def other_verdicts(paper, live):
    """Outcomes of the claims that hold otherwise with the live law."""
    return [*head("claim", "the paper says", "with `live` we get", "the paper's law", "`live`"),
            *(row(f"`{c.key}`", c.paper, live[c.key].text.partition("; ")[0],
                  mark(paper[c.key]), mark(live[c.key].verdict))
              for _, c in claims() if live[c.key].verdict != paper[c.key])]


def paper_verdicts():
    """{key: verdict} as recorded."""
    return {claim.key: claim.verdict for claim in records()["arc"][2]}


def figure_sections(prefix):
    lines = []
    for figure in FIGURES:
        lines += [f"![{figure.title}]({PICTURES}/{prefix}{figure.name}.png)", ""]
    return lines


def readings_table(table):
    """One row a reading: which claims hold only in part, which do not, and how many do."""
    keys = [claim.key for _, claim in claims()]
    lines = head("reading", "partly", "no", "sum")
    for name, outcomes in table.items():
        lines.append(row(name, *(", ".join(f"`{key}`" for key in keys
                                           if outcomes[key].verdict == verdict) or "–"
                                 for verdict in ("partly", "no")), count(outcomes)))
    return lines


def as_recorded(claim, outcome):
    return Claim("ARC", claim.key, claim.where, claim.paper, claim.criterion, outcome.text,
                 outcome.verdict, "sim-figures" if claim.quick or claim in statements.STATEMENTS
                 else "")


def recorded(laboratory, outcomes, scope, build):
    """The paper's claims as they go into papers/verdicts."""
    more = judged_apart(laboratory, scope)
    found = [as_recorded(claim, outcomes[claim.key]) for _, claim in claims()
             if claim.key not in {each.key for each in more}]
    return [*found, *more, *equations.claims(build)]


APART = "fig7b"                 # has more seeds
APART_SEEDS = 10


def apart(scope):
    """Fig. 7b, of which single runs of Reno differ most, in its own scope; in its place."""
    return replace(scope, hops_seeds=max(scope.hops_seeds, APART_SEEDS))


def view_of(figure, view):
    """That the figure is judged and drawn by."""
    paper = figure.name == APART and view.scope.profile == "paper"
    return View(view.laboratory, apart(view.scope)) if paper else view


def figure_apart():
    return next(figure for figure in FIGURES if figure.name == APART)


def runs_apart(scope):
    return [*figure_apart().runs(apart(scope)), *statements.runs(statements.shorter(scope))]


def judged_statements(laboratory, scope):
    view = View(laboratory, statements.shorter(scope))
    return [as_recorded(claim, claim.judge(view)) for claim in statements.STATEMENTS]


def recorded_statement(laboratory):
    """The one of least work, as --apart records it: three runs of 400 s."""
    scope = statements.shorter(Scope())
    laboratory.simulate(scope.share("tfrc"))
    return [as_recorded(claim, claim.judge(View(laboratory, scope)))
            for claim in statements.STATEMENTS if claim.key == "playback-reno"]


def judged_figure(laboratory, scope):
    view = View(laboratory, apart(scope))
    return [as_recorded(claim, claim.judge(view)) for claim in figure_apart().claims]


def judged_apart(laboratory, scope):
    """Fig. 7b, and what the paper says without a figure."""
    return [*judged_figure(laboratory, scope), *judged_statements(laboratory, scope)]


def put_apart(laboratory, found, docs, quick):
    """These claims into the record and the page; all others are as they were recorded."""
    _, before, kept = records()["arc"]
    kept = {claim.key: claim for claim in kept} | {claim.key: claim for claim in found}
    commits = list(dict.fromkeys([*before.split(", "), commit()]))
    record("arc", "papers/arc/run --all", list(kept.values()), ", ".join(commits))
    page = docs / "arc-figures.md"
    text = between(page.read_text(encoding="utf-8"), FINDINGS_HEAD, PAPER_HEAD, [*findings(), ""])
    text = re.sub(r"Of \d+ claims: .*\n", counted(kept.values()) + "\n", text, count=1)
    text = text.partition(QUICK_HEAD)[0] + "\n".join(quick_section(laboratory, quick)) + "\n"
    page.write_text(text, encoding="utf-8")


def write_apart(laboratory, scope, docs, quick):
    """Only judged_apart(): the statements, some minutes, before Fig. 7b."""
    laboratory.simulate(statements.runs(statements.shorter(scope)))
    put_apart(laboratory, judged_statements(laboratory, scope), docs, quick)
    laboratory.simulate(runs_apart(scope))
    put_apart(laboratory, judged_figure(laboratory, scope), docs, quick)
    figure = figure_apart()
    draw(docs / PICTURES / f"{APART}.png", figure.size,
         figure.panels(View(laboratory, apart(scope))))


def counted(found):
    simulated = len(claims()) + len(statements.STATEMENTS)
    return (f"Of {len(found)} claims: {count_claims(found)}; {simulated} of them are of "
            "simulations.")


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


def beside_udp(view, law):
    """Of ten flows, of the second half of each phase but Jain's index, which is of windows of 10 s
    after 200 s: what they use of what UDP leaves, coefficient of variation of a flow with UDP off
    and on, mean and least index."""
    spans = view.scope.onoff_spans()

    def fairness(trace):
        return [value for t, value in jain(trace) if t > 200]
    return (view.onoff(law, lambda trace: measures.used_ratio(trace, "rate", ONOFF_CAPACITY_BPS,
                                                              spans)),
            *(onoff_variation(view, law, udp_on) for udp_on in (False, True)),
            *(view.onoff(law, lambda trace, of=of: of(fairness(trace)))
              for of in (measures.fmean, min)))


def beside_reno(view, law):
    """Of four flows beside four of Reno: Reno's share, coefficient of variation, Reno's."""
    share = judge_reno_share(view).numbers[f"beside_{law}"]
    return (measures.Stat(share["mean"], share["ci95"]), share_variation(view, law, "rate"),
            share_variation(view, law, "tcp"))


FOUR_ROWS = (                   # what it is, decimals, scale
    ("**efficiency**: ten flows use of what UDP leaves, %", 1, 100),
    ("**smoothness**: coefficient of variation beside UDP, off", 3, 1),
    ("the same, UDP on", 3, 1),
    ("**fairness**: Jain's index after 200 s, mean", 3, 1),
    ("the same, least window of 10 s", 3, 1),
    ("**friendliness**: the share that four Reno flows have beside four, %", 1, 100),
    ("coefficient of variation of these four", 3, 1),
    ("of the four Reno flows", 3, 1))


def four_claims(paper, live):
    """The paper's claims of one link, side by side: its law, the live law, TFRC."""
    columns = [[*beside_udp(view, law), *beside_reno(view, law)]
               for view, law in ((paper, "arc"), (live, "arc"), (paper, "tfrc"))]
    return [*head("", "the paper's ARC", "live", "TFRC"),
            *(row(what, *(column[i].text(places, scale) for column in columns))
              for i, (what, places, scale) in enumerate(FOUR_ROWS))]


def quick_table(paper, live):
    """Figures of single short runs: each is one number, the same wherever the same ns-3 runs."""
    def kbps(view, c1, cross):
        hops = view.scope.hops[-1]
        return f"{view.goodput(c1, cross, hops).mean / 1e3:.1f}"
    laws = ((paper, "arc"), (live, "arc"), (paper, "tfrc"), (paper, "reno"))
    hops = paper.scope.hops[-1]
    rows = [(f"C1 across Reno at N = {hops}, kbit/s",
             *(kbps(view, law, "reno") for view, law in laws)),
            (f"Reno as C1 across the law at N = {hops}, kbit/s",
             *(kbps(view, "reno", law) for view, law in laws))]
    return [*(line + (" Reno |" if i == 0 else "---|" if i == 1 else " – |")
              for i, line in enumerate(four_claims(paper, live))),
            *(row(*cells) for cells in rows)]


def single_link_runs(scope):
    return [run for law in ("arc", "tfrc") for run in (*scope.onoff(law), *scope.share(law))]


def quick_runs(scope):
    hops = scope.hops[-1]
    pairs = {(law, "reno") for law in NAMES} | {("reno", law) for law in NAMES}
    return [*single_link_runs(scope),
            *(run for c1, cross in sorted(pairs) for run in scope.multihop(c1, cross, hops))]


def quick_lines(laboratory, quick):
    """The quick subset of both laws, simulated."""
    live = quick.with_profile("live")
    laboratory.simulate([*quick_runs(quick), *quick_runs(live), *statements.runs(quick)])
    return [*quick_table(View(laboratory, quick), View(laboratory, live)), "",
            *statements.quick_table(laboratory, quick)]


def about_quick(quick):
    """Other versions of ns-3 have other figures."""
    return (f"One seed, {quick.onoff_seconds} s beside UDP and {quick.share_seconds} s beside Reno, "
            f"{ctypes.util.find_library('ns3-core')}.")


def quick_section(laboratory, quick):
    return [QUICK_HEAD, "", about_quick(quick), "With that library the test `sim-figures` simulates "
            "these again and fails if they are others.", "", *quick_lines(laboratory, quick)]


def is_stale(laboratory, quick, docs):
    """Prints what the page says of the quick subset, and the record of a statement, if it is
    another thing today."""
    page = (docs / "arc-figures.md").read_text(encoding="utf-8")
    if about_quick(quick) not in page:
        print("docs/arc-figures.md is of another version of ns-3: not compared")
        return False
    if wrong := differing("arc", recorded_statement(laboratory)):
        print(*wrong, "papers/arc/run --apart records it anew", sep="\n")
        return True
    lines = quick_lines(laboratory, quick)
    if "\n".join(lines) in page:
        return False
    print("docs/arc-figures.md is stale: papers/arc/run --live makes it again for another live "
          "law, --all for anything else. Its quick subset is now:", *lines, sep="\n")
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
    everything += runs_apart(scope)
    laboratory.simulate(runs_apart(scope))
    outcomes = {"paper": judge(paper), "live": judge(live)}
    table = {s.reading.name: judge(View(laboratory, s)) for s in others}
    table["`live`"] = judge(View(laboratory, readings.GRID.with_profile("live")))

    folder = docs / PICTURES
    folder.mkdir(exist_ok=True)
    for view, prefix in ((paper, ""), (live, "live-")):
        for figure in FIGURES:
            draw(folder / f"{prefix}{figure.name}.png", figure.size,
                 figure.panels(view_of(figure, view)))
    found = [*recorded(laboratory, outcomes["paper"], scope, build), settling.claim(laboratory)]
    record("arc", "papers/arc/run --all", found)
    text = compose(outcomes, table, len(dict.fromkeys(everything)), found,
                   quick_section(laboratory, quick), live_section(outcomes["live"], paper, live),
                   alike_table({s.reading.name: View(laboratory, s) for s in others}))
    (docs / "arc-figures.md").write_text("\n".join(text) + "\n")


LIVE_HEAD, NEXT_HEAD = "## ARC as shipped", "## Other readings"
FINDINGS_HEAD, PAPER_HEAD = "## What holds and what does not", "## The paper's ARC"


def live_section(outcomes, paper, live):
    """paper: the view of the paper's law in the same scope, of which one link was simulated."""
    return [
        f"{LIVE_HEAD} (`profile=live`), same scenarios",
        "",
        f"Made by `papers/arc/run --live`, {stamp()}; {live.scope.seeds} seeds (Fig. 7: "
        f"{live.scope.hops_seeds}). What the paper",
        "claims of one link, beside the paper's law and TFRC:",
        "",
        *four_claims(paper, live),
        "",
        f"Of the {len(outcomes)} claims of simulations: {count(outcomes)}. These hold otherwise "
        "than with the paper's law:",
        "",
        *other_verdicts(paper_verdicts(), outcomes),
        "",
        *figure_sections("live-"),
    ]


def between(text, begin, end, lines):
    before, head_line, rest = text.partition(begin)
    _, next_line, after = rest.partition(end)
    if not head_line or end and not next_line:
        raise SimulationError(f"the page has no {begin}: make it by papers/arc/run --all")
    return before + "\n".join(lines) + "\n" + next_line + after


def findings():
    return (Path(__file__).parent / "findings.md").read_text(encoding="utf-8").splitlines()


def write_live(laboratory, scope, docs, quick):
    """Only what changes with the live law: its section and its pictures, its row among the
    readings, the findings and the quick subset. It stands beside the paper's law as it was recorded
    otherwise: a receiver or a feedback that changed needs write()."""
    live, paper = View(laboratory, scope), View(laboratory, scope.with_profile("paper"))
    grid = readings.GRID.with_profile("live")
    laboratory.simulate([*single_link_runs(paper.scope), *runs_of(scope), *runs_of(grid)])
    for figure in FIGURES:
        draw(docs / PICTURES / f"live-{figure.name}.png", figure.size, figure.panels(live))
    page = docs / "arc-figures.md"
    text = between(page.read_text(encoding="utf-8"), LIVE_HEAD, NEXT_HEAD,
                   live_section(judge(live), paper, live))
    text = between(text, FINDINGS_HEAD, PAPER_HEAD, [*findings(), ""])
    text = re.sub(r"^(\| `live`.*\n)+", readings_table({"`live`": judge(View(laboratory, grid))})[-1]
                  + "\n", text, flags=re.MULTILINE)
    text = text.partition(QUICK_HEAD)[0] + "\n".join(quick_section(laboratory, quick)) + "\n"
    page.write_text(text, encoding="utf-8")


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


def compose(outcomes, table, n_runs, found, quick, live, alike):
    return [
        "# The ARC paper's figures, from ns-3",
        "",
        *INTRODUCTION,
        "",
        f"Made by `papers/arc/run --all`, {stamp()}, which also draws the pictures and "
        "records the claims",
        "for [claims.md](results/claims.md). The laws, the receiver and the pacing are those of "
        "`lib/rc`, as in",
        "the elements; the network and Reno are ns-3's.",
        "",
        f"{n_runs} simulations. Mean ± 95 % confidence interval over three seeds, of Fig. 7b over "
        f"{APART_SEEDS};",
        "readings and the quick subset have fewer. Pictures of single runs are of the first seed.",
        "",
        *findings(),
        "",
        f"{PAPER_HEAD} (`profile=paper`)",
        "",
        counted(found),
        "[claims.md](results/claims.md#arc) has each.",
        "",
        *figure_sections(""),
        *live,
        f"{NEXT_HEAD} of what the paper leaves open",
        "",
        "A coarser grid of one seed: 600 s for Fig. 3 to 5, hops 1, 5, 10 and a loss of 2 % "
        "for",
        f"Fig. 7. {len(table) - 1} of {len(readings.READINGS)} readings (`--readings N`).",
        "",
        *readings_table(table),
        "",
        "Fig. 7c by reading, kbit/s:",
        "",
        *alike,
        "",
        *quick,
    ]
