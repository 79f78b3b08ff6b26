/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the bins of this plugin are made of. A `bin` is a GstBin. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* A child by its factory; name: NULL: any. NULL: it is not installed, which
 * bin_parts_are_there () reports. */
GstElement *bin_part_make (gpointer bin, const gchar * factory, const gchar * name);
/* For each change of state. FALSE: a part is not installed; an error is on the bus. */
gboolean bin_parts_are_there (gpointer bin);
/* Out of its bin, in NULL. */
void bin_part_take_out (GstElement * part);

/* The bin gets a pad for the part's pad of that name; templ: NULL: any. */
GstPad *bin_part_show (gpointer bin, GstElement * part, const gchar * pad,
    GstStaticPadTemplate * templ);
/* For as long as the pad of that name is there. */
void bin_part_probe (GstElement * part, const gchar * pad, GstPadProbeType mask,
    GstPadProbeCallback callback, gpointer user_data);

G_END_DECLS
