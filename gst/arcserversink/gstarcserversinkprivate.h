/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The inside of the element. Its files use only those after them: gstarcserversink.c (pads, states,
 * messages), servercalls.c (who may join), serverviewers.c (their sinks), serverstats.c,
 * serverunheard.c, serverkeys.c, serverproperties.c, serversplitter.c. */
#pragma once

#include "gstarcserversink.h"

#include "base/workturns.h"
#include "join/joinlistener.h"
#include "join/joinmode.h"
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

/* What happened since READY. */
typedef struct
{
  guint64 joined, left, lost;   /* of viewers; lost: silent, unreachable, or failed */
  guint viewers;                /* now */
} ServerCounts;

/* A receiver that was accepted; counted references. */
typedef struct
{
  guint64 number;               /* of its calls */
  GSocketAddress *from;
  guint64 host;                 /* address_host (from) */
  gchar *stream_id;
  GstRmcSink *sink;
  GstPad *pad;                  /* of the splitter, that leads to it */
  gboolean clear;               /* it has no key */
  gint64 joined_at;             /* us */
} ServerViewer;

struct _GstArcServerSink
{
  GstBin parent;

  ServerSettings settings;
  GstElement *splitter;         /* gives each viewer its stream. Changed in NULL only. With a
                                 * reference unless it is head */
  GstElement *head, *idle;      /* tee; what makes EOS, preroll and pace without a viewer */
  GstPad *sinkpad;              /* ghost, to head */
  WorkTurns calls;

  GMutex lock;                  /* of all below; never held across a call out */
  JoinListener *listener;       /* NULL: closed */
  GHashTable *viewers;          /* number -> ServerViewer, whole */
  GstRmcSink *handled;          /* that the worker makes or removes, with a socket; or NULL */
  GQueue lost;                  /* GstRmcSink, each with a reference */
  GHashTable *unheard;          /* address -> for how long it was served without a report */
  gboolean keyed;               /* a viewer has had a key: none is served in the clear any more */
  ServerCounts counts;
  GstStructure *last_stats;     /* of the time before the last READY; or NULL */
  RcRateMeter input;            /* of the pad `sink` */

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

/* servercalls.c */
extern guint gst_arc_server_sink_connecting_signal;
void gst_arc_server_sink_init_calls (GstArcServerSink * self);
/* FALSE: an error is on the bus. */
gboolean gst_arc_server_sink_listen (GstArcServerSink * self);
void gst_arc_server_sink_stop_listening (GstArcServerSink * self);

/* serverviewers.c */
extern guint gst_arc_server_sink_added_signal, gst_arc_server_sink_removed_signal;
/* On the worker, as the next four. NULL: it is served from now on; else why not, g_free(). verdict:
 * what the caller is answered then. */
gchar *gst_arc_server_sink_add_viewer (GstArcServerSink * self, JoinListener * listener,
    const JoinCall * call, RcAnswerVerdict * verdict);
/* All viewers, those of the caller's host, and the one at its address, which would be replaced. */
void gst_arc_server_sink_count_viewers (GstArcServerSink * self, const JoinCall * call, guint * n,
    guint * n_host, gboolean * replaces);
/* Who was served at the address of the call by another number has gone. */
void gst_arc_server_sink_clear_address (GstArcServerSink * self, JoinListener * listener,
    const JoinCall * call);
/* FALSE: there is no viewer of this number. *fault: why the call is not its own; g_free(). */
gboolean gst_arc_server_sink_find_viewer (GstArcServerSink * self, const RcCall * call,
    gchar ** fault);
/* It called again: perhaps it has another address. */
void gst_arc_server_sink_move_viewer (GstArcServerSink * self, const JoinCall * call);
/* lost: it did not say that it leaves. */
void gst_arc_server_sink_remove_viewer (GstArcServerSink * self, guint64 number, gboolean lost);
/* Those whose sinks are silent or have failed. */
void gst_arc_server_sink_remove_lost (GstArcServerSink * self);
/* From any thread: the worker removes it. */
void gst_arc_server_sink_lose_viewer (GstArcServerSink * self, GstRmcSink * sink);
void gst_arc_server_sink_remove_all (GstArcServerSink * self);
/* Once the listener is gone: what the worker makes or removes has no socket any more. */
void gst_arc_server_sink_dismiss_handled (GstArcServerSink * self);

/* serverstats.c */
GstStructure *gst_arc_server_sink_create_stats (GstArcServerSink * self);
void gst_arc_server_sink_describe_stats (GstElementClass * klass);

/* serverunheard.c */
/* A viewer at the address has gone that never reported. */
void gst_arc_server_sink_note_unheard (GstArcServerSink * self, GSocketAddress * from,
    gint64 served_us);
/* NULL: it may be served; else why not yet; g_free(). */
gchar *gst_arc_server_sink_find_unheard (GstArcServerSink * self, GSocketAddress * from);

/* serverkeys.c */
/* TRUE: the settings give each viewer a key. */
gboolean gst_arc_server_sink_wants_keys (GstArcServerSink * self);
/* NULL: it may have the key; else why it has none for certain; g_free(). */
gchar *gst_arc_server_sink_find_stranger (GstArcServerSink * self, const RcCall * call);
/* FALSE: an error is on the bus. */
gboolean gst_arc_server_sink_check_key_file (GstArcServerSink * self);
SecureSettings gst_arc_server_sink_dup_srtp (GstArcServerSink * self);
/* The settings have had another key since `before`, and the sink has that one: it was not in the
 * table when the key came. */
gboolean gst_arc_server_sink_has_old_key (GstArcServerSink * self, GstRmcSink * sink,
    const SecureSettings * before);
/* Of the settings `property` was set, one of srtp; before: all as they were. */
void gst_arc_server_sink_rekey_viewers (GstArcServerSink * self, const SecureSettings * before,
    const gchar * property, const GValue * value);

/* serverproperties.c */
void gst_arc_server_sink_install_properties (GObjectClass * klass);
void gst_arc_server_sink_init_settings (GstArcServerSink * self);
void gst_arc_server_sink_clear_settings (GstArcServerSink * self);
/* What of viewer-properties does not fit rmcsink, with the cure; NULL: all of it does. */
gchar *gst_arc_server_sink_find_misfit (GstArcServerSink * self);
/* What the settings say of each viewer's sink. */
void gst_arc_server_sink_apply (GstArcServerSink * self, GObject * sink);

G_END_DECLS
