/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A viewer is an rmcsink behind a pad of the splitter. The worker makes it whole, and only then it
 * is in the table: who takes it out of the table removes it. What the worker makes or removes is
 * `handled`: when the element stops, that lets go of its socket before the port is free. */

#include "gstarcserversinkprivate.h"

#include "base/clockglue.h"
#include "base/teepad.h"
#include "net/sameaddress.h"
#include "session/sessionsettings.h"

#include <gst/arc/arc.h>

#define HEADERS 1.05            /* of UDP and IP, and what a meter misses */
#define MOST_START_BPS 8000000  /* as a session that goes by its input */

guint gst_arc_server_sink_added_signal, gst_arc_server_sink_removed_signal;

static void
viewer_clear (gpointer data)
{
  ServerViewer *viewer = data;

  g_clear_object (&viewer->from);
  g_clear_object (&viewer->sink);
  gst_clear_object (&viewer->pad);
  g_free (viewer->stream_id);
}

static void
viewer_unref (ServerViewer * viewer)
{
  g_atomic_rc_box_release_full (viewer, viewer_clear);
}

static void
tell (GstArcServerSink * self, const ServerViewer * viewer, const gchar * state)
{
  gchar *address = g_socket_connectable_to_string (G_SOCKET_CONNECTABLE (viewer->from));
  guint n;

  g_mutex_lock (&self->lock);
  n = self->counts.viewers;
  g_mutex_unlock (&self->lock);
  GST_INFO_OBJECT (self, "viewer %s \"%s\" %s; %u now", address, viewer->stream_id, state, n);
  gst_element_post_message (GST_ELEMENT (self), gst_message_new_element (GST_OBJECT (self),
          gst_structure_new (GST_ARC_SERVER_SINK_VIEWER, "address", G_TYPE_STRING, address,
              "streamid", G_TYPE_STRING, viewer->stream_id, "state", G_TYPE_STRING, state,
              "viewers", G_TYPE_UINT, n, NULL)));
  g_free (address);
}

/* --- out --- */

static void
release_pad (GstArcServerSink * self, ServerViewer * viewer)
{
  if (viewer->pad)
    gst_element_release_request_pad (self->splitter, viewer->pad);
}

/* Our own tee would take the flow return of a sink that stops for an error, so its pad goes first.
 * The pad of a bin such as arcladder goes only when no push is on its way, and in PAUSED a push
 * ends when the sink stops. */
static void
take_out (GstArcServerSink * self, ServerViewer * viewer)
{
  GstElement *sink = GST_ELEMENT (viewer->sink);
  GstPad *peer = viewer->pad ? gst_pad_get_peer (viewer->pad) : NULL;
  gboolean first = self->splitter == self->head;

  if (peer)
    gst_pad_unlink (viewer->pad, peer);
  gst_clear_object (&peer);
  if (first)
    release_pad (self, viewer);
  gst_element_set_locked_state (sink, TRUE);
  gst_element_set_state (sink, GST_STATE_NULL);
  gst_rmc_sink_dismiss (viewer->sink);  /* messages on the bus may keep it */
  if (!first)
    release_pad (self, viewer);
  gst_bin_remove (GST_BIN (self), sink);
}

/* On the worker. */
static ServerViewer *
steal (GstArcServerSink * self, guint64 number, gboolean lost)
{
  ServerViewer *viewer = NULL;

  g_mutex_lock (&self->lock);
  if (g_hash_table_steal_extended (self->viewers, &number, NULL, (gpointer *) & viewer)) {
    self->counts.viewers--;
    self->counts.left += !lost;
    self->counts.lost += lost;
    self->handled = viewer->sink;
  }
  g_mutex_unlock (&self->lock);
  return viewer;
}

static void
forget_handled (GstArcServerSink * self)
{
  g_mutex_lock (&self->lock);
  self->handled = NULL;
  g_mutex_unlock (&self->lock);
}

void
gst_arc_server_sink_remove_viewer (GstArcServerSink * self, guint64 number, gboolean lost)
{
  ServerViewer *viewer = steal (self, number, lost);

  if (!viewer)
    return;
  if (gst_rmc_sink_is_unheard (viewer->sink))
    gst_arc_server_sink_note_unheard (self, viewer->from,
        g_get_monotonic_time () - viewer->joined_at);
  take_out (self, viewer);
  forget_handled (self);
  tell (self, viewer, lost ? "lost" : "left");
  g_signal_emit (self, gst_arc_server_sink_removed_signal, 0, viewer->sink, viewer->stream_id);
  viewer_unref (viewer);
}

