/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A source, an encoder and a payloader in a bin: what an application puts before an element of
 * ours and takes away again. */
#pragma once

#include "actor.h"

typedef struct
{
  GstElement *bin;              /* a reference of ours; its parent is the pipeline */
  GstPad *to;                   /* the pad it is linked to (a reference) */
  gboolean requested;           /* `to` is a request pad */
  guint32 ssrc;
  const gchar *kind;
  gboolean seekable;            /* a live source would wait for the position to come */
  gboolean greedy;              /* as fast as it is let */
} Branch;

/* Chooses at random; `video` only where H.264 of payload type 96 is expected. */
Branch *branch_new (Actor * actor, gboolean video, guint32 ssrc);

/* Puts it into `pipeline` and links it to `to` (takes the reference). */
void branch_attach (Branch * self, GstElement * pipeline, GstPad * to, gboolean requested);

/* Takes it out, as documentation of GStreamer wants it: what it feeds is made to refuse it
 * first, so that its thread comes back. Frees it. */
void branch_detach (Branch * self, GstElement * pipeline, gboolean unlink_first);

/* After its pipeline has gone. */
void branch_free (Branch * self);

GstElement *branch_dup_part (const Branch * self, const gchar * name);
GstPad *branch_dup_pad (const Branch * self);
