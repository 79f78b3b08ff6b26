/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An arcsrc with a key, its sender, and somebody who has none. */

#include "arcsrcfixture.h"
#include "securefixture.h"
#include "readstat.h"

POINTER_END (secure_context_unref, SecureContext)

#define MAX_SEEN 8

typedef struct
{
  Receiver r;
  SecureContext *key;           /* the sender's */
  GSocket *socket;              /* the sender's */
  Sealed seen[MAX_SEEN];        /* what it sent: anybody may have read it */
  guint n_seen;
  guint16 seq;
} Path;

static void
path_open (Path * p)
{
  *p = (Path) {.key = context_of (SECURE_TEST_KEY, TRUE),.socket = sender_new ("127.0.0.1") };
  p->r.src = gst_element_factory_make ("arcsrc", NULL);
  g_object_set (p->r.src, "address", "127.0.0.1", "port", 0, "timeout", (guint64) 0, NULL);
  gst_util_set_object_arg (G_OBJECT (p->r.src), "srtp-key", SECURE_TEST_KEY);
  p->r.bus = gst_bus_new ();
  gst_element_set_bus (p->r.src, p->r.bus);
  p->r.media = gst_harness_new_with_element (p->r.src, NULL, "src");
  gst_harness_use_systemclock (p->r.media);
  gst_harness_play (p->r.media);
}

static void
path_close (Path * p)
{
  receiver_close (&p->r);
  secure_context_unref (p->key);
  g_object_unref (p->socket);
}

#define SRTP_PATH Path, p, path_open (p), path_close (p)

static void
put (Path * p, GSocket * from, Sealed packet)
{
  sender_send (from, "127.0.0.1", receiver_port (&p->r),
      gst_buffer_new_memdup (packet.bytes, packet.size));
}

/* Sent by the sender, seen by others. */
static void
put_true (Path * p, GSocket * from, Sealed packet)
{
  packet = closed (p->key, packet);
  p->seen[p->n_seen++ % MAX_SEEN] = packet;
  put (p, from, packet);
}

static void
put_media (Path * p, GSocket * from)
{
  put_true (p, from, rtp_of (SSRC, p->seq));
  check_media_comes (&p->r, p->seq++);
}

static Sealed
info_of (guint64 cookie)
{
  g_autoptr (GstBuffer) buffer = info_new (cookie);
  Sealed packet;

  packet.size = gst_buffer_extract (buffer, 0, packet.bytes, PACKET_BYTES);
  return packet;
}

/* Reads the next notice that the sender gets, and brings the cookie back. */
static void
prove (Path * p)
{
  RtcpMessage feedback = { 0 };
  guint8 bytes[2048];
  SecureArrival arrival;

  while (!feedback.noticed) {
    gssize got = g_socket_receive (p->socket, (gchar *) bytes, sizeof bytes, NULL, NULL);
    gsize size = (gsize) got;
    g_autoptr (GstBuffer) buffer = NULL;

    fail_unless (got > 0, "no answer");
    fail_unless (secure_context_unprotect (p->key, bytes, &size, &arrival, 0),
        "an answer in the clear");
    buffer = gst_buffer_new_memdup (bytes, size);
    rtcp_message_read_buffer (&feedback, buffer);
  }
  put_true (p, p->socket, info_of (feedback.notice.cookie));
  wait_stat (&p->r, "sender-infos", 1);
}

/* All that somebody without the key can send, once. Returns how many datagrams. */
static guint
attack_once (Path * p, GSocket * from, SecureContext * other_key, guint i)
{
  const Sealed clear[] = { rtp_of (SSRC, p->seq + i), rtp_of (1000 + i, i), rtcp_of (SSRC),
    info_of (0), info_of (i)
  };
  guint n = 0;

  for (guint k = 0; k < G_N_ELEMENTS (clear); k++) {
    Sealed packet = closed (other_key, clear[k]);

    put (p, from, clear[k]);
    put (p, from, packet);
    packet.size = i % packet.size + 1;
    put (p, from, packet);
    n += 3;
  }
  for (guint k = 0; k < MIN (p->n_seen, MAX_SEEN); k++) {
    Sealed cut = p->seen[k];

    put (p, from, cut);
    cut.size -= 1 + i % (cut.size - 1);
    put (p, from, cut);
    n += 2;
  }
  return n;
}

