# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Rows of tables, and figures against their targets."""

from collections import namedtuple


class Check(namedtuple("Check", "target found good")):
    """A target, what was found, and whether it holds."""

    def verdict(self):
        return mark(self.good)

    def __str__(self):
        return f"Target: {self.target}. Found: {self.found}: {self.verdict()}.\n"


def mark(good):
    return "**pass**" if good else "**FAIL**"


def by(rows, **wanted):
    return [r for r in rows if all(r.get(k) == v for k, v in wanted.items())]


def distinct(rows, key):
    """Values in the order in which they were measured."""
    return list(dict.fromkeys(r[key] for r in rows))


def row(*cells):
    return "| " + " | ".join(str(c) for c in cells) + " |"


def head(*cells):
    return [row(*cells), "|" + "---|" * len(cells)]


def number(value, places, sign=""):
    text = f"{value:{sign}.{places}f}"
    return text if float(text) else f"{0:{sign}.{places}f}"


def mbit(rate):
    return f"{rate / 1e6:g}"
