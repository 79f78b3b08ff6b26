# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The paper's figures in virtual time, by rcp-figures of the build folder."""

import re
import subprocess
import tempfile
from pathlib import Path

import picture
from mdtable import keep, table
from provenance import stamp
from verdicts import TEST_PASSES, Claim, count, differing, passes, record, verdict

# columns: t, input, queue (bytes), R, x1 ...
RATES = "Mbit/s"


def flows(n):
    return [(f"x{i + 1}", 5 + i, 1e-6) for i in range(n)]


R = [("R", 4, 1e-6)]
INPUT = [("input", 2, 1e-6)]
QUEUE = [("queue", 3, 1e-3)]

# plot: panels of (title, file, columns, unit, x range, y range)
FIGURES = {
    "fig02": [("RCP in T1", "fig2a", flows(2), RATES, "[0:150]", "[0:*]"),
              ("the same, bottlenecks fixed", "fig2b", flows(2), RATES, "[0:150]", "[0:*]")],
    "fig03": [("RCP, 50 flows join: input", "fig3", INPUT, RATES, "[10:40]", "[0:*]"),
              ("queue, packets of 1000 bytes", "fig3", QUEUE, "packets", "[10:40]", "[0:*]")],
    "fig04": [("QI-RCP, RTT 120 ms, eta = 0.99", "fig4-0.99", R, RATES, "[0:120]", "[40:56]"),
              ("eta = 1.01", "fig4-1.01", R, RATES, "[0:120]", "[40:56]")],
    "fig05": [("QI-RCP, RTT 120 and 300 ms, eta = 0.99", "fig5-0.99", R, RATES, "[0:120]", "[40:56]"),
              ("eta = 1.8", "fig5-1.80", R, RATES, "[0:120]", "[40:56]")],
    "fig06": [("QI-RCP in T1, eta = 0.5", "fig6a", flows(2), RATES, "[0:100]", "[0:*]"),
              ("eta = 0.99", "fig6b", flows(2), RATES, "[0:100]", "[0:*]")],
    "fig08": [("PIQI-RCP, RTT 120 ms, eta = 0.99", "fig8a", flows(10), RATES, "[0:220]", "[0:100]"),
              ("from 100 s on: R with eta = 0.99 and 1.01", ("fig8a", "fig8b"), R, RATES, "[100:220]", "[9:10.5]")],
    "fig09": [("PIQI-RCP, 120 ms and nine of 300 ms, eta = 0.99", "fig9a", flows(10), RATES, "[0:120]", "[0:100]"),
              ("eta = 1.01", "fig9b", flows(10), RATES, "[0:120]", "[0:100]")],
    "fig10": [("PIQI-RCP in T1, eta = 0.5", "fig10a", flows(2), RATES, "[0:100]", "[0:*]"),
              ("eta = 0.99", "fig10b", flows(2), RATES, "[0:100]", "[0:*]")],
    "fig11": [("RCP, 120 ms and nine of 300 ms", "fig11a", flows(10), RATES, "[0:120]", "[0:100]"),
              ("PIQI-RCP", "fig11b", flows(10), RATES, "[0:120]", "[0:100]")],
    "fig12": [("RCP: queue", "fig11a", QUEUE, "packets", "[0:120]", "[0:4000]"),
              ("PIQI-RCP: queue", "fig11b", QUEUE, "packets", "[0:120]", "[0:4000]")],
    "fig15": [("RCP, parking lot", "fig15a", flows(3), RATES, "[0:60]", "[0:1000]"),
              ("PIQI-RCP", "fig15b", flows(3), RATES, "[0:60]", "[0:1000]")],
    "fig16": [("RCP, three flows", "fig16a", flows(3), RATES, "[0:150]", "[0:1000]"),
              ("PIQI-RCP", "fig16b", flows(3), RATES, "[0:150]", "[0:1000]")],
    "fig17": [("RCP, three flows: queue", "fig16a", [("queue", 3, 1 / 1500)], "packets", "[0:150]", "[0:*]"),
              ("RCP, ten flows join: queue", "fig18a", QUEUE, "packets", "[0:120]", "[0:*]")],
    "fig18": [("RCP, ten flows join: input", "fig18a", INPUT, RATES, "[0:120]", "[0:400]"),
              ("PIQI-RCP", "fig18b", INPUT, RATES, "[0:120]", "[0:400]")],
    "fig19": [("RCP, one flow and mice: input", "fig19a", INPUT, RATES, "[0:90]", "[0:1500]"),
              ("PIQI-RCP", "fig19b", INPUT, RATES, "[0:90]", "[0:1500]")],
}


