#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The publishers of examples/browser, watched by a webrtcbin that does what viewer.html does.

Usage: browserview.py WEBRTCEND PAGE PUBLISHER; WEBRTCEND is eval/lab/webrtcend."""

import base64
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

from embed import SKIPPED, WAIT_S, Program, wait_for

LEAST_FRAMES = 60
ELEMENTS = ("x264enc", "avdec_h264", "webrtcbin", "nicesrc", "intervideosrc", "dtlssrtpenc")


def why_skipped(publisher):
    if not Path(publisher).exists():
        return f"{publisher} is not built"
    if subprocess.run(["/usr/bin/python3", "-c", "import gi.repository\n"
                       "from gi.repository import Gst, GstSdp, GstWebRTC, Soup"],
                      check=False, capture_output=True).returncode:
        return "python3-gi, or a typelib of GStreamer or libsoup, is not installed"
    return next((f"there is no {element}" for element in ELEMENTS
                 if subprocess.run(["gst-inspect-1.0", "--exists", "--atleast-version=0.1",
                                    element], check=False).returncode), None)


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def own_address():
    """None: there is none that libnice uses, which takes no loopback address."""
    return next((line.split()[3].partition("/")[0] for line in subprocess.run(
        ["ip", "-o", "-4", "address"], check=False, capture_output=True, text=True)
        .stdout.splitlines() if not line.split()[1].startswith("lo")), None)


def ask(method, url, text=""):
    """(status, Location, body)"""
    request = urllib.request.Request(url, text.encode(), method=method)
    try:
        with urllib.request.urlopen(request, timeout=WAIT_S) as reply:
            return reply.status, reply.headers["Location"], reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, None, ""


def watch(server, webrtcend):
    """A viewer that has seen some frames, and its path."""
    status, path, offer = ask("POST", f"{server}/viewer")
    assert status == 201 and "transport-cc" in offer, f"{status}: {offer}"
    viewer = subprocess.Popen([webrtcend], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True)
    viewer.stdin.write(f"offer {base64.b64encode(offer.encode()).decode()}\n")
    viewer.stdin.flush()
    frames = 0
    for line in viewer.stdout:
        name, text = line.split()
        if name == "answer":
            status, _, _ = ask("POST", server + path, base64.b64decode(text).decode())
            assert status == 204, status
        frames += name == "frame"
        if frames == LEAST_FRAMES:
            print("ok", f"{path} has {frames} frames")
            return viewer, path
    raise AssertionError("the viewer has ended")


def main(webrtcend, page, publisher):
    why = why_skipped(publisher) or (not own_address() and "there is no address beside loopback")
    if why:
        print(f"skipped: {why}")
        return SKIPPED
    port = free_port()
    server = f"http://127.0.0.1:{port}"
    publishing = Program(publisher, "--port", port, "--page", page)
    viewers = []
    try:
        wait_for("the publisher runs", lambda: server in publishing.text, publishing)
        assert "<video" in ask("GET", f"{server}/")[2]
        assert [ask("POST", server + path, "v=0")[0] for path in ("/x", "/viewer/9")] == [404, 404]
        status, silent, _ = ask("POST", f"{server}/viewer")
        assert status == 201, status  # and no answer follows
        for _ in range(2):
            viewer, path = watch(server, webrtcend)
            viewers.append(viewer)
        wait_for("rtparcbwe has feedback of each", lambda: len(set(re.findall(
            r"(\S+): [1-9]\d* kbit/s, feedback twcc", publishing.text))) == 2, publishing)
        wait_for("a viewer that never answers is dropped", lambda: re.search(
            rf"{silent} ended: ", publishing.text), publishing)
        assert ask("DELETE", server + path)[0] == 204
        wait_for("the viewer that left is gone", lambda: re.search(
            rf"{path} ended: 1 viewers", publishing.text), publishing)
        viewers[0].kill()
        wait_for("one that left without a word is gone, too", lambda: re.search(
            "ended: 0 viewers", publishing.text), publishing)
    finally:
        for viewer in viewers:
            viewer.kill()
            viewer.wait()
        publishing.end()
        print(publishing.text)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
