/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "binparts.h"

#define MISSING "gst-arc-missing-part"

GstElement *
bin_part_make (gpointer bin, const gchar * factory, const gchar * name)
{
  GstElement *part = gst_element_factory_make (factory, name);

  if (part)
    gst_bin_add (bin, part);
  else
    g_object_set_data_full (bin, MISSING, g_strdup (factory), g_free);
  return part;
}

gboolean
bin_parts_are_there (gpointer bin)
{
  const gchar *missing = g_object_get_data (bin, MISSING);

  if (missing)
    GST_ELEMENT_ERROR (bin, CORE, MISSING_PLUGIN, ("%s is not installed: install GStreamer's "
            "plugins of the sets base and good", missing), (NULL));
  return missing == NULL;
}

void
bin_part_take_out (GstElement * part)
{
  GstObject *bin = gst_object_get_parent (GST_OBJECT (part));

  gst_element_set_locked_state (part, TRUE);
  gst_element_set_state (part, GST_STATE_NULL);
  if (bin)
    gst_bin_remove (GST_BIN (bin), part);
  gst_clear_object (&bin);
}

GstPad *
bin_part_show (gpointer bin, GstElement * part, const gchar * pad, GstStaticPadTemplate * templ)
{
  GstPadTemplate *ours = templ ? gst_static_pad_template_get (templ) : NULL;
  GstPad *target = gst_element_get_static_pad (part, pad);
  GstPad *ghost = ours ? gst_ghost_pad_new_from_template (pad, target, ours)
      : gst_ghost_pad_new (pad, target);

  gst_element_add_pad (bin, ghost);
  gst_object_unref (target);
  gst_clear_object (&ours);
  return ghost;
}

void
bin_part_probe (GstElement * part, const gchar * pad, GstPadProbeType mask,
    GstPadProbeCallback callback, gpointer user_data)
{
  GstPad *target = gst_element_get_static_pad (part, pad);

  gst_pad_add_probe (target, mask, callback, user_data, NULL);
  gst_object_unref (target);
}
