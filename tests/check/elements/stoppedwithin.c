/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* No element calls out under a lock of its own: neither a message nor a notification, nor a
 * property of an encoder. At each message and each notification another thread reads every property
 * of our elements, and is waited for. The first time it also writes those that may be set while
 * playing, and then the thread of the call takes the whole pipeline to NULL, unless it is a
 * streaming thread or changes the state already, which GStreamer does not permit. A pipeline is
 * played again until it has been stopped within each of its calls once. A lock that is held makes a
 * claim wait until its time is over. */
#include <gio/gio.h>

#include "claim.h"
#include "boundsocket.h"

#define CAMERA "videotestsrc is-live=true pattern=snow " \
    "! video/x-raw,format=I420,width=160,height=96,framerate=30/1 "
/* Of these settings the first makes x264enc ignore a new bitrate: a warning. */
#define STUBBORN "x264enc tune=zerolatency speed-preset=ultrafast threads=1 pass=quant "
#define WILLING "x264enc tune=zerolatency speed-preset=ultrafast threads=1 "
#define MOST_PLAYS 40
#define QUIET_US 500000         /* after so long without a new call there is none */
#define MOST_US 30000000        /* for the call that must come */

static const struct
{
  const gchar *name, *line;     /* %u: a free port, twice */
  const gchar *call;            /* one that must have come */
} pipelines[] = {
  {"rmcsink, arcsrc", CAMERA "! " STUBBORN "! rtph264pay ! rmcsink host=127.0.0.1 port=%u "
      "async=false stats-interval=50000000  "
      "arcsrc address=127.0.0.1 port=%u stats-interval=50000000 timeout=100000000 ! fakesink "
      "async=false sync=false", "GstRmcSinkStats"},
  {"a caller that is refused", CAMERA "! " WILLING "! rtph264pay ! rmcsink mode=listener "
      "bind-address=127.0.0.1 port=%u async=false  arcsrc mode=caller host=127.0.0.1 port=%u "
      "! fakesink async=false sync=false", "error"},
  {"rampscheduler", CAMERA "! " STUBBORN "! rtph264pay ! rampscheduler name=s%u budget=50000 "
      "! fakesink async=false sync=false  identity name=n%u", "notify::vbv-buf-capacity"},
  {"rtparcbwe", CAMERA "! " STUBBORN "! rtph264pay ! rtparcbwe name=s%u ! fakesink async=false "
      "sync=false  identity name=n%u", "warning"},
  {"arcladder", "arcladder name=l encoder=\"" STUBBORN "\" rungs=2 " CAMERA "! l. "
      "l. ! rmcsink host=127.0.0.1 port=%u async=false  l. ! rmcsink host=127.0.0.1 port=%u "
      "async=false", "GstArcLadderRungs"},
  {"arcladder rungs=0", "arcladder name=l rungs=0 " CAMERA "! " WILLING "bitrate=500 "
      "! rtph264pay ! l. "
      "l. ! rmcsink host=127.0.0.1 port=%u start-bitrate=100000 max-bitrate=100000 "
      "congestion-control=fixed async=false  identity name=n%u", "GstArcLadderViewerState"},
  {"arcscale", CAMERA "! arcscale min-height=16 ! " WILLING "! rtph264pay "
      "! rmcsink name=s%u host=127.0.0.1 port=%u start-bitrate=30000 congestion-control=fixed "
      "async=false", "notify::bitrate"},
  {"arcserversink", CAMERA "! " STUBBORN "! rtph264pay ! arcserversink bind-address=127.0.0.1 "
      "port=%u  arcsrc mode=caller host=127.0.0.1 port=%u ! fakesink async=false sync=false",
      "GstArcServerSinkViewer"},
  {"arcavsink, arcavsrc", CAMERA "! " WILLING "! arcavsink host=127.0.0.1 port=%u  "
      "arcavsrc name=r port=%u ! fakesink async=false sync=false", "notify::bitrate"},
  {"rcprelay", "rcprelay name=r address=127.0.0.1 port=%u host=127.0.0.1 host-port=9 "
      "capacity=1000000  identity name=n%u", NULL},
};

static GstElement *pipeline;
static GMutex calls_lock;
static GHashTable *heard, *stopped_at;  /* texts of calls; under the lock */
static gboolean stopped;        /* in this play; under the lock */
static gint within;             /* atomic: calls that are being answered */
static gint play;               /* atomic: number of this play */
static GPrivate streams;        /* the play in which the thread streams or changes the state */
static GPrivate answers;        /* not NULL: a thread of ours, that may hear its own deeds */

