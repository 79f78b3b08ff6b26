# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Who sends the frames that are watched: the pipelines of both ends, and what they are called.

In eval/lab/picture all have the same camera and the same x264enc. The sender decodes its own stream
beside ("reference"), so that each frame has a digest to be recognised by (framelog.py). In
frametimes the encoder of gst-arc is x264enc as rmcsink sets it up; the peers, which set up none,
have that of picture, whose bitrate holds over 150 ms."""

import os
from dataclasses import dataclass, replace

import places  # noqa: F401
import chromium
from arcdemo import lines
from contenders import CONTENDERS
from framecases import CLEAN, by_name
from pairs import LEAST_BPS, PAYLOADER, has_element

PORT = 5004
MEDIA_BPS = 1_500_000
MOST_LATENCY_MS = 600
MOST_BPS, CLEAN_BPS = 12_000_000, 3_000_000  # so that the recorded links are the limit
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
class FrameSender:
    """send, receive: what comes behind the encoder, and the whole receiver; with {to}, {here},
    {port} and {latency} in ms, and what else words() has."""

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

    def on(self, case):
        """As it sends in that case."""
        return replace(self, send=self.send.replace(
            f"max-bitrate={MOST_BPS}", f"max-bitrate={CLEAN_BPS}")) if case is CLEAN else self

    def words(self, _case, _footage):
        """More that its pipelines name."""
        return {}

    def sender(self, **words):
        encoder = self.encoder.format(start_kbps=self.media_bps // 1000)
        encoder = encoder.replace("key-int-max=300", f"key-int-max={self.keyframes}")
        head = HEAD.format(encoder=encoder, caps=self.caps, decode=self.decode)
        return f"{head} ! {self.send.format(port=PORT, **words)}"

    def receiver(self, **words):
        return self.receive.format(port=PORT, **words)


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

PICTURE = by_name(
    FrameSender("arc", "gst-arc, at most 1.5 Mbit/s", rmcsink(MEDIA_BPS), REPAIRING,
                  encoder=lines.ENCODER),
    FrameSender("arc-fec", "gst-arc with FEC, at most 1.5 Mbit/s", PROTECTED, MENDING,
                  needs=("rtpulpfecenc", "capssetter"), encoder=lines.ENCODER),
    FrameSender("arc-raptorq", "gst-arc with RaptorQ, at most 1.5 Mbit/s", RAPTORQ,
                  RAPTORQ_MENDING, media_bps=MEDIA_BPS * 2 // 5,
                  needs=("raptorqenc", "capssetter"), asked=True),
    # Instead of keyframes a column of intra blocks that crosses the picture once a second.
    FrameSender("arc-refresh", "gst-arc with intra refresh", rmcsink(MEDIA_BPS), REPAIRING,
                  REFRESH_FRAMES, encoder=lines.ENCODER + " intra-refresh=true", asked=True),
    FrameSender("arc-refresh-only", "gst-arc with intra refresh, no keyframe asked for",
                  rmcsink(MEDIA_BPS), REPAIRING.replace(" ! rtpjitterbuffer", " request-keyframes="
                  "false ! rtpjitterbuffer").replace(" request-keyframe=true", ""),
                  REFRESH_FRAMES, encoder=lines.ENCODER + " intra-refresh=true", asked=True),
    FrameSender("arc-free", "gst-arc, as the link allows", rmcsink(FREE_BPS), REPAIRING,
                  encoder=lines.ENCODER),
    # A latency that the path decides, as of Chromium's jitter buffer; it begins with 300 ms.
    FrameSender("arc-adapt", "gst-arc with adapt-latency, at most 1.5 Mbit/s", rmcsink(MEDIA_BPS),
                  REPAIRING.replace(" ! rtpjitterbuffer", " adapt-latency=true max-latency="
                                    f"{MOST_LATENCY_MS}000000 ! rtpjitterbuffer").replace(
                                        "latency={latency}", "latency=300"),
                  encoder=lines.ENCODER, latency_ms=MOST_LATENCY_MS, asked=True),
    FrameSender("arc-norepair", "gst-arc without repair", rmcsink(MEDIA_BPS), PLAIN,
                  encoder=lines.ENCODER),
    # The sender listens, so that a receiver may come later.
    FrameSender("srt", "SRT", *srt(), KEYFRAMES_USUAL, needs=("srtsink",)),
    FrameSender("srt-fec", "SRT with its packet filter", *srt(SRT_FILTER), KEYFRAMES_USUAL,
                  needs=("srtsink",), asked=True),
    FrameSender("rist", "RIST", "mpegtsmux ! rtpmp2tpay ! ristsink name=control address={to} "
                  "port={port}",
                  "ristsrc name=meter address={here} port={port} receiver-buffer={latency} ! "
                  "rtpmp2tdepay ! " + TS_VIEW, KEYFRAMES_USUAL, needs=("ristsink",)),
    FrameSender("udp", "plain RTP", f"{RTP} ! udpsink host={{to}} port={{port}} sync=false "
                  "async=false", f"udpsrc address={{here}} port={{port}} caps={lines.RTP_CAPS} ! "
                  "rtpjitterbuffer name=buffer latency={latency} ! rtph264depay ! " + VIEW,
                  KEYFRAMES_USUAL, asked=True),
    FrameSender("webrtc-gcc", "webrtcbin, rtpgccbwe", WEBRTC, "",
                  needs=("rtpgccbwe", "nicesrc"), kind="call",
                  options=("--most", MEDIA_BPS, "--aux", f"rtpgccbwe min-bitrate={LEAST_BPS} "
                           f"max-bitrate={MEDIA_BPS} estimated-bitrate={MEDIA_BPS}")),
    FrameSender("chromium", "Chromium to Chromium (VP8)", "", "", kind="browser", asked=True))

# --- frametimes ---

ENCODER = "x264enc tune=zerolatency speed-preset=superfast"
START_BPS = 500_000
# What fits into 3 and 1 Mbit/s: headers of RTP take 4 %, those of SRT and MPEG-TS 12 %, and a frame
# may be larger than its share.
FAST_BPS, SLOW_BPS, SRT_BPS, SRT_FAST_BPS = 2_700_000, 900_000, 800_000, 2_400_000
BOUND_BPS = 2_800_000
SRT_LATENCY_MS = "80"


def plain(bps):
    return replace(PICTURE["udp"], name=f"udp-{bps / 1e6:g}", media_bps=bps,
                               what=f"udpsink, {bps / 1e6:g} Mbit/s", asked=False)


def timed_srt(bps):
    """Each frame waits for SRT's latency. It is chosen so that pictures come within the play-out
    delay; the default of 125 ms makes 225 of it."""
    made = PICTURE["srt"]
    return replace(
        made, name=f"srt-{bps / 1e6:g}", media_bps=bps, what=f"SRT, {bps / 1e6:g} Mbit/s",
        send=made.send.replace("{latency}", SRT_LATENCY_MS),
        receive=made.receive.replace("{latency}", SRT_LATENCY_MS))


ARC = FrameSender("arc", "gst-arc", f"{RTP} ! rmcsink name=control host={{to}} port={{port}} "
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
    made = replace(
        ARC, name=f"arc-{name}", what=f"gst-arc, {what}", send=ARC.send.replace(RTP, pay),
        receive=receive, encoder=encoder, decode=decode, asked=True,
        caps=f"video/x-{encoding.lower()}")
    yield made
    for option in former:
        yield replace(made, name=f"{made.name}-former", encoder=f"{encoder} {option}",
                                  what=f"{made.what} with {option}")


def bound(sender):
    """At what the fast udpsink sends, with headers."""
    return replace(
        sender, name=f"{sender.name}-bound", what=f"{sender.what}, at most 2.8 Mbit/s", asked=True,
        send=sender.send.replace(str(MOST_BPS), str(BOUND_BPS)))


FORMER = replace(ARC, name="arc-former", what="gst-arc, before", asked=True,
                             contender="arc-former")

TIMED = by_name(
    ARC, FORMER, bound(ARC), bound(FORMER),
    replace(
        PICTURE["webrtc-gcc"], media_bps=START_BPS,
        send=PICTURE["webrtc-gcc"].send.replace("rtph264pay", "rtph264pay name=payloader"),
        options=("--most", MOST_BPS, "--aux", f"rtpgccbwe min-bitrate={LEAST_BPS} "
                 f"max-bitrate={MOST_BPS} estimated-bitrate={START_BPS}")),
    plain(FAST_BPS), plain(SLOW_BPS), timed_srt(SRT_BPS),
    replace(timed_srt(SRT_FAST_BPS), asked=True),
    replace(PICTURE["chromium"], media_bps=MOST_BPS),
    *other("vp8", "vp8enc", "VP8", "vp8dec threads=1", "deadline=1 max-intra-bitrate=100000 "
           "buffer-size=495 buffer-initial-size=297 buffer-optimal-size=396"),
    *other("x265", "x265enc speed-preset=ultrafast", "H265", "avdec_h265 max-threads=1",
           "option-string=psy-rd=2.0"))

# --- playout ---


def keeps_time(name, what, latency_ms, options=""):
    """A sink that waits for the time of each frame, and shows a late one late."""
    receive = ARC.receive.replace(" sync=false", " sync=true signal-handoffs=true")
    receive = receive.replace("arcsrc ", f"arcsrc {options}").replace("{latency}", str(latency_ms))
    return replace(ARC, name=name, what=what, receive=receive)


PLAYOUT = by_name(
    keeps_time("static-200", "200 ms", 200), keeps_time("static-100", "100 ms", 100),
    keeps_time("static-50", "50 ms", 50),
    keeps_time("adaptive", "adapt-latency", 200, "adapt-latency=true "),
    keeps_time("adaptive-50", "adapt-latency, at most 50 ms", 50,
               "adapt-latency=true max-latency=50000000 "))

# --- scale, cameras ---

CAMERA = ("appsrc name={camera} is-live=true format=time leaky-type=downstream max-buffers=3 "
          "max-bytes=0 max-time=0 caps=video/x-raw,format=I420,width={width},height={height},"
          "framerate={fps},pixel-aspect-ratio=1/1 ! ")
X264 = "x264enc tune=zerolatency speed-preset=superfast key-int-max=300 ! rtph264pay "
PAY = "config-interval=-1 aggregate-mode=zero-latency mtu=1200 "
LIMITS = "rmcsink name=control host={to} port={port} start-bitrate=500000 max-bitrate=4000000 "
# A stream that a file can hold. Not from the depayloader: in this format rtph264depay of GStreamer
# 1.22 makes two frames of a keyframe of several slices, for rtph264pay with config-interval=-1
# repeats SPS and PPS before each slice.
UNITS = ("video/x-h264,stream-format=avc,alignment=au ! h264parse config-interval=-1 ! "
         "video/x-h264,stream-format=byte-stream,alignment=au ! identity name=unit ! ")
DEPAYLOADER = "rtph264depay request-keyframe=true ! "


@dataclass(frozen=True)
class Scaler(FrameSender):
    """send: what stands between the camera and the encoder; its line is that of
    examples/pipelines/scaled-send.launch."""

    def sender(self, **words):
        line = f"{CAMERA}{self.send}{X264}name=payloader {PAY}! {LIMITS}"
        return line.format(camera="camera", port=PORT, **words)

    def words(self, _case, footage):
        return {"width": footage.width, "height": footage.height, "fps": footage.fps}


SCALE = by_name(*(Scaler(*texts, REPAIRING.replace(
    DEPAYLOADER, DEPAYLOADER.replace("depay ", "depay name=depayloader ") + UNITS)) for texts in (
        ("arcscale", "with arcscale", "arcscale name=scale ! "), ("plain", "without", ""),
        ("thresholds", "with webrtcsink's thresholds",
         "videoscale ! videorate drop-only=true ! capsfilter name=thresholds ! "))))


class TwoCameras(Scaler):
    def sender(self, **words):
        text = f"rampscheduler name=scheduler ! {LIMITS}".format(port=PORT, **words)
        for number, footage in enumerate(words["footage"], 1):
            text += (f"{CAMERA}arcscale name={{scale}} ! {X264}{PAY}ssrc={number} "
                     "! scheduler. ").format(**super().words(None, footage), **(
                         {"camera": "camera2", "scale": "scale2"} if number == 2 else
                         {"camera": "camera", "scale": "scale"}))
        return text

    def words(self, _case, footage):
        return {"footage": footage}


CAMERAS = by_name(TwoCameras(
    "arcscale", "each with arcscale", "", "arcsrc name=meter address={here} port={port} "
    "caps=application/x-rtp ! rtpssrcdemux name=demux " + "".join(
        f"demux.src_{ssrc} ! capssetter caps=application/x-rtp,media=video,encoding-name=H264,"
        "payload=96,clock-rate=90000 ! rtpjitterbuffer latency=300 do-retransmission=true "
        "rtx-next-seqnum=false ! rtph264depay request-keyframe=true ! avdec_h264 max-threads=1 "
        f"! fakesink name={view} sync=false async=false "
        for ssrc, view in ((1, "view"), (2, "view2")))))

# --- severalpaths ---

PATHS_MOST_BPS = 60_000_000
ALL_PATHS = ' paths="{paths}"'


@dataclass(frozen=True)
class PathsSender(FrameSender):
    """send: with {paths}, interfaces, {addresses} of the receiver, a port each, and {most_bps}.
    fixed: which of the case's peers_bps is its bitrate; bound: its most."""

    fixed: int = None
    bound: int = None
    one: bool = False  # by the first path alone

    def on(self, case):
        return self if self.fixed is None else replace(self, media_bps=case.peers_bps[self.fixed])

    def words(self, case, _footage):
        paths = range(1 if self.one else len(case.paths))
        return {"paths": ",".join(f"p{path}" for path in paths),
                "addresses": ",".join(f"10.77.2.{path + 1}:{PORT + 2 * path}" for path in paths),
                "most_bps": PATHS_MOST_BPS if self.bound is None else case.peers_bps[self.bound]}


