/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Numbers of wire formats: big-endian, at any alignment. Each put returns where the next goes. */
#pragma once

#include <stdint.h>

static inline uint8_t *
rc_put16 (uint8_t *at, uint16_t value)
{
  at[0] = (uint8_t) (value >> 8);
  at[1] = (uint8_t) value;
  return at + 2;
}

static inline uint8_t *
rc_put32 (uint8_t *at, uint32_t value)
{
  return rc_put16 (rc_put16 (at, (uint16_t) (value >> 16)), (uint16_t) value);
}

static inline uint8_t *
rc_put64 (uint8_t *at, uint64_t value)
{
  return rc_put32 (rc_put32 (at, (uint32_t) (value >> 32)), (uint32_t) value);
}

static inline uint16_t
rc_get16 (const uint8_t *at)
{
  return (uint16_t) (at[0] << 8 | at[1]);
}

static inline uint32_t
rc_get32 (const uint8_t *at)
{
  return (uint32_t) rc_get16 (at) << 16 | rc_get16 (at + 2);
}

static inline uint64_t
rc_get64 (const uint8_t *at)
{
  return (uint64_t) rc_get32 (at) << 32 | rc_get32 (at + 4);
}
