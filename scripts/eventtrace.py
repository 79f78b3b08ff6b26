# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Reads event traces: qlog's JSON text sequences with the events of docs/reference/trace.md."""

import json

SEPARATOR = "\x1e"
CHANGES_ONLY = ("arc:rate", "recovery:metrics_updated")


class NoTrace(Exception):
    """The file is no event trace; the text says why."""


def records(text):
    """The JSON objects of a text sequence, without a last one that was cut off (RFC 7464)."""
    first, *rest = text.split(SEPARATOR)
    if first.strip() or not rest:
        raise NoTrace("it does not begin with a record separator")
    for number, record in enumerate(rest, 1):
        if not record.endswith("\n"):
            if number == len(rest):
                return
            raise NoTrace(f"record {number} does not end with a line feed")
        try:
            yield json.loads(record)
        except ValueError as error:
            raise NoTrace(f"record {number}: {error}") from None


class Event:
    """time: in s; data: with the fields that did not change since the event before."""

    def __init__(self, record, data):
        self.time, self.name = record["time"] / 1e3, record["name"]
        self.path, self.data, self.changed = record["path"], data, record["data"]


class Trace:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            head, *rest = list(records(file.read())) or [{}]
        if "trace" not in head:
            raise NoTrace("its first record is not the head of a qlog file")
        self.head, self.events, before = head, [], {}
        for record in rest:
            data = record["data"]
            if record["name"] in CHANGES_ONLY:
                key = record["path"], record["name"]
                data = before[key] = {**before.get(key, {}), **data}
            self.events.append(Event(record, data))

    def of(self, name, path=None):
        return [e for e in self.events if e.name == name and path in (None, e.path)]

    def paths(self):
        return sorted({e.path for e in self.of("arc:rate")})

    def end(self):
        return self.events[-1].time if self.events else 0


def spans(events, end, *fields):
    """[(from, to, values, events)]: runs of events of arc:rate in which the fields are the same."""
    runs = []
    for event in events:
        values = tuple(event.data.get(field) for field in fields)
        if not runs or runs[-1][0] != values:
            runs.append((values, []))
        runs[-1][1].append(event)
    starts = [run[0].time for _, run in runs] + [end]
    return [(starts[i], starts[i + 1], values, run) for i, (values, run) in enumerate(runs)]
