/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A receiver that is not ours: it counts packets and sends receiver reports (RFC 3550 6.4 and
 * appendix A), in random intervals of 0.5 to 1.5 times the mean. */
#pragma once

#include <rc/ledger/reportblocks.h>

typedef struct
{
  bool begun;
  uint32_t base, highest;       /* extended */
  uint32_t received_pkts, told_pkts;    /* in all; when it reported last */
  uint32_t lsr;                 /* of the last sender report; 0: none */
  RcTime sr_at;
  RcTime due_at;                /* RC_TIME_NONE: before the first packet */
} PlainReceiver;

void plain_receiver_init (PlainReceiver *self);
/* interval: the mean; random: 0 to 1. */
void plain_receiver_on_packet (PlainReceiver *self, uint16_t seq, RcTime interval, double random,
    RcTime now);
void plain_receiver_on_sr (PlainReceiver *self, uint32_t ntp, RcTime now);
/* Its report, and when the next one is due. false: nothing came since the last one. */
bool plain_receiver_report (PlainReceiver *self, uint32_t ssrc, RcTime interval, double random,
    RcTime now, RcReportBlock *out);
