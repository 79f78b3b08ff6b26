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
 * other, with none of the window between, are the stream, and the window begins anew at them.
 * Until then what is ahead is taken, since no copy of it can have come, and what is behind is not.
 * So one who forges has to send as many packets as get lost by it. A sender that begins at its old
 * numbers again stays within the window: AGAIN copies with no new packet between are new packets.
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
forget (RcDoubles *self, uint16_t number)
{
  self->came[number % RC_DOUBLES_WINDOW / 64] &= ~(UINT64_C (1) << number % 64);
}

/* Numbers between that did not come yet may come still. */
static void
move_to (RcDoubles *self, uint16_t number)
{
  while (self->highest != number)
    forget (self, ++self->highest);
}

/* It is within the window. */
static bool
note (RcDoubles *self, uint16_t number)
{
  uint64_t *word = &self->came[number % RC_DOUBLES_WINDOW / 64], bit = UINT64_C (1) << number % 64;

  if (distance (number, self->highest) > 0)
    move_to (self, number);
  if (*word & bit)
    return false;
  *word |= bit;
  self->n_again = 0;
  return true;
}

static void
begin_at (RcDoubles *self, uint16_t number)
{
  rc_doubles_init (self);
  self->highest = number;
  self->begun = true;
}

static void
begin_at_strays (RcDoubles *self)
{
  RcDoubles before = *self;

  begin_at (self, before.strays[0]);
  for (unsigned i = 0; i < RC_DOUBLES_STRAYS; i++)
    note (self, before.strays[i]);
}

static bool
take_stray (RcDoubles *self, uint16_t number)
{
  for (unsigned i = 0; i < self->n_strays; i++)
    if (self->strays[i] == number)
      return false;
  if (self->n_strays > 0 && !is_near (number, self->strays[0]))
    self->n_strays = 0;
  self->strays[self->n_strays++] = number;
  if (self->n_strays < RC_DOUBLES_STRAYS)
    return distance (number, self->highest) > 0;
  begin_at_strays (self);
  return true;
}

bool
rc_doubles_take (RcDoubles *self, uint16_t number)
{
  if (!self->begun)
    begin_at (self, number);
  if (!is_near (number, self->highest))
    return take_stray (self, number);
  self->n_strays = 0;
  if (note (self, number))
    return true;
  if (++self->n_again < RC_DOUBLES_AGAIN)
    return false;
  begin_at (self, number);
  return note (self, number);
}
