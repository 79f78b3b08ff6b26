# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Processes that end when we say so, and by nobody's name but their own id."""

import signal
import socket
import subprocess
import threading
import time


class Child:
    """A process in a session of its own: Ctrl-C on the terminal reaches us first. Output goes to a
    log file, and line by line to on_line (in a thread)."""

    def __init__(self, name, argv, log_path, env=None, on_line=None):
        self.name = name
        self.log_path = log_path
        self.log = open(log_path, "w", encoding="utf-8")
        self.on_line = on_line
        self.process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, env=env, start_new_session=True,
                                        encoding="utf-8", errors="replace")
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.log.write(line)
            if self.on_line:
                self.on_line(line.rstrip("\n"))

    @property
    def alive(self):
        return self.process.poll() is None

    def tail(self, lines=15):
        self.log.flush()
        return "".join(open(self.log_path, encoding="utf-8").readlines()[-lines:])

    def stop(self, wait_s):
        """SIGINT, then SIGKILL for what does not listen. Returns whether it went by itself."""
        gentle = True
        if self.alive:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(wait_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            gentle = False
        self.reader.join(2)
        self.log.close()
        return gentle


def free_ports(count):
    """UDP ports of the loopback that are free now."""
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def wait_bound(port, child, wait_s=15):
    """Waits until somebody listens on the UDP port; false if the child ended or time is up."""
    end = time.monotonic() + wait_s
    while time.monotonic() < end and child.alive:
        for table in ("/proc/net/udp", "/proc/net/udp6"):
            with open(table, encoding="ascii") as lines:
                if any(line.split()[1].endswith(f":{port:04X}") for line in list(lines)[1:]):
                    return True
        time.sleep(0.05)
    return False
