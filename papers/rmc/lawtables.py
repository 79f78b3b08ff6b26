# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The tables of the laws themselves: in virtual time and their step responses. Each returns
(lines, checks)."""

from mdtable import Check, by, distinct, head, mbit, number, row

MODEL_LOOPS = ["rmc-literal", "rmc-bounded", "rmc", "rfc3448", "rfc3448-bursts",
               "rfc3448-nominal"]
CLOCK_LOOPS = ["rmc-literal", "rmc-bounded", "rfc3448-nominal"]
TICK_NAMES = {0: "exact", 1: "1 ms", 4: "4 ms", 10: "10 ms"}
CLOCK_NAMES = {
    "ticks": "ticks of 1/HZ",
    "ms": "the same, cut to whole ms",
    "ms-spans": "each span cut to whole ms (notes, 4a)",
}
TELLABLE_S = 0.5                # a third of the time between two steps: longer means cannot tell
SETTLE_LIMIT_S = 0.06           # the paper's figure at k_r = 1
ERROR_LIMIT_PERCENT = 0.06


def wanted_rates(rows):
    return sorted({r["wanted_bps"] for r in rows})


def largest_error(rows, **wanted):
    return max(abs(r["error_percent"]) for r in by(rows, **wanted))


# --- model ---

def granularity(rows):
    lines = head("timer", "loop", *map(mbit, wanted_rates(rows)))
    for tick, name in TICK_NAMES.items():
        for loop in MODEL_LOOPS:
            part = by(rows, tick_ms=tick, contender=loop)
            lines.append(row(name, loop, *(number(r["error_percent"], 2) for r in part)))
    fine = max(largest_error(rows, contender="rmc", tick_ms=tick) for tick in (0, 1))
    coarse = max(largest_error(rows, contender="rmc", tick_ms=tick) for tick in (4, 10))
    return [
        "### Timer granularity and lateness", "",
        "Error in % over 60 s, wanted rates in Mbit/s. A wake-up is rounded up to the timer, then "
        "late by an exponential time (mean 50 us, in the middle third 1 ms). The loops of RFC 3448 "
        "believe in t_g = 1 ms.",
        "", *lines, "",
        "`rmc-literal` and `rfc3448-nominal` lose nothing with any timer, and repay a stall of any "
        "length in one burst. `rmc-bounded` loses what its bursts cannot carry between two "
        "wake-ups. `rmc` has the same bound and loses nothing, because it stays awake while it "
        "catches up. The paper's errors of RFC 3448 are those of its reading, in which the next "
        "interval counts from when a packet went, not from when it should have gone.", "",
        "![error against rate](pacing/granularity.png)", "",
    ], [
        Check(f"rmc, as in rmcsink, within {ERROR_LIMIT_PERCENT} % with timers of up to 1 ms",
              f"{fine:.3f} % (coarser: {coarse:.2f} %)", fine <= ERROR_LIMIT_PERCENT)]


def sleep(rows):
    return [
        "### A packet each t, timer of 1 ms (Fig. 4)", "",
        *head("sleep t, ms", *(f"{r['sleep_ms']:g}" for r in rows)),
        row("rfc3448, error %", *(number(r["error_percent"], 1) for r in rows)),
        row("rmc-literal, error %", *(number(r["rmc_error_percent"], 3) for r in rows)), "",
        f"At t = t_g the error is {rows[0]['error_percent']:.0f} % (the paper: 53 %).", "",
        "![error against sleep](pacing/sleep.png)", "",
    ], []


def deviation(r):
    return 100 * (r["rate_bps"] / r["wanted_bps"] - 1)


def clock_error(rows, loop):
    """On clocks that are coarse but right."""
    return max(abs(deviation(r)) for r in by(rows, contender=loop) if r["clock"] != "ms-spans")


def clock(rows):
    lines = head("loop", "clock", "HZ", *map(mbit, wanted_rates(rows)))
    for loop in CLOCK_LOOPS:
        for name, text in CLOCK_NAMES.items():
            for hz in (100, 250, 300, 1000):
                part = by(rows, contender=loop, clock=name, hz=hz)
                lines.append(row(loop, text, hz, *(number(deviation(r), 2, "+") for r in part)))
    return [
        "### Coarse clocks (the CCID-3 notes, 3b, 4a and 4c)", "",
        "Deviation in % over 20 s, wanted rates in Mbit/s, over N − 1 intervals between the first "
        "and the last packet. Both the clock that is read and the timer move in these steps.", "",
        *lines, "",
        "What follows for the notes' conclusion, that RFC 5348's loop is less sensitive to a "
        "coarse clock than RMC:", "",
        f"- It does not hold for the laws as published. `rfc3448-nominal` is off by at most "
        f"{clock_error(rows, 'rfc3448-nominal'):.2f} % and `rmc-literal` by at most "
        f"{clock_error(rows, 'rmc-literal'):.2f} %. Both multiply the rate by the time that has "
        "passed, and both repay in full at each tick.",
        f"- It holds for RMC with bounded bursts (`rmc-bounded`, the law of `lib/rc`), which is "
        f"off by up to {clock_error(rows, 'rmc-bounded'):.0f} %. Time stands still between two "
        "ticks, so each tick allows one burst, and the rest of the rate is lost. A bound of bursts "
        "needs a clock that is finer than the burst.",
        "- Each law is as wrong as its clock. With each span cut to whole ms at HZ=300 (3 in place "
        "of 3.33 ms) all three send 10 % too little; the notes measured 8.5 % for RMC.",
        "- No law here sends far too much, as the notes' RMC does on a coarse clock (1.3 Mbit/s at "
        "HZ=100, and about 600 Mbit/s at HZ=1000). That excess must have come from the "
        "implementation in the kernel.",
        "- rmcsink is not affected. It reads a clock in ns, and the law takes points in time, not "
        "spans, so that nothing is rounded twice. Linux has had such clocks since 2.6.21.", "",
    ], []


def gain(rows):
    gains = [r for r in rows if "up_samples" in r]
    growth = [r for r in rows if "growth_per_sample" in r]
    return [
        "### k_r (Propositions 1 and 2, Fig. 13)", "",
        "Samples until the effective rate of the paper's loop stays within 5 % of the new rate. "
        "Less than nothing cannot be sent, which damps the fall where k_r > 1.", "",
        *head("k_r", *(f"{r['kr']:g}" for r in gains)),
        row("x10, samples", *(r["up_samples"] for r in gains)),
        row("/10, samples", *(r["down_samples"] for r in gains)), "",
        *head("k_r", *(f"{r['kr']:g}" for r in growth)),
        row("an error grows each sample by",
            *(number(r["growth_per_sample"], 4) for r in growth)), "",
    ], []


def constant(rows):
    gains = distinct(rows, "kr")
    lines = head("Mbit/s", "wake-ups late by", *(f"k_r {g:g}" for g in gains))
    for name, text in (("error_percent", "50 us, then the same"),
                       ("disturbed_percent", "0, then 1 ms")):
        for rate in wanted_rates(rows):
            part = by(rows, wanted_bps=rate)
            lines.append(row(mbit(rate), text, *(number(r[name], 3) for r in part)))
    return [
        "Error in % of `rmc-literal` at constant rates over 20 s. In the lower rows each wake-up "
        "comes 1 ms too late from the middle on; the error is that of the last quarter.", "",
        *lines, ""], []


def burst(rows):
    by_ts = [r for r in rows if "ts_ms" in r]
    stalled = [r for r in rows if "stall_ms" in r]
    return [
        "### The largest burst, 100 Mbit/s", "",
        *head("T_s, ms", *(r["ts_ms"] for r in by_ts)),
        row("rmc-literal, kB", *(f"{r['largest_bytes'] / 1e3:g}" for r in by_ts)), "",
        *head("after a stall of 50 ms", *(r["contender"] for r in stalled)),
        row("kB", *(f"{r['largest_bytes'] / 1e3:g}" for r in stalled)), "",
    ], []


def model(part):
    lines, checks = [], []
    for table in (granularity, sleep, clock, gain, constant, burst):
        more, found = table(part[table.__name__])
        lines += more
        checks += found
    return lines[:-1], checks


# --- steps ---

def ms_cell(r, name):
    if r[name + "_mean_s"] > TELLABLE_S:
        return "–"
    if r[name + "_s"] is None:
        return "never"
    return number(1000 * r[name + "_s"], 0 if r["kind"] == "loop" else 1)


def step_table(rows):
    gains = sorted(distinct(rows, "kr"))
    lines = head("from, Mbit/s", "to", "mean of, ms", *(f"{g:g}" for g in gains))
    for rate in sorted(distinct(rows, "rate_bps")):
        part = sorted(by(rows, rate_bps=rate), key=lambda r: r["kr"])
        for name, ratio in (("down", (1, 10)), ("up", (10, 1))):
            lines.append(row(mbit(rate / ratio[0]), mbit(rate / ratio[1]),
                             number(1000 * part[0][name + "_mean_s"], 0),
                             *(ms_cell(r, name) for r in part)))
    return lines


def tellable(rows, name):
    """Those whose mean is short enough for the paper's 60 ms."""
    return [r for r in rows if r[name + "_mean_s"] <= SETTLE_LIMIT_S]


