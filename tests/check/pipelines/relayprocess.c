/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The recipe of examples/pipelines/relay.launch in a process of its own, between a sender and a
 * receiver. The sender always has something to send, so that the rate is the relay's alone. */
#include "flows.h"

#include <gio/gio.h>
#include <math.h>

#include "quiet.h"
#include "readstat.h"

#define RELAY_PORT 15716
#define RECEIVER_PORT 15717
#define OFFERED_BPS (0.95 * 3e6)        /* gamma of the recipe's capacity */
#define MAX_BPS 20000000        /* what the sender would be free to use */
#define SETTLE_S 20
#define SAMPLES 100
#define SAMPLE_US 50000

/* What the example says, on ports of our own. */
static gchar *
recipe (void)
{
  gchar *text, *pipeline;
  g_auto (GStrv) lines = NULL;

  fail_unless (g_file_get_contents (RELAY_EXAMPLE, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  pipeline = g_strdup ("");
  for (gchar ** line = lines; *line; line++)
    if (**line != '#') {
      g_autofree gchar *before = pipeline;

      pipeline = g_strjoin (" ", before, *line, NULL);
    }
  fail_unless (strstr (pipeline, " port=5006 ") && strstr (pipeline, " host-port=5004 ")
      && strstr (pipeline, "capacity=3000000"), "%s", pipeline);
  g_free (text);
  return pipeline;
}

/* Later properties overrule those before. */
static GSubprocess *
start_relay (void)
{
  GError *error = NULL;
  g_autofree gchar *pipeline = recipe (), *line = g_strdup_printf ("%s port=%u host-port=%u",
      pipeline, RELAY_PORT, RECEIVER_PORT);
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  GSubprocess *process;

  g_ptr_array_add (argv, (gpointer) GST_LAUNCH);
  g_ptr_array_add (argv, (gpointer) "-q");
  for (gchar ** word = words; *word; word++)
    if (**word)
      g_ptr_array_add (argv, *word);
  g_ptr_array_add (argv, NULL);
  process = g_subprocess_newv ((const gchar * const *) argv->pdata, G_SUBPROCESS_FLAGS_NONE,
      &error);
  fail_unless (process != NULL, "%s", error ? error->message : "");
  return process;
}

static void
stop_relay (GSubprocess * process)
{
  g_subprocess_send_signal (process, 2 /* SIGINT, as Ctrl-C */ );
  fail_unless (g_subprocess_wait (process, NULL, NULL));
  g_object_unref (process);
}

static gdouble
law_fact (GstElement * sender, const gchar * name)
{
  return (gdouble) read_stat_in (sender, "sink", name);
}

static gboolean
is_near (gdouble value, gdouble wanted, gdouble ratio)
{
  return fabs (value / wanted - 1) <= ratio;
}

static void
wait_until_near (GstElement * sender)
{
  for (guint i = 0;
      i < SETTLE_S * 10 && !is_near (flows_sink_stat (sender, "rate"), OFFERED_BPS, 0.1); i++)
    g_usleep (G_USEC_PER_SEC / 10);
}

/* A loaded machine wakes the relay late now and then, so that its rate moves: means of what was
 * heard and sent. */
static void
measure (GstElement * sender, gdouble * heard_bps, gdouble * sent_bps)
{
  guint64 before = flows_sink_stat (sender, "bytes-sent");
  gint64 began = g_get_monotonic_time ();

  *heard_bps = 0;
  for (guint i = 0; i < SAMPLES; i++) {
    *heard_bps += law_fact (sender, "law-explicit-rate") / SAMPLES;
    g_usleep (SAMPLE_US);
  }
  *sent_bps = (gdouble) (flows_sink_stat (sender, "bytes-sent") - before) * 8e6
      / (gdouble) (g_get_monotonic_time () - began);
}

static gchar *
use_the_relay (gpointer data)
{
  GSubprocess *relay = start_relay ();
  GstElement *receiver = flows_receiver (RECEIVER_PORT);
  GstElement *sender = flows_sender (RELAY_PORT, "piqi-rcp", MAX_BPS,
      "controller-params=\"params,guard=(double)0\"");
  gdouble heard_bps, sent_bps;
  guint64 lost;

  fail_unless (receiver && sender);
  wait_until_near (sender);
  measure (sender, &heard_bps, &sent_bps);
  lost = flows_sink_stat (sender, "packets-lost");
  flows_stop (&sender);
  flows_stop (&receiver);
  stop_relay (relay);
  if (is_near (heard_bps, OFFERED_BPS, 0.1) && is_near (sent_bps, heard_bps, 0.05) && lost == 0)
    return NULL;
  return g_strdup_printf ("heard of %g, sent %g bit/s, %u packets lost", heard_bps, sent_bps,
      (guint) lost);
}

CLAIM_TIMEOUT_S (180)

CLAIM (test_sender_uses_the_rate_of_a_relay_in_another_process)
{
  quiet_judge ("the sender uses the relay's rate", use_the_relay, NULL);
}
