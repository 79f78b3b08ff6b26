# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""gst-arc-monitor as a process, and elements in this process that it watches. To be imported before
anything makes GStreamer begin."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

SKIPPED = 77
WAIT_S = 30

try:
    import gi
    gi.require_version("Gst", "1.0")
    from gi.repository import Gst
except (ImportError, ValueError) as error:
    print(f"skipped: {error}: apt-get install python3-gi gir1.2-gstreamer-1.0")
    sys.exit(SKIPPED)


def wait_for(value):
    """The first value() that is true, or the last one."""
    end = time.monotonic() + WAIT_S
    while not (found := value()) and time.monotonic() < end:
        time.sleep(0.1)
    return found


class Monitor:
    """Serves while the block runs. begin: called in its process before it begins."""

    def __init__(self, program, folder, *options, port="0", name="socket", begin=None):
        self.begin = begin
        self.path = str(Path(folder) / name)
        self.command = [program, "--socket", self.path, "--port", port, *options]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True,
                                        preexec_fn=self.begin)
        self.page = self.process.stdout.readline().split()[1]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def fetch(self, path, method="GET", **headers):
        """(status, body, headers)"""
        request = urllib.request.Request(self.page + path, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
                return answer.status, answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            return error.code, error.read(), error.headers

    def get(self, path, method="GET", **headers):
        """(status, body, content type)"""
        status, body, told = self.fetch(path, method, **headers)
        return status, body.decode(), told["Content-Type"]


def start_gstreamer(path):
    """With the tracer, in this process."""
    os.environ["GST_TRACERS"] = f'arcmonitor(name=test,socket="{path}")'
    Gst.init(None)


def launch(path, line, name):
    """The same in a process of its own."""
    env = os.environ | {"GST_TRACERS": f'arcmonitor(name={name},socket="{path}")'}
    return subprocess.Popen(["gst-launch-1.0", "-q", *line.split()], env=env,
                            stdout=subprocess.DEVNULL)


def stats(element):
    """{field: value}, as in the property; those of inner structures are left out."""
    structure = element.get_property("stats")
    fields = (structure.nth_field_name(i) for i in range(structure.n_fields()))
    values = {field: value(structure, field) for field in fields}
    return {field: held for field, held in values.items() if held is not None}


def value(structure, field):
    """None: neither number nor text."""
    try:
        held = structure.get_value(field)
    except TypeError:
        return None
    return held if isinstance(held, (bool, int, float, str)) else None


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def loopback_line(frames):
    """A sender and a receiver."""
    port = free_port()
    return (f"arcsrc name=receiver address=127.0.0.1 port={port} caps=application/x-rtp,"
            "media=video,clock-rate=90000,encoding-name=THEORA,payload=96 ! fakesink async=false "
            f"videotestsrc num-buffers={frames} is-live=true "
            "! video/x-raw,width=320,height=180,framerate=30/1 "
            f"! theoraenc ! rtptheorapay ! rmcsink name=sender async=false port={port}")


def play_for_a_moment():
    """(pipeline, sender, receiver): they have played, and stand still, so that their statistics do
    not change any more."""
    pipeline = Gst.parse_launch(loopback_line(-1))
    sender, receiver = pipeline.get_by_name("sender"), pipeline.get_by_name("receiver")
    pipeline.set_state(Gst.State.PLAYING)
    if not wait_for(lambda: stats(sender).get("reports-received", 0) > 10):
        sys.exit("no report came to the sender")
    pipeline.set_state(Gst.State.READY)
    return pipeline, sender, receiver
