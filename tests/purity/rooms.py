# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""rooms.py LIB_RC: each room of lib/rc includes only its own headers and those of rooms below it, so there are no circles."""

import re
import sys
from pathlib import Path

BELOW = {
    "base": (),
    "feedback": ("base",),
    "path": ("base", "feedback"),
    "pace": ("base",),
    "sched": ("base",),
    "router": ("base",),
    "law": ("base", "feedback", "path", "router"),
    "sender": ("base", "feedback", "path", "law", "pace"),
}
INCLUDE = re.compile(r'^#include [<"](?:rc/)?(?:(\w+)/)?(\w+\.h)[>"]', re.MULTILINE)


def faults(root):
    for file in sorted(root.glob("*/*.[ch]")):
        room = file.parent.name
        if room not in BELOW:
            yield f"{file.relative_to(root)}: the room {room} is not in tests/purity/rooms.py"
            continue
        for other, header in INCLUDE.findall(file.read_text(encoding="utf-8")):
            if other in BELOW and other != room and other not in BELOW[room]:
                yield f"{file.relative_to(root)} includes {other}/{header}: {room} is not above {other}"
    for file in sorted(root.glob("*.[ch]")):
        yield f"{file.name} is in no room"


found = list(faults(Path(sys.argv[1])))
print("\n".join(found) or "no circles")
sys.exit(bool(found))
