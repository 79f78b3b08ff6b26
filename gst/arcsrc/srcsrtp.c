/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* SRTP of the element: when it begins, what comes, and a new key while it plays. */

#include "gstarcsrcprivate.h"

#include "base/clockglue.h"
#include "srtp/securetransport.h"

#include <gst/net/net.h>

gboolean
gst_arc_src_begin_srtp (GstArcSrc * self)
{
  SecureContext *before = peer_dup_secure (&self->peer), *context = NULL;
  SecureSettings settings;
  GError *error = NULL;
  gboolean ok = secure_settings_read (&self->srtp, self, TRUE, &settings, &error);

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

void
gst_arc_src_set_srtp (GstArcSrc * self, SecureProperty property, const GValue * value)
{
  SecureContext *context = peer_dup_secure (&self->peer);
  gboolean started;

  GST_OBJECT_LOCK (self);
  secure_settings_set (&self->srtp, property, value);
  started = GST_STATE (self) >= GST_STATE_PAUSED;
  GST_OBJECT_UNLOCK (self);
  if (secure_property_is_key (property) && context)
    secure_settings_rekey (&self->srtp, self, context);
  else if (secure_property_is_key (property) && started)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("srtp-key was set while media is taken in the "
            "clear: it holds from the next start, so set it in the NULL or READY state"), (NULL));
  g_clear_pointer (&context, secure_context_unref);
}
