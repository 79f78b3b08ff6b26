/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A relay with explicit rates before the first link, as rcprelay: what the flows send waits here,
 * leaves at the capacity, and carries the rate that the relay offers. */
#pragma once

#include <rc/feedback/wire.h>

#include "parcel.h"

typedef struct UplinkRelay UplinkRelay;

UplinkRelay *uplink_relay_new (const LoopConfig *config);
void uplink_relay_free (UplinkRelay *self);
/* Takes a parcel of a flow. false: its queue is full, and the parcel stays the caller's. */
bool uplink_relay_take (UplinkRelay *self, Parcel *parcel, RcTime now);
/* A report passes, and may have the offered rate written into it. */
void uplink_relay_pass (UplinkRelay *self, unsigned flow, RcReport *report, uint32_t instance,
    RcTime now);
/* The next parcel that leaves now; NULL: none. */
Parcel *uplink_relay_send (UplinkRelay *self, RcTime now);
/* When to come again; call it each time. */
RcTime uplink_relay_next_at (UplinkRelay *self, RcTime now);
