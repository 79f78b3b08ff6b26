#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Runs the tests of a build folder that another system made, and counts them as ./check does. meson
itself refuses the folder of another version of meson.

Usage: prebuilt.py BUILD SUITE..."""

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import check  # noqa: E402  (scripts/check.py, which is no module of a package)

RESULTS = {0: "OK", 77: "SKIP"}


def environment(test):
    """The registry of GStreamer belongs to the system that runs."""
    found = {**os.environ, **test["env"], "CK_TIMEOUT_MULTIPLIER": check.TIMEOUT_MULTIPLIER}
    if "GST_REGISTRY_1_0" in found:
        found["GST_REGISTRY_1_0"] = "/tmp/" + Path(found["GST_REGISTRY_1_0"]).name
    return found


def run(test):
    """As meson logs it."""
    limit_s = test["timeout"] * float(check.TIMEOUT_MULTIPLIER)
    try:
        done = subprocess.run(test["cmd"], env=environment(test), cwd=test["workdir"], check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=limit_s)
    except subprocess.TimeoutExpired as late:
        return {"name": test["name"], "result": "TIMEOUT", "stdout": str(late.stdout)}
    print(f"{test['name']}: {done.returncode}", flush=True)
    return {"name": test["name"], "result": RESULTS.get(done.returncode, "FAIL"),
            "stdout": done.stdout, "stderr": done.stderr}


def main(build, *suites):
    tests = json.loads((Path(build) / "meson-info/intro-tests.json").read_text(encoding="utf-8"))
    chosen = [test for test in tests
              if {name.split(":")[-1] for name in test["suite"]} & set(suites)]
    with ThreadPoolExecutor(check.TESTS_A_CPU * os.cpu_count()) as pool:
        results = list(pool.map(run, (test for test in chosen if test["is_parallel"])))
    results += [run(test) for test in chosen if not test["is_parallel"]]
    total = Counter()
    for result in results:
        counts = check.count_cases(result)
        total += counts
        if counts["failed"]:
            check.print_failure(result)
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
