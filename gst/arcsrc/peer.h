/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The other end: who it is, whether it is silent, and the way back to it. Posts the element messages GstArcSrcTimeout
 * and GstArcSrcResumed. One lock, not held while posting or sending. */
#pragma once

#include <gst/gst.h>

#include "common/localaddress.h"
#include "senderlatch.h"

G_BEGIN_DECLS

typedef struct
{
  GstElement *element;          /* posts the messages; holds us, hence no reference */
  GMutex lock;
  /* under the lock */
  GSocket *socket;              /* NULL: closed */
  GstClockTime timeout;         /* 0: no messages */
  gboolean follow;
  SenderLatch latch;
  LocalAddress local;           /* that the sender addressed last: answers leave from there */
  RcTime media_at;              /* last media of the sender, or when we began to wait for it */
  gboolean silent;              /* the timeout message is out */
  guint64 foreign_pkts, changes, send_errors;
} Peer;

void peer_init (Peer * self, GstElement * element);
void peer_clear (Peer * self);
void peer_set_socket (Peer * self, GSocket * socket);
/* 0, the default: no messages. */
void peer_set_timeout (Peer * self, GstClockTime timeout);
GstClockTime peer_timeout (Peer * self);
/* FALSE, the default: a sender that moves is foreign. */
void peer_set_follow (Peer * self, gboolean follow);
gboolean peer_follows (Peer * self);
/* Nobody is the sender, nothing is counted. */
void peer_reset (Peer * self);
/* Silence counts from now on. */
void peer_expect_media (Peer * self);
/* FALSE: to be dropped: not from the sender. Called in the receiving thread, as is the next. */
gboolean peer_admit (Peer * self, GstBuffer * buffer);
void peer_check_silence (Peer * self);
/* To the sender, from the socket that its media comes to. Never blocks: what does not fit now would be stale later. */
void peer_send (Peer * self, GstBuffer * buffer);
void peer_add_stats (Peer * self, GstStructure * stats);

G_END_DECLS
