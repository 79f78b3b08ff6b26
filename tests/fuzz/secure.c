/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A sender and a receiver with one key, and somebody without it who reads, changes, repeats and
 * makes up packets between them. The input is a list of steps, two bytes each: what, and how.
 *
 * Invariants: what the sender protected opens to the same bytes, once, if it comes within the
 * window, also after a new key and among attacks; nothing else ever opens; each refusal is counted
 * once, and nothing else is. */
#include "fuzz.h"

#include <srtp/securecontext.h>
#include <srtp/securestreams.h>
#include <string.h>

#define MAX_BYTES 120           /* of a packet in the clear */
#define N_KEPT 16               /* packets between the two */
#define N_STREAMS 3
#define MAX_STEP 3000           /* of sequence numbers */

typedef struct
{
  guint8 plain[MAX_BYTES], sealed[MAX_BYTES + SECURE_MAX_TRAILER_BYTES];
  gsize plain_bytes, sealed_bytes;
  gboolean pending;             /* it has not come yet */
  guint keys;                   /* that were set before it was made */
  guint64 index;
  guint stream;
  gboolean rtcp;
} Kept;

typedef struct
{
  SecureContext *sender, *receiver;
  Kept kept[N_KEPT];
  guint n, keys;
  guint64 index[N_STREAMS], highest[N_STREAMS]; /* sent; come */
  guint64 refusals;
  RcTime now;
} Pair;

static guint64 sessions;
static unsigned long opened, refused, replayed, rekeyed, overflows;

/* Another one in each session: what was sent by a key in this process is not sent again. */
static GstBuffer *
key_of (guint number, gsize bytes)
{
  guint8 *data = g_malloc (bytes);

  memset (data, (gint) (number + 1), bytes);
  if (bytes > sizeof sessions)
    memcpy (data, &sessions, sizeof sessions);
  return gst_buffer_new_wrapped (data, bytes);
}

static SecureSettings
settings_of (guint8 kind, guint number)
{
  static const gsize key_bytes[] = { 30, 46, 28, 44 };
  SecureSettings settings = {.cipher = kind % 4,.auth = kind / 4 % 2 };

  settings.key = key_of (number, key_bytes[settings.cipher]);
  if (kind & 8 && (settings.cipher >= SECURE_CIPHER_AES_128_GCM
          || settings.auth == SECURE_AUTH_HMAC_SHA1_80))
    settings.mki = key_of (number, 1 + kind % 3);
  return settings;
}

static void
settings_clear (SecureSettings *settings)
{
  gst_clear_buffer (&settings->key);
  gst_clear_buffer (&settings->mki);
}

static guint64
rejected (SecureContext *context)
{
  GstStructure *stats = gst_structure_new_empty ("stats");
  guint64 value = 0, own = 1;

  secure_context_add_stats (context, stats);
  FUZZ_CHECK (gst_structure_get_uint64 (stats, "rejected", &value));
  FUZZ_CHECK (gst_structure_get_uint64 (stats, "srtp-unsent", &own) && own == 0);
  gst_structure_free (stats);
  return value;
}

/* A copy of its own, so that the sanitizer sees what is beyond its end. */
static gboolean
give (Pair *self, const guint8 *data, gsize size, guint8 *out, gsize *out_bytes)
{
  guint8 *exact = g_memdup2 (data, size);
  SecureArrival arrival;
  gsize left = size;
  gboolean ok = secure_context_unprotect (self->receiver, exact, &left, &arrival, self->now);

  if (!ok)
    secure_context_count_copy (self->receiver, &arrival);
  self->refusals += !ok;
  opened += ok;
  refused += !ok;
  if (ok) {
    FUZZ_CHECK (left <= MAX_BYTES);
    memcpy (out, exact, left);
    *out_bytes = left;
  }
  g_free (exact);
  return ok;
}

/* --- steps --- */

static void
make (Pair *self, guint8 how)
{
  Kept *kept = &self->kept[self->n++ % N_KEPT];
  guint stream = how % N_STREAMS;
  SecureDeparture departure;

  *kept = (Kept) {.pending = TRUE,.keys = self->keys,.stream = stream,.rtcp = how % 7 == 0 };
  if (!kept->rtcp)
    kept->index = self->index[stream] += 1 + (how & 0x80 ? how % 16 * (MAX_STEP / 16) : 0);
  kept->plain_bytes = kept->rtcp ? 8 : 12 + how % (MAX_BYTES - 12);
  for (gsize i = 0; i < kept->plain_bytes; i++)
    kept->plain[i] = (guint8) (i * how + kept->index);
  kept->plain[0] = 0x80;
  kept->plain[1] = kept->rtcp ? 201 : 96;
  kept->plain[2] = kept->rtcp ? 0 : (guint8) (kept->index >> 8);
  kept->plain[3] = kept->rtcp ? 1 : (guint8) kept->index;
  memset (kept->plain + (kept->rtcp ? 4 : 8), (gint) stream + 1, 4);
  memcpy (kept->sealed, kept->plain, kept->plain_bytes);
  kept->sealed_bytes = secure_context_protect (self->sender, kept->sealed, kept->plain_bytes,
      &departure, self->now);
  FUZZ_CHECK (kept->sealed_bytes > kept->plain_bytes);
  secure_context_note_sent (self->sender, &departure, 1);
}

/* Not by a key that the receiver may have forgotten, nor older than the window, nor so far ahead
 * that it looks old. SRTCP's window has 128 packets, of which there are fewer here. */
