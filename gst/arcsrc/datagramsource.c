/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "datagramsource.h"

struct _DatagramSource
{
  GstPushSrc parent;
  const DatagramSourceFuncs *funcs;
  gpointer owner;
  GstPad *out;                  /* of the owner, which has us */
  UdpReader *reader;            /* replaced under the object lock; NULL: no socket */
  gint tick_ms;                 /* atomic */
  GstCaps *caps;                /* under the object lock, as the next; NULL: any */
  gchar *interfaces;            /* to join a multicast group by; NULL: as the system chooses */
  /* of the receiving thread: what has come and is not pushed yet */
  GstBuffer *waiting[UDP_READER_MOST];
  guint n_waiting, next;
};

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC,
    GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

#define datagram_source_parent_class parent_class
G_DEFINE_FINAL_TYPE (DatagramSource, datagram_source, GST_TYPE_PUSH_SRC);

static void
drop_waiting (DatagramSource * self)
{
  while (self->next < self->n_waiting)
    gst_buffer_unref (self->waiting[self->next++]);
  self->next = self->n_waiting = 0;
}

/* Waits for datagrams, and has the owner take them. */
static GstFlowReturn
receive (DatagramSource * self)
{
  UdpDatagram datagrams[UDP_READER_MOST];
  UdpReaderWait wait = udp_reader_wait (self->reader, g_atomic_int_get (&self->tick_ms));
  gint n = 0;

  if (wait == UDP_READER_FLUSHING)
    return GST_FLOW_FLUSHING;
  if (wait == UDP_READER_TIMEOUT) {
    self->funcs->on_tick (self->owner);
    return GST_FLOW_OK;
  }
  if (wait == UDP_READER_READY)
    n = udp_reader_read (self->reader, datagrams);
  if (wait == UDP_READER_ERROR || n < 0) {
    GST_ELEMENT_ERROR (self->owner, RESOURCE, READ, ("cannot receive from the network: %s; if it "
            "does not pass by itself, restart the pipeline", g_strerror (errno)), (NULL));
    return GST_FLOW_ERROR;
  }
  if (n > 0)
    self->funcs->take (self->owner, datagrams, (guint) n,
        gst_element_get_current_running_time (GST_ELEMENT (self)));
  for (gint i = 0; i < n; i++)
    if (datagrams[i].buffer)
      self->waiting[self->n_waiting++] = datagrams[i].buffer;
  return GST_FLOW_OK;
}

/* After a flush the segment comes with the next single buffer. */
static gboolean
takes_lists (DatagramSource * self)
{
  GstPad *pad = GST_BASE_SRC_PAD (self), *peer = gst_pad_get_peer (self->out);
  GstEvent *segment = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);
  gboolean takes = segment && pad->num_probes == 0 && self->out->num_probes == 0
      && !(peer && peer->num_probes > 0);

  gst_clear_event (&segment);
  gst_clear_object (&peer);
  return takes;
}

/* All but the last, which goes the way of GstBaseSrc: in GStreamer 1.22 that fails an assertion if
 * it is given a list when the state changes. As there, new caps are a new chance. */
static GstFlowReturn
push_list (DatagramSource * self)
{
  GstBufferList *list = gst_buffer_list_new_sized (self->n_waiting);
  GstFlowReturn ret;

  while (self->next + 1 < self->n_waiting)
    gst_buffer_list_add (list, self->waiting[self->next++]);
  ret = gst_pad_push_list (GST_BASE_SRC_PAD (self), list);
  return ret == GST_FLOW_NOT_NEGOTIATED && gst_pad_needs_reconfigure (GST_BASE_SRC_PAD (self))
      ? GST_FLOW_OK : ret;
}

static GstFlowReturn
datagram_source_create (GstPushSrc * source, GstBuffer ** buffer)
{
  DatagramSource *self = DATAGRAM_SOURCE (source);
  GstFlowReturn ret = GST_FLOW_OK;

  while (ret == GST_FLOW_OK && self->next == self->n_waiting) {
    self->next = self->n_waiting = 0;
    ret = receive (self);
  }
  /* The owner has other caps now. */
  if (ret == GST_FLOW_OK && gst_pad_needs_reconfigure (GST_BASE_SRC_PAD (self)))
    gst_base_src_negotiate (GST_BASE_SRC (self));
  if (ret == GST_FLOW_OK && self->n_waiting - self->next > 2 && takes_lists (self))
    ret = push_list (self);
  if (ret == GST_FLOW_OK)
    *buffer = self->waiting[self->next++];
  return ret;
}

