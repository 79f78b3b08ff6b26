/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sessionhost.h"

#include "base/clockglue.h"
#include "base/propertyrows.h"
#include "encoder/encodertable.h"
#include "encoder/encoderwalk.h"

#include <gst/arc/arc.h>

/* The interval between the keyframes of most cameras: with what comes at twice the rate of the
 * link, a frame waits for 1.3 s until the next keyframe takes its place. */
#define HOLD_TIME (2 * GST_SECOND)
/* Rarely enough for what never answers; soon enough for a payloader that waits for its caps. */
#define ASK_LIVE_US 100000

SendSession *
session_host_dup_session (SessionHost * self)
{
  SendSession *session;

  GST_OBJECT_LOCK (self->element);
  session = self->session ? send_session_ref (self->session) : NULL;
  GST_OBJECT_UNLOCK (self->element);
  return session;
}

/* With the object lock held. While it plays only `fixed` goes by the start bitrate. */
static RcLimits
get_limits (SessionHost * self, gchar ** warning)
{
  gboolean starts = !self->session || session_settings_is_fixed (&self->settings);
  RcLimits limits = session_settings_get_limits (&self->settings, starts, warning);

  if (g_atomic_int_get (&self->passive)) {
    limits.min_bps = limits.start_bps = limits.max_bps;
    limits.max_cause = RC_CAUSE_OTHER_SINK;
  }
  return limits;
}

/* --- work --- */

static void
warn_of_encoders (GObject * element, const gchar * sentence)
{
  GST_ELEMENT_WARNING (element, STREAM, ENCODE, ("%s", sentence), (NULL));
}

/* An application may adapt its encoders itself. */
static gboolean
somebody_follows (SessionHost * self)
{
  return encoder_steering_follows (self->steering)
      || g_signal_has_handler_pending (self->element, g_signal_lookup ("notify", G_TYPE_OBJECT),
      g_quark_from_string (self->funcs->target_property), TRUE);
}

/* The user's max-queue-time holds. */
static void
follow_encoders (SessionHost * self, SendSession * session)
{
  GstClockTime hold_time;

  GST_OBJECT_LOCK (self->element);
  hold_time = self->settings.max_queue_time;
  if (!self->settings.max_queue_time_set)
    hold_time = MAX (hold_time, HOLD_TIME);
  GST_OBJECT_UNLOCK (self->element);
  if (g_atomic_int_get (&self->passive) || somebody_follows (self))
    hold_time = 0;
  send_session_set_hold_time (session, clock_glue_from_gst (hold_time));
}

/* With a picture that became smaller the rate must still reach one that is larger again. */
static void
follow_picture (SessionHost * self, SendSession * session)
{
  guint64 most_bps = encoder_steering_most_bps (self->steering);
  gchar *warning = NULL;
  RcLimits limits;

  GST_OBJECT_LOCK (self->element);
  if (self->session == session && most_bps > self->settings.picture_bps) {
    self->settings.picture_bps = (guint) MIN (most_bps, G_MAXUINT);
    limits = get_limits (self, &warning);
    send_session_set_limits (session, &limits);
  }
  GST_OBJECT_UNLOCK (self->element);
  g_free (warning);
}

static void
warn_of_shortage (SessionHost * self, const InputShortage * shortage)
{
  gchar *sentence = input_shortage_describe (shortage);

  GST_ELEMENT_WARNING (self->element, STREAM, ENCODE, ("%s", sentence), (NULL));
  g_free (sentence);
}

static void
warn_of_floor (SessionHost * self, const FloorShortage * shortage)
{
  gchar *sentence = floor_shortage_describe (shortage);

  GST_ELEMENT_WARNING (self->element, RESOURCE, WRITE, ("%s", sentence), (NULL));
  g_free (sentence);
}

/* What is upstream knows its own SSRCs only. */
static void
unmask_ssrcs (SessionHost * self, EncoderOrders * orders)
{
  for (guint i = 0; i < orders->n_keyframes; i++)
    orders->keyframes[i] ^= self->ssrc_mask;
  for (guint i = 0; i < orders->n_flows; i++)
    if (orders->ssrcs[i] != 0)
      orders->ssrcs[i] ^= self->ssrc_mask;
}

