# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What a viewer gets, from the frame logs of both ends (framelog.py), linkemu's log of packets, and
what was on the screen.

A frame is intact if the receiver decoded what the sender's own decoder makes of it, bit by bit. It
is in time if a player can still show it: a player with the configured latency shows a frame at its
capture, plus the one-way delay of the empty link, plus the latency, plus 200 ms for encoding,
transmission and decoding. A freeze is a distance of more than 200 ms between the captures of two
frames that are intact and in time: so long the picture would stand, or be broken."""

import csv
import itertools
import re
import subprocess
from bisect import bisect_left, bisect_right, insort
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import places  # noqa: F401
import traces
from metrics import mean, percentile

HEADER = "what,at_s,running_s,bytes,digest\n"  # of a frame log
PLAYER_S = 0.2
FREEZE_S = 0.2
SAME_TIME_S = 2e-6  # a log rounds to microseconds
NEVER_S = 99.0
FRAMES_PER_S = 30
BIN_S = 0.5  # of the plots


@dataclass
class Frame:
    """captured_s, shown_s: since the media began; shown_s is None if it was never intact. view: the
    number of its picture among those of the receiver, lines: how high that is."""

    captured_s: float
    size_bytes: int = 0
    digest: str = ""
    shown_s: float = None
    view: int = None
    running_s: float = 0  # when captured, in the sender's pipeline
    lines: int = 0


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


def picture_frames(frames, views):
    """[(decoded_s, number of the frame)] of all pictures; a broken one is the frame behind the
    picture before it."""
    number_of = {frame.view: number for number, frame in enumerate(frames)
                 if frame.view is not None}
    found, last = [], -1
    for view, (at_s, *_) in enumerate(views):
        last = number_of.get(view, last + 1)
        found.append((at_s, last))
    return found


def on_screen(frames, pictures, playout_s):
    """For each frame the picture that the screen has when the frame is due, or -1."""
    times = [at_s for at_s, _ in pictures]
    shown, ready, taken = [], [], 0  # ready: (number of the frame, picture), ascending
    for number, frame in enumerate(frames):
        decoded = bisect_right(times, frame.captured_s + playout_s)
        for view in range(taken, decoded):
            insort(ready, (pictures[view][1], view))
        taken = max(taken, decoded)
        due = bisect_right(ready, (number, len(pictures)))
        shown.append(ready[due - 1][1] if due else -1)
        del ready[:max(due - 1, 0)]  # an older one is shown no more
    return shown


def ssim_of(build, footage, shown, screen, numbers=None):
    """Of the screen with each frame of the camera; numbers: theirs in the footage, if not in
    order."""
    asked = "".join(f"{view} {number}\n" for view, number in
                    zip(screen, numbers or range(len(screen))))
    program = subprocess.run([build / "eval" / "lab" / "lab-ssim", footage, shown], input=asked,
                             capture_output=True, text=True, check=False)
    if program.returncode:
        raise RuntimeError(program.stderr.strip())
    return [float(line) for line in program.stdout.split()]


def binned(points):
    """[(middle, values)] of each bin of BIN_S that has some of the points (at_s, value)."""
    bins = {}
    for at_s, value in points:
        if at_s >= 0:
            bins.setdefault(int(at_s / BIN_S), []).append(value)
    return [((i + 0.5) * BIN_S, values) for i, values in sorted(bins.items())]


def summed(points, seconds, scale):
    """[(middle, sum by BIN_S)] of all bins of a run."""
    sums = [0] * round(seconds / BIN_S)
    for at_s, value in points:
        if 0 <= at_s < len(sums) * BIN_S:
            sums[int(at_s / BIN_S)] += scale * value / BIN_S
    return [((i + 0.5) * BIN_S, value) for i, value in enumerate(sums)]


def percentiles(values, name, ratios=(50, 95, 99)):
    """None: there are no values."""
    return {f"{name}_p{ratio}_ms": percentile(values, ratio / 100) if values else None
            for ratio in ratios}


class Picture:
    """The figures of one run. packets: (arrived_s, bytes, queueing delay in ms or None, link)."""

    frames_per_s = FRAMES_PER_S

    def __init__(self, case, latency_ms, sender, receiver, packets):
        self.case, self.packets = case, packets
        self.span = case.first_s(), case.last_s()
        self.deadline_s = case.rtt_ms / 2e3 + latency_ms / 1e3 + PLAYER_S
        self.all_frames = frames_of(sender)
        self.views = receiver.get("view", [])
        self.broken = self.match(sender, receiver)
        self.frames = [frame for frame in self.all_frames if self.inside(frame.captured_s)]
        self.ssim = []  # of the screen with each frame, if it was compared
        self.started_s = receiver.get("started", [(0, 0, 0, "")])[0][0]

    def match(self, _sender, _receiver):
        return match(self.all_frames, self.views)

    def camera_late_s(self):
        """By how much the machine delayed the camera at worst; on a machine that does not run the
        lab, the figures are the machine's."""
        late = [frame.captured_s - i / self.frames_per_s for i, frame in enumerate(self.all_frames)
                if self.inside(frame.captured_s)]
        return max(late, default=0) - min(late, default=0)

    def inside(self, at_s):
        return self.span[0] <= at_s < self.span[1]

    def in_time(self, frame):
        return (frame.shown_s is not None
                and frame.shown_s - frame.captured_s <= self.deadline_s)

    def chosen(self, begin_s, end_s):
        """(the numbers of the frames that were captured then, the frames)"""
        numbers = [i for i, frame in enumerate(self.all_frames)
                   if begin_s <= frame.captured_s < end_s]
        return numbers, [self.all_frames[i] for i in numbers]

    def freezes(self, span=None):
        """(begin_s, length_s) of each."""
        begin_s, end_s = span or self.span
        marks = [frame.captured_s for frame in self.chosen(begin_s, end_s)[1]
                 if self.in_time(frame)]
        marks = [begin_s, *marks, end_s]
        return [(a, b - a) for a, b in zip(marks, marks[1:]) if b - a > FREEZE_S]

    def delays_ms(self):
        return [1e3 * (frame.shown_s - frame.captured_s) for frame in self.frames
                if frame.shown_s is not None]

    def ssim_of(self, numbers):
        return [self.ssim[i] for i in numbers if i < len(self.ssim) and self.ssim[i] is not None]

    def mean_ssim(self, begin_s, end_s):
        known = self.ssim_of(self.chosen(begin_s, end_s)[0])
        return mean(known) if known else None

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
            **percentiles(delays, "delay"), "video_bps": 8 * video_bytes / seconds,
            "sent_bps": 8 * self.link_bytes("forward") / seconds,
            "back_bps": 8 * self.link_bytes("reverse") / seconds,
            "ssim": self.mean_ssim(*self.span), "lost_ratio": lost_ratio(self.packets, self.span),
            "overhead": self.link_bytes("forward") / max(video_bytes, 1) - 1,
            "queue_mean_ms": mean(waits), "queue_p95_ms": percentile(waits, 0.95),
            "camera_late_ms": 1e3 * self.camera_late_s(), "first_s": self.first_s(),
            "back_s": self.back_s() if self.case.outage else 0}


