/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What passes of a sink's reports of lateness behind an arcsrc, over real sockets. */
#include "arcsrcfixture.h"

#define SILENCE_US (400 * 1000)
#define BRANCHES 2

typedef struct
{
  GstElement *pipeline;
  Receiver r;                   /* its src only */
  GstElement *sinks[BRANCHES];
  GSocket *sender;
  gint seq;
  gint n_qos;                   /* that came to arcsrc; atomic */
} Screen;

static GstPadProbeReturn
count (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Screen *s = user_data;

  if (GST_EVENT_TYPE (info->data) == GST_EVENT_QOS)
    g_atomic_int_inc (&s->n_qos);
  return GST_PAD_PROBE_OK;
}

/* A sink in the pipeline, and one in a bin. */
static void
screen_open (Screen * s)
{
  GstPad *pad;

  *s = (Screen) { .pipeline = gst_parse_launch ("arcsrc name=src address=127.0.0.1 port=0 "
        "! tee name=t ! queue ! fakesink name=a async=false t. "
        "! bin.( queue ! fakesink name=b async=false )", NULL) };
  fail_unless (s->pipeline != NULL);
  s->r.src = gst_bin_get_by_name (GST_BIN (s->pipeline), "src");
  s->sinks[0] = gst_bin_get_by_name (GST_BIN (s->pipeline), "a");
  s->sinks[1] = gst_bin_get_by_name (GST_BIN (s->pipeline), "b");
  pad = gst_element_get_static_pad (s->r.src, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, count, s, NULL);
  gst_object_unref (pad);
  gst_element_set_state (s->pipeline, GST_STATE_PLAYING);
  s->sender = sender_new ("127.0.0.1");
}

static void
screen_close (Screen * s)
{
  gst_element_set_state (s->pipeline, GST_STATE_NULL);
  for (guint i = 0; i < BRANCHES; i++)
    gst_object_unref (s->sinks[i]);
  g_object_unref (s->sender);
  gst_object_unref (s->r.src);
  gst_object_unref (s->pipeline);
}

#define SCREEN Screen, s, screen_open (s), screen_close (s)

/* Returns the running time at which arcsrc had it. */
static GstClockTime
send_media (Screen * s)
{
  guint64 received = receiver_stat (&s->r, "packets-received");

  send_rtp (s->sender, &s->r, SSRC, ++s->seq);
  wait_stat (&s->r, "packets-received", received + 1);
  return gst_element_get_current_running_time (s->r.src);
}

/* TRUE: the report of each sink came to arcsrc. FALSE: that of none. */
static gboolean
report (Screen * s, GstClockTime timestamp, GstClockTimeDiff late)
{
  gint before = g_atomic_int_get (&s->n_qos), n;

  for (guint i = 0; i < BRANCHES; i++) {
    g_autoptr (GstPad) pad = gst_element_get_static_pad (s->sinks[i], "sink");

    gst_pad_push_event (pad, gst_event_new_qos (late > 0 ? GST_QOS_TYPE_UNDERFLOW
            : GST_QOS_TYPE_OVERFLOW, 1.0, late, timestamp));
  }
  n = g_atomic_int_get (&s->n_qos) - before;
  fail_unless (n == 0 || n == BRANCHES, "%d", n);
  return n == BRANCHES;
}

CLAIM_ON (test_a_picture_that_an_outage_made_late_is_not_reported, SCREEN)
{
  GstClockTime before = send_media (s), after;

  g_usleep (SILENCE_US);
  after = send_media (s);
  fail_if (report (s, before, after - before));
  fail_if (report (s, before, after - before));
  fail_unless (report (s, before, 0));  /* in time */
  fail_if (report (s, before, after - before));
}

CLAIM_ON (test_what_came_after_the_outage_is_reported_as_ever, SCREEN)
{
  GstClockTime before = send_media (s), after;

  g_usleep (SILENCE_US);
  after = send_media (s);
  fail_unless (report (s, after + 10 * GST_MSECOND, 100 * GST_MSECOND));
  fail_unless (report (s, before, after - before));     /* that outage is over */
  g_usleep (SILENCE_US);
  send_media (s);
  fail_if (report (s, after, 100 * GST_MSECOND));       /* another one */
}

CLAIM_ON (test_without_an_outage_all_is_reported, SCREEN)
{
  GstClockTime at = send_media (s);

  send_media (s);
  fail_unless (report (s, at, GST_SECOND));
}
