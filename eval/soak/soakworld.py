# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Who sends to whom in a soak, over which link, and what happens to them at random."""

import queue
import random
import subprocess
import threading
from pathlib import Path

ANSWER_S = 300  # a machine with much to do; who is not back by then hangs
PICTURE = ("videotestsrc is-live=true pattern=smpte horizontal-speed=3 ! "
           "video/x-raw,width=320,height=180,framerate=10/1 ! x264enc tune=zerolatency threads=1 "
           "speed-preset=ultrafast key-int-max=100 ! "
           "rtph264pay config-interval=-1 aggregate-mode=zero-latency mtu=1200")
SOUND = "audiotestsrc is-live=true ! opusenc bitrate=24000 ! rtpopuspay pt=97"
SINK = "rmcsink name=meter min-bitrate=50000 max-bitrate=600000"
VIDEO_CAPS = "application/x-rtp,media=video,encoding-name=H264,payload=96,clock-rate=90000"
VIEW = ("rtpjitterbuffer latency=300 do-retransmission=true rtx-next-seqnum=false ! rtph264depay ! "
        "avdec_h264 max-threads=1 ! fakesink sync=false async=false")
RELAY_BPS, RELAY_PORT = 500_000, 6000
# The control: a sender and a receiver of stock elements on one loopback interface, whose pipelines
# are stopped and played whenever those of the same name are. Its bitrate is in the middle of what
# rmcsink may choose, and it loses as many packets as the link does at random.
CONTROL_PORT, CONTROL_KBPS, CONTROL_LOSS = 7000, 300, 0.004
HOST = "10.77.2.{path}"


def to(path, port):
    return f"{SINK} host={HOST.format(path=path)} port={port}"


def to_relay(number):
    return f"{SINK} host=127.0.0.1 port={RELAY_PORT + number} congestion-control=piqi-rcp"


def source(port, caps=VIDEO_CAPS):
    return f"arcsrc name=meter port={port} caps={caps}"


def control_to(number):
    return (f"identity name=meter drop-probability={CONTROL_LOSS} ! "
            f"udpsink host=127.0.0.1 port={CONTROL_PORT + number}")


def control_source(number, caps=VIDEO_CAPS):
    return f"udpsrc port={CONTROL_PORT + number} caps={caps} ! identity name=meter"


CONTROL_PICTURE = PICTURE.replace("x264enc", f"x264enc bitrate={CONTROL_KBPS}")
NO_VIEW = "fakesink sync=false async=false"

# Each process: the namespace, whether it lives as long as the soak, and its pipelines by name. A
# stream has the same name at both ends.
PROCESSES = {
    "sender": ("sender", True, {
        "direct": f"{PICTURE} ! {to(1, 5001)}",
        "scheduled": f"rampscheduler name=s ! {to(2, 5002)}  {PICTURE} ssrc=1 ! s.sink_0  "
                     f"{SOUND} ssrc=2 ! s.sink_1",
        "relayed0": f"{PICTURE} ! {to_relay(0)}",
        "relayed1": f"{PICTURE} ! {to_relay(1)}",
        "to-visitor": f"{PICTURE} ! {to(5, 5006)}"}),
    "relay": ("sender", True, {
        "relay": f"rcprelay name=meter port={RELAY_PORT} n-ports=2 host={HOST.format(path=3)} "
                 f"host-port=5003 capacity={RELAY_BPS}"}),
    "receiver": ("receiver", True, {
        "direct": f"{source(5001)} ! {VIEW}",
        "scheduled": f"{source(5002, 'application/x-rtp')} ! {NO_VIEW}",
        "relayed0": f"{source(5003)} ! {VIEW}",
        "relayed1": f"{source(5004)} ! {NO_VIEW}",
        "of-visitor": f"{source(5005)} ! {VIEW}"}),
    "visiting-sender": ("sender", False, {"of-visitor": f"{PICTURE} ! {to(4, 5005)}"}),
    "visiting-receiver": ("receiver", False, {"to-visitor": f"{source(5006)} ! {VIEW}"}),
    "control-sender": ("sender", True, {
        "direct": f"{CONTROL_PICTURE} ! {control_to(1)}",
        "scheduled": f"{CONTROL_PICTURE} ! {control_to(2)}  "
                     f"{SOUND} ! udpsink host=127.0.0.1 port={CONTROL_PORT + 2}",
        "relayed0": f"{CONTROL_PICTURE} ! {control_to(3)}",
        "relayed1": f"{CONTROL_PICTURE} ! {control_to(4)}",
        "to-visitor": f"{CONTROL_PICTURE} ! {control_to(5)}"}),
    "control-receiver": ("sender", True, {
        "direct": f"{control_source(1)} ! {VIEW}",
        "scheduled": f"{control_source(2, 'application/x-rtp')} ! {NO_VIEW}",
        "relayed0": f"{control_source(3)} ! {VIEW}",
        "relayed1": f"{control_source(4)} ! {NO_VIEW}",
        "of-visitor": f"{control_source(5)} ! {VIEW}"}),
}
CONTROLS = {"sender": "control-sender", "receiver": "control-receiver"}
VISITORS = sorted(name for name, (_, lasts, _) in PROCESSES.items() if not lasts)
RESTARTED = [name for name in PROCESSES if name not in (*VISITORS, *CONTROLS.values())]
CONTROL_STREAMS = ("direct", "scheduled", "relayed0", "relayed1")
STREAMS = ("direct", "scheduled", "relayed0", "relayed1", "to-visitor", "of-visitor")


