# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The viewers of eval/ladder/live behind the SFU Janus with simulcast.

The publisher, Janus, the links and the viewers share a namespace. A viewer's answer names the link
as its only candidate, and Janus' offer comes to it without candidates, so all between the two goes
over the link. Janus never changes a viewer's encoding by itself as long as packets of it come from
the publisher: what a viewer gets is what the application says. ladder-crowd must have been built
with gstreamer-webrtc-1.0.

    janus-top     says nothing: the top encoding, which is what Janus has by default
    janus-mean    says once which encoding the mean of the viewer's link carries
    janus-told    says it each time the link changes, at once and without an error: no application
                  knows that
"""

import base64
import re
import subprocess
import sys
import time
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[1] / "lab")]
import janus  # noqa: E402
from call import only_one_address  # noqa: E402
from netns import Lab  # noqa: E402

WAYS = ("janus-top", "janus-mean", "janus-told")
MBPS = (0.15, 0.5, 2.5)         # as in laddercrowd.c
HEADERS = 1.1                   # of IP, UDP, RTP and SRTP, and what an encoder is above its bitrate
SSRC = 1001                     # laddersfu.h
SETUP_S = 12                    # until then links carry SETUP_MBPS
SETUP_MBPS = 20
LINK_PORT = 20000
END = "sender"                  # of the lab
TICK_S = 0.2


def layer_of(mbps):
    return max([n for n, rate in enumerate(MBPS) if rate * HEADERS <= mbps], default=0)


def mean_of(trace, seconds):
    ends = [at for at, _ in trace[1:]] + [seconds]
    return sum(rate * (end - at) for (at, rate), end in zip(trace, ends)) / seconds


def as_simulcast(sdp):
    """The description of one stream as one of three SSRCs."""
    lines = sdp.splitlines()
    own = [line for line in lines if line.startswith(f"a=ssrc:{SSRC} ")]
    if not own:
        raise janus.BrowserError("the publisher's offer names no SSRC")
    ssrcs = [str(SSRC + n) for n in range(len(MBPS))]
    at = lines.index(own[0])
    lines = [line for line in lines if not line.startswith("a=ssrc")]
    lines[at:at] = [f"a=ssrc-group:SIM {' '.join(ssrcs)}"] + [
        line.replace(str(SSRC), ssrc, 1) for ssrc in ssrcs for line in own]
    return "\r\n".join(lines) + "\r\n"


def without_candidates(sdp):
    return re.sub(r"^a=(candidate:|end-of-candidates).*\r?\n", "", sdp, flags=re.MULTILINE)


class Crowd:
    """ladder-crowd, which is the publisher and the viewers."""

    def __init__(self, lab, command, environment):
        self.job = lab.start(END, [*janus.PRIORITY, *command], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, text=True, env=environment)

    def say(self, *words):
        print(*words, file=self.job.stdin, flush=True)

    def tell(self, what, name, sdp):
        self.say(what, name, base64.b64encode(sdp.encode()).decode())

    def hear(self, name):
        """The description that this peer makes."""
        for line in self.job.stdout:
            words = line.split()
            if words[1:2] == [name]:
                return base64.b64decode(words[2]).decode()
        raise janus.BrowserError("ladder-crowd has ended")


class Viewers:
    def __init__(self, lab, args, traces, crowd):
        self.lab, self.args, self.traces, self.crowd = lab, args, traces, crowd
        self.began_s = time.monotonic() + SETUP_S

    def start_link(self, number, to):
        left_s = self.began_s - time.monotonic()
        steps = [f"0:{SETUP_MBPS}M"] + [f"{left_s + at:.3f}:{rate:.3f}M"
                                        for at, rate in self.traces[number]]
        self.lab.start(END, [self.args.build / "tools" / "linkemu" / "linkemu", "--delay=25",
                             "--queue=300ms", f"--trace={','.join(steps)}", f"--to={to}",
                             f"--listen={self.lab.address(END)}:{LINK_PORT + number}"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def answer(self, number, offer):
        self.crowd.tell("offer", str(number), without_candidates(offer))
        sdp = self.crowd.hear(str(number))
        address, port = re.search(r"^a=candidate:\S+ 1 UDP \d+ ([\d.]+) (\d+) typ host", sdp,
                                  re.MULTILINE).groups()
        self.start_link(number, f"{address}:{port}")
        here = f"a=candidate:1 1 UDP 2122317823 {address} {LINK_PORT + number} typ host\r\n"
        return without_candidates(sdp).rstrip("\r\n") + "\r\n" + here


def follow(sfu, viewers, handles, way, seconds):
    """Until the run is over."""
    told = {}
    while (now_s := time.monotonic() - viewers.began_s) < seconds + 1:
        for number, handle in enumerate(handles if way == "janus-told" else ()):
            rate = [rate for at, rate in viewers.traces[number] if at <= max(now_s, 0)][-1]
            layer = layer_of(rate)
            if told.get(number) != layer:
                told[number] = layer
                sfu.request(handle, {"request": "configure", "streams": [
                    {"mid": "0", "substream": layer}]})
        sfu.keep()
        time.sleep(TICK_S)


def run(args, way, traces, command, environment):
    """What ladder-crowd prints of the viewers."""
    if why := janus.why_unavailable():
        raise janus.BrowserError(why)
    seconds = int(args.seconds)
    args.out.mkdir(parents=True, exist_ok=True)
    with Lab("--rate=1000M") as lab:
        only_one_address(lab)
        sfu = janus.Sfu(lab, END, args.out)
        crowd = Crowd(lab, command, environment)
        offer = as_simulcast(crowd.hear("publisher"))
        crowd.tell("answer", "publisher", sfu.publish(offer))
        sfu.wait_for_media()
        viewers = Viewers(lab, args, traces, crowd)
        handles = []
        for number, trace in enumerate(traces):
            layer = {} if way == "janus-top" else {"substream": layer_of(
                mean_of(trace, seconds) if way == "janus-mean" else trace[0][1])}
            handles.append(sfu.subscribe(lambda sdp, n=number: viewers.answer(n, sdp),
                                         mid=re.search(r"^a=mid:(\S+)", offer, re.MULTILINE)[1],
                                         **layer))
        if time.monotonic() > viewers.began_s:
            raise janus.BrowserError(f"{SETUP_S} s are too short for {len(traces)} viewers")
        print(f"{way}: {viewers.began_s - time.monotonic():.0f} s are left", file=sys.stderr)
        time.sleep(viewers.began_s - time.monotonic())
        crowd.say("begin")
        follow(sfu, viewers, handles, way, seconds)
        said = crowd.job.stdout.read()
        sfu.close()
    return said
