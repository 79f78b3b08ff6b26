# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The claims of the RMC paper, judged by the figures that papers/rmc/run measured. The paper's own
loops are judged: rmc-literal, rfc3448 and rfc3448-bursts."""

import math
import statistics

from lawtables import tellable
from mdtable import by, distinct
from verdicts import Claim, verdict

M = 1_000_000
PAPER_RATES = [1 * M, 10 * M, 100 * M, 200 * M, 400 * M, 500 * M, 600 * M]
RATE = 500 * M                  # of Fig. 8 to 10
LIMIT_PERCENT = 0.06
TS_MS = 20                      # of the steps: their unit of time
WINDOWS_RATIO, WINDOW_PERCENT = 0.95, 5
KERNELS = "this machine has another kernel"


def largest(rows):
    return max(abs(r["error_percent"]) for r in rows)


def claim(key, where, says, criterion, found, word, test="", fitted=""):
    return Claim("RMC", key, where, says, criterion, found, word, test, fitted)


def unknown(key, where, says, why):
    return claim(key, where, says, "", why, "open")


def near(found, wanted, share):
    return abs(found / wanted - 1) <= share


# --- what a coarse timer costs: virtual time ---

def model_rows(results, loop, tick_ms):
    return [r for r in by(results["model"]["granularity"], contender=loop, tick_ms=tick_ms)
            if r["wanted_bps"] in PAPER_RATES]


def model_mbps(results, loop, tick_ms):
    return by(model_rows(results, loop, tick_ms), wanted_bps=RATE)[0]["rate_bps"] / M


def waiting_time(results):
    """r_e = p / (t + t_w), with the waiting times of the model: largest difference in percent of
    the rate."""
    differences = []
    for r in by(results["model"]["granularity"], contender="rfc3448", tick_ms=0):
        interval_s = 1500 * 8 / r["wanted_bps"]
        predicted = interval_s * (2 / 3 / (interval_s + 50e-6) + 1 / 3 / (interval_s + 1e-3))
        differences.append(abs(100 - r["error_percent"] - 100 * predicted))
    worst = max(differences)
    return claim("waiting-time", "III, Fig. 3", "a sleep of t takes t + t_w, so r_e = p / (t + "
                 "t_w)",
                 "virtual time, exact timer, rfc3448: within 0.5 % of r_c of this formula with the "
                 "model's mean t_w", f"{worst:.2f} %", verdict(worst <= 0.5))


def one_packet_a_timer(results):
    most = max(r["rate_bps"] for r in model_rows(results, "rfc3448", 1)) / M
    return claim("eq3", "eq. 3", "one packet a timer carries at most p / t_g: 12 Mbit/s with 1 ms",
                 "virtual time, t_g = 1 ms, rfc3448: no rate above 12 Mbit/s, and one above 9",
                 f"at most {most:.1f} Mbit/s", verdict(9 < most <= 12),
                 "test_one_packet_a_timer_carries_no_more_than_packet_over_granularity")


def sleeps(results):
    rows = sorted(results["model"]["sleep"], key=lambda r: r["sleep_ms"])
    at_tg, rest = rows[0]["error_percent"], max(r["error_percent"] for r in rows[1:])
    return [
        claim("fig4", "Fig. 4", "as the sleep t falls to t_g = 1 ms, idle CPU, the rate error "
              "rises to 53 %",
              "virtual time: the error is largest at t = t_g, and 48 to 58 % (partly: largest "
              "there)", f"{at_tg:.1f} % at t_g, elsewhere at most {rest:.1f} %",
              verdict(at_tg > rest and 48 <= at_tg <= 58, at_tg > rest),
              "test_error_rises_to_half_as_the_sleep_reaches_the_granularity"),
        claim("half-rate", "I", "a required rate can turn into an effective one as low as a half",
              "virtual time, t = t_g: 40 to 60 % of the rate", f"{100 - at_tg:.1f} %",
              verdict(40 <= 100 - at_tg <= 60))]


def timer_claims(results):
    one, ten = (largest(model_rows(results, "rfc3448-bursts", tick)) for tick in (1, 10))
    no_bursts = largest(model_rows(results, "rfc3448", 1))
    ticks = (0, 1, 4, 10)
    rmc = max(largest(model_rows(results, "rmc-literal", tick)) for tick in ticks)
    bursts = [by(model_rows(results, "rfc3448-bursts", tick), wanted_bps=100 * M)[0]
              ["error_percent"] for tick in ticks]
    spread = max(bursts) - min(bursts)
    return [
        claim("fig7-timers", "Fig. 7", "RMC's error is less than 0.06 % whatever the rate",
              f"virtual time, timers of 0, 1, 4 and 10 ms: at most {LIMIT_PERCENT} % at the "
              "paper's rates", f"{rmc:.3f} %", verdict(rmc <= LIMIT_PERCENT), "pacing"),
        claim("fig7a-no-bursts", "Fig. 7a", "kernel 2.6.19: RFC 3448 without bursts loses up to "
              "99 %", "virtual time, t_g = 1 ms: 97 to 100 %", f"{no_bursts:.1f} %",
              verdict(97 <= no_bursts <= 100),
              "test_one_packet_a_timer_carries_no_more_than_packet_over_granularity"),
        claim("fig7a-bursts", "Fig. 7a", "kernel 2.6.19: RFC 3448 with bursts loses up to 95 %",
              "virtual time, t_g = 1 ms: 90 to 100 % (partly: at least a half)",
              f"{one:.1f} %; with a timer of 10 ms {ten:.1f} %",
              verdict(90 <= one <= 100, one >= 50)),
        claim("algorithm-1-needs-tg", "IV.B", "algorithm 1 depends on t_g, RMC does not",
              "virtual time, 100 Mbit/s, timers of 0, 1, 4 and 10 ms: errors of rfc3448-bursts "
              f"differ by more than 10 points, those of rmc-literal stay below {LIMIT_PERCENT} %",
              f"{spread:.0f} points; {rmc:.3f} %", verdict(spread > 10 and rmc <= LIMIT_PERCENT)),
        *(claim(key, where, f"kernel 2.6.19, 500 Mbit/s: {text} sends {wanted} Mbit/s",
                "virtual time, t_g = 1 ms: within a factor of 2 (partly: with a timer of 10 ms)",
                f"{model_mbps(results, loop, 1):.1f} Mbit/s; with 10 ms "
                f"{model_mbps(results, loop, 10):.1f}",
                verdict(*(0.5 <= model_mbps(results, loop, tick) / wanted <= 2
                          for tick in (1, 10))))
          for key, where, text, loop, wanted in (
              ("fig9a", "Fig. 9a", "RFC 3448 without bursts", "rfc3448", 1),
              ("fig10a", "Fig. 10a", "RFC 3448 with bursts", "rfc3448-bursts", 25)))]


# --- five busy processes: the real clock ---

def real_rows(results, loop):
    return [r for r in by(results["table"]["rows"], contender=loop)
            if r["wanted_bps"] in PAPER_RATES]


def thirds_mbps(results, loop):
    row = by(real_rows(results, loop), wanted_bps=RATE)[0]
    return [t / M for t in row["thirds_bps"]]


def windows_within(row):
    """Share of the full windows of 0.1 s near the wanted rate."""
    windows = row["windows_mbps"][:-1]
    return sum(near(w * M, row["wanted_bps"], WINDOW_PERCENT / 100) for w in windows) / len(windows)


def load_claims(results):
    literal = real_rows(results, "rmc-literal")
    error = largest(literal)
    others = {loop: real_rows(results, loop) for loop in ("rfc3448", "rfc3448-bursts")}
    beats = sum(abs(r["error_percent"]) <= min(
        abs(by(rows, wanted_bps=r["wanted_bps"])[0]["error_percent"]) for rows in others.values())
        for r in literal)
    at_rate = by(literal, wanted_bps=RATE)[0]
    within = windows_within(at_rate)
    idle, loaded, _ = thirds_mbps(results, "rfc3448")
    return [
        claim("fig7-load", "Fig. 7", "RMC's error is less than 0.06 % at 1 to 600 Mbit/s with five "
              "busy processes in the middle third",
              f"this machine: at most {LIMIT_PERCENT} % at each rate (partly: 0.5 %)",
              f"{error:.4f} %", verdict(error <= LIMIT_PERCENT, error <= 0.5)),
        claim("fig7-order", "Fig. 7", "RMC's error is below that of both loops of RFC 3448",
              "this machine: at each rate (partly: at most of them)",
              f"at {beats} of {len(literal)} rates",
              verdict(beats == len(literal), beats > len(literal) / 2)),
        claim("fig8", "Fig. 8", "500 Mbit/s: RMC's rate matches and is smooth",
              f"this machine: error at most {LIMIT_PERCENT} %, and {100 * WINDOWS_RATIO:g} % of "
              f"the windows of 0.1 s within {WINDOW_PERCENT} % (partly: one of them)",
              f"{abs(at_rate['error_percent']):.4f} %, {100 * within:.0f} % of the windows",
              verdict(abs(at_rate["error_percent"]) <= LIMIT_PERCENT and within >= WINDOWS_RATIO,
                      abs(at_rate["error_percent"]) <= LIMIT_PERCENT or within >= WINDOWS_RATIO)),
        claim("fig9b-load", "Fig. 9b", "500 Mbit/s, no bursts: the load lowers the rate (by a "
              "third on 2.6.28)",
              "this machine: the loaded third is at most 0.8 of the idle one before it",
              f"{idle:.0f}, then {loaded:.0f} Mbit/s", verdict(loaded <= 0.8 * idle))]


def open_claims(results):
    no_bursts, bursts = (largest(real_rows(results, loop))
                         for loop in ("rfc3448", "rfc3448-bursts"))
    idle, loaded, _ = thirds_mbps(results, "rfc3448")
    mean = by(real_rows(results, "rfc3448-bursts"), wanted_bps=RATE)[0]["rate_bps"] / M
    here = f"{KERNELS}:"
    return [
        unknown("kernels", "V.A", "RMC keeps 0.06 % on the schedulers of 2.6.19 (O(1)) and 2.6.28 "
                "(CFS)", f"{KERNELS}; see fig7-timers and fig7-load"),
        unknown("fig7b-no-bursts", "Fig. 7b", "kernel 2.6.28: RFC 3448 without bursts loses up to "
                "90 %", f"{here} up to {no_bursts:.0f} %"),
        unknown("fig7b-bursts", "Fig. 7b", "kernel 2.6.28: RFC 3448 with bursts loses up to 4 %",
                f"{here} up to {bursts:.0f} %"),
        unknown("fig9b", "Fig. 9b", "kernel 2.6.28, 500 Mbit/s, no bursts: 105 Mbit/s idle, 70 "
                "under load", f"{here} {idle:.0f} and {loaded:.0f} Mbit/s"),
        unknown("fig10b", "Fig. 10b", "kernel 2.6.28, 500 Mbit/s, bursts: 492 Mbit/s in the mean, "
                "430 from 52 s on", f"{here} {mean:.0f} Mbit/s in the mean"),
        unknown("other-systems", "VI", "RMC works whatever the operating system",
                "only Linux is measured here")]


# --- k_r ---

def steps_of(results, rate):
    return sorted(by(results["steps"]["rows"], rate_bps=rate), key=lambda r: r["kr"])


def falls_with_gain(rows, name):
    """Settling times from k_r = 0.2, the paper's first, to 1 never rise by more than a sample."""
    times = [r[name + "_s"] for r in rows if 0.2 <= r["kr"] <= 1]
    return None not in times and all(b <= a + TS_MS * 1e-3 for a, b in zip(times, times[1:]))


