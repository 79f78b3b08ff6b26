# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Why packets stay lost: what eval/lab/wiretap saw at both ends of a run, joined.

A packet is lost if its first copy left and did not come. It is followed to its end: was it asked
for, was it sent again, did a copy come before the jitter buffer gave it up? Deadlines are those of
rtpjitterbuffer: the first packets of the frames around it that came soonest set the base, and a
frame leaves at the base plus its time stamp plus the latency."""

import csv
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field

from metrics import mean, percentile

CLOCK_HZ = 90000
BASE_S = 2  # the jitter buffer's window for its base
CAUSES = ("in time", "never asked", "asked too late", "not sent again", "lost again",
          "second request too late", "came late")


@dataclass
class Fate:
    """Of one number; times since the media began."""

    number: int
    stamp_s: float
    ends: bool  # its frame
    sent: list = field(default_factory=list)
    came: list = field(default_factory=list)
    asked: list = field(default_factory=list)  # as the request left
    heard: list = field(default_factory=list)  # as it came to the sender
    due_s: float = 0  # when it should have come
    dead_s: float = 0  # when the jitter buffer gives it up

    def cause(self, one_way_s):
        """One of CAUSES."""
        if self.came and min(self.came) <= self.dead_s:
            return "in time"
        if not self.asked:
            return "never asked"
        if min(self.asked) + 2 * one_way_s > self.dead_s:
            return "asked too late"
        again = self.sent[1:]
        if not again:
            return "not sent again"
        if self.came:
            return "came late"
        if any(asked > again[0] + one_way_s and asked + 2 * one_way_s <= self.dead_s
               for asked in self.asked):
            return "lost again"
        return "second request too late"


def read(path, origin_s):
    with open(path, newline="", encoding="ascii") as text:
        for row in csv.DictReader(text):
            yield (float(row["at_s"]) - origin_s, row["way"], row["what"],
                   (int(row["ssrc"]), int(row["number"])), int(row["stamp"]), row["marker"] == "1")


def follow(sender_path, receiver_path, origin_s):
    """({(ssrc, number): Fate}, [times at which a keyframe was asked for])."""
    fates, first_stamp, plis = {}, None, []
    for at_s, way, what, key, stamp, ends in read(sender_path, origin_s):
        if what == "rtp" and way == "out":
            first_stamp = stamp if first_stamp is None else first_stamp
            stamp_s = ((stamp - first_stamp + (1 << 31)) % (1 << 32) - (1 << 31)) / CLOCK_HZ
            fates.setdefault(key, Fate(key[1], stamp_s, ends)).sent.append(at_s)
        elif what == "nack" and way == "in" and key in fates:
            fates[key].heard.append(at_s)
    for at_s, way, what, key, _, _ in read(receiver_path, origin_s):
        if what == "rtp" and way == "in" and key in fates:
            fates[key].came.append(at_s)
        elif what == "nack" and way == "out" and key in fates:
            fates[key].asked.append(at_s)
        elif what == "pli" and way == "out":
            plis.append(at_s)
    return fates, plis


def one_way_s(fates):
    return min((min(fate.came) - fate.sent[0] for fate in fates.values() if fate.came), default=0)


def is_lost(fate):
    """A single copy that came may be the first or not; as many as came of those that left, first
    copies come first."""
    return not fate.came or (len(fate.sent) > 1 and min(fate.came) > fate.sent[1])


def set_deadlines(fates, latency_s):
    way_s = one_way_s(fates)
    offsets = sorted((min(fate.came), min(fate.came) - fate.stamp_s) for fate in fates.values()
                     if fate.came and not is_lost(fate))
    times = [at_s for at_s, _ in offsets]
    for fate in fates.values():
        fate.due_s = fate.sent[0] + way_s
        window = offsets[bisect_left(times, fate.due_s - BASE_S):bisect_left(times, fate.due_s) + 1]
        base_s = min((offset for _, offset in window), default=fate.due_s - fate.stamp_s)
        fate.dead_s = base_s + fate.stamp_s + latency_s


class Causes:
    def __init__(self, folder, origin_s, latency_ms, span):
        self.fates, self.plis = follow(folder / "sender.wire", folder / "receiver.wire", origin_s)
        set_deadlines(self.fates, latency_ms / 1e3)
        self.span, self.way_s = span, one_way_s(self.fates)
        self.inside = [fate for fate in self.fates.values() if span[0] <= fate.sent[0] < span[1]]
        self.lost = [fate for fate in self.inside if is_lost(fate)]

    def figures(self):
        count = defaultdict(int)
        for fate in self.lost:
            count[fate.cause(self.way_s)] += 1
        asks = [1e3 * (min(fate.asked) - fate.due_s) for fate in self.lost if fate.asked]
        answers = [1e3 * (fate.sent[1] - min(fate.heard)) for fate in self.lost
                   if len(fate.sent) > 1 and fate.heard]
        return {"packets": len(self.inside), "lost": len(self.lost),
                **{name: count[name] for name in CAUSES},
                "ask_p50_ms": percentile(asks, 0.5), "ask_p95_ms": percentile(asks, 0.95),
                "answer_p50_ms": percentile(answers, 0.5),
                "answer_p95_ms": percentile(answers, 0.95),
                "copies": mean([len(fate.sent) - 1 for fate in self.lost]),
                "keyframes_asked": sum(self.span[0] <= at_s < self.span[1] for at_s in self.plis)}

    def rows(self):
        """Of each packet that did not come in time, to be read by people."""
        for fate in self.lost:
            cause = fate.cause(self.way_s)
            if cause != "in time":
                yield (f"{fate.number} due {fate.due_s:.3f}"
                       f" dead +{1e3 * (fate.dead_s - fate.due_s):.0f}"
                       f" asked {relative(fate.asked, fate)} heard {relative(fate.heard, fate)}"
                       f" sent {relative(fate.sent[1:], fate)} came {relative(fate.came, fate)}"
                       f"{' ends' if fate.ends else ''}: {cause}")


def relative(times, fate):
    return ",".join(f"+{1e3 * (at_s - fate.due_s):.0f}" for at_s in times) or "-"
