#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""A script of `meson dist`: the archive has no debian/, which Debian adds (3.0 (quilt))."""

import os
import shutil
from pathlib import Path

shutil.rmtree(Path(os.environ["MESON_DIST_ROOT"], "debian"))
