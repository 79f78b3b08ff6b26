/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Whose numbers a report speaks of. Feedback that names RTP sequence numbers has one space for each
 * SSRC; transport-wide feedback has one for all packets of the transport. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum
{
  RC_NUMBERS_RTP,               /* the RTP sequence numbers of one SSRC */
  RC_NUMBERS_TRANSPORT,         /* the transport-wide numbers of all packets; ssrc is 0 */
} RcNumbers;

typedef struct
{
  RcNumbers kind;
  uint32_t ssrc;
} RcNumberSpace;

static inline RcNumberSpace
rc_numbers_of_ssrc (uint32_t ssrc)
{
  return (RcNumberSpace) { RC_NUMBERS_RTP, ssrc };
}

static inline bool
rc_numbers_equal (RcNumberSpace a, RcNumberSpace b)
{
  return a.kind == b.kind && a.ssrc == b.ssrc;
}
