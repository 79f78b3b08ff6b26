# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What a soak tells: growth, leaks, silence, and a plot of it all."""

import csv
import json
import re
import shutil
import statistics
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "common"))
from runs import ROOT  # noqa: E402
import picture  # noqa: E402
from mdtable import put  # noqa: E402
from soakworld import CONTROLS  # noqa: E402

DOCUMENT = ROOT / "docs" / "soak.md"
HEADS = {"processes": ("time_s", "process", "rss_kb", "heap_kb", "threads", "descriptors"),
         "streams": ("time_s", "stream", "sent", "received")}
# Decoders, caches of plugins and the allocator's arenas fill up first.
WARM_RATIO, WARM_MOST_S = 0.25, 1800
# A leak of 1 kB a restart is 60 kB/h here. The allocator's arenas alone move a process by hundreds
# of kB, which is more an hour the shorter a run is. What codecs leave behind at each restart is in
# the control, too, and is not counted.
MOST_GROWTH_KB_PER_H = 1000
MEMORIES = ((1, "memory"), (2, "heap in use"))
DISTURBED_S = 30  # a stream that was stopped, or met an outage, has so long to come back
COLOURS = {"sender": "#1b9e77", "relay": "#d95f02", "receiver": "#7570b3",
           "control-sender": "#1b9e77", "control-receiver": "#7570b3"}
HEIGHT = 1300


def usage(pid):
    """(resident kB, threads, descriptors) of a process."""
    text = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = [int(re.search(rf"^{name}:\s+(\d+)", text, re.MULTILINE)[1])
             for name in ("VmRSS", "Threads")]
    return [*found, len(list(Path(f"/proc/{pid}/fd").iterdir()))]


def read(path):
    with open(path, newline="", encoding="ascii") as text:
        return list(csv.DictReader(text))


def slope(points):
    """Of the least squares."""
    if len(points) < 2:
        return 0.0
    mean_x, mean_y = (statistics.fmean(values) for values in zip(*points))
    over = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / over if over else 0.0


def by_process(rows):
    found = {}
    for row in rows:
        found.setdefault(row["process"], []).append(
            [float(row["time_s"])] + [int(row[name]) for name in HEADS["processes"][2:]])
    return found


def leaked(values):
    """By how much the most of the last quarter is above the most of the first half. Not a median:
    a stream that is stopped has no thread, and a pool starts its threads as the load asks."""
    quarter = len(values) // 4
    return max(values[-quarter:]) - max(values[:2 * quarter]) if quarter else 0


def growth(samples, index):
    """(kB/h after the beginning, kB at the end)"""
    warm = [sample for sample in samples if sample[0] >= warm_s(samples)]
    return slope([(sample[0] / 3600, sample[index]) for sample in warm]), warm[-1][index]


def warm_s(samples):
    return min(WARM_RATIO * samples[-1][0], WARM_MOST_S)


def memory_claims(name, samples, control):
    """control: the samples of the process with stock elements; None: it has none."""
    for index, what in MEMORIES:
        kb_per_h, kb = growth(samples, index)
        text = f"{name}: {what} {kb_per_h:+.0f} kB/h after {warm_s(samples) / 60:.0f} min"
        if control:
            of_control, control_kb = growth(control, index)
            yield (kb_per_h - of_control <= MOST_GROWTH_KB_PER_H,
                   f"{text} and control {of_control:+.0f}; at {kb / 1e3:.1f} and "
                   f"{control_kb / 1e3:.1f} MB")
        else:
            yield kb_per_h <= MOST_GROWTH_KB_PER_H, f"{text}, at {kb / 1e3:.1f} MB"


def process_claims(rows):
    processes = by_process(rows)
    for name, samples in processes.items():
        if name in CONTROLS.values():
            continue
        yield from memory_claims(name, samples, processes.get(CONTROLS.get(name)))
        for index, what in ((3, "threads"), (4, "descriptors")):
            values = [sample[index] for sample in samples]
            more = leaked(values)
            yield more <= 0, (f"{name}: {what} {more:+g} from the first half to the last quarter, "
                              f"{min(values)} to {max(values)}")


def disturbances(folder, outages):
    """[(second, stream or None: all)]."""
    found = [(second + length, None) for second, length in outages]
    found += [(second, None) for second, _ in outages]
    for line in (folder / "operations.log").read_text(encoding="ascii").splitlines():
        second, what, *streams = line.split()
        found += [(float(second), stream) for stream in streams if what != "address"]
    return found


