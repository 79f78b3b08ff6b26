/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* arcavsink and arcavsrc on loopback: what goes in at one end comes out at the other. */

#include <gst/app/gstappsrc.h>
#include <gst/check/gstcheck.h>
#include <signal.h>
#include <string.h>

#include "boundsocket.h"
#include "bustext.h"
#include "quiet.h"

#define PATIENCE (20 * G_TIME_SPAN_SECOND)
#define PCMU "audio/x-mulaw,rate=8000,channels=1"
#define PCMA "audio/x-alaw,rate=8000,channels=1"
#define STEP (20 * GST_MSECOND)
#define STEP_BYTES 160
#define wait_until(condition) do { \
    gint64 until_ = g_get_monotonic_time () + PATIENCE; \
    while (!(condition)) { \
      fail_unless (g_get_monotonic_time () < until_, "timeout: %s", #condition); \
      g_usleep (10000); \
    } \
  } while (0)

/* What has come out of a pad of arcavsrc. */
typedef struct
{
  gint buffers;
  gchar media[32];              /* of its caps */
  gchar sink[32];               /* name of the fakesink behind it */
  gint64 offset;                /* of its running time to the time that it carries */
  GstClockTime pts;
  gchar events[64];             /* that came before the first buffer since count_anew () */
  gboolean discont;             /* of that */
} Came;

static GMutex lock;             /* of what the streaming threads write: came */
static Came came[2];            /* audio: PCMU or Opus; the other */
static GstElement *receiver, *sender;
static const gchar *only;       /* pads that are linked begin so; NULL: all */
static gint pads_added, pads_removed;   /* atomic */

static Came
seen (guint which)
{
  Came copy;

  g_mutex_lock (&lock);
  copy = came[which];
  g_mutex_unlock (&lock);
  return copy;
}

static gboolean
both_have (gint n)
{
  return seen (0).buffers > n && seen (1).buffers > n;
}

static void
check_media (guint which, const gchar * media)
{
  Came is = seen (which);

  fail_unless_equals_string (is.media, media);
}

static void
count_anew (void)
{
  g_mutex_lock (&lock);
  memset (came, 0, sizeof came);
  g_mutex_unlock (&lock);
}

static void
note_event (Came * to, GstEvent * event)
{
  if (!GST_EVENT_IS_STICKY (event) || to->buffers > 0)
    return;
  g_strlcat (to->events, GST_EVENT_TYPE_NAME (event), sizeof to->events);
  g_strlcat (to->events, " ", sizeof to->events);
}

static void
note_buffer (Came * to, GstBuffer * buffer, GstCaps * caps)
{
  GstClockTime at = 0;

  gst_buffer_extract (buffer, 0, &at, sizeof at);
  to->pts = GST_BUFFER_PTS (buffer);
  to->offset = (gint64) to->pts - (gint64) at;
  if (caps)
    g_strlcpy (to->media, gst_structure_get_name (gst_caps_get_structure (caps, 0)),
        sizeof to->media);
  if (to->buffers++ == 0)
    to->discont = GST_BUFFER_IS_DISCONT (buffer);
}

static GstPadProbeReturn
on_data (GstPad * pad, GstPadProbeInfo * info, gpointer to)
{
  GstCaps *caps = gst_pad_get_current_caps (pad);

  g_mutex_lock (&lock);
  if (GST_PAD_PROBE_INFO_TYPE (info) & GST_PAD_PROBE_TYPE_BUFFER)
    note_buffer (to, GST_PAD_PROBE_INFO_BUFFER (info), caps);
  else
    note_event (to, GST_PAD_PROBE_INFO_EVENT (info));
  g_mutex_unlock (&lock);
  gst_clear_caps (&caps);
  return GST_PAD_PROBE_OK;
}

