/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Statistics as lines of JSON or CSV. */
#pragma once

#include <gst/gst.h>

/* What is inside of a field has the field's name before its own: out-rtt. csv: the header that was
 * written last, which comes again when the columns change; NULL: JSON. Without an end of line. */
gchar *stat_line (const GstStructure * stats, gchar ** csv);
