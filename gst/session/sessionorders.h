/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a session's work means for the encoders upstream. */
#pragma once

#include "encoder/encodersteering.h"
#include "rmcsession.h"

G_BEGIN_DECLS

/* The element adds what it allows. `ssrc`, which outlives the orders: the stream while none is
 * known that left. */
EncoderOrders session_orders (const RmcWork * work, const guint32 * ssrc);

G_END_DECLS