static void
on_pad_added (GstElement * src, GstPad * pad, gpointer pipeline)
{
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);
  g_autoptr (GstPad) sinkpad = gst_element_get_static_pad (sink, "sink");
  g_autoptr (GstCaps) caps = gst_pad_query_caps (pad, NULL);
  const gchar *name = gst_structure_get_name (gst_caps_get_structure (caps, 0));
  Came *to = &came[strstr (name, "mulaw") || strstr (name, "opus") ? 0 : 1];

  g_atomic_int_inc (&pads_added);
  g_mutex_lock (&lock);
  g_strlcpy (to->sink, GST_OBJECT_NAME (sink), sizeof to->sink);
  g_mutex_unlock (&lock);
  g_object_set (sink, "sync", FALSE, "async", FALSE, NULL);
  gst_bin_add (GST_BIN (pipeline), sink);
  gst_element_sync_state_with_parent (sink);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_data,
      to, NULL);
  if (!only || g_str_has_prefix (name, only))
    gst_pad_link (pad, sinkpad);
}

static void
on_pad_removed (GstElement * src, GstPad * pad, gpointer user_data)
{
  g_atomic_int_inc (&pads_removed);
}

static guint
begin_receiver (void)
{
  GstElement *src = gst_element_factory_make ("arcavsrc", "r");
  guint port;

  count_anew ();
  pads_added = pads_removed = 0;
  receiver = gst_pipeline_new (NULL);
  g_object_set (src, "port", 0, NULL);
  gst_bin_add (GST_BIN (receiver), src);
  g_signal_connect (src, "pad-added", G_CALLBACK (on_pad_added), receiver);
  g_signal_connect (src, "pad-removed", G_CALLBACK (on_pad_removed), NULL);
  fail_unless (gst_element_set_state (receiver, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE);
  g_object_get (src, "port", &port, NULL);
  fail_unless (port != 0);
  return port;
}

static void
begin_sender (const gchar * format, guint port)
{
  g_autofree gchar *line = g_strdup_printf (format, port);
  GError *error = NULL;

  sender = gst_parse_launch (line, &error);
  fail_unless (sender != NULL, "%s", error ? error->message : "");
  gst_element_set_state (sender, GST_STATE_PLAYING);
}

static void
end_of (GstElement ** pipeline)
{
  gst_element_set_state (*pipeline, GST_STATE_NULL);
  gst_clear_object (pipeline);
}

/* Its text. */
static gchar *
await_error (GstElement * pipeline)
{
  gchar *text = element_text (pipeline, PATIENCE * 1000, GST_MESSAGE_ERROR);

  fail_unless (text != NULL);
  return text;
}

/* The bytes of a buffer begin with its running time. */
static void
push (const gchar * name, GstClockTime at)
{
  g_autoptr (GstElement) src = gst_bin_get_by_name (GST_BIN (sender), name);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, STEP_BYTES, NULL);

  gst_buffer_memset (buffer, 0, 0, STEP_BYTES);
  gst_buffer_fill (buffer, 0, &at, sizeof at);
  GST_BUFFER_PTS (buffer) = at;
  GST_BUFFER_DURATION (buffer) = STEP;
  gst_app_src_push_buffer (GST_APP_SRC (src), buffer);
}

/* Two streams, of which one comes late, as behind a slower encoder. The reports that put them
 * together come within some seconds. */
TIMED_CLAIM (test_streams_are_played_together_though_one_comes_later)
{
  guint port = begin_receiver (), late = 3;
  gint64 until = g_get_monotonic_time () + PATIENCE, skew = G_MAXINT64;
  GstClockTime at;

  begin_sender ("arcavsink name=s port=%u "
      "appsrc name=a is-live=true format=time caps=" PCMU " ! s.audio_0 "
      "appsrc name=b is-live=true format=time caps=" PCMA " ! s.audio_1", port);
  for (guint n = 0; g_get_monotonic_time () < until; n++) {
    at = gst_element_get_current_running_time (sender);
    push ("a", at);
    if (n >= late)
      push ("b", at - late * STEP);
    g_usleep (STEP / 1000);
    skew = seen (0).offset - seen (1).offset;
    if (both_have (50) && ABS (skew) < 10 * (gint64) GST_MSECOND)
      break;
  }
  fail_unless (ABS (skew) < 10 * (gint64) GST_MSECOND, "%" G_GINT64_FORMAT " ms",
      skew / (gint64) GST_MSECOND);
  check_media (0, "audio/x-mulaw");
  check_media (1, "audio/x-alaw");
  end_of (&sender);
  end_of (&receiver);
}

