# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Who calls whom over WebRTC, and with which commands."""

import os
import subprocess
from dataclasses import dataclass

import places  # noqa: F401
import chromium
import janus
import webrtcpeer
from arcdemo import lines
from contenders import CONTENDERS

TWCC = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
LEAST_BPS, START_BPS, CONSTANT_BPS = 150_000, 500_000, 800_000
# A packet of this payload and all its headers is smaller than 1300 bytes.
PAYLOADER = ("rtph264pay pt=96 config-interval=-1 aggregate-mode=zero-latency mtu=1200 ! "
             "application/x-rtp,media=(string)video,encoding-name=(string)H264,payload=(int)96,"
             f"clock-rate=(int)90000,extmap-1=(string){TWCC}")
# Until the call is there the source waits; the frames that it missed are not made up for. The test
# source gives two frames at once now and then.
PIPELINE = ("{source} ! queue leaky=downstream max-size-buffers=3 max-size-bytes=0 "
            "max-size-time=0 ! {encoder} name=encoder ! "
            "video/x-h264,profile=constrained-baseline ! "
            "{payloader} ! webrtcbin name=webrtc bundle-policy=max-bundle")
PARCBWE = f"rtparcbwe min-bitrate={LEAST_BPS} max-bitrate={{most}}"
PGCCBWE = (f"rtpgccbwe min-bitrate={LEAST_BPS} max-bitrate={{most}} "
           f"estimated-bitrate={START_BPS}")
CAMERA_S = 20  # Chromium begins the file anew then