/* Who is sent as little as it asks for leaves it to the others what the encoder makes. */
static EncoderVoice
shared_voice (const EncoderOrders * orders)
{
  return orders->voice == ENCODER_VOICE_OWN && orders->cause != RC_CAUSE_RECEIVER
      ? ENCODER_VOICE_SHARED : ENCODER_VOICE_NONE;
}

static void
steer_encoders (SessionHost * self, SendSession * session, EncoderOrders * orders)
{
  EncoderSteering *steering = self->steering;

  if (g_atomic_int_get (&self->passive))
    return;
  unmask_ssrcs (self, orders);
  orders->may_warn = g_atomic_int_get (&self->playing);
  GST_OBJECT_LOCK (self->element);
  orders->adapt = self->settings.adapt_encoder;
  orders->latency = self->settings.latency;
  orders->host = self->receiver_host;
  if (self->is_shared)
    orders->voice = shared_voice (orders);
  GST_OBJECT_UNLOCK (self->element);
  if (self->is_shared && orders->n_keyframes > 0
      && !rc_keybudget_take (&self->keys, clock_glue_monotonic ())) {
    g_atomic_int_add (&self->keys_refused, (gint) orders->n_keyframes);
    orders->n_keyframes = 0;
  }
  encoder_steering_tell (steering, orders);
  if (orders->target && send_session_is_traced (session))
    send_session_on_encoders (session, encoder_steering_agreed_bps (steering, orders->bps),
        encoder_steering_cause (steering, orders->bps, orders->cause));
}

static void
do_work (gpointer owner)
{
  SessionHost *self = owner;
  SendSession *session = session_host_dup_session (self);
  SessionWork work;
  gboolean any;

  if (session) {
    any = send_session_take_work (session, &work);
    if (any)
      steer_encoders (self, session, &work.encoders);
    follow_encoders (self, session);
    follow_picture (self, session);
    if (any && work.is_short)
      warn_of_shortage (self, &work.shortage);
    if (any && work.below_floor)
      warn_of_floor (self, &work.floor);
    self->funcs->do_work (self->element, session, any ? &work : NULL);
    send_session_unref (session);
  }
  session = session_host_dup_session (self);
  if (!session)
    encoder_steering_forget (self->steering);   /* closed meanwhile */
  g_clear_pointer (&session, send_session_unref);
}

/* --- life --- */

/* What comes from now on may be live where it was not, and made by another encoder. */
static void
on_linked (GstPad * pad, GstPad * peer, gpointer host)
{
  SessionHost *self = host;

  g_atomic_int_set (&self->live_known, FALSE);
  encoder_steering_look_again (self->steering);
}

static void
watch_links (SessionHost * self)
{
  GClosure *closure = g_cclosure_new (G_CALLBACK (on_linked), self, NULL);

  g_object_watch_closure (G_OBJECT (self->element), closure);
  g_signal_connect_closure (self->sinkpad, "linked", closure, FALSE);
}

void
session_host_set_upstream (SessionHost * self, GstPad * pad)
{
  self->sinkpad = self->others = gst_object_ref (pad);
  encoder_steering_set_pad (self->steering, pad);
  watch_links (self);
}

void
session_host_init (SessionHost * self, GstElement * element, GstPad * sinkpad,
    const SessionHostFuncs * funcs)
{
  *self = (SessionHost) {.element = element,.funcs = funcs,.sinkpad = sinkpad };
  session_settings_init (&self->settings, funcs->renumber);
  work_turns_init (&self->turns, element, do_work, self);
  self->steering = encoder_steering_new (sinkpad, G_OBJECT (element), funcs->target_property,
      funcs->needs_encoder, warn_of_encoders);
  watch_links (self);
}

