# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Reads table.ini: rows, columns, and a verdict for each cell. No cell may be silent."""

import configparser
from pathlib import Path

FILE = Path(__file__).resolve().parent / "table.ini"
VERDICTS = ("works", "refused", "none", "fails")


class TableError(Exception):
    pass


class Table:
    def __init__(self, file=FILE):
        self.ini = configparser.ConfigParser(interpolation=None)
        self.ini.optionxform = str
        self.ini.read(file, encoding="utf-8")
        self.rows = self.named("row")
        self.columns = self.named("column")
        for column, section in self.columns.items():
            if missing := [row for row in self.rows if row not in section]:
                raise TableError(f"column {column} says nothing of {', '.join(missing)}")
            for row in self.rows:
                verdict, why = self.cell(row, column)
                if verdict not in VERDICTS or (verdict == "works") == bool(why):
                    raise TableError(f"{row} x {column}: \"{section[row]}\" is not \"works\" nor "
                                     f"one of {', '.join(VERDICTS[1:])} with a colon and why")

    def named(self, kind):
        return {name.split(" ", 1)[1]: section for name, section in self.ini.items()
                if name.startswith(kind + " ")}

    def cell(self, row, column):
        """(verdict, why)"""
        verdict, _, why = " ".join(self.columns[column][row].split()).partition(": ")
        return verdict, why

    def cells(self):
        return [(row, column) for column in self.columns for row in self.rows]

    def parts(self, row, column):
        """What the launch lines of the cell are made of: common ones, the row's, the column's, and
        the row's own for that column."""
        parts = {name: text for section in ("common", f"row {row}", f"column {column}",
                                            f"{row} {column}") if section in self.ini
                 for name, text in self.ini[section].items()}
        return {name: " ".join(text.split()) for name, text in parts.items()
                if name not in self.rows}

    def count(self):
        verdicts = [self.cell(*cell)[0] for cell in self.cells()]
        return {verdict: verdicts.count(verdict) for verdict in VERDICTS}
