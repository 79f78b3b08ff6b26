/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Reads datagrams in batches, with the time at which the kernel had each. */
#pragma once

#include <glib.h>
#include <rc/base/types.h>

#include "endpoint.h"

G_BEGIN_DECLS

typedef struct _Inbox Inbox;

typedef struct
{
  const guint8 *bytes;
  guint len;
  Endpoint from, to; /* to: our address, without a port; of family 0 if the kernel did not tell */
  guint8 tos;                   /* traffic class with its ECN bits */
  RcTime arrived_at;            /* monotonic; RC_TIME_NONE if the kernel did not tell */
} InboxItem;

Inbox *inbox_new (void);
void inbox_free (Inbox * self);
/* One batch; 0: the socket is empty (or had an error to report: such as nobody listens there). */
guint inbox_read (Inbox * self, int fd);
/* Valid until the next read. */
void inbox_get (Inbox * self, guint i, InboxItem * item);
/* Datagrams that the kernel dropped on this socket so far since our buffer was full, as the last
 * batch told. */
guint32 inbox_overflow_pkts (const Inbox * self);

G_END_DECLS
