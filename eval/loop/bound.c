/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "bound.h"

#include <link/opportunities.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OUTAGE_MS 100           /* as in measures.c */
#define LEAST_MORE_USE 0.002    /* that makes a point of its own */
#define QUANTILE 0.95
#define N(array) (sizeof (array) / sizeof *(array))

static const double as[] = { 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.2 };
static const unsigned ws_ms[] = { 5, 10, 20, 50, 100, 200, 500, 1000 };
static const unsigned ts_ms[] = { 10, 20, 50, 100, 200, 500 };

#define MOST_SENDERS (N (as) * N (ws_ms) * N (ts_ms) * 2)

/* Each array has a value for each millisecond; those named `_sum` for all before it as well, and
 * begin with 0. */
typedef struct
{
  unsigned length_ms, from_ms, delay_ms;
  double *served_most;          /* bytes that the link can serve */
  double *capacity_sum, *arrived_sum, *served_sum;
  unsigned *outages_sum;        /* of whole steps of OUTAGE_MS */
  double *waits;                /* bytes by their wait in ms */
} Link;

static double *
doubles (unsigned n)
{
  return calloc (n, sizeof (double));
}

static void
link_open (Link *self, const RcTime *at, uint32_t n, RcTime length)
{
  unsigned most = (unsigned) (length / RC_MSEC);

  self->length_ms = most;
  self->served_most = doubles (most);
  self->capacity_sum = doubles (most + 1);
  self->arrived_sum = doubles (most + 1);
  self->served_sum = doubles (most + 1);
  self->waits = doubles (most + 1);
  self->outages_sum = calloc (most / OUTAGE_MS + 2, sizeof *self->outages_sum);
  for (RcTime lap = 0; lap < length; lap += at[n - 1])
    for (uint32_t i = 0; i < n && lap + at[i] < length; i++)
      self->served_most[(lap + at[i]) / RC_MSEC] += LINK_OPPORTUNITY_BYTES;
  for (unsigned k = 0; k < most; k++)
    self->capacity_sum[k + 1] = self->capacity_sum[k] + self->served_most[k];
  for (unsigned i = 0; i <= most / OUTAGE_MS; i++) {
    unsigned end = (i + 1) * OUTAGE_MS;

    self->outages_sum[i + 1] = self->outages_sum[i]
        + (end <= most && self->capacity_sum[end] <= self->capacity_sum[i * OUTAGE_MS]);
  }
}

static void
link_close (Link *self)
{
  free (self->served_most);
  free (self->capacity_sum);
  free (self->arrived_sum);
  free (self->served_sum);
  free (self->waits);
  free (self->outages_sum);
}

/* What this sender sends in millisecond k. */
static double
rate (const Link *self, const BoundPoint *sender, unsigned k)
{
  unsigned known = k > self->delay_ms ? k - self->delay_ms : 0;
  unsigned since = known > sender->w_ms ? known - sender->w_ms : 0;
  double capacity, queue;

  if (known == since)
    return 0;
  capacity = (self->capacity_sum[known] - self->capacity_sum[since]) / (known - since);
  queue = self->arrived_sum[known] - self->served_sum[known];
  if (sender->predicts)
    queue += self->arrived_sum[k] - self->arrived_sum[known] - capacity * (k - known);
  return fmax (sender->a * capacity - fmax (queue, 0) / sender->t_ms, 0);
}

static void
send_all (Link *self, const BoundPoint *sender)
{
  for (unsigned k = 0; k < self->length_ms; k++) {
    double arrived = self->arrived_sum[k] + rate (self, sender, k);

    self->arrived_sum[k + 1] = arrived;
    self->served_sum[k + 1] = fmin (arrived, self->served_sum[k] + self->served_most[k]);
  }
}

static bool
through_outage (const Link *self, unsigned from_ms, unsigned to_ms)
{
  return self->outages_sum[to_ms / OUTAGE_MS + 1] > self->outages_sum[from_ms / OUTAGE_MS];
}

static double
wait_quantile_ms (Link *self)
{
  double sum = 0, below = 0;
  unsigned end = self->from_ms, wait;

  memset (self->waits, 0, self->length_ms * sizeof *self->waits);
  for (unsigned k = self->from_ms; k < self->length_ms; k++) {
    double bytes = self->arrived_sum[k + 1] - self->arrived_sum[k];

    end = end > k ? end : k;
    while (end + 1 < self->length_ms && self->served_sum[end + 1] < self->arrived_sum[k + 1])
      end++;
    if (bytes <= 0 || through_outage (self, k, end))
      continue;
    self->waits[end - k] += bytes;
    sum += bytes;
  }
  for (wait = 0; wait + 1 < self->length_ms; wait++) {
    below += self->waits[wait];
    if (below >= QUANTILE * sum)
      break;
  }
  return wait;
}

static void
measure (Link *self, BoundPoint *sender)
{
  unsigned from = self->from_ms, to = self->length_ms;

  send_all (self, sender);
  sender->use = (self->served_sum[to] - self->served_sum[from])
      / (self->capacity_sum[to] - self->capacity_sum[from]);
  sender->p95_ms = wait_quantile_ms (self);
}

static int
by_delay (const void *a, const void *b)
{
  const BoundPoint *x = a, *y = b;

  if (x->p95_ms != y->p95_ms)
    return x->p95_ms < y->p95_ms ? -1 : 1;
  return (x->use < y->use) - (x->use > y->use);
}

/* Those that no other beats in both. Of more than fit, those with the longest delays are left
 * out. */
static void
keep_best (BoundCurve *self, BoundPoint *senders, unsigned n)
{
  qsort (senders, n, sizeof *senders, by_delay);
  for (unsigned i = 0; i < n && self->n < BOUND_MOST_POINTS; i++)
    if (!self->n || senders[i].use > self->points[self->n - 1].use + LEAST_MORE_USE)
      self->points[self->n++] = senders[i];
}

void
bound_curve (BoundCurve *self, const RcTime *at, uint32_t n, RcTime from, RcTime length,
    RcTime delay)
{
  BoundPoint *senders = calloc (MOST_SENDERS, sizeof *senders);
  Link link = { .from_ms = (unsigned) (from / RC_MSEC), .delay_ms = (unsigned) (delay / RC_MSEC) };

  *self = (BoundCurve) { .n = 0 };
  link_open (&link, at, n, length);
  for (unsigned i = 0; i < MOST_SENDERS; i++) {
    unsigned index = i / 2;

    senders[i].predicts = i % 2;
    senders[i].t_ms = ts_ms[index % N (ts_ms)];
    index /= N (ts_ms);
    senders[i].w_ms = ws_ms[index % N (ws_ms)];
    senders[i].a = as[index / N (ws_ms)];
    measure (&link, &senders[i]);
  }
  keep_best (self, senders, MOST_SENDERS);
  link_close (&link);
  free (senders);
}

double
bound_use (const BoundCurve *self, double p95_ms)
{
  double use = self->points[0].use;

  for (unsigned i = 0; i < self->n && self->points[i].p95_ms <= p95_ms; i++)
    use = self->points[i].use;
  return use;
}

double
bound_p95_ms (const BoundCurve *self, double use)
{
  for (unsigned i = 0; i < self->n; i++)
    if (self->points[i].use >= use)
      return self->points[i].p95_ms;
  return self->points[self->n - 1].p95_ms;
}
