/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The latest bus messages of the elements of this plugin, for a monitor. The messages are not
 * affected. Any thread.
 *
 * They are taken in post_message of the element's class, which the first watched element sets;
 * without the tracer nothing is set. Rejected: a handler at the bus, which misses what a bin
 * keeps to itself and what was posted before. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Before all others. on_error: after an error, on the thread that posts it. */
void message_log_begin (void (*on_error) (void));
/* In an element's init: from now on its messages are kept, the last ones. */
void message_log_add (GstElement * element);
/* The oldest one that this reader has not had, as GST_ARC_MONITOR_MESSAGE (<gst/arc/arc.h>)
 * without `run` and `id`; NULL: none. One reader at a time: another number makes it a new one.
 * gst_structure_free() */
GstStructure *message_log_peek (GstElement * element, guint reader);
/* The reader has had the message that message_log_peek() returned. */
void message_log_told (GstElement * element, const GstStructure * message);

G_END_DECLS
