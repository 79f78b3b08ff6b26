/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The elements of this plugin in the process, for somebody who watches them; nothing while nobody
 * does. Keeps no element alive. Any thread. */
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
/* Watched, in the order in which they were made: those that are in a bin, so they are whole, and no
 * parts of others, which tell of them. Forgets the dead. g_array_unref() */
GArray *watch_list_elements (void);

G_END_DECLS
