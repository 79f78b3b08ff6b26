/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The text of a snapshot or a message. Problem: GStreamer's parser looks for the end of a structure
 * within another without regard to quotes, and what is larger than a socket's buffer does not
 * leave. So one viewer of a server by its stream id, or 60 of them, hid the whole server from the
 * monitor. Rule: in texts whose brackets do not match they become round ones. Of a viewer's sink
 * only what a monitor shows is told, 0.5 kB of 2.5; beyond SNAPSHOT_TEXT_MAX lists are cut, that of
 * viewers to those who get the least. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define SNAPSHOT_TEXT_MAX 196608        /* of the 212992 bytes of a socket's buffer in Linux */

/* g_free(); changes the texts in it. */
gchar *snapshot_text_new (GstStructure * s);

G_END_DECLS
