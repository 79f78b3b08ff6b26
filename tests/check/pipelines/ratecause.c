/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What binds a rate or a target is what the statistics name: scenario by scenario. */
#include "launch.h"
#include "readstat.h"

#include <gio/gio.h>
#include <rc/law/cause.h>

#include "boundsocket.h"

#define PATIENCE_US (30 * G_USEC_PER_SEC)
#define LOOK_US 10000           /* a cause may hold for one report */

#define CAMERA "videotestsrc is-live=true pattern=snow ! video/x-raw,width=320,height=240," \
    "framerate=30/1 ! vp8enc deadline=1 cpu-used=8 name=encoder ! rtpvp8pay mtu=1200 ! "
#define STILL "videotestsrc is-live=true pattern=black ! video/x-raw,width=320,height=240," \
    "framerate=30/1 ! vp8enc deadline=1 cpu-used=8 ! rtpvp8pay mtu=1200 ! "
/* Without an encoder that follows. */
#define SOUND "audiotestsrc is-live=true ! audio/x-raw,rate=8000,channels=1 ! alawenc ! " \
    "rtppcmapay ! "
#define RELAY "rcprelay name=relay address=127.0.0.1 host=127.0.0.1 capacity=1000000 "

CLAIM_TIMEOUT_S (120)

static guint
free_port (void)
{
  g_autoptr (GSocket) socket = bound_socket ("127.0.0.1", 0);

  return bound_port (socket);
}

/* A running receiver, and its port. */
static GstElement *
receive (const gchar * properties, guint * port)
{
  g_autofree gchar *line = g_strdup_printf ("arcsrc name=src address=127.0.0.1 port=0 %s ! "
      "fakesink async=false sync=false", properties);
  GstElement *pipeline = launch (line);
  g_autoptr (GstElement) src = gst_bin_get_by_name (GST_BIN (pipeline), "src");

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_object_get (src, "port", port, NULL);
  return pipeline;
}

static void
stop (GstElement ** pipeline)
{
  if (*pipeline)
    gst_element_set_state (*pipeline, GST_STATE_NULL);
  gst_clear_object (pipeline);
}

/* Of the words one, at some time. */
static gboolean
comes_to_read (GstElement * element, const gchar * field, const gchar * words)
{
  g_auto (GStrv) any = g_strsplit (words, " ", -1);
  gint64 until = g_get_monotonic_time () + PATIENCE_US;

  for (; g_get_monotonic_time () < until; g_usleep (LOOK_US))
    for (gchar ** word = any; *word; word++)
      if (stat_reads (element, field, *word))
        return TRUE;
  return FALSE;
}

static void
expect (GstElement * element, const gchar * field, const gchar * words)
{
  GstStructure *stats;

  if (comes_to_read (element, field, words))
    return;
  stats = read_stats (element);
  fail ("%s is %s, not %s; rate-cause %s", field, gst_structure_get_string (stats, field), words,
      gst_structure_get_string (stats, "rate-cause"));
}

typedef struct
{
  const gchar *receiver, *source, *sink, *relay;        /* properties; relay: NULL: there is none */
  const gchar *field, *words;
} Scenario;

static const Scenario scenarios[] = {
  {"", CAMERA, "start-bitrate=300000", NULL, "rate-cause", "start"},
  {"", CAMERA, "start-bitrate=400000 max-bitrate=400000", NULL, "rate-cause", "user"},
  {"", CAMERA, "start-bitrate=400000 max-bitrate=400000", NULL, "target-cause", "user"},
  {"max-bitrate=300000", CAMERA, "", NULL, "rate-cause", "receiver"},
  {"", SOUND, "start-bitrate=1000000", NULL, "rate-cause", "application"},
  {"", SOUND, "start-bitrate=1000000", NULL, "target-cause", "application"},
  {"", STILL, "start-bitrate=1500000", NULL, "target-cause", "picture"},
  {"", CAMERA, "start-bitrate=1400000", "", "rate-cause", "queue fall"},
  {"", CAMERA, "start-bitrate=1400000", "", "rate-cause", "growth known-capacity"},
  {"", CAMERA, "congestion-control=rcp controller-params=\"params,guard=(double)0\"", "",
      "rate-cause", "relay"},
};

CLAIMS (test_what_binds_is_named, G_N_ELEMENTS (scenarios))
{
  const Scenario *s = &scenarios[__i__];
  AT_END (stop) GstElement *relay = NULL, *sender = NULL, *receiver = NULL;
  g_autofree gchar *line = NULL, *relay_line = NULL;
  g_autoptr (GstElement) sink = NULL;
  guint port, relay_port = free_port ();

  receiver = receive (s->receiver, &port);
  if (s->relay) {
    relay_line = g_strdup_printf (RELAY "port=%u host-port=%u %s", relay_port, port, s->relay);
    relay = launch (relay_line);
    gst_element_set_state (relay, GST_STATE_PLAYING);
    port = relay_port;
  }
  line = g_strdup_printf ("%s rmcsink name=sink host=127.0.0.1 port=%u %s", s->source, port,
      s->sink);
  sender = launch (line);
  sink = gst_bin_get_by_name (GST_BIN (sender), "sink");
  gst_element_set_state (sender, GST_STATE_PLAYING);
  expect (sink, s->field, s->words);
}

/* A camera that sends to a receiver. */
typedef struct
{
  GstElement *sender, *receiver, *sink;
} Call;

