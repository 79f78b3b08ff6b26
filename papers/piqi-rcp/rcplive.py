# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Ten rmcsinks through one rcprelay on loopback, in real time: explicit rates, RCP's overshoot, and
ARC end to end."""

import contextlib
import os
import re
import subprocess
import tempfile

import picture

CAPACITY_BPS, DELAY_MS = 100e6, 50      # of the relay; each way before it
FLOWS = 10
SEND_PORT, RELAY_PORT = 27000, 25000    # first ports with --delay, and of the relay
JAIN, NEAR_GAMMA, FEW_PKTS = 0.99, 0.02, 10     # what is wanted: at least, of gamma, at most

RELAY = "pacing-priority=10"
DEEP = RELAY + " max-queue-time=2000000000"

# law, title, properties of the relay and of the senders, gamma or None where nobody aims at one
PIQI = ("piqi-rcp", "PIQI-RCP", RELAY, "", 0.95)
RCP = ("rcp", "RCP", RELAY, "", 0.95)
ARC = ("arc", "ARC end to end", RELAY, "", None)
NEAR = (PIQI, ("piqi-rcp", "PIQI-RCP, normal priority", "", "", 0.95), RCP, ARC)
FAR = (PIQI, RCP, ("piqi-rcp", "PIQI-RCP as published", DEEP, "profile=paper", 0.95),
       ("rcp", "RCP as published", DEEP, "profile=paper", 0.95), ARC)


@contextlib.contextmanager
def delays(args):
    program = args.build / "tools" / "linkemu" / "linkemu"
    links = [subprocess.Popen([program, f"--listen=127.0.0.1:{SEND_PORT + i}", f"--to=127.0.0.1:{RELAY_PORT + i}",
                               f"--delay={args.delay}", "--queue=none"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
             for i in range(FLOWS if args.delay else 0)]
    try:
        yield
    finally:
        for link in links:
            link.terminate()
            link.wait()


def play(args, command, law, relay, sender, csv):
    program = args.build / "papers" / "piqi-rcp" / "rcp-live"
    env = {**os.environ, "GST_PLUGIN_PATH_1_0": str(args.build / "gst"),
           "GST_REGISTRY_1_0": str(args.build / "eval" / "registry.bin")}
    if args.short:
        env["RCP_LIVE_SHORT"] = "1"
    with delays(args):
        done = subprocess.run([program, str(FLOWS), str(int(args.capacity)), law, relay, sender, csv,
                               str(SEND_PORT if args.delay else 0)], env=env, text=True, capture_output=True, timeout=300)
    if done.returncode:
        command.fail(f"{law}: {done.stderr}")
    return done.stdout


def figures(text, which):
    """Of a line that rcp-live prints."""
    line = next(line for line in text.splitlines() if line.startswith(which + ":"))
    names = {"jain": r"Jain ([\d.]+)", "utilisation": r"utilisation ([\d.]+)", "p50": r"p50 (\d+)", "p99": r"p99 (\d+)",
             "mean": r"mean ([\d.]+)", "queue": r"up to (\d+)", "dropped": r"dropped (\d+)", "lost": r"lost (\d+)"}
    return {name: float(found[1]) for name, pattern in names.items() if (found := re.search(pattern, line))}


def verdict(f, gamma, n):
    missed = [name for name, ok in (
        ("Jain", n == 1 or f["jain"] >= JAIN),
        ("utilisation", gamma is None or abs(f["utilisation"] / gamma - 1) <= NEAR_GAMMA),
        ("queue", gamma is None or f["p99"] <= FEW_PKTS),
        ("losses", f["dropped"] == 0 and f["lost"] == 0)) if not ok]
    return "yes" if not missed else "no: " + ", ".join(missed)


def rows(title, gamma, text):
    whole = figures(text, "whole run")
    for which, n in ("all", FLOWS), ("one", 1):
        f = figures(text, which)
        yield [f"{title}, {'ten flows' if n > 1 else 'one flow'}", f"{f['jain']:.4f}" if n > 1 else "–",
               f"{f['utilisation']:.3f}" + (f" (aim {gamma})" if gamma else ""),
               f"{f['p50']:.0f}, {f['mean']:.1f}, {f['p99']:.0f}, {f['queue']:.0f}",
               f"{whole['queue']:.0f}", f"{whole['dropped']:.0f}", f"{whole['lost']:.0f}", verdict(f, gamma, n)]


def draw(args, runs, folder):
    commands = ["set datafile separator ','", "set grid lc rgb '#dddddd'", f"set multiplot layout 2,{len(runs)}",
                "set xlabel 's'", "set ylabel 'Mbit/s'", f"set yrange [0:{args.capacity / 1e6 * 1.05:g}]"]
    for number, (_, title, *_) in enumerate(runs):
        lines = [f"'{folder}/{number}.csv' using 1:(${3 + i}/1e6) with lines notitle" for i in range(FLOWS)]
        commands += [f"set title '{title}: rates'", picture.plot(lines)]
    commands += ["set ylabel 'packets'", "set yrange [0:*]"]
    for number, (_, title, *_) in enumerate(runs):
        commands += [f"set title '{title}: queue'",
                     f"plot '{folder}/{number}.csv' using 1:2 with lines lc rgb '#1b6ca8' notitle"]
    picture.draw(args.plots / ("live-delay.png" if args.delay else "live.png"), "1500,520", commands,
                 terminal="background '#ffffff'")


HEAD = ["", "Jain", "utilisation", "queue: median, mean, p99, most, packets",
        "most in the whole run", "dropped", "lost", "as wanted?"]


def run(args, command, delay_ms=0):
    args.delay, args.capacity = delay_ms, args.capacity or CAPACITY_BPS
    runs, table = FAR if delay_ms else NEAR, []
    with tempfile.TemporaryDirectory() as folder:
        for number, (law, title, relay, sender, gamma) in enumerate(runs):
            text = play(args, command, law, relay, sender, f"{folder}/{number}.csv")
            table += rows(title, gamma, text)
        draw(args, runs, folder)
    return "the delayed live table" if delay_ms else "the live table", HEAD, table


def run_delayed(args, command):
    return run(args, command, DELAY_MS)
