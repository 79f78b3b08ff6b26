# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The best that a sender could do which knows a link a round trip late (eval/loop/bound.h): a curve
is a list of (p95_ms, use), ascending."""

import subprocess
from bisect import bisect_left, bisect_right


def curves(build, *what):
    """{(set, case): curve}; what: as loop-bound takes it."""
    text = subprocess.run([build / "eval" / "loop" / "loop-bound", *what], capture_output=True,
                          text=True, check=True).stdout
    found = {}
    for name, case, p95, use in (line.split("\t") for line in text.splitlines()):
        found.setdefault((name, " ".join(case.split())), []).append((float(p95), float(use)))
    return found


def use_at(curve, p95_ms):
    return curve[max(bisect_right(curve, p95_ms, key=lambda point: point[0]) - 1, 0)][1]


def p95_at(curve, use):
    return curve[min(bisect_left(curve, use, key=lambda point: point[1]), len(curve) - 1)][0]


def steps(curve, most_ms):
    """To plot."""
    return [*curve, (most_ms, curve[-1][1])]
