/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC's tunables: each default once, with its reason. */
#include <rc/law/arclive.h>

RcArcLiveParams
rc_arclive_params (void)
{
  return (RcArcLiveParams) {
    .k = 2,                     /* 1/k = 0.5 s: fast enough for 20 s steps, slow enough that a queue drains without a hole */
    .packet = 1200,             /* usual payload of video over RTP */
    .qthresh = 1.8,             /* at 1 Mbit/s, 17 ms: the least that frame bursts and timers do not trip */
    .timeout = 2,
    .report = 0.25,             /* a quarter of the reaction time is waiting for reports; what media pays for bounds their bytes */
    .report_min = 0.020, .report_max = 0.050,
    .timeout_min = 0.200,       /* a few frames: reports are sent as packets come */
    .timeout_halve = 1,
    .startup = 2.5,             /* doubles every 2.5 SRTT: the encoder and B follow within one, the first queue is 70 ms, not 120 */
    .tq_min = 0.008, .tq_max = 0.100,
    .qthresh_scale = 0.5,
    .drain = 0.97,
    .rest = 0.5,                /* 1/k: the time that the queue takes to drain */
    .add = 60e3,
    .add_rtt = 0.1,
    .add_double = 0.7, .add_max = 32,   /* from 1 back to 3 Mbit/s in 3 s */
    .add_ratio = 0.25,          /* above 7.7 Mbit/s: from 10 back to 40 Mbit/s in 9 s, not 18 */
    .approach = 1,              /* crossing the known capacity slowly: halves the peaks of the queue */
    .recover = 4,               /* short flows of others must not cost us seconds each */
    .used = 0.75, .used_start = 0.5,
    .loss_high = 0.15,
    .compete = 8,               /* four of us must not take a Reno's place before it has shown itself */
    .compete_tq = 0.060,
    .compete_cut = 0.8,         /* the paper's 1 leaves four Reno flows beside four of ours less than TFRC does */
    .compete_probe = 8,
    .route = 1,
    .base_window = 30,
    .owd = 1,
    .delivery = 0.100,
    .stop = RC_SILENCE_STOP_S,
  };
}

#define PARAM(field, unit, low, high, doc) { #field, unit, doc, low, high, offsetof (RcArcLive, params.field) }

const RcParam rc_arclive_param_table[] = {
  PARAM (k, "1/s", 0.01, 100, "gain from window to rate [ARC eq. 1]"),
  PARAM (packet, "bytes", 40, 65535, "packet that qthresh counts in"),
  PARAM (qthresh, "packets", 0.1, 10000, "own backlog that is congestion"),
  PARAM (timeout, "SRTT", 0.5, 100, "time without a report that is a timeout"),
  PARAM (report, "SRTT", 0.05, 10, "time between reports"),
  PARAM (report_min, "s", 0.001, 1, "shortest time between reports"),
  PARAM (report_max, "s", 0.001, 1, "longest time between reports"),
  PARAM (timeout_min, "s", 0, 60, "shortest timeout"),
  PARAM (timeout_halve, "0|1", 0, 1, "1: each further timeout halves the window"),
  PARAM (startup, "SRTT", 0, 100, "time to double until the first sign of congestion; 0: no start-up"),
  PARAM (tq_min, "s", 0, 10, "qthresh as a delay is at least this"),
  PARAM (tq_max, "s", 0.001, 1e9, "qthresh as a delay is at most this"),
  PARAM (qthresh_scale, "", 0, 1, "1: threshold in packets, 0: in time at 1 Mbit/s, between: both"),
  PARAM (drain, "", 0, 1, "window after a backlog, as a share of eq. 2; 0: hold"),
  PARAM (rest, "s", 0, 10, "time that a reduction is given to empty the queue"),
  PARAM (add, "bit/s/s", 1, 1e9, "growth of the rate"),
  PARAM (add_rtt, "s", 0, 10, "RTT beyond which growth is slower, by the root of the ratio; 0: never"),
  PARAM (add_double, "s", 0.01, 1000, "time in which growth doubles without a sign"),
  PARAM (add_max, "", 1, 10000, "most that growth multiplies by"),
  PARAM (add_ratio, "1/s", 0, 10, "the same as a share of the rate, if that is more"),
  PARAM (approach, "ratio", 0, 10, "share of the last rate that was too much at which growth begins anew; 0: never"),
  PARAM (recover, "", 0, 10000, "growth, as a multiple of add, up to the rate that was usual before a reduction; 0: no more than else"),
  PARAM (used, "ratio", 0, 1, "share of the allowed rate that must be used for the window to grow"),
  PARAM (used_start, "ratio", 0, 1, "the same during start-up"),
  PARAM (loss_high, "ratio", 0, 1, "loss ratio above which loss alone is congestion; 0: each loss is"),
  PARAM (compete, "s", 0, 1000, "a queue that is deep for half of so long is another's: compete with it; 0: never"),
  PARAM (compete_tq, "s", 0, 10, "queue that is standing even if four thresholds are more; 0: four thresholds"),
  PARAM (compete_cut, "", 0, 1, "window after a loss while competing, as a share of eq. 2"),
  PARAM (compete_probe, "s", 0, 1000, "competing without a loss for so long: try whose queue it is; 0: never"),
  PARAM (route, "0|1", 0, 1, "1: a delay that does not fall though we drain is a longer route"),
  PARAM (base_window, "s", 0, 100000, "age at which the minimum delay is forgotten; 0: never"),
  PARAM (owd, "0|1", 0, 1, "1: use the forward one-way delay too"),
  PARAM (delivery, "s", 0, 10, "span of the delivery rate; 0: use the receiver's filtered bandwidth"),
  PARAM (stop, "s", 0, 3600, "silence of the receiver after which no media leaves; 0: never"),
  {NULL}
};
