/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The `mtu` of payloaders upstream, so that no packet travels in fragments: where the user left it
 * at its default, and what was set here before. Of several sinks behind one payloader the smallest
 * size counts. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Payloaders that feed the pad make RTP packets of at most so many bytes, or of their default if
 * that is less. Returns what changed, for the user (g_free); NULL: nothing. */
gchar *packet_size_set (GstPad * sinkpad, guint max_rtp_bytes);

G_END_DECLS