#define RAW "arcavsink name=s port=%u video-encoder=\"x264enc tune=zerolatency " \
    "speed-preset=ultrafast\" videotestsrc is-live=true ! " \
    "video/x-raw,width=160,height=120,framerate=30/1 ! s.video_0 " \
    "audiotestsrc is-live=true ! s.audio_0"

static gboolean
has_encoders (void)
{
  GstElementFactory *a = gst_element_factory_find ("x264enc");
  GstElementFactory *b = gst_element_factory_find ("opusenc");
  gboolean has = a && b;

  gst_clear_object (&a);
  gst_clear_object (&b);
  return has;
}

CLAIM (test_raw_audio_and_video_are_encoded_and_the_bin_starts_anew)
{
  guint port;

  if (!has_encoders ())
    return;
  port = begin_receiver ();
  begin_sender (RAW, port);
  wait_until (both_have (20));
  check_media (0, "audio/x-opus");
  check_media (1, "video/x-h264");
  gst_element_set_state (sender, GST_STATE_NULL);
  count_anew ();
  gst_element_set_state (sender, GST_STATE_PLAYING);
  wait_until (both_have (20));
  end_of (&sender);
  end_of (&receiver);
}

#define TWO_VOICES "arcavsink name=s port=%u " \
    "audiotestsrc is-live=true samplesperbuffer=160 ! audio/x-raw,rate=8000 ! mulawenc ! " \
    "s.audio_0 audiotestsrc is-live=true samplesperbuffer=160 ! " \
    "audio/x-raw,rate=8000 ! alawenc ! s.audio_1"

/* In this process no sender dies without a word. */
static GSubprocess *
launch_sender (const gchar * format, guint port)
{
  g_autofree gchar *line = g_strdup_printf (format, port);
  g_autofree gchar *command = g_strconcat ("gst-launch-1.0 -q ", line, NULL);
  g_auto (GStrv) words = NULL;
  g_autoptr (GError) error = NULL;
  GSubprocess *self;

  fail_unless (g_shell_parse_argv (command, NULL, &words, NULL));
  self = g_subprocess_newv ((const gchar * const *) words, G_SUBPROCESS_FLAGS_STDOUT_SILENCE,
      &error);
  fail_unless (self != NULL, "%s", error ? error->message : "");
  return self;
}

static void
end_process (GSubprocess * self, int signal)
{
  g_subprocess_send_signal (self, signal);
  g_subprocess_wait (self, NULL, NULL);
  g_object_unref (self);
}

static void
check_begins_anew (guint which, GstClockTime before)
{
  Came is = seen (which);

  fail_unless_equals_string (is.events, "stream-start caps segment ");
  fail_unless (is.discont);
  fail_unless (is.pts > before && is.pts < before + PATIENCE * 1000, "%" GST_TIME_FORMAT ", %"
      GST_TIME_FORMAT, GST_TIME_ARGS (before), GST_TIME_ARGS (is.pts));
}

static const int ends[] = { SIGINT, SIGKILL };

/* Its numbers and times begin anew: to rtpbin it is another source. */
CLAIMS (test_a_sender_that_starts_again_goes_on_in_the_same_pads, G_N_ELEMENTS (ends))
{
  guint port = begin_receiver ();
  GSubprocess *process = launch_sender (TWO_VOICES, port);
  Came before[2];

  for (guint run = 0; run < 3; run++) {
    wait_until (both_have (50));
    end_process (process, ends[__i__]);
    g_usleep (500 * 1000);      /* what the jitter buffers hold */
    before[0] = seen (0);
    before[1] = seen (1);
    count_anew ();
    process = launch_sender (TWO_VOICES, port);
    wait_until (both_have (5));
    check_begins_anew (0, before[0].pts);
    check_begins_anew (1, before[1].pts);
  }
  check_media (0, "audio/x-mulaw");
  check_media (1, "audio/x-alaw");
  fail_unless_equals_int (g_atomic_int_get (&pads_added), 2);
  fail_unless_equals_int (g_atomic_int_get (&pads_removed), 0);
  end_process (process, SIGKILL);
  end_of (&receiver);
}

