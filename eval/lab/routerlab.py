# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""A plain Linux router between senders and receivers, in namespaces:

    sender == linkemu, delays ==> router == tbf of 20 Mbit/s ==> receivers

The router is the namespace that linkemu calls receiver; the addresses of the paths are moved to a
namespace behind it. Flow K goes to the address of path K, an odd one over IPv4, an even one over
IPv6."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import places  # noqa: F401
import netns
from netns import Lab

CAPACITY_BPS = 20e6
BURST_BYTES, QUEUE_MS = 6000, 100  # of the tbf
POLL_S = 0.05
HERE = Path(__file__).resolve().parent
PATHS = range(1, 9)
TCP_PATH, CBR_PATH = 6, 7
TCP_PORT = CBR_PORT = 5001
MEDIA = ("audiotestsrc wave=silence samplesperbuffer=4800 "
         "! audio/x-raw,format=S16BE,rate=48000,channels=2 ! rtpL16pay mtu=1200 ! rmcsink "
         "sync=false async=false max-bitrate=20000000 min-bitrate=100000 start-bitrate=500000 ")


def address(path):
    return Lab.address("receiver", path, ipv6=path % 2 == 0)


def router_commands(behind_pid):
    """ip: the addresses of the paths are behind us now, not ours."""
    yield f"link add toward type veth peer name behind netns {behind_pid}"
    yield "address add 10.99.0.1/24 dev toward"
    yield "address add fd99::1/64 dev toward nodad"
    yield "link set toward up"
    for path in PATHS:
        yield f"address del 10.77.2.{path}/32 dev lab0"
        yield f"address del fd77:2::{path}/128 dev lab0"
        yield f"route replace 10.77.1.{path} dev lab0"
        yield f"route replace fd77:1::{path} dev lab0"
        yield f"route add 10.77.2.{path} dev toward"
        yield f"route add fd77:2::{path} dev toward"


def behind_commands():
    yield "link set lo up"
    yield "address add 10.99.0.2/24 dev behind"
    yield "address add fd99::2/64 dev behind nodad"
    yield "link set behind up"
    for path in PATHS:
        yield f"address add 10.77.2.{path}/32 dev behind"
        yield f"address add fd77:2::{path}/128 dev behind nodad"
    yield "route add default via 10.99.0.1"
    yield "route add default via fd99::1"


