/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A file that holds a key as hexadecimal digits. Problem: all users of a machine can read command
 * lines, and GStreamer's parser logs them (GST_DEBUG=4). A file has an owner and a mode; the
 * environment, which is the other way, goes on to each child process and into core dumps. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* NULL and *error (GST_RESOURCE_ERROR): it holds none. *warning: others can read it; or NULL. */
GstBuffer *secure_key_file_read (const gchar * path, gchar ** warning, GError ** error);

G_END_DECLS
