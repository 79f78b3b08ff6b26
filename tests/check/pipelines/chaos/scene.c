/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "privatenet.h"
#include "scene.h"

#include <string.h>

#define LOOPBACK "127.0.0.1"
#define H264_CAPS "application/x-rtp,media=video,encoding-name=H264,payload=96,clock-rate=90000"
#define OUT "fakesink name=out sync=false async=false"
/* As a window: what is late is dropped, and QoS says so upstream. */
#define PLAYER "sync=true qos=true async=false signal-handoffs=true max-lateness=20000000"
#define PICTURE "fakesink name=picture " PLAYER
/* That of libav comes with a hundred typefinders, which are taken for leaks. */
#define DECODER "h264parse ! openh264dec ! "
/* Not asked for its picture: in one of six runs of seed 1 that of the hall stayed away for a
 * minute, which is not understood. */
#define UNASKED "fakesink sync=true qos=true async=false"
#define SOURCES "videotestsrc is-live=true ! video/x-raw,format=I420,width=160,height=120," \
    "framerate=15/1 ! queue ! sink.video_0 audiotestsrc is-live=true ! queue ! sink.audio_0 "
#define ENCODER "x264enc tune=zerolatency speed-preset=ultrafast threads=1"

/* In `text` %u are the ports, counted from the scene's first; `ports` says which. */
static const struct
{
  const gchar *name, *text, *entry;
  guint ports[2];
  guint n_branches;
  gboolean video;
} plans[N_STAGES] = {
  [STAGE_CAMERA] = {"camera", "rmcsink name=sink host=" LOOPBACK " port=%u", "sink", {0}, 1, TRUE},
  [STAGE_SCREEN] = {"screen", "arcsrc name=in port=%u caps=" H264_CAPS
        " ! rtpjitterbuffer latency=50 ! tee name=copies ! queue ! " OUT " copies. ! queue "
        "! rtph264depay ! " DECODER PICTURE, NULL, {0}},
  [STAGE_CINEMA] = {"cinema", "queue name=entry max-size-buffers=20 ! "
        "rmcsink name=sink host=" LOOPBACK " port=%u bind-port=%u", "entry", {1, 5}, 1, TRUE},
  [STAGE_RECORDER] = {"recorder", "udpsrc name=udp port=%u caps=" H264_CAPS
        " ! arcreceiver name=meter ! " OUT " meter.rtcp_src ! "
        "udpsink name=back host=" LOOPBACK " port=%u sync=false async=false", NULL, {1, 5}},
  [STAGE_STUDIO] = {"studio", "rampscheduler name=scheduler ! rmcsink name=sink host=" LOOPBACK
        " port=%u congestion-control=piqi-rcp", "scheduler", {2}, 3, FALSE},
  [STAGE_RELAY] = {"relay", "rcprelay name=relay port=%u host=" LOOPBACK
        " host-port=%u capacity=4000000", NULL, {2, 3}},
  [STAGE_VIEWER] = {"viewer", "arcsrc name=in port=%u caps=application/x-rtp ! " OUT, NULL, {3}},
  [STAGE_DOOR] = {"door", "rmcsink name=sink mode=listener bind-address=" LOOPBACK " port=%u",
        "sink", {13}, 1, TRUE},
  [STAGE_GUEST] = {"guest", "arcsrc name=in mode=caller host=" LOOPBACK " port=%u "
        "! rtpjitterbuffer latency=50 ! " OUT, NULL, {13}},
  [STAGE_CONVOY] = {"convoy", "rmcsink name=sink host=" LOOPBACK " port=%u "
        "paths=\"127.0.0.2,127.0.0.3\"", "sink", {14}, 1, TRUE},
  [STAGE_DEPOT] = {"depot", "arcsrc name=in port=%u"
        " ! rtpjitterbuffer latency=50 ! " OUT, NULL, {14}},
  [STAGE_STAGE] = {"stage", SOURCES "arcavsink name=sink host=" LOOPBACK " port=%u "
        "video-encoder=\"" ENCODER "\"", NULL, {15}},
  [STAGE_HALL] = {"hall", "arcavsrc name=in port=%u queue name=video ! " DECODER UNASKED
        " queue name=audio ! opusdec ! " UNASKED, NULL, {15}},
};

const gchar *const scene_players[] = { "picture" };

const guint scene_n_players = G_N_ELEMENTS (scene_players);

const Subject scene_subjects[] = {
  {STAGE_CAMERA, "sink"}, {STAGE_SCREEN, "in"}, {STAGE_CINEMA, "sink"}, {STAGE_RECORDER, "meter"},
  {STAGE_STUDIO, "scheduler"}, {STAGE_STUDIO, "sink"}, {STAGE_RELAY, "relay"}, {STAGE_VIEWER, "in"},
  {STAGE_DOOR, "sink"}, {STAGE_GUEST, "in"}, {STAGE_CONVOY, "sink"}, {STAGE_DEPOT, "in"},
};

