/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A sender of bulk TCP as a pure model: which congestion window, when the next segment may
 * leave.
 *
 * Congestion avoidance is Reno's [RFC 5681], CUBIC's [RFC 9438] or the scalable response of
 * DCTCP [RFC 8257]; BBR has a window and a rate of its own (bbr.h). Loss is found as by SACK and
 * RACK: a transmission is lost when one that left three or more later was acknowledged. The window
 * is cut once for each round trip with a loss, whatever their number; the timeout is RFC 6298's
 * with a least value of 200 ms.
 *
 * Limits of the model: each transmission has a number of its own that the acknowledgement
 * names, so nothing is ambiguous and reordering beyond three costs a cut; no receive window,
 * no HyStart, no tail loss probe, no proportional rate reduction (the window falls at once),
 * no pacing but BBR's (segments leave in the bursts that the acknowledgements allow). */
#pragma once

#include "bbr.h"

#define TCP_MAX_IN_FLIGHT 32768 /* segments; 3.9 s at 100 Mbit/s */

typedef enum
{
  TCP_RENO,
  TCP_CUBIC,
  TCP_SCALABLE,
  TCP_BBR,
} TcpLaw;

typedef struct
{
  RcTime sent_at;
  bool done;                    /* acknowledged, or lost */
  /* as of then: what had been delivered, and when; when that which was delivered last was sent */
  uint64_t delivered;
  RcTime delivered_at, first_sent_at;
} TcpTransmission;

typedef struct
{
  TcpLaw law;
  uint64_t segments, delivered; /* to send, 0: without end; acknowledged */
  double cwnd, ssthresh;        /* segments */
  TcpTransmission sent[TCP_MAX_IN_FLIGHT];      /* numbers first .. next - 1, by their remainder */
  uint64_t first, next, highest;        /* highest: acknowledged */
  uint64_t in_flight;
  uint64_t recovery_end;        /* a loss of an older number belongs to the cut before */
  RcTime srtt, rttvar;          /* srtt RC_TIME_NONE: unknown */
  RcTime timeout_at;            /* RC_TIME_NONE: nothing in flight */
  unsigned backoff;             /* timeouts in a row */
  /* CUBIC */
  double w_max, w_est, cwnd_prior, k_s;
  RcTime epoch_at;              /* congestion avoidance began; RC_TIME_NONE: not yet */
  /* scalable */
  double alpha;                 /* EWMA of the share of marks */
  uint64_t round_end, round_acked, round_marked;
  /* BBR */
  Bbr bbr;
  RcTime delivered_at, first_sent_at;   /* as of a transmission */
  RcTime send_at;               /* by the rate the next one leaves no earlier */
} Tcp;

void tcp_init (Tcp *self, TcpLaw law, uint64_t segments);
/* A segment may leave, from send_at on. */
bool tcp_may_send (const Tcp *self);
/* It leaves; its number. */
uint64_t tcp_on_sent (Tcp *self, RcTime now);
/* One transmission was acknowledged; marked: it carried CE. */
void tcp_on_ack (Tcp *self, uint64_t number, bool marked, RcTime now);
/* Call when timeout_at has come. */
void tcp_on_timeout (Tcp *self, RcTime now);
bool tcp_is_done (const Tcp *self);
