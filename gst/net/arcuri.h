/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* arc://ADDRESS:PORT?encoding-name=H264&payload=96&clock-rate=90000&media=video&latency=200, or
 * arc://ADDRESS:PORT?mode=caller&streamid=TEXT&passphrase=TEXT. A passphrase is read, and never
 * written: neither in a URI that is made here nor in an error. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define ARC_URI_DEFAULT_ADDRESS "0.0.0.0"
#define ARC_URI_DEFAULT_PORT 5004    /* of RTP [RFC 3551 8] */
#define ARC_URI_DEFAULT_CLOCK_RATE 90000
#define ARC_URI_DEFAULT_MEDIA "video"

/* As the values of GstArcMode. */
#define ARC_URI_MODE_CALLER 1
#define ARC_URI_MODE_LISTENER 2

typedef struct
{
  gchar *address;               /* without the brackets of IPv6 */
  guint16 port;
  GstCaps *caps;                /* NULL: the query says nothing of the media */
  gint latency_ms;              /* of the receiver's jitter buffer; -1: not said */
  gint mode;                    /* of the element: ARC_URI_MODE_; 0: not said */
  gchar *stream_id;             /* NULL: not said */
  gchar *passphrase;            /* NULL: not said */
  gchar *paths;                 /* of the sender, as rmcsink's property; NULL: not said */
} ArcUri;

/* FALSE: *error (GST_URI_ERROR) says what is wrong with it and what would be right; *out is
 * empty. */
gboolean arc_uri_parse (const gchar * text, ArcUri * out, GError ** error);
void arc_uri_clear (ArcUri * self);
/* Caps that are not RTP, or NULL, and a latency of -1 make no query. */
gchar *arc_uri_to_string (const gchar * address, guint16 port, const GstCaps * caps,
    gint latency_ms);
/* With mode and stream id behind; takes the URI. 0, NULL: none. */
gchar *arc_uri_add_call (gchar * uri, gint mode, const gchar * stream_id);
/* With the sender's paths behind; takes the URI. NULL or empty: none. */
gchar *arc_uri_add_paths (gchar * uri, const gchar * paths);

G_END_DECLS
