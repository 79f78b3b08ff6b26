# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The SFU Janus of the distribution at one end of a lab, alone or with Chromium as its viewer.

What comes over the link goes to Janus, whose plugin videoroom passes it on to Chromium inside the
same namespace. Janus is told what to do through a Unix socket of packets (its transport pfunix),
so that no port is open but those of the media."""

import json
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from chromium import BrowserError, Chromium
from priority import PRIORITY

PACKAGE = "janus"
PATIENCE_S = 30
KEEPALIVE_S = 20  # Janus forgets a session after a minute
ROOM = 1
MESSAGE_BYTES = 1 << 16
# The publisher's bitrate is bounded by the network alone: 0 is no REMB of Janus' own.
ROOM_SETTINGS = {"request": "create", "room": ROOM, "publishers": 1, "videocodec": "h264",
                 "bitrate": 0, "transport_wide_cc_ext": True, "is_private": True}
SETTINGS = """general: {{
  configs_folder = "{folder}"
  plugins_folder = "{libraries}/plugins"
  transports_folder = "{libraries}/transports"
  events_folder = "{folder}"
  loggers_folder = "{folder}"
}}
plugins: {{ disable = "{plugins}" }}
transports: {{ disable = "{transports}" }}
"""
TRANSPORT = """general: {{
  enabled = true
  json = "compact"
  path = "{folder}/socket"
  type = "SOCK_SEQPACKET"
}}
"""


def why_unavailable():
    """What to install; None: it is there."""
    if shutil.which(PACKAGE):
        return None
    return f"there is no {PACKAGE}: apt-get install --no-install-recommends {PACKAGE}"


def others(folder, name):
    return ",".join(path.name for path in folder.glob("*.so") if path.name != name)


def write_settings(folder):
    libraries = next(Path("/usr/lib").glob("*/janus"))
    (folder / "janus.jcfg").write_text(SETTINGS.format(
        folder=folder, libraries=libraries,
        plugins=others(libraries / "plugins", "libjanus_videoroom.so"),
        transports=others(libraries / "transports", "libjanus_pfunix.so")), encoding="ascii")
    (folder / "janus.transport.pfunix.jcfg").write_text(TRANSPORT.format(folder=folder),
                                                        encoding="ascii")


class Sfu:
    """Janus with one publisher."""

    def __init__(self, lab, end, folder):
        self.settings = tempfile.TemporaryDirectory()
        self.log = open(folder / "janus.log", "w", encoding="utf-8")
        write_settings(Path(self.settings.name))
        lab.run(end, ["ip", "link", "set", "lo", "up"], check=True)
        self.job = lab.start(end, [*PRIORITY, PACKAGE, "-F", self.settings.name],
                             stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.number, self.session, self.feed, self.kept_s = 0, {}, None, time.monotonic()
        self.socket = self.connect(Path(self.settings.name) / "socket")
        self.session = {"session_id": self.ask({"janus": "create"})["data"]["id"]}

    def connect(self, path):
        until_s = time.monotonic() + PATIENCE_S
        while True:
            link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            link.settimeout(PATIENCE_S)
            try:
                link.connect(str(path))
                return link
            except OSError as error:
                link.close()
                if time.monotonic() > until_s or self.job.poll() is not None:
                    raise BrowserError(f"Janus does not start; see {self.log.name}") from error
                time.sleep(0.1)

    def close(self):
        self.socket.close()
        self.log.close()
        self.settings.cleanup()

    def ask(self, message):
        """The answer, which is an event later where Janus only confirms at first."""
        self.number += 1
        message |= {"transaction": str(self.number), **self.session}
        self.socket.send(json.dumps(message).encode())
        while True:
            answer = json.loads(self.socket.recv(MESSAGE_BYTES))
            if answer.get("transaction") != str(self.number) or answer["janus"] == "ack":
                continue
            data = answer.get("plugindata", {}).get("data", {})
            if answer["janus"] == "error" or "error" in data:
                raise BrowserError(f"Janus: {answer.get('error') or data['error']}")
            return answer

    def attach(self):
        answer = self.ask({"janus": "attach", "plugin": "janus.plugin.videoroom"})
        return {"handle_id": answer["data"]["id"]}

    def request(self, handle, body, jsep=None):
        extra = {"jsep": jsep} if jsep else {}
        return self.ask({"janus": "message", "body": body, **handle, **extra})

    def publish(self, sdp):
        """The answer to the publisher's offer."""
        publisher = self.attach()
        self.request(publisher, dict(ROOM_SETTINGS))
        joined = self.request(publisher, {"request": "joinandconfigure", "ptype": "publisher",
                                          "room": ROOM}, {"type": "offer", "sdp": sdp})
        self.feed = joined["plugindata"]["data"]["id"]
        return joined["jsep"]["sdp"]

    def wait_for_media(self):
        """Janus knows no feed before its media can come."""
        while json.loads(self.socket.recv(MESSAGE_BYTES))["janus"] != "webrtcup":
            pass

    def subscribe(self, answer, **stream):
        """The handle of a viewer; `answer` makes its description of Janus' offer."""
        subscriber = self.attach()
        offered = self.request(subscriber, {"request": "join", "ptype": "subscriber", "room": ROOM,
                                            "streams": [{"feed": self.feed, **stream}]})
        self.request(subscriber, {"request": "start", "room": ROOM},
                     {"type": "answer", "sdp": answer(offered["jsep"]["sdp"])})
        return subscriber

    def keep(self):
        if time.monotonic() - self.kept_s > KEEPALIVE_S:
            self.kept_s = time.monotonic()
            self.socket.send(json.dumps({"janus": "keepalive", "transaction": "keep",
                                         **self.session}).encode())


class Janus(Sfu):
    """An end of a call that answers: the publisher's receiver, and Chromium which watches."""

    def __init__(self, lab, end, folder):
        super().__init__(lab, end, folder)
        self.viewer = Chromium(lab, end, folder)

    def close(self):
        self.viewer.close()
        super().close()

    def answer(self, sdp):
        """Of Janus to the publisher's offer. Then Chromium watches."""
        return self.publish(sdp)

    def figures(self):
        if self.feed:
            self.wait_for_media()
            self.subscribe(self.viewer.answer)
            self.feed = None
        self.keep()
        return self.viewer.figures()
