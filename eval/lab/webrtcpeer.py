# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""eval/lab/webrtcend, webrtcbin at one end of a lab: what it says and is told through pipes."""

import base64
import queue
import subprocess
import threading
from pathlib import Path

from priority import PRIORITY

PROGRAM = Path(__file__).resolve().parent / "webrtcend"
PATIENCE_S = 60
# A freeze by W3C webrtc-stats (freezeCount): a distance between two frames of at least three times
# the mean of the last 30, and of at least that mean and 150 ms.
MEAN_OF, FREEZE_TIMES, FREEZE_MORE_S = 30, 3, 0.15


class PeerError(Exception):
    pass


def frame_figures(times):
    """What getStats would say about frames that were decoded at these times."""
    distances = [later - earlier for earlier, later in zip(times, times[1:])]
    frozen = []
    for i, distance in enumerate(distances):
        last = distances[max(0, i - MEAN_OF):i]
        mean_s = sum(last) / max(len(last), 1)
        if last and distance >= max(FREEZE_TIMES * mean_s, mean_s + FREEZE_MORE_S):
            frozen.append(distance)
    return {"framesDecoded": len(times), "freezeCount": len(frozen),
            "totalFreezesDuration": sum(frozen)}


class WebrtcPeer:
    """An end of a call, like Chromium."""

    def __init__(self, lab, end, folder, options, environment, priority=PRIORITY):
        self.log = open(folder / f"{end}.log", "w", encoding="utf-8")
        self.job = lab.start(end, [*priority, PROGRAM, *map(str, options)],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
                             text=True, env=environment)
        self.descriptions, self.frames = queue.Queue(), []
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def close(self):
        self.job.stdin.close()
        self.thread.join()
        self.log.close()

    def listen(self):
        for line in self.job.stdout:
            what, _, text = line.strip().partition(" ")
            if what == "frame":
                self.frames.append(float(text))
            elif what in ("offer", "answer"):
                self.descriptions.put(base64.b64decode(text).decode())
        self.descriptions.put(None)

    def description(self):
        try:
            sdp = self.descriptions.get(timeout=PATIENCE_S)
        except queue.Empty:
            sdp = None
        if not sdp:
            raise PeerError(f"webrtcbin makes no description; see {self.log.name}")
        return sdp

    def tell(self, what, sdp):
        self.job.stdin.write(f"{what} {base64.b64encode(sdp.encode()).decode()}\n")
        self.job.stdin.flush()

    def offer(self):
        return self.description()

    def accept(self, sdp):
        self.tell("answer", sdp)

    def answer(self, sdp):
        self.tell("offer", sdp)
        return self.description()

    def figures(self):
        if self.job.poll() is not None:
            raise PeerError(f"webrtcbin's program has ended; see {self.log.name}")
        return frame_figures(self.frames[:])
