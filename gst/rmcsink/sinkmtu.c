/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The size of packets: what the path carries in one piece. A fragment that is lost costs the whole
 * packet, and firewalls drop fragments. */

#include "gstrmcsinkprivate.h"

#include "sinkserve.h"

#include "encoder/encoderwalk.h"

#define MAX_RTP_BYTES 65507     /* of a UDP payload over IPv4 */
#define ETHERNET_MTU 1500
#define ADVISED_BYTES 1200      /* leaves room for tunnels */
/* Packets after which the kernel is asked again: one system call each second at 600 kbit/s. */
#define ASK_EACH_PKTS 64
/* Of those that were made before the payloader heard. */
#define PATIENCE_PKTS 100

/* --- the `mtu` of payloaders ---
 *
 * It is set so that no packet travels in fragments: where the user left it at its default, and what
 * was set here before. Of several sinks behind one payloader the smallest size counts. */

#define PROPERTY "mtu"
#define SETTING "gst-arc-mtu"    /* data of a payloader */
/* A path that claims less is misunderstood: IPv4 guarantees 576. */
#define LEAST_BYTES 400

/* On a payloader: what was set here, and for which pad. */
typedef struct
{
  guint bytes;
  gconstpointer sinkpad;
} Setting;

static void
set_mtu (GstElement * payloader, guint bytes, GstPad * sinkpad)
{
  Setting *setting = g_new (Setting, 1);

  *setting = (Setting) { bytes, sinkpad };
  g_object_set_data_full (G_OBJECT (payloader), SETTING, setting, g_free);
  GST_INFO_OBJECT (payloader, PROPERTY "=%u", bytes);
  g_object_set (payloader, PROPERTY, bytes, NULL);
}

/* TRUE: it has another mtu now. */
static gboolean
fit_mtu (GstElement * payloader, guint max_bytes, GstPad * sinkpad)
{
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (payloader), PROPERTY);
  const Setting *setting = g_object_get_data (G_OBJECT (payloader), SETTING);
  guint now, most;

  if (!pspec || !G_IS_PARAM_SPEC_UINT (pspec) || max_bytes < LEAST_BYTES)
    return FALSE;
  most = G_PARAM_SPEC_UINT (pspec)->default_value;
  g_object_get (payloader, PROPERTY, &now, NULL);
  if (now != most && !(setting && setting->bytes == now))
    return FALSE;               /* the user's */
  max_bytes = MIN (max_bytes, most);
  if (max_bytes == now || (max_bytes > now && setting && setting->sinkpad != sinkpad))
    return FALSE;
  set_mtu (payloader, max_bytes, sinkpad);
  return TRUE;
}

/* Payloaders that feed the pad make RTP packets of at most so many bytes, or of their default if
 * that is less. Returns what changed, for the user (g_free); NULL: nothing. */
static gchar *
fit_payloaders (GstPad * sinkpad, guint max_rtp_bytes)
{
  GPtrArray *payloaders = encoder_walk_payloaders (sinkpad);
  GString *text = g_string_new (NULL);
  guint now;

  for (guint i = 0; i < payloaders->len; i++) {
    if (!fit_mtu (payloaders->pdata[i], max_rtp_bytes, sinkpad))
      continue;
    g_object_get (payloaders->pdata[i], PROPERTY, &now, NULL);
    g_string_append_printf (text, "%s%s %u", text->len > 0 ? ", " : "",
        GST_OBJECT_NAME (payloaders->pdata[i]), now);
  }
  g_ptr_array_unref (payloaders);
  return g_string_free (text, text->len == 0);
}

/* --- what the path carries --- */

static void
tell (GstRmcSink * self, guint max_rtp_bytes, const gchar * payloaders)
{
  gchar *text = g_strdup_printf ("the path carries RTP packets of %u bytes in one piece: mtu is %s "
      "now", max_rtp_bytes, payloaders);

  gst_rmc_sink_inform (self, text);
}

