/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "base/watchlist.h"

#include "base/messagelog.h"

typedef struct
{
  GWeakRef element;
  guint64 id;
} Entry;

static GMutex lock;
static GPtrArray *entries;      /* lock; NULL: there is no watcher */
static guint64 last_id;         /* lock */
static void (*added) (void);    /* lock */

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_weak_ref_clear (&entry->element);
  g_free (entry);
}

static void
watched_clear (gpointer data)
{
  gst_clear_object (&((Watched *) data)->element);
}

void
watch_list_begin (void (*on_added) (void))
{
  g_mutex_lock (&lock);
  entries = g_ptr_array_new_with_free_func (entry_free);
  added = on_added;
  g_mutex_unlock (&lock);
}

void
watch_list_add (GstElement * element)
{
  void (*on_added) (void) = NULL;
  Entry *entry;

  g_mutex_lock (&lock);
  if (entries != NULL) {
    message_log_add (element);
    entry = g_new0 (Entry, 1);
    g_weak_ref_init (&entry->element, element);
    entry->id = ++last_id;
    g_ptr_array_add (entries, entry);
    on_added = added;
  }
  g_mutex_unlock (&lock);
  if (on_added != NULL)
    on_added ();
}

static GArray *
living (void)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (Watched));
  guint i;

  g_array_set_clear_func (found, watched_clear);
  g_mutex_lock (&lock);
  for (i = 0; i < entries->len;) {
    Entry *entry = g_ptr_array_index (entries, i);
    Watched watched = { g_weak_ref_get (&entry->element), entry->id };

    if (watched.element == NULL) {
      g_ptr_array_remove_index (entries, i);
      continue;
    }
    g_array_append_val (found, watched);
    i++;
  }
  g_mutex_unlock (&lock);
  return found;
}

gboolean
watch_list_is_empty (void)
{
  GArray *found = living ();
  gboolean empty = found->len == 0;

  g_array_unref (found);
  return empty;
}

/* What the application chose: the bin around it reports nothing of it. */
static gboolean
is_splitter_of (GstElement * element, GstObject * bin)
{
  GstElement *splitter = NULL;

  if (g_object_class_find_property (G_OBJECT_GET_CLASS (bin), "splitter"))
    g_object_get (bin, "splitter", &splitter, NULL);
  if (splitter)
    gst_object_unref (splitter);
  return splitter == element;
}

/* By its own factory, and no part of one of ours. */
static gboolean
is_whole (GstElement * element, GHashTable * ours)
{
  GstObject *parent = gst_object_get_parent (GST_OBJECT (element));
  gboolean whole = parent != NULL && gst_element_get_factory (element) != NULL
      && (!g_hash_table_contains (ours, parent) || is_splitter_of (element, parent));

  gst_clear_object (&parent);
  return whole;
}

GArray *
watch_list_elements (void)
{
  GArray *found = living ();
  GHashTable *ours = g_hash_table_new (NULL, NULL);
  guint i;

  for (i = 0; i < found->len; i++)
    g_hash_table_add (ours, g_array_index (found, Watched, i).element);
  for (i = 0; i < found->len;) {
    if (is_whole (g_array_index (found, Watched, i).element, ours))
      i++;
    else
      g_array_remove_index (found, i);
  }
  g_hash_table_unref (ours);
  return found;
}
