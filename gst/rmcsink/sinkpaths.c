/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The property `paths`: a socket for each path, those that appear while the session runs, and
 * statistics. Without the property there is one socket, a path without a name.
 *
 * Paths that are not there are looked for each second. Rejected: GNetworkMonitor. Its signal
 * needs a main loop in the application, and it tells of routes, not of interfaces. */

#include "gstrmcsinkprivate.h"

#include "base/propertyrows.h"

#include "base/clockglue.h"
#include <gst/arc/arc.h>

#define PATIENT_LOOKS 2         /* one a second, until what is not there is told */

static void
path_free (gpointer path)
{
  SinkPath *self = path;

  g_free (self->name);
  g_object_unref (self->socket);
  g_free (self);
}

PROPERTY_ENUM_TYPE (gst_rmc_sink_path_mode_get_type, "GstRmcSinkPathMode",
    {RC_LANES_SUM, "All paths carry, each what it can", "sum"},
    {RC_LANES_BACKUP, "The first path that works carries", "backup"},
    {RC_LANES_DUPLICATE, "Each packet is sent by two paths", "duplicate"})

/* Names without blanks; g_strfreev (). Empty: one path. *rest: those beyond RC_LANES_MAX, or NULL;
 * g_free (). */
static gchar **
list_names (GstRmcSink * self, gchar ** rest)
{
  gchar *text, **names;

  GST_OBJECT_LOCK (self);
  text = g_strdup (self->settings.paths ? self->settings.paths : "");
  GST_OBJECT_UNLOCK (self);
  g_strstrip (text);
  names = *text ? g_strsplit (text, ",", RC_LANES_MAX + 1) : g_new0 (gchar *, 1);
  for (guint i = 0; names[i]; i++)
    g_strstrip (names[i]);
  g_free (text);
  text = g_strv_length (names) > RC_LANES_MAX ? g_steal_pointer (&names[RC_LANES_MAX]) : NULL;
  if (rest)
    *rest = text;
  else
    g_free (text);
  return names;
}

/* Local addresses of IPv6 have colons as well. */
static gboolean
is_of_receiver (const gchar * name)
{
  return strchr (name, ':') && !g_hostname_is_ip_address (name);
}

gboolean
gst_rmc_sink_check_called_paths (GstRmcSink * self, GError ** error)
{
  gchar **names = list_names (self, NULL);
  gboolean ok = TRUE;

  for (guint i = 0; names[i] && ok; i++)
    if ((ok = !is_of_receiver (names[i])) == FALSE)
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "paths: %s is an "
          "address of the receiver, but with mode=listener that is found out when it calls: name "
          "local addresses and interfaces, from which media leaves beside the port that is called",
          names[i]);
  g_strfreev (names);
  return ok;
}

/* A local address, another address of the receiver, or an interface. called_by: the receiver; NULL:
 * it is that of the settings. */
static GSocket *
open_path (GstRmcSink * self, const gchar * name, GSocketAddress * called_by,
    GCancellable * cancellable, GError ** error)
{
  UdpSocketConfig config = gst_rmc_sink_dup_config (self), path = config;
  GInetAddress *local = g_inet_address_new_from_string (name);
  GSocketConnectable *receiver = !local && is_of_receiver (name)
      ? g_network_address_parse (name, (guint16) config.port, NULL) : NULL;
  gchar *host = called_by ? g_inet_address_to_string (g_inet_socket_address_get_address
      (G_INET_SOCKET_ADDRESS (called_by))) : NULL;
  GSocket *socket;

  if (called_by)
    path = (UdpSocketConfig) {.host = host,.qos_dscp = config.qos_dscp,
      .port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (called_by))
    };
  if (local) {
    path.bind_address = name;
    path.is_path = TRUE;
  } else if (receiver) {
    path.host = g_network_address_get_hostname (G_NETWORK_ADDRESS (receiver));
    path.port = g_network_address_get_port (G_NETWORK_ADDRESS (receiver));
  } else {
    path.device = name;
  }
  socket = udp_socket_open (&path, cancellable, error);
  g_clear_object (&local);
  g_clear_object (&receiver);
  g_free (host);
  gst_rmc_sink_clear_config (&config);
  return socket;
}

