/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* mode=listener: the receiver calls. One at a time: the session begins with the first call, and
 * goes on with the next receiver once the one before has left or is silent. Calls are answered on a
 * worker, one after the other. Nothing leaves while there is no receiver. */

#include "gstrmcsinkprivate.h"

#include "net/sameaddress.h"

#include "sinkserve.h"

#include "join/jointransport.h"
#include "srtp/secureproof.h"

guint gst_rmc_sink_connecting_signal;

#define LOCK GST_OBJECT_LOCK
#define UNLOCK GST_OBJECT_UNLOCK

static void
vacate (Transport * transport, gpointer self)
{
  join_transport_set_vacant (((GstRmcSink *) self)->join, TRUE);
}

static void
occupy (Transport * transport, gpointer self)
{
  join_transport_set_vacant (((GstRmcSink *) self)->join, FALSE);
}

static gchar *
describe (const JoinCall * call)
{
  gchar *from = g_socket_connectable_to_string (G_SOCKET_CONNECTABLE (call->from));
  gchar *text = *call->call.stream_id
      ? g_strdup_printf ("%s (stream id \"%s\")", from, call->call.stream_id) : g_strdup (from);

  g_free (from);
  return text;
}

static void
lose_caller (GstRmcSink * self, const gchar * why)
{
  SendSession *session = session_host_dup_session (&self->host);

  if (self->caller != 0) {
    gst_rmc_sink_inform (self, g_strdup_printf ("%s %s: media stops until another receiver calls",
            self->caller_name, why));
    gst_rmc_sink_set_caller (self, 0, NULL, 0);
    if (session)
      send_session_with_transport (session, vacate, self);
  }
  g_clear_pointer (&session, send_session_unref);
}

/* --- the checks; NULL: welcome --- */

static gchar *
find_misfit (GstRmcSink * self, const gchar * encodings)
{
  GstCaps *caps = gst_pad_get_current_caps (GST_BASE_SINK_PAD (self));
  gchar *fault = NULL;

  if (!join_takes_caps (encodings, caps))
    fault = g_strdup_printf ("the stream is %s, the caller takes %s",
        gst_structure_get_string (gst_caps_get_structure (caps, 0), "encoding-name"), encodings);
  gst_clear_caps (&caps);
  return fault;
}

gchar *
gst_rmc_sink_check_key (GstRmcSink * self, const RcCall * call)
{
  SecureSettings settings;
  gchar *fault = g_strdup (gst_rmc_sink_read_srtp_again (self, &settings)
      ? secure_proof_check (&settings, call) : "the srtp-key of the sender cannot be read");

  secure_settings_clear (&settings);
  return fault;
}

/* Silent is who does not report: then the next one may have its place. */
static gboolean
is_silent (GstRmcSink * self)
{
  SendSession *session = session_host_dup_session (&self->host);
  gboolean silent = session && send_session_is_stopped (session);

  g_clear_pointer (&session, send_session_unref);
  return silent;
}

/* A socket is of one IP version, and the session goes on by it. */
static gboolean
is_of_other_version (GstRmcSink * self, const JoinCall * call)
{
  SendSession *session = session_host_dup_session (&self->host);
  GSocketAddress *peer = session ? send_session_get_peer (session) : NULL;
  gboolean other = peer
      && g_socket_address_get_family (peer) != g_socket_address_get_family (call->from);

  g_clear_object (&peer);
  g_clear_pointer (&session, send_session_unref);
  return other;
}

static gchar *
find_fault (GstRmcSink * self, const JoinCall * call)
{
  gchar *fault;

  if (is_of_other_version (self, call))
    return g_strdup ("the receiver before called by another IP version: start the sender anew, or "
        "use arcserversink there");
  fault = join_signal_ask (GST_ELEMENT (self), gst_rmc_sink_connecting_signal, call->from,
      call->call.stream_id);
  if (!fault)
    fault = find_misfit (self, call->call.encodings);
  return fault ? fault : gst_rmc_sink_check_key (self, &call->call);
}

