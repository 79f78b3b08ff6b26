/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* IN and OUT as lines for gst_parse_launch: of a URI, a file, or "-" for the standard input and
 * output. The end itself is the element `in` or `out`. */
#pragma once

#include <gst/gst.h>

gboolean end_is_network (const gchar * text);
/* Whose element waits without a word. */
gboolean end_is_udp (const gchar * text);
/* Without the query, in which a passphrase may be (g_free). */
gchar *end_place (const gchar * text);
/* It is called, and its element does not say so. */
gboolean end_is_called (const gchar * text, GstURIType type);
/* Of arc:// and srt://, whose elements would find a wrong URI at each start. FALSE: *error says
 * why. */
gboolean end_check (const gchar * text, GstURIType type, GError ** error);
/* NULL: *error says why it is none. properties: more for the element, as gst-launch-1.0 has
 * them. */
gchar *end_in (const gchar * text, const gchar * properties, GError ** error);
/* adapt: a sender sets the encoder; start_bps: with which it begins. */
gchar *end_out (const gchar * text, const gchar * properties, gboolean adapt, guint start_bps,
    GError ** error);