static void
add_path (GPtrArray * paths, const gchar * name, GSocket * socket)
{
  SinkPath *path = g_new (SinkPath, 1);

  *path = (SinkPath) { g_strdup (name), socket };
  g_ptr_array_add (paths, path);
}

static gboolean
has_path (const GPtrArray * paths, const gchar * name)
{
  for (guint i = 0; i < paths->len; i++)
    if (g_strcmp0 (((SinkPath *) paths->pdata[i])->name, name) == 0)
      return TRUE;
  return FALSE;
}

/* The path of the port that the receiver called has the local address as a name. */
static void
add_called (GPtrArray * paths, GSocket * socket, gboolean beside_others,
    GSocketAddress ** called_by)
{
  GSocketAddress *address = g_socket_get_local_address (socket, NULL);
  gchar *name = beside_others && address ? g_inet_address_to_string
      (g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address))) : NULL;

  add_path (paths, name, socket);
  *called_by = g_socket_get_remote_address (socket, NULL);
  g_free (name);
  g_clear_object (&address);
}

GPtrArray *
gst_rmc_sink_open_paths (GstRmcSink * self, GCancellable * cancellable, GError ** error)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (path_free);
  gchar **names = list_names (self, NULL);
  JoinGuest *guest = gst_rmc_sink_dup_guest (self);
  GSocket *socket = guest ? join_guest_dup_socket (guest) : NULL;
  GSocketAddress *called_by = NULL;

  g_clear_pointer (&guest, join_guest_unref);
  if (socket)
    add_called (paths, socket, names[0] != NULL, &called_by);
  else if (self->served)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_CLOSED, "the server stops");
  else if (!names[0] && (socket = gst_rmc_sink_open_socket (self, cancellable, error)))
    add_path (paths, NULL, socket);
  for (guint i = 0; names[i] && paths->len < RC_LANES_MAX; i++) {
    g_clear_error (error);
    if (!has_path (paths, names[i])
        && (socket = open_path (self, names[i], called_by, cancellable, error)))
      add_path (paths, names[i], socket);
  }
  g_clear_object (&called_by);
  g_strfreev (names);
  if (paths->len == 0)
    g_clear_pointer (&paths, g_ptr_array_unref);
  else
    g_clear_error (error);
  return paths;
}

/* With the object lock held, as the next. */
gboolean
gst_rmc_sink_has_paths (GstRmcSink * self)
{
  return self->settings.paths && *self->settings.paths;
}

void
gst_rmc_sink_join_paths (GstRmcSink * self, GPtrArray * paths, SendLanesConfig * lanes,
    SendSessionConfig * config)
{
  *lanes = (SendLanesConfig) {.mode = self->settings.path_mode,
    .latency = clock_glue_from_gst (self->settings.path_latency)
  };
  for (guint i = 0; i < MIN (paths->len, RC_LANES_MAX); i++) {
    const SinkPath *path = paths->pdata[i];
    gboolean called = self->guest && i == 0;

    lanes->paths[lanes->n_paths++] = (SendLanesPath) { path->name,
      gst_rmc_sink_new_transport (self, path->socket, called), called };
  }
  if (lanes->paths[0].name)
    config->lanes = lanes;
  else
    config->transport = lanes->paths[0].transport;
}

/* --- while it runs --- */

static void
post_state (GstRmcSink * self, const gchar * name, const gchar * state)
{
  gst_element_post_message (GST_ELEMENT (self), gst_message_new_element (GST_OBJECT (self),
          gst_structure_new (GST_RMC_SINK_PATH, "path", G_TYPE_STRING, name, "state",
              G_TYPE_STRING, state, NULL)));
}

static gboolean
is_among (const LaneStats * lanes, guint n, const gchar * name)
{
  for (guint i = 0; i < n; i++)
    if (g_str_equal (lanes[i].name, name))
      return TRUE;
  return FALSE;
}

