#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Short pipelines of the plugin: none leaves memory behind, and none burns CPU while nothing comes.

Usage: leaks.py LIBLSAN PLUGIN [PIPELINE...]

LIBLSAN is gcc's leak sanitizer, which is preloaded into gst-launch-1.0 and sees at its end what
nobody can reach any more. A leak is ours if our plugin is in its stack. The tracer `leaks` names
objects that are alive after all; so a reference that we keep to what others made shows too."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SKIPPED = 77
RUN_S, SILENCE_S = 2.5, 6.5       # until rmcsink says that nobody reports
JOBS = 4
# A pipeline that waits uses less than 1 %, one that spins what the machine can spare.
IDLE_S, IDLE_FROM_S, MOST_IDLE_RATIO = 2.0, 0.5, 0.08
START_S = 30                    # until gst-launch-1.0 has set the state, on a machine that is busy

PICTURE = "video/x-raw,width=160,height=120,framerate=30/1"
SOURCE = f"videotestsrc is-live=true ! {PICTURE}"
X264 = "x264enc tune=zerolatency key-int-max=30"
VIDEO = f"{SOURCE} ! {X264} ! rtph264pay mtu=1200"
SOUND = "audiotestsrc is-live=true ! audio/x-raw,rate=8000,channels=1 ! mulawenc ! rtppcmupay"
# Sinks that wait for no preroll: each line is one pipeline with several.
SINK = "fakesink async=false sync=false"
SHOW = f"rtpjitterbuffer latency=50 do-retransmission=true ! rtph264depay ! avdec_h264 ! {SINK}"
KEY = "srtp-key=" + "00" * 30
SILENT = "appsrc is-live=true ! application/x-rtp,media=video,payload=96,clock-rate=90000," \
    "encoding-name=H264"

SILENCE = "a sender to whom nobody reports"
ALIVE = re.compile(r"object-alive, type-name=\(string\)(\w+),")
# {a}, {b}, {c}: free ports
LINES = {
    "a sender and a receiver": f"{VIDEO} ! rmcsink host=127.0.0.1 port={{a}}  "
                               f"arcsrc port={{a}} ! {SHOW}",
    "SRTP": f"{VIDEO} ! rmcsink host=127.0.0.1 port={{a}} {KEY}  arcsrc port={{a}} {KEY} ! {SHOW}",
    "a sender that nobody hears": f"{VIDEO} ! rmcsink host=127.0.0.1 port={{a}}",
    SILENCE: f"{VIDEO} ! rmcsink host=127.0.0.1 port={{a}}  udpsrc port={{a}} ! {SINK}  "
             f"arcsrc address=localhost port={{b}} ! {SINK}",
    "a name that does not resolve": f"{VIDEO} ! rmcsink host=nobody.invalid port={{a}}",
    "two paths": f"{VIDEO} ! rmcsink paths=127.0.0.1:{{a}},127.0.0.1:{{b}}  "
                 f"arcsrc port={{a}} ! {SINK}",
    "a receiver that calls": f"{VIDEO} ! rmcsink mode=listener port={{a}}  "
                             f"arcsrc mode=caller host=127.0.0.1 port={{a}} ! {SHOW}",
    "a server and two viewers":
        f"{VIDEO} ! arcserversink port={{a}}  arcsrc mode=caller host=127.0.0.1 port={{a}} ! "
        f"{SINK}  arcsrc mode=caller host=127.0.0.1 port={{a}} ! {SHOW}",
    "several streams": f"rampscheduler name=s ! rmcsink host=127.0.0.1 port={{a}}  "
                       f"{VIDEO} ! s.  {SOUND} ! s.  arcsrc port={{a}} ! {SINK}",
    "audio and video": f"arcavsink name=s host=127.0.0.1 port={{a}}  {SOURCE} ! s.video_0  "
                       f"arcavsrc port={{a}} name=r  r. ! {SINK}",
    "a relay": f"{VIDEO} ! rmcsink congestion-control=piqi-rcp host=127.0.0.1 port={{a}}  "
               "rcprelay port={a} host=127.0.0.1 host-port={b} capacity=2000000  "
               f"arcsrc port={{b}} ! {SHOW}",
    "a ladder": f"{SOURCE} ! arcladder name=l  l.src_0 ! rmcsink async=false "
                "host=127.0.0.1 port={a}  l.src_1 ! rmcsink async=false host=127.0.0.1 port={b}",
    "a size that follows": f"{SOURCE} ! arcscale ! {X264} ! rtph264pay ! rmcsink host=127.0.0.1 "
                           "port={a}",
    "an element before rtpsession": f"{VIDEO} ! rtparcbwe ! {SINK}",
}
IDLE = {
    "a receiver": f"arcsrc port={{a}} ! {SINK}",
    "a receiver that calls nobody": f"arcsrc mode=caller host=127.0.0.1 port={{a}} ! {SINK}",
    "a sender": f"{SILENT} ! rmcsink host=127.0.0.1 port={{a}}",
    "a sender that waits for a call": f"{SILENT} ! rmcsink mode=listener port={{a}}",
    "a sender by two paths": f"{SILENT} ! rmcsink paths=127.0.0.1:{{a}},127.0.0.1:{{b}}",
    "a server": f"{SILENT} ! arcserversink port={{a}}",
    "a relay": "rcprelay port={a} host=127.0.0.1 host-port={b} capacity=2000000",
    "sound by the scheduler": f"rampscheduler name=s ! rmcsink host=127.0.0.1 port={{a}}  "
                              f"{SOUND} ! s.  arcsrc port={{a}} ! {SINK}",
}


