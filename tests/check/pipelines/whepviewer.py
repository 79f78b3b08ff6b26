#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""A viewer by WHEP that shows nothing: whepviewer.py URL [TOKEN]. It prints a line for each 30
pictures, one when it hears sound, and what the server refuses; SIGTERM ends the call by DELETE."""

import re
import signal
import sys
import urllib.error
import urllib.parse
import urllib.request

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstSdp", "1.0")
gi.require_version("GstWebRTC", "1.0")
from gi.repository import GLib, Gst, GstSdp, GstWebRTC  # noqa: E402

EXTENSION = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
OFFER = ("application/x-rtp,media=video,encoding-name=H264,payload=108,clock-rate=90000,"
         f"packetization-mode=(string)1,profile-level-id=(string)42e01f,extmap-3={EXTENSION}")
SOUND = ("application/x-rtp,media=audio,encoding-name=OPUS,payload=111,clock-rate=48000,"
         f"encoding-params=(string)2,extmap-3={EXTENSION}")
SHOWN = ("rtph264depay ! h264parse ! avdec_h264 ! fakesink name=view sync=false async=false")
HEARD = ("rtpopusdepay ! opusdec ! audioconvert ! level ! fakesink sync=false async=false")
SILENCE_DB = -40


class Viewer:
    def __init__(self, url, headers):
        self.url, self.headers, self.location = url, headers, None
        self.frames, self.heard = 0, False
        self.loop = GLib.MainLoop()
        self.pipeline = Gst.Pipeline()
        self.webrtc = Gst.ElementFactory.make("webrtcbin")
        self.webrtc.set_property("bundle-policy", GstWebRTC.WebRTCBundlePolicy.MAX_BUNDLE)
        self.webrtc.connect("notify::ice-gathering-state", lambda *_: GLib.idle_add(self.call))
        self.webrtc.connect("pad-added", self.on_pad)
        self.pipeline.add(self.webrtc)
        self.pipeline.set_state(Gst.State.PLAYING)
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message::element", self.on_level)
        for caps in (OFFER, SOUND):
            self.webrtc.emit("add-transceiver", GstWebRTC.WebRTCRTPTransceiverDirection.RECVONLY,
                             Gst.Caps.from_string(caps))
        self.webrtc.emit("create-offer", None, Gst.Promise.new_with_change_func(self.on_offer))

    def on_offer(self, promise):
        reply = promise.get_reply()     # the offer is a part of it
        self.webrtc.emit("set-local-description", reply.get_value("offer"), None)

    def ask(self, method, url, body=None):
        request = urllib.request.Request(url, body, method=method, headers=self.headers)
        return urllib.request.urlopen(request, timeout=30)

    def call(self):
        complete = GstWebRTC.WebRTCICEGatheringState.COMPLETE
        if self.location or self.webrtc.get_property("ice-gathering-state") != complete:
            return
        offer = self.webrtc.get_property("local-description").sdp.as_text()
        try:
            with self.ask("POST", self.url, offer.encode()) as reply:
                self.location = urllib.parse.urljoin(self.url, reply.headers["Location"])
                _, answer = GstSdp.SDPMessage.new_from_text(reply.read().decode())
        except urllib.error.HTTPError as error:
            print(f"refused: {error.code} {error.read().decode()}", flush=True)
            self.loop.quit()
            return
        self.webrtc.emit("set-remote-description", GstWebRTC.WebRTCSessionDescription.new(
            GstWebRTC.WebRTCSDPType.ANSWER, answer), None)

    def on_pad(self, _webrtc, pad):
        kind = pad.get_property("transceiver").get_property("kind")
        heard = kind == GstWebRTC.WebRTCKind.AUDIO
        end = Gst.parse_bin_from_description(HEARD if heard else SHOWN, True)
        if not heard:
            end.get_by_name("view").get_static_pad("sink").add_probe(Gst.PadProbeType.BUFFER,
                                                                     self.on_frame)
        self.pipeline.add(end)
        pad.link(end.get_static_pad("sink"))
        end.sync_state_with_parent()

    def on_level(self, _bus, message):
        # PyGObject of Debian 12 reads no GValueArray: "rms=(double){ -3.1, -3.1 }".
        text = message.get_structure().to_string()
        found = re.search(r" peak=\(\w+\)[<{] *([-\w.]+)", text)
        if found and not self.heard and float(found[1]) > SILENCE_DB:
            self.heard = True
            print("sound is heard", flush=True)

    def on_frame(self, _pad, _info):
        self.frames += 1
        if self.frames % 30 == 0:
            print(f"{self.frames} frames", flush=True)
        return Gst.PadProbeReturn.OK

    def end(self):
        self.loop.quit()
        if self.location:
            self.ask("DELETE", self.location).close()


def main():
    Gst.init(None)
    headers = {"Content-Type": "application/sdp"}
    if len(sys.argv) > 2:
        headers["Authorization"] = f"Bearer {sys.argv[2]}"
    viewer = Viewer(sys.argv[1], headers)
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGTERM, viewer.end)
    viewer.loop.run()
    viewer.pipeline.set_state(Gst.State.NULL)


main()
