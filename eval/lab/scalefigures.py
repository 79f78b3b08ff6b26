# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What a viewer sees of a picture whose size changes, from the frame logs of both ends (scaleend),
linkemu's log of packets, and ffmpeg's SSIM of the screen with each frame of the camera.

A frame of the camera is known at the receiver by its RTP timestamp. It is in time if it is decoded
within half the round trip, the latency of the jitter buffer and 200 ms. The screen has, at the time
of each frame, the newest frame that is in time; so a frame that is missing costs SSIM by as much as
the picture moved on. A freeze is a distance of more than 200 ms between the captures of two frames
that are in time."""

import itertools
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from metrics import mean, percentile
from picturefigures import FREEZE_S, PLAYER_S

FIRST_S = 5  # frames count from then on: a start has no size to compare
BIN_S = 0.5
SSIM = re.compile(r"n:\d+ .* All:([0-9.]+) ")


def read_ssim(path):
    """Of each frame of the camera."""
    return [float(SSIM.search(line)[1]) for line in path.read_text(encoding="ascii").splitlines()]


@dataclass
class Frame:
    """unit: its number in the stream that arrived, None: it did not. shown_s: when decoded."""

    captured_s: float
    unit: int = None
    shown_s: float = None
    lines: int = 0


def nearest(times, at, within):
    """The index of that time among ascending ones, or None."""
    i = bisect_left(times, at)
    best = min((k for k in (i - 1, i) if 0 <= k < len(times)), key=lambda k: abs(times[k] - at),
               default=None)
    return best if best is not None and abs(times[best] - at) <= within else None


class Scaled:
    """The figures of one run. packets: (arrived_s, bytes, queueing delay in ms or None, link)."""

    def __init__(self, case, latency_ms, fps, sender, receiver, packets):
        self.case, self.packets, self.fps = case, packets, fps
        self.deadline_s = case.rtt_ms / 2e3 + latency_ms / 1e3 + PLAYER_S
        self.frames = [Frame(at_s) for at_s, _, _, _ in sender.get("capture", [])]
        self.unit_bytes = [size for _, _, size, _ in receiver.get("unit", [])]
        self.ssim = []
        self.match(sender, receiver)

    def match(self, sender, receiver):
        """By RTP timestamp. videorate may move a time by less than half a frame."""
        times = [running for _, running, _, _ in sender.get("capture", [])]
        number_of = {stamp: nearest(times, running, 0.5 / self.fps)
                     for _, running, _, stamp in sender.get("packet", [])}
        stamp_of = {running: stamp for _, running, _, stamp in receiver.get("packet", [])}
        unit_of = {running: i for i, (_, running, _, _) in enumerate(receiver.get("unit", []))}
        for at_s, running, lines, _ in receiver.get("view", []):
            number = number_of.get(stamp_of.get(running))
            if number is not None and running in unit_of:
                frame = self.frames[number]
                frame.unit, frame.shown_s, frame.lines = unit_of[running], at_s, lines

    def in_time(self, frame):
        return frame.shown_s is not None and frame.shown_s - frame.captured_s <= self.deadline_s

    def screen(self):
        """For each frame of the camera: the unit on the screen when it is due; -1: none."""
        units, newest = [], -1
        for frame in self.frames:
            newest = frame.unit if self.in_time(frame) else newest
            units.append(newest)
        return units

    def phases(self):
        """(bit/s, first_s, last_s) of each, without the start of the run."""
        marks = [*self.case.capacity, (self.case.seconds, 0)]
        return [(bps, max(at_s, FIRST_S), end_s)
                for (at_s, bps), (end_s, _) in zip(marks, marks[1:])]

    def figures(self):
        late = [frame.captured_s - i / self.fps for i, frame in enumerate(self.frames)]
        return {"camera_late_ms": 1e3 * (max(late, default=0) - min(late, default=0)),
                "phases": [self.span(*phase) for phase in self.phases()],
                "all": self.span(None, FIRST_S, self.case.seconds)}

    def span(self, bps, first_s, last_s):
        chosen = [(frame, ssim) for frame, ssim
                  in itertools.zip_longest(self.frames, self.ssim[:len(self.frames)])
                  if first_s <= frame.captured_s < last_s]
        shown = [frame for frame, _ in chosen if self.in_time(frame)]
        marks = [first_s, *(frame.captured_s for frame in shown), last_s]
        freezes = [b - a for a, b in zip(marks, marks[1:]) if b - a > FREEZE_S]
        delays = [1e3 * (frame.shown_s - frame.captured_s) for frame, _ in chosen
                  if frame.shown_s is not None]
        values = [ssim for _, ssim in chosen if ssim is not None]
        sent = [packet for packet in self.packets
                if packet[3] == "forward" and first_s <= packet[0] < last_s]
        lines = [frame.lines for frame in shown]
        bits = sum(8 * size for _, size, wait_ms, _ in sent if wait_ms is not None)
        return {"capacity_bps": bps, "frames": len(chosen), "ssim_mean": mean(values),
                "ssim_p5": percentile(values, 0.05), "shown": len(shown) / max(len(chosen), 1),
                "freezes": len(freezes), "frozen_s": sum(freezes),
                "delay_p50_ms": percentile(delays, 0.5), "delay_p95_ms": percentile(delays, 0.95),
                "queue_drops": sum(packet[2] is None for packet in sent),
                "sent_bps": bits / (last_s - first_s), "lines_mean": mean(lines),
                "resizes": sum(a != b for a, b in zip(lines, lines[1:]))}

    def bins(self, rows):
        """Means of (at_s, value) over BIN_S: [(middle, mean)]."""
        rows = sorted(rows)
        times, result = [at_s for at_s, _ in rows], []
        for i in range(int(self.case.seconds / BIN_S)):
            values = [value for _, value in rows[bisect_left(times, i * BIN_S):
                                                 bisect_right(times, (i + 1) * BIN_S)]]
            if values:
                result.append(((i + 0.5) * BIN_S, mean(values)))
        return result

    def lanes(self):
        """What the plot has: {name: [(at_s, value)]}."""
        sent = [0] * int(self.case.seconds / BIN_S)
        for at_s, size, _, link in self.packets:
            if link == "forward" and 0 <= at_s < self.case.seconds:
                sent[int(at_s / BIN_S)] += 8e-6 * size / BIN_S
        shown = [frame for frame in self.frames if frame.shown_s is not None]
        return {"sent": [((i + 0.5) * BIN_S, rate) for i, rate in enumerate(sent)],
                "lines": [(frame.captured_s, frame.lines) for frame in shown],
                "ssim": self.bins([(frame.captured_s, ssim) for frame, ssim
                                   in zip(self.frames, self.ssim)]),
                "delay": [(frame.captured_s, 1e3 * (frame.shown_s - frame.captured_s))
                          for frame in shown]}