def free_ports():
    """That nobody has now, neither for RTP nor the port above."""
    found = {}
    for name in "abc":
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as each:
            each.bind(("127.0.0.1", 0))
            found[name] = each.getsockname()[1]
    return found


class Launch:
    """gst-launch-1.0 with a line, until it plays."""

    def __init__(self, line, folder, **environment):
        self.log = Path(folder) / "out.log"
        with self.log.open("wb") as log:
            self.job = subprocess.Popen(
                ["gst-launch-1.0", *line.format(**free_ports()).split()], stdout=log,
                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                env={**os.environ, "G_SLICE": "always-malloc", **environment})
        end = time.monotonic() + START_S
        while "Setting pipeline to PLAYING" not in self.text():
            if self.job.poll() is not None or time.monotonic() > end:
                self.stop()
                raise RuntimeError(f"does not play: {line}\n{self.text()[:400]}")
            time.sleep(0.05)

    def text(self):
        return self.log.read_text("utf-8", "replace")

    def cpu_s(self):
        """Of all its threads; as clock_getcpuclockid() (3) names the clock of a process."""
        return time.clock_gettime(~self.job.pid << 3 | 2)

    def stop(self):
        """As Ctrl-C does. The status."""
        self.job.send_signal(signal.SIGINT)
        try:
            return self.job.wait(START_S)
        except subprocess.TimeoutExpired:
            self.job.kill()
            return self.job.wait()


def source_lines(stack, plugin):
    """Where in the plugin, outermost last."""
    offsets = re.findall(re.escape(plugin) + r"\+(0x[0-9a-f]+)\)", stack)
    done = subprocess.run(["addr2line", "-s", "-f", "-e", plugin, *offsets], check=False,
                          capture_output=True, text=True)
    return " < ".join(done.stdout.split("\n")[0:12:2]).strip(" <")


def faults_of(line, liblsan, plugin, run_s):
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace.log"
        launch = Launch(line, folder, LD_PRELOAD=liblsan, GST_TRACERS="leaks",
                        LSAN_OPTIONS="exitcode=23:fast_unwind_on_malloc=0:symbolize=0",
                        GST_DEBUG="GST_TRACER:7", GST_DEBUG_FILE=str(trace), GST_DEBUG_NO_COLOR="1")
        time.sleep(run_s)
        status = launch.stop()
        text = launch.text()
        if "LeakSanitizer has encountered a fatal error" in text:
            return None
        found = [source_lines(stack, plugin) for stack in re.split(r"\n(?=Direct|Indirect)", text)
                 if stack.startswith(("Direct", "Indirect")) and plugin in stack]
        alive = ALIVE.findall(trace.read_text("utf-8", "replace"))
        if status not in (0, 23):
            found.append(f"it ended with status {status}: {text[-400:]}")
    return sorted(set(found)) + [f"{n} {kind} alive" for kind, n in Counter(alive).items()]


def idle_ratio(line):
    with tempfile.TemporaryDirectory() as folder:
        launch = Launch(line, folder)
        time.sleep(IDLE_FROM_S)
        begin, began = launch.cpu_s(), time.monotonic()
        time.sleep(IDLE_S)
        ratio = (launch.cpu_s() - begin) / (time.monotonic() - began)
        launch.stop()
    return ratio


def main(liblsan, plugin, *names):
    good, known = True, set(LINES) & set(names) if names else set(LINES)
    with ThreadPoolExecutor(JOBS) as pool:
        leaks = {name: pool.submit(faults_of, line, liblsan, plugin,
                                   SILENCE_S if name == SILENCE else RUN_S)
                 for name, line in LINES.items() if name in known}
        idle = {name: pool.submit(idle_ratio, line) for name, line in IDLE.items() if not names}
    for name, job in leaks.items():
        if (faults := job.result()) is None:
            print("skipped: the leak sanitizer may not look at this process (ptrace)")
            return SKIPPED
        print("FAILED:" if faults else "ok:", f"{name}: nothing is left behind")
        print(*(f"    {fault}\n" for fault in faults), sep="", end="")
        good &= not faults
    for name, job in idle.items():
        ok = job.result() <= MOST_IDLE_RATIO
        print("ok:" if ok else "FAILED:", f"{name} that has nothing to do uses "
              f"{job.result():.1%} of a CPU, at most {MOST_IDLE_RATIO:.0%}")
        good &= ok
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
