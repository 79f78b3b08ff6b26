/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a sending law is: a table of functions over its own state, whose layout nobody else knows.
 *
 * A law hears three things: a packet left, a report was digested, time passed. It answers each with
 * the decision that holds from then on. `now` comes last and must not run backwards. A law takes no
 * lock, calls nobody back and knows neither the format of the feedback nor who sent it. */
#pragma once

#include <rc/base/param.h>
#include <rc/base/types.h>

typedef enum
{
  RC_PROFILE_LIVE,              /* for real networks */
  RC_PROFILE_PAPER,             /* as published */
} RcProfile;

typedef struct RcLaw RcLaw;

/* One fact for statistics. */
typedef struct
{
  const char *name;
  const char *unit;             /* such as bit/s; "": a plain number */
  double value;
  const char *text;             /* for users */
  const char *word;             /* what the value means; NULL: the number itself */
} RcFact;

struct RcLaw
{
  const char *name, *doc;
  const RcLaw *paper;           /* the law that profile `paper` means, if it is another one */
  size_t state_bytes;           /* of its state, which begins with its parameters */
  const RcParam *params;        /* ends with a NULL name; offsets into the state */
  void (*defaults) (void *self, RcProfile profile);
  void (*start) (void *self, const RcLimits *limits, RcTime now);
  void (*set_limits) (void *self, const RcLimits *limits, RcTime now);
  RcDecision (*on_sent) (void *self, const RcSent *sent, RcTime now);
  RcDecision (*on_feedback) (void *self, const RcFeedback *feedback, RcTime now);
  RcDecision (*on_timer) (void *self, RcTime now);
  bool (*stat) (const void *self, unsigned index, RcFact *fact);      /* false past the end */
  bool scalable;                /* answers to the share of marks, so may send ECT(1) [RFC 9331] */
  bool wants_stamps;            /* obeys relays: packets must carry a stamp for them */
};

/* The body of RcLaw.stat over a table. */
static inline bool
rc_fact_at (const RcFact *facts, unsigned n, unsigned index, RcFact *fact)
{
  if (index >= n)
    return false;
  *fact = facts[index];
  return true;
}
