# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Phases of a case side by side, a row for each contender, with medians over its runs."""

import statistics

from grouptable import load


def phase_cell(phases):
    """Of the same phase in all runs."""
    use, p95, loss = (statistics.median(phase[name] for phase in phases)
                      for name in ("utilisation", "delay_p95_ms", "loss"))
    return f"{use:.0%} / {p95:.0f} / {loss:.1%}"


def phase_table(runs_by_contender):
    """Lines of Markdown. runs_by_contender: {contender: figures of each run}."""
    first = next(iter(runs_by_contender.values()))[0]["phases"]
    spans = [f"{phase['begin_s']:g} to {phase['end_s']:g} s" for phase in first]
    lines = [f"| contender | {' | '.join(spans)} | runs |", "|---" * (len(spans) + 2) + "|"]
    for who, runs in runs_by_contender.items():
        cells = [phase_cell(phases) for phases in zip(*(run["phases"] for run in runs))]
        lines.append(f"| {who.what} (`{who.name}`) | {' | '.join(cells)} | {len(runs)} |")
    return lines


def phase_tables(jobs):
    """jobs: (case, contender, number, folder), as eval/lab/run has them."""
    tables = {}
    for case, who, _, folder in jobs:
        if figures := load(folder / "metrics.json"):
            tables.setdefault(case.name, {}).setdefault(who, []).append(figures)
    lines = ["Use / 95th percentile of the queueing delay in ms / loss."]
    for name, runs in tables.items():
        lines += ["", f"{name}:", "", *phase_table(runs)]
    return "\n".join(lines)
