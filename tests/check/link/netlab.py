#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The kernel's TCP between two network namespaces with the emulator between them, in real time.

Usage: netlab.py LAB_FOLDER, with the emulator in $LINKEMU. Skipped, with the reason, where the machine permits no
namespaces; as root and as an ordinary user the ways to them differ.
"""

import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from quiet import Claim, judge  # pylint: disable=wrong-import-position

SKIPPED = 77
RATE_BPS = 10e6
RTT_MS = 50
QUEUE_MS = 100
QUEUE_PKTS = 100  # of a full MTU; that many fit and some
SECONDS = 4
SLACK_MS = 30
PORT = 5001
LONG_S = 1000 + os.getpid() % 1000  # like no other sleep of the machine
SLEEP = f"sleep\0{LONG_S}\0".encode()

CONNECT_TIMES_MS = """
import socket, sys, time
for text in sys.argv[1:]:
    host, _, port = text.rpartition(":")
    times = []
    for _ in range(5):
        begin = time.monotonic()
        socket.create_connection((host, int(port))).close()
        times.append(time.monotonic() - begin)
    print(min(times) * 1000)
"""


def rows(file):
    with open(file, newline="", encoding="ascii") as text:
        return list(csv.DictReader(text))


def start_sink(lab, tcpflow, addresses, *more):
    listen = [word for address in addresses for word in ("--listen", f"{address}:{PORT}")]
    sink = lab.start("receiver", [*tcpflow, "sink", *listen, *more], stderr=subprocess.PIPE, text=True)
    if "ready" not in sink.stderr.readline():
        raise RuntimeError("no sink")


def send(lab, tcpflow, *more):
    to = f"{lab.address('receiver')}:{PORT}"
    lab.run("sender", [*tcpflow, "send", "--to", to, "--duration", str(SECONDS), *more], check=True,
            timeout=SECONDS + 60)


def bulk_claims(netns, tcpflow, folder):
    sunk, sent, packets = (folder / name for name in ("sink.csv", "send.csv", "packets.csv"))
    with netns.Lab("--rate", "10M", "--delay", "25", "--queue", f"{QUEUE_MS}ms", "--packets", packets) as lab:
        start_sink(lab, tcpflow, [lab.address("receiver")], "--log", str(sunk))
        send(lab, tcpflow, "--congestion", "cubic", "--log", str(sent))
    logged = rows(packets)
    received = [int(row["bytes"]) for row in rows(sunk)][-SECONDS * 10 // 2:]
    share = sum(received) * 8 / (len(received) * 0.1) / RATE_BPS
    rtts = [float(row["srtt_ms"]) for row in rows(sent)]
    yield Claim(f"TCP takes the link: {share:.3f}", 0.8 <= share <= 1.01, timed=True)
    yield Claim(f"no RTT is below the propagation delay: {min(rtts):.1f} ms", min(rtts) >= RTT_MS)
    yield Claim(f"the RTT begins at the propagation delay: {rtts[0]:.1f} ms", rtts[0] <= RTT_MS + SLACK_MS, timed=True)
    yield Claim(f"and ends with the queue: {max(rtts):.1f} ms",
                RTT_MS + 30 <= max(rtts) <= RTT_MS + QUEUE_MS + SLACK_MS, timed=True)
    longest_ms = max(float(row["queue_delay_ms"]) for row in logged if row["queue_delay_ms"])
    yield Claim(f"no packet waits longer than the queue is: {longest_ms:.1f} ms", longest_ms <= QUEUE_MS)
    yield Claim("no packet is larger than the MTU", lab.summary["larger than the MTU"] == 0)
    yield Claim(f"{len(logged)} packets are in the log, all but what waits at the end, with their flow",
                lab.summary["forward packets"] - QUEUE_PKTS <= len(logged) <= lab.summary["forward packets"]
                and all(row["flow"].startswith("tcp 10.77.1.1:") and row["flow"].endswith(f" 10.77.2.1:{PORT}")
                        for row in logged if row["flow"].startswith("tcp")))
    tail = sum(row["fate"] == "tail" for row in logged)
    yield Claim(f"losses are where TCP saw them: {tail}", lab.summary["tail drops"] == tail)
    yield Claim(f"the full queue loses packets: {tail} of {len(logged)}", tail > 0, timed=True)


def ecn_claims(netns, tcpflow, _folder):
    with netns.Lab("--rate", "10M", "--delay", "25", "--aqm", "codel", "--ecn") as lab:
        for end in ("sender", "receiver"):
            lab.run(end, ["sh", "-c", "echo 1 > /proc/sys/net/ipv4/tcp_ecn"], check=True, timeout=10)
        start_sink(lab, tcpflow, [lab.address("receiver")])
        send(lab, tcpflow, "--congestion", "cubic")
    marked, dropped = lab.summary["marked"], lab.summary["aqm drops"] + lab.summary["tail drops"]
    yield Claim(f"CoDel marks a flow that understands it: {marked} marked", marked >= 3, timed=True)
    yield Claim(f"and drops none of it: {dropped}", dropped == 0, timed=True)


def path_claims(netns, tcpflow, _folder):
    with netns.Lab("--delay", "5", "--path", "2:15", "--path", "3:40") as lab:
        addresses = [lab.address("receiver", path, ipv6) for path in (1, 2, 3) for ipv6 in (False, True)]
        start_sink(lab, tcpflow, addresses)
        words = [f"{address}:{PORT}" for address in addresses]
        said = lab.run("sender", [sys.executable, "-c", CONNECT_TIMES_MS, *words], check=True, timeout=60,
                       capture_output=True, text=True).stdout
    for address, text, expected in zip(addresses, said.split(), (10, 10, 40, 40, 90, 90)):
        took = float(text)
        yield Claim(f"{address} is at least {expected} ms away: {took:.1f} ms", took >= expected)
        yield Claim(f"{address} is not much farther: {took:.1f} ms", took <= expected + SLACK_MS / 2, timed=True)


def end_claims(netns, _tcpflow, _folder):
    with netns.Lab() as lab:
        job = lab.start("sender", ["sh", "-c", f"setsid sleep {LONG_S} & echo begun; wait"], stdout=subprocess.PIPE)
        began = job.stdout.readline() == b"begun\n"
    alive = [path for path in Path("/proc").glob("[0-9]*/cmdline") if readable(path) == SLEEP]
    yield Claim("nothing stays behind", began and not alive)


def readable(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


def main():
    lab_folder = Path(sys.argv[1])
    sys.path.insert(0, str(lab_folder))
    import netns  # pylint: disable=import-outside-toplevel,import-error
    if reason := netns.why_unavailable():
        print(f"skipped: {reason}")
        return SKIPPED
    tcpflow = [sys.executable, str(lab_folder / "tcpflow.py")]
    with tempfile.TemporaryDirectory() as folder:
        good = [judge(lambda claims=claims: claims(netns, tcpflow, Path(folder)))
                for claims in (bulk_claims, ecn_claims, path_claims, end_claims)]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
