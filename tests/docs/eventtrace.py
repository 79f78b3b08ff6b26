#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""eventtrace.py ROOT LOOP-REPORT LOOP-SETS: event traces of closed loops are what
docs/reference/trace.md says: a qlog file whose records are JSON, whose times do not fall, whose
causes are in the list, and whose fields the page has, each of them, and no others. Each case has
the causes that it must. scripts/trace-plot explains all of the time, in lines of 5 s at most, and
names routes and what repeats."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# By file: causes that the case shows.
EXPECTED = {
    "5.1-0": {"start", "growth", "queue", "fall", "known-capacity", "application"},
    "5.1-ecn-0": {"mark"}, "loss-10-0": {"trial-low", "trial-high"}, "outage-3s-0": {"timeout"},
    "paper-1m-0": {"start", "growth", "queue"}, "plain-1s-0": {"growth", "queue", "fall"},
    "route-0": {"growth"}, "cellular-0": {"drain"}, "5.1-audio-1": {"user"},
    "tcp-3-1-0": {"competing", "trial-low", "trial-high"},
}
SET, SET_CASE = "tcp", "3"
SCHEMA = "urn:x-gst-arc:qlog:events:arc"
TEXTS = {"cause", "target_cause", "state", "law", "old", "new"}
# Only a shell with a receiver that sends REMB, and laws that no case has.
NOT_SEEN = {"explicit_rate_bps", "arc_rate_bps"}
LINE_S, LOST = 5.5, slice(104, 109)     # of scripts/trace-plot

root, loop_report, loop_sets = Path(sys.argv[1]), *sys.argv[2:]
sys.path.insert(0, str(root / "scripts"))
import eventtrace  # noqa: E402 (its folder is an argument)

page = (root / "docs/reference/trace.md").read_text(encoding="utf-8")
source = (root / "lib/rc/law/cause.c").read_text(encoding="utf-8")
names = re.findall(r'=\s*\{"([\w-]+)"', source)
texts = dict(re.findall(r'\{"([\w-]+)",\s*"([^"]+)"\}', source))
faults, seen = [], {}


def check(good, text):
    if not good:
        faults.append(text)


def section(title):
    return re.search(rf"^### `{title}`\n(.*?)(?=^##)", page, re.DOTALL | re.MULTILINE)[1]


def check_file(path):
    text, before, raw = path.read_text(encoding="utf-8"), 0, []
    json.loads(text.split("\x1e")[1])
    for record in eventtrace.records(text):
        raw.append(record)
    head, *events = raw
    check(head["file_schema"] == "urn:ietf:params:qlog:file:sequential"
          and head["trace"]["event_schemas"] == [SCHEMA], f"{path.name}: {head}")
    check(len(events) > 100, f"{path.name}: {len(events)} events")
    for event in events:
        check(set(event) == {"time", "name", "path", "data"}, f"{path.name}: {event}")
        check(event["time"] >= before, f"{path.name}: {event} after {before}")
        before = event["time"]
        for name, value in event["data"].items():
            seen.setdefault(event["name"], set()).add(name)
            check(isinstance(value, str) == (name in TEXTS), f"{path.name}: {name} is {value!r}")
            check(name not in ("cause", "target_cause") or value in names, f"{path.name}: {value}")
        check(event["name"] != "arc:rate" or {"cause", "rate_bps"} <= set(event["data"]),
              f"{path.name}: {event}")
    rates = eventtrace.Trace(path).of("arc:rate")
    for event in rates:
        check(event.data["queueing_delay_ms"] is None or event.data["queueing_delay_ms"] >= 0,
              f"{path.name}: {event.data}")
    missing = EXPECTED.get(path.stem, set()) - {event.data["cause"] for event in rates}
    check(not missing, f"{path.name}: no {missing}")


def explain(file, *options):
    return subprocess.run([sys.executable, root / "scripts/trace-plot", *options, file],
                          check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[1:]


def check_lines(file):
    lines, all_lines, before = explain(file), explain(file, "--all"), None
    lost = 0
    for line in all_lines:
        start, stop = map(float, line.split()[:2])
        check(before in (None, start), f"{file.name}: {line} begins after {before}")
        check(stop - start < LINE_S, f"{file.name}: {line} is longer than {LINE_S} s")
        before, lost = stop, lost + int(line[LOST])
    rates = eventtrace.Trace(file).of("arc:rate")
    check(lost == sum(event.data["lost_pkts"] for event in rates), f"{file.name}: lost {lost}")
    check(len(lines) <= len(all_lines), f"{file.name}: {len(lines)} > {len(all_lines)} lines")
    return lines


with tempfile.TemporaryDirectory() as folder:
    cases = [name.rpartition("-")[0] for name in EXPECTED]
    for command in ([loop_report, "-e", folder, *cases],
                    [loop_sets, "-e", folder, "-k", SET_CASE, SET]):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    files = {file.stem: file for file in sorted(Path(folder).glob("*.sqlog"))}
    check(EXPECTED.keys() <= files.keys(), f"only {sorted(files)}")
    for file in files.values():
        check_file(file)
    texts_of = {name: "\n".join(check_lines(files[name])) for name in ("route-0", "5.1-0")}
    check("base RTT" in texts_of["route-0"], f"no route in {texts_of['route-0']}")
    check(" again " in texts_of["5.1-0"], f"nothing repeats in {texts_of['5.1-0']}")

check(len(names) == len(texts) and names, "the list of lib/rc/law/cause.c was not found")
told = re.findall(r"`([\w-]+)`", page.split("## Causes")[1])
check(told == names, f"causes of the page: {told}")
for name, fields in seen.items():
    documented = set(re.findall(r"`([a-z_]+)`", section(name))) - {"cause", "drain", "null"}
    fields -= {"cause"}
    missing, gone = fields - documented, documented - fields - NOT_SEEN - TEXTS - {"stopped"}
    check(not missing, f"{name}: not in the page: {sorted(missing)}")
    check(not {g for g in gone if "_" in g}, f"{name}: only in the page: {sorted(gone)}")
print("\n".join(faults[:20]) or f"{sum(map(len, seen.values()))} fields of {len(seen)} events")
sys.exit(bool(faults))
