# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Two hosts with several links between them, in network namespaces; needs root.

    sender  p0 ==> in0 | link 0: linkemu | out0 ==> r0  receiver
            p1 ==> in1 | link 1: linkemu | out1 ==> r1

The interfaces of the sender are called p0, p1, ...; the path K leads from 10.77.1.K+1 to the
receiver's address 10.77.2.K+1. The address RECEIVER is reached by all of them. Several paths may
share a link."""

import os
import signal
import subprocess
import time
from pathlib import Path

import places  # noqa: F401
from netns import Lab, LabError

RECEIVER = "10.77.2.9"
HOLD = ["setpriv", "--pdeathsig", "KILL", "unshare", "--net", "sleep", "infinity"]
FORWARD = "for i in all default; do echo 0 > /proc/sys/net/ipv4/conf/$i/rp_filter; done; " \
    "echo 1 > /proc/sys/net/ipv4/ip_forward"
READY_S = 5


def address(end, path):
    return f"10.77.{1 if end == 'sender' else 2}.{path + 1}"


def namespace_of(pid):
    return os.stat(f"/proc/{pid}/ns/net").st_ino


class PathsLab:
    """links: the options of each linkemu; paths: of each path the number of its link."""

    def __init__(self, links, paths):
        self.labs = [Lab(*options, realtime=True) for options in links]
        self.paths = paths
        self.ends, self.jobs = {}, []

    def __enter__(self):
        for lab in self.labs:
            lab.__enter__()
        for end in ("sender", "receiver"):
            self.ends[end] = subprocess.Popen(HOLD, stdin=subprocess.DEVNULL)
        self.wait_for_ends()
        for lab in self.labs:
            for end, other in (("sender", 2), ("receiver", 1)):
                self.shell(lab.namespaces[end], f"{FORWARD}; ip address flush dev lab0; "
                           f"ip route replace 10.77.{other}.0/24 dev lab0")
        for end in self.ends:
            self.shell(self.place(end), f"{FORWARD}; ip link set lo up")
        self.shell(self.place("receiver"), f"ip address add {RECEIVER}/32 dev lo")
        for path in range(len(self.paths)):
            self.connect(path)
        return self

    def wait_for_ends(self):
        own, until_s = namespace_of("self"), time.monotonic() + READY_S
        while any(namespace_of(end.pid) == own for end in self.ends.values()):
            if time.monotonic() > until_s:
                raise LabError("no network namespaces")
            time.sleep(0.02)

    def __exit__(self, *_exception):
        for job in self.jobs:
            if job.poll() is None:
                os.killpg(job.pid, signal.SIGTERM)
        for job in self.jobs:
            try:
                job.wait(3)
            except subprocess.TimeoutExpired:
                os.killpg(job.pid, signal.SIGKILL)
                job.wait()
        for end in self.ends.values():
            end.kill()
            end.wait()
        for lab in self.labs:
            lab.__exit__()

    def place(self, end):
        return f"/proc/{self.ends[end].pid}/ns/net"

    @staticmethod
    def shell(place, script):
        subprocess.run(["nsenter", f"--net={place}", "sh", "-ec", script], check=True)

    def connect(self, path):
        """The interface of the sender, and the way back; as when a modem is plugged in."""
        lab, here, there = (self.labs[self.paths[path]], address("sender", path),
                            address("receiver", path))
        self.shell(lab.namespaces["sender"], f"""
            ip link add in{path} type veth peer name p{path} netns {self.ends['sender'].pid}
            ip address add 10.80.{path}.2/24 dev in{path}; ip link set in{path} up
            ip route replace {here} via 10.80.{path}.1 onlink dev in{path}""")
        self.shell(self.place("sender"), f"""
            ip address add 10.80.{path}.1/24 dev p{path}; ip address add {here}/32 dev p{path}
            ip link set p{path} up
            ip route add {there} via 10.80.{path}.2 src {here}
            ip route add {RECEIVER} via 10.80.{path}.2 dev p{path} src {here} metric 10{path}""")
        if Path(f"/proc/{self.ends['receiver'].pid}").exists() and not self.is_wired(path):
            self.shell(lab.namespaces["receiver"], f"""
                ip link add out{path} type veth peer name r{path} netns {self.ends['receiver'].pid}
                ip address add 10.90.{path}.1/24 dev out{path}; ip link set out{path} up
                ip route replace {there} via 10.90.{path}.2 onlink dev out{path}
                ip route replace {RECEIVER} via 10.90.{path}.2 onlink dev out{path}""")
            self.shell(self.place("receiver"), f"""
                ip address add 10.90.{path}.2/24 dev r{path}; ip address add {there}/32 dev r{path}
                ip link set r{path} up
                ip route add {here} via 10.90.{path}.1 src {there}""")

    def is_wired(self, path):
        return subprocess.run(["nsenter", f"--net={self.place('receiver')}", "ip", "link", "show",
                               f"r{path}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode == 0

    def remove(self, path):
        """As when a modem is pulled out."""
        self.shell(self.place("sender"), f"ip link delete p{path}")

    def begin(self):
        """Starts the links' clocks, which wait for a packet; returns when."""
        asked_s = time.monotonic()
        for path in range(len(self.paths)):
            self.shell(self.place("sender"), "bash -c 'echo > /dev/udp/"
                       f"{address('receiver', path)}/9'")
        return asked_s

    def start(self, end, command, **options):
        job = subprocess.Popen(["nsenter", f"--net={self.place(end)}", *command],
                               start_new_session=True, **options)
        self.jobs.append(job)
        return job
