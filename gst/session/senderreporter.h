/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the sender reports of a session say (RFC 3550 6.4.1): of each source how much was sent, and
 * which RTP timestamp belongs to which time of the day. No locks: the session's is held.
 *
 * The timestamp of a packet belongs to the time at which it came to the sink, since the sink knows
 * no earlier one; rtpsession does the same by default. A report extends it to its own time by the
 * clock rate of the caps. Where the caps have none (several kinds of media through a rtpfunnel), a
 * report carries the time of the last packet itself, which is correct, though a little old.
 *
 * A source gets none of ours if another sender, as rtpbin, sends reports about it through us. */
#pragma once

#include "rtp/rtcpmessage.h"
#include <rc/feedback/reports.h>

G_BEGIN_DECLS

typedef struct
{
  guint32 ssrc;
  guint32 rtp;                  /* of the last frame that came */
  RcTime came_at;               /* its first packet */
  guint clock_rate;             /* 0: unknown */
  guint32 packets, octets;      /* sent */
  RcTime others_at;             /* another sender reported about it; RC_TIME_NONE: never */
} ReportedSource;

typedef struct
{
  ReportedSource sources[RC_LEDGERS_MAX];
  guint n_sources;
  guint clock_rate;             /* of packets that come */
  gchar cname[40];
} SenderReports;

void sender_reports_init (SenderReports * self);
void sender_reports_set_caps (SenderReports * self, const GstCaps * caps);
/* An RTP packet with this timestamp came to be sent. */
void sender_reports_on_packet (SenderReports * self, guint32 ssrc, guint32 rtp, RcTime now);
void sender_reports_on_sent (SenderReports * self, guint32 ssrc, guint payload_bytes);
/* A report of another sender about a source of ours leaves. */
void sender_reports_on_others (SenderReports * self, guint32 ssrc, RcTime now);
/* The reports that are ours to send now, at most RC_LEDGERS_MAX. last: also of sources that pause.
 * wall_us: time of the day since 1970, us. */
guint sender_reports_make (const SenderReports * self, gboolean last, RcTime now, gint64 wall_us,
    RtcpSenderReport * reports);

G_END_DECLS
