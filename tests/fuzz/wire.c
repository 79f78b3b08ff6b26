/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Any bytes for the decoders: what is accepted survives encoding, to the same bytes if no
 * unknown block was skipped. */
#include "fuzz.h"

#include <rc/feedback/call.h>

#include <string.h>

FuzzCounts fuzz_counts;

bool
fuzz_decode_report (const uint8_t *bytes, size_t size, RcReport *report)
{
  uint8_t again[RC_WIRE_MAX_BYTES], twice[RC_WIRE_MAX_BYTES];
  RcReport copy;
  size_t len;

  if (!rc_wire_decode_report (bytes, size, report)) {
    fuzz_counts.reports_refused++;
    return false;
  }
  fuzz_counts.reports_accepted++;
  fuzz_counts.lists += report->arrivals.n > 0;
  len = rc_wire_encode_report (report, again, sizeof again);
  FUZZ_CHECK (len >= RC_WIRE_REPORT_BYTES && len <= size && len % 4 == 0);
  FUZZ_CHECK (rc_wire_encode_report (report, twice, len - 1) == 0);
  FUZZ_CHECK (rc_wire_decode_report (again, len, &copy));
  FUZZ_CHECK (rc_wire_encode_report (&copy, twice, sizeof twice) == len
      && memcmp (again, twice, len) == 0);
  if (len == size) {
    FUZZ_CHECK (memcmp (again, bytes, size) == 0);
    fuzz_counts.same_bytes++;
  }
  return true;
}

/* Whatever has come before: the fields of a whole format lie one behind the other. */
static void
take_part (const RcFormatPart *part)
{
  static RcFormatParts parts;
  size_t at = 0, n = 0, before = 0;
  RcField field;

  fuzz_counts.parts++;
  if (!rc_format_parts_take (&parts, part))
    return;
  fuzz_counts.formats++;
  FUZZ_CHECK (parts.n_bytes <= sizeof parts.bytes);
  for (; rc_fields_next (parts.bytes, parts.n_bytes, &at, &field); n++) {
    FUZZ_CHECK (field.name_len > 0 && (const uint8_t *) field.name == parts.bytes + before + 4);
    FUZZ_CHECK (field.value + field.len == parts.bytes + at && at <= parts.n_bytes);
    FUZZ_CHECK (field.type != RC_FIELD_STRINGS || field.value[field.len - 1] == '\0');
    before = at;
  }
  FUZZ_CHECK (n > 0 && n <= RC_FIELDS_MAX);
}

static void
decode_info (const uint8_t *bytes, size_t size)
{
  uint8_t again[RC_WIRE_MAX_BYTES], twice[RC_WIRE_MAX_BYTES];
  RcSenderInfo info, copy;
  size_t len;

  if (!rc_wire_decode_info (bytes, size, &info)) {
    fuzz_counts.infos_refused++;
    return;
  }
  fuzz_counts.infos_accepted++;
  len = rc_wire_encode_info (&info, again, sizeof again);
  FUZZ_CHECK (len >= RC_WIRE_INFO_BYTES && len <= size
      && memcmp (again, bytes, RC_WIRE_INFO_BYTES) == 0);
  FUZZ_CHECK (rc_wire_encode_info (&info, twice, len - 1) == 0);
  FUZZ_CHECK (rc_wire_decode_info (again, len, &copy) && copy.cookie == info.cookie);
  FUZZ_CHECK (len != size || memcmp (again, bytes, size) == 0);
  if (info.part.count > 0)
    take_part (&info.part);
}

static void
decode_notice (const uint8_t *bytes, size_t size)
{
  uint8_t again[RC_WIRE_NOTICE_BYTES];
  RcNotice notice;

  if (!rc_wire_decode_notice (bytes, size, &notice)) {
    fuzz_counts.notices_refused++;
    return;
  }
  fuzz_counts.notices_accepted++;
  FUZZ_CHECK (rc_wire_encode_notice (&notice, again, sizeof again) == RC_WIRE_NOTICE_BYTES);
  FUZZ_CHECK (memcmp (again, bytes, RC_WIRE_NOTICE_BYTES) == 0);
}

static void
decode_call (const uint8_t *bytes, size_t size)
{
  uint8_t again[RC_CALL_MOST_BYTES], twice[RC_CALL_MOST_BYTES];
  RcCall call, copy;
  size_t len;

  if (!rc_call_decode (bytes, size, &call))
    return;
  len = rc_call_encode (&call, again, sizeof again);
  FUZZ_CHECK (len >= RC_CALL_LEAST_BYTES && len <= size && rc_call_decode (again, len, &copy));
  FUZZ_CHECK (rc_call_encode (&copy, twice, sizeof twice) == len
      && memcmp (again, twice, len) == 0);
}

static void
decode_answer (const uint8_t *bytes, size_t size)
{
  uint8_t again[RC_ANSWER_MOST_BYTES];
  RcAnswer answer, copy;
  size_t len;

  if (!rc_answer_decode (bytes, size, &answer))
    return;
  len = rc_answer_encode (&answer, again, sizeof again);
  FUZZ_CHECK (len >= RC_ANSWER_BYTES && len <= size && rc_answer_decode (again, len, &copy));
  FUZZ_CHECK (copy.verdict == answer.verdict && copy.salted == answer.salted
      && memcmp (copy.salt, answer.salt, sizeof copy.salt) == 0);
}

/* One that a sender may write, from the input, and then with a bit of it changed: what is drawn
 * seldom has the form of blocks. */
static void
change_answer (const uint8_t *bytes, size_t size)
{
  RcAnswer answer = {.number = 1 + size,.verdict = bytes[0] % 6,.cookie = 1,
    .salted = bytes[1] & 1
  };
  uint8_t written[RC_ANSWER_MOST_BYTES];
  RcAnswer read;
  size_t len;

  for (size_t i = 0; i < sizeof answer.salt; i++)
    answer.salt[i] = bytes[i % size];
  for (size_t i = 0; i < bytes[2] % RC_ANSWER_REASON_BYTES && i < size; i++)
    answer.reason[i] = (char) ('a' + bytes[i] % 26);
  len = rc_answer_encode (&answer, written, sizeof written);
  FUZZ_CHECK (len > 0 && rc_answer_decode (written, len, &read));
  FUZZ_CHECK (read.salted == answer.salted && strcmp (read.reason, answer.reason) == 0
      && (!read.salted || memcmp (read.salt, answer.salt, sizeof read.salt) == 0));
  written[bytes[1] % len] ^= (uint8_t) (1 << bytes[2] % 8);
  decode_answer (written, len);
  FUZZ_CHECK (rc_answer_encode (&answer, written, len - 1) == 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  RcReport report;

  if (size == 0)
    return 0;
  if (data[0] % 2) {
    fuzz_session (data + 1, size - 1);
  } else {
    fuzz_decode_report (data + 1, size - 1, &report);
    decode_info (data + 1, size - 1);
    decode_notice (data + 1, size - 1);
    decode_call (data + 1, size - 1);
    decode_answer (data + 1, size - 1);
    if (size > 3)
      change_answer (data + 1, size - 1);
  }
  return 0;
}