#define ONE_VOICE "arcavsink name=s port=%u " \
    "audiotestsrc is-live=true samplesperbuffer=160 ! audio/x-raw,rate=8000 ! "

CLAIM (test_another_format_gets_a_pad_of_its_own)
{
  guint port = begin_receiver ();

  begin_sender (ONE_VOICE "mulawenc ! s.audio_0", port);
  wait_until (seen (0).buffers > 20);
  end_of (&sender);
  begin_sender (ONE_VOICE "alawenc ! s.audio_0", port);
  wait_until (seen (1).buffers > 20);
  end_of (&sender);
  count_anew ();
  begin_sender (ONE_VOICE "mulawenc ! s.audio_0", port);
  wait_until (seen (0).buffers > 20);
  fail_unless_equals_int (g_atomic_int_get (&pads_added), 2);
  end_of (&sender);
  end_of (&receiver);
}

static GstPadProbeReturn
count_buffer (GstPad * pad, GstPadProbeInfo * info, gpointer n)
{
  g_atomic_int_inc ((gint *) n);
  return GST_PAD_PROBE_OK;
}

/* `rendered` of a sink counts from the last segment. */
static void
watch_sink (const GValue * item, gpointer unused)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (g_value_get_object (item), "sink");
  gint *n = g_new0 (gint, 1);

  g_object_set_data_full (g_value_get_object (item), "n", n, g_free);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_buffer, n, NULL);
}

/* By the sink with the name. */
static gint
received (const gchar * name)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (receiver), name);

  return g_atomic_int_get ((gint *) g_object_get_data (G_OBJECT (sink), "n"));
}

static guint
launch_receiver (const gchar * line)
{
  g_autoptr (GstElement) src = NULL;
  GError *error = NULL;
  GstIterator *sinks;
  guint port;

  receiver = gst_parse_launch (line, &error);
  fail_unless (receiver != NULL, "%s", error ? error->message : "");
  sinks = gst_bin_iterate_sinks (GST_BIN (receiver));
  gst_iterator_foreach (sinks, watch_sink, NULL);
  gst_iterator_free (sinks);
  gst_element_set_state (receiver, GST_STATE_PLAYING);
  src = gst_bin_get_by_name (GST_BIN (receiver), "r");
  g_object_get (src, "port", &port, NULL);
  return port;
}

static gboolean
has_pad (const gchar * name)
{
  g_autoptr (GstElement) src = gst_bin_get_by_name (GST_BIN (receiver), "r");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (src, name);

  return pad != NULL;
}

CLAIM (test_a_format_that_nobody_has_linked_is_one_warning)
{
  guint port = launch_receiver ("arcavsrc name=r port=0 "
      "r. ! audio/x-mulaw ! fakesink name=a sync=false async=false");
  g_autofree gchar *text = NULL;

  begin_sender (ONE_VOICE "mulawenc ! s.audio_0", port);
  wait_until (received ("a") > 20);
  end_of (&sender);
  begin_sender (ONE_VOICE "alawenc ! s.audio_0", port);
  text = element_text (receiver, PATIENCE * 1000, GST_MESSAGE_WARNING);
  fail_unless (text && strstr (text, "PCMA comes now, by the new pad audio_1, which nobody has "
          "linked, and nothing by audio_0") != NULL, "%s", text);
  end_of (&sender);
  end_of (&receiver);
}

/* As two cameras of one make, and as instruments that seldom have something to say. */
CLAIM (test_a_stream_that_is_alive_keeps_its_pad)
{
  guint port = launch_receiver ("arcavsrc name=r port=0 "
      "r.audio_0 ! fakesink name=a sync=false async=false "
      "r.audio_1 ! fakesink name=b sync=false async=false "
      "r.data_0 ! fakesink name=c sync=false async=false "
      "r.data_1 ! fakesink name=d sync=false async=false");

  begin_sender ("arcavsink name=s port=%u "
      "appsrc name=a is-live=true format=time caps=" PCMU " ! s.audio_0 "
      "appsrc name=b is-live=true format=time caps=" PCMU " ! s.audio_1 "
      "appsrc name=c is-live=true format=time caps=application/x-mavlink ! s.data_0 "
      "appsrc name=d is-live=true format=time caps=application/x-mavlink ! s.data_1", port);
  for (guint n = 0; n < 400; n++) {
    push ("a", gst_element_get_current_running_time (sender));
    if (n > 100)
      push ("b", gst_element_get_current_running_time (sender));
    if (n % 75 == 0)
      push ("c", gst_element_get_current_running_time (sender));
    if (n > 280)
      push ("d", gst_element_get_current_running_time (sender));
    g_usleep (STEP / 1000);
  }
  fail_unless (received ("a") > received ("b"));
  fail_unless (received ("b") > 100);
  fail_unless (received ("c") > 2 && received ("c") < 10, "%d", received ("c"));
  fail_unless (received ("d") > 50, "%d", received ("d"));
  fail_if (has_pad ("audio_2") || has_pad ("data_2"));
  end_of (&sender);
  end_of (&receiver);
}

