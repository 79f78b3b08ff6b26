/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One encoder, a tee, and several who set its bitrate. */

#include <encoder/encoderquality.h>
#include <encoder/encoderrate.h>
#include <encoder/encodersteering.h>
#include <gst/arc/arc.h>

#include "claim.h"

#define N_SINKS 3

typedef struct
{
  GstElement *pipeline, *encoder;
  EncoderRate *rates[N_SINKS];
} Fixture;

static void
find_with (Fixture * self, guint i, GstClockTime latency)
{
  gchar *name = g_strdup_printf ("s%u", i), *warning = NULL;
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (self->pipeline), name);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");

  fail_unless_equals_int (encoder_rate_find (self->rates[i], pad, latency, &warning),
      ENCODER_RATE_OK);
  fail_unless (warning == NULL, "%s", warning);
  g_free (name);
}

static void
find (Fixture * self, guint i)
{
  find_with (self, i, ENCODER_ORDERS_LATENCY);
}

static Fixture
fixture_new (guint n_found)
{
  Fixture self = { gst_parse_launch ("videotestsrc ! vp8enc name=e ! tee name=t  t. ! queue ! "
          "fakesink name=s0  t. ! queue ! fakesink name=s1  t. ! queue ! fakesink name=s2", NULL) };

  self.encoder = gst_bin_get_by_name (GST_BIN (self.pipeline), "e");
  for (guint i = 0; i < N_SINKS; i++)
    self.rates[i] = encoder_rate_new ();
  for (guint i = 0; i < n_found; i++)
    find (&self, i);
  return self;
}

static void
fixture_free (Fixture * self)
{
  for (guint i = 0; i < N_SINKS; i++)
    encoder_rate_free (self->rates[i]);
  gst_object_unref (self->encoder);
  gst_object_unref (self->pipeline);
}

static gint
bitrate_of (Fixture * self)
{
  gint bps;

  g_object_get (self->encoder, "target-bitrate", &bps, NULL);
  return bps;
}

#define SHARED_ENCODER(n_found) Fixture, f, *f = fixture_new (n_found), fixture_free (f)

static void
wish (Fixture * f, guint sink, guint bps, EncoderVoice voice)
{
  encoder_rate_set (f->rates[sink], bps, voice);
}

/* What the encoder makes then. */
static void
check_wish (Fixture * f, guint sink, guint bps, EncoderVoice voice, gint made_bps)
{
  wish (f, sink, bps, voice);
  fail_unless_equals_int (bitrate_of (f), made_bps);
}

CLAIM_ON (test_shared_encoder_makes_the_smallest_whoever_speaks_last, SHARED_ENCODER (2))
{
  wish (f, 0, 400000, TRUE);
  check_wish (f, 1, 2000000, TRUE, 400000);
  check_wish (f, 0, 900000, TRUE, 900000);
  check_wish (f, 0, 3000000, TRUE, 2000000);
}

CLAIM_ON (test_who_hears_no_answer_does_not_pull_the_others_down, SHARED_ENCODER (3))
{
  wish (f, 0, 2000000, TRUE);
  wish (f, 1, 500000, FALSE);
  check_wish (f, 2, 1500000, TRUE, 1500000);
  check_wish (f, 2, 100000, FALSE, 2000000);
  check_wish (f, 2, 700000, TRUE, 700000);
}

/* It is set on another thread. */
static void
wait_for_bitrate (Fixture * f, gint bps)
{
  for (guint i = 0; i < 3000 && bitrate_of (f) != bps; i++)
    g_usleep (10000);
  fail_unless_equals_int (bitrate_of (f), bps);
}

#define SHARED ENCODER_VOICE_SHARED

/* Of many viewers whom nobody chose. */
CLAIM_ON (test_one_of_many_takes_half_from_the_others_at_most, SHARED_ENCODER (3))
{
  check_wish (f, 0, 3000000, SHARED, 3000000);
  check_wish (f, 1, 1000, SHARED, 3000000);
  check_wish (f, 1, 1600000, SHARED, 1600000);
  wish (f, 2, 2000000, SHARED);
  check_wish (f, 1, 900000, SHARED, 2000000);
  wish (f, 2, 100000000, SHARED);
  check_wish (f, 1, 2900000, SHARED, 2900000);
}

