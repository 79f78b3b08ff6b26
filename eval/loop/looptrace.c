/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "looptrace.h"

#include <rc/trace/eventtrace.h>
#include <rc/trace/qlog.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINK_INTERVAL (100 * RC_MSEC)   /* a mean over less is the steps of a radio */

struct LoopTrace
{
  World *world;
  FILE *file;
  RcEventTrace events;
  RcQlog qlog;
  char line[RC_QLOG_MOST_BYTES];
  unsigned link;
  double capacity_bits;         /* until linked_at */
  RcTime linked_at;
};

static void
write_out (LoopTrace *self, size_t n)
{
  fwrite (self->line, 1, n, self->file);
}

LoopTrace *
looptrace_new (const World *world, unsigned flow, RcTime now)
{
  const LoopConfig *config = world->config;
  char path[512], title[128];
  RcQlogHead head = { .title = title, .vantage_point = "sender", .code_version = "" };
  LoopTrace *self;

  if (!config->trace_folder)
    return NULL;
  snprintf (title, sizeof title, "%s-%u", config->trace_name, flow);
  snprintf (path, sizeof path, "%s/%s.sqlog", config->trace_folder, title);
  self = calloc (1, sizeof *self);
  self->world = (World *) world;
  self->file = fopen (path, "w");
  if (!self->file) {
    perror (path);
    exit (1);
  }
  while (self->link + 1 < LOOP_MAX_LINKS && !(config->flows[flow].path >> self->link & 1))
    self->link++;
  self->linked_at = now;
  self->capacity_bits = link_capacity_bits (&self->world->link[self->link], now);
  rc_eventtrace_init (&self->events);
  write_out (self, rc_qlog_begin (&self->qlog, &head, 0, self->line));
  return self;
}

static void
note_link (LoopTrace *self, RcTime now)
{
  Link *link = &self->world->link[self->link];
  double bits = link_capacity_bits (link, now);
  RcQlogField fields[] = {
    {.name = "capacity", .suffix = "_bps",
      .number = (bits - self->capacity_bits) / rc_time_to_s (now - self->linked_at)},
    {.name = "queue", .suffix = "_ms", .decimals = 3,
      .number = rc_time_to_s (link_queue_delay (link, now)) * 1e3},
  };

  self->capacity_bits = bits;
  self->linked_at = now;
  write_out (self, rc_qlog_event (&self->qlog, "arc:link", 0, fields, 2, now, self->line));
}

void
looptrace_look (LoopTrace *self, RcSender *sender, unsigned lane, RcLane *rc, uint64_t queue_bytes,
    RcTime now)
{
  RcTraceRecord record;

  if (!self)
    return;
  if (now - self->linked_at >= LINK_INTERVAL)
    note_link (self, now);
  if (rc_eventtrace_look (&self->events, sender, lane, rc, queue_bytes, now, &record))
    write_out (self, rc_qlog_write (&self->qlog, &record, self->line));
}

void
looptrace_free (LoopTrace *self)
{
  if (!self)
    return;
  fclose (self->file);
  free (self);
}
