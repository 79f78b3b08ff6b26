/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When packets really left whose push was held up while the path was not open yet.
 *
 * Problem: rtpsession notes when a packet enters it. While a DTLS connection is being opened, the
 * packet leaves 200 ms and more later; the delay would count as a queue in the network. Rule: a
 * packet that entered during a slow push left at the end of it. The owner notes pushes only until
 * the first feedback. After that a slow push indicates a busy machine, and the packet may have left
 * long before its end: a departure that is too late makes the least delay too small, and then each
 * true delay looks like a queue, for minutes. The lock is inside. */
#pragma once

#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

#define PUSH_TIMES_MAX 16

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
