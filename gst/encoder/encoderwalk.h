/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which encoders feed a pad: follows the links upstream through whatever stands between, bins
 * included. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* What a walk finds: elements with a reference each (g_ptr_array_unref). */
typedef struct
{
  GPtrArray *encoders;          /* the nearest of each branch, each once */
  guint bare_sources;           /* branches that begin without one */
  guint steered; /* branches that end at an element which steers its encoders itself */
} EncoderWalk;

/* Upstream from the sink pad. Terminates in pipelines of any shape. */
EncoderWalk encoder_walk (GstPad * sinkpad);
/* The payload type of the rtpredenc on that way; -1: there is none. */
gint encoder_walk_red (GstPad * sinkpad);
/* The rtpulpfecenc on the way to them, as far; each with a reference. */
GPtrArray *encoder_walk_fec (GstPad * sinkpad);
/* The payloaders on the way to them, also beyond elements that steer; each with a reference. */
GPtrArray *encoder_walk_payloaders (GstPad * sinkpad);
/* The element steers the encoders that feed it: walks do not go beyond. */
void encoder_walk_mark_steered (GstElement * element);

G_END_DECLS
