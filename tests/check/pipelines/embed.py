#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The examples of examples/embed as processes on the loopback: senders and receivers in C, Python
and Rust in pairs of two languages, and a call of two.

Usage: embed.py pair SENDER RECEIVER; embed.py call CONFERENCE; embed.py join SERVER;
embed.py delay DELAY SENDER, which is a launch file; embed.py edge ORIGIN EDGE, which are two. A
program that is not there, or whose Python lacks gi, is a skip."""

import re
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

SKIPPED = 77
WAIT_S = 60  # for what must come; a machine may be busy
LEAST_KBPS, LEAST_FRAMES = 100, 30
MOST_DELAY_MS = 1000


class Program:
    """Its lines so far, as one text."""

    def __init__(self, *command):
        self.text = ""
        self.job = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, text=True)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        for line in self.job.stdout:
            self.text += line

    def last(self, pattern):
        """The numbers of the last line that matches."""
        found = re.findall(pattern, self.text)
        return [int(number) for number in found[-1]] if found else []

    def end(self):
        self.job.kill()
        self.job.wait()
        self.thread.join()


def wait_for(what, happened, *programs):
    end_s = time.monotonic() + WAIT_S
    while time.monotonic() < end_s:
        if happened():
            print("ok", what)
            return
        assert all(program.job.poll() is None for program in programs), f"{what}: one has ended"
        time.sleep(0.05)
    raise AssertionError(f"{what}: not within {WAIT_S} s")


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def shown(receiver):
    """(frames, kbit/s)"""
    return receiver.last(r": (\d+) frames, (\d+) kbit/s") or [0, 0]


def pair(sender, receiver):
    port = free_port()
    receiving = Program(receiver, "--sink", "fakesink", port)
    sending = Program(sender, "127.0.0.1", port)
    programs = [receiving, sending]
    try:
        wait_for("the receiver shows the picture", lambda: shown(receiving)[0] >= LEAST_FRAMES
                 and shown(receiving)[1] >= LEAST_KBPS, receiving, sending)
        wait_for("the sender tells its rate", lambda: sum(sending.last(
            r"running: target (\d+) kbit/s, sent (\d+) kbit/s") or [0]) > 0, receiving, sending)
        sending.end()
        wait_for("the receiver says that nothing comes", lambda: "no media" in receiving.text,
                 receiving)
        programs.append(Program(sender, "127.0.0.1", port))
        wait_for("the receiver says that media is back", lambda: "media again" in receiving.text,
                 receiving)
    finally:
        for program in programs:
            program.end()
            print(program.text)
    status = subprocess.run([sender, "127.0.0.1", str(port), "1"], check=False).returncode
    assert status == 0, f"a sender of a second ends with {status}"


def view(port, more=""):
    uri = f"uri=arc://127.0.0.1:{port}?mode=caller{more}"
    return Program("gst-launch-1.0", "-v", "arcsrc", uri,
                   "latency=200000000", "!", "rtph264depay", "!", "h264parse", "!", "avdec_h264",
                   "!", "fakesink", "silent=false", "sync=false")


def join(server):
    """Two viewers get the picture; one that does not know the word is told so."""
    port = free_port()
    serving = Program(server, "--word=open", port)
    viewers = []
    try:
        for _ in range(2):
            viewers.append(view(port, "&streamid=open"))
        for viewer in viewers:
            wait_for("a viewer has the picture", lambda viewer=viewer: viewer.text.count(
                "= chain ") >= LEAST_FRAMES, serving, viewer)
        wait_for("the server counts them", lambda: (serving.last(r"(\d+) viewers") or [0])[0] == 2,
                 serving)
        stranger = subprocess.run(
            ["gst-launch-1.0", "arcsrc", f"uri=arc://127.0.0.1:{port}?mode=caller", "!",
             "fakesink"], check=False, capture_output=True, text=True, timeout=WAIT_S)
        assert "the word is wrong" in stranger.stdout + stranger.stderr, stranger.stderr
        print("ok a stranger is refused")
    finally:
        for program in (serving, *viewers):
            program.end()
        print(serving.text)


def words_of(launch, *ports):
    """ports: (the one of the file, another)"""
    text = " ".join(line for line in Path(launch).read_text("utf-8").splitlines()
                    if not line.startswith("#"))
    for port, free in ports:
        text = text.replace(str(port), str(free))
    return text.split()


def edge(origin, launch):
    """The second viewer comes between keyframes; then the origin starts anew."""
    ports = list(zip((5004, 5006), (free_port(), free_port())))
    start = ["gst-launch-1.0", "-q", *words_of(origin, *ports)]
    programs = [Program(*start), Program("gst-launch-1.0", "-q", *words_of(launch, *ports))]
    try:
        for _ in range(2):
            programs.append(view(ports[1][1]))
            wait_for("a viewer of the edge has the picture", lambda viewer=programs[-1]:
                     viewer.text.count("= chain ") >= LEAST_FRAMES, *programs)
        programs[0].end()
        programs[0] = Program(*start)
        counts = [viewer.text.count("= chain ") for viewer in programs[2:]]
        wait_for("both have it again when the origin is back", lambda: all(
            viewer.text.count("= chain ") >= count + LEAST_FRAMES
            for viewer, count in zip(programs[2:], counts)), *programs)
    finally:
        for program in programs:
            program.end()
            print(program.text[-2000:])


def call(conference):
    ports = [free_port(), free_port()]
    ends = [Program(conference, "--test", here, f"127.0.0.1:{there}")
            for here, there in (ports, ports[::-1])]
    try:
        for end in ends:
            wait_for("an end has picture and sound of the other", lambda end=end: min(
                end.last(r"(\d+) pictures, (\d+) sounds") or [0]) >= LEAST_FRAMES, *ends)
    finally:
        for end in ends:
            end.end()
            print(end.text)


def delay(meter, launch):
    """One machine's clock agrees with itself. Not from the first line on: a sender report maps RTP
    time to when that packet was sent, and where the encoder's first frames were late on a busy
    machine, those behind them seem to arrive before they were sent, until the next report."""
    port = free_port()
    words = words_of(launch, (5004, port))
    metering = Program(meter, port)
    sending = Program("gst-launch-1.0", "-q", *words)
    try:
        wait_for("the delay of pictures is that of a loopback", lambda: any(
            0 <= int(median_ms) < MOST_DELAY_MS for median_ms in re.findall(
                r"\d+ pictures: (-?\d+) / ", metering.text)), metering, sending)
    finally:
        for program in (metering, sending):
            program.end()
            print(program.text)


def why_skipped(programs):
    for program in programs:
        if not Path(program).exists():
            return f"{program} is not built"
        if program.endswith(".py") and subprocess.run(
                ["/usr/bin/python3", "-c", "import gi; gi.require_version('Gst', '1.0'); "
                 "from gi.repository import Gst"], check=False, capture_output=True).returncode:
            return "python3-gi or the typelib of GStreamer is not installed"
    return next((f"there is no {element}" for element in ("x264enc", "avdec_h264", "opusenc")
                 if subprocess.run(["gst-inspect-1.0", "--exists", element],
                                   check=False).returncode), None)


def main():
    kind, *words = sys.argv[1:]
    if why := why_skipped(words):
        print(f"skipped: {why}")
        return SKIPPED
    {"pair": pair, "call": call, "join": join, "delay": delay, "edge": edge}[kind](*words)
    return 0


if __name__ == "__main__":
    sys.exit(main())
