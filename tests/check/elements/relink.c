/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What follows an element of ours is swapped while it plays. Each element with a source pad. */
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/rtp/rtp.h>

#define PATIENCE_US (30 * G_USEC_PER_SEC)
#define ENOUGH 5
#define PACKET_US 2000
#define RTP_BYTES 60
#define RTP_CAPS "application/x-rtp,media=video,encoding-name=X-TEST,payload=96,clock-rate=90000," \
    "ssrc=(uint)7"
#define WIDTH 64
#define HEIGHT 48
#define RAW_CAPS "video/x-raw,format=I420,width=64,height=48,framerate=25/1"

typedef struct
{
  const gchar *line, *caps;
  gboolean queues;              /* a thread of its own pushes */
} Subject;

static const Subject subjects[] = {
  {"arcsrc port=0 address=127.0.0.1 caps=application/x-rtp", NULL, TRUE},
  {"arcreceiver", RTP_CAPS, FALSE},
  {"rtparcbwe", RTP_CAPS, TRUE},
  {"rampscheduler", RTP_CAPS, TRUE},
  {"arcencodebin encoder=avenc_h263p bitrate=200000", RAW_CAPS, FALSE},
  {"arcscale", RAW_CAPS, FALSE},
};

typedef struct
{
  GstPad *pad;
  gint n;                       /* atomic: buffers that came */
} Follower;

typedef struct
{
  const Subject *subject;
  GstElement *element;
  GstPad *in, *src;             /* in: that feeds the element; NULL: its socket does */
  GstPad *requested;            /* of the element, or NULL */
  GSocket *socket;
  GThread *feeder;
  GMutex lock;                  /* held while a packet is pushed */
  gint over, last_ret;          /* atomic */
  guint16 n;
  Follower followers[2];
} Fixture;

#define wait_until(condition)                                                  \
  G_STMT_START {                                                               \
    gint64 end = g_get_monotonic_time () + PATIENCE_US;                        \
    while (!(condition)) {                                                     \
      fail_unless (g_get_monotonic_time () < end, "waited for %s", #condition); \
      g_usleep (1000);                                                         \
    }                                                                          \
  } G_STMT_END

/* --- before it --- */

static GstBuffer *
new_buffer (Fixture * f)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  GstBuffer *buffer;

  f->n++;
  if (g_strcmp0 (f->subject->caps, RAW_CAPS) == 0) {
    buffer = gst_buffer_new_allocate (NULL, WIDTH * HEIGHT * 3 / 2, NULL);
    gst_buffer_memset (buffer, 0, 100, WIDTH * HEIGHT * 3 / 2);
    GST_BUFFER_PTS (buffer) = f->n * 40 * GST_MSECOND;
    return buffer;
  }
  buffer = gst_rtp_buffer_new_allocate (RTP_BYTES, 0, 0);
  gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_ssrc (&rtp, 7);
  gst_rtp_buffer_set_seq (&rtp, f->n);
  gst_rtp_buffer_set_timestamp (&rtp, f->n * 3000u);
  gst_rtp_buffer_set_payload_type (&rtp, 96);
  gst_rtp_buffer_unmap (&rtp);
  return buffer;
}

static void
send_datagram (Fixture * f, GstBuffer * buffer)
{
  GSocketAddress *to;
  GstMapInfo map;
  gint port;

  g_object_get (f->element, "port", &port, NULL);
  to = g_inet_socket_address_new_from_string ("127.0.0.1", (guint) port);
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  g_socket_send_to (f->socket, to, (const gchar *) map.data, map.size, NULL, NULL);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
  g_object_unref (to);
}

static gpointer
feed (gpointer data)
{
  Fixture *f = data;

  while (!g_atomic_int_get (&f->over)) {
    g_mutex_lock (&f->lock);
    if (f->in)
      g_atomic_int_set (&f->last_ret, gst_pad_push (f->in, new_buffer (f)));
    else
      send_datagram (f, new_buffer (f));
    g_mutex_unlock (&f->lock);
    g_usleep (PACKET_US);
  }
  return NULL;
}

static GstPad *
sink_of (Fixture * f)
{
  GstPad *pad = gst_element_get_static_pad (f->element, "sink");

  if (!pad)
    pad = f->requested = gst_element_request_pad_simple (f->element, "sink_%u");
  return pad;
}