void
gst_arc_server_sink_lose_viewer (GstArcServerSink * self, GstRmcSink * sink)
{
  g_mutex_lock (&self->lock);
  g_queue_push_tail (&self->lost, g_object_ref (sink));
  g_mutex_unlock (&self->lock);
  work_turns_schedule (&self->calls);
}

static void
on_lost (gpointer self, GstRmcSink * sink)
{
  gst_arc_server_sink_lose_viewer (self, sink);
}

/* 0: it is there no more. */
static guint64
number_of (GstArcServerSink * self, GstRmcSink * sink)
{
  GHashTableIter iter;
  ServerViewer *viewer;
  guint64 number = 0;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->viewers);
  while (number == 0 && g_hash_table_iter_next (&iter, NULL, (gpointer *) & viewer))
    number = viewer->sink == sink ? viewer->number : 0;
  g_mutex_unlock (&self->lock);
  return number;
}

static GstRmcSink *
pop_lost (GstArcServerSink * self)
{
  GstRmcSink *sink;

  g_mutex_lock (&self->lock);
  sink = g_queue_pop_head (&self->lost);
  g_mutex_unlock (&self->lock);
  return sink;
}

void
gst_arc_server_sink_remove_lost (GstArcServerSink * self)
{
  GstRmcSink *sink;

  while ((sink = pop_lost (self))) {
    gst_arc_server_sink_remove_viewer (self, number_of (self, sink), TRUE);
    g_object_unref (sink);
  }
}

void
gst_arc_server_sink_remove_all (GstArcServerSink * self)
{
  GList *viewers;

  g_mutex_lock (&self->lock);
  viewers = g_hash_table_get_values (self->viewers);
  g_hash_table_steal_all (self->viewers);
  self->counts.left += self->counts.viewers;
  self->counts.viewers = 0;
  g_mutex_unlock (&self->lock);
  for (GList * l = viewers; l; l = l->next) {
    take_out (self, l->data);
    viewer_unref (l->data);
  }
  g_list_free (viewers);
}

/* --- in --- */

static ServerViewer *
viewer_new (const JoinCall * call)
{
  ServerViewer *viewer = g_atomic_rc_box_new0 (ServerViewer);

  viewer->number = call->call.number;
  viewer->from = g_object_ref (call->from);
  viewer->host = call->host;
  viewer->joined_at = g_get_monotonic_time ();
  viewer->stream_id = g_strdup (call->call.stream_id);
  viewer->sink = g_object_ref_sink (g_object_new (GST_TYPE_RMC_SINK, "async", FALSE, "sync",
          FALSE, NULL));
  return viewer;
}

void
gst_arc_server_sink_count_viewers (GstArcServerSink * self, const JoinCall * call, guint * n,
    guint * n_host, gboolean * replaces)
{
  GHashTableIter iter;
  ServerViewer *viewer;

  *n_host = 0;
  *replaces = FALSE;
  g_mutex_lock (&self->lock);
  *n = self->counts.viewers;
  g_hash_table_iter_init (&iter, self->viewers);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) & viewer)) {
    *n_host += viewer->host == call->host;
    *replaces |= same_address (viewer->from, call->from);
  }
  g_mutex_unlock (&self->lock);
}

/* 0: none, or this caller itself. */
static guint64
number_at (GstArcServerSink * self, const JoinCall * call)
{
  GHashTableIter iter;
  ServerViewer *viewer;
  guint64 number = 0;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->viewers);
  while (number == 0 && g_hash_table_iter_next (&iter, NULL, (gpointer *) & viewer))
    if (viewer->number != call->call.number && same_address (viewer->from, call->from))
      number = viewer->number;
  g_mutex_unlock (&self->lock);
  return number;
}

void
gst_arc_server_sink_clear_address (GstArcServerSink * self, JoinListener * listener,
    const JoinCall * call)
{
  guint64 number = number_at (self, call);

  if (number == 0)
    return;
  join_listener_on_left (listener, number);
  gst_arc_server_sink_remove_viewer (self, number, FALSE);
}

