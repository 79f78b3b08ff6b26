/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "encoderinstance.h"

#include "encoder/encodersettings.h"

static gint
compare_row (gconstpointer item, gconstpointer user_data)
{
  return encoder_row_lookup (g_value_get_object (item)) ? 0 : 1;
}

static EncoderInstance *
encoder_instance_ref (EncoderInstance * self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

static void
encoder_instance_unref (gpointer data)
{
  EncoderInstance *self = data;

  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  gst_clear_object (&self->encoder);
  gst_object_unref (self->child);
  g_free (self);
}

/* The element whose bitrate is known to be settable; NULL: none. */
static GstElement *
find_encoder (GstElement * child)
{
  GValue found = G_VALUE_INIT;
  GstElement *encoder = NULL;
  GstIterator *all;

  all = gst_bin_iterate_recurse (GST_BIN (child));
  if (gst_iterator_find_custom (all, compare_row, &found, NULL)) {
    encoder = g_value_dup_object (&found);
    g_value_unset (&found);
  }
  gst_iterator_free (all);
  return encoder;
}

static gboolean
link_pad (EncoderInstance * self, GstPad * ours, const gchar * name)
{
  GstPad *theirs = gst_element_get_static_pad (self->child, name);
  gboolean linked;

  if (!theirs)
    return FALSE;
  if (GST_PAD_IS_SRC (ours))
    linked = gst_pad_link_full (ours, theirs, GST_PAD_LINK_CHECK_NOTHING) == GST_PAD_LINK_OK;
  else
    linked = gst_pad_link_full (theirs, ours, GST_PAD_LINK_CHECK_NOTHING) == GST_PAD_LINK_OK;
  gst_object_unref (theirs);
  return linked;
}

static void
set_bps (EncoderInstance * self)
{
  guint64 least_bps, most_bps;

  encoder_settings_improve (self->encoder);
  if (self->bps == 0)
    return;
  encoder_row_get_range (self->row, self->encoder, &least_bps, &most_bps);
  encoder_row_set_bps (self->row, self->encoder, CLAMP (self->bps, least_bps, most_bps));
}

static GstPad *
new_pad (EncoderInstance * self, const gchar * name, GstPadDirection direction)
{
  GstPad *pad = gst_object_ref_sink (gst_pad_new (name, direction));

  gst_pad_set_element_private (pad, self);
  g_object_set_data_full (G_OBJECT (pad), "arc-instance", encoder_instance_ref (self),
      encoder_instance_unref);
  return pad;
}

/* A single element too gets a bin: two instances of an encoder that the description names are
 * there at a time, and names are unique within a bin. */
EncoderInstance *
encoder_instance_new (GstBin * bin, const gchar * description, guint64 bps, GError ** error)
{
  EncoderInstance *self;
  GstElement *child = gst_parse_bin_from_description_full (description, TRUE, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, error);

  if (!child)
    return NULL;
  self = g_new0 (EncoderInstance, 1);
  g_atomic_ref_count_init (&self->refs);
  self->bin = bin;
  self->bps = bps;
  self->child = gst_object_ref_sink (child);
  self->feed = new_pad (self, "feed", GST_PAD_SRC);
  self->caught = new_pad (self, "caught", GST_PAD_SINK);
  self->encoder = find_encoder (child);
  if (!gst_bin_add (bin, child) || !self->encoder || !link_pad (self, self->feed, "sink")
      || !link_pad (self, self->caught, "src")) {
    g_set_error (error, GST_PARSE_ERROR, GST_PARSE_ERROR_LINK,
        "no line of elements with a known encoder (docs/encoders.md): %s", description);
    encoder_instance_free (self);
    return NULL;
  }
  self->row = encoder_row_lookup (self->encoder);
  set_bps (self);
  return self;
}

gboolean
encoder_instance_start (EncoderInstance * self)
{
  gst_pad_set_active (self->caught, TRUE);
  gst_pad_set_active (self->feed, TRUE);
  return gst_element_sync_state_with_parent (self->child);
}

GstCaps *
encoder_instance_possible_caps (GstPad * feed)
{
  GstPad *pad = gst_pad_get_peer (feed);
  GstCaps *caps;

  while (pad && GST_IS_GHOST_PAD (pad)) {
    GstPad *target = gst_ghost_pad_get_target (GST_GHOST_PAD (pad));

    gst_object_unref (pad);
    pad = target;
  }
  caps = pad ? gst_pad_get_pad_template_caps (pad) : gst_caps_new_empty ();
  gst_clear_object (&pad);
  return caps;
}

void
encoder_instance_free (EncoderInstance * self)
{
  gst_pad_set_active (self->feed, FALSE);
  gst_pad_set_active (self->caught, FALSE);
  gst_element_set_locked_state (self->child, TRUE);
  gst_element_set_state (self->child, GST_STATE_NULL);
  gst_bin_remove (self->bin, self->child);
  gst_object_unref (self->feed);
  gst_object_unref (self->caught);
  encoder_instance_unref (self);
}
