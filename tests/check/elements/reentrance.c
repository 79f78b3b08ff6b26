/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* No lock is held across a call out of an element. An application can catch four calls: notify,
 * an element message, an upstream event and the encoder's notify. Here it answers each from
 * within with all that it may do: it reads and sets properties, pushes events, and takes the
 * element through READY and back. It does so on another thread and waits for that one, so that a
 * recursive lock is found too. With a lock held it would wait for ever, until a time limit of
 * the test ends it. */

#include "fakeencoder.h"

#include <arcsrc/gstarcsrc.h>
#include <encoder/encoderclaims.h>
#include <gst/arc/arc.h>
#include <gst/rtp/rtp.h>
#include <rampscheduler/gstrampscheduler.h>
#include <rmcsink/gstrmcsink.h>

#define RTP_CAPS "application/x-rtp, media=(string)video, encoding-name=(string)X-TEST, " \
    "payload=(int)96, clock-rate=(int)90000, ssrc=(uint)7"
#define ROUNDS 3                /* each call is answered so often */
#define PHASE_US 100000         /* of a budget; rampscheduler samples each 10 ms */
/* Half a megabit a second. A machine that is late makes up for so many packets at once: with four
 * rounds a second they still need more than the small budget. */
#define PACKET_US 2000
#define MADE_UP_PACKETS 20
#define SMALL_BUDGET 50000

#define wait_until(condition, what)                                            \
  G_STMT_START {                                                               \
    gint64 end = g_get_monotonic_time () + 30 * G_TIME_SPAN_SECOND;            \
    while (!(condition)) {                                                     \
      fail_unless (g_get_monotonic_time () < end, "waited for %s", what);      \
      g_usleep (1000);                                                         \
    }                                                                          \
  } G_STMT_END

/* Held while an element starts and while a packet is pushed. GStreamer lets packets into a pad
 * before it has its neighbour repeat the caps, and warns of the packets that come between. */
static GMutex starting;

typedef struct
{
  const gchar *what;
  gint answered;                /* atomic: times, with a change of state */
} Call;

typedef struct
{
  GstElement *pipeline, *element;       /* element: the one under test */
  GstElement *told_encoder;     /* NULL: none */
  GstPad *media;                /* where the test pushes packets; NULL: nowhere */
  GThread *owner;               /* the test's: changes state and streams, and no state under it */
  Call notify, message, event, encoder;
  const gchar *message_name;
  void (*use) (GstElement * element, guint n);  /* sets properties and pushes events */
  gint within;                  /* atomic: calls that are being answered */
  guint16 seq;
} Fixture;

typedef struct
{
  Fixture *f;
  guint n;
  gboolean may_change_state;
} Answer;

