/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "encoder/encoderrestart.h"

/* What waits because the encoder makes too much. A keyframe has 1.1 to 2.2 times its share even
 * with a VBV of one frame, so a restart makes two or three frames wait. */
#define FALL_WORTH_S .1
/* A restart at once: half of what leaves the encoder would be too much, or half of what the law
 * wants would be missing, as while it looks for the capacity at the start. */
#define AT_ONCE 2.
/* The law tries for seconds what a link carries of which an encoder leaves a part empty: a rise
 * goes to the least that was wanted in the last span and in this one. */
#define SPAN_S .5
/* A rise pays the sooner the larger it is: a tenth after two seconds, a fiftieth after ten. A law
 * tries no more than what is used of its rate allows, so that small steps are worth it too. */
#define RISE_WORTH_S .2
#define LEAST_RISE_S 2.
/* The rate of a law goes up and down by some percent: what is set lies below, so that the encoder
 * stays below it, and the queue that its keyframe made gets empty. */
#define MARGIN .93
/* A step that was too much is not exceeded for so long, unless so much more is wanted. Before one,
 * or after a rise by as much, a law looks for the capacity, and its cut says little of the link: it
 * wants at most 1 / .75 of what is used, so that a bound far below the capacity would keep itself.
 */
#define MEMORY_S 20.
#define OTHER_LINK 1.5

static void
note_least (EncoderRestart * self, gdouble frame_s)
{
  self->span_s += frame_s;
  if (self->span_s >= SPAN_S) {
    self->span_s = 0;
    self->before_bps = self->least_bps;
    self->least_bps = self->wanted_bps;
  }
  self->least_bps = MIN (self->least_bps, self->wanted_bps);
}

void
encoder_restart_on_frame (EncoderRestart * self, gdouble frame_s)
{
  gdouble ratio;

  self->runs = TRUE;
  if (self->set_bps == 0 || self->wanted_bps == 0)
    return;
  ratio = (gdouble) self->set_bps / (gdouble) self->wanted_bps;
  self->over_s = MAX (self->over_s + (ratio - 1) * frame_s, 0);
  note_least (self, frame_s);
  self->since_s += frame_s;
  self->tried_s += frame_s;
}

/* What is to be made then; what it makes: not worth a keyframe. */
static guint64
choose (const EncoderRestart * self)
{
  guint64 set_bps = self->set_bps, wanted_bps = self->wanted_bps;
  gdouble least_bps = (gdouble) MIN (self->least_bps, self->before_bps);
  gdouble rise = 1 + RISE_WORTH_S / MAX (self->since_s, LEAST_RISE_S);
  gdouble risen_bps = MARGIN * least_bps;

  if (!self->runs || set_bps == 0)
    return wanted_bps;
  if (self->over_s >= FALL_WORTH_S || set_bps > AT_ONCE * wanted_bps)
    return MIN (set_bps, MARGIN * wanted_bps);
  if (wanted_bps >= AT_ONCE * set_bps)
    return MARGIN * wanted_bps;
  if (self->tried_s < MEMORY_S && least_bps < OTHER_LINK * (gdouble) self->too_much_bps)
    risen_bps = MIN (risen_bps, (gdouble) self->too_much_bps);
  return risen_bps >= rise * set_bps ? risen_bps : set_bps;
}

gboolean
encoder_restart_is_due (const EncoderRestart * self)
{
  return choose (self) != self->set_bps;
}

guint64
encoder_restart_take (EncoderRestart * self, guint64 wanted_bps)
{
  guint64 bps;

  self->wanted_bps = wanted_bps;
  self->least_bps = MIN (self->least_bps, wanted_bps);
  bps = choose (self);
  if (bps == self->set_bps)
    return 0;
  if (bps < self->set_bps) {
    self->too_much_bps = self->stepped ? self->set_bps : 0;
    self->tried_s = 0;
  }
  self->stepped = bps > self->set_bps && bps < OTHER_LINK * self->set_bps;
  self->set_bps = bps;
  self->over_s = self->since_s = 0;
  return bps;
}
