# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Runs of arc-sim: in parallel, kept in the build folder, read back as traces."""

import csv
import hashlib
import shutil
import sys
import threading
from array import array
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import simworker
from simworker import SimulationError  # noqa: F401

PAYLOAD_RATIO = 1460 / 1500     # of rate-based flows, whose rows count IP; those of TCP count payload


@dataclass(frozen=True)
class Run:
    """One command of arc-sim; equal runs are simulated once."""
    scenario: str
    options: tuple

    def arguments(self):
        words = [self.scenario]
        for name, value in self.options:
            words += [f"--{name}", str(value)]
        return words


@dataclass
class Flow:
    kind: str
    sent_bps: array = field(default_factory=lambda: array("d"))
    received_bps: array = field(default_factory=lambda: array("d"))


@dataclass
class Trace:
    """Row i of a flow is of the second that ends at i + 1."""
    head: dict
    flows: dict

    def ids(self, prefix):
        return [name for name in self.flows if name.startswith(prefix)]

    def goodput_bps(self, name, begin, end):
        flow = self.flows[name]
        rows = flow.received_bps[begin:end]
        return sum(rows) / len(rows) * (PAYLOAD_RATIO if flow.kind == "rate" else 1)


def read_trace(path):
    head, flows = {}, {}
    with open(path, newline="") as lines:
        for row in csv.reader(lines):
            if row[0].startswith("#"):
                name, _, value = ",".join(row)[1:].strip().partition("=")
                head[name] = value
            elif row[0] != "time_s":
                flow = flows.setdefault(row[1], Flow(row[2]))
                flow.sent_bps.append(float(row[3]))
                flow.received_bps.append(float(row[4]))
    return Trace(head, flows)


def read_rows(path):
    """Facts and rows, by the names of the columns."""
    lines = path.read_text(encoding="ascii").splitlines()
    facts = dict(line[2:].split("=", 1) for line in lines if line.startswith("#"))
    return facts, list(csv.DictReader(line for line in lines if not line.startswith("#")))


class Laboratory:
    """Simulates what is asked for and remembers it, by command, for as long as arc-sim stays the
    same. pool() makes what simulates: a concurrent.futures.Executor, here or on other machines."""

    def __init__(self, arc_sim, cache, jobs, pool=None):
        self.arc_sim = Path(arc_sim)
        self.pool = pool or (lambda: ThreadPoolExecutor(jobs))
        self.digest = simworker.digest(arc_sim)
        self.cache = Path(cache) / self.digest[:24]
        self.cache.mkdir(parents=True, exist_ok=True)
        for outdated in set(self.cache.parent.iterdir()) - {self.cache}:
            shutil.rmtree(outdated)
        self.trace = lru_cache(maxsize=1024)(self._trace)

    def path(self, run):
        key = hashlib.sha256("\0".join(run.arguments()).encode()).hexdigest()
        return self.cache / f"{key[:24]}.csv"

    def _trace(self, run):
        path = self.path(run)
        if not path.exists():
            self.keep(run, simworker.simulate(*self.order(run)))
        return read_trace(path)

    def order(self, run):
        return str(self.arc_sim.resolve()), self.digest, run.arguments()

    def keep(self, run, text):
        part = self.path(run).with_suffix(f".{threading.get_ident()}.part")
        part.write_text(text, encoding="ascii")
        part.rename(self.path(run))

    def simulate(self, runs):
        """The longest come first, so that no processor waits for the last one."""
        missing = [run for run in dict.fromkeys(runs) if not self.path(run).exists()]
        missing.sort(key=lambda run: -float(dict(run.options).get("seconds", 0)))
        progress = Progress(len(missing))
        with self.pool() as pool:
            futures = {pool.submit(simworker.simulate, *self.order(run)): run for run in missing}
            try:
                for future in as_completed(futures):
                    self.keep(futures[future], future.result())
                    progress.step()
            except BaseException:
                for future in futures:
                    future.cancel()
                raise
        progress.end()


class Progress:
    def __init__(self, total):
        self.total, self.done, self.live = total, 0, sys.stderr.isatty()

    def step(self):
        self.done += 1
        if self.live:
            print(f"\rsimulations: {self.done}/{self.total}", end="", file=sys.stderr, flush=True)
        elif self.done == self.total or self.done % max(self.total // 10, 1) == 0:
            print(f"simulations: {self.done}/{self.total}", file=sys.stderr, flush=True)

    def end(self):
        if self.live and self.total:
            print(file=sys.stderr)
