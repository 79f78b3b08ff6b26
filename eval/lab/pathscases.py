# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The cases of eval/lab/severalpaths, and who sends in them."""

from dataclasses import dataclass

from picturesenders import ARCSRC, RTP, VIEW
from arcdemo import lines
from groups import DRIVES

PORT = 5004
FIRST_S, LAST_S = 8, 1  # until the rates are found; for the last frames
LATENCY_MS = 300
DRIVE_S = 60
SIX_DRIVES = ("1_run_14", "1_run_33", "2_run_42_2", "2_run_86", "3_run_51", "4_run_47")


@dataclass(frozen=True)
class Link:
    """drive: a part of eval/loop/drives.txt instead of the rate."""

    rate_mbps: float
    rtt_ms: float
    options: tuple = ()  # of linkemu
    drive: str = ""


@dataclass(frozen=True)
class PathsCase:
    """paths: of each path the number of its link. outages: (path, from s, for s), nothing passes;
    removed: the same of the sender's interface, which is gone. beside: other flows of ours on the
    first link. peers_bps: what a fixed sender makes that sends all twice, and one that shares."""

    name: str
    what: str
    links: tuple
    paths: tuple = (0, 1)
    outages: tuple = ()
    removed: tuple = ()
    beside: int = 0
    seconds: float = 30
    peers_bps: tuple = ()
    by: tuple = ("arc",)

    outage = ()

    @property
    def rtt_ms(self):
        return max(link.rtt_ms for link in self.links)

    def first_s(self):
        return FIRST_S

    def last_s(self):
        return self.seconds - LAST_S

    def sum_bps(self):
        return 1e6 * sum(link.rate_mbps for link in self.links) / (1 + self.beside)


TWO = (Link(2, 50), Link(2, 50))
BOUND = ("arc-bound", "arc-twice")
PEERS = ("arc", "arc-one", "rist-twice", "rist-shared", "srt")
CASES = {case.name: case for case in (
    PathsCase("one-of-3", "one link of 3", (Link(3, 50),), paths=(0,), by=("arc-one",)),
    PathsCase("2+1", "2 + 1", (Link(2, 50), Link(1, 50)), peers_bps=(700_000, 1_500_000), by=PEERS),
    PathsCase("20+80", "2 + 2, RTT 20 and 80 ms", (Link(2, 20), Link(2, 80)),
              peers_bps=(1_400_000, 2_800_000), by=PEERS),
    PathsCase("three", "1 + 1 + 1, RTT 30, 50 and 70 ms", (Link(1, 30), Link(1, 50), Link(1, 70)),
              paths=(0, 1, 2)),
    PathsCase("loss", "2 + 2, 5 % at random / 10 % in bursts, RTT 100 / 60 ms",
              (Link(2, 100, ("--loss", 0.05)), Link(2, 60, ("--burst-loss", "0.1:5"))),
              peers_bps=(1_400_000, 2_800_000), by=("arc", *BOUND, *PEERS[1:])),
    PathsCase("dies", "2 + 2, the second is silent from 14 s on", TWO, outages=((1, 14, 99),),
              peers_bps=(1_400_000, 2_800_000), by=("arc", *BOUND, "rist-twice")),
    PathsCase("returns", "2 + 2, the second is silent from 12 to 16 s", TWO,
              outages=((1, 12, 4),)),
    PathsCase("flaps", "2 + 2, the second is silent for each second 3 s", TWO,
              outages=tuple((1, second, 3) for second in (10, 16, 22)),
              peers_bps=(1_400_000, 2_800_000), by=("arc", *BOUND, "rist-twice")),
    PathsCase("removed", "2 + 2, the second interface is gone from 12 to 16 s", TWO,
              removed=((1, 12, 4),)),
    PathsCase("shared", "both over one link of 3, beside one flow", (Link(3, 50),), paths=(0, 0),
              beside=1),
    *(PathsCase(f"drive-{name}", f"drive {name}", tuple(
        Link(0, 60, drive=f"{DRIVES}#{name}.{who}.kbps") for who in ("att", "verizon")),
        seconds=DRIVE_S) for name in SIX_DRIVES))}


