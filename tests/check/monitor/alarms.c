/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When an alarm rings, in virtual time: after its time, by the unit that a process tells, of
 * growth by windows, of viewers by their addresses. */
#include "claim.h"
#include "streamtable.h"

#define KINDS "queueing-delay:gauge:ns+packets-lost:counter:+packets-sent:counter:" \
    "+calls-refused:counter:+input-bitrate:gauge:bit/s+target-bitrate:gauge:bit/s" \
    "+packets-received:counter:"
#define RELAY(dropped, overflow, refused, limited) "packets-dropped=(guint64)" #dropped ", " \
    "packets-overflow=(guint64)" #overflow ", packets-refused=(guint64)" #refused ", " \
    "packets-limited=(guint64)" #limited
#define TURN (G_TIME_SPAN_SECOND / 5)

typedef struct
{
  StreamTable *table;
  gint64 now;
} Watcher;

static Watcher *
watcher_new (void)
{
  Watcher *self = g_new0 (Watcher, 1);

  self->table = stream_table_new ();
  self->now = 1;
  return self;
}

static void
watcher_free (Watcher * self)
{
  stream_table_free (self->table);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Watcher, watcher_free)

/* As a process tells it, at the present time. */
static const Stream *
hear (Watcher * self, const gchar * factory, const gchar * stats)
{
  g_autofree gchar *text = g_strdup_printf ("GstArcMonitorSnapshot, run=r, id=(guint64)1, "
      "pid=(int)1, process=p, element=e, factory=%s, element-state=PLAYING, fields=\"%s\", "
      "stats=[s, %s];", factory, KINDS, stats);
  const Stream *stream = stream_table_take (self->table, text, self->now);

  fail_unless (stream != NULL, "%s", text);
  return stream;
}

/* The same for so long, five times a second. */
static const Stream *
hear_for (Watcher * self, gint64 seconds, const gchar * factory, const gchar * stats)
{
  const Stream *stream = NULL;

  for (gint64 end = self->now + seconds * G_TIME_SPAN_SECOND; self->now < end; self->now += TURN)
    stream = hear (self, factory, stats);
  return stream;
}

/* With spaces around. */
static gchar *
names (const Alarms * alarms)
{
  GString *text = g_string_new (" ");

  for (guint i = 0; i < ALARMS; i++)
    if (alarms_name (alarms, i))
      g_string_append_printf (text, "%s ", alarms_name (alarms, i));
  return g_string_free (text, FALSE);
}

static void
fail_unless_rings (const Alarms * alarms, const gchar * expected)
{
  g_autofree gchar *found = names (alarms), *wanted = g_strdup_printf (" %s", expected);

  fail_unless_equals_string (found, wanted);
}

static const struct
{
  const gchar *factory, *stats, *rings;
  gint64 after_s;
  Health health;
} levels[] = {
  {"rmcsink", "state=stopped", "ReceiverSilent ", 10, HEALTH_RED},
  {"rmcsink", "queueing-delay=(guint64)110000000", "NetworkQueue ", 10, HEALTH_AMBER},
  {"rmcsink", "input-bitrate=(uint)1510, target-bitrate=(uint)1000", "EncoderDoesNotFollow ", 3,
      HEALTH_AMBER},
  {"rtparcbwe", "state=stopped", "ReceiverSilent ", 10, HEALTH_RED},
  {"rtparcbwe", "input-bitrate=(uint)1510, target-bitrate=(uint)1000", "EncoderDoesNotFollow ", 3,
      HEALTH_AMBER},
  {"rampscheduler", "overloaded=true", "StreamsOverloaded ", 10, HEALTH_AMBER},
  {"arcserversink", "viewers-aside=(uint)1", "CpuFull ", 5, HEALTH_RED},
  {"arcladder", "viewers=(uint)3, viewers-served=(uint)2", "ViewersNotServed ", 30, HEALTH_AMBER},
};

