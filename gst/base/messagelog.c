/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Not a tracer hook, which would cost each pad for each buffer; not a signal of the bus, which
 * would have to be found first, and from which a bin may withhold a message. Each message of an
 * element starts in its class's post_message. */

#include "base/messagelog.h"

#include "base/messagewords.h"

#include <gst/arc/arc.h>
#include <string.h>

/* As many as a page shows; older ones were read long ago. */
#define KEPT 32

/* --- a message as text --- */

/* The longest sentence of ours has 450. */
#define MAX_TEXT_BYTES 600

/* The two that matter: those on the way to them would be four more with each start. */
static gchar *
text_of_state (GstElement * element, GstMessage * message)
{
  GstState from, to;

  gst_message_parse_state_changed (message, &from, &to, NULL);
  if (GST_MESSAGE_SRC (message) != GST_OBJECT (element))
    return NULL;
  if (to == GST_STATE_PLAYING)
    return g_strdup ("playing");
  return from == GST_STATE_PLAYING ? g_strdup ("no longer playing") : NULL;
}

/* Of an error, a warning or an information. */
static gchar *
text_of_error (GstMessage * message, void (*parse) (GstMessage *, GError **, gchar **))
{
  GError *error = NULL;
  gchar *text;

  parse (message, &error, NULL);
  text = g_strdup (error ? error->message : "");
  g_clear_error (&error);
  return text;
}

/* NULL: not worth telling. */
static gchar *
text_of (GstElement * element, GstMessage * message, const gchar ** kind)
{
  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      *kind = "error";
      return text_of_error (message, gst_message_parse_error);
    case GST_MESSAGE_WARNING:
      *kind = "warning";
      return text_of_error (message, gst_message_parse_warning);
    case GST_MESSAGE_INFO:
      *kind = "info";
      return text_of_error (message, gst_message_parse_info);
    case GST_MESSAGE_STATE_CHANGED:
      *kind = "state";
      return text_of_state (element, message);
    case GST_MESSAGE_EOS:
      *kind = "state";
      return g_strdup ("end of stream");
    case GST_MESSAGE_ELEMENT:
      *kind = "message";
      return gst_message_get_structure (message)
          ? message_words (gst_message_get_structure (message)) : NULL;
    default:
      return NULL;
  }
}

/* What is worth telling of a message that the element posts, for itself or for one inside of it:
 * the fields of GST_ARC_MONITOR_MESSAGE. NULL: it is not worth it. gst_structure_free() */
static GstStructure *
message_record (GstElement * element, GstMessage * message)
{
  const gchar *kind = NULL;
  gchar *text = text_of (element, message, &kind), *valid;
  GstStructure *s;

  if (text == NULL)
    return NULL;
  valid = g_utf8_make_valid (text, (gssize) MIN (strlen (text), MAX_TEXT_BYTES));
  s = gst_structure_new (GST_ARC_MONITOR_MESSAGE,
      "time", G_TYPE_UINT64, (guint64) g_get_real_time () / 1000,
      "kind", G_TYPE_STRING, kind, "text", G_TYPE_STRING, valid, NULL);
  if (GST_MESSAGE_SRC (message) != NULL && GST_MESSAGE_SRC (message) != GST_OBJECT (element))
    gst_structure_set (s, "from", G_TYPE_STRING, GST_MESSAGE_SRC_NAME (message), NULL);
  g_free (valid);
  g_free (text);
  return s;
}

/* --- the log --- */

typedef struct
{
  GQueue kept;                  /* GstStructure, oldest first */
  guint64 last;                 /* number of the last one */
  guint64 told;                 /* number of the last one that the reader has acknowledged */
  guint reader;
} MessageLog;

static GMutex lock;             /* of all logs: messages are rare */
static void (*after_error) (void);

static GQuark
log_quark (void)
{
  return g_quark_from_static_string ("gst-arc-message-log");
}

static void
log_free (gpointer data)
{
  MessageLog *log = data;

  g_queue_clear_full (&log->kept, (GDestroyNotify) gst_structure_free);
  g_free (log);
}

static void
keep (MessageLog * log, GstStructure * record)
{
  g_mutex_lock (&lock);
  gst_structure_set (record, "number", G_TYPE_UINT64, ++log->last, NULL);
  g_queue_push_tail (&log->kept, record);
  if (log->kept.length > KEPT)
    gst_structure_free (g_queue_pop_head (&log->kept));
  g_mutex_unlock (&lock);
}

static gboolean
post_message (GstElement * element, GstMessage * message)
{
  GstElementClass *stock = g_type_class_peek (GST_IS_BIN (element) ? GST_TYPE_BIN
      : GST_TYPE_ELEMENT);
  MessageLog *log = g_object_get_qdata (G_OBJECT (element), log_quark ());
  gboolean is_error = GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR;
  GstStructure *record = log ? message_record (element, message) : NULL;
  gboolean posted = stock->post_message (element, message);     /* takes the message */

  if (record != NULL)
    keep (log, record);
  if (record != NULL && is_error)
    after_error ();
  return posted;
}

void
message_log_begin (void (*on_error) (void))
{
  after_error = on_error;
}

void
message_log_add (GstElement * element)
{
  g_mutex_lock (&lock);
  GST_ELEMENT_GET_CLASS (element)->post_message = post_message;
  g_mutex_unlock (&lock);
  g_object_set_qdata_full (G_OBJECT (element), log_quark (), g_new0 (MessageLog, 1), log_free);
}

static guint64
number_of (const GstStructure * record)
{
  guint64 number = 0;

  gst_structure_get_uint64 (record, "number", &number);
  return number;
}

GstStructure *
message_log_peek (GstElement * element, guint reader)
{
  MessageLog *log = g_object_get_qdata (G_OBJECT (element), log_quark ());
  GstStructure *found = NULL;
  GList *item;

  g_mutex_lock (&lock);
  if (log->reader != reader)
    log->told = 0;
  log->reader = reader;
  for (item = log->kept.head; item != NULL && found == NULL; item = item->next)
    if (number_of (item->data) > log->told)
      found = gst_structure_copy (item->data);
  g_mutex_unlock (&lock);
  return found;
}

void
message_log_told (GstElement * element, const GstStructure * message)
{
  MessageLog *log = g_object_get_qdata (G_OBJECT (element), log_quark ());

  g_mutex_lock (&lock);
  log->told = number_of (message);
  g_mutex_unlock (&lock);
}
