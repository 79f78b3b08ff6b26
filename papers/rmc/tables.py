# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The tables of what runs on the real clock at constant rates, with the targets of rmcsink. Each
returns (lines, checks)."""

from mdtable import Check, by, distinct, head, mbit, number, row

M = 1_000_000
TABLE_LIMIT_PERCENT, SWEEP_LIMIT_PERCENT, ALONE_LIMIT_RATIO = 0.06, 0.1, 0.99
# Of the notes' table 4b, printed and rounded; above: 0.
CCID3_ERROR_PERCENT = {100_000: 12.0, 1 * M: 1.0, 2 * M: 0.5, 5 * M: 0.2}


def worst(rows):
    return max((abs(r["error_percent"]) for r in rows), default=0.0)


def error_cell(rows):
    return number(rows[0]["error_percent"], 3) if rows else "–"


def carried_bps(rows):
    """What an unpaced sender carries in its worst third, and the text about it."""
    unpaced = next(r for r in rows if r["contender"] == "unpaced")
    thirds = ", ".join(f"{t / M:.0f}" for t in unpaced["thirds_bps"])
    return min(unpaced["thirds_bps"]), (
        f"An unpaced `send()` loop carries {thirds} Mbit/s in its thirds (idle, loaded, idle). "
        "No target holds for a rate above the least of them.")


def table(part):
    rows = part["rows"]
    carried, text = carried_bps(rows)
    contenders = [c for c in distinct(rows, "contender") if c != "unpaced"]
    rates = distinct(by(rows, contender="rmcsink"), "wanted_bps")
    lines = [text, "", *head("wanted, Mbit/s", *contenders)]
    for rate in rates:
        lines.append(row(mbit(rate), *(error_cell(by(rows, contender=c, wanted_bps=rate))
                                       for c in contenders)))
    judged = [r for r in by(rows, contender="rmcsink") if r["wanted_bps"] <= carried]
    return lines + ["", "![effective rate](pacing/effective-rate.png)"], [
        Check(f"rmcsink's error at most {TABLE_LIMIT_PERCENT} % at each rate that an unpaced "
              "sender carries", f"{worst(judged):.4f} % at {len(judged)} of {len(rates)} rates",
              worst(judged) <= TABLE_LIMIT_PERCENT)]


def sweep(part):
    rows = part["rows"]
    contenders = distinct(rows, "contender")
    lines = head("wanted, Mbit/s", *contenders, "the notes' RMC (4b)")
    for rate in distinct(rows, "wanted_bps"):
        found = [by(rows, contender=c, wanted_bps=rate) for c in contenders]
        lines.append(row(mbit(rate), *map(error_cell, found),
                         f"{-CCID3_ERROR_PERCENT.get(rate, 0):g}"))
    error = worst(by(rows, contender="rmcsink"))
    return lines, [Check(f"rmcsink's error at most {SWEEP_LIMIT_PERCENT} % at the rates of the "
                         "notes", f"{error:.4f} %",
                         error <= SWEEP_LIMIT_PERCENT)]


def is_judged(r):
    return r["contender"] == "rmcsink"


def smooth(part):
    rows = [r for r in part["rows"] if "skipped" not in r]
    lines = head("rate, Mbit/s", "contender", "sent alone, idle", "loaded",
                 "departure error p99, us, idle", "loaded")
    for rate in distinct(rows, "wanted_bps"):
        for contender in distinct(by(rows, wanted_bps=rate), "contender"):
            both = by(rows, wanted_bps=rate, contender=contender)
            lines.append(row(mbit(rate), contender,
                             *(f"{100 * r['alone_ratio']:.2f} %" for r in both),
                             *(f"{r['departure_error_us'][1]:.0f}" for r in both)))
    checks = []
    for busy, text in ((False, "idle"), (True, "loaded")):
        least = min(r["alone_ratio"] for r in rows if is_judged(r) and r["busy"] == busy)
        checks.append(Check(f"rmcsink, {text}: at least {100 * ALONE_LIMIT_RATIO:g} % sent alone",
                            f"{100 * least:.2f} %", least >= ALONE_LIMIT_RATIO))
    return lines, checks


# section: title, text, table
SECTIONS = {
    "table": (
        "Rates under CPU load (Fig. 7 to 10)",
        "Mean error in % over the run, with 1500-byte packets and five busy-wait processes in the "
        "middle third. The paper ran 60 s and found less than 0.06 % for RMC; up to 99 and 90 % "
        "for RFC 3448 without bursts and up to 95 and 4 % with bursts, on the kernels 2.6.19 and "
        "2.6.28. `rmc-bounded` sleeps between the bursts in which it repays a stall.",
        table),
    "sweep": (
        "The rates of the CCID-3 notes (3a and 4b)",
        "Error in % on an idle machine with a clock in ns and high-resolution timers.",
        sweep),
    "smooth": (
        "Smoothness",
        "From the kernel's receive time stamps. Alone: no neighbour within a quarter of the ideal "
        "gap. Departure error: distance from the best grid of ideal gaps. Loaded: five busy-wait "
        "processes all the time. rmcsink-priority: `pacing-priority=10` (real-time scheduling). "
        "rmcsink-frames gets 30 frames a second at once, the others a packet whenever they take "
        "one.",
        smooth),
}