const guint scene_n_subjects = G_N_ELEMENTS (scene_subjects);

/* --- looking --- */

GstElement *
scene_dup_pipeline (Scene * self, StageId id)
{
  GstElement *pipeline;

  g_mutex_lock (&self->lock);
  pipeline = self->stages[id].pipeline;
  if (pipeline)
    gst_object_ref (pipeline);
  g_mutex_unlock (&self->lock);
  return pipeline;
}

GstElement *
scene_dup_element (Scene * self, StageId id, const gchar * name)
{
  GstElement *pipeline = scene_dup_pipeline (self, id), *element;

  if (!pipeline)
    return NULL;
  element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  gst_object_unref (pipeline);
  return element;
}

gboolean
scene_has_branches (StageId id)
{
  return plans[id].entry != NULL;
}

/* --- building --- */

void
scene_add_branch (Scene * self, Actor * actor, StageId id)
{
  Stage *stage = &self->stages[id];
  Branch *branch = branch_new (actor, plans[id].video, self->next_ssrc++);
  g_autoptr (GstElement) entry = scene_dup_element (self, id, plans[id].entry);
  gboolean request = id == STAGE_STUDIO;
  GstPad *pad = request ? gst_element_request_pad_simple (entry, "sink_%u")
      : gst_element_get_static_pad (entry, "sink");

  actor_note (actor, "%s gets a %s, SSRC %u", stage->name, branch->kind, branch->ssrc);
  if (request && branch->greedy)
    gst_util_set_object_arg (G_OBJECT (pad), "flow-class", "greedy");
  /* A limit of GStreamer: a pipeline that gets a live source while it prerolls waits for good. */
  if (!branch->seekable && GST_STATE_TARGET (stage->pipeline) == GST_STATE_PAUSED)
    g_atomic_int_set (&stage->restart, TRUE);
  branch_attach (branch, stage->pipeline, pad, request);
  g_mutex_lock (&self->lock);
  g_ptr_array_add (stage->branches, branch);
  g_mutex_unlock (&self->lock);
}

void
scene_remove_branch (Scene * self, StageId id, guint index, gboolean unlink_first)
{
  Stage *stage = &self->stages[id];
  Branch *branch;

  g_mutex_lock (&self->lock);
  branch = g_ptr_array_steal_index (stage->branches, index);
  g_mutex_unlock (&self->lock);
  property_values_forget (&self->values, G_OBJECT (branch->to));
  branch_detach (branch, stage->pipeline, unlink_first);
}

gpointer
scene_dup_branch_part (Scene * self, Actor * actor, StageId id, const gchar * name)
{
  GPtrArray *branches = self->stages[id].branches;
  gpointer part = NULL;
  guint index = actor_below (actor, 100);

  g_mutex_lock (&self->lock);
  if (branches->len > 0) {
    Branch *branch = branches->pdata[index % branches->len];

    part = name ? (gpointer) branch_dup_part (branch, name) : gst_object_ref (branch->to);
  }
  g_mutex_unlock (&self->lock);
  return part;
}

static void
watch_output (Scene * self, GstElement * pipeline)
{
  g_autoptr (GstElement) out = gst_bin_get_by_name (GST_BIN (pipeline), "out");
  g_autoptr (GstPad) pad = NULL;

  if (!out)
    return;
  pad = gst_element_get_static_pad (out, "sink");
  deliveries_watch (&self->deliveries, pad);
}

/* SSRCs of branches are above. */
static guint32
player_key (StageId id, guint player)
{
  return 1 + id * scene_n_players + player;
}

static void
on_played (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer user_data)
{
  guint32 key = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (sink), "key"));

  deliveries_note (user_data, key);
}

static void
watch_players (Scene * self, GstElement * pipeline, StageId id)
{
  for (guint i = 0; i < scene_n_players; i++) {
    g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), scene_players[i]);

    if (!sink)
      continue;
    g_object_set_data (G_OBJECT (sink), "key", GUINT_TO_POINTER (player_key (id, i)));
    g_signal_connect (sink, "handoff", G_CALLBACK (on_played), &self->deliveries);
  }
}

gboolean
scene_has_player (StageId id, guint player)
{
  g_autofree gchar *name = g_strdup_printf ("name=%s ", scene_players[player]);
  gboolean has = strstr (plans[id].text, name) != NULL;

  return has;
}

guint
scene_played (Scene * self, StageId id, guint player)
{
  return deliveries_of (&self->deliveries, player_key (id, player));
}

