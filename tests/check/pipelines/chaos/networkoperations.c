/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "operations.h"
#include "privatenet.h"

#include <string.h>

#define MAX_DATAGRAMS 50
#define MAX_BYTES 200
#define DEAD_PORT 9             /* after the scene's first: nobody listens */

/* Where the receiver is, where it may be (all of 127/8 is here), and where nobody is. */
gboolean
operate_host (Scene * scene, Actor * actor)
{
  static const gchar *const hosts[] = { "127.0.0.1", "127.0.0.2", "localhost", "::1", "192.0.2.1" };
  static const Subject ones[] = {
    {STAGE_CAMERA, "sink"}, {STAGE_CINEMA, "sink"}, {STAGE_STUDIO, "sink"}, {STAGE_RELAY, "relay"},
  };
  const Subject *one = &ones[actor_below (actor, G_N_ELEMENTS (ones))];
  const gchar *host = hosts[actor_below (actor, G_N_ELEMENTS (hosts))];
  g_autoptr (GstElement) element = scene_dup_element (scene, one->stage, one->element);

  actor_will (actor, "%s of %s to %s", one->element, scene->stages[one->stage].name, host);
  property_values_set_string (&scene->values, G_OBJECT (element), "host", host);
  scene_mark_change (scene, one->stage, G_OBJECT (element), "host");
  actor_done (actor);
  return TRUE;
}

gboolean
operate_port (Scene * scene, Actor * actor)
{
  static const struct
  {
    Subject subject;
    const gchar *property;
  } ones[] = {
    {{STAGE_CAMERA, "sink"}, "port"}, {{STAGE_SCREEN, "in"}, "port"},
    {{STAGE_CINEMA, "sink"}, "port"}, {{STAGE_CINEMA, "sink"}, "bind-port"},
    {{STAGE_STUDIO, "sink"}, "port"}, {{STAGE_RELAY, "relay"}, "port"},
    {{STAGE_RELAY, "relay"}, "host-port"}, {{STAGE_VIEWER, "in"}, "port"},
  };
  guint n = actor_below (actor, G_N_ELEMENTS (ones));
  Stage *stage = &scene->stages[ones[n].subject.stage];
  GstElement *element = scene_dup_element (scene, ones[n].subject.stage, ones[n].subject.element);
  guint port = scene->port + (actor_one_in (actor, 2) ? DEAD_PORT : actor_below (actor,
      SCENE_PORTS));
  g_autofree gchar *text = g_strdup_printf ("%u", port);

  actor_will (actor, "%s.%s of %s to %u", ones[n].subject.element, ones[n].property, stage->name,
      port);
  property_values_set_string (&scene->values, G_OBJECT (element), ones[n].property, text);
  scene_mark_change (scene, ones[n].subject.stage, G_OBJECT (element), ones[n].property);
  gst_object_unref (element);
  actor_done (actor);
  return TRUE;
}

/* What the camera sends to, and from, goes away for a while or for longer. */
gboolean
operate_address (Scene * scene, Actor * actor)
{
  guint gone_ms = actor_below (actor, 4) * 100;
  gboolean back = !actor_one_in (actor, 3);

  if (!scene->private)
    return FALSE;
  actor_will (actor, "%s goes%s, after %u ms", PRIVATENET_ADDRESS, back ? " and comes back" : "",
      gone_ms);
  privatenet_set_address (FALSE);
  g_usleep (gone_ms * 1000);
  if (back)
    privatenet_set_address (TRUE);
  actor_done (actor);
  return TRUE;
}

/* Anything, or what looks like the beginning of RTP or of our own RTCP. */
static gsize
fill_datagram (Actor * actor, guint8 * bytes)
{
  gsize size = actor_below (actor, MAX_BYTES);

  for (gsize i = 0; i < size; i++)
    bytes[i] = (guint8) actor_below (actor, 256);
  if (size >= 12 && !actor_one_in (actor, 3)) {
    gboolean rtcp = actor_one_in (actor, 2);

    bytes[0] = 0x80;
    bytes[1] = rtcp ? 204 : 96;
    if (rtcp) {
      size &= ~(gsize) 3;
      GST_WRITE_UINT16_BE (bytes + 2, (guint16) (size / 4 - 1));
      memcpy (bytes + 8, actor_one_in (actor, 2) ? "ARCR" : "ARCS", 4);
    }
  }
  return size;
}

gboolean
operate_datagrams (Scene * scene, Actor * actor)
{
  g_autoptr (GSocket) socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  guint port = scene->port + actor_below (actor, SCENE_PORTS + 1), n = 1 + actor_below (actor,
      MAX_DATAGRAMS);
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new_from_string ("127.0.0.1", port);
  guint8 bytes[MAX_BYTES];

  actor_will (actor, "%u to port %u", n, port);
  for (guint i = 0; i < n; i++)
    g_socket_send_to (socket, address, (gchar *) bytes, fill_datagram (actor, bytes), NULL, NULL);
  actor_done (actor);
  return TRUE;
}
