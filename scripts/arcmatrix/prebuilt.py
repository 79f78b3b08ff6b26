#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Runs the tests of a build folder that another system made, and counts them as ./check does. meson
itself refuses the folder of another version of meson.

    prebuilt.py BUILD SUITE...
    prebuilt.py --emulator "qemu-aarch64 -L SYSROOT" BUILD SUITE...
                            only what is a program of this build, by the emulator: what a test
                            starts itself would need an entry in the kernel's binfmt_misc

A SUITE may also be the beginning of names, such as rc-."""

import argparse
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


def run(test, emulator=()):
    """As meson logs it."""
    limit_s = test["timeout"] * float(check.TIMEOUT_MULTIPLIER)
    try:
        done = subprocess.run([*emulator, *test["cmd"]], env=environment(test), check=False,
                              cwd=test["workdir"], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace", timeout=limit_s)
    except subprocess.TimeoutExpired as late:
        return {"name": test["name"], "result": "TIMEOUT", "stdout": str(late.stdout)}
    print(f"{test['name']}: {done.returncode}", flush=True)
    return {"name": test["name"], "result": RESULTS.get(done.returncode, "FAIL"),
            "stdout": done.stdout, "stderr": done.stderr}


def is_chosen(test, wanted):
    suites = {name.split(":")[-1] for name in test["suite"]}
    return any(word in suites or (word.endswith("-") and test["name"].startswith(word))
               for word in wanted)


def make_registries(tests, emulator):
    """Before many tests make the same one at once: a program of each, without any claim."""
    for test in {test["env"].get("GST_REGISTRY_1_0"): test for test in tests}.values():
        run({**test, "env": {**test["env"], "GST_CHECKS": "none"}}, emulator)


def run_all(build, suites, emulator):
    tests = json.loads((build / "meson-info/intro-tests.json").read_text(encoding="utf-8"))
    chosen = [test for test in tests if is_chosen(test, suites)]
    if emulator:
        chosen = [test for test in chosen if Path(test["cmd"][0]).is_relative_to(build)]
        make_registries(chosen, emulator)
    with ThreadPoolExecutor(check.TESTS_A_CPU * os.cpu_count()) as pool:
        results = list(pool.map(lambda test: run(test, emulator),
                                (test for test in chosen if test["is_parallel"])))
    results += [run(test, emulator) for test in chosen if not test["is_parallel"]]
    return again_alone(chosen, results, emulator) if emulator else results


def again_alone(tests, results, emulator):
    """Under an emulator most figures of the real clock depend on what runs beside."""
    final, by_name = [], {test["name"]: test for test in tests}
    for result in results:
        if result["result"] in ("FAIL", "TIMEOUT"):
            check.print_failure(result)
            result = run(by_name[result["name"]], emulator)
            if result["result"] in RESULTS.values():
                print(f"{result['name']}: passed at the second try", flush=True)
        final.append(result)
    return final


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emulator", type=str.split, default=[], metavar="COMMAND")
    parser.add_argument("build", type=Path, metavar="BUILD")
    parser.add_argument("suites", nargs="+", metavar="SUITE")
    args = parser.parse_args()
    total = Counter()
    for result in run_all(args.build.resolve(), args.suites, args.emulator):
        counts = check.count_cases(result)
        total += counts
        if counts["failed"]:
            check.print_failure(result)
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
