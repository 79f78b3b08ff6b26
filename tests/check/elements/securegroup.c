/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What sessions of one key share, and what not. */

#define _GNU_SOURCE             /* RTLD_NEXT */
#include "securepair.h"

#include <dlfcn.h>
#include <srtp2/srtp.h>

#include "srtp/securegroup.h"

POINTER_END (secure_context_unref, SecureContext)

#define VIEWERS 200

/* These stand in front of libsrtp's. A context and a stream that is added to one have keys of their
 * own in NSS. */
static guint n_contexts;
static gint n_streams;

srtp_err_status_t
srtp_create (srtp_t * session, const srtp_policy_t * policy)
{
  srtp_err_status_t (*create) (srtp_t *, const srtp_policy_t *) = dlsym (RTLD_NEXT, "srtp_create");

  n_contexts++;
  n_streams--;                  /* it adds one itself */
  return create (session, policy);
}

srtp_err_status_t
srtp_add_stream (srtp_t session, const srtp_policy_t * policy)
{
  srtp_err_status_t (*add) (srtp_t, const srtp_policy_t *) = dlsym (RTLD_NEXT, "srtp_add_stream");

  n_streams++;
  return add (session, policy);
}

/* The context that a thread is in, while `watched`, and whether a second one came into it then. */
static gboolean watched;
static gpointer entered;
static gint met;

static gboolean
enter (srtp_t session)
{
  gboolean first = watched && g_atomic_pointer_compare_and_exchange (&entered, NULL, session);

  if (first)
    g_usleep (20);
  else if (watched && g_atomic_pointer_get (&entered) == session)
    g_atomic_int_set (&met, TRUE);
  return first;
}

static void
leave (gboolean first)
{
  if (first)
    g_atomic_pointer_set (&entered, NULL);
}

srtp_err_status_t
srtp_protect_mki (srtp_t session, void *data, int *size, unsigned use, unsigned mki)
{
  srtp_err_status_t (*protect) (srtp_t, void *, int *, unsigned, unsigned) =
      dlsym (RTLD_NEXT, "srtp_protect_mki");
  gboolean first = enter (session);
  srtp_err_status_t status = protect (session, data, size, use, mki);

  leave (first);
  return status;
}

srtp_err_status_t
srtp_unprotect_mki (srtp_t session, void *data, int *size, unsigned use)
{
  srtp_err_status_t (*unprotect) (srtp_t, void *, int *, unsigned) =
      dlsym (RTLD_NEXT, "srtp_unprotect_mki");
  gboolean first = enter (session);
  srtp_err_status_t status = unprotect (session, data, size, use);

  leave (first);
  return status;
}

/* With the sender and the receiver of this file. */
static void
viewers_make (SecureContext ** viewers)
{
  for (guint i = 0; i < VIEWERS; i++)
    viewers[i] = context_of (SECURE_TEST_KEY, TRUE);
}

static void
viewers_clear (SecureContext ** viewers)
{
  for (guint i = 0; i < VIEWERS; i++)
    secure_context_unref (viewers[i]);
}

static guint
contexts_of (guint sessions)
{
  return 2 * ((sessions + SECURE_GROUP_MEMBERS_MAX - 1) / SECURE_GROUP_MEMBERS_MAX);
}

CLAIM (test_viewers_of_one_key_share_contexts_of_libsrtp)
{
  SecureContext *viewers[VIEWERS];
  guint before = n_contexts;

  viewers_make (viewers);
  for (guint i = 0; i < VIEWERS; i++) {
    fail_unless (opens (receiver, closed (viewers[i], rtp_of (1000 + i, 65535))));
    fail_unless (opens (receiver, closed (viewers[i], rtp_of (1000 + i, 65536))));
    fail_unless (opens (receiver, closed (viewers[i], rtcp_of (1000 + i))));
  }
  fail_unless (n_contexts - before <= contexts_of (VIEWERS), "%u", n_contexts - before);

  /* A new key of all, amid overflows, for which libsrtp must learn of them. */
  rekey (receiver, SECURE_OTHER_KEY, NULL);
  before = n_contexts;
  n_streams = 0;
  for (guint i = 0; i < VIEWERS; i++)
    rekey (viewers[i], SECURE_OTHER_KEY, NULL);
  for (guint i = 0; i < VIEWERS; i++)
    closed (viewers[i], rtp_of (1000 + i, 65537));
  fail_unless (n_contexts - before <= contexts_of (VIEWERS), "%u", n_contexts - before);
  fail_unless_equals_int (n_streams, 0);
  for (guint i = 0; i < VIEWERS; i++)
    fail_unless (opens (receiver, closed (viewers[i], rtp_of (1000 + i, 65538))));
  viewers_clear (viewers);
}

