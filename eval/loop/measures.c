/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "measures.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BUCKET (100 * RC_MSEC)

typedef struct
{
  RcTime at;
  float queue_ms;               /* < 0: dropped */
  unsigned flow;
} Sample;

typedef struct
{
  double served_bytes, good_bytes, rate_sum, rate_max;
  unsigned rates, sent;
} Bucket;

typedef struct
{
  RcTime made_at, whole_at;     /* RC_TIME_NONE: never */
} Frame;

struct Loop
{
  unsigned n_flows, n_buckets, n_samples, cap_samples;
  bool counts[LOOP_MAX_FLOWS];  /* goes over the first link */
  Bucket *buckets[LOOP_MAX_FLOWS];
  double *capacity_bits, *queue_ms;     /* until the end of the bucket; largest in it */
  double *other_bits[LOOP_MAX_LINKS];   /* as capacity_bits */
  Sample *samples;
  bool notes_arrivals;
  LoopArrival *arrivals;
  unsigned n_arrivals, cap_arrivals;
  Frame *frames;                /* in the order in which they were made */
  unsigned n_frames, cap_frames;
};

Loop *
measures_new (const LoopConfig *config)
{
  Loop *self = calloc (1, sizeof *self);

  self->n_flows = config->n_flows;
  self->notes_arrivals = config->notes_arrivals;
  self->n_buckets = (unsigned) (config->length / BUCKET) + 1;
  self->capacity_bits = calloc (self->n_buckets, sizeof (double));
  self->queue_ms = calloc (self->n_buckets, sizeof (double));
  for (unsigned i = 1; i < LOOP_MAX_LINKS; i++)
    self->other_bits[i] = calloc (self->n_buckets, sizeof (double));
  for (unsigned f = 0; f < config->n_flows; f++) {
    self->counts[f] = config->flows[f].path & 1;
    self->buckets[f] = calloc (self->n_buckets, sizeof (Bucket));
  }
  return self;
}

void
loop_free (Loop *self)
{
  for (unsigned f = 0; f < self->n_flows; f++)
    free (self->buckets[f]);
  for (unsigned i = 1; i < LOOP_MAX_LINKS; i++)
    free (self->other_bits[i]);
  free (self->frames);
  free (self->samples);
  free (self->arrivals);
  free (self->capacity_bits);
  free (self->queue_ms);
  free (self);
}

/* --- while it runs --- */

static unsigned
bucket_of (const Loop *self, RcTime now)
{
  unsigned i = (unsigned) (now / BUCKET);

  return i < self->n_buckets ? i : self->n_buckets - 1;
}

static void
add_sample (Loop *self, unsigned flow, RcTime at, double queue_ms)
{
  if (!self->counts[flow])
    return;
  if (self->n_samples == self->cap_samples) {
    self->cap_samples = self->cap_samples ? 2 * self->cap_samples : 65536;
    self->samples = realloc (self->samples, self->cap_samples * sizeof *self->samples);
  }
  self->samples[self->n_samples++] = (Sample) { at, (float) queue_ms, flow };
}

void
measures_note_link (Loop *self, double capacity_bits, RcTime queue, RcTime now)
{
  unsigned i = bucket_of (self, now);

  self->capacity_bits[i] = capacity_bits;
  self->queue_ms[i] = fmax (self->queue_ms[i], (double) queue / RC_MSEC);
}

void
measures_note_rate (Loop *self, unsigned flow, uint64_t rate_bps, RcTime now)
{
  Bucket *b = &self->buckets[flow][bucket_of (self, now)];

  b->rate_sum += (double) rate_bps;
  b->rates++;
  b->rate_max = fmax (b->rate_max, (double) rate_bps);
}

void
measures_note_sent (Loop *self, unsigned flow, RcTime now)
{
  self->buckets[flow][bucket_of (self, now)].sent++;
}

void
measures_note_served (Loop *self, unsigned flow, uint32_t bytes, RcTime sent_at, RcTime waited,
    RcTime now)
{
  self->buckets[flow][bucket_of (self, now)].served_bytes += bytes;
  add_sample (self, flow, sent_at, (double) waited / RC_MSEC);
}