@dataclass(frozen=True)
class PathsSender:
    """send: behind the encoder; with {paths}, interfaces, and {addresses} of the receiver, a port
    each. bps: which of peers_bps is its bitrate; bound: its most."""

    name: str
    what: str
    send: str
    receive: str
    bps: int = None
    needs: tuple = ()
    one: bool = False  # by the first path alone
    bound: int = None

    def texts(self, case, head):
        """(sender, receiver)"""
        paths = range(1 if self.one else len(case.paths))
        words = {"paths": ",".join(f"p{path}" for path in paths), "port": PORT,
                 "addresses": ",".join(f"10.77.2.{path + 1}:{PORT + 2 * path}" for path in paths),
                 "latency": LATENCY_MS,
                 "most_bps": MOST_BPS if self.bound is None else case.peers_bps[self.bound]}
        bps = 1_000_000 if self.bps is None else case.peers_bps[self.bps]
        encoder = (lines.ENCODER if self.bps is None else lines.PEER_ENCODER.replace(
            "key-int-max=300", "key-int-max=60")).format(start_kbps=bps // 1000)
        return (head.format(encoder=encoder, caps="video/x-h264,profile=constrained-baseline",
                            decode="avdec_h264 max-threads=1") + " ! " + self.send.format(**words),
                self.receive.format(**words))


MOST_BPS = 60_000_000
ARC = RTP + " ! rmcsink name=control host={host} port={{port}} max-bitrate={{most_bps}}"
REPAIRED = (ARCSRC.format(here="10.77.2.{last}", port="{{port}}")
            + " ! rtpjitterbuffer name=buffer latency={{latency}} do-retransmission=true ! "
            "rtph264depay request-keyframe=true ! "
            + VIEW)
TS = "mpegtsmux alignment=7 ! "
TS_VIEW = f"tsdemux ! h264parse ! {VIEW}"
RIST = TS + ('rtpmp2tpay ! ristsink name=control bonding-addresses="{{addresses}}" '
             "bonding-method={method} sender-buffer=1000"),
RISTSRC = ('ristsrc name=meter bonding-addresses="{addresses}" receiver-buffer={latency} ! '
           "rtpmp2tdepay ! " + TS_VIEW)


def arc(name, what, more="", bound=None):
    """more: by all paths, with this."""
    last = 9 if more else 1
    return PathsSender(name, what, ARC.format(host=f"10.77.2.{last}") + more,
                       REPAIRED.format(last=last), one=not more, bound=bound)


SENDERS = {sender.name: sender for sender in (
    arc("arc", "gst-arc, all paths", ' paths="{paths}"'),
    arc("arc-bound", "gst-arc, all paths, at most RIST's rate", ' paths="{paths}"', bound=0),
    arc("arc-twice", "gst-arc, each packet by both, at most RIST's rate",
        ' paths="{paths}" path-mode=duplicate', bound=0),
    arc("arc-one", "gst-arc, the first path"),
    *(PathsSender(f"rist-{name}", f"RIST, {what}", RIST[0].format(method=method), RISTSRC, bps,
                  ("ristsink",)) for name, what, method, bps in (
        ("twice", "each packet by both", "broadcast", 0),
        ("shared", "packets in turn", "round-robin", 1))),
    PathsSender("srt", "SRT, the first path", TS + "srtsink name=control "
                "uri=srt://:{port}?mode=listener latency={latency} wait-for-connection=false "
                "sync=false async=false", "srtsrc name=meter "
                "uri=srt://10.77.1.1:{port}?mode=caller latency={latency} ! " + TS_VIEW,
                0, ("srtsink",), one=True))}
