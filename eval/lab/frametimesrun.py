# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""One run of eval/lab/frametimes: as those of eval/lab/picture, with packets and the pictures."""

import subprocess

from frametimesfigures import FrameTimes
from picturecall import PictureCall
from picturefigures import read_rows
from picturerun import PictureRun, read_packets


def ssim_of(build, footage, shown, screen):
    """Of the screen with each frame of the camera."""
    asked = "".join(f"{view} {number}\n" for number, view in enumerate(screen))
    program = subprocess.run([build / "eval" / "lab" / "lab-ssim", footage, shown], input=asked,
                             capture_output=True, text=True, check=False)
    if program.returncode:
        raise RuntimeError(program.stderr.strip())
    return [float(line) for line in program.stdout.split()]


class Watched:
    """What both kinds of runs have."""

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