CLAIMS (test_a_level_rings_after_its_time_and_no_longer_than_it_lasts, G_N_ELEMENTS (levels))
{
  g_autoptr (Watcher) watcher = watcher_new ();
  const Stream *stream = hear_for (watcher, levels[__i__].after_s, levels[__i__].factory,
      levels[__i__].stats);

  fail_unless_rings (&stream->alarms, "");
  fail_unless (stream_health (stream) == HEALTH_GREEN);
  stream = hear (watcher, levels[__i__].factory, levels[__i__].stats);
  fail_unless_rings (&stream->alarms, levels[__i__].rings);
  fail_unless (stream_health (stream) == levels[__i__].health);
  stream = hear (watcher, levels[__i__].factory, "state=running");
  fail_unless_rings (&stream->alarms, "");
}

static const gchar *const quiet[] = {
  "queueing-delay=(guint64)90000000", "state=running", "packets-lost=(guint64)0", "state=(int)5",
  "queueing-delay=loud", "input-bitrate=(uint)1490, target-bitrate=(uint)1000",
  "input-bitrate=(uint)9000", "queueing-delay=(double)NAN"
};

CLAIMS (test_what_is_below_its_level_or_no_number_does_not_ring, G_N_ELEMENTS (quiet))
{
  g_autoptr (Watcher) watcher = watcher_new ();

  fail_unless_rings (&hear_for (watcher, 60, "rmcsink", quiet[__i__])->alarms, "");
}

/* A hundred packets a second, of which so many in a thousand are lost. */
static const Stream *
lose (Watcher * watcher, guint seconds, guint per_mille)
{
  static guint64 sent, lost;
  const Stream *stream = NULL;

  for (guint i = 0; i < 5 * seconds; i++, watcher->now += TURN) {
    g_autofree gchar *stats = NULL;

    sent += 1000;
    lost += per_mille;
    stats = g_strdup_printf ("packets-sent=(guint64)%" G_GUINT64_FORMAT ", packets-lost=(guint64)%"
        G_GUINT64_FORMAT, sent, lost);
    stream = hear (watcher, "rmcsink", stats);
  }
  return stream;
}

CLAIM (test_loss_is_a_share_of_what_left_in_ten_seconds)
{
  g_autoptr (Watcher) watcher = watcher_new ();

  fail_unless_rings (&lose (watcher, 30, 19)->alarms, "");
  fail_unless_rings (&lose (watcher, 20, 21)->alarms, "Loss ");
  fail_unless_rings (&lose (watcher, 20, 0)->alarms, "");
}

CLAIM (test_a_new_beginning_of_the_counters_is_no_loss)
{
  g_autoptr (Watcher) watcher = watcher_new ();

  lose (watcher, 15, 10);
  fail_unless_rings (&hear_for (watcher, 6, "rmcsink",
          "packets-sent=(guint64)0, packets-lost=(guint64)0")->alarms, "");
}

CLAIM (test_what_grew_rings_at_once_and_for_a_minute)
{
  g_autoptr (Watcher) watcher = watcher_new ();
  const Stream *stream = hear_for (watcher, 2, "arcserversink", "calls-refused=(guint64)7");

  fail_unless_rings (&stream->alarms, "");
  stream = hear_for (watcher, 1, "arcserversink", "calls-refused=(guint64)8");
  fail_unless_rings (&stream->alarms, "CallsRefused ");
  stream = hear_for (watcher, 58, "arcserversink", "calls-refused=(guint64)8");
  fail_unless_rings (&stream->alarms, "CallsRefused ");
  stream = hear_for (watcher, 3, "arcserversink", "calls-refused=(guint64)8");
  fail_unless_rings (&stream->alarms, "");
  stream = hear_for (watcher, 1, "arcserversink", "calls-refused=(guint64)0");
  fail_unless_rings (&stream->alarms, "");
}

