# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What stands on a viewer's screen with each frame of the camera, and how alike the two are."""

import subprocess
from bisect import bisect_right, insort


def picture_frames(frames, views):
    """[(decoded_s, number of the frame)] of all pictures; a broken one is the frame behind the
    picture before it."""
    number_of = {frame.view: number for number, frame in enumerate(frames)
                 if frame.view is not None}
    found, last = [], -1
    for view, (at_s, *_) in enumerate(views):
        last = number_of.get(view, last + 1)
        found.append((at_s, last))
    return found


def screen(frames, pictures, playout_s):
    """For each frame the picture that the screen has when the frame is due, or -1."""
    times = [at_s for at_s, _ in pictures]
    shown, ready, taken = [], [], 0  # ready: (number of the frame, picture), ascending
    for number, frame in enumerate(frames):
        decoded = bisect_right(times, frame.captured_s + playout_s)
        for view in range(taken, decoded):
            insort(ready, (pictures[view][1], view))
        taken = max(taken, decoded)
        due = bisect_right(ready, (number, len(pictures)))
        shown.append(ready[due - 1][1] if due else -1)
        del ready[:max(due - 1, 0)]  # an older one is shown no more
    return shown


def ssim_of(build, footage, shown, screen, numbers=None):
    """Of the screen with each frame of the camera; numbers: theirs in the footage, if not in
    order."""
    asked = "".join(f"{view} {number}\n" for view, number in
                    zip(screen, numbers or range(len(screen))))
    program = subprocess.run([build / "eval" / "lab" / "lab-ssim", footage, shown], input=asked,
                             capture_output=True, text=True, check=False)
    if program.returncode:
        raise RuntimeError(program.stderr.strip())
    return [float(line) for line in program.stdout.split()]
