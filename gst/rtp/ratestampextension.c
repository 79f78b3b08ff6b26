/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/**
 * SECTION:element-rtphdrextratestamp
 * @title: rtphdrextratestamp
 * @see_also: rmcsink, rcprelay
 *
 * The RTP header extension (RFC 8285) in which relays signal an explicit rate to senders. rmcsink
 * puts it in by itself with the congestion controls rcp, qi-rcp and piqi-rcp; use this element to
 * give it an id of your own in a payloader, so that the id is in the caps and an SDP.
 *
 * ## Example
 *
 * |[
 * ... ! rtph264pay name=p ! rmcsink congestion-control=piqi-rcp ...
 * extension = gst_rtp_header_extension_create_from_uri ("urn:x-gst-arc:rate-stamp");
 * gst_rtp_header_extension_set_id (extension, 7);
 * g_signal_emit_by_name (p, "add-extension", extension);
 * ]|
 *
 * Since: 0.1
 */

#include "rtp/ratestampextension.h"

#include "rtp/ratestamp.h"

struct _GstRateStampExtension
{
  GstRTPHeaderExtension parent;
};

G_DEFINE_TYPE (GstRateStampExtension, gst_rate_stamp_extension, GST_TYPE_RTP_HEADER_EXTENSION);
GST_ELEMENT_REGISTER_DEFINE (rtphdrextratestamp, "rtphdrextratestamp", GST_RANK_MARGINAL,
    GST_TYPE_RATE_STAMP_EXTENSION);

static GstRTPHeaderExtensionFlags
get_supported_flags (GstRTPHeaderExtension * extension)
{
  return GST_RTP_HEADER_EXTENSION_ONE_BYTE | GST_RTP_HEADER_EXTENSION_TWO_BYTE;
}

static gsize
get_max_size (GstRTPHeaderExtension * extension, const GstBuffer * input)
{
  return RATE_STAMP_BYTES;
}

/* A blank: rmcsink knows the RTT. */
static gssize
write_stamp (GstRTPHeaderExtension * extension, const GstBuffer * input,
    GstRTPHeaderExtensionFlags flags, GstBuffer * output, guint8 * data, gsize size)
{
  if (size < RATE_STAMP_BYTES)
    return -1;
  rate_stamp_write (data, 0);
  return RATE_STAMP_BYTES;
}

/* What it says is arcreceiver's business. */
static gboolean
read_stamp (GstRTPHeaderExtension * extension, GstRTPHeaderExtensionFlags flags,
    const guint8 * data, gsize size, GstBuffer * buffer)
{
  return size == RATE_STAMP_BYTES;
}

static void
gst_rate_stamp_extension_class_init (GstRateStampExtensionClass * klass)
{
  GstRTPHeaderExtensionClass *extension_class = GST_RTP_HEADER_EXTENSION_CLASS (klass);

  extension_class->get_supported_flags = get_supported_flags;
  extension_class->get_max_size = get_max_size;
  extension_class->write = write_stamp;
  extension_class->read = read_stamp;
  gst_rtp_header_extension_class_set_uri (extension_class, RATE_STAMP_URI);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "Explicit rate stamp",
      GST_RTP_HDREXT_ELEMENT_CLASS, "Header extension in which relays signal the rate to senders",
      "the gst-arc authors");
}

static void
gst_rate_stamp_extension_init (GstRateStampExtension * self)
{
}
