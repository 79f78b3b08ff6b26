#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What gst-arc-monitor answers: /metrics by the strict parser of Prometheus' own client, the page's
guard, and the lines in a terminal.

Usage: metrics.py MONITOR. The distribution's Python runs it, because python3-gi belongs to it."""

import contextlib
import http.client
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import watched

try:
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
except ImportError as error:
    print(f"skipped: {error}: apt-get install python3-prometheus-client")
    sys.exit(watched.SKIPPED)

FIELD = re.compile(r"Field ([\w-]+) in stats of (\w+);")
DESCRIBED = re.compile(r"^ +([\w-]+) \([^,)]+(?:, )?([^)]*)\):", re.MULTILINE)
METRIC = re.compile(r"\bgst_arc_\w+")
WATCHED = ("gst_arc_rmcsink_", "gst_arc_arcsrc_", "gst_arc_monitor_")
OTHERS = re.compile(r"\bgst_arc_(rtparcbwe|rampscheduler|rcprelay)_(?!info)(\w+)")
UNIT = re.compile("_(total|seconds|bytes_per_second)$")
LISTED = re.compile(r"`([a-z][\w-]+)`")
ROOT = Path(__file__).resolve().parents[3]
UNITS = {"ns": "seconds", "bit/s": "bytes_per_second", "bytes": "bytes", "": ""}
LINES = (re.compile(r"other sender 127\.0\.0\.1:\d+  running  rate \d+\.\d\d  target "),
         re.compile(r"other receiver 127\.0\.0\.1:"),
         re.compile(r"other stage .*  viewers 0  aside 0"))
SERVER = (" audiotestsrc is-live=true ! mulawenc ! rtppcmupay"
          " ! arcserversink name=stage bind-address=127.0.0.1 port=0")
ENDED = (re.compile(r"other sender 127\.0\.0\.1:\d+  ended$"),
         re.compile(r"other receiver 127\.0\.0\.1:\d+  ended$"))
# Some names as they must stay, since alarms are made of them: (field of stats, unit of it).
NAMES = {
    "gst_arc_rmcsink_rate_bytes_per_second": ("rate", 1 / 8),
    "gst_arc_rmcsink_target_bitrate_bytes_per_second": ("target-bitrate", 1 / 8),
    "gst_arc_rmcsink_input_bitrate_bytes_per_second": ("input-bitrate", 1 / 8),
    "gst_arc_rmcsink_queueing_delay_seconds": ("queueing-delay", 1e-9),
    "gst_arc_rmcsink_rtt_seconds": ("rtt", 1e-9),
    "gst_arc_rmcsink_sent_bytes_total": ("bytes-sent", 1),
    "gst_arc_rmcsink_packets_sent_total": ("packets-sent", 1),
    "gst_arc_rmcsink_packets_lost_total": ("packets-lost", 1),
    "gst_arc_rmcsink_law_threshold_seconds": ("law-threshold", 1e-9),
}
SCALES = {"bytes_per_second": 1 / 8, "seconds": 1e-9}


def equal(one, other):
    return abs(one - other) <= 1e-9 * max(abs(one), abs(other))


def scale(family, field):
    """Of a field in the family's unit."""
    return SCALES.get(family.unit, 1)


def numbers(families, factory):
    """{field of stats: number in the unit of stats} of the element, by what HELP says."""
    found = {}
    for family in families:
        match = FIELD.match(family.documentation)
        if match and match[2] == factory:
            for sample in family.samples:
                if "ssrc" not in sample.labels and "source" not in sample.labels:
                    found[match[1]] = sample.value / scale(family, match[1])
    return found


def expected(element):
    return {field: held for field, held in watched.stats(element).items()
            if not isinstance(held, str)}


def differences(families, element, factory):
    told, held = numbers(families, factory), expected(element)
    return {field: (held.get(field), told.get(field)) for field in held.keys() | told.keys()
            if field not in held or field not in told or not equal(held[field], told[field])}


def parse(monitor):
    return list(text_string_to_metric_families(monitor.get("metrics")[1]))


def samples(families):
    return {sample.name: sample for family in families for sample in family.samples}


