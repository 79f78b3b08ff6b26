# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What runs in the network behind a router: receivers, and the bytes of each flow as they come.

    behindrouter.py receive FILE COMMAND   in a namespace of its own: prints its PID, and waits on
                                           standard input until the interface `behind` is there
    behindrouter.py send HOST PORT BPS     beside the senders: UDP at a constant rate

FILE gets a row each 0.1 s: CLOCK_MONOTONIC, then for each path from 1 the bytes that came for its
address, with the Ethernet header."""

import os
import select
import signal
import socket
import struct
import subprocess
import sys
import time

PATHS = 8
INTERVAL_S = 0.1
HEAD_BYTES = 54  # Ethernet and IPv6
CBR_BYTES = 1200
ALL_PROTOCOLS = 3  # ETH_P_ALL
TRUNCATED = socket.MSG_TRUNC  # tells the true length


def path_of(head):
    """Of a frame to us; None: of another. Addresses end in the path's number."""
    if len(head) < HEAD_BYTES:
        return None
    kind = struct.unpack_from("!H", head, 12)[0]
    if kind == 0x0800 and head[30:33] == bytes((10, 77, 2)):
        return head[33]
    if kind == 0x86DD and head[38:42] == bytes((0xFD, 0x77, 0, 2)):
        return head[53]
    return None


def count(name, stopping):
    sniffer = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PROTOCOLS))
    sniffer.bind(("behind", 0))
    sniffer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
    head, counts = bytearray(HEAD_BYTES), [0] * (PATHS + 1)
    due = time.monotonic() + INTERVAL_S
    with open(name, "w", buffering=1, encoding="ascii") as file:
        while not stopping:
            if select.select([sniffer], [], [], max(0, due - time.monotonic()))[0]:
                size, address = sniffer.recvfrom_into(head, HEAD_BYTES, TRUNCATED)
                path = path_of(head) if address[2] != socket.PACKET_OUTGOING else None
                if path and path <= PATHS:
                    counts[path] += size
            if time.monotonic() >= due:
                file.write(",".join([f"{due:.3f}", *map(str, counts[1:])]) + "\n")
                counts, due = [0] * (PATHS + 1), due + INTERVAL_S


def receive(name, command):
    stopping = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.append(True))
    print(os.getpid(), flush=True)
    sys.stdin.readline()
    with subprocess.Popen(command, shell=True, start_new_session=True) as job:
        count(name, stopping)
        os.killpg(job.pid, signal.SIGKILL)


def send(host, port, bps):
    out = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
    gap_s, due, text = CBR_BYTES * 8 / bps, time.monotonic(), bytes(CBR_BYTES - 28)
    while True:
        out.sendto(text, (host, port))
        due += gap_s
        time.sleep(max(0, due - time.monotonic()))


if __name__ == "__main__":
    if sys.argv[1] == "receive":
        receive(sys.argv[2], sys.argv[3])
    else:
        send(sys.argv[2], int(sys.argv[3]), float(sys.argv[4]))
