# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Who may send: the commands of both ends of a flow."""

import os
import shlex
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PORT = 5000  # media; 5002 is RTCP's where it has a port of its own
CONSTANT_BPS = 800_000
MOST_BPS = 50_000_000
FORMER = os.environ.get("ARC_FORMER")  # a plugin folder
TWCC = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
CAPS = "application/x-rtp,media=(string)video,encoding-name=(string){name},payload=(int)96,clock-rate=(int)90000"
TWCC_CAPS = f",extmap-5=(string){TWCC},rtcp-fb-transport-cc=(boolean)true"
X264 = ("uridecodebin uri={uri} ! videoconvert ! videoscale ! videorate ! "
        "video/x-raw,format=I420,width=640,height=360,framerate=30/1,pixel-aspect-ratio=1/1 ! "
        "clocksync ! "
        "x264enc name=encoder tune=zerolatency speed-preset=superfast key-int-max=300 {vbv} "
        "option-string=scenecut=0 bitrate={kbps} ! "
        "rtph264pay config-interval=-1 aggregate-mode=zero-latency mtu=1200 ssrc={ssrc}")

# Of peers, which leave the encoder as it is: the bitrate holds over this time. rmcsink sets its own.
PEER_VBV = "vbv-buf-capacity=150"

RMCSINK = "rmcsink name=control host={to} port={port} min-bitrate={least} start-bitrate={start} {more}"
RTPGCCBWE = ("rtpgccbwe name=control min-bitrate={least} max-bitrate={most} estimated-bitrate={start} ! "
             "bin.send_rtp_sink_0 rtpbin name=bin rtp-profile=avpf bin.send_rtp_src_0 ! "
             "udpsink host={to} port={port} bind-address={here} sync=false async=false "
             "udpsrc address={here} port={rtcp} ! bin.recv_rtcp_sink_0 "
             "bin.send_rtcp_src_0 ! udpsink host={to} port={rtcp} bind-address={here} sync=false async=false")
UDPSINK = "udpsink host={to} port={port} sync=false async=false"
ARCSRC = ("arcsrc address={here} port={port} caps={caps} stats-interval=1000000000 ! "
          "fakesink sync=false async=false")
RTPBIN = ("rtpbin name=bin rtp-profile=avpf udpsrc address={here} port={port} caps={caps} ! bin.recv_rtp_sink_0 "
          "bin.recv_rtp_src_0_{ssrc}_96 ! fakesink sync=false async=false "
          "udpsrc address={here} port={rtcp} ! bin.recv_rtcp_sink_0 "
          "bin.send_rtcp_src_0 ! udpsink host={to} port={rtcp} bind-address={here} sync=false async=false")
UDPSRC = "udpsrc address={here} port={port} caps={caps} ! fakesink sync=false async=false"
# To a receiver that has a port of its own for RTCP.
RMCSINK_RTCP = (RMCSINK + " udpsrc address={here} port={rtcp} caps=application/x-rtcp ! "
                "control.recv_rtcp_sink")
SRTP_KEY = bytes(range(30)).hex()
RTCP_EACH_S = "rtpsession0::rtcp-min-interval=1000000000"
PION = "eval/peers/pion/build"


