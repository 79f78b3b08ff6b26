/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* From IN to OUT: a transport stream passes as it is, unless it is to be adapted; all else is put
 * into one, and what no player of MPEG-TS plays is encoded anew. The program begins with all that
 * IN announces. */
#pragma once

#include <gst/gst.h>

typedef struct
{
  const gchar *encoder;         /* of video, a line for gst_parse_launch */
  gboolean adapt;               /* encode video in any case */
  gboolean paced;               /* IN does not come by itself at the time of its clock */

  GMutex lock;
  GList *tails;                 /* pads before the muxer */
  guint awaited, timer;
  gboolean released;
} Streams;

/* The pipeline has IN, which ends with a typefind `type` or has pads that come, and `join`, with
 * which OUT begins. */
void streams_watch (Streams * self, GstElement * pipeline);
/* After the pipeline has stopped, before the next one. */
void streams_stop (Streams * self);
