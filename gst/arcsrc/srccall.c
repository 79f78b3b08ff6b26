/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* mode=caller: this receiver calls a sender that listens, from the socket to which media comes
 * then. When to call: lib/rc/receiver/caller.h. The reporter calls; a thread of GStreamer's pool
 * looks the host's name up as long as it has no address; answers come in the receiving thread. What
 * comes from elsewhere than from the listener is dropped. */

#include "gstarcsrcprivate.h"

#include "base/clockglue.h"
#include "net/arcuri.h"
#include "net/sameaddress.h"
#include "rtp/rtcpwriter.h"
#include "srtp/secureproof.h"

#include <gst/net/net.h>
#include <string.h>

#define NAME_AT 8               /* of an RTCP APP packet */
#define LOOK_UP_INTERVAL (2 * RC_SECOND)
#define LEAVES 2                /* one may be lost; else the listener waits for our silence */

/* --- the listener's address --- */

/* NULL: the name has none of this family, or nobody knows it now. */
static GSocketAddress *
look_up (const gchar * host, guint16 port, GSocketFamily family)
{
  GResolver *resolver;
  GList *found;
  GSocketAddress *address;

  if (!host || !*host)          /* taken away while the element calls */
    return NULL;
  address = g_inet_socket_address_new_from_string (host, port);
  if (address)
    return address;
  resolver = g_resolver_get_default ();
  found = g_resolver_lookup_by_name (resolver, host, NULL, NULL);
  for (GList * l = found; l && !address; l = l->next)
    if (family == G_SOCKET_FAMILY_INVALID || g_inet_address_get_family (l->data) == family)
      address = g_inet_socket_address_new (l->data, port);
  g_resolver_free_addresses (found);
  g_object_unref (resolver);
  return address;
}

static void
set_listener (GstArcSrc * self, GSocketAddress * address)
{
  GST_OBJECT_LOCK (self);
  g_set_object (&self->listener, address);
  GST_OBJECT_UNLOCK (self);
  peer_set_only (&self->peer, address);
}

/* It leaves as it is: with lines in it, it would be a request in another protocol. */
static gboolean
is_stream_id_text (GstArcSrc * self)
{
  gboolean is_text;

  GST_OBJECT_LOCK (self);
  is_text = !self->stream_id || (g_utf8_validate (self->stream_id, -1, NULL)
      && rc_call_is_text (self->stream_id));
  GST_OBJECT_UNLOCK (self);
  if (!is_text)
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("streamid must be UTF-8 without control "
            "characters"), (NULL));
  return is_text;
}

gboolean
gst_arc_src_find_listener (GstArcSrc * self, gchar ** bind_address)
{
  gchar *host;
  GSocketAddress *address = NULL;
  guint16 port;

  if (!is_stream_id_text (self))
    return FALSE;
  GST_OBJECT_LOCK (self);
  host = g_strdup (self->host);
  port = self->port;
  GST_OBJECT_UNLOCK (self);
  if (!host || !*host || port == 0) {
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("mode=caller needs an address: set host and port "
            "to those of the sender that listens"), (NULL));
    g_free (host);
    return FALSE;
  }
  address = look_up (host, port, G_SOCKET_FAMILY_INVALID);
  set_listener (self, address);
  if (address && g_socket_address_get_family (address) == G_SOCKET_FAMILY_IPV6
      && g_str_equal (*bind_address, ARC_URI_DEFAULT_ADDRESS)) {
    g_free (*bind_address);
    *bind_address = g_strdup ("::");
  }
  g_clear_object (&address);
  g_free (host);
  return TRUE;
}

static void
look_up_again (GstElement * element, gpointer user_data)
{
  GstArcSrc *self = GST_ARC_SRC_CAST (element);
  GSocketAddress *address;
  guint16 port;
  gchar *host;

  GST_OBJECT_LOCK (self);
  host = g_strdup (self->host);
  port = self->port;
  GST_OBJECT_UNLOCK (self);
  address = look_up (host, port, G_SOCKET_FAMILY_IPV4);
  if (address && g_atomic_int_get (&self->calling)) {
    set_listener (self, address);
    reporter_wake (self->reporter);
  }
  g_free (host);
  g_clear_object (&address);
  g_atomic_int_set (&self->looking_up, FALSE);
}