CLAIM (test_a_relay_that_drops_or_refuses_rings)
{
  g_autoptr (Watcher) watcher = watcher_new ();
  const Stream *stream = hear_for (watcher, 2, "rcprelay", RELAY (0, 0, 0, 0));

  fail_unless_rings (&stream->alarms, "");
  stream = hear_for (watcher, 1, "rcprelay", RELAY (0, 1, 0, 0));
  fail_unless_rings (&stream->alarms, "RelayDropsPackets ");
  stream = hear_for (watcher, 1, "rcprelay", RELAY (0, 1, 1, 0));
  fail_unless_rings (&stream->alarms, "RelayDropsPackets RelayRefusesSenders ");
}

CLAIM (test_a_receiver_without_media_rings)
{
  g_autoptr (Watcher) watcher = watcher_new ();
  const Stream *stream = hear_for (watcher, 19, "arcsrc", "packets-received=(guint64)7");

  fail_unless_rings (&stream->alarms, "");
  stream = hear_for (watcher, 3, "arcsrc", "packets-received=(guint64)7");
  fail_unless_rings (&stream->alarms, "NothingArrives ");
}

/* Of so many, of which those of the first numbers have stopped. */
static const Stream *
serve (Watcher * watcher, guint n, guint stopped)
{
  GString *stats = g_string_new ("viewers=<");
  const Stream *stream;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (stats, "%s[v, address=\"192.0.2.1:%u\", sink=[t, state=%s]]",
        i > 0 ? ", " : "", 5000 + i, i < stopped ? "stopped" : "running");
  g_string_append_c (stats, '>');
  stream = hear_for (watcher, 11, "arcserversink", stats->str);
  g_string_free (stats, TRUE);
  return stream;
}

static const struct
{
  guint n, stopped;
  Health health;
} crowds[] = { {30, 0, HEALTH_GREEN}, {30, 2, HEALTH_GREEN}, {30, 3, HEALTH_AMBER},
  {30, 14, HEALTH_AMBER}, {30, 15, HEALTH_RED}, {1, 1, HEALTH_RED}, {0, 0, HEALTH_GREEN}
};

CLAIMS (test_a_server_is_as_its_viewers_are, G_N_ELEMENTS (crowds))
{
  g_autoptr (Watcher) watcher = watcher_new ();
  const Stream *stream = serve (watcher, crowds[__i__].n, crowds[__i__].stopped);

  fail_unless_equals_int (stream_viewers_in_trouble (stream), crowds[__i__].stopped);
  fail_unless (stream_health (stream) == crowds[__i__].health);
  fail_unless_rings (&stream->alarms, "");
}

CLAIM (test_a_viewer_that_has_gone_is_forgotten)
{
  g_autoptr (Watcher) watcher = watcher_new ();

  serve (watcher, 10, 10);
  fail_unless_equals_int (g_hash_table_size (serve (watcher, 3, 0)->viewers), 3);
  fail_unless_equals_int (stream_viewers_in_trouble (serve (watcher, 10, 0)), 0);
}

/* Those of docs/guide/operating.md. */
CLAIM (test_the_rules_for_prometheus_are_of_the_same_table)
{
  g_autofree gchar *rules = alarms_rules (), *json = alarms_json ();

  fail_unless (strstr (rules, "\n  - alert: NetworkQueue\n    expr: >\n"
          "      gst_arc_rmcsink_queueing_delay_seconds > 0.1\n"
          "      or gst_arc_arcserversink_viewer_queueing_delay_seconds > 0.1\n"
          "      or gst_arc_rtparcbwe_queueing_delay_seconds > 0.1\n    for: 10s\n"));
  fail_unless (strstr (rules, "      gst_arc_rmcsink_input_bitrate_bytes_per_second > 1.5 * "
          "gst_arc_rmcsink_target_bitrate_bytes_per_second\n"));
  fail_unless (strstr (rules, "{gst_arc_rmcsink_state=\"stopped\"} == 1\n"));
  fail_unless (g_str_has_prefix (json, "{\"ReceiverSilent\": {\"health\": \"red\", \"text\": \""));
}