# --- the frame's time ---
#
# All times of a frame count from its entry into the sender's pipeline. It is *whole* when the last
# of its RTP packets reached the receiver's jitter buffer, and *decoded* when the decoder gave its
# picture, bit by bit the one that the sender's own decoder made. A frame of which no such picture
# came is lost, wherever that happened.
#
# The screen shows each frame PLAYOUT_S after its capture. If it is not decoded by then, the screen
# has the newest older picture that is: a late frame costs what the picture moved on. A broken
# picture is on the screen too, as the frame behind the one before.
#
# Where the link serves nothing for DARK_S, no sender can do anything. What waited through that has
# no part in percentiles, as in the bound (eval/loop/bound.h).

PLAYOUT_S = 0.2
DARK_S = 0.1


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


class FrameTimes(Picture):
    """The figures of one run. ssim: of the screen with each frame, when it is due."""

    def __init__(self, case, latency_ms, sender, receiver, packets):
        super().__init__(case, latency_ms, sender, receiver, packets)
        self.deadline_s = PLAYOUT_S
        self.arrived = "arrived" in receiver  # without RTP nothing is known of packets
        self.whole_s = whole_times(self.all_frames, sender.get("sent", []),
                                   receiver.get("arrived", []))
        pictures = picture_frames(self.all_frames, self.views)
        self.screen = on_screen(self.all_frames, pictures, PLAYOUT_S)
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
        chosen, frames = self.chosen(begin_s, end_s)
        begun = [frame.captured_s for frame in frames]
        whole = self.spans_ms(begun, (self.whole_s[i] for i in chosen))
        decoded = self.spans_ms(begun, (frame.shown_s for frame in frames))
        sent = [(at_s, at_s + wait_ms / 1e3) for at_s, _, wait_ms, link in self.packets
                if link == "forward" and wait_ms is not None and begin_s <= at_s < end_s]
        bits = sum(8 * size_bytes for at_s, size_bytes in self.served() if begin_s <= at_s < end_s)
        return {"what": what, "frames": len(frames),
                "use": bits / self.capacity_bits(begin_s, end_s),
                "network_p95_ms": percentile(self.spans_ms(*zip(*sent)), 0.95) if sent else 0,
                **percentiles(whole, "whole"), **percentiles(decoded, "decoded"),
                "lost": sum(frame.shown_s is None for frame in frames),
                "in_time": sum(map(self.in_time, frames)) / max(len(frames), 1),
                "ssim": self.mean_ssim(begin_s, end_s)}

    def spans_ms(self, begins_s, ends_s):
        """Of those that ended, and were not in the dark."""
        return [1e3 * (end_s - begin_s) for begin_s, end_s in zip(begins_s, ends_s)
                if end_s is not None and not self.is_dark(begin_s, end_s)]

    def is_dark(self, begin_s, end_s):
        return any(begin_s < end and end_s > begin for begin, end in self.dark)

    def served_series(self):
        return summed(self.served(), self.case.seconds, 8)

    def decoded_series(self):
        """The 95th percentile of the time to the picture, of the frames captured in each bin."""
        return p95s((frame.captured_s, 1e3 * (frame.shown_s - frame.captured_s))
                    for frame in self.all_frames if frame.shown_s is not None)


