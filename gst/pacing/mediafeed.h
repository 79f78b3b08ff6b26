/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A stream that many sessions send. What comes is appended once, and each session takes it on its
 * own pacing thread right before it sends: with 300 sessions the state of each, 80 kB, comes into
 * the cache of one processor once a packet and not of two, and no lock is met by two threads. A
 * session that is not served holds up neither the others nor who appends.
 *
 * A list of nodes, each with a reference of the next: what the last reader has passed is freed. */
#pragma once

#include <gst/gst.h>
#include <gst/rtp/gstrtpbuffer.h>

G_BEGIN_DECLS

typedef struct _Feed Feed;
typedef struct _FeedNode FeedNode;

/* A packet, mapped once for all readers with its payload: else each would, and their threads meet
 * at its counters. No RTP: not mapped. */
typedef struct
{
  GstBuffer *buffer;
  GstRTPBuffer rtp;
} FedPacket;

struct _FeedNode
{
  gint refs;
  FeedNode *next;               /* atomic; NULL: it is the last so far */
  guint n;
  FedPacket packets[];
};

/* Counted references. */
Feed *feed_new (void);
Feed *feed_ref (Feed * self);
void feed_unref (Feed * self);
/* On one thread. References of its own; to be followed by pacing_engine_wake_fed(). The feed keeps
 * what was appended last: none of it once nothing was (n = 0). */
void feed_append (Feed * self, GstBuffer ** buffers, guint n);

/* A reader's place: what comes from now on. */
FeedNode *feed_begin (Feed * self);
/* The next node, to which the place moves; NULL: there is none yet. */
const FeedNode *feed_next (FeedNode ** place);
gboolean feed_has_more (FeedNode * place);
/* Past all that came. Returns how many packets that is. */
guint feed_skip (FeedNode ** place);
void feed_end (FeedNode * place);

G_END_DECLS
