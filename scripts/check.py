#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Runs the tests and counts single cases: the last line is "N passed, N failed, N skipped"."""

import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SLOW_SUITE = "pipeline"
TAIL_LINES = 40
# Most tests that may run beside others wait for something; the processors are for those that
# compute.
TESTS_A_CPU = 2
# Those that measure in real time come last: others would disturb their delays. None of them uses
# more than a third of a CPU, so two fit on two CPUs; a figure that another test
# disturbs after all is measured again (tests/check/quiet).
TIMED_TESTS = min(2, os.cpu_count())
# Those that run in real time have another try when nothing else runs, and the second result counts.
# Who did so is printed.
REAL_TIME_SUITES = {"element", "pipeline"}
# The limits of meson and libcheck, which end a test that hangs, are for a machine that has nothing
# else to do. With sanitizers all takes longer.
TIMEOUT_MULTIPLIER = os.environ.get("GST_ARC_SLOWNESS", "3")

# What libcheck prints at the end of a test program; one program holds many cases.
CASES = re.compile(r"^\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)", re.MULTILINE)
# What tests/check/quiet and tests/quiet.py print of a figure that this machine was too busy to
# measure.
SKIPPED_FIGURE = re.compile(r"^skipped figure: .*", re.MULTILINE)


def parse_args():
    parser = argparse.ArgumentParser(prog="./check", description=__doc__)
    parser.add_argument("suites", nargs="*", help="unit, element, loop, fuzz, pipeline ...; default: all")
    parser.add_argument("--quick", action="store_true", help=f"without the slow suite '{SLOW_SUITE}'")
    parser.add_argument("--list", action="store_true", help="name the tests and end")
    return parser.parse_args()


def build_dir():
    return ROOT / os.environ.get("GST_ARC_BUILD_DIR", "build")


class Test(NamedTuple):
    name: str
    suites: set                 # without the project's name
    parallel: bool


def all_tests(build):
    """The tests as meson knows them."""
    tests = json.loads(subprocess.check_output(["meson", "introspect", str(build), "--tests"],
                                               text=True))
    return [Test(test["name"], {suite.split(":")[-1] for suite in test["suite"]},
                 test["is_parallel"]) for test in tests]


def run_tests(build, logbase, arguments):
    """One line a test while it runs; returns what meson logged about each."""
    log = build / "meson-logs" / f"{logbase}.json"
    log.unlink(missing_ok=True)
    command = ["meson", "test", "-C", str(build), "--no-rebuild", "--logbase", logbase, "--timeout-multiplier",
               TIMEOUT_MULTIPLIER, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                               text=True, env={**os.environ, "CK_TIMEOUT_MULTIPLIER": TIMEOUT_MULTIPLIER})
    output = []
    for line in process.stdout:
        output.append(line)
        if re.match(r"\s*\d+/\d+ ", line):
            print(line.rstrip(), flush=True)
    process.wait()
    if not log.exists():
        sys.exit("".join(output[-TAIL_LINES:]) + "check: meson test gave no log")
    return [json.loads(line) for line in log.read_text().splitlines() if line.strip()]


def skipped_figures(test):
    return SKIPPED_FIGURE.findall(test.get("stdout") or "")


def count_cases(test):
    """How many cases of one test program passed, failed and were skipped."""
    result = test["result"]
    if result == "SKIP":
        return Counter(skipped=1)
    good = result in ("OK", "EXPECTEDFAIL")
    summaries = CASES.findall(test.get("stdout") or "")
    cases = sum(int(s[0]) for s in summaries)
    failed = sum(int(s[1]) + int(s[2]) for s in summaries)
    if good:
        return Counter(passed=max(cases, 1), skipped=len(skipped_figures(test)))
    # A program that crashes outside of its cases has no failed case, and still is a failure.
    return Counter(passed=max(cases - failed, 0), failed=max(failed, 1))


def again_alone(build, chosen, results):
    """The results, with the second ones of tests in real time that failed beside others."""
    real_time = {test.name for test in chosen if test.suites & REAL_TIME_SUITES}
    final = []
    for first in results:
        name = first["name"].split(" / ")[-1]
        if not count_cases(first)["failed"] or name not in real_time:
            final.append(first)
            continue
        print_failure(first)
        print(f"{name}: failed beside other tests; once more alone", flush=True)
        final += run_tests(build, f"again-{name}", [name])
    return final


def print_failure(test):
    output = ((test.get("stdout") or "") + (test.get("stderr") or "")).splitlines()
    print(f"\n--- {test['name']}: {test['result']}")
    print("\n".join(output[-TAIL_LINES:]))


def main():
    args = parse_args()
    build = build_dir()
    known = all_tests(build)
    suites = set().union(*(test.suites for test in known)) if known else set()
    wanted = set(args.suites) or suites
    if unknown := wanted - suites:
        sys.exit(f"check: no such suite: {', '.join(sorted(unknown))}; there are: {', '.join(sorted(suites))}")
    if args.quick:
        wanted.discard(SLOW_SUITE)
    chosen = [test for test in known if test.suites & wanted]
    if args.list:
        print("\n".join(sorted(f"{'/'.join(sorted(test.suites))}: {test.name}" for test in chosen)))
        return 0

    results = []
    if beside := [test.name for test in chosen if test.parallel]:
        results += run_tests(build, "check",
                             ["--num-processes", str(TESTS_A_CPU * os.cpu_count()), *beside])
    with ThreadPoolExecutor(TIMED_TESTS) as pool:
        timed = [test.name for test in chosen if not test.parallel]
        for result in pool.map(lambda name: run_tests(build, f"check-{name}", [name]), timed):
            results += result

    results = again_alone(build, chosen, results)
    total = Counter()
    for test in results:
        counts = count_cases(test)
        total += counts
        if counts["failed"]:
            print_failure(test)
        for line in skipped_figures(test):
            print(f"{test['name']}: {line}")
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
