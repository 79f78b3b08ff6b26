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
gst_arc_server_sink_find_stranger (GstArcServerSink * self, const RcCall * call,
    RcAnswerVerdict * verdict)
{
  gboolean of_properties;
  SecureSettings srtp = dup_srtp (self, &of_properties);
  const gchar *fault = NULL;

  *verdict = secure_settings_is_whole (&srtp) ? RC_ANSWER_STRANGER : RC_ANSWER_LATER;
  if (*verdict == RC_ANSWER_LATER)
    fault = secure_proof_check (&srtp, call);
  else if ((srtp.key || srtp.key_file || srtp.passphrase) && !call->proves)
    fault = secure_proof_missing (&srtp);
  else if (!of_properties && (srtp.key || srtp.file_key) && !g_signal_has_handler_pending (self,
          g_signal_lookup ("caller-added", G_OBJECT_TYPE (self)), 0, FALSE))
    fault = secure_proof_check (&srtp, call);
  secure_settings_clear (&srtp);
  return g_strdup (fault);
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

/* What was set while a start derived a key: another one, once all can see that it is open. */
gboolean
gst_arc_server_sink_complete_srtp (GstArcServerSink * self, GError ** error)
{
  SecureSettings srtp = gst_arc_server_sink_dup_srtp (self);
  gboolean ok = TRUE;

  if (!secure_settings_is_whole (&srtp)) {
    secure_settings_clear (&srtp);
    ok = secure_settings_read (&self->settings.srtp, self, FALSE, &srtp, error);
    if (ok && srtp.passphrase)
      join_server_set_salt (self->join, srtp.salt);
  }
  secure_settings_clear (&srtp);
  return ok;
}

static void
give_passphrase (GstArcServerSink * self, const SecureSettings * before)
{
  SecureSettings now = gst_arc_server_sink_dup_srtp (self);
  GPtrArray *guests = join_server_list (self->join);

  for (guint i = 0; i < guests->len && now.passphrase; i++) {
    JoinGuest *guest = g_ptr_array_index (guests, i);

    if (join_guest_has_key (guest, before))
      gst_rmc_sink_take_passphrase (GST_RMC_SINK (guest->owner), &now);
  }
  g_ptr_array_unref (guests);
  secure_settings_clear (&now);
}

/* Those with a key of their own keep it; who is served in the clear is dropped by its sink. */
static void
rekey_viewers (GstArcServerSink * self, const SecureSettings * before,
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

/* FALSE: the old key stays. The salt goes first: who has the old passphrase is told of it, and not
 * refused. */
static gboolean
change_key (GstArcServerSink * self, SecureProperty property, const GValue * value)
{
  SecureSettings next = secure_settings_with (&self->settings.srtp, self, property, value);
  gboolean ok = secure_settings_rekey (&self->settings.srtp, self, &next, NULL);

  if (ok && next.passphrase)
    join_server_set_salt (self->join, next.salt);
  if (ok)
    secure_settings_put (&self->settings.srtp, self, &next);
  secure_settings_clear (&next);
  return ok;
}

void
gst_arc_server_sink_set_srtp (GstArcServerSink * self, SecureProperty property,
    const GValue * value, const gchar * name)
{
  SecureSettings before;
  gboolean open;

  GST_OBJECT_LOCK (self);
  before = secure_settings_copy (&self->settings.srtp);
  open = secure_property_is_key (property) && join_server_port (self->join) != 0;
  if (!open)
    secure_settings_set (&self->settings.srtp, property, value);
  GST_OBJECT_UNLOCK (self);
  if (!open || change_key (self, property, value)) {
    if (property == SECURE_PROPERTY_PASSPHRASE)
      give_passphrase (self, &before);
    else
      rekey_viewers (self, &before, name, value);
  }
  secure_settings_clear (&before);
}