def gain_text(rows, name):
    def ms(r):
        return "never" if r[name + "_s"] is None else f"{1000 * r[name + '_s']:.0f}"
    return ", ".join(ms(r) for r in rows if r["kr"] in (0.2, 0.6, 1.0)) + " ms"


def passes_text(rows, name):
    return ", ".join(f"{100 * r[name + '_passes']:.0f}" for r in rows if r["kr"] in (0.6, 1.0, 1.4,
                                                                                   1.8)) + " %"


def oscillates(rows, name):
    """(only above k_r = 1, above it)"""
    above = all(r[name + "_passes"] > 0.2 for r in rows if 1.2 < r["kr"] < 1.9)
    below = all(r[name + "_passes"] <= 0.2 for r in rows if r["kr"] <= 1)
    return above and below, above


def response_claims(results, figure, name, text):
    rows = {rate: steps_of(results, rate) for rate in (100 * M, 500 * M)}
    faster = [falls_with_gain(part, name) for part in rows.values()]
    both = [oscillates(part, name) for part in rows.values()]
    return [
        claim(f"fig{figure}-faster", f"Fig. {figure}", f"the rate {text}: the transient shortens "
              "as k_r grows to 1",
              "this machine, 100 and 500 Mbit/s: from each k_r of 0.2 to 1 to the next the "
              f"settling time rises by no more than a sample of {TS_MS} ms (partly: at one rate)",
              "at k_r 0.2, 0.6, 1: " + "; ".join(gain_text(part, name) for part in rows.values()),
              verdict(all(faster), any(faster)), "rmc-settling"),
        claim(f"fig{figure}-oscillation", f"Fig. {figure}", f"the rate {text}: it oscillates where "
              "k_r > 1",
              "this machine, 100 and 500 Mbit/s: it passes the new rate by more than 20 % at k_r "
              "1.4 to 1.8, and at no k_r ≤ 1 (partly: the former)",
              "at k_r 0.6, 1, 1.4, 1.8: " + "; ".join(passes_text(part, name)
                                                      for part in rows.values()),
              verdict(all(only for only, _ in both), all(above for _, above in both)))]


