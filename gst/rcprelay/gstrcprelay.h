/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_RCP_RELAY (gst_rcp_relay_get_type ())
G_DECLARE_FINAL_TYPE (GstRcpRelay, gst_rcp_relay, GST, RCP_RELAY, GstElement)

GST_ELEMENT_REGISTER_DECLARE (rcprelay);

G_END_DECLS
