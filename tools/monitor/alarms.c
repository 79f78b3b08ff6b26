/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "alarms.h"

#include "fieldvalue.h"

#include <string.h>

#define RMCSINK "rmcsink"
#define VIEWER "arcserversink_viewer"
#define BWE "rtparcbwe"
#define SENDERS {RMCSINK, VIEWER, BWE}
#define SECOND G_TIME_SPAN_SECOND

typedef enum
{
  IS,                           /* the text of the field is `word` */
  ABOVE,                        /* limit; of two fields: limit times the other */
  GROWS,                        /* by more than limit a second; of two: than limit of the other */
  GREW,                         /* at all, the one or the other */
  STANDS,                       /* does not grow */
} Test;

typedef struct
{
  const gchar *name;
  const gchar *of[3];           /* as the first words of metrics */
  Health health;
  Test test;
  const gchar *field, *other, *word;
  const gchar *kind;            /* of the fields, as a process tells it */
  gdouble limit;                /* in the unit of the metric */
  guint window_s, for_s;
  const gchar *text;
} Alarm;

static const Alarm alarms[ALARMS] = {
  {"ReceiverSilent", SENDERS, HEALTH_RED, IS, "state", .word = "stopped", .for_s = 10,
      .text = "the receiver does not answer: it or the network is down, and no media is sent"},
  {"EncoderDoesNotFollow", {RMCSINK, BWE}, HEALTH_AMBER, ABOVE, "input-bitrate", "target-bitrate",
      .kind = "gauge:bit/s", .limit = 1.5, .for_s = 3,
      .text = "the encoder makes more than its target: look at its settings (guide: encoders)"},
  {"FramesDropped", SENDERS, HEALTH_AMBER, GROWS, "frames-dropped", .kind = "counter:",
      .limit = 1, .window_s = 10, .for_s = 10,
      .text = "frames are dropped all the time: the encoder makes more than the network carries"},
  {"SenderBacklog", SENDERS, HEALTH_AMBER, ABOVE, "queue-time", .kind = "gauge:ns",
      .limit = 0.2, .for_s = 5,
      .text = "media waits in the sender: the encoder makes more than the network carries"},
  {"NetworkQueue", SENDERS, HEALTH_AMBER, ABOVE, "queueing-delay", .kind = "gauge:ns",
      .limit = 0.1, .for_s = 10,
      .text = "other traffic fills the queue of the bottleneck, such as a download"},
  {"Loss", SENDERS, HEALTH_AMBER, GROWS, "packets-lost", "packets-sent",
      .kind = "counter:", .limit = 0.02, .window_s = 10,
      .text = "more than 2 % is lost: turn on retransmission (guide: latency)"},
  {"ForgedReports", SENDERS, HEALTH_AMBER, GREW, "reports-impossible",
      "reports-never-sent", .kind = "counter:", .window_s = 60,
      .text = "reports are forged, or two senders share an SSRC (guide: security)"},
  {"NothingArrives", {"arcsrc"}, HEALTH_RED, STANDS, "packets-received", .kind = "counter:",
      .window_s = 10, .for_s = 10, .text = "no media comes: the sender or the network is down"},
  {"NotAuthentic", {"arcsrc"}, HEALTH_AMBER, GREW, "rejected", .kind = "counter:", .window_s = 60,
      .text = "packets with another key, forged or replayed (guide: security)"},
  {"CpuFull", {"arcserversink"}, HEALTH_RED, ABOVE, "viewers-aside", .kind = "gauge:", .for_s = 5,
      .text = "viewers get no media, since the CPU is full: fewer viewers, or a second machine"},
  {"CpuNearlyFull", {"arcserversink"}, HEALTH_AMBER, ABOVE, "pacing-lag", .kind = "gauge:ns",
      .limit = 0.02, .for_s = 10, .text = "packets leave late, since the CPU is nearly full"},
  {"CallsPutOff", {"arcserversink"}, HEALTH_AMBER, GREW, "calls-put-off", .kind = "counter:",
      .window_s = 60, .text = "callers are told to call later, since the CPU is full"},
  {"CallsFull", {"arcserversink"}, HEALTH_AMBER, GREW, "calls-full", .kind = "counter:",
      .window_s = 60, .text = "callers wait for a place: raise max-viewers; one host gets half"},
  {"CallsRefused", {"arcserversink"}, HEALTH_AMBER, GREW, "calls-refused", .kind = "counter:",
      .window_s = 60, .text = "callers are refused; last-refusal says who, and why"},
  {"ViewersLost", {"arcserversink"}, HEALTH_AMBER, GREW, "viewers-lost", .kind = "counter:",
      .window_s = 60, .text = "viewers went without a word: they or their networks are down"},
  {"ViewersNotServed", {"arcladder"}, HEALTH_AMBER, ABOVE, "viewers", "viewers-served",
      .kind = "gauge:", .limit = 1, .for_s = 30,
      .text = "the networks of some viewers carry less than the lowest rendition"},
  {"StreamsOverloaded", {"rampscheduler"}, HEALTH_AMBER, ABOVE, "overloaded", .kind = "gauge:",
      .for_s = 10,
      .text = "the network carries less than the streams need together: fewer of them"},
  {"RelayDropsPackets", {"rcprelay"}, HEALTH_AMBER, GREW, "packets-dropped", "packets-overflow",
      .kind = "counter:", .window_s = 60,
      .text = "the queue of the relay or its receive buffer is full"},
  {"RelayRefusesSenders", {"rcprelay"}, HEALTH_AMBER, GREW, "packets-refused", "packets-limited",
      .kind = "counter:", .window_s = 60,
      .text = "senders get no place: raise max-flows or the limit of open files"},
};

