/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/base/bytes.h>
#include <rc/feedback/sealedrtcp.h>
#include <string.h>

#include "claim.h"

#define MAX_BYTES 128
#define CIPHER_BYTE 0x5a        /* in the place of what is encrypted, and of tags and MKIs */
#define E UINT32_C (0x80000000)

typedef struct
{
  uint8_t bytes[MAX_BYTES];
  size_t size;
} Datagram;

static void
put_word (Datagram * d, uint32_t word)
{
  rc_put32 (d->bytes + d->size, word);
  d->size += 4;
}

static void
put_cipher (Datagram * d, size_t n)
{
  memset (d->bytes + d->size, CIPHER_BYTE, n);
  d->size += n;
}

/* The first header, of a packet of so many words behind it, and what is encrypted. */
static Datagram
headed (uint32_t words, size_t cipher_bytes)
{
  Datagram d = { {0}, 0 };

  put_word (&d, 0x80c90000 | words);
  put_word (&d, 0x11111111);
  put_cipher (&d, cipher_bytes);
  return d;
}

static Datagram
counter_mode (size_t cipher_bytes, uint32_t index, size_t mki_bytes, size_t tag_bytes)
{
  Datagram d = headed (1, cipher_bytes);

  put_word (&d, index);
  put_cipher (&d, mki_bytes + tag_bytes);
  return d;
}

static Datagram
gcm (size_t cipher_bytes, uint32_t index, size_t mki_bytes)
{
  Datagram d = headed (1, cipher_bytes + 16);

  put_word (&d, index);
  put_cipher (&d, mki_bytes);
  return d;
}

static bool
is_sealed (Datagram d)
{
  return rc_sealed_rtcp (d.bytes, d.size);
}

CLAIM (test_srtcp_of_each_tag_and_mki_is_recognised)
{
  const size_t tags[] = { 4, 10 }, ciphers[] = { 0, 4, 40 };

  for (guint c = 0; c < G_N_ELEMENTS (ciphers); c++)
    for (size_t mki = 0; mki <= 16; mki++) {
      for (guint t = 0; t < G_N_ELEMENTS (tags); t++)
        fail_unless (is_sealed (counter_mode (ciphers[c], E | 1, mki, tags[t])));
      fail_unless (is_sealed (gcm (ciphers[c], E | 1, mki)));
    }
}

CLAIM (test_index_needs_its_bit_and_is_not_beyond_the_bound)
{
  fail_unless (is_sealed (counter_mode (4, E, 0, 10)));
  fail_unless (is_sealed (counter_mode (4, E | (RC_SEALED_RTCP_INDEXES - 1), 0, 10)));
  fail_if (is_sealed (counter_mode (4, E | RC_SEALED_RTCP_INDEXES, 0, 10)));
  fail_if (is_sealed (counter_mode (4, 1, 0, 10)), "authenticated, but not encrypted");
  fail_if (is_sealed (counter_mode (4, 0, 0, 10)), "zeros behind a packet");
}

CLAIM (test_plain_compound_is_never_sealed)
{
  Datagram d = headed (1, 0);

  fail_if (is_sealed (d));
  put_word (&d, 0x80ca0000);
  fail_if (is_sealed (d));
  put_word (&d, 0x80cc0003);
  put_word (&d, 0x11111111);
  put_word (&d, E | 1);         /* data that look like an index */
  put_word (&d, 0);
  fail_if (is_sealed (d));
}

/* Malformed plain RTCP: the last packet claims more than there is, or a padding was forgotten in
 * the length. */
CLAIM (test_cut_or_padded_rtcp_is_not_sealed)
{
  Datagram d = headed (1, 0);

  put_word (&d, 0x80cc0009);
  put_word (&d, 0x11111111);
  put_word (&d, 0x54455354);
  fail_if (is_sealed (d));
  d = headed (1, 0);
  for (guint i = 0; i < 4; i++)
    put_word (&d, i == 3 ? 16 : 0);
  fail_if (is_sealed (d));
}

CLAIM (test_what_is_short_or_no_rtcp_is_not_sealed)
{
  static const struct { guint at; guint8 byte; const gchar *what; } wrong[] = {
    {1, 96, "RTP"}, {0, 0x40, "version 1"}, {2, 0xff, "a first packet larger than all"},
    {3, 0, "a first packet without SSRC"},
  };
  const Datagram sealed = counter_mode (4, E | 1, 0, 10);
  Datagram d;

  for (d = sealed; d.size > 15; d.size--);
  for (; d.size > 0; d.size--)
    fail_if (is_sealed (d), "%u bytes", (guint) d.size);
  fail_if (is_sealed (d));
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    d = sealed;
    d.bytes[wrong[i].at] = wrong[i].byte;
    fail_if (is_sealed (d), "%s", wrong[i].what);
  }
}
