# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""One run: the link, the receivers, the senders at their times, then figures and a picture."""

import dataclasses
import json
import os
import time
from pathlib import Path

import places  # noqa: F401
import metrics
import plot
import traces
from cases import VIDEO_LEAST_BPS, ceiling_bps
from netns import Lab
from quiet import cpu_times, stolen_share

BEFORE_S = 1.5  # from linkemu's second 0 to that of the media
EARLY_S = 0.7  # a process is started so long before its time
AFTER_S = 0.5
TCP_PORT = 5001


def points_text(points):
    """linkemu's form; its second 0 comes before that of the media."""
    return ",".join(f"{second + BEFORE_S if second else 0:g}:{value:.10g}" for second, value in points)


def opportunities(case, seed):
    """Of a made-up trace each run has its own. Of any other the media's second 0 is the trace's."""
    if case.trace in traces.KINDS:
        return traces.make(case.trace, seed, case.seconds)
    times = traces.read(Path(case.trace)) if isinstance(case.trace, str) else case.trace
    return traces.later(times, round(BEFORE_S * 1e3))


def trace_text(case, folder, seed):
    if not case.trace:
        return points_text(case.capacity)
    (folder / "trace.mm").write_text("\n".join(map(str, opportunities(case, seed))) + "\n",
                                     encoding="ascii")
    return f"mm:{folder / 'trace.mm'}"


def link_options(case, folder, seed):
    options = ["--trace", trace_text(case, folder, seed), "--queue", case.queue,
               "--start-on-traffic", "--seed", seed, "--packets", folder / "packets.csv",
               *case.link]
    options += ["--log", folder / "rows.csv"] if case.measured else []
    options += ["--delay-trace", points_text(case.delays)] if case.delays else ["--delay", case.delay_ms]
    if case.outage:
        options += ["--blackout", f"{case.outage[0] + BEFORE_S:g}:{case.outage[1]:g}"]
    for name, value in zip(case.reverse[::2], case.reverse[1::2]):
        if name == "--reverse-trace":
            pairs = (pair.split(":") for pair in value.split(","))
            value = ",".join(f"{float(s) + BEFORE_S if float(s) else 0:g}:{rate}" for s, rate in pairs)
        options += [name, value]
    for number, flow in enumerate(case.flows, 1):
        if flow.path != "0":
            options += ["--path", f"{number}:{flow.path}"]
    return options


