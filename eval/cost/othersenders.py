# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""CPU time a packet of four senders and their receivers, each end a process of its own."""

import socket
import statistics
import subprocess
import time
from functools import partial

from mdtable import table

RATES = (1_000_000, 5_000_000, 20_000_000, 100_000_000, 500_000_000)
BYTES, FPS = 1228, 30
SKIP_S = 3                      # until a sender that adapts knows its path
CAPS = "application/x-rtp,media=video,encoding-name=X-TEST,payload=96,clock-rate=90000"
FAKESINK = "fakesink sync=false async=false"
RMC = "start-bitrate={room} max-bitrate={room} min-bitrate={least} adapt-encoder=false sync=true"
ARCSRC = f"arcsrc address=127.0.0.1 port={{port}} caps={CAPS} ! {FAKESINK}"

# name: sink, properties, receiver
CONTENDERS = {
    "udpsink": ("udpsink", "sync=true", f"udpsrc port={{port}} caps={CAPS} ! {FAKESINK}"),
    "rtpbin ! udpsink": (
        "rtpbin", "", f"rtpbin name=b udpsrc port={{port}} caps={CAPS} ! b.recv_rtp_sink_0 "
        f"b. ! {FAKESINK}"),
    "srtsink": ("srtsink", "sync=true wait-for-connection=true",
                f"srtsrc uri=srt://127.0.0.1:{{port}}?mode=listener ! {FAKESINK}"),
    "rmcsink": ("rmcsink", RMC, ARCSRC),
}
# One more of ours: it keeps no packets to send them again, and so works with fewer buffers.
NO_REPAIR = ("rmcsink", f"{RMC} rtx-time=0", ARCSRC)


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def run(bench, name, rate, build=None):
    sink, properties, receiver = CONTENDERS.get(name, NO_REPAIR)
    port = free_port()
    listener = subprocess.Popen(["gst-launch-1.0", "-q", *receiver.format(port=port).split()],
                                env=bench.environment(build or bench.build))
    try:
        time.sleep(1)
        for word, bps in (("{room}", int(1.1 * rate)), ("{least}", rate // 2)):
            properties = properties.replace(word, str(bps))
        found = bench.run(sink, "list", properties, rate, "--port", str(port), "--bytes",
                          str(BYTES), "--fps", str(FPS), "--skip", str(SKIP_S), "--peer",
                          str(listener.pid), seconds=SKIP_S + bench.seconds, build=build)
        found["receiver_ns_per_packet"] = found["peer_s"] * 1e9 / found["packets"]
    finally:
        listener.terminate()
        listener.wait()
    return found


def measure(bench, repeats, rates=RATES, builds=None):
    """{rate: {name: [a row a repeat]}}, the contenders taking turns; builds: {name: folder} of more
    senders that are rmcsink."""
    more = {f"rmcsink, {name}": partial(run, bench, "rmcsink", build=folder)
            for name, folder in (builds or {}).items()}
    runs = {name: partial(run, bench, name) for name in (*CONTENDERS, "rmcsink, rtx-time=0")} | more
    found = {str(rate): {name: [] for name in runs} for rate in rates}
    for _ in range(repeats):
        for rate in rates:
            for name, make in runs.items():
                found[str(rate)][name].append(make(rate=rate))
    return found


def us(rows, key="ns_per_packet"):
    return f"{statistics.median(r[key] for r in rows) / 1e3:.1f}"


def ratio(rows, others, key="ns_per_packet"):
    """Of each repeat, so that what else the machine does then meets both."""
    found = [r[key] / o[key] for r, o in zip(rows, others)]
    return f"{statistics.median(found):.2f} ({min(found):.2f} to {max(found):.2f})"


def lines(cases, repeats):
    ours = list(next(iter(cases.values())))[3:]
    senders = table(
        ["Mbit/s", *(f"{name}, us" for name in next(iter(cases.values()))),
         *(f"{name} / {peer}" for name in ours for peer in list(CONTENDERS)[1:3]),
         "switches a packet of rmcsink"],
        ([f"{int(rate) // 10**6}", *(us(rows) for rows in case.values()),
          *(ratio(case[name], case[peer]) for name in ours for peer in list(CONTENDERS)[1:3]),
          f"{statistics.median(r['switches_per_packet'] for r in case['rmcsink']):.2f}"]
         for rate, case in cases.items()))
    receivers = table(
        ["Mbit/s", "udpsrc, us", "rtpbin, us", "srtsrc, us", "arcsrc, us", "arcsrc / rtpbin"],
        ([f"{int(rate) // 10**6}",
          *(us(case[name], "receiver_ns_per_packet") for name in CONTENDERS),
          ratio(case["rmcsink"], case["rtpbin ! udpsink"], "receiver_ns_per_packet")]
         for rate, case in cases.items()))
    return [
        "## Beside other senders", "",
        f"CPU time of the whole process for each packet of {BYTES} bytes on the network: frames of "
        f"{FPS} a second as buffer lists (`list` of eval/cost/cost.c), over loopback, each end a "
        f"process of its own, from {SKIP_S} s after the beginning on. Medians of {repeats} runs; a "
        "ratio is that of one turn, with the least and the greatest. rmcsink adapts (law `arc`), "
        "with `max-bitrate` 10 % above the media.", "", senders, "",
        "The receivers of the same runs:", "", receivers]