/* To the queue of that name; from the pad of the sender before, if there is one. */
static void
on_stream (GstElement * source, GstPad * pad, gpointer pipeline)
{
  g_autoptr (GstCaps) caps = gst_pad_query_caps (pad, NULL);
  const gchar *type = gst_structure_get_name (gst_caps_get_structure (caps, 0));
  GstElement *queue = gst_bin_get_by_name (pipeline, g_str_has_prefix (type, "video") ? "video"
      : "audio");
  GstPad *to = gst_element_get_static_pad (queue, "sink"), *before = gst_pad_get_peer (to);

  if (before)
    gst_pad_unlink (before, to);
  gst_pad_link (pad, to);
  gst_clear_object (&before);
  gst_object_unref (to);
  gst_object_unref (queue);
}

static void
link_streams (GstElement * pipeline)
{
  g_autoptr (GstElement) source = gst_bin_get_by_name (GST_BIN (pipeline), "in");

  g_signal_connect (source, "pad-added", G_CALLBACK (on_stream), pipeline);
}

/* Reports must come from where the media went to. */
static void
share_socket (Scene * self, GstElement * pipeline)
{
  const gchar *names[] = { "udp", "back" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (pipeline), names[i]);

    g_object_set (element, "socket", self->recorder_socket, "close-socket", FALSE, NULL);
  }
}

static GstElement *
parse (const gchar * text, const gchar * name)
{
  GError *error = NULL;
  GstElement *parsed = gst_parse_launch (text, &error), *pipeline = parsed;

  if (!parsed || error)
    watchdog_fail ("%s: %s", text, error ? error->message : "nothing");
  if (!GST_IS_PIPELINE (parsed)) {
    pipeline = gst_pipeline_new (NULL);
    gst_bin_add (GST_BIN (pipeline), parsed);
  }
  gst_object_set_name (GST_OBJECT (pipeline), name);
  return gst_object_ref_sink (pipeline);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static gchar *
plan_text (const Scene * self, StageId id)
{
  return g_strdup_printf (plans[id].text, self->port + plans[id].ports[0],
      self->port + plans[id].ports[1]);
}

#pragma GCC diagnostic pop

void
scene_rebuild (Scene * self, Actor * actor, StageId id)
{
  Stage *stage = &self->stages[id];
  g_autofree gchar *text = plan_text (self, id);
  GstElement *pipeline = parse (text, plans[id].name);

  watch_output (self, pipeline);
  watch_players (self, pipeline, id);
  if (id == STAGE_HALL)
    link_streams (pipeline);
  if (id == STAGE_RECORDER)
    share_socket (self, pipeline);
  if (id == STAGE_CAMERA && self->private)
    gst_child_proxy_set (GST_CHILD_PROXY (pipeline), "sink::host", PRIVATENET_ADDRESS, NULL);
  g_mutex_lock (&self->lock);
  stage->pipeline = pipeline;
  g_mutex_unlock (&self->lock);
  stage->ended = FALSE;
  g_atomic_int_set (&stage->restart, FALSE);
  g_atomic_int_set (&stage->from_null, FALSE);
  for (guint i = 0; i < plans[id].n_branches; i++)
    scene_add_branch (self, actor, id);
}

void
scene_add_plug (Scene * self, StageId id, GstElement * element, GstPad * pad, GstPad * loose)
{
  Plug *plug = g_new0 (Plug, 1);

  plug->element = gst_object_ref (element);
  plug->pad = pad;
  plug->loose = loose;
  g_ptr_array_add (self->stages[id].plugs, plug);
}

void
scene_remove_plug (Scene * self, StageId id, guint index)
{
  Plug *plug = g_ptr_array_steal_index (self->stages[id].plugs, index);
  gboolean is_source = GST_PAD_IS_SRC (plug->pad);

  gst_pad_unlink (is_source ? plug->pad : plug->loose, is_source ? plug->loose : plug->pad);
  gst_element_release_request_pad (plug->element, plug->pad);
  gst_pad_set_active (plug->loose, FALSE);
  gst_object_unref (plug->pad);
  gst_object_unref (plug->loose);
  gst_object_unref (plug->element);
  g_free (plug);
}

void
scene_remove_plugs (Scene * self, StageId id)
{
  while (self->stages[id].plugs->len > 0)
    scene_remove_plug (self, id, 0);
}

static void
forget_values (Scene * self, StageId id)
{
  for (guint i = 0; i < scene_n_subjects; i++) {
    g_autoptr (GstElement) element = NULL;

    if (scene_subjects[i].stage != id)
      continue;
    element = scene_dup_element (self, id, scene_subjects[i].element);
    property_values_forget (&self->values, G_OBJECT (element));
  }
}

void
scene_tear_down (Scene * self, StageId id)
{
  Stage *stage = &self->stages[id];
  g_autoptr (GstElement) pipeline = stage->pipeline;

  if (!pipeline)
    return;
  gst_element_set_state (pipeline, GST_STATE_NULL);
  scene_remove_plugs (self, id);
  forget_values (self, id);
  g_mutex_lock (&self->lock);
  stage->pipeline = NULL;
  while (stage->branches->len > 0) {
    Branch *branch = g_ptr_array_steal_index (stage->branches, 0);

    property_values_forget (&self->values, G_OBJECT (branch->to));
    branch_free (branch);
  }
  g_mutex_unlock (&self->lock);
}

void
scene_mark_change (Scene * self, StageId id, GObject * object, const gchar * property)
{
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (object), property);
  Stage *stage = &self->stages[id];
  /* The jitter buffer of arcsrc, which is for one stream, comes and goes at a start. */
  gboolean buffers = g_str_equal (G_OBJECT_TYPE_NAME (object), "GstArcSrc")
      && g_str_equal (property, "latency");

  if (!buffers && spec->flags & (GST_PARAM_MUTABLE_PLAYING | GST_PARAM_MUTABLE_PAUSED))
    return;
  g_atomic_int_set (&stage->restart, TRUE);
  if (!(spec->flags & GST_PARAM_MUTABLE_READY))
    g_atomic_int_set (&stage->from_null, TRUE);
}

