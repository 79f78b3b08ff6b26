/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Serialized events and queries at rampscheduler: they keep their place among the packets of their
 * stream, and nobody who brings one waits for what follows. */
#include "rampfixture.h"

#define N_EVENTS 1000

/* What follows takes a packet and keeps it, as a sink in preroll does, with its stream lock
 * held. */
typedef struct
{
  GMutex lock;
  GCond cond;
  gboolean open, reached;
} Gate;

static GstPadProbeReturn
wait_at_gate (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Gate *gate = user_data;

  g_mutex_lock (&gate->lock);
  gate->reached = TRUE;
  g_cond_broadcast (&gate->cond);
  while (!gate->open)
    g_cond_wait (&gate->cond, &gate->lock);
  g_mutex_unlock (&gate->lock);
  return GST_PAD_PROBE_OK;
}

static void
gate_free (gpointer user_data)
{
  Gate *gate = user_data;

  g_mutex_clear (&gate->lock);
  g_cond_clear (&gate->cond);
  g_free (gate);
}

/* Returns once what follows holds a packet of pad 0. The gate lives as long as the pad: packets
 * come until the fixture is cleared. */
static Gate *
close_gate (Fixture * f)
{
  Gate *gate = g_new0 (Gate, 1);

  g_mutex_init (&gate->lock);
  g_cond_init (&gate->cond);
  gst_pad_add_probe (f->out->sinkpad, GST_PAD_PROBE_TYPE_BUFFER, wait_at_gate, gate, gate_free);
  push_packets (f, 0, 1, 1200);
  g_mutex_lock (&gate->lock);
  while (!gate->reached)
    g_cond_wait (&gate->cond, &gate->lock);
  g_mutex_unlock (&gate->lock);
  return gate;
}

static void
open_gate (Gate * gate)
{
  g_mutex_lock (&gate->lock);
  gate->open = TRUE;
  g_cond_broadcast (&gate->cond);
  g_mutex_unlock (&gate->lock);
}

static GstEvent *
named_event (const gchar * name)
{
  return gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new_empty (name));
}

/* --- nobody waits --- */

typedef struct
{
  GstHarness *in;
  gint done;                    /* atomic */
} Bringer;

static gpointer
bring_all_kinds (gpointer user_data)
{
  Bringer *bringer = user_data;
  GstQuery *queries[] = { gst_query_new_allocation (NULL, FALSE), gst_query_new_drain () };

  gst_harness_push_event (bringer->in,
      gst_event_new_tag (gst_tag_list_new (GST_TAG_TITLE, "tag", NULL)));
  gst_harness_push_event (bringer->in,
      gst_video_event_new_downstream_force_key_unit (0, 0, 0, TRUE, 1));
  gst_harness_push_event (bringer->in, named_event ("custom"));
  for (guint i = 0; i < G_N_ELEMENTS (queries); i++) {
    gst_pad_peer_query (bringer->in->srcpad, queries[i]);
    gst_query_unref (queries[i]);
  }
  g_atomic_int_set (&bringer->done, TRUE);
  return NULL;
}

/* TRUE within half a minute. */
static gboolean
is_done (Bringer * bringer)
{
  for (guint i = 0; i < 30000 && !g_atomic_int_get (&bringer->done); i++)
    g_usleep (1000);
  return g_atomic_int_get (&bringer->done);
}

CLAIM_TIMEOUT_S (90)

CLAIM_ON (test_events_and_queries_do_not_wait_for_a_sink_that_blocks, SCHEDULER (2, ""))
{
  gboolean done[2];
  GThread *thread[2];
  Bringer bringer[2];
  Gate *gate = close_gate (f);

  for (guint i = 0; i < 2; i++) {
    bringer[i] = (Bringer) { f->in[i], FALSE };
    thread[i] = g_thread_new ("bringer", bring_all_kinds, &bringer[i]);
  }
  for (guint i = 0; i < 2; i++)
    done[i] = is_done (&bringer[i]);
  open_gate (gate);
  for (guint i = 0; i < 2; i++) {
    g_thread_join (thread[i]);
    fail_unless (done[i], "events at pad %u wait", i);
  }
}

static gpointer
leave (gpointer user_data)
{
  Bringer *releaser = user_data;
  GstPad *pad = gst_pad_get_peer (releaser->in->srcpad);
  GstElement *scheduler = gst_pad_get_parent_element (pad);

  gst_element_release_request_pad (scheduler, pad);
  gst_object_unref (scheduler);
  gst_object_unref (pad);
  g_atomic_int_set (&releaser->done, TRUE);
  return NULL;
}

CLAIM_ON (test_a_pad_with_events_may_leave_while_a_sink_blocks, SCHEDULER (2, ""))
{
  GThread *thread, *leaver;
  gboolean done;
  Bringer bringer, releaser;
  Gate *gate = close_gate (f);

  bringer = releaser = (Bringer) { f->in[1], FALSE };
  thread = g_thread_new ("bringer", bring_all_kinds, &bringer);
  g_usleep (20 * 1000);
  leaver = g_thread_new ("leaver", leave, &releaser);
  done = is_done (&releaser);
  open_gate (gate);
  g_thread_join (thread);
  g_thread_join (leaver);
  fail_unless (done, "release_request_pad waits for the sink");
  gst_clear_object (&f->pads[1]);
}

/* --- order --- */

/* What left so far, a letter each: P packet, E end, or the first letter of a custom event's
 * name. */
