# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Pipelines of one process with linkemu between them, without root; the distribution's Python runs
it, because python3-gi belongs to it."""

import socket
import subprocess

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402


def begin(command, args, *elements):
    """GStreamer with the plugin of the build."""
    Gst.init(None)
    Gst.Registry.get().scan_path(str(args.build / "gst"))
    for name in (*elements, "arcsrc"):
        if not Gst.ElementFactory.find(name):
            command.fail(f"there is no {name}")


def start_link(args, to_port, *options):
    """(linkemu, its port)"""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.bind(("127.0.0.1", 0))
        port = udp.getsockname()[1]
    command = [args.build / "tools" / "linkemu" / "linkemu", "--rate=3M", "--queue=300ms",
               *options, f"--listen={port}", f"--to=127.0.0.1:{to_port}"]
    return subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL), port


def end(link, *pipelines):
    for pipeline in pipelines:
        pipeline.set_state(Gst.State.NULL)
    link.terminate()
    link.wait()
