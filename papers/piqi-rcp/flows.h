/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Senders and receivers on loopback for experiments with rcprelay. */
#pragma once

#include <gst/gst.h>

/* Playing; NULL: it failed, and was printed. */
GstElement *flows_launch (const gchar * format, ...) G_GNUC_PRINTF (1, 2);
/* As far as READY, so that it soon plays; NULL: it is no pipeline, which was printed. */
GstElement *flows_prepare (const gchar * format, ...) G_GNUC_PRINTF (1, 2);
/* FALSE: it was NULL, or it failed and is NULL now. */
gboolean flows_play (GstElement ** element);
/* One rmcsink, called "sink", that always has something to send to that port. */
GstElement *flows_sender (guint port, const gchar * law, guint64 most_bps,
    const gchar * properties);
GstElement *flows_receiver (guint port);
void flows_stop (GstElement ** element);
/* A number of its `stats`. */
guint64 flows_stat (GstElement * element, const gchar * name);
guint64 flows_sink_stat (GstElement * sender, const gchar * name);
/* CPU time of the thread that paces all relays and rmcsinks, s. */
gdouble flows_pacing_cpu_s (void);
