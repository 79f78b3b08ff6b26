/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Who called: the guest of this element's own server (mode=listener), or of an arcserversink's. */

#include "gstrmcsinkprivate.h"

#include "sinkserve.h"

#define LOCK GST_OBJECT_LOCK
#define UNLOCK GST_OBJECT_UNLOCK

JoinGuest *
gst_rmc_sink_dup_guest (GstRmcSink * self)
{
  JoinGuest *guest;

  LOCK (self);
  guest = self->guest ? join_guest_ref (self->guest) : NULL;
  UNLOCK (self);
  return guest;
}

void
gst_rmc_sink_set_guest (GstRmcSink * self, JoinGuest * guest)
{
  JoinGuest *before;

  LOCK (self);
  before = self->guest;
  self->guest = guest ? join_guest_ref (guest) : NULL;
  UNLOCK (self);
  g_clear_pointer (&before, join_guest_unref);
  session_host_set_bound (&self->host, guest ? (guint64) guest->max_kbps * 1000 : 0);
}

gboolean
gst_rmc_sink_lose_guest (GstRmcSink * self)
{
  JoinGuest *guest = gst_rmc_sink_dup_guest (self);

  if (guest)
    join_guest_lose (guest);
  g_clear_pointer (&guest, join_guest_unref);
  return gst_rmc_sink_is_called (self);
}

guint
gst_rmc_sink_called_port (GstRmcSink * self)
{
  return join_server_port (self->server);
}

gboolean
gst_rmc_sink_is_called (GstRmcSink * self)
{
  return self->served || gst_rmc_sink_called_port (self) != 0;
}

/* --- life --- */

/* After the session, which hands calls to the listener. */
void
gst_rmc_sink_stop_listening (GstRmcSink * self)
{
  join_server_close (self->server);
  gst_rmc_sink_set_guest (self, NULL);
}

void
gst_rmc_sink_add_caller_stats (GstRmcSink * self, GstStructure * s)
{
  JoinCounts counts;
  JoinStats stats = join_server_get_stats (self->server, &counts);

  fields_add (s, join_fields, &stats);
}