/* Its socket, and where to. NULL, or why not; g_free(). */
static gchar *
connect_viewer (GstArcServerSink * self, JoinListener * listener, ServerViewer * viewer,
    const JoinCall * call)
{
  GError *error = NULL;
  GSocket *socket;
  gchar *fault = NULL;

  g_mutex_lock (&self->lock);
  if (self->listener != listener) {
    fault = g_strdup ("it stops");
  } else if ((socket = join_listener_connect (listener, call, &error))) {
    gst_rmc_sink_serve (viewer->sink, listener, socket, call, on_lost, self);
    g_object_unref (socket);
    self->handled = viewer->sink;
  } else {
    fault = g_strdup (error->message);
  }
  g_mutex_unlock (&self->lock);
  g_clear_error (&error);
  return fault;
}

/* FALSE: it has failed, or the splitter has no pad for it. */
static gboolean
put_in (GstArcServerSink * self, ServerViewer * viewer)
{
  GstPad *sinkpad;
  gboolean ok;

  gst_bin_add (GST_BIN (self), GST_ELEMENT (viewer->sink));
  if (!gst_element_sync_state_with_parent (GST_ELEMENT (viewer->sink)))
    return FALSE;
  viewer->pad = self->splitter == self->head ? tee_pad_request (self->head)
      : gst_element_request_pad_simple (self->splitter, "src_%u");
  sinkpad = gst_element_get_static_pad (GST_ELEMENT (viewer->sink), "sink");
  ok = viewer->pad && GST_PAD_LINK_SUCCESSFUL (gst_pad_link (viewer->pad, sinkpad));
  gst_object_unref (sinkpad);
  return ok;
}

/* FALSE: the element was closed meanwhile. A reference for the table. */
static gboolean
enter (GstArcServerSink * self, JoinListener * listener, ServerViewer * viewer)
{
  gboolean open;

  g_mutex_lock (&self->lock);
  open = self->listener == listener;
  if (open) {
    g_atomic_rc_box_acquire (viewer);
    g_hash_table_insert (self->viewers, &viewer->number, viewer);
    self->counts.viewers++;
    self->counts.joined++;
  }
  g_mutex_unlock (&self->lock);
  return open;
}

void
gst_arc_server_sink_dismiss_handled (GstArcServerSink * self)
{
  GstRmcSink *sink;

  g_mutex_lock (&self->lock);
  sink = self->handled ? g_object_ref (self->handled) : NULL;
  g_mutex_unlock (&self->lock);
  if (!sink)
    return;
  /* The next start must not fail with it. */
  gst_element_set_locked_state (GST_ELEMENT (sink), TRUE);
  gst_rmc_sink_dismiss (sink);
  gst_element_set_state (GST_ELEMENT (sink), GST_STATE_NULL);
  g_object_unref (sink);
}

/* A sink that begins below what all are sent drops frames, or has the encoder make less for all of
 * them, until it has grown. The first viewer decides for itself; what no encoder follows cannot be
 * made less. */
static void
start_as_others (GstArcServerSink * self, ServerViewer * viewer)
{
  gboolean adapt;
  guint bps, most_bps;

  GST_OBJECT_LOCK (self);
  adapt = self->settings.adapt_encoder;
  most_bps = self->settings.max_bps;
  GST_OBJECT_UNLOCK (self);
  g_mutex_lock (&self->lock);
  bps = (guint) (HEADERS * (gdouble) rc_ratemeter_get_bps (&self->input,
          clock_glue_monotonic ()));
  if (self->splitter != self->head || (adapt && self->counts.viewers == 0))
    bps = 0;
  g_mutex_unlock (&self->lock);
  bps = MIN (bps, most_bps > 0 ? MIN (most_bps, MOST_START_BPS) : MOST_START_BPS);
  if (bps > DEFAULT_START_BITRATE)
    g_object_set (viewer->sink, "start-bitrate", bps, NULL);
}

/* --- keys --- */

/* Who was served before: media that one gets in the clear is no secret of the others. Returns how
 * many. */
static guint
lose_clear_viewers (GstArcServerSink * self)
{
  GHashTableIter iter;
  ServerViewer *viewer;
  guint n = 0;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->viewers);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) & viewer))
    if (viewer->clear) {
      g_queue_push_tail (&self->lost, g_object_ref (viewer->sink));
      n++;
    }
  g_mutex_unlock (&self->lock);
  return n;
}

