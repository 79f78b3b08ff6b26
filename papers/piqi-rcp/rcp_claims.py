#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Explicit rates in ns-3: rcp_claims.py ARC_SIM RCP_FIGURES. With --missing WHY it only says that
it cannot run.

ns-3 and papers/piqi-rcp/rcpnetwork.c share lib/rc and nothing else: sockets, queues, headers,
reports and events are each their
own. World's sources hear each new rate at once, those of ns-3 with the next report (20 ms), so that queues are a little
longer here."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "ns3"))
import simulations  # noqa: E402

SKIPPED = 77
JOINS_S = (8, 18, 28)           # settled, before the next flow joins
CAPACITY_BPS = 100e6
WORLD_QUEUE_COLUMN, WORLD_RATE_COLUMN = 2, 4    # of bytes; of the first flow
WORLD_FIGURES = {"rcp": "fig11a", "piqi-rcp": "fig11b"}


def simulate(*arguments):
    """Facts and rows of a run."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.csv"
        subprocess.run([ARC_SIM, *arguments, "--out", out], check=True, timeout=300)
        return simulations.read_rows(out)


def world():
    """Figure 11 in virtual time: by law, rows of numbers."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([RCP_FIGURES, folder, "11"], check=True, timeout=300, stdout=subprocess.DEVNULL)
        return {law: [[float(value) for value in line.split(",")]
                      for line in (Path(folder) / f"{name}.csv").read_text().splitlines()]
                for law, name in WORLD_FIGURES.items()}


class Joins(unittest.TestCase):
    """[PIQI fig. 11, 12], the first three of the ten flows."""

    @classmethod
    def setUpClass(cls):
        cls.world = world()
        cls.runs = {law: simulate("joins", "--law", law, "--flows", "3", "--seconds", "30", "--sample", "0.05",
                                  "--param", "piqi-rcp.tau1=0.005", "--param", "piqi-rcp.tau2=0.96")
                    for law in WORLD_FIGURES}

    def test_rates_are_those_of_the_world_in_virtual_time(self):
        for law, (_, rows) in self.runs.items():
            for at in JOINS_S:
                ours = next(float(row["rate_bps"]) for row in rows
                            if row["flow"] == "flow0" and abs(float(row["time_s"]) - at) < 1e-6)
                theirs = min(self.world[law], key=lambda row: abs(row[0] - at))[WORLD_RATE_COLUMN]
                self.assertAlmostEqual(ours / theirs, 1, delta=0.03, msg=f"{law} at {at} s")

    def test_peak_queue_is_that_of_the_world_in_virtual_time(self):
        for law, (facts, _) in self.runs.items():
            theirs = max(row[WORLD_QUEUE_COLUMN] for row in self.world[law] if row[0] < 30) / 1000
            self.assertAlmostEqual(int(facts["peak_queue_pkts"]) / theirs, 1, delta=0.15, msg=law)

    def test_piqi_rcp_needs_a_fifth_of_the_queue(self):
        peaks = {law: int(facts["peak_queue_pkts"]) for law, (facts, _) in self.runs.items()}
        self.assertLess(peaks["piqi-rcp"], peaks["rcp"] / 5)

    def test_nothing_is_dropped_and_no_report_refused(self):
        for law, (facts, rows) in self.runs.items():
            self.assertEqual(sum(int(row["drops"]) for row in rows), 0, law)
            for flow in "flow0", "flow1", "flow2":
                self.assertEqual(facts[flow + ".refused_reports"], "0")
                self.assertEqual(facts[flow + ".lost_pkts"], "0")


class Completion(unittest.TestCase):
    """[PIQI fig. 13b] on a tenth of the capacity."""

    @classmethod
    def setUpClass(cls):
        cls.runs = {law: simulate("completion", "--law", law, "--seconds", "5", "--capacity", "48000000",
                                  "--param", "piqi-rcp.tau1=0.005", "--param", "piqi-rcp.tau2=0.96")
                    for law in ("rcp", "piqi-rcp", "reno")}

    def mean_s(self, law):
        times = [float(row["completion_s"]) for row in self.runs[law][1] if int(row["pkts"]) < 100]
        return sum(times) / len(times)

    def test_all_laws_get_the_same_flows_and_finish_them(self):
        flows = [[(row["time_s"], row["pkts"]) for row in rows] for _, rows in self.runs.values()]
        self.assertEqual(flows[0], flows[1])
        self.assertEqual(flows[0], flows[2])
        self.assertGreater(len(flows[0]), 500)
        self.assertEqual([facts["unfinished"] for facts, _ in self.runs.values()], ["0"] * 3)

    def test_short_flows_finish_soonest_with_rcp_and_last_with_tcp(self):
        self.assertLess(self.mean_s("rcp"), self.mean_s("piqi-rcp"))
        self.assertLess(self.mean_s("piqi-rcp"), self.mean_s("reno"))

    def test_no_flow_is_faster_than_light(self):
        """A rate is known after a round trip of 100 ms, or a connection is; the last packet takes
        half of one."""
        for law, (_, rows) in self.runs.items():
            self.assertGreater(min(float(row["completion_s"]) for row in rows if int(row["pkts"]) > 10), 0.15, law)


if __name__ == "__main__":
    if sys.argv[1] == "--missing":
        print("arc-sim was not built:", sys.argv[2])
        sys.exit(SKIPPED)
    ARC_SIM, RCP_FIGURES = map(os.path.abspath, sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