static gpointer
answer_thread (gpointer data)
{
  Answer *answer = data;
  GstElement *element = answer->f->element;
  g_autoptr (GstStructure) stats = NULL;

  g_object_get (element, "stats", &stats, NULL);
  answer->f->use (element, answer->n);
  if (answer->may_change_state) {
    gst_element_set_state (element, GST_STATE_READY);
    g_mutex_lock (&starting);
    fail_unless (gst_element_set_state (element, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE);
    g_mutex_unlock (&starting);
  }
  return NULL;
}

/* Also on our own thread: GLib keeps a notification back while another thread sets a property of
 * the same object, and emits it on that one. */
static void
answer_call (Fixture * f, Call * call)
{
  Answer answer = { f, (guint) g_atomic_int_get (&call->answered), g_thread_self () != f->owner };

  g_atomic_int_inc (&f->within);
  if (answer.n < ROUNDS)
    g_thread_join (g_thread_new ("answer", answer_thread, &answer));
  if (answer.may_change_state)
    g_atomic_int_inc (&call->answered);
  g_atomic_int_add (&f->within, -1);
}

static void
on_notify (GObject * object, GParamSpec * pspec, Fixture * f)
{
  answer_call (f, &f->notify);
}

/* As another sink behind the same encoder does. */
static gpointer
claim_too (gpointer encoder)
{
  const EncoderRow *row = encoder_row_lookup (encoder);
  EncoderClaims *claims = encoder_claims_of (encoder, row);

  encoder_claims_join (claims, &row);
  encoder_claims_set (claims, encoder, &row, encoder_row_get_bps (row, encoder),
      ENCODER_VOICE_OWN, 0);
  encoder_claims_leave (claims, encoder, &row);
  encoder_claims_unref (claims);
  return NULL;
}

static void
on_encoder_notify (GObject * object, GParamSpec * pspec, Fixture * f)
{
  g_thread_join (g_thread_new ("claim", claim_too, object));
  answer_call (f, &f->encoder);
}

static GstPadProbeReturn
on_event (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Fixture *f = user_data;

  if (gst_event_has_name (GST_PAD_PROBE_INFO_EVENT (info), GST_ARC_TARGET_BITRATE))
    answer_call (f, &f->event);
  return GST_PAD_PROBE_OK;
}

static GstBusSyncReply
on_message (GstBus * bus, GstMessage * message, gpointer user_data)
{
  Fixture *f = user_data;

  if (GST_MESSAGE_SRC (message) == GST_OBJECT (f->element)
      && gst_message_has_name (message, f->message_name))
    answer_call (f, &f->message);
  gst_message_unref (message);
  return GST_BUS_DROP;
}

static void
fixture_init (Fixture * f, const gchar * line, const gchar * message_name,
    void (*use) (GstElement *, guint))
{
  g_autoptr (GstBus) bus = NULL;

  *f = (Fixture) {
    .notify = {"notify::target-bitrate"},.message = {message_name},
    .event = {GST_ARC_TARGET_BITRATE},
    .encoder = {"the encoder's notify::bitrate"},.owner = g_thread_self (),
    .message_name = message_name,.use = use
  };
  GST_ELEMENT_REGISTER (rmcsink, NULL);
  GST_ELEMENT_REGISTER (rampscheduler, NULL);
  GST_ELEMENT_REGISTER (arcsrc, NULL);
  f->pipeline = gst_parse_launch_full (line, NULL, GST_PARSE_FLAG_NONE, NULL);
  fail_unless (f->pipeline != NULL);
  f->element = gst_bin_get_by_name (GST_BIN (f->pipeline), "tested");
  bus = gst_element_get_bus (f->pipeline);
  gst_bus_set_sync_handler (bus, on_message, f, NULL);
}

/* Listens to what the element tells `told` and its encoder. */
static void
fixture_listen (Fixture * f, gpointer told)
{
  f->told_encoder = gst_bin_get_by_name (GST_BIN (f->pipeline), "encoder");
  f->media = gst_element_get_static_pad (f->told_encoder, "src");
  gst_pad_add_probe (f->media, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, on_event, f, NULL);
  g_signal_connect (f->told_encoder, "notify::bitrate", G_CALLBACK (on_encoder_notify), f);
  g_signal_connect (told, "notify::target-bitrate", G_CALLBACK (on_notify), f);
}

static void
fixture_play (Fixture * f)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (RTP_CAPS);
  GstSegment segment;

  fail_unless (gst_element_set_state (f->pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE);
  if (f->media) {
    gst_segment_init (&segment, GST_FORMAT_TIME);
    gst_pad_push_event (f->media, gst_event_new_stream_start ("test"));
    gst_pad_push_event (f->media, gst_event_new_caps (caps));
    gst_pad_push_event (f->media, gst_event_new_segment (&segment));
  }
}

/* The threads of GStreamer's pool that still tell something have a reference of the element, or of
 * the encoder, and call our handlers with this fixture. */
static void
wait_for_last_call (GstElement * element)
{
  wait_until (GST_OBJECT_REFCOUNT_VALUE (element) == 1, "the last call");
}

static void
fixture_clear (Fixture * f)
{
  wait_until (g_atomic_int_get (&f->within) == 0, "the last answer");
  gst_element_set_state (f->pipeline, GST_STATE_NULL);
  gst_clear_object (&f->media);
  gst_object_unref (f->pipeline);
  wait_for_last_call (f->element);
  gst_object_unref (f->element);
  if (f->told_encoder) {
    wait_for_last_call (f->told_encoder);
    gst_object_unref (f->told_encoder);
  }
}

static gboolean
is_answered (const Call * call)
{
  return g_atomic_int_get (&call->answered) >= ROUNDS;
}

/* Whether it is taken does not matter: the element may just be in READY. */
static void
push_packet (Fixture * f)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (100, 0, 0);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp));
  gst_rtp_buffer_set_seq (&rtp, f->seq++);
  gst_rtp_buffer_set_ssrc (&rtp, 7);
  gst_rtp_buffer_unmap (&rtp);
  g_mutex_lock (&starting);
  gst_pad_push (f->media, buffer);
  g_mutex_unlock (&starting);
}

static GstEvent *
test_event (GstEventType type)
{
  return gst_event_new_custom (type, gst_structure_new_empty ("test"));
}

/* --- rmcsink --- */

static void
use_sink (GstElement * sink, guint n)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  guint bps;

  g_object_get (sink, "target-bitrate", &bps, NULL);
  g_object_set (sink, "max-queue-time", (guint64) (n + 1) * GST_SECOND,
      "stats-interval", (guint64) n * GST_SECOND, "adapt-encoder", FALSE, NULL);
  g_object_set (sink, "adapt-encoder", TRUE, "max-bitrate", 3000000 + 1000 * n, NULL);
  gst_pad_push_event (pad, gst_event_new_reconfigure ());
  gst_pad_push_event (pad, test_event (GST_EVENT_CUSTOM_UPSTREAM));
  gst_pad_send_event (pad, test_event (GST_EVENT_CUSTOM_DOWNSTREAM_OOB));
}

/* The law `fixed` tells another target for each start-bitrate. */
static void
tell_until_answered (Fixture * f, Call * call)
{
  guint bps = 300000;
  gint64 end = g_get_monotonic_time () + 30 * G_TIME_SPAN_SECOND;

  while (!is_answered (call)) {
    fail_unless (g_get_monotonic_time () < end, "%s was answered %d times", call->what,
        call->answered);
    g_usleep (10000);
    bps = bps < 400000 ? bps + 20000 : 200000;
    g_object_set (f->element, "start-bitrate", bps, NULL);
  }
}

