# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Each claim of the RAMP paper as a criterion over what ramp-figures, ramp-sim and the tests of the
scheduler found. "As published" is a target of 16 kB, the paper's gains, no borrowing."""


from verdicts import TEST_PASSES, Claim, passes, verdict

PAPER = "RAMP"
VIDEO = "test_video_gets_beside_greedy_udp_what_it_gets_alone_and_starves_with_fcfs"
FIFO = "test_fifo_saws_as_fast_as_the_paper_says"
TARGETS = "test_a_target_in_bytes_delays_more_on_the_slow_link_and_one_in_time_does_not"
START_S = 5                     # TCP and the allocation begin with nothing
# key, where, what the paper says, program in tests/check/rc, test
TESTS = (
    ("eq-1", "3.1", "the pressure is the fill level less the target: above it the requirement "
     "rises, below it falls", "ramp_monitor",
     "test_requirement_rises_above_the_target_and_falls_below_it"),
    ("eq-2", "3.2", "a low pass weighs the newest input with L, the history with 1 - L", "pid",
     "test_filter_weighs_the_newest_input_with_l"),
    ("eq-3", "3.2", "the output is P f + I sum f + D difference of f", "pid",
     "test_output_is_the_sum_of_the_three_parts"),
    ("eq-4", "3.2.1", "overload is detected when the requirements exceed the interface, and told "
     "to the applications", "ramp_overload",
     "test_overload_is_told_when_requirements_exceed_the_budget_and_until_they_do_not"),
    ("greedy-one", "3.1", "greedy flows together are one flow with a minimum", "ramp_overload",
     "test_greedy_flows_keep_their_minimum_in_overload_and_share_it_by_weight"),
    ("eq-5", "3.3", "a flow may send its proportion in each period", "edf",
     "test_each_period_earns_rate_times_period_and_no_more"),
    ("edf", "3.3", "the earliest end of a period goes first", "edf",
     "test_the_earlier_end_of_period_goes_first"),
)
OPEN = (
    ("timer", "4", "the dispatcher runs at least each 0.1 ms, mostly on interrupts and calls",
     "a kernel's timers and interrupts; the element wakes when the next packet may leave"),
    ("user-level", "4", "a controller outside of the kernel is a source of inefficiency",
     "there is no kernel part here"),
)


def series(text):
    """Columns of a table whose first line has their names."""
    lines = text.strip().splitlines()
    rows = [list(map(float, line.split())) for line in lines[1:]]
    return dict(zip(lines[0].split(), zip(*rows)))


def listed(values, form="{:.0f}"):
    return ", ".join(form.format(value) for value in values)


def inside(values, least, most):
    """(all of them, more than half of them)"""
    within = [least <= value <= most for value in values]
    return all(within), sum(within) > len(within) / 2


def claim(key, where, says, criterion, found, judged, test="", fitted=""):
    good, partly = judged if isinstance(judged, tuple) else (judged, False)
    return Claim(PAPER, key, where, says, criterion, found, verdict(good, partly), test, fitted)


# --- section 5 ---

