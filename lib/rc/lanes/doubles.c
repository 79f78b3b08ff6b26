/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/lanes/doubles.h>

#include <string.h>

void
rc_doubles_init (RcDoubles *self)
{
  memset (self, 0, sizeof *self);
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
  uint16_t ahead = (uint16_t) (number - self->highest);

  if (!self->begun || ahead >= RC_DOUBLES_WINDOW)
    memset (self->came, 0, sizeof self->came);
  else
    for (uint16_t i = 1; i <= ahead; i++)
      forget (self, (uint16_t) (self->highest + i));
  self->highest = number;
  self->begun = true;
}

bool
rc_doubles_take (RcDoubles *self, uint16_t number)
{
  int16_t ahead = (int16_t) (uint16_t) (number - self->highest);
  uint64_t *word = &self->came[number % RC_DOUBLES_WINDOW / 64], bit = UINT64_C (1) << number % 64;

  if (!self->begun || ahead > 0)
    move_to (self, number);
  else if (ahead <= -RC_DOUBLES_WINDOW)
    return false;
  if (*word & bit)
    return false;
  *word |= bit;
  return true;
}