class Contender:
    """RTP through a pipeline. `more` goes to rmcsink. asked: not one of all, only where it is
    named."""

    def __init__(self, name, what, sink, source, more="", twcc=False, needs=None,
                 former=False, asked=False):
        self.name, self.what, self.sink, self.source = name, what, sink, source
        self.more, self.twcc, self.needs, self.former = more, twcc, needs, former
        self.asked = asked

    def missing(self, build):
        """What is not there, or None."""
        if self.former:
            there = FORMER and (Path(FORMER) / "libgstarc.so").exists()
            return None if there else "ARC_FORMER names no folder with a libgstarc.so"
        if self.needs is None or (self.plugin_folder(build) / "libgstrsrtp.so").exists():
            return None
        return f"run {self.needs}"

    @staticmethod
    def plugin_folder(build):
        return Path(os.environ.get("RTPGCCBWE", Path(build) / "eval/peers/rtpgccbwe/plugin"))

    def environment(self, build):
        path = [FORMER if self.former else f"{build}/gst"]
        path += [str(self.plugin_folder(build))] if self.needs else []
        registry = f"{build}/eval/lab/registry-{self.name.partition(':')[0]}.bin"
        return {"GST_PLUGIN_PATH_1_0": ":".join(path), "GST_REGISTRY_1_0": registry}

    def is_ours(self):
        return self.sink.startswith("rmcsink")

    def caps(self, encoding):
        return CAPS.format(name=encoding) + (TWCC_CAPS if self.twcc else "")

    def send(self, build, to, here, flow, times):
        """times: lab-sender's options for when and where to log."""
        constant = self.name == "constant"
        start = CONSTANT_BPS if constant else flow["start_bps"]
        most = CONSTANT_BPS if constant else flow["most_bps"]
        # The source of RFC 8593 has its own limit; rmcsink's is 50 Mbit/s unless it is told.
        limit = f" max-bitrate={flow['ceiling_bps']}" if flow["uri"] or most > MOST_BPS else ""
        sink = self.sink.format(to=to, here=here, port=PORT, rtcp=PORT + 2, start=start, least=flow["least_bps"],
                                most=max(most, MOST_BPS), more=self.more + limit)
        if flow["uri"]:
            head = X264.format(uri=shlex.quote(flow["uri"]), kbps=start // 1000, ssrc=flow["ssrc"],
                               vbv="" if self.is_ours() else PEER_VBV)
            head += f" ! {self.caps('H264')}" if self.twcc else ""
        else:
            caps = f'{self.caps("X-VIDEO")},ssrc=(uint){flow["ssrc"]}'
            head = f'appsrc name=source is-live=true format=time do-timestamp=true caps="{caps}"'
        return [f"{build}/eval/lab/lab-sender", "--least", str(min(flow["least_bps"], most)), "--most", str(most),
                "--start", str(start),
                "--seed", str(flow["seed"]), "--ssrc", str(flow["ssrc"]), *(["--twcc"] if self.twcc else []), *times,
                f"{head} ! {sink}"]

    def receive(self, _build, to, here, flow):
        caps = f'"{self.caps("H264" if flow["uri"] else "X-VIDEO")}"'
        source = self.source.format(to=to, here=here, port=PORT, rtcp=PORT + 2, caps=caps, ssrc=flow["ssrc"])
        # With messages, which tell of frames (metrics.py).
        return ["gst-launch-1.0", "-m" if "stats-interval" in source else "-q",
                *shlex.split(source)]


def arc_told_by(feedback, what):
    """rmcsink whose receiver sends a standard format."""
    source = ARCSRC.replace("arcsrc ", f"arcsrc feedback={feedback} ")
    return Contender(f"arc-{feedback}", f"rmcsink, {what}", RMCSINK, source,
                     twcc=feedback == "twcc", asked=True)


def arc_to_rtpbin(name, session, what):
    return Contender(name, f"rmcsink to a plain rtpbin, {what}", RMCSINK_RTCP,
                     RTPBIN.replace("rtp-profile=avpf", session), asked=True)


class PionContender(Contender):
    """rmcsink or Pion's Google congestion control, to arcsrc or Pion's receiver."""

    def __init__(self, sender, receiver, feedback, what, interval_ms=100):
        name = f"{sender}-{feedback}" if sender == receiver else f"{sender}-{receiver}-{feedback}"
        name += "" if interval_ms == 100 else f"-{interval_ms}"
        source = ARCSRC.replace("arcsrc ", f"arcsrc feedback={feedback} ")
        super().__init__(name, what, RMCSINK, source, twcc=feedback == "twcc", asked=True)
        self.sender, self.receiver, self.feedback = sender, receiver, feedback
        self.interval_ms = interval_ms  # of Pion's reports, 100 by default there

    @staticmethod
    def peer(build):
        return Path(build) / "eval/peers/pion/peer"

    def missing(self, build):
        return None if self.peer(build).exists() else f"run {PION}"

    def send(self, build, to, here, flow, times):
        if self.sender == "arc":
            return super().send(build, to, here, flow, times)
        if flow["uri"]:
            raise RuntimeError("Pion's sender has no encoder: leave --media out")
        most = flow["most_bps"]
        return [self.peer(build), "send", "-to", f"{to}:{PORT}", "-feedback", self.feedback,
                "-least", min(flow["least_bps"], most), "-most", most, "-start", flow["start_bps"],
                "-seed", flow["seed"], "-ssrc", flow["ssrc"], *times]

    def receive(self, build, to, here, flow):
        if self.receiver == "arc":
            return super().receive(build, to, here, flow)
        return [self.peer(build), "receive", "-listen", f"{here}:{PORT}",
                "-feedback", self.feedback, "-interval", f"{self.interval_ms}ms"]


