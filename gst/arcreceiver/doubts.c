/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "doubts.h"

void
doubts_forget (Doubts * self)
{
  for (guint i = 0; i < DOUBTS_MAX; i++) {
    gst_clear_buffer (&self->doubts[i].packet);
    self->doubts[i] = (Doubt) { 0 };
  }
}

static Doubt *
find (Doubts * self, guint32 ssrc)
{
  for (guint i = 0; i < DOUBTS_MAX; i++)
    if (self->doubts[i].ssrc == ssrc && (self->doubts[i].packet || self->doubts[i].leaps.primed))
      return &self->doubts[i];
  return NULL;
}

static void
drop (Doubts * self, Doubt * doubt)
{
  self->dropped += doubt->packet != NULL;
  gst_clear_buffer (&doubt->packet);
}

static Doubt *
add (Doubts * self, guint32 ssrc)
{
  Doubt *doubt = &self->doubts[self->next++ % DOUBTS_MAX];

  drop (self, doubt);
  *doubt = (Doubt) {.ssrc = ssrc };
  return doubt;
}

RcLeapVerdict
doubts_judge (Doubts * self, guint32 ssrc, guint16 seq, RcLeaps * leaps, gboolean doubtful,
    GstBuffer * packet, GstBuffer ** before)
{
  Doubt *doubt = find (self, ssrc);
  RcLeapVerdict verdict;

  *before = NULL;
  if (!leaps && !doubt)
    doubt = add (self, ssrc);
  verdict = rc_leaps_on_packet (leaps ? leaps : &doubt->leaps, seq, doubtful);
  if (verdict == RC_LEAP_DOUBTED) {
    if (!doubt)
      doubt = add (self, ssrc);
    drop (self, doubt);
    doubt->packet = gst_buffer_ref (packet);
  } else if (verdict == RC_LEAP_CONFIRMED && doubt) {
    *before = g_steal_pointer (&doubt->packet);
  }
  return verdict;
}
