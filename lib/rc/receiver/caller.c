/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/receiver/caller.h>

#define FIRST_INTERVAL (100 * RC_MSEC)
/* Who waits for the sender to start sees it so soon; two calls are 200 bytes a second. */
#define LAST_INTERVAL (500 * RC_MSEC)
/* Copies of an answer with a cookie must not make as many calls. */
#define LEAST_INTERVAL (20 * RC_MSEC)

static void
begin (RcCaller *self, RcTime now)
{
  self->call_at = now;
  self->interval = FIRST_INTERVAL;
}

void
rc_caller_init (RcCaller *self, uint64_t number, RcTime now)
{
  *self = (RcCaller) {.number = number,.cookie_at = RC_TIME_NONE };
  begin (self, now);
}

/* While media comes the next call is that long away. */
static void
note_media (RcCaller *self, RcTime media_at, RcTime now)
{
  if (self->state != RC_CALLER_ACCEPTED || media_at == RC_TIME_NONE
      || media_at + RC_CALLER_PATIENCE <= self->call_at)
    return;
  begin (self, media_at + RC_CALLER_PATIENCE);
}

bool
rc_caller_must_call (RcCaller *self, RcTime media_at, RcTime now, RcTime *next_at)
{
  bool due;

  *next_at = RC_TIME_NONE;
  if (self->state == RC_CALLER_REFUSED)
    return false;
  note_media (self, media_at, now);
  due = now >= self->call_at;
  if (due) {
    self->call_at = now + self->interval;
    self->interval = 2 * self->interval < LAST_INTERVAL ? 2 * self->interval : LAST_INTERVAL;
  }
  *next_at = self->call_at;
  return due;
}

static bool
take_cookie (RcCaller *self, uint64_t cookie, RcTime now)
{
  self->cookie = cookie;
  if (self->cookie_at != RC_TIME_NONE && now - self->cookie_at < LEAST_INTERVAL)
    return false;
  self->cookie_at = self->call_at = now;
  return true;
}

bool
rc_caller_on_answer (RcCaller *self, const RcAnswer *answer, RcTime now)
{
  RcCallerState before = self->state;

  if (answer->number != self->number || self->state == RC_CALLER_REFUSED)
    return false;
  if (answer->verdict == RC_ANSWER_COOKIE)
    return take_cookie (self, answer->cookie, now);
  if (answer->verdict == RC_ANSWER_LATER) {
    self->state = RC_CALLER_CALLS;
    return false;
  }
  self->state = answer->verdict == RC_ANSWER_ACCEPTED ? RC_CALLER_ACCEPTED : RC_CALLER_REFUSED;
  if (self->state == RC_CALLER_ACCEPTED)
    begin (self, now + RC_CALLER_PATIENCE);
  return self->state != before;
}
