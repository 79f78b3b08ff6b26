#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What tests/quiet.py makes of claims on a machine that is busy, as this test says, or quiet."""

import contextlib
import io
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import quiet  # pylint: disable=wrong-import-position


class Machine:
    """In the place of quiet.Watch."""

    def __init__(self, *noises):
        self.noises = list(noises)

    def __call__(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_exception):
        pass

    def noise(self):
        return self.noises.pop(0)


def judged(noises, *trials):
    """(whether it is good, the last line) of trials with one timed claim each."""
    quiet.Watch, claims = Machine(*noises), iter(trials)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        good = quiet.judge(lambda: [quiet.Claim(*next(claims), timed=True)])
    return good, printed.getvalue().splitlines()[-1]


BUSY = 3 * ["busy"]
CASES = {
    "right at once": (
        (BUSY, ("1 of 2", True)), (True, "ok 1 of 2")),
    "wrong twice and right once is right": (
        (BUSY, ("1 ms", False), ("2 ms", False), ("0 ms", True)), (True, "ok 0 ms")),
    "wrong in three ways on a busy machine is skipped": (
        (BUSY, ("1 ms", False), ("2 ms", False), ("3 ms", False)),
        (True, "skipped figure: 3 ms; busy")),
    "wrong twice alike on a busy machine is skipped": (
        (BUSY, ("1 ms", False), ("2 ms", False), ("2 ms", False)),
        (True, "skipped figure: 2 ms; busy")),
    "wrong three times alike fails on a busy machine": (
        (BUSY, ("no pad", False), ("no pad", False), ("no pad", False)),
        (False, "FAILED no pad, the same in 3 trials")),
    "wrong on a machine that was quiet once fails": (
        (["busy", None, "busy"], ("1 ms", False), ("2 ms", False), ("3 ms", False)),
        (False, "FAILED figure: 3 ms")),
    "a figure that is 0 three times may be the machine's": (
        (BUSY, ("0 frames", False), ("0 frames", False), ("0 frames", False)),
        (False, "FAILED figure: 0 frames, the same in 3 trials")),
}


def main():
    good = True
    for name, (case, wanted) in CASES.items():
        found = judged(*case)
        print(f"{'ok' if found == wanted else 'FAILED'}: {name}",
              "" if found == wanted else f"{found}, not {wanted}")
        good &= found == wanted
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
