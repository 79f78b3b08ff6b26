# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The harness of the programs that watch frames: picture, frametimes, playout, scale, cameras and
severalpaths. Each names its cases, who sends, what a run is (framerun.py), and its tables
(frametables.py).

Results go to build/eval/lab/PROGRAM/FOOTAGE, one folder a run: metrics.json, logs, a row for each
frame. A run whose metrics are there is not made again, unless --again says so. A run that the
machine disturbed is made again, up to three times in all."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import places  # noqa: F401
import netns
import mdtable
from framecases import by_name
from pairs import joined_footage
from provenance import commit
from runs import Command, play

DISTURBED_MS = 50  # by so much the machine delayed a frame of the camera
BY_HAND = "## What the tables say"  # what was written from there on stays


@dataclass(frozen=True)
class Footage:
    """path: a YUV4MPEG2 file; fps as it is written there, N/D."""

    path: Path
    width: int
    height: int
    fps: str

    @classmethod
    def make(cls, folder, video, size=""):
        """As it is; size: WxH, if another one than it has."""
        path = folder / f"{video.stem}{size}.y4m"
        scale = f"scale={size}," if size else ""
        if not path.exists():
            part = path.with_suffix(".part.y4m")
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", video, "-an", "-vf",
                            f"{scale}setsar=1,format=yuv420p", part], check=True)
            part.rename(path)
        with open(path, "rb") as file:
            words = {word[:1]: word[1:] for word in file.readline().decode().split()[1:]}
        return cls(path, int(words["W"]), int(words["H"]), words["F"].replace(":", "/"))

    def rate(self):
        above, _, below = self.fps.partition("/")
        return int(above) / int(below)


class FrameLab(Command):
    """cases, senders: by name. kinds: the class of the runs by the kind of the sender. describe: a
    line of the figures of a run."""

    def __init__(self, doc, cases, senders, kinds, describe, *options, jobs=1, latency_ms=200):
        super().__init__(doc, "runs", "jobs", "out", "again", "write", "list", "stolen", *options,
                         jobs=jobs, latency_ms=latency_ms)
        self.cases, self.senders, self.kinds, self.describe = cases, senders, kinds, describe
        self.add_argument("names", nargs="*", metavar="CASE", help="names (all)")
        self.add_argument("--by", metavar="NAMES", default="",
                          help="who sends (all that need not be named)")
        self.add_argument("--media", type=Path, metavar="FILE", nargs="+", default=[],
                          help="footage, one after the other (the test source)")

    def show_list(self):
        for known in (self.cases, self.senders):
            for each in known.values():
                print(f"{each.name:24} {each.what}")
            print()

    def footage(self):
        """(what the runs get, the name of their folder)"""
        made = joined_footage(self.args.out, self.args.media, self.environment)
        return made, made.stem.removeprefix("camera-")

    def disturbed(self, figures):
        return figures["camera_late_ms"] > DISTURBED_MS

    def senders_of(self, case):
        return self.chosen(self.senders, self.args.by.split() or getattr(case, "by", None) or [
            sender.name for sender in self.senders.values() if not sender.asked])

    def make_runs(self):
        there = self.present({sender.name: sender for case in self.named for sender
                              in self.senders_of(case)}.values(), self.args.build)
        return [self.kinds[sender.kind](case, sender, number,
                                        self.folder / case.name / sender.name / str(number),
                                        self.args)
                for number in range(1, self.args.runs + 1) for case in self.named
                for sender in self.senders_of(case) if sender in there
                and not (case.late_s and sender.kind != "pipelines")]  # a call begins with both

    def measure(self):
        """{(case, sender): figures of each run} of all that the folder has."""
        self.args = args = self.parse_args()
        self.cases = self.cases | by_name(*getattr(args, "trace", ()))
        if args.list:
            self.show_list()
            sys.exit()
        os.chdir(netns.ROOT)
        if why := netns.why_unavailable(root=True):
            self.skip(why)
        self.named = self.chosen(self.cases, args.names)
        args.out.mkdir(parents=True, exist_ok=True)
        self.environment = next(iter(self.senders.values())).environment(args.build)
        subprocess.run(["gst-inspect-1.0", "fakesink"], stdout=subprocess.DEVNULL, check=True,
                       env=self.environment)  # makes the registry once, not by all runs at a time
        args.footage, name = self.footage()
        args.commit, self.folder = commit(), args.out / name
        self.runs = self.make_runs()
        self.failed = play(
            {f"{run.case.name} {run.sender.name} {run.number}": run.run for run in self.runs
             if args.again or not (run.folder / run.PLAYED).exists()},
            self.describe, args.jobs, self.disturbed)
        return self.load()

    def load(self):
        return mdtable.load(self.folder, "case", "sender")

    def measured(self, results):
        """The names of the cases, in their order."""
        return [name for name in self.cases if any(name == case for case, _ in results)]

    def count_text(self):
        runs = self.args.runs
        return "one run each" if runs == 1 else f"medians of {runs} runs"

    def media_text(self):
        return " and ".join(media.stem for media in self.args.media) or "the test source"

    def end(self):
        sys.exit(1 if self.failed else 0)


def show(tables):
    for name, text in tables.items():
        print(f"\n{name}\n\n{text}")


def write_page(document, parts):
    """A page with these parts, and what was written below them by hand."""
    page = document.read_text(encoding="utf-8") if document.exists() else ""
    by_hand = page.partition(BY_HAND)[2]
    parts = [*parts, *([BY_HAND + by_hand.rstrip()] if by_hand else [])]
    document.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    print(document)
