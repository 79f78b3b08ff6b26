/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Tells what feeds one sink pad how much it may make: by the properties of the encoders found
 * upstream (encoderrate.h), by the upstream event GstTargetBitrate, and by notify of a property of
 * the object that owns it. Every rmcsink, every rtparcbwe and every sink pad of rampscheduler has
 * one. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _EncoderSteering EncoderSteering;

typedef struct
{
  gboolean target;              /* bps is to be told */
  guint bps;                    /* of media */
  gboolean has_network_bps;
  guint network_bps;            /* of all streams, with headers */
  guint n_flows;                /* each is told its share; at least 1 */
  const guint32 *ssrcs;
  const gdouble *shares;        /* of bps, sum 1 */

  gboolean adapt;               /* the properties of encoders may be set, of media and of FEC */
  guint fec_percentage;         /* packets of FEC in a hundred of media */
  gboolean living;              /* somebody answers: counts beside others that steer the encoder */
  gboolean may_warn;
  gboolean needs_encoder;       /* that none was found is worth a warning */
  guint made_bps, told_bps; /* of media: so much more was made than told; made_bps 0: it was not */
  guint n_keyframes;            /* the streams whose encoders are to be asked for one */
  const guint32 *keyframes;     /* their SSRCs */
} EncoderOrders;

/* The pad and the object, which may be the pad, outlive it. `property` (a literal) of the object
 * tells the target. warn posts the sentence and leaves it to the caller. */
EncoderSteering *encoder_steering_new (GstPad * sinkpad, GObject * told, const gchar * property,
    void (*warn) (GObject * told, const gchar * sentence));
void encoder_steering_free (EncoderSteering * self);

/* Any thread. What feeds the pad may be something else by now: the next orders look for
 * encoders. */
void encoder_steering_look_again (EncoderSteering * self);
/* Any thread. A new run: what was warned of may be warned of again. */
void encoder_steering_begin (EncoderSteering * self);
/* Any thread. Other sinks no longer count us. */
void encoder_steering_forget (EncoderSteering * self);

/* Calls out: never with a lock held, and never from a streaming thread or the pacing thread. One
 * thread at a time. */
void encoder_steering_tell (EncoderSteering * self, const EncoderOrders * orders);
/* Names of the encoders that follow ("x264enc0, opusenc0"; g_free). */
gchar *encoder_steering_names (EncoderSteering * self);

G_END_DECLS
