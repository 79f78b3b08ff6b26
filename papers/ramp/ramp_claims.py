#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What holds of [RAMP 5.1, 6], TCP through the scheduler: ramp_claims.py RAMP_SIM. With --missing WHY it
only says that it cannot run."""

import csv
import os
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "eval" / "common"))

import mdtable          # noqa: E402
import rampreadings     # noqa: E402
import rampverdicts     # noqa: E402

SKIPPED = 77


def simulate(*options):
    """Rows in time, rows of phases."""
    text = subprocess.run([RAMP_SIM, *options], capture_output=True, text=True, check=True,
                          timeout=60).stdout
    return [[{key: float(value) for key, value in row.items()}
             for row in csv.DictReader(part.splitlines())] for part in text.split("\n\n")]


def phases(scheduler):
    return simulate(f"--scheduler={scheduler}")[1]


def column(rows, name):
    return [row[name] for row in rows]


class Tcp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fifo, cls.bytes, cls.time, cls.ours = map(phases, ("fifo", "ramp", "ramp-time", "ramp-borrow"))

    def test_fifo_saws_as_fast_as_the_paper_says(self):
        """0.94 to 2.26 a second, a window of 10."""
        for row in self.fifo:
            self.assertTrue(0.94 <= row["cuts_per_s"] <= 2.26, row)
            self.assertTrue(5 <= row["cwnd_max_pkts"] <= 13, row)

    def test_ramp_saws_slower_and_its_window_is_larger(self):
        """0.4 to 0.8 a second, a window of 25 to 30; the start and the idle link are no saw."""
        for fifo, ramp in zip(self.fifo, self.time):
            self.assertLess(ramp["cuts_per_s"], 0.6 * fifo["cuts_per_s"])
            self.assertLess(ramp["cuts_per_s"], 0.8)
            self.assertGreater(ramp["cwnd_max_pkts"], 1.5 * fifo["cwnd_max_pkts"])

    def test_a_target_in_time_costs_no_throughput_and_no_timeout(self):
        for fifo, ramp in zip(self.fifo, self.time):
            self.assertGreater(ramp["goodput_bps"], 0.98 * fifo["goodput_bps"])
            self.assertEqual((fifo["timeouts"], ramp["timeouts"]), (0, 0))

    def test_a_target_in_bytes_delays_more_on_the_slow_link_and_one_in_time_does_not(self):
        # With ns-3.37 "fast" is the least, too; 3.43, which does worse without SACK, has two
        # timeouts in it.
        fast, middle, slow = column(self.bytes, "scheduler_delay_ms")[:3]
        self.assertLess(1.2 * max(fast, middle), slow)
        for delay in column(self.time, "scheduler_delay_ms"):
            self.assertAlmostEqual(delay, 50, delta=6)

    def test_a_larger_target_or_gain_takes_from_tcp(self):
        """[RAMP 6.2]"""
        def rate(*options):
            return sum(column(simulate("--scheduler=ramp", *options)[1], "goodput_bps"))
        own = sum(column(self.bytes, "goodput_bps"))
        self.assertGreater(rate("--target-bytes=8192"), 1.2 * own)
        self.assertLess(rate("--target-bytes=32768"), 0.6 * own)
        self.assertGreater(rate("--gain-ratio=0.25"), 1.2 * own)
        self.assertLess(rate("--gain-ratio=4"), 0.6 * own)

    def test_the_record_has_what_targets_gains_and_readings_give_to_the_last_digit(self):
        grid = mdtable.kept(ROOT / "docs" / "ramp-figures.md", "the readings")
        wrong = rampreadings.changed(RAMP_SIM, rampverdicts.congestion_control, grid)
        if wrong is None:
            self.skipTest("another ns-3")
        self.assertEqual(wrong, [], "papers/ramp/run readings records them anew")

    def test_with_borrowing_tcp_sees_a_fifo(self):
        for fifo, ours in zip(self.fifo, self.ours):
            self.assertLess(ours["scheduler_delay_ms"], 1)
            self.assertAlmostEqual(ours["goodput_bps"] / fifo["goodput_bps"], 1, delta=0.02)

    def test_video_gets_beside_greedy_udp_what_it_gets_alone_and_starves_with_fcfs(self):
        """[RAMP fig. 4]; before 5 s the reservation rises from its least."""
        def read_bytes(*options):
            rows = simulate("--scenario=sharing", "--rate=1.5e6", "--rtt-ms=2", "--fifo-pkts=100",
                            "--phase-s=20", *options)[0]
            return rows[-1]["read_bytes"] - next(r for r in rows if r["time_s"] >= 5)["read_bytes"]
        alone = read_bytes("--scheduler=fifo")
        self.assertAlmostEqual(read_bytes("--scheduler=ramp", "--greedy=12e6") / alone, 1, delta=0.01)
        self.assertLess(read_bytes("--scheduler=fifo", "--greedy=12e6"), 0.5 * alone)
        self.assertLess(read_bytes("--scheduler=priority", "--greedy=12e6"), 0.01 * alone)

    def test_allocation_follows_what_the_receiver_reads(self):
        """[RAMP 6.1]"""
        for row in simulate("--scenario=flow-control")[1]:
            self.assertAlmostEqual(row["allocation_bps"] / row["bucket_bps"], 1, delta=0.1)

    def test_an_unknown_scheduler_is_refused(self):
        result = subprocess.run([RAMP_SIM, "--scheduler=nonesuch"], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 2)
        self.assertIn("nonesuch", result.stderr)


if __name__ == "__main__":
    if sys.argv[1] == "--missing":
        print("ramp-sim was not built:", sys.argv[2])
        sys.exit(SKIPPED)
    RAMP_SIM = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
