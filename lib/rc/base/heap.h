/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A heap of the caller's nodes by time, smallest first: a pairing heap. Insert is O(1), the rest
 * O(log n) amortised; needs no memory of its own. Equal keys leave in no particular order. */
#pragma once

#include <rc/base/types.h>

typedef struct RcHeapNode RcHeapNode;
struct RcHeapNode
{
  RcTime key;
  RcHeapNode *child, *next;     /* first child; next sibling */
  RcHeapNode *prev; /* previous sibling, or the parent of a first child; NULL at the root */
};

typedef struct
{
  RcHeapNode *root;             /* the smallest, or NULL */
} RcHeap;

/* The node must not be in a heap. */
void rc_heap_insert (RcHeap *self, RcHeapNode *node, RcTime key);
/* The node must be in this heap. */
void rc_heap_remove (RcHeap *self, RcHeapNode *node);
