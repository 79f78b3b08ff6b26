# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""One run of eval/lab/frametimes: as those of eval/lab/picture, with packets and the pictures."""

import shutil
import subprocess
import time
from bisect import bisect_left

from chromium import Chromium
from clockpaint import paint
from frametimesfigures import FrameTimes
from picturebrowser import PictureBrowser
from picturecall import PictureCall
from picturefigures import read_rows
from picturerun import AFTER_S, PictureRun, read_packets


def ssim_of(build, footage, shown, screen):
    """Of the screen with each frame of the camera."""
    asked = "".join(f"{view} {number}\n" for number, view in enumerate(screen))
    program = subprocess.run([build / "eval" / "lab" / "lab-ssim", footage, shown], input=asked,
                             capture_output=True, text=True, check=False)
    if program.returncode:
        raise RuntimeError(program.stderr.strip())
    return [float(line) for line in program.stdout.split()]


class Stamped:
    def write(self, measured):
        return super().write(measured | {"commit": self.settings.commit})


class Watched(Stamped):
    """What the runs with GStreamer at both ends have."""

    @property
    def shown(self):
        return self.folder / "shown.i420"

    def more(self, end):
        return ("--packets", *(("--record", self.shown) if end == "receiver" else ()))

    def finish(self, begin_s, link_s):
        self.picture = FrameTimes(self.case, self.latency_ms,
                                  read_rows(self.folder / "sender.csv", begin_s),
                                  read_rows(self.folder / "receiver.csv", begin_s),
                                  read_packets(self.folder, begin_s - link_s))
        self.picture.ssim = ssim_of(self.settings.build, self.settings.footage, self.shown,
                                    self.picture.screen)
        self.shown.unlink()
        return self.write(self.picture.figures())


class FrameTimesRun(Watched, PictureRun):
    pass


class FrameTimesCall(Watched, PictureCall):
    pass


def rows_of_painted(sent, shown):
    """Frame logs of both ends (framelog.py) from (number, at_s) and (number, at_s, whole_s); the
    numbers repeat with the footage. No digests: a browser decodes what is whole."""
    times = {}
    for i, (number, at_s, *_) in enumerate(sent):
        times.setdefault(number, []).append((at_s, i))
    sender = {what: [(at_s, i, 0, f"{i}:0") for i, (_, at_s, *_) in enumerate(sent)]
              for what in ("capture", "encoded", "reference", "sent")}
    receiver = {"arrived": [], "view": []}
    for number, at_s, whole_s in shown:
        before = times.get(number, [])
        at = bisect_left(before, (at_s, 0))
        if at:
            digest = f"{before[at - 1][1]}:0"
            receiver["view"].append((at_s, 0, 0, digest))
            receiver["arrived"] += [(whole_s, 0, 0, digest)] if whole_s else []
    return sender, receiver


class FrameTimesBrowser(Stamped, PictureBrowser):
    """A page reads the frames' numbers. It keeps no pictures, so there is no SSIM."""

    def run(self):
        painted = self.settings.out / "camera-painted.y4m"
        paint(self.settings.footage, painted)
        self.painted = painted
        return super().run()

    def starts(self, lab):
        return (lambda: Chromium(lab, "sender", self.folder, camera=self.painted,
                                 most_bps=self.sender.media_bps),
                lambda: Chromium(lab, "receiver", self.folder))

    def follow(self, ends, begin_s):
        for end, of in zip(ends, ("Senders", "Receivers")):
            end.watch(of)
        time.sleep(max(0, begin_s + self.case.seconds + AFTER_S - time.monotonic()))
        self.watched = [end.watched() for end in ends]

    def finish(self, begin_s, link_s):
        sent, shown = ([(number, at_s - begin_s, whole_s and whole_s - begin_s)
                        for number, at_s, whole_s in rows] for rows in self.watched)
        self.picture = FrameTimes(self.case, self.latency_ms, *rows_of_painted(sent, shown),
                                  read_packets(self.folder, begin_s - link_s))
        for profile in self.folder.glob("profile-*"):
            shutil.rmtree(profile)
        # The camera is Chromium's own.
        return self.write(self.picture.figures() | {"camera_late_ms": 0})
