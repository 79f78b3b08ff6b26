/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One of many sinks of one stream. Each has SSRCs of its own: SRTP under one key must never have
 * two packets of one number, and each sink closes the gaps of its own drops. */

#include "gstrmcsinkprivate.h"

#include "sinkserve.h"

#include "net/sameaddress.h"
#include "rtp/ssrcmask.h"

/* A key of its own goes before the passphrase of all. */
static void
drop_passphrase (SecureSettings * srtp)
{
  if (!srtp->passphrase || (!srtp->key && !srtp->key_file))
    return;
  gst_clear_buffer (&srtp->passphrase);
  gst_clear_buffer (&srtp->file_key);
}

/* It would be derived anew for each caller. */
gboolean
gst_rmc_sink_has_own_passphrase (GstRmcSink * self)
{
  gboolean has;

  GST_OBJECT_LOCK (self);
  drop_passphrase (&self->settings.srtp);
  has = self->settings.srtp.passphrase && !self->settings.srtp.file_key;
  GST_OBJECT_UNLOCK (self);
  return has;
}

gchar *
gst_rmc_sink_serve (GstRmcSink * self, JoinGuest * guest, const SecureSettings * known)
{
  SecureSettings settings;
  gboolean ok;

  self->served = TRUE;
  self->host.ssrc_mask = ssrc_mask_new ();
  self->host.is_shared = TRUE;
  self->host.receiver_host = guest->host;
  gst_rmc_sink_set_guest (self, guest);
  GST_OBJECT_LOCK (self);
  secure_settings_keep_file (&self->settings.srtp, known);
  GST_OBJECT_UNLOCK (self);
  ok = secure_settings_read (&self->settings.srtp, self, FALSE, &settings, NULL);
  if (ok)
    gst_rmc_sink_use_srtp (self, &settings);
  gst_rmc_sink_tell_key (self);
  secure_settings_clear (&settings);
  return ok ? NULL : g_strdup ("the srtp-key of the sender cannot be read");
}

void
gst_rmc_sink_set_feed (GstRmcSink * self, Feed * feed, GstPad * upstream)
{
  self->feed = feed_ref (feed);
  session_host_set_upstream (&self->host, upstream);
}

gboolean
gst_rmc_sink_is_fed (GstRmcSink * self)
{
  return self->feed != NULL;
}

void
gst_rmc_sink_dismiss (GstRmcSink * self)
{
  gst_rmc_sink_set_guest (self, NULL);
}

void
gst_rmc_sink_move (GstRmcSink * self, GSocketAddress * to)
{
  SendSession *session = session_host_dup_session (&self->host);

  GST_OBJECT_LOCK (self);
  self->host.receiver_host = address_host (to);
  GST_OBJECT_UNLOCK (self);
  if (session)
    send_session_set_peer (session, to);
  g_clear_pointer (&session, send_session_unref);
}

gboolean
gst_rmc_sink_is_unheard (GstRmcSink * self)
{
  SendSession *session = session_host_dup_session (&self->host);
  gboolean unheard = session && send_session_is_unheard (session);

  g_clear_pointer (&session, send_session_unref);
  return unheard;
}

GstCaps *
gst_rmc_sink_own_caps (GstRmcSink * self, GstCaps * caps)
{
  guint ssrc;

  if (!gst_structure_get_uint (gst_caps_get_structure (caps, 0), "ssrc", &ssrc))
    return gst_caps_ref (caps);
  caps = gst_caps_copy (caps);
  gst_caps_set_simple (caps, "ssrc", G_TYPE_UINT, ssrc ^ self->host.ssrc_mask, NULL);
  return caps;
}
