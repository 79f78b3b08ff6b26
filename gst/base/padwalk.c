/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "padwalk.h"

#include "base/arcdebug.h"

/* Pads that a walk visits at most: several times what a large conference has, and a walk stays
 * below a millisecond. */
#define MOST_PADS 1024

typedef struct
{
  GQueue todo;
  GHashTable *seen;             /* every pad ever in todo; holds the references */
  guint ends;
} Walk;

static void
visit_later (Walk * walk, GstPad * pad)
{
  if (g_hash_table_contains (walk->seen, pad))
    return;
  if (g_hash_table_size (walk->seen) >= MOST_PADS) {
    GST_WARNING_OBJECT (pad, "pipeline too large, not looking beyond");
    return;
  }
  g_hash_table_add (walk->seen, gst_object_ref (pad));
  g_queue_push_tail (&walk->todo, pad);
}

static void
collect_pad (const GValue * item, gpointer pads)
{
  g_ptr_array_add (pads, g_value_dup_object (item));
}

/* The pads on the other side of the element. */
static GPtrArray *
internal_links (GstPad * pad)
{
  GPtrArray *pads = g_ptr_array_new_with_free_func (gst_object_unref);
  GstIterator *links = gst_pad_iterate_internal_links (pad);

  while (links != NULL && gst_iterator_foreach (links, collect_pad, pads) == GST_ITERATOR_RESYNC) {
    g_ptr_array_set_size (pads, 0);
    gst_iterator_resync (links);
  }
  g_clear_pointer (&links, gst_iterator_free);
  return pads;
}

static void
go_through (Walk * walk, GstPad * pad)
{
  GPtrArray *pads = internal_links (pad);
  guint i;

  if (pads->len == 0)
    walk->ends++;
  for (i = 0; i < pads->len; i++)
    visit_later (walk, g_ptr_array_index (pads, i));
  g_ptr_array_unref (pads);
}

static void
step (Walk * walk, GstPad * pad, PadWalkVisit visit, gpointer user_data)
{
  GstPad *peer = gst_pad_get_peer (pad);
  GstElement *element;

  if (peer == NULL)
    return;
  element = gst_pad_get_parent_element (peer);
  if (visit (peer, element, user_data))
    go_through (walk, peer);
  g_clear_object (&element);
  gst_object_unref (peer);
}

guint
pad_walk (GstPad * from, PadWalkVisit visit, gpointer user_data)
{
  Walk walk = { G_QUEUE_INIT };
  GstPad *next;

  walk.seen = g_hash_table_new_full (NULL, NULL, gst_object_unref, NULL);
  visit_later (&walk, from);
  while ((next = g_queue_pop_head (&walk.todo)) != NULL)
    step (&walk, next, visit, user_data);
  g_hash_table_unref (walk.seen);
  return walk.ends;
}
