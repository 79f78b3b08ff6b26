/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What left by a lane, until a report says that it came: what the lane lost, or has when it falls
 * silent, leaves by another one. */
#pragma once

#include <gst/gst.h>
#include <rc/feedback/wire.h>

G_BEGIN_DECLS

#define LANE_SENT_PACKETS 512   /* 0.5 s at 10 Mbit/s */
#define LANE_SENT_AGE (400 * RC_MSEC)   /* what is older comes too late */

typedef struct
{
  GstBuffer *buffer;
  RcTime sent_at;
} LaneSentPacket;

typedef struct
{
  LaneSentPacket packets[LANE_SENT_PACKETS];    /* by number */
  guint16 next;                 /* number of the lane's next packet */
  guint16 answered;             /* the first that no report has named */
  gboolean reported;
  guint32 report;               /* number of the last one */
} LaneSent;

/* next: the first number. */
void lane_sent_init (LaneSent * self, guint16 next);
void lane_sent_clear (LaneSent * self);
/* The buffer left with the next number. */
void lane_sent_add (LaneSent * self, GstBuffer * buffer, RcTime now);
/* Appends what no report has named, oldest first, and forgets it. */
void lane_sent_take_unanswered (LaneSent * self, RcTime now, GQueue * buffers);
/* A report that holds. Appends what it shows as lost, oldest first, and forgets it. */
void lane_sent_take_lost (LaneSent * self, const RcReport * report, RcTime now, GQueue * buffers);

G_END_DECLS
