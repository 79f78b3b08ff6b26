#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Which files gst-arc-monitor serves as pictures of streams, and which never, whatever a process
calls itself, whatever a browser asks for, and whatever lies in the folder.

Usage: thumbnails.py MONITOR"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import watched
from toldprocess import ToldProcess

JPEG = b"\xff\xd8\xff\xe0" + bytes(range(256))
MOST = 131072   # bytes
OLD_S = 11      # beyond the 10 that one may have
NONE = (404, 400)     # 400: it is no address at all


def check(claim, ok, more=""):
    print(f"{'ok' if ok else 'FAILED'}: {claim} {'' if ok else more}")
    return ok


@contextlib.contextmanager
def stream(monitor, name):
    """Of a process of that name, which the monitor knows; its key."""
    process = ToldProcess(monitor.path, name)
    try:
        process.snapshot()
        watched.wait_for(lambda: told(monitor, f"{name}/1"))
        yield f"{name}/1"
    finally:
        process.close()


def first_event(monitor):
    """Of a new page, as a line; None: there is no place, until those that closed are missed."""
    with contextlib.suppress(urllib.error.HTTPError), urllib.request.urlopen(
            f"{monitor.page}events", timeout=watched.WAIT_S) as events:
        return next((line for line in events if line.startswith(b"data: ")), None)
    return None


def told(monitor, key):
    """What a page hears of the stream; None: it is not known."""
    event = watched.wait_for(lambda: first_event(monitor))
    return next((s for s in json.loads(event[len("data: "):]) if s["key"] == key), None)


def ask(monitor, key):
    return monitor.fetch("thumbnail?" + urllib.parse.urlencode({"key": key}))


def is_refused(monitor, key):
    status, body, _ = ask(monitor, key)
    return status in NONE and b"\xff\xd8" not in body


def check_served(monitor, folder):
    with stream(monitor, "cam") as key:
        yield check("a stream without a picture has none",
                    is_refused(monitor, key) and "thumbnail" not in told(monitor, key))
        (folder / "cam-told.jpg").write_bytes(JPEG)
        status, body, headers = ask(monitor, key)
        yield check("a picture is served as it is", (status, body) == (200, JPEG), (status, body))
        yield check("as JPEG that nobody keeps", (headers["Content-Type"], headers["Cache-Control"])
                    == ("image/jpeg", "no-store"), headers)
        thumbnail = told(monitor, key)["thumbnail"]
        yield check("and a page hears of it, and of its age", 0 <= thumbnail["age"] < 10000
                    and abs(thumbnail["at"] / 1000 - time.time()) < 10, thumbnail)
        yield check("only pictures whose stream is known are served",
                    all(is_refused(monitor, other) for other in ("cam", "other/1", "", "cam/1/")))
        yield check("a foreign page may not have it", monitor.fetch(
            f"thumbnail?key={key}", Host="evil.example")[0] == 403)
    (folder / "cam-told.jpg").unlink()


def check_files(monitor, folder):
    """Each is there by the right name."""
    file, outside = folder / "cam-told.jpg", folder.parent / "outside.jpg"
    outside.write_bytes(JPEG)

    def age(seconds):
        file.write_bytes(JPEG)
        os.utime(file, (time.time() - seconds,) * 2)

    cases = {
        "one that is too long": lambda: file.write_bytes(JPEG.ljust(MOST + 1)),
        "one that is old": lambda: age(OLD_S),
        "one of the future": lambda: age(-3600),
        "a link": lambda: file.symlink_to(outside),
        "a pipe": lambda: os.mkfifo(file),
        "a folder": file.mkdir,
        "an empty one": lambda: file.write_bytes(b""),
        "one that is no JPEG": lambda: file.write_bytes(b"root:x:0:0:root:/root:/bin/bash\n"),
    }
    with stream(monitor, "cam") as key:
        for name, make in cases.items():
            make()
            yield check(f"{name} is refused", is_refused(monitor, key), ask(monitor, key)[0])
            if file.is_dir():
                file.rmdir()
            else:
                file.unlink()
        file.write_bytes(JPEG.ljust(MOST))
        yield check(f"one of {MOST} bytes is served", ask(monitor, key)[0] == 200)
        file.unlink()


def check_names(monitor, folder):
    """A process that names itself so that the file would lie elsewhere."""
    (folder / "sub").mkdir()
    for name, path in (("../out", folder.parent / "out-told.jpg"),
                       ("sub/in", folder / "sub" / "in-told.jpg"),
                       (f"{folder.parent}/out", folder.parent / "out-told.jpg"),
                       (".hidden", folder / ".hidden-told.jpg")):
        path.write_bytes(JPEG)
        with stream(monitor, name) as key:
            yield check(f"a process {name} leads nowhere", told(monitor, key) is not None
                        and "thumbnail" not in told(monitor, key) and is_refused(monitor, key))
    with stream(monitor, "x" * 300) as key:
        yield check("nor does one of 300 letters", is_refused(monitor, key))


def check_requests(monitor, folder):
    (folder / "cam-told.jpg").write_bytes(JPEG)
    (folder / "other.jpg").write_bytes(JPEG)
    with stream(monitor, "cam"):
        for path in ("thumbnail", "thumbnail?key", "thumbnail?key=../out/1",
                     "thumbnail/cam-told.jpg",
                     "thumbnail?key=cam-told.jpg", "thumbnail?key=other.jpg", "cam-told.jpg",
                     "thumbnail/../other.jpg", "thumbnail%2f..%2fother.jpg",
                     "thumbnail?key=%2e%2e%2fother.jpg", "thumbnail?key=../other.jpg%00"):
            status, body, _ = monitor.fetch(path)
            yield check(f"/{path} finds nothing", status in NONE and b"\xff\xd8" not in body,
                        (status, body))


def check_option(program, folder):
    missing = folder / "not-yet"
    done = subprocess.run([program, "--socket", folder / "s", "--port", "0", "--thumbnails",
                           missing], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          timeout=watched.WAIT_S, check=False)
    yield check("without the folder it says so, and what to do", done.returncode == 2
                and f"there is no folder {missing} for thumbnails: make it (mkdir -p)"
                in done.stderr, done)
    with watched.Monitor(program, folder) as monitor, stream(monitor, "cam") as key:
        yield check("without the option there is no picture",
                    is_refused(monitor, key) and "thumbnail" not in told(monitor, key))


def main():
    program, results = sys.argv[1], []
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top) / "pictures"
        folder.mkdir()
        with watched.Monitor(program, top, "--thumbnails", folder) as monitor:
            for part in (check_served, check_files, check_names, check_requests):
                results += part(monitor, folder)
        results += check_option(program, folder)
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
