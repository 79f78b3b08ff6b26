# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What the paper says of its equations and mechanisms, each held by a test of the law that is run
here; and what nothing measures."""

from verdicts import TEST_PASSES, Claim, passes, verdict

# program in tests/check/rc, test, key, where, what the paper says
TESTS = (
    ("arc", "test_rate_is_k_times_what_window_leaves", "eq-1", "eq. 1",
     "r = k (w - q - what is outstanding)"),
    ("arc", "test_rate_is_never_negative", "eq-1-positive", "eq. 1",
     "the rate is 0 when the outstanding packets and q exceed w"),
    ("arc", "test_loss_sets_window_to_bandwidth_times_mrtt_and_one_over_k", "eq-2", "eq. 2",
     "after a loss w = B (mRTT + 1/k)"),
    ("arc", "test_queue_empties_after_a_loss", "eq-2-drains", "2, 3.1.2",
     "w of eq. 2 empties the queue in the steady state"),
    ("arc", "test_queue_is_bandwidth_times_rtt_over_its_minimum", "3-1-1", "3.1.1",
     "q = B (RTT - mRTT)"),
    ("arc", "test_window_grows_one_packet_each_alpha", "eq-3", "eq. 3",
     "w grows by a packet each 0.3 s"),
    ("arc", "test_window_is_held_while_backlog_exceeds_qthresh", "3-1-2", "3.1.2",
     "w is constant while q exceeds 10 packets"),
    ("arc", "test_timeout_after_two_srtt_sets_window_by_eq_2", "3-1-4", "3.1.4",
     "no report for 2 SRTT: eq. 2"),
    ("bwfilter", None, "3-1-3-filter", "3.1.3",
     "samples D/T are filtered by a low pass, made discrete by the bilinear transformation"),
    ("receiver", None, "3-1-3-reports", "3.1.3",
     "a report each SRTT and at each loss, and in the first round trip"),
)


def programs():
    """As ninja knows them."""
    return sorted({f"tests/check/rc/rc-{test[0]}" for test in TESTS})


def claims(build):
    for program, test, key, where, says in TESTS:
        good = passes(build, program, test)
        yield Claim("ARC", key, where, says, TEST_PASSES, "it passes" if good else "it fails",
                    verdict(good), test or f"rc-{program}")

