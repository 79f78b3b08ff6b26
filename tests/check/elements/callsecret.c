/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The key of a caller's passphrase. Salts come from the network. */

#include <arcsrc/callsecret.h>
#include <srtp/securepassphrase.h>

#include <string.h>

#include "claim.h"

#define PASSPHRASE "h\xc3\xb6" "chst geheim"

static CallSecret secret;
static SecureSettings settings;
static RcTime next_at;

static void
set_passphrase (const gchar * text)
{
  gst_clear_buffer (&settings.passphrase);
  settings.passphrase = secure_passphrase_new (text);
}

BEFORE_EACH
{
  secret = (CallSecret) { 0 };
  settings = (SecureSettings) SECURE_SETTINGS_DEFAULT;
  set_passphrase (PASSPHRASE);
  call_secret_begin (&secret, &settings);
}

AFTER_EACH
{
  call_secret_clear (&secret);
  secure_settings_clear (&settings);
}

static gboolean
answer (guint8 salt)
{
  RcAnswer got = {.number = 1,.cookie = 2,.salted = TRUE };

  memset (got.salt, salt, sizeof got.salt);
  return call_secret_take_answer (&secret, &got);
}

static gboolean
must_work (RcTime now, CallSecretWork * work)
{
  return call_secret_must_work (&secret, &settings, now, &next_at, work);
}

/* In no time of ours, but took of the clock's. */
static void
work_for (CallSecretWork * work, RcTime began_at, RcTime took)
{
  work->key = secure_passphrase_guard (work->cipher);
  call_secret_take_work (&secret, &settings, work, began_at, began_at + took);
}

static gboolean
derive_at (RcTime now, RcTime took)
{
  CallSecretWork work;

  if (!must_work (now, &work))
    return FALSE;
  work_for (&work, now, took);
  return TRUE;
}

/* Computed with Python's hashlib.pbkdf2_hmac. */
CLAIM (test_the_key_is_that_of_pbkdf2)
{
  const guint8 key[] = {
    0x0a, 0xc9, 0x26, 0xb6, 0x92, 0xe8, 0xa5, 0xa6, 0xde, 0xe8, 0xdf, 0xd7, 0x88, 0x00, 0x9d,
    0x2a, 0xad, 0xcf, 0xd4, 0xa1, 0x47, 0x9a, 0x2c, 0x77, 0x57, 0xfb, 0x90, 0x43
  };
  guint8 salt[RC_ANSWER_SALT_BYTES];
  g_autoptr (GstBuffer) got = NULL;

  for (guint i = 0; i < sizeof salt; i++)
    salt[i] = (guint8) i;
  got = secure_passphrase_derive (settings.passphrase, salt, SECURE_CIPHER_AUTO);
  fail_unless_equals_int (gst_buffer_get_size (got), sizeof key);
  fail_unless_equals_int (gst_buffer_memcmp (got, 0, key, sizeof key), 0);
}

/* One keyboard writes a letter as one character, another one as two. */
CLAIM (test_the_same_letters_are_the_same_passphrase)
{
  const guint8 salt[RC_ANSWER_SALT_BYTES] = { 0 };
  g_autoptr (GstBuffer) decomposed = secure_passphrase_new ("ho\xcc\x88" "chst geheim");
  g_autoptr (GstBuffer) one = secure_passphrase_derive (settings.passphrase, salt,
      SECURE_CIPHER_AUTO);
  g_autoptr (GstBuffer) two = secure_passphrase_derive (decomposed, salt, SECURE_CIPHER_AUTO);
  GstMapInfo map;

  gst_buffer_map (one, &map, GST_MAP_READ);
  fail_unless_equals_int (gst_buffer_memcmp (two, 0, map.data, map.size), 0);
  gst_buffer_unmap (one, &map);
}

CLAIM (test_a_salt_is_derived_of_once)
{
  fail_unless (answer (1));
  fail_unless (derive_at (RC_SECOND, RC_MSEC));
  fail_unless (secret.fresh && !secret.waits);
  fail_if (answer (1));
  fail_if (derive_at (60 * RC_SECOND, RC_MSEC));
}

