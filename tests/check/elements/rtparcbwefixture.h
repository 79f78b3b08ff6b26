/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An rtparcbwe between two pads of a harness, which plays rtpsession: it counts what leaves and
 * makes the events that tell of it. */
#pragma once

#include <gst/arc/arc.h>
#include <gst/check/gstharness.h>
#include <gst/rtp/rtp.h>

#include "claim.h"
#include "readstat.h"
#include "rtpmedia.h"

#define SSRC 0x12345678
#define PAYLOAD 1000
#define RTP_CAPS "application/x-rtp, media=video, encoding-name=X-TEST, payload=96, " \
    "clock-rate=90000, ssrc=(uint)305419896"
#define PATIENCE_US (30 * G_USEC_PER_SEC)

typedef struct
{
  GstHarness *h;
  guint16 seq;
  guint32 timestamp;
  gint notified;                /* atomic: of estimated-bitrate */
} Bwe;

static inline void
on_estimate (GstElement * element, GParamSpec * pspec, Bwe * bwe)
{
  g_atomic_int_inc (&bwe->notified);
}

/* properties: as in a launch line. Upstream is live. */
static inline void
bwe_init (Bwe * bwe, const gchar * properties)
{
  g_autofree gchar *line = g_strdup_printf ("rtparcbwe %s", properties);
  GstElement *element = gst_parse_launch_full (line, NULL, GST_PARSE_FLAG_NONE, NULL);

  fail_unless (element != NULL);
  *bwe = (Bwe) { gst_harness_new_with_element (element, "sink", "src") };
  gst_object_unref (element);
  g_signal_connect (element, "notify::estimated-bitrate", G_CALLBACK (on_estimate), bwe);
  gst_harness_set_live (bwe->h, TRUE);
  gst_harness_use_systemclock (bwe->h);
  gst_harness_set_src_caps_str (bwe->h, RTP_CAPS);
}

static inline void
bwe_clear (Bwe * bwe)
{
  g_signal_handlers_disconnect_by_data (bwe->h->element, bwe);
  gst_harness_teardown (bwe->h);
}

static inline GstBuffer *
bwe_packet (Bwe * bwe)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (PAYLOAD, 0, 0);
  AT_END (gst_rtp_buffer_unmap) GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_ssrc (&rtp, SSRC);
  gst_rtp_buffer_set_seq (&rtp, bwe->seq++);
  gst_rtp_buffer_set_timestamp (&rtp, bwe->timestamp += 3000);
  gst_rtp_buffer_set_payload_type (&rtp, 96);
  return buffer;
}

static inline guint64
bwe_stat (Bwe * bwe, const gchar * name)
{
  return read_stat (bwe->h->element, name);
}

G_GNUC_BEGIN_IGNORE_DEPRECATIONS

static inline GValueArray *
told_new (void)
{
  return g_value_array_new (0);
}

/* What rtpsession tells of one packet; takes the structure. */
static inline void
told_add_structure (GValueArray * told, GstStructure * packet)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GST_TYPE_STRUCTURE);
  gst_value_set_structure (&value, packet);
  g_value_array_append (told, &value);
  g_value_unset (&value);
  gst_structure_free (packet);
}

/* remote_ts: GST_CLOCK_TIME_NONE: lost */
static inline void
told_add (GValueArray * told, guint16 number, GstClockTime local_ts, GstClockTime remote_ts)
{
  told_add_structure (told, gst_structure_new ("RTPTWCCPacket", "seqnum", G_TYPE_UINT,
          (guint) number, "local-ts", G_TYPE_UINT64, local_ts, "remote-ts", G_TYPE_UINT64,
          remote_ts, "payload-type", G_TYPE_UCHAR, 96, "size", G_TYPE_UINT, PAYLOAD, "lost",
          G_TYPE_BOOLEAN, !GST_CLOCK_TIME_IS_VALID (remote_ts), NULL));
}

/* Takes the list. */
static inline void
bwe_tell (Bwe * bwe, GValueArray * told)
{
  GstStructure *s = gst_structure_new ("RTPTWCCPackets", "packets", g_value_array_get_type (), told,
      NULL);

  g_value_array_free (told);
  gst_harness_push_upstream_event (bwe->h, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, s));
}

G_GNUC_END_IGNORE_DEPRECATIONS