def p95s(points):
    return [(at_s, percentile(values, 0.95)) for at_s, values in binned(points)]


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


# --- the frame on the screen ---
#
# Of a receiver whose sink keeps time a frame is *shown* when the sink renders it; its *time* is its
# running time plus the latency of the pipeline. It is late if it is shown more than LATE_S after
# its time: so late a video sink of GStreamer drops it (max-lateness). The screen is compared with
# the camera at the same moment, so each millisecond from camera to screen counts.

LATE_S = 0.005


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
        self.of_view = [at_same_time(rows, times, running_s) for _, running_s, *_ in self.views]
        pictures = picture_frames(self.all_frames, [(row[0] if row else float("inf"), *view[1:])
                                                    for row, view in zip(self.of_view, self.views)])
        self.screen = on_screen(self.all_frames, pictures, 0)

    def row_of(self, frame):
        return self.of_view[frame.view] if frame.view is not None else None

    def glass_ms(self, frame):
        return 1e3 * (self.row_of(frame)[0] - frame.captured_s)

    def window(self, begin_s, end_s, what):
        chosen, frames = self.chosen(begin_s, end_s)
        seen = [frame for frame in frames if self.row_of(frame)]
        whole = self.spans_ms([frame.captured_s for frame in frames],
                              (self.whole_s[i] for i in chosen))
        rows = [row for row in self.shown if begin_s <= row[0] < end_s]
        gaps = [1e3 * (b[0] - a[0]) for a, b in zip(rows, rows[1:])]
        return {"what": what, "frames": len(frames), "never": len(frames) - len(seen),
                "late": sum(late_us > 1e6 * LATE_S
                            for late_us in map(late_by, rows, rows[:1] + rows)),
                "shown": len(rows),
                **percentiles(whole, "whole"),
                **percentiles([self.glass_ms(frame) for frame in seen], "glass"),
                "gap_p99_ms": percentile(gaps, 0.99) if gaps else None,
                "latency_ms": mean([float(row[3]) for row in rows]) if rows else None,
                "ssim": self.mean_ssim(begin_s, end_s)}

    def figures(self):
        """glass: the 95th percentile, by when frames were captured."""
        return super().figures() | {"glass": p95s((frame.captured_s, self.glass_ms(frame))
                                                  for frame in self.all_frames
                                                  if self.row_of(frame))}