def steps(part):
    return [
        *step_table(part["rows"]), "",
        "The paper: 500 ms at 0.2, 60 ms at 1, 300 ms at 1.8. –: so few packets cannot tell 5 %. "
        "Never: not within 1.1 s, the time between two steps less the 0.4 s.", "",
        "![step responses](pacing/steps.png)", "", "![settling time](pacing/gain.png)"], []


def sink_steps(part):
    times = [r[name + "_s"] for name in ("down", "up")
             for r in by(tellable(part["rows"], name), kr=1.0)]
    known = [t for t in times if t is not None]
    worst = f"{1000 * max(known):.1f} ms" if len(known) == len(times) else "never at one rate"
    return [
        *step_table(part["rows"]), "",
        "The new rate counts from the instant when it is set, for any k_r. Each cell is one run, "
        "so that a value far above its neighbours may be a disturbance by the machine.", "",
        "![step responses](pacing/sink-steps.png)"], [
        Check(f"rmcsink at k_r = 1 settles within {1000 * SETTLE_LIMIT_S:.0f} ms", worst,
              len(known) == len(times) and max(known) <= SETTLE_LIMIT_S)]


# section: title, text, table
SECTIONS = {
    "steps": (
        "k_r on the real clock (Fig. 11 to 13)",
        "`rmc-literal` with a sample each 20 ms, in runs of 4.5 s with a step after each third "
        "(the paper: 30 s). Time in ms after a step of the wanted rate until "
        "the effective rate enters 5 % and stays: the mean from there on over 20 ms and at least "
        "40 packets; of the means that begin in the following 0.4 s, three quarters are within "
        "5 % as well, so that single late wake-ups do not count as a response. The paper does not "
        "say its T_s, and settling times are proportional to it; 20 ms was chosen because the "
        "paper's times fit 13 to 40 ms.",
        steps),
    "sink-steps": (
        "rmcsink's own step",
        "`rmcsink` with `pacing_gain` = k_r and a greedy source; `start-bitrate` is set while it "
        "plays; arrivals at the receiver, the same rule. rmcsink samples when the next packet is "
        "due, at least each 0.1 ms, and k_r acts per sample: it takes packets where the paper's "
        "loop takes samples of 20 ms.",
        sink_steps),
    "model": ("The laws in virtual time", "Exact, the same on every machine.", model),
}
