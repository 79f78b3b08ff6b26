# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The pictures of papers/rmc/run."""

import picture
from mdtable import by, distinct, mbit
from picture import block

LOOP_POINTS = {"rfc3448": 7, "rfc3448-bursts": 5, "rfc3448-nominal": 6, "rmc-bounded": 4,
               "rmc-literal": 2}
# Gnuplot's is a yellow that is hard to see.
DARK_FIFTH = "set linetype 5 lc rgb '#a83232'"
STEP_GAINS = (0.2, 0.6, 1.0, 1.4, 1.8)


def gnuplot(path, size, lines):
    picture.draw(path, size, [*picture.STYLE, DARK_FIFTH, *lines])


def draw_table(part, folder):
    rows = [r for r in part["rows"] if r.get("windows_mbps")]
    if not rows:
        return
    lines = ["set xlabel 's'", "set ylabel 'Mbit/s in 0.1 s'", "set key outside right top",
             "set rmargin 26", "set multiplot layout 2,1"]
    title = (f"Wanted {mbit(rows[0]['wanted_bps'])} Mbit/s, CPU loaded in the middle third "
             "(the paper: Fig. 8 to 10)")
    for names, limits in ((("rmc-bounded", "rmc-literal", "rmcsink"), "300:700"),
                          (("rfc3448", "rfc3448-bursts", "udpsink-max-bitrate"), "0:700")):
        parts = []
        for r in (r for name in names for r in by(rows, contender=name)):
            data = "w" + r["contender"].replace("-", "")
            windows = enumerate(r["windows_mbps"][:-1])
            lines.append(block(data, [(w / 10, rate) for w, rate in windows]))
            parts.append(f"${data} using 1:2 with lines lw 1.5 title '{r['contender']}'")
        lines += [f"set yrange [{limits}]", f"set title '{title}'", "plot " + ", ".join(parts)]
    gnuplot(folder / "effective-rate.png", "1000,800", lines)


def draw_granularity(rows, folder):
    lines = ["set logscale x", "set xlabel 'wanted, Mbit/s'", "set ylabel 'error, %'",
             "set yrange [-5:105]", "set xrange [0.8:2500]", "set key top left"]
    plots = []
    for tick in (0, 1, 4, 10):
        parts = []
        for loop, point in LOOP_POINTS.items():
            name = f"t{tick}_{point}"
            part = by(rows, tick_ms=tick, contender=loop)
            lines.append(block(name, [(r["wanted_bps"] / 1e6, r["error_percent"]) for r in part]))
            parts.append(f"${name} using 1:2 with linespoints pt {point} lw 1.5 title '{loop}'")
        title = f"timer of {tick} ms" if tick else "exact timer"
        plots += [f"set title '{title}'", "plot " + ", ".join(parts), "unset key"]
    gnuplot(folder / "granularity.png", "1000,700", [*lines, "set multiplot layout 2,2", *plots])


def draw_sleep(rows, folder):
    points = [(r["sleep_ms"], r["error_percent"], r["rmc_error_percent"]) for r in rows]
    gnuplot(folder / "sleep.png", "700,420", [
        block("s", points), "set xlabel 'sleep t, ms'", "set ylabel 'error, %'",
        "set yrange [-2:60]",
        "set title 'A packet each t, timer of 1 ms (the paper: Fig. 4)'",
        "plot $s using 1:2 with linespoints pt 7 lw 2 title 'rfc3448', "
        "$s using 1:3 with linespoints pt 7 lw 2 title 'rmc-literal'"])


def settling_plot(steps, gains):
    """(data, plot) of the model and of what was measured."""
    lines, parts = [], []
    for n, (name, text) in enumerate((("up", "x10"), ("down", "/10"))):
        samples = [(r["kr"], r[name + "_samples"] * 20) for r in gains if "up_samples" in r]
        lines.append(block(f"m{name}", samples))
        parts.append(f"$m{name} using 1:2 with lines lw 2 lc {n + 1} title 'model, {text}'")
        for i, rate in enumerate(distinct(steps, "rate_bps")):
            points = [(r["kr"], 1000 * r[name + "_s"]) for r in by(steps, rate_bps=rate)
                      if r[name + "_s"] is not None and r[name + "_mean_s"] <= 0.06]
            if points:
                data, title = f"{name}{i}", f"{mbit(rate)} Mbit/s, {text}"
                lines.append(block(data, points))
                parts.append(f"${data} using 1:2 with points pt {i + 1} lc {n + 1} "
                             f"title '{title}'")
    return lines, "plot " + ", ".join(parts)


def draw_gain(steps, gains, folder):
    lines, plot = settling_plot(steps, gains)
    gnuplot(folder / "gain.png", "1000,500", [
        *lines, "set xlabel 'k_r'", "set ylabel 'settling time, ms'", "set key outside",
        "set yrange [0:*]", "set xrange [0:2]",
        "set title 'rmc-literal, T_s = 20 ms: within 5 % of the new rate (the paper: Fig. 13)'",
        plot])


def draw_steps(rows, path, name_of_loop):
    lines = ["set xlabel 'ms after the step'", "set ylabel 'Mbit/s of each 20 ms'",
             "set yrange [0:*]", "set xrange [-100:500]"]
    plots = []
    rows = [r for r in rows if "down_rates" in r and r["kr"] in STEP_GAINS]
    for rate in distinct(rows, "rate_bps"):
        for name, text in (("down", "falls"), ("up", "rises")):
            parts = []
            for r in by(rows, rate_bps=rate):
                data = f"s{mbit(rate)}{text}{r['kr'] * 10:.0f}"
                points = [(1000 * t, bps / 1e6) for t, bps in r[name + "_rates"]]
                lines.append(block(data, points, 12))
                parts.append(f"${data} using 1:2 with steps lw 1.5 title 'k_r {r['kr']:g}'")
            key = f"set key {'top' if name == 'down' else 'bottom'} right"
            plots += [f"{key}\nset title '{name_of_loop}, {mbit(rate)} Mbit/s {text}'",
                      "plot " + ", ".join(parts)]
    height = len(plots) // 4    # two lines a picture, two pictures beside each other
    if plots:
        gnuplot(path, f"1400,{380 * height}",
                [*lines, f"set multiplot layout {height},2", *plots])


def draw(results, folder):
    model = results.get("model", {})
    if "table" in results:
        draw_table(results["table"], folder)
    if model:
        draw_granularity(model["granularity"], folder)
        draw_sleep(model["sleep"], folder)
    if "steps" in results:
        draw_gain(results["steps"]["rows"], model.get("gain", []), folder)
        draw_steps(results["steps"]["rows"], folder / "steps.png", "rmc-literal (Fig. 11, 12)")
    if "sink-steps" in results:
        draw_steps(results["sink-steps"]["rows"], folder / "sink-steps.png", "rmcsink")
