# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Runs over WebRTC, webrtcbin to webrtcbin or Chromium to Chromium.

A browser gives no digests of its frames. libwebrtc decodes a frame only if it and all that it
refers to are whole, so in eval/lab/picture each decoded frame counts as intact, and as in time:
freezes are those of getStats, and delays are not known. In frametimes a page reads the numbers that
are painted into the frames, and keeps the pictures until the end."""

import shutil
import time

from call import FIGURES_INTERVAL_S, only_one_address
from chromium import Chromium
from clockpaint import paint
from framefigures import browser_figures, rows_of_painted
from framerun import AFTER_S, REALTIME, FrameRun, TimedRun, read_packets, start_clock
from webrtcpeer import WebrtcPeer

CONNECTED_S = 5  # from the link's second 0 on; the call is there then, and its rate is found


class CallRun(FrameRun):
    before_s = CONNECTED_S

    def peer(self, lab, end, *options):
        return WebrtcPeer(lab, end, self.folder,
                          ["--frames", self.folder / f"{end}.csv", "--latency",
                           self.latency_ms, *self.more(end), *options],
                          self.sender.environment(self.settings.build), REALTIME)

    def starts(self, lab):
        """What starts the sender, and the receiver."""
        pipeline = self.sender.sender(**self.words(lab, "sender"))
        return (lambda: self.peer(lab, "sender", "--pipeline", pipeline, "--footage",
                                  self.settings.footage, *self.sender.options),
                lambda: self.peer(lab, "receiver"))

    def follow(self, ends, begin_s):
        """Until the case is over; raises PeerError if the program of an end has ended."""
        time.sleep(max(0, begin_s + self.case.seconds + AFTER_S - time.monotonic()))
        for end in ends:
            end.figures()

    def play(self, lab):
        only_one_address(lab)
        ends = []
        try:
            for start in self.starts(lab):
                ends.append(start())
            offer = ends[0].offer()
            asked_s = start_clock(lab)
            begin_s = time.monotonic() + CONNECTED_S
            ends[0].accept(ends[1].answer(offer))
            self.follow(ends, begin_s)
        finally:
            for end in ends:
                end.close()
        return asked_s, begin_s


class TimedCall(CallRun, TimedRun):
    pass


class BrowserRun(CallRun):
    def filmed(self):
        return self.settings.footage

    def starts(self, lab):
        return (lambda: Chromium(lab, "sender", self.folder, camera=self.filmed(),
                                 most_bps=self.sender.media_bps),
                lambda: Chromium(lab, "receiver", self.folder))

    def follow(self, ends, begin_s):
        self.rows = []
        while (now_s := time.monotonic()) < begin_s + self.case.seconds:
            self.rows.append({"at_s": now_s - begin_s, "sender": ends[0].figures(),
                              "receiver": ends[1].figures()})
            time.sleep(FIGURES_INTERVAL_S / 5)

    def finish(self, begin_s, link_s):
        packets = read_packets(self.folder, begin_s - link_s)
        return self.write(browser_figures(self.case, self.rows, packets))


class TimedBrowser(BrowserRun):
    def filmed(self):
        return self.settings.out / "camera-painted.y4m"

    def footage(self):
        return [self.filmed()]

    def run(self):
        paint(self.settings.footage, self.filmed())
        return super().run()

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
        self.picture = TimedRun.figures_of(self.case, self.latency_ms,
                                           *rows_of_painted(sent, shown),
                                           read_packets(self.folder, begin_s - link_s))
        self.compare([number for number, *_ in sent])
        for profile in self.folder.glob("profile-*"):
            shutil.rmtree(profile)
        # The camera is Chromium's own.
        return self.write(self.picture.figures() | {"camera_late_ms": 0})
