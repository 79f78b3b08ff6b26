/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* `lock` guards the list, and is held for copies of it only. */

#include "encoder/fecsteering.h"
#include "encoder/encoderwalk.h"

/* Data of an element: whose it is to set; that it was left open once, and so stays. */
#define OWNER "gst-arc-sets-fec"
#define OPEN "gst-arc-may-set-fec"

struct _FecSteering
{
  GMutex lock;
  GPtrArray *found;             /* of GstElement, each ours to set */
};

static gboolean
is_left_open (GstElement * element)
{
  guint percentage, important;

  if (g_object_get_data (G_OBJECT (element), OPEN))
    return TRUE;
  g_object_get (element, "percentage", &percentage, "percentage-important", &important, NULL);
  if (percentage > 0 || important > 0)
    return FALSE;
  g_object_set_data (G_OBJECT (element), OPEN, GINT_TO_POINTER (TRUE));
  return TRUE;
}

static void
set (GstElement * element, guint percentage)
{
  guint now;

  g_object_get (element, "percentage", &now, NULL);
  if (now != percentage)
    g_object_set (element, "percentage", percentage, NULL);
}

/* TRUE: it is ours, from now on or since before. */
static gboolean
claim (FecSteering * self, GstElement * element)
{
  if (g_object_get_data (G_OBJECT (element), OWNER) == self)
    return TRUE;
  return is_left_open (element)
      && g_object_replace_data (G_OBJECT (element), OWNER, NULL, self, NULL, NULL);
}

static void
let_go (gpointer element, gpointer self)
{
  if (g_object_replace_data (element, OWNER, self, NULL, NULL, NULL))
    set (element, 0);
}

FecSteering *
fec_steering_new (void)
{
  FecSteering *self = g_new0 (FecSteering, 1);

  g_mutex_init (&self->lock);
  self->found = g_ptr_array_new_with_free_func (gst_object_unref);
  return self;
}

void
fec_steering_free (FecSteering * self)
{
  fec_steering_forget (self);
  g_ptr_array_unref (self->found);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* Takes the new list, gives the old one. */
static GPtrArray *
exchange (FecSteering * self, GPtrArray * found)
{
  GPtrArray *old;

  g_mutex_lock (&self->lock);
  old = self->found;
  self->found = found;
  g_mutex_unlock (&self->lock);
  return old;
}

void
fec_steering_find (FecSteering * self, GstPad * sinkpad)
{
  GPtrArray *found = encoder_walk_fec (sinkpad), *old;

  for (guint i = found->len; i-- > 0;)
    if (!claim (self, found->pdata[i]))
      g_ptr_array_remove_index (found, i);
  old = exchange (self, found);
  for (guint i = 0; i < old->len; i++)
    if (!g_ptr_array_find (found, old->pdata[i], NULL))
      let_go (old->pdata[i], self);
  g_ptr_array_unref (old);
}

void
fec_steering_set (FecSteering * self, guint percentage)
{
  GPtrArray *found;

  g_mutex_lock (&self->lock);
  found = g_ptr_array_ref (self->found);
  g_mutex_unlock (&self->lock);
  for (guint i = 0; i < found->len; i++)
    set (found->pdata[i], percentage);
  g_ptr_array_unref (found);
}

void
fec_steering_forget (FecSteering * self)
{
  GPtrArray *old = exchange (self, g_ptr_array_new_with_free_func (gst_object_unref));

  g_ptr_array_foreach (old, let_go, self);
  g_ptr_array_unref (old);
}
