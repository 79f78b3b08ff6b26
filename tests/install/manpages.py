#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Each installed program has a manual page, which names exactly the long options that its --help
names.

Usage: manpages.py BUILD
"""

import json
import re
import subprocess
import sys
from pathlib import Path

LONG_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*)")


def installed(build):
    """(where it is now, where it will be) of everything that meson installs."""
    text = subprocess.run(["meson", "introspect", "--installed", build], check=True,
                          capture_output=True, text=True).stdout
    return [(Path(now), Path(then)) for now, then in json.loads(text).items()]


def options_of_help(program):
    text = subprocess.run([program, "--help"], check=True, capture_output=True, text=True).stdout
    return set(LONG_OPTION.findall(text))


def options_of_page(page):
    """Those in bold: the examples have options of other programs too."""
    text = page.read_text(encoding="utf-8").replace("\\-", "-")
    described = "\n".join(line for line in text.split("\n")
                          if line.startswith((".B --", ".BR --", ".BR -h")))
    return set(LONG_OPTION.findall(described))


def faults(files):
    pages = {then.name: now for now, then in files if then.parent.name == "man1"}
    programs = [(now, then.name) for now, then in files if then.parent.name == "bin"]
    if not programs:
        yield "no program is installed"
    for program, name in programs:
        if f"{name}.1" not in pages:
            yield f"{name} has no manual page"
            continue
        told, described = options_of_help(program), options_of_page(pages[f"{name}.1"])
        yield from (f"{name}.1 does not describe --{option}" for option in sorted(told - described))
        yield from (f"{name} --help has no --{option}" for option in sorted(described - told))


def main(build):
    found = list(faults(installed(build)))
    print("\n".join(found) or "every program has its page")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