static GstPadProbeReturn
write_down (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GString *log = user_data;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    g_string_append_c (log, 'P');
  else if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    g_string_append_c (log, 'E');
  else if (GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_DOWNSTREAM)
    g_string_append_c (log, gst_structure_get_name (gst_event_get_structure (event))[0]);
  return GST_PAD_PROBE_OK;
}

typedef struct
{
  Fixture f;
  GString *log;
} Logged;

static void
logged_init (Logged * l, guint n_pads, const gchar * properties)
{
  fixture_init (&l->f, n_pads, properties);
  l->log = g_string_new (NULL);
  gst_pad_add_probe (l->f.out->sinkpad,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, write_down, l->log, NULL);
}

static void
logged_clear (Logged * l)
{
  fixture_clear (&l->f);
  g_string_free (l->log, TRUE);
}

#define LOGGED(n_pads, properties) Logged, l, \
    logged_init (l, n_pads, properties), logged_clear (l)

static void
push_named (Logged * l, guint pad, const gchar * name)
{
  gst_harness_push_event (l->f.in[pad], named_event (name));
}

/* On all pads. */
static void
end_with (Logged * l, Gate * gate)
{
  for (guint i = 0; i < MAX_PADS && l->f.in[i]; i++)
    gst_harness_push_event (l->f.in[i], gst_event_new_eos ());
  if (gate)
    open_gate (gate);
  fail_unless (saw_eos (&l->f));
}

CLAIM_ON (test_events_leave_where_they_came_among_the_packets, LOGGED (1, ""))
{
  Gate *gate = close_gate (&l->f);

  push_packets (&l->f, 0, 2, 1200);
  push_named (l, 0, "a");
  push_named (l, 0, "b");
  push_packets (&l->f, 0, 1, 1200);
  push_named (l, 0, "c");
  end_with (l, gate);
  ck_assert_str_eq (l->log->str, "PPPabPcE");
}

CLAIM_ON (test_an_event_before_any_packet_leaves_behind_the_segment, SCHEDULER (1, ""))
{
  static const GstEventType expected[] = { GST_EVENT_STREAM_START, GST_EVENT_CAPS,
      GST_EVENT_SEGMENT, GST_EVENT_CUSTOM_DOWNSTREAM };

  gst_harness_push_event (f->in[0], named_event ("a"));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_autoptr (GstEvent) event = gst_harness_pull_event (f->out);

    fail_unless_equals_int (GST_EVENT_TYPE (event), expected[i]);
  }
}

/* The frames before the event are dropped for want of bandwidth; its place is then what follows. */
CLAIM_ON (test_an_event_outlives_the_frames_that_were_dropped_before_it,
    LOGGED (0, "budget=1000000 max-queue-time=50000000"))
{
  const gchar *log;

  l->f.live = TRUE;
  add_pad (&l->f, VIDEO_CAPS);
  for (guint frame = 0; frame < 40; frame++) {
    push_frame (&l->f, 0, frame, frame % 10 != 0, 3);
    if (frame == 8)
      push_named (l, 0, "a");
  }
  end_with (l, NULL);
  log = l->log->str;
  fail_unless (pad_stat (&l->f, 0, "frames-dropped") > 5);
  fail_unless (strchr (log, 'a') != NULL && g_str_has_suffix (log, "PE"), "%s", log);
}

/* --- what is not for all --- */

CLAIM_ON (test_what_describes_one_stream_is_not_told_of_all, SCHEDULER (2, ""))
{
  GstEvent *event;

  for (guint i = 0; i < 2; i++) {
    gst_harness_push_event (f->in[i],
        gst_event_new_tag (gst_tag_list_new (GST_TAG_TITLE, "one", NULL)));
    push_packets (f, i, 1, 1200);
    gst_harness_push_event (f->in[i], gst_event_new_eos ());
  }
  while (GST_EVENT_TYPE (event = gst_harness_pull_event (f->out)) != GST_EVENT_EOS) {
    fail_if (GST_EVENT_TYPE (event) == GST_EVENT_TAG);
    gst_event_unref (event);
  }
  gst_event_unref (event);
}

CLAIM_ON (test_events_that_wait_for_hours_do_not_pile_up, LOGGED (1, ""))
{
  Gate *gate = close_gate (&l->f);
  guint64 dropped;

  push_packets (&l->f, 0, 1, 1200);
  for (guint i = 0; i < N_EVENTS; i++)
    push_named (l, 0, i == N_EVENTS - 1 ? "z" : "a");
  end_with (l, gate);
  dropped = pad_stat (&l->f, 0, "events-dropped");
  fail_unless (dropped >= N_EVENTS / 2);
  fail_unless (g_str_has_suffix (l->log->str, "zE"), "%s", l->log->str);
  fail_unless_equals_int (l->log->len, strlen ("PPE") + N_EVENTS - dropped);
}

CLAIM_ON (test_a_flush_forgets_events_with_the_packets, LOGGED (2, ""))
{
  Gate *gate = close_gate (&l->f);

  push_packets (&l->f, 1, 1, 1200);
  push_named (l, 1, "a");
  gst_harness_push_event (l->f.in[1], gst_event_new_flush_start ());
  gst_harness_push_event (l->f.in[1], gst_event_new_flush_stop (TRUE));
  send_segment (&l->f, 1, 0);
  push_named (l, 1, "b");
  end_with (l, gate);
  ck_assert_str_eq (l->log->str, "PbE");
}