CLAIM (test_contexts_go_with_the_last_of_their_sessions)
{
  SecureContext *viewers[VIEWERS];
  guint before;

  viewers_make (viewers);
  viewers_clear (viewers);
  before = n_contexts;
  viewers_make (viewers);
  fail_unless (n_contexts > before);
  viewers_clear (viewers);
}

CLAIM (test_what_came_to_one_is_new_to_another)
{
  AT_END (secure_context_unref_at) SecureContext *other = context_of (SECURE_TEST_KEY, FALSE);

  for (guint i = 0; i < 3; i++) {
    Sealed rtp = closed (sender, rtp_of (A, i)), rtcp = closed (sender, rtcp_of (A));

    fail_unless (opens (receiver, rtp) && opens (receiver, rtcp));
    fail_unless (opens (other, rtp) && opens (other, rtcp));
    fail_if (opens (receiver, rtp) || opens (receiver, rtcp));
    fail_if (opens (other, rtp) || opens (other, rtcp));
  }
}

/* The place in the shared context, which is free now, knows nothing of what came. */
CLAIM (test_replay_is_refused_also_after_the_other_has_gone)
{
  SecureContext *first = context_of (SECURE_TEST_KEY, FALSE);
  Sealed rtp = closed (sender, rtp_of (A, 7)), rtcp = closed (sender, rtcp_of (A));

  fail_unless (opens (first, rtp) && opens (first, rtcp));
  fail_unless (opens (receiver, rtp) && opens (receiver, rtcp));
  secure_context_unref (first);
  fail_if (opens (receiver, rtp));
  fail_if (opens (receiver, rtcp));
  fail_unless (opens (receiver, closed (sender, rtp_of (A, 8))));
}

CLAIM (test_who_has_gone_leaves_nothing_behind)
{
  SecureContext *gone = context_of (SECURE_TEST_KEY, FALSE);
  Sealed rtp = closed (sender, rtp_of (A, 7));
  guint before = n_contexts;

  fail_unless (opens (gone, rtp));
  secure_context_unref (gone);
  fail_unless (opens (receiver, rtp));
  fail_unless_equals_int (n_contexts, before);
}

/* Which would make the receiver of the genuine ones need a context of its own. */
CLAIM (test_forgery_takes_no_place)
{
  AT_END (secure_context_unref_at) SecureContext *other = context_of (SECURE_TEST_KEY, FALSE);
  Sealed rtp = closed (sender, rtp_of (A, 7)), forged = rtp;
  guint before = n_contexts;

  forged.bytes[20] ^= 1;
  fail_if (opens (other, forged));
  fail_unless (opens (receiver, rtp));
  fail_unless_equals_int (n_contexts, before);
}

/* It goes on in a context of its own, and others have their places. */
CLAIM (test_one_of_many_ssrcs_leaves_room_for_others)
{
  AT_END (secure_context_unref_at) SecureContext *other = context_of (SECURE_TEST_KEY, TRUE);
  guint before = n_contexts;

  for (guint round = 0; round < 2; round++)
    for (guint i = 0; i < 3 * SECURE_GROUP_SSRCS_MAX; i++)
      fail_unless (opens (receiver, closed (sender, rtp_of (1000 + i, round))));
  fail_unless_equals_int (n_contexts, before + 2);      /* the sender's and the receiver's */
  fail_unless (opens (receiver, closed (other, rtp_of (A, 0))));
  fail_unless_equals_int (secure_stat (receiver, "rejected"), 0);
}

/* --- threads --- */

static gpointer
send_much (gpointer ssrc)
{
  AT_END (secure_context_unref_at) SecureContext *from = context_of (SECURE_TEST_KEY, TRUE);
  AT_END (secure_context_unref_at) SecureContext *to = context_of (SECURE_TEST_KEY, FALSE);
  guint refused = 0;

  for (guint i = 0; i < 500; i++) {
    refused += !opens (to, closed (from, rtp_of (GPOINTER_TO_UINT (ssrc), i)));
    refused += !opens (from, closed (to, rtcp_of (GPOINTER_TO_UINT (ssrc) + 100)));
  }
  return GUINT_TO_POINTER (refused);
}

CLAIM (test_threads_do_not_meet_in_what_they_share)
{
  GThread *threads[4];

  watched = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new (NULL, send_much, GUINT_TO_POINTER (1000 + i));
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    fail_unless_equals_int (GPOINTER_TO_UINT (g_thread_join (threads[i])), 0);
  watched = FALSE;
  fail_if (met);
}
