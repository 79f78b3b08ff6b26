#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The plugin of systems without epoll and sendmmsg, built on Linux: which elements it has, and that
its arcsrc receives a stream and reports on it, by IPv4 and by IPv6.

Usage: receiveronly.py PLUGIN"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from embed import Program, free_port, wait_for

LEAST_FRAMES = 60
ELEMENTS = ["arcavsrc", "arcreceiver", "arcsrc"]


def shown(receiver):
    return receiver.text.count("= chain ")


def adapted(sender):
    """Reports came: the target has left its start."""
    return len(set(re.findall(r"target-bitrate = (\d+)", sender.text))) > 3


def stream(receiving, address):
    port = free_port()
    receiver = Program("env", *receiving, "gst-launch-1.0", "-v", "arcsrc", f"address={address}",
                       f"port={port}", "!", "rtph264depay", "!", "avdec_h264", "!", "fakesink",
                       "silent=false", "sync=false")
    sender = Program("gst-launch-1.0", "-v", *(
        "videotestsrc is-live=true ! video/x-raw,width=320,height=240,framerate=30/1 ! x264enc "
        "tune=zerolatency ! rtph264pay ! rmcsink").split(), f"host={address}",
        f"port={port}")
    try:
        wait_for(f"pictures by {address}", lambda: shown(receiver) >= LEAST_FRAMES, receiver,
                 sender)
        wait_for("its reports change the rate", lambda: adapted(sender), receiver, sender)
    finally:
        for program in (sender, receiver):
            program.end()


def main():
    with tempfile.TemporaryDirectory() as folder:
        receiving = [f"GST_PLUGIN_PATH_1_0={Path(sys.argv[1]).parent}",
                     f"GST_REGISTRY_1_0={folder}/registry"]
        said = subprocess.run(["env", *receiving, "gst-inspect-1.0", "arc"], check=True,
                              capture_output=True, text=True).stdout
        found = re.findall(r"^ +(\w+): ", said, re.MULTILINE)
        assert [name for name in found if name.startswith("arc")] == ELEMENTS, said
        print("ok it has", *ELEMENTS)
        for address in ("127.0.0.1", "::1"):
            stream(receiving, address)


if __name__ == "__main__":
    main()
