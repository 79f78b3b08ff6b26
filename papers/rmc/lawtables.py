# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The tables of the law itself: in virtual time and its step responses, with what the paper says
beside and the targets. Each returns (lines, checks)."""

from mdtable import Check, by, distinct, head, mbit, number, row

MODEL_LOOPS = ["rmc-loop", "rmc", "no-bursts", "bursts", "nominal"]
TICK_NAMES = {0: "exact", 1: "1 ms", 4: "4 ms", 10: "10 ms"}
CLOCK_NAMES = {
    "ticks": "ticks of 1/HZ",
    "ms": "the same, cut to whole ms",
    "ms-spans": "each span cut to whole ms (notes, 4a)",
}
KINDS = {"rmcsink": "`rmcsink` with pacing_gain", "loop": "The paper's loop, one sample each 20 ms"}
SAMPLE_S = 0.02
TELLABLE_S = 0.5                # a third of the time between two steps: longer means cannot tell
SETTLE_LIMIT_S = 0.06           # the paper's figure at k_r = 1
ERROR_LIMIT_PERCENT, CLOCK_LIMIT_PERCENT, RUNAWAY = 0.06, 0.1, 2


def wanted_rates(rows):
    return sorted({r["wanted_bps"] for r in rows})


# --- model ---

def granularity(rows):
    lines = head("timer", "loop", *map(mbit, wanted_rates(rows)))
    for tick, name in TICK_NAMES.items():
        for loop in MODEL_LOOPS:
            part = by(rows, tick_ms=tick, contender=loop)
            lines.append(row(name, loop, *(number(r["error_percent"], 2) for r in part)))
    worst = {loop: max(abs(r["error_percent"]) for r in by(rows, contender=loop)) for loop in MODEL_LOOPS}
    fine, coarse = (max(abs(r["error_percent"]) for r in by(rows, contender="rmc") if (r["tick_ms"] <= 1) == is_fine)
                    for is_fine in (True, False))
    return [
        "### Timer granularity and lateness", "",
        "Error in % over 60 s, wanted rates in Mbit/s. Wake-ups rounded up to the timer, then late by an "
        "exponential time (mean 50 us, in the middle third 1 ms). The loops of RFC 3448 believe in t_g = 1 ms.",
        "", *lines, "",
        f"Largest error: rmc-loop {worst['rmc-loop']:.3f} % (paper: < 0.06), no-bursts {worst['no-bursts']:.1f} % "
        f"(paper: 99), bursts {worst['bursts']:.1f} % (paper: 95).", "",
        "`rmc` is the law as rmcsink uses it: bursts bounded, awake while it catches up.", "",
        "`nominal` is the RFC's own text, which counts from when a packet should have gone: it loses nothing "
        "either, and repays a stall of any length in one burst. The paper's errors are of its reading, which "
        "counts from when it went.", "",
        "![error against rate](pacing/granularity.png)", "",
    ], [
        Check(f"rmc-loop within {ERROR_LIMIT_PERCENT} % with each timer", f"{worst['rmc-loop']:.3f} %",
              worst["rmc-loop"] <= ERROR_LIMIT_PERCENT),
        Check(f"rmc, as in rmcsink, within {ERROR_LIMIT_PERCENT} % with timers of up to 1 ms",
              f"{fine:.3f} % (coarser: {coarse:.2f} %)", fine <= ERROR_LIMIT_PERCENT)]


def sleep(rows):
    return [
        "### A packet each t, timer of 1 ms (Fig. 4)", "", *head("sleep t, ms", *(f"{r['sleep_ms']:g}" for r in rows)),
        row("no-bursts, error %", *(number(r["error_percent"], 1) for r in rows)),
        row("rmc-loop, error %", *(number(r["rmc_error_percent"], 3) for r in rows)), "",
        f"At t = t_g {rows[0]['error_percent']:.0f} % (paper: 53).", "", "![error against sleep](pacing/sleep.png)", "",
    ], []


def deviation(r):
    return 100 * (r["rate_bps"] / r["wanted_bps"] - 1)


def clock(rows):
    lines = head("loop", "clock", "HZ", *map(mbit, wanted_rates(rows)))
    for loop in ("rmc-loop", "rmc"):
        for name, text in CLOCK_NAMES.items():
            for hz in (100, 250, 300, 1000):
                part = by(rows, contender=loop, clock=name, hz=hz)
                lines.append(row(loop, text, hz, *(number(deviation(r), 2, "+") for r in part)))
    peak = max(r["peak_bps"] / r["wanted_bps"] for r in rows)
    worst = max(abs(deviation(r)) for r in by(rows, contender="rmc-loop") if r["clock"] != "ms-spans")
    return [
        "### Coarse clocks (the CCID-3 notes)", "",
        "Deviation in % over 20 s, wanted rates in Mbit/s; over N − 1 intervals between first and last packet.", "",
        *lines, "",
        "Cutting each span to whole ms brings back the notes' bias at HZ=300 (there −8 %); lib/rc takes points in "
        "time in ns, so that nothing is cut twice. The `rmc` rows lack what no bounded burst can carry: between two "
        "ticks time stands still, so one burst is all that a tick allows. Linux has had finer clocks since 2.6.21.", "",
    ], [
        Check(f"no runaway: in any 0.1 s at most {RUNAWAY} times what was wanted (the notes: up to 614)",
              f"{peak:.2f} (one packet at 100 kbit/s is 1.2)", peak <= RUNAWAY),
        Check(f"rmc-loop on a clock of ticks within {CLOCK_LIMIT_PERCENT} %", f"{worst:.2f} %",
              worst <= CLOCK_LIMIT_PERCENT)]


def gain(rows):
    gains = [r for r in rows if "up_samples" in r]
    growth = [r for r in rows if "growth_per_sample" in r]
    best = min(gains, key=lambda r: r["up_samples"] + r["down_samples"])
    stable = all(r["growth_per_sample"] < 0.999 for r in growth if r["kr"] < 2)
    unstable = all(r["growth_per_sample"] >= 0.999 for r in growth if r["kr"] >= 2)
    return [
        "### k_r", "",
        "Samples until the effective rate stays within 5 % of the new rate, exact. Less than nothing cannot be "
        "sent, which damps the fall where k_r > 1.", "",
        *head("k_r", *(f"{r['kr']:g}" for r in gains)),
        row("x10, samples", *(r["up_samples"] for r in gains)),
        row("/10, samples", *(r["down_samples"] for r in gains)), "", *head("k_r", *(f"{r['kr']:g}" for r in growth)),
        row("an error grows each sample by", *(number(r["growth_per_sample"], 4) for r in growth)), "",
    ], [
        Check("settles soonest at k_r = 1", f"k_r = {best['kr']:g}", best["kr"] == 1.0),
        Check("stable below k_r = 2, not from there on",
              ", ".join(f"{r['kr']:g}: x{r['growth_per_sample']:.2f}" for r in growth), stable and unstable)]


def model(part):
    lines, checks = [], []
    for table in (granularity, sleep, clock, gain):
        more, found = table(part[table.__name__])
        lines += more
        checks += found
    return lines[:-1], checks


# --- steps ---

def ms_cell(r, name):
    if r[name + "_mean_s"] > TELLABLE_S:
        return "–"
    return "never" if r[name + "_s"] is None else number(1000 * r[name + "_s"], 0 if r["kind"] == "loop" else 1)


def kind_table(rows):
    """Settling times, and of those that 60 ms can tell (worst at k_r = 1, how much sooner another
    gain is)."""
    gains = sorted(distinct(rows, "kr"))
    lines = head("from, Mbit/s", "to", "mean of, ms", *(f"{g:g}" for g in gains))
    at_one, excess = [], []
    for rate in sorted(distinct(rows, "rate_bps")):
        part = sorted(by(rows, rate_bps=rate), key=lambda r: r["kr"])
        for name, ratio in (("down", (1, 10)), ("up", (10, 1))):
            mean_s = part[0][name + "_mean_s"]
            lines.append(row(mbit(rate / ratio[0]), mbit(rate / ratio[1]), number(1000 * mean_s, 0),
                             *(ms_cell(r, name) for r in part)))
            times = {r["kr"]: r[name + "_s"] for r in part if r[name + "_s"] is not None}
            if mean_s <= SETTLE_LIMIT_S:
                at_one.append(times.get(1.0))
                excess.append(times[1.0] - min(times.values()) if 1.0 in times else None)
    return lines, at_one, excess


def step_checks(kind, at_one, excess):
    never = None in at_one
    worst = "never at one rate" if never else f"{1000 * max(at_one):.1f} ms"
    more = "never at one rate" if never else f"at most {1000 * max(excess):.1f} ms after the soonest"
    return [
        Check(f"{kind} at k_r = 1 settles within {1000 * SETTLE_LIMIT_S:.0f} ms", worst,
              not never and max(at_one) <= SETTLE_LIMIT_S),
        Check(f"{kind}: no k_r is sooner than 1 by more than one sample ({1000 * SAMPLE_S:.0f} ms)", more,
              not never and max(excess) <= SAMPLE_S)]


def steps(part):
    lines, checks = [], []
    for kind, text in KINDS.items():
        rows = by(part["rows"], kind=kind)
        if rows:
            more, at_one, excess = kind_table(rows)
            lines += [f"{text}, ms for each k_r:", "", *more, ""]
            checks += step_checks(kind, at_one, excess)
    return lines + ["The paper: 500 ms at 0.2, 60 at 1, 300 at 1.8. –: so few packets cannot tell 5 %.", "",
                    "![step responses](pacing/steps.png)", "", "![settling time](pacing/gain.png)"], checks


# section: title, text, table
SECTIONS = {
    "model": ("The law in virtual time", "Exact, the same on every machine.", model),
    "steps": (
        "k_r, real clock (Fig. 11 to 13)",
        "Time after a step of the wanted rate until the effective rate stays within 5 %: the mean from there on "
        "over 20 ms and at least 40 packets, for 0.2 s, since a busy machine disturbs it again; median of the runs. "
        "Judged where that mean is no longer than 60 ms. rmcsink: a greedy source, start-bitrate set while it "
        "plays, arrivals at the receiver. Its T_s is the time to the next packet (0.1 ms at least) and k_r acts per "
        "sample: it takes packets where the loop takes samples. The loop has one each 20 ms, which the paper does "
        "not say; its times fit 13 to 40 ms.",
        steps),
}
