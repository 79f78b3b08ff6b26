/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/call.h>
#include <string.h>

#include "claim.h"

static RcCall
full_call (void)
{
  return (RcCall) {.number = 0x0102030405060708,.cookie = 9,.wish = RC_CALL_JOIN,.max_kbps = 2500,
    .stream_id = "camera/Türe 1",.encodings = "H264,VP8",.proves = true,.proof = { 1, 2, 3 } };
}

CLAIM (test_a_call_is_read_as_it_was_written)
{
  RcCall call = full_call (), read;
  guint8 bytes[RC_CALL_MOST_BYTES];
  gsize len = rc_call_encode (&call, bytes, sizeof bytes);

  fail_unless (len > 0 && len % 4 == 0);
  fail_unless (rc_call_decode (bytes, len, &read));
  fail_unless_equals_uint64 (read.number, call.number);
  fail_unless_equals_uint64 (read.cookie, 9);
  fail_unless_equals_int (read.max_kbps, 2500);
  fail_unless_equals_string (read.stream_id, call.stream_id);
  fail_unless_equals_string (read.encodings, "H264,VP8");
  fail_unless (read.proves && memcmp (read.proof, call.proof, sizeof call.proof) == 0);
}

CLAIM (test_an_answer_is_read_as_it_was_written)
{
  RcAnswer answer = {.number = 5,.verdict = RC_ANSWER_REFUSED,.reason = "no such stream" }, read;
  guint8 bytes[RC_ANSWER_MOST_BYTES];
  gsize len = rc_answer_encode (&answer, bytes, sizeof bytes);

  fail_unless (rc_answer_decode (bytes, len, &read));
  fail_unless_equals_int (read.verdict, RC_ANSWER_REFUSED);
  fail_unless_equals_string (read.reason, "no such stream");
}

/* No amplification: a call under a false address costs its sender more than its victim. */
CLAIM (test_a_cookie_costs_less_than_half_of_the_least_call)
{
  RcAnswer answer = {.number = 5,.cookie = 7,.verdict = RC_ANSWER_COOKIE };
  RcCall call = {.number = 5 };
  guint8 bytes[RC_CALL_MOST_BYTES];

  fail_unless_equals_int (rc_call_encode (&call, bytes, sizeof bytes), RC_CALL_LEAST_BYTES);
  fail_unless (2 * rc_answer_encode (&answer, bytes, sizeof bytes) < RC_CALL_LEAST_BYTES);
}

CLAIM (test_a_salt_is_read_as_it_was_written_and_costs_less_than_the_least_call)
{
  RcAnswer answer = {.number = 5,.cookie = 7,.verdict = RC_ANSWER_COOKIE,.salted = true }, read;
  guint8 bytes[RC_ANSWER_MOST_BYTES];
  gsize len;

  memset (answer.salt, 9, sizeof answer.salt);
  len = rc_answer_encode (&answer, bytes, sizeof bytes);
  fail_unless_equals_int (len, RC_ANSWER_COOKIE_MOST_BYTES);
  fail_unless (len < RC_CALL_LEAST_BYTES);
  fail_unless (rc_answer_decode (bytes, len, &read));
  fail_unless (read.salted && memcmp (read.salt, answer.salt, sizeof read.salt) == 0);
  bytes[RC_ANSWER_BYTES + 1]--;  /* a word less, which is the beginning of a block then */
  fail_if (rc_answer_decode (bytes, len, &read));
}

CLAIM (test_a_short_call_is_refused)
{
  RcCall call = {.number = 5 };
  guint8 bytes[RC_CALL_MOST_BYTES];
  gsize len = rc_call_encode (&call, bytes, sizeof bytes);

  for (gsize short_len = 0; short_len < len; short_len++)
    fail_if (rc_call_decode (bytes, short_len, &call));
}

static gboolean
is_read_with (gsize at, guint8 byte)
{
  RcCall call = full_call (), read;
  guint8 bytes[RC_CALL_MOST_BYTES];
  gsize len = rc_call_encode (&call, bytes, sizeof bytes);

  bytes[at] = byte;
  return rc_call_decode (bytes, len, &read);
}

CLAIM (test_what_is_out_of_range_is_refused)
{
  fail_unless (is_read_with (0, 1));
  fail_if (is_read_with (19, 2), "another wish");
  fail_if (is_read_with (24, 2), "blocks that do not ascend");
  fail_if (is_read_with (25, 200), "a block beyond the end");
  fail_if (is_read_with (27, 1), "a header that is not zero");
  fail_if (is_read_with (30, '\n'), "a control character in the stream id");
  fail_if (is_read_with (30, 0), "a text behind its end");
}

CLAIM (test_texts_that_are_too_long_are_cut)
{
  RcAnswer answer = {.number = 5,.verdict = RC_ANSWER_REFUSED }, read;
  guint8 bytes[RC_ANSWER_MOST_BYTES];

  memset (answer.reason, 'x', sizeof answer.reason);
  fail_unless (rc_answer_decode (bytes, rc_answer_encode (&answer, bytes, sizeof bytes), &read));
  fail_unless_equals_int (strlen (read.reason), RC_ANSWER_REASON_BYTES);
}

CLAIM (test_an_answer_without_the_cookie_that_it_promises_is_refused)
{
  RcAnswer answer = {.number = 5,.verdict = RC_ANSWER_COOKIE };
  guint8 bytes[RC_ANSWER_MOST_BYTES];

  fail_if (rc_answer_decode (bytes, rc_answer_encode (&answer, bytes, sizeof bytes), &answer));
}

static const char *const unwanted[] = {
  "a\nb", "a\x7f", "a\x1b[2J", "\xc2\x9b" "31m", "a\xd8\x9c", "\xe2\x80\x8e", "\xe2\x80\x8f",
  "\xe2\x80\xa8",
  "abc\xe2\x80\xae", "\xe2\x81\xa6 b", "\xe2\x81\xa9"
};

CLAIMS (test_what_a_terminal_or_a_line_obeys_is_no_text, (int) G_N_ELEMENTS (unwanted))
{
  RcAnswer answer = {.number = 7,.verdict = RC_ANSWER_REFUSED }, read;
  const char *text = unwanted[__i__];
  uint8_t bytes[RC_ANSWER_MOST_BYTES];
  size_t len;

  fail_if (rc_call_is_text (text));
  strcpy (answer.reason, text);
  len = rc_answer_encode (&answer, bytes, sizeof bytes);
  fail_unless (rc_answer_decode (bytes, len, &read));
  fail_unless (rc_call_is_text (read.reason) && strlen (read.reason) == strlen (text));
  memcpy (bytes + RC_ANSWER_BYTES + 4, text, strlen (text));
  fail_if (rc_answer_decode (bytes, len, &read));
}

CLAIM (test_letters_of_any_script_are_text)
{
  fail_unless (rc_call_is_text ("front door"));
  fail_unless (rc_call_is_text ("T\xc3\xbcr \xd7\x93\xd7\x9c\xd7\xaa \xe9\x97\xa8 "
          "\xd8\xa8\xd8\xa7\xd8\xa8 \xf0\x9f\x9a\xaa \xe2\x80\xa6"));
}
