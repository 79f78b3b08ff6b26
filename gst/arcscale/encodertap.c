/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "encodertap.h"

#include "encoder/encodertable.h"
#include "encoder/framequantiser.h"

/* Far more than stand between a scaler and its encoder. */
#define MOST_PADS 64

/* What the encoder's thread has; freed with the probe. */
typedef struct
{
  GstElement *owner;
  EncoderTapFunc on_frame;
  FrameQuantiser quantiser;
} Listener;

struct _EncoderTap
{
  EncoderTapFunc on_frame;
  GstPad *pad;                  /* of the encoder; NULL: none found */
  gulong probe;
};

EncoderTap *
encoder_tap_new (EncoderTapFunc on_frame)
{
  EncoderTap *self = g_new0 (EncoderTap, 1);

  self->on_frame = on_frame;
  return self;
}

void
encoder_tap_free (EncoderTap * self)
{
  encoder_tap_close (self);
  g_free (self);
}

static void
listener_free (gpointer data)
{
  Listener *listener = data;

  frame_quantiser_clear (&listener->quantiser);
  gst_object_unref (listener->owner);
  g_free (listener);
}

static GstPadProbeReturn
on_frame (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Listener *listener = data;
  GstBuffer *frame = GST_PAD_PROBE_INFO_BUFFER (info);
  gdouble qp = frame_quantiser_read (&listener->quantiser, pad, frame);

  if (qp != RC_H264_NO_QP)
    listener->on_frame (listener->owner, 8.0 * gst_buffer_get_size (frame), qp);
  return GST_PAD_PROBE_OK;
}

static void
add_once (GPtrArray * pads, GstPad * pad)
{
  if (pads->len < MOST_PADS && !g_ptr_array_find (pads, pad, NULL))
    g_ptr_array_add (pads, gst_object_ref (pad));
}

static void
collect (const GValue * item, gpointer pads)
{
  add_once (pads, g_value_get_object (item));
}

/* The source pads that the data of a sink pad may leave by. */
static void
add_internal_links (GPtrArray * pads, GstPad * sinkpad)
{
  GstIterator *links = gst_pad_iterate_internal_links (sinkpad);

  while (links && gst_iterator_foreach (links, collect, pads) == GST_ITERATOR_RESYNC)
    gst_iterator_resync (links);
  g_clear_pointer (&links, gst_iterator_free);
}

/* The source pad of the nearest video encoder, a new reference; breadth first. */
static GstPad *
find_encoder_pad (GstPad * srcpad)
{
  GPtrArray *pads = g_ptr_array_new_with_free_func (gst_object_unref);
  GstPad *found = NULL;

  add_once (pads, srcpad);
  for (guint i = 0; i < pads->len && !found; i++) {
    GstPad *sinkpad = gst_pad_get_peer (g_ptr_array_index (pads, i));
    GstElement *element = sinkpad ? gst_pad_get_parent_element (sinkpad) : NULL;

    if (element && encoder_row_is_encoder (element))
      found = encoder_row_is_video (element) ? gst_element_get_static_pad (element, "src") : NULL;
    else if (sinkpad)
      add_internal_links (pads, sinkpad);
    gst_clear_object (&element);
    gst_clear_object (&sinkpad);
  }
  g_ptr_array_unref (pads);
  return found;
}

void
encoder_tap_look (EncoderTap * self, GstElement * owner, GstPad * srcpad)
{
  Listener *listener;

  if (self->pad && gst_pad_is_linked (self->pad))
    return;
  encoder_tap_close (self);
  self->pad = find_encoder_pad (srcpad);
  if (!self->pad)
    return;
  listener = g_new0 (Listener, 1);
  listener->owner = gst_object_ref (owner);
  listener->on_frame = self->on_frame;
  self->probe = gst_pad_add_probe (self->pad, GST_PAD_PROBE_TYPE_BUFFER, on_frame, listener,
      listener_free);
}

void
encoder_tap_close (EncoderTap * self)
{
  if (self->pad)
    gst_pad_remove_probe (self->pad, self->probe);
  gst_clear_object (&self->pad);
}