/* The sender was killed, and its successor has its address: it is not silent for a second yet. */
CLAIM (test_a_stream_that_comes_too_soon_takes_over_the_branch_later)
{
  guint port = launch_receiver ("arcavsrc name=r port=0 "
      "r. ! audio/x-mulaw ! fakesink name=a sync=false async=false");

  begin_sender ("arcavsink name=s port=%u "
      "appsrc name=a is-live=true format=time caps=" PCMU " ! s.audio_0 "
      "appsrc name=b is-live=true format=time caps=" PCMU " ! s.audio_1", port);
  for (guint n = 0; n < 250; n++) {
    push (n < 100 ? "a" : "b", gst_element_get_current_running_time (sender));
    g_usleep (STEP / 1000);
  }
  fail_unless (received ("a") > 120, "%d", received ("a"));
  end_of (&sender);
  end_of (&receiver);
}

static void
count_removed (GstElement * rtpbin, GstPad * pad, gpointer n)
{
  g_atomic_int_inc ((gint *) n);
}

/* By then rtpbin has nothing of the stream. */
static void
await_end_of_streams (gint n)
{
  g_autoptr (GstElement) rtpbin = gst_bin_get_by_name (GST_BIN (receiver), "rtpbin");
  gint removed = 0;

  g_signal_connect_after (rtpbin, "pad-removed", G_CALLBACK (count_removed), &removed);
  end_of (&sender);
  wait_until (g_atomic_int_get (&removed) == n);
  g_signal_handlers_disconnect_by_func (rtpbin, count_removed, &removed);
}

CLAIM (test_the_receiver_starts_again_with_new_pads)
{
  guint port = begin_receiver ();
  g_autoptr (GstElement) src = gst_bin_get_by_name (GST_BIN (receiver), "r");

  g_object_set (src, "port", port, NULL);
  begin_sender (TWO_VOICES, port);
  wait_until (both_have (20));
  gst_element_set_state (src, GST_STATE_READY);
  fail_unless_equals_int (g_atomic_int_get (&pads_removed), 2);
  fail_if (has_pad ("audio_0") || has_pad ("audio_1"));
  count_anew ();
  gst_element_set_state (src, GST_STATE_PLAYING);
  wait_until (both_have (20));
  fail_unless (has_pad ("audio_0") && has_pad ("audio_1"));
  end_of (&sender);
  end_of (&receiver);
}

CLAIM (test_a_branch_without_a_stream_ends_with_the_element)
{
  guint port = launch_receiver ("arcavsrc name=r port=0 "
      "r. ! audio/x-mulaw ! fakesink name=a sync=false async=false "
      "r. ! audio/x-alaw ! fakesink name=b sync=false async=false");
  g_autoptr (GstBus) bus = gst_element_get_bus (receiver);
  g_autoptr (GstMessage) message = NULL;

  begin_sender (TWO_VOICES, port);
  wait_until (received ("a") > 10 && received ("b") > 10);
  await_end_of_streams (2);
  gst_element_send_event (receiver, gst_event_new_eos ());
  message = gst_bus_timed_pop_filtered (bus, PATIENCE * 1000, GST_MESSAGE_EOS);
  fail_unless (message != NULL);
  end_of (&receiver);
}

