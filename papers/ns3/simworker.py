# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""One simulation, here or on a worker of another machine, to which this file alone is sent."""

import hashlib
import subprocess
import tempfile
from pathlib import Path

# Linux hands the peak memory of the parent on to what it executes: without a process between it
# would be Python's.
FORK_AGAIN = ["sh", "-c", '"$@"; exit $?', "sh"]


class SimulationError(Exception):
    """What the simulator said when it failed."""


def digest(program):
    return hashlib.sha256(Path(program).read_bytes()).hexdigest()


def simulate(program, expected_digest, arguments):
    """The trace's text. The program has the same path on each machine, and must be the same."""
    if digest(program) != expected_digest:
        raise SimulationError(f"{program} is another build on this worker: copy it there")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.csv"
        done = subprocess.run([*FORK_AGAIN, program, *arguments, "--out", str(out)],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            raise SimulationError(f"{Path(program).name} {' '.join(arguments)}\n"
                                  f"{done.stderr.strip()}")
        return out.read_text(encoding="ascii")
