#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The sockets of gst-arc-monitor: what it says where it gets none, and that it keeps none of those
who went away.

Usage: sockets.py MONITOR"""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import watched

PAGES = ("", "monitor.css", "events", "metrics", "no-such-page")
VISITS = 3
NAME = "gst-arc-monitor: "
LONGEST = 107   # bytes of the path of a local socket


def check(claim, ok, more=""):
    print(f"{'ok' if ok else 'FAILED'}: {claim} {'' if ok else more}")
    return ok


def failure(program, *options):
    """(exit status, what it says); GStreamer may warn of plugins beside it."""
    done = subprocess.run([program, *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, timeout=watched.WAIT_S, check=False)
    return done.returncode, [line.removeprefix(NAME) for line in done.stderr.splitlines()
                             if line.startswith(NAME)]


def check_taken_port(program, folder):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        for where, options in (("127.0.0.1 or ::1", ()),
                               ("127.0.0.1", ("--address", "127.0.0.1"))):
            found = failure(program, "--socket", f"{folder}/s", "--port", str(port), *options)
            yield check(f"a port of {where} that is taken: it says so, and what to do", found == (
                1, [f"port {port} of {where} is taken, perhaps by another gst-arc-monitor: choose "
                    "one with --port, 0 for any"]), found)


def check_missing_folder(program, folder):
    missing = Path(folder) / "not" / "yet"
    found = failure(program, "--socket", str(missing / "socket"), "--port", "0")
    yield check("no folder for the socket: it names the folder, and what to do", found == (
        1, [f"there is no folder {missing} for the socket: make it (mkdir -p), or name another "
            "path with --socket"]), found)
    missing.mkdir(parents=True)
    with watched.Monitor(program, missing) as monitor:
        yield check("once the folder is there, it serves", monitor.get("metrics")[0] == 200)


def check_extra_word(program, folder):
    found = failure(program, "--socket", f"{folder}/s", "--port", "0", "extra")
    yield check("a word too many is refused", found == (
        2, ['"extra" is no option; see --help']), found)


def check_other_failure(program, folder):
    file = Path(folder) / "file"
    file.touch()
    path = str(file / "socket")
    status, lines = failure(program, "--socket", path, "--port", "0")
    yield check("another failure names the path, too",
                status == 1 and len(lines) == 1 and path in lines[0], lines)


def path_of(folder, length):
    """Of a socket that does not exist."""
    return f"{folder}/{'s' * (length - len(folder) - 1)}"


def check_long_path(program, folder):
    longest, too_long = path_of(folder, LONGEST), path_of(folder, LONGEST + 1)
    for options in (("--port", "0"), ("--terminal",)):
        found = failure(program, "--socket", too_long, *options)
        yield check(f"a socket of {LONGEST + 1} bytes: it says how many there may be", found == (
            1, [f"socket {too_long}: the path has {LONGEST + 1} bytes, and that of a local socket "
                f"at most {LONGEST}: name a shorter one with --socket"]), found)
    for path, text in ((longest, ""), (too_long, "arcmonitor: this process is not watched: ")):
        done = subprocess.run(["gst-launch-1.0", "-q", "fakesrc", "num-buffers=1", "!", "fakesink"],
                              env=os.environ | {"GST_TRACERS": f'arcmonitor(socket="{path}")'},
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              timeout=watched.WAIT_S, check=False)
        yield check(f"a process with one of {len(path)} bytes {'says so' if text else 'is silent'}",
                    done.returncode == 0 and text in done.stderr
                    and ("arcmonitor" in done.stderr) == bool(text), done.stderr)
    with watched.Monitor(program, folder, name=Path(longest).name) as monitor:
        yield check(f"with one of {LONGEST} bytes it serves", monitor.get("metrics")[0] == 200)


def visit(monitor, path):
    """As a client that would ask on, and then is gone."""
    host, port = monitor.page.split("/")[2].split(":")
    with contextlib.closing(socket.create_connection((host, int(port)), watched.WAIT_S)) as client:
        client.sendall(f"GET /{path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        return client.recv(100).startswith(b"HTTP/1.1 ")


def sockets(pid):
    """How many it has. Between the list and the look a descriptor may be closed."""
    n = 0
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            n += os.readlink(descriptor).startswith("socket:")
    return n


def check_visitors(monitor):
    before = sockets(monitor.process.pid)
    for path in PAGES:
        answered = all(visit(monitor, path) for _ in range(VISITS))
        gone = watched.wait_for(lambda: sockets(monitor.process.pid) == before)
        yield check(f"{VISITS} who asked for /{path} and went leave no socket behind",
                    answered and gone, f"{before} before, {sockets(monitor.process.pid)} now")


def main():
    program, results = sys.argv[1], []
    with tempfile.TemporaryDirectory() as folder:
        results += check_taken_port(program, folder)
        results += check_missing_folder(program, folder)
        results += check_extra_word(program, folder)
        results += check_other_failure(program, folder)
        results += check_long_path(program, folder)
        with watched.Monitor(program, folder) as monitor:
            results += check_visitors(monitor)
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