static gboolean
is_ours (GstElement * element)
{
  GstElementFactory *factory = gst_element_get_factory (element);
  const gchar *plugin = factory
      ? gst_plugin_feature_get_plugin_name (GST_PLUGIN_FEATURE (factory)) : NULL;

  /* The viewers of arcserversink are made by their type. */
  return g_strcmp0 (plugin, "arc") == 0 || g_str_has_prefix (G_OBJECT_TYPE_NAME (element), "GstArc")
      || g_str_has_prefix (G_OBJECT_TYPE_NAME (element), "GstRmc");
}

static void
use_property (GObject * object, GParamSpec * spec, gboolean write)
{
  AT_END (g_value_unset) GValue value = G_VALUE_INIT;

  if ((spec->flags & G_PARAM_READABLE) == 0 || G_IS_PARAM_SPEC_OBJECT (spec))
    return;
  g_value_init (&value, spec->value_type);
  g_object_get_property (object, spec->name, &value);
  if (write && (spec->flags & GST_PARAM_MUTABLE_PLAYING) && (spec->flags & G_PARAM_WRITABLE))
    g_object_set_property (object, spec->name, &value);
}

static void
use (const GValue * item, gpointer write)
{
  GObject *object = g_value_get_object (item);
  GParamSpec **specs;
  guint n;

  if (!is_ours (GST_ELEMENT (object)))
    return;
  specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n);
  for (guint i = 0; i < n; i++)
    use_property (object, specs[i], write != NULL);
  g_free (specs);
}

static gpointer
use_all (gpointer write)
{
  g_autoptr (GstIterator) all = gst_bin_iterate_recurse (GST_BIN (pipeline));

  g_private_set (&answers, &answers);
  while (gst_iterator_foreach (all, use, write) == GST_ITERATOR_RESYNC)
    gst_iterator_resync (all);
  return NULL;
}

static void
set_part_of_play (gboolean part)
{
  g_private_set (&streams, GINT_TO_POINTER (part ? g_atomic_int_get (&play) : 0));
}

static gboolean
is_part_of_play (void)
{
  return GPOINTER_TO_INT (g_private_get (&streams)) == g_atomic_int_get (&play);
}

/* TRUE: the first call of its kind, and it shall stop the pipeline. Takes the text. */
static gboolean
take_call (gchar * text)
{
  gboolean mine = FALSE;
  gchar *end = text;

  for (const gchar * c = text; *c; c++) /* elements that are made anew have other numbers */
    if (!g_ascii_isdigit (*c))
      *end++ = *c;
  *end = '\0';
  g_mutex_lock (&calls_lock);
  g_hash_table_add (heard, g_strdup (text));
  if (!is_part_of_play () && !stopped && !g_hash_table_contains (stopped_at, text)) {
    g_hash_table_add (stopped_at, g_strdup (text));
    stopped = mine = TRUE;
  }
  g_mutex_unlock (&calls_lock);
  GST_INFO ("%s%s", text, mine ? ": stops" : "");
  g_free (text);
  return mine;
}

/* Takes the text. */
static void
answer (gchar * text)
{
  gboolean mine;

  if (g_private_get (&answers)) {
    g_free (text);
    return;
  }
  g_atomic_int_inc (&within);
  g_private_set (&answers, &answers);
  mine = take_call (text);
  g_thread_join (g_thread_new ("use", use_all, mine ? &mine : NULL));
  if (mine)
    gst_element_set_state (pipeline, GST_STATE_NULL);
  g_private_set (&answers, NULL);
  g_atomic_int_add (&within, -1);
}

static gchar *
text_of (GstMessage * message)
{
  GError *error = NULL;
  gchar *text;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ELEMENT:
      return g_strdup_printf ("%s of %s", gst_structure_get_name (gst_message_get_structure
              (message)), GST_MESSAGE_SRC_NAME (message));
    case GST_MESSAGE_WARNING:
      gst_message_parse_warning (message, &error, NULL);
      break;
    case GST_MESSAGE_ERROR:
      gst_message_parse_error (message, &error, NULL);
      break;
    case GST_MESSAGE_INFO:
      gst_message_parse_info (message, &error, NULL);
      break;
    default:
      return NULL;
  }
  text = g_strdup_printf ("%s %.40s", GST_MESSAGE_TYPE_NAME (message), error->message);
  g_error_free (error);
  return text;
}

static void
note_stream (GstMessage * message)
{
  GstStreamStatusType type;

  gst_message_parse_stream_status (message, &type, NULL);
  if (type == GST_STREAM_STATUS_TYPE_ENTER || type == GST_STREAM_STATUS_TYPE_LEAVE)
    set_part_of_play (type == GST_STREAM_STATUS_TYPE_ENTER);
}

