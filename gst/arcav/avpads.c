/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "avpads.h"

#include <gst/base/gstflowcombiner.h>

#define OUT "out"               /* data of a pad of the element */
#define STREAM "stream"         /* data of the pad behind a depayloader */
#define SILENCE_US G_TIME_SPAN_SECOND
/* Of telemetry each few seconds, silence is the rule. */
#define FIRST_GAP_US (2 * G_TIME_SPAN_SECOND)
#define GAPS_OF_SILENCE 2
/* For so long it is likely that a new stream is an old one, whose silence shows later. */
#define NEW_US (5 * G_TIME_SPAN_SECOND)
/* An application may link a pad later. */
#define UNLINKED_US (2 * G_TIME_SPAN_SECOND)

typedef enum
{
  KIND_VIDEO,
  KIND_AUDIO,
  KIND_DATA,
  N_KINDS
} Kind;

struct _AvPads
{
  GstElement *element;          /* has us */
  GMutex lock;                  /* of all below, and of Out and Stream */
  GList *outs;                  /* by their numbers */
  guint n_pads[N_KINDS];
  GstFlowCombiner *flows;
};

typedef struct _Stream Stream;

/* A pad of the element. */
typedef struct
{
  AvPads *pads;
  GstPad *pad;
  guint number;                 /* among those of its kind */
  const AvFormat *format;
  Stream *stream;               /* NULL: none now */
  guint ssrc;                   /* of the last stream */
  GstQuery *latency;            /* the last answer */
} Out;

/* What comes out of a depayloader. */
struct _Stream
{
  AvPads *pads;
  GstPad *in;                   /* has us; linked to the depayloader */
  const AvFormat *format;
  guint ssrc;
  Out *out;                     /* NULL: none yet, or another stream has it */
  gboolean bye;
  gboolean fresh;               /* nothing has left by out */
  gboolean told;                /* whether nobody has linked out is known, and told */
  gint64 began_at, last_at;     /* its data */
  gint64 gap_us;                /* the longest time between, of late */
};

#define TEMPLATE(name) \
    GST_STATIC_PAD_TEMPLATE (name, GST_PAD_SRC, GST_PAD_SOMETIMES, GST_STATIC_CAPS_ANY)

static GstStaticPadTemplate templates[N_KINDS] = {
  [KIND_VIDEO] = TEMPLATE ("video_%u"),
  [KIND_AUDIO] = TEMPLATE ("audio_%u"),
  [KIND_DATA] = TEMPLATE ("data_%u"),
};

/* Without it, a pad takes no other caps than it has, while nobody answers for it. */
static GstStaticPadTemplate in_template = GST_STATIC_PAD_TEMPLATE ("in", GST_PAD_SINK,
    GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static Kind
kind_of (const AvFormat * format)
{
  return g_str_equal (format->media, "video") ? KIND_VIDEO
      : g_str_equal (format->media, "audio") ? KIND_AUDIO : KIND_DATA;
}

/* --- which pad a stream has --- */

/* With a reference; NULL: none. */
static GstPad *
pad_of (Stream * stream)
{
  GstPad *pad;

  g_mutex_lock (&stream->pads->lock);
  pad = stream->out ? gst_object_ref (stream->out->pad) : NULL;
  g_mutex_unlock (&stream->pads->lock);
  return pad;
}

/* With a reference; NULL: no stream. */
static GstPad *
stream_of (Out * out)
{
  GstPad *in;

  g_mutex_lock (&out->pads->lock);
  in = out->stream ? gst_object_ref (out->stream->in) : NULL;
  g_mutex_unlock (&out->pads->lock);
  return in;
}

static gboolean
has_ended (const Stream * stream, gint64 now)
{
  return stream->bye
      || now - stream->last_at > MAX (SILENCE_US, GAPS_OF_SILENCE * stream->gap_us);
}

/* Of formats whose caps come with the stream, nothing else fits. */
static gboolean
same_caps (GstPad * a, GstPad * b)
{
  GstCaps *of_a = gst_pad_get_current_caps (a), *of_b = gst_pad_get_current_caps (b);
  gboolean same = of_a && of_b && gst_caps_is_equal (of_a, of_b);

  gst_clear_caps (&of_a);
  gst_clear_caps (&of_b);
  return same;
}

static gboolean
fits (const Out * out, const Stream * stream, gint64 now)
{
  return out->format == stream->format && (!out->stream || has_ended (out->stream, now))
      && (stream->format->caps_name || same_caps (out->pad, stream->in));
}

/* NULL: none that is better than what it has. */
static Out *
find_out (AvPads * self, const Stream * stream)
{
  gint64 now = g_get_monotonic_time ();
  Out *first = NULL;

  for (GList * l = self->outs; l; l = l->next) {
    Out *out = l->data;

    if (!fits (out, stream, now) || (stream->out && !gst_pad_is_linked (out->pad)))
      continue;
    if (out->ssrc == stream->ssrc)
      return out;
    if (!first)
      first = out;
  }
  return first;
}

static void
give (Out * out, Stream * stream)
{
  if (out->stream)
    out->stream->out = NULL;
  if (stream->out)
    stream->out->stream = NULL;
  out->stream = stream;
  out->ssrc = stream->ssrc;
  stream->out = out;
  stream->fresh = TRUE;
}

/* --- a pad of the element --- */

static gboolean
on_out_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstPad *in = stream_of (g_object_get_data (G_OBJECT (pad), OUT));
  gboolean ok = FALSE;

  if (in)
    ok = gst_pad_push_event (in, event);
  else
    gst_event_unref (event);
  gst_clear_object (&in);
  return ok;
}

