/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the caps say of the receiver's feedback. GStreamer makes them from SDP: a=rtcp-fb becomes
 * rtcp-fb-*, a=extmap becomes extmap-*. */

#include "gstrmcsinkprivate.h"

#include "rtp/extmap.h"
#include <rc/feedback/twcc.h>

static gboolean
offers (const GstStructure * structure, const gchar * field)
{
  gboolean offered;

  return gst_structure_get_boolean (structure, field, &offered) && offered;
}

void
gst_rmc_sink_check_feedback_caps (GstRmcSink * self, const GstCaps * caps)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);

  if (!offers (structure, "rtcp-fb-transport-cc") || offers (structure, "rtcp-fb-ack-ccfb")
      || extmap_id_of_caps (caps, RC_TWCC_URI) != 0)
    return;
  GST_ELEMENT_WARNING (self, STREAM, FORMAT,
      ("The caps promise feedback by TWCC (rtcp-fb-transport-cc), but name no header extension for "
          "the numbers that it needs, so none can come. Add extmap-1=" RC_TWCC_URI " to the caps "
          "behind the payloader, or leave rtcp-fb-transport-cc out"), (NULL));
}
