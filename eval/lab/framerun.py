# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""One run in which frames are watched: the link, the receiver, the sender, then figures. A program
of the lab names the kind of its runs (framelab.py)."""

import dataclasses
import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import places  # noqa: F401
import frameplots
import traces
from framefigures import (FrameTimes, Picture, Playout, Scaled, on_screen, picture_frames,
                          read_rows, read_ssim, ssim_of)
from framesenders import PATHS, PORT
from metrics import log_rows, mean, percentile
from netns import Lab
from pathslab import PathsLab
from framecauses import Causes
from quiet import cpu_times, stolen_share

BEFORE_S = 4  # from the link's second 0 to that of the media
SETTLE_S = 0.5  # the namespaces' own packets are over then
RECEIVER_EARLY_S = 3.5  # before the media: programs start slowly on a busy machine
SENDER_EARLY_S = 3
AFTER_S = 1  # for the last frames
# A lab without the CPU measures the machine. Negative nice was not enough beside compilers: 66 % of
# the frames of SRT were intact instead of 99.8.
REALTIME = () if os.geteuid() else ("chrt", "--rr", "10")
FRAMES = Path(__file__).resolve().parent / "frames"


def write_trace(path, folder, name, before_s):
    """linkemu's option for a file of opportunities, behind so many seconds at its mean rate."""
    times = traces.led_in(traces.read(Path(path)), before_s)
    (folder / name).write_text("\n".join(map(str, times)) + "\n", encoding="ascii")
    return f"mm:{folder / name}"


