/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What an rmcsink with a key sends, and that nobody without it steers it. */

#include "claim.h"
#include "rmcsinkfixture.h"
#include "rtp/rtcpwriter.h"
#include "securefixture.h"

#include <rc/feedback/sealedrtcp.h>

POINTER_END (secure_context_unref, SecureContext)

#define PACKETS 10
#define PACKET_SIZE 500
#define TAG_BYTES 10
#define FIXED "congestion-control=fixed start-bitrate=10000000 rtx-time=10000000000 "
#define WITH_KEY FIXED "srtp-key=" SECURE_TEST_KEY

typedef struct
{
  Fixture f;
  SecureContext *key;           /* the receiver's */
  guint32 number;               /* of the next report */
} Pair;

static void
pair_open (Pair * p, const gchar * properties)
{
  *p = (Pair) {.key = context_of (SECURE_TEST_KEY, FALSE),.number = 1 };
  fixture_init (&p->f, TRUE, properties);
  fixture_play (&p->f);
}

static void
pair_close (Pair * p)
{
  fixture_clear (&p->f);
  secure_context_unref (p->key);
}

#define PAIR(properties) Pair, p, pair_open (p, properties), pair_close (p)

static gboolean
open_datagram (SecureContext * key, Datagram * datagram)
{
  gsize size = (gsize) datagram->size;
  SecureArrival arrival;
  gboolean ok = secure_context_unprotect (key, datagram->data, &size, &arrival, 0);

  datagram->size = (gssize) size;
  return ok;
}

static void
push_and_open (Pair * p, guint32 timestamp, Datagram * last)
{
  fail_unless_equals_int (push_frame (&p->f, timestamp, FALSE, PACKETS, PACKET_SIZE), GST_FLOW_OK);
  for (guint i = 0; i < PACKETS; i++) {
    fail_unless (receive_rtp (&p->f, last, PATIENCE));
    fail_unless_equals_int (last->size, PACKET_SIZE + TAG_BYTES);
    fail_unless (open_datagram (p->key, last));
    fail_unless_equals_int (last->size, PACKET_SIZE);
  }
}

static Sealed
packet_of (GstBuffer * buffer)
{
  Sealed packet;

  fail_unless (gst_buffer_get_size (buffer) <= PACKET_BYTES);
  packet.size = gst_buffer_extract (buffer, 0, packet.bytes, PACKET_BYTES);
  gst_buffer_unref (buffer);
  return packet;
}

static Sealed
report_of (Pair * p, guint16 highest_seq)
{
  RcReport report = {.ssrc = SSRC,.number = p->number,.highest_seq = highest_seq,
    .arrival_us_remote = 1000 * p->number,.received_pkts = highest_seq + 1u,
    .received_bytes = (highest_seq + 1u) * PACKET_SIZE,.bandwidth_bps = 1000000
  };

  p->number++;
  return packet_of (rtcp_new_reports (RECEIVER_SSRC, &report, 1));
}

static Sealed
nack_of (guint16 seq)
{
  const NackedPacket packet = { SSRC, seq };
  guint n_told;

  return packet_of (rtcp_new_nacks (RECEIVER_SSRC, &packet, 1, 100, FALSE, &n_told));
}

static Sealed
pli_of (void)
{
  Sealed packet = {.bytes = {0x81, 206, 0, 2},.size = 12 };

  write_be (packet.bytes + 4, 4, RECEIVER_SSRC);
  write_be (packet.bytes + 8, 4, SSRC);
  return packet;
}

/* From the receiver's own address. */
static void
put (Pair * p, Sealed packet)
{
  send_buffer (&p->f, gst_buffer_new_memdup (packet.bytes, packet.size));
}

/* --- what leaves --- */

CLAIM_ON (test_media_and_all_messages_leave_protected, PAIR (WITH_KEY))
{
  Datagram datagram;

  push_and_open (p, 3000, &datagram);
  put (p, closed (p->key, report_of (p, (guint16) (p->f.seq - 1))));
  do                            /* infos follow the first report */
    fail_unless (receive (&p->f, &datagram, PATIENCE));
  while (!datagram.rtcp);
  fail_unless (open_datagram (p->key, &datagram));
  fail_unless_equals_int (datagram.data[1], 204);
  fail_unless_equals_uint64 (stat_of (&p->f, "reports-received"), 1);
  fail_unless_equals_uint64 (stat_of (&p->f, "rejected"), 0);
}