void
measures_note_arrival (Loop *self, unsigned flow, RcTime made_at, RcTime now)
{
  if (!self->notes_arrivals)
    return;
  if (self->n_arrivals == self->cap_arrivals) {
    self->cap_arrivals = self->cap_arrivals ? 2 * self->cap_arrivals : 65536;
    self->arrivals = realloc (self->arrivals, self->cap_arrivals * sizeof *self->arrivals);
  }
  self->arrivals[self->n_arrivals++] = (LoopArrival) { flow, made_at, now };
}

void
measures_note_drop (Loop *self, unsigned flow, RcTime now)
{
  add_sample (self, flow, now, -1);
}

void
measures_note_other_link (Loop *self, unsigned link, double capacity_bits, RcTime now)
{
  self->other_bits[link][bucket_of (self, now)] = capacity_bits;
}

void
measures_note_good (Loop *self, unsigned flow, uint32_t bytes, RcTime now)
{
  self->buckets[flow][bucket_of (self, now)].good_bytes += bytes;
}

void
measures_note_frame (Loop *self, unsigned flow, RcTime made_at, RcTime whole_at)
{
  if (self->n_frames == self->cap_frames) {
    self->cap_frames = self->cap_frames ? 2 * self->cap_frames : 8192;
    self->frames = realloc (self->frames, self->cap_frames * sizeof *self->frames);
  }
  self->frames[self->n_frames++] = (Frame) { made_at, whole_at };
}

/* --- after --- */

const LoopArrival *
loop_arrivals (const Loop *self, unsigned *n)
{
  *n = self->n_arrivals;
  return self->arrivals;
}

static unsigned
bucket_at (const Loop *self, double s)
{
  unsigned i = (unsigned) (s * RC_SECOND / BUCKET + 0.5);

  return i < self->n_buckets ? i : self->n_buckets;
}

double
loop_served_bps (const Loop *self, int flow, double from_s, double to_s)
{
  double bytes = 0;

  for (int f = 0; f < (int) self->n_flows; f++) {
    if (flow < 0 ? !self->counts[f] : f != flow)
      continue;
    for (unsigned i = bucket_at (self, from_s); i < bucket_at (self, to_s); i++)
      bytes += self->buckets[f][i].served_bytes;
  }
  return bytes * 8 / (to_s - from_s);
}

static double
capacity_until (const Loop *self, unsigned bucket)
{
  return bucket > 0 ? self->capacity_bits[bucket - 1] : 0;
}

double
loop_capacity_bps (const Loop *self, double from_s, double to_s)
{
  unsigned from = bucket_at (self, from_s), to = bucket_at (self, to_s);

  return (capacity_until (self, to) - capacity_until (self, from)) / (to_s - from_s);
}

/* Links that no flow crosses stay at 0. */
double
loop_sum_capacity_bps (const Loop *self, double from_s, double to_s)
{
  unsigned from = bucket_at (self, from_s), to = bucket_at (self, to_s);
  double bps = loop_capacity_bps (self, from_s, to_s);

  for (unsigned i = 1; i < LOOP_MAX_LINKS; i++)
    bps += (self->other_bits[i][to - 1] - (from ? self->other_bits[i][from - 1] : 0))
        / (to_s - from_s);
  return bps;
}

static int
compare (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return x < y ? -1 : x > y;
}

/* Some bucket of these had no capacity. */
static bool
has_outage (const Loop *self, unsigned first, unsigned last)
{
  for (unsigned i = first; i <= last; i++)
    if (capacity_until (self, i + 1) == capacity_until (self, i))
      return true;
  return false;
}

static bool
waited_in_outage (const Loop *self, const Sample *sample)
{
  RcTime left_at = sample->at + (RcTime) (sample->queue_ms * RC_MSEC);

  return has_outage (self, bucket_of (self, sample->at), bucket_of (self, left_at));
}

static double
queue_ms (const Loop *self, int flow, double q, double from_s, double to_s, bool with_outages)
{
  float *v = malloc ((self->n_samples + 1) * sizeof *v);
  unsigned n = 0;
  double sum = 0, result;

  for (unsigned i = 0; i < self->n_samples; i++) {
    const Sample *sample = &self->samples[i];
    double at = rc_time_to_s (sample->at);

    if (at < from_s || at >= to_s || sample->queue_ms < 0
        || (flow >= 0 && (unsigned) flow != sample->flow)
        || (!with_outages && waited_in_outage (self, sample)))
      continue;
    v[n++] = sample->queue_ms;
    sum += sample->queue_ms;
  }
  qsort (v, n, sizeof *v, compare);
  result = n == 0 ? 0 : q < 0 ? sum / n : v[(unsigned) (q * (n - 1))];
  free (v);
  return result;
}

