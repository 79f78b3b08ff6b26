/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "encoder/encoderwalk.h"
#include "encoder/encodertable.h"

/* Pads that a walk visits at most: several times what a large conference has, and a walk stays
 * below a millisecond. */
#define WALK_MAX_PADS 1024
#define FEC_ENCODER "rtpulpfecenc"

/* A walk against the stream: sink pads to visit, breadth first. It needs no knowledge of bins:
 * the internal links of a ghost pad lead through it, in both directions. */
typedef struct
{
  GQueue todo;
  GHashTable *seen;             /* every sink pad ever in todo; holds the references */
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

static void
walk_visit_later (Walk * walk, GstPad * sinkpad)
{
  if (g_hash_table_contains (walk->seen, sinkpad))
    return;
  if (g_hash_table_size (walk->seen) >= WALK_MAX_PADS) {
    GST_WARNING_OBJECT (sinkpad, "pipeline too large, not looking for encoders beyond");
    return;
  }
  g_hash_table_add (walk->seen, gst_object_ref (sinkpad));
  g_queue_push_tail (&walk->todo, sinkpad);
}

static void
collect_pad (const GValue * item, gpointer pads)
{
  g_ptr_array_add (pads, g_value_dup_object (item));
}

/* The sink pads whose data may come out of srcpad. */
static GPtrArray *
internal_links (GstPad * srcpad)
{
  GPtrArray *pads = g_ptr_array_new_with_free_func (gst_object_unref);
  GstIterator *links = gst_pad_iterate_internal_links (srcpad);

  while (links != NULL && gst_iterator_foreach (links, collect_pad, pads) == GST_ITERATOR_RESYNC) {
    g_ptr_array_set_size (pads, 0);
    gst_iterator_resync (links);
  }
  g_clear_pointer (&links, gst_iterator_free);
  return pads;
}

static void
walk_through (Walk * walk, GstPad * srcpad)
{
  GPtrArray *pads = internal_links (srcpad);
  guint i;

  if (pads->len == 0)
    walk->found.bare_sources++;
  for (i = 0; i < pads->len; i++)
    walk_visit_later (walk, g_ptr_array_index (pads, i));
  g_ptr_array_unref (pads);
}

static gboolean
makes_fec (GstElement * element)
{
  GstElementFactory *factory = element ? gst_element_get_factory (element) : NULL;

  return factory && g_str_equal (GST_OBJECT_NAME (factory), FEC_ENCODER);
}

static void
walk_step (Walk * walk, GstPad * sinkpad)
{
  GstPad *srcpad = gst_pad_get_peer (sinkpad);
  GstElement *element;

  if (srcpad == NULL)
    return;
  element = gst_pad_get_parent_element (srcpad);
  if (makes_fec (element) && !g_ptr_array_find (walk->fec, element, NULL))
    g_ptr_array_add (walk->fec, gst_object_ref (element));
  if (element != NULL && g_object_get_qdata (G_OBJECT (element), steered_quark ()) != NULL) {
    walk->found.steered++;
  } else if (element == NULL || !encoder_row_is_encoder (element)) {
    walk_through (walk, srcpad);
  } else if (!g_ptr_array_find (walk->found.encoders, element, NULL)) {
    g_ptr_array_add (walk->found.encoders, gst_object_ref (element));
  }
  g_clear_object (&element);
  gst_object_unref (srcpad);
}

static Walk
walk (GstPad * sinkpad)
{
  Walk walk = { G_QUEUE_INIT };
  GstPad *next;

  walk.seen = g_hash_table_new_full (NULL, NULL, gst_object_unref, NULL);
  walk.found.encoders = g_ptr_array_new_with_free_func (gst_object_unref);
  walk.fec = g_ptr_array_new_with_free_func (gst_object_unref);
  walk_visit_later (&walk, sinkpad);
  while ((next = g_queue_pop_head (&walk.todo)) != NULL)
    walk_step (&walk, next);
  g_hash_table_unref (walk.seen);
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
