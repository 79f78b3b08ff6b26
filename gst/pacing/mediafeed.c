/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "pacing/mediafeed.h"

struct _Feed
{
  GMutex lock;
  FeedNode *last;               /* under the lock; with a reference */
};

static FeedNode *
node_new (GstBuffer ** buffers, guint n)
{
  FeedNode *self = g_malloc0 (sizeof (FeedNode) + n * sizeof (FedPacket));

  self->refs = 1;
  self->n = n;
  for (guint i = 0; i < n; i++) {
    self->packets[i].buffer = gst_buffer_ref (buffers[i]);
    if (gst_rtp_buffer_map (buffers[i], GST_MAP_READ, &self->packets[i].rtp))
      gst_rtp_buffer_get_payload (&self->packets[i].rtp);
  }
  return self;
}

static void
packet_clear (FedPacket * self)
{
  if (self->rtp.buffer)
    gst_rtp_buffer_unmap (&self->rtp);
  gst_buffer_unref (self->buffer);
}

static FeedNode *
node_ref (FeedNode * self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

/* A reader that was far behind may have been the last of thousands of nodes. */
static void
node_unref (FeedNode * self)
{
  while (self && g_atomic_int_dec_and_test (&self->refs)) {
    FeedNode *next = self->next;

    for (guint i = 0; i < self->n; i++)
      packet_clear (&self->packets[i]);
    g_free (self);
    self = next;
  }
}

Feed *
feed_new (void)
{
  Feed *self = g_atomic_rc_box_new0 (Feed);

  g_mutex_init (&self->lock);
  self->last = node_new (NULL, 0);
  return self;
}

static void
feed_clear (gpointer feed)
{
  Feed *self = feed;

  node_unref (self->last);
  g_mutex_clear (&self->lock);
}

Feed *
feed_ref (Feed * self)
{
  return g_atomic_rc_box_acquire (self);
}

void
feed_unref (Feed * self)
{
  g_atomic_rc_box_release_full (self, feed_clear);
}

void
feed_append (Feed * self, GstBuffer ** buffers, guint n)
{
  FeedNode *node = node_new (buffers, n), *before;

  g_mutex_lock (&self->lock);
  before = self->last;
  self->last = node_ref (node);
  g_atomic_pointer_set (&before->next, node);
  g_mutex_unlock (&self->lock);
  node_unref (before);
}

FeedNode *
feed_begin (Feed * self)
{
  FeedNode *place;

  g_mutex_lock (&self->lock);
  place = node_ref (self->last);
  g_mutex_unlock (&self->lock);
  return place;
}

const FeedNode *
feed_next (FeedNode ** place)
{
  FeedNode *before = *place, *next = g_atomic_pointer_get (&before->next);

  if (!next)
    return NULL;
  *place = node_ref (next);
  node_unref (before);
  return next;
}

gboolean
feed_has_more (FeedNode * place)
{
  return g_atomic_pointer_get (&place->next) != NULL;
}

guint
feed_skip (FeedNode ** place)
{
  const FeedNode *node;
  guint n = 0;

  while ((node = feed_next (place)))
    n += node->n;
  return n;
}

void
feed_end (FeedNode * place)
{
  node_unref (place);
}
