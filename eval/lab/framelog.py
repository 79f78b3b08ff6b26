# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What happens to each frame of a pipeline, for eval/lab/frames and webrtcend; the distribution's
Python runs it.

A frame is recognised by the digest of its decoded picture. The sender decodes what its own encoder
made; a picture of the receiver with the same digest is that frame, without a fault. Times are
CLOCK_MONOTONIC, which both ends share."""

import argparse
import hashlib
import math
import mmap
import signal
import sys
import threading
import time
from fractions import Fraction

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstBase", "1.0")
from gi.repository import GLib, Gst, GstBase  # noqa: E402, F401
from framefigures import HEADER  # noqa: E402

# Elements by name, and whether a digest is taken: what the encoder made, what the sender's own
# decoder makes of it, what the receiver shows.
POINTS = {"encoded": False, "reference": True, "view": True}
SIZED_POINTS = {"unit": False, "view": False, "view2": False}
# Elements and their pads where packets are logged, if they are.
PACKET_POINTS = {"sent": ("payloader", "src"), "arrived": ("buffer", "sink"),
                 "depayloaded": ("depayloader", "sink")}
DIGEST_BYTES = 8
BUFFERS = Gst.PadProbeType.BUFFER | Gst.PadProbeType.BUFFER_LIST
# Looked up here: PyGObject makes an enumeration's names when they are first used, and two streaming
# threads that do so at once find none.
TIME, SEGMENT = Gst.Format.TIME, Gst.EventType.SEGMENT


def running_time(pad, buffer):
    segment = pad.get_sticky_event(SEGMENT, 0).parse_segment()
    return segment.to_running_time(TIME, buffer.pts)


def packets_of(info):
    """What passes a pad, in a list or alone."""
    if info.type & Gst.PadProbeType.BUFFER_LIST:
        all_of_them = info.get_buffer_list()
        return [all_of_them.get(i) for i in range(all_of_them.length())]
    return [info.get_buffer()]


class FrameLog:
    """A CSV file with a row for each frame at each point; the pictures at the point "view" go to
    the file `record`, if there is one, in the order of their rows. packets: also a row for each
    RTP packet that leaves the sender's payloader, or reaches the receiver's jitter buffer or
    depayloader; its digest is "timestamp:number". With `stream`, a file or "", a picture has no
    digest, and its lines in the place of its bytes; what passes "unit" goes into the file."""

    def __init__(self, path, record=None, packets=False, stream=None):
        self.packets = packets
        self.stream, self.sized = open(stream, "wb") if stream else None, stream is not None
        self.file = open(path, "w", encoding="ascii", buffering=1)
        self.record = open(record, "wb") if record else None
        self.file.write(HEADER)
        self.lock = threading.Lock()

    def row(self, what, running=0, size_bytes=0, digest="", at_s=None):
        at_s = time.monotonic() if at_s is None else at_s
        with self.lock:
            self.file.write(f"{what},{at_s:.6f},{running / Gst.SECOND:.6f},{size_bytes},{digest}\n")

    def watch(self, container):
        """All points that the bin has."""
        for what, digested in (SIZED_POINTS if self.sized else POINTS).items():
            if element := container.get_by_name(what):
                element.get_static_pad("sink").add_probe(Gst.PadProbeType.BUFFER, self.on_buffer,
                                                         what, digested)
        view = container.get_by_name("view")
        if view and view.find_property("signal-handoffs") and view.get_property("signal-handoffs"):
            view.connect("handoff", self.on_shown)
        for what, (name, pad) in PACKET_POINTS.items() if self.packets else ():
            if element := container.get_by_name(name):
                self.watch_packets(element.get_static_pad(pad), what)

    def watch_packets(self, pad, what):
        pad.add_probe(BUFFERS, self.on_packets, what)

    def on_packets(self, pad, info, what):
        at_s = time.monotonic()
        for packet in packets_of(info):
            head = packet.extract_dup(2, 6)
            number, stamp = int.from_bytes(head[:2], "big"), int.from_bytes(head[2:], "big")
            running = running_time(pad, packet) if what != "arrived" else 0
            self.row(what, running, packet.get_size(), f"{stamp}:{number}", at_s)
        return Gst.PadProbeReturn.OK

    def on_shown(self, sink, buffer, pad):
        """The sink waited for its time: how late that was in us, and the latency in ms."""
        at_s, clock = time.monotonic(), sink.get_clock()
        running, latency = running_time(pad, buffer), sink.get_latency()
        late = clock.get_time() - sink.get_base_time() - running - latency if clock else 0
        self.row("shown", running, late // 1000, f"{latency / Gst.MSECOND:.0f}", at_s)

    def on_buffer(self, pad, info, what, digested):
        at_s, buffer, digest = time.monotonic(), info.get_buffer(), ""
        if digested:
            content = buffer.extract_dup(0, buffer.get_size())
            digest = hashlib.blake2b(content, digest_size=DIGEST_BYTES).hexdigest()
            if self.record and what == "view":
                self.record.write(content)
        size = buffer.get_size()
        if what == "unit" and self.stream:
            self.stream.write(buffer.extract_dup(0, size))
        elif self.sized and what != "unit":
            _found, size = pad.get_current_caps().get_structure(0).get_int("height")
        running = running_time(pad, buffer)
        running = 0 if running == Gst.CLOCK_TIME_NONE else running
        self.row(what, running, size, digest, at_s)
        return Gst.PadProbeReturn.OK


class Camera(threading.Thread):
    """Frames of a file (YUV4MPEG2, 4:2:0) into an appsrc, at their times, again and again.

    Unlike a file source it is live: a sender that cannot keep up drops frames."""

    def __init__(self, source, path, log, begin_s, stop_s=math.inf):
        super().__init__(daemon=True)
        self.source, self.log, self.begin_s, self.stop_s = source, log, begin_s, stop_s
        with open(path, "rb") as file:
            self.content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        header = self.content.readline()
        words = {word[:1]: word[1:] for word in header.split()[1:]}
        self.frame_bytes = int(words[b"W"]) * int(words[b"H"]) * 3 // 2
        self.frames_per_s = float(Fraction(words[b"F"].decode().replace(":", "/")))
        self.first = len(header)

    def next_frame(self):
        if not self.content.readline():
            self.content.seek(self.first)
            self.content.readline()
        return self.content.read(self.frame_bytes)

    def run(self):
        while not self.source.get_clock():  # the pipeline does not play yet
            time.sleep(0.01)
        number = 0
        while (due_s := self.begin_s + number / self.frames_per_s) < self.stop_s:
            time.sleep(max(0, due_s - time.monotonic()))
            buffer = Gst.Buffer.new_wrapped(self.next_frame())
            buffer.pts = self.source.get_clock().get_time() - self.source.get_base_time()
            buffer.duration = round(Gst.SECOND / self.frames_per_s)
            self.log.row("capture", buffer.pts)
            self.source.emit("push-buffer", buffer)
            number += 1


class End:
    """A program that plays a pipeline until it is told to end (SIGTERM), and logs its frames. The
    statistics of elements of these names go to the standard error output at the end."""

    TOLD = ("control", "meter", "buffer", "scale", "scale2", "encoder")

    def __init__(self, doc):
        self.parser = argparse.ArgumentParser(
            description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
        self.parser.add_argument("pipeline")
        self.parser.add_argument("--log", required=True, metavar="CSV")
        self.parser.add_argument("--footage", metavar="Y4M", action="append", default=[])
        self.parser.add_argument("--begin-at", type=float, default=0, metavar="S")
        self.parser.add_argument("--stop-at", type=float, default=0, metavar="S")
        self.loop, self.faults = GLib.MainLoop(), []

    def fault(self, text):
        print(f"{self.parser.prog}: {text}", file=sys.stderr, flush=True)
        self.faults.append(text)
        self.loop.quit()

    def open(self):
        self.args = self.parser.parse_args()
        Gst.init(None)
        try:
            return Gst.parse_launch(self.args.pipeline)
        except GLib.Error as error:
            sys.exit(f"{self.parser.prog}: {error.message}")

    def cameras(self, pipeline, log, names=("camera", "camera2")):
        return [Camera(pipeline.get_by_name(name), path, log, self.args.begin_at,
                       self.args.stop_at) for name, path in zip(names, self.args.footage)]

    def on_message(self, _bus, message):
        if message.type == Gst.MessageType.ERROR:
            self.fault(" ".join(map(str, message.parse_error())))
        elif message.type == Gst.MessageType.LATENCY:
            self.pipeline.recalculate_latency()
        elif message.type == Gst.MessageType.ELEMENT and message.has_name("GstArcScaleStep"):
            print(message.get_structure().to_string(), file=sys.stderr, flush=True)

    def play(self, pipeline, log, cameras):
        """The program's status."""
        self.pipeline, bus = pipeline, pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message", self.on_message)
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGTERM, self.loop.quit)
        log.row("started")
        pipeline.set_state(Gst.State.PLAYING)
        for camera in cameras:
            camera.start()
        self.loop.run()
        for name in self.TOLD:
            element = pipeline.get_by_name(name)
            if element and element.find_property("stats"):
                print(name, element.get_property("stats").to_string(), file=sys.stderr, flush=True)
        pipeline.set_state(Gst.State.NULL)
        return 1 if self.faults else 0
