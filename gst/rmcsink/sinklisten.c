/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The port of mode=listener, and who is served. What calls bring about is in sinkcalls.c. */

#include "gstrmcsinkprivate.h"

#define LOCK GST_OBJECT_LOCK
#define UNLOCK GST_OBJECT_UNLOCK

void
gst_rmc_sink_set_caller (GstRmcSink * self, guint64 number, gchar * name, guint max_kbps)
{
  gchar *before;

  LOCK (self);
  before = self->caller_name;
  self->caller = number;
  self->caller_name = name;
  UNLOCK (self);
  g_free (before);
  session_host_set_most (&self->host, (guint64) max_kbps * 1000);
}

void
gst_rmc_sink_lose_caller (GstRmcSink * self)
{
  g_atomic_int_set (&self->caller_lost, TRUE);
  work_turns_schedule (&self->calls);
}

gboolean
gst_rmc_sink_is_called (GstRmcSink * self)
{
  gboolean called;

  LOCK (self);
  called = self->served || self->listener;
  UNLOCK (self);
  return called;
}

JoinListener *
gst_rmc_sink_dup_listener (GstRmcSink * self)
{
  JoinListener *listener;

  LOCK (self);
  listener = self->listener ? join_listener_ref (self->listener) : NULL;
  UNLOCK (self);
  return listener;
}

gboolean
gst_rmc_sink_listen (GstRmcSink * self, GError ** error)
{
  UdpSocketConfig config = gst_rmc_sink_dup_config (self);
  JoinListener *listener = join_listener_open (config.bind_address, (guint16) config.port,
      config.qos_dscp, work_turns_schedule, &self->calls, error);

  gst_rmc_sink_clear_config (&config);
  if (!listener)
    return FALSE;
  gst_rmc_sink_set_caller (self, 0, NULL, 0);
  g_atomic_int_set (&self->caller_lost, FALSE);
  LOCK (self);
  self->listener = listener;
  self->opening = g_cancellable_new ();
  self->unreachable = TRUE;
  UNLOCK (self);
  GST_INFO_OBJECT (self, "waits for a call on UDP port %u", join_listener_port (listener));
  return TRUE;
}

/* After the session, which hands calls to the listener. The port is free then: a thread that is
 * about to open a session by the socket finds it closed. */
void
gst_rmc_sink_stop_listening (GstRmcSink * self)
{
  JoinListener *listener;
  GSocket *socket;

  LOCK (self);
  listener = g_steal_pointer (&self->listener);
  socket = g_steal_pointer (&self->join_socket);
  UNLOCK (self);
  if (listener && !self->served)
    join_listener_close (listener);
  g_clear_pointer (&listener, join_listener_unref);
  if (socket)
    g_socket_close (socket, NULL);
  g_clear_object (&socket);
}

void
gst_rmc_sink_add_caller_stats (GstRmcSink * self, GstStructure * s)
{
  JoinListener *listener = gst_rmc_sink_dup_listener (self);
  JoinStats stats = { 0 };

  if (listener && !self->served)
    stats = join_listener_stats (listener);
  fields_add (s, join_fields, &stats);
  g_clear_pointer (&listener, join_listener_unref);
}
