#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Two processes and a link between them, in real time and with wide bounds.

./demo --strict judges by the narrow ones."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from quiet import Claim, judge  # pylint: disable=wrong-import-position

MIN_UTILISATION_RATIO = 0.7
MAX_P95_MS = 120


def run(demo, folder):
    figures = Path(folder) / "figures.json"
    subprocess.run([sys.executable, demo, "--seconds", "11", "--trace", "0:2M,5:1M", "--output", folder,
                    "--json", str(figures)], check=True, timeout=300)
    return json.loads(figures.read_text())


def claims(f):
    for phase in f["phases"]:
        yield Claim(f"uses the link from {phase['start_s']:g} s on: {phase['usable_utilisation_ratio']:.2f}",
                    phase["usable_utilisation_ratio"] >= MIN_UTILISATION_RATIO, timed=True)
    yield Claim("measured both phases", len(f["phases"]) == 2)
    yield Claim(f"keeps the queue short: p95 {f['queue_delay_p95_ms']:.0f} ms", f["queue_delay_p95_ms"] <= MAX_P95_MS,
                timed=True)
    lost = f["tail_dropped_pkts"] + f["random_lost_pkts"]
    yield Claim(f"delivers the frames: {f['frames_stored']} of {f['frames_sent']}, {lost} packets lost",
                0 < f["frames_sent"] - lost <= f["frames_stored"] <= f["frames_sent"] + f["frames_untold"], timed=True)
    yield Claim(f"the file plays: {f['frames_decoded']} frames",
                f["frames_stored"] - lost <= f["frames_decoded"] <= f["frames_stored"])


def main():
    with tempfile.TemporaryDirectory() as folder:
        return 0 if judge(lambda: claims(run(sys.argv[1], folder))) else 1


if __name__ == "__main__":
    sys.exit(main())
