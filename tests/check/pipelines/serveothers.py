#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""gst-arc-serve with aiortc, an implementation of WebRTC in Python: it publishes white pictures and
a tone by WHIP, and watches and hears them by WHEP.

Usage: serveothers.py GST_ARC_SERVE"""

import asyncio
import sys
import urllib.parse
import urllib.request

try:
    import numpy
    from aiortc import AudioStreamTrack, RTCPeerConnection, RTCSessionDescription, VideoStreamTrack
    from av import VideoFrame
except ImportError:
    AudioStreamTrack = VideoStreamTrack = object
    MISSING = "there is no aiortc: pip install aiortc"
else:
    MISSING = None
from browserview import free_port, own_address, why_skipped
from embed import SKIPPED, WAIT_S, Program, wait_for

TOKEN, WHITE, LOUD, LEAST_FRAMES = "open sesame", 255, 10000, 30


class White(VideoStreamTrack):
    async def recv(self):
        frame = VideoFrame.from_ndarray(numpy.full((480, 640, 3), WHITE, numpy.uint8), "bgr24")
        frame.pts, frame.time_base = await self.next_timestamp()
        return frame


class Tone(AudioStreamTrack):
    async def recv(self):
        frame = await super().recv()
        wave = numpy.sin(numpy.arange(frame.samples) * 0.5) * 2 * LOUD
        frame.planes[0].update(wave.astype(numpy.int16).tobytes())
        return frame


def ask(method, url, body=None):
    """(text, Location)"""
    request = urllib.request.Request(url, body, method=method, headers={
        "Content-Type": "application/sdp", "Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request, timeout=WAIT_S) as reply:
        return reply.read().decode(), reply.headers["Location"]


async def call(peer, url):
    """The URL of the call."""
    await peer.setLocalDescription(await peer.createOffer())
    answer, path = await asyncio.to_thread(ask, "POST", url, peer.localDescription.sdp.encode())
    await peer.setRemoteDescription(RTCSessionDescription(answer, "answer"))
    return urllib.parse.urljoin(url, path)


async def watch(track):
    found = 0
    while found < LEAST_FRAMES:
        frame = await track.recv()
        if track.kind == "video":
            found += frame.to_ndarray(format="gray").mean() > WHITE / 2
        else:
            found += numpy.abs(frame.to_ndarray().astype(int)).max() > LOUD


async def run(server):
    publisher, viewer = RTCPeerConnection(), RTCPeerConnection()
    publisher.addTrack(White())
    publisher.addTrack(Tone())
    tracks = []
    viewer.on("track", tracks.append)
    calls = [await call(publisher, f"{server}/stage/whip")]
    for kind in ("audio", "video"):
        viewer.addTransceiver(kind, "recvonly")
    calls.append(await call(viewer, f"{server}/stage/whep"))
    assert {track.kind for track in tracks} == {"audio", "video"}, tracks
    await asyncio.wait_for(asyncio.gather(*map(watch, tracks)), WAIT_S)
    for url in calls:
        await asyncio.to_thread(ask, "DELETE", url)
    await viewer.close()
    await publisher.close()


def main(program):
    why = MISSING or why_skipped(program) or (
        not own_address() and "there is no address beside loopback")
    if why:
        print(f"skipped: {why}")
        return SKIPPED
    server = f"http://127.0.0.1:{free_port()}"
    serving = Program(program, "--port", server.rpartition(":")[2], "--token", TOKEN, "stage=whip")
    try:
        wait_for("the server runs", lambda: f"{server}/stage" in serving.text, serving)
        asyncio.run(run(server))
        print("ok aiortc watches and hears what aiortc publishes")
        wait_for("both are gone", lambda: "left: 0 calls" in serving.text, serving)
    finally:
        serving.end()
        print(serving.text)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
