# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Two cameras and a microphone under ARC over an emulated link, through rampscheduler and through
rtpfunnel, in real time; the link has 3, 1 and 3 Mbit/s for a third of the time each.

The way of a sound packet in parts: into the joining element, out of it, out of rmcsink's socket
(the kernel's stamp at a tap, which relays to the link), out of arcsrc. `added` is the first to the
third. `network`: of every packet of media, what the rest takes over the link's 20 ms."""

import multiprocessing
import os
import select
import socket
import struct
import subprocess
import time

from mdtable import table

PORT = 5890
TRACE = "0:3M,{a}:1M,{b}:3M"
DELAY_MS = 20
SO_TIMESTAMPNS = 35
AUDIO = 3
P99 = 4                         # column of audio's added delay
X264 = ("x264enc tune=zerolatency speed-preset=ultrafast key-int-max=90 vbv-buf-capacity=500 ! "
        "rtph264pay aggregate-mode=zero-latency config-interval=-1 mtu=1200")
SEND = ("{joiner} name=j {weights} ! rmcsink name=sink host={host} port={port} "
        "videotestsrc is-live=true pattern=snow ! video/x-raw,width=320,height=240,framerate=30/1 ! " + X264 + " ssrc=1 ! j.sink_0 "
        "videotestsrc is-live=true horizontal-speed=5 ! video/x-raw,width=320,height=240,framerate=30/1 ! " + X264 + " ssrc=2 ! j.sink_1 "
        "audiotestsrc is-live=true samplesperbuffer=960 ! audio/x-raw,rate=48000 ! opusenc bitrate=32000 ! rtpopuspay ssrc=3 ! j.sink_2")
RUNS = (("rtpfunnel", "rtpfunnel", ""), ("rampscheduler", "rampscheduler", ""),
        ("rampscheduler, weight 3 for camera 1", "rampscheduler", "sink_0::weight=3"),
        ("the same, at most 1 Mbit/s each", "rampscheduler", "sink_0::weight=3 sink_0::max-bitrate=1000000 sink_1::max-bitrate=1000000"))


def key(head):
    """SSRC and sequence number of an RTP packet; None for RTCP."""
    return (int.from_bytes(head[8:12], "big"), int.from_bytes(head[2:4], "big")) if not 192 <= head[1] <= 223 else None


def tap(listen, to, connection):
    """Relays both ways, notes when each RTP packet came; until the parent says so."""
    family = socket.AF_INET6 if ":" in listen[0] else socket.AF_INET
    near, far = (socket.socket(family, socket.SOCK_DGRAM) for _ in range(2))
    near.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    near.bind(listen)
    far.connect(to)
    sender, log = None, []
    while not connection.poll():
        for s in select.select([near, far], [], [], 0.1)[0]:
            try:
                data, control, _, address = s.recvmsg(2048, 64)
            except ConnectionRefusedError:
                continue
            if s is far and sender:
                near.sendto(data, sender)
            elif s is near:
                sender = address
                far.send(data)
                if key(data):
                    log.append((key(data), *struct.unpack("qq", control[0][2])))
    connection.send({k: s + ns * 1e-9 for k, s, ns in log})


def watch(Gst, pad, log, frames):
    """Of packets when and how large, of frames when the first and the last of their packets, and
    whether that ends the frame."""
    def probe(_, info):
        now = time.time()
        buffer = info.get_buffer()
        head = buffer.extract_dup(0, 12)
        log[key(head)] = (now, buffer.get_size())
        frame = head[4:12]
        frames[frame] = (frames.get(frame, (now,))[0], now, head[1] & 0x80)
        return Gst.PadProbeReturn.OK
    pad.add_probe(Gst.PadProbeType.BUFFER, probe)


def play(Gst, args, joiner, weights, port=PORT):
    host = "::1" if args.ipv6 else "127.0.0.1"
    bracketed = f"[{host}]" if args.ipv6 else host
    third = args.seconds // 3
    link = subprocess.Popen([str(args.build / "tools" / "linkemu" / "linkemu"), f"--listen={bracketed}:{port + 1}",
                             f"--to={bracketed}:{port + 2}", f"--trace={TRACE.format(a=third, b=2 * third)}", f"--delay={DELAY_MS}",
                             "--start-on-traffic", f"--overhead={48 if args.ipv6 else 28}", f"--duration={args.seconds + 3}"],
                            stdout=subprocess.DEVNULL)
    ours, theirs = multiprocessing.Pipe()
    tapping = multiprocessing.Process(target=tap, args=((host, port), (host, port + 1), theirs))
    tapping.start()
    receiver = Gst.parse_launch(f"arcsrc name=source address={host} port={port + 2} caps=application/x-rtp ! fakesink sync=false async=false")
    sender = Gst.parse_launch(SEND.format(joiner=joiner, weights=weights, host=host, port=port))
    came, left, got = {}, {}, {}
    made, shown = {}, {}
    watch(Gst, receiver.get_by_name("source").get_static_pad("src"), got, shown)
    watch(Gst, sender.get_by_name("j").get_static_pad("src"), left, {})
    for pad in sender.get_by_name("j").sinkpads:
        watch(Gst, pad, came, made)
    receiver.set_state(Gst.State.PLAYING)
    sender.set_state(Gst.State.PLAYING)
    time.sleep(args.seconds)
    sender.set_state(Gst.State.NULL)
    time.sleep(0.5)
    receiver.set_state(Gst.State.NULL)
    ours.send(True)
    departed = ours.recv()
    tapping.join()
    link.wait()
    return came, left, departed, got, made, shown


def percentiles(values, ps):
    ordered = sorted(values) or [float("nan")]
    return [f"{1e3 * ordered[min(int(len(ordered) * p), len(ordered) - 1)]:.1f}" for p in ps]


def frame_delays(args, ssrc, begin, made, shown):
    """From the first packet's way into the joining element to the last one's out of arcsrc; and the
    frames that never came."""
    of = {f: first for f, (first, _, _) in made.items() if int.from_bytes(f[4:], "big") == ssrc and first < begin + args.seconds - 1}
    whole = [shown[f][1] - first for f, first in of.items() if f in shown and shown[f][2]]
    return percentiles(whole, (0.5, 0.95)) + [f"{len(of) - len(whole)} of {len(of)}"]


def rows(args, came, left, departed, got, made, shown):
    """The row of delays, that of rates, that of pictures. Numbers are the same all along:
    renumbering needs drops, which a microphone has not."""
    # What the last moments left in queues is nobody's loss.
    begin = min(t for t, _ in came.values())
    sound = {k: t for k, (t, _) in came.items() if k[0] == AUDIO and t < begin + args.seconds - 1}
    arrived = [k for k in sound if k in got]
    joiner, sink, added = zip(*((left[k][0] - sound[k], departed[k] - left[k][0], departed[k] - sound[k])
                                for k in arrived if k in left and k in departed))
    network = [got[k][0] - t - DELAY_MS * 1e-3 for k, t in departed.items() if k in got]
    delays = percentiles(joiner, (0.99,)) + percentiles(sink, (0.99,)) + percentiles(added, (0.5, 0.95, 0.99, 1)) + \
        percentiles(network, (0.5, 0.95, 0.99, 1)) + [f"{len(sound) - len(arrived)} of {len(sound)}"]
    rates = []
    for third in range(3):
        low, high = (begin + args.seconds * (third + part) / 3 for part in (0.2, 1))
        for ssrc in (1, 2, AUDIO):
            bits = sum(8 * size for (s, _), (t, size) in got.items() if s == ssrc and low <= t < high)
            rates.append(f"{bits / (high - low) / 1e3:.0f}")
    return delays, rates, frame_delays(args, 1, begin, made, shown) + frame_delays(args, 2, begin, made, shown)


HEADS = (
    ("joined by", "in it, p99, ms", "in rmcsink, p99", "added p50", "p95", "p99", "most",
     "network p50", "p95", "p99", "most", "audio lost"),
    ("joined by", *(f"{phase}{who}" for phase in ("3 Mbit/s: ", "1 Mbit/s: ", "3 Mbit/s: ")
                    for who in ("camera 1, kbit/s", "camera 2", "audio"))),
    ("joined by", *(f"{camera}{what}" for camera in ("camera 1: ", "camera 2: ")
                    for what in ("frame's delay p50, ms", "p95", "not shown"))))


def run(args):
    os.environ.setdefault("GST_PLUGIN_PATH_1_0", str(args.build / "gst"))
    import gi  # pylint: disable=import-outside-toplevel
    gi.require_version("Gst", "1.0")
    from gi.repository import Gst  # pylint: disable=import-outside-toplevel
    Gst.init(None)
    runs = {name: [] for name, joiner, _ in RUNS if args.only in joiner}
    for _ in range(args.runs):
        for name, joiner, weights in RUNS:
            if name in runs:
                runs[name].append(rows(args, *play(Gst, args, joiner, weights)))
    medians = {name: sorted(each, key=lambda tables: float(tables[0][P99]))[len(each) // 2]
               for name, each in runs.items()}
    for i, head in enumerate(HEADS):
        print(table(head, ([name, *of[i]] for name, of in medians.items())), end="\n\n")
