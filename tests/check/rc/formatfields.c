/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/formatfields.h>

#include "claim.h"

static guint8 bytes[RC_FIELDS_BYTES_MAX];

static gsize
put_text (gsize at, const gchar * name, const gchar * text)
{
  RcField field = { RC_FIELD_STRING, (guint8) strlen (name), (guint16) strlen (text), name,
    (const guint8 *) text
  };

  return rc_fields_put (bytes, at, &field);
}

CLAIM (test_fields_come_out_as_they_went_in)
{
  static const guint8 number[] = { 0, 0, 0, 6 }, yes[] = { 1 }, list[] = { 'a', 0, 0, 'b', 0 };
  const RcField in[] = {
    {RC_FIELD_STRING, 6, 4, "config", (const guint8 *) "1190"},
    {RC_FIELD_STRING, 5, 0, "empty", (const guint8 *) ""},
    {RC_FIELD_INT, 8, 4, "channels", number},
    {RC_FIELD_BOOLEAN, 15, 1, "rtcp-fb-nack-pli", yes},
    {RC_FIELD_STRINGS, 8, 5, "extmap-1", list},
  };
  gsize at = 0, end;
  RcField out;

  for (guint i = 0; i < G_N_ELEMENTS (in); i++)
    fail_unless ((end = rc_fields_put (bytes, at, &in[i])) > at, "%u", i), at = end;
  end = rc_fields_end (bytes, at);
  fail_unless (end % 4 == 0 && end - at < 4 && rc_fields_valid (bytes, end));
  at = 0;
  for (guint i = 0; i < G_N_ELEMENTS (in); i++) {
    fail_unless (rc_fields_next (bytes, end, &at, &out));
    fail_unless (out.type == in[i].type && out.len == in[i].len);
    fail_unless (out.name_len == in[i].name_len);
    fail_unless (memcmp (out.name, in[i].name, out.name_len) == 0);
    fail_unless (memcmp (out.value, in[i].value, out.len) == 0);
  }
  fail_if (rc_fields_next (bytes, end, &at, &out));
}

/* Also what no sender of ours makes. */
static const struct
{
  const gchar *name, *text;
} bad_texts[] = {
  {"", "x"}, {"1st", "x"}, {"-a", "x"}, {"_a", "x"}, {"a b", "x"}, {"a\n", "x"}, {"a;b", "x"},
  {"a", "x\n"}, {"a", "\x1b[2J"}, {"a", "\xc3\xa4"}, {"a", "\x7f"},
  {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "x"},
};

CLAIMS (test_names_and_texts_are_of_plain_characters, G_N_ELEMENTS (bad_texts))
{
  gsize name_len = strlen (bad_texts[__i__].name), len = strlen (bad_texts[__i__].text);

  fail_unless_equals_int (put_text (0, bad_texts[__i__].name, bad_texts[__i__].text), 0);
  memset (bytes, 0, 128);
  bytes[0] = RC_FIELD_STRING;
  bytes[1] = (guint8) name_len;
  bytes[3] = (guint8) len;
  memcpy (bytes + 4, bad_texts[__i__].name, name_len);
  memcpy (bytes + 4 + name_len, bad_texts[__i__].text, len);
  fail_if (rc_fields_valid (bytes, (4 + name_len + len + 3) / 4 * 4));
}

CLAIM (test_values_have_the_size_of_their_type)
{
  static const guint8 bad[][12] = {
    {RC_FIELD_INT, 1, 0, 3, 'a', 1, 2, 3}, {RC_FIELD_BOOLEAN, 1, 0, 1, 'a', 2},
    {RC_FIELD_BOOLEAN, 1, 0, 2, 'a', 1, 1}, {RC_FIELD_STRINGS, 1, 0, 2, 'a', 'b', 'c'},
    {RC_FIELD_STRINGS, 1, 0, 0, 'a'}, {5, 1, 0, 1, 'a', 'b'}, {RC_FIELD_STRING, 1, 0, 99, 'a'},
    {RC_FIELD_STRING, 1, 0xff, 0xff, 'a'}, {0}, {RC_FIELD_STRING, 1, 0, 1, 'a', 'b', 0, 1},
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    fail_if (rc_fields_valid (bad[i], 8), "%u", i);
  fail_if (rc_fields_valid (bad[0], 0));
  /* more zeros than fill a word */
  memset (bytes, 0, 64);
  fail_unless (rc_fields_valid (bytes, rc_fields_end (bytes, put_text (0, "ab", "cd"))));
  fail_if (rc_fields_valid (bytes, 12));
}

CLAIM (test_there_is_a_limit_to_their_number_and_size)
{
  gchar *longest = g_strnfill (RC_FIELDS_BYTES_MAX - 4 - 1, 'x');
  gsize at = 0;

  fail_unless_equals_int (put_text (0, "a", longest), RC_FIELDS_BYTES_MAX);
  fail_unless_equals_int (put_text (0, "ab", longest), 0);
  fail_unless_equals_int (put_text (RC_FIELDS_BYTES_MAX, "a", ""), RC_FIELDS_BYTES_MAX);
  memset (bytes, 0, sizeof bytes);
  for (guint i = 0; i < RC_FIELDS_MAX; i++)
    at = put_text (at, "abcd", "");
  fail_unless (rc_fields_valid (bytes, at));
  at = put_text (at, "abcd", "");
  fail_if (rc_fields_valid (bytes, at));
  g_free (longest);
}

/* --- parts --- */

/* Fields of about 1200 bytes. */
static gsize
three_parts (RcFormatPart parts[3], gchar letter)
{
  gchar *text = g_strnfill (1200, letter);
  gsize n;

  memset (bytes, 0, sizeof bytes);
  n = rc_fields_end (bytes, put_text (0, "configuration", text));
  g_free (text);
  fail_unless_equals_int (rc_format_part_count (n), 3);
  for (guint8 i = 0; i < 3; i++) {
    rc_format_part_of (&parts[i], bytes, n, i);
    fail_unless (rc_format_part_valid (&parts[i]));
  }
  return n;
}

CLAIM (test_parts_make_the_fields_in_any_order)
{
  RcFormatParts *come = g_new0 (RcFormatParts, 1);
  RcFormatPart parts[3];
  gsize n = three_parts (parts, 'x');

  fail_if (rc_format_parts_take (come, &parts[2]));
  fail_if (rc_format_parts_take (come, &parts[0]));
  fail_if (rc_format_parts_take (come, &parts[0]), "twice");
  fail_unless (rc_format_parts_take (come, &parts[1]));
  fail_unless (come->n_bytes == n && memcmp (come->bytes, bytes, n) == 0);
  fail_unless (rc_format_parts_take (come, &parts[1]), "again, which changes nothing");
  g_free (come);
}

CLAIM (test_parts_of_other_fields_do_not_mix)
{
  RcFormatParts *come = g_new0 (RcFormatParts, 1);
  RcFormatPart before[3], parts[3];

  three_parts (before, 'x');
  three_parts (parts, 'y');
  rc_format_parts_take (come, &before[0]);
  rc_format_parts_take (come, &before[1]);
  fail_if (rc_format_parts_take (come, &parts[2]));
  fail_if (rc_format_parts_take (come, &parts[0]));
  fail_unless (rc_format_parts_take (come, &parts[1]));
  parts[1].bytes[5] ^= 1;
  fail_if (rc_format_parts_take (come, &parts[1]), "the hash is of other bytes");
  g_free (come);
}
