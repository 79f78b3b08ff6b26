#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""./demo --compare with real processes, short and small: what it writes, and that each sender's
viewer sees pictures. Figures are for a quiet machine; eval/lab/checkframes tests how they are
made.

Usage: comparison.py DEMO LAB_FOLDER. Skipped where there are no namespaces or no python3-gi."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from quiet import Claim, judge  # pylint: disable=wrong-import-position

SKIPPED = 77
SECONDS = 5
MOST_STILL_BYTES = 400_000  # the README shows it
SENDERS = ["udp", "srt", "arc"]
# A run takes 20 s, and 40 s on a machine that is full.
AGAIN_WITHIN_S = 60


def claims(demo):
    """Of one run."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.executable, demo, "--compare", "--seconds", str(SECONDS), "--trace",
                        "0:2M,2:1M", "--fixed", "500k", "--output", name], check=True, timeout=300)
        figures = json.loads((folder / "compare.json").read_text(encoding="utf-8"))
        senders = [row["sender"] for row in figures]
        yield Claim(f"each sender has its figures: {senders}", senders == SENDERS)
        for row in figures:
            yield Claim(f"the viewer of {row['sender']} sees pictures: {row['intact_ever']:.0%}",
                        row["intact_ever"] > 0, timed=True)
        still = (folder / "still.jpg").read_bytes()
        yield Claim(f"the still is a JPEG of {len(still)} bytes",
                    still[:2] == b"\xff\xd8" and len(still) < MOST_STILL_BYTES)
        plot_bytes = (folder / "plot.png").stat().st_size
        yield Claim(f"the plot has {plot_bytes} bytes", plot_bytes < MOST_STILL_BYTES)
        yield Claim("the video is an MP4", b"ftyp" in (folder / "compare.mp4").read_bytes()[:16])
        left = list(folder.glob("*/shown.i420"))
        yield Claim(f"what was recorded is gone: {left}", not left)


def main():
    demo, lab_folder = sys.argv[1:]
    sys.path.insert(0, lab_folder)
    import netns  # pylint: disable=import-outside-toplevel,import-error
    why = netns.why_unavailable()
    if not why and subprocess.run([f"{lab_folder}/frames", "--help"], capture_output=True,
                                  check=False).returncode:
        why = "python3-gi is not installed"
    if why:
        print(f"skipped: {why}")
        return SKIPPED
    return 0 if judge(lambda: claims(demo), AGAIN_WITHIN_S) else 1


if __name__ == "__main__":
    sys.exit(main())
