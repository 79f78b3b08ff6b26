# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""gst-arc-monitor beside a run: the command that serves the page, and what lets a process tell it
its statistics."""

import os
from pathlib import Path

DEFAULT_PORT = 8480
NAME = "page"


def why_not(options, build):
    """What is in the way of it, and what to do; None: nothing."""
    if options.compare:
        return "--web shows one run, and --compare makes three"
    if not program(build).exists():
        return "gst-arc-monitor is not built: it needs libsoup-3.0-dev and libjson-glib-dev"
    return None


def program(build):
    return Path(build) / "tools" / "monitor" / "gst-arc-monitor"


def command(build, port):
    return f"{program(build)} --port {port}"


def environment(env, name):
    """The environment of a process that the page shows by this name."""
    others = os.environ.get("GST_TRACERS", "")
    return env | {"GST_TRACERS": ";".join(filter(None, [others, f"arcmonitor(name={name})"]))}