CLAIM (test_telemetry_that_starts_again_goes_on_in_its_pad)
{
  guint port = launch_receiver ("arcavsrc name=r port=0 "
      "r. ! application/x-mavlink ! fakesink name=d sync=false async=false");

  for (gint run = 1; run <= 3; run++) {
    begin_sender ("arcavsink name=s port=%u "
        "appsrc name=d is-live=true format=time caps=application/x-mavlink ! s.data_0", port);
    for (guint n = 0; n < 500 && received ("d") < run * 20; n++) {
      push ("d", gst_element_get_current_running_time (sender));
      g_usleep (STEP / 1000);
    }
    fail_unless (received ("d") >= run * 20, "%d", received ("d"));
    if (run == 1)
      await_end_of_streams (1);
    else
      end_of (&sender);
  }
  fail_if (has_pad ("data_1"));
  end_of (&receiver);
}

/* Frames that a clock shows are in time after the restart as before. */
TIMED_CLAIM (test_what_follows_a_restart_is_in_time)
{
  guint port = launch_receiver ("arcavsrc name=r port=0 r. ! audio/x-mulaw ! mulawdec "
      "! fakesink name=a sync=true max-lateness=50000000");
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (receiver), "a");
  GstStructure *stats = NULL;
  guint64 dropped = 0;

  for (guint run = 0; run < 2; run++) {
    gint before = received ("a");

    begin_sender (ONE_VOICE "mulawenc ! s.audio_0", port);
    wait_until (received ("a") > before + 100);
    end_of (&sender);
    g_object_get (sink, "stats", &stats, NULL);
    gst_structure_get_uint64 (stats, "dropped", &dropped);
    gst_clear_structure (&stats);
    fail_unless (dropped == 0, "%u", (guint) dropped);
  }
  end_of (&receiver);
}

CLAIM (test_a_pad_that_is_not_linked_leaves_the_others_alone)
{
  guint port;

  only = "audio/x-mulaw";
  port = begin_receiver ();
  begin_sender (TWO_VOICES, port);
  wait_until (g_atomic_int_get (&pads_added) == 2);
  wait_until (seen (0).buffers > 50);
  await_end_of_streams (2);
  wait_until (g_atomic_int_get (&pads_removed) == 1);
  fail_unless (has_pad ("audio_0") != has_pad ("audio_1"));
  end_of (&receiver);
  only = NULL;
}

static void
push_of (const gchar * media)
{
  g_autoptr (GstElement) src = gst_bin_get_by_name (GST_BIN (sender), "d");
  g_autoptr (GstCaps) caps = gst_caps_from_string (media);

  g_object_set (src, "caps", caps, NULL);
  for (guint n = 0; n < 500 && g_strcmp0 (seen (1).media, media) != 0; n++) {
    push ("d", gst_element_get_current_running_time (sender));
    g_usleep (STEP / 1000);
  }
  check_media (1, media);
}

CLAIM (test_the_caps_of_a_pad_that_is_not_linked_may_change)
{
  guint port;

  only = "video";
  port = begin_receiver ();
  begin_sender ("arcavsink name=s port=%u appsrc name=d is-live=true format=time ! s.data_0", port);
  push_of ("application/x-mavlink");
  push_of ("application/x-other");
  end_of (&sender);
  end_of (&receiver);
  only = NULL;
}

/* A branch that is taken out without a word. */
CLAIM (test_a_branch_that_is_stopped_leaves_the_others_alone)
{
  guint port = begin_receiver ();
  g_autoptr (GstElement) sink = NULL;
  gint before;

  begin_sender (TWO_VOICES, port);
  wait_until (both_have (20));
  sink = gst_bin_get_by_name (GST_BIN (receiver), seen (1).sink);
  gst_element_set_locked_state (sink, TRUE);
  gst_element_set_state (sink, GST_STATE_NULL);
  before = seen (0).buffers;
  wait_until (seen (0).buffers > before + 50);
  gst_element_set_locked_state (sink, FALSE);
  end_of (&sender);
  end_of (&receiver);
}

