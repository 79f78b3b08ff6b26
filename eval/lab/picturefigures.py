# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What a viewer gets, from the frame logs of both ends (framelog.py) and linkemu's log of packets.

A frame is intact if the receiver decoded what the sender's own decoder makes of it, bit by bit. It
is in time if a player can still show it: a player with the configured latency shows a frame at its
capture, plus the one-way delay of the empty link, plus the latency, plus 200 ms for encoding,
transmission and decoding. A freeze is a distance of more than 200 ms between the captures of two
frames that are intact and in time: so long the picture would stand, or be broken."""

import csv
from bisect import bisect_left
from collections import deque
from dataclasses import dataclass

from metrics import mean, percentile

HEADER = "what,at_s,running_s,bytes,digest\n"  # of a frame log
PLAYER_S = 0.2
FREEZE_S = 0.2
SAME_TIME_S = 2e-6  # a log rounds to microseconds
NEVER_S = 99.0
FRAMES_PER_S = 30


@dataclass
class Frame:
    """captured_s, shown_s: since the media began; shown_s is None if it was never intact. view: the
    number of its picture among those of the receiver."""

    captured_s: float
    size_bytes: int = 0
    digest: str = ""
    shown_s: float = None
    view: int = None
    running_s: float = 0  # when captured, in the sender's pipeline


def read_rows(path, origin_s):
    """Of a frame log: {what: [(at_s, running_s, bytes, digest)]}."""
    rows = {}
    with open(path, newline="", encoding="ascii") as text:
        for row in csv.DictReader(text):
            rows.setdefault(row["what"], []).append(
                (float(row["at_s"]) - origin_s, float(row["running_s"]), int(row["bytes"]),
                 row["digest"]))
    return rows


def at_same_time(rows, times, running_s):
    """The row of that running time, or None; times are those of the rows, ascending."""
    i = bisect_left(times, running_s - SAME_TIME_S)
    return rows[i] if i < len(times) and times[i] <= running_s + SAME_TIME_S else None


def frames_of(sender):
    """All captured frames, with what the encoder and the sender's decoder made of them."""
    frames = [Frame(at_s, running_s=running_s)
              for at_s, running_s, _, _ in sender.get("capture", [])]
    for what in ("encoded", "reference"):
        rows = sorted(sender.get(what, []), key=lambda row: row[1])
        times = [row[1] for row in rows]
        for frame in frames:
            if row := at_same_time(rows, times, frame.running_s):
                if what == "encoded":
                    frame.size_bytes = row[2]
                else:
                    frame.digest = row[3]
    return frames


def match(frames, views):
    """Fills shown_s and view; returns the times of pictures that are no frame's.

    Of frames that look the same each picture is the first that was captured and not yet shown."""
    waiting = {}
    for frame in frames:
        if frame.digest:
            waiting.setdefault(frame.digest, deque()).append(frame)
    broken = []
    for number, (at_s, _, _, digest) in enumerate(views):
        if digest not in waiting:
            broken.append(at_s)
        elif waiting[digest]:
            frame = waiting[digest].popleft()
            frame.shown_s, frame.view = at_s, number
    return broken


def lost_ratio(packets, span):
    """Of all that entered the link on the way out."""
    return mean([packet[2] is None for packet in packets
                 if packet[3] == "forward" and span[0] <= packet[0] < span[1]])


class Picture:
    """The figures of one run. packets: (arrived_s, bytes, queueing delay in ms or None, link)."""

    def __init__(self, case, latency_ms, sender, receiver, packets):
        self.case, self.packets = case, packets
        self.span = case.first_s(), case.last_s()
        self.deadline_s = case.rtt_ms / 2e3 + latency_ms / 1e3 + PLAYER_S
        self.all_frames = frames_of(sender)
        self.views = receiver.get("view", [])
        self.broken = match(self.all_frames, self.views)
        self.frames = [frame for frame in self.all_frames if self.inside(frame.captured_s)]
        self.ssim = []  # of the screen with each frame, if it was compared
        self.started_s = receiver.get("started", [(0, 0, 0, "")])[0][0]

    def camera_late_s(self):
        """By how much the machine delayed the camera at worst; on a machine that does not run the
        lab, the figures are the machine's."""
        late = [frame.captured_s - i / FRAMES_PER_S for i, frame in enumerate(self.all_frames)
                if self.inside(frame.captured_s)]
        return max(late, default=0) - min(late, default=0)

    def inside(self, at_s):
        return self.span[0] <= at_s < self.span[1]

    def in_time(self, frame):
        return (frame.shown_s is not None
                and frame.shown_s - frame.captured_s <= self.deadline_s)

    def freezes(self):
        """(begin_s, length_s) of each."""
        marks = [frame.captured_s for frame in self.frames if self.in_time(frame)]
        marks = [self.span[0], *marks, self.span[1]]
        return [(a, b - a) for a, b in zip(marks, marks[1:]) if b - a > FREEZE_S]

    def delays_ms(self):
        return [1e3 * (frame.shown_s - frame.captured_s) for frame in self.frames
                if frame.shown_s is not None]

    def mean_ssim(self):
        inside = [ssim for frame, ssim in zip(self.all_frames, self.ssim)
                  if ssim is not None and self.inside(frame.captured_s)]
        return mean(inside) if inside else None

    def link_bytes(self, link):
        return sum(packet[1] for packet in self.packets
                   if packet[3] == link and self.inside(packet[0]))

    def first_s(self):
        shown = [frame.shown_s for frame in self.all_frames if frame.shown_s is not None]
        return min(shown) - self.started_s if shown else NEVER_S

    def back_s(self):
        """From the end of the outage to the first picture that is intact again."""
        end_s = sum(self.case.outage)
        back = [frame.shown_s for frame in self.all_frames
                if frame.shown_s is not None and frame.shown_s >= end_s
                and frame.captured_s >= self.case.outage[0]]
        return min(back) - end_s if back else NEVER_S

    def figures(self):
        count, delays, freezes = max(len(self.frames), 1), self.delays_ms(), self.freezes()
        intact = [frame for frame in self.frames if frame.shown_s is not None]
        in_time = [frame for frame in intact if self.in_time(frame)]
        video_bytes = sum(frame.size_bytes for frame in self.frames)
        seconds = self.span[1] - self.span[0]
        waits = [packet[2] for packet in self.packets
                 if packet[3] == "forward" and packet[2] is not None and self.inside(packet[0])]
        return {
            "frames": len(self.frames), "intact": len(in_time) / count,
            "intact_ever": len(intact) / count, "late_frames": len(intact) - len(in_time),
            "broken_frames": sum(self.inside(at_s) for at_s in self.broken),
            "freezes": len(freezes), "frozen_s": sum(length for _, length in freezes),
            **{f"delay_p{ratio:g}_ms": percentile(delays, ratio / 100) if delays else None
               for ratio in (50, 95, 99)}, "video_bps": 8 * video_bytes / seconds,
            "sent_bps": 8 * self.link_bytes("forward") / seconds,
            "back_bps": 8 * self.link_bytes("reverse") / seconds,
            "ssim": self.mean_ssim(), "lost_ratio": lost_ratio(self.packets, self.span),
            "overhead": self.link_bytes("forward") / max(video_bytes, 1) - 1,
            "queue_mean_ms": mean(waits), "queue_p95_ms": percentile(waits, 0.95),
            "camera_late_ms": 1e3 * self.camera_late_s(), "first_s": self.first_s(),
            "back_s": self.back_s() if self.case.outage else 0}
