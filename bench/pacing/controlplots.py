# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The pictures of bench/pacing/control."""

import subprocess

STYLE = ["set grid lt 1 lc rgb '#dddddd'", "set border 3", "set tics nomirror"]
LOOP_POINTS = {"no-bursts": 7, "bursts": 5, "nominal": 6, "rmc-loop": 2}


def gnuplot(path, size, lines):
    script = [f"set terminal pngcairo size {size} font 'sans,10'", f"set output '{path}'", *STYLE, *lines]
    subprocess.run(["gnuplot"], input="\n".join(script) + "\n", text=True, check=True)


def block(name, points):
    """Data for `plot $name`."""
    return "\n".join([f"${name} << EOD", *(" ".join(str(v) for v in p) for p in points), "EOD"])


def draw_granularity(rows, folder):
    lines = ["set logscale x", "set xlabel 'wanted, Mbit/s'", "set ylabel 'error, %'", "set yrange [-5:105]",
             "set xrange [0.8:2500]", "set key top left"]
    plots = []
    for tick in (0, 1, 4, 10):
        parts = []
        for loop, point in LOOP_POINTS.items():
            name = f"t{tick}_{point}"
            part = [r for r in rows if r["tick_ms"] == tick and r["contender"] == loop]
            lines.append(block(name, [(r["wanted_bps"] / 1e6, r["error_percent"]) for r in part]))
            parts.append(f"${name} using 1:2 with linespoints pt {point} lw 1.5 title '{loop}'")
        title = f"timer of {tick} ms" if tick else "exact timer"
        plots += [f"set title '{title}'", "plot " + ", ".join(parts), "unset key"]
    gnuplot(folder / "control-granularity.png", "1000,700", [*lines, "set multiplot layout 2,2", *plots])


def draw_sleep(rows, folder):
    points = [(r["sleep_ms"], r["error_percent"], r["rmc_error_percent"]) for r in rows]
    gnuplot(folder / "control-sleep.png", "700,420", [
        block("s", points), "set xlabel 'sleep t, ms'", "set ylabel 'error, %'", "set yrange [-2:60]",
        "set title 'A packet each t, timer of 1 ms (the paper: Fig. 4)'",
        "plot $s using 1:2 with linespoints pt 7 lw 2 title 'no-bursts', "
        "$s using 1:3 with linespoints pt 7 lw 2 title 'rmc-loop'"])


def draw_gain(gains, rows, folder):
    model = [(r["kr"], r["up_samples"] * 20, r["down_samples"] * 20) for r in gains if "up_samples" in r]
    lines, parts = [block("m", model)], []
    for phase, column, text in (("up_s", 2, "x10"), ("down_s", 3, "/10")):
        parts.append(f"$m using 1:{column} with lines lw 2 title 'model, {text}'")
        settled = [r for r in rows if r[phase] is not None and r[phase] < r["phase_s"]]
        for rate in (100e6, 200e6, 400e6, 500e6, 600e6):
            points = [(r["kr"], 1000 * r[phase]) for r in settled if r["rate_bps"] == rate]
            if points:
                name = f"{phase}{rate / 1e6:.0f}"
                lines.append(block(name, points))
                parts.append(f"${name} using 1:2 with points title '{rate / 1e6:.0f} Mbit/s, {text}'")
    gnuplot(folder / "control-gain.png", "900,520", [
        *lines, "set xlabel 'k_r'", "set ylabel 'settling time, ms'", "set key outside", "set yrange [0:*]",
        "set xrange [0:2]", "set title 'Within 5 % of the new rate, one sample each 20 ms (the paper: Fig. 13)'",
        "plot " + ", ".join(parts)])


def draw_steps(rows, folder):
    lines = ["set xlabel 'ms after the step'", "set ylabel 'Mbit/s of each sample'", "set key top right", "set yrange [0:*]"]
    plots = []
    for rate in (100e6, 500e6):
        for phase, text in ((1, "falls"), (2, "rises")):
            parts = []
            for row in (r for r in rows if r["rate_bps"] == rate and r["kr"] in (0.2, 0.6, 1.0, 1.4, 1.8)):
                name = f"s{rate / 1e6:.0f}{text}{row['kr'] * 10:.0f}"
                at = phase * row["phase_s"]
                lines.append(block(name, [(1000 * (t - at), r / 1e6) for t, r in row["rates"] if -0.1 <= t - at < 0.5]))
                parts.append(f"${name} using 1:2 with steps lw 1.5 title 'k_r {row['kr']:g}'")
            plots += [f"set title '{rate / 1e6:.0f} Mbit/s {text}'", "plot " + ", ".join(parts)]
    gnuplot(folder / "control-steps.png", "1200,760", [*lines, "set multiplot layout 2,2", *plots])


def draw(results, folder):
    if "granularity" in results:
        draw_granularity(results["granularity"], folder)
    if "sleep" in results:
        draw_sleep(results["sleep"], folder)
    if "gain" in results and "steps" in results:
        draw_gain(results["gain"], results["steps"], folder)
    if "steps" in results:
        draw_steps(results["steps"], folder)
