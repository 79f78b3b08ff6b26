/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The event trace of a session (docs/reference/trace.md): a file in the folder that GST_ARC_TRACE
 * names in the environment. Events are put into a bounded buffer; a thread of GLib's writes it. */
#pragma once

#include <gst/gst.h>
#include <rc/sender/sender.h>

G_BEGIN_DECLS

typedef struct _SessionTrace SessionTrace;

/* A new file, named after the element. NULL: no trace is wanted, or it cannot be written. */
SessionTrace *session_trace_new (GstElement * element, RcTime now);
/* Writes what is left. NULL: nothing. */
void session_trace_free (SessionTrace * self);

/* After what may have changed the lane or its sender. */
void session_trace_look (SessionTrace * self, RcSender * sender, guint index, RcLane * lane,
    guint64 queue_bytes, RcTime now);
/* The encoders upstream were told to make this. */
void session_trace_on_encoders (SessionTrace * self, guint bps, RcCause cause, RcTime now);

G_END_DECLS