/* It encrypts to all viewers or to none: one without a key among others that have one is a stranger
 * for whom the application found none. */
static gchar *
find_missing_key (GstArcServerSink * self, ServerViewer * viewer)
{
  gboolean keyed, before;
  guint n;

  viewer->clear = !gst_rmc_sink_encrypts (viewer->sink);
  keyed = !viewer->clear || gst_arc_server_sink_wants_keys (self);
  g_mutex_lock (&self->lock);
  before = self->keyed;
  self->keyed |= keyed;
  g_mutex_unlock (&self->lock);
  if (keyed && !before && (n = lose_clear_viewers (self)) > 0) {
    work_turns_schedule (&self->calls);
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("%u viewers got media in the clear until "
            "caller-added set the first srtp-key, and are dropped: set srtp-key of arcserversink "
            "too, which holds for viewers without one of their own", n), (NULL));
  }
  return viewer->clear && (keyed || before)
      ? g_strdup ("it encrypts (SRTP), and has no srtp-key for this stream id") : NULL;
}

/* NULL: it is in the table; else why not, and the viewer is not in the bin. */
static gchar *
let_in (GstArcServerSink * self, JoinListener * listener, ServerViewer * viewer,
    const JoinCall * call, RcAnswerVerdict * verdict)
{
  gchar *fault;

  gst_arc_server_sink_clear_address (self, listener, call);
  fault = connect_viewer (self, listener, viewer, call);
  if (fault) {                  /* which may change */
    *verdict = RC_ANSWER_LATER;
    return fault;
  }
  if (!put_in (self, viewer))
    fault = g_strdup ("it cannot serve this receiver; its log says why");
  else if (!enter (self, listener, viewer))
    fault = g_strdup ("it stops");
  if (fault)
    take_out (self, viewer);
  forget_handled (self);
  return fault;
}

gchar *
gst_arc_server_sink_add_viewer (GstArcServerSink * self, JoinListener * listener,
    const JoinCall * call, RcAnswerVerdict * verdict)
{
  SecureSettings before = gst_arc_server_sink_dup_srtp (self);
  ServerViewer *viewer = viewer_new (call);
  gchar *fault;

  start_as_others (self, viewer);
  gst_arc_server_sink_apply (self, G_OBJECT (viewer->sink));
  g_signal_emit (self, gst_arc_server_sink_added_signal, 0, viewer->sink, viewer->stream_id);
  fault = find_missing_key (self, viewer);
  if (!fault)
    fault = gst_rmc_sink_check_key (viewer->sink, &call->call);
  if (!fault)
    fault = let_in (self, listener, viewer, call, verdict);
  if (fault)
    g_signal_emit (self, gst_arc_server_sink_removed_signal, 0, viewer->sink, viewer->stream_id);
  else
    tell (self, viewer, "joined");
  if (!fault && gst_arc_server_sink_has_old_key (self, viewer->sink, &before))
    gst_arc_server_sink_lose_viewer (self, viewer->sink);
  secure_settings_clear (&before);
  viewer_unref (viewer);
  return fault;
}

gboolean
gst_arc_server_sink_find_viewer (GstArcServerSink * self, const RcCall * call, gchar ** fault)
{
  GstRmcSink *sink = NULL;
  ServerViewer *viewer;

  *fault = NULL;
  g_mutex_lock (&self->lock);
  viewer = g_hash_table_lookup (self->viewers, &call->number);
  if (viewer)
    sink = g_object_ref (viewer->sink);
  g_mutex_unlock (&self->lock);
  if (!sink)
    return FALSE;
  *fault = gst_rmc_sink_check_key (sink, call);
  g_object_unref (sink);
  return TRUE;
}

void
gst_arc_server_sink_move_viewer (GstArcServerSink * self, const JoinCall * call)
{
  GstRmcSink *moved = NULL;
  ServerViewer *viewer;

  g_mutex_lock (&self->lock);
  viewer = g_hash_table_lookup (self->viewers, &call->call.number);
  if (viewer && !same_address (viewer->from, call->from)) {
    g_set_object (&viewer->from, call->from);
    viewer->host = call->host;
    moved = g_object_ref (viewer->sink);
  }
  g_mutex_unlock (&self->lock);
  if (moved)
    gst_rmc_sink_move (moved, call->from);
  g_clear_object (&moved);
}