void
gst_rmc_sink_follow_mtu (GstRmcSink * self, SendSession * session)
{
  guint bytes = send_session_get_max_rtp_bytes (session);
  gboolean due = g_atomic_int_compare_and_exchange (&self->mtu_due, TRUE, FALSE), adapt;
  gchar *changed;

  if (bytes == 0 || (!due && bytes == (guint) g_atomic_int_get (&self->max_rtp_bytes)))
    return;
  if (bytes != (guint) g_atomic_int_get (&self->max_rtp_bytes))
    GST_INFO_OBJECT (self, "the path carries RTP packets of %u bytes", bytes);
  g_atomic_int_set (&self->max_rtp_bytes, (gint) bytes);
  GST_OBJECT_LOCK (self);
  adapt = self->host.settings.adapt_encoder;
  GST_OBJECT_UNLOCK (self);
  changed = adapt ? fit_payloaders (self->host.sinkpad, bytes) : NULL;
  if (changed)
    tell (self, bytes, changed);
  g_free (changed);
}

static void
warn_of_fragments (GstRmcSink * self, gsize rtp_bytes)
{
  guint most = (guint) g_atomic_int_get (&self->max_rtp_bytes);

  if (!self->warned_of_size)
    GST_ELEMENT_WARNING (self, STREAM, FORMAT,
        ("RTP packets of %" G_GSIZE_FORMAT " bytes travel in fragments, of which each loss "
            "costs the whole; set the payloader's mtu to %u", rtp_bytes,
            most > 0 ? MIN (most, ADVISED_BYTES) : ADVISED_BYTES), (NULL));
  self->warned_of_size = TRUE;
}

static void
count_oversize (GstRmcSink * self, gsize rtp_bytes)
{
  gboolean patient;

  GST_OBJECT_LOCK (self);
  patient = ++self->oversize_packets < PATIENCE_PKTS;
  GST_OBJECT_UNLOCK (self);
  if (!patient || rtp_bytes + self->host.overhead_bytes > ETHERNET_MTU)
    warn_of_fragments (self, rtp_bytes);
}

gboolean
gst_rmc_sink_check_size (GstRmcSink * self, gsize rtp_bytes)
{
  guint most = (guint) g_atomic_int_get (&self->max_rtp_bytes);

  if (rtp_bytes > MAX_RTP_BYTES) {
    GST_ELEMENT_ERROR (self, STREAM, FORMAT, ("an RTP packet of %" G_GSIZE_FORMAT " bytes "
            "does not fit UDP; set the payloader's mtu, for example to 1200", rtp_bytes), (NULL));
    return FALSE;
  }
  if (++self->sized_packets % ASK_EACH_PKTS == 0
      && send_session_get_max_rtp_bytes (self->host.session) != most)
    work_turns_schedule (&self->host.turns);
  if (rtp_bytes + self->host.overhead_bytes > ETHERNET_MTU || (most > 0 && rtp_bytes > most))
    count_oversize (self, rtp_bytes);
  return TRUE;
}

guint
gst_rmc_sink_note_size (GstRmcSink * self, gsize rtp_bytes)
{
  SendSession *session = session_host_dup_session (&self->host);
  guint most = (guint) g_atomic_int_get (&self->max_rtp_bytes);

  if (session && send_session_get_max_rtp_bytes (session) != most)
    work_turns_schedule (&self->host.turns);
  if (session && (rtp_bytes + self->host.overhead_bytes > ETHERNET_MTU
          || (most > 0 && rtp_bytes > most)))
    count_oversize (self, rtp_bytes);
  g_clear_pointer (&session, send_session_unref);
  return most;
}

void
gst_rmc_sink_begin_mtu (GstRmcSink * self)
{
  self->warned_of_size = FALSE;
  self->sized_packets = 0;
  g_atomic_int_set (&self->max_rtp_bytes, 0);
  g_atomic_int_set (&self->mtu_due, TRUE);
  GST_OBJECT_LOCK (self);
  self->oversize_packets = 0;
  GST_OBJECT_UNLOCK (self);
}
