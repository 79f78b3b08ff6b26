# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""One run of eval/lab/picture: the link, the receiver, the sender, then figures and a plot."""

import dataclasses
import json
import os
import shutil
import time
from pathlib import Path

import traces
from metrics import log_rows
from netns import Lab
from picturecauses import Causes
from picturefigures import Picture, read_rows
from pictureplot import draw
from screen import picture_frames, screen, ssim_of

BEFORE_S = 4  # from the link's second 0 to that of the media
SETTLE_S = 0.5  # the namespaces' own packets are over then
RECEIVER_EARLY_S = 3.5  # before the media: programs start slowly on a busy machine
SENDER_EARLY_S = 3
AFTER_S = 1  # for the last frames
# A lab without the CPU measures the machine. Negative nice was not enough beside compilers: 66 % of
# the frames of SRT were intact instead of 99.8.
REALTIME = () if os.geteuid() else ("chrt", "--rr", "10")
FRAMES = Path(__file__).resolve().parent / "frames"
WIRETAP = FRAMES.with_name("wiretap")


def link_trace(case, folder, before_s):
    """linkemu's form; its second 0 comes before that of the media."""
    if not case.trace:
        return ",".join(f"{second + before_s if second else 0:g}:{bps}"
                        for second, bps in case.capacity)
    times = traces.led_in(traces.read(Path(case.trace)), before_s)
    (folder / "trace.mm").write_text("\n".join(map(str, times)) + "\n", encoding="ascii")
    return f"mm:{folder / 'trace.mm'}"


def link_options(case, folder, seed, before_s=BEFORE_S):
    options = ["--trace", link_trace(case, folder, before_s), "--queue", case.queue,
               "--delay", case.rtt_ms / 2, "--start-on-traffic", "--seed", seed, *case.loss,
               "--packets", folder / "packets.csv", "--reverse-packets", folder / "back.csv"]
    if case.outage:
        options += ["--blackout", f"{case.outage[0] + before_s:g}:{case.outage[1]:g}"]
    return options


def start_clock(lab):
    """The link's second 0 is its first packet, which is ours; when it was sent."""
    asked_s = time.monotonic()
    lab.run("sender", ["bash", "-c", f"echo >/dev/udp/{lab.address('receiver')}/9"], check=True)
    return asked_s


def read_packets(folder, origin_s):
    """All that entered the link, both ways: media, repair, and the ends' own messages."""
    return [packet for name in ("packets.csv", "back.csv")
            for _, _, packet in log_rows(folder / name, origin_s)]


class PictureRun:
    def __init__(self, case, sender, number, folder, settings):
        """settings: build, footage, latency_ms; perhaps causes, which follows lost packets, and
        ssim, which compares the pictures."""
        self.case, self.sender, self.number = case, sender, number
        self.folder, self.settings = folder, settings
        self.latency_ms = sender.latency_ms or case.latency_ms or settings.latency_ms
        self.picture = None  # of the finished run
        self.follows = sender.is_rtp and getattr(settings, "causes", False)

    priority = REALTIME  # of both ends

    @property
    def compares(self):
        return getattr(self.settings, "ssim", False)

    @property
    def shown(self):
        return self.folder / "shown.i420"

    def more(self, end):
        """Further options of the program at that end."""
        return ("--record", self.shown) if end == "receiver" and self.compares else ()

    def start(self, lab, end, pipeline, *options):
        with open(self.folder / f"{end}.log", "w", encoding="utf-8") as log:
            command = [*self.priority, FRAMES, "--log", self.folder / f"{end}.csv",
                       *self.more(end), *options, pipeline]
            return lab.start(end, [str(part) for part in command], stdout=log, stderr=log,
                             env=self.sender.environment(self.settings.build))

    def receive(self, lab):
        text = self.sender.receiver(lab.address("sender"), lab.address("receiver"),
                                    self.latency_ms)
        return self.start(lab, "receiver", text)

    def send(self, lab, begin_s):
        text = self.sender.sender(lab.address("receiver"), lab.address("sender"),
                                  self.latency_ms)
        return self.start(lab, "sender", text, "--footage", self.settings.footage,
                          "--begin-at", f"{begin_s:.3f}",
                          "--stop-at", f"{begin_s + self.case.seconds:.3f}")

    before_s = BEFORE_S

    def begin(self, lab):
        """(when the link's clock was started, when the media begins)."""
        asked_s = start_clock(lab)
        return asked_s, time.monotonic() + BEFORE_S

    def tap(self, lab):
        """Logs what both ends send and get."""
        for end in ("sender", "receiver"):
            command = [*REALTIME, WIRETAP, "lab0", self.folder / f"{end}.wire"]
            with open(self.folder / f"{end}.taplog", "w", encoding="utf-8") as log:
                lab.start(end, [str(part) for part in command], stdout=log, stderr=log)

    def play(self, lab):
        if self.follows:
            self.tap(lab)
        asked_s, begin_s = self.begin(lab)
        receiver_s = self.case.late_s or -RECEIVER_EARLY_S
        events = sorted(((receiver_s, lambda: self.receive(lab)),
                         (-SENDER_EARLY_S, lambda: self.send(lab, begin_s))),
                        key=lambda event: event[0])
        jobs = []
        for second, start in events:
            time.sleep(max(0, begin_s + second - time.monotonic()))
            jobs.append(start())
        time.sleep(max(0, begin_s + self.case.seconds + AFTER_S - time.monotonic()))
        if any(job.poll() is not None for job in jobs):
            raise RuntimeError(f"an end ended early; see {self.folder}/*.log")
        return asked_s, begin_s

    def run(self):
        """The figures; raises RuntimeError when an end ends early or the link began early."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        options = link_options(self.case, self.folder, self.number, self.before_s)
        with Lab(*options, realtime=os.geteuid() == 0) as lab:
            time.sleep(SETTLE_S)
            asked_s, begin_s = self.play(lab)
        link_s = lab.summary["began at us"] / 1e6
        if link_s < asked_s:
            raise RuntimeError(f"the link began {asked_s - link_s:.1f} s early")
        return self.finish(begin_s, link_s)

    def finish(self, begin_s, link_s):
        self.picture = Picture(self.case, self.latency_ms,
                               read_rows(self.folder / "sender.csv", begin_s),
                               read_rows(self.folder / "receiver.csv", begin_s),
                               read_packets(self.folder, begin_s - link_s))
        self.compare()
        draw(self.picture, self.sender, self.folder)
        return self.write({**self.picture.figures(), **self.causes(begin_s)})

    def compare(self):
        """The screen with each frame, when a player shows it."""
        if not self.compares:
            return
        picture = self.picture
        on_screen = screen(picture.all_frames, picture_frames(picture.all_frames, picture.views),
                           picture.deadline_s)
        picture.ssim = ssim_of(self.settings.build, self.settings.footage, self.shown, on_screen)
        self.shown.unlink()

    def causes(self, begin_s):
        if not self.follows:
            return {}
        causes = Causes(self.folder, begin_s, self.latency_ms, self.picture.span)
        (self.folder / "lost.txt").write_text("\n".join(causes.rows()) + "\n", encoding="ascii")
        return {"causes": causes.figures()}

    def write(self, measured):
        figures = {"case": self.case.name, "sender": self.sender.name, "run": self.number,
                   "latency_ms": self.latency_ms, **measured,
                   "settings": dataclasses.asdict(self.case)}
        (self.folder / "metrics.json").write_text(json.dumps(figures, indent=1) + "\n",
                                                  encoding="utf-8")
        for name in ("packets.csv", "back.csv"):
            (self.folder / name).unlink()
        return figures
