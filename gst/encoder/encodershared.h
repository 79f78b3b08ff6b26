/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What all sinks behind one encoder share of it: made once, kept at the encoder, and never replaced
 * before the encoder is gone. Two sinks that come at the same time get the same one. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* The one of this name: a new reference, which `unref` drops. If there is none yet, `make` makes it
 * (g_atomic_rc_box_new0) under the one lock of all encoders: so it neither reads nor sets a
 * property of the encoder. NULL `make`: NULL if there is none. */
gpointer encoder_shared_of (GstElement * encoder, const gchar * name,
    gpointer (*make) (GstElement * encoder, gconstpointer data), gconstpointer data,
    GDestroyNotify unref);

G_END_DECLS
