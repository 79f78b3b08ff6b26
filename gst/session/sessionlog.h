/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a session tells GST_DEBUG, in the category of its element: at INFO what changes a stream
 * (stop, law, format of the feedback, ECN, path), at DEBUG what follows the network (rate, state of
 * the law, dropped frames), at LOG each report. Nothing is logged for a packet. Below its level a
 * call costs one comparison. */
#pragma once

#include <rc/sender/sender.h>

#include "pacing/sendqueue.h"

G_BEGIN_DECLS

typedef struct
{
  GstDebugCategory *category;   /* NULL: nothing is logged */
  GstElement *element;          /* no reference */
  gboolean stopped;
  const gchar *law, *state, *format, *ecn;
  guint64 rate_bps, frames_dropped;
} SessionLog;

#define SESSION_LOG(self, level, ...) G_STMT_START { \
    if (session_log_wants (self, GST_LEVEL_##level)) \
      GST_CAT_LEVEL_LOG ((self)->category, GST_LEVEL_##level, (self)->element, __VA_ARGS__); \
  } G_STMT_END

static inline gboolean
session_log_wants (const SessionLog * self, GstDebugLevel level)
{
  return G_UNLIKELY (level <= _gst_debug_min) && self->category
      && gst_debug_category_get_threshold (self->category) >= level;
}

/* A report came, or the sender has decided anew. */
void session_log_on_report (SessionLog * self, RcSender * sender, SendQueue * queue,
    RcTime now);
/* Media came, of which frames may have been dropped. */
void session_log_on_drops (SessionLog * self, const RcSender * sender, SendQueue * queue,
    RcTime queue_time, RcTime max_queue_time);

G_END_DECLS