BEFORE_EACH
{
  fake_encoder_register ();
}

CLAIM (test_rmcsink_may_be_used_from_within_each_of_its_calls)
{
  AT_END (fixture_clear) Fixture f;

  fixture_init (&f, "nvfakeh264enc name=encoder ! "
      "rmcsink name=tested port=9 congestion-control=fixed async=false",
      GST_RMC_SINK_TARGET_BITRATE, use_sink);
  fixture_listen (&f, f.element);
  fixture_play (&f);
  tell_until_answered (&f, &f.notify);
  tell_until_answered (&f, &f.message);
  tell_until_answered (&f, &f.event);
  tell_until_answered (&f, &f.encoder);
}

/* --- rampscheduler --- */

static void
use_scheduler (GstElement * scheduler, guint n)
{
  g_autoptr (GstPad) src = gst_element_get_static_pad (scheduler, "src");
  g_autoptr (GstPad) first = gst_element_get_static_pad (scheduler, "sink_0");
  g_autoptr (GstPad) guest = gst_element_request_pad_simple (scheduler, "sink_%u");
  guint bps;

  g_object_get (first, "target-bitrate", &bps, NULL);
  g_object_set (scheduler, "max-queue-time", (guint64) (n + 1) * GST_SECOND,
      "adapt-encoder", TRUE, NULL);
  g_object_set (first, "weight", 1.0 + n, "adapt-encoder", FALSE, NULL);
  g_object_set (first, "adapt-encoder", TRUE, NULL);
  gst_pad_push_event (first, gst_event_new_reconfigure ());
  gst_pad_push_event (src, test_event (GST_EVENT_CUSTOM_DOWNSTREAM_OOB));
  gst_pad_send_event (src, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new (GST_ARC_TARGET_BITRATE, "bitrate", G_TYPE_UINT,
              900000 + 1000 * n, NULL)));
  gst_element_release_request_pad (scheduler, guest);
}

/* What is reserved goes up and down; what is needed is now more and now less than the budget. */
static void
begin_phase (Fixture * f, guint phase)
{
  g_object_set (f->element, "budget", phase % 2 == 0 ? SMALL_BUDGET : 3000000, NULL);
  gst_child_proxy_set (GST_CHILD_PROXY (f->element),
      "sink_0::min-bitrate", 100000 + phase % 7 * 10000, NULL);
}

static void
schedule_until_answered (Fixture * f, Call * call)
{
  gint64 now_us = g_get_monotonic_time (), end_us = now_us + 30 * G_TIME_SPAN_SECOND;
  gint64 packet_us = now_us, phase_us = now_us + PHASE_US;
  guint phase = 0;

  while (!is_answered (call)) {
    fail_unless (now_us < end_us, "%s was answered %d times", call->what, call->answered);
    g_usleep (PACKET_US);
    now_us = g_get_monotonic_time ();
    packet_us = MAX (packet_us, now_us - MADE_UP_PACKETS * PACKET_US);
    for (; packet_us < now_us; packet_us += PACKET_US)
      push_packet (f);
    if (now_us >= phase_us) {
      begin_phase (f, phase++);
      phase_us = now_us + PHASE_US;
    }
  }
}

CLAIM (test_rampscheduler_may_be_used_from_within_each_of_its_calls)
{
  g_autoptr (GstPad) pad = NULL;
  AT_END (fixture_clear) Fixture f;

  fixture_init (&f, "nvfakeh264enc name=encoder ! rampscheduler name=tested budget=900000 ! "
      "fakesink sync=false async=false", GST_RAMP_SCHEDULER_OVERLOAD, use_scheduler);
  pad = gst_element_get_static_pad (f.element, "sink_0");
  fixture_listen (&f, pad);
  fixture_play (&f);
  schedule_until_answered (&f, &f.notify);
  schedule_until_answered (&f, &f.message);
  schedule_until_answered (&f, &f.event);
  schedule_until_answered (&f, &f.encoder);
}

/* --- arcsrc --- */

static void
use_source (GstElement * source, guint n)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (source, "src");

  g_object_set (source, "stats-interval", (20 + (guint64) n) * GST_MSECOND,
      "timeout", (n + 1) * GST_SECOND, NULL);
  gst_pad_send_event (pad, test_event (GST_EVENT_CUSTOM_UPSTREAM));
}

CLAIM (test_arcsrc_may_be_used_from_within_its_statistics_message)
{
  AT_END (fixture_clear) Fixture f;

  fixture_init (&f, "arcsrc name=tested address=127.0.0.1 port=0 stats-interval=20000000 "
      "caps=\"" RTP_CAPS "\" ! fakesink sync=false async=false", GST_ARC_SRC_STATS, use_source);
  fixture_play (&f);
  wait_until (is_answered (&f.message), f.message.what);
}