static void
link_input (Fixture * f)
{
  GstPad *sink = sink_of (f);
  GstCaps *caps = gst_caps_from_string (f->subject->caps);
  GstSegment segment;

  f->in = gst_pad_new ("in", GST_PAD_SRC);
  gst_pad_set_active (f->in, TRUE);
  fail_unless_equals_int (gst_pad_link (f->in, sink), GST_PAD_LINK_OK);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (f->in, gst_event_new_stream_start ("relink"));
  gst_pad_push_event (f->in, gst_event_new_caps (caps));
  gst_pad_push_event (f->in, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
  if (!f->requested)
    gst_object_unref (sink);
}

/* --- behind it --- */

static GstFlowReturn
count (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  g_atomic_int_inc (&((Follower *) gst_pad_get_element_private (pad))->n);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static void
follower_init (Follower * self)
{
  self->pad = gst_object_ref_sink (gst_pad_new (NULL, GST_PAD_SINK));
  gst_pad_set_element_private (self->pad, self);
  gst_pad_set_chain_function (self->pad, count);
  gst_pad_set_active (self->pad, TRUE);
}

static void
follower_clear (Follower * self)
{
  gst_pad_set_active (self->pad, FALSE);
  gst_object_unref (self->pad);
}

static gboolean
flows_to (Fixture * f, guint i)
{
  return g_atomic_int_get (&f->followers[i].n) >= ENOUGH;
}

/* From the pad of the first to that of the second. */
static void
swap (GstPad * src, Fixture * f)
{
  fail_unless (gst_pad_unlink (src, f->followers[0].pad));
  fail_unless_equals_int (gst_pad_link (src, f->followers[1].pad), GST_PAD_LINK_OK);
}

/* --- all --- */

static void
fixture_init (Fixture * f, const Subject * subject)
{
  *f = (Fixture) { .subject = subject };
  g_mutex_init (&f->lock);
  f->element = gst_object_ref_sink (gst_parse_launch (subject->line, NULL));
  f->src = gst_element_get_static_pad (f->element, "src");
  for (guint i = 0; i < 2; i++)
    follower_init (&f->followers[i]);
  fail_unless_equals_int (gst_pad_link (f->src, f->followers[0].pad), GST_PAD_LINK_OK);
  f->socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP,
      NULL);
  gst_element_set_state (f->element, GST_STATE_PLAYING);
  if (subject->caps)
    link_input (f);
  f->feeder = g_thread_new ("feeder", feed, f);
  wait_until (flows_to (f, 0));
}

static void
fixture_clear (Fixture * f)
{
  g_atomic_int_set (&f->over, TRUE);
  g_thread_join (f->feeder);
  gst_element_set_state (f->element, GST_STATE_NULL);
  if (f->requested)
    gst_element_release_request_pad (f->element, f->requested);
  gst_clear_object (&f->requested);
  if (f->in) {
    gst_pad_set_active (f->in, FALSE);
    gst_object_unref (f->in);
  }
  gst_object_unref (f->src);
  gst_object_unref (f->element);
  for (guint i = 0; i < 2; i++)
    follower_clear (&f->followers[i]);
  g_object_unref (f->socket);
  g_mutex_clear (&f->lock);
}

static GstPadProbeReturn
on_blocked (GstPad * pad, GstPadProbeInfo * info, gpointer blocked)
{
  g_atomic_int_set ((gint *) blocked, TRUE);
  return GST_PAD_PROBE_OK;
}

static gulong
block (GstPad * pad)
{
  static gint blocked;
  gulong probe;

  g_atomic_int_set (&blocked, FALSE);
  probe = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM, on_blocked, &blocked, NULL);
  wait_until (g_atomic_int_get (&blocked));
  return probe;
}

GST_START_TEST (test_data_flows_on_after_a_swap_under_a_block)
{
  gulong probe;
  Fixture f;

  fixture_init (&f, &subjects[__i__]);
  probe = block (f.src);
  swap (f.src, &f);
  gst_pad_remove_probe (f.src, probe);
  wait_until (flows_to (&f, 1));
  fail_unless_equals_int (g_atomic_int_get (&f.last_ret), GST_FLOW_OK);
  fixture_clear (&f);
}

GST_END_TEST;

/* What waited in the element finds nothing to go to, and what comes next must not hear of that. */
GST_START_TEST (test_data_flows_on_after_a_swap_with_its_input_blocked)
{
  gulong probe;
  Fixture f;

  if (!subjects[__i__].queues || !subjects[__i__].caps)
    return;
  fixture_init (&f, &subjects[__i__]);
  probe = block (f.src);
  g_mutex_lock (&f.lock);
  fail_unless (gst_pad_unlink (f.src, f.followers[0].pad));
  gst_pad_remove_probe (f.src, probe);
  g_usleep (50000);             /* more than enough for the element to find out */
  fail_unless_equals_int (gst_pad_link (f.src, f.followers[1].pad), GST_PAD_LINK_OK);
  fail_unless_equals_int (gst_pad_push (f.in, new_buffer (&f)), GST_FLOW_OK);
  g_mutex_unlock (&f.lock);
  wait_until (flows_to (&f, 1));
  fail_unless_equals_int (g_atomic_int_get (&f.last_ret), GST_FLOW_OK);
  fixture_clear (&f);
}

GST_END_TEST;

