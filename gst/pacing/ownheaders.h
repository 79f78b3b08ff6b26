/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Buffers for packets that many viewers share but for the RTP header.
 *
 * Problem: to allocate a buffer and a memory for each header, to copy, map and free them was a
 * sixth of the instructions of a viewer's packet. Rule: a thread keeps a few such buffers, and what
 * has left goes back to them. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define OWN_HEADER_BYTES 12     /* of RTP, up to the SSRC */

typedef struct
{
  GstBuffer *buffer;            /* NULL: there is none */
  GstMemory *first;             /* of the buffer, until others merge its memories */
  guint8 *bytes;                /* of that */
} OwnHeader;

/* As long as there is one, buffers are kept. */
void own_headers_add_user (void);
void own_headers_remove_user (void);
/* FALSE: the packet's memory cannot be shared, or its first one is less than a header. Else it has
 * all but the header of the packet, whose bytes are the caller's to write. */
gboolean own_header_take (OwnHeader * self, GstBuffer * packet);
/* Lets go of what is shared. Who has a reference to the buffer keeps it. */
void own_header_put (OwnHeader * self);

G_END_DECLS
