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
    ("ticks", "ms"): "ticks of 1/HZ, also cut to whole ms",
    ("ms-spans",): "each span cut to whole ms (notes, 4a)",
}
ALL_HZ = (100, 250, 300, 1000)
SHOWN_BPS = 100_000_000         # what the pictures have of all rates and gains
SHOWN_GAINS = {0.2, 0.6, 1.0, 1.4, 1.8}
SHOWN_SLEEPS_MS = (1, 1.5, 2, 3, 5, 10, 20)
TELLABLE_S = 0.5                # a third of the time between two steps: longer means cannot tell
SETTLE_LIMIT_S = 0.06           # the paper's figure at k_r = 1
ERROR_LIMIT_PERCENT = 0.06


def largest_error(rows, **wanted):
    return max(abs(r["error_percent"]) for r in by(rows, **wanted))


# --- model ---

def granularity(rows):
    lines = head("loop", *(f"timer {name}" for name in TICK_NAMES.values()))
    for loop in MODEL_LOOPS:
        part = by(rows, wanted_bps=SHOWN_BPS, contender=loop)
        lines.append(row(loop, *(number(by(part, tick_ms=tick)[0]["error_percent"], 2)
                                 for tick in TICK_NAMES)))
    fine = max(largest_error(rows, contender="rmc", tick_ms=tick) for tick in (0, 1))
    coarse = max(largest_error(rows, contender="rmc", tick_ms=tick) for tick in (4, 10))
    return [
        "### Timer granularity and lateness", "",
        f"Error in % over 60 s at {mbit(SHOWN_BPS)} Mbit/s; the picture has other rates. A wake-up "
        "is rounded up to the timer, then late by an exponential time (mean 50 us, in the middle "
        "third 1 ms). The loops of RFC 3448 assume t_g = 1 ms.",
        "", *lines, "",
        "`rmc-literal` and `rfc3448-nominal` lose nothing with any timer, and repay a stall of any "
        "length in one burst. `rmc-bounded` loses what its bursts cannot carry between two "
        "wake-ups; `rmc` stays awake while it catches up.", "",
        "![error against rate](pacing/granularity.png)", "",
    ], [
        Check(f"rmc, as in rmcsink, within {ERROR_LIMIT_PERCENT} % with timers of up to 1 ms",
              f"{fine:.3f} % (coarser: {coarse:.2f} %)", fine <= ERROR_LIMIT_PERCENT)]


def sleep(rows):
    shown = [r for r in rows if r["sleep_ms"] in SHOWN_SLEEPS_MS]
    return [
        "### A packet each t, timer of 1 ms (Fig. 4)", "",
        *head("sleep t, ms", *(f"{r['sleep_ms']:g}" for r in shown)),
        row("rfc3448, error %", *(number(r["error_percent"], 1) for r in shown)),
        row("rmc-literal, error %", *(number(r["rmc_error_percent"], 3) for r in shown)), "",
        f"At t = t_g the error is {rows[0]['error_percent']:.0f} % (the paper: 53 %).", "",
        "![error against sleep](pacing/sleep.png)", "",
    ], []


def deviation(r):
    return 100 * (r["rate_bps"] / r["wanted_bps"] - 1)


def clock_error(rows, loop):
    """On clocks that are coarse but right."""
    return max(abs(deviation(r)) for r in by(rows, contender=loop) if r["clock"] != "ms-spans")


def clock(rows):
    lines = head("loop", "clock", *(f"HZ {hz}" for hz in ALL_HZ))
    for loop in CLOCK_LOOPS:
        for names, text in CLOCK_NAMES.items():
            worst = [max((deviation(r) for r in by(rows, contender=loop, hz=hz)
                          if r["clock"] in names), key=abs) for hz in ALL_HZ]
            lines.append(row(loop, text, *(number(value, 2, "+") for value in worst)))
    return [
        "### Coarse clocks (the CCID-3 notes, 3b, 4a and 4c)", "",
        "Largest deviation in % of the rates from 0.1 to 200 Mbit/s, over 20 s. Both the clock "
        "that is read and the timer move in these steps.", "",
        *lines, "",
        "The notes conclude that RFC 5348's loop is less sensitive to a coarse clock than RMC.", "",
        "- That does not hold for the laws as published: `rfc3448-nominal` is off by at most "
        f"{clock_error(rows, 'rfc3448-nominal'):.2f} % and `rmc-literal` by at most "
        f"{clock_error(rows, 'rmc-literal'):.2f} %.",
        "- It holds for RMC with bounded bursts, which is off by up to "
        f"{clock_error(rows, 'rmc-bounded'):.0f} %: each tick allows one burst.",
        "- With each span cut to whole ms at HZ=300 (3 in place of 3.33 ms) the laws send 10 % too "
        "little; the notes measured 8.5 % for RMC.",
        "- No law here sends far too much, as the notes' RMC does (about 600 Mbit/s at HZ=1000).",
        "- rmcsink is not affected, since it reads a clock in ns.", "",
    ], []


