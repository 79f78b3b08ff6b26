/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Packets that came out of the receivers, by SSRC. */
#pragma once

#include <gst/gst.h>

typedef struct
{
  GMutex lock;
  GHashTable *packets;          /* SSRC to packets since the last reset */
} Arrivals;

void arrivals_init (Arrivals * self);
void arrivals_clear (Arrivals * self);
void arrivals_watch (Arrivals * self, GstPad * pad);
void arrivals_reset (Arrivals * self);
guint arrivals_of (Arrivals * self, guint32 ssrc);
