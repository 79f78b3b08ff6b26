/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A pipeline of a launch line whose messages the main loop has. */
#pragma once

#include <gst/gst.h>

/* NULL with *error: the line makes no pipeline, or not a whole one. */
GstElement *launch (const gchar * line, GstBusFunc on_message, gpointer data, GError ** error);
/* No message comes after it. */
void launch_stop (GstElement * pipeline);
/* Where the message is a common sentence of GStreamer's, the last line behind it: it names the
 * file. */
const gchar *launch_reason (const GError * error, const gchar * debug);
