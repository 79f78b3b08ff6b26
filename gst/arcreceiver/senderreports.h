/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The RTCP sender reports (RFC 3550 6.4.1) in a packet of untrusted bytes. A receiver report
 * answers them, and the sender learns the round-trip time from that. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define SENDER_REPORTS_MAX 16

typedef struct
{
  guint32 ssrc;
  guint64 ntp;                  /* 32.32 s */
} SenderReport;

/* Writes up to SENDER_REPORTS_MAX, returns how many. */
guint sender_reports_read (GstBuffer * buffer, SenderReport * reports);

G_END_DECLS
