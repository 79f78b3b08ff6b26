/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "deliveries.h"

#define SSRC_AT 8
#define RTP_HEADER_BYTES 12

void
deliveries_init (Deliveries * self)
{
  g_mutex_init (&self->lock);
  self->packets = g_hash_table_new (NULL, NULL);
}

void
deliveries_clear (Deliveries * self)
{
  g_hash_table_unref (self->packets);
  g_mutex_clear (&self->lock);
}

void
deliveries_note (Deliveries * self, guint32 ssrc)
{
  gpointer key = GUINT_TO_POINTER (ssrc);

  g_mutex_lock (&self->lock);
  g_hash_table_insert (self->packets, key,
      GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (self->packets, key)) + 1));
  g_mutex_unlock (&self->lock);
}

static GstPadProbeReturn
on_buffer (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Deliveries *self = user_data;
  guint8 header[RTP_HEADER_BYTES];

  if (gst_buffer_extract (GST_PAD_PROBE_INFO_BUFFER (info), 0, header, sizeof header)
      < sizeof header)
    return GST_PAD_PROBE_OK;
  deliveries_note (self, GST_READ_UINT32_BE (header + SSRC_AT));
  return GST_PAD_PROBE_OK;
}

void
deliveries_watch (Deliveries * self, GstPad * pad)
{
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_buffer, self, NULL);
}

void
deliveries_reset (Deliveries * self)
{
  g_mutex_lock (&self->lock);
  g_hash_table_remove_all (self->packets);
  g_mutex_unlock (&self->lock);
}

guint
deliveries_of (Deliveries * self, guint32 ssrc)
{
  guint n;

  g_mutex_lock (&self->lock);
  n = GPOINTER_TO_UINT (g_hash_table_lookup (self->packets, GUINT_TO_POINTER (ssrc)));
  g_mutex_unlock (&self->lock);
  return n;
}
