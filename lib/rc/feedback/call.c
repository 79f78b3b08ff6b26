/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Codec of calls and answers; the layout is drawn in call.h. Fixed part, then blocks in ascending
 * order, unknown ones skipped. One value has one encoding. */
#include <rc/feedback/call.h>

#include <rc/base/bytes.h>
#include <string.h>

#define BLOCK_HEADER_BYTES 4
#define CALL_BYTES 24
#define BLOCK_STREAM_ID 1
#define BLOCK_ENCODINGS 2
#define BLOCK_PROOF 3
#define BLOCK_FILLER 255
#define BLOCK_REASON 1          /* of an answer, as the next */
#define BLOCK_SALT 2

static size_t
text_len (const char *text, size_t most)
{
  const char *end = memchr (text, '\0', most);

  return end ? (size_t) (end - text) : most;
}

static size_t
text_block_bytes (size_t len)
{
  return len > 0 ? BLOCK_HEADER_BYTES + (len + 3) / 4 * 4 : 0;
}

static uint8_t *
put_header (uint8_t *at, uint8_t type, size_t bytes)
{
  return rc_put32 (at, (uint32_t) type << 24 | (uint32_t) (bytes / 4) << 16);
}

static bool
is_between (unsigned c, unsigned first, unsigned last)
{
  return c >= first && c <= last;
}

/* How many bytes the character that begins here has, if it must not be there; else 0. */
static size_t
unwanted_bytes (const uint8_t *at, size_t left)
{
  unsigned next = left > 1 ? at[1] : 0, last = left > 2 ? at[2] : 0;

  if (at[0] < 0x20 || at[0] == 0x7f)
    return 1;
  if ((at[0] == 0xc2 && is_between (next, 0x80, 0x9f))  /* C1 */
      || (at[0] == 0xd8 && next == 0x9c))       /* U+061C */
    return 2;
  if (at[0] == 0xe2 && next == 0x80     /* U+200E, U+200F, U+2028 to U+202E */
      && (is_between (last, 0x8e, 0x8f) || is_between (last, 0xa8, 0xae)))
    return 3;
  return at[0] == 0xe2 && next == 0x81 && is_between (last, 0xa6, 0xa9) ? 3 : 0;
}

static bool
is_text (const uint8_t *text, size_t len)
{
  for (size_t i = 0; i < len; i++)
    if (unwanted_bytes (text + i, len - i) > 0)
      return false;
  return true;
}

bool
rc_call_is_text (const char *text)
{
  const uint8_t *at = (const uint8_t *) text;

  for (; at[0] != '\0'; at++)
    if (unwanted_bytes (at, at[1] == '\0' ? 1 : at[2] == '\0' ? 2 : 3) > 0)
      return false;
  return true;
}

static uint8_t *
put_text (uint8_t *at, uint8_t type, const char *text, size_t len)
{
  size_t bytes = (len + 3) / 4 * 4;

  if (len == 0)
    return at;
  at = put_header (at, type, bytes);
  memset (at, 0, bytes);
  memcpy (at, text, len);
  for (size_t i = 0; i < len; i++) {
    size_t unwanted = unwanted_bytes (at + i, len - i);

    if (unwanted > 0)
      memset (at + i, '?', unwanted);
  }
  return at + bytes;
}

static uint8_t *
put_bytes (uint8_t *at, uint8_t type, const uint8_t *bytes, size_t n)
{
  memcpy (put_header (at, type, n), bytes, n);
  return at + BLOCK_HEADER_BYTES + n;
}

size_t
rc_call_encode (const RcCall *call, uint8_t *bytes, size_t cap)
{
  size_t id_len = text_len (call->stream_id, RC_CALL_STREAM_ID_BYTES);
  size_t names_len = text_len (call->encodings, RC_CALL_ENCODINGS_BYTES);
  size_t size = CALL_BYTES + text_block_bytes (id_len) + text_block_bytes (names_len)
      + (call->proves ? BLOCK_HEADER_BYTES + RC_CALL_PROOF_BYTES : 0);
  size_t filler = size < RC_CALL_LEAST_BYTES ? RC_CALL_LEAST_BYTES - size : 0;
  uint8_t *at = bytes;

  if (cap < size + filler)
    return 0;
  at = rc_put64 (rc_put64 (at, call->number), call->cookie);
  at = rc_put32 (rc_put32 (at, call->wish), call->max_kbps);
  at = put_text (at, BLOCK_STREAM_ID, call->stream_id, id_len);
  at = put_text (at, BLOCK_ENCODINGS, call->encodings, names_len);
  if (call->proves)
    at = put_bytes (at, BLOCK_PROOF, call->proof, RC_CALL_PROOF_BYTES);
  if (filler > 0)
    memset (put_header (at, BLOCK_FILLER, filler - BLOCK_HEADER_BYTES), 0,
        filler - BLOCK_HEADER_BYTES);
  return size + filler;
}

