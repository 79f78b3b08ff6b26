# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""One run of eval/lab/picture from Chromium to Chromium.

A browser gives no digests of its frames. libwebrtc decodes a frame only if it and all that it
refers to are whole, so each decoded frame counts as intact, and as in time. Freezes are those of
getStats; delays are not known."""

import time

from call import FIGURES_INTERVAL_S
from chromium import Chromium
from picturecall import PictureCall
from picturefigures import FRAMES_PER_S, lost_ratio
from picturerun import read_packets


def grown(rows, end, name, begin_s, end_s):
    """By how much a figure of getStats grew between the last rows before both times."""
    def value(at_s):
        known = [row[end][name] for row in rows if row["at_s"] <= at_s and name in row[end]]
        return known[-1] if known else 0
    return value(end_s) - value(begin_s)


def back_s(rows, outage):
    """From the end of the outage to the first row with a new frame."""
    end_s = sum(outage)
    counts = [(row["at_s"], row["receiver"].get("framesDecoded", 0)) for row in rows]
    before = max((count for at_s, count in counts if at_s <= end_s), default=0)
    return min((at_s - end_s for at_s, count in counts if count > before), default=None)


def browser_figures(case, rows, packets):
    span = case.first_s(), case.last_s()
    seconds = span[1] - span[0]

    def got(end, name):
        return grown(rows, end, name, *span)

    def link_bytes(link):
        return sum(p[1] for p in packets if p[3] == link and span[0] <= p[0] < span[1])

    # bytesSent of an outbound-rtp has what was sent again in it.
    video_bytes = got("sender", "bytesSent") - got("sender", "retransmittedBytesSent")
    return {"intact": min(got("receiver", "framesDecoded") / (FRAMES_PER_S * seconds), 1),
            "freezes": got("receiver", "freezeCount"),
            "frozen_s": got("receiver", "totalFreezesDuration"),
            "delay_p50_ms": None, "video_bps": 8 * video_bytes / seconds,
            "sent_bps": 8 * link_bytes("forward") / seconds,
            "back_bps": 8 * link_bytes("reverse") / seconds,
            "overhead": link_bytes("forward") / max(video_bytes, 1) - 1, "camera_late_ms": 0,
            "lost_ratio": lost_ratio(packets, span), "ssim": None,
            "back_s": back_s(rows, case.outage) if case.outage else 0, "late_frames": None}


class PictureBrowser(PictureCall):
    def starts(self, lab):
        return (lambda: Chromium(lab, "sender", self.folder, camera=self.settings.footage,
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
