#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What nobody can do to gst-arc-monitor: fill its memory, take its connections or its CPU, or end
it, by HTTP or as a process that it watches.

Usage: hostile.py MONITOR"""

import contextlib
import re
import resource
import socket
import sys
import tempfile
import time
from pathlib import Path

import watched
from toldprocess import ToldProcess

MB = 1_000_000
BODY_MB = 100
MOST_MB = 20        # above what it had before; its own stay is 10 MB
IDLE = 200          # connections
MOST_FILES = 100    # of the monitor: 64 connections and its own
FEW_FILES = 40
FILES_S = 2.0
FILES_CPU_S = 0.25  # of these; a loop without a pause takes them all
PAGES = 16          # at once
PAGE_FIELDS = 2000  # 100 kB in each event: a page that reads nothing is full in seconds
STUCK_S = 90        # 10 s, and the time in which all buffers fill
HOSTILE_TEXTS = {
    "30000 '<'": "a, b=" + 30000 * "<",
    "30000 '{'": "a, b=" + 30000 * "{",
    "30000 '['": "a, b=" + 30000 * "[",
    "60 structures in each other": "a, b=" + 60 * "[a, b=",
    "60 lists of structures in each other": "a, b=" + 60 * "<[a, b=",
    "'<' behind closing brackets in quotes": "a, b=" + 20000 * '<">",',
    "'<' behind other closing brackets": "a, b=" + 20000 * "<}",
    "'<' behind a quote that is escaped": 'a, b=\\"' + 20000 * '<">",',
    "nothing": "",
    "a backslash at the end": "a, b=\\",
}


def check(claim, ok, more=""):
    print(f"{'ok' if ok else 'FAILED'}: {claim} {'' if ok else more}")
    return ok


def connect(monitor):
    host, port = monitor.page.split("/")[2].split(":")
    return socket.create_connection((host, int(port)), watched.WAIT_S)


def begin_to_connect(family, kind, address):
    """Without waiting until it is taken."""
    client = socket.socket(family, kind)
    client.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        client.connect(address)
    return client


def connect_as_process(monitor):
    return begin_to_connect(socket.AF_UNIX, socket.SOCK_SEQPACKET, monitor.path)


def connect_as_browser(monitor):
    host, port = monitor.page.split("/")[2].split(":")
    return begin_to_connect(socket.AF_INET, socket.SOCK_STREAM, (host, int(port)))


def peak_mb(monitor):
    status = Path(f"/proc/{monitor.process.pid}/status").read_text(encoding="ascii")
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024 / MB


def cpu_s(monitor):
    ticks = Path(f"/proc/{monitor.process.pid}/stat").read_text(encoding="ascii")
    return sum(int(n) for n in ticks.rpartition(")")[2].split()[11:13]) / 100


def serves(monitor):
    """The page and /metrics, each with a new connection."""
    return all(monitor.get(path)[0] == 200 for path in ("", "metrics"))


def send_body(monitor, head, chunk, end):
    """Until it hangs up, or all is sent."""
    with connect(monitor) as client, contextlib.suppress(ConnectionError):
        client.sendall(f"{head}\r\n\r\n".encode())
        for _ in range(BODY_MB):
            client.sendall(chunk)
        client.sendall(end)
        client.recv(100)


def check_bodies(monitor):
    before = peak_mb(monitor)
    plain, chunked = bytes(MB), b"%x\r\n%s\r\n" % (MB, bytes(MB))
    for method in ("GET", "HEAD", "POST"):
        for path in ("/", "/events", "/no-such-page", "/%2e%2e/"):
            head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n"
            send_body(monitor, f"{head}Content-Length: {BODY_MB * MB}", plain, b"")
            send_body(monitor, f"{head}Transfer-Encoding: chunked", chunked, b"0\r\n\r\n")
    grown = peak_mb(monitor) - before
    yield check(f"bodies of {BODY_MB} MB leave no trace in its memory", grown < MOST_MB,
                f"{grown:.0f} MB more")
    for path in ("monitor.js", "chart.js"):
        monitor.get(path, Range="bytes=" + ",".join(10000 * ["0-"]))
    grown = peak_mb(monitor) - before
    yield check("nor does an answer that would have ten thousand parts", grown < MOST_MB,
                f"{grown:.0f} MB more")
    with connect(monitor) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello")
        answer = client.recv(100)
    yield check("the sender of a short body reads the refusal",
                answer.startswith(b"HTTP/1.1 405 "), answer)
    yield check("and the page is served", serves(monitor))


def has_ended(client):
    client.setblocking(False)
    try:
        return client.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def check_idle(monitor):
    """Some have sent nothing, others the begin of a request."""
    with contextlib.ExitStack() as stack:
        idle = []
        for i in range(IDLE):
            idle.append(stack.enter_context(connect(monitor)))
            if i % 2:
                idle[-1].sendall(b"GET / HTTP/1.1\r\nHost: lo")
        yield check(f"beside {IDLE} idle connections the page is served", serves(monitor))
        kept = files(monitor)
        yield check("of which it keeps few", kept < MOST_FILES, f"{kept} files")
        ended = watched.wait_for(lambda: all(has_ended(client) for client in idle))
        left = sum(not has_ended(client) for client in idle)
        yield check("which all end by themselves", ended, f"{left} are left")


def check_slow(monitor):
    """A byte now and then is no progress."""
    with connect(monitor) as client:
        client.sendall(b"GET / HTTP/1.1\r\nX: ")
        begin_s = time.monotonic()
        while not has_ended(client) and time.monotonic() < begin_s + watched.WAIT_S:
            with contextlib.suppress(ConnectionError):
                client.send(b"x")
            time.sleep(0.1)
        yield check("a request that never ends is cut off", has_ended(client))


def open_page(monitor):
    """That reads nothing."""
    host, port = monitor.page.split("/")[2].split(":")
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect((host, int(port)))
    client.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return client


def events_status(monitor):
    with connect(monitor) as client:
        client.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return client.recv(12).decode()


def check_stuck_pages(monitor):
    process = ToldProcess(monitor.path, "large")
    process.snapshot(**{f"field-{i:040}": i for i in range(PAGE_FIELDS)})
    watched.wait_for(lambda: 'process="large"' in monitor.get("metrics")[1])
    with contextlib.ExitStack() as stack:
        pages = [stack.enter_context(open_page(monitor)) for _ in range(PAGES)]
        full = watched.wait_for(lambda: events_status(monitor) == "HTTP/1.1 503")
        yield check(f"{PAGES} pages are as many as there may be", full)
        end_s = time.monotonic() + STUCK_S
        while events_status(monitor) != "HTTP/1.1 200" and time.monotonic() < end_s:
            time.sleep(0.5)
        yield check(f"{len(pages)} pages that read nothing give their places up",
                    events_status(monitor) == "HTTP/1.1 200")
    process.close()


def check_texts(monitor):
    for name, text in HOSTILE_TEXTS.items():
        with contextlib.closing(connect_as_process(monitor)) as process:
            process.send(text.encode())
            yield check(f"a message of {name} does it no harm",
                        serves(monitor) and monitor.process.poll() is None)
    process = ToldProcess(monitor.path, "honest")
    process.snapshot()
    process.message("warning", '<">}] [{')
    yield check("and after them it hears others", watched.wait_for(
        lambda: 'process="honest"' in monitor.get("metrics")[1]))
    process.close()


def files(monitor):
    return len(list(Path(f"/proc/{monitor.process.pid}/fd").iterdir()))


def few_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (FEW_FILES, FEW_FILES))


def check_files(monitor, who, connect_one):
    with contextlib.ExitStack() as stack:
        for _ in range(2 * FEW_FILES):
            stack.enter_context(contextlib.closing(connect_one(monitor)))
            time.sleep(0.02)    # or the kernel's queue is full, and nothing else
        full = watched.wait_for(lambda: files(monitor) == FEW_FILES)
        yield check(f"{who} can take all files", full, f"{files(monitor)} of {FEW_FILES}")
        begin_s = cpu_s(monitor)
        time.sleep(FILES_S)
        took_s = cpu_s(monitor) - begin_s
        yield check(f"more {who} than files take no CPU", took_s < FILES_CPU_S,
                    f"{took_s:.2f} s of {FILES_S:.0f} s")
    served = watched.wait_for(lambda: serves_at_all(monitor))
    yield check("and when they are gone, the page is served", served)


def serves_at_all(monitor):
    try:
        return serves(monitor)
    except OSError:
        return False


def main():
    program, results = sys.argv[1], []
    with tempfile.TemporaryDirectory() as folder:
        for attack in (check_bodies, check_idle, check_slow, check_stuck_pages, check_texts):
            with watched.Monitor(program, folder) as monitor:
                results += attack(monitor)
        for who, connect_one in (("processes", connect_as_process),
                                 ("browsers", connect_as_browser)):
            with watched.Monitor(program, folder, begin=few_files) as monitor:
                results += check_files(monitor, who, connect_one)
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
