/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One stream, many readers: gst/pacing/mediafeed.c. */
#include <pacing/mediafeed.h>

#include "claim.h"

#define N 3

typedef struct
{
  Feed *feed;
  GstBuffer *buffers[N];
} Fixture;

static void
fixture_init (Fixture * f)
{
  f->feed = feed_new ();
  for (guint i = 0; i < N; i++)
    f->buffers[i] = gst_buffer_new ();
}

static void
fixture_clear (Fixture * f)
{
  feed_unref (f->feed);
  for (guint i = 0; i < N; i++) {
    fail_unless_equals_int (GST_MINI_OBJECT_REFCOUNT_VALUE (f->buffers[i]), 1);
    gst_buffer_unref (f->buffers[i]);
  }
}

#define FEED Fixture, f, fixture_init (f), fixture_clear (f)

CLAIM_ON (test_each_reader_takes_all_that_comes_after_it_began_in_order, FEED)
{
  FeedNode *early = feed_begin (f->feed), *late;
  const FeedNode *node;

  feed_append (f->feed, f->buffers, 1);
  late = feed_begin (f->feed);
  fail_if (feed_has_more (late));
  feed_append (f->feed, &f->buffers[1], 2);
  node = feed_next (&early);
  fail_unless (node->n == 1 && node->packets[0].buffer == f->buffers[0]);
  node = feed_next (&early);
  fail_unless (node->n == 2 && node->packets[0].buffer == f->buffers[1]);
  fail_unless (node->packets[1].buffer == f->buffers[2]);
  fail_unless (feed_next (&late) == node);
  fail_unless (feed_next (&early) == NULL && feed_next (&late) == NULL);
  feed_end (early);
  feed_end (late);
}

CLAIM_ON (test_what_the_last_reader_has_passed_is_freed, FEED)
{
  FeedNode *one = feed_begin (f->feed), *other = feed_begin (f->feed);

  for (guint i = 0; i < N; i++)
    feed_append (f->feed, &f->buffers[i], 1);
  feed_skip (&one);
  fail_unless_equals_int (GST_MINI_OBJECT_REFCOUNT_VALUE (f->buffers[0]), 2);
  feed_next (&other);
  feed_next (&other);
  fail_unless_equals_int (GST_MINI_OBJECT_REFCOUNT_VALUE (f->buffers[0]), 1);
  fail_unless_equals_int (GST_MINI_OBJECT_REFCOUNT_VALUE (f->buffers[2]), 2);
  feed_end (one);
  feed_end (other);
}

CLAIM_ON (test_a_feed_that_nothing_is_appended_to_keeps_no_packet, FEED)
{
  feed_append (f->feed, f->buffers, 1);
  fail_unless_equals_int (GST_MINI_OBJECT_REFCOUNT_VALUE (f->buffers[0]), 2);
  feed_append (f->feed, NULL, 0);
  fail_unless_equals_int (GST_MINI_OBJECT_REFCOUNT_VALUE (f->buffers[0]), 1);
}

/* A million nodes in a row must not be a million calls within each other. */
CLAIM_ON (test_a_reader_that_is_far_behind_may_end, FEED)
{
  FeedNode *place = feed_begin (f->feed);

  for (guint i = 0; i < 1000000; i++)
    feed_append (f->feed, f->buffers, 1);
  feed_end (place);
}

static gpointer
read_all (gpointer place)
{
  FeedNode *at = place;
  guint n = 0;

  while (n < 10000)
    n += feed_next (&at) != NULL;
  feed_end (at);
  return GUINT_TO_POINTER (n);
}

CLAIM_ON (test_readers_on_threads_of_their_own_lose_nothing, FEED)
{
  GThread *readers[N];

  for (guint i = 0; i < N; i++)
    readers[i] = g_thread_new ("reader", read_all, feed_begin (f->feed));
  for (guint i = 0; i < 10000; i++)
    feed_append (f->feed, f->buffers, 1);
  for (guint i = 0; i < N; i++)
    fail_unless_equals_int (GPOINTER_TO_UINT (g_thread_join (readers[i])), 10000);
}
