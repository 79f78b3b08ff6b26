# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The parts of ./demo; scripts/demo.py is the way in."""