def check(claim, ok, more=""):
    print(f"{'ok' if ok else 'FAILED'}: {claim} {'' if ok else more}")
    return ok


def check_numbers(monitor, sender, receiver):
    elements = ((sender, "rmcsink"), (receiver, "arcsrc"))

    found = []

    def agree():
        families = parse(monitor)
        found[:] = [differences(families, *pair) for pair in elements]
        return not any(found)

    watched.wait_for(agree)
    for different, (element, factory) in zip(found, elements):
        yield check(f"{factory}: each of {len(expected(element))} numbers of stats is in /metrics",
                    not different, different)
    told, held = samples(parse(monitor)), watched.stats(sender)
    for name, (field, unit) in NAMES.items():
        yield check(f"{name} is {field}", name in told and equal(told[name].value,
                                                                held[field] * unit))
    yield check("texts are labels of an info",
                told["gst_arc_rmcsink_info"].labels["encoders"] == held["encoders"])
    causes = [sample for family in parse(monitor) for sample in family.samples
              if sample.name == "gst_arc_rmcsink_rate_cause"]
    yield check("of the causes of the rate one holds", len(causes) > 10
                and [sample.value for sample in causes].count(1) == 1, causes)
    yield check("a source of the receiver has its SSRC for a label",
                int(told["gst_arc_arcsrc_source_packets_received_total"].labels["source"]) > 0)
    yield check("the type is that of OpenMetrics",
                monitor.get("metrics")[2].startswith("application/openmetrics-text; version=1.0.0"))


def check_units(families):
    """Against the lists of fields that gst-inspect-1.0 prints."""
    for factory in ("rmcsink", "arcsrc"):
        described = dict(DESCRIBED.findall(
            watched.Gst.ElementFactory.find(factory).get_metadata("Statistics")))
        wrong, n = {}, 0
        for family in families:
            match = FIELD.match(family.documentation)
            if match and match[2] == factory and match[1] in described:
                n += 1
                if family.unit != UNITS.get(described[match[1]], family.unit):
                    wrong[match[1]] = (described[match[1]], family.unit)
        yield check(f"{factory}: the units of {n} fields are those of the description",
                    n > 20 and not wrong, wrong)
    wrong = [family.name for family in families
             if ("times 8" in family.documentation) != (family.unit == "bytes_per_second")]
    yield check("HELP of each rate, and of nothing else, tells how bytes become bits",
                not wrong, wrong)


def check_named(monitor, where, text):
    """Metrics of the elements that play here."""
    told = set(samples(parse(monitor)))
    named = {name for name in METRIC.findall(text) if name.startswith(WATCHED)}
    return check(f"{where}: each of {len(named)} metrics is there", named and named <= told,
                 named - told)


def check_documents(monitor):
    for page in ("docs/guide/monitor.md", "docs/guide/operating.md"):
        yield check_named(monitor, page, (ROOT / page).read_text(encoding="utf-8"))


def check_rules(program, monitor, folder):
    """The alarms for Prometheus, which the guide explains; by Prometheus' own tool where it is."""
    rules = subprocess.run([program, "--rules"], check=True, capture_output=True, text=True).stdout
    yield check_named(monitor, "--rules", rules)
    guide = (ROOT / "docs/guide/operating.md").read_text(encoding="utf-8")
    unknown = [f"{factory}_{rest}" for factory, rest in OTHERS.findall(rules)
               if UNIT.sub("", rest).replace("_", "-") not in LISTED.findall(
                   (ROOT / f"docs/reference/{factory}.md").read_text(encoding="utf-8"))]
    yield check("fields of elements that do not play here are in the reference", not unknown,
                unknown)
    names = re.findall(r"- alert: (\w+)", rules)
    unknown = [name for name in names if f"`{name}`" not in guide]
    yield check(f"each of {len(names)} alarms is in the guide", len(names) > 10 and not unknown,
                unknown)
    excerpt = re.search(r"```\n(  - alert: .*?)```", guide, re.DOTALL)[1]
    yield check("the one that the guide shows is as it is written", excerpt in rules, excerpt)
    if shutil.which("promtool"):
        file = Path(folder) / "rules.yml"
        file.write_text(rules, encoding="utf-8")
        tool = subprocess.run(["promtool", "check", "rules", file], check=False,
                              capture_output=True, text=True)
        yield check("promtool takes them", tool.returncode == 0, tool.stdout + tool.stderr)


