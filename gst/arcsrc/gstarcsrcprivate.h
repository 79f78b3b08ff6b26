/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The inside of the element, shared by gstarcsrc.c (packets, pads and states), srccaps.c,
 * srcbuffer.c, srccall.c, srcproperties.c, srcsrtp.c, srcstats.c and srcuri.c. */
#pragma once

#include "gstarcsrc.h"
#include "callsecret.h"
#include "datagramsource.h"
#include "mediagate.h"
#include "outageqos.h"
#include "peer.h"
#include "playoutsteering.h"
#include "sealwatch.h"

#include "arcreceiver/reporter.h"
#include "join/joinmode.h"
#include "srtp/secureproperties.h"

#include <rc/receiver/caller.h>

G_BEGIN_DECLS

#define GST_CAT_DEFAULT gst_arc_src_debug
GST_DEBUG_CATEGORY_EXTERN (gst_arc_src_debug);

/* For the files below gstarcsrc.c, which knows the type. */
#define GST_ARC_SRC_CAST(object) ((GstArcSrc *) (object))

/* That of our examples. */
#define GST_ARC_SRC_URI_LATENCY (200 * GST_MSECOND)

struct _GstArcSrc
{
  GstBin parent;

  DatagramSource *source;
  GstElement *receiver;
  GstElement *buffer;           /* a jitter buffer; NULL: none. Changed in NULL only */
  Peer peer;
  /* of the receiving thread */
  GstClockTime came_at;         /* the last packet; 0: none, or it came before the base time */
  OutageQos outage;
  RcMediaFormat format;         /* that the sender announced; no encoding name: none yet */
  GBytes *fields;               /* the rest of it (formatfields.h); NULL: none */
  RcFormatParts parts;          /* of fields, so far */
  guint format_welcome;         /* Peer.welcomes of that sender */
  gboolean caps_checked;        /* against one that was announced, or none came for long */
  gboolean caps_told;           /* that they are wrong or missing */
  gboolean format_awaited;      /* the user set no caps */
  gboolean format_taken;        /* the source has its caps from the sender */
  guint unchecked_pkts;
  guint32 first_ssrc;           /* of the first of them, as the next */
  guint8 first_payload_type, other_payload_type;        /* of another stream; the same: none */
  RcTime unchecked_since;       /* the first of them came */
  MediaGate gate;
  gboolean gate_watched;        /* there is a probe for it, which costs time of each packet */
  gboolean wait_told;           /* that nothing has come; or something has */
  gboolean call_told;           /* that the listener does not answer */
  GstClockTime answer_silence;  /* how long no media had come when it did not answer yet */
  gboolean rejected_told;       /* that only packets that are not authentic come */
  guint rejected_pkts;          /* since media came */
  GstClockTime rejected_from, rejected_silence; /* at the first and the last of them: how long no
                                                 * media had come */
  SealWatch seals;
  PlayoutSteering playout;

  guint lanes_number;           /* that the meter knows; of the receiving thread */
  Meter *meter;                 /* of `receiver`, as the next */
  Reporter *reporter;
  gint posting_stats;           /* atomic: the message before is still being handled */
  RcTime stats_at;              /* under the object lock; RC_TIME_NONE: one interval from now */

  gint calling;                 /* mode=caller; atomic, as the next */
  gint looking_up;
  RcTime look_up_at;            /* the reporter's: the host's name again */
  gboolean called;              /* until it was stopped */
  gboolean put_off;             /* of the receiving thread: the listener has no place now, */
  gboolean later_told;          /* ... and the user knows */
  RcCaller caller;              /* under the object lock, as the next two */
  CallSecret secret;            /* of the passphrase */
  GSocketAddress *listener;     /* that is called; NULL: not known yet */

  /* settings, under the object lock */
  gint mode;                    /* JoinMode */
  gchar *host, *stream_id;      /* or NULL */
  guint max_bps;                /* that the listener may send; 0: no limit */
  guint64 stats_interval;       /* ns; 0: none */
  gint feedback;                /* of `receiver`, as the next */
  gboolean request_keyframes;
  gchar *address;
  guint port;
  GstCaps *caps;
  guint64 latency;              /* ns, of the jitter buffer; 0: none */
  gboolean latency_set;         /* by the user */
  gboolean latency_in_uri;
  gint buffer_bytes;
  SecureSettings srtp;
  guint64 sealed_pkts;          /* dropped, since there is no key; under the object lock */
  guint64 misfit_pkts;          /* ... since nothing takes their format; under the object lock */
  gchar *uri_error;             /* what is wrong with the last URI set; NULL: nothing */
};

