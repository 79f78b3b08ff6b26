/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Writes the event trace in qlog's JSON text sequence (draft-ietf-quic-qlog-main-schema, RFC 7464):
 * each record is 0x1E, a JSON object and a line feed. docs/reference/trace.md has the events and
 * their fields.
 *
 * All functions write into the caller's buffer, and return how many bytes. They need no more than
 * RC_QLOG_MOST_BYTES. Numbers have a point whatever the locale of the process is. */
#pragma once

#include <rc/trace/eventtrace.h>

#define RC_QLOG_SCHEMA "urn:x-gst-arc:qlog:events:arc"
#define RC_QLOG_MOST_BYTES 4096
#define RC_QLOG_MOST_FIELDS (RC_LAW_MAX_FACTS + 16)
#define RC_QLOG_MOST_TEXT 256   /* of a text; the rest is left out */

/* A member of an event's data. Numbers are written in the unit that the suffix of the name says. */
typedef struct
{
  const char *name;             /* '-' is written as '_' */
  const char *suffix;           /* "": none */
  const char *text;             /* NULL: the number */
  double number;
  unsigned decimals;            /* at most */
} RcQlogField;

/* What an event of one kind and path said last, for each field. */
typedef struct
{
  unsigned n;
  double numbers[RC_QLOG_MOST_FIELDS];
  const char *texts[RC_QLOG_MOST_FIELDS];
} RcQlogMemory;

typedef struct
{
  RcTime from;                  /* time 0 of the trace */
  const RcLaw *law[RC_LANES_MAX];
  const char *state[RC_LANES_MAX];
  RcQlogMemory rate[RC_LANES_MAX], metrics[RC_LANES_MAX];
} RcQlog;

/* Of the file. wall_clock: UTC at time 0 as in RFC 3339; NULL: unknown. */
typedef struct
{
  const char *title, *vantage_point, *code_version;
  const char *wall_clock;
} RcQlogHead;

/* The first record. Times of the others count from `from`. */
size_t rc_qlog_begin (RcQlog *self, const RcQlogHead *head, RcTime from, char *buffer);
/* The events of a record of the sender. */
size_t rc_qlog_write (RcQlog *self, const RcTraceRecord *record, char *buffer);
/* Another event, with all its fields. */
size_t rc_qlog_event (const RcQlog *self, const char *name, unsigned lane,
    const RcQlogField *fields, unsigned n, RcTime at, char *buffer);
