#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""examples/embed/rtspserver.c as a process, whose viewers are stock rtspsrc: with an encoder for
each viewer, and with a ladder for all. Real time.

Usage: rtspserver.py LAB_FOLDER [SERVER], with the emulator in $LINKEMU. It is skipped without
SERVER, which meson builds where libgstrtspserver-1.0-dev is installed. The links of two capacities
need namespaces.
"""

import os
import re
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from quiet import Claim, judge  # pylint: disable=wrong-import-position

SKIPPED = 77
WAIT_S = 30
START_KBPS = 500
SECONDS = 15
LADDER_SECONDS = 25     # rungs climb in steps
LAST_S = 6
# Viewer 1 has the first link alone, viewer 2 the second.
LINKS = ["--rate", "3M", "--hop", "1M", "--delay", "25", "--queue", "300ms",
         "--path", "1:0:1-1", "--path", "2:25:2-2"]
LINE = re.compile(r"([0-9.]+): target (\d+) kbit/s, sent (\d+) kbit/s, feedback (\d+), "
                  r"lost \d+(?:, rung (-?\d+))?")


class Server:
    """What it prints, by viewer: `target`, `sent` (kbit/s, a value each second), `feedback` and
    `rung`."""

    def __init__(self, job):
        self.job = job
        self.target, self.sent, self.feedback, self.rung = {}, {}, {}, {}
        ready = job.stdout.readline()
        self.port = int(re.match(r"ready: rtsp://HOST:(\d+)/live", ready)[1])
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.job.stdout:
            if match := LINE.match(line):
                viewer = match[1]
                self.target.setdefault(viewer, []).append(int(match[2]))
                self.sent.setdefault(viewer, []).append(int(match[3]))
                self.feedback[viewer] = int(match[4])
                self.rung[viewer] = match[5]

    def mean_kbps(self, viewer):
        last = self.sent.get(viewer, [0])[-LAST_S:]
        return sum(last) / len(last)


def client(address, port, protocols="udp"):
    return ["gst-launch-1.0", "-q", "rtspsrc", f"location=rtsp://{address}:{port}/live",
            "latency=200", f"protocols={protocols}", "!", "fakesink"]


def wait_until(happened):
    end = time.monotonic() + WAIT_S
    while not happened() and time.monotonic() < end:
        time.sleep(0.1)
    return happened()


def loopback_claims(program):
    with subprocess.Popen([program, "0"], stdout=subprocess.PIPE, text=True) as job:
        server = Server(job)
        viewer = "127.0.0.1"
        refused = subprocess.run(client(viewer, server.port, "tcp"), stderr=subprocess.PIPE,
                                 text=True, check=False, timeout=WAIT_S)
        yield Claim("a viewer that wants TCP is refused",
                    refused.returncode != 0 and "transport protocols" in refused.stderr)
        server.feedback[viewer], server.target[viewer] = 0, [0]
        with subprocess.Popen(client(viewer, server.port), stderr=subprocess.DEVNULL) as watching:
            yield Claim("a stock rtspsrc tells of arrivals",
                        wait_until(lambda: server.feedback[viewer] > 0))
            rises = wait_until(lambda: server.target[viewer][-1] > 2 * START_KBPS)
            yield Claim(f"and the rate rises, to {server.target[viewer][-1]} kbit/s", rises,
                        timed=True)
            watching.terminate()
        yield Claim("the server outlives its viewers", job.poll() is None)
        job.terminate()


class Decoder:
    """A viewer that leaves after `n_frames`. Its exit code says nothing of the picture: on a busy
    machine the connection may be closed before rtspsrc has said its PAUSE."""

    def __init__(self, port, n_frames):
        self.n_frames = n_frames
        self.job = subprocess.Popen(    # pylint: disable=consider-using-with
            ["gst-launch-1.0", "-v", "rtspsrc", f"location=rtsp://127.0.0.1:{port}/live",
             "latency=200", "protocols=udp", "!", "rtph264depay", "!", "h264parse", "!",
             "avdec_h264", "!", "fakesink", "silent=false", f"num-buffers={n_frames}"],
            stdout=subprocess.PIPE, text=True)

    def shows_all(self):
        said, _ = self.job.communicate(timeout=WAIT_S)
        return said.count("chain   ***") >= self.n_frames


def describe(port):
    """A viewer that asks what there is, and then does nothing."""
    job = socket.create_connection(("127.0.0.1", port), timeout=WAIT_S)
    job.sendall(f"DESCRIBE rtsp://127.0.0.1:{port}/live RTSP/1.0\r\nCSeq: 1\r\n"
                "Accept: application/sdp\r\n\r\n".encode())
    return job, job.recv(15).startswith(b"RTSP/1.0 200 OK")


def ladder_claims(program):
    with subprocess.Popen([program, "0", "ladder"], stdout=subprocess.PIPE, text=True) as job:
        server = Server(job)
        idle, good = describe(server.port)
        yield Claim("the ladder's stream is described", good)
        watching = [Decoder(server.port, 150) for _ in range(3)]
        watching[0].job.kill()      # it says no TEARDOWN
        watching[0].job.communicate()
        all_shown = [viewer.shows_all() for viewer in watching[1:]]
        yield Claim("viewers of one ladder decode beside one that idles and one that vanishes",
                    all(all_shown))
        idle.close()
        yield Claim("and one that joins after they have left", Decoder(server.port, 50).shows_all())
        yield Claim("the ladder outlives its viewers", job.poll() is None)
        job.terminate()


def link_claims(netns, program, *how):
    with netns.Lab(*LINKS) as lab:
        server = Server(lab.start("sender", [program, "0", *how], stdout=subprocess.PIPE,
                                  text=True))
        for path in (1, 2):
            lab.start("receiver", client(lab.address("sender", path), server.port),
                      stderr=subprocess.DEVNULL)
        viewers = [lab.address("receiver", path) for path in (1, 2)]
        wait_until(lambda: all(server.feedback.get(viewer, 0) > 0 for viewer in viewers))
        time.sleep(LADDER_SECONDS if how else SECONDS)
    for viewer in viewers:
        yield Claim(f"{viewer} tells of arrivals", server.feedback.get(viewer, 0) > 0)
    if how:
        rungs = [server.rung.get(viewer) for viewer in viewers]
        yield Claim(f"they have different encoders, {rungs}", rungs[0] != rungs[1], timed=True)
    fast, slow = (server.mean_kbps(viewer) for viewer in viewers)
    yield Claim(f"the viewer on 3 Mbit/s gets {fast:.0f} kbit/s", 1200 <= fast <= 3000, timed=True)
    yield Claim(f"the viewer on 1 Mbit/s gets {slow:.0f} kbit/s", 400 <= slow <= 1000, timed=True)


def main():
    lab_folder = Path(sys.argv[1])
    if len(sys.argv) < 3:
        print("skipped: libgstrtspserver-1.0-dev is not installed, so that the server is not built")
        return SKIPPED
    program = sys.argv[2]
    sys.path.insert(0, str(lab_folder))
    import netns  # pylint: disable=import-outside-toplevel,import-error
    good = judge(lambda: loopback_claims(program))
    good = judge(lambda: ladder_claims(program)) and good
    if reason := netns.why_unavailable():
        print(f"skipped: two links: {reason}")
        return 0 if good else 1
    good = judge(lambda: link_claims(netns, program)) and good
    return 0 if judge(lambda: link_claims(netns, program, "ladder")) and good else 1


if __name__ == "__main__":
    os.environ.pop("GST_DEBUG", None)
    sys.exit(main())
