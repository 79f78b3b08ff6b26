# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What goes before the command of an end that encodes or decodes video.

A call that other programs starve of the CPU adapts to the CPU and not to the network. Only root
may raise a priority."""

import os

PRIORITY = () if os.geteuid() else ("nice", "-n", "-10")