# --- a picture whose size changes ---
#
# Its frames have no digests: one of the camera is known at the receiver by its RTP timestamp. The
# screen has, at the time of each frame, the newest frame that is in time; so a frame that is
# missing costs SSIM by as much as the picture moved on.

SCALED_FIRST_S = 5  # frames count from then on: a start has no size to compare
SSIM = re.compile(r"n:\d+ .* All:([0-9.]+) ")


def read_ssim(path):
    """Of each frame of the camera, by ffmpeg."""
    return [float(SSIM.search(line)[1]) for line in path.read_text(encoding="ascii").splitlines()]


def nearest(times, at, within):
    """The index of that time among ascending ones, or None."""
    i = bisect_left(times, at)
    best = min((k for k in (i - 1, i) if 0 <= k < len(times)), key=lambda k: abs(times[k] - at),
               default=None)
    return best if best is not None and abs(times[best] - at) <= within else None


class Scaled(Picture):
    """view of a frame: its number in the stream that arrived."""

    def __init__(self, case, latency_ms, fps, sender, receiver, packets):
        self.frames_per_s = fps
        super().__init__(case, latency_ms, sender, receiver, packets)
        self.span = -NEVER_S, case.seconds + NEVER_S  # the camera is late anywhere
        self.unit_bytes = [size for _, _, size, _ in receiver.get("unit", [])]

    def match(self, sender, receiver):
        """By RTP timestamp. videorate may move a time by less than half a frame."""
        times = [frame.running_s for frame in self.all_frames]
        number_of, stamp_at = {}, {}
        for _, running_s, _, digest in sender.get("sent", []):
            stamp = stamp_of(digest)
            if stamp not in number_of:
                number_of[stamp] = nearest(times, running_s, 0.5 / self.frames_per_s)
        for _, running_s, _, digest in receiver.get("depayloaded", []):
            stamp_at.setdefault(running_s, stamp_of(digest))
        unit_of = {running_s: i for i, (_, running_s, *_) in enumerate(receiver.get("unit", []))}
        for at_s, running_s, lines, _ in self.views:
            number = number_of.get(stamp_at.get(running_s))
            if number is not None and running_s in unit_of:
                frame = self.all_frames[number]
                frame.view, frame.shown_s, frame.lines = unit_of[running_s], at_s, lines
        return []

    def screen(self):
        """For each frame of the camera: the unit on the screen when it is due; -1: none."""
        newest = itertools.accumulate((frame.view if self.in_time(frame) else None
                                       for frame in self.all_frames),
                                      lambda old, new: old if new is None else new, initial=-1)
        return list(newest)[1:]

    def phases(self):
        """(bit/s, first_s, last_s) of each, without the start of the run."""
        marks = [*self.case.capacity, (self.case.seconds, 0)]
        return [(bps, max(at_s, SCALED_FIRST_S), end_s)
                for (at_s, bps), (end_s, _) in zip(marks, marks[1:])]

    def figures(self):
        return {"camera_late_ms": 1e3 * self.camera_late_s(),
                "phases": [self.part(*phase) for phase in self.phases()],
                "all": self.part(None, SCALED_FIRST_S, self.case.seconds)}

    def part(self, bps, first_s, last_s):
        numbers, frames = self.chosen(first_s, last_s)
        shown = [frame for frame in frames if self.in_time(frame)]
        freezes = [length_s for _, length_s in self.freezes((first_s, last_s))]
        delays = [1e3 * (frame.shown_s - frame.captured_s) for frame in frames
                  if frame.shown_s is not None]
        values = self.ssim_of(numbers)
        sent = [packet for packet in self.packets
                if packet[3] == "forward" and first_s <= packet[0] < last_s]
        lines = [frame.lines for frame in shown]
        bits = sum(8 * size for _, size, wait_ms, _ in sent if wait_ms is not None)
        return {"capacity_bps": bps, "frames": len(frames), "ssim_mean": mean(values),
                "ssim_p5": percentile(values, 0.05), "shown": len(shown) / max(len(frames), 1),
                "freezes": len(freezes), "frozen_s": sum(freezes),
                "delay_p50_ms": percentile(delays, 0.5), "delay_p95_ms": percentile(delays, 0.95),
                "queue_drops": sum(packet[2] is None for packet in sent),
                "sent_bps": bits / (last_s - first_s), "lines_mean": mean(lines),
                "resizes": sum(a != b for a, b in zip(lines, lines[1:]))}

    def lanes(self):
        """What the plot has: {name: [(at_s, value)]}."""
        shown = [frame for frame in self.all_frames if frame.shown_s is not None]
        return {"sent": summed(((at_s, size) for at_s, size, _, link in self.packets
                                if link == "forward"), self.case.seconds, 8e-6),
                "lines": [(frame.captured_s, frame.lines) for frame in shown],
                "ssim": [(at_s, mean(values)) for at_s, values in binned(
                    (frame.captured_s, ssim) for frame, ssim in zip(self.all_frames, self.ssim)
                    if frame.captured_s < self.case.seconds)],
                "delay": [(frame.captured_s, 1e3 * (frame.shown_s - frame.captured_s))
                          for frame in shown]}


