/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The generic NACK of RTP (RFC 4585 6.2.1): which packets a receiver asks for again. Its FCI is a
 * list of words: a sequence number (PID, 16 bits) and a mask of the 16 numbers that follow it (BLP,
 * bit i: PID + i + 1). The RTCP framing around it is in gst/rtp. */
#pragma once

#include <rc/base/types.h>

#define RC_NACK_FMT 1        /* FMT of RTPFB */
#define RC_NACK_WORD_BYTES 4
#define RC_NACK_WORD_NUMBERS 17 /* most numbers of one word */

/* Writes at most `max` of the numbers that the FCI asks for; returns how many it asks for, and 0
 * for an FCI that is no list of words. */
unsigned rc_nack_decode (const uint8_t *fci, size_t len, uint16_t *numbers, unsigned max);
/* The numbers ascend, modulo 2^16. Writes at most `cap` bytes, returns how many; *n_told: how many
 * of the numbers they contain. */
size_t rc_nack_encode (const uint16_t *numbers, unsigned n, uint8_t *fci, size_t cap,
    unsigned *n_told);
