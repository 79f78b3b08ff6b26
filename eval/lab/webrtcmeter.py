# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""arcreceiver in webrtcbin, for eval/lab/webrtcend; the distribution's Python runs it."""

import re

from gi.repository import Gst

TWCC = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
# What the caps tell arcreceiver.
METERS = {"twcc": "extmap-{extension}=(string)" + TWCC, "ccfb": "rtcp-fb-ack-ccfb=(boolean)true"}


class Meter:
    """arcreceiver between webrtcbin's transport and its session, and its reports out again."""

    def __init__(self, webrtc, feedback, extension):
        self.feedback, self.extension = feedback, extension
        caps = METERS[feedback].format(extension=extension)
        self.receiver = Gst.parse_bin_from_description(
            f'capssetter caps="application/x-rtp,{caps}" ! arcreceiver name=meter '
            f"feedback={feedback}", True)
        self.funnel = Gst.ElementFactory.make("funnel")
        webrtc.add(self.receiver)
        webrtc.add(self.funnel)
        self.element = self.receiver.get_by_name("meter")
        pad = Gst.GhostPad.new("rtcp_src", self.element.request_pad_simple("rtcp_src"))
        self.receiver.add_pad(pad)
        pad.link(self.funnel.request_pad_simple("sink_%u"))
        for element in (self.receiver, self.funnel):
            element.sync_state_with_parent()
        webrtc.get_by_name("rtpbin").connect("pad-added", self.on_pad)

    def on_pad(self, _rtpbin, pad):
        if pad.get_name() == "recv_rtp_sink_0":
            pad.connect("linked", self.before_session)
        elif pad.get_name() == "send_rtcp_src_0":
            pad.connect("linked", self.behind_session)

    def before_session(self, sink, source):
        if source.get_parent_element() is self.receiver:
            return
        source.unlink(sink)
        source.link(self.receiver.get_static_pad("sink"))
        self.receiver.get_static_pad("src").link(sink)

    def behind_session(self, source, sink):
        if sink.get_parent_element() is self.funnel:
            return
        source.unlink(sink)
        source.link(self.funnel.request_pad_simple("sink_%u"))
        self.funnel.get_static_pad("src").link(sink)

    def answer(self, text):
        """webrtcbin's answer, with what arcreceiver reports.

        Without the extension libwebrtc sends no padding, and finds its rate without probes (with
        RFC 8888 it numbers no packets all the same)."""
        text = re.sub(r"(?m)^(a=mid:.*)$", rf"\1\na=extmap:{self.extension} {TWCC}\r", text)
        if self.feedback == "ccfb":
            text = re.sub(r"(?m)^a=rtcp-fb:(\d+) transport-cc", r"a=rtcp-fb:\1 ack ccfb", text)
        return text