double
loop_queue_ms (const Loop *self, double q, double from_s, double to_s)
{
  return queue_ms (self, -1, q, from_s, to_s, true);
}

double
loop_flow_queue_ms (const Loop *self, int flow, double q, double from_s, double to_s)
{
  return queue_ms (self, flow, q, from_s, to_s, true);
}

double
loop_queue_outside_outages_ms (const Loop *self, double q, double from_s, double to_s)
{
  return queue_ms (self, -1, q, from_s, to_s, false);
}

static bool
was_sent_in (const Loop *self, unsigned bucket)
{
  for (unsigned f = 0; f < self->n_flows; f++)
    if (self->counts[f] && self->buckets[f][bucket].sent > 0)
      return true;
  return false;
}

/* Marks the buckets in which packets were sent that waited for longer. */
static void
mark_above (const Loop *self, double ms, bool *above)
{
  unsigned last = self->n_buckets - 1, last_served = 0;

  for (unsigned i = 0; i < self->n_samples; i++) {
    const Sample *sample = &self->samples[i];
    unsigned bucket = bucket_of (self, sample->at);

    if (sample->queue_ms >= 0 && bucket > last_served)
      last_served = bucket;
    if (sample->queue_ms > ms && !waited_in_outage (self, sample))
      above[bucket] = true;
  }
  for (unsigned i = last_served + 1; i < last; i++)
    if (was_sent_in (self, i) && (last - i) * (double) BUCKET / RC_MSEC > ms
        && !has_outage (self, i, last - 1))
      above[i] = true;
}

double
loop_above_s (const Loop *self, double ms, double from_s, double to_s, double *longest_s)
{
  bool *above = calloc (self->n_buckets, sizeof *above);
  unsigned n = 0, run = 0, longest = 0;

  mark_above (self, ms, above);
  for (unsigned i = bucket_at (self, from_s); i < bucket_at (self, to_s); i++) {
    run = above[i] ? run + 1 : 0;
    longest = run > longest ? run : longest;
    n += above[i];
  }
  free (above);
  *longest_s = longest * rc_time_to_s (BUCKET);
  return n * rc_time_to_s (BUCKET);
}

unsigned
loop_drops (const Loop *self, double from_s, double to_s)
{
  unsigned n = 0;

  for (unsigned i = 0; i < self->n_samples; i++) {
    double at = rc_time_to_s (self->samples[i].at);

    n += at >= from_s && at < to_s && self->samples[i].queue_ms < 0;
  }
  return n;
}

double
loop_rate_bps (const Loop *self, int flow, double from_s, double to_s)
{
  double sum = 0;
  unsigned n = 0;

  for (unsigned i = bucket_at (self, from_s); i < bucket_at (self, to_s); i++)
    if (self->buckets[flow][i].rates) {
      sum += self->buckets[flow][i].rate_sum / self->buckets[flow][i].rates;
      n++;
    }
  return n ? sum / n : 0;
}

double
loop_rate_max_bps (const Loop *self, int flow, double from_s, double to_s)
{
  double most = 0;

  for (unsigned i = bucket_at (self, from_s); i < bucket_at (self, to_s); i++)
    most = fmax (most, self->buckets[flow][i].rate_max);
  return most;
}

unsigned
loop_packets_sent (const Loop *self, int flow, double from_s, double to_s)
{
  unsigned n = 0;

  for (unsigned i = bucket_at (self, from_s); i < bucket_at (self, to_s); i++)
    n += self->buckets[flow][i].sent;
  return n;
}

double
loop_reached_at_s (const Loop *self, int flow, double bps, double from_s)
{
  for (unsigned i = bucket_at (self, from_s); i + 5 < self->n_buckets; i++) {
    double s = i * rc_time_to_s (BUCKET);

    if (loop_served_bps (self, flow, s, s + 0.5) >= bps)
      return s + 0.5;
  }
  return -1;
}

