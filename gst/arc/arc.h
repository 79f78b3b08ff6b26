/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Names of all structures that the elements of gst-arc exchange with applications and with each
 * other. The structures of an element begin with the name of its type. gst-inspect-1.0 lists the
 * fields of statistics under "Statistics" of the element. Needs no library but GStreamer. */
#pragma once

/* Statistics: the property `stats`, and the element messages of `stats-interval`. */
#define GST_RMC_SINK_STATS "GstRmcSinkStats"
#define GST_RMC_SINK_PATH_STATS "GstRmcSinkPathStats"
#define GST_RMC_SINK_PATH "GstRmcSinkPath"
#define GST_ARC_SRC_STATS "GstArcSrcStats"
#define GST_ARC_RECEIVER_STATS "GstArcReceiverStats"
/* One SSRC, in the field `sources`. */
#define GST_ARC_RECEIVER_SOURCE_STATS "GstArcReceiverSourceStats"
#define GST_RAMP_SCHEDULER_STATS "GstRampSchedulerStats"
#define GST_RAMP_PAD_STATS "GstRampPadStats"    /* one stream, in the field of the pad's name */
#define GST_RCP_RELAY_STATS "GstRcpRelayStats"
#define GST_RTP_ARC_BWE_STATS "GstRtpArcBweStats"
#define GST_ARC_SCALE_STATS "GstArcScaleStats"
#define GST_ARC_LADDER_STATS "GstArcLadderStats"
#define GST_ARC_LADDER_RUNG_STATS "GstArcLadderRungStats"       /* one encoding, in `rungs` */
/* One source pad, in `viewer-list`. */
#define GST_ARC_LADDER_VIEWER_STATS "GstArcLadderViewerStats"

/* Element messages. */

#define GST_RMC_SINK_STATE "GstRmcSinkState"
/* `bitrate` (uint, bit/s of media), `cause` (string): the target of the encoders has changed, and
 * is no more for that cause. */
#define GST_RMC_SINK_TARGET_BITRATE "GstRmcSinkTargetBitrate"
/* No media for `timeout`, or media has resumed. Both: `timeout`, `silence` (uint64, ns) and, if
 * known, `sender` (string). */
#define GST_ARC_SRC_TIMEOUT "GstArcSrcTimeout"
#define GST_ARC_SRC_RESUMED "GstArcSrcResumed"
/* `needed`, `latency` (uint64, ns): repair by retransmission needs more latency on this path than
 * the jitter buffer, or else the pipeline, has. Also from arcsrc. Posted once, and again when the
 * need has grown by a quarter. */
#define GST_ARC_RECEIVER_LATENCY "GstArcReceiverLatency"
/* `overloaded` (boolean), `requirement`, `budget` (uint64, bit/s): the demand begins, or ceases, to
 * exceed the budget. */
#define GST_RAMP_SCHEDULER_OVERLOAD "GstRampSchedulerOverload"
/* `width`, `height` (uint), `framerate` (double, frames/s), `reason` (string, as the property),
 * `bitrate` (uint, bit/s), `cause` (string: of the bitrate): the picture changes its size or frame
 * rate. */
#define GST_ARC_SCALE_STEP "GstArcScaleStep"
/* `bitrates` (array of uint, bit/s of each encoder, 0: nobody needs it): the rungs have moved. */
#define GST_ARC_LADDER_RUNGS "GstArcLadderRungs"
/* `pad` (string), `served` (boolean), `bitrate` (uint, bit/s: its target), `cause` (string: of
 * that): the network of a viewer carries less than any rung, or enough again. */
#define GST_ARC_LADDER_VIEWER_STATE "GstArcLadderViewerState"
/* Of arcserversink; gst-inspect-1.0 lists the fields. */
#define GST_ARC_SERVER_SINK_STATS "GstArcServerSinkStats"
#define GST_ARC_SERVER_SINK_VIEWER_STATS "GstArcServerSinkViewerStats"
/* `address`, `streamid`, `state` (strings), `viewers` (uint): a viewer has joined, left, or was
 * lost; so many are served now. */
#define GST_ARC_SERVER_SINK_VIEWER "GstArcServerSinkViewer"

/* Between elements. */

/* Custom upstream event: target `bitrate` (uint, bit/s of media) of the stream `ssrc` (uint), and
 * `latency` (uint64, ns), the time within which a frame should leave, and `cause` (string), why the
 * target is no more; rmcsink adds `network-bitrate` (uint, bit/s of all its streams, headers
 * included). For encoders that rmcsink does not know. */
#define GST_ARC_TARGET_BITRATE "GstArcTargetBitrate"
/* Custom query of rmcsink and rtparcbwe to what is upstream: does an element there queue and order
 * packets? `overhead` (uint, bytes): headers of a packet in the network beside RTP. `pacer` (a
 * boxed type of this plugin): says when the next packet may leave; only elements of this plugin can
 * use it. */
#define GST_ARC_QUEUES_UPSTREAM "GstArcQueuesUpstream"

/* For a monitor. */

/* What the tracer `arcmonitor` exports of one element, as text of gst_structure_serialize(), one
 * message of a SOCK_SEQPACKET socket each: `run` (string: of the process, random), `id` (uint64: of
 * the element in it), `process`, `pipeline`, `element`, `factory`, `element-state`, `address`
 * (strings; the last one of elements that have one), `owner` (string: the element that it is inside
 * of, if that has statistics), `pid` (int), `at` (uint64, ns: monotonic clock), `dropped` (uint64:
 * messages that the monitor was too slow for), `frames` (array of structures, one for each video
 * encoder: `pad`, `encoder`, `width`, `height`, `framerate`), `stats`, the structure of the
 * property, in which viewers have what a monitor shows and of many only those in trouble are
 * there, and `fields` (string: what the numbers of both are, each as NAME:KIND:UNIT with + between
 * them, such as rtt:gauge:ns; KIND is counter or gauge). */
#define GST_ARC_MONITOR_SNAPSHOT "GstArcMonitorSnapshot"
/* What an element posted on its bus, sent once: `run`, `id` as above, `number` (uint64, counts up
 * from 1 in the element), `time` (uint64, ms since 1970), `kind` (string: error, warning, info,
 * state, or message for an element message), `text` (string) and, if an element inside of it was
 * the source, `from` (string). */
#define GST_ARC_MONITOR_MESSAGE "GstArcMonitorMessage"
/* The name of the monitor's socket in g_get_user_runtime_dir(), if no other is given. */
#define GST_ARC_MONITOR_SOCKET "gst-arc-monitor"
