# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""A headless Chromium, and the page of eval/lab/page.html in it at one end of a lab.

The DevTools protocol goes through pipes (--remote-debugging-pipe: Chromium reads its descriptor 3
and writes 4, a message ends with a zero byte), so that nothing listens on a port and no other
driver has to be installed."""

import base64
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path

from priority import PRIORITY

PAGE = Path(__file__).resolve().parent / "page.html"
PATIENCE_S = 60
PACKAGE = "chromium"
CLOCK_READS = 10  # of which the fastest counts
PICTURES = 5  # in an answer
# One candidate with the address as it is; a camera without a question; no GPU on a server.
OPTIONS = ("--headless=new", "--no-sandbox", "--no-first-run", "--disable-gpu", "--mute-audio",
           "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
           "--autoplay-policy=no-user-gesture-required", "--disable-background-networking",
           "--disable-component-update", "--disable-dev-shm-usage",
           "--disable-features=WebRtcHideLocalIpsWithMdns", "--remote-debugging-pipe")
# Feedback by RFC 8888 instead of transport-wide congestion control.
TRIAL_8888 = ("--force-fieldtrials="
              "WebRTC-RFC8888CongestionControlFeedback/Enabled,offer:true,force_send:true/")
# With that feedback, SCReAM V2 of libwebrtc instead of Google congestion control.
TRIAL_SCREAM = f"{TRIAL_8888}WebRTC-Bwe-ScreamV2/Enabled/"


class BrowserError(Exception):
    pass


class NoAnswer(BrowserError):
    """In PATIENCE_S."""


def why_unavailable():
    """What to install; None: it is there."""
    if shutil.which(PACKAGE):
        return None
    return f"there is no {PACKAGE}: apt-get install --no-install-recommends {PACKAGE}"


class Browser:
    """Shows one page. start(command, **popen) starts Chromium, in a namespace of its own or not."""

    def __init__(self, start, folder, name, url, options=()):
        self.number, self.waiting, self.session = 0, b"", None
        commands, self.command_fd = os.pipe()
        self.answer_fd, answers = os.pipe()
        command = [PACKAGE, *OPTIONS, *options, f"--user-data-dir={folder / f'profile-{name}'}"]
        self.log = open(folder / f"{name}.log", "w", encoding="utf-8")
        # The shell gives the pipes the numbers that Chromium knows, whatever they are here.
        line = f'exec "$@" 3<&{commands} 4>&{answers}'
        start(["bash", "-c", line, "bash", *command, "about:blank"],
              pass_fds=(commands, answers), stdin=subprocess.DEVNULL, stdout=self.log,
              stderr=self.log, env=dict(os.environ, HOME=str(folder)))
        os.close(commands)
        os.close(answers)
        target = self.call("Target.createTarget", url=url)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]

    def close(self):
        os.close(self.command_fd)
        os.close(self.answer_fd)
        self.log.close()

    def messages(self, until_s):
        while True:
            while b"\0" in self.waiting:
                text, self.waiting = self.waiting.split(b"\0", 1)
                yield json.loads(text)
            left_s = until_s - time.monotonic()
            if left_s <= 0 or not select.select([self.answer_fd], [], [], left_s)[0]:
                raise NoAnswer(f"Chromium does not answer; see {self.log.name}")
            piece = os.read(self.answer_fd, 65536)
            if not piece:
                raise BrowserError(f"Chromium has ended; see {self.log.name}")
            self.waiting += piece

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.command_fd, json.dumps(message).encode() + b"\0")
        for answer in self.messages(time.monotonic() + PATIENCE_S):
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def run(self, expression):
        """The value of a promise of the page."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            text = details.get("exception", {}).get("description", details["text"])
            raise BrowserError(f"the page: {text}")
        return result["result"].get("value")

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def screenshot(self):
        """PNG"""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])


class Chromium(Browser):
    """An end of a call, like WebrtcPeer: offer() and accept(), or answer(), then figures()."""

    def __init__(self, lab, end, folder, options=(), camera=None, most_bps=0):
        self.most_bps = most_bps
        if camera:
            options = (*options, f"--use-file-for-fake-video-capture={camera}")
        super().__init__(lambda command, **popen: lab.start(end, [*PRIORITY, *command], **popen),
                         folder, end, PAGE.as_uri(), options)
        self.wait_for_page()

    def wait_for_page(self):
        until_s = time.monotonic() + PATIENCE_S
        while self.run("document.readyState + typeof offer") != "completefunction":
            if time.monotonic() > until_s:
                raise NoAnswer(f"{PAGE} does not load")
            time.sleep(0.1)

    def offer(self):
        return self.run("offer()")

    def accept(self, sdp):
        self.run(f"accept({json.dumps(sdp)}, {self.most_bps})")

    def answer(self, sdp):
        return self.run(f"answer({json.dumps(sdp)})")

    def watch(self, of, keeps=False):
        """From now on the page has a row for each frame, and keeps its luma if that is wanted; of:
        "Senders" or "Receivers"."""
        self.run(f"void watch(peer.get{of}()[0].track, {str(keeps).lower()})")

    def pictures(self):
        """The luma of each frame that the page kept."""
        while texts := self.run(f"takePictures({PICTURES})"):
            yield from map(base64.b64decode, texts)

    def watched(self):
        """Rows of (number painted in the picture, when it was there, when its packets were: 0:
        unknown), times in CLOCK_MONOTONIC."""
        origin_s = min(map(self.clock, range(CLOCK_READS)))[1]
        return [(number, origin_s + at_ms / 1e3, came_ms and origin_s + came_ms / 1e3)
                for number, at_ms, came_ms in self.run("watchedRows()")]

    def clock(self, _number):
        """(how long it took to ask, 0 of the page's clock)."""
        asked_s = time.monotonic()
        now_ms = self.run("performance.now()")
        took_s = time.monotonic() - asked_s
        return took_s, asked_s + took_s / 2 - now_ms / 1e3

    def figures(self):
        """What getStats says about the video, by its names there."""
        return self.run("figures()")
