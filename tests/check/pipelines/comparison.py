#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""./demo --compare with real processes, short and small: what it writes, and that each sender's
viewer sees pictures. Figures are for a quiet machine; lab/checkpicture tests how they are made.

Usage: comparison.py DEMO LAB_FOLDER. Skipped where there are no namespaces or no python3-gi."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
SECONDS = 5
MOST_STILL_BYTES = 400_000  # the README shows it
SENDERS = ["udp", "srt", "arc"]


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
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.executable, demo, "--compare", "--seconds", str(SECONDS), "--trace",
                        "0:2M,2:1M", "--fixed", "500k", "--output", name], check=True, timeout=300)
        figures = json.loads((folder / "compare.json").read_text(encoding="utf-8"))
        assert [row["sender"] for row in figures] == SENDERS, figures
        for row in figures:
            assert row["intact_ever"] > 0, f"{row['sender']}: no picture"
        still = (folder / "still.jpg").read_bytes()
        assert still[:2] == b"\xff\xd8" and len(still) < MOST_STILL_BYTES, len(still)
        assert (folder / "plot.png").stat().st_size < MOST_STILL_BYTES
        assert b"ftyp" in (folder / "compare.mp4").read_bytes()[:16], "a video"
        assert not list(folder.glob("*/shown.i420")), "what was recorded is gone"
    return 0


if __name__ == "__main__":
    sys.exit(main())