size_t
rc_answer_encode (const RcAnswer *answer, uint8_t *bytes, size_t cap)
{
  size_t len = text_len (answer->reason, RC_ANSWER_REASON_BYTES);
  size_t size = RC_ANSWER_BYTES + text_block_bytes (len)
      + (answer->salted ? BLOCK_HEADER_BYTES + RC_ANSWER_SALT_BYTES : 0);
  uint8_t *at = bytes;

  if (cap < size)
    return 0;
  at = rc_put32 (rc_put64 (rc_put64 (at, answer->number), answer->cookie), answer->verdict);
  at = put_text (at, BLOCK_REASON, answer->reason, len);
  if (answer->salted)
    put_bytes (at, BLOCK_SALT, answer->salt, RC_ANSWER_SALT_BYTES);
  return size;
}

/* A text that ends in this block and nowhere before. */
static bool
read_text (const uint8_t *words, size_t bytes, char *text, size_t most)
{
  size_t len = text_len ((const char *) words, bytes);

  if (len == 0 || len > most || bytes - len >= 4 || !is_text (words, len))
    return false;
  for (size_t i = len; i < bytes; i++)
    if (words[i] != 0)
      return false;
  memcpy (text, words, len);
  text[len] = '\0';
  return true;
}

static bool
read_call_block (uint8_t type, const uint8_t *words, size_t bytes, RcCall *call)
{
  switch (type) {
    case BLOCK_STREAM_ID:
      return read_text (words, bytes, call->stream_id, RC_CALL_STREAM_ID_BYTES);
    case BLOCK_ENCODINGS:
      return read_text (words, bytes, call->encodings, RC_CALL_ENCODINGS_BYTES);
    case BLOCK_PROOF:
      if (bytes != RC_CALL_PROOF_BYTES)
        return false;
      call->proves = true;
      memcpy (call->proof, words, bytes);
      return true;
    default:
      return true;
  }
}

static bool
read_answer_block (uint8_t type, const uint8_t *words, size_t bytes, RcAnswer *answer)
{
  if (type == BLOCK_REASON)
    return read_text (words, bytes, answer->reason, RC_ANSWER_REASON_BYTES);
  if (type != BLOCK_SALT)
    return true;
  if (bytes != RC_ANSWER_SALT_BYTES)
    return false;
  answer->salted = true;
  memcpy (answer->salt, words, bytes);
  return true;
}

/* Size of the block, with its header; 0: it is none. */
static size_t
block_bytes (const uint8_t *at, size_t left, uint8_t last_known, uint8_t most_known)
{
  size_t size = BLOCK_HEADER_BYTES + 4 * (size_t) at[1];

  if (size > left || at[2] != 0 || at[3] != 0)
    return 0;
  return at[0] <= most_known && at[0] <= last_known ? 0 : size;
}

bool
rc_call_decode (const uint8_t *bytes, size_t len, RcCall *out)
{
  uint8_t last = 0;
  size_t size;

  if (len < RC_CALL_LEAST_BYTES || len > RC_CALL_MOST_BYTES || len % 4 != 0)
    return false;
  *out = (RcCall) {.number = rc_get64 (bytes),.cookie = rc_get64 (bytes + 8),
    .wish = rc_get32 (bytes + 16),.max_kbps = rc_get32 (bytes + 20) };
  for (size_t at = CALL_BYTES; at < len; at += size) {
    size = block_bytes (bytes + at, len - at, last, BLOCK_PROOF);
    if (size == 0 || !read_call_block (bytes[at], bytes + at + BLOCK_HEADER_BYTES,
            size - BLOCK_HEADER_BYTES, out))
      return false;
    last = bytes[at];
  }
  return out->number != 0 && out->wish <= RC_CALL_LEAVE;
}

bool
rc_answer_decode (const uint8_t *bytes, size_t len, RcAnswer *out)
{
  uint8_t last = 0;
  size_t size;

  if (len < RC_ANSWER_BYTES || len > RC_ANSWER_MOST_BYTES || len % 4 != 0)
    return false;
  *out = (RcAnswer) {.number = rc_get64 (bytes),.cookie = rc_get64 (bytes + 8),
    .verdict = rc_get32 (bytes + 16) };
  for (size_t at = RC_ANSWER_BYTES; at < len; at += size) {
    size = block_bytes (bytes + at, len - at, last, BLOCK_SALT);
    if (size == 0 || !read_answer_block (bytes[at], bytes + at + BLOCK_HEADER_BYTES,
            size - BLOCK_HEADER_BYTES, out))
      return false;
    last = bytes[at];
  }
  return out->number != 0 && (out->verdict != RC_ANSWER_COOKIE || out->cookie != 0);
}
