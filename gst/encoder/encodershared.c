/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The trap: data of an object that is read without a reference is freed by whoever replaces
 * it on another thread. */

#include "encoder/encodershared.h"

static GMutex lock;             /* of all encoders: taken when a sink finds one */

static gpointer
dup_box (gpointer box, gpointer user_data)
{
  return box ? g_atomic_rc_box_acquire (box) : NULL;
}

gpointer
encoder_shared_of (GstElement * encoder, const gchar * name,
    gpointer (*make) (GstElement *, gconstpointer), gconstpointer data, GDestroyNotify unref)
{
  gpointer self;

  g_mutex_lock (&lock);
  self = g_object_dup_data (G_OBJECT (encoder), name, dup_box, NULL);
  if (self == NULL && make != NULL) {
    self = make (encoder, data);
    g_object_set_data_full (G_OBJECT (encoder), name, g_atomic_rc_box_acquire (self), unref);
  }
  g_mutex_unlock (&lock);
  return self;
}
