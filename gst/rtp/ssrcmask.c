/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _DEFAULT_SOURCE         /* getentropy */
#include "rtp/ssrcmask.h"

#include <string.h>
#include <unistd.h>

#define HALF_BITS (SSRC_MASK_BITS / 2)
#define HALF ((1u << HALF_BITS) - 1)
#define ROUNDS 4                /* of a Feistel network: a permutation, whatever `mix` is */
#define DIGEST_BYTES 32

static GMutex lock;
static guint32 n_masks;
static gboolean has_secret;
static guint8 secret[32];

static guint32
next_number (void)
{
  guint32 n;

  g_mutex_lock (&lock);
  if (!has_secret && getentropy (secret, sizeof secret) != 0)
    for (guint i = 0; i < sizeof secret; i++)
      secret[i] = (guint8) g_random_int ();
  has_secret = TRUE;
  n = n_masks++ & ((1u << SSRC_MASK_BITS) - 1);
  g_mutex_unlock (&lock);
  return n;
}

static guint32
mix (guint32 round, guint32 half)
{
  const guint32 text[] = { round, half };
  GHmac *hmac = g_hmac_new (G_CHECKSUM_SHA256, secret, sizeof secret);
  guint8 digest[DIGEST_BYTES];
  gsize size = sizeof digest;
  guint32 mixed;

  g_hmac_update (hmac, (const guchar *) text, sizeof text);
  g_hmac_get_digest (hmac, digest, &size);
  g_hmac_unref (hmac);
  memcpy (&mixed, digest, sizeof mixed);
  return mixed & HALF;
}

guint32
ssrc_mask_new (void)
{
  guint32 n = next_number (), left = n >> HALF_BITS, right = n & HALF;

  for (guint32 round = 0; round < ROUNDS; round++) {
    guint32 before = left;

    left = right;
    right = before ^ mix (round, right);
  }
  return (left << HALF_BITS | right) << (32 - SSRC_MASK_BITS);
}