def request_as(monitor, host):
    connection = http.client.HTTPConnection(*monitor.page.split("/")[2].split(":"))
    connection.putrequest("GET", "/metrics", skip_host=True)
    if host is not None:
        connection.putheader("Host", host)
    connection.endheaders()
    return connection.getresponse().status


def check_guard(monitor):
    for host in ("localhost:80", "LOCALHOST", "127.0.0.1", "[::1]:8480", "192.0.2.7", "watch.me"):
        yield check(f"asked as {host} it answers", request_as(monitor, host) == 200)
    for host in ("evil.example", "evil.example:8480", "localhost.evil.example", "127.0.0.1.nip.io",
                 "localhost@evil.example", ""):
        status = request_as(monitor, host)
        yield check(f"asked as {host!r} it refuses", status in (400, 403), status)
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        yield check(f"{method} is refused", monitor.get("metrics", method)[0] == 405)
    yield check("there is nothing else", monitor.get("../etc/passwd")[0] == 404)


def read_until(job, starts):
    """Its lines, until there is one for each of the patterns; it ends after WAIT_S."""
    alarm = threading.Timer(watched.WAIT_S, job.terminate)
    alarm.start()
    lines = []
    for line in job.stdout:     # ends with the job
        lines.append(line)
        if all(any(start.match(line) for line in lines) for start in starts):
            break
    alarm.cancel()
    return lines


def check_processes(program, monitor):
    """Of another process: it comes, a terminal shows it beside the page, and it goes."""
    job = watched.launch(monitor.path, watched.loopback_line(-1) + SERVER, "other")
    came = watched.wait_for(lambda: 'process="other"' in monitor.get("metrics")[1])
    yield check("another process is watched, too", came)
    terminal = subprocess.Popen([program, "--terminal", "--socket", monitor.path],
                                stdout=subprocess.PIPE, text=True)
    lines = read_until(terminal, LINES)
    yield check("a terminal beside the page has a line for each stream",
                all(any(start.match(line) for line in lines) for start in LINES), lines)
    job.kill()
    job.wait()
    gone = watched.wait_for(lambda: 'process="other"' not in monitor.get("metrics")[1])
    yield check("a process that was killed is not there any more", gone)
    lines = read_until(terminal, ENDED)
    yield check("and the terminal says that its streams have ended",
                all(any(end.match(line) for line in lines) for end in ENDED), lines)
    terminal.terminate()
    terminal.communicate()


def check_successor(program, folder):
    """Of two monitors the second hears by the first, and by itself when that one has ended."""
    def hears(monitor, what):
        return watched.wait_for(lambda: what in monitor.get("metrics")[1])

    with contextlib.ExitStack() as stack:
        with watched.Monitor(program, folder) as first:
            yield check("a monitor that was started again hears of all streams",
                        hears(first, 'element="sender"'))
            second = stack.enter_context(watched.Monitor(program, folder))
            yield check("and so does a second one beside it", hears(second, 'element="sender"'))
        job = watched.launch(second.path, watched.loopback_line(-1), "late")
        yield check("the second one goes on when the first has ended",
                    hears(second, 'process="late"'))
        job.kill()
        job.wait()


def main():
    program, results = sys.argv[1], []
    with tempfile.TemporaryDirectory() as folder:
        with watched.Monitor(program, folder, "--host", "watch.me") as monitor:
            watched.start_gstreamer(monitor.path)
            pipeline, sender, receiver = watched.play_for_a_moment()
            results += check_numbers(monitor, sender, receiver)
            results += check_units(parse(monitor))
            results += check_documents(monitor)
            results += check_rules(program, monitor, folder)
            results += check_guard(monitor)
            results += check_processes(program, monitor)
        results += check_successor(program, folder)
        pipeline.set_state(watched.Gst.State.NULL)
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
