# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Claims, some with figures that the real clock makes, on a machine that may stall.

Problem: such a figure is wrong both when our code is wrong and when the machine did not run it.
Rule: a figure outside its bounds is measured again, up to three times in all. If it stays outside,
it fails the test if the machine was quiet in any of these trials, or if its claim had the same
words in all three; otherwise it becomes a line "skipped figure: ...", which ./check prints and
counts. So the words of a timed claim have the figure that was measured, which differs between
trials: without one it is taken for an error that has nothing to do with time. A figure may be the
same in three trials by chance, such as "0 frames" on a machine that runs nothing. So a failure
whose words have a figure is a line "FAILED figure: ...", and ./check runs such a test once more
when no other test runs. tests/check/quiet is the same in C.
"""

import math
import os
import re
import threading
import time
from typing import NamedTuple

TRIALS = 3
SLEEP_S = 0.002
# As in tests/check/quiet/quiet.c.
QUIET_LATENESS_S = 0.010
QUIET_STEAL_RATIO = 0.01
QUIET_BUSY_RATIO = 0.8


class Claim(NamedTuple):
    text: str
    ok: bool
    timed: bool = False  # a machine that stalls can make it false


def cpu_times():
    """All, idle and stolen ticks of all CPUs; None where the kernel does not tell."""
    try:
        with open("/proc/stat", encoding="ascii") as file:
            ticks = [int(word) for word in file.readline().split()[1:9]]
        # What has a nice value, as tests that compute, gives way.
        return sum(ticks), ticks[1] + ticks[3] + ticks[4], ticks[7]
    except (OSError, ValueError, IndexError):
        return None


def stolen_share(before, after):
    """Of the CPUs' time, what a hypervisor took between two cpu_times()."""
    if not before or not after or after[0] == before[0]:
        return 0.0
    return (after[2] - before[2]) / (after[0] - before[0])


class Watch:
    """In a with block: sleeping threads, one a CPU, see how late they wake.

    The kernel tells how busy the CPUs were, and how much of them a hypervisor took."""

    def __enter__(self):
        self.stopping = False
        self.worst_s = 0
        self.begin = cpu_times()
        self.threads = [threading.Thread(target=self.sleep_on, args=(cpu,))
                        for cpu in os.sched_getaffinity(0)]
        for thread in self.threads:
            thread.start()
        return self

    def sleep_on(self, cpu):
        os.sched_setaffinity(0, [cpu])  # of this thread alone
        while not self.stopping:
            due = time.monotonic() + SLEEP_S
            time.sleep(SLEEP_S)
            self.worst_s = max(self.worst_s, time.monotonic() - due)

    def __exit__(self, *_exception):
        self.stopping = True
        for thread in self.threads:
            thread.join()
        self.end = cpu_times()

    def noise(self):
        """What the machine did instead of being quiet; None: it was."""
        busy = steal = 0
        if self.begin and self.end and self.end[0] > self.begin[0]:
            ticks, idle, stolen = (end - begin for end, begin in zip(self.end, self.begin))
            busy, steal = 1 - idle / ticks, stolen / ticks
        if (self.worst_s <= QUIET_LATENESS_S and steal <= QUIET_STEAL_RATIO
                and busy <= QUIET_BUSY_RATIO):
            return None
        return (f"a sleeping thread woke up to {self.worst_s * 1e3:.0f} ms late, the CPUs were "
                f"{busy:.0%} busy and {steal:.1%} stolen")


def failed(text):
    """How a failure of a timed claim begins its line: with a figure it may be the machine's."""
    return "FAILED figure:" if re.search(r"\d", text) else "FAILED"


def judge(measure, again_within_s=math.inf):
    """measure() makes claims, once a trial. Prints them; whether none failed.

    again_within_s: later than this after the first trial began, no other trial begins."""
    was_quiet, same = False, None
    begin_s = time.monotonic()
    for trial in range(TRIALS):
        with Watch() as watch:
            claims = list(measure())
        noise = watch.noise()
        was_quiet |= noise is None
        wrong = {claim.text for claim in claims if claim.timed and not claim.ok}
        same = wrong if same is None else same & wrong
        last = (trial + 1 == TRIALS or time.monotonic() > begin_s + again_within_s
                or all(claim.ok or not claim.timed for claim in claims))
        good = True
        for claim in claims:
            if claim.ok:
                print("ok", claim.text)
            elif claim.timed and not last:
                print("again:", claim.text)
            elif claim.timed and trial + 1 == TRIALS and claim.text in same:
                print(f"{failed(claim.text)} {claim.text}, the same in {TRIALS} trials")
                good = False
            elif claim.timed and not was_quiet:
                print(f"skipped figure: {claim.text}; {noise}")
            else:
                print(failed(claim.text) if claim.timed else "FAILED", claim.text)
                good = False
        if last or not good:
            return good
    return False
