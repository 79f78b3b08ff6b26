/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* GstArcMode, the type of the properties `mode` of rmcsink and arcsrc; the names are those of SRT.
 * Who listens is called; of a sender and its receiver one does. */
#pragma once

#include <gio/gio.h>
#include <gst/gst.h>

G_BEGIN_DECLS

typedef enum
{
  JOIN_MODE_CALLER = 1,
  JOIN_MODE_LISTENER = 2,
} JoinMode;

GType join_mode_get_type (void);

/* The signal of elements that listen: gchararray (GSocketAddress, gchararray streamid). A text
 * that it returns refuses the caller, and is the reason. */
#define JOIN_SIGNAL_CONNECTING "caller-connecting"
guint join_signal_new (GType element);
/* Why the application refuses, g_free(); NULL: it does not. */
gchar *join_signal_ask (GstElement * element, guint signal, GSocketAddress * from,
    const gchar * stream_id);
/* Whether a list of encoding names, with commas between them, has that of the caps; an empty list,
 * NULL and caps without a name fit. */
gboolean join_takes_caps (const gchar * encodings, const GstCaps * caps);

G_END_DECLS