/* A listener that sends another one with each answer. */
CLAIM (test_many_salts_take_a_fifth_of_a_processor_at_most)
{
  const RcTime took = 100 * RC_MSEC;
  guint n = 0;

  for (RcTime now = RC_SECOND; now < 101 * RC_SECOND; now += RC_MSEC) {
    answer ((guint8) (now / RC_MSEC));
    n += derive_at (now, took);
  }
  fail_unless (n >= 100 && n <= 200, "%u", n);
}

CLAIM (test_nobody_else_begins_while_one_works)
{
  CallSecretWork work, other;

  answer (1);
  fail_unless (must_work (RC_SECOND, &work));
  answer (2);
  fail_if (must_work (2 * RC_SECOND, &other));
  fail_unless (next_at == RC_TIME_NONE);
  work_for (&work, RC_SECOND, RC_SECOND);
  fail_unless (secret.waits && !secret.fresh);  /* that was of the salt before */
  fail_unless (derive_at (10 * RC_SECOND, RC_MSEC));
  fail_if (secret.waits);
}

CLAIM (test_a_new_passphrase_counts_from_the_next_salt_on)
{
  g_autoptr (GstBuffer) before = NULL;

  answer (1);
  derive_at (RC_SECOND, RC_MSEC);
  before = gst_buffer_ref (secret.key);
  set_passphrase ("another secret");
  fail_if (answer (1));
  fail_unless (secret.key == before);
  fail_unless (answer (2));
  fail_unless (derive_at (2 * RC_SECOND, RC_MSEC));
  fail_unless (secret.key != before);
}

CLAIM (test_a_start_goes_on_with_the_key_of_the_same_passphrase)
{
  g_autoptr (GstBuffer) before = NULL;

  answer (1);
  derive_at (RC_SECOND, RC_MSEC);
  before = gst_buffer_ref (secret.key);
  call_secret_begin (&secret, &settings);
  fail_unless (secret.key == before && !answer (1));
  set_passphrase ("another secret");
  call_secret_begin (&secret, &settings);
  fail_unless (secret.key && secret.key != before && answer (1));
}

CLAIM (test_an_answer_without_a_salt_changes_nothing)
{
  RcAnswer none = {.number = 1,.cookie = 2 };

  fail_if (call_secret_take_answer (&secret, &none));
  fail_unless (secret.key && !call_secret_is_salted (&secret));
}

/* Else who guesses it could send in the sender's name. */
CLAIM (test_before_a_salt_the_key_is_random)
{
  g_autoptr (GstBuffer) before = gst_buffer_ref (secret.key);
  GstMapInfo map;

  set_passphrase (NULL);
  call_secret_begin (&secret, &settings);
  set_passphrase (PASSPHRASE);
  call_secret_begin (&secret, &settings);
  gst_buffer_map (before, &map, GST_MAP_READ);
  fail_unless_equals_int (map.size, 28);
  fail_unless (gst_buffer_memcmp (secret.key, 0, map.data, map.size) != 0);
  gst_buffer_unmap (before, &map);
}

CLAIM (test_without_a_passphrase_a_salt_is_ignored)
{
  set_passphrase (NULL);
  call_secret_begin (&secret, &settings);
  fail_if (answer (1));
  fail_unless (!secret.key && !derive_at (RC_SECOND, RC_MSEC));
}

CLAIM (test_without_a_passphrase_any_more_nobody_asks_again)
{
  CallSecretWork work;

  fail_unless (answer (1));
  gst_clear_buffer (&settings.passphrase);
  fail_if (must_work (RC_MSEC, &work));
  fail_unless (next_at == RC_TIME_NONE);
}

CLAIM (test_a_key_of_another_length_is_not_taken)
{
  CallSecretWork work;

  fail_unless (answer (1) && must_work (0, &work));
  settings.cipher = SECURE_CIPHER_AES_256_GCM;
  work_for (&work, 0, RC_MSEC);
  fail_if (secret.fresh || call_secret_is_salted (&secret));
}