/* What must not change. */
static gchar *
facts (Path * p)
{
  static const gchar *const numbers[] = { "packets-received", "bytes-received", "packets-lost",
    "packets-reordered", "packets-duplicate", "packets-stray", "invalid-packets", "sender-infos",
    "sender-reports", "rtcp-other", "rtcp-malformed", "sources-evicted", "sources-refused",
    "sender-changes", "packets-foreign", "notices-sent"
  };
  GString *text = g_string_new (NULL);
  const gchar *sender;
  gboolean proven;
  GstStructure *stats;

  g_object_get (p->r.src, "stats", &stats, NULL);
  sender = gst_structure_get_string (stats, "sender");
  fail_unless (gst_structure_get_boolean (stats, "sender-proven", &proven));
  g_string_append_printf (text, "%s %d %u", sender ? sender : "nobody", proven,
      gst_value_array_get_size (gst_structure_get_value (stats, "sources")));
  gst_structure_free (stats);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    g_string_append_printf (text, " %s %" G_GUINT64_FORMAT, numbers[i],
        receiver_stat (&p->r, numbers[i]));
  return g_string_free (text, FALSE);
}

typedef enum
{
  STATE_IDLE,
  STATE_LATCHED,
  STATE_PROVEN,
  N_STATES
} State;

CLAIMS (test_whoever_has_no_key_changes_nothing_but_rejected, N_STATES)
{
  g_autoptr (GSocket) stranger = sender_new ("127.0.0.1");
  AT_END (secure_context_unref_at) SecureContext *other_key = context_of (SECURE_OTHER_KEY, TRUE);
  g_autofree gchar *before = NULL, *after = NULL;
  guint n = 0;
  AT_END (path_close) Path p;

  path_open (&p);
  if (__i__ >= STATE_LATCHED)
    put_media (&p, p.socket);
  if (__i__ >= STATE_PROVEN)
    prove (&p);
  before = facts (&p);
  for (guint i = 0; i < 100; i++) {
    n += attack_once (&p, stranger, other_key, 2 * i);
    n += attack_once (&p, p.socket, other_key, 2 * i + 1);      /* from the sender's own address */
    wait_stat (&p.r, "rejected", n);
  }
  after = facts (&p);
  fail_unless_equals_string (after, before);
  fail_unless_equals_uint64 (receiver_stat (&p.r, "rejected-unauthentic")
      + receiver_stat (&p.r, "rejected-replayed") + receiver_stat (&p.r, "rejected-malformed"), n);
  for (guint i = 0; i < 10; i++)
    put_media (&p, p.socket);
  fail_unless_equals_uint64 (receiver_stat (&p.r, "packets-foreign"), 0);
}

/* And a packet that somebody held back, sent from elsewhere, does not move it. */
CLAIM_ON (test_sender_is_followed_to_another_address_at_once, SRTP_PATH)
{
  g_autoptr (GSocket) elsewhere = sender_new ("127.0.0.1"), stranger = sender_new ("127.0.0.1");
  Sealed held;

  put_media (p, p->socket);
  held = closed (p->key, rtp_of (SSRC, p->seq++));
  put_media (p, p->socket);
  put_media (p, elsewhere);
  fail_unless_equals_uint64 (receiver_stat (&p->r, "sender-changes"), 1);
  put (p, stranger, held);
  wait_stat (&p->r, "packets-foreign", 1);
  put_media (p, elsewhere);
  fail_unless_equals_uint64 (receiver_stat (&p->r, "sender-changes"), 1);
  fail_unless_equals_uint64 (receiver_stat (&p->r, "rejected"), 0);
}

/* Whoever replays a whole recording of another day, to an arcsrc that was not there, cannot bring
 * its cookie: the sender who does takes the place. */
CLAIM_ON (test_sender_takes_the_place_of_its_own_recording, SRTP_PATH)
{
  g_autoptr (GSocket) replayer = sender_new ("127.0.0.1");
  AT_END (secure_context_unref_at) SecureContext *recording = context_of (SECURE_TEST_KEY, TRUE);

  for (guint i = 0; i < 10; i++) {
    put (p, replayer, closed (recording, rtp_of (SSRC + 1, i)));
    check_media_comes (&p->r, i);
  }
  put_true (p, p->socket, rtp_of (SSRC, p->seq++));      /* pays for a notice */
  prove (p);
  put_true (p, p->socket, rtp_of (SSRC, p->seq));
  put_true (p, p->socket, rtp_of (SSRC, p->seq + 1));
  check_media_comes (&p->r, p->seq);
  put (p, replayer, closed (recording, rtp_of (SSRC + 1, 10)));
  wait_stat (&p->r, "packets-foreign", 2);
}

/* Of 40,000 packets, which are 40 s at 1000 a second. RTCP of the sender says where it is. */
CLAIM_ON (test_media_comes_again_after_an_outage, SRTP_PATH)
{
  p->seq = 60000;
  put_media (p, p->socket);
  closed (p->key, rtp_of (SSRC, 80000));
  put_true (p, p->socket, rtp_of (SSRC, 100000));
  wait_stat (&p->r, "rejected", 1);
  put_true (p, p->socket, rtcp_of (SSRC));
  p->seq = (guint16) 100001;
  for (guint i = 0; i < 10; i++)
    put_media (p, p->socket);
  fail_unless_equals_uint64 (receiver_stat (&p->r, "rejected"), 1);
}