/* While no stream comes, the pipeline keeps its latency: the next one needs the same. */
static gboolean
remember_latency (Out * out, GstQuery * query, gboolean ok)
{
  GstClockTime min, max;
  gboolean live;

  g_mutex_lock (&out->pads->lock);
  if (ok) {
    gst_clear_query (&out->latency);
    out->latency = gst_query_copy (query);
  } else if (out->latency) {
    gst_query_parse_latency (out->latency, &live, &min, &max);
    gst_query_set_latency (query, live, min, max);
    ok = TRUE;
  }
  g_mutex_unlock (&out->pads->lock);
  return ok;
}

static gboolean
on_out_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  Out *out = g_object_get_data (G_OBJECT (pad), OUT);
  GstPad *in = stream_of (out);
  gboolean ok = in && gst_pad_peer_query (in, query);

  gst_clear_object (&in);
  if (GST_QUERY_TYPE (query) == GST_QUERY_LATENCY)
    ok = remember_latency (out, query, ok);
  return ok || gst_pad_query_default (pad, parent, query);
}

static void
out_free (gpointer data)
{
  Out *out = data;

  gst_clear_query (&out->latency);
  g_free (out);
}

static GstPad *
new_pad (Kind kind, guint number)
{
  GstPadTemplate *templ = gst_static_pad_template_get (&templates[kind]);
  gchar *name = g_strdup_printf (templ->name_template, number);
  GstPad *pad;

  pad = gst_object_ref_sink (gst_pad_new_from_template (templ, name));
  gst_pad_set_event_function (pad, on_out_event);
  gst_pad_set_query_function (pad, on_out_query);
  gst_pad_use_fixed_caps (pad); /* while no stream tells others */
  g_free (name);
  gst_object_unref (templ);
  return pad;
}

static gint
by_number (gconstpointer a, gconstpointer b)
{
  return (gint) ((const Out *) a)->number - (gint) ((const Out *) b)->number;
}

/* Its pad has a reference, and is no pad of the element yet. */
static void
new_out (AvPads * self, Stream * stream)
{
  Kind kind = kind_of (stream->format);
  Out *out = g_new0 (Out, 1);

  g_mutex_lock (&self->lock);
  out->number = self->n_pads[kind]++;
  g_mutex_unlock (&self->lock);
  out->pads = self;
  out->format = stream->format;
  out->pad = new_pad (kind, out->number);
  g_object_set_data_full (G_OBJECT (out->pad), OUT, out, out_free);
  gst_pad_set_active (out->pad, TRUE);
  g_mutex_lock (&self->lock);
  gst_flow_combiner_add_pad (self->flows, out->pad);
  self->outs = g_list_insert_sorted (self->outs, out, by_number);
  give (out, stream);
  g_mutex_unlock (&self->lock);
}

