# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Tables that a command writes into a document, between the marks of their name."""

import re


def put(document, name, table):
    """table: its lines, each with its end."""
    text, count = re.subn(rf"(<!-- begin of {name} -->\n).*?(<!-- end of {name} -->)",
                          lambda found: f"{found[1]}{table}{found[2]}",
                          document.read_text(encoding="utf-8"), flags=re.S)
    if count != 1:
        raise ValueError(f"{document}: no marks of {name}")
    document.write_text(text, encoding="utf-8")
