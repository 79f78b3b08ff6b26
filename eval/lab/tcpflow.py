#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""TCP traffic of the kernel for a lab: long flows, and the short ones of RFC 8868.

    tcpflow.py sink --listen 10.77.2.1:5001 --log tcp.csv
    tcpflow.py send --to 10.77.2.1:5001 --duration 60 --congestion cubic
    tcpflow.py send --to 10.77.2.1:5001 --duration 60 --short 10 --seed 1
    tcpflow.py send --to 10.77.2.1:5001 --duration 60 --rate 1500000

A short flow sends files of 30 to 50 KB (uniform), one connection each, with idle times between them (exponential, mean
10 s). With --rate a flow is a live source: 30 frames a second, and one that does not fit into the buffer is left out.
All times, those of logs as well, are CLOCK_MONOTONIC seconds.
"""

import argparse
import csv
import random
import selectors
import signal
import socket
import struct
import sys
import threading
import time

CHUNK_BYTES = 1 << 18
INTERVAL_S = 0.1
FILE_BYTES = (30_000, 50_000)  # RFC 8868
IDLE_MEAN_S = 10.0
NAME, NAME_MAX = "tcp", 64  # of a flow in the log
START_ON = 2  # short flows that begin at once, the others idle first; RFC 8867 5.7
PATIENCE_S = 60  # of a short flow
FRAMES_PER_S = 30
TCP_NOTSENT_LOWAT = 25  # linux/tcp.h; Python's socket module has no name for it

# Of struct tcp_info (linux/tcp.h): smoothed RTT in us and window in packets, then all retransmitted
# packets.
TCP_INFO_RTT, TCP_INFO_CWND, TCP_INFO_RETRANS = 68, 80, 100
TCP_INFO_BYTES = 104


def endpoint(text):
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


def family_of(host):
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def open_log(name, *columns):
    """A CSV writer, its header written; None without a name."""
    if not name:
        return None
    file = sys.stdout if name == "-" else open(name, "w", newline="", buffering=1, encoding="ascii")
    writer = csv.writer(file)
    writer.writerow(columns)
    return writer


class Sink:
    """Takes connections and counts what arrives, by the name that each one's first line tells."""

    def __init__(self, listen, log):
        self.log = open_log(log, "at_s", "flow", "bytes")
        self.selector = selectors.DefaultSelector()
        self.bytes = {}
        self.total = 0
        for address in listen:
            server = socket.create_server(address, family=family_of(address[0]), backlog=256)
            server.setblocking(False)
            self.selector.register(server, selectors.EVENT_READ)

    def accept(self, server):
        connection, _ = server.accept()
        connection.setblocking(False)
        self.selector.register(connection, selectors.EVENT_READ, {"name": None, "head": b""})

    def take(self, connection, state):
        try:
            data = connection.recv(CHUNK_BYTES)
        except OSError:
            data = b""
        if not data:
            self.selector.unregister(connection)
            connection.close()
            return
        if state["name"] is None:
            state["head"] += data
            head, newline, _ = state["head"].partition(b"\n")
            if not newline and len(head) <= NAME_MAX:
                return
            state["name"] = head[:NAME_MAX].decode("ascii", "replace")
            data = state["head"]
        self.bytes[state["name"]] = self.bytes.get(state["name"], 0) + len(data)
        self.total += len(data)

    def write(self, at_s):
        for name, count in sorted(self.bytes.items()):
            if self.log:
                self.log.writerow([f"{at_s:.3f}", name, count])
            self.bytes[name] = 0

    def run(self, stopping):
        due = time.monotonic() + INTERVAL_S
        while not stopping.is_set():
            for key, _ in self.selector.select(max(0, due - time.monotonic())):
                if key.data is None:
                    self.accept(key.fileobj)
                else:
                    self.take(key.fileobj, key.data)
            if time.monotonic() >= due:
                self.write(due)
                due += INTERVAL_S
        self.write(due)


