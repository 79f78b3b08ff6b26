/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Values of a structure's fields. */
#pragma once

#include <gst/gst.h>

/* FALSE: no number. Booleans are 0 and 1. */
gboolean field_value_to_number (const GValue * value, gdouble * number);
