# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The two gst-launch-1.0 lines."""

import shlex
from pathlib import Path

SIZE = "width=640,height=360,framerate=30/1"
# A picture that is worth scaling.
LARGE, LARGE_SIZE = (1280, 720), "width=1280,height=720,framerate=30/1"
FRAMES_PER_S = 30
STATS = "stats-interval=200000000"

# Moving colour bars under a film of noise. Like real footage they take any budget from 0.4 to 3
# Mbit/s, and a new one within half a second (measured). Plain bars do not: the encoder needs
# seconds to find the quantiser for their small patch of noise.
RAW = f"video/x-raw,format=I420,{SIZE}"
TEST_SOURCE = (f"videotestsrc is-live=true pattern=smpte horizontal-speed=3 ! {RAW} ! mix.sink_0 "
               f"videotestsrc is-live=true pattern=snow ! {RAW} ! mix.sink_1 "
               f"compositor name=mix sink_0::zorder=0 sink_1::zorder=1 sink_1::alpha=0.2 ! {RAW}")

# As rmcsink and rtparcbwe set it up. No extra key frames at scene cuts.
ENCODER = ("x264enc tune=zerolatency speed-preset=superfast key-int-max=300 "
           "option-string=scenecut=0 bitrate={start_kbps}")
# Of peers, which set up none. The bitrate holds over 150 ms: no frame is much larger than its
# share, and a new bitrate acts soon; below 100 ms the encoder leaves much of its budget unused.
PEER_ENCODER = ENCODER.replace("key-int-max=300 ", "key-int-max=300 vbv-buf-capacity=150 ")
PAYLOADER = ("video/x-h264,profile=constrained-baseline ! "
             "rtph264pay config-interval=-1 aggregate-mode=zero-latency mtu=1200")
RTP_CAPS = "application/x-rtp,media=video,encoding-name=H264,payload=96,clock-rate=90000"
SCALE = f"videoconvert ! videoscale ! videorate ! {RAW},pixel-aspect-ratio=1/1"


def file_source(path):
    uri = Path(path).resolve().as_uri()
    return f"uridecodebin uri={shlex.quote(uri)} ! {SCALE}"


def enlarged(source):
    return source.replace(SIZE, LARGE_SIZE)


def camera_source(device):
    return f"v4l2src device={shlex.quote(device)} ! {SCALE}"


def sender(source, port, start_bps, scaled=False):
    """scaled: the picture's size follows the rate."""
    encoder = ENCODER.format(start_kbps=max(1, round(start_bps / 1000)))
    source = f"{source} ! arcscale" if scaled else source
    return (f"gst-launch-1.0 -e -m {source} ! {encoder} ! {PAYLOADER} ! "
            f"rmcsink host=127.0.0.1 port={port} start-bitrate={start_bps:.0f} {STATS}")


def receiver(port, path, latency_ms):
    """path: .mkv, or .ts for a picture whose size changes, which Matroska does not hold."""
    # mode=none: the file gets the sender's times. The usual mode estimates the drift of the clocks
    # from arrivals, and leaves frames without a time when the queueing delay jumps, as at a fall of
    # capacity; muxers drop those.
    # As a byte stream rtph264depay of 1.22 makes two frames of a keyframe of several slices.
    tail = ("h264parse ! matroskamux" if path.suffix == ".mkv" else
            "video/x-h264,stream-format=avc ! h264parse config-interval=-1 ! mpegtsmux")
    return (f'gst-launch-1.0 -e -m arcsrc port={port} caps="{RTP_CAPS}" {STATS} ! '
            f"rtpjitterbuffer latency={latency_ms} mode=none ! "
            f"rtph264depay ! {tail} ! filesink location={shlex.quote(str(path))}")
