/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "privatenet.h"
#include "scene.h"

#define LOOPBACK "127.0.0.1"
#define H264_CAPS "application/x-rtp,media=video,encoding-name=H264,payload=96,clock-rate=90000"
#define OUT "fakesink name=out sync=false async=false"

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
        " ! rtpjitterbuffer latency=50 ! " OUT, NULL, {0}},
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
};

const Subject scene_subjects[] = {
  {STAGE_CAMERA, "sink"}, {STAGE_SCREEN, "in"}, {STAGE_CINEMA, "sink"}, {STAGE_RECORDER, "meter"},
  {STAGE_STUDIO, "scheduler"}, {STAGE_STUDIO, "sink"}, {STAGE_RELAY, "relay"}, {STAGE_VIEWER, "in"},
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
  GstElement *entry = scene_dup_element (self, id, plans[id].entry);
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
  gst_object_unref (entry);
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
  GstElement *out = gst_bin_get_by_name (GST_BIN (pipeline), "out");
  GstPad *pad;

  if (!out)
    return;
  pad = gst_element_get_static_pad (out, "sink");
  deliveries_watch (&self->deliveries, pad);
  gst_object_unref (pad);
  gst_object_unref (out);
}

/* Reports must come from where the media went to. */
static void
share_socket (Scene * self, GstElement * pipeline)
{
  const gchar *names[] = { "udp", "back" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), names[i]);

    g_object_set (element, "socket", self->recorder_socket, "close-socket", FALSE, NULL);
    gst_object_unref (element);
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
  gchar *text = plan_text (self, id);
  GstElement *pipeline = parse (text, plans[id].name);

  watch_output (self, pipeline);
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
  g_free (text);
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
    GstElement *element;

    if (scene_subjects[i].stage != id)
      continue;
    element = scene_dup_element (self, id, scene_subjects[i].element);
    property_values_forget (&self->values, G_OBJECT (element));
    gst_object_unref (element);
  }
}

void
scene_tear_down (Scene * self, StageId id)
{
  Stage *stage = &self->stages[id];
  GstElement *pipeline = stage->pipeline;

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
  gst_object_unref (pipeline);
}

void
scene_mark_change (Scene * self, StageId id, GObject * object, const gchar * property)
{
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (object), property);
  Stage *stage = &self->stages[id];

  if (spec->flags & (GST_PARAM_MUTABLE_PLAYING | GST_PARAM_MUTABLE_PAUSED))
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
  GError *error;
  gchar *detail;

  gst_message_parse_error (message, &error, &detail);
  actor_note (actor, "(%s: error from %s: %s; %s)", stage->name, GST_MESSAGE_SRC_NAME (message),
      error->message, detail ? detail : "");
  g_error_free (error);
  g_free (detail);
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
  GSocketAddress *address = g_inet_socket_address_new_from_string ("0.0.0.0", port);
  GError *error = NULL;

  if (!g_socket_bind (socket, address, FALSE, &error))
    watchdog_fail ("port %u: %s; --port chooses others", port, error->message);
  g_object_unref (address);
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