static const struct
{
  const gchar *caps, *media;
  guint8 bytes[32];
} without_parameters[] = {
  {"audio/mpeg,mpegversion=4,stream-format=raw,rate=48000,channels=2,codec_data=(buffer)119056e500",
      "audio/mpeg", {1, 2, 3}},
  {"audio/mpeg,mpegversion=4,stream-format=raw,rate=8000,channels=1,codec_data=(buffer)1588",
      "audio/mpeg", {1, 2, 3}},
  {"audio/mpeg,mpegversion=4,stream-format=adts,framed=true,rate=44100,channels=1",
      "audio/mpeg", {0xff, 0xf1, 0x50, 0x40, 4, 0x1f, 0xfc}},
  {"meta/x-klv,parsed=true", "meta/x-klv",
      {6, 14, 43, 52, 2, 11, 1, 1, 14, 1, 3, 1, 1, 0, 0, 0, 15}},
  {"application/x-mavlink", "application/x-mavlink", {0xfd, 9, 0, 0, 1, 1, 1, 0, 0, 0}},
};

/* As IP cameras and flight controllers send them. */
CLAIMS (test_aac_klv_and_mavlink_arrive_as_they_were, G_N_ELEMENTS (without_parameters))
{
  gchar *line = g_strdup_printf ("arcavsink name=s port=%%u appsrc name=a is-live=true format=time "
      "do-timestamp=true caps=\"%s\" ! s.data_0", without_parameters[__i__].caps);
  guint port = begin_receiver ();
  g_autoptr (GstElement) src = NULL;

  begin_sender (line, port);
  src = gst_bin_get_by_name (GST_BIN (sender), "a");
  for (guint i = 0; i < 1000 && seen (1).buffers < 10; i++) {
    gst_app_src_push_buffer (GST_APP_SRC (src),
        gst_buffer_new_memdup (without_parameters[__i__].bytes, 32));
    g_usleep (20 * 1000);
  }
  fail_unless (seen (1).buffers >= 10);
  check_media (1, without_parameters[__i__].media);
  g_free (line);
  end_of (&sender);
  end_of (&receiver);
}

/* A camera begins later than what is on wires. */
CLAIM (test_telemetry_that_comes_first_takes_its_own_branch)
{
  guint port = launch_receiver ("arcavsrc name=r port=0 "
      "r. ! audio/x-mulaw ! fakesink name=a sync=false async=false "
      "r. ! application/x-mavlink ! fakesink name=d sync=false async=false");

  begin_sender ("arcavsink name=s port=%u "
      "appsrc name=a is-live=true format=time caps=" PCMU " ! s.audio_0 "
      "appsrc name=d is-live=true format=time caps=application/x-mavlink ! s.data_0", port);
  for (guint n = 0; n < 1000 && (received ("a") < 10 || received ("d") < 10); n++) {
    push ("d", gst_element_get_current_running_time (sender));
    if (n > 50)
      push ("a", gst_element_get_current_running_time (sender));
    g_usleep (STEP / 1000);
  }
  fail_unless (received ("a") >= 10 && received ("d") >= 10, "%d, %d", received ("a"),
      received ("d"));
  fail_unless (has_pad ("audio_0") && has_pad ("data_0"));
  end_of (&sender);
  end_of (&receiver);
}

CLAIM (test_a_stream_that_goes_leaves_the_other_alone)
{
  guint port = begin_receiver ();
  g_autoptr (GstElement) s = NULL, source = NULL;
  g_autoptr (GstPad) pad = NULL, peer = NULL;
  gint before;

  begin_sender ("arcavsink name=s port=%u "
      "audiotestsrc is-live=true samplesperbuffer=160 ! audio/x-raw,rate=8000 ! mulawenc ! "
      "s.audio_0 audiotestsrc name=goes is-live=true samplesperbuffer=160 ! "
      "audio/x-raw,rate=8000 ! alawenc name=last ! s.audio_1", port);
  wait_until (both_have (20));
  s = gst_bin_get_by_name (GST_BIN (sender), "s");
  source = gst_bin_get_by_name (GST_BIN (sender), "last");
  pad = gst_element_get_static_pad (s, "audio_1");
  peer = gst_pad_get_peer (pad);
  gst_element_set_locked_state (source, TRUE);
  gst_element_set_state (source, GST_STATE_NULL);
  gst_pad_unlink (peer, pad);
  gst_element_release_request_pad (s, pad);
  before = seen (0).buffers;
  wait_until (seen (0).buffers > before + 20);
  end_of (&sender);
  end_of (&receiver);
}

