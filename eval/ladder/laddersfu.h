/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Peer connections between ladder-crowd and an SFU. Lines go through the standard streams, as
 * `offer NAME BASE64` and `answer NAME BASE64`: the publisher offers, viewers answer. The line
 * `begin` begins the run. All candidates are in a description. */
#pragma once

#include <gst/gst.h>

#define SFU_PUBLISHER "publisher"
#define SFU_FIRST_SSRC 1001     /* of the encoder "encoder0", the next has one more */

/* The webrtcbin "webrtc" of a pipeline. Without sink pads it is a viewer's, whose stream goes to
 * the element "depay". */
void sfu_add (GstElement * pipeline, const gchar * name);
/* Called when a packet has come to the peer. */
void sfu_count_packets (GstElement * pipeline, GstPadProbeCallback on_packet, gpointer user_data);
void sfu_listen (void (*begin) (void));
