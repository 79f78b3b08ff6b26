/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/trace/qlog.h>

#include <assert.h>
#include <math.h>
#include <rc/law/controller.h>
#include <string.h>

#define SEPARATOR 0x1E          /* RFC 7464 2.2 */
#define MOST_NUMBER 1e15        /* its digits and those of three decimals fit 64 bits */
#define MOST_DIGITS 20

/* --- JSON --- */

typedef struct
{
  char *at, *end;               /* nothing is written beyond the end */
} Text;

static void
put_char (Text *to, char c)
{
  if (to->at < to->end)
    *to->at++ = c;
}

static void
put (Text *to, const char *text)
{
  while (*text)
    put_char (to, *text++);
}

static void
put_digits (Text *to, uint64_t value, unsigned least)
{
  char digits[MOST_DIGITS];
  unsigned n = 0;

  for (; value > 0 || n < least; value /= 10)
    digits[n++] = (char) ('0' + value % 10);
  while (n > 0)
    put_char (to, digits[--n]);
}

/* Without zeros at the end of the decimals. What is not finite is null. */
static void
put_number (Text *to, double value, unsigned decimals)
{
  uint64_t scale = 1, scaled;

  if (!(fabs (value) < MOST_NUMBER)) {
    put (to, "null");
    return;
  }
  for (unsigned i = 0; i < decimals; i++)
    scale *= 10;
  scaled = (uint64_t) (fabs (value) * (double) scale + 0.5);
  if (value < 0 && scaled > 0)
    put_char (to, '-');
  put_digits (to, scaled / scale, 1);
  scaled %= scale;
  if (scaled == 0)
    return;
  for (; scaled % 10 == 0; decimals--)
    scaled /= 10;
  put_char (to, '.');
  put_digits (to, scaled, decimals);
}

/* Bytes of UTF-8 go as they are. */
static void
put_quoted (Text *to, const char *text)
{
  static const char hex[] = "0123456789abcdef";

  put_char (to, '"');
  for (unsigned i = 0; text[i] && i < RC_QLOG_MOST_TEXT; i++) {
    unsigned char c = (unsigned char) text[i];

    if (c < 0x20) {
      put (to, "\\u00");
      put_char (to, hex[c >> 4]);
      put_char (to, hex[c & 15]);
      continue;
    }
    if (c == '"' || c == '\\')
      put_char (to, '\\');
    put_char (to, (char) c);
  }
  put_char (to, '"');
}

static void
put_name (Text *to, const char *name, const char *suffix)
{
  put_char (to, '"');
  for (; *name; name++)
    put_char (to, *name == '-' ? '_' : *name);
  put (to, suffix);
  put (to, "\":");
}

/* --- events --- */

#define MS(time_) ((double) (time_) * 1e-6)

static void
begin_event (Text *to, const RcQlog *self, const char *name, unsigned lane, RcTime at)
{
  put_char (to, SEPARATOR);
  put (to, "{\"time\":");
  put_number (to, MS (at - self->from), 3);
  put (to, ",\"name\":");
  put_quoted (to, name);
  put (to, ",\"path\":\"");
  put_digits (to, lane, 1);
  put (to, "\",\"data\":{");
}

static void
end_event (Text *to)
{
  put (to, "}}\n");
}

static void
put_field (Text *to, const RcQlogField *field)
{
  if (to->at[-1] != '{')
    put_char (to, ',');
  put_name (to, field->name, field->suffix);
  if (field->text)
    put_quoted (to, field->text);
  else
    put_number (to, field->number, field->decimals);
}

static bool
is_same (const RcQlogField *field, const char *text, double number)
{
  double unit = pow (10, -(double) field->decimals);

  return field->text == text && (fabs (field->number - number) < unit / 2
      || (isnan (field->number) && isnan (number)));
}

/* The first n_always of the fields, and what differs from the event before. */
static void
put_news (Text *to, RcQlogMemory *before, const RcQlogField *fields, unsigned n, unsigned n_always)
{
  for (unsigned i = 0; i < n; i++) {
    const RcQlogField *field = &fields[i];

    if (i >= n_always && before->n == n && is_same (field, before->texts[i], before->numbers[i]))
      continue;
    put_field (to, field);
    before->texts[i] = field->text;
    before->numbers[i] = field->number;
  }
  before->n = n;
}

size_t
rc_qlog_event (const RcQlog *self, const char *name, unsigned lane, const RcQlogField *fields,
    unsigned n, RcTime at, char *buffer)
{
  Text to = { buffer, buffer + RC_QLOG_MOST_BYTES };

  begin_event (&to, self, name, lane, at);
  for (unsigned i = 0; i < n; i++)
    put_field (&to, &fields[i]);
  end_event (&to);
  return (size_t) (to.at - buffer);
}

/* --- the head --- */

static void
put_member (Text *to, const char *name, const char *value)
{
  if (to->at[-1] != '{')
    put_char (to, ',');
  put_name (to, name, "");
  put_quoted (to, value);
}

size_t
rc_qlog_begin (RcQlog *self, const RcQlogHead *head, RcTime from, char *buffer)
{
  Text to = { buffer, buffer + RC_QLOG_MOST_BYTES };

  memset (self, 0, sizeof *self);
  self->from = from;
  put_char (&to, SEPARATOR);
  put_char (&to, '{');
  put_member (&to, "file_schema", "urn:ietf:params:qlog:file:sequential");
  put_member (&to, "serialization_format", "application/qlog+json-seq");
  put_member (&to, "qlog_version", "0.3");      /* for viewers of before the names above */
  put_member (&to, "qlog_format", "JSON-SEQ");
  put_member (&to, "title", head->title);
  put_member (&to, "code_version", head->code_version);
  put (&to, ",\"trace\":{\"vantage_point\":{");
  put_member (&to, "name", head->vantage_point);
  put_member (&to, "type", "unknown");  /* neither the client nor the server of qlog */
  put (&to, "},\"event_schemas\":[\"" RC_QLOG_SCHEMA "\"]");
  put (&to, ",\"common_fields\":{\"time_format\":\"relative_to_epoch\",\"reference_time\":{");
  put_member (&to, "clock_type", "monotonic");
  put_member (&to, "epoch", "unknown");
  if (head->wall_clock)
    put_member (&to, "wall_clock_time", head->wall_clock);
  put (&to, "}}}}\n");
  return (size_t) (to.at - buffer);
}

