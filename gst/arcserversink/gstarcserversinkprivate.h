/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The inside of the element. Its files use only those after them: gstarcserversink.c (pads,
 * states, messages), serverviewers.c (their sinks), serverload.c (a full CPU), serverstats.c,
 * serverkeys.c, serverproperties.c, serversplitter.c. Who may join, and who is served, is
 * gst/join/joinserver.h. */
#pragma once

#include "gstarcserversink.h"

#include "join/joinserver.h"
#include "rmcsink/gstrmcsink.h"
#include "rmcsink/sinkserve.h"
#include "srtp/secureproperties.h"

#include <rc/base/ratemeter.h>

G_BEGIN_DECLS

#define GST_CAT_DEFAULT gst_arc_server_sink_debug
GST_DEBUG_CATEGORY_EXTERN (gst_arc_server_sink_debug);

/* For the files below gstarcserversink.c, which knows the type. */
#define GST_ARC_SERVER_SINK_CAST(object) ((GstArcServerSink *) (object))

/* What the user sets; guarded by the object lock. */
typedef struct
{
  gchar *bind_address;
  guint port, max_viewers, max_bps;
  gint qos_dscp;
  gboolean adapt_encoder;
  GstStructure *viewer_properties;      /* or NULL */
  SecureSettings srtp;
} ServerSettings;

struct _GstArcServerSink
{
  GstBin parent;

  ServerSettings settings;
  GstElement *splitter;         /* gives each viewer its stream. Changed in NULL only. With a
                                 * reference unless it is head */
  GstElement *head, *idle;      /* tee, ServerFan */
  GstPad *sinkpad;              /* ghost, to head */
  JoinServer *join;             /* its guests' owners are their GstRmcSinks */

  GMutex lock;                  /* of all below; never held across a call out */
  gboolean keyed;               /* a viewer has had a key: none is served in the clear any more */
  GstStructure *last_stats;     /* of the time before the last READY; or NULL */
  RcRateMeter input;            /* of the pad `sink` */
  RcTime looked_at;             /* at the CPU; as the next */
  gboolean burdened;            /* it was full then, which was said */

  /* of the streaming thread and those that send events upstream, under the lock */
  gint64 key_at;                /* us; a keyframe was asked for last */
  GstEvent *key_event;          /* that waits, or NULL */
};

/* serversplitter.c */
/* In NULL; NULL: all viewers get the same. A warning if it cannot be one. */
void gst_arc_server_sink_set_splitter (GstArcServerSink * self, GstElement * splitter);
void gst_arc_server_sink_clear_splitter (GstArcServerSink * self);
/* What comes by the pad from a source that is not live gets the pace of this sink. */
void gst_arc_server_sink_follow_liveness (GstPad * pad, GstElement * pace);
GstPad *gst_arc_server_sink_request_pad (GstElement * element, GstPadTemplate * templ,
    const gchar * name, const GstCaps * caps);
void gst_arc_server_sink_release_pad (GstElement * element, GstPad * pad);

/* serverload.c */
/* TRUE: the CPU carries no more viewers; says so once. */
gboolean gst_arc_server_sink_look_at_load (GstArcServerSink * self);
/* The same, but seldom: with each packet. */
void gst_arc_server_sink_watch_load (GstArcServerSink * self);

/* serverviewers.c */
extern guint gst_arc_server_sink_added_signal, gst_arc_server_sink_removed_signal;
extern const JoinServerFuncs gst_arc_server_sink_join_funcs;
/* FALSE: an error is on the bus. */
gboolean gst_arc_server_sink_listen (GstArcServerSink * self);
void gst_arc_server_sink_stop_listening (GstArcServerSink * self);

/* serverstats.c */
GstStructure *gst_arc_server_sink_create_stats (GstArcServerSink * self);
void gst_arc_server_sink_describe_stats (GstElementClass * klass);

/* serverkeys.c */
/* TRUE: the settings give each viewer a key. */
gboolean gst_arc_server_sink_wants_keys (GstArcServerSink * self);
/* NULL: it may have the key; else why it has none for certain; g_free(). */
gchar *gst_arc_server_sink_find_stranger (GstArcServerSink * self, const RcCall * call,
    RcAnswerVerdict * verdict);
/* Once it is open, from when on those that set a key find it: that has one, or *error. */
gboolean gst_arc_server_sink_complete_srtp (GstArcServerSink * self, GError ** error);
SecureSettings gst_arc_server_sink_dup_srtp (GstArcServerSink * self);
/* The settings have had another key since `before`, and the guest has that one: it had no place
 * when the key came. */
gboolean gst_arc_server_sink_has_old_key (GstArcServerSink * self, JoinGuest * guest,
    const SecureSettings * before);
/* name: of the property. */
void gst_arc_server_sink_set_srtp (GstArcServerSink * self, SecureProperty property,
    const GValue * value, const gchar * name);

/* serverproperties.c */
void gst_arc_server_sink_install_properties (GObjectClass * klass);
void gst_arc_server_sink_init_settings (GstArcServerSink * self);
void gst_arc_server_sink_clear_settings (GstArcServerSink * self);
/* What of viewer-properties does not fit rmcsink, with the cure; NULL: all of it does. */
gchar *gst_arc_server_sink_find_misfit (GstArcServerSink * self);
/* What the settings say of each viewer's sink. */
void gst_arc_server_sink_apply (GstArcServerSink * self, GObject * sink);

G_END_DECLS