/* As after a restart with another key, or with the old SSRC; once each time that media ends. */
CLAIM_ON (test_rejected_packets_after_media_are_told, SRTP_PATH)
{
  AT_END (secure_context_unref_at) SecureContext *other_key = context_of (SECURE_OTHER_KEY, TRUE);
  GError *error;

  g_object_set (p->r.src, "timeout", 10 * GST_MSECOND, NULL);
  for (guint trial = 0; trial < 2; trial++) {
    g_autoptr (GstMessage) message = NULL;

    put_media (p, p->socket);
    for (guint i = 0; i < 1000 * ANSWER_TIMEOUT_S && !message; i++) {
      put (p, p->socket, closed (other_key, rtp_of (SSRC, p->seq)));
      message = gst_bus_timed_pop_filtered (p->r.bus, GST_MSECOND, GST_MESSAGE_WARNING);
    }
    fail_unless (message != NULL, "trial %u", trial);
    gst_message_parse_warning (message, &error, NULL);
    fail_unless (g_str_has_prefix (error->message, "media has ended, and the packets"), "%s",
        error->message);
    g_error_free (error);
  }
}

/* --- rmcsink to arcsrc --- */

#define N_PACKETS 400

static void
push_rtp (GstHarness * h, guint16 seq)
{
  GstBuffer *buffer = media_new (SSRC, seq);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_timestamp (&rtp, seq * 90u);
  gst_rtp_buffer_unmap (&rtp);
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
}

/* The receiver gets the new key first; media flows all the time. */
CLAIM_ON (test_new_key_while_playing_loses_no_packet, SRTP_PATH)
{
  g_autoptr (GstElement) sink = gst_element_factory_make ("rmcsink", NULL);
  TORN_DOWN GstHarness *h = harness_to (&p->r, sink, SECURE_TEST_KEY);
  guint64 reports = 0;

  for (guint i = 0; i < N_PACKETS; i++) {
    if (i == N_PACKETS / 4)
      gst_util_set_object_arg (G_OBJECT (p->r.src), "srtp-key", SECURE_OTHER_KEY);
    if (i == N_PACKETS / 2) {
      gst_util_set_object_arg (G_OBJECT (sink), "srtp-key", SECURE_OTHER_KEY);
      reports = read_stat (sink, "reports-received");
    }
    push_rtp (h, (guint16) i);
    check_media_comes (&p->r, (guint16) i);
  }
  for (guint i = 0; i < 1000 * ANSWER_TIMEOUT_S
      && read_stat (sink, "reports-received") < reports + 2; i++)
    g_usleep (1000);
  fail_unless (read_stat (sink, "reports-received") >= reports + 2);
  fail_unless_equals_uint64 (receiver_stat (&p->r, "packets-received"), N_PACKETS);
  fail_unless_equals_uint64 (receiver_stat (&p->r, "packets-lost"), 0);
  fail_unless_equals_uint64 (receiver_stat (&p->r, "rejected"), 0);
  fail_unless_equals_uint64 (read_stat (sink, "rejected"), 0);
}

/* --- repairs --- */

static void
ask_for (Path * p, guint seq)
{
  GstStructure *wish = gst_structure_new ("GstRTPRetransmissionRequest", "seqnum", G_TYPE_UINT, seq,
      "delay", G_TYPE_UINT, 0, "deadline", G_TYPE_UINT, 1000, NULL);

  fail_unless (gst_harness_push_upstream_event (p->r.media,
          gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, wish)));
  while (receiver_stat (&p->r, "rtx-asked") == 0)
    g_usleep (1000);
}

/* A sender that cannot wait for another request repairs twice. */
CLAIM_ON (test_a_repair_that_comes_twice_is_no_replay, SRTP_PATH)
{
  Sealed lost;

  p->seq = 1;
  put_media (p, p->socket);
  lost = closed (p->key, rtp_of (SSRC, 2));
  for (p->seq = 3; p->seq < 8;)
    put_media (p, p->socket);
  ask_for (p, 2);
  put (p, p->socket, lost);
  check_media_comes (&p->r, 2);
  put (p, p->socket, lost);
  wait_stat (&p->r, "rtx-repeated", 1);
  fail_unless_equals_uint64 (receiver_stat (&p->r, "rejected"), 0);
  for (guint i = 0; i < 10; i++)        /* that is too often for repairs */
    put (p, p->socket, lost);
  wait_stat (&p->r, "rejected-replayed", 7);
  put (p, p->socket, p->seen[0]);       /* which nobody asked for */
  wait_stat (&p->r, "rejected-replayed", 8);
  fail_unless_equals_uint64 (receiver_stat (&p->r, "rtx-repeated"), 4);
}
