# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""docs/arc-figures.md, its pictures and its numbers."""

import json
from pathlib import Path

import readings
from claims import View
from mdtable import head, row
from plots import draw
from simulations import SimulationError
from table import FIGURES

PICTURES = "arc-figures"
MARKS = {"yes": "yes", "partly": "(partly)", "no": "**no**"}


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
    lines = head("claim", "the paper says", "we get", "agrees?")
    for _, claim in claims():
        outcome = outcomes[claim.key]
        lines.append(row(f"`{claim.key}`", claim.paper, outcome.text, MARKS[outcome.verdict]))
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


def as_json(outcomes):
    return {key: {"agrees": outcome.verdict, **outcome.numbers} for key, outcome in outcomes.items()}


def write(laboratory, scope, docs, raw):
    """Simulates everything; then the document, each picture and, in the folder `raw`,
    figures.json."""
    paper, live = (View(laboratory, scope.with_profile(profile)) for profile in ("paper", "live"))
    others = readings.scopes()
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
    numbers = {"paper": as_json(outcomes["paper"]), "live": as_json(outcomes["live"]),
               "readings": {name: {key: o.verdict for key, o in judged.items()} for name, judged in table.items()}}
    raw.mkdir(parents=True, exist_ok=True)
    (raw / "figures.json").write_text(json.dumps(numbers, indent=1) + "\n")
    text = compose(outcomes, table, len(dict.fromkeys(everything)))
    (docs / "arc-figures.md").write_text("\n".join(text) + "\n")


LIVE_HEAD, NEXT_HEAD = "## ARC as shipped", "## Other readings"


def live_section(outcomes):
    return [
        f"{LIVE_HEAD} (`profile=live`), same scenarios",
        "",
        f"Of {len(outcomes)} claims: {count(outcomes)}. TFRC and Reno are the same as above.",
        "",
        *claims_table(outcomes),
        "",
        *figure_sections("live-"),
    ]


def write_live(laboratory, scope, docs):
    """Only what changes with the live law: its section and its pictures. The paper's law does not
    change, nor do TFRC and Reno."""
    view = View(laboratory, scope.with_profile("live"))
    laboratory.simulate(runs_of(view.scope))
    for figure in FIGURES:
        draw(docs / PICTURES / f"live-{figure.name}.png", figure.size, figure.panels(view))
    page = docs / "arc-figures.md"
    before, head_line, rest = page.read_text().partition(LIVE_HEAD)
    _, next_line, after = rest.partition(NEXT_HEAD)
    if not head_line or not next_line:
        raise SimulationError(f"{page} has no section of the live law: make it by papers/arc/run --all")
    page.write_text(before + "\n".join(live_section(judge(view))) + "\n" + next_line + after)


def compose(outcomes, table, n_runs):
    return [
        "# The ARC paper's figures, from ns-3",
        "",
        "Made by `papers/arc/run --all`, which also draws the pictures and leaves the numbers in "
        "`build/papers/arc/figures/figures.json`. The laws, the receiver and the pacing are those "
        "of `lib/rc`, "
        "as in the elements; the network and Reno are ns-3's.",
        "",
        f"{n_runs} simulations. Mean ± 95 % confidence interval over seeds (5 for Fig. 7, 3 for the others); pictures "
        "of single runs are of the first seed.",
        "",
        *(Path(__file__).parent / "findings.md").read_text().splitlines(),
        "",
        "## The paper's ARC (`profile=paper`, `outstanding=0`)",
        "",
        f"Of {len(outcomes['paper'])} claims: {count(outcomes['paper'])}.",
        "",
        *claims_table(outcomes["paper"]),
        "",
        *figure_sections(""),
        *live_section(outcomes["live"]),
        f"{NEXT_HEAD} of what the paper leaves open",
        "",
        "A coarser grid: 600 s of one seed for Fig. 3 to 5, two seeds, hops 1, 5, 10 and losses of 2 and 10 % for "
        "Fig. 7. y: yes, p: partly, n: no.",
        "",
        *readings_table(table),
    ]
