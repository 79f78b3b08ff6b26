# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Tables of the lab: medians of use and of the queueing delay, contenders side by side, and what
was asked for."""

import json
import statistics

import places  # noqa: F401
from mdtable import head, median, row, table


def verdicts(case, runs, references=()):
    """(what, met, text) of each criterion, of the medians. references: runs of the other case."""
    by_run = [[each(run, references[min(i, len(references) - 1)] if references else None)
               for each in case.criteria] for i, run in enumerate(runs)]
    for column in zip(*by_run):
        what, _, limit, sense, form = column[0]
        value = statistics.median(values[1] for values in column)
        yield what, sense * value >= sense * limit, form.format(value)


def missed(case, runs):
    """A case with a reference is eval/lab/table's."""
    if case.reference:
        return ""
    return "; ".join(f"{what}: {text}" for what, met, text in verdicts(case, runs)
                     if not met) or "none"


def met(case, runs):
    """How many of its criteria."""
    found = [good for _, good, _ in verdicts(case, runs)]
    return f"{sum(found)}/{len(found)}"


def cell(case, runs, of_frames=True):
    use, p50, p95 = (median(runs, name)
                     for name in ("utilisation", "delay_p50_ms", "delay_p95_ms"))
    figures = f"{use:.0%} / {p50:.0f} / {p95:.0f}"
    return (figures + frames(runs) * of_frames + shares(runs) + fairness(runs)
            + started(case, runs) + as_in_loop(case, runs))


def frames(runs):
    """How long the sender held them, and how late they were whole, if the ends tell."""
    known = [[run[name] for run in runs if run.get(name) is not None]
             for name in ("frame_hold_p95_ms", "frame_p50_ms", "frame_p95_ms")]
    cells = [f"{statistics.median(values):.0f}" if values else "–" for values in known]
    return f" · frame {' / '.join(cells)}" if any(known) else ""


def shares(runs):
    """Beside TCP, of the video and of TCP."""
    video, tcp = median(runs, "video_share"), median(runs, "tcp_share")
    return f" · {video:.0%} and {tcp:.0%}" if tcp else ""


def fairness(runs):
    """Of several flows, Jain's index in the worst window of 20 s, and the worst share for 10 s."""
    worst = [min(run["jain"]) for run in runs if run["jain"]]
    least = [run["least_ten_share"] for run in runs if run.get("least_ten_share")]
    return ((f" · Jain {statistics.median(worst):.2f}" if worst else "")
            + (f", least {statistics.median(least):.0%}" if least else ""))


def started(case, runs):
    """Where the start is what counts: how long it took."""
    if not case.name.startswith("start-"):
        return ""
    return f" · starts in {median(runs, 'started_s'):.1f} s"


def as_in_loop(case, runs):
    """On a trace, use and 95th percentile as the closed loop counts them."""
    use, p95 = median(runs, "loop_use"), median(runs, "loop_p95_ms")
    return f" · as in the loop {use:.0%} / {p95:.0f}" if case.trace and p95 else ""


def group_table(cases, names, results):
    """results: {(case, contender): figures of each run}. Misses are of the first contender."""
    rows = []
    for case in cases:
        mine = results.get((case.name, names[0]), [])
        cells = [cell(case, results[case.name, name]) if results.get((case.name, name)) else "–"
                 for name in names]
        rows.append([case.name, *cells, missed(case, mine) if mine else "–", len(mine)])
    return table(["case", *names, f"missed by {names[0]}", "runs"], rows)


def page_table(cases, names, results):
    """The same without frames, and how many criteria the first contender meets."""
    rows = []
    for case in cases:
        mine = results.get((case.name, names[0]), [])
        cells = [cell(case, results[case.name, name], of_frames=False)
                 if results.get((case.name, name)) else "–" for name in names]
        rows.append([case.name, *cells, met(case, mine) if mine else "–"])
    return table(["case", *names, f"aims met by {names[0]}"], rows)


def of_jobs(jobs):
    """{case: {contender: figures of each run that did not fail}}. jobs: (case, contender, number,
    folder), as eval/lab/run has them."""
    found = {}
    for case, who, _, folder in jobs:
        if (path := folder / "metrics.json").exists():
            runs = found.setdefault(case, {}).setdefault(who, [])
            runs.append(json.loads(path.read_text(encoding="utf-8")))
    return found


def table_of_jobs(jobs):
    results = {(case.name, who.name): runs for case, by_who in of_jobs(jobs).items()
               for who, runs in by_who.items()}
    names = list(dict.fromkeys(who.name for _, who, _, _ in jobs))
    return ("Use / p50 / p95 of the queueing delay in ms · frame: p95 of how long the sender held "
            "it / p50 / p95 of how much later than the fastest it was whole, in ms · beside TCP: "
            "shares of both.\n\n"
            + group_table(dict.fromkeys(case for case, _, _, _ in jobs), names, results))


def phase_cell(phases):
    """Of the same phase in all runs."""
    use, p95, loss = (median(phases, name) for name in ("utilisation", "delay_p95_ms", "loss"))
    return f"{use:.0%} / {p95:.0f} / {loss:.1%}"


def phase_tables(jobs):
    """Phases of each case, a row for each contender."""
    lines = ["Use / 95th percentile of the queueing delay in ms / loss."]
    for case, by_who in of_jobs(jobs).items():
        first = next(iter(by_who.values()))[0]["phases"]
        spans = [f"{phase['begin_s']:g} to {phase['end_s']:g} s" for phase in first]
        lines += ["", f"{case.name}:", "", *head("contender", *spans, "runs")]
        for who, runs in by_who.items():
            cells = [phase_cell(phases) for phases in zip(*(run["phases"] for run in runs))]
            lines.append(row(f"{who.what} (`{who.name}`)", *cells, len(runs)))
    return "\n".join(lines)
