# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""./demo --paths: one stream over two links, of which the second falls; what each carries, their
sum, and the picture meanwhile."""

import json
import os
import re
import shlex
import subprocess

import picture

from . import lines, media, trace
from .children import free_ports
from .run import LINK_INTERVAL_S, Session, parse_row, rates

SECOND = "link-2"
BIN_S = 0.5
HEIGHT = 900
TITLE = "gst-arc: one stream over two paths, of which the second falls"
PTS = re.compile(r"/GstIdentity:counter: last-message = chain.* pts: (\d+):(\d+):([\d.]+)")
STILL_AFTER_S = 2  # the fall


class PathsSession(Session):
    """options.points are those of the second link; the first stays at the rate of the start."""

    latency_ms = 400  # a packet that overtakes others by the faster path must not end their wait

    def __init__(self, options, folder, build):
        super().__init__(options, folder, build)
        (self.to_second,) = free_ports(1)
        first = [(0, options.points[0][1])]
        self.link_line = self._link_line(first, self.to_link, "packets.csv")
        self.second_line = self._link_line(options.points, self.to_second, "packets-2.csv")
        self.sender_line += f" paths=127.0.0.1:{self.to_link},127.0.0.1:{self.to_second}"
        self.second_header, self.second = None, []

    def _start_links(self):
        super()._start_links()
        self._start_listener(SECOND, self.second_line, self.to_second)

    def _take_other(self, name, text):
        if name != SECOND:
            return
        if text.startswith("time_s"):
            self.second_header = text.split(",")
        elif self.second_header and (row := parse_row(self.second_header, text)):
            self.second.append(row)


def binned(rows):
    """[Mbit/s] of each bin: the clocks of both links begin with their first packet."""
    step = round(BIN_S / LINK_INTERVAL_S)
    return [rates(rows[i:i + step])["served_bps"] / 1e6
            for i in range(0, len(rows) - step + 1, step)]


def frame_times(video, env):
    """Seconds of the decoded frames in the file, from its first one on."""
    pipeline = (f"filesrc location={shlex.quote(str(video))} ! matroskademux ! h264parse "
                f"! avdec_h264 ! {media.COUNTER} ! fakesink")
    said = subprocess.run(["gst-launch-1.0", "-v", *shlex.split(pipeline)], env=env, check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    times = [3600 * int(h) + 60 * int(m) + float(s) for h, m, s in PTS.findall(said)]
    return [at - times[0] for at in times]


def draw(session, frames, folder):
    if not picture.available():
        return None
    first, second = binned(session.result.link), binned(session.second)
    n, length_s = min(len(first), len(second)), session.result.length_s
    times = [BIN_S * (i + 0.5) for i in range(n)]
    capacity = [(at, (bps + session.options.points[0][1]) / 1e6)
                for phase in trace.phases(session.options.points, length_s)
                for at, bps in ((phase.start_s, phase.capacity_bps),
                                (phase.end_s, phase.capacity_bps))]
    shown = [sum(BIN_S * i <= at < BIN_S * (i + 1) for at in frames) / BIN_S
             for i in range(int(length_s / BIN_S) - 1)]
    target = [(r["time_s"], r.get("target-bitrate", 0) / 1e6) for r in session.result.sender
              if 0 <= r["time_s"] <= length_s]
    together = map(sum, zip(first[:n], second[:n]))
    blocks = [picture.block("capacity", capacity, 5), picture.block("target", target, 5),
              picture.block("carried", zip(times, first[:n], together), 5)]
    parts = ("$carried using 1:2 with filledcurves y1=0 lc rgb '#9ecae1' title 'first path'",
             "$carried using 1:2:3 with filledcurves lc rgb '#fdbf6f' title 'second path'",
             "$carried using 1:3 with lines lw 2 lc rgb '#1b9e77' title 'together'",
             "$capacity using 1:2 with lines lw 3 lc rgb '#333333' title 'capacity of both'",
             "$target using 1:2 with steps lw 1.5 lc rgb '#d95f02' title 'target bitrate'")
    rows = [(BIN_S * (i + 0.5), count) for i, count in enumerate(shown)]
    lower = ([picture.block("frames", rows, 4)],
             ("$frames using 1:2 with steps lw 2 lc rgb '#1b9e77' title 'frames received, whole'",))
    top = max(value for _, value in capacity) * 1.25
    path = folder / "plot.png"
    picture.rates_and_delays(path, TITLE, HEIGHT, (length_s, top, 1.4 * lines.FRAMES_PER_S),
                             (blocks, parts), lower, "frames a second")
    return path


def still(video, at_s, folder, env):
    """The picture of that second."""
    path = folder / "still.jpg"
    count = round(at_s * lines.FRAMES_PER_S)
    subprocess.run(["gst-launch-1.0", "-q", *shlex.split(
        f"filesrc location={shlex.quote(str(video))} ! matroskademux ! h264parse ! avdec_h264 ! "
        f"identity eos-after={count} ! videoconvert ! jpegenc ! "
        f"multifilesink max-files=1 location={shlex.quote(str(path))}")], env=env, check=True)
    return path


def report(session, folder):
    """Figures, plot and still."""
    env = dict(os.environ)
    frames = frame_times(session.video, env)
    gaps = [b - a for a, b in zip(frames, frames[1:])]
    fall_s = session.options.points[1][0] if len(session.options.points) > 1 else 0
    figures = {"frames": len(frames), "expected": round(frames[-1] * lines.FRAMES_PER_S) + 1,
               "longest_gap_s": max(gaps, default=0)}
    for phase in trace.phases(session.options.points, session.result.length_s):
        at = slice(round((phase.start_s + 3) / LINK_INTERVAL_S),
                   round(phase.end_s / LINK_INTERVAL_S))
        both = [rates(rows[at]) for rows in (session.result.link, session.second) if rows[at]]
        carried = [r["served_bps"] for r in both]
        capacity = sum(r["capacity_bps"] for r in both)
        figures[f"from {phase.start_s:g} s"] = {"carried_bps": carried, "capacity_bps": capacity}
        print(f"{phase.start_s:4g} to {phase.end_s:2g} s   carried "
              + " + ".join(f"{bps / 1e6:.2f}" for bps in carried)
              + f" = {sum(carried) / 1e6:.2f} of {capacity / 1e6:.2f} Mbit/s"
              f" ({sum(carried) / capacity:.0%})")
    print(f"{figures['frames']} of {figures['expected']} frames came whole; "
          f"at most {1e3 * figures['longest_gap_s']:.0f} ms between two")
    (folder / "summary.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    print(f"\nplot     {draw(session, frames, folder) or 'none (gnuplot is missing)'}\n"
          f"still    {still(session.video, fall_s + STILL_AFTER_S, folder, env)}\n"
          f"video    {session.video}")