def sharing(runs):
    """[RAMP 5.1] TCP video beside greedy UDP, in ns-3."""
    alone = runs["fifo alone"]["read_bytes"]
    error = {name: [a - b for a, b in zip(run["read_bytes"], alone)] for name, run in runs.items()}
    times = runs["fifo alone"]["time_s"]
    start = next(i for i, at in enumerate(times) if at >= START_S)
    total = alone[-1] - alone[start]
    grown = {name: (values[-1] - values[start]) / total for name, values in error.items()}
    middle = error["fifo"][len(times) // 2]
    greedy = runs["ramp"]["greedy_bytes"]
    greedy_bps = (greedy[-1] - greedy[start]) * 8 / (times[-1] - times[start])
    video_bps = total * 8 / (times[-1] - times[start])
    reserved = runs["ramp"]["allocation_bps"][start:]
    over = sum(reserved) / len(reserved) / video_bps
    return [
        claim("4-ramp", "Fig. 4", "beside greedy UDP the video gets what it gets alone",
              f"from {START_S} to 60 s within 1 % of its bytes; partly: 5 %",
              f"{100 * grown['ramp']:.2f} %; before that it lost "
              f"{-error['ramp'][start] / 1e3:.0f} kB, while the reservation rose from its least",
              (abs(grown["ramp"]) <= 0.01, abs(grown["ramp"]) <= 0.05), VIDEO),
        claim("4-fcfs", "Fig. 4", "with FCFS it falls behind, more and more",
              "at least 10 % behind at 60 s, and further than at 30 s",
              f"{100 * grown['fifo']:.0f} %; {middle / 1e6:.1f} MB at 30 s, "
              f"{error['fifo'][-1] / 1e6:.1f} at 60", grown["fifo"] < -0.1
              and error["fifo"][-1] < middle, VIDEO),
        claim("greedy-rest", "3.1", "greedy flows get what real-rate flows leave",
              "at least 90 % of it", f"{greedy_bps / 1e6:.2f} of {10 - video_bps / 1e6:.2f} Mbit/s",
              greedy_bps >= 0.9 * (10e6 - video_bps)),
        claim("no-over", "1", "video of a variable rate is not reserved more than it needs",
              "reservation at most 1.1 times the rate in the mean; partly: 1.25",
              f"{over:.2f} times", (over <= 1.1, over <= 1.25)),
        claim("starvation", "7", "schedulers by priority can starve flows",
              f"with greedy UDP before the video, the video gets at most 1 % from {START_S} to "
              "60 s of what it gets alone; partly: half", f"{100 * (1 + grown['priority']):.1f} %",
              (grown["priority"] <= -0.99, grown["priority"] <= -0.5), VIDEO),
    ]


def steps(data):
    """[RAMP 5.2], figure 5: the requirement changes at full seconds."""
    wanted, got, fill = (data[name] for name in ("requirement_bps", "allocation_bps",
                                                 "fill_bytes"))
    found = []
    for i in range(1, len(wanted)):
        if wanted[i] == wanted[i - 1]:
            continue
        end = next((k for k in range(i + 1, len(wanted)) if wanted[k] != wanted[i]), len(wanted))
        height = wanted[i] - wanted[i - 1]
        over = max((value - wanted[i]) / height for value in got[i:end])
        settled = all(abs(value - wanted[i]) <= 0.05 * wanted[i] for value in got[end - 20:end])
        felt = (fill[i + 5] - fill[i - 1]) * height > 0
        found.append((settled, over, felt))
    settled, over, felt = zip(*found)
    return [
        claim("5-fill", "Fig. 5", "the fill level shows the change of a requirement",
              "it moves the same way within 60 ms of each step",
              f"at {sum(felt)} of {len(felt)} steps", (all(felt), sum(felt) > len(felt) / 2)),
        claim("5-follows", "Fig. 5", "the allocation follows the requirement",
              "within 5 % for the 0.2 s before the next step", f"at {sum(settled)} of "
              f"{len(settled)} steps", (all(settled), sum(settled) > len(settled) / 2),
              "test_fig5_allocation_follows_every_step"),
        claim("5-over", "Fig. 5", "it over-reacts to steps",
              "by 5 % of the step or more at each", f"by {listed([100 * v for v in over])} %",
              inside(over, 0.05, 10)),
    ]


def response(figures):
    """[RAMP 5.2], figure 6. figures: as ramp-figures prints them for the paper's loop."""
    fitted = f"g = {figures['g']} and a dead time of {figures['dead']} samples"

    def of(name):
        return float(figures[name])
    return [
        claim("6-response", "Fig. 6", "response time about 150 ms", "100 to 200 ms",
              f"{of('response_ms'):.0f} ms", 100 <= of("response_ms") <= 200,
              "test_fig6_paper_figures_need_a_dead_time", fitted),
        claim("6-settling", "Fig. 6", "settling time about 1000 ms", "750 to 1250 ms",
              f"{of('settling_ms'):.0f} ms", 750 <= of("settling_ms") <= 1250,
              "test_fig6_paper_figures_need_a_dead_time", fitted),
        claim("6-overshoot", "Fig. 6", "overshoot of 65 % of the step", "50 to 80 %",
              f"{of('overshoot_percent'):.0f} %", 50 <= of("overshoot_percent") <= 80,
              "test_fig6_paper_figures_need_a_dead_time", fitted),
        claim("6-buffer", "Fig. 6", "it adds less than 50 ms to the device's buffer",
              "less than 50 ms", f"{of('buffer_ms'):.0f} ms", of("buffer_ms") < 50,
              "test_fig6_paper_figures_need_a_dead_time", fitted),
    ]


# --- section 6 ---

def flow_control(rows):
    ratios = [row["allocation_bps"] / row["bucket_bps"] for row in rows]
    return [claim("6-1", "6.1", "the allocation follows TCP's flow control",
                  "within 10 % of what the receiver reads, in each phase",
                  f"{listed(ratios, '{:.2f}')} of 1.5, 1, 0.5, 1, 1.5 Mbit/s",
                  inside(ratios, 0.9, 1.1), "test_allocation_follows_what_the_receiver_reads")]


def congestion_control(fifo, ramp, timed):
    def both(name):
        return [row[name] for row in fifo], [row[name] for row in ramp]
    (old_window, window), (old_cuts, cuts) = both("cwnd_max_pkts"), both("cuts_per_s")
    (old_rate, rate), (old_timeouts, timeouts) = both("goodput_bps"), both("timeouts")
    delay = [row["scheduler_delay_ms"] for row in ramp][:3]
    later = [row["scheduler_delay_ms"] for row in timed]
    share = [b / a for a, b in zip(old_rate, rate)]
    rises = share[3:]
    near = [0.75 * paper <= ours <= 1.25 * paper for ours, paper in zip(delay, (400, 600, 1000))]
    every = "in each of the five phases; partly: in more than half"
    return [
        claim("7-window", "Fig. 7", "FCFS: windows of up to 10 packets",
              "the largest is 8 to 13 packets", f"up to {listed(old_window)}",
              8 <= max(old_window) <= 13, FIFO),
        claim("7-cuts", "Fig. 7", "FCFS: 0.94 to 2.26 reductions a second", every,
              listed(old_cuts, "{:.2f}"), inside(old_cuts, 0.94, 2.26), FIFO),
        claim("8-window", "Fig. 8", "RAMP: windows of 25 to 30 packets", every,
              f"up to {listed(window)}", inside(window, 24.5, 30.5)),
        claim("8-larger", "Fig. 8", "RAMP: larger windows than FCFS", every,
              f"{listed([b / a for a, b in zip(old_window, window)], '{:.1f}')} times",
              inside([b / a for a, b in zip(old_window, window)], 1.2, 100)),
        claim("8-cuts", "Fig. 8", "RAMP: 0.4 to 0.8 reductions a second", every,
              listed(cuts, "{:.2f}"), inside(cuts, 0.4, 0.8)),
        claim("8-slower", "Fig. 8", "RAMP: fewer reductions than FCFS", every,
              f"{listed([b / a for a, b in zip(old_cuts, cuts)], '{:.2f}')} times",
              inside([b / a for a, b in zip(old_cuts, cuts)], 0, 0.8)),
        claim("8-rate", "6.2", "both have about the same throughput",
              "RAMP has 90 % of FCFS's in each phase; partly: 80 %",
              f"{listed([100 * value for value in share])} %",
              (min(share) >= 0.9, min(share) >= 0.8)),
        claim("8-probe", "6.2", "TCP through RAMP still finds bandwidth that comes back",
              "90 % of FCFS's throughput in both phases after a rise; partly: more than in the "
              "phase before", f"{listed([100 * value for value in rises])} %",
              (min(rises) >= 0.9, rate[2] < rate[3] < rate[4])),
        claim("8-timeouts", "6.2", "no timeouts in either", "none",
              f"FCFS {sum(old_timeouts):.0f}, RAMP {sum(timeouts):.0f}",
              sum(old_timeouts) + sum(timeouts) == 0),
        claim("8-delay", "6.2", "RAMP adds 400, 600, 1000 ms at 2, 1.5, 0.5 Mbit/s",
              "within a quarter of each; partly: of one", f"{listed(delay)} ms",
              (all(near), any(near))),
        claim("8-delay-grows", "6.2", "the delay is longer on a slower link", "at each step down",
              f"{listed(delay)} ms", delay[0] < delay[1] < delay[2], TARGETS),
        claim("timed", "6.2", "a target in time will add the same delay at every rate",
              "within 20 % of their mean", f"{listed(later)} ms for a target of 50 ms",
              inside([value / (sum(later) / len(later)) for value in later], 0.8, 1.2),
              TARGETS),
    ]


# --- design ---

def tested(build):
    for key, where, says, program, test in TESTS:
        good = passes(build, program, test)
        yield claim(key, where, says, TEST_PASSES, "it passes" if good else "it fails",
                    good, test)


def left_open():
    return [Claim(PAPER, key, where, says, "", why, "open") for key, where, says, why in OPEN]
