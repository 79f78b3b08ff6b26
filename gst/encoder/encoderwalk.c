/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "encoder/encoderwalk.h"
#include "base/padwalk.h"
#include "encoder/encodertable.h"

#define FEC_ENCODER "rtpulpfecenc"

/* A walk against the stream. */
typedef struct
{
  EncoderWalk found;
  GPtrArray *fec;
} Walk;

static GQuark
steered_quark (void)
{
  return g_quark_from_static_string ("gst-arc-steers-encoders");
}

void
encoder_walk_mark_steered (GstElement * element)
{
  g_object_set_qdata (G_OBJECT (element), steered_quark (), GINT_TO_POINTER (TRUE));
}

static gboolean
makes_fec (GstElement * element)
{
  GstElementFactory *factory = element ? gst_element_get_factory (element) : NULL;

  return factory && g_str_equal (GST_OBJECT_NAME (factory), FEC_ENCODER);
}

static gboolean
visit (GstElement * element, gpointer user_data)
{
  Walk *walk = user_data;

  if (makes_fec (element) && !g_ptr_array_find (walk->fec, element, NULL))
    g_ptr_array_add (walk->fec, gst_object_ref (element));
  if (element != NULL && g_object_get_qdata (G_OBJECT (element), steered_quark ()) != NULL) {
    walk->found.steered++;
    return FALSE;
  }
  if (element == NULL || !encoder_row_is_encoder (element))
    return TRUE;
  if (!g_ptr_array_find (walk->found.encoders, element, NULL))
    g_ptr_array_add (walk->found.encoders, gst_object_ref (element));
  return FALSE;
}

static Walk
walk (GstPad * sinkpad)
{
  Walk walk = { {NULL} };

  walk.found.encoders = g_ptr_array_new_with_free_func (gst_object_unref);
  walk.fec = g_ptr_array_new_with_free_func (gst_object_unref);
  walk.found.bare_sources = pad_walk (sinkpad, visit, &walk);
  return walk;
}

EncoderWalk
encoder_walk (GstPad * sinkpad)
{
  Walk all = walk (sinkpad);

  g_ptr_array_unref (all.fec);
  return all.found;
}

GPtrArray *
encoder_walk_fec (GstPad * sinkpad)
{
  Walk all = walk (sinkpad);

  g_ptr_array_unref (all.found.encoders);
  return all.fec;
}
