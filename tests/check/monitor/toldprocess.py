# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""A process with one element, as the tracer `arcmonitor` would tell of it, whose words a test
chooses."""

import socket
import threading

AGAIN_S = 0.2   # a monitor forgets whom it has not heard for three seconds


def quoted(text):
    """As GStreamer does: other signs than letters and digits in octal."""
    return '"' + "".join(chr(byte) if chr(byte).isalnum() and byte < 128 else f"\\{byte:03o}"
                         for byte in text.encode()) + '"'


def written(value):
    if isinstance(value, dict):
        return f"[s, {fields(value)}]"
    if isinstance(value, list):
        return f"<{', '.join(map(written, value))}>"
    if isinstance(value, str):
        return f"(string){quoted(value)}"
    return f"(double){value}" if isinstance(value, float) else f"(guint64){value}"


def fields(values):
    return ", ".join(f"{name.replace('_', '-')}={written(value)}"
                     for name, value in values.items())


class ToldProcess:
    def __init__(self, path, name):
        self.name, self.number, self.last, self.at = name, 0, None, 0
        self.run = name         # one like it that was started again has another one
        self.lock, self.ends = threading.Lock(), threading.Event()
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.connect(path)
        self.thread = threading.Thread(target=self.repeat)
        self.thread.start()

    def say(self, text):
        with self.lock:
            self.socket.send(text.encode())

    def repeat(self):
        """The last snapshot, as one whose element stands still."""
        while not self.ends.wait(AGAIN_S):
            with self.lock:
                if self.last:
                    self.socket.send(self.last)

    def snapshot(self, width=320, **stats):
        self.at += 1
        text = (f"GstArcMonitorSnapshot, run={written(self.run)}, id=(guint64)1, pid=(int)1, "
                f"process={written(self.name)}, pipeline=(string)p, element=(string)told, "
                f"factory=(string)rmcsink, element-state=(string)PLAYING, at=(guint64){self.at}, "
                f"frames=<[f, width=(uint){width}, height=(uint)180, framerate=(double)10]>, "
                f"stats=[GstRmcSinkStats, {fields({'packets_sent': 0} | stats)}];")
        with self.lock:
            self.last = text.encode()
            self.socket.send(self.last)

    def message(self, kind, text, time=None, number=None):
        self.number = number or self.number + 1
        self.say(f"GstArcMonitorMessage, run={written(self.run)}, id=(guint64)1, "
                 f"number=(guint64){self.number}, time=(guint64){time or self.number}, "
                 f"{fields({'kind': kind, 'text': text})};")

    def close(self):
        self.ends.set()
        self.thread.join()
        self.socket.close()