def gain(rows):
    gains = [r for r in rows if "up_samples" in r and r["kr"] in SHOWN_GAINS]
    return [
        "### k_r (Propositions 1 and 2, Fig. 13)", "",
        "Samples until the effective rate of the paper's loop stays within 5 % of the new rate. "
        "Less than nothing cannot be sent, which damps the fall where k_r > 1.", "",
        *head("k_r", *(f"{r['kr']:g}" for r in gains)),
        row("x10, samples", *(r["up_samples"] for r in gains)),
        row("/10, samples", *(r["down_samples"] for r in gains)), "",
    ], []


SAMPLES_HEAD = "### Long sampling times (the CCID-3 notes, 5)"


def samples(rows):
    cut = by(rows, cut=True)
    return [
        SAMPLES_HEAD, "",
        "The notes hope that very long sampling times filter a coarse clock's errors out. "
        "`rmc-literal` at 100 Mbit/s over 400 s, HZ=300, which has the only error among the clocks "
        "above; a sample comes at the first tick after T_s, late by 1 ms in the mean. A span is "
        "cut to whole ms once, so a longer one is wrong by a smaller part. The price is the burst.",
        "", *head("T_s, ms", *(r["ts_ms"] for r in cut)),
        row("error, each span cut to whole ms, %", *(number(r["error_percent"], 3) for r in cut)),
        row("error, whole spans, %",
            *(number(r["error_percent"], 3) for r in by(rows, cut=False))),
        row("largest burst, kB", *(f"{r['largest_bytes'] / 1e3:g}" for r in cut)), "",
    ], []


def model(part):
    lines, checks = [], []
    for table in (granularity, sleep, clock, gain, samples):
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
    gains = sorted(SHOWN_GAINS.intersection(distinct(rows, "kr")))
    lines = head("from, Mbit/s", "to", "mean of, ms", *(f"{g:g}" for g in gains))
    for rate in sorted(distinct(rows, "rate_bps")):
        part = [r for gain in gains for r in by(rows, rate_bps=rate, kr=gain)]
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
        "The new rate counts from the instant when it is set, for any k_r. Each cell is one run: a "
        "value far above its neighbours may be a disturbance by the machine.", "",
        "![step responses](pacing/sink-steps.png)"], [
        Check(f"rmcsink at k_r = 1 settles within {1000 * SETTLE_LIMIT_S:.0f} ms", worst,
              len(known) == len(times) and max(known) <= SETTLE_LIMIT_S)]


# section: title, text, table
SECTIONS = {
    "steps": (
        "k_r on the real clock (Fig. 11 to 13)",
        "`rmc-literal` with a sample each 20 ms, in runs of 4.5 s with a step after each third "
        "(the paper: 30 s). Time in ms by k_r after a step of the wanted rate until "
        "the effective rate enters 5 % and stays: the mean from there on over 20 ms and at least "
        "40 packets, and three quarters of those that begin in the next 0.4 s. The paper does not "
        "say its T_s, and settling times are proportional to it; 20 ms was chosen because the "
        "paper's times fit 13 to 40 ms.",
        steps),
    "sink-steps": (
        "rmcsink's own step",
        "`rmcsink` with `pacing_gain` = k_r and a greedy source, at the receiver, by the same "
        "rule; `start-bitrate` is set while it plays. rmcsink samples when the next packet is due, "
        "at least each 0.1 ms, where the paper's loop takes samples of 20 ms.",
        sink_steps),
    "model": (
        "The laws in virtual time",
        "Exact, the same on every machine. [claims.md](claims.md#rmc) has the errors at constant "
        "rates, the stability by k_r and the largest bursts.",
        model),
}