static Call
call_new (const gchar * settings)
{
  g_autofree gchar *line = NULL;
  guint port;
  Call call;

  call.receiver = receive ("", &port);
  line = g_strdup_printf (CAMERA "rmcsink name=sink host=127.0.0.1 port=%u %s", port, settings);
  call.sender = launch (line);
  call.sink = gst_bin_get_by_name (GST_BIN (call.sender), "sink");
  return call;
}

static void
call_end (Call * call)
{
  gst_object_unref (call->sink);
  stop (&call->sender);
  stop (&call->receiver);
}

#define CALL(settings) Call, call, *call = call_new (settings), call_end (call)

CLAIM_ON (test_a_receiver_that_is_gone_is_a_time_out, CALL (""))
{
  GstElement *sink = call->sink;

  gst_element_set_state (call->sender, GST_STATE_PLAYING);
  for (guint i = 0; i < 3000 && read_stat (sink, "reports-received") < 5; i++)
    g_usleep (LOOK_US);
  stop (&call->receiver);
  expect (sink, "rate-cause", "timeout");
  expect (sink, "target-cause", "timeout");
}

/* The encoder makes what the slower can take: the network of the other is not the cause. */
CLAIM (test_the_other_sink_of_an_encoder_is_named)
{
  AT_END (stop) GstElement *sender = NULL, *first = NULL, *second = NULL;
  g_autoptr (GstElement) fast = NULL, slow = NULL;
  g_autofree gchar *line = NULL;
  guint ports[2];

  first = receive ("", &ports[0]);
  second = receive ("max-bitrate=200000", &ports[1]);
  line = g_strdup_printf (CAMERA "tee name=t  t. ! queue ! rmcsink name=fast host=127.0.0.1 "
      "port=%u  t. ! queue ! rmcsink name=slow host=127.0.0.1 port=%u", ports[0], ports[1]);
  sender = launch (line);
  fast = gst_bin_get_by_name (GST_BIN (sender), "fast");
  slow = gst_bin_get_by_name (GST_BIN (sender), "slow");
  gst_element_set_state (sender, GST_STATE_PLAYING);
  expect (slow, "target-cause", "receiver");
  expect (fast, "target-cause", "other-sink");
  fail_if (stat_reads (fast, "rate-cause", "other-sink"));
}

/* --- where it stands --- */

static const gchar *
first_of (const GstStructure * stats, const gchar * list, const gchar * inner, const gchar * field)
{
  const GValue *array = gst_structure_get_value (stats, list);
  const GstStructure *s;

  if (!array || gst_value_array_get_size (array) == 0)
    return NULL;
  s = gst_value_get_structure (gst_value_array_get_value (array, 0));
  if (inner)
    s = gst_value_get_structure (gst_structure_get_value (s, inner));
  return gst_structure_get_string (s, field);
}

static void
expect_cause_in (GstElement * element, const gchar * list, const gchar * inner)
{
  gint64 until = g_get_monotonic_time () + PATIENCE_US;
  gboolean known = FALSE;

  for (; !known && g_get_monotonic_time () < until; g_usleep (LOOK_US)) {
    GstStructure *stats = read_stats (element);
    const gchar *word = first_of (stats, list, inner, "rate-cause");

    known = word && rc_cause_find (word) < RC_CAUSE_N;
    gst_structure_free (stats);
  }
  fail_unless (known, "no rate-cause in %s", list);
}

CLAIM_ON (test_each_path_has_a_cause, CALL ("paths=127.0.0.1,127.0.0.2"))
{
  gst_element_set_state (call->sender, GST_STATE_PLAYING);
  expect_cause_in (call->sink, "paths", NULL);
}

CLAIM (test_each_viewer_has_a_cause)
{
  AT_END (stop) GstElement *server = NULL, *viewer = NULL;
  g_autoptr (GstElement) sink = NULL;
  g_autofree gchar *line = NULL, *call = NULL;
  guint port = free_port ();

  line = g_strdup_printf (CAMERA "arcserversink name=sink bind-address=127.0.0.1 port=%u", port);
  server = launch (line);
  sink = gst_bin_get_by_name (GST_BIN (server), "sink");
  gst_element_set_state (server, GST_STATE_PLAYING);
  call = g_strdup_printf ("arcsrc mode=caller host=127.0.0.1 port=%u ! "
      "fakesink async=false sync=false", port);
  viewer = launch (call);
  gst_element_set_state (viewer, GST_STATE_PLAYING);
  expect_cause_in (sink, "viewers", "sink");
}

/* The message of a new target says it too. */
CLAIM_ON (test_the_message_of_a_target_has_a_cause,
    CALL ("max-bitrate=400000 start-bitrate=400000"))
{
  g_autoptr (GstBus) bus = gst_element_get_bus (call->sender);
  gboolean said = FALSE;
  GstMessage *message;

  gst_element_set_state (call->sender, GST_STATE_PLAYING);
  while (!said && (message = gst_bus_timed_pop_filtered (bus, 30 * GST_SECOND,
              GST_MESSAGE_ELEMENT))) {
    const GstStructure *s = gst_message_get_structure (message);

    said = gst_structure_has_name (s, "GstRmcSinkTargetBitrate")
        && g_strcmp0 (gst_structure_get_string (s, "cause"), "user") == 0;
    gst_message_unref (message);
  }
  fail_unless (said);
}
