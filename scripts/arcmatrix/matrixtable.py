# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The results of scripts/matrix as tables, between two marks of a page."""

import re

BEGIN, END = "<!-- begin: scripts/matrix --write -->", "<!-- end -->"


def lines(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head),
            *("| " + " | ".join(map(str, row)) + " |" for row in rows)]


def compiler(result):
    """`gcc 12.2.0` of "gcc (Debian 12.2.0-14) 12.2.0", `clang 14.0.6` of "Debian clang ..."."""
    text = result.get("compiler", result["versions"]["compiler"])
    name = "clang" if "clang" in text else "gcc"
    return f"{name} {re.findall(r'[0-9]+[.][0-9]+[.][0-9]+', text)[-1]}"


def test_row(result):
    versions = result["versions"]
    failures, alone = (", ".join(f"`{name}`" for name in result.get(key, ()))
                       for key in ("failures", "alone"))
    return (result["row"], versions["debian"].removeprefix("Debian GNU/Linux "), result["arch"],
            versions["gstreamer"], compiler(result), result["sanitizers"] or "–",
            " ".join(result["suites"]), result["passed"],
            f"{result['failed']} ({failures})" if failures else result["failed"],
            alone or "–", result["skipped"], result["warnings"], result["commit"])


def package_row(result):
    lintian = result.get("lintian", {})
    tests = result.get("autopkgtest", {})
    return (result["row"], result["versions"]["debian"].removeprefix("Debian GNU/Linux "),
            "yes" if result["built"] else "no",
            *(lintian.get(kind, "–") for kind in "EWIPO"),
            ", ".join(f"{name} {how}" for name, how in tests.items()) or "–",
            result.get("frames", 0), result["commit"])


def write(page, results):
    tests = lines(("row", "Debian", "arch", "GStreamer", "compiler", "sanitizers", "suites",
                   "passed", "failed", "passed alone", "skipped", "warnings", "commit"),
                  [test_row(result) for result in results if result["suites"]])
    made = lines(("row", "Debian", "built", "lintian: errors", "warnings", "info", "pedantic",
                  "overridden", "autopkgtest", "frames of README's lines", "commit"),
                 [package_row(result) for result in results if not result["suites"]])
    text = page.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    page.write_text("\n".join([head + BEGIN, *tests, "", *made, END + tail]), encoding="utf-8")
