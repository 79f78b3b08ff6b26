#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The one-way delay of each picture of examples/pipelines/audio-video-send.launch, from the
sender's source to this decoder, each second: median, 95th percentile, in ms. It is right only as
far as both machines' clocks agree (docs/guide/one-way-delay.md).

    delay.py PORT [SECONDS]

Debian: apt-get install python3-gi gir1.2-gst-plugins-base-1.0"""

import statistics
import sys
import time

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

CAPS = "application/x-rtp,media={0},encoding-name={1},payload={2},clock-rate={3}"
# As audio-video-receive.launch. The meta appears once a sender report of rtpbin has come.
PIPELINE = (
    "rtpbin name=rtpbin latency=200 add-reference-timestamp-meta=true "
    "arcsrc name=src port={port} caps=application/x-rtp ! rtpptdemux name=demux "
    f"demux.src_96 ! capssetter caps={CAPS.format('video', 'H264', 96, 90000)} "
    "! rtpbin.recv_rtp_sink_0 "
    f"demux.src_97 ! capssetter caps={CAPS.format('audio', 'OPUS', 97, 48000)} "
    "! rtpbin.recv_rtp_sink_1 "
    "src.rtcp_src ! tee name=rtcp rtcp. ! rtpbin.recv_rtcp_sink_0 rtcp. ! rtpbin.recv_rtcp_sink_1 "
    "rtpbin. ! rtph264depay ! avdec_h264 name=decoder ! fakesink "
    "rtpbin. ! rtpopusdepay ! fakesink")
NTP_CAPS = "timestamp/x-ntp"
NTP_EPOCH_S = 2208988800  # 1900 to 1970


class Meter:
    def __init__(self, pipeline):
        self.caps, self.delays_ms, self.without = Gst.Caps.from_string(NTP_CAPS), [], 0
        pipeline.get_by_name("decoder").get_static_pad("src").add_probe(
            Gst.PadProbeType.BUFFER, self.on_frame)

    def on_frame(self, _pad, info):
        meta = info.get_buffer().get_reference_timestamp_meta(self.caps)
        if meta:
            self.delays_ms.append((time.time() + NTP_EPOCH_S - meta.timestamp / Gst.SECOND) * 1000)
        else:
            self.without += 1
        return Gst.PadProbeReturn.OK

    def tell(self):
        delays, self.delays_ms = sorted(self.delays_ms), []
        if delays:
            print(f"{len(delays)} pictures: {statistics.median(delays):.0f} / "
                  f"{delays[int(0.95 * len(delays))]:.0f} ms", flush=True)
        elif self.without:
            print("no sender report yet, so the sender's time is unknown", flush=True)
        return GLib.SOURCE_CONTINUE


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    Gst.init(None)
    loop = GLib.MainLoop()
    pipeline = Gst.parse_launch(PIPELINE.format(port=int(sys.argv[1])))
    bus = pipeline.get_bus()
    bus.add_signal_watch()
    bus.connect("message::error", lambda *_: loop.quit())
    meter = Meter(pipeline)
    GLib.timeout_add_seconds(1, meter.tell)
    if len(sys.argv) > 2:
        GLib.timeout_add_seconds(int(sys.argv[2]), loop.quit)
    pipeline.set_state(Gst.State.PLAYING)
    loop.run()
    pipeline.set_state(Gst.State.NULL)


main()