/* It is in no list any more. */
static void
remove_out (gpointer data)
{
  Out *out = data;
  AvPads *self = out->pads;

  gst_pad_set_active (out->pad, FALSE);
  gst_element_remove_pad (self->element, out->pad);
  g_mutex_lock (&self->lock);
  gst_flow_combiner_remove_pad (self->flows, out->pad);
  g_mutex_unlock (&self->lock);
  gst_object_unref (out->pad);
}

/* --- a stream --- */

/* All streams have the stream-start of the one arcsrc: a pad that has sent it would not again. */
static GstEvent *
new_stream_start (GstPad * in, GstEvent * event)
{
  const Stream *stream = g_object_get_data (G_OBJECT (in), STREAM);
  const gchar *id;
  GstEvent *own;
  gchar *own_id;
  guint group;

  gst_event_parse_stream_start (event, &id);
  own_id = g_strdup_printf ("%s/%08x", id, stream->ssrc);
  own = gst_event_new_stream_start (own_id);
  if (gst_event_parse_group_id (event, &group))
    gst_event_set_group_id (own, group);
  g_free (own_id);
  return own;
}

static gboolean
send_on (GstPad * in, GstEvent * event, GstPad * pad)
{
  GstEvent *sent = GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START
      ? new_stream_start (in, event) : gst_event_ref (event);

  return gst_pad_push_event (pad, sent);
}

static gboolean
resend (GstPad * in, GstEvent ** event, gpointer pad)
{
  send_on (in, *event, pad);
  return TRUE;
}

static void
take_pad (Stream * stream)
{
  AvPads *self = stream->pads;
  gboolean had;
  GstPad *pad;
  Out *out;

  g_mutex_lock (&self->lock);
  had = stream->out != NULL;
  out = find_out (self, stream);
  if (out)
    give (out, stream);
  g_mutex_unlock (&self->lock);
  if (!out && had)
    return;
  if (!out)
    new_out (self, stream);
  pad = pad_of (stream);
  if (!pad)
    return;
  gst_pad_sticky_events_foreach (stream->in, resend, pad);
  if (!out)
    gst_element_add_pad (self->element, pad);
  gst_object_unref (pad);
}

static void
note_data (Stream * stream)
{
  gint64 now = g_get_monotonic_time ();

  g_mutex_lock (&stream->pads->lock);
  stream->gap_us = MAX (now - stream->last_at, stream->gap_us * 7 / 8);
  stream->last_at = now;
  g_mutex_unlock (&stream->pads->lock);
}

static gboolean
wants_pad (Stream * stream, GstPad * has)
{
  gboolean wants;

  g_mutex_lock (&stream->pads->lock);
  wants = !stream->bye && (!has || (!gst_pad_is_linked (has)
          && stream->last_at - stream->began_at < NEW_US));
  g_mutex_unlock (&stream->pads->lock);
  return wants;
}

/* A linked pad of the kind to which nothing comes, as its format is another; NULL: none. */
static const Out *
find_waiting (AvPads * self, const Stream * stream)
{
  for (GList * l = self->outs; l; l = l->next) {
    const Out *out = l->data;

    if (out->format != stream->format && kind_of (out->format) == kind_of (stream->format)
        && gst_pad_is_linked (out->pad)
        && (!out->stream || has_ended (out->stream, stream->last_at)))
      return out;
  }
  return NULL;
}

