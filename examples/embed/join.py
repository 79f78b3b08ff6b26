#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""A server that viewers join by themselves, in Python; join.c is the same in C.

    join.py [--word=WORD] PORT [SECONDS]
    gst-play-1.0 "arc://SERVER:PORT?mode=caller&streamid=WORD"

Debian: apt-get install python3-gi gir1.2-gst-plugins-base-1.0"""

import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

PIPELINE = ("videotestsrc is-live=true pattern=smpte horizontal-speed=3 ! "
            "video/x-raw,format=I420,width=640,height=360,framerate=25/1 ! queue ! "
            "arcserversink name=server")


def print_viewers(server):
    stats = server.get_property("stats")
    print(f"{stats.get_value('viewers-now')} viewers, {stats.get_value('viewers-joined')} so far",
          flush=True)
    return GLib.SOURCE_CONTINUE


def main():
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    word = next((a.removeprefix("--word=") for a in sys.argv if a.startswith("--word=")), None)
    if not words:
        sys.exit(__doc__)
    Gst.init(None)
    loop = GLib.MainLoop()
    pipeline = Gst.parse_launch(PIPELINE)
    server = pipeline.get_by_name("server")
    server.set_property("port", int(words[0]))
    server.set_property("splitter", Gst.ElementFactory.make("arcladder"))
    server.connect("caller-connecting", lambda _server, _address, stream_id:
                   None if word in (None, stream_id) else "the word is wrong")
    faults = []

    def on_error(_bus, message):
        faults.append(message.parse_error().gerror.message)
        loop.quit()

    def on_element(_bus, message):
        if message.has_name("GstArcServerSinkViewer"):
            what = message.get_structure()
            print(what.get_string("address"), what.get_string("state"), flush=True)

    bus = pipeline.get_bus()
    bus.add_signal_watch()
    bus.connect("message::error", on_error)
    bus.connect("message::element", on_element)
    GLib.timeout_add_seconds(2, print_viewers, server)
    if len(words) > 1:
        GLib.timeout_add_seconds(int(words[1]), loop.quit)
    pipeline.set_state(Gst.State.PLAYING)
    loop.run()
    pipeline.set_state(Gst.State.NULL)
    sys.exit("\n".join(faults) or 0)


if __name__ == "__main__":
    main()
