/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The table of sending laws and the calls through it. */
#include <rc/feedback/feedback.h>
#include <rc/law/arclive.h>
#include <rc/law/controller.h>
#include <rc/law/fixed.h>
#include <rc/law/rcp_source.h>
#include <rc/law/slow.h>

#include <assert.h>
#include <math.h>
#include <string.h>

const RcLaw *const rc_laws[] = {
  &rc_arclive_law, &rc_rcp_law, &rc_qircp_law, &rc_piqircp_law, &rc_slow_law, &rc_fixed_law, NULL
};

const RcLaw *
rc_law_find (const char *name)
{
  for (unsigned i = 0; rc_laws[i]; i++)
    if (strcmp (rc_laws[i]->name, name) == 0)
      return rc_laws[i];
  return NULL;
}

/* --- parameters --- */

/* Receiver reports come each 5 s, and RFC 8083 4.1 asks for three of them. */
#define PLAIN_STOP_S 15

static double
initial_stop_s (const RcLaw *law)
{
  return law->open_loop ? 0 : law->reduce ? PLAIN_STOP_S : RC_STOP_S;
}

#define STOP_TEXT(least) "time without reports after which only probes are sent" least \
    "; 0: media never stops, as by default of rtparcbwe"

bool
rc_law_param (const RcLaw *law, unsigned index, RcParam *param)
{
  unsigned own = 0;

  for (const RcParam *p = law->params; p && p->name; p++, own++)
    if (own == index) {
      *param = *p;
      return true;
    }
  if (index > own)
    return false;
  *param = (RcParam) {
    .name = "stop", .unit = "s", .min = 0, .max = 3600,
    .initial = initial_stop_s (law), .paper = initial_stop_s (law),
    .doc = law->reduce ? STOP_TEXT (", at least 15") : STOP_TEXT (""),
  };
  return true;
}

static bool
find_param (const RcLaw *law, const char *name, RcParam *param)
{
  for (unsigned i = 0; rc_law_param (law, i, param); i++)
    if (strcmp (param->name, name) == 0)
      return true;
  return false;
}

static double *
param_value (RcController *self, const RcParam *param)
{
  return strcmp (param->name, "stop") == 0 ? &self->stop_s
      : (double *) (self->state.bytes + param->offset);
}

void
rc_controller_init (RcController *self, const RcLaw *law, RcProfile profile)
{
  memset (self, 0, sizeof *self);
  self->law = profile == RC_PROFILE_PAPER && law->paper ? law->paper : law;
  assert (self->law->state_bytes <= sizeof self->state);
  rc_law_set_defaults (self->law, &self->state, profile);
  self->stop_s = initial_stop_s (self->law);
}

bool
rc_controller_set_param (RcController *self, const char *name, double value)
{
  RcParam param;

  if (!find_param (self->law, name, &param) || !(value >= param.min && value <= param.max))
    return false;
  *param_value (self, &param) = value;
  return true;
}

bool
rc_controller_get_param (RcController *self, const char *name, double *value)
{
  RcParam param;

  if (!find_param (self->law, name, &param))
    return false;
  *value = *param_value (self, &param);
  return true;
}

/* --- what holds above the law --- */

#define REDUCED 0.1             /* RFC 8083 4.5 */
/* After it the session begins anew at its least rate. RFC 8083 wants no restart without the user;
 * here there may be no user to ask, and a minute is longer than congestion by a fault in routing
 * usually lasts. */
#define REST (60 * RC_SECOND)

static double
stop_s (const RcController *self)
{
  return self->law->reduce && self->stop_s > 0 ? fmax (self->stop_s, PLAIN_STOP_S) : self->stop_s;
}

static void
end_rest (RcController *self, RcTime now)
{
  if (self->rest_until == RC_TIME_NONE || now < self->rest_until)
    return;
  self->rest_until = RC_TIME_NONE;
  self->law->reduce (&self->state, 0);
}

/* true: the law's rate has changed. */
static bool
obey_breaker (RcController *self, RcBreakerVerdict verdict, RcTime now)
{
  bool reduces = verdict == RC_BREAKER_REDUCE || verdict == RC_BREAKER_CEASE;

  if (reduces)
    self->law->reduce (&self->state, REDUCED);
  if (self->stop_s > 0 && verdict == RC_BREAKER_CEASE)
    self->rest_until = now + REST;
  else if (self->stop_s > 0 && verdict == RC_BREAKER_NOTHING_ARRIVES)
    rc_silence_stop (&self->path.silence);
  return reduces;
}