/* A source of GStreamer's base class ends with an error then; arcsrc is one. */
GST_START_TEST (test_data_flows_again_after_the_element_was_unlinked_for_a_while)
{
  Fixture f;

  if (!subjects[__i__].caps)
    return;
  fixture_init (&f, &subjects[__i__]);
  fail_unless (gst_pad_unlink (f.src, f.followers[0].pad));
  wait_until (g_atomic_int_get (&f.last_ret) == GST_FLOW_NOT_LINKED);
  fail_unless_equals_int (gst_pad_link (f.src, f.followers[1].pad), GST_PAD_LINK_OK);
  wait_until (flows_to (&f, 1));
  fail_unless_equals_int (g_atomic_int_get (&f.last_ret), GST_FLOW_OK);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_data_flows_again_after_a_relink_further_downstream)
{
  GstElement *between = gst_object_ref_sink (gst_element_factory_make ("identity", NULL));
  GstPad *sink = gst_element_get_static_pad (between, "sink");
  GstPad *src = gst_element_get_static_pad (between, "src");
  gulong probe;
  Fixture f;

  fixture_init (&f, &subjects[__i__]);
  gst_element_set_state (between, GST_STATE_PLAYING);
  probe = block (f.src);
  fail_unless (gst_pad_unlink (f.src, f.followers[0].pad));
  fail_unless_equals_int (gst_pad_link (src, f.followers[0].pad), GST_PAD_LINK_OK);
  fail_unless_equals_int (gst_pad_link (f.src, sink), GST_PAD_LINK_OK);
  g_atomic_int_set (&f.followers[0].n, 0);
  gst_pad_remove_probe (f.src, probe);
  wait_until (flows_to (&f, 0));
  if (f.in) {
    fail_unless (gst_pad_unlink (src, f.followers[0].pad));
    wait_until (g_atomic_int_get (&f.last_ret) == GST_FLOW_NOT_LINKED);
    fail_unless_equals_int (gst_pad_link (src, f.followers[1].pad), GST_PAD_LINK_OK);
  } else {
    probe = block (src);
    swap (src, &f);
    gst_pad_remove_probe (src, probe);
  }
  wait_until (flows_to (&f, 1));
  fail_unless_equals_int (g_atomic_int_get (&f.last_ret), GST_FLOW_OK);
  fixture_clear (&f);
  gst_element_set_state (between, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (src);
  gst_object_unref (between);
}

GST_END_TEST;

/* What follows is linked while it says that it is not. */
static GstFlowReturn
link_while_failing (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  gst_pad_set_chain_function (pad, count);
  gst_pad_push_event (pad, gst_event_new_reconfigure ());
  gst_buffer_unref (buffer);
  return GST_FLOW_NOT_LINKED;
}

GST_START_TEST (test_data_flows_on_if_a_relink_meets_the_failure)
{
  Fixture f;

  if (!subjects[__i__].caps)
    return;
  fixture_init (&f, &subjects[__i__]);
  g_mutex_lock (&f.lock);
  g_atomic_int_set (&f.followers[0].n, 0);
  gst_pad_set_chain_function (f.followers[0].pad, link_while_failing);
  g_mutex_unlock (&f.lock);
  wait_until (flows_to (&f, 0));
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_no_relink_is_missed_while_data_flows)
{
  Fixture f;

  if (!subjects[__i__].caps)
    return;
  fixture_init (&f, &subjects[__i__]);
  for (guint i = 0; i < 100; i++) {
    g_atomic_int_set (&f.followers[0].n, 0);
    fail_unless (gst_pad_unlink (f.src, f.followers[0].pad));
    g_usleep (i * 16 % (2 * PACKET_US));
    fail_unless_equals_int (gst_pad_link (f.src, f.followers[0].pad), GST_PAD_LINK_OK);
    wait_until (g_atomic_int_get (&f.followers[0].n) > 0);
  }
  fixture_clear (&f);
}

GST_END_TEST;

static Suite *
relink_suite (void)
{
  gboolean encodes = gst_registry_check_feature_version (gst_registry_get (), "avenc_h263p", 1, 0,
      0);
  Suite *s = suite_create ("relink");
  TCase *tc = tcase_create ("all");

  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 90);
  for (gint i = 0; i < (gint) G_N_ELEMENTS (subjects); i++) {
    if (g_str_has_prefix (subjects[i].line, "arcencodebin") && !encodes)
      continue;
    tcase_add_loop_test (tc, test_data_flows_on_after_a_swap_under_a_block, i, i + 1);
    tcase_add_loop_test (tc, test_data_flows_on_after_a_swap_with_its_input_blocked, i, i + 1);
    tcase_add_loop_test (tc, test_data_flows_again_after_the_element_was_unlinked_for_a_while, i,
        i + 1);
    tcase_add_loop_test (tc, test_data_flows_again_after_a_relink_further_downstream, i, i + 1);
    tcase_add_loop_test (tc, test_data_flows_on_if_a_relink_meets_the_failure, i, i + 1);
    tcase_add_loop_test (tc, test_no_relink_is_missed_while_data_flows, i, i + 1);
  }
  return s;
}

GST_CHECK_MAIN (relink);