static GstBusSyncReply
on_message (GstBus * bus, GstMessage * message, gpointer user_data)
{
  gchar *text = text_of (message);

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_STREAM_STATUS)
    note_stream (message);
  if (text)
    answer (text);
  gst_message_unref (message);
  return GST_BUS_DROP;
}

static void
on_notify (GObject * object, GParamSpec * spec, gpointer user_data)
{
  if (!g_str_equal (spec->name, "parent") && !g_str_equal (spec->name, "name"))
    answer (g_strdup_printf ("notify::%s of %s", spec->name, G_OBJECT_TYPE_NAME (object)));
}

static gboolean
is_heard (GstElement * element)
{
  const gchar *type = G_OBJECT_TYPE_NAME (element);

  return is_ours (element) || g_str_equal (type, "GstX264Enc");
}

/* Its handler may not stop the element. rmcsink refuses, arcserversink accepts. */
static gchar *
on_connecting (GstElement * element, GSocketAddress * from, const gchar * stream_id, gpointer data)
{
  g_thread_join (g_thread_new ("use", use_all, NULL));
  return g_str_equal (G_OBJECT_TYPE_NAME (element), "GstRmcSink") ? g_strdup ("of no use") : NULL;
}

static void
listen_to (GstElement * element)
{
  if (is_heard (element))
    g_signal_connect (element, "notify", G_CALLBACK (on_notify), NULL);
  if (g_signal_lookup ("caller-connecting", G_OBJECT_TYPE (element)) != 0)
    g_signal_connect (element, "caller-connecting", G_CALLBACK (on_connecting), NULL);
}

static void
on_added (GstBin * bin, GstBin * sub_bin, GstElement * element, gpointer user_data)
{
  listen_to (element);
}

static void
listen_to_item (const GValue * item, gpointer user_data)
{
  listen_to (g_value_get_object (item));
}

static guint
free_port (void)
{
  g_autoptr (GSocket) socket = bound_socket ("127.0.0.1", 0);

  return bound_port (socket);
}


static void
make (const gchar * line)
{
  guint port = free_port ();
  g_autofree gchar *text = NULL;
  g_autoptr (GstIterator) all = NULL;
  GError *error = NULL;
  GstBus *bus;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  text = g_strdup_printf (line, port, port);
#pragma GCC diagnostic pop
  pipeline = gst_parse_launch (text, &error);
  fail_unless (error == NULL, "%s: %s", text, error ? error->message : "");
  bus = gst_element_get_bus (pipeline);
  gst_bus_set_sync_handler (bus, on_message, NULL, NULL);
  gst_object_unref (bus);
  g_signal_connect (pipeline, "deep-element-added", G_CALLBACK (on_added), NULL);
  all = gst_bin_iterate_recurse (GST_BIN (pipeline));
  gst_iterator_foreach (all, listen_to_item, NULL);
}

static gboolean
has_called (const gchar * wanted)
{
  GHashTableIter iter;
  gpointer text;
  gboolean found = wanted == NULL;

  g_mutex_lock (&calls_lock);
  g_hash_table_iter_init (&iter, heard);
  while (!found && g_hash_table_iter_next (&iter, &text, NULL))
    found = strstr (text, wanted) != NULL;
  g_mutex_unlock (&calls_lock);
  return found;
}

static gboolean
is_stopped (void)
{
  gboolean is;

  g_mutex_lock (&calls_lock);
  is = stopped;
  g_mutex_unlock (&calls_lock);
  return is;
}

/* FALSE: nothing has stopped it. */
static gboolean
play_until_stopped (const gchar * wanted)
{
  gint64 begin = g_get_monotonic_time ();

  g_mutex_lock (&calls_lock);
  stopped = FALSE;
  g_mutex_unlock (&calls_lock);
  g_atomic_int_inc (&play);
  set_part_of_play (TRUE);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (!is_stopped () && (g_get_monotonic_time () - begin < QUIET_US || !has_called (wanted))) {
    fail_unless (g_get_monotonic_time () - begin < MOST_US, "no %s", wanted);
    g_usleep (1000);
  }
  while (g_atomic_int_get (&within) > 0)
    g_usleep (1000);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return is_stopped ();
}

CLAIMS (test_a_pipeline_may_be_stopped_within_each_of_its_calls, G_N_ELEMENTS (pipelines))
{
  guint plays = 0;

  heard = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  stopped_at = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  make (pipelines[__i__].line);
  while (play_until_stopped (pipelines[__i__].call) && plays < MOST_PLAYS)
    plays++;
  fail_unless (plays < MOST_PLAYS);
  gst_object_unref (pipeline);
  g_hash_table_unref (stopped_at);
  g_hash_table_unref (heard);
}