/* --- what a process tells --- */

static gboolean
is_of (const Alarm * alarm, const gchar * of)
{
  for (guint i = 0; i < G_N_ELEMENTS (alarm->of); i++)
    if (g_strcmp0 (alarm->of[i], of) == 0)
      return TRUE;
  return FALSE;
}

/* In the unit of the metric; FALSE: there is none. */
static gboolean
get_number (const GstStructure * stats, const FieldKinds * kinds, const gchar * field,
    gdouble * number)
{
  const GValue *value = field ? gst_structure_get_value (stats, field) : NULL;

  if (!value || !field_value_to_number (value, number))
    return FALSE;
  *number *= field_kinds_get (kinds, field).scale;
  return TRUE;
}

static gboolean
holds_of_growth (const Alarm * alarm, gdouble value, gdouble other, gdouble seconds)
{
  switch (alarm->test) {
    case GROWS:
      return value > alarm->limit * (alarm->other ? other : seconds);
    case GREW:
      return value > 0 || other > 0;
    default:
      return value == 0;
  }
}

/* At the end of each window; a smaller number is a new beginning of the element. What grew at all
 * is told at once. */
static gboolean
look_at_growth (const Alarm * alarm, AlarmState * state, gdouble value, gdouble other, gint64 now)
{
  gdouble grew = value - state->value, other_grew = other - state->other;
  gboolean begins = state->begun == 0 || grew < 0 || other_grew < 0;
  gboolean ends = !begins && now - state->begun >= alarm->window_s * SECOND;
  gboolean soon = !begins && alarm->test == GREW && (grew > 0 || other_grew > 0);

  if (ends || soon)
    state->held = holds_of_growth (alarm, grew, other_grew,
        (gdouble) (now - state->begun) / SECOND);
  if (begins || ends || soon) {
    state->begun = now;
    state->value = value;
    state->other = other;
  }
  return state->held;
}

static gboolean
holds (const Alarm * alarm, AlarmState * state, const GstStructure * stats,
    const FieldKinds * kinds, gint64 now)
{
  gdouble value, other = 0;

  if (alarm->test == IS)
    return g_strcmp0 (gst_structure_get_string (stats, alarm->field), alarm->word) == 0;
  if (!get_number (stats, kinds, alarm->field, &value)
      || (alarm->other && !get_number (stats, kinds, alarm->other, &other)))
    return FALSE;
  if (alarm->test == ABOVE)
    return value > alarm->limit * (alarm->other ? other : 1);
  return look_at_growth (alarm, state, value, other, now);
}

void
alarms_look (Alarms * self, const gchar * of, const GstStructure * stats, const FieldKinds * kinds,
    gint64 now)
{
  self->ringing = 0;
  for (guint i = 0; i < ALARMS; i++) {
    AlarmState *state = &self->states[i];

    if (!is_of (&alarms[i], of) || !holds (&alarms[i], state, stats, kinds, now)) {
      state->since = 0;
      continue;
    }
    if (state->since == 0)
      state->since = now;
    if (now - state->since >= alarms[i].for_s * SECOND)
      self->ringing |= 1U << i;
  }
}

