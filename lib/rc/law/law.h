/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a sending law is: a table of functions over its own state, whose layout is private to it.
 *
 * Facts and decisions are apart. What the sender knows of the path is an RcPath, which the law only
 * reads: it is up to date when the law is called. The law hears that a packet left, that a report
 * was digested, that time passed, and answers each with the decision that holds from then on: a
 * rate, and when it wants to be called again. When no media may leave at all, because the receiver
 * is silent or a circuit breaker is open, is no law's business (controller.h).
 *
 * `now` comes last and must not run backwards. A law takes no lock, makes no callbacks, and is
 * independent of the feedback format and of the receiver.
 *
 * What a law is shows in its flags and optional hooks, never in a comparison of names. Rejected:
 * laws that keep SRTT, silence and timeouts themselves. Seven of them had seven copies. */
#pragma once

#include <rc/base/param.h>
#include <rc/feedback/reports.h>
#include <rc/law/cause.h>
#include <rc/law/limits.h>
#include <rc/path/path.h>

#include <assert.h>
#include <string.h>

/* A packet that has just been handed to the network, and those that were right before it, at the
 * same time. */
typedef struct
{
  uint32_t size_bytes;          /* of the last, at the network layer */
  bool backlogged;              /* more packets were waiting for their turn */
  bool ahead;                   /* frames leave faster than at the law's rate */
  uint32_t before_bytes, before_pkts;
  uint64_t dropped_bytes;       /* before it, by the sender itself: the source made too much */
} RcSent;

static inline uint32_t
rc_sent_bytes (const RcSent *self)
{
  return self->before_bytes + self->size_bytes;
}

/* What the source made for it. */
static inline double
rc_sent_used_bits (const RcSent *self)
{
  return ((double) self->dropped_bytes + rc_sent_bytes (self)) * 8;
}

/* What a law wants. Valid until the next call of any of its inputs. */
typedef struct
{
  uint64_t rate_bps;            /* pace at this, and let the sources fill it */
  RcCause cause;                /* of rate_bps */
  RcTime next_at;               /* call on_timer() no later than this; RC_TIME_NONE: no need */
  RcTime report_interval;       /* how often the law wants reports */
  bool fell; /* the capacity did: what waits in the sender was made for a higher rate */
} RcDecision;

/* A fact for statistics. */
typedef struct
{
  const char *name;
  const char *unit;             /* such as bit/s; "": a plain number */
  const char *text;             /* for users */
  const char *const *words;     /* what the values 0, 1, ... mean; NULL: the number itself */
} RcFact;


struct RcLaw
{
  const char *name, *doc;
  const RcLaw *paper;           /* the law that profile `paper` means, if it is another one */
  size_t state_bytes;           /* of its state, which begins with its parameters */
  const RcParam *params;        /* ends with a NULL name; offsets into the state; or NULL: none */
  /* The path outlives the run. */
  void (*start) (void *self, const RcPath *path, const RcLimits *limits, RcTime now);
  void (*set_limits) (void *self, const RcLimits *limits, RcTime now);
  RcDecision (*on_timer) (void *self, RcTime now);

  /* Any of these may be NULL. */
  RcDecision (*on_sent) (void *self, const RcSent *sent, RcTime now);
  RcDecision (*on_feedback) (void *self, const RcFeedback *feedback, RcTime now);
  const RcFact *facts;          /* ends with a NULL name */
  void (*measure) (const void *self, double *values);   /* of the facts, in their order */
  const RcLaw *within;          /* a law that this one runs in its state: its facts come after */
  size_t within_offset;
  RcTime (*queueing_delay) (const void *self);  /* if it knows better than RcPath.tq */
  /* A circuit breaker opened, or closes again: the rate falls to this share of what it is, but not
   * below the least rate. A law that has it is for plain RTP receivers: RFC 8083 holds for it. */
  void (*reduce) (void *self, double share);

  bool scalable;                /* answers to the share of marks, so may send ECT(1) [RFC 9331] */
  bool wants_stamps;            /* obeys relays: packets must carry a stamp for them */
  bool forgiving;               /* hears nothing of an outage in the reports after it (RcPath) */
  bool open_loop;               /* needs no feedback */
};

/* Of a rate that a law clamped to the limits: those of the user, where they bind. */
static inline RcCause
rc_law_cause (const RcLimits *limits, double rate_bps, RcCause cause)
{
  return rate_bps >= (double) limits->max_bps
      || (rate_bps <= (double) limits->min_bps && cause != RC_CAUSE_START) ? RC_CAUSE_USER : cause;
}

/* The body of RcLaw.measure: a value for each row of `facts`. */
#define RC_LAW_TELL(values, facts, ...) do { \
    const double told_[] = { __VA_ARGS__ }; \
    static_assert (sizeof told_ / sizeof told_[0] + 1 == sizeof facts / sizeof facts[0], \
        "a value a fact"); \
    memcpy (values, told_, sizeof told_); \
  } while (0)

/* The parameters of a state as the profile has them. */
static inline void
rc_law_set_defaults (const RcLaw *law, void *state, RcProfile profile)
{
  for (const RcParam *p = law->params; p && p->name; p++)
    *(double *) ((char *) state + p->offset) = profile == RC_PROFILE_PAPER ? p->paper : p->initial;
}