/* --- messages --- */

/* Of a branch that has been taken out meanwhile nothing is to be learned. */
static gboolean
is_of (GstMessage * message, GstElement * pipeline)
{
  return GST_MESSAGE_SRC (message) == GST_OBJECT (pipeline)
      || gst_object_has_as_ancestor (GST_MESSAGE_SRC (message), GST_OBJECT (pipeline));
}

static void
read_error (Stage * stage, Actor * actor, GstMessage * message)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *detail = NULL;

  gst_message_parse_error (message, &error, &detail);
  actor_note (actor, "(%s: error from %s: %s; %s)", stage->name, GST_MESSAGE_SRC_NAME (message),
      error->message, detail ? detail : "");
  stage->ended = TRUE;
}

static void
read_message (Stage * stage, Actor * actor, GstMessage * message)
{
  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      read_error (stage, actor, message);
      break;
    case GST_MESSAGE_EOS:
      actor_note (actor, "(%s: end of stream)", stage->name);
      stage->ended = TRUE;
      break;
    case GST_MESSAGE_LATENCY:
      gst_bin_recalculate_latency (GST_BIN (stage->pipeline));
      break;
    default:
      break;
  }
}

void
scene_read_messages (Scene * self, Actor * actor)
{
  for (guint id = 0; id < N_STAGES; id++) {
    Stage *stage = &self->stages[id];
    GstBus *bus = stage->pipeline ? gst_element_get_bus (stage->pipeline) : NULL;
    GstMessage *message;

    while (bus && (message = gst_bus_pop (bus))) {
      if (is_of (message, stage->pipeline))
        read_message (stage, actor, message);
      gst_message_unref (message);
    }
    gst_clear_object (&bus);
  }
}

/* --- life --- */

static GSocket *
open_recorder_socket (guint port)
{
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new_from_string ("0.0.0.0", port);
  GError *error = NULL;

  if (!g_socket_bind (socket, address, FALSE, &error))
    watchdog_fail ("port %u: %s; --port chooses others", port, error->message);
  return socket;
}

void
scene_init (Scene * self, guint port, gboolean private)
{
  *self = (Scene) { .port = port, .private = private, .next_ssrc = 1000 };
  g_mutex_init (&self->lock);
  deliveries_init (&self->deliveries);
  property_values_init (&self->values);
  for (guint id = 0; id < N_STAGES; id++) {
    self->stages[id].name = plans[id].name;
    self->stages[id].branches = g_ptr_array_new ();
    self->stages[id].plugs = g_ptr_array_new ();
  }
}

void
scene_start (Scene * self, Actor * actor)
{
  self->recorder_socket = open_recorder_socket (self->port + 1);
  for (guint id = 0; id < N_STAGES; id++)
    scene_rebuild (self, actor, id);
}

void
scene_stop (Scene * self)
{
  for (guint id = 0; id < N_STAGES; id++) {
    scene_tear_down (self, id);
    g_ptr_array_unref (self->stages[id].branches);
    g_ptr_array_unref (self->stages[id].plugs);
  }
  g_clear_object (&self->recorder_socket);
  property_values_clear (&self->values);
  deliveries_clear (&self->deliveries);
  g_mutex_clear (&self->lock);
}