/* --- calls --- */

/* FALSE and *error: the first receiver cannot be served. */
static gboolean
begin_session (GstRmcSink * self, JoinListener * listener, const JoinCall * call, GError ** error)
{
  GCancellable *opening;
  gboolean wanted;

  LOCK (self);
  opening = self->opening ? g_object_ref (self->opening) : NULL;
  wanted = opening && self->listener == listener
      && (self->join_socket = join_listener_connect (listener, call, error));
  UNLOCK (self);
  if (wanted)
    gst_rmc_sink_open_joined (self, opening);
  g_clear_object (&opening);
  return wanted;
}

static void
move_session (GstRmcSink * self, SendSession * session, const JoinCall * call)
{
  GSocketAddress *peer = send_session_get_peer (session);
  gchar *name = describe (call);

  send_session_with_transport (session, occupy, self);
  if (self->caller != call->call.number || (peer && !same_address (peer, call->from))) {
    GST_INFO_OBJECT (self, "the receiver is %s now", name);
    send_session_set_peer (session, call->from);
  }
  g_clear_object (&peer);
  g_free (name);
}

static void
accept_call (GstRmcSink * self, JoinListener * listener, const JoinCall * call)
{
  SendSession *session = session_host_dup_session (&self->host);
  gboolean fresh = self->caller != call->call.number;
  GError *error = NULL;

  if (session)
    move_session (self, session, call);
  else if (!begin_session (self, listener, call, &error))
    GST_WARNING_OBJECT (self, "%s", error ? error->message : "closed meanwhile");
  if (fresh && !error) {
    gst_rmc_sink_set_caller (self, call->call.number, describe (call), call->call.max_kbps);
    gst_rmc_sink_inform (self, g_strdup_printf ("%s joins: media flows", self->caller_name));
  }
  join_listener_answer (listener, call, error ? RC_ANSWER_LATER : RC_ANSWER_ACCEPTED,
      error ? error->message : NULL);
  g_clear_error (&error);
  g_clear_pointer (&session, send_session_unref);
}

static void
take_call (GstRmcSink * self, JoinListener * listener, const JoinCall * call)
{
  gboolean present = self->caller == call->call.number;
  gchar *fault = NULL;

  if (call->call.wish == RC_CALL_LEAVE) {
    fault = present ? gst_rmc_sink_check_key (self, &call->call) : NULL;
    if (present && !fault) {
      join_listener_on_left (listener, call->call.number);
      lose_caller (self, "has left");
    }
    g_free (fault);
    return;
  }
  if (!present && self->caller != 0 && !is_silent (self)) {
    join_listener_answer (listener, call, RC_ANSWER_LATER, "it serves another receiver, and one at "
        "a time; arcserversink serves many");
    return;
  }
  fault = present ? gst_rmc_sink_check_key (self, &call->call) : find_fault (self, call);
  if (fault)
    join_listener_answer (listener, call, RC_ANSWER_REFUSED, fault);
  else
    accept_call (self, listener, call);
  g_free (fault);
}

/* On a worker. */
static void
take_calls (gpointer sink)
{
  GstRmcSink *self = sink;
  JoinListener *listener = gst_rmc_sink_dup_listener (self);
  JoinCall *call;

  if (listener && g_atomic_int_compare_and_exchange (&self->caller_lost, TRUE, FALSE))
    lose_caller (self, "does not report any more");
  while (listener && (call = join_listener_take (listener))) {
    take_call (self, listener, call);
    join_call_free (call);
  }
  g_clear_pointer (&listener, join_listener_unref);
}

/* --- life --- */

void
gst_rmc_sink_init_calls (GstRmcSink * self)
{
  work_turns_init (&self->calls, GST_ELEMENT (self), take_calls, self);
}