Health
alarms_health (const Alarms * self)
{
  Health worst = HEALTH_GREEN;

  for (guint i = 0; i < ALARMS; i++)
    if (alarms_name (self, i))
      worst = MAX (worst, alarms[i].health);
  return worst;
}

const gchar *
health_name (Health health)
{
  static const gchar *const names[] = { "green", "amber", "red" };

  return names[health];
}

const gchar *
alarms_name (const Alarms * self, guint i)
{
  return self->ringing & 1U << i ? alarms[i].name : NULL;
}

/* --- as text --- */

gchar *
alarms_json (void)
{
  GString *json = g_string_new ("{");

  for (guint i = 0; i < ALARMS; i++)
    g_string_append_printf (json, "%s\"%s\": {\"health\": \"%s\", \"text\": \"%s\"}",
        i > 0 ? ", " : "", alarms[i].name, health_name (alarms[i].health), alarms[i].text);
  return g_string_free (g_string_append_c (json, '}'), FALSE);
}

/* As /metrics has the field. */
static gchar *
metric_of (const Alarm * alarm, const gchar * of, const gchar * field)
{
  MetricKind kind = field_kind (alarm->kind ? alarm->kind : "");
  gchar *words = field_kind_metric (&kind, field);
  gchar *name = g_strconcat ("gst_arc_", of, "_", words,
      g_str_equal (kind.type, "counter") ? "_total" : "", NULL);

  g_free (words);
  return name;
}

static void
append_condition (GString * rule, const Alarm * alarm, const gchar * of)
{
  gchar *metric = metric_of (alarm, of, alarm->field);
  gchar *other = alarm->other ? metric_of (alarm, of, alarm->other) : NULL;
  gchar limit[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (limit, sizeof (limit), "%g", alarm->limit);
  if (alarm->test == IS)
    g_string_append_printf (rule, "%s{%s=\"%s\"} == 1", metric, metric, alarm->word);
  else if (alarm->test == ABOVE && other && alarm->limit == 1)
    g_string_append_printf (rule, "%s > %s", metric, other);
  else if (alarm->test == ABOVE && other)
    g_string_append_printf (rule, "%s > %s * %s", metric, limit, other);
  else if (alarm->test == ABOVE)
    g_string_append_printf (rule, "%s > %s", metric, limit);
  else if (alarm->test == GROWS && other)
    g_string_append_printf (rule, "rate(%s[%us]) > %s * rate(%s[%us])", metric, alarm->window_s,
        limit, other, alarm->window_s);
  else if (alarm->test == GROWS)
    g_string_append_printf (rule, "rate(%s[%us]) > %s", metric, alarm->window_s, limit);
  else if (alarm->test == STANDS)
    g_string_append_printf (rule, "rate(%s[%us]) == 0", metric, alarm->window_s);
  else if (other)
    g_string_append_printf (rule, "increase(%s[%us]) + increase(%s[%us]) > 0", metric,
        alarm->window_s, other, alarm->window_s);
  else
    g_string_append_printf (rule, "increase(%s[%us]) > 0", metric, alarm->window_s);
  g_free (metric);
  g_free (other);
}

static void
append_rule (GString * rules, const Alarm * alarm)
{
  g_string_append_printf (rules, "  - alert: %s\n    expr: >\n      ", alarm->name);
  for (guint i = 0; i < G_N_ELEMENTS (alarm->of) && alarm->of[i]; i++) {
    g_string_append (rules, i > 0 ? "\n      or " : "");
    append_condition (rules, alarm, alarm->of[i]);
  }
  if (alarm->for_s > 0)
    g_string_append_printf (rules, "\n    for: %us", alarm->for_s);
  g_string_append_printf (rules,
      "\n    labels: {severity: %s}\n    annotations: {summary: \"%s\"}\n",
      alarm->health == HEALTH_RED ? "critical" : "warning", alarm->text);
}

gchar *
alarms_rules (void)
{
  GString *rules = g_string_new ("groups:\n- name: gst-arc\n  rules:\n");

  for (guint i = 0; i < ALARMS; i++)
    append_rule (rules, &alarms[i]);
  g_string_append (rules, "  - alert: NoSender\n    expr: absent(gst_arc_rmcsink_info) and "
      "absent(gst_arc_arcserversink_info) and absent(gst_arc_rtparcbwe_info)\n"
      "    for: 60s\n    labels: {severity: critical}\n"
      "    annotations: {summary: \"no process with a sender is watched\"}\n");
  return g_string_free (rules, FALSE);
}
