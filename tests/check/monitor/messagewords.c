/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Element messages as a monitor's log has them. */
#include "base/messagewords.h"
#include "claim.h"

static const struct
{
  const gchar *message, *words;
} messages[] = {
  {"GstArcServerSinkViewer, address=\"192.0.2.1:5000\", streamid=\"front door\", state=joined, "
        "viewers=(uint)3;", "viewer front door (192.0.2.1:5000) joined; 3 now"},
  {"GstArcServerSinkViewer, address=\"[2001:db8::1]:5000\", streamid=(string)\"\", state=lost, "
        "viewers=(uint)0;", "viewer ([2001:db8::1]:5000) lost; 0 now"},
  {"GstArcServerSinkViewer, address=a, streamid=\"{[]} 50%s {state\", state=left, viewers=(uint)1;",
      "viewer {[]} 50%s {state (a) left; 1 now"},
  {"GstArcLadderViewerState, pad=src_3, served=(boolean)false, bitrate=(uint)81400, cause=queue;",
      "viewer at src_3 gets nothing: its network carries 81 kbit/s (queue)"},
  {"GstArcLadderViewerState, pad=src_3, served=(boolean)true, bitrate=(uint)1500000;",
      "viewer at src_3 is served again: its network carries 1.50 Mbit/s"},
  {"GstRmcSinkState, state=stopped, reason=silence;", "media is stopped: silence"},
  {"GstRmcSinkState, state=running, reason=(string)\"\";", "media is running"},
  {"GstArcSrcTimeout, timeout=(guint64)2000000000, silence=(guint64)2040000000;",
      "no media for 2.0 s"},
  {"GstArcSrcResumed, timeout=(guint64)1, silence=(guint64)7000000000, sender=\"192.0.2.1:5\";",
      "media comes again after 7.0 s from 192.0.2.1:5"},
  {"GstArcReceiverLatency, needed=(guint64)250000000, latency=(guint64)200000000;",
      "repair needs 250 ms of latency, and has 200 ms"},
  {"GstRampSchedulerOverload, overloaded=(boolean)true, requirement=(guint64)3000000, "
        "budget=(guint64)2000000;",
      "the streams want 3.00 Mbit/s, more than the 2.00 Mbit/s that there are"},
  {"GstArcScaleStep, width=(uint)640, height=(uint)360, framerate=(double)30, reason=quality, "
        "bitrate=(uint)900000, cause=queue;",
      "picture 640×360, 30 a second, for 900 kbit/s (quality)"},
  {"GstRmcSinkPath, path=wwan0, state=gone;", "path wwan0 is gone"},
  {"somebody-else, a=(uint)1, b=two;", "somebody-else a=1 b=two"},
  {"GstArcLadderRungs, bitrates=<(uint)1, (uint)2>;", NULL},
  {"GstRmcSinkTargetBitrate, bitrate=(uint)1;", NULL},
  {"GstRmcSinkStats, rate=(uint)1;", NULL},
};

CLAIMS (test_a_message_is_a_sentence, G_N_ELEMENTS (messages))
{
  g_autoptr (GstStructure) s = gst_structure_from_string (messages[__i__].message, NULL);
  g_autofree gchar *words = NULL;

  fail_unless (s != NULL, "%s", messages[__i__].message);
  words = message_words (s);
  fail_unless_equals_string (words, messages[__i__].words);
}

/* Fields may be missing, or be of another type, in a message of another version. */
CLAIM (test_a_message_with_other_fields_does_no_harm)
{
  g_autoptr (GstStructure) s = gst_structure_from_string ("GstArcLadderViewerState, "
      "served=(string)maybe, bitrate=(int)-5;", NULL);
  g_autofree gchar *words = message_words (s);

  fail_unless_equals_string (words, "viewer at  maybe: its network carries -5");
}