/* A name server may take long, and the reporter has more to do. */
static RcTime
look_up_later (GstArcSrc * self, RcTime now)
{
  if (self->look_up_at != RC_TIME_NONE && now < self->look_up_at)
    return self->look_up_at;
  self->look_up_at = now + LOOK_UP_INTERVAL;
  if (g_atomic_int_compare_and_exchange (&self->looking_up, FALSE, TRUE))
    gst_element_call_async (GST_ELEMENT (self), look_up_again, NULL, NULL);
  return self->look_up_at;
}

/* --- calls --- */

/* The encoding names of the caps that the user set. */
static void
write_encodings (const GstCaps * caps, RcCall * call)
{
  const gchar *name;

  for (guint i = 0; caps && !gst_caps_is_any (caps) && i < gst_caps_get_size (caps); i++) {
    name = gst_structure_get_string (gst_caps_get_structure (caps, i), "encoding-name");
    if (!name || strlen (call->encodings) + strlen (name) + 1 > RC_CALL_ENCODINGS_BYTES) {
      call->encodings[0] = '\0';        /* any */
      return;
    }
    if (call->encodings[0] != '\0')
      g_strlcat (call->encodings, ",", sizeof call->encodings);
    g_strlcat (call->encodings, name, sizeof call->encodings);
  }
}

static GstBuffer *
new_call (GstArcSrc * self, RcCallWish wish)
{
  RcCall call = {.wish = wish };
  SecureSettings secure;

  GST_OBJECT_LOCK (self);
  secure = secure_settings_copy (&self->srtp);
  if (self->secret.key)
    gst_buffer_replace (&secure.file_key, self->secret.key);
  call.number = self->caller.number;
  call.cookie = self->caller.cookie;
  call.max_kbps = (self->max_bps + 999) / 1000;
  if (self->stream_id)
    g_strlcpy (call.stream_id, self->stream_id, sizeof call.stream_id);
  write_encodings (self->caps, &call);
  GST_OBJECT_UNLOCK (self);
  if (secure.key || secure.file_key)
    secure_proof_write (&secure, &call);
  secure_settings_clear (&secure);
  return rtcp_new_call (&call);
}

static void
send_call (GstArcSrc * self, RcCallWish wish)
{
  GstBuffer *buffer = new_call (self, wish);
  const LocalAddress any = { 0 };
  GSocketAddress *to;

  GST_OBJECT_LOCK (self);
  to = self->listener ? g_object_ref (self->listener) : NULL;
  GST_OBJECT_UNLOCK (self);
  if (to)
    peer_send_to (&self->peer, to, &any, buffer, TRUE);
  g_clear_object (&to);
  gst_buffer_unref (buffer);
}

static RcTime
on_due (gpointer user_data)
{
  GstArcSrc *self = user_data;
  RcTime now = clock_glue_monotonic (), next_at = RC_TIME_NONE, media_at;
  gboolean known, due = FALSE;

  if (!g_atomic_int_get (&self->calling))
    return RC_TIME_NONE;
  if (!gst_arc_src_may_call (self, now, &next_at))
    return next_at;
  media_at = now - clock_glue_from_gst (peer_wait (&self->peer).silence);
  GST_OBJECT_LOCK (self);
  known = self->listener != NULL;
  if (known)
    due = rc_caller_must_call (&self->caller, media_at, now, &next_at);
  GST_OBJECT_UNLOCK (self);
  if (due)
    send_call (self, RC_CALL_JOIN);
  return known ? next_at : look_up_later (self, now);
}

/* --- answers --- */

static void
tell_refusal (GstArcSrc * self, const gchar * reason)
{
  gchar *text = g_utf8_make_valid (reason, -1), *uri;
  gboolean unsalted;

  GST_OBJECT_LOCK (self);
  unsalted = self->secret.key && !call_secret_is_salted (&self->secret);
  GST_OBJECT_UNLOCK (self);
  uri = gst_uri_handler_get_uri (GST_URI_HANDLER (self));
  GST_ELEMENT_ERROR (self, RESOURCE, NOT_AUTHORIZED, ("%s refuses this receiver: %s%s", uri,
          *text ? text : "no reason given", unsalted ? ". The sender has no passphrase, or a "
          "version of gst-arc that knows none" : ""), (NULL));
  g_free (uri);
  g_free (text);
}

/* Once. */
static void
tell_later (GstArcSrc * self, const gchar * reason)
{
  gchar *text, *uri;

  self->put_off = TRUE;
  if (self->later_told)
    return;
  self->later_told = TRUE;
  text = g_utf8_make_valid (reason, -1);
  uri = gst_uri_handler_get_uri (GST_URI_HANDLER (self));
  GST_ELEMENT_WARNING (self, RESOURCE, BUSY, ("%s has no media for this receiver yet, and is "
          "called again until it has: %s", uri, text), (NULL));
  g_free (uri);
  g_free (text);
}

