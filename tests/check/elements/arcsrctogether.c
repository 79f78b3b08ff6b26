/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Packets that wait together at the socket of arcsrc, and its socket. The receiving thread is held
 * where media leaves until they are all there. */
#include <netinet/in.h>
#include <sys/socket.h>

#include "arcsrcfixture.h"

#define CE 3
#define GROUP "239.255.77.1"

static struct
{
  GMutex lock;
  GCond changed;
  gboolean holds, held;
  guint lists, buffers;         /* that left */
} out;

BEFORE_EACH
{
  g_mutex_init (&out.lock);
  g_cond_init (&out.changed);
  out.holds = TRUE;
  out.held = FALSE;
  out.lists = out.buffers = 0;
}

AFTER_EACH
{
  g_cond_clear (&out.changed);
  g_mutex_clear (&out.lock);
}

static void
hold (void)
{
  g_mutex_lock (&out.lock);
  out.held = TRUE;
  g_cond_broadcast (&out.changed);
  while (out.holds)
    g_cond_wait (&out.changed, &out.lock);
  g_mutex_unlock (&out.lock);
}

static GstPadChainFunction chain_before;

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  out.buffers++;
  hold ();
  return chain_before (pad, parent, buffer);
}

static GstFlowReturn
chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  out.lists++;
  for (guint i = 0; i < gst_buffer_list_length (list); i++)
    chain_before (pad, parent, gst_buffer_ref (gst_buffer_list_get (list, i)));
  gst_buffer_list_unref (list);
  return GST_FLOW_OK;
}

/* Without a probe, which would have an effect of its own. */
static void
receiver_hold (Receiver * r)
{
  chain_before = GST_PAD_CHAINFUNC (r->media->sinkpad);
  gst_pad_set_chain_function (r->media->sinkpad, chain);
  gst_pad_set_chain_list_function (r->media->sinkpad, chain_list);
}

static void
wait_held (void)
{
  g_mutex_lock (&out.lock);
  while (!out.held)
    g_cond_wait (&out.changed, &out.lock);
  g_mutex_unlock (&out.lock);
}

static void
release (void)
{
  g_mutex_lock (&out.lock);
  out.holds = FALSE;
  g_cond_broadcast (&out.changed);
  g_mutex_unlock (&out.lock);
}

/* The packets from 2 on are sent while the first is held. */
static void
hold_first (Receiver * r, GSocket * sender)
{
  receiver_hold (r);
  send_rtp (sender, r, SSRC, 1);
  wait_held ();
}

CLAIM_ON (test_packets_that_wait_together_leave_as_a_list_in_order, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");

  hold_first (r, sender);
  for (guint16 seq = 2; seq <= 5; seq++)
    send_rtp (sender, r, SSRC, seq);
  release ();
  for (guint16 seq = 1; seq <= 5; seq++)
    check_media_comes (r, seq);
  fail_unless_equals_int (out.buffers, 2);     /* the first, and the last of the others */
  fail_unless_equals_int (out.lists, 1);
  wait_stat (r, "packets-received", 5);
}

CLAIM_ON (test_packets_that_wait_together_are_judged_one_by_one, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1"), intruder = sender_new ("127.0.0.1");

  hold_first (r, sender);
  send_rtp (sender, r, SSRC, 2);
  send_rtp (intruder, r, SSRC, 3);
  sender_send (sender, "127.0.0.1", receiver_port (r), info_new (0));
  send_rtp (sender, r, SSRC, 4);
  release ();
  check_media_comes (r, 1);
  check_media_comes (r, 2);
  check_media_comes (r, 4);
  wait_stat (r, "packets-foreign", 1);
  wait_stat (r, "sender-infos", 1);
}

static GstPadProbeReturn
count (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  g_atomic_int_inc ((gint *) user_data);
  return GST_PAD_PROBE_OK;
}

CLAIM_ON (test_a_probe_for_buffers_sees_each_packet, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (r->src, "src");
  gint seen = 0;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count, &seen, NULL);
  hold_first (r, sender);
  for (guint16 seq = 2; seq <= 4; seq++)
    send_rtp (sender, r, SSRC, seq);
  release ();
  for (guint16 seq = 1; seq <= 4; seq++)
    check_media_comes (r, seq);
  fail_unless_equals_int (g_atomic_int_get (&seen), 4);
}