/* So that a receiver without a key knows before media comes; a receiver that answers knows. */
CLAIM_ON (test_empty_rtcp_goes_ahead_of_media_until_an_answer, PAIR (WITH_KEY))
{
  static const guint8 hello[] = { 0x81, 202, 0, 2 };
  Datagram datagram;
  guint n_media = 0;

  fail_unless_equals_int (push_frame (&p->f, 3000, FALSE, PACKETS, PACKET_SIZE), GST_FLOW_OK);
  fail_unless (receive (&p->f, &datagram, PATIENCE));
  fail_unless (datagram.rtcp);
  fail_unless (rc_sealed_rtcp (datagram.data, (gsize) datagram.size));
  fail_unless (open_datagram (p->key, &datagram));
  fail_unless (memcmp (datagram.data, hello, sizeof hello) == 0);
  for (guint i = 0; i < PACKETS; i++)
    fail_unless (receive_rtp (&p->f, &datagram, PATIENCE));
  put (p, closed (p->key, report_of (p, (guint16) (p->f.seq - 1))));
  wait_until (stat_of (&p->f, "reports-received") == 1);
  g_usleep (300 * 1000);        /* the next would be due */
  fail_unless_equals_int (push_frame (&p->f, 6000, FALSE, PACKETS, PACKET_SIZE), GST_FLOW_OK);
  while (n_media < PACKETS) {
    fail_unless (receive (&p->f, &datagram, PATIENCE));
    n_media += !datagram.rtcp;
    fail_if (datagram.rtcp && datagram.data[1] == hello[1]);
  }
}

/* The tag counts in what is paced and reported. */
CLAIM_ON (test_tag_counts_in_the_rate, PAIR (WITH_KEY))
{
  Datagram datagram;

  push_and_open (p, 3000, &datagram);
  fail_unless_equals_uint64 (stat_of (&p->f, "bytes-sent"),
      PACKETS * (PACKET_SIZE + TAG_BYTES + RC_OVERHEAD_IPV4_BYTES));
}

/* Sends a frame, and asks for its fourth packet: as it came, and again. */
static void
ask_again (Pair * p, Datagram * sent, Datagram * again)
{
  Datagram all[PACKETS];

  fail_unless_equals_int (push_frame (&p->f, 3000, FALSE, PACKETS, PACKET_SIZE), GST_FLOW_OK);
  for (guint i = 0; i < PACKETS; i++)
    fail_unless (receive_rtp (&p->f, &all[i], PATIENCE));
  *sent = all[3];
  put (p, closed (p->key, nack_of (sent->seq)));
  fail_unless (receive_rtp (&p->f, again, PATIENCE));
}

/* Exactly as it was, so that no number protects two packets. */
CLAIM_ON (test_packet_that_is_asked_for_leaves_with_the_same_bytes, PAIR (WITH_KEY))
{
  Datagram sent, again;

  ask_again (p, &sent, &again);
  fail_unless_equals_int (again.size, sent.size);
  fail_unless (memcmp (again.data, sent.data, (gsize) again.size) == 0);
  fail_unless_equals_uint64 (stat_of (&p->f, "srtp-unsent"), 0);
}

CLAIM_ON (test_packet_that_is_asked_for_leaves_in_a_stream_of_its_own,
    PAIR (WITH_KEY " rtx-payload-type-map=\"application/x-rtp-pt-map,0=(uint)97\""))
{
  Datagram sent, again;

  ask_again (p, &sent, &again);
  fail_unless (open_datagram (p->key, &again) && open_datagram (p->key, &sent));
  fail_unless_equals_int (again.size, PACKET_SIZE + 2);
  fail_unless (memcmp (again.data + 14, sent.data + 12, PACKET_SIZE - 12) == 0);
}

/* A payloader that began anew with its old SSRC. */
CLAIM_ON (test_number_that_was_used_does_not_leave_again, PAIR (WITH_KEY))
{
  Datagram datagram;

  push_and_open (p, 3000, &datagram);
  p->f.seq -= PACKETS;
  fail_unless_equals_int (push_frame (&p->f, 6000, FALSE, PACKETS, PACKET_SIZE + 1), GST_FLOW_OK);
  wait_until (stat_of (&p->f, "srtp-unsent") == PACKETS);
  fail_unless_equals_uint64 (stat_of (&p->f, "send-errors"), PACKETS);
  push_and_open (p, 9000, &datagram);
}

/* Cameras, and what is sent again of them. */
CLAIM_ON (test_seventy_streams_leave_and_none_begins_anew, PAIR (WITH_KEY))
{
  const guint n_streams = 70, n_rounds = 3;
  Datagram datagram, earliest = { 0 };

  for (guint i = 0; i < n_rounds * n_streams; i++) {
    fail_unless_equals_int (gst_pad_push (p->f.src, rtp_new (SSRC + i % n_streams,
                (guint16) (i / n_streams), i, FALSE, PACKET_SIZE)), GST_FLOW_OK);
    fail_unless (receive_rtp (&p->f, &datagram, PATIENCE));
    if (i == 0)
      earliest = datagram;
    fail_unless (open_datagram (p->key, &datagram));
  }
  fail_if (open_datagram (p->key, &earliest), "it comes again");
  fail_unless_equals_uint64 (stat_of (&p->f, "srtp-unsent"), 0);
  fail_unless_equals_int (gst_pad_push (p->f.src, rtp_new (SSRC, 0, 1, FALSE, PACKET_SIZE + 1)),
      GST_FLOW_OK);
  wait_until (stat_of (&p->f, "srtp-unsent") == 1);
}