/* --- a record of the sender --- */

typedef struct
{
  RcQlogField of[RC_QLOG_MOST_FIELDS];
  unsigned n;
} Fields;

static void
add (Fields *to, RcQlogField field)
{
  assert (to->n < RC_QLOG_MOST_FIELDS);
  to->of[to->n++] = field;
}

static void
add_text (Fields *to, const char *name, const char *text)
{
  add (to, (RcQlogField) {.name = name, .suffix = "", .text = text });
}

static void
add_number (Fields *to, const char *name, const char *suffix, double value)
{
  add (to, (RcQlogField) {.name = name, .suffix = suffix, .number = value });
}

/* null: unknown. */
static void
add_time (Fields *to, const char *name, const char *suffix, RcTime time)
{
  add (to, (RcQlogField) {.name = name, .suffix = suffix, .decimals = 3,
        .number = time == RC_TIME_NONE ? NAN : MS (time) });
}

static void
add_fact (Fields *to, const RcFact *fact, double value)
{
  if (strcmp (fact->name, "state") == 0)
    return;
  if (fact->words)
    add_text (to, fact->name, fact->words[(unsigned) value]);
  else if (strcmp (fact->unit, "bit/s") == 0)
    add_number (to, fact->name, "_bps", value);
  else if (strcmp (fact->unit, "bits") == 0)
    add_number (to, fact->name, "_bits", value);
  else if (strcmp (fact->unit, "s") == 0)
    add (to, (RcQlogField) {.name = fact->name, .suffix = "_ms", .decimals = 3,
          .number = value * 1e3 });
  else
    add (to, (RcQlogField) {.name = fact->name, .suffix = "", .decimals = 4, .number = value });
}

static void
put_rate (Text *to, RcQlog *self, const RcTraceRecord *record)
{
  Fields fields = { .n = 0 };

  add_text (&fields, "cause", rc_cause_name (record->cause));
  add_number (&fields, "rate", "_bps", (double) record->rate_bps);
  add_text (&fields, "state", record->state);
  add_text (&fields, "target_cause", rc_cause_name (record->target_cause));
  add_number (&fields, "target", "_bps", record->target_bps);
  add_time (&fields, "queueing_delay", "_ms", record->queueing_delay);
  add_time (&fields, "one_way", "_ms", record->one_way);
  for (unsigned i = 0; i < record->n_facts; i++)
    add_fact (&fields, rc_law_fact (record->law, i), record->facts[i]);
  add_number (&fields, "received_pkts", "", (double) record->received_pkts);
  add_number (&fields, "lost_pkts", "", (double) record->lost_pkts);
  add_number (&fields, "marked_pkts", "", (double) record->marked_pkts);
  add_number (&fields, "sent", "_bps", (double) record->sent_bps);
  add_number (&fields, "made", "_bps", (double) record->made_bps);
  add_number (&fields, "waiting_bytes", "", (double) record->waiting_bytes);
  add_number (&fields, "bound", "_bps", (double) record->bound_bps);
  add_text (&fields, "law", record->law->name);
  begin_event (to, self, "arc:rate", record->lane, record->at);
  put_news (to, &self->rate[record->lane], fields.of, fields.n, 2);
  end_event (to);
}

/* In the names of qlog's events of recovery, for viewers that know those. */
static void
put_metrics (Text *to, RcQlog *self, const RcTraceRecord *record)
{
  Fields fields = { .n = 0 };
  char *from = to->at, *data;

  if (!record->reported || record->smoothed_rtt == RC_TIME_NONE)
    return;
  add_time (&fields, "latest_rtt", "", record->latest_rtt);
  add_time (&fields, "smoothed_rtt", "", record->smoothed_rtt);
  add_time (&fields, "min_rtt", "", record->least_rtt);
  add_number (&fields, "pacing_rate", "", (double) record->rate_bps);
  begin_event (to, self, "recovery:metrics_updated", record->lane, record->at);
  data = to->at;
  put_news (to, &self->metrics[record->lane], fields.of, fields.n, 0);
  if (to->at > data)
    end_event (to);
  else
    to->at = from;
}

static void
put_state (Text *to, RcQlog *self, const RcTraceRecord *record)
{
  const char *before = self->state[record->lane];
  Fields fields = { .n = 0 };

  if (before && strcmp (before, record->state) == 0)
    return;
  self->state[record->lane] = record->state;
  if (before)
    add_text (&fields, "old", before);
  add_text (&fields, "new", record->state);
  begin_event (to, self, "recovery:congestion_state_updated", record->lane, record->at);
  for (unsigned i = 0; i < fields.n; i++)
    put_field (to, &fields.of[i]);
  end_event (to);
}

size_t
rc_qlog_write (RcQlog *self, const RcTraceRecord *record, char *buffer)
{
  Text to = { buffer, buffer + RC_QLOG_MOST_BYTES };

  if (self->law[record->lane] != record->law) {
    self->law[record->lane] = record->law;
    self->rate[record->lane].n = 0;
  }
  put_state (&to, self, record);
  put_metrics (&to, self, record);
  put_rate (&to, self, record);
  return (size_t) (to.at - buffer);
}
