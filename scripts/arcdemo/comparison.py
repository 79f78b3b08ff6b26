# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""./demo --compare: the same footage at the same moment by plain RTP, SRT and gst-arc, each over a
link of its own; what eval/lab/picture does with one sender after the other."""

import dataclasses
import json
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

from . import sidebyside
from .lines import RAW

sys.path.append(str(Path(__file__).resolve().parents[2] / "eval" / "lab"))
import netns  # noqa: E402
from pairs import CAMERA_S, camera_file  # noqa: E402
from framecases import FrameCase  # noqa: E402
from framerun import BEFORE_S, FRAMES, FrameRun, start_clock  # noqa: E402
from framesenders import PICTURE as SENDERS  # noqa: E402
from frametables import Cell, freezes  # noqa: E402

LATENCY_MS = 200
DISTURBED_MS = 50  # as in eval/lab/picture: by so much the machine delayed a frame of the camera
START_S = 60  # for the links; a busy machine takes seconds


class CompareError(Exception):
    pass


def contenders(fixed_bps):
    """What is sent beside each other, and what stands above each picture."""
    fixed = f"fixed {fixed_bps / 1e6:g} Mbit/s"
    return [dataclasses.replace(SENDERS["udp"], media_bps=fixed_bps, what=f"udpsink, {fixed}"),
            dataclasses.replace(SENDERS["srt"], media_bps=fixed_bps,
                                what=f"srtsink, {fixed}"),
            dataclasses.replace(SENDERS["arc-free"], name="arc",
                                what="rmcsink, as the link allows")]


class CompareRun(FrameRun):
    """A run that begins with the others, and keeps what the viewer saw."""

    @property
    def record(self):
        return self.folder / "shown.i420"

    def begin(self, lab):
        self.settings.together.wait(START_S)
        return start_clock(lab), self.settings.begin_s

    def more(self, end):
        return ("--record", self.record) if end == "receiver" else ()


def run_all(case, senders, folder, settings):
    def agree():
        settings.begin_s = time.monotonic() + BEFORE_S

    settings.together = threading.Barrier(len(senders), agree)
    runs = [CompareRun(case, sender, 1, folder / sender.name, settings) for sender in senders]
    with ThreadPoolExecutor(len(runs)) as pool:
        jobs = [pool.submit(run.run) for run in runs]
        errors = [job.exception() for job in jobs]
    # If one run does not start, the others wait in vain and say so: its own error comes first.
    for error in sorted(filter(None, errors),
                        key=lambda e: isinstance(e, threading.BrokenBarrierError)):
        raise CompareError(error) from error
    return runs, [job.result() for job in jobs]


def phase_rates(run):
    """Mbit/s that came through the link, in each phase."""
    begins = [second for second, _ in run.case.capacity]
    spans = zip(begins, [*begins[1:], run.case.seconds])
    return [sidebyside.through_bps(run.picture, begin, end) / 1e6 for begin, end in spans]


def table(runs, found):
    rows = ["| sender | rate by phase, Mbit/s "
            "| frame's time, camera to picture, p50 / p95 / p99, ms "
            "| freezes: number, sum | frames intact and in time |", "|---|---|---|---|---|"]
    for run, figures in zip(runs, found):
        rates = " / ".join(f"{rate:.2f}" for rate in phase_rates(run))
        delays = Cell([figures]).text("{:.0f}", *(f"delay_p{n}_ms" for n in (50, 95, 99)))
        rows.append(f"| {run.sender.what} | {rates} | {delays} "
                    f"| {freezes(figures)} | {figures['intact']:.0%} |")
    return "\n".join(rows)


def why_impossible(senders, build):
    if why := netns.why_unavailable():
        return f"two ends need network namespaces: {why}"
    if subprocess.run([FRAMES, "--help"], capture_output=True, check=False).returncode:
        return "apt-get install python3-gi gir1.2-gst-plugins-base-1.0"
    return next((why for sender in senders if (why := sender.missing(build))), None)


def compare(args, folder, build):
    """Runs it, writes the files, and prints the table."""
    os.environ["GST_ARC_BUILD_DIR"] = str(build)
    senders = contenders(round(args.fixed_bps))
    if why := why_impossible(senders, build):
        raise CompareError(why)
    link = ("--loss", args.loss, "--jitter", args.jitter_ms, "--queue", args.queue)
    case = FrameCase("compare", "", 2 * args.delay_ms, link, tuple(args.points),
                       seconds=args.seconds)
    footage = camera_file(folder, args.input, senders[0].environment(build),
                          min(CAMERA_S, args.seconds))
    settings = SimpleNamespace(build=build, footage=footage, latency_ms=LATENCY_MS)
    print(f"sending {args.seconds:g} s by {', '.join(s.what for s in senders)}", flush=True)
    runs, found = run_all(case, senders, folder, settings)
    for figures in found:
        figures.pop("settings")
    (folder / "compare.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (folder / "compare.md").write_text(table(runs, found) + "\n", encoding="utf-8")
    print(f"\n{table(runs, found)}\n", flush=True)
    late_ms = max(figures["camera_late_ms"] for figures in found)
    if late_ms > DISTURBED_MS:
        print(f"This machine delayed the camera by {late_ms:.0f} ms: these are its figures, and "
              "not those of the network. Do it again when it has less to do.\n")
    sidebyside.make(runs, folder, args.still_s, RAW)
    for run in runs:
        run.record.unlink()
    for what in ("compare.mp4", "still.jpg", "plot.png", "compare.md", "compare.json"):
        print(f"{what.partition('.')[0]:8} {folder / what}")
