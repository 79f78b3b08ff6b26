/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "senderreporter.h"

#include <rc/ledger/ledgers.h>

#define NTP_OF_1970_S G_GUINT64_CONSTANT (2208988800)
/* rtpsession sends them each 5 s, random up to 7.5 s: two may be lost on their way to us. */
#define OTHERS_SPAN (20 * RC_SECOND)

void
sender_reports_init (SenderReports * self)
{
  gchar *uuid = g_uuid_string_random ();

  *self = (SenderReports) {.n_sources = 0 };
  g_strlcpy (self->cname, uuid, sizeof self->cname);
  g_free (uuid);
}

void
sender_reports_set_caps (SenderReports * self, const GstCaps * caps)
{
  gint clock_rate = 0;

  gst_structure_get_int (gst_caps_get_structure (caps, 0), "clock-rate", &clock_rate);
  self->clock_rate = (guint) MAX (clock_rate, 0);
}

static ReportedSource *
find (SenderReports * self, guint32 ssrc)
{
  for (guint i = 0; i < self->n_sources; i++)
    if (self->sources[i].ssrc == ssrc)
      return &self->sources[i];
  return NULL;
}

/* In the place of the one that is silent for longest, if there is no other. */
static ReportedSource *
add (SenderReports * self, guint32 ssrc)
{
  ReportedSource *source = &self->sources[0];

  if (self->n_sources < RC_LEDGERS_MAX)
    source = &self->sources[self->n_sources++];
  else
    for (guint i = 1; i < RC_LEDGERS_MAX; i++)
      if (self->sources[i].came_at < source->came_at)
        source = &self->sources[i];
  *source = (ReportedSource) {.ssrc = ssrc,.came_at = RC_TIME_NONE,.others_at = RC_TIME_NONE };
  return source;
}

void
sender_reports_on_packet (SenderReports * self, guint32 ssrc, guint32 rtp, RcTime now)
{
  ReportedSource *source = find (self, ssrc);

  if (!source)
    source = add (self, ssrc);
  if (source->came_at != RC_TIME_NONE && source->rtp == rtp)
    return;
  source->rtp = rtp;
  source->came_at = now;
  source->clock_rate = self->clock_rate;
}

void
sender_reports_on_sent (SenderReports * self, guint32 ssrc, guint payload_bytes)
{
  ReportedSource *source = find (self, ssrc);

  if (!source)
    return;
  source->packets++;
  source->octets += payload_bytes;
}

void
sender_reports_on_others (SenderReports * self, guint32 ssrc, RcTime now)
{
  ReportedSource *source = find (self, ssrc);

  if (!source)
    source = add (self, ssrc);
  source->others_at = now;
}

static gboolean
is_ours (const ReportedSource * self, gboolean last, RcTime now)
{
  return self->packets > 0 && self->came_at != RC_TIME_NONE
      && (last || now - self->came_at <= RC_LEDGERS_IDLE_TIME)
      && (self->others_at == RC_TIME_NONE || now - self->others_at > OTHERS_SPAN);
}

static guint64
ntp_of (gint64 wall_ns)
{
  guint64 ns = (guint64) wall_ns;

  return (NTP_OF_1970_S + ns / GST_SECOND) << 32
      | gst_util_uint64_scale (ns % GST_SECOND, G_GUINT64_CONSTANT (1) << 32, GST_SECOND);
}

guint
sender_reports_make (const SenderReports * self, gboolean last, RcTime now, gint64 wall_us,
    RtcpSenderReport * reports)
{
  guint n = 0;

  for (guint i = 0; i < self->n_sources; i++) {
    const ReportedSource *source = &self->sources[i];
    RcTime age = now - source->came_at;

    if (!is_ours (source, last, now))
      continue;
    reports[n++] = (RtcpSenderReport) {
      .ssrc = source->ssrc,
      .ntp = ntp_of (wall_us * 1000 - (source->clock_rate > 0 ? 0 : age)),
      .rtp = source->rtp + (guint32) gst_util_uint64_scale ((guint64) age, source->clock_rate,
          GST_SECOND),
      .packets = source->packets,
      .octets = source->octets,
    };
  }
  return n;
}
