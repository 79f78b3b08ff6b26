/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A flush, which waits for no lock of a stream, meets the stop of the element that it comes to. */
#include "middlefixture.h"

#define ROUNDS 300
#define LATEST_US 200           /* after the stop began */

typedef struct
{
  Fixture f;
  GstEvent *event;              /* that meets the stop */
  gulong delay_us;
} Meeting;

static gpointer
flush (gpointer data)
{
  Meeting *meeting = data;

  g_usleep (meeting->delay_us);
  gst_pad_push_event (meeting->f.in, meeting->event);
  return NULL;
}

/* Serialized events while the element starts or stops get out of order in GStreamer itself; so
 * none is sent then but the flush's end, of half of the rounds. */
static void
meet (Meeting * meeting, guint round)
{
  GstSegment segment;
  GThread *flusher;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  meeting->delay_us = g_random_int_range (0, LATEST_US);
  meeting->event = gst_event_new_flush_start ();
  if (round % 2) {
    gst_pad_push_event (meeting->f.in, meeting->event);
    meeting->event = gst_event_new_flush_stop (TRUE);
  }
  flusher = g_thread_new ("flusher", flush, meeting);
  gst_element_set_state (meeting->f.element, GST_STATE_READY);
  g_thread_join (flusher);
  fail_unless (gst_element_set_state (meeting->f.element, GST_STATE_PLAYING)
      != GST_STATE_CHANGE_FAILURE);
  gst_pad_push_event (meeting->f.in, gst_event_new_flush_start ());
  gst_pad_push_event (meeting->f.in, gst_event_new_flush_stop (TRUE));
  gst_pad_push_event (meeting->f.in, gst_event_new_segment (&segment));
}

CLAIM_TIMEOUT_S (90)

CLAIMS (test_a_flush_may_meet_the_stop_of_the_element, G_N_ELEMENTS (subjects))
{
  Meeting meeting;

  if (!subjects[__i__].caps)
    return;
  fixture_init (&meeting.f, &subjects[__i__]);
  fixture_stop_feeding (&meeting.f);
  for (guint round = 0; round < ROUNDS; round++)
    meet (&meeting, round);
  fixture_start_feeding (&meeting.f);
  g_atomic_int_set (&meeting.f.followers[0].n, 0);
  wait_until (flows_to (&meeting.f, 0));
  fixture_clear (&meeting.f);
}

static gpointer
stop (gpointer element)
{
  gst_element_set_state (element, GST_STATE_READY);
  return NULL;
}

static GstPadProbeReturn
stop_first (GstPad * pad, GstPadProbeInfo * info, gpointer element)
{
  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_FLUSH_START)
    g_thread_join (g_thread_new ("stop", stop, element));
  return GST_PAD_PROBE_OK;
}

static void
stop_within_flush (Fixture * f, GstPad * pad)
{
  fixture_stop_feeding (f);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_FLUSH, stop_first, f->element, NULL);
  gst_pad_push_event (f->in, gst_event_new_flush_start ());
  fixture_clear (f);
}

CLAIMS (test_the_element_may_stop_before_it_sees_the_flush, G_N_ELEMENTS (subjects))
{
  g_autoptr (GstPad) sink = NULL;
  Fixture f;

  if (!subjects[__i__].caps)
    return;
  fixture_init (&f, &subjects[__i__]);
  sink = gst_pad_get_peer (f.in);
  stop_within_flush (&f, sink);
}

CLAIMS (test_the_element_may_stop_while_it_hands_the_flush_on, G_N_ELEMENTS (subjects))
{
  Fixture f;

  if (!subjects[__i__].caps)
    return;
  fixture_init (&f, &subjects[__i__]);
  stop_within_flush (&f, f.followers[0].pad);
}
