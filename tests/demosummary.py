#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""demosummary.py ROOT: what ./demo says of the machine that it ran on."""

import sys
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop())
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests")]
from arcdemo import run, summary  # noqa: E402
from quiet import stolen_share  # noqa: E402

SENTENCE = "a hypervisor took"


def text_with(stolen_ratio):
    result = run.Result(link=[{"time_s": 1.0, "served_bytes": 0}], stolen_ratio=stolen_ratio)
    return summary.format_text(summary.summarise(result, [(0, 1e6)], 0, 0))


class Stolen(unittest.TestCase):
    def test_a_share_is_of_all_time_of_all_cpus(self):
        self.assertEqual(stolen_share((1000, 0, 100), (1400, 0, 112)), 0.03)

    def test_a_kernel_that_does_not_tell_is_none_of_our_business(self):
        self.assertEqual(stolen_share(None, (1400, 0, 112)), 0)
        self.assertEqual(stolen_share((1000, 0, 100), (1000, 0, 100)), 0)

    def test_more_than_a_hundredth_is_one_line(self):
        lines = [line for line in text_with(0.034).splitlines() if SENTENCE in line]
        self.assertEqual(len(lines), 1)
        self.assertIn("3.4%", lines[0])

    def test_less_is_not_mentioned(self):
        self.assertNotIn(SENTENCE, text_with(0.009))


unittest.main(verbosity=2)
