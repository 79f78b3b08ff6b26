# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What gst-arc-monitor shows of a cell: its metrics, and its page in a headless Chromium."""

import ctypes
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from watched import Monitor

ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "eval" / "lab"))
import chromium  # noqa: E402  pylint: disable=wrong-import-position

BUILD = Path(os.environ.get("GST_PLUGIN_PATH_1_0", ROOT / "build" / "gst")).parent
PROGRAM = BUILD / "tools" / "monitor" / "gst-arc-monitor"
PACKETS = re.compile(r"^gst_arc_\w+?_(path_)?packets_sent_total\{(.*)\} (\d+)", re.MULTILINE)
BAD = re.compile(r"\[object \w+\]|\bNaN\b|\bundefined\b|\bnull\b")
PR_SET_PDEATHSIG = 1
# What is seen, and of it what sends: the rate of its card, viewers, rungs and paths.
LOOK = """(() => {
  for (const node of document.querySelectorAll('details')) node.open = true;
  const texts = (selector) => [...document.querySelectorAll(selector)].map((n) => n.innerText);
  const cards = [...document.querySelectorAll('.stream')].filter(
    (card) => card.querySelector('h2').textContent === 'sink');
  return {text: document.body?.innerText ?? '',
    rates: cards.map((card) => card.querySelector('output[data-field=rate]')?.innerText)
      .filter((text) => text?.includes('bit/s')),
    viewers: texts('.viewers tbody tr').filter((text) => text.includes('bit/s')),
    rungs: texts('.rungs tbody tr'), paths: texts('.paths tbody tr')};
})()"""


def why_unavailable(column):
    if not PROGRAM.exists():
        return "there is no gst-arc-monitor: apt-get install libsoup-3.0-dev libjson-glib-dev"
    return chromium.why_unavailable() if column == "page" else None


def end_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Watch:
    """Before GStreamer begins. close() after it."""

    def __init__(self):
        # With a tracer GStreamer does not find what is newer than its registry.
        subprocess.run(["gst-inspect-1.0", "arcsrc"], stdout=subprocess.DEVNULL, check=False)
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.browser, self.processes = None, []
        self.monitor = Monitor(str(PROGRAM), self.folder.name, begin=end_with_parent)
        self.monitor.__enter__()
        os.environ["GST_TRACERS"] = f'arcmonitor(name=cell,socket="{self.monitor.path}")'

    def close(self):
        if self.browser:
            self.browser.call("Browser.close")
            self.browser.close()
        for process in self.processes:
            process.wait()
        self.monitor.__exit__()
        self.folder.cleanup()

    # --- metrics ---

    def sent(self):
        """[{labels: packets} of sessions, the same of paths]. Those of a viewer have one more
        word; what stands before a session, such as a scheduler, is none."""
        found = PACKETS.findall(self.monitor.get("metrics")[1])
        return [{labels: int(n) for path, labels, n in found
                 if bool(path) is paths and 'element="scheduler"' not in labels
                 and 'element="relay"' not in labels} for paths in (False, True)]

    def metrics(self, scene):
        """Each session and each path has its own, and they move."""
        first_s = scene.picture()
        sessions = scene.sessions()
        wanted = [len(sessions), sum(len(session.get("paths", [])) for session in sessions)]
        scene.wait(f"metrics of {wanted[0]} sessions and {wanted[1]} paths that move",
                   lambda: [len(found) for found in self.sent()] == wanted
                   and all(n for found in self.sent() for n in found.values()), seen=self.sent)
        return f"picture after {first_s:.2f} s"

    # --- the page ---

    def start(self, command, **popen):
        self.processes.append(subprocess.Popen(command, preexec_fn=end_with_parent, **popen))

    def page(self, scene):
        """Each session has a rate, each viewer, rung and path a line, and no text is nonsense."""
        first_s = scene.picture()
        self.browser = chromium.Browser(self.start, Path(self.folder.name), "page",
                                        self.monitor.page)
        held = scene.stats(scene.sending, "sink")
        wanted = {"viewers": len(held.get("viewers", [])), "rates": int("viewers" not in held),
                  "rungs": int(scene.text("rungs"))}
        seen = {}

        def shown():
            seen.update(self.browser.run(LOOK))
            return (all(len(seen[name]) == n for name, n in wanted.items())
                    and [text.split()[:2] for text in seen["paths"]]
                    == [[path["path"], path["state"]] for path
                        in scene.stats(scene.sending, "sink").get("paths", [])])

        scene.wait(f"a page with {wanted} and its paths", shown,
                   seen=lambda: {name: texts for name, texts in seen.items() if name != "text"})
        scene.wait("a page without nonsense",
                   lambda: not BAD.search(self.browser.run(LOOK)["text"]),
                   seen=lambda: "… " + "".join(nonsense(self.browser.run(LOOK)["text"])))
        return f"picture after {first_s:.2f} s"


def nonsense(text):
    """Where it is, with what stands before."""
    return [text[max(found.start() - 40, 0):found.end()] for found in BAD.finditer(text)][:3]
