/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* With a key a call proves that its caller has it. */

#include <srtp/secureproof.h>
#include <srtp/secureproperties.h>

#include "joinfixture.h"

#define LISTENER MEDIA "! rmcsink name=sink mode=listener bind-address=127.0.0.1 port=0 %s"
#define CALLER "arcsrc mode=caller host=127.0.0.1 port=%u %s ! " VIEW

static gint got;

BEFORE_EACH
{
  got = 0;
}

CLAIM (test_media_flows_under_one_key)
{
  GstElement *sender = join_play (join_launch (LISTENER, "srtp-key=" KEY), NULL);
  GstElement *receiver = join_play (join_launch (CALLER, join_port (sender), "srtp-key=" KEY),
      &got);

  await_media (got, 10);
  join_stop (receiver);
  /* The next one, in the same session. */
  receiver = join_play (join_launch (CALLER, join_port (sender), "srtp-key=" KEY), &got);
  await_media (got, 10);
  join_stop (receiver);
  join_stop (sender);
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
  GstElement *sender = join_play (join_launch (LISTENER, misfits[__i__].listener), NULL);
  GstElement *receiver = join_play (join_launch (CALLER, join_port (sender),
          misfits[__i__].caller), &got);
  gchar *text = join_await_text (receiver, GST_MESSAGE_ERROR);

  fail_unless (strstr (text, misfits[__i__].reason) != NULL, "%s", text);
  fail_unless_equals_int (got, 0);
  join_stop (receiver);
  join_stop (sender);
  g_free (text);
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
