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
# Tests of these suites mostly wait for something: 123 of `element` take 565 s, of which 63 on a CPU.
# Those of the others compute, in virtual time: one a processor, all the while, and only with what
# the former leave. The kernel's class SCHED_IDLE gives way at once, so that they delay none; by
# their nice value tests/check/quiet knows them.
REAL_TIME_SUITES = {"element", "pipeline"}
TESTS_A_CPU = 5
COMPUTING_NICE = 10
# Those that measure in real time come when the others have waited: these would disturb their
# delays. None of them uses more than a third of a CPU, so three fit on two CPUs; a figure that
# another test disturbs after all is measured again (tests/check/quiet).
TIMED_TESTS = min(3, os.cpu_count() + 1)
# More figures that this machine was too busy to measure than this, and too little was judged: the
# run failed. A run of all tests on two CPUs beside a compiler skips some five.
MOST_SKIPPED_FIGURES = 15
# 1: a test that was not built fails the run (.ci/run).
COMPLETE = os.environ.get("GST_ARC_COMPLETE") == "1"
SLOWEST_TESTS = 10
# So many tests of real threads, sockets or whole processes (ffmpeg, VLC, browsers, cameras) may
# need a second try, alone, for what is no figure: what a busy machine does to one of their claims
# failed one run in three, a different one each time; many in one run are not chance. The last line
# counts them.
MOST_SECOND_TRIES = 2
# The limits of meson and libcheck, which end a test that hangs, are for a machine that has nothing
# else to do. With sanitizers all takes longer.
TIMEOUT_MULTIPLIER = os.environ.get("GST_ARC_SLOWNESS", "3")
IDLE_MULTIPLIER = str(4 * float(TIMEOUT_MULTIPLIER))    # of what gets what others leave

# What libcheck prints at the end of a test program; one program holds many cases.
CASES = re.compile(r"^\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)", re.MULTILINE)
# What tests/check/quiet and tests/quiet.py print of a figure that this machine was too busy to
# measure.
SKIPPED_FIGURE = re.compile(r"^skipped figure: .*", re.MULTILINE)
# What tests print that leave something out.
SKIPPED = re.compile(r"^skipped: .*", re.MULTILINE)
# What they print of a figure that failed although the machine was quiet enough, and what tests in
# Python print of anything else that failed.
FAILED_FIGURE = re.compile(r"^FAILED figure: .*", re.MULTILINE)
FAILED_OTHERWISE = re.compile(r"^(FAILED(?! figure: )|Traceback)", re.MULTILINE)


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
    priority: int


def all_tests(build):
    """The tests as meson knows them."""
    tests = json.loads(subprocess.check_output(["meson", "introspect", str(build), "--tests"],
                                               text=True))
    return [Test(test["name"], {suite.split(":")[-1] for suite in test["suite"]},
                 test["is_parallel"], test["priority"]) for test in tests]


def run_tests(build, logbase, arguments, nice=0):
    """One line a test while it runs; returns what meson logged about each."""
    log = build / "meson-logs" / f"{logbase}.json"
    log.unlink(missing_ok=True)
    multiplier = IDLE_MULTIPLIER if nice else TIMEOUT_MULTIPLIER
    command = ["nice", "-n", str(nice), "meson", "test", "-C", str(build), "--no-rebuild",
               "--logbase", logbase, "--timeout-multiplier", multiplier, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                               text=True, env={**os.environ, "CK_TIMEOUT_MULTIPLIER": multiplier})
    if nice:
        os.sched_setscheduler(process.pid, os.SCHED_IDLE, os.sched_param(0))
    output = []
    for line in process.stdout:
        output.append(line)
        if re.match(r"\s*\d+/\d+ ", line):
            print(line.rstrip(), flush=True)
    process.wait()
    if not log.exists():
        sys.exit("".join(output[-TAIL_LINES:]) + "check: meson test gave no log")
    return [json.loads(line) for line in log.read_text().splitlines() if line.strip()]


def run_beside(build, logbase, tests, a_cpu, nice=0):
    """Those that may run beside others, so many a CPU."""
    names = [test.name for test in tests]
    return run_tests(build, logbase, ["--num-processes", str(a_cpu * os.cpu_count()), *names],
                     nice) if names else []


def run_timed(build, tests):
    """The longest come first (`priority` of meson), so that none is left at the end."""
    names = [test.name for test in sorted(tests, key=lambda test: -test.priority)]
    with ThreadPoolExecutor(TIMED_TESTS) as pool:
        return [result for results in pool.map(
            lambda name: run_tests(build, f"check-{name}", [name]), names) for result in results]


