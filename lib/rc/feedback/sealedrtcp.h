/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Is this datagram SRTCP? It can be recognised without the key, since the first eight bytes of
 * SRTCP are those of plain RTCP, and a trailer follows the last packet [RFC 3711 3.4, RFC 7714 9]:
 *
 *   counter mode   E + index (4 bytes)            MKI (0 to 16)   tag (4 or 10)
 *   AES-GCM        tag (16)   E + index (4)       MKI (0 to 16)
 *
 * Rule: the first header is one of RTCP, its packet and 8 bytes more fit into the datagram, the
 * lengths do not add up to its size, and where an index can be, at a multiple of 4, there is one
 * with the bit E ("encrypted") below RC_SEALED_RTCP_INDEXES. What is cut or padded by mistake is
 * taken for SRTCP by about one datagram in 150: one alone proves nothing. */
#pragma once

#include <rc/base/types.h>

/* So many SRTCP packets of one sender are recognised: 58 h at one each 50 ms. A further packet of a
 * compound, cut short, looks like an index with E, but like one of more than this. */
#define RC_SEALED_RTCP_INDEXES (UINT32_C (1) << 22)

bool rc_sealed_rtcp (const uint8_t *bytes, size_t size);
