/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The elements of this plugin in the process, for a monitor; empty without one. Weak references
 * only. Any thread.
 *
 * Rejected: a hook of the tracer. One hook of any tracer costs 0.43 us on each pad for each
 * buffer. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* An element with a reference. */
typedef struct
{
  GstElement *element;
  guint64 id;                   /* never of two elements of the process */
} Watched;

/* Each element calls it when it is made. */
void watch_list_add (GstElement * element);

/* From now on, elements are in the list. on_added: after each one. Once in a process. */
void watch_list_begin (void (*on_added) (void));
gboolean watch_list_is_empty (void);
/* Watched, in order of creation: the elements in a bin, since these are complete, except parts of
 * other elements of the plugin, which report them. Drops finalized ones. g_array_unref() */
GArray *watch_list_elements (void);

G_END_DECLS
