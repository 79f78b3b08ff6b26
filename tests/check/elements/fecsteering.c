/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Who sets the percentage of rtpulpfecenc: gst/encoder/fecsteering.c; and to what:
 * gst/session/fecrate.c. */
#include <encoder/fecsteering.h>
#include <session/fecrate.h>

#include "claim.h"

#define FRAME_PKTS 6

typedef struct
{
  GstElement *pipeline, *fec;
  GstPad *pad;
  FecSteering *steering;
} Fixture;

static GstPad *
sink_pad (GstElement * pipeline, const gchar * name)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GstPad *pad = gst_element_get_static_pad (sink, "sink");

  return pad;
}

static void
fixture_init (Fixture * f, const gchar * launch)
{
  *f = (Fixture) {.pipeline = gst_parse_launch (launch, NULL),.steering = fec_steering_new () };
  f->fec = gst_bin_get_by_name (GST_BIN (f->pipeline), "fec");
  f->pad = sink_pad (f->pipeline, "s");
  fec_steering_find (f->steering, f->pad);
}

static void
fixture_clear (Fixture * f)
{
  fec_steering_free (f->steering);
  gst_object_unref (f->pad);
  gst_object_unref (f->fec);
  gst_object_unref (f->pipeline);
}

static guint
percentage (Fixture * f)
{
  guint percentage;

  g_object_get (f->fec, "percentage", &percentage, NULL);
  return percentage;
}

CLAIM (test_a_percentage_that_was_left_open_is_set_until_it_is_forgotten)
{
  AT_END (fixture_clear) Fixture f;

  fixture_init (&f, "fakesrc ! identity ! rtpulpfecenc name=fec pt=122 ! queue ! fakesink name=s");
  fec_steering_set (f.steering, 40);
  fail_unless_equals_int (percentage (&f), 40);
  fec_steering_find (f.steering, f.pad);
  fec_steering_set (f.steering, 20);
  fail_unless_equals_int (percentage (&f), 20);
  fec_steering_forget (f.steering);
  fail_unless_equals_int (percentage (&f), 0);
  fec_steering_set (f.steering, 30);
  fail_unless_equals_int (percentage (&f), 0);
}

CLAIM (test_a_percentage_of_the_user_stays)
{
  const gchar *const settings[] = { "percentage=10", "percentage-important=10" };

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++) {
    gchar *launch = g_strdup_printf ("fakesrc ! rtpulpfecenc name=fec pt=122 %s ! fakesink name=s",
        settings[i]);
    guint before;
    Fixture f;

    fixture_init (&f, launch);
    before = percentage (&f);
    fec_steering_set (f.steering, 40);
    fail_unless_equals_int (percentage (&f), before);
    fixture_clear (&f);
    g_free (launch);
  }
}

CLAIM (test_of_two_sinks_the_first_sets_it_until_it_ends)
{
  FecSteering *other = fec_steering_new ();
  g_autoptr (GstPad) pad = NULL;
  AT_END (fixture_clear) Fixture f;

  fixture_init (&f, "fakesrc ! rtpulpfecenc name=fec pt=122 ! tee name=t  t. ! queue "
      "! fakesink name=s  t. ! queue ! fakesink name=s2");
  pad = sink_pad (f.pipeline, "s2");
  fec_steering_find (other, pad);
  fec_steering_set (f.steering, 40);
  fec_steering_set (other, 20);
  fail_unless_equals_int (percentage (&f), 40);
  fec_steering_forget (f.steering);
  fec_steering_find (other, pad);
  fec_steering_set (other, 20);
  fail_unless_equals_int (percentage (&f), 20);
  fec_steering_free (other);
}

/* A second of media in which the share of each ten packets gets lost, and is asked for or not. */
typedef struct
{
  FecRate rate;
  RcLossShape loss;
  FecPath path;
  SendQueueStats queue;
  guint64 asked;
  RcTime now;
} Stream;

static void
stream_init (Stream * s, RcTime rtt, RcTime repair_time)
{
  *s = (Stream) {.path = {.rtt = rtt,.repair_time = repair_time },.now = RC_SECOND };
  s->path.loss = &s->loss;
  rc_lossshape_init (&s->loss);
  fec_rate_init (&s->rate);
}

static guint
go_on (Stream * s, guint seconds, guint lost_of_100, gboolean asks)
{
  while (seconds-- > 0) {
    for (guint i = 0; i < 10; i++)
      rc_lossshape_on_report (&s->loss, 20 - lost_of_100 / 5, lost_of_100 / 5);
    s->path.lost += 2 * lost_of_100;
    s->asked += asks ? 2 * lost_of_100 : 0;
    s->queue.frames_in += 30;
    s->queue.packets_in += 30 * FRAME_PKTS;
    s->now += RC_SECOND;
    fail_unless (fec_rate_is_due (&s->rate, s->now));
    fec_rate_look (&s->rate, &s->queue, s->asked, &s->path, s->now);
    fail_if (fec_rate_is_due (&s->rate, s->now + RC_SECOND / 2));
  }
  return s->rate.percentage;
}

CLAIM (test_fec_is_spent_only_where_repair_comes_too_late)
{
  Stream s;

  stream_init (&s, 100 * RC_MSEC, 400 * RC_MSEC);
  fail_unless_equals_int (go_on (&s, 5, 0, FALSE), 0);
  fail_unless_equals_int (go_on (&s, 10, 5, TRUE), 0);
  s.path.rtt = 390 * RC_MSEC;
  fail_unless (go_on (&s, 10, 5, TRUE) >= 50);
  s.path.rtt = 100 * RC_MSEC;
  fail_unless_equals_int (go_on (&s, 10, 5, TRUE), 0);
  s.path.repair_time = 0;
  fail_unless (go_on (&s, 10, 5, TRUE) >= 50);
}

CLAIM (test_fec_is_spent_where_nobody_asks_for_what_is_lost)
{
  Stream s;

  stream_init (&s, 100 * RC_MSEC, 400 * RC_MSEC);
  fail_unless (go_on (&s, 10, 5, FALSE) >= 50);
  fail_unless_equals_int (go_on (&s, 60, 0, FALSE), 0);
}

CLAIM (test_each_change_is_told_once)
{
  guint told = 0, last = 0;
  Stream s;

  stream_init (&s, 100 * RC_MSEC, 0);
  for (guint i = 0; i < 60; i++) {
    guint now = go_on (&s, 1, 5, FALSE);

    told += now != last;
    last = now;
  }
  fail_unless (told >= 1 && told <= 4, "%u", told);
}
