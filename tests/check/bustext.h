/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What errors, warnings and infos on a bus say. */
#pragma once

#include <gst/gst.h>

/* Of the next one of these types, within the time; NULL: there is none (g_free). */
gchar *bus_text (GstBus * bus, GstClockTime patience, GstMessageType types);
/* The same, of an element or pipeline that has a bus. */
gchar *element_text (GstElement * element, GstClockTime patience, GstMessageType types);
/* How many of those that wait have this part; all are taken. */
guint bus_count (GstBus * bus, GstMessageType types, const gchar * part);
/* Fails unless the next one comes within the time and has all these parts. */
#define bus_says(bus, patience, types, ...) \
  bus_says_all (bus, patience, types, (const gchar *[]) { __VA_ARGS__, NULL })
void bus_says_all (GstBus * bus, GstClockTime patience, GstMessageType types,
    const gchar * const *parts);