class TcpContender:
    """The same frames through the kernel's TCP: one that does not fit into the socket's buffer is
    left out."""

    needs = None
    asked = False

    def __init__(self, control):
        self.name, self.control = f"tcp-{control}", control
        self.what = f"TCP {control}, as much of 1.5 Mbit/s as it takes"

    @staticmethod
    def missing(_build):
        return None

    @staticmethod
    def environment(_build):
        return {}

    def send(self, _build, to, _here, flow, times):
        options = dict(zip(times[::2], times[1::2]))
        command = [f"{ROOT}/eval/lab/tcpflow.py", "send", "--to", f"{to}:{PORT}", "--until", options["--stop-at"],
                   "--begin-at", options["--begin-at"], "--congestion", self.control, "--rate", str(flow["most_bps"])]
        return command + (["--pause", options["--pause"]] if "--pause" in options else [])

    @staticmethod
    def receive(_build, _to, here, _flow):
        return [f"{ROOT}/eval/lab/tcpflow.py", "sink", "--listen", f"{here}:{PORT}"]


CONTENDERS = {c.name: c for c in (
    Contender("arc", "rmcsink, profile live", RMCSINK, ARCSRC),
    Contender("arc-former", "rmcsink of another revision, built in the folder ARC_FORMER", RMCSINK,
              ARCSRC, former=True),
    Contender("arc-paper", "rmcsink, profile paper", RMCSINK, ARCSRC, more="profile=paper",
              asked=True),
    Contender("arc-srtp", "rmcsink and arcsrc with a key (SRTP)", RMCSINK,
              ARCSRC.replace("arcsrc ", f"arcsrc srtp-key={SRTP_KEY} "),
              more=f"srtp-key={SRTP_KEY}", asked=True),
    arc_told_by("ccfb", "feedback of RFC 8888"),
    arc_told_by("twcc", "transport-wide feedback"),
    arc_told_by("rr", "RTCP receiver reports"),
    Contender("rtpgccbwe", "Google congestion control of gst-plugins-rs", RTPGCCBWE, RTPBIN, twcc=True,
              needs="eval/peers/rtpgccbwe"),
    arc_to_rtpbin("arc-rtpbin", "rtp-profile=avp", "as it is"),
    arc_to_rtpbin("arc-rtpbin-1s", RTCP_EACH_S, "RTCP every second"),
    *(PionContender("arc", "pion", feedback, f"rmcsink to Pion's {feedback.upper()} receiver")
      for feedback in ("ccfb", "twcc", "rr")),
    *(PionContender("arc", "pion", feedback, f"the same, {feedback.upper()} every 25 ms", 25)
      for feedback in ("ccfb", "twcc")),
    *(PionContender("pion", receiver, feedback,
                    f"Google congestion control of Pion to {what}, {feedback.upper()}")
      for receiver, what in (("arc", "arcsrc"), ("pion", "Pion")) for feedback in ("ccfb", "twcc")),
    Contender("constant", f"udpsink, {CONSTANT_BPS // 1000} kbit/s", UDPSINK, UDPSRC),
    TcpContender("reno"), TcpContender("cubic"), TcpContender("bbr"))}


def contender(name):
    """By name; arc:PARAM=VALUE,.. is rmcsink with other controller-params (what a mechanism does:
    switch it off)."""
    base, _, params = name.partition(":")
    if base not in CONTENDERS or (params and base != "arc"):
        raise KeyError(name)
    if not params:
        return CONTENDERS[base]
    return Contender(name, f"rmcsink with {params}", RMCSINK, ARCSRC, more=f'controller-params="params,{params}"')
