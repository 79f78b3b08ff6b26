/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An RTP packet mapped for reading, with its payload, in a third of the instructions that
 * gst_rtp_buffer_map () and gst_rtp_buffer_get_payload () take, where it is one memory, or its
 * header is one and its payload another, as payloaders make it. */
#pragma once

#include <gst/rtp/gstrtpbuffer.h>

G_BEGIN_DECLS

typedef struct
{
  GstRTPBuffer rtp;             /* for the functions that read one, but gst_rtp_buffer_unmap () */
  guint n_memories;             /* 0: GStreamer has mapped it */
} RtpView;

/* The buffer lives as long as the view. FALSE: no RTP, nothing to close. */
gboolean rtp_view_open (RtpView * self, GstBuffer * buffer);
void rtp_view_close (RtpView * self);

G_END_DECLS