class Process:
    """One soakend, which may be started again."""

    def __init__(self, lab, name, program, folder, environment):
        self.lab, self.name, self.program = lab, name, program
        self.end, self.lasts, self.pipelines = PROCESSES[name]
        self.environment = environment
        self.log = open(folder / f"{name}.log", "a", encoding="utf-8")
        self.faults = []
        self.start()

    def start(self):
        self.answers = queue.Queue()
        command = [self.program, *(f"{name}={text}" for name, text in self.pipelines.items())]
        self.job = self.lab.start(self.end, command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=self.log, text=True, env=self.environment)
        threading.Thread(target=self.read, args=(self.job, self.answers), daemon=True).start()

    def read(self, job, answers):
        for line in job.stdout:
            if line.startswith(("stats ", "heap ", "done")):
                answers.put(line)
            else:
                self.log.write(line)
                self.log.flush()
                if line.startswith("error"):
                    self.faults.append(line.strip())
        answers.put("")

    def ask(self, command):
        """The lines of the answer; RuntimeError if there is none."""
        lines = []
        try:
            self.job.stdin.write(command + "\n")
            self.job.stdin.flush()
            while (line := self.answers.get(timeout=ANSWER_S)) != "done\n":
                if not line:
                    raise RuntimeError(f"{self.name} ended with status {self.job.wait()}")
                lines.append(line)
        except (queue.Empty, BrokenPipeError) as error:
            raise RuntimeError(f"{self.name} does not answer '{command}'") from error
        return lines

    def pid(self):
        """Of soakend itself, which nsenter waits for."""
        children = Path(f"/proc/{self.job.pid}/task/{self.job.pid}/children").read_text("ascii")
        return int(children.split()[0])

    def kill(self):
        subprocess.run(["kill", "-KILL", str(self.pid())], check=True)
        self.job.wait()


def make_link(seed, seconds, folder):
    """linkemu's options: capacity, one-way delay and outages at random. (options, outages)"""
    chance = random.Random(f"link {seed}")
    rates, delays, outages, second = [], [], [], 0.0
    while second < seconds + 600:
        rates.append(f"{second:.1f} {round(400_000 * 10 ** chance.random())}")
        second += chance.uniform(8, 40)
    second = 0.0
    while second < seconds + 600:
        delays.append(f"{second:.1f} {chance.choice((5, 25, 25, 60, 120))}")
        second += chance.uniform(60, 300)
    second = chance.uniform(60, 300)
    while second < seconds - 120:
        outages.append((second, chance.choice((0.2, 1, 3, 8, 20))))
        second += chance.uniform(60, 500)
    (folder / "rates").write_text("\n".join(rates), encoding="ascii")
    (folder / "delays").write_text("\n".join(delays), encoding="ascii")
    options = ["--trace", folder / "rates", "--delay-trace", folder / "delays",
               "--loss", 0.002, "--burst-loss", "0.002:4", "--seed", seed,
               "--log", folder / "link.csv", "--interval", 10_000]
    if outages:
        options += ["--blackout", ",".join(f"{at:.1f}:{length}" for at, length in outages)]
    return options, outages
