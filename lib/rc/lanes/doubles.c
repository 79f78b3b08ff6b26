/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A window of the last WINDOW numbers, with a bit for each: it came.
 *
 *      behind                 highest                  ahead
 *   -----------|  - WINDOW       .      + WINDOW  |-----------
 *    a stray         bit         .       moves       a stray
 *
 * Problem: a window that each number ahead moves stays at one forged number, 32000 ahead, until the
 * stream has come there; and a stream that comes back from an outage of more than 32768 packets is
 * behind, as an old copy is. Rule: numbers outside the window are strays. STRAYS of them near each
 * other, over STRAYS_TIME and with none of the window between, are the stream, and take the place
 * of the window. Until then what is ahead is taken, unless it came among the strays, and what is
 * behind is not. A sender that begins at its old numbers again stays within the window: AGAIN
 * copies over AGAIN_TIME with no new packet between are new packets.
 *
 * The times tell a stream from a burst of old copies, which honest lanes make: one that stood still
 * delivers at once what left by another meanwhile; and copies by a slow lane go on alone, for as
 * long as it is slower, when the fast one fails or the source pauses. A stream at 20 packets a
 * second or more interrupts the burst within STRAYS_TIME, and no lane in use is slower by
 * AGAIN_TIME. Who forges has to send as often to keep a stream out.
 *
 * Rejected: to move at the second stray, as RFC 3550 A.1 does. Lanes interleave: an old burst of
 * one lane would move the window back and forth. */
#include <rc/lanes/doubles.h>

#include <string.h>

void
rc_doubles_init (RcDoubles *self)
{
  memset (self, 0, sizeof *self);
}

static int
distance (uint16_t number, uint16_t from)
{
  return (int16_t) (uint16_t) (number - from);
}

static bool
is_near (uint16_t number, uint16_t other)
{
  int apart = distance (number, other);

  return apart > -RC_DOUBLES_WINDOW && apart < RC_DOUBLES_WINDOW;
}

static void
forget (RcDoublesWindow *self, uint16_t number)
{
  self->came[number % RC_DOUBLES_WINDOW / 64] &= ~(UINT64_C (1) << number % 64);
}

static void
move_to (RcDoublesWindow *self, uint16_t number)
{
  while (self->highest != number)
    forget (self, ++self->highest);
}

/* It is within the window. */
static bool
note (RcDoublesWindow *self, uint16_t number)
{
  uint64_t *word = &self->came[number % RC_DOUBLES_WINDOW / 64], bit = UINT64_C (1) << number % 64;

  if (distance (number, self->highest) > 0)
    move_to (self, number);
  if (*word & bit)
    return false;
  *word |= bit;
  return true;
}

static void
begin_at (RcDoublesWindow *self, uint16_t number)
{
  memset (self, 0, sizeof *self);
  self->highest = number;
}

static bool
take_stray (RcDoubles *self, uint16_t number, RcTime now)
{
  bool ahead = distance (number, self->window.highest) > 0;

  if (self->n_strays == 0 || !is_near (number, self->strays.highest)) {
    begin_at (&self->strays, number);
    self->n_strays = 0;
    self->strays_since = now;
  }
  if (!note (&self->strays, number))
    return false;
  if (++self->n_strays < RC_DOUBLES_STRAYS || now - self->strays_since < RC_DOUBLES_STRAYS_TIME)
    return ahead;
  self->window = self->strays;
  self->n_strays = self->n_again = 0;
  return true;
}

bool
rc_doubles_take (RcDoubles *self, uint16_t number, RcTime now)
{
  if (!self->begun)
    begin_at (&self->window, number);
  self->begun = true;
  if (!is_near (number, self->window.highest))
    return take_stray (self, number, now);
  self->n_strays = 0;
  if (note (&self->window, number)) {
    self->n_again = 0;
    return true;
  }
  if (self->n_again++ == 0)
    self->again_since = now;
  if (self->n_again < RC_DOUBLES_AGAIN || now - self->again_since < RC_DOUBLES_AGAIN_TIME)
    return false;
  self->n_again = 0;
  begin_at (&self->window, number);
  return note (&self->window, number);
}
