#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What gst-arc-monitor keeps of what happened: the messages that a process tells, and the changes
that its statistics show.

Usage: eventlog.py MONITOR. The distribution's Python runs it, because python3-gi belongs to it."""

import http.client
import json
import sys
import tempfile
from pathlib import Path

import watched
from toldprocess import ToldProcess

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from quiet import Claim, judge  # pylint: disable=wrong-import-position

KEPT = 32
MS = 1_000_000
CLEAR_S = 2     # how long the queue must be short


def streams(monitor):
    """As the page gets them."""
    connection = http.client.HTTPConnection(*monitor.page.split("/")[2].split(":"))
    connection.request("GET", "/events")
    answer = connection.getresponse()
    while not (line := answer.readline().decode()).startswith("data: "):
        continue
    connection.close()
    return json.loads(line[len("data: "):])


def log(monitor, process):
    """[(kind, text)], newest first."""
    return next(([(event["kind"], event["text"]) for event in stream["log"]]
                 for stream in streams(monitor) if stream["process"] == process), [])


def check(claim, ok, more=""):
    """A monitor forgets a process that a machine kept from speaking for three seconds."""
    return Claim(claim if ok else f"{claim} {more}", bool(ok), timed=True)


def wait_for_log(monitor, process, wanted):
    return watched.wait_for(lambda: log(monitor, process.name) == wanted)


def check_messages(monitor):
    process = ToldProcess(monitor.path, "messages")
    process.message("info", "nobody knows this stream yet")
    process.snapshot()
    for text in ("one", "two"):
        process.message("warning", text)
    process.message("warning", "two again, by a connection that was lost", number=2)
    process.message("error", "earlier", time=1, number=9)
    wanted = [("warning", "two"), ("warning", "one"), ("error", "earlier")]
    process.message("error", "three", time=99)
    wanted = [("error", "three"), *wanted]
    yield check("messages are there once, by their time, newest first",
                wait_for_log(monitor, process, wanted), log(monitor, "messages"))
    process.say("GstArcMonitorMessage, run=(string)messages, id=(guint64)1;")
    process.say("GstArcMonitorMessage, kind=(string)error;")
    for number in range(2 * KEPT):
        process.message("info", str(number), time=1000 + number)
    wanted = [("info", str(number)) for number in range(2 * KEPT - 1, KEPT - 1, -1)]
    yield check(f"the last {KEPT} are kept", wait_for_log(monitor, process, wanted),
                log(monitor, "messages"))
    hostile = '</script><img src=x onerror=alert(1)> "quoted" \\ and\nlines'
    process.message("error", hostile, time=9999)
    yield check("a text is what it was", watched.wait_for(
        lambda: log(monitor, "messages")[:1] == [("error", hostile)]), log(monitor, "messages")[:1])
    process.close()


def check_changes(monitor):
    process = ToldProcess(monitor.path, "changes")
    process.snapshot(state="running", law_state="start", frames_dropped=7)
    process.snapshot(state="running", law_state="start", frames_dropped=7)
    yield check("what was there at first is no event", watched.wait_for(
        lambda: any(stream["process"] == "changes" for stream in streams(monitor)))
        and log(monitor, "changes") == [], log(monitor, "changes"))
    process.snapshot(state="stopped", law_state="outage", frames_dropped=7)
    process.snapshot(state="stopped", law_state="outage", frames_dropped=19, width=160)
    process.snapshot(state="stopped", law_state="outage", frames_dropped=25, width=160)
    wanted = [("change", "frame size: 320x180@10 → 160x180@10"),
              ("change", "state: running → stopped"),
              ("count", "frames-dropped: 12 more, 19 in all"),
              ("law", "outage: reports are missing")]
    yield check("texts, frame sizes, states of the law and counters that change are events",
                watched.wait_for(lambda: sorted(log(monitor, "changes")) == wanted),
                log(monitor, "changes"))
    process.close()


def check_congestion(monitor):
    process = ToldProcess(monitor.path, "congestion")
    for delay_ms in (20, 150, 90, 240, 120):
        process.snapshot(queueing_delay=delay_ms * MS)
    begun = ("congestion", "queueing delay 150 ms")
    yield check("a deep queue is one event, however its delay varies",
                wait_for_log(monitor, process, [begun]), log(monitor, "congestion"))

    process.snapshot(queueing_delay=10 * MS)
    watched.wait_for(lambda: len(log(monitor, "congestion")) > 1)
    found = log(monitor, "congestion")
    yield check(f"and so is its end, after {CLEAR_S} s without", len(found) == 2
                and found[1] == begun and found[0][1].endswith("queueing delay at most 240 ms"),
                found)
    process.close()


def check_elements(monitor):
    """Of real ones, told by the tracer."""
    pipeline, sender, receiver = watched.play_for_a_moment()

    def texts(name):
        return [event["text"] for stream in streams(monitor) if stream["element"] == name
                for event in stream["log"]]

    for element in (sender, receiver):
        name = element.get_name()
        played = watched.wait_for(lambda name=name: "no longer playing" in texts(name))
        yield check(f"{name}: that it plays, and no longer, is told", played
                    and "playing" in texts(name), texts(name))
        yield check(f"{name}: the targets and statistics that it posts are not",
                    not any("Stats" in text or "Target" in text for text in texts(name)))
    sender.set_property("host", "no such host")
    pipeline.set_state(watched.Gst.State.PLAYING)
    error = watched.wait_for(lambda: [text for text in texts("sender") if "no such host" in text])
    yield check("its error is told", error, texts("sender"))
    pipeline.set_state(watched.Gst.State.NULL)


def claims(program, folder):
    with watched.Monitor(program, folder) as monitor:
        watched.start_gstreamer(monitor.path)
        for part in (check_messages, check_changes, check_congestion, check_elements):
            yield from part(monitor)


def main():
    with tempfile.TemporaryDirectory() as folder:   # where the tracer finds each trial's monitor
        return 0 if judge(lambda: claims(sys.argv[1], folder)) else 1


sys.exit(main())
