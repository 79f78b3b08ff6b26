# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""One run: receiver, link and sender as processes; what they say becomes rows."""

import csv
import os
import queue
import re
import shlex
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from . import lines, livepage
from .children import Child, free_ports, wait_bound

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests"))
from quiet import cpu_times, stolen_share  # noqa: E402

STATS = {"sender": re.compile(r"GstRmcSinkStats, (.*);"),
         "receiver": re.compile(r"GstArcSrcStats, (.*);")}
STEP = re.compile(r"GstArcScaleStep, (.*);")
FIELD = re.compile(r"([\w-]+)=\((\w+)\)(\"[^\"]*\"|[^,;]+)")
LINK_INTERVAL_S = 0.1
HEADER_BYTES = 28 + 12  # UDP/IP and RTP: what goodput does not count


class RunError(Exception):
    pass


@dataclass
class Size:
    """Of the picture, from then on."""

    at: float  # in the clock of the rows' "at"
    width: int
    height: int
    frames_per_s: float
    at_s: float = 0.0


@dataclass
class Result:
    """Rows are dictionaries; times in seconds since the first packet came to the link."""

    link: list = field(default_factory=list)
    sender: list = field(default_factory=list)
    receiver: list = field(default_factory=list)
    packets: list = field(default_factory=list)
    sizes: list = field(default_factory=list)  # where arcscale is in the line
    length_s: float = 0.0
    ended_at: float | None = None  # when the sender was done, in the clock of the rows' "at"
    interrupted: bool = False
    stolen_ratio: float = 0.0  # of the CPUs' time, by a hypervisor


def parse_fields(pattern, line):
    """The fields of a message as gst-launch-1.0 -m prints it, or None."""
    match = pattern.search(line)
    if not match:
        return None
    row = {}
    for name, kind, text in FIELD.findall(match[1]):
        try:
            row[name] = float(text) if kind != "string" else text
        except ValueError:
            row[name] = text
    return row


def parse_row(header, line):
    values = line.split(",")
    return dict(zip(header, map(float, values))) if len(values) == len(header) else None