@dataclass(frozen=True)
class Pair:
    """sender, receiver: "webrtcbin", "chromium", or "janus", an SFU with Chromium behind it. aux:
    the element of request-aux-sender. meter: what arcreceiver reports in webrtcbin's place. ccfb:
    webrtcbin's offer asks for RFC 8888."""

    name: str
    what: str
    sender: str
    receiver: str
    aux: str = ""
    rtx: bool = True
    options: tuple = ()  # more, of Chromium
    meter: str = ""
    ccfb: bool = False
    start_bps: int = START_BPS

    def ends(self):
        return self.sender, self.receiver

    def environment(self, build):
        return dict(os.environ, **CONTENDERS["rtpgccbwe"].environment(build))

    def missing(self, build):
        """What has to be installed or built, or None."""
        if "janus" in self.ends() and (why := janus.why_unavailable()):
            return why
        if {"chromium", "janus"} & set(self.ends()) and (why := chromium.why_unavailable()):
            return why
        if "webrtcbin" in self.ends() and not webrtcend_runs():
            return "apt-get install python3-gi gir1.2-gst-plugins-bad-1.0"
        elements = [("nicesrc", "apt-get install gstreamer1.0-nice")]
        if self.aux:
            factory = self.aux.split()[0]
            elements += [(factory, f"run {CONTENDERS['rtpgccbwe'].needs}"
                          if factory == "rtpgccbwe" else "build it")]
        for factory, remedy in elements if "webrtcbin" in self.ends() else []:
            if not has_element(factory, self.environment(build)):
                return f"there is no {factory}: {remedy}"
        return None

    def start_sender(self, lab, call):
        if self.sender == "chromium":
            return chromium.Chromium(lab, "sender", call.folder, self.options, call.camera,
                                     call.most_bps)
        ours = self.aux.startswith("rtparcbwe")
        line = lines.ENCODER if ours else lines.PEER_ENCODER
        encoder = line.format(start_kbps=self.start_bps // 1000)
        text = PIPELINE.format(source=call.source, encoder=encoder, payloader=PAYLOADER)
        options = ["--pipeline", text, "--most", call.most_bps,
                   *([] if self.rtx else ["--no-rtx"]),
                   *(["--ccfb"] if self.ccfb else [])]
        if self.aux:
            options += ["--aux", self.aux.format(most=call.most_bps)]
        return webrtcpeer.WebrtcPeer(lab, "sender", call.folder, options, call.environment)

    def start_receiver(self, lab, call):
        if self.receiver == "janus":
            return janus.Janus(lab, "receiver", call.folder)
        if self.receiver == "chromium":
            return chromium.Chromium(lab, "receiver", call.folder, self.options)
        options = [*(["--meter", self.meter] if self.meter else []),
                   *([] if self.rtx else ["--no-rtx"])]
        return webrtcpeer.WebrtcPeer(lab, "receiver", call.folder, options, call.environment)


def webrtcend_runs():
    return subprocess.run([webrtcpeer.PROGRAM, "--help"], check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def has_element(factory, environment):
    # Not --exists, which also wants the version of GStreamer; libnice has its own.
    return subprocess.run(["gst-inspect-1.0", factory], env=environment, check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


PAIRS = {pair.name: pair for pair in (
    Pair("rtparcbwe", "webrtcbin with rtparcbwe -> Chromium", "webrtcbin", "chromium", PARCBWE),
    Pair("rtparcbwe-8888", "the same with feedback by RFC 8888", "webrtcbin", "chromium", PARCBWE,
         options=(chromium.TRIAL_8888,), ccfb=True),
    Pair("rtparcbwe-janus", "webrtcbin with rtparcbwe -> Janus -> Chromium", "webrtcbin", "janus",
         PARCBWE),
    Pair("rtpgccbwe", "webrtcbin with rtpgccbwe -> Chromium", "webrtcbin", "chromium", PGCCBWE),
    Pair("rtpgccbwe-no-rtx", "the same without retransmission", "webrtcbin", "chromium", PGCCBWE,
         rtx=False),
    Pair("none", f"webrtcbin at {CONSTANT_BPS // 1000} kbit/s -> Chromium", "webrtcbin",
         "chromium", start_bps=CONSTANT_BPS),
    Pair("chromium", "Chromium -> Chromium (VP8)", "chromium", "chromium"),
    Pair("chromium-8888", "the same with feedback by RFC 8888", "chromium", "chromium",
         options=(chromium.TRIAL_8888,)),
    Pair("chromium-scream", "Chromium with SCReAM V2 -> Chromium (RFC 8888)", "chromium",
         "chromium", options=(chromium.TRIAL_SCREAM,)),
    Pair("chromium-webrtcbin", "Chromium -> webrtcbin (VP8)", "chromium", "webrtcbin"),
    Pair("chromium-webrtcbin-no-rtx", "the same without retransmission", "chromium", "webrtcbin",
         rtx=False),
    Pair("chromium-arcreceiver", "Chromium -> webrtcbin with arcreceiver's TWCC", "chromium",
         "webrtcbin", meter="twcc"),
    Pair("chromium-arcreceiver-8888", "Chromium -> webrtcbin with arcreceiver's RFC 8888",
         "chromium", "webrtcbin", options=(chromium.TRIAL_8888,), meter="ccfb"),
    Pair("chromium-scream-arcreceiver",
         "Chromium with SCReAM V2 -> webrtcbin with arcreceiver's RFC 8888", "chromium",
         "webrtcbin", options=(chromium.TRIAL_SCREAM,), meter="ccfb"),
    Pair("chromium-scream-arcreceiver-no-rtx", "the same without retransmission", "chromium",
         "webrtcbin", rtx=False, options=(chromium.TRIAL_SCREAM,), meter="ccfb"),
    Pair("webrtcbin", "webrtcbin with rtparcbwe -> webrtcbin", "webrtcbin", "webrtcbin", PARCBWE),
)}


def camera_file(folder, media, environment, seconds=CAMERA_S):
    """Footage or the test source as Chromium's camera takes it, made once."""
    length = "" if seconds == CAMERA_S else f"-{seconds:g}"
    name = folder / f"camera-{media.stem if media else 'test-source'}{length}.y4m"
    if not name.exists():
        source = lines.file_source(media) if media else lines.TEST_SOURCE.replace(
            "is-live=true", "is-live=false")
        part = name.with_suffix(".part")
        subprocess.run(f"gst-launch-1.0 -q {source} ! identity "
                       f"eos-after={round(seconds * lines.FRAMES_PER_S)} ! y4menc ! "
                       f"filesink location={part}", shell=True, check=True, env=environment)
        part.rename(name)
    return name


def joined_footage(folder, media, environment):
    """A file with all of them, one after the other; of none, the test source."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [camera_file(folder, each, environment) for each in media or [None]]
    if len(files) == 1:
        return files[0]
    joined = folder / f"camera-{'-'.join(each.stem for each in media)}.y4m"
    with open(joined, "wb") as out:
        for number, path in enumerate(files):
            with open(path, "rb") as file:
                head = file.readline()
                out.write(head if number == 0 else b"")
                while part := file.read(1 << 20):
                    out.write(part)
    return joined