/* A flush may come from any thread, and before there is a socket. */
static gboolean
set_flushing (DatagramSource * self, gboolean flushing)
{
  GST_OBJECT_LOCK (self);
  if (self->reader)
    udp_reader_set_flushing (self->reader, flushing);
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

static gboolean
datagram_source_unlock (GstBaseSrc * source)
{
  return set_flushing (DATAGRAM_SOURCE (source), TRUE);
}

static gboolean
datagram_source_unlock_stop (GstBaseSrc * source)
{
  return set_flushing (DATAGRAM_SOURCE (source), FALSE);
}

static gboolean
datagram_source_stop (GstBaseSrc * source)
{
  drop_waiting (DATAGRAM_SOURCE (source));
  return TRUE;
}

static GstCaps *
datagram_source_get_caps (GstBaseSrc * source, GstCaps * filter)
{
  DatagramSource *self = DATAGRAM_SOURCE (source);
  GstCaps *caps, *result;

  GST_OBJECT_LOCK (self);
  caps = self->caps ? gst_caps_ref (self->caps) : gst_caps_new_any ();
  GST_OBJECT_UNLOCK (self);
  if (!filter)
    return caps;
  result = gst_caps_intersect_full (filter, caps, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref (caps);
  return result;
}

/* Datagrams come in buffers of ours. */
static gboolean
datagram_source_decide_allocation (GstBaseSrc * source, GstQuery * query)
{
  return TRUE;
}

static void
datagram_source_set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  DatagramSource *self = DATAGRAM_SOURCE (object);

  GST_OBJECT_LOCK (self);
  g_free (self->interfaces);
  self->interfaces = g_value_dup_string (value);
  GST_OBJECT_UNLOCK (self);
}

static void
datagram_source_get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  DatagramSource *self = DATAGRAM_SOURCE (object);

  GST_OBJECT_LOCK (self);
  g_value_set_string (value, self->interfaces);
  GST_OBJECT_UNLOCK (self);
}

static void
datagram_source_finalize (GObject * object)
{
  DatagramSource *self = DATAGRAM_SOURCE (object);

  datagram_source_set_socket (self, NULL);
  gst_clear_caps (&self->caps);
  g_free (self->interfaces);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
datagram_source_class_init (DatagramSourceClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseSrcClass *source_class = GST_BASE_SRC_CLASS (klass);

  object_class->set_property = datagram_source_set_property;
  object_class->get_property = datagram_source_get_property;
  object_class->finalize = datagram_source_finalize;
  g_object_class_install_property (object_class, 1, g_param_spec_string ("multicast-iface",
          "Multicast interface", "Interfaces to join a multicast group by, with commas between",
          NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  source_class->unlock = datagram_source_unlock;
  source_class->unlock_stop = datagram_source_unlock_stop;
  source_class->stop = datagram_source_stop;
  source_class->get_caps = datagram_source_get_caps;
  source_class->decide_allocation = datagram_source_decide_allocation;
  GST_PUSH_SRC_CLASS (klass)->create = datagram_source_create;
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Datagram source", "Source/Network",
      "Reads the socket of arcsrc", "the gst-arc authors");
}

static void
datagram_source_init (DatagramSource * self)
{
  gst_base_src_set_live (GST_BASE_SRC (self), TRUE);
  gst_base_src_set_format (GST_BASE_SRC (self), GST_FORMAT_TIME);
  gst_base_src_set_do_timestamp (GST_BASE_SRC (self), TRUE);
}

DatagramSource *
datagram_source_new (const DatagramSourceFuncs * funcs, gpointer owner)
{
  DatagramSource *self = g_object_new (TYPE_DATAGRAM_SOURCE, "name", "udpsrc", NULL);

  self->funcs = funcs;
  self->owner = owner;
  return self;
}

void
datagram_source_set_out (DatagramSource * self, GstPad * out)
{
  self->out = out;
}

void
datagram_source_set_socket (DatagramSource * self, GSocket * socket)
{
  UdpReader *reader = socket ? udp_reader_new (socket) : NULL, *before;

  GST_OBJECT_LOCK (self);
  before = self->reader;
  self->reader = reader;
  GST_OBJECT_UNLOCK (self);
  g_clear_pointer (&before, udp_reader_free);
}

void
datagram_source_set_caps (DatagramSource * self, const GstCaps * caps)
{
  GST_OBJECT_LOCK (self);
  gst_caps_replace (&self->caps, (GstCaps *) caps);
  GST_OBJECT_UNLOCK (self);
  gst_pad_mark_reconfigure (GST_BASE_SRC_PAD (self));
}

void
datagram_source_set_tick (DatagramSource * self, gint tick_ms)
{
  g_atomic_int_set (&self->tick_ms, tick_ms);
}