class Session:
    latency_ms = 200  # of the receiver's jitter buffer

    def __init__(self, options, folder, build):
        self.options, self.folder, self.build = options, folder, build
        self.events = queue.Queue()
        self.children = []
        self.header = None
        self.origin = None  # monotonic time of the link's second 0
        self.result = Result()
        self.env = dict(os.environ, GST_PLUGIN_PATH_1_0=f"{build}/gst")
        to_link, to_receiver = free_ports(2)
        self.video = folder / ("received.ts" if options.scale else "received.mkv")
        self.video.unlink(missing_ok=True)
        self.to_link, self.to_receiver = to_link, to_receiver
        self.receiver_line = lines.receiver(to_receiver, self.video, self.latency_ms)
        self.link_line = self._link_line(options.points, to_link, "packets.csv")
        self.sender_line = lines.sender(options.source, to_link, options.start_bps, options.scale)

    def _link_line(self, points, port, packets):
        o = self.options
        points = ",".join(f"{second:g}:{bps:.0f}" for second, bps in points)
        return (f"{self.build}/tools/linkemu/linkemu --listen {port} --to 127.0.0.1:{self.to_receiver} "
                f"--trace {points} --delay {o.delay_ms:g} --queue {o.queue} --loss {o.loss:g} --jitter {o.jitter_ms:g} "
                f"--seed {o.seed} --overhead 28 --start-on-traffic --log - --interval {LINK_INTERVAL_S * 1000:.0f} "
                f"--packets {shlex.quote(str(self.folder / packets))}")

    def _start(self, name, line):
        env = self.env
        if self.options.web is not None and name in ("sender", "receiver"):
            env = livepage.environment(env, name)
        child = Child(name, shlex.split(line), self.folder / f"{name}.log", env,
                      lambda text: self.events.put((name, time.monotonic(), text)))
        self.children.append(child)
        return child

    def _start_listener(self, name, line, port):
        child = self._start(name, line)
        if not wait_bound(port, child):
            raise RunError(f"the {name} does not listen on port {port}:\n{child.tail()}")

    def _start_links(self):
        self._start_listener("link", self.link_line, self.to_link)

    def run(self, on_second):
        """Runs for the wanted length; on_second(time_s, link rows of that second, last sender
        row)."""
        before = cpu_times()
        try:
            if self.options.web is not None:
                self._start(livepage.NAME, livepage.command(self.build, self.options.web))
            self._start_listener("receiver", self.receiver_line, self.to_receiver)
            self._start_links()
            self._start("sender", self.sender_line)
            self._follow(on_second)
        except KeyboardInterrupt:
            self.result.interrupted = True
        finally:
            self._stop()
        self.result.stolen_ratio = stolen_share(before, cpu_times())
        self._finish()
        return self.result

    def _follow(self, on_second):
        deadline = time.monotonic() + self.options.seconds + 20
        shown = 0
        while time.monotonic() < deadline:
            for child in self.children:
                if not child.alive and self.events.empty():
                    raise RunError(f"the {child.name} ended early:\n{child.tail()}")
            if not self._take_event(wait_s=0.2):
                continue
            second = int(self.result.link[-1]["time_s"] + 1e-6) if self.result.link else 0
            if second > shown:
                rows = [r for r in self.result.link if shown < r["time_s"] - 1e-6 <= second]
                on_second(second, rows, self.result.sender[-1] if self.result.sender else {})
                shown = second
            if second >= self.options.seconds:
                return
        if not self.result.link:
            raise RunError("no packet came to the link:\n" + self.children[-1].tail())

    def _take_event(self, wait_s):
        try:
            name, at, text = self.events.get(timeout=wait_s)
        except queue.Empty:
            return False
        if name in STATS and (row := parse_fields(STATS[name], text)):
            getattr(self.result, name).append(row | {"at": at})
        elif name == "sender":
            if step := parse_fields(STEP, text):
                self.result.sizes.append(Size(at, int(step["width"]), int(step["height"]),
                                              step["framerate"]))
            elif text.startswith("Got EOS"):
                self.result.ended_at = at
        elif name == "link":
            self._take_link_row(text, at)
        elif name == livepage.NAME:
            print(text, flush=True)
        else:
            self._take_other(name, text)
        return True

    def _take_other(self, name, text):
        """Of a process that only some demos have."""

    def _take_link_row(self, text, at):
        if text.startswith("time_s"):
            self.header = text.split(",")
        elif self.header and text[:1].isdigit() and (row := parse_row(self.header, text)):
            self.result.link.append(row)
            # The row that was read with the least delay gives the best guess.
            origin = at - row["time_s"]
            self.origin = origin if self.origin is None else min(self.origin, origin)

    def _stop(self):
        """In the order of the flow, so that nothing on its way gets lost."""
        order = {"sender": 0, "receiver": 1, "link": 2, livepage.NAME: 3}
        for child in sorted(self.children, key=lambda c: order.get(c.name, 2)):
            if child.name == "receiver" and self.result.link:
                time.sleep(1.0)  # queue, delay and jitter buffer run empty
            if not child.stop(wait_s=8):
                print(f"demo: the {child.name} had to be killed; see {child.log_path}", flush=True)
        while self._take_event(wait_s=0):
            pass

    def _finish(self):
        r = self.result
        if not r.link:
            raise RunError("no packet came to the link")
        r.length_s = min(self.options.seconds, r.link[-1]["time_s"])
        r.link = [row for row in r.link if row["time_s"] <= r.length_s + 1e-6]
        for row in (*r.sender, *r.receiver):
            row["time_s"] = row["at"] - self.origin
        if self.options.scale:
            r.sizes.insert(0, Size(self.origin, *lines.LARGE, lines.FRAMES_PER_S))
        for size in r.sizes:
            size.at_s = max(0.0, size.at - self.origin)
        r.sizes = [size for size in r.sizes if size.at_s < r.length_s]
        with open(self.folder / "packets.csv", newline="", encoding="ascii") as text:
            for row in csv.DictReader(text):
                packet = {"arrived_s": float(row["arrived_s"]), "size_bytes": int(row["size_bytes"]),
                          "queue_delay_ms": float(row["queue_delay_ms"] or 0), "fate": row["fate"]}
                if packet["arrived_s"] <= r.length_s:
                    r.packets.append(packet)


def rates(rows):
    """Capacity, goodput and loss over some rows of the link."""
    span_s = len(rows) * LINK_INTERVAL_S
    served = sum(r["served_bytes"] for r in rows)
    delivered = sum(r["delivered_pkts"] for r in rows)
    lost = sum(r["tail_dropped_pkts"] + r["random_lost_pkts"] for r in rows)
    return {
        "capacity_bps": sum(r["capacity_bps"] for r in rows) / len(rows),
        "served_bps": served * 8 / span_s,
        "goodput_bps": max(served - delivered * HEADER_BYTES, 0) * 8 / span_s,
        "queue_delay_mean_ms": sum(r["queue_delay_mean_ms"] for r in rows) / len(rows),
        "queue_delay_max_ms": max(r["queue_delay_max_ms"] for r in rows),
        "loss_ratio": lost / max(lost + delivered, 1),
    }
