/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Raw footage, and an encoder whose bitrate is set as rmcsink would set it. */
#pragma once

#include <encoder/encoderrate.h>
#include <gst/check/gstharness.h>

typedef struct
{
  GPtrArray *frames;            /* GstBuffer, decoded */
  GstCaps *caps;
  guint fps;
} Clip;

/* The first frames of each path, one path behind the other, in I420; width 0: their own size. */
Clip clip_decode (gchar ** paths, guint fps, guint frames_each, guint width, guint height);
/* Forward and back again without end, so that there is no cut at the end. */
GstBuffer *clip_frame (const Clip * self, guint i);
void clip_clear (Clip * self);

typedef struct
{
  EncoderRate *rate;            /* NULL: the bitrate alone is set */
  GstElement *encoder;          /* without `rate` */
} Driver;

/* warning: as encoder_rate_find(). */
Driver driver_new (GstPad * sinkpad, gboolean plain, GstClockTime latency, gchar ** warning);
void driver_set (const Driver * self, guint bps);
void driver_clear (Driver * self);

/* A harness of the line with its driver, which has set the bitrate before the encoder starts. */
GstHarness *driver_harness (const gchar * line, const Clip * clip, gboolean plain,
    GstClockTime latency, guint bps, Driver * driver, gchar ** warning);
