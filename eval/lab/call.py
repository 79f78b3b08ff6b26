# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""One call over WebRTC: the link, both ends, then figures and a picture."""

import json
import os
import shutil
import subprocess
import time
from dataclasses import replace

import metrics
import plot
from cases import BY_NAME
from netns import Lab
from session import BEFORE_S, points_text

CASE = BY_NAME["3-1-3"]
MOST_BPS = CASE.flows[0].most_bps
SETTLE_S = 1  # the namespaces' own packets are over then
FIGURES_INTERVAL_S = 0.5
COUNTED = ("framesDecoded", "freezeCount", "totalFreezesDuration")


def only_one_address(lab):
    """Each address is a candidate for ICE, and a lab has 64 at each end."""
    for end, other in (("sender", "receiver"), ("receiver", "sender")):
        here, there = lab.address(end), lab.address(other)
        lab.run(end, ["sh", "-ec", f"ip addr flush dev lab0; ip addr add {here}/32 dev lab0; "
                      f"ip route add {there} dev lab0 src {here}; "
                      f"ip route add default dev lab0 src {here}"], check=True)


def link_options(case, folder):
    return ["--trace", points_text(case.capacity), "--queue", case.queue, "--delay", case.delay_ms,
            "--start-on-traffic", "--packets", folder / "packets.csv"]


def read_packets(path, address, origin_s):
    """All that went to that address: media, what was sent again, and the ends' own messages."""
    return [(*packet, 1) for host, _, packet in metrics.log_rows(path, origin_s) if host == address]


class Call:
    def __init__(self, pair, folder, build, source, camera, case=CASE):
        self.pair, self.folder, self.build, self.case = pair, folder, build, case
        self.source, self.camera, self.most_bps = source, camera, MOST_BPS
        self.environment = pair.environment(build)
        self.rows = []

    def run(self):
        """The figures; raises RuntimeError when an end says nothing or the link began early."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        with Lab(*link_options(self.case, self.folder), realtime=os.geteuid() == 0) as lab:
            only_one_address(lab)
            time.sleep(SETTLE_S)
            ends = []
            try:
                ends.append(self.pair.start_sender(lab, self))
                ends.append(self.pair.start_receiver(lab, self))
                asked_s = self.connect(lab, *ends)
                self.follow(*ends)
            finally:
                for end in ends:
                    end.close()
        began_s = lab.summary["began at us"] / 1e6
        if began_s < asked_s:
            raise RuntimeError(f"the link began {asked_s - began_s:.1f} s before the call")
        for row in self.rows:
            row["at_s"] -= began_s + BEFORE_S
        return self.finish()

    def connect(self, lab, sender, receiver):
        """A packet of ours starts the link's clock, and then the call begins. When it was sent."""
        offer = sender.offer()
        asked_s = time.monotonic()
        lab.run("sender", ["bash", "-c", f"echo >/dev/udp/{lab.address('receiver')}/9"], check=True)
        answer = receiver.answer(offer)
        sender.accept(answer)
        (self.folder / "offer.sdp").write_text(offer, encoding="utf-8")
        (self.folder / "answer.sdp").write_text(answer, encoding="utf-8")
        return asked_s

    def follow(self, sender, receiver):
        """Figures of both ends until the case is over, whenever in this call it began."""
        end_s = time.monotonic() + BEFORE_S + self.case.seconds
        while (now_s := time.monotonic()) < end_s:
            self.rows.append({"at_s": now_s, "sender": sender.figures(),
                              "receiver": receiver.figures()})
            time.sleep(FIGURES_INTERVAL_S)

    def received(self, begin_s, end_s, name):
        """By how much a figure of the receiver grew."""
        def value(at_s):
            known = [row["receiver"][name] for row in self.rows
                     if row["at_s"] <= at_s and name in row["receiver"]]
            return known[-1] if known else 0
        return value(end_s) - value(begin_s)

    def phase(self, run, begin_s, end_s):
        calm = run.span(begin_s, end_s)
        whole = [p for p in run.packets if begin_s <= p[0] < end_s]
        waited = [p[2] for p in whole if p[2] is not None]
        late = [p[2] for p in whole if p[2] is not None and p[0] >= begin_s + metrics.CALM_S]
        return {"begin_s": begin_s, "end_s": end_s, "utilisation": calm["utilisation"],
                "delay_mean_ms": metrics.mean(late), "delay_p95_ms": metrics.percentile(late, 0.95),
                "whole_p95_ms": metrics.percentile(waited, 0.95),
                "drops": sum(p[2] is None for p in whole),
                **{name: self.received(begin_s, end_s, name) for name in COUNTED}}

    def figures(self, run):
        end_s = self.case.seconds
        marks = zip(run.marks, run.marks[1:])
        emitted = self.received(0, end_s, "jitterBufferEmittedCount")
        buffer_s = self.received(0, end_s, "jitterBufferDelay")
        return {"pair": self.pair.name, "case": self.case.name,
                "phases": [self.phase(run, a, b) for a, b in marks],
                "jitter_buffer_ms": 1e3 * buffer_s / emitted if emitted else None,
                **{name: self.received(0, end_s, name) for name in COUNTED}}

    def finish(self):
        packets = read_packets(self.folder / "packets.csv", Lab.address("receiver"), BEFORE_S)
        if not packets:
            raise RuntimeError(f"no packet came to the link; see {self.folder}")
        run = metrics.Run(replace(self.case, what=self.pair.what), packets)
        plot.draw(run, self.pair.name, self.folder)
        (self.folder / "rows.json").write_text(json.dumps(self.rows), encoding="utf-8")
        figures = self.figures(run)
        (self.folder / "metrics.json").write_text(json.dumps(figures, indent=1) + "\n",
                                                  encoding="utf-8")
        for heavy in [self.folder / "packets.csv", *self.folder.glob("profile-*")]:
            subprocess.run(["rm", "-rf", heavy], check=True)
        return figures
