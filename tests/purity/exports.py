#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Fails if the plugin exports more than GStreamer asks for: a program with a function of the same
name would have it called by the plugin.

Usage: exports.py NM PLUGIN
"""

import subprocess
import sys

WANTED = {"gst_plugin_arc_get_desc", "gst_plugin_arc_register"}


def main():
    nm, plugin = sys.argv[1:]
    lines = subprocess.run([nm, "-D", "-P", "--defined-only", plugin], check=True, capture_output=True, text=True).stdout
    exported = {line.split()[0] for line in lines.splitlines()}
    if exported != WANTED:
        extra = sorted(exported - WANTED)
        sys.exit(f"exports {len(exported)} symbols, not {len(WANTED)}: too many: {extra[:10]}, "
                 f"missing: {sorted(WANTED - exported)}")


main()
