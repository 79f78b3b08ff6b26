/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "outageqos.h"

#include "base/clockglue.h"
#include "base/padwalk.h"

GST_DEBUG_CATEGORY_EXTERN (gst_arc_src_debug);
#define GST_CAT_DEFAULT gst_arc_src_debug

/* A shorter silence makes a picture late by less than that, and four frames a second do not walk
 * with each of them. */
#define SILENCE (300 * GST_MSECOND)
/* More than any latency between us and the sink: a pipeline that was restarted has other times. */
#define MOST_TIME (10 * RC_SECOND)

/* Of a sink's pad, while a probe drops its events; under the pad's object lock. */
typedef struct
{
  GstClockTime resumed_at;      /* running time */
  RcTime until;
} Outage;

static GQuark
outage_quark (void)
{
  return g_quark_from_static_string ("gst-arc-outage");
}

/* Also ends the outage, with the first picture from after it. */
static GstPadProbeReturn
on_event (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstPadProbeReturn ret = GST_PAD_PROBE_OK;
  GstClockTime timestamp;
  GstClockTimeDiff late;
  Outage *outage;

  if (GST_EVENT_TYPE (info->data) != GST_EVENT_QOS)
    return ret;
  gst_event_parse_qos (info->data, NULL, NULL, &late, &timestamp);
  GST_OBJECT_LOCK (pad);
  outage = g_object_get_qdata (G_OBJECT (pad), outage_quark ());
  if (!outage || timestamp >= outage->resumed_at || clock_glue_monotonic () > outage->until) {
    g_free (g_object_steal_qdata (G_OBJECT (pad), outage_quark ()));
    ret = GST_PAD_PROBE_REMOVE;
  } else if (late > 0) {
    ret = GST_PAD_PROBE_DROP;
  }
  GST_OBJECT_UNLOCK (pad);
  if (ret == GST_PAD_PROBE_DROP)
    GST_DEBUG_OBJECT (pad, "a picture of before the outage, %" GST_STIME_FORMAT " late: no QoS",
        GST_STIME_ARGS (late));
  return ret;
}

static void
begin_at_pad (GstPad * pad, GstClockTime resumed_at)
{
  Outage *outage;
  gboolean begins;

  GST_OBJECT_LOCK (pad);
  outage = g_object_get_qdata (G_OBJECT (pad), outage_quark ());
  begins = outage == NULL;
  if (begins) {
    outage = g_new (Outage, 1);
    g_object_set_qdata_full (G_OBJECT (pad), outage_quark (), outage, g_free);
  }
  *outage = (Outage) { resumed_at, clock_glue_monotonic () + MOST_TIME };
  GST_OBJECT_UNLOCK (pad);
  if (begins)
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, on_event, NULL, NULL);
}

static gboolean
visit (GstPad * reached, GstElement * element, gpointer user_data)
{
  GstPad *pad;

  if (!element || GST_IS_BIN (element)
      || !GST_OBJECT_FLAG_IS_SET (element, GST_ELEMENT_FLAG_SINK))
    return TRUE;
  pad = gst_element_get_static_pad (element, "sink");
  if (pad)
    begin_at_pad (pad, *(const GstClockTime *) user_data);
  gst_clear_object (&pad);
  return FALSE;
}

void
outage_qos_reset (OutageQos * self)
{
  self->media_at = GST_CLOCK_TIME_NONE;
}

void
outage_qos_on_media (OutageQos * self, GstPad * srcpad, GstClockTime running)
{
  if (!GST_CLOCK_TIME_IS_VALID (running))
    return;
  if (GST_CLOCK_TIME_IS_VALID (self->media_at) && running >= self->media_at + SILENCE)
    pad_walk (srcpad, visit, &running);
  self->media_at = running;
}
