#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""causes.py ROOT: docs/guide/operating.md explains the causes of lib/rc/law/cause.c."""

import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
names = set(re.findall(r'\{"([a-z-]+)", "',
                       (root / "lib/rc/law/cause.c").read_text(encoding="utf-8")))
guide = (root / "docs/guide/operating.md").read_text(encoding="utf-8")
table = guide.partition("\n| cause | it says |")[2].partition("\n\n")[0]
told = {name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        for name in re.findall(r"`([a-z-]+)`", row)}
print("only in cause.c:", names - told, "only in the guide:", told - names)
sys.exit(len(names) < 10 or names != told)
