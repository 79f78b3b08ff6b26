/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A viewer is an rmcsink, which the fan feeds or which is behind a pad of the splitter: the owner
 * of its guest of the server. The worker makes it whole before the guest gets its place, and takes
 * it out once that has lost it. */

#include "gstarcserversinkprivate.h"

#include "base/binparts.h"
#include "base/clockglue.h"
#include "serverfan.h"
#include "session/sessionsettings.h"

#include <gst/arc/arc.h>

#define HEADERS 1.05            /* of UDP and IP, and what a meter misses */
#define MOST_START_BPS 8000000  /* as a session that goes by its input */

guint gst_arc_server_sink_added_signal, gst_arc_server_sink_removed_signal;

static GstRmcSink *
sink_of (JoinGuest * guest)
{
  return GST_RMC_SINK (guest->owner);
}

static void
tell (GstArcServerSink * self, JoinGuest * guest, const gchar * state)
{
  gchar *address = join_guest_address (guest);
  JoinCounts counts;

  join_server_get_stats (self->join, &counts);
  GST_INFO_OBJECT (self, "viewer %s \"%s\" %s; %u now", address, guest->stream_id, state,
      counts.now);
  gst_element_post_message (GST_ELEMENT (self), gst_message_new_element (GST_OBJECT (self),
          gst_structure_new (GST_ARC_SERVER_SINK_VIEWER, "address", G_TYPE_STRING, address,
              "streamid", G_TYPE_STRING, guest->stream_id, "state", G_TYPE_STRING, state,
              "viewers", G_TYPE_UINT, counts.now, NULL)));
  g_free (address);
}

/* --- out --- */

/* The pad of a splitter such as arcladder goes only when no push is on its way, and in PAUSED a
 * push ends when the sink stops. */
static void
unlink_viewer (GstArcServerSink * self, GstElement * sink)
{
  GstPad *sinkpad = gst_element_get_static_pad (sink, "sink"), *pad = gst_pad_get_peer (sinkpad);

  if (pad)
    gst_pad_unlink (pad, sinkpad);
  bin_part_take_out (sink);
  if (pad)
    gst_element_release_request_pad (self->splitter, pad);
  gst_clear_object (&pad);
  gst_object_unref (sinkpad);
}

static void
take_out (GstArcServerSink * self, GstRmcSink * viewer)
{
  GstElement *sink = GST_ELEMENT (viewer);

  if (!gst_rmc_sink_is_fed (viewer)) {
    unlink_viewer (self, sink);
  } else {
    gst_element_set_locked_state (sink, TRUE);
    gst_element_set_state (sink, GST_STATE_NULL);
    gst_element_set_bus (sink, NULL);
    if (GST_OBJECT_PARENT (sink))
      gst_object_unparent (GST_OBJECT (sink));
  }
  gst_rmc_sink_dismiss (viewer);        /* messages on the bus may keep it */
}

static void
leave (GstElement * element, JoinGuest * guest, gboolean lost)
{
  GstArcServerSink *self = GST_ARC_SERVER_SINK_CAST (element);

  take_out (self, sink_of (guest));
  tell (self, guest, lost ? "lost" : "left");
  g_signal_emit (self, gst_arc_server_sink_removed_signal, 0, guest->owner, guest->stream_id);
}

/* What the worker has in hand it takes out itself; the next start must not fail with it. */
static void
stop (GstElement * element, JoinGuest * guest, gboolean handled)
{
  GstElement *sink = GST_ELEMENT (guest->owner);

  if (handled) {
    gst_element_set_locked_state (sink, TRUE);
    gst_element_set_state (sink, GST_STATE_NULL);
  } else {
    take_out (GST_ARC_SERVER_SINK_CAST (element), sink_of (guest));
  }
}

static gboolean
is_unheard (GstElement * element, JoinGuest * guest)
{
  return gst_rmc_sink_is_unheard (sink_of (guest));
}

/* --- in --- */

/* FALSE: it has failed, or the splitter has no pad for it. */
static gboolean
link_viewer (GstArcServerSink * self, GstElement * sink)
{
  GstPad *sinkpad, *pad;
  gboolean ok;

  gst_bin_add (GST_BIN (self), sink);
  if (!gst_element_sync_state_with_parent (sink))
    return FALSE;
  pad = gst_element_request_pad_simple (self->splitter, "src_%u");
  sinkpad = gst_element_get_static_pad (sink, "sink");
  ok = pad && GST_PAD_LINK_SUCCESSFUL (gst_pad_link (pad, sinkpad));
  if (pad && !ok)
    gst_element_release_request_pad (self->splitter, pad);
  gst_clear_object (&pad);
  gst_object_unref (sinkpad);
  return ok;
}

