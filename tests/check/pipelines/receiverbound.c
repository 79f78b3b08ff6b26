/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A receiver says how much it takes at most: max-bitrate of arcsrc. */
#include "launch.h"
#include "readstat.h"

#include "boundsocket.h"

#define PATIENCE_S 30
#define BOUND 300000

static gboolean
wait_for (GstElement * sink, guint64 bound)
{
  for (guint i = 0; i < 10 * PATIENCE_S; i++) {
    g_autoptr (GstStructure) stats = read_stats (sink); /* empty before anybody called */
    guint64 is;

    if (gst_structure_get_uint64 (stats, "remb-bitrate", &is) && is == bound)
      return TRUE;
    g_usleep (G_USEC_PER_SEC / 10);
  }
  return FALSE;
}

CLAIM_TIMEOUT_S (2 * PATIENCE_S)

CLAIM (test_a_receiver_bounds_its_sender_while_it_says_so)
{
  GstElement *receiver = launch ("arcsrc name=src address=127.0.0.1 port=0 max-bitrate=300000 "
      "! fakesink async=false"), *src = gst_bin_get_by_name (GST_BIN (receiver), "src");
  g_autoptr (GstElement) sender = NULL, sink = NULL;
  g_autofree gchar *line = NULL;
  guint port;

  gst_element_set_state (receiver, GST_STATE_PLAYING);
  g_object_get (src, "port", &port, NULL);
  line = g_strdup_printf ("videotestsrc is-live=true ! video/x-raw,width=160,height=120 "
      "! vp8enc deadline=1 ! rtpvp8pay ! rmcsink name=sink host=127.0.0.1 port=%u", port);
  sender = launch (line);
  sink = gst_bin_get_by_name (GST_BIN (sender), "sink");
  gst_element_set_state (sender, GST_STATE_PLAYING);
  fail_unless (wait_for (sink, BOUND));
  fail_unless (read_stat (sink, "rate") <= BOUND);
  g_object_set (src, "max-bitrate", 0, NULL);
  fail_unless (wait_for (sink, 0));
  gst_element_set_state (sender, GST_STATE_NULL);
  gst_element_set_state (receiver, GST_STATE_NULL);
  gst_object_unref (src);
  gst_object_unref (receiver);
}

/* What a viewer asks for when it calls is what its reports ask for later, and no second bound. */
CLAIM (test_a_viewer_may_ask_for_more_than_when_it_called)
{
  g_autoptr (GSocket) socket = bound_socket ("127.0.0.1", 0);
  guint port = bound_port (socket);
  guint64 rate = 0;
  g_autoptr (GstElement) sender = NULL, receiver = NULL, sink = NULL, src = NULL;
  g_autofree gchar *line = g_strdup_printf ("videotestsrc is-live=true pattern=snow ! "
      "video/x-raw,width=320,height=240 ! vp8enc deadline=1 ! rtpvp8pay ! rmcsink name=sink "
      "mode=listener bind-address=127.0.0.1 port=%u", port), *call =
      g_strdup_printf ("arcsrc name=src mode=caller host=127.0.0.1 port=%u max-bitrate=300000 ! "
      "fakesink async=false", port);

  g_socket_close (socket, NULL);
  sender = launch (line);
  sink = gst_bin_get_by_name (GST_BIN (sender), "sink");
  gst_element_set_state (sender, GST_STATE_PLAYING);
  receiver = launch (call);
  src = gst_bin_get_by_name (GST_BIN (receiver), "src");
  gst_element_set_state (receiver, GST_STATE_PLAYING);
  fail_unless (wait_for (sink, BOUND));
  fail_unless (read_stat (sink, "rate") <= BOUND);
  g_object_set (src, "max-bitrate", 2 * BOUND, NULL);
  fail_unless (wait_for (sink, 2 * BOUND));
  for (guint i = 0; i < 10 * PATIENCE_S && (rate = read_stat (sink, "rate")) <= BOUND; i++)
    g_usleep (G_USEC_PER_SEC / 10);
  fail_unless (rate > BOUND && rate <= 2 * BOUND);
  gst_element_set_state (receiver, GST_STATE_NULL);
  gst_element_set_state (sender, GST_STATE_NULL);
}