/* --- what comes --- */

static gchar *
facts (Pair * p)
{
  static const gchar *const numbers[] = { "rate", "packets-sent", "packets-lost", "packets-ce",
    "reports-received", "reports-old", "reports-never-sent", "reports-impossible",
    "reports-restarts", "reports-ignored", "reports-foreign", "receiver-reports", "remb-bitrate",
    "arrivals-rejected", "rtcp-malformed", "not-rtcp", "rtx-nacks", "rtx-asked",
    "keyframe-requests", "keyframe-requests-received", "keyframe-requests-unknown", "path-changes"
  };
  GString *text = g_string_new (state_is (&p->f, "running") ? "running" : "stopped");

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    g_string_append_printf (text, " %s %" G_GUINT64_FORMAT, numbers[i],
        stat_of (&p->f, numbers[i]));
  return g_string_free (text, FALSE);
}

/* All that somebody at the receiver's address can send. Returns how many datagrams. */
static guint
attack_once (Pair * p, SecureContext * other_key, const Sealed * seen, guint n_seen, guint i)
{
  const Sealed clear[] = { report_of (p, (guint16) (p->f.seq - 1)), nack_of (1), pli_of (),
    rtcp_of (RECEIVER_SSRC), rtp_of (SSRC, i)
  };
  guint n = 0;

  for (guint k = 0; k < G_N_ELEMENTS (clear); k++) {
    put (p, clear[k]);
    put (p, closed (other_key, clear[k]));
    n += 2;
  }
  for (guint k = 0; k < n_seen; k++) {
    Sealed cut = seen[k];

    put (p, cut);
    cut.size -= 1 + i % (cut.size - 1);
    put (p, cut);
    n += 2;
  }
  return n;
}

CLAIMS (test_whoever_has_no_key_changes_nothing_but_rejected, 2)
{
  AT_END (secure_context_unref_at) SecureContext *other_key = context_of (SECURE_OTHER_KEY, FALSE);
  Sealed seen[2];
  g_autofree gchar *before = NULL, *after = NULL;
  Datagram datagram;
  guint n = 0, n_seen = 0;
  AT_END (pair_close) Pair p;

  pair_open (&p, WITH_KEY);
  push_and_open (&p, 3000, &datagram);
  if (__i__ > 0) {
    seen[n_seen++] = closed (p.key, report_of (&p, (guint16) (p.f.seq - 1)));
    seen[n_seen++] = closed (p.key, pli_of ());
    for (guint i = 0; i < n_seen; i++)
      put (&p, seen[i]);
    wait_until (stat_of (&p.f, "keyframe-requests-received") == 1);
    wait_until (stat_of (&p.f, "keyframe-requests") == 1);
  }
  before = facts (&p);
  for (guint i = 0; i < 100; i++) {
    n += attack_once (&p, other_key, seen, n_seen, i);
    wait_until (stat_of (&p.f, "rejected") == n);
  }
  after = facts (&p);
  fail_unless_equals_string (after, before);
  put (&p, closed (p.key, nack_of (datagram.seq)));
  wait_until (stat_of (&p.f, "rtx-resent") == 1);
}

/* What a receiver sends to another port is protected as well. */
CLAIM_ON (test_pad_for_received_rtcp_takes_srtcp_only, PAIR (WITH_KEY))
{
  GstSegment segment;
  Datagram datagram;
  g_autoptr (GstPad) pad = NULL;
  Sealed report;

  pad = gst_element_request_pad_simple (p->f.sink, "recv_rtcp_sink");
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_send_event (pad, gst_event_new_stream_start ("rtcp"));
  gst_pad_send_event (pad, gst_event_new_segment (&segment));
  push_and_open (p, 3000, &datagram);
  report = report_of (p, (guint16) (p->f.seq - 1));
  fail_unless_equals_int (gst_pad_chain (pad, gst_buffer_new_memdup (report.bytes, report.size)),
      GST_FLOW_OK);
  fail_unless_equals_uint64 (stat_of (&p->f, "rejected-unauthentic"), 1);
  fail_unless_equals_uint64 (stat_of (&p->f, "reports-received"), 0);
  report = closed (p->key, report);
  fail_unless_equals_int (gst_pad_chain (pad, gst_buffer_new_memdup (report.bytes, report.size)),
      GST_FLOW_OK);
  fail_unless_equals_uint64 (stat_of (&p->f, "reports-received"), 1);
  gst_element_release_request_pad (p->f.sink, pad);
}