class RouterLab(Lab):
    """folder: of the logs. delays_ms: {path: one way}."""

    def __init__(self, build, folder, delays_ms):
        paths = [f"--path={path}:{ms:g}" for path, ms in delays_ms.items()]
        super().__init__("--delay", "0", "--queue", "none", *paths, realtime=True)
        self.build, self.folder = build, folder
        self.queue, self.stopping = [], False
        self.environment = {**os.environ, "GST_PLUGIN_PATH_1_0": str(build / "gst"),
                            "GST_REGISTRY_1_0": str(build / "eval" / "registry.bin")}

    def log(self, name):
        return open(self.folder / f"{name}.log", "w", encoding="utf-8")

    def ip(self, commands, *prefix):
        self.run("receiver", [*prefix, "ip", "-batch", "-"], input="\n".join(commands), text=True,
                 check=True)

    def begin(self, flows):
        """The router, and receivers of so many flows and of TCP."""
        lines = " ".join(f"arcsrc address={address(path)} port={5000 + path} "
                         "caps=application/x-rtp ! fakesink sync=false async=false"
                         for path in range(1, flows + 1))
        sink = f"{HERE}/tcpflow.py sink --listen {address(TCP_PATH)}:{TCP_PORT}".replace(
            address(TCP_PATH), f"[{address(TCP_PATH)}]")
        command = f"gst-launch-1.0 -q {lines} & exec {sys.executable} {sink}"
        end = self.start("receiver", ["unshare", "--net", sys.executable,
                                      str(HERE / "behindrouter.py"), "receive",
                                      str(self.folder / "arrived.csv"), command],
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                         stderr=self.log("receivers"), env=self.environment)
        pid = int(end.stdout.readline())
        self.ip(router_commands(pid))
        self.enter_behind = ["nsenter", f"--net=/proc/{self.outer(pid)}/ns/net"]
        self.run("receiver", ["sysctl", "-qw", "net.ipv4.ip_forward=1",
                              "net.ipv6.conf.all.forwarding=1"], check=True)
        self.run("receiver", ["tc", "qdisc", "add", "dev", "toward", "root", "tbf", "rate",
                              f"{CAPACITY_BPS:.0f}", "burst", str(BURST_BYTES), "latency",
                              f"{QUEUE_MS}ms"], check=True)
        self.ip(behind_commands(), *self.enter_behind)
        end.stdin.write("\n")
        end.stdin.flush()
        self.poller = threading.Thread(target=self.poll)
        self.poller.start()

    def outer(self, inner):
        """The PID here of a process in the lab."""
        for status in Path("/proc").glob("[0-9]*/status"):
            try:
                text = status.read_text(encoding="ascii", errors="replace")
            except OSError:
                continue
            numbers = next(line for line in text.splitlines() if line.startswith("NSpid:")).split()
            if len(numbers) == 3 and int(numbers[2]) == inner and "python" in text:
                return int(numbers[1])
        raise RuntimeError(f"no process {inner} in the lab")

    def __exit__(self, *exception):
        self.stopping = True
        if hasattr(self, "poller"):
            self.poller.join()
        super().__exit__(*exception)

    def poll(self):
        """(CLOCK_MONOTONIC, bytes that wait, packets dropped so far) of the router's queue."""
        while not self.stopping:
            out = self.run("receiver", ["tc", "-s", "-j", "qdisc", "show", "dev", "toward", "root"],
                           capture_output=True, text=True).stdout
            root = json.loads(out)[0]
            self.queue.append((time.monotonic(), root["backlog"], root["drops"]))
            time.sleep(POLL_S)

    def start_router(self, *options, end="receiver", interface="toward", bps=CAPACITY_BPS):
        """Returns the job once its program is attached."""
        program = self.build / "tools" / "arcrouter" / "arcrouter"
        name = f"router-{interface}"
        job = self.start(end, [str(program), "--interface", interface, "--capacity", f"{bps:.0f}",
                               "--stats", "0.1", *options],
                         stdout=self.log(name), stderr=self.log(f"{name}-errors"))
        time.sleep(0.5)
        if job.poll() is not None:
            raise RuntimeError((self.folder / f"{name}-errors.log").read_text(encoding="utf-8"))
        return job

    def checksum_errors(self):
        """Datagrams that the receivers refused."""
        out = self.run("receiver", [*self.enter_behind, "nstat", "-az", "UdpInCsumErrors",
                                    "Udp6InCsumErrors"], capture_output=True, text=True).stdout
        return sum(int(line.split()[1]) for line in out.splitlines() if "Csum" in line)

    def start_flow(self, path, law):
        return self.start("sender", ["gst-launch-1.0", "-q", *MEDIA.split(),
                                     f"host={address(path)}", f"port={5000 + path}",
                                     f"congestion-control={law}"],
                          env=self.environment, stdout=subprocess.DEVNULL,
                          stderr=self.log(f"sender{path}"))

    def start_tcp(self, seconds):
        return self.start("sender", [sys.executable, str(HERE / "tcpflow.py"), "send", "--to",
                                     f"[{address(TCP_PATH)}]:{TCP_PORT}", "--duration",
                                     str(seconds), "--congestion", "cubic"],
                          stderr=self.log("tcp"))

    def start_cbr(self, bps):
        return self.start("sender", [sys.executable, str(HERE / "behindrouter.py"), "send",
                                     address(CBR_PATH), str(CBR_PORT), str(bps)],
                          stderr=self.log("cbr"))

    def arrived(self):
        """[(CLOCK_MONOTONIC, {path: bit/s})]"""
        rows = (line.split(",") for line in
                (self.folder / "arrived.csv").read_text(encoding="ascii").splitlines())
        return [(float(at), {path: int(count) * 80 for path, count in enumerate(counts, 1)})
                for at, *counts in rows]


def why_unavailable(build):
    """None: it is available."""
    if why := netns.why_unavailable(root=True):
        return why
    if not (build / "tools" / "arcrouter" / "arcrouter").exists():
        return "arcrouter was not built: it needs libbpf-dev and clang"
    script = ("ip link set lo up && exec timeout --preserve-status -s INT 0.3 "
              f"{build}/tools/arcrouter/arcrouter -i lo -c 1M")
    done = subprocess.run(["unshare", "--net", "sh", "-c", script], capture_output=True, text=True)
    return done.stderr.strip() if done.returncode else None
