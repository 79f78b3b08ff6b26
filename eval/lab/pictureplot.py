# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The plot of a run of eval/lab/picture: what was sent, and how late each frame came."""

import places  # noqa: F401
import picture as drawing

BIN_S = 0.5
HEIGHT_PX = 800


def rates(run):
    """Mbit/s over time: the link's, and the video's."""
    count = int(run.case.seconds / BIN_S)
    link, video = [0] * count, [0] * count
    for at_s, size_bytes, _, name in run.packets:
        if name == "forward" and 0 <= at_s < count * BIN_S:
            link[int(at_s / BIN_S)] += size_bytes
    for frame in run.all_frames:
        if 0 <= frame.captured_s < count * BIN_S:
            video[int(frame.captured_s / BIN_S)] += frame.size_bytes
    return [[((i + 0.5) * BIN_S, 8e-6 * size / BIN_S) for i, size in enumerate(row)]
            for row in (link, video)]


def draw(run, sender, folder):
    if not drawing.available():
        return
    link, video = rates(run)
    capacity = [*run.case.capacity, (run.case.seconds, run.case.capacity[-1][1])]
    shown = [(f.captured_s, 1e3 * (f.shown_s - f.captured_s)) for f in run.all_frames
             if f.shown_s is not None]
    missing = [f.captured_s for f in run.all_frames if f.shown_s is None and f.captured_s >= 0]
    top = max([1.2e3 * run.deadline_s, *(delay for _, delay in shown)]) * 1.1
    deadline = [(0, 1e3 * run.deadline_s), (run.case.seconds, 1e3 * run.deadline_s)]
    blocks = [[drawing.block("capacity", [(s, bps / 1e6) for s, bps in capacity]),
               drawing.block("link", link), drawing.block("video", video)],
              [drawing.block("shown", shown), drawing.block("deadline", deadline),
               drawing.block("missing", [(at_s, top * 0.96) for at_s in missing])]]
    parts = [["$capacity using 1:2 with steps lw 2 lc rgb '#333333' title 'capacity'",
              "$link using 1:2 with lines lw 1.8 lc rgb '#d95f02' title 'sent into the link'",
              "$video using 1:2 with lines lw 1.8 lc rgb '#1b9e77' title 'of which video, once'"],
             ["$shown using 1:2 with points pt 7 ps 0.3 lc rgb '#6baed6' title 'intact frame'",
              "$deadline using 1:2 with lines lw 1.5 dt 2 lc rgb '#333333' title 'in time'",
              "$missing using 1:2 with points pt 2 ps 0.6 lc rgb '#e41a1c' "
              "title 'missing or broken'"]]
    rates_top = 1.15 * max(value for _, value in [*link, *((0, bps / 1e6) for _, bps in capacity)])
    drawing.rates_and_delays(folder / "plot.png", f"{run.case.name}, {sender.name}: {sender.what}",
                             HEIGHT_PX, (run.case.seconds, rates_top, top),
                             (blocks[0], parts[0]), (blocks[1], parts[1]),
                             "capture to picture, ms")