class Sender:
    def __init__(self, options):
        self.options = options
        self.begin_s = options.begin_at or time.monotonic()
        self.end_s = options.until or self.begin_s + options.duration
        self.log = open_log(options.log, "at_s", "flow", "srtt_ms", "cwnd_pkts", "retransmitted_pkts")
        self.lock = threading.Lock()

    def connect(self, name):
        host, port = self.options.to
        connection = socket.socket(family_of(host), socket.SOCK_STREAM)
        if self.options.congestion:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, self.options.congestion.encode())
        connection.settimeout(PATIENCE_S)
        connection.connect((host, port))
        connection.sendall(name.encode() + b"\n")
        return connection

    def write(self, name, connection):
        if not self.log:
            return
        info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_INFO_BYTES)
        rtt_us, cwnd, retransmitted = (struct.unpack_from("I", info, offset)[0]
                                       for offset in (TCP_INFO_RTT, TCP_INFO_CWND, TCP_INFO_RETRANS))
        with self.lock:
            self.log.writerow([f"{time.monotonic():.3f}", name, f"{rtt_us / 1000:.3f}", cwnd, retransmitted])

    def live_flow(self):
        """The kernel's buffer is kept at two frames: what waits there is late."""
        connection = self.connect(NAME)
        frame = bytes(int(self.options.rate / 8 / FRAMES_PER_S))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.IPPROTO_TCP, TCP_NOTSENT_LOWAT, 2 * len(frame))
        connection.setblocking(False)
        writable = selectors.DefaultSelector()
        writable.register(connection, selectors.EVENT_WRITE)
        due, rest = time.monotonic(), b""
        while time.monotonic() < self.end_s:
            time.sleep(max(0, due - time.monotonic()))
            due += 1 / FRAMES_PER_S
            paused = self.options.pause and self.options.pause[0] <= due < self.options.pause[1]
            if not paused and writable.select(0):
                rest = rest or frame
                rest = rest[connection.send(rest):]
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    def long_flow(self):
        name, chunk = NAME, bytes(CHUNK_BYTES)
        connection = self.connect(name)
        connection.settimeout(INTERVAL_S)
        due = time.monotonic()
        while (now := time.monotonic()) < self.end_s:
            if now >= due:
                self.write(name, connection)
                due += INTERVAL_S
            try:
                connection.send(chunk)
            except TimeoutError:
                pass
        # A lab's end must not wait for what is still queued.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    def send_file(self, name, size):
        """Until the other side has it all."""
        with self.connect(name) as connection:
            connection.sendall(bytes(size))
            self.write(name, connection)
            connection.shutdown(socket.SHUT_WR)
            connection.recv(1)

    def short_flow(self, number):
        chance = random.Random(f"{self.options.seed}-{number}")
        name = f"{NAME}{number}"
        idle_s = 0 if number < START_ON else chance.expovariate(1 / IDLE_MEAN_S)
        while time.monotonic() + idle_s < self.end_s:
            time.sleep(idle_s)
            try:
                self.send_file(name, chance.randint(*FILE_BYTES))
            except OSError as error:
                print(f"tcpflow: {name}: {error}", file=sys.stderr)
            idle_s = chance.expovariate(1 / IDLE_MEAN_S)

    def run(self):
        time.sleep(max(0, self.begin_s - time.monotonic()))
        if self.options.rate:
            self.live_flow()
            return
        if self.options.short == 0:
            self.long_flow()
            return
        threads = [threading.Thread(target=self.short_flow, args=(i,), daemon=True) for i in range(self.options.short)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    sink = commands.add_parser("sink", help="take connections until it is stopped")
    sink.add_argument("--listen", type=endpoint, action="append", required=True, metavar="ADDRESS:PORT")
    sink.add_argument("--log", metavar="FILE", help="bytes of each flow every 0.1 s (CSV; -: standard output)")
    send = commands.add_parser("send", help="send for a while")
    send.add_argument("--to", type=endpoint, required=True, metavar="ADDRESS:PORT")
    span = send.add_mutually_exclusive_group(required=True)
    span.add_argument("--duration", type=float, metavar="S")
    span.add_argument("--until", type=float, metavar="S", help="time of the end")
    send.add_argument("--begin-at", type=float, metavar="S", help="time of the begin (default: at once)")
    send.add_argument("--rate", type=float, metavar="BPS", help="a live source of so much")
    send.add_argument("--pause", type=lambda text: [float(s) for s in text.split(":")], metavar="FROM:TO",
                      help="the live source is silent")
    send.add_argument("--congestion", metavar="NAME", help="reno, cubic, bbr (default: the system's)")
    send.add_argument("--short", type=int, default=0, metavar="N", help="N short flows instead of a long one")
    send.add_argument("--seed", type=int, default=1, help="of sizes and idle times (%(default)s)")
    send.add_argument("--log", metavar="FILE", help="RTT, window and retransmissions (CSV; -: standard output)")
    return parser.parse_args()


def main():
    options = parse_args()
    if options.command == "send":
        Sender(options).run()
        return
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    sink = Sink(options.listen, options.log)
    print("tcpflow: ready", file=sys.stderr, flush=True)
    sink.run(stopping)


main()
