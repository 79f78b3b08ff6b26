# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Who sends the picture in eval/lab/picture: the pipelines of both ends, and what they are called.

All have the same camera and the same x264enc. The sender decodes its own stream beside
("reference"), so that each frame has a digest to be recognised by (framelog.py)."""

import os
from dataclasses import dataclass

import places  # noqa: F401
import chromium
from arcdemo import lines
from contenders import CONTENDERS
from pairs import LEAST_BPS, PAYLOADER, has_element

PORT = 5004
MEDIA_BPS = 1_500_000
MOST_LATENCY_MS = 600
FREE_BPS = 10_000_000  # of a sender that only the link bounds
# A receiver that cannot ask for a keyframe depends on those that come by themselves. Every 2 s is
# usual there; the recipes of rmcsink have 10 s.
KEYFRAMES_OWN, KEYFRAMES_USUAL, REFRESH_FRAMES = 300, 60, 30

DECODE = "avdec_h264 max-threads=1"
HEAD = (f"appsrc name=camera is-live=true format=time leaky-type=downstream max-buffers=3 "
        f"max-bytes=0 max-time=0 caps={lines.RAW} ! {{encoder}} name=encoder ! "
        "{caps} ! tee name=made "
        "made. ! queue ! {decode} ! identity name=reference ! fakesink sync=false async=false "
        "made. ! identity name=encoded")
# Without the profile, which HEAD has.
RTP = lines.PAYLOADER.partition(" ! ")[2].replace("rtph264pay", "rtph264pay name=payloader")
VIEW = f"{DECODE} ! fakesink name=view sync=false async=false"
TS_VIEW = f"tsdemux ! h264parse ! {VIEW}"


@dataclass(frozen=True)
class PictureSender:
    """send, receive: what comes behind the encoder, and the whole receiver; with {to}, {here},
    {port} and {latency} in ms."""

    name: str
    what: str
    send: str
    receive: str
    keyframes: int = KEYFRAMES_OWN
    media_bps: int = MEDIA_BPS  # of the encoder, where nothing steers it
    needs: tuple = ()  # elements
    kind: str = "pipelines"  # or "call", "browser": over WebRTC
    options: tuple = ()  # of eval/lab/webrtcend, in a call
    encoder: str = lines.PEER_ENCODER
    caps: str = "video/x-h264,profile=constrained-baseline"
    decode: str = DECODE
    contender: str = "rtpgccbwe"  # whose plugins it has
    asked: bool = False  # only where it is named
    latency_ms: int = 0  # the longest, of a receiver that chooses it; 0: that of the run

    @property
    def is_rtp(self):
        """In the clear, so that packets can be told apart on the wire."""
        return self.name.startswith("arc")

    def environment(self, build):
        return dict(os.environ, **CONTENDERS[self.contender].environment(build))

    def missing(self, build):
        """What has to be installed or built, or None."""
        if self.kind == "browser":
            return chromium.why_unavailable()
        contender = CONTENDERS[self.contender]
        if contender.former and (why := contender.missing(build)):
            return why
        environment = self.environment(build)
        used = self.encoder.split()[0], self.decode.split()[0], *self.needs
        return next((f"there is no {name}" for name in used
                     if not has_element(name, environment)), None)

    def sender(self, to, here, latency_ms):
        encoder = self.encoder.format(start_kbps=self.media_bps // 1000)
        encoder = encoder.replace("key-int-max=300", f"key-int-max={self.keyframes}")
        tail = self.send.format(to=to, here=here, port=PORT, latency=latency_ms)
        head = HEAD.format(encoder=encoder, caps=self.caps, decode=self.decode)
        return f"{head} ! {tail}"

    def receiver(self, to, here, latency_ms):
        return self.receive.format(to=to, here=here, port=PORT, latency=latency_ms)


# Packets are kept for the receiver's latency, as the recipe says.
def rmcsink(most_bps):
    return (f"{RTP} ! rmcsink name=control host={{to}} port={{port}} rtx-time={{latency}}000000 "
            f"start-bitrate={MEDIA_BPS} max-bitrate={most_bps}")


# As the recipe says: rmcsink sets the percentage.
FEC_PAYLOAD = 122
PROTECTED = rmcsink(MEDIA_BPS).replace(" ! rmcsink ",
                                       f" ! rtpulpfecenc pt={FEC_PAYLOAD} ! rmcsink ")
ARCSRC = "arcsrc name=meter address={here} port={port} caps=" + lines.RTP_CAPS
# As before keyframes were requested and packets sent again.
PLAIN = (ARCSRC + " request-keyframes=false ! rtpjitterbuffer name=buffer latency={latency} ! "
         "rtph264depay ! " + VIEW)
# Without rtx-next-seqnum=false the jitter buffer also asks for packets that are only not sent yet.
REPAIRING = (ARCSRC + " ! rtpjitterbuffer name=buffer latency={latency} do-retransmission=true "
             "rtx-next-seqnum=false ! rtph264depay request-keyframe=true ! " + VIEW)
MENDING = (f"{ARCSRC};application/x-rtp,media=video,encoding-name=ULPFEC,payload={FEC_PAYLOAD},"
           "clock-rate=90000 ! capssetter join=false replace=true "
           "caps=application/x-rtp,media=video,encoding-name=H264,clock-rate=90000 ! "
           "rtpstorage size-time=1000000000 ! rtpssrcdemux ! rtpjitterbuffer name=buffer "
           "latency={latency} do-lost=true do-retransmission=true rtx-next-seqnum=false ! "
           f"rtpptdemux ignored-payload-types=<{FEC_PAYLOAD}> ! rtpulpfecdec pt={FEC_PAYLOAD} ! "
           "rtph264depay ! " + VIEW)
# RaptorQ of gst-plugins-rs: its FEC is a stream of its own, of blocks of packets that span frames.
RAPTORQ_PAYLOAD, BLOCK_PKTS, REPAIR_PKTS, SYMBOL_BYTES, WINDOW_MS = 97, 12, 8, 1208, 50
RAPTORQ = rmcsink(MEDIA_BPS).replace(
    " ! rmcsink ", f" ! raptorqenc name=fec pt={RAPTORQ_PAYLOAD} protected-packets={BLOCK_PKTS} "
    f"repair-packets={REPAIR_PKTS} repair-window={WINDOW_MS} symbol-size={SYMBOL_BYTES} "
    "fec.fec_0 ! queue ! both. fec.src ! both. rtpfunnel name=both ! rmcsink adapt-encoder=false "
    "renumber=false ")
RAPTORQ_MENDING = (
    f"{ARCSRC};application/x-rtp,media=application,payload={RAPTORQ_PAYLOAD},clock-rate=90000 ! "
    "rtpptdemux name=kinds "
    f"kinds.src_{RAPTORQ_PAYLOAD} ! capssetter join=false replace=true caps=\"application/x-rtp,"
    f"payload={RAPTORQ_PAYLOAD},clock-rate=90000,raptor-scheme-id=(string)6,"
    f"repair-window=(string){1000 * WINDOW_MS},t=(string){SYMBOL_BYTES}\" ! fec.fec_0 "
    "raptorqdec name=fec kinds.src_96 ! fec.sink fec.src ! rtpjitterbuffer name=buffer "
    "latency={latency} do-retransmission=true rtx-next-seqnum=false ! "
    "rtph264depay request-keyframe=true ! " + VIEW)
WEBRTC = f"{PAYLOADER} ! webrtcbin name=webrtc bundle-policy=max-bundle"

def srt(options=""):
    """Of both ends; the latency comes behind the uri, which sets all to its default."""
    return ("mpegtsmux alignment=7 ! srtsink name=control "
            f"uri=srt://:{{port}}?mode=listener{options} "
            "latency={latency} wait-for-connection=false sync=false async=false",
            f"srtsrc name=meter uri=srt://{{to}}:{{port}}?mode=caller{options} "
            "latency={latency} ! " + TS_VIEW)


# Rows of 5 and columns of 5 packets: two of FEC in five. What it cannot mend is asked for.
SRT_FILTER = "&packetfilter=fec%2Ccols%3A5%2Crows%3A5%2Clayout%3Aeven%2Carq%3Aonreq"

SENDERS = {sender.name: sender for sender in (
    PictureSender("arc", "gst-arc, at most 1.5 Mbit/s", rmcsink(MEDIA_BPS), REPAIRING,
                  encoder=lines.ENCODER),
    PictureSender("arc-fec", "gst-arc with FEC, at most 1.5 Mbit/s", PROTECTED, MENDING,
                  needs=("rtpulpfecenc", "capssetter"), encoder=lines.ENCODER),
    PictureSender("arc-raptorq", "gst-arc with RaptorQ, at most 1.5 Mbit/s", RAPTORQ,
                  RAPTORQ_MENDING, media_bps=MEDIA_BPS * 2 // 5,
                  needs=("raptorqenc", "capssetter"), asked=True),
    # Instead of keyframes a column of intra blocks that crosses the picture once a second.
    PictureSender("arc-refresh", "gst-arc with intra refresh", rmcsink(MEDIA_BPS), REPAIRING,
                  REFRESH_FRAMES, encoder=lines.ENCODER + " intra-refresh=true", asked=True),
    PictureSender("arc-refresh-only", "gst-arc with intra refresh, no keyframe asked for",
                  rmcsink(MEDIA_BPS), REPAIRING.replace(" ! rtpjitterbuffer", " request-keyframes="
                  "false ! rtpjitterbuffer").replace(" request-keyframe=true", ""),
                  REFRESH_FRAMES, encoder=lines.ENCODER + " intra-refresh=true", asked=True),
    PictureSender("arc-free", "gst-arc, as the link allows", rmcsink(FREE_BPS), REPAIRING,
                  encoder=lines.ENCODER),
    # A latency that the path decides, as of Chromium's jitter buffer; it begins with 300 ms.
    PictureSender("arc-adapt", "gst-arc with adapt-latency, at most 1.5 Mbit/s", rmcsink(MEDIA_BPS),
                  REPAIRING.replace(" ! rtpjitterbuffer", " adapt-latency=true max-latency="
                                    f"{MOST_LATENCY_MS}000000 ! rtpjitterbuffer").replace(
                                        "latency={latency}", "latency=300"),
                  encoder=lines.ENCODER, latency_ms=MOST_LATENCY_MS, asked=True),
    PictureSender("arc-norepair", "gst-arc without repair", rmcsink(MEDIA_BPS), PLAIN,
                  encoder=lines.ENCODER),
    # The sender listens, so that a receiver may come later.
    PictureSender("srt", "SRT", *srt(), KEYFRAMES_USUAL, needs=("srtsink",)),
    PictureSender("srt-fec", "SRT with its packet filter", *srt(SRT_FILTER), KEYFRAMES_USUAL,
                  needs=("srtsink",), asked=True),
    PictureSender("rist", "RIST", "mpegtsmux ! rtpmp2tpay ! ristsink name=control address={to} "
                  "port={port}",
                  "ristsrc name=meter address={here} port={port} receiver-buffer={latency} ! "
                  "rtpmp2tdepay ! " + TS_VIEW, KEYFRAMES_USUAL, needs=("ristsink",)),
    PictureSender("udp", "plain RTP", f"{RTP} ! udpsink host={{to}} port={{port}} sync=false "
                  "async=false", f"udpsrc address={{here}} port={{port}} caps={lines.RTP_CAPS} ! "
                  "rtpjitterbuffer name=buffer latency={latency} ! rtph264depay ! " + VIEW,
                  KEYFRAMES_USUAL, asked=True),
    PictureSender("webrtc-gcc", "webrtcbin, rtpgccbwe", WEBRTC, "",
                  needs=("rtpgccbwe", "nicesrc"), kind="call",
                  options=("--most", MEDIA_BPS, "--aux", f"rtpgccbwe min-bitrate={LEAST_BPS} "
                           f"max-bitrate={MEDIA_BPS} estimated-bitrate={MEDIA_BPS}")),
    PictureSender("chromium", "Chromium to Chromium (VP8)", "", "", kind="browser", asked=True),
)}
