/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* SRTP of the element: when it begins, what comes, and a new key while it plays. */

#include "gstarcsrcprivate.h"

#include "base/clockglue.h"
#include "srtp/securetransport.h"

#include <gst/net/net.h>

/* With what is known of the passphrase, which the listener's salt is needed for. */
static gboolean
find_key (GstArcSrc * self, SecureSettings * settings, GError ** error)
{
  gchar *warning;
  gboolean calls;

  GST_OBJECT_LOCK (self);
  calls = self->mode == JOIN_MODE_CALLER;
  *settings = secure_settings_copy (&self->srtp);
  gst_buffer_replace (&settings->file_key, self->secret.key);
  GST_OBJECT_UNLOCK (self);
  if (calls)
    return secure_settings_find_key (settings, &warning, error);
  g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "passphrase needs a "
      "sender that listens: set mode=caller here and mode=listener at rmcsink, or srtp-key-file at "
      "both ends");
  return FALSE;
}

static gboolean
read_settings (GstArcSrc * self, SecureSettings * settings, GError ** error)
{
  gboolean has_passphrase;

  GST_OBJECT_LOCK (self);
  call_secret_begin (&self->secret, &self->srtp);
  has_passphrase = self->srtp.passphrase != NULL;
  GST_OBJECT_UNLOCK (self);
  return has_passphrase ? find_key (self, settings, error)
      : secure_settings_read (&self->srtp, self, TRUE, settings, error);
}

gboolean
gst_arc_src_begin_srtp (GstArcSrc * self)
{
  SecureContext *before = peer_dup_secure (&self->peer), *context = NULL;
  SecureSettings settings;
  GError *error = NULL;
  gboolean ok = read_settings (self, &settings, &error);

  /* It knows what came before, so a recording of that has no effect now. */
  if (ok && before && secure_context_fits (before, &settings))
    context = secure_context_ref (before);
  else if (ok && settings.key)
    context = secure_context_new (&settings, FALSE, &error);
  secure_settings_clear (&settings);
  peer_set_secure (&self->peer, context);
  g_clear_pointer (&context, secure_context_unref);
  g_clear_pointer (&before, secure_context_unref);
  if (!error)
    return TRUE;
  GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("%s", error->message), (NULL));
  g_error_free (error);
  return FALSE;
}

/* FALSE: it is encrypted and must be dropped; the user is warned once. */
static gboolean
admit_plain (GstArcSrc * self, GstBuffer * buffer, const LocalAddress * local,
    RtcpMessage * message)
{
  GstNetAddressMeta *meta = gst_buffer_get_net_address_meta (buffer);
  RcTime now = clock_glue_monotonic ();
  gboolean admitted;
  SealKind kind;

  rtcp_message_read_buffer (message, buffer);
  kind = seal_watch_classify (message);
  if (meta && seal_watch_holds (&self->seals, meta->addr, kind, now)) {
    GST_OBJECT_LOCK (self);
    self->sealed_pkts++;
    GST_OBJECT_UNLOCK (self);
    peer_check_silence (&self->peer);
    if (!self->seals.told)
      GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("the sender encrypts (SRTP), but arcsrc has "
              "no key: set the srtp-key of the sender here too"), (NULL));
    self->seals.told = self->wait_told = TRUE;
    return FALSE;
  }
  admitted = peer_admit (&self->peer, buffer, local, message, NULL);
  if (admitted && meta)
    seal_watch_on_admitted (&self->seals, meta->addr, kind);
  return admitted;
}

GstBuffer *
gst_arc_src_admit (GstArcSrc * self, GstBuffer * buffer, const LocalAddress * local,
    RtcpMessage * message)
{
  SecureContext *secure = self->peer.secure;
  const gchar *warning;
  SecureArrival arrival;
  gboolean own;                 /* a copy, since we asked for it again */

  if (!secure) {
    if (!admit_plain (self, buffer, local, message))
      gst_clear_buffer (&buffer);
  } else {
    buffer = secure_transport_open (secure, buffer, &arrival);
    own = !buffer && arrival.copy && meter_take_copy (self->meter, arrival.ssrc, arrival.seq);
    if (!buffer && !own)
      secure_context_count_copy (secure, &arrival);
    warning = secure_context_take_warning (secure);
    if (warning)
      GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("%s", warning), (NULL));
    if (own) {
      GST_LOG_OBJECT (self, "a repair of %u came again", arrival.seq);
    } else if (!buffer) {
      peer_check_silence (&self->peer);
      gst_arc_src_on_rejected (self);
    } else {
      rtcp_message_read_buffer (message, buffer);
      if (!peer_admit (&self->peer, buffer, local, message, &arrival))
        gst_clear_buffer (&buffer);
    }
  }
  return buffer;
}

/* --- the passphrase of a caller --- */

