/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Calls, on a worker, one after the other: who is refused, and why. */

#include "gstarcserversinkprivate.h"

guint gst_arc_server_sink_connecting_signal;

static gchar *
find_misfit (GstArcServerSink * self, const gchar * encodings)
{
  GstCaps *caps = gst_pad_get_current_caps (self->sinkpad);
  gchar *fault = NULL;

  if (!join_takes_caps (encodings, caps))
    fault = g_strdup_printf ("the stream is %s, the caller takes %s",
        gst_structure_get_string (gst_caps_get_structure (caps, 0), "encoding-name"), encodings);
  gst_clear_caps (&caps);
  return fault;
}

/* One host gets half of the places at most. */
static gchar *
find_crowd (GstArcServerSink * self, const JoinCall * call)
{
  guint max, n, n_host;
  gboolean replaces;

  GST_OBJECT_LOCK (self);
  max = self->settings.max_viewers;
  GST_OBJECT_UNLOCK (self);
  gst_arc_server_sink_count_viewers (self, call, &n, &n_host, &replaces);
  if (replaces && n <= max)
    return NULL;
  if (n >= max)
    return g_strdup_printf ("it serves %u viewers already, its limit", n);
  if (n_host >= max - max / 2)
    return g_strdup_printf ("it serves %u viewers at this IP address already, half of its limit",
        n_host);
  return NULL;
}

/* NULL: it is served from now on; else why not; g_free(). */
static gchar *
take_new (GstArcServerSink * self, JoinListener * listener, const JoinCall * call,
    RcAnswerVerdict * verdict)
{
  gchar *fault = gst_arc_server_sink_find_stranger (self, &call->call);

  *verdict = RC_ANSWER_REFUSED;
  if (!fault && ((fault = find_crowd (self, call))
          || (fault = gst_arc_server_sink_find_unheard (self, call->from))))
    *verdict = RC_ANSWER_LATER; /* since that may change */
  if (!fault)
    fault = join_signal_ask (GST_ELEMENT (self), gst_arc_server_sink_connecting_signal, call->from,
        call->call.stream_id);
  if (!fault)
    fault = find_misfit (self, call->call.encodings);
  if (!fault)
    fault = gst_arc_server_sink_add_viewer (self, listener, call, verdict);
  return fault;
}

static void
take_join (GstArcServerSink * self, JoinListener * listener, const JoinCall * call)
{
  RcAnswerVerdict verdict = RC_ANSWER_REFUSED;
  gchar *fault;

  if (!gst_arc_server_sink_find_viewer (self, &call->call, &fault)) {
    fault = take_new (self, listener, call, &verdict);
  } else if (!fault) {
    gst_arc_server_sink_clear_address (self, listener, call);
    gst_arc_server_sink_move_viewer (self, call);
  }
  join_listener_answer (listener, call, fault ? verdict : RC_ANSWER_ACCEPTED, fault);
  g_free (fault);
}

static void
take_leave (GstArcServerSink * self, JoinListener * listener, const JoinCall * call)
{
  gchar *fault;

  if (!gst_arc_server_sink_find_viewer (self, &call->call, &fault))
    return;
  if (!fault) {
    join_listener_on_left (listener, call->call.number);
    gst_arc_server_sink_remove_viewer (self, call->call.number, FALSE);
  }
  g_free (fault);
}

static JoinListener *
dup_listener (GstArcServerSink * self)
{
  JoinListener *listener;

  g_mutex_lock (&self->lock);
  listener = self->listener ? join_listener_ref (self->listener) : NULL;
  g_mutex_unlock (&self->lock);
  return listener;
}

static void
take_calls (gpointer sink)
{
  GstArcServerSink *self = sink;
  JoinListener *listener = dup_listener (self);
  JoinCall *call;

  gst_arc_server_sink_remove_lost (self);
  while (listener && (call = join_listener_take (listener))) {
    if (call->call.wish == RC_CALL_LEAVE)
      take_leave (self, listener, call);
    else
      take_join (self, listener, call);
    join_call_free (call);
  }
  g_clear_pointer (&listener, join_listener_unref);
}

void
gst_arc_server_sink_init_calls (GstArcServerSink * self)
{
  work_turns_init (&self->calls, GST_ELEMENT (self), take_calls, self);
}

gboolean
gst_arc_server_sink_listen (GstArcServerSink * self)
{
  JoinListener *listener;
  GError *error = NULL;
  gint qos_dscp;
  gchar *address;
  guint port;

  if (!gst_arc_server_sink_check_key_file (self))
    return FALSE;
  GST_OBJECT_LOCK (self);
  address = g_strdup (self->settings.bind_address);
  port = self->settings.port;
  qos_dscp = self->settings.qos_dscp;
  GST_OBJECT_UNLOCK (self);
  listener = join_listener_open (address, (guint16) port, qos_dscp, work_turns_schedule,
      &self->calls, &error);
  g_free (address);
  if (!listener) {
    GST_ELEMENT_ERROR (self, RESOURCE, OPEN_READ, ("%s", error->message), (NULL));
    g_error_free (error);
    return FALSE;
  }
  g_mutex_lock (&self->lock);
  self->listener = listener;
  self->counts = (ServerCounts) { 0 };
  g_mutex_unlock (&self->lock);
  GST_INFO_OBJECT (self, "waits for calls on UDP port %u", join_listener_port (listener));
  return TRUE;
}

void
gst_arc_server_sink_stop_listening (GstArcServerSink * self)
{
  GstStructure *stats = gst_arc_server_sink_create_stats (self), *before;
  JoinListener *listener;

  g_mutex_lock (&self->lock);
  listener = g_steal_pointer (&self->listener);
  before = self->last_stats;
  self->last_stats = stats;
  g_mutex_unlock (&self->lock);
  gst_arc_server_sink_dismiss_handled (self);
  gst_arc_server_sink_remove_all (self);
  if (listener)
    join_listener_close (listener);
  g_clear_pointer (&listener, join_listener_unref);
  g_clear_pointer (&before, gst_structure_free);
}