/* Each state that differs from that of a second ago. */
static void
post_states (GstRmcSink * self, SendSession * session)
{
  LaneStats *lanes = g_new (LaneStats, RC_LANES_MAX);
  guint n = send_session_get_lane_stats (session, lanes);

  for (guint i = 0; i < RC_LANES_MAX; i++) {
    gchar **told = self->path_states[i];

    if (told[0] && !is_among (lanes, n, told[0])) {
      post_state (self, told[0], "gone");
      gst_rmc_sink_forget_path (self, i);
    }
  }
  for (guint i = 0; i < n; i++) {
    const LaneStats *lane = &lanes[i];
    guint k = 0, empty = 0;

    for (k = 0; k < RC_LANES_MAX && g_strcmp0 (self->path_states[k][0], lane->name) != 0; k++)
      empty = self->path_states[k][0] ? empty : k;
    k = k < RC_LANES_MAX ? k : empty;
    if (g_strcmp0 (self->path_states[k][1], lane->state) == 0)
      continue;
    gst_rmc_sink_forget_path (self, k);
    self->path_states[k][0] = g_strdup (lane->name);
    self->path_states[k][1] = g_strdup (lane->state);
    post_state (self, lane->name, lane->state);
  }
  g_free (lanes);
}

void
gst_rmc_sink_forget_path (GstRmcSink * self, guint i)
{
  g_clear_pointer (&self->path_states[i][0], g_free);
  g_clear_pointer (&self->path_states[i][1], g_free);
}

/* Once for each list of names, which may be another one while playing. */
static gboolean
tells_missing (GstRmcSink * self, gchar ** names)
{
  gchar *all = g_strjoinv (",", names);

  if (g_strcmp0 (all, self->paths_looked_for) != 0)
    self->path_looks = 0;
  g_free (self->paths_looked_for);
  self->paths_looked_for = all;
  return self->path_looks++ == PATIENT_LOOKS;
}

void
gst_rmc_sink_look_for_paths (GstRmcSink * self, SendSession * session)
{
  gchar *rest, **names = list_names (self, &rest);
  gboolean called = gst_rmc_sink_is_called (self);
  JoinGuest *guest = gst_rmc_sink_dup_guest (self);
  gboolean knows_receiver = called == (guest != NULL);
  gboolean tells = knows_receiver && tells_missing (self, names);
  GSocketAddress *called_by = called ? send_session_get_peer (session) : NULL;
  guint missing[RC_LANES_MAX], n = names[0]
      ? send_session_survey_paths (session, (const gchar * const *) names, missing) : 0;

  for (guint i = 0; i < n && knows_receiver; i++) {
    const gchar *name = names[missing[i]];
    GError *error = NULL;
    GSocket *socket = open_path (self, name, called_by, NULL, &error);
    SendLanesPath path = { name, NULL, FALSE };

    GST_INFO_OBJECT (self, "path %s: %s", name, socket ? "it is there" : error->message);
    if (!socket && tells && names[n])
      GST_ELEMENT_WARNING (self, RESOURCE, NOT_FOUND, ("paths: %s is not there, and media goes by "
              "the others: %s", name, error->message), (NULL));
    g_clear_error (&error);
    if (!socket)
      continue;
    GST_OBJECT_LOCK (self);
    path.transport = gst_rmc_sink_new_transport (self, socket, FALSE);
    GST_OBJECT_UNLOCK (self);
    send_session_add_path (session, &path);
    g_object_unref (socket);
  }
  if (tells && rest)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("paths takes %u and leaves out the rest: %s",
            RC_LANES_MAX, rest), (NULL));
  g_clear_pointer (&guest, join_guest_unref);
  g_clear_object (&called_by);
  g_strfreev (names);
  g_free (rest);
  post_states (self, session);
}

/* --- statistics --- */

void
gst_rmc_sink_add_path_stats (const SessionStats * stats, GstStructure * s)
{
  GValue paths = G_VALUE_INIT, path = G_VALUE_INIT;

  g_value_init (&paths, GST_TYPE_ARRAY);
  g_value_init (&path, GST_TYPE_STRUCTURE);
  for (guint i = 0; i < stats->n_lanes; i++) {
    /* What reads snapshots refuses brackets in texts (tools/monitor/nesting.h). */
    gchar *name = g_strdelimit (g_strdup (stats->lanes[i].name), "<>{}[]\"\\", ' ');
    GstStructure *fields = gst_structure_new (GST_RMC_SINK_PATH_STATS, "path", G_TYPE_STRING,
        g_strstrip (name), NULL);

    fields_add (fields, lane_fields, &stats->lanes[i]);
    law_stats_add (&stats->lanes[i].law, fields);
    g_value_take_boxed (&path, fields);
    gst_value_array_append_value (&paths, &path);
    g_free (name);
  }
  g_value_unset (&path);
  gst_structure_take_value (s, "paths", &paths);
}
