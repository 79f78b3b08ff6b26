# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""One run of eval/lab/picture over WebRTC, webrtcbin to webrtcbin."""

import time

from call import only_one_address
from picturerun import AFTER_S, REALTIME, PictureRun, start_clock
from webrtcpeer import WebrtcPeer

CONNECTED_S = 5  # from the link's second 0 on; the call is there then, and its rate is found


class PictureCall(PictureRun):
    before_s = CONNECTED_S

    def peer(self, lab, end, *options):
        return WebrtcPeer(lab, end, self.folder,
                          ["--frames", self.folder / f"{end}.csv", "--latency",
                           self.latency_ms, *self.more(end), *options],
                          self.sender.environment(self.settings.build), REALTIME)

    def starts(self, lab):
        """What starts the sender, and the receiver."""
        pipeline = self.sender.sender(lab.address("receiver"), lab.address("sender"),
                                      self.latency_ms)
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