def panel(data, title, files, columns, unit, xrange, yrange):
    files = files if isinstance(files, tuple) else (files,)
    of = {f: "" if len(files) == 1 else " " + f[3:] for f in files}
    lines = [f"'{data}/{f}.csv' using 1:(${column}*{scale}) with lines title '{name}{of[f]}'"
             for f in files for name, column, scale in columns]
    key = "set key top right" if len(lines) < 4 else "unset key"
    return f"""set title "{title}"
{key}
set ylabel "{unit}"
set xrange {xrange}
set yrange {yrange}
plot {', '.join(lines)}
"""


def gnuplot(plots, name, commands):
    picture.draw(plots / f"{name}.png", "1000,320", [
        "set datafile separator ','", "set grid lc rgb '#dddddd'", "set xlabel 's'", *commands], font=",9")


def plot(plots, data):
    for name, panels in FIGURES.items():
        gnuplot(plots, name, ["set multiplot layout 1,2", *(panel(data, *p) for p in panels)])
    gnuplot(plots, "fig13a", ["set xlabel 'flows that join'", "set ylabel 'peak queue, packets'", "set logscale y",
                       "set key left top", f"plot '{data}/fig13a.csv' using 1:2 with linespoints title 'RCP', "
                       "'' using 1:3 with linespoints title 'PIQI-RCP'"])


# program in tests/check/rc, test, key, where, what the paper says; False: the test shows that it
# does not hold
TESTS = (
    ("rcp", "test_rate_grows_by_what_is_spare", "eq-1", "eq. 1",
     "RCP's router raises R by the spare capacity", True),
    ("qircp", "test_rate_follows_the_error", "eq-4", "eq. 4", "QI-RCP's router follows the error",
     True),
    ("qircp", "test_bound_is_the_limit_for_equal_delays", "theorem-1", "theorem 1",
     "eq. 6 is the limit of kappa of QI-RCP if all delays are equal", True),
    ("qircp", "test_bound_is_safe_for_different_delays", "theorem-1-safe", "4.2",
     "with different delays it is on the safe side", True),
    ("piqircp", "test_rate_follows_this_error_and_the_one_before", "eq-18", "eq. 18",
     "PIQI-RCP's router follows this error and the one before", True),
    ("piqircp", "test_limit_depends_on_tau", "theorem-2", "theorem 2",
     "eq. 20 is the limit of kappa of PIQI-RCP, whatever tau1 and tau2", False),
    ("piqircp", "test_simple_bound_is_inside_the_exact_limit", "eq-35", "eq. 35",
     "the simpler bound is on the safe side", True),
)
# Functions of tests/check/rc/rcp_figures.c by key.
FIGURE_TESTS = {
    **dict.fromkeys(("fig6a", "fig10a"),
                    "test_fig6_and_10_queue_independent_laws_are_stable_there"),
    "fig3": "test_fig3_flows_that_join_at_once_fill_the_queue_of_rcp",
    **dict.fromkeys(("fig4-0.99", "fig4-1.01"), "test_fig4_qi_rcp_is_stable_just_up_to_its_bound"),
    **dict.fromkeys(("fig5-1.70", "fig5-1.80"),
                    "test_fig5_with_different_rtts_it_is_stable_up_to_1_8_of_the_bound"),
    **dict.fromkeys(("fig8a", "fig8b"),
                    "test_fig8_piqi_rcp_is_stable_just_up_to_its_bound_with_these_tau"),
    **dict.fromkeys(("fig11a", "fig11b"),
                    "test_fig12_joins_one_by_one_cost_piqi_rcp_little_queue"),
    "fig13a": "test_fig13a_queue_of_piqi_rcp_does_not_grow_with_the_crowd",
    "finite": "test_finite_queues_lose_what_rcp_overshoots",
    **dict.fromkeys(("fig15a", "fig15b"),
                    "test_fig15_shares_of_the_parking_lot_are_max_min"),
    **dict.fromkeys(("fig19a", "fig19b"), "test_fig19_mice_shake_rcp_and_hardly_piqi_rcp"),
    **dict.fromkeys(("fig2a", "fig2b"),
                    "test_fig2_rcp_with_the_mean_rtt_of_the_flows_is_unstable"),
    "drain-rtt": "test_queue_drains_later_the_longer_the_round_trip",
    "proportional": "test_proportional_part_is_worth_its_gain_alone",
    "tau-2": "test_without_tau2_a_crowd_settles_later_and_fills_more",
    "parking-time": "rcp-virtual",
    "xcp-delay": "test_xcp_with_the_mean_rtt_of_the_flows_is_unstable_in_t1",
    "xcp-max-min": "test_xcp_leaves_a_part_of_the_first_link_of_the_parking_lot",
    "device": "test_a_device_queue_hides_what_piqi_rcp_has_too_much",
}
# What holds with one reading of the paper and not with another.
ONE_READING = {
    **dict.fromkeys(("fig2a", "fig2b"), "partly: only with d averaged over flows; by bytes, as in "
                    "the ns-2 code, it is stable"),
    "xcp-delay": "partly: only with d averaged over flows; by bytes, as in XCP's paper, the swing "
                 "is a tenth of that",
}
OPEN = (
    ("headers", "2.2", "RCP's header has 16 bytes, XCP's 20, JetMax's 32, MKC's 20",
     "our stamp is an RTP header extension of 8 bytes"),
)
# What was chosen so that a claim holds.
FITTED_BY = {"device": "the length of the device's queue"}
# Rows whose figures a test simulates again: some seconds.
QUICK = ("4", "section", "15")


