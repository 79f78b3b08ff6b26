# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""One way to run an experiment: the command line, why it is skipped, and its runs, again where the
machine disturbed them."""

import argparse
import os
import sys
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path

import provenance

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / folder) for folder in ("scripts", "tests")]
SKIPPED = 77  # status
TRIALS = 3  # of a run that the machine disturbed

OPTIONS = {
    "build": {"type": Path, "default": ROOT / "build", "metavar": "FOLDER"},
    "runs": {"type": int, "default": 1, "metavar": "N", "help": "of each (%(default)s)"},
    "jobs": {"type": int, "metavar": "N", "help": "runs side by side"},
    "seconds": {"type": float, "metavar": "S", "help": "of a run (%(default)s)"},
    "media": {"type": Path, "metavar": "FILE", "help": "footage (the test source)"},
    "out": {"type": Path, "metavar": "FOLDER", "help": "of the results"},
    "stolen": {"type": float, "default": 3, "metavar": "PERCENT", "help": "a run is made again, up "
               f"to {TRIALS} times in all, if a hypervisor took more of the CPUs (%(default)s)"},
    "again": {"action": "store_true", "help": "runs that are there as well"},
    "check": {"action": "store_true", "help": "writes nothing; status 1 if the page in docs is not "
              "what this build makes"},
    "write": {"action": "store_true", "help": "what was measured into docs"},
    "list": {"action": "store_true", "help": "what there is, and end"},
}


class Command(argparse.ArgumentParser):
    """A program with --build and those of OPTIONS that it names. Its results go to the folder of
    its name in the build folder, or to `results` there."""

    def __init__(self, doc, *options, results="", **defaults):
        program = Path(sys.argv[0]).resolve()
        super().__init__(
            prog=str(program.relative_to(ROOT)) if ROOT in program.parents else program.name,
            description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
        self.results = results or self.prog
        for name in ("build", *options):
            self.add_argument(f"--{name}", **OPTIONS[name])
        self.set_defaults(**defaults)

    def parse_args(self, *args, **kwargs):
        found = super().parse_args(*args, **kwargs)
        found.build = found.build.resolve()
        found.out = (getattr(found, "out", None) or found.build / self.results).resolve()
        if getattr(found, "write", False):
            provenance.recorded_commit()        # before the runs rather than behind them
        os.environ["GST_ARC_BUILD_DIR"] = str(found.build)
        return found

    def skip(self, why):
        print(f"{self.prog}: {why}")
        sys.exit(SKIPPED)

    def fail(self, why):
        sys.exit(f"{self.prog}: {why}")

    def chosen(self, known, names):
        """Of a table, those that are named; of none, all."""
        if unknown := [name for name in names if name not in known]:
            self.fail(f"{', '.join(unknown)}: not known; --list or --help has the names")
        return [known[name] for name in names or known]

    @staticmethod
    def present(contenders, build):
        """Without those that lack something, which it prints."""
        found = []
        for who in contenders:
            if missing := who.missing(build):
                print(f"{who.name} is left out: {missing}", file=sys.stderr)
            else:
                found.append(who)
        return found


def play(jobs, describe, side_by_side=1, disturbed=lambda result: False):
    """How many failed. jobs: {name: what makes the result}. A run that the machine disturbed is
    made again, behind all others: which one counts does not depend on its figures."""
    failed, count, began_s = 0, 0, time.monotonic()
    with ThreadPoolExecutor(side_by_side) as pool:
        todo = {pool.submit(job): (name, 1) for name, job in jobs.items()}
        while todo:
            for future in wait(todo, return_when=FIRST_COMPLETED).done:
                name, trial = todo.pop(future)
                error = future.exception()
                again = not error and trial < TRIALS and disturbed(future.result())
                if again:
                    todo[pool.submit(jobs[name])] = name, trial + 1
                failed, count = failed + bool(error), count + (not again)
                text = f"failed: {error}" if error else describe(future.result())
                print(f"[{count}/{len(jobs)}, {time.monotonic() - began_s:.0f} s] {name}: {text}"
                      f"{', again' if again else ''}", flush=True)
    return failed