def arc_by(name, what, more="", bound=None):
    """more: by all paths, with this."""
    last = 9 if more else 1
    return PathsSender(
        name, what, f"{RTP} ! rmcsink name=control host=10.77.2.{last} port={{port}} "
        f"max-bitrate={{most_bps}}{more}", REPAIRING.replace("{here}", f"10.77.2.{last}").replace(
            " rtx-next-seqnum=false", ""), media_bps=1_000_000, encoder=lines.ENCODER,
        bound=bound, one=not more)


def rist_by(name, what, method, fixed):
    return PathsSender(
        f"rist-{name}", f"RIST, {what}", "mpegtsmux alignment=7 ! rtpmp2tpay ! ristsink "
        f'name=control bonding-addresses="{{addresses}}" bonding-method={method} '
        "sender-buffer=1000", 'ristsrc name=meter bonding-addresses="{addresses}" '
        "receiver-buffer={latency} ! rtpmp2tdepay ! " + TS_VIEW, KEYFRAMES_USUAL,
        needs=("ristsink",), fixed=fixed)


PATHS = by_name(
    arc_by("arc", "gst-arc, all paths", ALL_PATHS),
    arc_by("arc-bound", "gst-arc, all paths, at most RIST's rate", ALL_PATHS, 0),
    arc_by("arc-twice", "gst-arc, each packet by both, at most RIST's rate",
           f"{ALL_PATHS} path-mode=duplicate", 0),
    arc_by("arc-one", "gst-arc, the first path"),
    rist_by("twice", "each packet by both", "broadcast", 0),
    rist_by("shared", "packets in turn", "round-robin", 1),
    PathsSender("srt", "SRT, the first path", PICTURE["srt"].send,
                PICTURE["srt"].receive.replace("{to}", "10.77.1.1"), KEYFRAMES_USUAL,
                needs=("srtsink",), fixed=0, one=True))
