/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The statistics of a session: values, and the fields that applications have of them. */
#pragma once

#include "base/fields.h"
#include "pacing/resender.h"
#include "pacing/sendqueue.h"
#include "sendpath.h"

#include <gst/gst.h>
#include <rc/base/types.h>
#include <rc/lanes/lanechoice.h>
#include <rc/sender/sender.h>

G_BEGIN_DECLS

/* What decides on a path. */
typedef struct
{
  const RcLaw *law;             /* with its facts */
  const gchar *name, *ecn;
  gdouble facts[RC_LAW_MAX_FACTS];
} LawStats;

/* One of several paths. */
typedef struct
{
  gchar name[64];               /* as the user wrote it */
  const gchar *state, *format;
  LawStats law;
  RcSenderStats sender;
  const gchar *rate_cause;
  guint64 rate_bps, waiting_bytes;
  RcTime srtt, queueing_delay;  /* RC_TIME_NONE: unknown */
  RcTime lag;                   /* behind the fastest path */
  gdouble loss_ratio;
  guint64 packets, rescued, repaired, send_errors;
} LaneStats;

typedef struct
{
  guint target_bps;
  guint64 rate_bps;
  guint64 pacing_bps;
  const gchar *pacing_cause;
  const gchar *rate_cause, *target_cause;       /* the latter filled in by the session's host */
  RcCause wanted_cause;         /* of target_bps, before the encoders are asked */
  guint64 queue_bytes;
  RcTime queue_time, srtt, queueing_delay;      /* RC_TIME_NONE: unknown */
  guint64 rtcp_malformed, not_rtcp;
  guint64 path_changes, non_rtp_buffers;
  SendPathStats path;
  SendQueueStats queue;
  guint frames_per_s;           /* that come, over the last second */
  SendQueueKeyStats keys;
  guint64 keys_refused;         /* filled in by the session's host */
  ResenderStats resender;
  RtxStreams rtx_streams;
  RcSenderStats sender;
  const gchar *state, *format;
  const gchar *encoders;        /* filled in by the session's host */
  LawStats law;                 /* of several paths that of the one that carries most */
  LaneStats lanes[RC_LANES_MAX];        /* of a session over several paths */
  guint n_lanes;
} SessionStats;

/* Tables of SessionStats, which send_session_get_stats () fills in: of every session (rmcsink and
 * rtparcbwe); of one that has a socket, and of one that retransmits (both rmcsink alone). */
extern const FieldRow session_fields[], session_fields_socket[], session_fields_retransmission[];
/* That of a session over several paths, and those of each path, whose name its owner adds. */
extern const FieldRow session_fields_paths[], lane_fields_name[], lane_fields[];
/* The facts of all laws. A session and each of several paths have those of the law that decides. */
const FieldRow *session_fields_law (void);
/* lane: NULL: there is none. */
void law_stats_read (LawStats * self, const RcLane * lane);
void law_stats_add (const LawStats * self, GstStructure * s);

/* With the fields of every session and of its law. */
GstStructure *session_stats_to_structure (const SessionStats * self, const gchar * name);
void session_stats_add_retransmission (const SessionStats * self, GstStructure * s);

G_END_DECLS
