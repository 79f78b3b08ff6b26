/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Whether GStreamer's parser of structures may have a text. It calls itself for each bracket that
 * opens (30 kB of '<' are more than a stack), and takes twice the time for each '[' inside of
 * another (GStreamer 1.22: 24 of them take half a minute). */
#pragma once

#include <glib.h>

/* No brackets in deeper than this. A snapshot has three: statistics, their list, one of it. */
#define NESTING_MAX 6

/* Brackets within quotes, or of which one closes another, are refused, too: GStreamer writes none
 * that is not escaped. */
gboolean nesting_is_shallow (const gchar * text);