/* A stranger may call from as many ports as it likes. */
CLAIM_ON (test_many_of_one_host_count_as_one, SHARED_ENCODER (3))
{
  for (guint i = 0; i < N_SINKS; i++)
    encoder_rate_set_terms (f->rates[i], 0, i == 0 ? 1 : 2);
  wish (f, 0, 3000000, SHARED);
  wish (f, 1, 1000, SHARED);
  check_wish (f, 2, 1000, SHARED, 3000000);
  check_wish (f, 2, 1600000, SHARED, 1600000);
  encoder_rate_set_terms (f->rates[0], 0, 2);
  check_wish (f, 0, 1000, SHARED, 1000);
  encoder_rate_set_terms (f->rates[2], 0, 3);
  wish (f, 2, 1600000, SHARED);
  encoder_rate_forget (f->rates[0]);
  wait_for_bitrate (f, 1600000);
}

CLAIM_ON (test_all_say_upstream_what_the_encoder_makes, SHARED_ENCODER (2))
{
  wish (f, 0, 3000000, SHARED);
  wish (f, 1, 1000, SHARED);
  fail_unless_equals_int (encoder_rate_agreed_bps (f->rates[1], 1000), 3000000);
  fail_unless_equals_int (encoder_rate_agreed_bps (f->rates[0], 3000000), 3000000);
  wish (f, 1, 400000, ENCODER_VOICE_OWN);
  fail_unless_equals_int (encoder_rate_agreed_bps (f->rates[0], 3000000), 400000);
  encoder_rate_forget (f->rates[1]);
  fail_unless_equals_int (encoder_rate_agreed_bps (f->rates[1], 400000), 400000);
  fail_unless_equals_int (encoder_rate_agreed_bps (f->rates[0], 3000000), 3000000);
}

static GstPadProbeReturn
note_event (GstPad * pad, GstPadProbeInfo * info, gpointer bps)
{
  const GstStructure *s = gst_event_get_structure (GST_PAD_PROBE_INFO_EVENT (info));

  if (s && gst_structure_has_name (s, GST_ARC_TARGET_BITRATE))
    gst_structure_get_uint (s, "bitrate", bps);
  return GST_PAD_PROBE_OK;
}

static void
ignore (GObject * owner, const gchar * sentence)
{
}

/* One of the two sinks, of which only the first can take much. */
static EncoderSteering *
steer (Fixture * f, guint i, EncoderOrders * orders, void (*warn) (GObject *, const gchar *))
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (f->pipeline), i == 0 ? "s0" : "s1");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  EncoderSteering *self = encoder_steering_new (pad, G_OBJECT (sink), "sync", FALSE, warn);

  orders->bps = i == 0 ? 3000000 : 1000;
  encoder_steering_tell (self, orders);
  return self;
}

/* What follows the event must not go by who spoke last. */
CLAIM (test_the_event_of_each_says_what_the_encoder_makes)
{
  Fixture f = fixture_new (0);
  GstPad *src = gst_element_get_static_pad (f.encoder, "src");
  EncoderOrders orders = {.target = TRUE,.n_flows = 1,.shares = {1},.adapt = TRUE,
    .voice = ENCODER_VOICE_SHARED,.latency = ENCODER_ORDERS_LATENCY
  };
  EncoderSteering *steerings[2];
  guint bps = 0;

  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, note_event, &bps, NULL);
  gst_element_set_state (f.pipeline, GST_STATE_PAUSED);
  gst_element_get_state (f.pipeline, NULL, NULL, GST_CLOCK_TIME_NONE);
  for (guint i = 0; i < 2; i++) {
    steerings[i] = steer (&f, i, &orders, ignore);
    fail_unless_equals_int (bps, 3000000);
    bps = 0;
  }
  for (guint i = 0; i < 2; i++)
    encoder_steering_free (steerings[i]);
  gst_element_set_state (f.pipeline, GST_STATE_NULL);
  gst_object_unref (src);
  fixture_free (&f);
}

static guint blamed;            /* the encoder, for what it made */

static void
note_blame (GObject * owner, const gchar * sentence)
{
  blamed += strstr (sentence, "were asked for") != NULL;
}

/* For whom the encoder makes too much since others can take it, the encoder is not at fault. */
CLAIM (test_an_encoder_is_not_blamed_for_what_the_other_sinks_ask_for)
{
  Fixture f = fixture_new (0);
  EncoderOrders orders = {.target = TRUE,.n_flows = 1,.shares = {1},.adapt = TRUE,
    .voice = ENCODER_VOICE_SHARED,.latency = ENCODER_ORDERS_LATENCY,.may_warn = TRUE
  };
  EncoderSteering *steerings[2];

  blamed = 0;
  for (guint i = 0; i < 2; i++)
    steerings[i] = steer (&f, i, &orders, note_blame);
  orders.made_bps = 3000000;
  orders.told_bps = 1000;
  encoder_steering_tell (steerings[1], &orders);
  fail_unless_equals_int (blamed, 0);
  orders.bps = orders.told_bps = 3000000;
  orders.made_bps = 6000000;
  encoder_steering_tell (steerings[0], &orders);
  fail_unless_equals_int (blamed, 1);
  for (guint i = 0; i < 2; i++)
    encoder_steering_free (steerings[i]);
  fixture_free (&f);
}

