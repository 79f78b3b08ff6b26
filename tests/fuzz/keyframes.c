/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A receiver's wishes for keyframes and a sender's orders to its encoder: the input is a list of
 * steps (one byte what, one byte how), among which requests that nobody wished.
 *
 * Invariants: requests of one receiver keep MIN_INTERVAL, also its repetitions; orders that
 * receivers cause keep INTERVAL from each other; what a receiver requests later
 * than a round trip after the last keyframe is ordered in time; nothing is due before it was
 * wished. */
#include "fuzz.h"

#include <rc/keyframe/keyrequest.h>
#include <rc/keyframe/keywish.h>

typedef struct
{
  RcKeyWish wish;
  RcKeyRequest keys;
  RcTime now, rtt;
  RcTime asked_at, ordered_at, answered_at, keyframe_at;        /* RC_TIME_NONE: never */
} Pair;

static unsigned long asked, ordered, suppressed;

static void
fuzz_ask (Pair *self, RcTime repair_time)
{
  RcTime at = rc_keywish_due_at (&self->wish, self->rtt, repair_time, self->now);

  FUZZ_CHECK (at == RC_TIME_NONE || rc_keywish_watches (&self->wish));
  if (at == RC_TIME_NONE || at > self->now)
    return;
  FUZZ_CHECK (self->asked_at == RC_TIME_NONE
      || self->now - self->asked_at >= RC_KEYWISH_MIN_INTERVAL);
  rc_keywish_on_asked (&self->wish, self->now);
  self->asked_at = self->now;
  asked++;
}

static void
fuzz_request (Pair *self, uint8_t how)
{
  bool heard = how & 1 ? rc_keyrequest_on_fir (&self->keys, how >> 6, how & 0x3f, self->rtt,
      self->now) : how & 2 ? rc_keyrequest_on_newcomer (&self->keys, self->rtt, self->now)
      : rc_keyrequest_on_pli (&self->keys, self->rtt, self->now);

  suppressed += !heard;
  FUZZ_CHECK (!heard || self->keys.wanted);
  if (!(how & 3) && self->now - self->ordered_at >= RC_KEYREQUEST_MAX_RTT
      && self->now - self->keyframe_at >= RC_KEYREQUEST_MAX_RTT)
    FUZZ_CHECK (self->keys.wanted && rc_keyrequest_due_at (&self->keys, false, 0, self->now)
        <= self->now);
}

static void
fuzz_order (Pair *self, bool needed)
{
  RcTime at = rc_keyrequest_due_at (&self->keys, needed, 0, self->now);

  FUZZ_CHECK (at == RC_TIME_NONE || self->keys.wanted || needed);
  if (at == RC_TIME_NONE || at > self->now)
    return;
  FUZZ_CHECK (needed || self->answered_at == RC_TIME_NONE
      || self->now - self->answered_at >= RC_KEYREQUEST_INTERVAL);
  if (self->keys.wanted)
    self->answered_at = self->now;
  rc_keyrequest_on_ordered (&self->keys, self->now);
  FUZZ_CHECK (!self->keys.wanted);
  self->ordered_at = self->now;
  ordered++;
}

static void
step (Pair *self, uint8_t what, uint8_t how)
{
  switch (what % 10) {
    case 0:
      rc_keywish_want (&self->wish);
      break;
    case 1:
      if (how & 0x80)
        rc_keywish_on_came (&self->wish, how & 0x7f);
      else
        rc_keywish_on_lost (&self->wish, how, self->now);
      break;
    case 2:
      rc_keywish_on_keyframe (&self->wish);
      break;
    case 3:
      rc_keyrequest_on_keyframe (&self->keys, self->now);
      self->keyframe_at = self->now;
      break;
    case 4:
      self->rtt = how == 0 ? RC_TIME_NONE : how * RC_MSEC * (how % 16 ? 1 : 1000);
      break;
    case 5:
    case 6:
      fuzz_request (self, how);
      break;
    default:
      self->now += how * (what & 0x80 ? 10 * RC_MSEC : 100 * RC_USEC);
  }
  fuzz_ask (self, how % 2 ? 0 : how * RC_MSEC);
  fuzz_order (self, what % 64 == 63);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  Pair self = {.now = 100 * RC_SECOND,.rtt = RC_TIME_NONE,.asked_at = RC_TIME_NONE,
    .ordered_at = RC_TIME_NONE,.answered_at = RC_TIME_NONE,.keyframe_at = RC_TIME_NONE };

  rc_keywish_init (&self.wish);
  rc_keyrequest_init (&self.keys);
  self.wish.blind = size > 0 && data[0] % 4 == 0;
  for (size_t i = 1; i + 1 < size; i += 2)
    step (&self, data[i], data[i + 1]);
  return 0;
}

#ifndef FUZZ_WITHOUT_MAIN
#define COUNT 100000
#define MAX_INPUT 400

/* Deterministic inputs, as driver.c has them. */
int
main (void)
{
  uint64_t state = UINT64_C (1) << 63 | 1;
  uint8_t bytes[MAX_INPUT];

  for (unsigned i = 0; i < COUNT; i++) {
    for (unsigned k = 0; k < MAX_INPUT; k++) {
      state ^= state >> 12;
      state ^= state << 25;
      state ^= state >> 27;
      bytes[k] = (uint8_t) (state * UINT64_C (0x2545f4914f6cdd1d) >> 56);
    }
    LLVMFuzzerTestOneInput (bytes, 1 + i % MAX_INPUT);
  }
  printf ("%lu asked, %lu ordered, %lu suppressed\n", asked, ordered, suppressed);
  return asked > 0 && ordered > 0 && suppressed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
#endif
