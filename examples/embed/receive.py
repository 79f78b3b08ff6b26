#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""A receiver in Python: it shows the picture, says when the media pauses and comes back, gives the
jitter buffer the latency that repair needs on this path, and prints the statistics.

    receive.py [--sink NAME] PORT

Debian: apt-get install python3-gi gir1.2-gst-plugins-base-1.0"""

import argparse
import os
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

PIPELINE = ("arcsrc name=source port={port} caps=application/x-rtp,media=video,encoding-name=H264,"
            "payload=96,clock-rate=90000 ! rtpjitterbuffer name=buffer latency=100 "
            "do-retransmission=true ! rtph264depay ! "
            "avdec_h264 name=decoder ! videoconvert ! {sink}")
MOST_LATENCY_MS = 1000  # more than that the viewer would rather see losses


def default_sink():
    """autovideosink may crash where there is no display (GStreamer 1.22)."""
    shown = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return "autovideosink" if shown else "fakesink"


class Receiver:
    def __init__(self, port, sink):
        self.loop, self.frames, self.faults = GLib.MainLoop(), 0, []
        self.pipeline = Gst.parse_launch(PIPELINE.format(port=port, sink=sink))
        self.source = self.pipeline.get_by_name("source")
        self.pipeline.get_by_name("decoder").get_static_pad("src").add_probe(
            Gst.PadProbeType.BUFFER, self.on_frame)
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message::element", self.on_element)
        bus.connect("message::latency", lambda *_: self.pipeline.recalculate_latency())
        bus.connect("message::error", self.on_error)

    def on_frame(self, _pad, _info):
        self.frames += 1
        return Gst.PadProbeReturn.OK

    def on_element(self, _bus, message):
        """Names of messages and their fields: <gst/arc/arc.h>."""
        told = message.get_structure()
        if told.get_name() == "GstArcSrcTimeout":
            print("no media", flush=True)
        elif told.get_name() == "GstArcSrcResumed":
            print(f"media again after {told.get_value('silence') / Gst.SECOND:.1f} s", flush=True)
        elif told.get_name() == "GstArcReceiverLatency":
            latency_ms = min(told.get_value("needed") // Gst.MSECOND + 1, MOST_LATENCY_MS)
            self.pipeline.get_by_name("buffer").set_property("latency", latency_ms)
            print(f"latency {latency_ms} ms", flush=True)

    def on_error(self, _bus, message):
        self.faults.append(message.parse_error().gerror.message)
        self.loop.quit()

    def print_stats(self):
        stats = self.source.get_property("stats")
        print(f"{stats.get_value('sender') or 'no sender'}: {self.frames} frames, "
              f"{stats.get_value('received-bitrate') / 1000:.0f} kbit/s, "
              f"lost {stats.get_value('packets-lost')}, "
              f"repaired {stats.get_value('rtx-repaired')}", flush=True)
        return GLib.SOURCE_CONTINUE

    def run(self):
        GLib.timeout_add_seconds(1, self.print_stats)
        self.pipeline.set_state(Gst.State.PLAYING)
        self.loop.run()
        self.pipeline.set_state(Gst.State.NULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sink", default=default_sink(), metavar="NAME",
                        help="what shows the picture; default: autovideosink, or without DISPLAY "
                             "and WAYLAND_DISPLAY fakesink")
    parser.add_argument("port", type=int)
    args = parser.parse_args()
    Gst.init(None)
    receiver = Receiver(args.port, args.sink)
    receiver.run()
    sys.exit("\n".join(receiver.faults) or 0)


main()
