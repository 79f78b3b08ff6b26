/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The key of the settings: what a stranger without it is told before the application hears of it,
 * and a new one for the viewers that are there. */

#include "gstarcserversinkprivate.h"

#include "srtp/secureproof.h"

static SecureSettings
dup_srtp (GstArcServerSink * self, gboolean * of_properties)
{
  const GstStructure *properties;
  SecureSettings srtp;

  GST_OBJECT_LOCK (self);
  srtp = secure_settings_copy (&self->settings.srtp);
  properties = self->settings.viewer_properties;
  *of_properties = properties && (gst_structure_has_field (properties, "srtp-key")
      || gst_structure_has_field (properties, "srtp-key-file"));
  GST_OBJECT_UNLOCK (self);
  return srtp;
}

gboolean
gst_arc_server_sink_wants_keys (GstArcServerSink * self)
{
  gboolean of_properties;
  SecureSettings srtp = dup_srtp (self, &of_properties);
  gboolean wants = srtp.key || srtp.key_file || srtp.passphrase || of_properties;

  secure_settings_clear (&srtp);
  return wants;
}

/* Which key it has to prove is known before caller-added only if nobody may set another one. */
gchar *
gst_arc_server_sink_find_stranger (GstArcServerSink * self, const RcCall * call)
{
  gboolean of_properties;
  SecureSettings srtp = dup_srtp (self, &of_properties);
  const gchar *fault = NULL;

  if ((srtp.key || srtp.key_file || srtp.passphrase) && !call->proves)
    fault = secure_proof_missing (&srtp);
  else if (!of_properties && (srtp.key || srtp.file_key) && !g_signal_has_handler_pending (self,
          g_signal_lookup ("caller-added", G_OBJECT_TYPE (self)), 0, FALSE))
    fault = secure_proof_check (&srtp, call);
  secure_settings_clear (&srtp);
  return g_strdup (fault);
}

/* Anew, for all viewers from now on. */
gboolean
gst_arc_server_sink_read_key_file (GstArcServerSink * self, GError ** error)
{
  SecureSettings srtp;
  gboolean ok = secure_settings_read (&self->settings.srtp, self, TRUE, &srtp, error);

  secure_settings_clear (&srtp);
  return ok;
}

SecureSettings
gst_arc_server_sink_dup_srtp (GstArcServerSink * self)
{
  gboolean of_properties;

  return dup_srtp (self, &of_properties);
}

gboolean
gst_arc_server_sink_has_old_key (GstArcServerSink * self, JoinGuest * guest,
    const SecureSettings * before)
{
  SecureSettings now = gst_arc_server_sink_dup_srtp (self);
  gboolean old = !secure_settings_same_key (&now, before) && join_guest_has_key (guest, before);

  secure_settings_clear (&now);
  return old;
}

/* What was set while it is open: the old one again, or with a salt of its own. */
static void
begin_passphrase (GstArcServerSink * self, const SecureSettings * before)
{
  SecureSettings srtp = { 0 };
  GError *error = NULL;
  gboolean ok = secure_settings_read (&self->settings.srtp, self, TRUE, &srtp, &error);

  if (!ok)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("%s. The old key stays", error->message),
        (NULL));
  else if (!srtp.passphrase)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("passphrase cannot be taken away while "
            "playing: the old one stays until the next start"), (NULL));
  if (!ok || !srtp.passphrase) {
    GST_OBJECT_LOCK (self);
    secure_settings_take_passphrase (&self->settings.srtp, before);
    GST_OBJECT_UNLOCK (self);
  } else {
    join_server_set_salt (self->join, srtp.salt);
  }
  g_clear_error (&error);
  secure_settings_clear (&srtp);
}

void
gst_arc_server_sink_follow_passphrase (GstArcServerSink * self, const SecureSettings * before)
{
  SecureSettings now;
  GPtrArray *guests;

  if (join_server_port (self->join) == 0)
    return;
  begin_passphrase (self, before);
  now = gst_arc_server_sink_dup_srtp (self);
  guests = join_server_list (self->join);
  for (guint i = 0; i < guests->len && now.passphrase
      && !secure_settings_same_key (&now, before); i++) {
    JoinGuest *guest = g_ptr_array_index (guests, i);

    if (join_guest_has_key (guest, before))
      gst_rmc_sink_take_passphrase (GST_RMC_SINK (guest->owner), &now);
  }
  g_ptr_array_unref (guests);
  secure_settings_clear (&now);
}

/* Those with a key of their own keep it; who is served in the clear is dropped by its sink. */
void
gst_arc_server_sink_rekey_viewers (GstArcServerSink * self, const SecureSettings * before,
    const gchar * property, const GValue * value)
{
  GPtrArray *guests = join_server_list (self->join);

  for (guint i = 0; i < guests->len; i++) {
    JoinGuest *guest = g_ptr_array_index (guests, i);

    if (join_guest_has_key (guest, before))
      g_object_set_property (guest->owner, property, value);
  }
  g_ptr_array_unref (guests);
}