/* Its messages come as those of a child, but it is none: a bin looks at all of them for each that
 * comes or goes. */
static gboolean
put_in (GstArcServerSink * self, GstElement * sink)
{
  if (!gst_rmc_sink_is_fed (GST_RMC_SINK (sink)))
    return link_viewer (self, sink);
  gst_object_set_parent (GST_OBJECT (sink), GST_OBJECT (self));
  gst_element_set_bus (sink, GST_BIN (self)->child_bus);
  return gst_element_set_state (sink, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE;
}

/* Once it is in the table, from which the fan takes those that get later ones. These may have come
 * to it in between. */
static void
give_caps (GstArcServerSink * self, GstRmcSink * sink)
{
  GstCaps *given = NULL, *caps = NULL;

  while (gst_rmc_sink_is_fed (sink)
      && (caps = server_fan_dup_caps (SERVER_FAN (self->idle))) != given) {
    if (caps)
      gst_rmc_sink_follow_caps (sink, caps);
    gst_caps_take (&given, g_steal_pointer (&caps));
  }
  gst_clear_caps (&caps);
  gst_clear_caps (&given);
}

/* A sink that begins below what all are sent drops frames, or has the encoder make less for all of
 * them, until it has grown. The first viewer decides for itself; what no encoder follows cannot be
 * made less. */
static void
start_as_others (GstArcServerSink * self, GObject * sink)
{
  JoinCounts counts;
  gboolean adapt;
  guint bps, most_bps;

  join_server_get_stats (self->join, &counts);
  GST_OBJECT_LOCK (self);
  adapt = self->settings.adapt_encoder;
  most_bps = self->settings.max_bps;
  GST_OBJECT_UNLOCK (self);
  g_mutex_lock (&self->lock);
  bps = (guint) (HEADERS * (gdouble) rc_ratemeter_get_bps (&self->input,
          clock_glue_monotonic ()));
  g_mutex_unlock (&self->lock);
  if (self->splitter != self->head || (adapt && counts.now == 0))
    bps = 0;
  bps = MIN (bps, most_bps > 0 ? MIN (most_bps, MOST_START_BPS) : MOST_START_BPS);
  if (bps > DEFAULT_START_BITRATE)
    g_object_set (sink, "start-bitrate", bps, NULL);
}

/* --- keys --- */

/* Who was served before: media that one gets in the clear is no secret of the others. Returns how
 * many. */
static guint
lose_clear_viewers (GstArcServerSink * self)
{
  GPtrArray *guests = join_server_list (self->join);
  guint n = 0;

  for (guint i = 0; i < guests->len; i++) {
    JoinGuest *guest = g_ptr_array_index (guests, i);

    if (!join_guest_encrypts (guest)) {
      join_guest_lose (guest);
      n++;
    }
  }
  g_ptr_array_unref (guests);
  return n;
}

/* It encrypts to all viewers or to none: one without a key among others that have one is a stranger
 * for whom the application found none. */
static gchar *
find_missing_key (GstArcServerSink * self, JoinGuest * guest)
{
  gboolean clear = !join_guest_encrypts (guest), keyed, before;
  guint n;

  keyed = !clear || gst_arc_server_sink_wants_keys (self);
  g_mutex_lock (&self->lock);
  before = self->keyed;
  self->keyed |= keyed;
  g_mutex_unlock (&self->lock);
  if (keyed && !before && (n = lose_clear_viewers (self)) > 0)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("%u viewers got media in the clear until "
            "caller-added set the first srtp-key, and are dropped: set srtp-key of arcserversink "
            "too, which holds for viewers without one of their own", n), (NULL));
  return clear && (keyed || before)
      ? g_strdup ("it encrypts (SRTP), and has no srtp-key for this stream id") : NULL;
}

static gchar *
find_own_passphrase (GstArcServerSink * self, JoinGuest * guest)
{
  if (!gst_rmc_sink_has_own_passphrase (sink_of (guest)))
    return NULL;
  GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("%s", gst_rmc_sink_one_passphrase), (NULL));
  return g_strdup ("its settings for this stream id are wrong");
}

/* NULL: it is served; else why not, and its sink is not in the bin. */
static gchar *
let_in (GstArcServerSink * self, JoinGuest * guest, const JoinCall * call,
    RcAnswerVerdict * verdict)
{
  gchar *fault = join_guest_connect (guest, call);

  if (fault) {                  /* which may change */
    *verdict = RC_ANSWER_LATER;
    return fault;
  }
  if (!put_in (self, GST_ELEMENT (guest->owner)))
    fault = g_strdup ("it cannot serve this receiver; its log says why");
  else if (!join_guest_enter (guest))
    fault = g_strdup ("it stops");
  if (fault)
    take_out (self, sink_of (guest));
  else
    give_caps (self, sink_of (guest));
  return fault;
}

