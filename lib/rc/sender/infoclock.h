/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When a sender announces its SRTT and the wanted report interval, and when and how it probes.
 *
 *   it never reported     no infos: a receiver that knows nothing of us takes them for broken RTP.
 *                         Media shows us to one of ours; while media is stopped a few packets of
 *                         it probe: RC_INFO_MEDIA_PROBE_BYTES, since the receiver answers an
 *                         address that has proven nothing with no more bytes than came from it
 *   media flows           each RC_INFO_INTERVAL, and sooner when what it says has changed
 *   media is stopped      the infos are the probes
 *   the source is silent  each RC_INFO_INTERVAL: a picture that comes each 4 s is no outage. None
 *                         RC_INFO_IDLE_LAPSE after the last report: nobody is there
 *
 * RC_INFO_FIRST_PROBES probes are RC_INFO_INTERVAL apart, so that a picture comes at once where the
 * receiver starts second, then RC_INFO_LATER_PROBE_INTERVAL [RFC 8085 3.1.3]. Before these a
 * receiver that has reported gets RC_INFO_OUTAGE_PROBES, RC_INFO_OUTAGE_INTERVAL apart: an outage
 * is over sooner than a second, and the screen shows the present within half a second of its end,
 * of which the jitter buffer takes 200 ms. They are of some 100 bytes, 4 kbit/s. */
#pragma once

#include <rc/base/types.h>

#define RC_INFO_INTERVAL RC_SECOND
#define RC_INFO_IDLE_LAPSE (5 * RC_SECOND)      /* as media stops by default */
#define RC_INFO_MIN_INTERVAL (50 * RC_MSEC)
#define RC_INFO_CHANGE_RATIO 0.2        /* of SRTT or interval: the receiver needs no finer */
#define RC_INFO_FIRST_PROBES 300        /* 5 min: as long as a user takes to start the other end */
#define RC_INFO_OUTAGE_PROBES 300       /* a minute */
#define RC_INFO_OUTAGE_INTERVAL (200 * RC_MSEC)
#define RC_INFO_LATER_PROBE_INTERVAL (3 * RC_SECOND)    /* RFC 8085 3.1.3: no return traffic */
/* With headers: pays on IPv6 for a keyframe request, 60, and for a notice with a cookie, 72.
 * The first packet of H.264 may be of 42. */
#define RC_INFO_MEDIA_PROBE_BYTES 132

typedef struct
{
  RcTime wanted_at;             /* changes are to be announced by then; RC_TIME_NONE: no changes */
  RcTime sent_at, media_at;     /* last info, last media; RC_TIME_NONE: never, as the next */
  RcTime reported_at;           /* the last report came */
  RcTime told_srtt, told_interval;
  unsigned probes;              /* since media stopped */
  uint32_t probe_bytes;         /* of media that probes, so far */
  RcTime probe_at; /* while media is stopped before the first report: when some of it may go */
  bool heard;                   /* the receiver has reported */
} RcInfoClock;

void rc_infoclock_init (RcInfoClock *self);
/* There is a change to announce: a source, a stop, a start. */
void rc_infoclock_want (RcInfoClock *self, RcTime now);
void rc_infoclock_on_report (RcInfoClock *self, RcTime now);
void rc_infoclock_on_media (RcInfoClock *self, RcTime now);
/* Wants one if the announced values are stale. */
void rc_infoclock_on_change (RcInfoClock *self, RcTime srtt, RcTime interval, RcTime now);
/* Media stopped or flows again: probes count from here. */
void rc_infoclock_on_stopped (RcInfoClock *self, RcTime now);
/* The receiver may be there again: ask at once. */
void rc_infoclock_probe_soon (RcInfoClock *self, RcTime now);
/* When the next one is due; RC_TIME_NONE: not as things are. */
RcTime rc_infoclock_due_at (const RcInfoClock *self, bool stopped);
/* While media is stopped: when a packet of it may go as a probe; RC_TIME_NONE: infos probe. */
RcTime rc_infoclock_media_probe_at (const RcInfoClock *self);
void rc_infoclock_on_media_probe (RcInfoClock *self, uint32_t network_bytes, RcTime now);
/* One left, with these values. stopped: it was a probe. */
void rc_infoclock_on_sent (RcInfoClock *self, RcTime srtt, RcTime interval, bool stopped,
    RcTime now);