def silences(rows, disturbed):
    """Intervals without a packet although nothing disturbed the stream: [(stream, second)]."""
    found, before = [], {}
    for row in rows:
        stream, at_s, received = row["stream"], float(row["time_s"]), int(row["received"])
        from_s, had = before.get(stream, (at_s, -1))
        before[stream] = at_s, received
        if received == had and not any(
                whose in (None, stream) and from_s - DISTURBED_S <= second <= at_s
                for second, whose in disturbed):
            found.append((stream, at_s))
    return found


def judge(folder):
    """(whether all is good, text)."""
    facts = json.loads((folder / "about.json").read_text(encoding="ascii"))
    processes, streams = read(folder / "processes.csv"), read(folder / "streams.csv")
    operations = (folder / "operations.log").read_text(encoding="ascii").splitlines()
    silent = silences(streams, disturbances(folder, facts["outages"]))
    length_s = float(processes[-1]["time_s"])
    outages = [at for at, _ in facts["outages"] if at < length_s]
    claims = [*process_claims(processes),
              (not silent, "silent streams while nothing disturbed them: "
               + (", ".join(f"{name} at {at_s:.0f} s" for name, at_s in silent[:8]) or "none")),
              (not facts["faults"], "faults: " + ("; ".join(facts["faults"][:8]) or "none"))]
    kinds = {}
    for line in operations:
        kind = line.split()[1].split(":")[0]
        kinds[kind] = kinds.get(kind, 0) + 1
    text = [f"{length_s / 3600:.2f} h, seed {facts['seed']}: {kinds.get('restart', 0)} restarts of "
            f"streams, {kinds.get('kill', 0)} of processes, {kinds.get('address', 0)} changes of "
            f"address, {len(outages)} outages"]
    text += [f"{'ok    ' if ok else 'MISSED'}  {what}" for ok, what in claims]
    return all(ok for ok, _ in claims), "\n".join(text)


def panel(number, count, ylabel, parts, last=False):
    top, bottom = 0.97 - 0.92 * number / count, 0.97 - 0.92 * (number + 1) / count + 0.04
    return [f"set tmargin at screen {top:.3f}", f"set bmargin at screen {bottom:.3f}",
            f"set ylabel '{ylabel}' offset 1", "set yrange [0:*]",
            "set format x '%g'" if last else "set format x ''",
            "set xlabel 'time, h'" if last else "unset xlabel", picture.plot(parts)]


def draw(folder):
    """soak.png."""
    if not picture.available():
        return
    processes = by_process(read(folder / "processes.csv"))
    link = [[float(row["time_s"]) / 3600, float(row["capacity_bps"]) / 1e6,
             8e-7 * float(row["served_bytes"]), float(row["queue_delay_mean_ms"]),
             float(row["queue_delay_max_ms"])] for row in read(folder / "link.csv")]
    if not link:
        return  # linkemu writes rows in blocks
    blocks = [picture.block("link", link)]
    blocks += [picture.block(f"p{i}", [(s[0] / 3600, s[1] / 1e3, s[2] / 1e3, *s[3:])
                                       for s in samples])
               for i, samples in enumerate(processes.values())]

    def lines(column):
        return [f"$p{i} using 1:{column} with lines lw 1.5 lc rgb '{COLOURS[name]}' "
                f"dt {2 if name in CONTROLS.values() else 1} title '{name}'"
                for i, name in enumerate(processes)]

    picture.draw(folder / "soak.png", f"1200,{HEIGHT}", [
        *blocks, "set multiplot", *picture.STYLE, "set lmargin at screen 0.075",
        "set rmargin at screen 0.97",
        "set key at graph 0.5,1.14 center horizontal maxrows 1 samplen 2",
        f"set xrange [0:{link[-1][0]:.4f}]",
        *panel(0, 6, "memory, MB", lines(2)), *panel(1, 6, "heap in use, MB", lines(3)),
        *panel(2, 6, "descriptors", lines(5)), *panel(3, 6, "threads", lines(4)),
        *panel(4, 6, "Mbit/s", ["$link using 1:2 with steps lc rgb '#999999' title 'capacity'",
                                "$link using 1:3 with lines lc rgb '#d95f02' title 'served'"]),
        *panel(5, 6, "queueing delay, ms",
               ["$link using 1:5 with points pt 7 ps 0.3 lc rgb '#9ecae1' title 'worst of 10 s'",
                "$link using 1:4 with lines lw 1.5 lc rgb '#08519c' title 'mean of 10 s'"], True)],
        font="sans,12")


def write(folder, text):
    """Text and plot into the document."""
    shutil.copy(folder / "soak.png", DOCUMENT.parent / "soak.png")
    put(DOCUMENT, "soak", f"```\n{text}\n```")
