/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "pacing/ownheaders.h"

#include "base/threadplaces.h"

/* More than the packets of a frame that leave together at a few Mbit/s. */
#define MAX_KEPT 16

typedef struct
{
  OwnHeader headers[MAX_KEPT];
  guint n;
} Kept;

static ThreadPlaces kept;

static void
kept_free (gpointer data)
{
  Kept *self = data;

  while (self->n > 0)
    gst_buffer_unref (self->headers[--self->n].buffer);
  g_free (self);
}

void
own_headers_add_user (void)
{
  thread_places_add_user (&kept);
}

void
own_headers_remove_user (void)
{
  thread_places_remove_user (&kept, kept_free);
}

static void
keep_or_free (Kept * self)
{
  if (!thread_places_put (&kept, self))
    kept_free (self);
}

static OwnHeader
new_or_kept (void)
{
  Kept *all = thread_places_take (&kept);
  OwnHeader header = { NULL };

  if (all && all->n > 0)
    header = all->headers[--all->n];
  if (all)
    keep_or_free (all);
  if (header.buffer)
    return header;
  header.bytes = g_malloc (OWN_HEADER_BYTES);
  header.buffer = gst_buffer_new_wrapped_full (0, header.bytes, OWN_HEADER_BYTES, 0,
      OWN_HEADER_BYTES, header.bytes, g_free);
  header.first = gst_buffer_peek_memory (header.buffer, 0);
  return header;
}

/* What no viewer's transport looks at, such as the metas, stays behind. */
static void
take_over (GstBuffer * own, GstBuffer * packet)
{
  GST_BUFFER_FLAGS (own) = GST_BUFFER_FLAGS (packet) & ~GST_BUFFER_FLAG_TAG_MEMORY;
  GST_BUFFER_PTS (own) = GST_BUFFER_PTS (packet);
  GST_BUFFER_DTS (own) = GST_BUFFER_DTS (packet);
  GST_BUFFER_DURATION (own) = GST_BUFFER_DURATION (packet);
}

gboolean
own_header_take (OwnHeader * self, GstBuffer * packet)
{
  GstMemory *first = gst_buffer_peek_memory (packet, 0), *rest = NULL;
  guint n = gst_buffer_n_memory (packet);
  gsize size = gst_memory_get_sizes (first, NULL, NULL);

  if (size < OWN_HEADER_BYTES || n + 1 > gst_buffer_get_max_memory ())
    return FALSE;
  if (size > OWN_HEADER_BYTES
      && (GST_MEMORY_IS_NO_SHARE (first) || !(rest = gst_memory_share (first, OWN_HEADER_BYTES,
                  -1))))
    return FALSE;
  *self = new_or_kept ();
  take_over (self->buffer, packet);
  if (rest)
    gst_buffer_append_memory (self->buffer, rest);
  for (guint i = 1; i < n; i++)
    gst_buffer_append_memory (self->buffer, gst_memory_ref (gst_buffer_peek_memory (packet, i)));
  return TRUE;
}

static gboolean
is_as_it_was (const OwnHeader * self)
{
  return gst_buffer_is_writable (self->buffer)
      && gst_buffer_peek_memory (self->buffer, 0) == self->first
      && GST_MINI_OBJECT_REFCOUNT_VALUE (self->first) == 1;
}

void
own_header_put (OwnHeader * self)
{
  Kept *all;

  if (!is_as_it_was (self)) {
    gst_clear_buffer (&self->buffer);
    return;
  }
  if (gst_buffer_n_memory (self->buffer) > 1)
    gst_buffer_remove_memory_range (self->buffer, 1, -1);
  all = thread_places_take (&kept);
  if (!all)
    all = g_new0 (Kept, 1);
  if (all->n < MAX_KEPT)
    all->headers[all->n++] = *self;
  else
    gst_buffer_unref (self->buffer);
  self->buffer = NULL;
  keep_or_free (all);
}
