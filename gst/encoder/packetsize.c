/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "encoder/packetsize.h"

#include "base/arcdebug.h"
#include "encoder/encoderwalk.h"

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
set (GstElement * payloader, guint bytes, GstPad * sinkpad)
{
  Setting *setting = g_new (Setting, 1);

  *setting = (Setting) { bytes, sinkpad };
  g_object_set_data_full (G_OBJECT (payloader), SETTING, setting, g_free);
  GST_INFO_OBJECT (payloader, PROPERTY "=%u", bytes);
  g_object_set (payloader, PROPERTY, bytes, NULL);
}

/* TRUE: it has another mtu now. */
static gboolean
fit (GstElement * payloader, guint max_bytes, GstPad * sinkpad)
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
  set (payloader, max_bytes, sinkpad);
  return TRUE;
}

gchar *
packet_size_set (GstPad * sinkpad, guint max_rtp_bytes)
{
  GPtrArray *payloaders = encoder_walk_payloaders (sinkpad);
  GString *text = g_string_new (NULL);
  guint now;

  for (guint i = 0; i < payloaders->len; i++) {
    if (!fit (payloaders->pdata[i], max_rtp_bytes, sinkpad))
      continue;
    g_object_get (payloaders->pdata[i], PROPERTY, &now, NULL);
    g_string_append_printf (text, "%s%s %u", text->len > 0 ? ", " : "",
        GST_OBJECT_NAME (payloaders->pdata[i]), now);
  }
  g_ptr_array_unref (payloaders);
  return g_string_free (text, text->len == 0);
}
