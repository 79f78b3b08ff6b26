# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""One run of eval/lab/frametimes: as those of eval/lab/picture, with packets and the pictures."""

import shutil
import time
from bisect import bisect_left

from chromium import Chromium
from clockpaint import paint
from frametimesfigures import FrameTimes
from picturebrowser import PictureBrowser
from picturecall import PictureCall
from picturefigures import read_rows
from picturerun import AFTER_S, PictureRun, read_packets
from screen import ssim_of


class Compared:
    """What all runs have."""

    def write(self, measured):
        return super().write(measured | {"commit": self.settings.commit})

    @property
    def shown(self):
        return self.folder / "shown.i420"

    def compare(self, footage, numbers=None):
        self.picture.ssim = ssim_of(self.settings.build, footage, self.shown,
                                    self.picture.screen, numbers)
        self.shown.unlink()


class Watched(Compared):
    """What the runs with GStreamer at both ends have."""

    def more(self, end):
        return ("--packets", *(("--record", self.shown) if end == "receiver" else ()))

    def finish(self, begin_s, link_s):
        self.picture = FrameTimes(self.case, self.latency_ms,
                                  read_rows(self.folder / "sender.csv", begin_s),
                                  read_rows(self.folder / "receiver.csv", begin_s),
                                  read_packets(self.folder, begin_s - link_s))
        self.compare(self.settings.footage)
        return self.write(self.picture.figures())


class FrameTimesRun(Watched, PictureRun):
    @property
    def priority(self):
        return super().priority if self.case.realtime else ()

    def play(self, lab):
        for command in self.case.beside:
            lab.start("sender", command)
        return super().play(lab)


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
        digest = f"{before[at - 1][1]}:0" if at else "broken"
        receiver["view"].append((at_s, 0, 0, digest))
        receiver["arrived"] += [(whole_s, 0, 0, digest)] if at and whole_s else []
    return sender, receiver


class FrameTimesBrowser(Compared, PictureBrowser):
    """A page reads the frames' numbers, and keeps the pictures until the end."""

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
        ends[0].watch("Senders")
        ends[1].watch("Receivers", keeps=True)
        time.sleep(max(0, begin_s + self.case.seconds + AFTER_S - time.monotonic()))
        self.watched = [end.watched() for end in ends]
        with open(self.shown, "wb") as file:
            for picture in ends[1].pictures():
                file.write(picture + bytes(len(picture) // 2))  # and chroma, which has no part

    def finish(self, begin_s, link_s):
        sent, shown = ([(number, at_s - begin_s, whole_s and whole_s - begin_s)
                        for number, at_s, whole_s in rows] for rows in self.watched)
        self.picture = FrameTimes(self.case, self.latency_ms, *rows_of_painted(sent, shown),
                                  read_packets(self.folder, begin_s - link_s))
        self.compare(self.painted, [number for number, *_ in sent])
        for profile in self.folder.glob("profile-*"):
            shutil.rmtree(profile)
        # The camera is Chromium's own.
        return self.write(self.picture.figures() | {"camera_late_ms": 0})