/* The law has decided; is there anything that it does not know of? */
static RcDecision
conclude (RcController *self, RcDecision decision, RcTime now)
{
  RcTime silent_at = rc_silence_next_at (&self->path.silence);

  decision.next_at = rc_sooner (silent_at, decision.next_at);
  if (rc_silence_update (&self->path.silence, now)) {
    decision.next_at = RC_TIME_NONE;
    decision.cause = self->breaker.barren > 0 ? RC_CAUSE_BREAKER : RC_CAUSE_TIMEOUT;
  }
  if (self->rest_until != RC_TIME_NONE) {
    decision.next_at = self->rest_until;
    decision.cause = RC_CAUSE_BREAKER;
  }
  return decision;
}

bool
rc_controller_is_stopped (const RcController *self)
{
  return self->path.silence.stopped || self->rest_until != RC_TIME_NONE;
}

/* --- events --- */

RcDecision
rc_controller_on_timer (RcController *self, RcTime now)
{
  end_rest (self, now);
  rc_path_on_timer (&self->path, now);
  return conclude (self, self->law->on_timer (&self->state, now), now);
}

static void
check_limits (const RcLimits *limits)
{
  assert (limits->min_bps > 0 && limits->min_bps <= limits->start_bps
      && limits->start_bps <= limits->max_bps);
}

RcDecision
rc_controller_start (RcController *self, const RcLimits *limits, RcTime now)
{
  check_limits (limits);
  rc_path_init (&self->path, stop_s (self), self->law->forgiving, now);
  self->path.epoch = self->epoch;
  rc_breaker_init (&self->breaker);
  self->rest_until = RC_TIME_NONE;
  self->law->start (&self->state, &self->path, limits, now);
  return rc_controller_on_timer (self, now);
}

RcDecision
rc_controller_set_limits (RcController *self, const RcLimits *limits, RcTime now)
{
  check_limits (limits);
  self->law->set_limits (&self->state, limits, now);
  return rc_controller_on_timer (self, now);
}

RcDecision
rc_controller_on_sent (RcController *self, const RcSent *sent, RcTime now)
{
  end_rest (self, now);
  rc_path_on_sent (&self->path, rc_sent_bytes (sent), now);
  if (self->law->reduce)
    rc_breaker_on_sent (&self->breaker, rc_sent_bytes (sent), sent->before_pkts + 1);
  return conclude (self, self->law->on_sent ? self->law->on_sent (&self->state, sent, now)
      : self->law->on_timer (&self->state, now), now);
}

/* A receiver report comes whether media arrives or not: without a new packet it is no answer. */
static bool
is_answer (const RcController *self, const RcFeedback *feedback)
{
  return !self->law->reduce || feedback->received_pkts + feedback->lost_pkts > 0;
}

RcDecision
rc_controller_on_feedback (RcController *self, const RcFeedback *feedback, RcTime now)
{
  RcFeedback seen = *feedback;
  RcDecision decision;

  end_rest (self, now);
  rc_path_on_feedback (&self->path, &seen, is_answer (self, feedback), now);
  decision = self->law->on_feedback ? self->law->on_feedback (&self->state, &seen, now)
      : self->law->on_timer (&self->state, now);
  if (self->law->reduce && obey_breaker (self, rc_breaker_on_report (&self->breaker, feedback,
              decision.rate_bps, now), now))
    decision = self->law->on_timer (&self->state, now);
  return conclude (self, decision, now);
}

/* --- statistics --- */

RcTime
rc_controller_queueing_delay (const RcController *self)
{
  if (self->law->queueing_delay)
    return self->law->queueing_delay (&self->state);
  return self->path.srtt == RC_TIME_NONE ? RC_TIME_NONE : self->path.tq;
}

static unsigned
count_facts (const RcLaw *law)
{
  unsigned n = 0;

  while (law->facts && law->facts[n].name)
    n++;
  return n;
}

const RcFact *
rc_law_fact (const RcLaw *law, unsigned index)
{
  for (; law; index -= count_facts (law), law = law->within)
    if (index < count_facts (law))
      return &law->facts[index];
  return NULL;
}

unsigned
rc_controller_measure (const RcController *self, double values[RC_LAW_MAX_FACTS])
{
  const unsigned char *state = self->state.bytes;
  unsigned n = 0;

  for (const RcLaw *law = self->law; law; state += law->within_offset, law = law->within) {
    assert (n + count_facts (law) <= RC_LAW_MAX_FACTS);
    if (law->measure)
      law->measure (state, values + n);
    n += count_facts (law);
  }
  return n;
}

const char *
rc_controller_state_name (const RcController *self)
{
  double values[RC_LAW_MAX_FACTS];
  const RcFact *fact;

  rc_controller_measure (self, values);
  for (unsigned i = 0; (fact = rc_law_fact (self->law, i)); i++)
    if (fact->words)
      return fact->words[(unsigned) values[i]];
  return "";
}