def fig12_larger(results):
    passes = {rate: [r["up_passes"] for r in steps_of(results, rate) if 1.2 < r["kr"] < 1.9]
              for rate in (100 * M, 500 * M)}
    low, high = (statistics.fmean(values) for values in passes.values())
    return claim("fig12a-larger", "Fig. 12a", "k_r > 1: the oscillation is larger at 100 Mbit/s "
                 "than at 500",
                 "this machine: the mean overshoot at k_r 1.4 to 1.8 is larger by 10 % of the rate",
                 f"{100 * low:.0f} % against {100 * high:.0f} %", verdict(low >= high + 0.1))


def longer_settlings(results, gain):
    """The longer of fall and rise at each rate that can tell, in order; infinite: never."""
    longest = []
    for rate in distinct(results["steps"]["rows"], "rate_bps"):
        rows = by(results["steps"]["rows"], rate_bps=rate, kr=gain)
        times = [r[name + "_s"] for name in ("down", "up") for r in tellable(rows, name)]
        if times:
            longest.append(max(float("inf") if t is None else t for t in times))
    return sorted(longest)


def settling_median(results, gain):
    return statistics.median_low(longer_settlings(results, gain))


def settling_text(results, gain):
    least, *_, most = longer_settlings(results, gain)
    text = "never" if math.isinf(most) else f"{1000 * most:.0f}"
    return f"{1000 * settling_median(results, gain):.0f} ms ({1000 * least:.0f} to {text})"


