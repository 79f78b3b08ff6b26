# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""A call of two webrtcbins in this process, over the loopback."""

import time

import gi

from scene import PATIENCE_S, Gst, Wrong

gi.require_version("GstSdp", "1.0")
gi.require_version("GstWebRTC", "1.0")
from gi.repository import GstSdp, GstWebRTC  # noqa: E402

COMPLETE = GstWebRTC.WebRTCICEGatheringState.COMPLETE


def until(what, happened):
    end_s = time.monotonic() + PATIENCE_S
    while not (value := happened()):
        if time.monotonic() > end_s:
            raise Wrong(f"expected {what} of webrtcbin within {PATIENCE_S} s, saw none")
        time.sleep(0.01)
    return value


def asked(webrtc, signal, *values):
    promise = Gst.Promise.new()
    webrtc.emit(signal, *values, promise)
    promise.wait()
    return promise.get_reply()


def described(webrtc, name, description):
    """The local description with all candidates."""
    asked(webrtc, "set-local-description", description.get_value(name))
    until("candidates", lambda: webrtc.get_property("ice-gathering-state") == COMPLETE)
    return webrtc.get_property("local-description").sdp.as_text()


def heard(webrtc, kind, text):
    _, sdp = GstSdp.SDPMessage.new_from_text(text)
    asked(webrtc, "set-remote-description", GstWebRTC.WebRTCSessionDescription.new(kind, sdp))


class Call:
    def __init__(self, scene, sender, receiver):
        self.scene, self.sender, self.receiver = scene, sender, receiver
        self.agents = [end.get_property("ice-agent") for end in (self.sender, self.receiver)]
        for agent in self.agents:
            agent.emit("add-local-ip-address", scene.parts["host"])
        self.sender.connect("request-aux-sender", self.make_aux)
        self.receiver.connect("on-new-transceiver", self.prefer)

    def make_aux(self, *_):
        aux = Gst.parse_launch(self.scene.text("webrtc"))
        if self.sender.get_name() != "webrtc":
            aux.set_name("sink2")
        self.scene.set_properties(aux, "sink")
        return aux

    def prefer(self, _webrtc, transceiver):
        caps = Gst.Caps.from_string(self.scene.text("webrtc-caps"))
        transceiver.set_property("codec-preferences", caps)
        transceiver.set_property("do-nack", True)
        self.protect(transceiver)

    def protect(self, transceiver):
        """Where FEC is to mend, nothing is sent again."""
        if percentage := self.scene.parts.get("webrtc-fec"):
            transceiver.set_property("do-nack", False)
            transceiver.set_property("fec-type", GstWebRTC.WebRTCFECType.ULP_RED)
            transceiver.set_property("fec-percentage", int(percentage))

    def begin(self):
        pad = self.sender.get_static_pad("sink_0")
        until("caps", pad.get_current_caps)
        transceiver = self.sender.emit("get-transceiver", 0)
        transceiver.set_property("direction",
                                 GstWebRTC.WebRTCRTPTransceiverDirection.SENDONLY)
        transceiver.set_property("do-nack", True)
        self.protect(transceiver)
        offer = described(self.sender, "offer", asked(self.sender, "create-offer", None))
        heard(self.receiver, GstWebRTC.WebRTCSDPType.OFFER, offer)
        answer = described(self.receiver, "answer", asked(self.receiver, "create-answer", None))
        heard(self.sender, GstWebRTC.WebRTCSDPType.ANSWER, answer)
