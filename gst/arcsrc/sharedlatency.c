/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sharedlatency.h"

/* Here, since this file uses no other of the element. */
GST_DEBUG_CATEGORY (gst_arc_src_debug);
#define GST_CAT_DEFAULT gst_arc_src_debug

typedef struct
{
  GHashTable *wishes;           /* of the owners, ms */
  guint before_ms;
  gboolean alone;               /* somebody else has set it */
} SharedLatency;

/* Of all of them: it is taken some times a second at most, and never across a call out. */
static GMutex lock;
/* This thread is setting a latency. */
static GPrivate setting = G_PRIVATE_INIT (NULL);

static GQuark
quark (void)
{
  return g_quark_from_static_string ("gst-arc-shared-latency");
}

static void
shared_latency_free (gpointer data)
{
  SharedLatency *self = data;

  g_hash_table_unref (self->wishes);
  g_free (self);
}

static void
on_notify (GstElement * element, GParamSpec * pspec, gpointer user_data)
{
  SharedLatency *self;

  if (g_private_get (&setting))
    return;
  g_mutex_lock (&lock);
  self = g_object_get_qdata (G_OBJECT (element), quark ());
  if (self && g_hash_table_size (self->wishes) > 0 && !self->alone) {
    self->alone = TRUE;
    GST_INFO_OBJECT (element, "its latency was set: it is not adapted any more");
  }
  g_mutex_unlock (&lock);
}

static void
set_ms (GstElement * element, guint ms)
{
  g_private_set (&setting, element);
  g_object_set (element, "latency", ms, NULL);
  g_private_set (&setting, NULL);
}

/* With the lock held. */
static SharedLatency *
get (GstElement * element, guint now_ms)
{
  SharedLatency *self = g_object_get_qdata (G_OBJECT (element), quark ());

  if (!self) {
    self = g_new0 (SharedLatency, 1);
    self->wishes = g_hash_table_new (NULL, NULL);
    g_object_set_qdata_full (G_OBJECT (element), quark (), self, shared_latency_free);
    g_signal_connect (element, "notify::latency", G_CALLBACK (on_notify), NULL);
  }
  if (g_hash_table_size (self->wishes) == 0) {
    self->before_ms = now_ms;
    self->alone = FALSE;
  }
  return self;
}

/* With the lock held. */
static guint
largest (SharedLatency * self)
{
  GHashTableIter iter;
  gpointer ms;
  guint most = 0;

  g_hash_table_iter_init (&iter, self->wishes);
  while (g_hash_table_iter_next (&iter, NULL, &ms))
    most = MAX (most, GPOINTER_TO_UINT (ms));
  return most;
}

/* Another thread may set it at the same time. Each looks again after it has, so the last one finds
 * the largest of both wishes set, or sets it. */
gboolean
shared_latency_wish (GstElement * element, gpointer owner, guint ms, gboolean * changed)
{
  SharedLatency *self;
  gboolean alone, settled;
  guint now_ms, most;

  *changed = FALSE;
  do {
    g_object_get (element, "latency", &now_ms, NULL);
    g_mutex_lock (&lock);
    self = get (element, now_ms);
    g_hash_table_insert (self->wishes, owner, GUINT_TO_POINTER (ms));
    alone = self->alone;
    most = largest (self);
    settled = alone || now_ms == most;
    g_mutex_unlock (&lock);
    if (!settled) {
      set_ms (element, most);
      *changed = TRUE;
    }
  } while (!settled);
  return !alone;
}

void
shared_latency_leave (GstElement * element, gpointer owner)
{
  SharedLatency *self;
  guint before_ms = 0;
  gboolean last = FALSE;

  g_mutex_lock (&lock);
  self = g_object_get_qdata (G_OBJECT (element), quark ());
  if (self && g_hash_table_remove (self->wishes, owner)) {
    last = g_hash_table_size (self->wishes) == 0 && !self->alone;
    before_ms = self->before_ms;
  }
  g_mutex_unlock (&lock);
  if (last)
    set_ms (element, before_ms);
}
