/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Sets the latency of the jitter buffers behind arcsrc, in the thread that receives. They are found
 * by a walk along the links, each rtpjitterbuffer that it reaches; the latency of one in an rtpbin
 * is set at the rtpbin, which hands it to all of its jitter buffers.
 *
 * A new latency has an effect only when it is distributed: by GST_MESSAGE_LATENCY the jitter buffer
 * asks the application for gst_bin_recalculate_latency(), which sends the event LATENCY. Until the
 * first such event comes there is one change only. If none comes, it is taken back.
 *
 * Only the property of the stock jitter buffer is set, and nothing of the packets: lip sync,
 * timers of lost packets and retransmission stay its own. Rejected: its `ts-offset`, rtpbin's
 * means for lip sync, with which the reported latency would be wrong; a jitter buffer of our
 * own, which would have to do all that the stock one does. */
#pragma once

#include "arcreceiver/meter.h"

G_BEGIN_DECLS

typedef struct
{
  GstElement *owner;            /* whose clock and base time count; not owned, as the next */
  Meter *meter;
  GstPad *srcpad;               /* from which packets go to the jitter buffers, measured */
  /* settings, under the object lock of the owner */
  gboolean adapt;
  GstClockTime least, most;
  gulong probe;                 /* of srcpad; 0: not yet needed, a packet costs nothing */
  gint stale;                   /* atomic: the settings are new */
  /* of the receiving thread, or while that does not run */
  gboolean runs, refused;
  GPtrArray *buffers;           /* SteeredBuffer */
  RcTime look_at;               /* for jitter buffers; RC_TIME_NONE: at once */
  RcTime asked_at;              /* the first change; RC_TIME_NONE: none yet */
  guint events;                 /* LATENCY events until then */
  gboolean confirmed;
  guint ms;                     /* the last wish; 0: none */
  guint64 changes;              /* under the object lock of the owner */
} PlayoutSteering;

void playout_steering_init (PlayoutSteering * self, GstElement * owner, Meter * meter,
    GstPad * srcpad);
void playout_steering_clear (PlayoutSteering * self);
/* The settings are new. From any thread. It works where packets pass the pad. */
void playout_steering_renew (PlayoutSteering * self);
/* No packet comes until the next start. */
void playout_steering_stop (PlayoutSteering * self);

G_END_DECLS
