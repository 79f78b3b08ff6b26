# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""When each frame stood on the screen of a receiver whose sink keeps time, from the frame logs of
both ends (framelog.py).

A frame is *shown* when the sink renders it; its *time* is its running time plus the latency of the
pipeline. It is late if it is shown more than LATE_S after its time: so late a video sink of
GStreamer drops it (max-lateness). The screen is compared with the camera at the same moment, so
each millisecond from camera to screen counts."""

from bisect import bisect_left

import places  # noqa: F401
from frametimesfigures import FrameTimes, percentiles
from metrics import mean, percentile
from screen import picture_frames, screen

LATE_S = 0.005
NEVER_S = float("inf")
BIN_S = 0.5  # of the plots
SAME_TIME_S = 2e-6  # a log rounds to microseconds


def late_by(row, before):
    """A frame that waited while the latency shrank is shown at its former time, as it would have
    been. Both are rows "shown"."""
    return min(row[2], row[2] + 1e3 * (float(row[3]) - float(before[3])))


class Playout(FrameTimes):
    """The figures of one run. Rows "shown" have how late the frame was, in us, and in the place of
    the digest the latency of the pipeline in ms."""

    def __init__(self, case, latency_ms, sender, receiver, packets):
        super().__init__(case, latency_ms, sender, receiver, packets)
        self.shown = receiver.get("shown", [])
        rows = sorted(self.shown, key=lambda row: row[1])
        times = [row[1] for row in rows]
        self.of_view = [self.at_time(rows, times, running_s) for _, running_s, *_ in self.views]
        pictures = picture_frames(self.all_frames, [(row[0] if row else NEVER_S, *view[1:])
                                                    for row, view in zip(self.of_view, self.views)])
        self.screen = screen(self.all_frames, pictures, 0)

    @staticmethod
    def at_time(rows, times, running_s):
        i = bisect_left(times, running_s - SAME_TIME_S)
        return rows[i] if i < len(times) and times[i] <= running_s + SAME_TIME_S else None

    def row_of(self, frame):
        return self.of_view[frame.view] if frame.view is not None else None

    def glass_ms(self, frame):
        return 1e3 * (self.row_of(frame)[0] - frame.captured_s)

    def window(self, begin_s, end_s, what):
        chosen = [i for i, frame in enumerate(self.all_frames)
                  if begin_s <= frame.captured_s < end_s]
        frames = [self.all_frames[i] for i in chosen]
        seen = [frame for frame in frames if self.row_of(frame)]
        whole = self.spans_ms([frame.captured_s for frame in frames],
                              (self.whole_s[i] for i in chosen))
        rows = [row for row in self.shown if begin_s <= row[0] < end_s]
        gaps = [1e3 * (b[0] - a[0]) for a, b in zip(rows, rows[1:])]
        ssim = [self.ssim[i] for i in chosen if self.ssim[i] is not None]
        return {"what": what, "frames": len(frames), "never": len(frames) - len(seen),
                "late": sum(late_us > 1e6 * LATE_S
                            for late_us in map(late_by, rows, rows[:1] + rows)),
                "shown": len(rows),
                **percentiles(whole, "whole"),
                **percentiles([self.glass_ms(frame) for frame in seen], "glass"),
                "gap_p99_ms": percentile(gaps, 0.99) if gaps else None,
                "latency_ms": mean([float(row[3]) for row in rows]) if rows else None,
                "ssim": mean(ssim) if ssim else None}

    def figures(self):
        return super().figures() | {"glass": self.glass_series()}

    def glass_series(self):
        """The 95th percentile, by when frames were captured."""
        bins = {}
        for frame in self.all_frames:
            if self.row_of(frame) and frame.captured_s >= 0:
                bins.setdefault(int(frame.captured_s / BIN_S), []).append(self.glass_ms(frame))
        return [((i + 0.5) * BIN_S, percentile(values, 0.95)) for i, values in sorted(bins.items())]
