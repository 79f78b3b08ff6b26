/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* With a key a call proves that its caller has it. */

#include <srtp/secureproof.h>
#include <srtp/secureproperties.h>

#include <glib/gstdio.h>

#include "joinfixture.h"
#include "bustext.h"

#define LISTENER MEDIA "! rmcsink name=sink mode=listener bind-address=127.0.0.1 port=0 %s"
#define CALLER "arcsrc mode=caller host=127.0.0.1 port=%u %s ! " VIEW

static gint got;

BEFORE_EACH
{
  got = 0;
}

CLAIM (test_media_flows_under_one_key)
{
  STOPPED GstElement *sender = join_play (join_launch (LISTENER, "srtp-key=" KEY), NULL);
  GstElement *receiver = join_play (join_launch (CALLER, join_port (sender), "srtp-key=" KEY),
      &got);

  await_media (got, 10);
  claim_stop (receiver);
  /* The next one, in the same session. */
  receiver = join_play (join_launch (CALLER, join_port (sender), "srtp-key=" KEY), &got);
  await_media (got, 10);
  claim_stop (receiver);
}

static const struct
{
  const gchar *listener, *caller, *reason;
} misfits[] = {
  {"srtp-key=" KEY, "", "it encrypts (SRTP): set its srtp-key at the caller too"},
  {"srtp-key=" KEY, "srtp-key=" OTHER_KEY, "of the caller is another one"},
  {"", "srtp-key=" KEY, "it sends in the clear, but the caller has an srtp-key"},
  {"srtp-key=" KEY, "srtp-key=" KEY " srtp-auth=hmac-sha1-32", "of the caller is another one"},
};

CLAIMS (test_who_has_not_the_key_is_refused_with_the_reason, G_N_ELEMENTS (misfits))
{
  STOPPED GstElement *sender = join_play (join_launch (LISTENER, misfits[__i__].listener), NULL);
  STOPPED GstElement *receiver = join_play (join_launch (CALLER, join_port (sender),
          misfits[__i__].caller), &got);
  g_autofree gchar *text = join_await_text (receiver, GST_MESSAGE_ERROR);

  fail_unless (strstr (text, misfits[__i__].reason) != NULL, "%s", text);
  fail_unless_equals_int (got, 0);
}

/* Whoever changes on the way what a call asks for would have it done for another one's key. */
CLAIM (test_the_proof_covers_all_that_a_call_asks_for)
{
  SecureSettings settings = SECURE_SETTINGS_DEFAULT;
  RcCall call = {.number = 7,.cookie = 8,.wish = RC_CALL_JOIN,.max_kbps = 9,.stream_id = "door" };
  RcCall changed[6];

  settings.key = gst_buffer_new_memdup ("0123456789abcdef0123456789abcd", 30);
  secure_proof_write (&settings, &call);
  fail_unless (secure_proof_check (&settings, &call) == NULL);
  for (guint i = 0; i < G_N_ELEMENTS (changed); i++)
    changed[i] = call;
  changed[0].number++;
  changed[1].cookie++;
  changed[2].wish = RC_CALL_LEAVE;
  changed[3].max_kbps++;
  changed[4].stream_id[0] = 'f';
  changed[5].stream_id[4] = 's';
  for (guint i = 0; i < G_N_ELEMENTS (changed); i++)
    fail_unless (secure_proof_check (&settings, &changed[i]) != NULL, "change %u", i);
  gst_clear_buffer (&settings.key);
}

static guint
count_warnings (GstElement * pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  return bus_count (bus, GST_MESSAGE_WARNING, "other users of this machine");
}

static const gchar *const listeners[] = { "rmcsink mode=listener", "arcserversink" };

/* Each call asks for the key. */
CLAIMS (test_a_file_of_keys_that_others_can_read_is_one_warning, G_N_ELEMENTS (listeners))
{
  g_autofree gchar *path = g_build_filename (g_get_tmp_dir (), "arc-key-XXXXXX", NULL);
  gint fd = g_mkstemp (path);
  GstElement *sender, *receiver;

  fail_unless (fd >= 0 && g_close (fd, NULL));
  fail_unless (g_file_set_contents (path, KEY, -1, NULL) && g_chmod (path, 0644) == 0);
  sender = join_play (join_launch (MEDIA "! %s name=sink bind-address=127.0.0.1 port=0 "
          "srtp-key-file=%s", listeners[__i__], path), NULL);
  for (guint i = 0; i < 3; i++) {
    receiver = join_play (join_launch (CALLER, join_port (sender), i == 1 ? "srtp-key=" OTHER_KEY
            : "srtp-key=" KEY), &got);
    if (i == 1)
      g_free (join_await_text (receiver, GST_MESSAGE_ERROR));
    else
      await_media (got, 5);
    claim_stop (receiver);
  }
  fail_unless_equals_int (count_warnings (sender), 1);
  claim_stop (sender);
  g_unlink (path);
}

/* By the name that a deployment gave it: it may be gone, or another one, by the time somebody
 * calls. */
CLAIMS (test_the_file_of_a_key_is_read_at_the_start_and_when_it_is_set, G_N_ELEMENTS (listeners))
{
  gchar *path = g_build_filename (g_get_tmp_dir (), "arc-key-XXXXXX", NULL);
  gint fd = g_mkstemp (path);
  GstElement *sender, *receiver, *sink;

  fail_unless (fd >= 0 && g_close (fd, NULL));
  fail_unless (g_file_set_contents (path, KEY, -1, NULL));
  sender = join_play (join_launch (MEDIA "! %s name=sink bind-address=127.0.0.1 port=0 "
          "srtp-key-file=%s", listeners[__i__], path), NULL);
  fail_unless (g_file_set_contents (path, OTHER_KEY, -1, NULL));
  receiver = join_play (join_launch (CALLER, join_port (sender), "srtp-key=" KEY), &got);
  await_media (got, 5);
  claim_stop (receiver);
  sink = gst_bin_get_by_name (GST_BIN (sender), "sink");
  g_object_set (sink, "srtp-key-file", path, NULL);
  g_unlink (path);
  receiver = join_play (join_launch (CALLER, join_port (sender), "srtp-key=" OTHER_KEY), &got);
  await_media (got, 5);
  claim_stop (receiver);
  gst_object_unref (sink);
  claim_stop (sender);
  g_free (path);
}

/* It calls each half second until somebody listens. */
CLAIM (test_a_caller_reads_the_file_of_its_key_at_the_start)
{
  g_autofree gchar *path = g_build_filename (g_get_tmp_dir (), "arc-key-XXXXXX", NULL);
  g_autofree gchar *setting = NULL, *port_text = NULL;
  gint fd = g_mkstemp (path);
  GstElement *sender, *receiver;
  guint port;

  fail_unless (fd >= 0 && g_close (fd, NULL));
  fail_unless (g_file_set_contents (path, KEY, -1, NULL));
  sender = join_play (join_launch (LISTENER, "srtp-key=" KEY), NULL);
  port = join_port (sender);
  claim_stop (sender);
  setting = g_strdup_printf ("srtp-key-file=%s", path);
  receiver = join_play (join_launch (CALLER, port, setting), &got);
  g_unlink (path);
  port_text = g_strdup_printf ("port=%u srtp-key=" KEY, port);
  sender = join_play (join_launch (LISTENER, port_text), NULL);
  await_media (got, 10);
  claim_stop (receiver);
  claim_stop (sender);
}