# --- browsers ---


def grown(rows, end, name, begin_s, end_s):
    """By how much a figure of getStats grew between the last rows before both times."""
    def value(at_s):
        known = [row[end][name] for row in rows if row["at_s"] <= at_s and name in row[end]]
        return known[-1] if known else 0
    return value(end_s) - value(begin_s)


def back_s(rows, outage):
    """From the end of the outage to the first row with a new frame."""
    end_s = sum(outage)
    counts = [(row["at_s"], row["receiver"].get("framesDecoded", 0)) for row in rows]
    before = max((count for at_s, count in counts if at_s <= end_s), default=0)
    return min((at_s - end_s for at_s, count in counts if count > before), default=None)


def browser_figures(case, rows, packets):
    span = case.first_s(), case.last_s()
    seconds = span[1] - span[0]

    def got(end, name):
        return grown(rows, end, name, *span)

    def link_bytes(link):
        return sum(p[1] for p in packets if p[3] == link and span[0] <= p[0] < span[1])

    # bytesSent of an outbound-rtp has what was sent again in it.
    video_bytes = got("sender", "bytesSent") - got("sender", "retransmittedBytesSent")
    return {"intact": min(got("receiver", "framesDecoded") / (FRAMES_PER_S * seconds), 1),
            "freezes": got("receiver", "freezeCount"),
            "frozen_s": got("receiver", "totalFreezesDuration"),
            "delay_p50_ms": None, "video_bps": 8 * video_bytes / seconds,
            "sent_bps": 8 * link_bytes("forward") / seconds,
            "back_bps": 8 * link_bytes("reverse") / seconds,
            "overhead": link_bytes("forward") / max(video_bytes, 1) - 1, "camera_late_ms": 0,
            "lost_ratio": lost_ratio(packets, span), "ssim": None,
            "back_s": back_s(rows, case.outage) if case.outage else 0, "late_frames": None}


def rows_of_painted(sent, shown):
    """Frame logs of both ends (framelog.py) from (number, at_s) and (number, at_s, whole_s); the
    numbers repeat with the footage. No digests: a browser decodes what is whole."""
    times = {}
    for i, (number, at_s, *_) in enumerate(sent):
        times.setdefault(number, []).append((at_s, i))
    sender = {what: [(at_s, i, 0, f"{i}:0") for i, (_, at_s, *_) in enumerate(sent)]
              for what in ("capture", "encoded", "reference", "sent")}
    receiver = {"arrived": [], "view": []}
    for number, at_s, whole_s in shown:
        before = times.get(number, [])
        at = bisect_left(before, (at_s, 0))
        digest = f"{before[at - 1][1]}:0" if at else "broken"
        receiver["view"].append((at_s, 0, 0, digest))
        receiver["arrived"] += [(whole_s, 0, 0, digest)] if at and whole_s else []
    return sender, receiver
