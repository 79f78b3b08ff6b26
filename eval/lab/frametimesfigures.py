# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""When each frame arrived, and what stood on the screen, from the frame logs of both ends
(framelog.py, with packets) and linkemu's log.

All times of a frame count from its entry into the sender's pipeline. It is *whole* when the last of
its RTP packets reached the receiver's jitter buffer, and *decoded* when the decoder gave its
picture, bit by bit the one that the sender's own decoder made. A frame of which no such picture
came is lost, wherever that happened.

The screen shows each frame PLAYOUT_S after its capture. If it is not decoded by then, the screen
has the newest older picture that is: a late frame costs what the picture moved on. A broken picture
is on the screen too, as the frame behind the one before.

Where the link serves nothing for DARK_S, no sender can do anything. What waited through that has no
part in percentiles, as in the bound (eval/loop/bound.h)."""

from pathlib import Path

import places  # noqa: F401
import traces
from metrics import mean, percentile
from picturefigures import Picture, at_same_time
from screen import picture_frames, screen

PLAYOUT_S = 0.2
BIN_S = 0.5  # of the plots
DARK_S = 0.1
RATIOS = (50, 95, 99)


def stamp_of(digest):
    return digest.partition(":")[0]


def numbers_of(rows):
    """{RTP timestamp: {number of the packet: when it first came}}"""
    found = {}
    for at_s, _, _, digest in rows:
        stamp, _, number = digest.partition(":")
        found.setdefault(stamp, {}).setdefault(number, at_s)
    return found


def whole_times(frames, sent, arrived):
    """For each frame when its last packet arrived, or None."""
    sent = sorted(sent, key=lambda row: row[1])
    times = [row[1] for row in sent]
    count = {stamp: len(numbers) for stamp, numbers in numbers_of(sent).items()}
    came = numbers_of(arrived)
    found = []
    for frame in frames:
        row = at_same_time(sent, times, frame.running_s)
        stamp = stamp_of(row[3]) if row else None
        packets = sorted(came.get(stamp, {}).values())
        found.append(packets[count[stamp] - 1] if row and len(packets) >= count[stamp] else None)
    return found


def percentiles(values, name):
    """None: there are no values."""
    return {f"{name}_p{ratio}_ms": percentile(values, ratio / 100) if values else None
            for ratio in RATIOS}


class FrameTimes(Picture):
    """The figures of one run. ssim: of the screen with each frame, when it is due."""

    def __init__(self, case, latency_ms, sender, receiver, packets):
        super().__init__(case, latency_ms, sender, receiver, packets)
        self.deadline_s = PLAYOUT_S
        self.arrived = "arrived" in receiver  # without RTP nothing is known of packets
        self.whole_s = whole_times(self.all_frames, sender.get("sent", []),
                                   receiver.get("arrived", []))
        pictures = picture_frames(self.all_frames, self.views)
        self.screen = screen(self.all_frames, pictures, PLAYOUT_S)
        times_ms = traces.read(Path(case.trace)) if case.trace else []
        self.capacity = capacity_bins(case, times_ms)
        self.dark = dark_spans(times_ms)
        self.ssim = [None] * len(self.all_frames)

    def figures(self):
        return super().figures() | {
            "windows": [self.window(*window) for window in self.case.windows],
            "series": {"served": self.served_series(), "decoded": self.decoded_series(),
                       "capacity": [(i * BIN_S, bps) for i, bps in enumerate(self.capacity)]}}

    def served(self):
        """(begin of the service, bytes) of each packet that the link did not lose."""
        return [(at_s + wait_ms / 1e3, size_bytes) for at_s, size_bytes, wait_ms, link
                in self.packets if link == "forward" and wait_ms is not None]

    def capacity_bits(self, begin_s, end_s):
        """BIN_S divides the windows."""
        return BIN_S * sum(self.capacity[round(begin_s / BIN_S):round(end_s / BIN_S)])

    def window(self, begin_s, end_s, what):
        chosen = [i for i, frame in enumerate(self.all_frames)
                  if begin_s <= frame.captured_s < end_s]
        frames = [self.all_frames[i] for i in chosen]
        begun = [frame.captured_s for frame in frames]
        whole = self.spans_ms(begun, (self.whole_s[i] for i in chosen))
        decoded = self.spans_ms(begun, (frame.shown_s for frame in frames))
        sent = [(at_s, at_s + wait_ms / 1e3) for at_s, _, wait_ms, link in self.packets
                if link == "forward" and wait_ms is not None and begin_s <= at_s < end_s]
        bits = sum(8 * size_bytes for at_s, size_bytes in self.served() if begin_s <= at_s < end_s)
        ssim = [self.ssim[i] for i in chosen if self.ssim[i] is not None]
        return {"what": what, "frames": len(frames),
                "use": bits / self.capacity_bits(begin_s, end_s),
                "network_p95_ms": percentile(self.spans_ms(*zip(*sent)), 0.95) if sent else 0,
                **percentiles(whole, "whole"), **percentiles(decoded, "decoded"),
                "lost": sum(frame.shown_s is None for frame in frames),
                "in_time": sum(map(self.in_time, frames)) / max(len(frames), 1),
                "ssim": mean(ssim) if ssim else None}

    def spans_ms(self, begins_s, ends_s):
        """Of those that ended, and were not in the dark."""
        return [1e3 * (end_s - begin_s) for begin_s, end_s in zip(begins_s, ends_s)
                if end_s is not None and not self.is_dark(begin_s, end_s)]

    def is_dark(self, begin_s, end_s):
        return any(begin_s < end and end_s > begin for begin, end in self.dark)

    def served_series(self):
        sums = [0] * len(self.capacity)
        for at_s, size_bytes in self.served():
            if 0 <= at_s < len(sums) * BIN_S:
                sums[int(at_s / BIN_S)] += 8 * size_bytes / BIN_S
        return [((i + 0.5) * BIN_S, bps) for i, bps in enumerate(sums)]

    def decoded_series(self):
        """The 95th percentile of the time to the picture, of the frames captured in each bin."""
        bins = {}
        for frame in self.all_frames:
            if frame.shown_s is not None and frame.captured_s >= 0:
                bins.setdefault(int(frame.captured_s / BIN_S), []).append(
                    1e3 * (frame.shown_s - frame.captured_s))
        return [((i + 0.5) * BIN_S, percentile(values, 0.95)) for i, values in sorted(bins.items())]


def dark_spans(times_ms):
    """(begin_s, end_s) of each, from the opportunities."""
    return [(a / 1e3, b / 1e3) for a, b in zip(times_ms, times_ms[1:]) if b - a >= 1e3 * DARK_S]


def capacity_bins(case, times_ms):
    """bit/s of each bin of BIN_S."""
    count = round(case.seconds / BIN_S)
    if times_ms:
        return [1e6 * mbps for mbps in traces.binned(times_ms, round(1e3 * BIN_S))[:count]]
    return [next(bps for second, bps in reversed(case.capacity) if second <= i * BIN_S)
            for i in range(count)]
