/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One key for all viewers, or a key for each. */

#include "joinfixture.h"

#define SERVER MEDIA "! arcserversink name=sink bind-address=127.0.0.1 port=0 %s"
#define CALLER "arcsrc mode=caller host=127.0.0.1 port=%u %s ! " VIEW

static gint got, got_too;

BEFORE_EACH
{
  got = got_too = 0;
}

/* Each has its own SSRC: the same packets under two sets of numbers would break SRTP. */
CLAIM (test_one_key_serves_all_viewers)
{
  GstElement *server = join_play (join_launch (SERVER, "srtp-key=" KEY), NULL);
  GstElement *one = join_play (join_launch (CALLER, join_port (server), "srtp-key=" KEY), &got);
  GstElement *two = join_play (join_launch (CALLER, join_port (server), "srtp-key=" KEY),
      &got_too);

  await_media (got, 10);
  await_media (got_too, 10);
  join_stop (one);
  join_stop (two);
  join_stop (server);
}

static void
on_added (GstElement * server, GstElement * sink, const gchar * stream_id, gpointer data)
{
  gst_util_set_object_arg (G_OBJECT (sink), "srtp-key", g_str_equal (stream_id, "a") ? KEY
      : OTHER_KEY);
}

CLAIM (test_each_viewer_may_have_a_key_of_its_own)
{
  GstElement *server = join_launch (SERVER, ""), *sink, *one, *two, *wrong;
  gchar *text;

  sink = gst_bin_get_by_name (GST_BIN (server), "sink");
  g_signal_connect (sink, "caller-added", G_CALLBACK (on_added), NULL);
  join_play (server, NULL);
  one = join_play (join_launch (CALLER, join_port (server), "streamid=a srtp-key=" KEY), &got);
  two = join_play (join_launch (CALLER, join_port (server), "streamid=b srtp-key=" OTHER_KEY),
      &got_too);
  await_media (got, 10);
  await_media (got_too, 10);
  wrong = join_play (join_launch (CALLER, join_port (server), "streamid=b srtp-key=" KEY), &got);
  text = join_await_text (wrong, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, "of the caller is another one") != NULL, "%s", text);
  join_stop (wrong);
  join_stop (one);
  join_stop (two);
  gst_object_unref (sink);
  join_stop (server);
  g_free (text);
}
