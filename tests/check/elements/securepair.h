/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A sender and a receiver of one key, for each claim. */
#pragma once

#include "securefixture.h"

#define A 0xa0a0a0a0
#define B 0xb0b0b0b0

static SecureContext *sender, *receiver;

BEFORE_EACH
{
  sender = context_of (SECURE_TEST_KEY, TRUE);
  receiver = context_of (SECURE_TEST_KEY, FALSE);
}

AFTER_EACH
{
  secure_context_unref (sender);
  secure_context_unref (receiver);
}
