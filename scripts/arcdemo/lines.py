# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The two gst-launch-1.0 lines."""

import shlex
from pathlib import Path

SIZE = "width=640,height=360,framerate=30/1"
FRAMES_PER_S = 30

# The colour bars of videotestsrc hold a patch of noise, which costs as many bits as the encoder may spend; moving
# sideways they need all of any budget from 0.4 to 3 Mbit/s (measured: within 1 % of it).
TEST_SOURCE = f"videotestsrc is-live=true pattern=smpte horizontal-speed=3 ! video/x-raw,format=I420,{SIZE}"

# The budget holds over 200 ms, so that no frame is much larger than its share; no extra key frames at scene cuts.
ENCODER = ("x264enc tune=zerolatency speed-preset=superfast key-int-max=300 vbv-buf-capacity=200 "
           "option-string=scenecut=0 bitrate={start_kbps}")
PAYLOADER = ("video/x-h264,profile=constrained-baseline ! "
             "rtph264pay config-interval=-1 aggregate-mode=zero-latency mtu=1200")
RTP_CAPS = "application/x-rtp,media=video,encoding-name=H264,payload=96,clock-rate=90000"
SCALE = f"videoconvert ! videoscale ! videorate ! video/x-raw,format=I420,{SIZE},pixel-aspect-ratio=1/1"


def file_source(path):
    uri = Path(path).resolve().as_uri()
    return f"uridecodebin uri={shlex.quote(uri)} ! {SCALE}"


def camera_source(device):
    return f"v4l2src device={shlex.quote(device)} ! {SCALE}"


def sender(source, port, start_bps):
    encoder = ENCODER.format(start_kbps=max(1, round(start_bps / 1000)))
    return (f"gst-launch-1.0 -e -m {source} ! {encoder} ! {PAYLOADER} ! "
            f"rmcsink host=127.0.0.1 port={port} start-bitrate={start_bps:.0f} stats-interval=200000000")


def receiver(port, path):
    return (f'gst-launch-1.0 -e arcsrc port={port} caps="{RTP_CAPS}" ! rtpjitterbuffer latency=200 ! '
            f"rtph264depay ! h264parse ! matroskamux ! filesink location={shlex.quote(str(path))}")
