# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The sets in which the live law was weak, as eval/loop/law shows them, and what it aims at in each
case. A new set needs a row here."""

import re
from dataclasses import dataclass


# Columns of which more is better.
SHARES = ("use", "use_min", "fall_use", "left", "ours", "ours_10s", "tcp", "tcp_10s", "jain",
          "least", "least_10s", "whole")


@dataclass(frozen=True)
class Aim:
    """Of the worst seed of each case whose name `cases` finds; of `mean`, of the mean."""
    column: str
    bound: float
    cases: str = ""
    mean: bool = False

    def holds_for(self, column, case):
        return column == self.column and re.search(self.cases, case) is not None

    @property
    def is_share(self):
        return self.column in SHARES

    def is_met(self, value):
        return float(value) >= self.bound if self.is_share else float(value) <= self.bound

    def __str__(self):
        return f"{'mean ' * self.mean}{self.column} {'≥' if self.is_share else '≤'} {self.bound:g}"


@dataclass(frozen=True)
class Table:
    set: str
    columns: tuple              # that the page has, of the set's
    aims: tuple = ()
    drawn: tuple = ()           # of the columns
    seeds: int = 20
    check: int = 1              # each so manieth case is made again by --check; 0: none
    pooled: str = ""            # left out of the names: cases that are then alike are one row
    loud: tuple = ()            # of what is drawn, on a logarithmic axis

    def row_of(self, case):
        return re.sub(self.pooled, "", case) if self.pooled else case

    @property
    def has_mean(self):
        return any(aim.mean for aim in self.aims)

    def aim(self, column, case):
        return next((aim for aim in self.aims if aim.holds_for(column, case)), None)


TABLES = (
    Table("queues", ("ours", "ours_10s", "tcp", "tcp_10s", "p95_ms"),
          (Aim("ours", .25, "BBRv1, queue (0.5|1) BDP"), Aim("ours", .4, "queue (0.5|1) BDP"),
           Aim("tcp", .5)),
          ("ours",), check=4),
    Table("aqm", ("ours", "ours_10s", "tcp", "tcp_10s", "p95_ms"),
          (Aim("ours", .9, "^alone"), Aim("ours", .5, "PIE"), Aim("tcp", .5, "^beside")),
          ("ours",), check=3),
    Table("own", ("jain", "least", "least_10s", "most", "p95_ms", "t80_s"),
          (Aim("jain", .95, "^(?!RTT)"), Aim("least", .7, "^RTT"), Aim("least_10s", .6, "^(?!RTT)"),
           Aim("p95_ms", 60), Aim("t80_s", 8)),
          ("least_10s", "t80_s"), check=15),
    Table("own-falls", ("use", "p95_ms", "worst_ms", "above_s", "longest_s"),
          (Aim("worst_ms", 1000), Aim("above_s", 3)), ("worst_ms",), check=0,
          pooled=", queue .*", loud=("worst_ms",)),
    Table("routes", ("use", "least", "low_s", "p95_ms", "worst_ms"),
          (Aim("low_s", 1, "each 20 s"), Aim("p95_ms", 100)), ("p95_ms",)),
    Table("scans", ("use", "low_s", "p95_ms", "lost_percent"), (Aim("use", .85),), ("use",)),
    Table("wayback", ("use", "low_s", "p95_ms", "lost_percent"),
          (Aim("use", .92, "held"), Aim("use", .9), Aim("p95_ms", 100)), ("use",)),
    Table("squares", ("use", "p95_ms", "worst_ms", "lost_percent"),
          (Aim("use", .55, "each 1 s"), Aim("use", .8, "each 3 s")), ("use",)),
    Table("wifi", ("use", "p50_ms", "p95_ms"), (Aim("use", .7), Aim("p95_ms", 150)),
          ("use", "p95_ms"), check=2),
    Table("slow", ("use", "low_s", "p95_ms", "worst_ms", "above_s"), (), ("p95_ms",)),
    Table("steep", ("use", "low_s", "p95_ms", "worst_ms", "lost_percent"),
          (Aim("use", .9, "lost"), Aim("worst_ms", 500, "10 to 1"))),
    Table("policers", ("ours", "drops_percent", "drops_10s", "p95_ms"),
          (Aim("drops_percent", 5),), ("drops_percent",), check=2),
    Table("drives", ("use", "p50_ms", "p95_ms", "longest_s"),
          (Aim("use", .86, "RTT 50", True), Aim("use", .85, "RTT 100", True),
           Aim("p95_ms", 400)),
          seeds=1, check=0, pooled="^.*(?=RTT)|(?<=RTT 50).*|(?<=RTT 100).*"),
)
OTHERS = dict.fromkeys((        # {set: seeds}
    "noise", "reorder", "stalls", "pauses", "cellular", "clean", "steps", "frames", "high",
    "startup", "tcp", "floor", "short", "l4s", "guards", "loss", "falls", "drives-quick", "lanes"),
    24)
OTHERS |= dict.fromkeys(("l4s", "guards", "falls", "drives-quick"), 8)     # many cases, high rates