CLAIM_ON (test_the_other_sink_is_the_cause_where_it_decides, SHARED_ENCODER (2))
{
  wish (f, 0, 3000000, ENCODER_VOICE_OWN);
  fail_unless_equals_int (encoder_rate_cause (f->rates[0], 3000000, RC_CAUSE_QUEUE),
      RC_CAUSE_QUEUE);
  wish (f, 1, 400000, ENCODER_VOICE_OWN);
  fail_unless_equals_int (encoder_rate_cause (f->rates[0], 3000000, RC_CAUSE_QUEUE),
      RC_CAUSE_OTHER_SINK);
  fail_unless_equals_int (encoder_rate_cause (f->rates[1], 400000, RC_CAUSE_QUEUE),
      RC_CAUSE_QUEUE);
}

CLAIM_ON (test_who_was_chosen_counts_beside_many, SHARED_ENCODER (3))
{
  wish (f, 0, 3000000, SHARED);
  check_wish (f, 1, 400000, ENCODER_VOICE_OWN, 400000);
  wish (f, 1, 4000000, ENCODER_VOICE_OWN);
  check_wish (f, 2, 100000, ENCODER_VOICE_NONE, 3000000);
}

CLAIM_ON (test_smallest_counts_while_nobody_is_answered, SHARED_ENCODER (2))
{
  wish (f, 0, 500000, FALSE);
  check_wish (f, 1, 400000, FALSE, 400000);
}

CLAIM_ON (test_who_leaves_no_longer_counts, SHARED_ENCODER (3))
{
  wish (f, 0, 2000000, TRUE);
  wish (f, 1, 500000, TRUE);
  wish (f, 2, 800000, TRUE);
  encoder_rate_forget (f->rates[1]);
  wait_for_bitrate (f, 800000);
  encoder_rate_free (f->rates[2]);
  wait_for_bitrate (f, 2000000);
  f->rates[2] = encoder_rate_new ();
  fail_unless_equals_int (encoder_rate_set (f->rates[1], 300000, TRUE), 0);
  fail_unless_equals_int (bitrate_of (f), 2000000);
}

CLAIM_ON (test_sharing_is_told_once_with_the_cure, SHARED_ENCODER (1))
{
  gchar *warning = encoder_rate_take_sharing_warning (f->rates[0]);

  fail_unless (warning == NULL, "%s", warning);
  find (f, 1);
  find (f, 1);
  fail_unless (encoder_rate_take_sharing_warning (f->rates[1]) == NULL);
  wish (f, 1, 400000, TRUE);
  warning = encoder_rate_take_sharing_warning (f->rates[1]);
  fail_unless (warning && strstr (warning, "e feeds 2 sinks") && strstr (warning,
          "the slowest of them decides for all") && strstr (warning, "examples/embed/serve.c"),
      "%s", warning);
  g_free (warning);
  find (f, 2);
  fail_unless (encoder_rate_take_sharing_warning (f->rates[0]) == NULL);
  fail_unless (encoder_rate_take_sharing_warning (f->rates[2]) == NULL);
}

/* Of viewers whom nobody chose the slowest does not decide. */
CLAIM_ON (test_sharing_by_viewers_is_told_with_their_rule, SHARED_ENCODER (2))
{
  g_autofree gchar *warning = NULL;

  wish (f, 0, 3000000, SHARED);
  wish (f, 1, 1000, SHARED);
  warning = encoder_rate_take_sharing_warning (f->rates[1]);
  fail_unless (warning && strstr (warning, "at least half of what the median of them can")
      && !strstr (warning, "decides for all"), "%s", warning);
}

static gint
buffer_ms (Fixture * self)
{
  gint ms;

  g_object_get (self->encoder, "buffer-size", &ms, NULL);
  return ms;
}

/* Of vp8enc: 150 % of the latency. */
CLAIM_ON (test_the_smallest_latency_counts_whoever_searches_last, SHARED_ENCODER (0))
{
  gint64 end = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;

  find_with (f, 0, 40 * GST_MSECOND);
  find_with (f, 1, 200 * GST_MSECOND);
  fail_unless_equals_int (buffer_ms (f), 60);
  find_with (f, 0, 100 * GST_MSECOND);
  fail_unless_equals_int (buffer_ms (f), 150);
  find_with (f, 0, 40 * GST_MSECOND);
  encoder_rate_forget (f->rates[0]);
  while (buffer_ms (f) != 300 && g_get_monotonic_time () < end)
    g_usleep (1000);
  fail_unless_equals_int (buffer_ms (f), 300);
}

