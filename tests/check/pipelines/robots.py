#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The programs of examples/robot, each with a receiver on the loopback that counts its pictures.

Usage: robots.py opencv|appsrc|ros2_node FOLDER_OF_EXAMPLES. Skipped without OpenCV with GStreamer,
python3-gi or a C++ compiler. ROS 2 is not in Debian: its node meets a stand-in (rosstub.py)."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from embed import SKIPPED, Program, free_port, wait_for  # pylint: disable=wrong-import-position

LEAST_FRAMES = 100      # the stand-in changes its size by then
SECONDS = "60"
HERE = Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"     # Debian's modules are this one's


def python_lacks(code):
    return subprocess.run([PYTHON, "-c", code], check=False, capture_output=True).returncode != 0


def compiled(source, folder):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "gstreamer-app-1.0"], check=True,
                           capture_output=True, text=True).stdout.split()
    program = Path(folder) / "appsrc"
    subprocess.run(["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", source, "-o", program,
                    *flags], check=True)
    return program


def command(name, examples, folder, port):
    """None: it cannot run here, and why was printed."""
    if name == "opencv":
        if python_lacks("import re, cv2; assert re.search('GStreamer: *YES', "
                        "cv2.getBuildInformation())"):
            return print("python3-opencv is not installed")
        return [PYTHON, examples / "opencv.py", "127.0.0.1", port, SECONDS]
    if name == "appsrc":
        if not shutil.which("c++"):
            return print("there is no C++ compiler")
        return [compiled(examples / "appsrc.cpp", folder), "127.0.0.1", port, SECONDS]
    if python_lacks("import gi; gi.require_version('GstApp', '1.0'); "
                    "from gi.repository import GstApp"):
        return print("python3-gi or the typelib of GstApp is not installed")
    return [PYTHON, HERE / "rosstub.py", examples / "ros2_node.py", f"port:={port}"]


def main():
    name, examples = sys.argv[1], Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        words = command(name, examples, folder, port)
        if not words:
            return SKIPPED
        receiver = Program("gst-launch-1.0", "-v", "arcsrc", f"port={port}", "!", "rtph264depay",
                           "!", "h264parse", "!", "avdec_h264", "!", "fakesink", "silent=false",
                           "sync=false")
        program = Program(*words)
        try:
            wait_for("the receiver has the pictures",
                     lambda: receiver.text.count("= chain ") >= LEAST_FRAMES, receiver, program)
            if name != "opencv":
                wait_for("the program knows its bitrate",
                         lambda: re.search(r"target [1-9]\d* kbit/s", program.text), program)
        finally:
            receiver.end()
            program.end()
            print(program.text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
