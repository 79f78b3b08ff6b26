# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Reads the tables of loop-sets."""

import subprocess


def measure(program, *args):
    """{set: (what, columns, [(case, values)])}"""
    text = subprocess.run([program, *args], capture_output=True, text=True, check=True).stdout
    found, lines = {}, iter(text.splitlines())
    for line in lines:
        name, what = line.split(": ", 1)
        columns = next(lines).split()
        rows = []
        for row in lines:
            if row.startswith(f"{name}:"):
                break
            words = row.rsplit(maxsplit=len(columns))
            rows.append((words[0].strip(), words[1:]))
        found[name] = (what, columns, rows)
    return found


def mean(rows, k):
    values = [float(values[k]) for _, values in rows if values[k] != "-"]
    return sum(values) / len(values)