/* While one thread is in the encoder's setter, which may wait for the streaming thread, others
 * come and go. */
typedef struct
{
  GMutex lock;
  GCond changed;
  gboolean entered, release;
} Gate;

static void
on_notify (GObject * encoder, GParamSpec * pspec, gpointer data)
{
  Gate *gate = data;

  g_mutex_lock (&gate->lock);
  gate->entered = TRUE;
  g_cond_broadcast (&gate->changed);
  while (!gate->release)
    g_cond_wait (&gate->changed, &gate->lock);
  g_mutex_unlock (&gate->lock);
}

static gpointer
set_first (gpointer data)
{
  encoder_rate_set (((Fixture *) data)->rates[0], 1000000, TRUE);
  return NULL;
}

CLAIM (test_nobody_waits_for_one_who_is_in_the_setter_and_no_wish_is_lost)
{
  Fixture f = fixture_new (2);
  Gate gate = { 0 };
  GThread *thread;

  g_mutex_init (&gate.lock);
  g_cond_init (&gate.changed);
  g_signal_connect (f.encoder, "notify::target-bitrate", G_CALLBACK (on_notify), &gate);
  thread = g_thread_new ("first", set_first, &f);
  g_mutex_lock (&gate.lock);
  while (!gate.entered)
    g_cond_wait (&gate.changed, &gate.lock);
  g_mutex_unlock (&gate.lock);

  fail_unless_equals_int (encoder_rate_set (f.rates[1], 600000, TRUE), 0);
  fail_unless_equals_int (encoder_rate_set (f.rates[0], 700000, TRUE), 0);
  g_mutex_lock (&gate.lock);
  gate.release = TRUE;
  g_cond_broadcast (&gate.changed);
  g_mutex_unlock (&gate.lock);
  g_thread_join (thread);
  fail_unless_equals_int (bitrate_of (&f), 600000);
  fixture_free (&f);
  g_mutex_clear (&gate.lock);
  g_cond_clear (&gate.changed);
}

#define N_CROWD 6
#define ROUNDS 3000

/* A sink of a crowd behind one encoder, on a thread of its own. */
typedef struct
{
  GstElement *encoder;
  GstPad *pad;
  guint i;
  gint *go;                     /* atomic */
} Member;

static gpointer
find_and_set (gpointer data)
{
  Member *self = data;
  EncoderRate *rate = encoder_rate_new ();

  while (!g_atomic_int_get (self->go));
  for (guint n = 0; n < ROUNDS; n++) {
    g_autofree gchar *warning = NULL;

    encoder_rate_find (rate, self->pad, (20 + self->i + 7 * (n % 11)) * GST_MSECOND, &warning);
    encoder_rate_set (rate, 500000 + 1000 * n, TRUE);
  }
  encoder_rate_free (rate);
  return NULL;
}

static void
let_all (GThreadFunc func, GstElement * encoder, GstPad * pad)
{
  Member members[N_CROWD];
  GThread *threads[N_CROWD];
  gint go = FALSE;

  for (guint i = 0; i < N_CROWD; i++) {
    members[i] = (Member) { encoder, pad, i, &go };
    threads[i] = g_thread_new ("member", func, &members[i]);
  }
  g_atomic_int_set (&go, TRUE);
  for (guint i = 0; i < N_CROWD; i++)
    g_thread_join (threads[i]);
}

/* What one of them has set is not taken for the user's, whichever came first. */
CLAIM_ON (test_six_sinks_at_once_know_what_they_set, SHARED_ENCODER (0))
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (f->pipeline), "s0");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  gint size_ms, initial_ms, optimal_ms;

  let_all (find_and_set, f->encoder, pad);
  find (f, 0);
  g_object_get (f->encoder, "buffer-size", &size_ms, "buffer-initial-size", &initial_ms,
      "buffer-optimal-size", &optimal_ms, NULL);
  fail_unless_equals_int (size_ms, 99);
  fail_unless_equals_int (initial_ms, 59);
  fail_unless_equals_int (optimal_ms, 79);
}

static gpointer
set_quality (gpointer data)
{
  Member *self = data;

  while (!g_atomic_int_get (self->go));
  for (guint n = 1; n <= 20; n++)
    encoder_quality_set_bps (self->encoder, "quality", 1000 * n);
  return NULL;
}

CLAIM (test_six_sinks_at_once_steer_one_quality)
{
  for (guint n = 0; n < 50; n++) {
    g_autoptr (GstElement) encoder = gst_element_factory_make ("jpegenc", NULL);

    if (encoder == NULL)
      return;
    let_all (set_quality, encoder, NULL);
    fail_unless_equals_uint64 (encoder_quality_get_bps (encoder), 20000);
  }
}
