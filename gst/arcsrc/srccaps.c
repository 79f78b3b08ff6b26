/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Without caps, or with those of another codec, there is no picture and nothing downstream says
 * why. Media shows only its payload type; rmcsink announces the rest, so that the warning can
 * quote the caps to set. */

#include "gstarcsrcprivate.h"

#include "rtp/mediaformat.h"

GST_DEBUG_CATEGORY (gst_arc_src_debug);

#define PATIENCE_PKTS 100       /* by then rmcsink has announced its format */

/* Of all downstream, rtpbin, rtpjitterbuffer and the demuxers ask the application, if it is
 * connected. */
static gboolean
application_is_asked (GstArcSrc * self)
{
  GstPad *pad = gst_element_get_static_pad (GST_ELEMENT (self), "src"),
      *peer = gst_pad_get_peer (pad);
  GstElement *element = peer ? gst_pad_get_parent_element (peer) : NULL;
  guint signal = element ? g_signal_lookup ("request-pt-map", G_OBJECT_TYPE (element)) : 0;
  gboolean asked = signal && g_signal_has_handler_pending (element, signal, 0, FALSE);

  gst_clear_object (&element);
  gst_clear_object (&peer);
  gst_object_unref (pad);
  return asked;
}

static void
warn_of_no_caps (GstArcSrc * self, const RcMediaFormat * format, GstBuffer * media)
{
  RcMediaFormat example = { "H264", 96, RC_MEDIA_VIDEO, 90000 };
  gboolean told = format->encoding_name[0] != '\0';
  guint8 byte;
  gchar *text;

  if (gst_buffer_extract (media, 1, &byte, 1) == 1)
    example.payload_type = byte & 0x7f;
  text = media_format_to_string (told ? format : &example);
  GST_ELEMENT_WARNING (self, STREAM, FORMAT,
      ("media comes, but arcsrc has no caps, so that nothing downstream knows what it holds: "
          "set caps=\"%s\"%s", text, told ? "" : ", or what the sender's payloader says"), (NULL));
  g_free (text);
}

static void
warn_of_other_caps (GstArcSrc * self, const RcMediaFormat * format)
{
  gchar *text = media_format_to_string (format);

  GST_ELEMENT_WARNING (self, STREAM, WRONG_TYPE,
      ("the sender's media is %s with clock rate %u, the caps of arcsrc say otherwise: set "
          "caps=\"%s\"", format->encoding_name, format->clock_rate_hz, text), (NULL));
  g_free (text);
}

void
gst_arc_src_check_caps (GstArcSrc * self, GstBuffer * media)
{
  RcMediaFormat format;
  GstPad *pad;
  GstCaps *caps;

  if (self->caps_checked)
    return;
  peer_get_format (&self->peer, &format);
  if (format.encoding_name[0] == '\0' && self->unchecked_pkts++ < PATIENCE_PKTS)
    return;
  self->caps_checked = TRUE;
  pad = gst_element_get_static_pad (self->udpsrc, "src");
  caps = gst_pad_get_current_caps (pad);
  if (!caps && !application_is_asked (self))
    warn_of_no_caps (self, &format, media);
  else if (caps && format.encoding_name[0] != '\0' && !media_format_agrees (&format, caps))
    warn_of_other_caps (self, &format);
  gst_clear_caps (&caps);
  gst_object_unref (pad);
}
