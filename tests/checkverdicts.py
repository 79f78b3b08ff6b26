#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What scripts/check.py makes of the results of tests: what it tries again, and its last line.

Usage: checkverdicts.py SOURCE"""

import contextlib
import io
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(sys.argv[1]) / "scripts"))
import check  # noqa: E402  pylint: disable=wrong-import-position

MOST = check.MOST_SKIPPED_FIGURES
FIGURE = "FAILED figure: claim: 480 ms\n"


def result(stdout, what="FAIL", returncode=1, stderr="", name="rate", suite="element"):
    return {"name": f"gst-arc:{suite} / {name}", "result": what, "returncode": returncode,
            "stdout": stdout, "stderr": stderr, "duration": 1.0}


def cases(checks, failures, errors):
    return f"{100 - failures - errors}%: Checks: {checks}, Failures: {failures}, Errors: {errors}\n"


AGAIN = {
    "a figure of libcheck": (result(FIGURE + cases(9, 1, 0)), True),
    "a figure of a test in Python": (result(FIGURE), True),
    "a claim without a figure": (result(cases(9, 1, 0)), False),
    "a figure beside a claim without one": (result(FIGURE + cases(9, 2, 0)), False),
    "a figure beside a crash of another case": (result(FIGURE + cases(9, 1, 1)), False),
    "a case that crashed or hung": (result(cases(9, 0, 1)), False),
    "a program that a signal ended": (result(FIGURE, returncode=-11), False),
    "a program at its time limit": (result(FIGURE, "TIMEOUT"), False),
    "another claim in Python": (result(FIGURE + "FAILED no pad\n"), False),
    "an exception in Python": (result(FIGURE, stderr="Traceback (most recent call\n"), False),
    "a status and no word": (result(""), False),
}


REAL_TIME = {
    "a browser that gave up": (result("Traceback", suite="pipeline"), True),
    "a claim of libcheck on processes": (result(cases(3, 1, 0), suite="pipeline"), True),
    "a crash in a test of processes": (result(cases(3, 0, 1), suite="pipeline"), False),
    "a test of processes that a signal ended": (
        result("", returncode=-11, suite="pipeline"), False),
    "a test of processes at its time limit": (result("", "TIMEOUT", suite="pipeline"), False),
    "the same claim on an element": (result(cases(3, 1, 0)), True),
    "a crash in a test of an element": (result(cases(3, 0, 1)), False),
    "the same claim in virtual time": (result(cases(3, 1, 0), suite="unit"), False),
}


def failed_after_many(tests):
    """How many of so many failed tests in real time stay failed if each second try passes."""
    check.run_tests = lambda _build, _log, names: [result("", "OK", 0, name=names[0])]
    with contextlib.redirect_stdout(io.StringIO()):
        final, _ = check.again_alone(None, [result("", suite="pipeline") for _ in range(tests)])
    return sum(test["result"] == "FAIL" for test in final)


def last_line(second, skipped=0, lacking=(), complete=False):
    """Of a run with one figure that failed, and what it did when it was alone; with the status."""
    check.run_tests = lambda *_arguments: [second]
    check.COMPLETE = complete
    skips = result("skipped figure: 1 ms; busy\n" * skipped + cases(3, 0, 0), "OK", 0, name="skips")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        again = check.again_alone(None, [result(FIGURE + cases(9, 1, 0)), skips])
        status = check.conclude(*again, lacking)
    return status, printed.getvalue().splitlines()[-1]


LAST = {
    "passed at the second try is said": (
        (result(cases(9, 0, 0), "OK", 0),),
        (0, "12 passed, 0 failed, 0 skipped; 1 passed at the second try")),
    "a crash at the second try fails": (
        (result(cases(9, 0, 1)),), (1, "11 passed, 1 failed, 0 skipped")),
    "some figures may be skipped": (
        (result(cases(9, 0, 0), "OK", 0), MOST),
        (0, f"12 passed, 0 failed, {MOST} skipped; 1 passed at the second try")),
    "too many skipped figures fail": (
        (result(cases(9, 0, 0), "OK", 0), MOST + 1),
        (1, f"12 passed, 0 failed, {MOST + 1} skipped; 1 passed at the second try")),
    "a test that was not built is counted": (
        (result(cases(9, 0, 0), "OK", 0), 0, ["browserc: a package"]),
        (0, "12 passed, 0 failed, 1 skipped; 1 passed at the second try")),
    "a test that was not built fails a build server": (
        (result(cases(9, 0, 0), "OK", 0), 0, ["browserc: a package"], True),
        (1, "12 passed, 0 failed, 1 skipped; 1 passed at the second try")),
}


# What a reader sees of a page before scrolling.
FIRST_SCREEN_LINES = 20


def documented(source):
    """Claims about README and the command of build servers, with whether they are true."""
    readme = (source / "README.md").read_text(encoding="utf-8").splitlines()
    server = (source / ".ci/run").read_text(encoding="utf-8")
    first = "\n".join(readme[:FIRST_SCREEN_LINES])
    for command in ("demo", "check"):
        yield f"README's first screen has ./{command} and its time", re.search(
            rf"^\| `\./{command}` \|.* \d+ (s|to \d+ minutes) ", first, re.MULTILINE)
    yield "README's first screen says what they need", re.search(r"root or sudo.*\bMB\b", first,
                                                                re.DOTALL)
    yield "build servers call README's ./check", re.search(r"^exec \./check ", server, re.MULTILINE)


def main():
    good = True
    for claim, ok in documented(Path(sys.argv[1])):
        print(f"{'ok' if ok else 'FAILED'}: {claim}")
        good &= bool(ok)
    for name, (failed, wanted) in AGAIN.items():
        ok = check.failed_in_time_only(failed) == wanted
        print(f"{'ok' if ok else 'FAILED'}: {name} is {'' if wanted else 'not '}tried again")
        good &= ok
    for name, (failed, wanted) in REAL_TIME.items():
        ok = check.of_real_time(failed) == wanted
        print(f"{'ok' if ok else 'FAILED'}: {name} is {'' if wanted else 'not '}tried again")
        good &= ok
    ok = failed_after_many(check.MOST_SECOND_TRIES) == 0 \
        and failed_after_many(check.MOST_SECOND_TRIES + 1) == 1
    print(f"{'ok' if ok else 'FAILED'}: {check.MOST_SECOND_TRIES} tests in real time may fail")
    good &= ok
    for name, (arguments, wanted) in LAST.items():
        found = last_line(*arguments)
        print(f"{'ok' if found == wanted else 'FAILED'}: {name}",
              "" if found == wanted else f"{found}, not {wanted}")
        good &= found == wanted
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
