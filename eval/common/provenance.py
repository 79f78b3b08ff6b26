# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Which commit figures are of: what every page of figures says, and what tests/docs/commits.py
holds the pages to."""

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What a maker may have written a moment ago, and what no figure is made of.
NOT_MEASURED = (":!docs", ":!papers/verdicts", ":!*.md", ":!NEWS")


def git(root, *arguments):
    return subprocess.run(["git", "-C", root, *arguments], check=True, capture_output=True,
                          text=True).stdout.strip()


def commit(root=ROOT):
    """The commit that is checked out; with + if what it builds and runs has changed since, so that
    `refuse` knows it. Of a release without history "unknown"."""
    try:
        changed = git(root, "status", "--porcelain", "--untracked-files=no", "--", ".",
                      *NOT_MEASURED)
        return git(root, "rev-parse", "--short=8", "HEAD") + "+" * bool(changed)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def refuse(commits):
    """Nobody can repeat figures of a tree that is in no history."""
    if wrong := [name for name in commits if name.endswith("+") or name == "unknown"]:
        sys.exit(f"not recorded: the figures are of {', '.join(wrong)}, a tree with changes that "
                 "are not committed. Commit, build and measure again")


def recorded_commit(root=ROOT):
    """The commit, for a page."""
    name = commit(root)
    refuse([name])
    return name


def stamp(commits=()):
    """`date, commit` for a page: of this tree, or of the runs whose commits these are."""
    names = sorted(set(commits)) or [commit()]
    refuse(names)
    return (f"{time.strftime('%Y-%m-%d')}, commit{'s' * (len(names) > 1)} "
            + " and ".join(f"`{name}`" for name in names))
