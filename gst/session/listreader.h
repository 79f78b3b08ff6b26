/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Feedback that lists packets, of receivers that speak RFC 8888 or TWCC: from the bytes of an RTCP
 * packet to the sender. What it needs is allocated when the first list comes: a sender whose
 * receiver makes reports of our own pays nothing. No locks: the session's is held. */
#pragma once

#include "rtp/rtcpmessage.h"
#include <rc/sender/sender.h>

G_BEGIN_DECLS

typedef struct _ListReader ListReader;

void list_reader_free (ListReader * self);
/* *self: NULL before the first call. data: the datagram that the list was found in. FALSE:
 * malformed. */
gboolean list_reader_take (ListReader ** self, RcLane * lane, const RtcpList * list,
    const guint8 * data, RcTime now);

G_END_DECLS