# What a router does for each packet: file, functions. Clamps against false claims do not count.
PACKET_WORK = {"RCP": ("lib/rc/router/rcprouter.c", ("rc_router_on_arrival",)),
               "XCP": ("papers/piqi-rcp/xcp.c", ("xcp_router_on_arrival", "xcp_router_stamp"))}
SUM, PRODUCT = re.compile(r" [-+]=? |\+\+;"), re.compile(r" [*/] ")


def operations(path, functions):
    """Additions and subtractions; multiplications and divisions, as they are written."""
    text = (Path(__file__).resolve().parents[2] / path).read_text(encoding="utf-8")
    bodies = [re.search(rf"^{name} \(.*?^}}", text, re.S | re.M)[0].split("\n{", 1)[1]
              for name in functions]
    return tuple(sum(len(pattern.findall(body)) for body in bodies) for pattern in (SUM, PRODUCT))


def operations_claim():
    count_of = {law: operations(*work) for law, work in PACKET_WORK.items()}
    rcp, xcp = (sum(numbers) for numbers in count_of.values())
    found = "; ".join(f"{law} {sums} and {products}" for law, (sums, products) in count_of.items())
    return Claim("PIQI-RCP", "operations", "2.2", "RCP's router needs 2 additions and 2 "
                 "multiplications a packet, XCP's 6 and 3", "as our code has them, RCP's router "
                 "needs at most 4, and XCP's at least twice as many; partly: RCP's fewer", found,
                 verdict(rcp <= 4 and xcp >= 2 * rcp, rcp < xcp))


def tested(build):
    for program, test, key, where, says, holds in TESTS:
        good = passes(build, program, test)
        found = f"it {'passes' if good else 'fails'}"
        criterion = TEST_PASSES if holds else "the test of the opposite fails"
        yield Claim("PIQI-RCP", key, where, says, criterion, found, verdict(good == holds), test)


def figure_claim(key, where, setting, paper, criterion, ours, word):
    """Of a row of rcp-figures."""
    if word == "yes" and key in ONE_READING:
        word, criterion = "partly", f"{criterion}; {ONE_READING[key]}"
    if where[0] not in "fs" and where != "4.2":
        where = f"Fig. {where}"
    where = where.removeprefix("section ")
    return Claim("PIQI-RCP", key, where, f"{setting}: {paper}", criterion, ours, word,
                 FIGURE_TESTS.get(key, "") if word != "no" else "", FITTED_BY.get(key, ""))


def rows_of(program, *arguments):
    """Of rcp-figures, one for each claim or setting."""
    out = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=1800,
                         check=True)
    return [line.split("\t") for line in out.stdout.splitlines()]


def changed(program):
    """What the record says otherwise of a few rows than this build does."""
    with tempfile.TemporaryDirectory() as data:
        found = [figure_claim(*row) for figure in QUICK for row in rows_of(program, data, figure)
                 if row[-1] != "–"]
    return differing("piqi-virtual", found)


def run(args, _command):
    with tempfile.TemporaryDirectory() as data:
        program = args.build / "papers" / "piqi-rcp" / "rcp-figures"
        rows = rows_of(program, data)
        plot(args.plots, data)
    found = [figure_claim(*row) for row in rows if row[-1] != "–"]
    found += [*tested(args.build), operations_claim(),
              *(Claim("PIQI-RCP", key, where, says, "", why, "open")
                for key, where, says, why in OPEN)]
    record("piqi-virtual", "papers/piqi-rcp/run", found)
    keep(args.plots.with_suffix(".md"), "settings without a claim", table(["setting", "ours"], [
        (f"{row[1]} {row[2]}" if row[1] != "–" else row[2], row[5])
        for row in rows if row[-1] == "–"]))
    return "the table", f"Recorded {stamp()}. Of {len(found)} claims: {count(found)}."
