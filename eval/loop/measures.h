/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a closed loop saw, by flow and 0.1 s: it is noted while the loop runs, and read after. */
#pragma once

#include "loopconfig.h"

typedef struct Loop Loop;

/* A packet of media. */
typedef struct
{
  unsigned flow;
  RcTime made_at;               /* its frame */
  RcTime came_at;
} LoopArrival;

/* --- while it runs --- */

Loop *measures_new (const LoopConfig *config);
/* What the first link could have carried until now, and how long what waits in it will take. */
void measures_note_link (Loop *self, double capacity_bits, RcTime queue, RcTime now);
void measures_note_rate (Loop *self, unsigned flow, uint64_t rate_bps, RcTime now);
void measures_note_sent (Loop *self, unsigned flow, RcTime now);
/* A media packet left the last link of its path, having waited so long in all of them.
 * sent_at: it came to the first. */
void measures_note_served (Loop *self, unsigned flow, uint32_t bytes, RcTime sent_at, RcTime waited,
    RcTime now);
/* A packet of media of the frame that was made then came to its receiver. */
void measures_note_arrival (Loop *self, unsigned flow, RcTime made_at, RcTime now);
void measures_note_drop (Loop *self, unsigned flow, RcTime now);
/* The same as of the first link of another one, which only the sum of the capacities counts. */
void measures_note_other_link (Loop *self, unsigned link, double capacity_bits, RcTime now);
/* A packet came to the receiver of a flow over several links, for the first time. */
void measures_note_good (Loop *self, unsigned flow, uint32_t bytes, RcTime now);
/* A frame that was made then has come whole; RC_TIME_NONE: never, of a flow over several links. */
void measures_note_frame (Loop *self, unsigned flow, RcTime made_at, RcTime whole_at);

/* --- after --- */

void loop_free (Loop *self);

/* Over [from, to) seconds. Capacity is the first link's; flow -1, delay, drops and Jain mean
 * the flows over it. */
double loop_served_bps (const Loop *self, int flow, double from_s, double to_s);
double loop_capacity_bps (const Loop *self, double from_s, double to_s);
/* q-quantile of the queueing delay, summed over their links, of the packets sent in it, in ms;
 * q < 0: the mean; 1: the largest. */
double loop_queue_ms (const Loop *self, double q, double from_s, double to_s);
/* The same of one flow. */
double loop_flow_queue_ms (const Loop *self, int flow, double q, double from_s, double to_s);
/* The same of all, without packets that waited while the link could not serve for 0.1 s. */
double loop_queue_outside_outages_ms (const Loop *self, double q, double from_s, double to_s);
/* In how much of that time, in steps of 0.1 s, packets were sent that waited for more than `ms`,
 * outages left out as before; what never left the queue waited until the end. *longest_s: in one
 * piece. */
double loop_above_s (const Loop *self, double ms, double from_s, double to_s, double *longest_s);
unsigned loop_drops (const Loop *self, double from_s, double to_s);
/* What came to the receivers, in order; empty unless the config asked for it. */
const LoopArrival *loop_arrivals (const Loop *self, unsigned *n);
/* Mean target of a flow's law, and its extremes. */
double loop_rate_bps (const Loop *self, int flow, double from_s, double to_s);
double loop_rate_max_bps (const Loop *self, int flow, double from_s, double to_s);
unsigned loop_packets_sent (const Loop *self, int flow, double from_s, double to_s);
/* When the flow's served rate over 0.5 s first reached bps at or after from_s, or -1. */
double loop_reached_at_s (const Loop *self, int flow, double bps, double from_s);
double loop_jain (const Loop *self, double from_s, double to_s);
/* --- flows over several links --- */

double loop_sum_capacity_bps (const Loop *self, double from_s, double to_s);
double loop_good_bps (const Loop *self, int flow, double from_s, double to_s);
/* q-quantile of the time from the encoder to the receiver, of whole frames of all flows. */
double loop_frame_ms (const Loop *self, double q, double from_s, double to_s);
/* Share of the frames that came whole. */
double loop_frames_whole (const Loop *self, double from_s, double to_s);
/* The longest time in which no whole frame came that was made later than those before. */
double loop_freeze_s (const Loop *self, double from_s, double to_s);
/* For how long less than bps came, over 0.5 s. */
double loop_good_below_s (const Loop *self, int flow, double bps, double from_s, double to_s);
/* Writes time_s,capacity_bps,queue_ms,rate_bps_0,served_bps_0,... each 0.1 s. */
void loop_write_csv (const Loop *self, const char *path);