void
session_host_clear (SessionHost * self)
{
  session_settings_clear (&self->settings);
  g_clear_pointer (&self->last_stats, gst_structure_free);
  g_free (self->limits_warning);
  for (guint i = 0; i < G_N_ELEMENTS (self->unposted); i++)
    g_free (self->unposted[i]);
  encoder_steering_free (self->steering);
  gst_clear_object (&self->others);
}

void
session_host_begin (SessionHost * self)
{
  GstClockTime latency;
  gboolean adapt;

  GST_OBJECT_LOCK (self->element);
  g_clear_pointer (&self->limits_warning, g_free);
  self->settings.picture_bps = 0;
  latency = self->settings.latency;
  adapt = self->settings.adapt_encoder;
  GST_OBJECT_UNLOCK (self->element);
  g_atomic_int_set (&self->playing, FALSE);
  g_atomic_int_set (&self->live_known, FALSE);
  g_atomic_int_set (&self->passive, FALSE);
  encoder_steering_begin (self->steering);
  if (adapt)
    encoder_steering_prepare (self->steering, latency);
}

gboolean
session_host_open (SessionHost * self, SendSessionConfig * config, GError ** error)
{
  const SessionSettings *s = &self->settings;

  config->limits = get_limits (self, &self->unposted[0]);
  self->limits_warning = g_strdup (self->unposted[0]);
  config->pacing = RC_RMC_PARAMS_DEFAULT;
  session_settings_init_law (s, config->guest, &config->controller, &config->pacing,
      &self->unposted[1]);
  config->max_queue_time = clock_glue_from_gst (s->max_queue_time);
  config->renumber = s->renumber;
  config->ssrc_mask = self->ssrc_mask;
  config->bound_bps = self->bound_bps;
  config->starts_by_input = !s->start_set && !config->guest;
  config->log = *self->funcs->log;
  config->element = self->element;
  config->work_due = work_turns_schedule;
  config->user_data = &self->turns;
  self->overhead_bytes = send_session_overhead_bytes (config);
  self->session = send_session_new (config, error);
  return self->session != NULL;
}

static void
post_warnings (SessionHost * self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->unposted); i++) {
    gchar *sentence;

    GST_OBJECT_LOCK (self->element);
    sentence = g_steal_pointer (&self->unposted[i]);
    GST_OBJECT_UNLOCK (self->element);
    if (sentence)
      GST_ELEMENT_WARNING (self->element, LIBRARY, SETTINGS, ("%s", sentence), (NULL));
    g_free (sentence);
  }
}

void
session_host_warn (SessionHost * self)
{
  property_rows_warn_small_numbers (self->element);
  post_warnings (self);
}

void
session_host_close (SessionHost * self)
{
  GstStructure *stats;
  SendSession *session;

  if (self->session) {
    stats = session_host_create_stats (self);
    GST_OBJECT_LOCK (self->element);
    session = g_steal_pointer (&self->session);
    g_clear_pointer (&self->last_stats, gst_structure_free);
    self->last_stats = stats;
    GST_OBJECT_UNLOCK (self->element);
    send_session_stop (session);
    send_session_unref (session);
  }
  encoder_steering_forget (self->steering);
}

/* --- stream --- */

static gboolean
has_session (SessionHost * self)
{
  SendSession *session = session_host_dup_session (self);
  gboolean has = session != NULL;

  g_clear_pointer (&session, send_session_unref);
  return has;
}

/* live_known is set first: what changes during the query is asked for again. */
gboolean
session_host_ask_live (SessionHost * self, gboolean * live)
{
  GstQuery *query = gst_query_new_latency ();
  gboolean known;

  g_atomic_int_set (&self->live_known, has_session (self));
  known = gst_pad_peer_query (self->sinkpad, query);
  if (known)
    gst_query_parse_latency (query, live, NULL, NULL);
  else
    g_atomic_int_set (&self->live_known, FALSE);
  gst_query_unref (query);
  return known;
}

gboolean
session_host_learn_live (SessionHost * self, gboolean * live)
{
  gint64 now;

  if (g_atomic_int_get (&self->live_known))
    return FALSE;
  now = g_get_monotonic_time ();
  if (now < self->ask_live_at)
    return FALSE;
  self->ask_live_at = session_host_ask_live (self, live) ? 0 : now + ASK_LIVE_US;
  return TRUE;
}

