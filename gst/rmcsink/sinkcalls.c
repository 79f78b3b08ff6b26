/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* mode=listener: a server of one place (gst/join/joinserver.h). The session begins with the first
 * receiver that calls, and goes on with the next one once that has left or is silent. Nothing
 * leaves while there is none. */

#include "gstrmcsinkprivate.h"

#include "join/jointransport.h"
#include "srtp/secureproof.h"

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

/* --- who may join --- */

static guint
count_places (GstElement * element)
{
  return 1;
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
find_fault (GstElement * element, const JoinCall * call, RcAnswerVerdict * verdict)
{
  GstRmcSink *self = GST_RMC_SINK_CAST (element);
  SecureSettings key = gst_rmc_sink_dup_srtp (self);
  const gchar *fault = secure_proof_check (&key, &call->call);

  if (fault)
    *verdict = RC_ANSWER_STRANGER;
  else if (is_of_other_version (self, call))
    fault = "the receiver before called by another IP version: restart the sender, or use "
        "arcserversink there";
  secure_settings_clear (&key);
  return g_strdup (fault);
}

/* Silent is who does not report: then the next one may have its place. */
static gboolean
is_silent (GstElement * element, JoinGuest * guest)
{
  SendSession *session = session_host_dup_session (&GST_RMC_SINK_CAST (element)->host);
  gboolean silent = session && send_session_is_stopped (session);

  g_clear_pointer (&session, send_session_unref);
  return silent;
}

/* --- who is served --- */

/* FALSE: closed meanwhile. */
static gboolean
begin_session (GstRmcSink * self)
{
  GCancellable *opening;

  LOCK (self);
  opening = self->opening ? g_object_ref (self->opening) : NULL;
  UNLOCK (self);
  if (!opening)
    return FALSE;
  gst_rmc_sink_open_joined (self, opening);
  g_object_unref (opening);
  return TRUE;
}

static void
move (GstElement * element, JoinGuest * guest)
{
  SendSession *session = session_host_dup_session (&GST_RMC_SINK_CAST (element)->host);

  if (session)
    send_session_set_peer (session, guest->from);
  g_clear_pointer (&session, send_session_unref);
}

static gchar *
admit (GstElement * element, JoinGuest * guest, const JoinCall * call, RcAnswerVerdict * verdict)
{
  GstRmcSink *self = GST_RMC_SINK_CAST (element);
  SendSession *session = session_host_dup_session (&self->host);
  gchar *fault = NULL, *name;

  *verdict = RC_ANSWER_LATER;
  if (session)
    join_guest_replace_others (guest);
  else
    fault = join_guest_connect (guest, call);
  if (!fault && !join_guest_enter (guest))
    fault = g_strdup ("it stops");
  if (!fault) {
    gst_rmc_sink_set_guest (self, guest);
    gst_rmc_sink_tell_key (self);
    if (session) {
      send_session_with_transport (session, occupy, self);
      move (element, guest);
    } else if (!begin_session (self)) {
      gst_rmc_sink_set_guest (self, NULL);
      fault = g_strdup ("it stops");
    }
  }
  if (!fault) {
    name = join_guest_name (guest);
    gst_rmc_sink_inform (self, g_strdup_printf ("%s joins: media flows", name));
    g_free (name);
  }
  g_clear_pointer (&session, send_session_unref);
  return fault;
}

static void
leave (GstElement * element, JoinGuest * guest, gboolean lost)
{
  static const gchar *const none[] = { NULL };
  guint missing[1];
  GstRmcSink *self = GST_RMC_SINK_CAST (element);
  SendSession *session = session_host_dup_session (&self->host);
  gchar *name = join_guest_name (guest);

  gst_rmc_sink_inform (self, g_strdup_printf ("%s %s: media stops until another receiver calls",
          name, lost ? "does not report any more" : "has left"));
  g_free (name);
  gst_rmc_sink_set_guest (self, NULL);
  if (session) {
    send_session_survey_paths (session, none, missing);
    send_session_with_transport (session, vacate, self);
  }
  g_clear_pointer (&session, send_session_unref);
}

static const JoinServerFuncs server_funcs = {.count_places = count_places,
  .full = "it serves another receiver, and one at a time; arcserversink serves many",
  .find_fault = find_fault,.admit = admit,.move = move,.leave = leave,.is_silent = is_silent
};

/* --- life --- */

void
gst_rmc_sink_init_calls (GstRmcSink * self)
{
  self->server = join_server_new (GST_ELEMENT (self), GST_BASE_SINK_PAD (self), &server_funcs);
}