/* Such as an encoder that sends H.265 since its last start. */
static void
tell_unlinked (Stream * stream, GstPad * pad)
{
  AvPads *self = stream->pads;
  const Out *waiting = NULL;
  gchar *name = NULL;

  g_mutex_lock (&self->lock);
  if (!stream->told && stream->last_at - stream->began_at > UNLINKED_US) {
    stream->told = TRUE;
    waiting = gst_pad_is_linked (pad) ? NULL : find_waiting (self, stream);
    name = waiting ? gst_object_get_name (GST_OBJECT (waiting->pad)) : NULL;
  }
  g_mutex_unlock (&self->lock);
  if (name)
    GST_ELEMENT_WARNING (self->element, STREAM, FORMAT, ("%s comes now, by the new pad %s, which "
            "nobody has linked, and nothing by %s: send the format of before, or start the "
            "receiver again with a branch for this one", stream->format->encoding_name,
            GST_PAD_NAME (pad), name), (NULL));
  g_free (name);
}

/* With a reference; NULL: what comes is dropped. `first`: since another stream had the pad. */
static GstPad *
pad_for_data (Stream * stream, gboolean * first)
{
  GstPad *pad = pad_of (stream);

  note_data (stream);
  if (wants_pad (stream, pad)) {
    gst_clear_object (&pad);
    take_pad (stream);
    pad = pad_of (stream);
  }
  g_mutex_lock (&stream->pads->lock);
  *first = stream->fresh;
  stream->fresh = FALSE;
  g_mutex_unlock (&stream->pads->lock);
  if (pad)
    tell_unlinked (stream, pad);
  return pad;
}

/* One branch must not end the others: all have one udpsrc. At EOS is the element once all branches
 * are. */
static GstFlowReturn
combine (AvPads * self, GstPad * pad, GstFlowReturn ret)
{
  if (ret == GST_FLOW_NOT_LINKED || ret == GST_FLOW_FLUSHING)
    ret = GST_FLOW_OK;
  g_mutex_lock (&self->lock);
  ret = gst_flow_combiner_update_pad_flow (self->flows, pad, ret);
  g_mutex_unlock (&self->lock);
  gst_object_unref (pad);
  return ret;
}

static GstFlowReturn
on_chain (GstPad * in, GstObject * parent, GstBuffer * buffer)
{
  Stream *stream = g_object_get_data (G_OBJECT (in), STREAM);
  gboolean first;
  GstPad *pad = pad_for_data (stream, &first);

  if (!pad) {
    gst_buffer_unref (buffer);
    return GST_FLOW_OK;
  }
  if (first) {
    buffer = gst_buffer_make_writable (buffer);
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  }
  return combine (stream->pads, pad, gst_pad_push (pad, buffer));
}

static GstFlowReturn
on_chain_list (GstPad * in, GstObject * parent, GstBufferList * list)
{
  Stream *stream = g_object_get_data (G_OBJECT (in), STREAM);
  gboolean first;
  GstPad *pad = pad_for_data (stream, &first);

  if (!pad) {
    gst_buffer_list_unref (list);
    return GST_FLOW_OK;
  }
  if (first && gst_buffer_list_length (list) > 0) {
    list = gst_buffer_list_make_writable (list);
    GST_BUFFER_FLAG_SET (gst_buffer_list_get_writable (list, 0), GST_BUFFER_FLAG_DISCONT);
  }
  return combine (stream->pads, pad, gst_pad_push_list (pad, list));
}

/* in keeps the sticky ones for a pad that it gets later. */
static gboolean
on_in_event (GstPad * in, GstObject * parent, GstEvent * event)
{
  GstPad *pad = pad_of (g_object_get_data (G_OBJECT (in), STREAM));
  gboolean ok = TRUE;

  if (pad)
    ok = send_on (in, event, pad) || !gst_pad_is_linked (pad);
  gst_event_unref (event);
  gst_clear_object (&pad);
  return ok;
}

static gboolean
on_in_query (GstPad * in, GstObject * parent, GstQuery * query)
{
  GstPad *pad = pad_of (g_object_get_data (G_OBJECT (in), STREAM));
  gboolean ok = pad && gst_pad_peer_query (pad, query);

  gst_clear_object (&pad);
  return ok || gst_pad_query_default (in, parent, query);
}