/* A rampscheduler upstream holds the queues, and drops what is too late. So that its order counts,
 * nothing waits here: it gets our pacer, and pushes each packet when it is due. */
static gboolean
ask_scheduled (SessionHost * self, SendSession * session)
{
  GstQuery *query = gst_query_new_custom (GST_QUERY_CUSTOM,
      gst_structure_new (GST_ARC_QUEUES_UPSTREAM, "overhead", G_TYPE_UINT, self->overhead_bytes,
          "pacer", PACER_TYPE, send_session_get_pacer (session), NULL));
  gboolean scheduled = gst_pad_peer_query (self->sinkpad, query);

  gst_query_unref (query);
  return scheduled;
}

void
session_host_set_live (SessionHost * self, gboolean live)
{
  SendSession *session = session_host_dup_session (self);

  if (session) {
    /* What a scheduler sends for all who are fed is not paced for one of them: it gets no pacer. */
    gboolean scheduled = !self->others && ask_scheduled (self, session);

    send_session_set_live (session, live && !scheduled);
  }
  g_clear_pointer (&session, send_session_unref);
}

void
session_host_find_encoders (SessionHost * self)
{
  SendSession *session = session_host_dup_session (self);

  encoder_steering_look_again (self->steering);
  if (!session)
    return;
  send_session_retell_target (session);
  send_session_unref (session);
}

static void
warn_of_large_caps (SessionHost * self, const GstCaps * caps)
{
  gchar *text = gst_caps_to_string (caps);

  GST_ELEMENT_WARNING (self->element, STREAM, FORMAT, ("the caps of the media say more than a "
          "receiver can be told (8192 bytes of ASCII in 64 fields): set them at arcsrc, caps='%s'",
          text), (NULL));
  g_free (text);
}

/* Other caps: perhaps another encoder too. */
void
session_host_set_caps (SessionHost * self, const GstCaps * caps)
{
  SendSession *session = session_host_dup_session (self);

  if (session && !send_session_set_caps (session, caps, encoder_walk_red (self->sinkpad)))
    warn_of_large_caps (self, caps);
  g_clear_pointer (&session, send_session_unref);
  session_host_find_encoders (self);
}

gboolean
session_host_set_passive (SessionHost * self, gboolean passive)
{
  gchar *warning;
  RcLimits limits;

  if (!g_atomic_int_compare_and_exchange (&self->passive, !passive, passive))
    return FALSE;
  GST_OBJECT_LOCK (self->element);
  limits = get_limits (self, &warning);
  send_session_set_limits (self->session, &limits);
  GST_OBJECT_UNLOCK (self->element);
  g_free (warning);
  return TRUE;
}

/* --- properties --- */

/* A running session follows at once where it can. With the object lock held: of two values set at a
 * time, both get the same one. */
static void
apply_to_session (SessionHost * self, SessionProperty property)
{
  RcLimits limits;
  gchar *warning;

  switch (property) {
    case SESSION_PROPERTY_MIN_BITRATE:
    case SESSION_PROPERTY_MAX_BITRATE:
    case SESSION_PROPERTY_START_BITRATE:
      limits = get_limits (self, &warning);
      send_session_set_limits (self->session, &limits);
      g_free (warning);         /* session_host_on_notify () posts it */
      break;
    case SESSION_PROPERTY_LATENCY:
    case SESSION_PROPERTY_MAX_QUEUE_TIME:
      send_session_set_max_queue_time (self->session,
          clock_glue_from_gst (self->settings.max_queue_time));
      break;
    default:
      break;
  }
}

static void
add_to_encoder_map (SessionHost * self, const GValue * value)
{
  gchar *sentence = encoder_map_add (g_value_get_string (value));

  if (sentence)
    GST_ELEMENT_WARNING (self->element, LIBRARY, SETTINGS, ("%s", sentence), (NULL));
  g_free (sentence);
}