def fig13_at(results, key, gain, wanted_s):
    found = settling_median(results, gain)
    return claim(key, "Fig. 13", f"k_r = {gain:g}: settles in {1000 * wanted_s:.0f} ms",
                 "this machine, median over the rates of the longer of fall and rise: within 20 % "
                 "(partly: within a factor of 2)",
                 settling_text(results, gain),
                 verdict(near(found, wanted_s, 0.2), wanted_s / 2 <= found <= 2 * wanted_s),
                 "rmc-settling", f"T_s = {TS_MS} ms (the paper's is unknown)")


def fig13_claims(results):
    one = settling_median(results, 1.0)
    gains = distinct(results["steps"]["rows"], "kr")
    soonest = min(settling_median(results, gain) for gain in gains)
    return [
        fig13_at(results, "fig13-low", 0.2, 0.5),
        claim("fig13-one", "Fig. 13", "k_r = 1: settles in 60 ms",
              "this machine, the same median: at most 60 ms", settling_text(results, 1.0),
              verdict(one <= 0.06), "rmc-settling"),
        fig13_at(results, "fig13-high", 1.8, 0.3),
        claim("fig13-shape", "Fig. 13, V.B", "the settling time is shortest at k_r = 1, which is "
              "therefore suggested",
              f"this machine, the same median: no k_r settles sooner than 1 by more than "
              f"{TS_MS} ms",
              f"{1000 * one:.0f} ms at 1, the shortest {1000 * soonest:.0f} ms",
              verdict(one <= soonest + TS_MS * 1e-3), "test_settling_is_shortest_at_kr_one")]