/* On a thread of the pool. */
static void
derive (GstElement * element, gpointer user_data)
{
  GstArcSrc *self = GST_ARC_SRC_CAST (element);
  RcTime began_at = clock_glue_monotonic ();
  CallSecretWork *work = user_data;

  call_secret_derive (work);
  GST_OBJECT_LOCK (self);
  call_secret_take_work (&self->secret, &self->srtp, work, began_at, clock_glue_monotonic ());
  GST_OBJECT_UNLOCK (self);
  reporter_wake (self->reporter);
}

/* Media under the new key may come from now on. */
static void
take_fresh_key (GstArcSrc * self)
{
  SecureContext *context = NULL;
  SecureSettings settings = { 0 };
  GError *error = NULL;
  gboolean fresh;

  GST_OBJECT_LOCK (self);
  fresh = self->secret.fresh;
  self->secret.fresh = FALSE;
  if (fresh) {
    settings = secure_settings_copy (&self->srtp);
    gst_buffer_replace (&settings.key, self->secret.key);
  }
  GST_OBJECT_UNLOCK (self);
  if (fresh && (context = peer_dup_secure (&self->peer))
      && !secure_context_rekey (context, &settings, &error))
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("the sender has a salt of before, whose key "
            "cannot be used again: stop this element, and start it"), ("%s", error->message));
  g_clear_pointer (&context, secure_context_unref);
  g_clear_error (&error);
  secure_settings_clear (&settings);
}

gboolean
gst_arc_src_may_call (GstArcSrc * self, RcTime now, RcTime * next_at)
{
  CallSecretWork work;
  gboolean waits, must;

  take_fresh_key (self);
  GST_OBJECT_LOCK (self);
  must = call_secret_must_work (&self->secret, &self->srtp, now, next_at, &work);
  waits = self->secret.waits;
  GST_OBJECT_UNLOCK (self);
  if (must)
    gst_element_call_async (GST_ELEMENT (self), derive, g_memdup2 (&work, sizeof work), g_free);
  return !waits;
}

/* --- while it plays --- */

static void
set_back (GstArcSrc * self, SecureSettings * before)
{
  SecureSettings refused;

  GST_OBJECT_LOCK (self);
  refused = self->srtp;
  self->srtp = *before;
  *before = refused;
  GST_OBJECT_UNLOCK (self);
}

/* FALSE: the settings have none that could hold. */
static gboolean
judge_passphrase (GstArcSrc * self)
{
  SecureSettings settings;
  GError *error = NULL;
  gboolean ok = find_key (self, &settings, &error);

  if (!ok)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("%s. The old key stays", error->message),
        (NULL));
  else if (!settings.passphrase)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("passphrase cannot be taken away while "
            "playing: the old one stays until the next start"), (NULL));
  ok = ok && settings.passphrase;
  g_clear_error (&error);
  secure_settings_clear (&settings);
  return ok;
}

/* It holds from the next salt on, or not at all. */
static void
set_passphrase (GstArcSrc * self, const GValue * value, gboolean judged)
{
  SecureSettings before;

  GST_OBJECT_LOCK (self);
  before = secure_settings_copy (&self->srtp);
  secure_settings_set (&self->srtp, SECURE_PROPERTY_PASSPHRASE, value);
  GST_OBJECT_UNLOCK (self);
  if (judged && !judge_passphrase (self))
    set_back (self, &before);
  secure_settings_clear (&before);
}

static gboolean
rekey (GstArcSrc * self, SecureProperty property, const GValue * value, SecureContext * context)
{
  SecureSettings next = secure_settings_with (&self->srtp, self, property, value);
  gboolean ok;

  GST_OBJECT_LOCK (self);
  if (next.passphrase)
    gst_buffer_replace (&next.file_key, self->secret.key);
  GST_OBJECT_UNLOCK (self);
  ok = secure_settings_rekey (&self->srtp, self, &next, context);
  if (ok)
    secure_settings_put (&self->srtp, self, &next);
  secure_settings_clear (&next);
  return ok;
}

static void
set_setting (GstArcSrc * self, SecureProperty property, const GValue * value)
{
  GST_OBJECT_LOCK (self);
  secure_settings_set (&self->srtp, property, value);
  GST_OBJECT_UNLOCK (self);
}

void
gst_arc_src_set_srtp (GstArcSrc * self, SecureProperty property, const GValue * value)
{
  SecureContext *context = secure_property_is_key (property) ? peer_dup_secure (&self->peer) : NULL;
  gboolean started, late;

  GST_OBJECT_LOCK (self);
  started = GST_STATE (self) >= GST_STATE_PAUSED;
  GST_OBJECT_UNLOCK (self);
  late = started && !context && secure_property_is_key (property);
  if (property == SECURE_PROPERTY_PASSPHRASE)
    set_passphrase (self, value, started && context);
  else if (!context || (!rekey (self, property, value, context) && !started))
    set_setting (self, property, value);        /* what is wrong with it fails the next start */
  if (late)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("%s was set while media is taken in the clear: "
            "it holds from the next start, so set it in the NULL or READY state",
            property == SECURE_PROPERTY_PASSPHRASE ? "passphrase" : "srtp-key"), (NULL));
  g_clear_pointer (&context, secure_context_unref);
}
