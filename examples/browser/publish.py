#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""One picture for browsers: open http://HOST:8080/ (viewer.html, beside this program).

    publish.py [--port PORT] [--all-interfaces] [--source PIPELINE] [--page FILE]

Each viewer has an encoder and a webrtcbin, and in it an rtparcbwe that adapts the bitrate to the
viewer's own network. A camera: --source "v4l2src ! videoconvert".

Debian: apt-get install python3-gi gir1.2-gst-plugins-bad-1.0 gir1.2-soup-3.0 gstreamer1.0-nice
gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly"""

import argparse
import sys
from pathlib import Path

import gi

for name, version in {"Gst": "1.0", "GstSdp": "1.0", "GstWebRTC": "1.0", "Soup": "3.0"}.items():
    gi.require_version(name, version)
from gi.repository import GLib, Gst, GstSdp, GstWebRTC, Soup  # noqa: E402

PAGE = Path(__file__).resolve().parent / "viewer.html"
MOST_VIEWERS = 16  # each costs an encoder
WATCH_S, SILENCE_S = 5, 15
TEST_SOURCE = "videotestsrc is-live=true pattern=smpte horizontal-speed=3"
# The camera runs once, and each viewer takes its frames.
CAMERA = ("{source} ! videoscale ! videorate ! video/x-raw,format=I420,width=640,height=360,"
          "framerate=30/1 ! intervideosink channel=camera")
TWCC = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
# Without the header extension in the caps no feedback comes. Browsers take constrained-baseline.
VIEWER = ("intervideosrc channel=camera ! video/x-raw,format=I420,framerate=30/1 ! queue ! "
          "x264enc tune=zerolatency speed-preset=superfast key-int-max=300 ! "
          "video/x-h264,profile=constrained-baseline ! "
          "rtph264pay config-interval=-1 aggregate-mode=zero-latency mtu=1200 ! "
          "application/x-rtp,media=(string)video,encoding-name=(string)H264,payload=(int)96,"
          f"clock-rate=(int)90000,extmap-1=(string){TWCC} ! "
          "webrtcbin name=webrtc bundle-policy=max-bundle")


class Viewer:
    """A call. `on_offer` gets the description once; `on_end` is called when the call is over."""

    def __init__(self, on_offer, on_rate, on_end):
        self.on_offer, self.on_rate, self.on_end = on_offer, on_rate, on_end
        self.offering = False
        self.estimator = Gst.ElementFactory.make("rtparcbwe")
        self.estimator.set_property("max-bitrate", 4000000)
        self.pipeline = Gst.parse_launch(VIEWER)
        self.webrtc = self.pipeline.get_by_name("webrtc")
        self.webrtc.connect("request-aux-sender", lambda *_: self.estimator)
        self.webrtc.connect("notify::ice-gathering-state", lambda *_: GLib.idle_add(self.tell))
        # An offer that is made before the caps are there lacks the extension and the format.
        self.webrtc.get_static_pad("sink_0").connect("notify::caps", self.on_caps)
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message::error", self.on_error)
        self.silent_s = self.reports = 0
        self.watching = GLib.timeout_add_seconds(WATCH_S, self.watch)
        self.pipeline.set_state(Gst.State.PLAYING)

    def on_caps(self, *_):
        GLib.idle_add(self.offer)

    def offer(self):
        if self.offering:
            return
        self.offering = True
        transceiver = self.webrtc.emit("get-transceiver", 0)
        transceiver.set_property("direction", GstWebRTC.WebRTCRTPTransceiverDirection.SENDONLY)
        transceiver.set_property("do-nack", True)
        self.webrtc.emit("create-offer", None, Gst.Promise.new_with_change_func(self.on_created))

    def on_created(self, promise):
        reply = promise.get_reply()  # the description is a part of it
        self.webrtc.emit("set-local-description", reply.get_value("offer"), None)
        GLib.idle_add(self.tell)

    def tell(self):
        """The offer, once all candidates are in it."""
        description = self.webrtc.get_property("local-description")
        state = self.webrtc.get_property("ice-gathering-state")
        if self.on_offer and description and state == GstWebRTC.WebRTCICEGatheringState.COMPLETE:
            on_offer, self.on_offer = self.on_offer, None
            on_offer(description.sdp.as_text())

    def take(self, text):
        """The viewer's answer. False if it is none."""
        result, sdp = GstSdp.SDPMessage.new_from_text(text)
        if result != GstSdp.SDPResult.OK or sdp.medias_len() != 1:
            return False
        answer = GstWebRTC.WebRTCSessionDescription.new(GstWebRTC.WebRTCSDPType.ANSWER, sdp)
        self.webrtc.emit("set-remote-description", answer, None)
        return True

    def watch(self):
        """A viewer that never came, or left without a word, does not answer."""
        stats = self.estimator.get_property("stats")
        # Before the answer the estimator does not run, and its statistics lack these fields.
        reports = sum(stats.get_value(field) or 0
                      for field in ("reports-received", "receiver-reports"))
        if reports > self.reports:
            self.silent_s, self.reports = 0, reports
            self.on_rate(stats.get_value("rate") // 1000, stats.get_value("feedback-format"))
            return GLib.SOURCE_CONTINUE
        self.silent_s += WATCH_S
        if self.silent_s < SILENCE_S:
            return GLib.SOURCE_CONTINUE
        self.watching = 0
        self.on_end()
        return GLib.SOURCE_REMOVE

    def on_error(self, _bus, message):
        print(message.parse_error().gerror.message, file=sys.stderr)
        self.on_end()

    def close(self):
        if self.watching:
            GLib.source_remove(self.watching)
        self.pipeline.get_bus().remove_signal_watch()
        self.pipeline.set_state(Gst.State.NULL)


class Server:
    def __init__(self, port, all_interfaces, page):
        self.viewers, self.last, self.page = {}, 0, page
        self.server = Soup.Server()
        self.server.add_handler("/", self.serve_page)
        self.server.add_handler("/viewer", self.serve_viewer)
        listen = self.server.listen_all if all_interfaces else self.server.listen_local
        listen(port, Soup.ServerListenOptions.IPV4_ONLY)

    def serve_page(self, _server, request, path, _query):
        if path != "/":
            request.set_status(404, None)
            return
        request.set_response("text/html", Soup.MemoryUse.COPY, self.page.read_bytes())
        request.set_status(200, None)

    def serve_viewer(self, _server, request, path, _query):
        method = request.get_method()
        if path == "/viewer" and method == "POST":
            self.begin(request)
        elif path in self.viewers and method == "POST":
            text = request.get_request_body().flatten().get_data().decode("utf-8", "replace")
            request.set_status(204 if self.viewers[path].take(text) else 400, None)
        elif path in self.viewers and method == "DELETE":
            self.end(path)
            request.set_status(204, None)
        else:
            request.set_status(404, None)

    def begin(self, request):
        if len(self.viewers) == MOST_VIEWERS:
            request.set_status(503, None)
            return
        self.last += 1
        path = f"/viewer/{self.last}"

        def on_offer(text):
            request.get_response_headers().append("Location", path)
            request.set_response("application/sdp", Soup.MemoryUse.COPY, text.encode())
            request.set_status(201, None)
            request.unpause()

        def on_rate(kbps, feedback):
            print(f"{path}: {kbps} kbit/s, feedback {feedback}", flush=True)

        request.pause()
        self.viewers[path] = Viewer(on_offer, on_rate, lambda: self.end(path))
        print(f"{path}: {len(self.viewers)} viewers", flush=True)

    def end(self, path):
        if viewer := self.viewers.pop(path, None):
            viewer.close()
            print(f"{path} ended: {len(self.viewers)} viewers", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--all-interfaces", action="store_true",
                        help="not this machine only: anybody who reaches the port can watch")
    parser.add_argument("--source", default=TEST_SOURCE, metavar="PIPELINE")
    parser.add_argument("--page", type=Path, default=PAGE, metavar="FILE")
    args = parser.parse_args()
    Gst.init(None)
    camera = Gst.parse_launch(CAMERA.format(source=args.source))
    server = Server(args.port, args.all_interfaces, args.page)
    camera.set_state(Gst.State.PLAYING)
    print(f"http://127.0.0.1:{args.port}/", flush=True)
    try:
        GLib.MainLoop().run()
    except KeyboardInterrupt:
        for path in list(server.viewers):
            server.end(path)
        camera.set_state(Gst.State.NULL)


main()
