/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "encoder/encoderwalk.h"

#include "base/padwalk.h"
#include "encoder/encodertable.h"

#define FEC_ENCODER "rtpulpfecenc"
#define RED_ENCODER "rtpredenc"
#define STEERS "gst-arc-steers-encoders"        /* data of an element */

/* A walk against the stream. */
typedef struct
{
  EncoderWalk found;
  GPtrArray *fec, *payloaders;
  gboolean beyond;              /* elements that steer */
} Walk;

void
encoder_walk_mark_steered (GstElement * element)
{
  g_object_set_data (G_OBJECT (element), STEERS, GINT_TO_POINTER (TRUE));
}

static gboolean
is_made_by (GstElement * element, const gchar * name)
{
  GstElementFactory *factory = element ? gst_element_get_factory (element) : NULL;

  return factory && g_str_equal (GST_OBJECT_NAME (factory), name);
}

static gboolean
is_payloader (GstElement * element)
{
  GstElementFactory *factory = element ? gst_element_get_factory (element) : NULL;

  return factory && gst_element_factory_list_is_type (factory, GST_ELEMENT_FACTORY_TYPE_PAYLOADER);
}

static void
note (GPtrArray * list, GstElement * element)
{
  if (!g_ptr_array_find (list, element, NULL))
    g_ptr_array_add (list, gst_object_ref (element));
}

static gboolean
visit (GstPad * pad, GstElement * element, gpointer user_data)
{
  Walk *walk = user_data;

  if (is_made_by (element, FEC_ENCODER))
    note (walk->fec, element);
  if (is_payloader (element))
    note (walk->payloaders, element);
  if (element != NULL && !walk->beyond
      && g_object_get_data (G_OBJECT (element), STEERS) != NULL) {
    walk->found.steered++;
    return FALSE;
  }
  if (element == NULL || !encoder_row_is_encoder (element))
    return TRUE;
  note (walk->found.encoders, element);
  return FALSE;
}

static Walk
walk (GstPad * sinkpad, gboolean beyond)
{
  Walk walk = {.beyond = beyond };

  walk.found.encoders = g_ptr_array_new_with_free_func (gst_object_unref);
  walk.payloaders = g_ptr_array_new_with_free_func (gst_object_unref);
  walk.fec = g_ptr_array_new_with_free_func (gst_object_unref);
  walk.found.bare_sources = pad_walk (sinkpad, visit, &walk);
  return walk;
}

EncoderWalk
encoder_walk (GstPad * sinkpad)
{
  Walk all = walk (sinkpad, FALSE);

  g_ptr_array_unref (all.fec);
  g_ptr_array_unref (all.payloaders);
  return all.found;
}

GPtrArray *
encoder_walk_fec (GstPad * sinkpad)
{
  Walk all = walk (sinkpad, FALSE);

  g_ptr_array_unref (all.found.encoders);
  g_ptr_array_unref (all.payloaders);
  return all.fec;
}

GPtrArray *
encoder_walk_payloaders (GstPad * sinkpad)
{
  Walk all = walk (sinkpad, TRUE);

  g_ptr_array_unref (all.found.encoders);
  g_ptr_array_unref (all.fec);
  return all.payloaders;
}

/* It lies behind the encoder. */
static gboolean
visit_red (GstPad * pad, GstElement * element, gpointer payload_type)
{
  if (is_made_by (element, RED_ENCODER))
    g_object_get (element, "pt", payload_type, NULL);
  return !element || !encoder_row_is_encoder (element);
}

gint
encoder_walk_red (GstPad * sinkpad)
{
  gint payload_type = -1;

  pad_walk (sinkpad, visit_red, &payload_type);
  return payload_type;
}