double
loop_jain (const Loop *self, double from_s, double to_s)
{
  double sum = 0, squares = 0;
  unsigned n = 0;

  for (unsigned f = 0; f < self->n_flows; f++) {
    double x = loop_served_bps (self, (int) f, from_s, to_s);

    if (!self->counts[f])
      continue;
    sum += x;
    squares += x * x;
    n++;
  }
  return squares > 0 ? sum * sum / (n * squares) : 0;
}

/* --- flows over several links --- */

double
loop_good_bps (const Loop *self, int flow, double from_s, double to_s)
{
  double bytes = 0;

  for (unsigned i = bucket_at (self, from_s); i < bucket_at (self, to_s); i++)
    bytes += self->buckets[flow][i].good_bytes;
  return bytes * 8 / (to_s - from_s);
}

static bool
was_made_in (const Frame *frame, double from_s, double to_s)
{
  double at = rc_time_to_s (frame->made_at);

  return at >= from_s && at < to_s;
}

double
loop_frame_ms (const Loop *self, double q, double from_s, double to_s)
{
  float *v = malloc ((self->n_frames + 1) * sizeof *v);
  unsigned n = 0;
  double result;

  for (unsigned i = 0; i < self->n_frames; i++) {
    const Frame *frame = &self->frames[i];

    if (was_made_in (frame, from_s, to_s) && frame->whole_at != RC_TIME_NONE)
      v[n++] = (float) ((double) (frame->whole_at - frame->made_at) / RC_MSEC);
  }
  qsort (v, n, sizeof *v, compare);
  result = n > 0 ? v[(unsigned) (q * (n - 1))] : 0;
  free (v);
  return result;
}

double
loop_frames_whole (const Loop *self, double from_s, double to_s)
{
  unsigned n = 0, whole = 0;

  for (unsigned i = 0; i < self->n_frames; i++)
    if (was_made_in (&self->frames[i], from_s, to_s)) {
      n++;
      whole += self->frames[i].whole_at != RC_TIME_NONE;
    }
  return n ? (double) whole / n : 0;
}

/* From the last frame to the first: one that comes after a newer one is not shown. */
double
loop_freeze_s (const Loop *self, double from_s, double to_s)
{
  RcTime next_at = RC_TIME_NONE, longest = 0;

  for (unsigned i = self->n_frames; i-- > 0;) {
    const Frame *frame = &self->frames[i];

    if (!was_made_in (frame, from_s, to_s) || frame->whole_at == RC_TIME_NONE
        || (next_at != RC_TIME_NONE && frame->whole_at > next_at))
      continue;
    if (next_at != RC_TIME_NONE && next_at - frame->whole_at > longest)
      longest = next_at - frame->whole_at;
    next_at = frame->whole_at;
  }
  if (next_at != RC_TIME_NONE && next_at - rc_time_from_s (from_s) > longest)
    longest = next_at - rc_time_from_s (from_s);
  return rc_time_to_s (longest);
}

double
loop_good_below_s (const Loop *self, int flow, double bps, double from_s, double to_s)
{
  double s, span_s = 0.5;
  unsigned n = 0;

  for (s = from_s; s + span_s <= to_s; s += span_s)
    n += loop_good_bps (self, flow, s, s + span_s) < bps;
  return n * span_s;
}

void
loop_write_csv (const Loop *self, const char *path)
{
  FILE *file = fopen (path, "w");

  assert (file);
  fprintf (file, "time_s,capacity_bps,queue_ms");
  for (unsigned f = 0; f < self->n_flows; f++)
    fprintf (file, ",rate_bps_%u,served_bps_%u", f, f);
  fprintf (file, "\n");
  for (unsigned i = 0; i + 1 < self->n_buckets; i++) {
    double s = i * rc_time_to_s (BUCKET), e = s + rc_time_to_s (BUCKET);

    fprintf (file, "%.1f,%.0f,%.1f", s, loop_capacity_bps (self, s, e), self->queue_ms[i]);
    for (unsigned f = 0; f < self->n_flows; f++)
      fprintf (file, ",%.0f,%.0f", loop_rate_bps (self, (int) f, s, e),
          loop_served_bps (self, (int) f, s, e));
    fprintf (file, "\n");
  }
  fclose (file);
}