CLAIM (test_what_cannot_be_sent_is_one_clear_error)
{
  gchar *text;

  begin_sender ("arcavsink name=s port=%u "
      "appsrc name=a is-live=true format=time caps=audio/mpeg,mpegversion=4 ! s.audio_0", 9);
  push ("a", 0);
  text = await_error (sender);
  fail_unless (strstr (text, "audio_0: this format cannot be sent, or its payloader is not "
          "installed; there are H264") != NULL, "%s", text);
  g_free (text);
  end_of (&sender);
  begin_sender ("arcavsink name=s port=%u appsrc name=a is-live=true format=time "
      "caps=application/x-rtp,media=video,encoding-name=H264,clock-rate=90000,payload=100 ! "
      "s.video_0", 9);
  push ("a", 0);
  text = await_error (sender);
  fail_unless (strstr (text, "set pt=96 at the payloader") != NULL, "%s", text);
  g_free (text);
  end_of (&sender);
}

/* Of arcavsink itself, in what is on the bus by now. */
static guint
count_errors (void)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (sender);
  guint n = 0;

  for (GstMessage * m; (m = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR)); gst_message_unref (m))
    n += g_str_equal (GST_MESSAGE_SRC_NAME (m), "s");
  return n;
}

CLAIM (test_the_error_comes_once_whatever_follows)
{
  g_autoptr (GstElement) src = NULL;
  g_autofree gchar *text = NULL;

  begin_sender ("arcavsink name=s port=%u appsrc name=a is-live=true format=time "
      "caps=audio/mpeg,mpegversion=4,stream-format=raw,codec_data=(buffer)11b0 ! s.audio_0", 9);
  push ("a", 0);
  text = await_error (sender);
  fail_unless (strstr (text, "AAC-LC with one or two channels") != NULL, "%s", text);
  src = gst_bin_get_by_name (GST_BIN (sender), "a");
  for (guint rate = 8000; rate <= 8003; rate++) {
    g_autoptr (GstPad) pad = gst_element_get_static_pad (src, "src");
    g_autoptr (GstCaps) caps = gst_caps_new_simple ("audio/mpeg", "rate", G_TYPE_INT, rate, NULL);

    gst_pad_push_event (pad, gst_event_new_caps (caps));
  }
  fail_unless_equals_int (count_errors (), 0);
  end_of (&sender);
}

CLAIM (test_an_encoder_without_a_pad_to_go_on_is_one_clear_error)
{
  g_autofree gchar *text = NULL;

  begin_sender ("arcavsink name=s port=%u video-encoder=\"identity ! fakesink\" "
      "videotestsrc is-live=true ! s.video_0", 9);
  text = await_error (sender);
  fail_unless (strstr (text, "video-encoder must begin and end with an unlinked pad") != NULL,
      "%s", text);
  g_usleep (200 * 1000);
  fail_unless_equals_int (count_errors (), 0);
  end_of (&sender);
}

CLAIM (test_both_have_the_default_port_of_the_other_senders_and_receivers)
{
  static const gchar *const factories[] = { "rmcsink", "arcsrc", "arcavsink", "arcavsrc" };

  for (guint i = 0; i < G_N_ELEMENTS (factories); i++) {
    g_autoptr (GstElement) element = gst_element_factory_make (factories[i], NULL);
    guint port;

    g_object_get (element, "port", &port, NULL);
    fail_unless (port == 5004, "%s: %u", factories[i], port);
  }
}

/* Nobody reads the bus: its messages keep rtpbin until the bus goes, after arcavsrc. */
CLAIM (test_a_taken_port_is_one_error_and_nothing_is_used_after_its_end)
{
  g_autoptr (GSocket) taken = bound_socket ("0.0.0.0", 0);
  GstElement *pipeline = gst_pipeline_new (NULL), *src = gst_element_factory_make ("arcavsrc",
      NULL);

  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
  g_object_set (src, "port", bound_port (taken), NULL);
  gst_bin_add (GST_BIN (pipeline), src);
  fail_unless (gst_element_set_state (pipeline, GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}
