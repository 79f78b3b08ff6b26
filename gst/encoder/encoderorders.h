/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the encoders upstream of one pad are to do now: made by a session or a scheduler, and
 * carried out by encodersteering.h. */
#pragma once

#include <gst/gst.h>
#include <rc/law/cause.h>

G_BEGIN_DECLS

/* Of an element that has no property for it. At 3 Mbit/s frames are whole in 87 ms (p95), with a
 * latency of 200 ms in 153, and the picture is nearly the same (SSIM .9927, .9937;
 * eval/lab/frametimes). */
#define ENCODER_ORDERS_LATENCY (66 * GST_MSECOND)
#define ENCODER_ORDERS_LEAST_LATENCY (20 * GST_MSECOND) /* less than a frame at most rates */
#define ENCODER_ORDERS_MOST_LATENCY (10 * GST_SECOND)
/* A queue is bounded to so many of it. A fall by half makes what waits wait twice as long, and the
 * encoder follows a frame or two late: frames are dropped only if that is not enough. */
#define ENCODER_ORDERS_QUEUE_LATENCIES 6
#define ENCODER_ORDERS_MAX_FLOWS 16     /* as many streams have ledgers (RC_LEDGERS_MAX) */

/* How much a target counts beside those of others that steer the same encoder. */
typedef enum
{
  ENCODER_VOICE_NONE,           /* only while all have none: its receiver does not answer */
  ENCODER_VOICE_OWN,            /* the encoder makes no more than that */
  ENCODER_VOICE_SHARED,         /* of one of many whom nobody chose: encoderclaims.c */
} EncoderVoice;

typedef struct
{
  gboolean target;              /* bps is to be set */
  guint bps;                    /* of media */
  RcCause cause;                /* why it is no more, without what others ask of the encoders */
  guint steady_bps;             /* the same without what empties a queue; 0: unknown */
  guint network_bps;            /* of all streams, with headers; 0: unknown */
  guint n_flows;                /* each gets its share; at least 1 */
  guint32 ssrcs[ENCODER_ORDERS_MAX_FLOWS];
  gdouble shares[ENCODER_ORDERS_MAX_FLOWS];     /* of bps, sum 1 */
  gboolean living;              /* the receiver answers */
  guint64 host;                 /* of the receiver: those of one number are one; 0: unknown */
  EncoderVoice voice;
  guint fec_percentage;         /* packets of FEC in a hundred of media */
  guint made_bps, told_bps;     /* of media: far from each other; made_bps 0: they are not */
  guint n_keyframes;            /* streams whose encoders should make a keyframe */
  guint32 keyframes[ENCODER_ORDERS_MAX_FLOWS];  /* their SSRCs */

  /* No frame is to be larger than what leaves in this time at the bitrate. */
  GstClockTime latency;

  /* permissions, from the element */
  gboolean adapt;               /* properties of encoders may be set, of media and of FEC */
  gboolean may_warn;
} EncoderOrders;

/* Of an event GST_ARC_TARGET_BITRATE; RC_CAUSE_N: it says none. */
static inline RcCause
encoder_orders_read_cause (const GstStructure * event)
{
  const gchar *name = gst_structure_get_string (event, "cause");

  return name ? rc_cause_find (name) : RC_CAUSE_N;
}

G_END_DECLS
