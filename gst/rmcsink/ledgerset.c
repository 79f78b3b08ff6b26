/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "ledgerset.h"

#include <rc/receiver.h>

#define MAX_LEDGERS RTCP_FEEDBACK_MAX_REPORTS
#define FIRST_CAPACITY 1024     /* packets: 1 s at 10 Mbit/s */
#define LAST_CAPACITY 65536     /* all that 16-bit sequence numbers tell apart */
#define BANDWIDTH_AGE RC_RECEIVER_MAX_INTERVAL  /* so long after its last packet a receiver tells of a source */
/* An SSRC that has sent nothing for so long while others did has ended: it gives its place to a new
 * one, and gets no infos. */
#define IDLE_TIME (2 * RC_SECOND)

typedef struct
{
  RcLedger ledger;
  RcLedgerEntry *entries;
  RcTime sent_at;
  /* of its last report that holds */
  RcTime reported_at;
  guint64 bandwidth_bps, bandwidth_raw_bps;
} Slot;

struct _LedgerSet
{
  Slot slots[MAX_LEDGERS];
  guint n_slots;
  guint overhead_bytes;
  RcTime sent_at;               /* the last packet of all */
  LedgerSetStats stats;
};

LedgerSet *
ledger_set_new (guint overhead_bytes)
{
  LedgerSet *self = g_new0 (LedgerSet, 1);

  self->overhead_bytes = overhead_bytes;
  return self;
}

void
ledger_set_free (LedgerSet * self)
{
  guint i;

  for (i = 0; i < self->n_slots; i++)
    g_free (self->slots[i].entries);
  g_free (self);
}

static Slot *
find_slot (LedgerSet * self, guint32 ssrc)
{
  guint i;

  for (i = 0; i < self->n_slots; i++)
    if (self->slots[i].ledger.ssrc == ssrc)
      return &self->slots[i];
  return NULL;
}

static Slot *
free_slot (LedgerSet * self, RcTime now)
{
  guint i, oldest = 0;

  if (self->n_slots < MAX_LEDGERS)
    return &self->slots[self->n_slots++];
  for (i = 1; i < self->n_slots; i++)
    if (self->slots[i].sent_at < self->slots[oldest].sent_at)
      oldest = i;
  return now - self->slots[oldest].sent_at > IDLE_TIME ? &self->slots[oldest] : NULL;
}

static Slot *
add_slot (LedgerSet * self, guint32 ssrc, RcTime now)
{
  Slot *slot = free_slot (self, now);

  if (!slot)
    return NULL;
  g_free (slot->entries);
  slot->bandwidth_bps = slot->bandwidth_raw_bps = 0;
  slot->entries = g_new0 (RcLedgerEntry, FIRST_CAPACITY);
  rc_ledger_init (&slot->ledger, ssrc, self->overhead_bytes, slot->entries, FIRST_CAPACITY);
  return slot;
}

/* Before what is on its way could overwrite itself. */
static void
grow (Slot * slot)
{
  RcLedger *ledger = &slot->ledger;
  guint64 first = ledger->heard ? ledger->acked_seq : ledger->first_seq;
  RcLedgerEntry *entries;

  if (ledger->capacity >= LAST_CAPACITY || ledger->next_seq - first <= ledger->capacity / 2)
    return;
  entries = g_new0 (RcLedgerEntry, 2 * ledger->capacity);
  rc_ledger_move (ledger, entries, 2 * ledger->capacity);
  g_free (slot->entries);
  slot->entries = entries;
}

gboolean
ledger_set_on_sent (LedgerSet * self, guint32 ssrc, guint16 seq, guint rtp_bytes, RcTime now)
{
  Slot *slot = find_slot (self, ssrc);
  gboolean is_new = slot == NULL;

  if (!slot && !(slot = add_slot (self, ssrc, now))) {
    self->stats.untracked_packets++;
    return FALSE;
  }
  rc_ledger_on_sent (&slot->ledger, seq, rtp_bytes, now);
  slot->sent_at = self->sent_at = now;
  grow (slot);
  return is_new;
}

static guint64 *
refusal_counter (LedgerSet * self, RcDigest digest)
{
  switch (digest) {
    case RC_DIGEST_OLD:
      return &self->stats.old;
    case RC_DIGEST_NEVER_SENT:
      return &self->stats.never_sent;
    case RC_DIGEST_TOO_MANY_RESTARTS:
      return &self->stats.too_many_restarts;
    default:
      return &self->stats.impossible;
  }
}

/* A compound holds the sources with news: the others still use what they used. */
static void
add_bandwidth_of_others (LedgerSet * self, RcTime now, RcFeedback * out)
{
  guint i;

  for (i = 0; i < self->n_slots; i++) {
    const Slot *slot = &self->slots[i];

    if (slot->bandwidth_bps == 0 || slot->reported_at == now || now - slot->reported_at > BANDWIDTH_AGE)
      continue;
    out->bandwidth_bps += slot->bandwidth_bps;
    out->bandwidth_raw_bps += slot->bandwidth_raw_bps;
  }
}

gboolean
ledger_set_digest (LedgerSet * self, const RtcpFeedback * feedback, RcTime now, RcFeedback * out)
{
  RcFeedback one;
  gboolean hello = FALSE, any = FALSE, restarted = FALSE;
  guint i;

  for (i = 0; i < feedback->n_reports; i++) {
    Slot *slot = find_slot (self, feedback->reports[i].ssrc);
    RcDigest digest;

    if (!slot) {
      self->stats.foreign++;
      continue;
    }
    digest = rc_ledger_digest (&slot->ledger, &feedback->reports[i], feedback->sender_ssrc, now, &one);
    if (digest == RC_DIGEST_HELLO) {
      hello = TRUE;
      restarted |= one.restarted;
    } else if (digest != RC_DIGEST_OK) {
      (*refusal_counter (self, digest))++;
    } else {
      self->stats.accepted++;
      slot->reported_at = now;
      slot->bandwidth_bps = one.bandwidth_bps;
      slot->bandwidth_raw_bps = one.bandwidth_raw_bps;
      self->stats.lost_packets += one.lost_pkts;
      self->stats.ce_packets += one.ce_pkts;
      if (any)
        rc_feedback_add (out, &one);
      else
        *out = one;
      any = TRUE;
    }
  }
  if (any)
    add_bandwidth_of_others (self, now, out);
  if (hello && !any)
    *out = (RcFeedback) {.rtt = RC_TIME_NONE,.sent_at = RC_TIME_NONE,.restarted = restarted,.policy = RC_WIRE_REPORT_POLICY };
  return any || hello;
}

guint
ledger_set_fill_infos (LedgerSet * self, RcTime srtt, RcTime report_interval, RcSenderInfo * infos)
{
  guint i, n = 0;

  for (i = 0; i < self->n_slots; i++) {
    if (self->sent_at - self->slots[i].sent_at > IDLE_TIME)
      continue;
    infos[n] = (RcSenderInfo) { 0 };
    infos[n].ssrc = self->slots[i].ledger.ssrc;
    infos[n].srtt_us = srtt == RC_TIME_NONE ? 0 : (guint32) CLAMP (srtt / RC_USEC, 1, G_MAXUINT32);
    infos[n++].report_interval_us = (guint32) CLAMP (report_interval / RC_USEC, 1, G_MAXUINT32);
  }
  return n;
}

void
ledger_set_get_stats (LedgerSet * self, LedgerSetStats * stats)
{
  *stats = self->stats;
}
