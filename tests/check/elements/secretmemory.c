/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a core dump would have of a passphrase: copies of it in all memory that can be written,
 * freed memory as well. */
#include "claim.h"

#include <gst/arc/arc.h>
#include <gst/gst.h>
#include <srtp/securepassphrase.h>

#include <stdio.h>
#include <string.h>

#define SECRET_CHARS 60
#define TAIL_CHARS 40           /* of freed memory, malloc overwrites the beginning */
#define LARGEST_REGION (256u << 20)     /* what is larger is shadow memory of a sanitizer */

/* It is nowhere in memory but where it was put. */
static guint8
secret_at (guint i)
{
  return (guint8) ('a' + (i * i + 7 * i + 3) % 23);
}

static void
put_secret (gchar * text)
{
  for (guint i = 0; i < SECRET_CHARS; i++)
    text[i] = (gchar) secret_at (i);
  text[SECRET_CHARS] = '\0';
}

/* width: 4: as UCS-4. All memory is read, that of a sanitizer too. */
__attribute__ ((no_sanitize_address, no_sanitize_thread))
static gboolean
is_tail (const guint8 * at, guint width)
{
  for (guint i = 0; i < TAIL_CHARS; i++)
    if (at[i * width] != secret_at (SECRET_CHARS - TAIL_CHARS + i))
      return FALSE;
  return TRUE;
}

static guint
copies_between (const guint8 * from, const guint8 * to)
{
  guint n = 0;

  for (const guint8 * at = from; at + 4 * TAIL_CHARS <= to; at++)
    n += is_tail (at, 1) || is_tail (at, 4);
  return n;
}

static guint
copies_in_memory (void)
{
  FILE *maps = fopen ("/proc/self/maps", "r");
  guintptr from[1000], to[1000];
  guint n = 0, copies = 0;
  gchar line[500], flags[5];

  fail_unless (maps != NULL);
  while (fgets (line, sizeof line, maps))
    if (n < G_N_ELEMENTS (from) && sscanf (line, "%" G_GINTPTR_MODIFIER "x-%" G_GINTPTR_MODIFIER
            "x %4s", &from[n], &to[n], flags) == 3 && g_str_has_prefix (flags, "rw")
        && to[n] - from[n] < LARGEST_REGION && !strstr (line, "[stack]"))
      n++;
  fclose (maps);
  for (guint i = 0; i < n; i++)
    copies += copies_between ((const guint8 *) from[i], (const guint8 *) to[i]);
  return copies;
}

static const struct
{
  const gchar *factory, *before, *behind;
  gboolean ok;
} uris[] = {
  {"rmcsink", "arc://127.0.0.1:0?mode=listener&passphrase=", "", TRUE},
  {"arcsrc", "arc://127.0.0.1:5004?mode=caller&passphrase=", "&latency=200", TRUE},
  {"arcsrc", "arc://127.0.0.1:5004?passphrase=", "&payload=none", FALSE},
};

/* The text itself is the application's. */
CLAIMS (test_an_element_leaves_nothing_of_the_passphrase_of_its_uri, G_N_ELEMENTS (uris))
{
  GstElement *element = gst_element_factory_make (uris[__i__].factory, NULL);
  gsize at = strlen (uris[__i__].before);
  gchar text[200];

  strcpy (text, uris[__i__].before);
  put_secret (text + at);
  strcat (text, uris[__i__].behind);
  fail_unless_equals_int (gst_uri_handler_set_uri (GST_URI_HANDLER (element), text, NULL),
      uris[__i__].ok);
  memset (text, '-', sizeof text);
  fail_unless (!uris[__i__].ok || copies_in_memory () > 0);
  gst_object_unref (element);
  fail_unless_equals_int (copies_in_memory (), 0);
}

CLAIM (test_a_passphrase_that_gave_a_key_leaves_nothing)
{
  const guint8 salt[SECURE_SALT_BYTES] = { 0 };
  gchar text[SECRET_CHARS + 1];
  GstBuffer *passphrase;

  put_secret (text);
  passphrase = secure_passphrase_new (text);
  memset (text, '-', sizeof text);
  gst_buffer_unref (secure_passphrase_derive (passphrase, salt, SECURE_CIPHER_AUTO));
  gst_buffer_unref (passphrase);
  fail_unless_equals_int (copies_in_memory (), 0);
}
