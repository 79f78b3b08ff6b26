/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "log.h"

#include <errno.h>
#include <gio/gio.h>
#include <string.h>

#define ROWS_HEADER \
    "time_s,capacity_bps,arrived_bytes,served_bytes,delivered_pkts,tail_dropped_pkts," \
  "random_lost_pkts,queue_delay_mean_ms,queue_delay_max_ms,queue_bytes,reverse_bytes," \
  "aqm_dropped_pkts,marked_pkts\n"
#define PACKETS_HEADER "arrived_s,size_bytes,queue_delay_ms,fate,ce,link,flow\n"

static gboolean
open_csv (LogFile *self, const gchar *name, const gchar *header, GError **error)
{
  if (!name)
    return TRUE;
  self->file = g_str_equal (name, "-") ? stdout : fopen (name, "we");
  if (!self->file) {
    int saved = errno;

    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved),
        "%s: %s", name, g_strerror (saved));
    return FALSE;
  }
  fputs (header, self->file);
  return TRUE;
}

gboolean
log_open (Log *self, const gchar *link, const gchar *rows, const gchar *packets, RcTime interval,
    GError **error)
{
  *self = (Log) { .link = link, .interval = interval, .row_at = interval };
  if (!open_csv (&self->rows, rows, ROWS_HEADER, error)
      || !open_csv (&self->packets, packets, PACKETS_HEADER, error))
    return FALSE;
  return TRUE;
}

void
log_open_beside (Log *self, const gchar *link, const Log *other)
{
  *self = (Log) { .link = link, .packets = other->packets, .shares_packets = TRUE,
      .interval = other->interval, .row_at = other->interval };
}

/* Keeps the reason of the first failure: of later ones there may be none. */
static void
flush (LogFile *self)
{
  errno = 0;
  if (self->file && (fflush (self->file) != 0 || ferror (self->file)) && self->failure == 0)
    self->failure = errno ? errno : EIO;
}

static gboolean
close_csv (LogFile *self, const gchar *link, const gchar *what, GError **error)
{
  flush (self);
  if (self->file && self->file != stdout)       /* which others may write, too */
    fclose (self->file);
  self->file = NULL;
  if (self->failure == 0)
    return TRUE;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (self->failure),
      "%s of link %s are missing in the file: %s", what, link, g_strerror (self->failure));
  return FALSE;
}

gboolean
log_close (Log *self, GError **error)
{
  gboolean ok;

  if (self->shares_packets || self->packets.file == self->rows.file)
    self->packets.file = NULL;
  ok = close_csv (&self->rows, self->link, "rows", error);
  return close_csv (&self->packets, self->link, "packets", ok ? error : NULL) && ok;
}

static gdouble
to_ms (RcTime time)
{
  return (gdouble) time * 1e-6;
}

void
log_packet (Log *self, const LogPacket *packet)
{
  static const gchar *const names[] = { "ok", "tail", "aqm", "random", "blackout" };

  if (packet->fate == LOG_FATE_OK) {
    self->delay_sum += packet->queue_delay;
    self->delay_max = MAX (self->delay_max, packet->queue_delay);
    self->n_delays++;
  }
  if (!self->packets.file)
    return;
  fprintf (self->packets.file, "%.6f,%u,", rc_time_to_s (packet->arrived_at), packet->size_bytes);
  if (packet->fate == LOG_FATE_OK)
    fprintf (self->packets.file, "%.3f", to_ms (packet->queue_delay));
  fprintf (self->packets.file, ",%s,%d,%s,%s\n", names[packet->fate], packet->ce ? 1 : 0,
      self->link, packet->flow ? packet->flow : "");
}

static void
write_row (const Log *self, const LogTotals *totals, RcTime mean, RcTime max, guint64 queue_bytes)
{
  const LogTotals *last = &self->last;
  gdouble capacity_bps = (totals->capacity_bits - last->capacity_bits)
      / rc_time_to_s (self->interval);
  const guint64 counts[] = {
    totals->arrived_bytes - last->arrived_bytes, totals->served_bytes - last->served_bytes,
    totals->delivered_pkts - last->delivered_pkts,
    totals->tail_dropped_pkts - last->tail_dropped_pkts,
    totals->random_lost_pkts - last->random_lost_pkts,
  };
  const guint64 late_counts[] = {
    queue_bytes, totals->reverse_bytes - last->reverse_bytes,
    totals->aqm_dropped_pkts - last->aqm_dropped_pkts,
    totals->marked_pkts - last->marked_pkts,
  };

  fprintf (self->rows.file, "%.3f,%.0f,", rc_time_to_s (self->row_at), capacity_bps);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    fprintf (self->rows.file, "%" G_GUINT64_FORMAT ",", counts[i]);
  fprintf (self->rows.file, "%.3f,%.3f", to_ms (mean), to_ms (max));
  for (guint i = 0; i < G_N_ELEMENTS (late_counts); i++)
    fprintf (self->rows.file, ",%" G_GUINT64_FORMAT, late_counts[i]);
  fputc ('\n', self->rows.file);
}

void
log_row (Log *self, const LogTotals *totals, RcTime queue_delay, guint64 queue_bytes)
{
  RcTime mean = self->n_delays > 0 ? self->delay_sum / self->n_delays : queue_delay;
  RcTime max = self->n_delays > 0 ? self->delay_max : queue_delay;

  if (self->rows.file)
    write_row (self, totals, mean, max, queue_bytes);
  flush (&self->rows);
  flush (&self->packets);
  self->last = *totals;
  self->row_at += self->interval;
  self->delay_sum = self->delay_max = 0;
  self->n_delays = 0;
}
