# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What papers/rmc/run measures: the runs of each section, and the programs that do them."""

import json
import os
import subprocess
import sys
import time
from collections import namedtuple

import stepresponse
from provenance import commit

M = 1_000_000
START_SECONDS = 0.8             # what a run takes beside its traffic
MODEL_SECONDS = 6
MODEL_PARTS = ["granularity", "sleep", "clock", "gain", "constant", "burst", "samples"]
PLOT_RATE = 500 * M
PLOT_STEP_RATES = (100 * M, 500 * M)
TABLE = ["rmcsink", "rmc-literal", "rmc-bounded", "rfc3448", "rfc3448-bursts",
         "udpsink-max-bitrate"]
SWEEP = ["rmcsink", "rmc-literal", "rfc3448-nominal"]
SMOOTH = ["rmcsink", "rmcsink-priority", "rmcsink-frames", "rtpgccbwe", "rfc3448",
          "udpsink-max-bitrate", "udpsink-clocksync"]
TS_MS = 20                      # of the paper's loop in its steps
LOOP_STEP_SECONDS, SINK_STEP_SECONDS = 4.5, 3.0

Full = {
    "table_rates": [1 * M, 10 * M, 100 * M, 200 * M, 400 * M, 500 * M, 600 * M, 1000 * M],
    "sweep_rates": [100_000, 1 * M, 2 * M, 5 * M, 10 * M, 20 * M, 50 * M, 100 * M, 200 * M],
    "smooth_rates": [2 * M, 5 * M, 20 * M],
    "step_rates": [10 * M, 100 * M, 200 * M, 400 * M, 500 * M, 600 * M],
    "step_gains": [0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 1.9],
    "loop_repeats": 3, "sink_repeats": 1,
    "seconds": 18, "short_seconds": 6,
}
Quick = {
    "table_rates": [10 * M, 100 * M, 500 * M],
    "sweep_rates": [100_000, 5 * M, 100 * M],
    "smooth_rates": [5 * M],
    "step_rates": [100 * M, 500 * M], "step_gains": [0.2, 0.6, 1.0, 1.4, 1.8],
    "loop_repeats": 1, "sink_repeats": 1,
    "seconds": 3, "short_seconds": 3,
}

# command: the program's arguments; labels: what its row gets beside what the program says
Run = namedtuple("Run", "text seconds command labels")


def pacer_run(contender, rate, seconds, *options, **labels):
    command = ["pacer", contender, str(rate), str(seconds), *options]
    return Run(f"{contender}, {rate / M:g} Mbit/s", seconds, command, labels)


def table_runs(size):
    n = size["seconds"]
    cells = [(c, r, n) for r in size["table_rates"] for c in TABLE]
    cells.append(("unpaced", size["table_rates"][-1], size["short_seconds"]))
    return [pacer_run(*cell, "--busy=third", busy=True) for cell in cells]


def sweep_runs(size):
    return [pacer_run(c, r, size["short_seconds"]) for r in size["sweep_rates"] for c in SWEEP]


def smooth_runs(size):
    return [pacer_run(c, r, size["short_seconds"], *load, busy=bool(load))
            for load in ((), ("--busy=whole",)) for r in size["smooth_rates"] for c in SMOOTH]


def model_part(part):
    return Run(f"virtual time, {part}", MODEL_SECONDS / len(MODEL_PARTS), ["pacing-model", part],
               {"part": part})


def model_runs(_size):
    return [model_part(part) for part in MODEL_PARTS]


def loop_step_command(rate, gain):
    return ["pacing-steps", str(gain), str(rate), str(LOOP_STEP_SECONDS), str(TS_MS)]


def sink_step_command(rate, gain):
    return ["pacer", "rmcsink", str(rate), str(SINK_STEP_SECONDS), "--steps", f"--gain={gain}"]


def step_runs(size, kind, seconds, command):
    return [Run(f"{kind}, {rate / M:g} Mbit/s, k_r {gain:g}", seconds, command(rate, gain),
                {"kind": kind, "kr": gain, "rate_bps": rate})
            for rate in size["step_rates"] for gain in size["step_gains"]
            for _ in range(size[f"{kind}_repeats"])]


def loop_steps_runs(size):
    return step_runs(size, "loop", LOOP_STEP_SECONDS, loop_step_command)


def sink_steps_runs(size):
    return step_runs(size, "sink", SINK_STEP_SECONDS, sink_step_command)


RUNS = {"table": table_runs, "steps": loop_steps_runs, "sink-steps": sink_steps_runs,
        "sweep": sweep_runs, "model": model_runs, "smooth": smooth_runs}


class Progress:
    """One line with the time left."""

    def __init__(self, runs):
        self.tty = sys.stderr.isatty()
        self.left = sum(run.seconds + START_SECONDS for run in runs)

    def show(self, section, i, n, run):
        minutes, seconds = divmod(round(self.left), 60)
        line = f"{section} {i + 1}/{n}: {run.text}; {minutes}:{seconds:02} left"
        print(f"\r{line:78}" if self.tty else line, end="" if self.tty else "\n",
              file=sys.stderr, flush=True)
        self.left -= run.seconds + START_SECONDS

    def end(self):
        print(f"\r{'':78}\r" if self.tty else "", end="", file=sys.stderr, flush=True)


def peer_folder(build):
    """Where eval/peers/rtpgccbwe leaves its plugin."""
    return build / "eval/peers/rtpgccbwe/plugin"


def output(build, run):
    env = dict(os.environ, GST_PLUGIN_PATH_1_0=f"{build / 'gst'}:{peer_folder(build)}",
               GST_REGISTRY_1_0=str(build / "eval/registry.bin"))
    command = [str(build / "papers/rmc" / run.command[0]), *run.command[1:]]
    out = subprocess.run(command, env=env, capture_output=True, text=True,
                         timeout=run.seconds + 120, check=False)
    if out.returncode:
        sys.exit(f"{' '.join(command)}: {out.stderr}")
    return [json.loads(line) for line in out.stdout.splitlines()]


def keep_windows(section, row):
    if section != "table" or row["wanted_bps"] != PLOT_RATE:
        row.pop("windows_mbps", None)
    return row


def gather(section, runs, outputs):
    """The section's part of the results document from all that its programs printed."""
    if section == "model":
        return {run.labels["part"]: out for run, out in zip(runs, outputs)}
    if section.endswith("steps"):
        repeats = max(runs.count(run) for run in runs)
        rows = stepresponse.rows(runs, [out[0] for out in outputs], PLOT_STEP_RATES)
        return {"repeats": repeats, "rows": rows}
    rows = [keep_windows(section, {"busy": False, **out[0], **run.labels})
            for run, out in zip(runs, outputs)]
    return {"seconds": runs[0].seconds, "rows": rows}


def measure(section, runs, build, progress):
    outputs = []
    for i, run in enumerate(runs):
        progress.show(section, i, len(runs), run)
        outputs.append(output(build, run))
    progress.end()
    return {"date": time.strftime("%Y-%m-%d"), "commit": commit(), **gather(section, runs, outputs)}
