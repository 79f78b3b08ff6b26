# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What the rows of rcp-live-figures and rcp-gigabit show, and what follows for the paper's
claims."""

from verdicts import Claim, verdict

SETTLED_RATIO = 0.05
SWING_RATIO = 0.02      # of R, or of a rate: more is unstable
GAMMA = 0.95
CPU_LIMIT = 30


# --- figures of rows: s, queue, bytes in, bytes out, dropped, bytes of each flow ---

def between(rows, begin_s, end_s):
    return [row for row in rows if begin_s <= row[0] < end_s]


def ratios(rows, capacity_bps, column=2):
    """Of each bin of 20 ms to the capacity; a bin that a late row made longer counts by itself."""
    return [(b[column] - a[column]) * 8 / (b[0] - a[0]) / capacity_bps
            for a, b in zip(rows, rows[1:]) if b[0] > a[0]]


def mean_ratio(rows, capacity_bps, column=3):
    return (rows[-1][column] - rows[0][column]) * 8 / (rows[-1][0] - rows[0][0]) / capacity_bps


def jain(values):
    return sum(values) ** 2 / (len(values) * sum(x * x for x in values))


def flow_rates(rows, n):
    return [mean_ratio(rows, 1, 5 + i) for i in range(n)]


def seconds_of(rows, column, begin_s, end_s):
    """Mean bit/s of each second of one flow."""
    spans = (between(rows, t, t + 1) for t in range(int(begin_s), int(end_s)))
    return [mean_ratio(span, 1, column) for span in spans if len(span) > 1]


def figures(case, rows):
    end, unit, c = rows[-1][0], case.unit_s, case.capacity_bps
    n = len(case.rtts_ms)
    busy = between(rows, unit, end if case.play != "crowd" else 2 * unit)
    last = between(rows, end - case.last_s, end)
    steady = between(rows, 1.6 * unit, 2 * unit) if case.play == "crowd" else last
    bins = ratios(busy, c)
    return {"most": max(bins), "least": min(bins), "queue": max(row[1] for row in busy),
            "queue_end": max(row[1] for row in steady), "dropped": rows[-1][4],
            "use": mean_ratio(busy if case.play == "mice" else steady, c),
            "jain": jain(flow_rates(steady, n)) if case.play != "mice" else None}


def relay_figures(case, rows):
    """Of two relays: x1 goes through the first one only, all others through both."""
    end, join, n = rows[-1][0], case.unit_s, len(case.rtts_ms)
    seconds = seconds_of(rows, 5, join, end)
    last, final = seconds[-10:], sum(seconds[-10:]) / 10
    out = [i for i, x in enumerate(seconds, 1) if abs(x / final - 1) > SETTLED_RATIO]
    others = flow_rates(between(rows, end - 10, end), n)[1:]
    after = between(rows, join, end)
    return {"before": mean_ratio(between(rows, join - 5, join), 1, 5), "x1": final,
            "others": sum(others) / len(others), "jain": jain(others),
            "swing": (max(last) - min(last)) / final, "settled_s": out[-1] if out else 0,
            "queues": [max(row[column] for row in after) for column in (1, 5 + n)],
            "dropped": rows[-1][4] + rows[-1][6 + n]}


def max_min(case):
    """x1 and each of the others, with two relays."""
    share = GAMMA * case.second_bps / (len(case.rtts_ms) - 1)
    return GAMMA * (case.capacity_bps - case.second_bps), share


# --- claims ---

def claim(key, where, says, criterion, found, word, test=""):
    return Claim("PIQI-RCP", key, where, says, criterion, found, word, test)


def throughput_claim(key, f, at):
    uses, fair = [g["use"] for g in f.values()], [g["jain"] for g in f.values()]
    return claim(key, "Fig. 16", "three flows keep the throughput high with both", "Jain at least "
                 "0.99 and out of the relay at least 0.93 of the capacity; partly: the latter",
                 f"{at}: RCP {uses[0]:.3f}, PIQI-RCP {uses[1]:.3f}; Jain "
                 + ", ".join(f"{value:.4f}" for value in fair),
                 verdict(min(uses) >= 0.93 and min(fair) >= 0.99, min(uses) >= 0.93))


def queue_claim(key, where, says, f, at):
    rcp, piqi = f["RCP"]["queue"], f["PIQI-RCP"]["queue"]
    return claim(key, where, says, "PIQI-RCP's deepest queue at most 10 packets, and RCP's ten "
                 "times as deep; partly: RCP's twice as deep", f"{at}: RCP {rcp:.0f}, PIQI-RCP "
                 f"{piqi:.0f} packets", verdict(piqi <= 10 and rcp >= 10 * piqi, rcp >= 2 * piqi))


def crowd_claim(key, f, at):
    rcp, piqi = f["RCP"], f["PIQI-RCP"]
    high, even = rcp["most"] >= 3, piqi["most"] <= 1.2
    return claim(key, "Fig. 17b", "ten flows join: RCP's load is thrice the capacity, then a "
                 "tenth; PIQI-RCP's hardly above it",
                 "over 20 ms RCP's most at least 3 and its least at most 0.1 of the capacity, "
                 "PIQI-RCP's most at most 1.2; partly: PIQI-RCP's most at most half of RCP's",
                 f"{at}: RCP {rcp['least']:.2f} to {rcp['most']:.2f}, PIQI-RCP "
                 f"{piqi['least']:.2f} to {piqi['most']:.2f}",
                 verdict(high and even and rcp["least"] <= 0.1, 2 * piqi["most"] <= rcp["most"]))


def mice_claim(key, f, at):
    rcp, piqi = f["RCP"], f["PIQI-RCP"]
    parts = (piqi["most"] < rcp["most"], piqi["least"] > rcp["least"],
             piqi["use"] >= 0.94 * rcp["use"])
    return claim(key, "Fig. 19", "mice: RCP overshoots by 40 % and undershoots by 25 %, "
                 "PIQI-RCP much less, at the same use", "over 20 ms both smaller with "
                 "PIQI-RCP, and utilisation within 6 % (gamma takes 5); partly: one of the three "
                 f"is not so", f"{at}: RCP {rcp['least']:.2f} to {rcp['most']:.2f}, mean "
                 f"{rcp['use']:.3f}; PIQI-RCP {piqi['least']:.2f} to {piqi['most']:.2f}, mean "
                 f"{piqi['use']:.3f}", verdict(all(parts), sum(parts) == 2))


ONE_PACKET = "at a join 9415 packets with RCP, at most one with PIQI-RCP"
CROWD_QUEUE = "11 000 packets with RCP, one with PIQI-RCP"


def at_capacity(cases, name):
    return f"at {next(case.capacity_bps for case in cases if case.name == name) / 1e6:g} Mbit/s"


def judge_elements(cases, found):
    """With rmcsinks. found: {name of a case: {sender: {law: figures}}}"""
    joins, crowd, mice, rtts = (found[name]["as published"]
                                for name in ("joins", "crowd", "mice", "rtts"))
    at = at_capacity(cases, "joins")
    yield throughput_claim("live-16", joins, at)
    yield queue_claim("live-17a", "Fig. 17a", ONE_PACKET, joins, at)
    at = at_capacity(cases, "crowd")
    yield crowd_claim("live-17b", crowd, at)
    yield queue_claim("live-18", "Fig. 18", CROWD_QUEUE, crowd, at)
    yield mice_claim("live-19", mice, at_capacity(cases, "mice"))
    f = rtts["PIQI-RCP"]
    fair = f["jain"] > 0.999
    yield claim("live-11", "Fig. 11", "PIQI-RCP is fair to flows of different RTTs and keeps the "
                "link used", "ten flows of 20 to 300 ms, 15 to 20 s after the last "
                "join: Jain above 0.999, and utilisation within 2 % of gamma; partly: Jain alone",
                f"Jain {f['jain']:.4f}, utilisation {f['use']:.3f}, queue up to "
                f"{f['queue_end']:.0f} packets",
                verdict(fair and abs(f["use"] / GAMMA - 1) <= 0.02, fair))


def judge_light(found):
    """With light senders, at the capacities of the paper."""
    joins, crowd, mice = (found[name]["light senders"]
                          for name in ("light-joins", "light-crowd-100", "light-mice"))
    both = {law: joins[law] for law in ("RCP", "PIQI-RCP")}
    yield throughput_claim("light-16", both, "at 1 Gbit/s")
    yield queue_claim("light-17a", "Fig. 17a", ONE_PACKET, both, "at 1 Gbit/s")
    yield crowd_claim("light-17b", crowd, "at 100 Mbit/s")
    yield queue_claim("light-18", "Fig. 18", CROWD_QUEUE, crowd, "at 100 Mbit/s")
    yield mice_claim("light-19", mice, "at 1 Gbit/s")


def judge_relays(case, found):
    """T1: a flow of 710 ms through one relay, nine of 20 ms through this one and a second."""
    of = {law: f for law, f in found[case.name]["as published"].items()}
    one, share = max_min(case)

    def text(f):
        return (f"x1 {f['x1'] / 1e6:.1f}, the others {f['others'] / 1e6:.2f} Mbit/s (max-min "
                f"{one / 1e6:.1f} and {share / 1e6:.2f}); swing of x1 {100 * f['swing']:.1f} %; "
                f"settled {f['settled_s']:.0f} s after the join")

    def settles(f):
        stable = f["swing"] <= SWING_RATIO
        near = max(abs(f["x1"] / one - 1), abs(f["others"] / share - 1)) <= 0.02
        return verdict(stable and near, stable)

    piqi, rcp = of["PIQI-RCP"], of["RCP"]
    shipped = found[case.name]["as shipped"]["PIQI-RCP"]
    criterion = ("two relays; over the last 10 s the seconds of x1 swing by at most 2 %, and the "
                 "rates are within 2 % of max-min; partly: the first")
    yield claim("live-10", "Fig. 10", "PIQI-RCP in T1 is stable", criterion, text(piqi),
                settles(piqi))
    yield claim("live-10-shipped", "Fig. 10", "the same, as shipped: with ARC in each sender",
                criterion, text(shipped), settles(shipped))
    yield claim("live-2", "Fig. 2a", "RCP in T1 is unstable", "two relays; over the last 10 s the "
                "seconds of x1 swing by more than 2 %", text(rcp),
                verdict(rcp["swing"] > SWING_RATIO))


def judge_cost(shares):
    """shares: {packets that come together: % of a core}"""
    return claim("cpu", "V, Fig. 16", "the router's CPU is used to less than 30 % at 1 Gbit/s with "
                 "three flows", f"the relay's thread below {CPU_LIMIT} % of one core, packets of "
                 "1500 bytes that come alone, by three and by ten; partly: one of these",
                 ", ".join(f"{cpu:.1f} % (by {n})" for n, cpu in shares.items()),
                 verdict(max(shares.values()) < CPU_LIMIT, min(shares.values()) < CPU_LIMIT))
