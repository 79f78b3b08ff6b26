/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Source: M. L. Fredman, R. Sedgewick, D. D. Sleator, R. E. Tarjan, The pairing heap,
 * Algorithmica 1986. */
#include <rc/base/heap.h>

static RcHeapNode *
merge (RcHeapNode *a, RcHeapNode *b)
{
  RcHeapNode *top = b->key < a->key ? b : a, *below = top == a ? b : a;

  below->next = top->child;
  if (below->next)
    below->next->prev = below;
  below->prev = top;
  top->child = below;
  return top;
}

/* Two passes: siblings in pairs from the left, then the pairs from the right. */
static RcHeapNode *
merge_siblings (RcHeapNode *first)
{
  RcHeapNode *pairs = NULL, *a, *b, *root;

  while ((a = first)) {
    b = a->next;
    first = b ? b->next : NULL;
    a->next = a->prev = NULL;
    if (b) {
      b->next = b->prev = NULL;
      a = merge (a, b);
    }
    a->next = pairs;
    pairs = a;
  }
  root = pairs;
  if (root) {
    pairs = root->next;
    root->next = NULL;
  }
  while (root && (a = pairs)) {
    pairs = a->next;
    a->next = NULL;
    root = merge (root, a);
  }
  return root;
}

void
rc_heap_insert (RcHeap *self, RcHeapNode *node, RcTime key)
{
  *node = (RcHeapNode) { .key = key };
  self->root = self->root ? merge (self->root, node) : node;
}

static void
cut (RcHeapNode *node)
{
  if (node->prev->child == node)
    node->prev->child = node->next;
  else
    node->prev->next = node->next;
  if (node->next)
    node->next->prev = node->prev;
}

void
rc_heap_remove (RcHeap *self, RcHeapNode *node)
{
  RcHeapNode *rest = merge_siblings (node->child);

  if (node == self->root) {
    self->root = rest;
  } else {
    cut (node);
    if (rest)
      self->root = merge (self->root, rest);
  }
}
