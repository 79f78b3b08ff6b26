/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Requests for keyframes in RTCP, by GStreamer's RTCP helpers: PLI (RFC 4585 6.3.1) and FIR (RFC
 * 5104 4.3.1). */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define KEYFRAME_RTCP_MAX 32    /* in one compound packet; more are refused */

typedef struct
{
  guint32 from;                 /* SSRC of who asks */
  guint32 ssrc;                 /* of the media */
  gboolean fir;
  guint8 number;                /* of a FIR: its repetitions have the same */
} KeyframeRtcp;

/* Returns how many; -1: one in it is malformed, or there are too many. The buffer is RTCP. */
gint keyframe_rtcp_read (GstBuffer * buffer, KeyframeRtcp out[KEYFRAME_RTCP_MAX]);
/* RTCP packets, which may follow others in a compound packet; n in 1..KEYFRAME_RTCP_MAX. */
GstBuffer *keyframe_rtcp_new (const KeyframeRtcp * requests, guint n);
/* A copy without requests for keyframes; NULL: nothing else was in it. */
GstBuffer *keyframe_rtcp_without (GstBuffer * buffer);

G_END_DECLS
