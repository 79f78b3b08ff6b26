/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Rows of lists, each of which is in the reference once: elements share properties and
 * statistics, and a page names those that another page explains. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A list of a page. */
typedef struct
{
  GString *page;
  const gchar *element, *head;  /* head: written before the first row */
  gboolean begun;
  GPtrArray *elsewhere;         /* "element\tname" */
} Rows;

void rows_begin (Rows * self, GString * page, const gchar * element, const gchar * head);
/* row: the line, with the name in it; of: what it belongs to, if it is the same only there. */
void rows_add (Rows * self, const gchar * name, const gchar * of, const gchar * row);
void rows_end (Rows * self);

G_END_DECLS
