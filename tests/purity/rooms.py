# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""rooms.py LIB_RC GST: each room (folder) of lib/rc and of gst includes only its own headers and
those of rooms below it, so there are no circles. A room that is not in the tables fails: say
here what it may use."""

import re
import sys
from pathlib import Path

LIB_RC = {
    "base": (),
    "loss": ("base",),
    "feedback": ("base",),
    "ledger": ("base", "loss", "feedback"),
    "receiver": ("base", "loss", "feedback"),
    "keyframe": ("base",),
    "fec": ("base",),
    "path": ("base", "loss", "feedback"),
    "pace": ("base",),
    "sched": ("base",),
    "router": ("base",),
    "scale": ("base",),
    "ladder": ("base",),
    "law": ("base", "loss", "feedback", "path"),
    "lanes": ("base",),
    "sender": ("base", "feedback", "ledger", "path", "law", "pace", "lanes"),
    "trace": ("base", "law", "lanes", "sender"),
    "uplink": ("base", "feedback", "ledger", "path", "law"),
}
GST = {
    "arc": (),
    "base": (),
    "net": ("base",),
    "rtp": ("base",),
    "srtp": ("base", "net", "rtp"),
    "encoder": ("base",),
    "arcscale": ("base", "encoder"),
    "arcladder": ("base", "rtp", "encoder"),
    "monitor": ("base", "encoder"),
    "pacing": ("base", "net", "rtp"),
    "arcreceiver": ("base", "net", "rtp"),
    "join": ("base", "net", "rtp", "srtp"),
    "arcsrc": ("base", "net", "rtp", "srtp", "join", "arcreceiver"),
    "session": ("base", "net", "rtp", "encoder", "pacing"),
    "rmcsink": ("base", "net", "rtp", "srtp", "join", "encoder", "pacing", "session"),
    "arcserversink": ("base", "net", "rtp", "srtp", "join", "encoder", "pacing", "session",
                      "rmcsink"),
    "rampscheduler": ("base", "net", "rtp", "encoder", "pacing"),
    "arcav": ("base", "net", "rtp", "srtp", "join", "encoder", "pacing", "session", "arcreceiver",
              "arcsrc", "rmcsink", "rampscheduler"),
    "rcprelay": ("base", "net", "rtp", "pacing"),
    "rtparcbwe": ("base", "net", "rtp", "encoder", "pacing", "session"),
}
INCLUDE = re.compile(r'^#include ([<"])(?:rc/)?(?:(\w+)/)?(\w+\.h)[>"]', re.MULTILINE)


def includes(root, file):
    """The headers below root that the file includes, as (room, header)."""
    for bracket, room, header in INCLUDE.findall(file.read_text(encoding="utf-8")):
        room = room or (file.parent.name if bracket == '"' else "")
        if (root / room / header).exists():
            yield room, header


def faults(root, below, outside=()):
    for file in sorted(root.glob("*/*.[ch]")):
        room, name = file.parent.name, file.relative_to(root)
        if room not in below:
            yield f"{name}: the room {room} is not in tests/purity/rooms.py"
            continue
        for other, header in includes(root, file):
            if other and other != room and other not in below[room]:
                yield f"{name} includes {other}/{header}: {room} is not above {other}"
    for file in sorted(root.glob("*.[ch]")):
        if file.name not in outside:
            yield f"{file.name} is in no room"


lib_rc, gst = (Path(a) for a in sys.argv[1:])
found = [*faults(lib_rc, LIB_RC), *faults(gst, GST, outside=("plugin.c",))]
print("\n".join(found) or "no circles")
sys.exit(bool(found))