def link_options(case, folder, seed, before_s=BEFORE_S):
    """The link's second 0 comes before that of the media."""
    trace = write_trace(case.trace, folder, "trace.mm", before_s) if case.trace else ",".join(
        f"{second + before_s if second else 0:g}:{bps}" for second, bps in case.capacity)
    options = ["--trace", trace, "--queue", case.queue,
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


def write_json(path, what, indent=None):
    path.write_text(json.dumps(what, indent=indent) + "\n", encoding="utf-8")


class FrameRun:
    PLAYED = "metrics.json"  # its folder has this then
    figures_of = Picture
    before_s = BEFORE_S

    def __init__(self, case, sender, number, folder, settings):
        """settings: build, footage, latency_ms; perhaps commit; causes, which follows lost packets;
        ssim, which compares the pictures."""
        self.case, self.sender, self.number = case, sender.on(case), number
        self.folder, self.settings = folder, settings
        self.latency_ms = sender.latency_ms or case.latency_ms or settings.latency_ms
        self.picture = None  # of the finished run
        self.follows = sender.is_rtp and getattr(settings, "causes", False)
        self.priority = REALTIME if case.realtime else ()  # of both ends

    @property
    def compares(self):
        return getattr(self.settings, "ssim", False)

    @property
    def shown(self):
        return self.folder / "shown.i420"

    def more(self, end):
        """Further options of the program at that end."""
        return ("--record", self.shown) if end == "receiver" and self.compares else ()

    def words(self, lab, end):
        other = "sender" if end == "receiver" else "receiver"
        return {"to": lab.address(other), "here": lab.address(end), "latency": self.latency_ms,
                **self.sender.words(self.case, self.settings.footage)}

    def start(self, lab, end, pipeline, *options, name=""):
        name = name or end
        with open(self.folder / f"{name}.log", "w", encoding="utf-8") as log:
            command = [*self.priority, FRAMES, "--log", self.folder / f"{name}.csv",
                       *self.more(end), *options, pipeline]
            return lab.start(end, [str(part) for part in command], stdout=log, stderr=log,
                             env=self.sender.environment(self.settings.build))

    def footage(self):
        """The files of the cameras."""
        return [self.settings.footage]

    def camera(self, begin_s):
        return (*(part for file in self.footage() for part in ("--footage", file)), "--begin-at",
                f"{begin_s:.3f}", "--stop-at", f"{begin_s + self.case.seconds:.3f}")

    def receive(self, lab):
        return self.start(lab, "receiver", self.sender.receiver(**self.words(lab, "receiver")))

    def send(self, lab, begin_s):
        return self.start(lab, "sender", self.sender.sender(**self.words(lab, "sender")),
                          *self.camera(begin_s))

    def begin(self, lab):
        """(when the link's clock was started, when the media begins)."""
        asked_s = start_clock(lab)
        return asked_s, time.monotonic() + BEFORE_S

    def events(self, lab, begin_s):
        """(second, what to do then)"""
        yield self.case.late_s or -RECEIVER_EARLY_S, lambda: self.receive(lab)
        yield -SENDER_EARLY_S, lambda: self.send(lab, begin_s)

    def tap(self, lab):
        """Logs what both ends send and get."""
        for end in ("sender", "receiver"):
            command = [*REALTIME, FRAMES.with_name("wiretap"), "lab0", self.folder / f"{end}.wire"]
            with open(self.folder / f"{end}.taplog", "w", encoding="utf-8") as log:
                lab.start(end, [str(part) for part in command], stdout=log, stderr=log)

    def play(self, lab):
        if self.follows:
            self.tap(lab)
        asked_s, begin_s = self.begin(lab)
        jobs = []
        for second, act in sorted(self.events(lab, begin_s), key=lambda event: event[0]):
            time.sleep(max(0, begin_s + second - time.monotonic()))
            jobs.append(act())
        time.sleep(max(0, begin_s + self.case.seconds + AFTER_S - time.monotonic()))
        if any(job and job.poll() is not None for job in jobs):
            raise RuntimeError(f"an end ended early; see {self.folder}/*.log")
        return asked_s, begin_s

    def lab(self):
        return Lab(*link_options(self.case, self.folder, self.number, self.before_s),
                   realtime=os.geteuid() == 0)

    def run(self):
        """The figures; raises RuntimeError when an end ends early or the link began early."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        with self.lab() as lab:
            time.sleep(SETTLE_S)
            asked_s, begin_s = self.play(lab)
        links_s = [link.summary["began at us"] / 1e6 for link in getattr(lab, "labs", [lab])]
        if min(links_s) < asked_s:
            raise RuntimeError(f"the link began {asked_s - min(links_s):.1f} s early")
        return self.finish(begin_s, *links_s)

    def look(self, begin_s, link_s, **more):
        """self.picture, of the logs."""
        self.picture = self.figures_of(
            self.case, self.latency_ms, sender=read_rows(self.folder / "sender.csv", begin_s),
            receiver=read_rows(self.folder / "receiver.csv", begin_s),
            packets=read_packets(self.folder, begin_s - link_s), **more)

    def finish(self, begin_s, link_s):
        self.look(begin_s, link_s)
        if self.compares:
            self.compare()
        frameplots.draw_run(self.picture, self.sender, self.folder)
        return self.write({**self.picture.figures(), **self.causes(begin_s)})

    def compare(self, numbers=None):
        """The screen with each frame, when a player shows it."""
        picture = self.picture
        screen = getattr(picture, "screen", None) or on_screen(
            picture.all_frames, picture_frames(picture.all_frames, picture.views),
            picture.deadline_s)
        picture.ssim = ssim_of(self.settings.build, self.footage()[0], self.shown, screen, numbers)
        self.shown.unlink()

    def causes(self, begin_s):
        if not self.follows:
            return {}
        causes = Causes(self.folder, begin_s, self.latency_ms, self.picture.span)
        (self.folder / "lost.txt").write_text("\n".join(causes.rows()) + "\n", encoding="ascii")
        return {"causes": causes.figures()}

    def write(self, measured):
        figures = {"case": self.case.name, "sender": self.sender.name, "run": self.number,
                   "latency_ms": self.latency_ms, "commit": getattr(self.settings, "commit", ""),
                   **measured, "settings": dataclasses.asdict(self.case)}
        write_json(self.folder / "metrics.json", figures, 1)
        for pattern in ("packets*.csv", "back.csv", "received.h264"):
            for heavy in self.folder.glob(pattern):
                heavy.unlink()
        return figures


class TimedRun(FrameRun):
    """With packets and the pictures."""

    figures_of = FrameTimes

    def more(self, end):
        return ("--packets", *(("--record", self.shown) if end == "receiver" else ()))

    def play(self, lab):
        for command in self.case.beside:
            lab.start("sender", command)
        return super().play(lab)

    def finish(self, begin_s, link_s):
        self.look(begin_s, link_s)
        self.compare()
        return self.write(self.picture.figures())


class PlayoutRun(TimedRun):
    figures_of = Playout


class ScaleRun(FrameRun):
    """A run that was played is measured later: that takes as long, and no quiet machine."""

    PLAYED = "played.json"
    figures_of = Scaled

    def footage(self):
        return [self.settings.footage.path]

    def more(self, end):
        return (("--packets", "--stream", self.folder / "received.h264") if end == "receiver"
                else ("--packets",))

    def begin(self, lab):
        self.before = cpu_times()
        return super().begin(lab)

    def finish(self, begin_s, link_s):
        played = {"begin_s": begin_s, "link_s": link_s, "load": round(os.getloadavg()[0], 2),
                  "stolen": stolen_share(self.before, cpu_times())}
        write_json(self.folder / self.PLAYED, played)
        return played

    def measure(self):
        """Of a run that was played; its stream and packets are no longer needed then."""
        played = json.loads((self.folder / self.PLAYED).read_text(encoding="ascii"))
        footage = self.settings.footage
        self.look(played["begin_s"], played["link_s"], fps=footage.rate())
        for name, rows in (("units", self.picture.unit_bytes), ("screen", self.picture.screen())):
            (self.folder / f"{name}.txt").write_text("".join(f"{row}\n" for row in rows),
                                                     encoding="ascii")
        subprocess.run([FRAMES.with_name("scaleshown"), self.folder, footage.path,
                        str(footage.width), str(footage.height)], check=True)
        self.picture.ssim = read_ssim(self.folder / "ssim.log")
        write_json(self.folder / "lanes.json", self.picture.lanes())
        return self.write({"load": played["load"], "stolen": played["stolen"],
                           **self.picture.figures()})


class CamerasRun(ScaleRun):
    """settings.footage: of both cameras."""

    def footage(self):
        return [footage.path for footage in self.settings.footage]

    def more(self, end):
        return ("--stream", "") if end == "receiver" else ()

    def finish(self, begin_s, link_s):
        played = super().finish(begin_s, link_s)
        first_s, last_s = 20, self.case.seconds
        rows = read_rows(self.folder / "receiver.csv", begin_s)
        sent = [(size, wait_ms) for at_s, size, wait_ms, link
                in read_packets(self.folder, begin_s - link_s)
                if link == "forward" and wait_ms is not None and first_s <= at_s < last_s]
        lines = [[(at_s, lines) for at_s, _, lines, _ in rows.get(view, [])]
                 for view in ("view", "view2")]
        carried = sum(next(bps for at_s, bps in reversed(self.case.capacity) if at_s <= second)
                      for second in range(first_s, last_s))
        write_json(self.folder / "lanes.json", {"lines": lines})
        self.write({"stolen": played["stolen"], "use": sum(8 * size for size, _ in sent) / carried,
                    "wait_p95_ms": percentile([wait_ms for _, wait_ms in sent], 0.95),
                    "cameras": [self.camera_figures([n for at_s, n in each if at_s >= first_s])
                                for each in lines]})
        return played

    @staticmethod
    def camera_figures(lines):
        return {"lines_mean": mean(lines), "least": min(lines), "most": max(lines),
                "steps": sum(a != b for a, b in zip(lines, lines[1:]))}


class PathsRun(FrameRun):
    """case: a PathsCase."""

    BESIDE_PORT = PORT + 10

    def link_options(self, number):
        link, folder = self.case.links[number], self.folder
        capacity = (["--trace", write_trace(link.drive, folder, f"trace-{number}.mm", BEFORE_S)]
                    if link.drive else ["--rate", f"{link.rate_mbps}M"])
        outages = ",".join(f"{begin_s + BEFORE_S:g}:{length_s:g}" for path, begin_s, length_s
                           in self.case.outages if self.case.paths[path] == number)
        return [*capacity, "--queue", "300ms", "--delay", link.rtt_ms / 2, "--start-on-traffic",
                "--seed", 10 * self.number + number, *link.options,
                *(["--blackout", outages] if outages else []),
                "--log", folder / f"link-{number}.csv",
                "--packets", folder / f"packets-{number}.csv"]

    def lab(self):
        return PathsLab([self.link_options(number) for number in range(len(self.case.links))],
                        self.case.paths)

    def begin(self, lab):
        return lab.begin(), time.monotonic() + BEFORE_S

    def pairs(self):
        """(sender's pipeline, receiver's, what their logs are called)"""
        for i, sender in enumerate([self.sender] + self.case.beside * [PATHS["arc-one"]]):
            words = {"to": "", "here": "", "latency": self.latency_ms,
                     **sender.words(self.case, None)}
            port = f"port={self.BESIDE_PORT + i - 1 if i else PORT}"
            yield *(text.replace(f"port={PORT}", port) for text in (
                sender.sender(**words), sender.receiver(**words))), f"-{i - 1}" if i else ""

    def events(self, lab, begin_s):
        for send, receive, name in self.pairs():
            yield (-RECEIVER_EARLY_S, lambda text=receive, name=name: self.start(
                lab, "receiver", text, name=f"receiver{name}"))
            yield (-SENDER_EARLY_S, lambda text=send, name=name: self.start(
                lab, "sender", text, *self.camera(begin_s), name=f"sender{name}"))
        for path, second, length_s in self.case.removed:
            yield second, lambda path=path: lab.remove(path)
            yield second + length_s, lambda path=path: lab.connect(path)

    def inside(self, at_s):
        return self.case.first_s() <= at_s < self.case.last_s()

    def capacity_bps(self, origins_s):
        """Mean of the sum over the time that counts."""
        total = 0
        for number, origin_s in enumerate(origins_s):
            with open(self.folder / f"link-{number}.csv", encoding="ascii") as text:
                head = text.readline().split(",")
                at, bps = head.index("time_s"), head.index("capacity_bps")
                rows = [line.split(",") for line in text]
            total += mean([float(r[bps]) for r in rows if self.inside(float(r[at]) - origin_s)])
        return total / (1 + self.case.beside)

    def came_bytes(self, origins_s):
        """That passed the links, of the flow and of those beside it."""
        ours = others = 0
        for number, origin_s in enumerate(origins_s):
            for _, port, (at_s, size, delay_ms, _) in log_rows(
                    self.folder / f"packets-{number}.csv", origin_s):
                if delay_ms is None or not self.inside(at_s):
                    continue
                beside = self.BESIDE_PORT <= int(port) < self.BESIDE_PORT + self.case.beside
                ours, others = ours + size * (not beside), others + size * beside
        return ours, others

    def back_s(self):
        """How long after the last outage until the media is as much as 0.8 of that before."""
        gone = [*self.case.outages, *self.case.removed]
        if not gone or sum(gone[-1][1:]) > self.case.seconds:
            return None

        def rate(begin_s, end_s):
            return sum(frame.size_bytes for frame in self.picture.chosen(begin_s, end_s)[1]
                       if frame.shown_s is not None) / (end_s - begin_s)
        before, end_s = rate(gone[0][1] - 2, gone[0][1]), sum(gone[-1][1:])
        return next((0.1 * i for i in range(100)
                     if rate(end_s + 0.1 * i, end_s + 0.1 * i + 0.5) >= 0.8 * before), None)

    def finish(self, begin_s, *links_s):
        origins_s = [begin_s - link_s for link_s in links_s]
        self.picture = Picture(self.case, self.latency_ms,
                               read_rows(self.folder / "sender.csv", begin_s),
                               read_rows(self.folder / "receiver.csv", begin_s), [])
        figures, delays = self.picture.figures(), self.picture.delays_ms()
        capacity = self.capacity_bps(origins_s)
        seconds = self.case.last_s() - self.case.first_s()
        ours, others = self.came_bytes(origins_s)
        meter = re.search(r"frame-delay-p95=\(guint64\)(\d+)",
                          (self.folder / "receiver.log").read_text(encoding="utf-8"))
        return self.write({
            "capacity_bps": capacity, "video_ratio": figures["video_bps"] * figures["intact_ever"]
            / capacity, "link_ratio": 8 * ours / seconds / capacity,
            "share": ours / (ours + others) * (1 + self.case.beside) if others else None,
            "frame_ms": int(meter[1]) / 1e6 if meter else None,
            "fastest_ms": percentile(delays, 0) if delays else None,
            "freeze_s": max((length_s for _, length_s in self.picture.freezes()), default=0),
            "back_s": self.back_s(),
            **{name: figures[name] for name in ("intact", "video_bps", "delay_p50_ms",
                                                "delay_p95_ms", "camera_late_ms")}})