static Stream *
new_stream (AvPads * self, const AvFormat * format, guint ssrc)
{
  Stream *stream = g_new0 (Stream, 1);

  stream->pads = self;
  stream->format = format;
  stream->ssrc = ssrc;
  stream->began_at = stream->last_at = g_get_monotonic_time ();
  stream->gap_us = FIRST_GAP_US;
  stream->in = gst_object_ref_sink (gst_pad_new_from_static_template (&in_template, NULL));
  g_object_set_data_full (G_OBJECT (stream->in), STREAM, stream, g_free);
  gst_pad_set_chain_function (stream->in, on_chain);
  gst_pad_set_chain_list_function (stream->in, on_chain_list);
  gst_pad_set_event_function (stream->in, on_in_event);
  gst_pad_set_query_function (stream->in, on_in_query);
  gst_pad_set_active (stream->in, TRUE);
  return stream;
}

/* A pad that fits all caps would be linked to the first branch that waits for one. What
 * rtpgstdepay gives is known by its first packet only. The others choose their caps by what
 * follows the pad. */
GstPad *
av_pads_begin (AvPads * self, GstPad * from, const AvFormat * format, guint ssrc)
{
  Stream *stream = new_stream (self, format, ssrc);

  gst_pad_link (from, stream->in);
  if (format->caps_name)
    take_pad (stream);
  return stream->in;
}

void
av_pads_bye (AvPads * self, guint ssrc)
{
  g_mutex_lock (&self->lock);
  for (GList * l = self->outs; l; l = l->next) {
    Out *out = l->data;

    if (out->stream && out->ssrc == ssrc)
      out->stream->bye = TRUE;
  }
  g_mutex_unlock (&self->lock);
}

/* Those that no stream has and nothing follows. */
static GList *
take_useless (AvPads * self)
{
  GList *useless = NULL;

  for (GList * l = self->outs; l;) {
    GList *next = l->next;
    Out *out = l->data;

    if (!out->stream && !gst_pad_is_linked (out->pad)) {
      self->outs = g_list_delete_link (self->outs, l);
      useless = g_list_prepend (useless, out);
    }
    l = next;
  }
  return useless;
}

void
av_pads_end (AvPads * self, GstPad * in)
{
  Stream *stream = g_object_get_data (G_OBJECT (in), STREAM);
  GList *useless;

  gst_pad_set_active (in, FALSE);
  g_mutex_lock (&self->lock);
  stream->bye = TRUE;
  if (stream->out)
    stream->out->stream = NULL;
  stream->out = NULL;
  useless = take_useless (self);
  g_mutex_unlock (&self->lock);
  g_list_free_full (useless, remove_out);
}

/* --- all --- */

void
av_pads_finish_idle (AvPads * self)
{
  GList *idle = NULL;

  g_mutex_lock (&self->lock);
  for (GList * l = self->outs; l; l = l->next) {
    Out *out = l->data;

    if (!out->stream)
      idle = g_list_prepend (idle, gst_object_ref (out->pad));
  }
  g_mutex_unlock (&self->lock);
  for (GList * l = idle; l; l = l->next)
    gst_pad_push_event (l->data, gst_event_new_eos ());
  g_list_free_full (idle, gst_object_unref);
}

void
av_pads_clear (AvPads * self)
{
  GList *all;

  g_mutex_lock (&self->lock);
  all = g_steal_pointer (&self->outs);
  for (GList * l = all; l; l = l->next) {
    Out *out = l->data;

    if (out->stream)
      out->stream->out = NULL;
    out->stream = NULL;
  }
  for (guint i = 0; i < N_KINDS; i++)
    self->n_pads[i] = 0;
  g_mutex_unlock (&self->lock);
  g_list_free_full (all, remove_out);
}

void
av_pads_add_templates (GstElementClass * klass)
{
  for (guint i = 0; i < N_KINDS; i++)
    gst_element_class_add_static_pad_template (klass, &templates[i]);
}

AvPads *
av_pads_new (GstElement * element)
{
  AvPads *self = g_new0 (AvPads, 1);

  self->element = element;
  g_mutex_init (&self->lock);
  self->flows = gst_flow_combiner_new ();
  return self;
}

void
av_pads_free (AvPads * self)
{
  gst_flow_combiner_free (self->flows);
  g_mutex_clear (&self->lock);
  g_free (self);
}