/* The traffic class in the control message of a received packet. */
static gint
class_of (GstBuffer * buffer)
{
  GstNetControlMessageMeta *meta = gst_buffer_get_net_control_message_meta (buffer);
  guint8 byte = 0;

  fail_unless (meta && g_socket_control_message_get_size (meta->message) == 1);
  g_socket_control_message_serialize (meta->message, &byte);
  return byte;
}

CLAIM_ON (test_each_packet_has_its_sender_its_class_and_its_time, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  GstClockTime before = 0;

  hold_first (r, sender);
  for (guint16 seq = 2; seq <= 3; seq++) {
    fail_unless (g_socket_set_option (sender, IPPROTO_IP, IP_TOS, seq == 3 ? CE : 0, NULL));
    send_rtp (sender, r, SSRC, seq);
    g_usleep (20000);
  }
  release ();
  for (guint16 seq = 1; seq <= 3; seq++) {
    g_autoptr (GstBuffer) buffer = gst_harness_pull (r->media);
    GstNetAddressMeta *from = gst_buffer_get_net_address_meta (buffer);

    fail_unless (from && g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (from->addr))
        == sender_port (sender));
    fail_unless_equals_int (class_of (buffer), seq == 3 ? CE : 0);
    fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), GST_BUFFER_DTS (buffer));
    /* When it came, not when it was read. */
    fail_unless (seq < 3 || GST_BUFFER_DTS (buffer) >= before + 15 * GST_MSECOND);
    before = GST_BUFFER_DTS (buffer);
  }
}

static GstBuffer *
large_rtp_new (guint bytes)
{
  guint8 *packet = g_malloc (bytes);

  for (guint i = 0; i < bytes; i++)
    packet[i] = (guint8) (i * 7 + i / 256);
  packet[0] = 0x80;
  packet[1] = 96;
  return gst_buffer_new_wrapped (packet, bytes);
}

static const guint sizes[] = { 1500, 1501, 9000, 65507, 12 };

CLAIMS (test_a_datagram_of_any_size_comes_whole, G_N_ELEMENTS (sizes))
{
  AT_END (receiver_close) Receiver r;
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  g_autoptr (GstBuffer) sent = large_rtp_new (sizes[__i__]), came = NULL;
  GstMapInfo map;

  receiver_open (&r, "127.0.0.1", 0);
  sender_send (sender, "127.0.0.1", receiver_port (&r), gst_buffer_ref (sent));
  came = gst_harness_pull (r.media);
  fail_unless_equals_int (gst_buffer_get_size (came), sizes[__i__]);
  gst_buffer_map (sent, &map, GST_MAP_READ);
  fail_unless (gst_buffer_memcmp (came, 0, map.data, map.size) == 0);
  gst_buffer_unmap (sent, &map);
}

/* As a launch line has it: arcsrc udpsrc::multicast-iface=lo. */
CLAIM (test_a_group_is_joined_by_the_interface_that_is_given)
{
  AT_END (receiver_close) Receiver r;
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  struct in_addr loopback = {.s_addr = htonl (INADDR_LOOPBACK) };
  GstElement *src;

  r.src = src = gst_element_factory_make ("arcsrc", NULL);
  g_object_set (src, "address", GROUP, "port", 0, NULL);
  gst_child_proxy_set (GST_CHILD_PROXY (src), "udpsrc::multicast-iface", "lo", NULL);
  r.bus = gst_bus_new ();
  gst_element_set_bus (src, r.bus);
  r.media = gst_harness_new_with_element (src, NULL, "src");
  gst_harness_use_systemclock (r.media);
  gst_harness_play (r.media);
  fail_unless (setsockopt (g_socket_get_fd (sender), IPPROTO_IP, IP_MULTICAST_IF, &loopback,
          sizeof loopback) == 0);
  sender_send (sender, GROUP, receiver_port (&r), media_new (SSRC, 1));
  check_media_comes (&r, 1);
}

/* The thread that receives waits without a limit then. */
CLAIM (test_closing_while_nothing_comes_does_not_wait)
{
  Receiver r;
  gint64 begin;

  receiver_open (&r, "127.0.0.1", 0);
  for (guint i = 0; i < 20; i++) {
    gst_element_set_state (r.src, GST_STATE_PAUSED);
    gst_element_set_state (r.src, GST_STATE_PLAYING);
  }
  begin = g_get_monotonic_time ();
  receiver_close (&r);
  fail_unless (g_get_monotonic_time () - begin < 20 * G_USEC_PER_SEC);
}
