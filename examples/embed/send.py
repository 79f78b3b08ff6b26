#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""A sender in Python: rmcsink steers the encoder by itself; the program prints its statistics.

    send.py HOST PORT [SECONDS]

Debian: apt-get install python3-gi gir1.2-gst-plugins-base-1.0"""

import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

PIPELINE = ("videotestsrc is-live=true pattern=smpte horizontal-speed=3 ! "
            "video/x-raw,width=640,height=360,framerate=30/1 ! x264enc tune=zerolatency "
            "speed-preset=superfast key-int-max=300 ! "
            "rtph264pay config-interval=-1 aggregate-mode=zero-latency mtu=1200 ! "
            "rmcsink name=sink max-bitrate=4000000")


def print_stats(sink):
    stats = sink.get_property("stats")
    print(f"{stats.get_value('state')}: target {stats.get_value('target-bitrate') // 1000} kbit/s, "
          f"sent {stats.get_value('sent-bitrate') // 1000} kbit/s, "
          f"RTT {stats.get_value('rtt') // Gst.MSECOND} ms, "
          f"lost {stats.get_value('packets-lost')}", flush=True)
    return GLib.SOURCE_CONTINUE


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    Gst.init(None)
    loop = GLib.MainLoop()
    pipeline = Gst.parse_launch(PIPELINE)
    sink = pipeline.get_by_name("sink")
    sink.set_property("host", sys.argv[1])
    sink.set_property("port", int(sys.argv[2]))
    faults = []

    def on_error(_bus, message):
        faults.append(message.parse_error().gerror.message)
        loop.quit()

    bus = pipeline.get_bus()
    bus.add_signal_watch()
    bus.connect("message::error", on_error)
    bus.connect("message::eos", lambda *_: loop.quit())
    GLib.timeout_add_seconds(1, print_stats, sink)
    if len(sys.argv) > 3:
        GLib.timeout_add_seconds(int(sys.argv[3]), pipeline.send_event, Gst.Event.new_eos())
    pipeline.set_state(Gst.State.PLAYING)
    loop.run()
    pipeline.set_state(Gst.State.NULL)
    sys.exit("\n".join(faults) or 0)


main()
