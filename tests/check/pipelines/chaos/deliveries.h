/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Packets that came out of the receivers, by SSRC. */
#pragma once

#include <gst/gst.h>

typedef struct
{
  GMutex lock;
  GHashTable *packets;          /* SSRC to packets since the last reset */
} Deliveries;

void deliveries_init (Deliveries * self);
void deliveries_clear (Deliveries * self);
void deliveries_watch (Deliveries * self, GstPad * pad);
/* One more of that SSRC, or of whatever has that number. */
void deliveries_note (Deliveries * self, guint32 ssrc);
void deliveries_reset (Deliveries * self);
guint deliveries_of (Deliveries * self, guint32 ssrc);
