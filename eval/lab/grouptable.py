# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The table of a group: medians of use and of the queueing delay, contenders side by side."""

import json
import statistics

from criteria import Starts


def load(path):
    """The figures of a run; None: it failed."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def verdict(case, runs):
    """Of the medians: which criteria are missed. A case with a reference is eval/lab/table's."""
    if case.reference:
        return ""
    columns = zip(*([row for c in case.criteria for row in c.rows(run, None)] for run in runs))
    missed = []
    for column in columns:
        what, _, limit, sense, form = column[0]
        value = statistics.median(row[1] for row in column)
        if sense * value < sense * limit:
            missed.append(f"{what}: {form.format(value)}")
    return "; ".join(missed) or "none"


def cell(case, runs):
    names = ("utilisation", "delay_p50_ms", "delay_p95_ms")
    use, p50, p95 = (statistics.median(run[name] for run in runs) for name in names)
    figures = f"{use:.0%} / {p50:.0f} / {p95:.0f}"
    return figures + shares(runs) + fairness(runs) + started(case, runs)


def shares(runs):
    """Beside TCP, of the video and of TCP."""
    video, tcp = (statistics.median(run[name] for run in runs)
                  for name in ("video_share", "tcp_share"))
    return f" · {video:.0%} and {tcp:.0%}" if tcp else ""


def fairness(runs):
    """Of several flows, Jain's index in the worst window of 20 s."""
    worst = [min(run["jain"]) for run in runs if run["jain"]]
    return f" · Jain {statistics.median(worst):.2f}" if worst else ""


def started(case, runs):
    """Where the start is what counts: how long it took."""
    if not any(isinstance(criterion, Starts) for criterion in case.criteria):
        return ""
    return f" · starts in {statistics.median(run['started_s'] for run in runs):.1f} s"


def group_table(cases, names, results):
    """Lines of Markdown. results: {(case, contender): figures of each run}. Misses are of the
    first contender."""
    lines = [f"| case | {' | '.join(names)} | missed by {names[0]} | runs |",
             "|---" * (len(names) + 3) + "|"]
    for case in cases:
        mine = results.get((case.name, names[0]), [])
        cells = [cell(case, results[case.name, name]) if results.get((case.name, name)) else "–"
                 for name in names]
        missed = verdict(case, mine) if mine else "–"
        lines.append(f"| {case.name} | {' | '.join(cells)} | {missed} | {len(mine)} |")
    return lines


def table_of_jobs(jobs):
    """jobs: (case, contender, number, folder), as eval/lab/run has them."""
    results = {}
    for case, who, _, folder in jobs:
        if figures := load(folder / "metrics.json"):
            results.setdefault((case.name, who.name), []).append(figures)
    cases = {case.name: case for case, _, _, _ in jobs}
    names = list(dict.fromkeys(who.name for _, who, _, _ in jobs))
    head = ["Use / p50 / p95 of the queueing delay in ms · beside TCP: shares of both.", ""]
    return "\n".join(head + group_table(cases.values(), names, results))
