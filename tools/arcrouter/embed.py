#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""embed.py OBJECT HEADER: the bytes of a compiled BPF program as a C array, so that arcrouter is
one file."""

import sys
from pathlib import Path

data = Path(sys.argv[1]).read_bytes()
rows = [", ".join(map(str, data[i:i + 20])) for i in range(0, len(data), 20)]
Path(sys.argv[2]).write_text("static const unsigned char router_object[] = {\n"
                             + ",\n".join(rows) + "\n};\n", encoding="ascii")