static gchar *
admit (GstElement * element, JoinGuest * guest, const JoinCall * call, RcAnswerVerdict * verdict)
{
  GstArcServerSink *self = GST_ARC_SERVER_SINK_CAST (element);
  SecureSettings before = gst_arc_server_sink_dup_srtp (self);
  gchar *fault;

  guest->owner = g_object_ref_sink (g_object_new (GST_TYPE_RMC_SINK, "async", FALSE, "sync", FALSE,
          NULL));
  start_as_others (self, guest->owner);
  gst_arc_server_sink_apply (self, guest->owner);
  g_signal_emit (self, gst_arc_server_sink_added_signal, 0, guest->owner, guest->stream_id);
  if (self->splitter == self->head)
    gst_rmc_sink_set_feed (sink_of (guest), server_fan_get_feed (SERVER_FAN (self->idle)),
        self->sinkpad);
  fault = find_own_passphrase (self, guest);
  if (!fault)
    fault = gst_rmc_sink_serve (sink_of (guest), guest, &before);
  if (!fault)
    fault = find_missing_key (self, guest);
  if (!fault && (fault = g_strdup (join_guest_check (guest, &call->call))))
    *verdict = RC_ANSWER_STRANGER;
  if (!fault)
    fault = let_in (self, guest, call, verdict);
  if (fault) {
    gst_rmc_sink_dismiss (sink_of (guest));
    g_signal_emit (self, gst_arc_server_sink_removed_signal, 0, guest->owner, guest->stream_id);
  } else {
    tell (self, guest, "joined");
  }
  if (!fault && gst_arc_server_sink_has_old_key (self, guest, &before))
    join_guest_lose (guest);
  secure_settings_clear (&before);
  return fault;
}

static void
move (GstElement * element, JoinGuest * guest)
{
  gst_rmc_sink_move (sink_of (guest), guest->from);
}

static guint
count_places (GstElement * element)
{
  GstArcServerSink *self = GST_ARC_SERVER_SINK_CAST (element);
  guint n;

  GST_OBJECT_LOCK (self);
  n = self->settings.max_viewers;
  GST_OBJECT_UNLOCK (self);
  return n;
}

static gchar *
find_burden (GstElement * element)
{
  return gst_arc_server_sink_look_at_load (GST_ARC_SERVER_SINK_CAST (element))
      ? g_strdup ("its CPU is full with the viewers that it has") : NULL;
}

static gchar *
find_fault (GstElement * element, const JoinCall * call, RcAnswerVerdict * verdict)
{
  RcAnswerVerdict refusal;
  gchar *fault = gst_arc_server_sink_find_stranger (GST_ARC_SERVER_SINK_CAST (element),
      &call->call, &refusal);

  if (fault)
    *verdict = refusal;
  return fault;
}

const JoinServerFuncs gst_arc_server_sink_join_funcs = {.count_places = count_places,
  .find_burden = find_burden,.find_fault = find_fault,.admit = admit,.move = move,.leave = leave,
  .stop = stop,.is_unheard = is_unheard
};

/* --- life --- */

gboolean
gst_arc_server_sink_listen (GstArcServerSink * self)
{
  GError *error = NULL;
  gchar *address;
  gint qos_dscp;
  SecureSettings srtp = { 0 };
  guint port;

  GST_OBJECT_LOCK (self);
  address = g_strdup (self->settings.bind_address);
  port = self->settings.port;
  qos_dscp = self->settings.qos_dscp;
  GST_OBJECT_UNLOCK (self);
  if (!secure_settings_read (&self->settings.srtp, self, TRUE, &srtp, &error))
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("%s", error->message), (NULL));
  else if (!join_server_open (self->join, address, port, qos_dscp, secure_settings_salt (&srtp),
          &error))
    GST_ELEMENT_ERROR (self, RESOURCE, OPEN_READ, ("%s", error->message), (NULL));
  else if (!gst_arc_server_sink_complete_srtp (self, &error)) {
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("%s", error->message), (NULL));
    join_server_close (self->join);
  }
  secure_settings_clear (&srtp);
  g_free (address);
  if (!error)
    return TRUE;
  g_error_free (error);
  return FALSE;
}

void
gst_arc_server_sink_stop_listening (GstArcServerSink * self)
{
  GstStructure *stats = gst_arc_server_sink_create_stats (self), *before;

  g_mutex_lock (&self->lock);
  before = self->last_stats;
  self->last_stats = stats;
  g_mutex_unlock (&self->lock);
  join_server_close (self->join);
  g_clear_pointer (&before, gst_structure_free);
}