class Session:
    def __init__(self, case, contender, number, folder, build, uri=None):
        self.case, self.contender, self.number = case, contender, number
        self.folder, self.build, self.uri = folder, build, uri
        folder.mkdir(parents=True, exist_ok=True)
        self.environment = dict(os.environ, **contender.environment(build))
        self.stolen = 0.0  # share of the CPUs' time that a hypervisor took during the run

    def start(self, lab, end, name, command):
        log = open(self.folder / f"{name}.log", "w", encoding="utf-8")
        return lab.start(end, [str(part) for part in command], stdout=log, stderr=log, env=self.environment)

    def flow(self, index):
        flow = self.case.flows[index]
        return {"least_bps": VIDEO_LEAST_BPS, "most_bps": flow.most_bps, "start_bps": self.case.start_bps,
                "ceiling_bps": int(ceiling_bps(flow)),
                "seed": 100 * self.number + index, "ssrc": index + 1, "uri": self.uri}

    def receive(self, lab, index):
        back = self.case.flows[index].back
        here, there = ("sender", "receiver") if back else ("receiver", "sender")
        command = self.contender.receive(self.build, lab.address(there, index + 1),
                                         lab.address(here, index + 1), self.flow(index))
        self.start(lab, here, f"receiver{index + 1}", command)

    def send(self, lab, index, begin_s):
        flow = self.case.flows[index]
        here, there = ("receiver", "sender") if flow.back else ("sender", "receiver")
        times = ["--begin-at", f"{begin_s + flow.start_s:.3f}", "--stop-at", f"{begin_s + self.case.seconds:.3f}"]
        if flow.pause:
            times += ["--pause", f"{begin_s + flow.pause[0]:.3f}:{begin_s + flow.pause[1]:.3f}"]
        times += ["--log", self.folder / f"sender{index + 1}.csv"]
        command = self.contender.send(self.build, lab.address(there, index + 1), lab.address(here, index + 1),
                                      self.flow(index), times)
        return self.start(lab, here, f"sender{index + 1}", command)

    def send_tcp(self, lab, number, begin_s):
        tcp = self.case.tcp[number]
        return self.start(lab, "sender", f"tcp{number}", [
            "eval/lab/tcpflow.py", "send", "--to",
            f"{lab.address('receiver', metrics.TCP_PATH)}:{TCP_PORT}",
            "--begin-at", begin_s + tcp.start_s,
            "--until", begin_s + (tcp.stop_s or self.case.seconds), "--congestion", tcp.control,
            "--short", tcp.short, "--seed", self.number])

    def events(self, lab, begin_s):
        """(when to start it, what starts it), in order."""
        events = [(flow.start_s, lambda i=i: self.send(lab, i, begin_s)) for i, flow in enumerate(self.case.flows)]
        events += [(tcp.start_s, lambda i=i: self.send_tcp(lab, i, begin_s)) for i, tcp in enumerate(self.case.tcp)]
        return sorted(events, key=lambda event: event[0])

    def run(self):
        """Metrics; raises RuntimeError when a process ends early."""
        before = cpu_times()
        origin_s = self.play()
        self.stolen = stolen_share(before, cpu_times())
        return self.finish(origin_s)

    def play(self):
        """Returns the media's second 0 on linkemu's clock."""
        options = link_options(self.case, self.folder, self.number)
        with Lab(*options, realtime=os.geteuid() == 0) as lab:
            for index in range(len(self.case.flows)):
                self.receive(lab, index)
            for number in range(self.case.busy_loops):
                self.start(lab, "sender", f"busy{number}", ["sh", "-c", "while :; do :; done"])
            if self.case.tcp:
                self.start(lab, "receiver", "tcpsink", ["eval/lab/tcpflow.py", "sink", "--listen",
                                                        f"{lab.address('receiver', metrics.TCP_PATH)}:{TCP_PORT}"])
            time.sleep(1.5)
            lab.run("sender", ["bash", "-c", f"echo >/dev/udp/{lab.address('receiver')}/9"], check=True)
            begin_s = time.monotonic() + BEFORE_S
            jobs = []
            for second, start in self.events(lab, begin_s):
                time.sleep(max(0, begin_s + second - EARLY_S - time.monotonic()))
                jobs.append(start())
            time.sleep(max(0, begin_s + self.case.seconds - 1 - time.monotonic()))
            ended = [job.args for job in jobs if job.poll() is not None and "--short" not in job.args]
            time.sleep(max(0, begin_s + self.case.seconds + AFTER_S - time.monotonic()))
        if ended:
            raise RuntimeError(f"a sender ended early; see {self.folder}")
        return begin_s - lab.summary["began at us"] / 1e6

    def finish(self, origin_s):
        senders = sorted(self.folder.glob("sender*.csv"))
        sender_ms = metrics.read_sender_queue(senders)
        packets = metrics.read_packets(self.folder / "packets.csv", self.case, origin_s)
        if not packets:
            raise RuntimeError(f"no packet came to the link; see {self.folder}")
        capacity = ()
        if self.case.measured:
            capacity = metrics.read_capacity(self.folder / "rows.csv", self.case, origin_s)
        run = metrics.Run(self.case, packets, capacity)
        plot.draw(run, self.contender.name, self.folder)
        text = {"case": self.case.name, "contender": self.contender.name, "run": self.number,
                "source": "x264" if self.uri else "RFC 8593", "stolen": self.stolen, "sender_mean_ms": metrics.mean(sender_ms),
                "sender_p95_ms": metrics.percentile(sender_ms, 0.95),
                **metrics.frame_figures(senders, sorted(self.folder.glob("receiver*.log"))),
                **run.figures(),
                "settings": dataclasses.asdict(self.case)}
        text["settings"].pop("criteria")
        if not isinstance(self.case.trace, str):
            text["settings"].pop("trace")
        (self.folder / "metrics.json").write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")
        (self.folder / "packets.csv").unlink()
        return run
