#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What can be trusted of arc-sim: trust.py ARC_SIM CLASS. With --missing WHY it only says that it
cannot run."""

import os
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent),
                str(Path(__file__).resolve().parents[2] / "scripts")]
import eventtrace  # noqa: E402
import simworker  # noqa: E402
import simulations  # noqa: E402

SKIPPED = 77
COSTS = "# wall_s", "# max_rss_kib"
PACKET_BITS = 1500 * 8
TCP_IP_RATIO = 1500 / 1448


class Run:
    """One run of arc-sim: its rows by flow, and its `# key=value` lines."""

    def __init__(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out.csv"
            subprocess.run([ARC_SIM, *arguments, "--out", out], check=True, timeout=60)
            self.text = out.read_text()
            self.facts, self.rows = simulations.read_rows(out)
        for row in self.rows:
            row.update({key: float(row[key] or "nan") for key in row if key not in ("flow", "kind")})

    def of(self, flow, begin=0.0, end=1e9):
        """The rows of all flows whose name begins so, of the samples in (begin, end]."""
        return [row for row in self.rows if row["flow"].startswith(flow) and begin < row["time_s"] <= end]

    def mean(self, flow, column, begin=0.0, end=1e9):
        values = [row[column] for row in self.of(flow, begin, end)]
        return sum(values) / len(values)

    def body(self):
        """Without the costs, which are another each time."""
        return [line for line in self.text.splitlines() if not line.startswith(COSTS)]


def fails(*arguments):
    """The message of a run that does not begin."""
    result = subprocess.run([ARC_SIM, *arguments], capture_output=True, text=True, timeout=60)
    assert result.returncode in (1, 2) and not result.stdout, result
    return result.stderr


class Laws(unittest.TestCase):
    def test_arc_climbs_by_eq_3(self):
        """[ARC eq. 1, 3] dr/dt = packet / (alpha (mRTT + 1/k)); what is in flight counts from the
        last report on."""
        run = Run("single", "--rate-flows", "2", "--seconds", "60", "--max-rtt-ms", "200")
        for flow, rtt in ("rate0", 0.1), ("rate1", 0.2):
            slope = (run.mean(flow, "received_bps", 50, 60) - run.mean(flow, "received_bps", 20, 30)) / 30
            self.assertAlmostEqual(slope / (PACKET_BITS / (0.3 * (rtt + 2))), 1, delta=0.07, msg=flow)

    def test_arc_flows_fill_and_share_the_link(self):
        run = Run("single", "--rate-flows", "2", "--capacity", "2000000", "--seconds", "120")
        shares = [run.mean(flow, "received_bps", 90) for flow in ("rate0", "rate1")]
        self.assertGreater(sum(shares), 0.97 * 2e6)
        self.assertLess(max(shares), 1.25 * min(shares))

    def test_live_arc_fills_the_link_within_seconds_with_a_short_queue(self):
        run = Run("single", "--rate-flows", "2", "--capacity", "2000000", "--seconds", "60", "--profile", "live",
                  "--start-bps", "300000")
        self.assertGreater(sum(run.mean(flow, "received_bps", 30) for flow in ("rate0", "rate1")), 0.9 * 2e6)
        self.assertLess(run.mean("rate0", "queue_pkts", 30), 8)
        self.assertEqual(run.mean("rate0", "drops", 30), 0)

    def test_no_report_is_refused(self):
        for profile in "paper", "live":
            run = Run("single", "--rate-flows", "3", "--tcp-flows", "3", "--backward-tcp", "3", "--seconds", "60",
                      "--capacity", "2000000", "--profile", profile)
            for flow in "rate0", "rate1", "rate2":
                self.assertEqual(run.facts[flow + ".refused_reports"], "0")
                self.assertGreater(int(run.facts[flow + ".sent_pkts"]), 100)

    def test_reports_come_once_per_round_trip(self):
        """[ARC 3.1.3] The receiver knows the sender's SRTT; 0.25 s of propagation and 1.4 ms of
        serialisation."""
        run = Run("single", "--rate-flows", "1", "--seconds", "60", "--rate-start", "0", "--jitter", "0")
        self.assertAlmostEqual(int(run.facts["rate0.reports"]) / 60 * 0.2514, 1, delta=0.1)

    def test_all_that_is_sent_is_paced(self):
        run = Run("single", "--rate-law", "fixed", "--start-bps", "1000000", "--rate-flows", "1", "--seconds", "60")
        self.assertAlmostEqual(run.mean("rate0", "sent_bps", 20), 1e6, delta=300)

    def test_source_limits_the_rate(self):
        run = Run("single", "--rate-flows", "1", "--seconds", "60", "--source-bps", "300000")
        self.assertAlmostEqual(run.mean("rate0", "received_bps", 40), 300e3, delta=6e3)

    def test_parameters_reach_their_law(self):
        plain = ("single", "--rate-flows", "1", "--seconds", "30")
        self.assertNotEqual(Run(*plain, "--param", "arc.alpha=0.1").mean("rate0", "received_bps"),
                            Run(*plain).mean("rate0", "received_bps"))
        self.assertEqual(Run(*plain, "--param", "fixed.stop=1").mean("rate0", "received_bps"),
                         Run(*plain).mean("rate0", "received_bps"))


class Network(unittest.TestCase):
    def test_reno_fills_the_link(self):
        # Without SACK, as in the paper's years, ns-3.37 gives 0.98 and ns-3.43 0.79 of the
        # capacity.
        for sack, share in ("on", 0.95), ("off", 0.75):
            for flow, option in ("tcp0", "--tcp-flows"), ("back0", "--backward-tcp"):
                run = Run("single", option, "1", "--capacity", "2000000", "--seconds", "100", "--tcp-sack", sack)
                self.assertGreater(run.mean(flow, "received_bps", 20) * TCP_IP_RATIO, share * 2e6)

    def test_queue_holds_its_milliseconds_of_packets(self):
        run = Run("single", "--tcp-flows", "2", "--capacity", "2000000", "--seconds", "60", "--sample", "0.05",
                  "--queue-ms", "120")
        self.assertEqual(max(row["queue_pkts"] for row in run.rows), round(2e6 * 0.120 / PACKET_BITS))
        self.assertGreater(sum(row["drops"] for row in run.of("tcp0")), 0)

    def test_udp_is_on_and_off_and_no_packet_vanishes(self):
        run = Run("single", "--udp-onoff", "5000000,10", "--capacity", "4000000", "--seconds", "40")
        for begin, rate in (0, 5e6), (11, 0), (20, 5e6), (31, 0):
            self.assertAlmostEqual(run.mean("udp0", "sent_bps", begin, begin + 9), rate, delta=10e3)
        lost = sum(row["sent_bps"] - row["received_bps"] for row in run.rows) / PACKET_BITS
        self.assertAlmostEqual(lost, sum(row["drops"] for row in run.rows), delta=1)
        self.assertAlmostEqual(run.mean("udp0", "received_bps", 1, 9), 4e6, delta=20e3)
        self.assertEqual(Run("single", "--udp-onoff", "5000000,10", "--udp-first", "off", "--seconds", "9").
                         mean("udp0", "sent_bps"), 0)

    def test_c1_takes_its_propagation_time_and_each_hop_serialises(self):
        """The first packet of C1 finds idle hops: cross flows send one when C1 does, and the next
        120 ms later."""
        run = Run("multihop", "--hops", "4", "--c1", "fixed", "--cross", "fixed", "--seconds", "1", "--rate-start", "0",
                  "--sample", "0.001", "--jitter", "0", "--start-bps", "100000")
        rows = run.of("c1")
        left_at, came_at = (next(row["time_s"] for row in rows if row[column] > 0)
                            for column in ("sent_bps", "received_bps"))
        serialised = 4 * 1502 * 8 / 1e6 + 2 * 1502 * 8 / 100e6
        self.assertAlmostEqual(came_at - left_at, 0.125 + serialised, delta=0.0021)

    def test_wireless_link_loses_its_share_of_c1_alone(self):
        for place in "exit", "hop":
            run = Run("multihop", "--hops", "2", "--c1", "fixed", "--cross", "fixed", "--wireless-loss", "0.05",
                      "--start-bps", "300000", "--wireless-at", place)
            ratios = {flow: int(run.facts[flow + ".lost_pkts"]) / int(run.facts[flow + ".sent_pkts"])
                      for flow in ("c1", "cross0", "cross1", "cross2", "cross3")}
            for flow, ratio in ratios.items():
                lossy = flow == "c1" or place == "hop" and flow in ("cross2", "cross3")
                self.assertAlmostEqual(ratio, 0.05 if lossy else 0, delta=0.015 if lossy else 0, msg=f"{place} {flow}")

    def test_cross_traffic_goes_both_ways(self):
        """Two flows on each of two links of 1 Mbit/s: one way they cannot have more than 1 Mbit/s a
        link."""
        for placement, least, most in ("both", 3, 4), ("forward", 1.8, 2):
            run = Run("multihop", "--hops", "2", "--c1", "fixed", "--seconds", "60", "--cross-placement", placement)
            total = sum(run.mean(f"cross{i}", "received_bps", 20) for i in range(4)) * TCP_IP_RATIO / 1e6
            self.assertTrue(least < total <= most, f"{placement}: {total}")


class Program(unittest.TestCase):
    SHORT = ("single", "--rate-flows", "2", "--tcp-flows", "2", "--capacity", "1000000", "--seconds", "30")

    def test_same_seed_gives_the_same_file(self):
        self.assertEqual(Run(*self.SHORT, "--seed", "7").body(), Run(*self.SHORT, "--seed", "7").body())

    def test_another_seed_gives_another_run(self):
        rows = [[(row["time_s"], row["flow"], row["received_bps"]) for row in Run(*self.SHORT, "--seed", seed).rows]
                for seed in ("7", "8")]
        self.assertNotEqual(*rows)

    def test_all_samples_and_settings_are_there(self):
        run = Run(*self.SHORT, "--sample", "0.5", "--param", "alpha=0.2")
        self.assertEqual([row["time_s"] for row in run.of("tcp1")], [0.5 * i for i in range(1, 61)])
        self.assertEqual({row["flow"] for row in run.rows}, {"rate0", "rate1", "tcp0", "tcp1"})
        self.assertEqual((run.facts["capacity"], run.facts["param.alpha"], run.facts["rate0.rtt_ms"]),
                         ("1000000", "0.2", "125"))
        self.assertLess({"events", "wall_s", "max_rss_kib"}, run.facts.keys())

    def test_each_rate_flow_has_an_event_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            Run(*self.SHORT, "--trace", folder)
            traces = [eventtrace.Trace(Path(folder) / f"rate{i}.sqlog") for i in range(2)]
            self.assertEqual(len(list(Path(folder).iterdir())), 2)
        for trace in traces:
            self.assertLessEqual({"start", "growth"},
                                 {e.data["cause"] for e in trace.of("arc:rate")})

    def test_what_cannot_be_is_refused(self):
        for arguments, word in (
                (["single", "--rate-law", "nonesuch", "--rate-flows", "1"], "nonesuch"),
                (["single", "--rate-flows", "1", "--param", "nonesuch=1"], "nonesuch"),
                (["single", "--rate-flows", "1", "--param", "arc.alpha=-1"], "alpha"),
                (["single", "--rate-flows", "1", "--start-bps", "1000"], "min"),
                (["single", "--rate-flows", "-1"], "rate-flows"),
                (["single", "--rate-flows", "1.5"], "whole"),
                (["single", "--capacity", "1e6x"], "capacity"),
                (["single", "--udp-onoff", "5000000"], "udp-onoff"),
                (["single", "--hops", "2"], "hops"),
                (["single", "--profile", "other"], "profile"),
                (["multihop", "--hops", "0"], "hops"),
                (["single", "--tcp-flows", "200", "--max-rtt-ms", "250", "--seconds", "1"], "round-trip"),
                (["single", "--seconds", "1", "--out", "/nonesuch/x.csv"], "/nonesuch/x.csv"),
                (["single", "--rate-flows", "1", "--trace", "/nonesuch"], "/nonesuch/rate0")):
            self.assertIn(word, fails(*arguments), arguments)


class Workers(unittest.TestCase):
    """What papers/arc/run --scheduler sends to other machines."""

    ARGUMENTS = ("single", "--rate-flows", "1", "--seconds", "3")

    def test_a_worker_simulates_the_same_to_the_bit(self):
        run = Run(*self.ARGUMENTS)
        here = run.body()
        run.text = simworker.simulate(ARC_SIM, simworker.digest(ARC_SIM), list(self.ARGUMENTS))
        self.assertEqual(run.body(), here)

    def test_a_worker_with_another_build_refuses(self):
        with self.assertRaisesRegex(simworker.SimulationError, "another build"):
            simworker.simulate(ARC_SIM, "0" * 64, list(self.ARGUMENTS))

    def test_a_worker_tells_what_the_simulator_says(self):
        with self.assertRaisesRegex(simworker.SimulationError, "rate-flows"):
            simworker.simulate(ARC_SIM, simworker.digest(ARC_SIM), ["single", "--rate-flows", "-1"])

    def test_a_file_is_the_same_from_any_executor(self):
        with tempfile.TemporaryDirectory() as folder:
            run = simulations.Run("single", (("rate-flows", 1), ("seconds", 3)))
            texts = []
            for name, pool in (("threads", None), ("processes", lambda: ProcessPoolExecutor(2))):
                laboratory = simulations.Laboratory(ARC_SIM, Path(folder) / name, 2, pool)
                laboratory.simulate([run])
                run_ = laboratory.path(run).read_text(encoding="ascii").splitlines()
                texts.append([line for line in run_ if not line.startswith(COSTS)])
            self.assertEqual(*texts)


if __name__ == "__main__":
    if sys.argv[1] == "--missing":
        print("arc-sim was not built:", sys.argv[2])
        sys.exit(SKIPPED)
    ARC_SIM = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