def run_all(build, tests):
    computing = [test for test in tests if not test.suites & REAL_TIME_SUITES]
    others = [test for test in tests if test.suites & REAL_TIME_SUITES]
    with ThreadPoolExecutor(1) as pool:
        computed = pool.submit(run_beside, build, "check-computing", computing, 1, COMPUTING_NICE)
        results = run_beside(build, "check", [test for test in others if test.parallel],
                             TESTS_A_CPU)
        results += run_timed(build, [test for test in others if not test.parallel])
        return results + computed.result()


def short_name(test):
    return test["name"].split(" / ")[-1]


def skipped_figures(test):
    return SKIPPED_FIGURE.findall(test.get("stdout") or "")


def skipped_reasons(test):
    """Why a program did not run, or left cases out: no network namespace, no Chromium."""
    return sorted(set(SKIPPED.findall((test.get("stdout") or "") + (test.get("stderr") or ""))))


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


def failed_in_time_only(test):
    """Whether all that failed are figures of the real clock. A crash, an abort, a time limit and a
    claim that time cannot make false are failures however rare they are."""
    if test["result"] != "FAIL" or test.get("returncode", 1) < 0:
        return False
    output = (test.get("stdout") or "") + (test.get("stderr") or "")
    figures = len(FAILED_FIGURE.findall(output))
    if summaries := CASES.findall(output):
        return figures == sum(int(failures) for _, failures, _ in summaries) > 0 \
            and not any(int(errors) for _, _, errors in summaries)
    return figures > 0 and not FAILED_OTHERWISE.search(output)


def of_real_time(test):
    """Whether claims on what runs in real time failed: no crash of the test, nor its time limit."""
    return (test["name"].split(" / ")[0].rpartition(":")[2] in REAL_TIME_SUITES
            and test["result"] == "FAIL" and test.get("returncode", 1) > 0 and not any(
                int(errors) for _, _, errors in CASES.findall(test.get("stdout") or "")))


def again_alone(build, results):
    """The results, with the second ones of tests that failed beside others in figures, or some in
    other claims, and how many cases passed at the second try only."""
    final, at_second_try, tries = [], 0, 0
    for first in results:
        in_time = failed_in_time_only(first)
        tries += not in_time and of_real_time(first)
        if not (in_time or of_real_time(first) and tries <= MOST_SECOND_TRIES):
            final.append(first)
            continue
        name = short_name(first)
        print_failure(first)
        print(f"{name}: failed beside other tests; once more alone", flush=True)
        second = run_tests(build, f"again-{name}", [name])
        still = sum(count_cases(test)["failed"] for test in second)
        at_second_try += max(count_cases(first)["failed"] - still, 0)
        final += second
        if not still:
            print(f"{name}: passed at the second try", flush=True)
    return final, at_second_try


def print_failure(test):
    output = ((test.get("stdout") or "") + (test.get("stderr") or "")).splitlines()
    print(f"\n--- {test['name']}: {test['result']}")
    print("\n".join(output[-TAIL_LINES:]))


def not_built(build):
    """Tests that this configuration lacks, with reasons; each meson.build enters its own."""
    text = (build / "tests/not-built.txt").read_text(encoding="utf-8")
    return text.strip().splitlines()


def print_slowest(results):
    slowest = sorted(results, key=lambda test: test.get("duration", 0), reverse=True)
    print("\nslowest:", ", ".join(f"{short_name(test)} {test.get('duration', 0):.0f} s"
                                  for test in slowest[:SLOWEST_TESTS]))


def conclude(results, at_second_try, lacking=()):
    """Prints what failed, was skipped or was not built, and the last line. The status."""
    total, figures = Counter(), 0
    for test in results:
        counts = count_cases(test)
        total += counts
        if counts["failed"]:
            print_failure(test)
        for line in skipped_figures(test) + skipped_reasons(test):
            print(f"{test['name']}: {line}")
        figures += len(skipped_figures(test))
    for line in lacking:
        print(f"not built: {line}")
    total["skipped"] += len(lacking)
    if figures > MOST_SKIPPED_FIGURES:
        print(f"check: {figures} figures were skipped, {MOST_SKIPPED_FIGURES} may be: this machine "
              "is too busy to judge; run ./check again when it has less to do")
    second = f"; {at_second_try} passed at the second try" if at_second_try else ""
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped{second}")
    good = total["passed"] and not total["failed"] and figures <= MOST_SKIPPED_FIGURES
    return 0 if good and not (COMPLETE and lacking) else 1


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

    results, at_second_try = again_alone(build, run_all(build, chosen))
    print_slowest(results)
    return conclude(results, at_second_try, not_built(build))


if __name__ == "__main__":
    sys.exit(main())
