/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Bytes of what a receiver that joins and a sender that listens say to each other: the
 * application-dependent data of two RTCP APP packets (RFC 3550 6.7) of subtype RC_WIRE_VERSION. All
 * else between them is what it is without a call (wire.h). Untrusted bytes stop here.
 *
 * Name "ARCC", receiver to sender: a call. A sender that listens keeps nothing of it until it
 * brings a cookie, which only comes to the address that it is for.
 *    0  8  number of the caller, > 0: random, and the same as long as it stays
 *    8  8  cookie of the last answer; 0: none yet
 *   16  4  wish (RcCallWish)
 *   20  4  most kbit/s that it takes, headers included; 0: no limit
 *   24     optional blocks, as in wire.h, known types in ascending order: type 1: stream id, zeros
 *          behind it. Type 2: encoding names of SDP that it takes, with commas between them, zeros
 *          behind. Type 3 (four words): proof that it has the key of SRTP. Type 255: zeros, so that
 *          the call has RC_CALL_LEAST_BYTES at least.
 *
 * Name "ARCA", sender to receiver: an answer. One that brings a cookie has RC_ANSWER_BYTES, or
 * with a salt RC_ANSWER_COOKIE_MOST_BYTES: less than any call, so that a call under a false address
 * gains nothing. Others go only to an address from which its cookie has come.
 *    0  8  number of the caller: who cannot read the call cannot answer it
 *    8  8  cookie; 0: none
 *   16  4  verdict (RcAnswerVerdict); those of later versions count as a refusal
 *   20     optional blocks: type 1: why not, for the user; zeros behind it. Type 2 (four words),
 *          with a cookie: salt of the passphrase. The key is as many bytes as the cipher needs of
 *          PBKDF2-HMAC-SHA-256 with RC_ANSWER_SALT_ROUNDS rounds [RFC 8018]. Another derivation
 *          would be another type: a count of rounds from the network could keep a caller busy.
 *
 * Texts are UTF-8 (gst checks that) without characters that a terminal or a line of a protocol
 * obeys: controls (C0, DEL, C1), line separators, and those that turn the direction of writing. All
 * big-endian.
 *
 * A call is in the clear, and proves the key by an HMAC: the key may depend on the stream id,
 * which must be readable first. Without the proof a wrong key would be a black picture; with it
 * the caller prints what is wrong. The number names the caller, not its address, so that a NAT
 * may change that. */
#pragma once

#include <rc/base/types.h>

#define RC_CALL_NAME "ARCC"
#define RC_CALL_LEAST_BYTES 72
#define RC_CALL_STREAM_ID_BYTES 512     /* as of SRT */
#define RC_CALL_ENCODINGS_BYTES 96
#define RC_CALL_PROOF_BYTES 16
#define RC_CALL_MOST_BYTES 768
#define RC_ANSWER_NAME "ARCA"
#define RC_ANSWER_BYTES 20
#define RC_ANSWER_REASON_BYTES 200
#define RC_ANSWER_SALT_BYTES 16
#define RC_ANSWER_SALT_ROUNDS 600000    /* OWASP's advice for SHA-256 */
#define RC_ANSWER_COOKIE_MOST_BYTES (RC_ANSWER_BYTES + 4 + RC_ANSWER_SALT_BYTES)
#define RC_ANSWER_MOST_BYTES (RC_ANSWER_COOKIE_MOST_BYTES + 4 + RC_ANSWER_REASON_BYTES)

typedef enum
{
  RC_CALL_JOIN = 0,             /* media, or to go on with it at the address of this call */
  RC_CALL_LEAVE = 1,            /* no media any more */
} RcCallWish;

typedef struct
{
  uint64_t number, cookie;
  uint32_t wish;                /* RcCallWish */
  uint32_t max_kbps;            /* 0: no limit */
  char stream_id[RC_CALL_STREAM_ID_BYTES + 1];  /* "": none */
  char encodings[RC_CALL_ENCODINGS_BYTES + 1];  /* "": any */
  bool proves;                  /* there is a proof */
  uint8_t proof[RC_CALL_PROOF_BYTES];
} RcCall;

typedef enum
{
  RC_ANSWER_COOKIE = 0,         /* call again, with the cookie */
  RC_ANSWER_ACCEPTED = 1,
  RC_ANSWER_REFUSED = 2,
  RC_ANSWER_LATER = 3,          /* not now: call on */
  RC_ANSWER_STRANGER = 4,       /* refused: it did not prove the key */
} RcAnswerVerdict;

typedef struct
{
  uint64_t number, cookie;      /* cookie: 0: none */
  uint32_t verdict;             /* RcAnswerVerdict */
  char reason[RC_ANSWER_REASON_BYTES + 1];      /* why not; "": none */
  bool salted;                  /* there is a salt */
  uint8_t salt[RC_ANSWER_SALT_BYTES];
} RcAnswer;

/* It has none of the characters that texts must not have. */
bool rc_call_is_text (const char *text);
/* Writes at most `cap` bytes; returns how many (a multiple of 4), or 0 if cap is too small. Texts
 * that are too long are cut, and characters that must not be there become '?'. */
size_t rc_call_encode (const RcCall *call, uint8_t *bytes, size_t cap);
size_t rc_answer_encode (const RcAnswer *answer, uint8_t *bytes, size_t cap);
/* false: refused; *out is then unspecified. */
bool rc_call_decode (const uint8_t *bytes, size_t len, RcCall *out);
bool rc_answer_decode (const uint8_t *bytes, size_t len, RcAnswer *out);
