# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The table of a group: medians of use and of the queueing delay, contenders side by side."""

import json
import statistics


def load(path):
    """The figures of a run; None: it failed."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def verdict(case, runs):
    """Of the medians: which criteria are missed. A case with a reference is lab/table's."""
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


def cell(runs):
    names = ("utilisation", "delay_p50_ms", "delay_p95_ms")
    use, p50, p95 = (statistics.median(run[name] for run in runs) for name in names)
    return f"{use:.0%} / {p50:.0f} / {p95:.0f}" + shares(runs)


def shares(runs):
    """Beside TCP, of the video and of TCP."""
    video, tcp = (statistics.median(run[name] for run in runs)
                  for name in ("video_share", "tcp_share"))
    return f" · {video:.0%} and {tcp:.0%}" if tcp else ""


def group_table(jobs):
    """jobs: (case, contender, number, folder). Markdown; misses are the first contender's."""
    cases = {case.name: case for case, _, _, _ in jobs}
    names = list(dict.fromkeys(who.name for _, who, _, _ in jobs))
    runs = {}
    for case, who, _, folder in jobs:
        if figures := load(folder / "metrics.json"):
            runs.setdefault((case.name, who.name), []).append(figures)
    lines = ["Use / p50 / p95 of the queueing delay in ms · beside TCP: shares of both.", "",
             "| case | " + " | ".join(names) + f" | missed by {names[0]} | runs |",
             "|---" * (len(names) + 3) + "|"]
    for case in cases.values():
        mine = runs.get((case.name, names[0]), [])
        cells = [cell(runs[case.name, name]) if (case.name, name) in runs else "–"
                 for name in names]
        missed = verdict(case, mine) if mine else "–"
        lines.append(f"| {case.name} | {' | '.join(cells)} | {missed} | {len(mine)} |")
    return "\n".join(lines)