/* It calls a listener, and does not wait for a sender. */
static inline gboolean
gst_arc_src_calls (GstArcSrc * self)
{
  gboolean calls;

  GST_OBJECT_LOCK (self);
  calls = self->mode == JOIN_MODE_CALLER;
  GST_OBJECT_UNLOCK (self);
  return calls;
}

/* srcproperties.c */
void gst_arc_src_install_properties (GObjectClass * object_class);
/* Defaults. */
void gst_arc_src_init_properties (GstArcSrc * self);
void gst_arc_src_clear_properties (GstArcSrc * self);

/* srcstats.c */
void gst_arc_src_init_stats (GstArcSrc * self);
GstStructure *gst_arc_src_create_stats (GstArcSrc * self);
void gst_arc_src_describe_stats (GstElementClass * klass);
/* The first message comes one interval from now. */
void gst_arc_src_restart_stats (GstArcSrc * self);

/* srccall.c */
void gst_arc_src_init_calls (GstArcSrc * self);
void gst_arc_src_clear_calls (GstArcSrc * self);
/* Blocks for a name look-up. Another *bind_address if that of the listener needs it. FALSE: an
 * error is on the bus. */
gboolean gst_arc_src_find_listener (GstArcSrc * self, gchar ** bind_address);
void gst_arc_src_start_calls (GstArcSrc * self);
/* Nothing happens if it does not call. */
void gst_arc_src_begin_calls (GstArcSrc * self);
/* Calls no more; what has begun may still leave. */
void gst_arc_src_stop_calls (GstArcSrc * self);
/* After that, when the reporter rests and the socket is still open. */
void gst_arc_src_leave (GstArcSrc * self);
/* TRUE: it was an answer of the listener, or looked like one. In the receiving thread. */
gboolean gst_arc_src_take_answer (GstArcSrc * self, GstBuffer * buffer);

/* srcbuffer.c */
/* By the settings of now. FALSE: an error is on the bus. */
gboolean gst_arc_src_begin_buffer (GstArcSrc * self);
void gst_arc_src_set_latency (GstArcSrc * self, GstClockTime latency);

/* srccaps.c */
/* No format has been announced yet. Watches what leaves the receiver from now on: nothing without
 * caps that may still come. */
void gst_arc_src_forget_format (GstArcSrc * self);
/* For each packet of the sender, in the receiving thread. */
void gst_arc_src_check_caps (GstArcSrc * self, GstBuffer * packet, const RtcpMessage * message);

/* srcwait.c */
/* While nothing comes, in the receiving thread. */
void gst_arc_src_check_wait (GstArcSrc * self);
/* For each packet that is not authentic, in the receiving thread. */
void gst_arc_src_on_rejected (GstArcSrc * self);

/* srcsrtp.c */
/* To be cleared, also if it fails. */
/* With the settings of now. FALSE: an error is on the bus. */
gboolean gst_arc_src_begin_srtp (GstArcSrc * self);
/* Takes the buffer. NULL: not authentic, or not from the sender. *message: what RTCP is in it. In
 * the receiving thread. */
GstBuffer *gst_arc_src_admit (GstArcSrc * self, GstBuffer * buffer, const LocalAddress * local,
    RtcpMessage * message);
/* For each call, in the reporter's thread. FALSE: the key is not derived yet: ask at *next_at. */
gboolean gst_arc_src_may_call (GstArcSrc * self, RcTime now, RcTime * next_at);
void gst_arc_src_set_srtp (GstArcSrc * self, SecureProperty property, const GValue * value);

/* srcuri.c */
/* Also what gst_uri_handler_set_uri() refuses by itself, another scheme, is known at the start
 * then. */
gboolean gst_arc_src_set_uri (GstArcSrc * self, const gchar * text, GError ** error);
void gst_arc_src_uri_handler_init (gpointer iface, gpointer iface_data);

G_END_DECLS