void
session_host_set_bound (SessionHost * self, guint64 bps)
{
  GST_OBJECT_LOCK (self->element);
  self->bound_bps = bps;
  if (self->session)
    send_session_set_bound (self->session, bps);
  GST_OBJECT_UNLOCK (self->element);
}

void
session_host_set (SessionHost * self, SessionProperty property, const GValue * value,
    const GParamSpec * pspec)
{
  GST_OBJECT_LOCK (self->element);
  session_settings_set (&self->settings, property, value);
  if (self->session)
    apply_to_session (self, property);
  GST_OBJECT_UNLOCK (self->element);
  session_host_warn_if_late (self, pspec);
  if (property == SESSION_PROPERTY_ENCODER_MAP)
    add_to_encoder_map (self, value);
  if (property == SESSION_PROPERTY_ADAPT_ENCODER || property == SESSION_PROPERTY_LATENCY
      || property == SESSION_PROPERTY_ENCODER_MAP)
    session_host_find_encoders (self);
}

void
session_host_get (SessionHost * self, SessionProperty property, GValue * value)
{
  if (property == SESSION_PROPERTY_STATS) {
    g_value_take_boxed (value, session_host_create_stats (self));
    return;
  }
  GST_OBJECT_LOCK (self->element);
  session_settings_get (&self->settings, property, value);
  GST_OBJECT_UNLOCK (self->element);
}

void
session_host_warn_if_late (SessionHost * self, const GParamSpec * pspec)
{
  GstElementFactory *factory = gst_element_get_factory (self->element);
  SendSession *session;

  if (!(pspec->flags & GST_PARAM_MUTABLE_READY) || !(session = session_host_dup_session (self)))
    return;
  GST_ELEMENT_WARNING (self->element, LIBRARY, SETTINGS, ("%s is set while %s runs, and counts "
          "from its next start; set it in the state NULL or READY", pspec->name,
          factory ? GST_OBJECT_NAME (factory) : "the element"), (NULL));
  send_session_unref (session);
}

void
session_host_on_notify (SessionHost * self, const GParamSpec * pspec)
{
  gchar *warning = NULL;
  gboolean runs;

  if (!g_str_has_suffix (pspec->name, "-bitrate")
      || g_str_equal (pspec->name, self->funcs->target_property))
    return;
  GST_OBJECT_LOCK (self->element);
  runs = self->session != NULL;
  if (runs)
    get_limits (self, &warning);
  if (g_strcmp0 (warning, self->limits_warning) != 0) {
    g_free (self->limits_warning);
    self->limits_warning = g_strdup (warning);
    g_free (self->unposted[0]);
    self->unposted[0] = g_steal_pointer (&warning);
  }
  GST_OBJECT_UNLOCK (self->element);
  g_free (warning);
  if (runs)
    property_rows_warn_small_number (self->element, pspec);
  post_warnings (self);
}

guint
session_host_get_target_bps (SessionHost * self)
{
  SendSession *session = session_host_dup_session (self);
  guint bps = session ? send_session_get_target_bps (session) : 0;

  g_clear_pointer (&session, send_session_unref);
  return bps;
}

GstStructure *
session_host_create_stats (SessionHost * self)
{
  SendSession *session = session_host_dup_session (self);
  GstStructure *s;
  SessionStats stats;
  gchar *names;

  if (session) {
    send_session_get_stats (session, &stats);
    send_session_unref (session);
    stats.target_cause = rc_cause_name (encoder_steering_cause (self->steering, stats.target_bps,
            stats.wanted_cause));
    stats.keys_refused = (guint) g_atomic_int_get (&self->keys_refused);
    stats.encoders = names = encoder_steering_names (self->steering);
    s = session_stats_to_structure (&stats, self->funcs->stats_name);
    self->funcs->add_stats (self->element, &stats, s);
    g_free (names);
    return s;
  }
  GST_OBJECT_LOCK (self->element);
  s = self->last_stats ? gst_structure_copy (self->last_stats)
      : gst_structure_new_empty (self->funcs->stats_name);
  GST_OBJECT_UNLOCK (self->element);
  return s;
}
