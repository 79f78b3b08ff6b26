/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Whether the receiver has left.
 *
 * Problem: a BYE stopped media at once. Without a key it is easily forged in the receiver's name:
 * 250 a second stopped all media for as long as they came, two a second cost a quarter of it and
 * two keyframes a second. Rule: a receiver that has left reports no more. Media stops when no
 * report followed the one before the BYE in the longest interval that its format knows, and goes
 * on with the next. More of the same BYE change nothing. No lock and no clock: both are the
 * caller's.
 *
 * Rejected: to obey a BYE under SRTP at once, since arcsrc sends none. */
#pragma once

#include <rc/feedback/formatchoice.h>

/* Receiver reports are at most 1.5 / 1.22 * 5 s apart [RFC 3550 6.3.1], and some are late. */
#define RC_FAREWELL_RR_PATIENCE (7500 * RC_MSEC)

typedef struct
{
  uint32_t instance;            /* that says BYE */
  RcTime due_at;                /* it has left then, unless a report comes; RC_TIME_NONE: no BYE */
  bool left;
} RcFarewell;

/* Also when a report came that holds. */
void rc_farewell_init (RcFarewell *self);
/* The receiver of the last reports says BYE. formats: how and when it reported. */
void rc_farewell_on_bye (RcFarewell *self, uint32_t instance, const RcFormatChoice *formats);
/* true: it has left now. */
bool rc_farewell_take (RcFarewell *self, RcTime now);