static gboolean
is_answer (GstBuffer * buffer)
{
  guint8 head[NAME_AT + 4];

  return gst_buffer_extract (buffer, 0, head, sizeof head) == sizeof head
      && rtcp_is_rtcp (head, sizeof head) && memcmp (head + NAME_AT, RC_ANSWER_NAME, 4) == 0;
}

static gboolean
is_from_listener (GstArcSrc * self, GstBuffer * buffer)
{
  GstNetAddressMeta *meta = gst_buffer_get_net_address_meta (buffer);
  gboolean from;

  GST_OBJECT_LOCK (self);
  from = meta && self->listener && same_address (meta->addr, self->listener);
  GST_OBJECT_UNLOCK (self);
  return from;
}

/* With the object lock. A salt that somebody made up would end the key by which media comes; of a
 * real one that media ends first. */
static gboolean
take_salt (GstArcSrc * self, const RcAnswer * answer, RcTime silence)
{
  RcCallerState state = self->caller.state;

  if (answer->number != self->caller.number || answer->verdict != RC_ANSWER_COOKIE)
    return TRUE;
  if (call_secret_is_other (&self->secret, answer) && (state == RC_CALLER_REFUSED
          || (state == RC_CALLER_ACCEPTED && silence < RC_CALLER_PATIENCE)))
    return FALSE;
  call_secret_take_answer (&self->secret, answer);
  return TRUE;
}

gboolean
gst_arc_src_take_answer (GstArcSrc * self, GstBuffer * buffer)
{
  RcCallerState state;
  RtcpMessage message;
  gboolean news;
  RcTime silence;

  if (!g_atomic_int_get (&self->calling) || !is_answer (buffer))
    return FALSE;
  if (!is_from_listener (self, buffer)
      || rtcp_message_read_buffer (&message, buffer) != RTCP_VALID || !message.answered)
    return TRUE;
  silence = clock_glue_from_gst (peer_wait (&self->peer).silence);
  GST_OBJECT_LOCK (self);
  news = take_salt (self, &message.answer, silence)
      && rc_caller_on_answer (&self->caller, &message.answer, clock_glue_monotonic ());
  state = self->caller.state;
  GST_OBJECT_UNLOCK (self);
  self->put_off &= !(news && state == RC_CALLER_ACCEPTED);
  if (message.answer.verdict == RC_ANSWER_LATER && message.answer.number == self->caller.number)
    tell_later (self, message.answer.reason);
  if (news && state == RC_CALLER_REFUSED)
    tell_refusal (self, message.answer.reason);
  else if (news && state == RC_CALLER_ACCEPTED)
    GST_INFO_OBJECT (self, "the listener accepts");
  if (news)
    reporter_wake (self->reporter);
  return TRUE;
}

/* --- life --- */

void
gst_arc_src_init_calls (GstArcSrc * self)
{
  reporter_add (self->reporter, (ReporterTask) { on_due, self, TRUE });
}

void
gst_arc_src_clear_calls (GstArcSrc * self)
{
  g_clear_object (&self->listener);
}

void
gst_arc_src_start_calls (GstArcSrc * self)
{
  guint64 number = (guint64) g_random_int () << 32 | g_random_int ();

  self->later_told = self->put_off = self->called = FALSE;
  self->look_up_at = RC_TIME_NONE;
  GST_OBJECT_LOCK (self);
  rc_caller_init (&self->caller, number ? number : 1, clock_glue_monotonic ());
  GST_OBJECT_UNLOCK (self);
}

void
gst_arc_src_begin_calls (GstArcSrc * self)
{
  if (!gst_arc_src_calls (self))
    return;
  g_atomic_int_set (&self->calling, TRUE);
  reporter_wake (self->reporter);
}

void
gst_arc_src_stop_calls (GstArcSrc * self)
{
  self->called = g_atomic_int_compare_and_exchange (&self->calling, TRUE, FALSE);
}

void
gst_arc_src_leave (GstArcSrc * self)
{
  if (self->called && self->caller.cookie != 0 && self->caller.state != RC_CALLER_REFUSED)
    for (guint i = 0; i < LEAVES; i++)
      send_call (self, RC_CALL_LEAVE);
  self->called = FALSE;
}
