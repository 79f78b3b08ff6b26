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


def run(demo, folder, *options):
    subprocess.run([sys.executable, demo, "--seconds", "11", "--trace", "0:2M,5:1M", "--output",
                    folder, *options], check=True, timeout=300)
    return json.loads((Path(folder) / "summary.json").read_text())


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


def paths_claims(f):
    for name, phase in f.items():
        if name.startswith("from "):
            used = sum(phase["carried_bps"]) / phase["capacity_bps"]
            yield Claim(f"two paths {name}: {used:.2f} of their sum",
                        used >= MIN_UTILISATION_RATIO, timed=True)
    yield Claim(f"frames by two paths: {f['frames']} of {f['expected']}",
                f["frames"] >= 0.9 * f["expected"], timed=True)


def all_claims(demo, folder):
    yield from claims(run(demo, folder))
    yield from paths_claims(run(demo, folder, "--paths"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        return 0 if judge(lambda: all_claims(sys.argv[1], folder)) else 1


if __name__ == "__main__":
    sys.exit(main())
