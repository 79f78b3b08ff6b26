/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "ladderencoder.h"

#include "base/binparts.h"
#include "base/teepad.h"
#include "rtp/payloaders.h"

/* Raw frames before an encoder: one that is late drops frames, and neither the source nor the other
 * encoders wait for it. */
#define QUEUE_FRAMES 2

struct _LadderEncoder
{
  gatomicrefcount references;
  LadderEncoderConfig config;
  GPtrArray *chain;             /* elements in their order, with a reference */
  GstElement *valve;            /* the first of them */
  GstPad *teepad;               /* with a reference, as config.rung */
  EncoderSteering *steering;
  guint bps;
  gint failed;                  /* atomic */
};

static GstElement *
make (const gchar * factory, GError ** error)
{
  GstElement *element = gst_element_factory_make (factory, NULL);

  if (element == NULL)
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN,
        "the element %s is not installed", factory);
  return element;
}

static gboolean
append (LadderEncoder * self, GstElement * element)
{
  if (element == NULL)
    return FALSE;
  g_ptr_array_add (self->chain, gst_object_ref (element));
  return gst_bin_add (self->config.bin, element);
}

static GstElement *
find_payloader (GstElement * encoder, GError ** error)
{
  GstPad *pad = gst_element_get_static_pad (encoder, "src");
  GstCaps *caps = pad ? gst_pad_query_caps (pad, NULL) : gst_caps_new_any ();
  GstElement *found = payloader_new (caps, NULL);

  if (!found)
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
        "no payloader takes what the encoder makes");
  gst_caps_unref (caps);
  gst_clear_object (&pad);
  return found;
}

static gboolean
append_payloader (LadderEncoder * self, GstElement * encoder, GError ** error)
{
  const gchar *wanted = self->config.payloader;

  if (wanted && wanted[0] == '\0')
    return TRUE;
  if (wanted)
    return append (self, gst_parse_bin_from_description_full (wanted, TRUE, NULL,
            GST_PARSE_FLAG_FATAL_ERRORS | GST_PARSE_FLAG_NO_SINGLE_ELEMENT_BINS, error));
  return append (self, find_payloader (encoder, error));
}

static gboolean
build (LadderEncoder * self, GError ** error)
{
  GstElement *queue, *encoder;

  self->valve = make ("valve", error);
  if (!append (self, self->valve))
    return FALSE;
  gst_util_set_object_arg (G_OBJECT (self->valve), "drop-mode", "forward-sticky-events");
  g_object_set (self->valve, "drop", TRUE, NULL);
  queue = make ("queue", error);
  if (!append (self, queue))
    return FALSE;
  g_object_set (queue, "max-size-buffers", QUEUE_FRAMES, "max-size-bytes", 0, "max-size-time",
      (guint64) 0, NULL);
  gst_util_set_object_arg (G_OBJECT (queue), "leaky", "downstream");
  if (!append (self, make ("arcscale", error)))
    return FALSE;
  encoder = gst_parse_bin_from_description_full (self->config.encoder, TRUE, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, error);
  return append (self, encoder) && append_payloader (self, encoder, error);
}

/* The pad is no part of the bin's outside: the check of the hierarchy would refuse it. */
static gboolean
link_rung (LadderEncoder * self)
{
  GstPad *src = gst_element_get_static_pad (self->chain->pdata[self->chain->len - 1], "src");
  gboolean ok = src && gst_pad_link_full (src, self->config.rung, GST_PAD_LINK_CHECK_CAPS)
      == GST_PAD_LINK_OK;

  gst_clear_object (&src);
  return ok;
}

static gboolean
link_all (LadderEncoder * self, GError ** error)
{
  gboolean ok = link_rung (self);

  for (guint i = self->chain->len - 1; ok && i > 0; i--)
    ok = gst_element_link (self->chain->pdata[i - 1], self->chain->pdata[i]);
  self->teepad = ok ? tee_pad_request (self->config.tee) : NULL;
  if (self->teepad) {
    GstPad *sinkpad = gst_element_get_static_pad (self->valve, "sink");

    ok = gst_pad_link (self->teepad, sinkpad) == GST_PAD_LINK_OK;
    gst_object_unref (sinkpad);
  }
  if (!ok)
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION,
        "encoder and payloader do not fit to each other, or take no raw video");
  return ok;
}

LadderEncoder *
ladder_encoder_new (const LadderEncoderConfig * config, GError ** error)
{
  LadderEncoder *self = g_new0 (LadderEncoder, 1);

  g_atomic_ref_count_init (&self->references);
  self->config = *config;
  gst_object_ref (config->rung);
  self->chain = g_ptr_array_new_with_free_func (gst_object_unref);
  if (!build (self, error) || !link_all (self, error)) {
    ladder_encoder_take_out (self);
    ladder_encoder_unref (self);
    return NULL;
  }
  for (guint i = 0; i < self->chain->len; i++)
    gst_element_sync_state_with_parent (self->chain->pdata[i]);
  self->steering = encoder_steering_new (config->rung, G_OBJECT (config->bin), "stats", TRUE,
      config->warn);
  return self;
}

LadderEncoder *
ladder_encoder_ref (LadderEncoder * self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
ladder_encoder_unref (LadderEncoder * self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_clear_pointer (&self->steering, encoder_steering_free);
  gst_clear_object (&self->teepad);
  gst_object_unref (self->config.rung);
  g_ptr_array_unref (self->chain);
  g_free (self);
}

GstPad *
ladder_encoder_rung (LadderEncoder * self)
{
  return self->config.rung;
}

void
ladder_encoder_take_out (LadderEncoder * self)
{
  if (self->teepad)
    gst_element_release_request_pad (self->config.tee, self->teepad);
  for (guint i = 0; i < self->chain->len; i++)
    bin_part_take_out (self->chain->pdata[i]);
}

gboolean
ladder_encoder_owns (LadderEncoder * self, GstObject * object)
{
  for (guint i = 0; i < self->chain->len; i++)
    if (object == self->chain->pdata[i]
        || gst_object_has_as_ancestor (object, self->chain->pdata[i]))
      return TRUE;
  return FALSE;
}

void
ladder_encoder_set_bps (LadderEncoder * self, guint bps)
{
  EncoderOrders orders = {.target = TRUE,.bps = bps,.n_flows = 1,.shares = {1},
    .living = TRUE,.voice = ENCODER_VOICE_OWN,.latency = ENCODER_ORDERS_LATENCY,.adapt = TRUE,
    .may_warn = TRUE
  };

  if (bps == self->bps || ladder_encoder_has_failed (self))
    return;
  if (bps > 0)
    encoder_steering_tell (self->steering, &orders);
  if ((bps > 0) != (self->bps > 0))
    g_object_set (self->valve, "drop", bps == 0, NULL);
  if (ladder_encoder_has_failed (self))    /* meanwhile */
    g_object_set (self->valve, "drop", TRUE, NULL);
  self->bps = bps;
}

void
ladder_encoder_fail (LadderEncoder * self)
{
  g_atomic_int_set (&self->failed, TRUE);
  g_object_set (self->valve, "drop", TRUE, NULL);
}

gboolean
ladder_encoder_has_failed (LadderEncoder * self)
{
  return g_atomic_int_get (&self->failed);
}