def constant_claims(results):
    rows = results["model"]["constant"]
    steady = max(abs(r["error_percent"]) for r in rows)
    disturbed = max(abs(r["disturbed_percent"]) for r in rows)
    return [
        claim("constant-gain", "V.A", "a constant rate is kept for each k_r from 0.1 to 1.9",
              f"virtual time, 1 to 500 Mbit/s, seven k_r: at most {LIMIT_PERCENT} %",
              f"{steady:.3f} %", verdict(steady <= LIMIT_PERCENT)),
        claim("prop2", "Proposition 2", "a step disturbance of the CPU is rejected for each k_r",
              "virtual time, wake-ups 1 ms late from some time on, k_r 0.1 to 1.9: error at most "
              f"{LIMIT_PERCENT} % 5 s later", f"{disturbed:.3f} %",
              verdict(disturbed <= LIMIT_PERCENT))]


def pole_claims(results):
    growth = [r for r in results["model"]["gain"] if "growth_per_sample" in r]
    off = max(abs(r["growth_per_sample"] - abs(1 - r["kr"])) for r in growth)
    stable = all(r["growth_per_sample"] < 0.999 for r in growth if r["kr"] < 2)
    unstable = all(r["growth_per_sample"] >= 0.999 for r in growth if r["kr"] >= 2)
    return [
        claim("prop1", "Proposition 1", "stable if and only if 0 < k_r < 2",
              "virtual time: an error shrinks at each k_r below 2 and does not from 2 on",
              ", ".join(f"{r['kr']:g}: x{r['growth_per_sample']:.2f}" for r in growth),
              verdict(stable and unstable)),
        claim("pole", "Proposition 1", "R_e / R_c = k_r z / (z - 1 + k_r): the pole is 1 - k_r",
              "virtual time: an error is multiplied by the size of 1 - k_r each sample, to 0.005",
              f"off by {off:.4f}", verdict(off <= 0.005),
              "test_step_response_has_its_pole_at_one_minus_kr")]


def sampling_claim(results):
    rows = [r for r in results["model"]["burst"] if "ts_ms" in r]
    sizes = [r["largest_bytes"] for r in sorted(rows, key=lambda r: r["ts_ms"])]
    return claim("sampling-time", "IV.B", "a shorter T_s makes smaller bursts",
                 "virtual time, 100 Mbit/s, T_s from 1 to 20 ms: the largest burst grows with T_s",
                 f"{sizes[0] / 1e3:g} to {sizes[-1] / 1e3:g} kB",
                 verdict(all(a < b for a, b in zip(sizes, sizes[1:]))))


def conclusion(results):
    loss = largest(model_rows(results, "rfc3448", 1))
    rmc = max([largest(real_rows(results, "rmc-literal"))]
              + [largest(model_rows(results, "rmc-literal", tick)) for tick in (0, 1, 4, 10)])
    return claim("conclusion", "VI", "without a measure against the disturbance the error is up to "
                 "99 %, with RMC always below 0.06 %",
                 f"rfc3448 at t_g = 1 ms 97 to 100 %; rmc-literal at most {LIMIT_PERCENT} % in "
                 "virtual time and on this machine (partly: one of them)",
                 f"{loss:.1f} % and {rmc:.4f} %",
                 verdict(97 <= loss <= 100 and rmc <= LIMIT_PERCENT,
                         97 <= loss <= 100 or rmc <= LIMIT_PERCENT))


def claims(results):
    return [
        one_packet_a_timer(results), waiting_time(results), *sleeps(results),
        *load_claims(results), *timer_claims(results), *open_claims(results),
        *constant_claims(results),
        *response_claims(results, 11, "down", "falls"),
        *response_claims(results, 12, "up", "rises"), fig12_larger(results),
        *fig13_claims(results), *pole_claims(results), sampling_claim(results),
        conclusion(results)]
