# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Who sends in eval/lab/frametimes. The encoder of gst-arc is x264enc as rmcsink sets it up; the
peers, which set up none, have the one of eval/lab/picture, whose bitrate holds over 150 ms."""

import dataclasses

from pairs import LEAST_BPS
from picturesenders import DECODE, REPAIRING, RTP, SENDERS as PICTURE, PictureSender

ENCODER = "x264enc tune=zerolatency speed-preset=superfast"
MOST_BPS = 12_000_000  # so that the recorded links are the limit
START_BPS = 500_000
# What fits into 3 and 1 Mbit/s: headers of RTP take 4 %, those of SRT and MPEG-TS 12 %, and a frame
# may be larger than its share.
FAST_BPS, SLOW_BPS, SRT_BPS, SRT_FAST_BPS = 2_700_000, 900_000, 800_000, 2_400_000
BOUND_BPS = 2_800_000
SRT_LATENCY_MS = "80"


def plain(bps):
    return dataclasses.replace(PICTURE["udp"], name=f"udp-{bps / 1e6:g}", media_bps=bps,
                               what=f"udpsink, {bps / 1e6:g} Mbit/s", asked=False)


def srt(bps):
    """Each frame waits for SRT's latency. It is chosen so that pictures come within the play-out
    delay; the default of 125 ms makes 225 of it."""
    made = PICTURE["srt"]
    return dataclasses.replace(
        made, name=f"srt-{bps / 1e6:g}", media_bps=bps, what=f"SRT, {bps / 1e6:g} Mbit/s",
        send=made.send.replace("{latency}", SRT_LATENCY_MS),
        receive=made.receive.replace("{latency}", SRT_LATENCY_MS))


ARC = PictureSender("arc", "gst-arc", f"{RTP} ! rmcsink name=control host={{to}} port={{port}} "
                    f"max-bitrate={MOST_BPS}", REPAIRING, encoder=ENCODER)


def other(name, encoder, encoding, decode, *former):
    """gst-arc with another codec, as rmcsink sets up its encoder; former: an option with which it
    does as it did before it bound the size of frames."""
    depay = f"rtp{encoding.lower()}depay"
    options = " config-interval=-1 aggregate-mode=zero-latency" if encoding == "H265" else ""
    pay = f"rtp{encoding.lower()}pay name=payloader{options} mtu=1200"
    receive = ARC.receive.replace("encoding-name=H264", f"encoding-name={encoding}").replace(
        "rtph264depay", depay).replace(DECODE, decode)
    if encoding == "H265":  # of GStreamer 1.22, which has no such property
        receive = receive.replace(f"{depay} request-keyframe=true", depay)
    what = encoder.split()[0]
    made = dataclasses.replace(
        ARC, name=f"arc-{name}", what=f"gst-arc, {what}", send=ARC.send.replace(RTP, pay),
        receive=receive, encoder=encoder, decode=decode, asked=True,
        caps=f"video/x-{encoding.lower()}")
    yield made
    for option in former:
        yield dataclasses.replace(made, name=f"{made.name}-former", encoder=f"{encoder} {option}",
                                  what=f"{made.what} with {option}")


def bound(sender):
    """At what the fast udpsink sends, with headers."""
    return dataclasses.replace(
        sender, name=f"{sender.name}-bound", what=f"{sender.what}, at most 2.8 Mbit/s", asked=True,
        send=sender.send.replace(str(MOST_BPS), str(BOUND_BPS)))


FORMER = dataclasses.replace(ARC, name="arc-former", what="gst-arc, before", asked=True,
                             contender="arc-former")

SENDERS = {sender.name: sender for sender in (
    ARC, FORMER, bound(ARC), bound(FORMER),
    dataclasses.replace(
        PICTURE["webrtc-gcc"], media_bps=START_BPS,
        send=PICTURE["webrtc-gcc"].send.replace("rtph264pay", "rtph264pay name=payloader"),
        options=("--most", MOST_BPS, "--aux", f"rtpgccbwe min-bitrate={LEAST_BPS} "
                 f"max-bitrate={MOST_BPS} estimated-bitrate={START_BPS}")),
    plain(FAST_BPS), plain(SLOW_BPS), srt(SRT_BPS),
    dataclasses.replace(srt(SRT_FAST_BPS), asked=True),
    dataclasses.replace(PICTURE["chromium"], media_bps=MOST_BPS),
    *other("vp8", "vp8enc", "VP8", "vp8dec threads=1", "deadline=1 max-intra-bitrate=100000 "
           "buffer-size=495 buffer-initial-size=297 buffer-optimal-size=396"),
    *other("x265", "x265enc speed-preset=ultrafast", "H265", "avdec_h265 max-threads=1",
           "option-string=psy-rd=2.0"))}
