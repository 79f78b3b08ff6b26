/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/arrivaltimes.h>

#include <string.h>

void
rc_arrivaltimes_init (RcArrivalTimes *self)
{
  memset (self, 0, sizeof *self);
}

/* Never 0, which stands for no arrival. */
static uint32_t
to_us (RcTime t)
{
  uint32_t us = (uint32_t) (t / RC_USEC);

  return us > 0 ? us : 1;
}

static void
begin (RcArrivalTimes *self, uint32_t number, uint32_t arrived_us)
{
  self->first = number;
  self->stride_log2 = 0;
  self->n = 1;
  self->arrived_us[0] = arrived_us;
}

static void
double_stride (RcArrivalTimes *self)
{
  self->n = (self->n + 1) / 2;
  for (unsigned i = 1; i < self->n; i++)
    self->arrived_us[i] = self->arrived_us[2 * i];
  self->stride_log2++;
}

/* It came after a later number: the list begins earlier, if there is room. */
static void
note_before (RcArrivalTimes *self, uint32_t number, uint32_t back, uint32_t arrived_us)
{
  uint32_t places = back >> self->stride_log2;

  if (places > RC_ARRIVALTIMES_MAX - self->n)
    return;
  memmove (self->arrived_us + places, self->arrived_us, self->n * sizeof *self->arrived_us);
  for (uint32_t i = 1; i < places; i++)
    self->arrived_us[i] = 0;
  self->arrived_us[0] = arrived_us;
  self->first = number;
  self->n += places;
}

void
rc_arrivaltimes_note (RcArrivalTimes *self, uint32_t number, RcTime arrived_at)
{
  int32_t offset = (int32_t) (number - self->first);
  uint32_t distance = (uint32_t) (offset < 0 ? -(int64_t) offset : offset), place;
  uint32_t arrived_us = to_us (arrived_at);

  if (self->n == 0 || distance >= RC_ARRIVALTIMES_MAX << RC_ARRIVALAGES_MAX_STRIDE_LOG2) {
    begin (self, number, arrived_us);
    return;
  }
  while (offset > 0 && distance >> self->stride_log2 >= RC_ARRIVALTIMES_MAX)
    double_stride (self);
  if (distance & ((UINT32_C (1) << self->stride_log2) - 1))
    return;
  if (offset < 0) {
    note_before (self, number, distance, arrived_us);
    return;
  }
  place = distance >> self->stride_log2;
  while (self->n <= place)
    self->arrived_us[self->n++] = 0;
  self->arrived_us[place] = arrived_us;
}

static uint16_t
age_of (uint32_t arrived_us, RcTime told_at)
{
  int32_t age_us = (int32_t) (to_us (told_at) - arrived_us);
  RcTime age;

  if (arrived_us == 0)
    return RC_ARRIVALAGE_NONE;
  age = age_us > 0 ? (age_us * RC_USEC + RC_ARRIVALAGE_UNIT / 2) / RC_ARRIVALAGE_UNIT : 0;
  return age < RC_ARRIVALAGE_EARLIER ? (uint16_t) age : RC_ARRIVALAGE_EARLIER;
}

static void
trim (RcArrivalAges *self)
{
  while (self->n > 0 && self->ages[self->n - 1] == RC_ARRIVALAGE_NONE)
    self->n--;
}

void
rc_arrivaltimes_tell (RcArrivalTimes *self, RcTime told_at, RcArrivalAges *ages)
{
  ages->first = (uint16_t) self->first;
  ages->stride_log2 = (uint8_t) self->stride_log2;
  ages->n = (uint16_t) self->n;
  for (unsigned i = 0; i < self->n; i++)
    ages->ages[i] = age_of (self->arrived_us[i], told_at);
  trim (ages);
  self->n = 0;
}

void
rc_arrivalages_thin (RcArrivalAges *self, unsigned most)
{
  if (most == 0)
    self->n = 0;
  while (self->n > most && self->stride_log2 < RC_ARRIVALAGES_MAX_STRIDE_LOG2) {
    self->n = (uint16_t) ((self->n + 1) / 2);
    for (unsigned i = 1; i < self->n; i++)
      self->ages[i] = self->ages[2 * i];
    self->stride_log2++;
    trim (self);
  }
  if (self->n > most)
    self->n = 0;
}
