# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Two network namespaces with an emulated link between them, for real programs and the kernel's
TCP.

    with Lab("--rate", "10M", "--delay", "25") as lab:
        sink = lab.start("receiver", ["iperf3", "-s"])
        lab.run("sender", ["iperf3", "-c", lab.address("receiver")], check=True, timeout=60)
    print(lab.summary["tail drops"])

The options are linkemu's. linkemu holds the namespaces and is the first process of a PID namespace that all commands
live in: however it or this process ends, the kernel ends the commands, and namespaces and devices go with them. An
ordinary user gets a user namespace too, and is root inside.
"""

import os
import re
import signal
import subprocess
from pathlib import Path

from places import ROOT

END_NUMBERS = {"sender": 1, "receiver": 2}
PATHS = 32
STOP_S = 3
REALTIME_PRIORITY = 50
READY = re.compile(r"linkemu: namespaces sender (/proc/(\d+)/fd/\d+) receiver (/proc/\d+/fd/\d+)")
FACT = re.compile(r"([a-zA-Z][a-zA-Z0-9 ]*) (\d+)(?:, |$)")


class LabError(Exception):
    """The machine does not permit it, or an option makes no sense; says which."""


def linkemu_path():
    """$LINKEMU, or the one of the build directory."""
    build = ROOT / os.environ.get("GST_ARC_BUILD_DIR", "build")
    return os.environ.get("LINKEMU", str(build / "tools" / "linkemu" / "linkemu"))


def may_make_namespaces():
    return subprocess.run(["unshare", "--net", "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0


def group_of(stat):
    """The process group that a /proc/PID/stat tells; the name before it may hold anything."""
    try:
        return int(stat.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[2])
    except OSError:
        return None


def ask(job, number):
    """Not nsenter itself, which leads the group: it waits for the command, and so do we."""
    if job.poll() is not None:
        return
    for stat in Path("/proc").glob("[0-9]*/stat"):
        pid = int(stat.parent.name)
        if pid != job.pid and group_of(stat) == job.pid:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass


def wait(job):
    try:
        return job.wait(STOP_S)
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGKILL)
        return job.wait()


class Lab:
    """realtime: linkemu runs with real-time priority, which needs root: busy programs beside it do
    not delay it then.

    After the with block `summary` has what linkemu counted, by name; "began at us" is its second 0 in CLOCK_MONOTONIC.
    """

    def __init__(self, *options, realtime=False):
        self.options = [str(option) for option in options]
        self.realtime = realtime
        self.summary = {}
        self.jobs = []

    def __enter__(self):
        self.user = [] if may_make_namespaces() else ["--user", "--map-root-user"]
        command = ["setpriv", "--pdeathsig", "KILL", "unshare", *self.user, "--pid", "--fork", "--kill-child"]
        if self.realtime:
            command += ["chrt", "-f", str(REALTIME_PRIORITY)]
        command += [linkemu_path(), "--tun", *self.options]
        try:
            self.link = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                         start_new_session=True)
        except OSError as error:
            raise LabError(str(error)) from error
        line = self.link.stderr.readline()
        ready = READY.match(line)
        if not ready:
            text = (line + self.link.communicate()[1]).strip()
            raise LabError(text or f"{command[0]} ended with status {self.link.returncode}")
        self.pid = int(ready[2])
        self.namespaces = {"sender": ready[1], "receiver": ready[3]}
        return self

    def __exit__(self, *_exception):
        for job in self.jobs:
            ask(job, signal.SIGTERM)
        for job in self.jobs:
            wait(job)
        if self.link.poll() is None:
            os.kill(self.pid, signal.SIGTERM)
        said = self.link.communicate()[1]
        self.summary = {name: int(value) for name, value in FACT.findall(said.split(": ", 1)[-1])}

    @staticmethod
    def address(end, path=1, ipv6=False):
        """Of an end ("sender", "receiver") on a path from 1 to 32. What goes to the receiver's
        address of a path takes that path, and comes from the sender's address of it."""
        if not 1 <= path <= PATHS:
            raise ValueError(f"path {path}: not within 1 and {PATHS}")
        return f"fd77:{END_NUMBERS[end]}::{path:x}" if ipv6 else f"10.77.{END_NUMBERS[end]}.{path}"

    def command(self, end, command):
        """What runs `command` at that end."""
        user = ["--user", "--preserve-credentials"] if self.user else []
        return ["nsenter", "--target", str(self.pid), *user, "--pid", f"--net={self.namespaces[end]}", "--", *command]

    def start(self, end, command, **options):
        """Like subprocess.Popen, in a session of its own; stopped with the lab."""
        job = subprocess.Popen(self.command(end, command), start_new_session=True, **options)
        self.jobs.append(job)
        return job

    @staticmethod
    def stop(job, number=signal.SIGTERM):
        """Asks the command and its children to end (gst-launch-1.0 -e wants SIGINT); returns its
        status."""
        ask(job, number)
        return wait(job)

    def run(self, end, command, **options):
        """Like subprocess.run."""
        return subprocess.run(self.command(end, command), **options)


def why_unavailable(root=False):
    """Why this machine permits no lab; None: it does. root: what is to run needs it."""
    if root and os.geteuid():
        return "it needs root"
    try:
        with Lab():
            return None
    except LabError as error:
        return str(error)