static gboolean
must_open (const Pair *self, const Kept *kept)
{
  guint64 highest = self->highest[kept->stream];

  return kept->pending && kept->keys == self->keys
      && (kept->rtcp || (highest < kept->index + SECURE_WINDOW
          && kept->index < (highest > 0 ? highest + 0x8000 : 0x10000)));
}

static void
deliver (Pair *self, guint8 how)
{
  Kept *kept = &self->kept[how % N_KEPT];
  guint8 out[MAX_BYTES];
  gsize out_bytes = 0;
  gboolean must = must_open (self, kept), ok;

  if (kept->sealed_bytes == 0)
    return;
  ok = give (self, kept->sealed, kept->sealed_bytes, out, &out_bytes);
  FUZZ_CHECK (!must || ok);
  FUZZ_CHECK (!ok || kept->pending);
  FUZZ_CHECK (!ok || (out_bytes == kept->plain_bytes
          && memcmp (out, kept->plain, out_bytes) == 0));
  replayed += !kept->pending;
  kept->pending = kept->pending && !ok;
  if (ok && !kept->rtcp) {
    overflows += self->highest[kept->stream] >> 16 < kept->index >> 16;
    self->highest[kept->stream] = MAX (self->highest[kept->stream], kept->index);
  }
}

static void
mangle (Pair *self, guint8 what, guint8 how)
{
  const Kept *kept = &self->kept[how % N_KEPT];
  guint8 bytes[sizeof kept->sealed], out[MAX_BYTES];
  gsize size = kept->sealed_bytes, out_bytes;

  if (size == 0)
    return;
  memcpy (bytes, kept->sealed, size);
  if (what & 1)
    size = how % size;
  else if (what & 2)
    memset (bytes + how % size, what ^ bytes[how % size], 1 + (size - 1 - how % size) / 2);
  if (size > 0)
    bytes[what / 2 % size] ^= (guint8) (1 << how % 8);
  if (size != kept->sealed_bytes || memcmp (bytes, kept->sealed, size) != 0)
    FUZZ_CHECK (!give (self, bytes, size, out, &out_bytes));
}

static void
set_keys (Pair *self, guint8 kind)
{
  SecureSettings settings = settings_of (kind, ++self->keys);

  FUZZ_CHECK (secure_context_rekey (self->receiver, &settings, NULL));
  FUZZ_CHECK (secure_context_rekey (self->sender, &settings, NULL));
  settings_clear (&settings);
  rekeyed++;
}

static void
step (Pair *self, guint8 kind, guint8 what, guint8 how)
{
  if (what < 100)
    make (self, how);
  else if (what < 160)
    deliver (self, how);
  else if (what < 250)
    mangle (self, what, how);
  else if (what < 253)
    self->now += how * RC_SECOND / 16;
  else if (self->keys < 3)
    set_keys (self, kind);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  guint8 kind = size > 0 ? data[0] : 0;
  SecureSettings settings = (sessions++, settings_of (kind, 0));
  Pair self = {.sender = secure_context_new (&settings, TRUE, NULL),
    .receiver = secure_context_new (&settings, FALSE, NULL) };
  guint8 out[MAX_BYTES];
  gsize out_bytes;

  FUZZ_CHECK (self.sender && self.receiver);
  /* Near an overflow. */
  for (guint i = 0; i < N_STREAMS; i++)
    self.index[i] = kind & 16 ? 60000 + 1000 * i : 100;
  for (size_t i = 1; i + 1 < size; i += 2)
    step (&self, kind, data[i], data[i + 1]);
  FUZZ_CHECK (!give (&self, data, size, out, &out_bytes));
  FUZZ_CHECK (rejected (self.receiver) == self.refusals && rejected (self.sender) == 0);
  secure_context_unref (self.sender);
  secure_context_unref (self.receiver);
  settings_clear (&settings);
  return 0;
}

#ifdef FUZZ_WITHOUT_MAIN
int LLVMFuzzerInitialize (int *argc, char ***argv);

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  gst_init (NULL, NULL);
  return 0;
}
#else
#define DEFAULT_COUNT 10000
#define INPUT_BYTES 401

/* Deterministic inputs, as driver.c has them. */
int
main (int argc, char **argv)
{
  unsigned long count = argc > 1 ? strtoul (argv[1], NULL, 0) : DEFAULT_COUNT, i;
  uint64_t state = UINT64_C (1) << 63 | 1;
  uint8_t bytes[INPUT_BYTES];

  gst_init (NULL, NULL);
  for (i = 0; opened + refused < count; i++) {
    for (unsigned k = 0; k < INPUT_BYTES; k++) {
      state ^= state >> 12;
      state ^= state << 25;
      state ^= state >> 27;
      bytes[k] = (uint8_t) (state * UINT64_C (0x2545f4914f6cdd1d) >> 56);
    }
    LLVMFuzzerTestOneInput (bytes, 1 + i % INPUT_BYTES);
  }
  printf ("%lu sessions: %lu packets opened, %lu refused, of these %lu replayed; %lu new keys, "
      "%lu overflows\n", i, opened, refused, replayed, rekeyed, overflows);
  return opened > 0 && refused > 0 && replayed > 0 && rekeyed > 0
      && (overflows > 0 || count < DEFAULT_COUNT) ? EXIT_SUCCESS : EXIT_FAILURE;
}
#endif
