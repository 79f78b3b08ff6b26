/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* SRTP of the element: when it begins, and a new key while it plays. */

#include "gstrmcsinkprivate.h"

#include "sinkserve.h"

#include "join/jointransport.h"
#include "net/udptransport.h"
#include "session/lawsettings.h"
#include "srtp/securetransport.h"

const gchar gst_rmc_sink_one_passphrase[] = "passphrase is for all viewers: set it at "
    "arcserversink, and for one viewer an srtp-key in caller-added";

SecureSettings
gst_rmc_sink_dup_srtp (GstRmcSink * self)
{
  SecureSettings settings;

  GST_OBJECT_LOCK (self);
  settings = secure_settings_copy (&self->srtp);
  GST_OBJECT_UNLOCK (self);
  return settings;
}

void
gst_rmc_sink_use_srtp (GstRmcSink * self, const SecureSettings * found)
{
  SecureSettings before, now = secure_settings_copy (found);

  secure_settings_take_key (&now, found);
  GST_OBJECT_LOCK (self);
  before = self->srtp;
  self->srtp = now;
  GST_OBJECT_UNLOCK (self);
  secure_settings_clear (&before);
}

void
gst_rmc_sink_tell_key (GstRmcSink * self)
{
  SecureSettings settings = gst_rmc_sink_dup_srtp (self);
  JoinGuest *guest = gst_rmc_sink_dup_guest (self);

  if (guest)
    join_guest_set_key (guest, &settings);
  g_clear_pointer (&guest, join_guest_unref);
  secure_settings_clear (&settings);
}

/* Its salt comes with an answer, and nobody calls a sender that does not listen. */
static gboolean
check_passphrase (GstRmcSink * self, GError ** error)
{
  gboolean ok;

  GST_OBJECT_LOCK (self);
  ok = self->served || !self->settings.srtp.passphrase
      || self->settings.mode == JOIN_MODE_LISTENER;
  GST_OBJECT_UNLOCK (self);
  if (!ok)
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "passphrase needs "
        "a receiver that calls: set mode=listener here and mode=caller at arcsrc, or srtp-key-file "
        "at both ends");
  return ok;
}

gboolean
gst_rmc_sink_begin_srtp (GstRmcSink * self, GError ** error)
{
  SecureContext *context = NULL;
  SecureSettings settings;
  gboolean ok;

  if (!check_passphrase (self, error))
    return FALSE;
  /* Of a viewer it was read when that called. */
  ok = secure_settings_read (&self->settings.srtp, self, !self->served, &settings, error);
  if (!ok)
    context = NULL;
  else if (self->rested && secure_context_fits (self->rested, &settings))
    context = g_steal_pointer (&self->rested);
  else if (settings.key)
    ok = (context = secure_context_new (&settings, TRUE, error)) != NULL;
  if (ok)
    gst_rmc_sink_use_srtp (self, &settings);
  secure_settings_clear (&settings);
  GST_OBJECT_LOCK (self);
  self->secure = context;
  GST_OBJECT_UNLOCK (self);
  return ok;
}

void
gst_rmc_sink_end_srtp (GstRmcSink * self)
{
  SecureContext *context;

  GST_OBJECT_LOCK (self);
  context = g_steal_pointer (&self->secure);
  GST_OBJECT_UNLOCK (self);
  if (!context)
    return;
  secure_context_rest (context);
  g_clear_pointer (&self->rested, secure_context_unref);
  self->rested = context;
}

SecureContext *
gst_rmc_sink_dup_secure (GstRmcSink * self)
{
  SecureContext *context;

  GST_OBJECT_LOCK (self);
  context = self->secure ? secure_context_ref (self->secure) : NULL;
  GST_OBJECT_UNLOCK (self);
  return context;
}

Transport *
gst_rmc_sink_new_transport (GstRmcSink * self, GSocket * socket, gboolean called)
{
  Transport *transport = called ? join_transport_new (socket, self->guest->listener)
      : udp_transport_new (socket);

  if (called)
    self->join = transport;
  return self->secure ? secure_transport_new (transport, self->secure,
      law_settings_get_law (self->host.settings.law)->wants_stamps) : transport;
}

GstBuffer *
gst_rmc_sink_open_rtcp (GstRmcSink * self, GstBuffer * buffer)
{
  SecureContext *context = gst_rmc_sink_dup_secure (self);
  SecureArrival arrival;

  if (!context)
    return buffer;
  buffer = secure_transport_open (context, buffer, &arrival);
  if (!buffer)
    secure_context_count_copy (context, &arrival);
  secure_context_unref (context);
  return buffer;
}

void
gst_rmc_sink_warn_of_srtp (GstRmcSink * self)
{
  const gchar *warning = self->secure ? secure_context_take_warning (self->secure) : NULL;

  if (warning)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("%s", warning), (NULL));
}

/* The salt goes first: who has the old passphrase is told of it, and not refused. */
static void
rekey (GstRmcSink * self, SecureContext * context, SecureSettings * next)
{
  SecureSettings in_use = gst_rmc_sink_dup_srtp (self);

  if (secure_settings_rekey (&self->settings.srtp, self, next, context)) {
    if (next->passphrase)
      join_server_set_salt (self->server, next->salt);
    secure_settings_put (&self->settings.srtp, self, next);
    secure_settings_take_key (&in_use, next);
    gst_rmc_sink_use_srtp (self, &in_use);
    gst_rmc_sink_tell_key (self);
  }
  secure_settings_clear (&in_use);
}

/* It was set while the session plays in the clear. */
static void
tell_late (GstRmcSink * self, const gchar * name)
{
  if (self->served)             /* by caller-added, which is over: the server drops it */
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("%s was set while media flows in the clear to a "
            "viewer: set it in caller-added, before that returns", name), (NULL));
  else
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("%s was set while media flows in the clear: it "
            "holds from the next start, so set it in the NULL or READY state", name), (NULL));
}

void
gst_rmc_sink_set_srtp (GstRmcSink * self, SecureProperty property, const GValue * value)
{
  SecureContext *context = secure_property_is_key (property) ? gst_rmc_sink_dup_secure (self)
      : NULL;
  SecureSettings next;
  gboolean late = FALSE;

  if (property == SECURE_PROPERTY_PASSPHRASE && self->served) {
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("%s", gst_rmc_sink_one_passphrase), (NULL));
  } else if (context) {
    next = secure_settings_with (&self->settings.srtp, self, property, value);
    rekey (self, context, &next);
    secure_settings_clear (&next);
  } else {
    GST_OBJECT_LOCK (self);
    secure_settings_set (&self->settings.srtp, property, value);
    late = self->host.session && secure_property_is_key (property);
    GST_OBJECT_UNLOCK (self);
  }
  if (late)
    tell_late (self, property == SECURE_PROPERTY_PASSPHRASE ? "passphrase" : "srtp-key");
  g_clear_pointer (&context, secure_context_unref);
}

void
gst_rmc_sink_take_passphrase (GstRmcSink * self, const SecureSettings * known)
{
  SecureContext *context = gst_rmc_sink_dup_secure (self);
  SecureSettings next;
  gboolean late;

  GST_OBJECT_LOCK (self);
  next = secure_settings_copy (&self->settings.srtp);
  secure_settings_take_passphrase (&next, known);
  if (!context)
    secure_settings_take_passphrase (&self->settings.srtp, known);
  late = !context && self->host.session;
  GST_OBJECT_UNLOCK (self);
  if (context)
    rekey (self, context, &next);
  else if (late)
    tell_late (self, "passphrase");
  secure_settings_clear (&next);
  g_clear_pointer (&context, secure_context_unref);
}
