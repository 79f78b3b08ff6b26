/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "net/ecnbits.h"

#include <gst/net/net.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <string.h>

#define ECN_MASK 3

/* --- the message --- */

#define TYPE_ARC_TOS_MESSAGE (arc_tos_message_get_type ())
G_DECLARE_FINAL_TYPE (ArcTosMessage, arc_tos_message, ARC, TOS_MESSAGE, GSocketControlMessage)

/* The traffic class byte of one packet, as in the kernel's control message: a byte for IPv4, an
 * int for IPv6. */
struct _ArcTosMessage
{
  GSocketControlMessage parent;
  gboolean v6;
  guint8 byte;
};

G_DEFINE_FINAL_TYPE (ArcTosMessage, arc_tos_message, G_TYPE_SOCKET_CONTROL_MESSAGE)

typedef struct
{
  gboolean known, v6;
  guint8 byte;
} TrafficClass;

/* What another element attached is judged by this, too. */
static TrafficClass
read_class (gint level, gint type, gsize size, gconstpointer data)
{
  gint value;

  if (level == IPPROTO_IP && type == IP_TOS && size >= 1)
    return (TrafficClass) { TRUE, FALSE, *(const guint8 *) data };
  if (level != IPPROTO_IPV6 || type != IPV6_TCLASS || size != sizeof (value))
    return (TrafficClass) { FALSE, FALSE, 0 };
  memcpy (&value, data, sizeof (value));
  return (TrafficClass) { TRUE, TRUE, (guint8) value };
}

/* GIO asks each known class about each control message that it reads. */
static GSocketControlMessage *
arc_tos_message_deserialize (gint level, gint type, gsize size, gpointer data)
{
  return NULL;
}

static gsize
arc_tos_message_get_size (GSocketControlMessage * message)
{
  return ARC_TOS_MESSAGE (message)->v6 ? sizeof (gint) : 1;
}

static gint
arc_tos_message_get_level (GSocketControlMessage * message)
{
  return ARC_TOS_MESSAGE (message)->v6 ? IPPROTO_IPV6 : IPPROTO_IP;
}

static gint
arc_tos_message_get_msg_type (GSocketControlMessage * message)
{
  return ARC_TOS_MESSAGE (message)->v6 ? IPV6_TCLASS : IP_TOS;
}

static void
arc_tos_message_serialize (GSocketControlMessage * message, gpointer data)
{
  ArcTosMessage *self = ARC_TOS_MESSAGE (message);
  gint value = self->byte;

  if (self->v6)
    memcpy (data, &value, sizeof (value));
  else
    *(guint8 *) data = self->byte;
}

static void
arc_tos_message_class_init (ArcTosMessageClass * klass)
{
  GSocketControlMessageClass *message_class = G_SOCKET_CONTROL_MESSAGE_CLASS (klass);

  message_class->get_size = arc_tos_message_get_size;
  message_class->get_level = arc_tos_message_get_level;
  message_class->get_type = arc_tos_message_get_msg_type;
  message_class->serialize = arc_tos_message_serialize;
  message_class->deserialize = arc_tos_message_deserialize;
}

static void
arc_tos_message_init (ArcTosMessage * self)
{
}

/* --- sockets and buffers --- */

gboolean
ecn_bits_watch (GSocket * socket)
{
  gboolean v4, v6;

  /* A socket of IPv6 may receive IPv4, too. */
  v4 = g_socket_set_option (socket, IPPROTO_IP, IP_RECVTOS, TRUE, NULL);
  v6 = g_socket_get_family (socket) != G_SOCKET_FAMILY_IPV6
      || g_socket_set_option (socket, IPPROTO_IPV6, IPV6_RECVTCLASS, TRUE, NULL);
  return v4 && v6;
}

void
ecn_bits_cache_clear (EcnBitsCache * self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->messages); i++)
    g_clear_object (&self->messages[i]);
}

/* The object of an earlier packet, if there was one of this class. */
static GSocketControlMessage *
message_of_class (EcnBitsCache * cache, TrafficClass traffic_class)
{
  GSocketControlMessage **place = &cache->messages[traffic_class.byte & ECN_MASK];
  ArcTosMessage *message = (ArcTosMessage *) * place;

  if (!message || message->byte != traffic_class.byte || message->v6 != traffic_class.v6) {
    g_clear_object (place);
    message = g_object_new (TYPE_ARC_TOS_MESSAGE, NULL);
    message->v6 = traffic_class.v6;
    message->byte = traffic_class.byte;
    *place = (GSocketControlMessage *) message;
  }
  return *place;
}

gboolean
ecn_bits_attach (GstBuffer * buffer, EcnBitsCache * cache, const struct cmsghdr *control)
{
  TrafficClass traffic_class = read_class (control->cmsg_level, control->cmsg_type,
      control->cmsg_len - CMSG_LEN (0), CMSG_DATA (control));

  if (traffic_class.known)
    gst_buffer_add_net_control_message_meta (buffer, message_of_class (cache, traffic_class));
  return traffic_class.known;
}

static TrafficClass
class_of_message (GSocketControlMessage * message)
{
  guint8 data[sizeof (gint)];
  gsize size;

  if (ARC_IS_TOS_MESSAGE (message))
    return (TrafficClass) { TRUE, ARC_TOS_MESSAGE (message)->v6, ARC_TOS_MESSAGE (message)->byte };
  size = g_socket_control_message_get_size (message);
  if (size < 1 || size > sizeof (data))
    return (TrafficClass) { FALSE, FALSE, 0 };
  g_socket_control_message_serialize (message, data);
  return read_class (g_socket_control_message_get_level (message),
      g_socket_control_message_get_msg_type (message), size, data);
}

gboolean
ecn_bits_of_buffer (GstBuffer * buffer, RcEcnBits * bits)
{
  gpointer state = NULL;
  GstMeta *meta;

  *bits = RC_ECN_BITS_NOT_ECT;
  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_NET_CONTROL_MESSAGE_META_API_TYPE))) {
    TrafficClass traffic_class = class_of_message (((GstNetControlMessageMeta *) meta)->message);

    if (traffic_class.known) {
      *bits = (RcEcnBits) (traffic_class.byte & ECN_MASK);
      return TRUE;
    }
  }
  return FALSE;
}
