/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When packets really left whose push took long.
 *
 * Problem: rtpsession notes when a packet enters it. If what follows blocks, such as a DTLS
 * connection that is being opened (200 ms and more) or a sink that waits for the clock, the packet
 * leaves later; the delay would count as a queue in the network. Rule: a packet that entered during
 * a slow push left at the end of it. The lock is inside. */
#pragma once

#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

#define PUSH_TIMES_MAX 256      /* a sink that waits for each frame makes 60 a second */

typedef struct
{
  RcTime begun_at, ended_at;
} SlowPush;

typedef struct
{
  GMutex lock;
  SlowPush pushes[PUSH_TIMES_MAX];      /* a ring */
  guint n;                      /* of all so far */
} PushTimes;

void push_times_init (PushTimes * self);
void push_times_clear (PushTimes * self);
void push_times_add (PushTimes * self, RcTime begun_at, RcTime ended_at);
/* When a packet left that entered at this time. */
RcTime push_times_departure (PushTimes * self, RcTime entered_at);

G_END_DECLS
