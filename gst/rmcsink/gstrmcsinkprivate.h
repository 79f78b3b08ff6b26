/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The inside of the element. Its files use only those after them: gstrmcsink.c (stream and
 * states), sinksession.c (opening and closing), sinklive.c (whether the source is live),
 * sinkwork.c (what it adds to its session's host), sinkproperties.c, sinkrtcp.c (request pads),
 * sinksrtp.c, sinkuri.c, sinkcalls.c (mode=listener), sinkguest.c (who called), sinkserve.c
 * (one of many), sinkaddress.c (where the receiver is). */
#pragma once

#include "join/joinmode.h"
#include "join/joinserver.h"
#include "net/udpsocket.h"
#include "rtp/rtcppads.h"
#include "agewatch.h"
#include "gstrmcsink.h"
#include "session/sessionhost.h"
#include "srtp/securecontext.h"
#include "srtp/secureproperties.h"

G_BEGIN_DECLS

#define GST_CAT_DEFAULT gst_rmc_sink_debug
GST_DEBUG_CATEGORY_EXTERN (gst_rmc_sink_debug);

/* For the files below gstrmcsink.c, which knows the type. */
#define GST_RMC_SINK_CAST(object) ((GstRmcSink *) (object))

/* What the user sets, beside the settings of the host; guarded by the object lock. */
typedef struct
{
  gint mode;                    /* JoinMode */
  gchar *host, *bind_address;
  guint port, bind_port;
  gint qos_dscp;
  gchar *paths;                 /* NULL: one, as the system routes */
  gint path_mode;               /* RcLanesMode */
  GstClockTime path_latency;
  gboolean ecn;
  GstClockTime stats_interval;
  gint pacing_priority;
  GstClockTime rtx_time;
  GstStructure *rtx_payload_types;      /* or NULL */
  SecureSettings srtp;
  gchar *uri_error;             /* about the last URI; NULL: it is well */
} SinkSettings;

struct _GstRmcSink
{
  GstBaseSink parent;

  SinkSettings settings;
  SessionHost host;             /* its session begins once the receiver's address is known */
  GCancellable *opening;        /* object lock; the look-up of that; NULL: it is over */
  gboolean unreachable;         /* object lock; it failed and is tried again */
  gboolean interrupted;         /* object lock */
  GCond opened;                 /* object lock: one of these four is another */
  gboolean session_met;         /* streaming thread: it knows what came before it */
  RtcpOutlet rtcp_outlet;       /* pad rtcp_src */

  SecureSettings srtp;          /* object lock; of the key in use, which is whole */
  SecureContext *secure;        /* object lock; as long as the session; NULL: no SRTP */
  SecureContext *rested;        /* of the session before: a key's numbers go on */

  GQueue held;                  /* streaming thread: for a receiver that cannot be reached yet */
  guint64 unreachable_packets;  /* object lock; dropped since start for want of a receiver */
  guint rtp_buffers, other_buffers;     /* streaming thread, since start; counted up to a limit */
  gboolean warned_of_size;      /* streaming thread, as the next */
  guint sized_packets;
  guint64 oversize_packets;     /* object lock; too large for the path, since start */
  gint max_rtp_bytes;           /* atomic; that the path carries in one piece; 0: unknown */
  gint mtu_due;                 /* atomic: payloaders may be others */

  gchar *path_states[RC_LANES_MAX][2];  /* worker: name and state, as last posted */
  gchar *paths_looked_for;      /* worker; in `path_looks` looks since start */
  guint path_looks;

  JoinServer *server;           /* of mode=listener */
  JoinGuest *guest;             /* object lock; who called; NULL: nobody, or it does not call */
  Transport *join;              /* to that, in the session; as long as that */
  gboolean served;              /* it is one of arcserversink's; fixed before it starts */
  Feed *feed;                   /* then: by which media comes; NULL: by its pad */

  gint sync_by_user, ts_offset_by_user; /* atomic: do not touch `sync`, `ts-offset` */
  gint looking_up;              /* atomic */
  gint live;                    /* atomic: so was upstream when last asked */
  gint own_pace;                /* atomic: it is not, and keeps to the clock by itself */
  GstClockTime paced_ts;        /* streaming thread, as the next; of the last frame */
  AgeWatch ages;                /* of a live source */
  guint32 stamp, stamp_ssrc;    /* of the frame that ended last */
  guint same_stamps;            /* frames that ended with it, counted up to a limit */
  gint64 held_up_at;            /* us; the source ran ahead or waited for the network; 0: never */
  gboolean told_own_pace;
  gboolean let_go;              /* streaming thread, as the next: so that its pace shows */
  gint64 paced_at, ahead_us;    /* of the last frame; of one that is let go */
  gint64 most_wait_us;          /* until it is let go */
};

/* sinklive.c */
void gst_rmc_sink_install_live (GstRmcSinkClass * klass);
void gst_rmc_sink_begin_pace (GstRmcSink * self);
/* On the streaming thread, after each push to the session. */
void gst_rmc_sink_note_push (GstRmcSink * self, gint64 began_at);
/* Live, or as good as that. */
gboolean gst_rmc_sink_keeps_pace (GstRmcSink * self);
/* On the streaming thread, as the next: for a receiver that cannot be reached yet. */
gboolean gst_rmc_sink_waits (GstRmcSink * self);
/* It has waited for most_wait_us. */
void gst_rmc_sink_let_go (GstRmcSink * self);
/* FALSE: upstream does not know yet. */
gboolean gst_rmc_sink_ask_live (GstRmcSink * self);

/* sinkmtu.c */
void gst_rmc_sink_begin_mtu (GstRmcSink * self);
/* On a worker: sets payloaders upstream if the path carries other sizes. */
void gst_rmc_sink_follow_mtu (GstRmcSink * self, SendSession * session);
/* For each packet, in the streaming thread; FALSE: it cannot be sent, which is posted. */
gboolean gst_rmc_sink_check_size (GstRmcSink * self, gsize rtp_bytes);

/* sinkproperties.c */
void gst_rmc_sink_install_properties (GObjectClass * klass);
void gst_rmc_sink_init_settings (GstRmcSink * self);
void gst_rmc_sink_clear_settings (GstRmcSink * self);

/* sinksession.c: failures are posted. Opened by the state change and not as the base class's
 * start(), since that would post a second, meaningless error. Its socket lives as long as the
 * session is open. */
/* The first look-up of a name goes on after it returns TRUE: set_state () must not wait for a name
 * server. So do attempts to reach a network that is not there yet. */
gboolean gst_rmc_sink_open_session (GstRmcSink * self);
/* With the socket of the guest; failures are posted. */
void gst_rmc_sink_open_joined (GstRmcSink * self, GCancellable * opening);
/* In the streaming thread, before the session is used. GST_RMC_SINK_UNREACHABLE: the source does
 * not wait, and there will be none for an unknown time. */
#define GST_RMC_SINK_UNREACHABLE GST_FLOW_CUSTOM_SUCCESS_1
GstFlowReturn gst_rmc_sink_await_session (GstRmcSink * self);
void gst_rmc_sink_close_session (GstRmcSink * self);

/* sinkaddress.c */
/* With the object lock held: texts of the settings. */
UdpSocketConfig gst_rmc_sink_peek_config (GstRmcSink * self);
/* The same with texts of its own: to look a name up may take seconds, and no lock is held then. */
UdpSocketConfig gst_rmc_sink_dup_config (GstRmcSink * self);
void gst_rmc_sink_clear_config (UdpSocketConfig * config);
/* FALSE and *error: no socket can be opened with these settings. *has_name: a name server is to be
 * asked first. */
gboolean gst_rmc_sink_check_address (GstRmcSink * self, gboolean * has_name, GError ** error);
/* A socket to the receiver, with the addresses of the settings; BLOCKS where one is a name. NULL
 * and *error: it is not to be. */
GSocket *gst_rmc_sink_open_socket (GstRmcSink * self, GCancellable * cancellable, GError ** error);
/* Looks the receiver's name up on another thread and gives it to the session if it has another
 * address. */
void gst_rmc_sink_look_up_soon (GstRmcSink * self, SendSession * session);

/* sinkpaths.c */
typedef struct
{
  gchar *name;                  /* of the property `paths`; NULL: that is not set */
  GSocket *socket;
} SinkPath;

GType gst_rmc_sink_path_mode_get_type (void);
/* FALSE: with mode=listener the property is not possible so. */
gboolean gst_rmc_sink_check_called_paths (GstRmcSink * self, GError ** error);
/* Of SinkPath, as gst_rmc_sink_open_socket(); with several paths those that are there. */
GPtrArray *gst_rmc_sink_open_paths (GstRmcSink * self, GCancellable * cancellable,
    GError ** error);
/* With the object lock held, as the next. */
gboolean gst_rmc_sink_has_paths (GstRmcSink * self);
/* One transport of them all. */
void gst_rmc_sink_join_paths (GstRmcSink * self, GPtrArray * paths, SendLanesConfig * lanes,
    SendSessionConfig * config);
/* On a worker: adds what is listed and there by now, removes what is listed no more. */
void gst_rmc_sink_look_for_paths (GstRmcSink * self, SendSession * session);
/* What was posted of it. */
void gst_rmc_sink_forget_path (GstRmcSink * self, guint i);
void gst_rmc_sink_add_path_stats (const SessionStats * stats, GstStructure * s);

/* sinkcalls.c */
void gst_rmc_sink_init_calls (GstRmcSink * self);

/* sinkguest.c */
/* 0: it does not listen. */
guint gst_rmc_sink_called_port (GstRmcSink * self);
/* Whether receivers call it, or a server has it for one that did. */
gboolean gst_rmc_sink_is_called (GstRmcSink * self);
/* NULL: there is none. */
JoinGuest *gst_rmc_sink_dup_guest (GstRmcSink * self);
void gst_rmc_sink_set_guest (GstRmcSink * self, JoinGuest * guest);
/* After the session has ended; also if it does not listen. */
void gst_rmc_sink_stop_listening (GstRmcSink * self);
void gst_rmc_sink_add_caller_stats (GstRmcSink * self, GstStructure * s);

/* gstrmcsink.c, for sinkserve.h */
void gst_rmc_sink_follow_caps (GstRmcSink * self, GstCaps * caps);
void gst_rmc_sink_flush (GstRmcSink * self);
gboolean gst_rmc_sink_finish (GstRmcSink * self);
void gst_rmc_sink_set_interrupted (GstRmcSink * self, gboolean interrupted);

/* sinkserve.c */
/* With the SSRC of the session; a reference for the caller. */
GstCaps *gst_rmc_sink_own_caps (GstRmcSink * self, GstCaps * caps);

/* sinksrtp.c */
/* What is known of them, without reading a file. */
/* As callers have to prove it: of the key in use, and not of the one that is set. */
SecureSettings gst_rmc_sink_dup_srtp (GstRmcSink * self);
/* These are in use from now on, whose key was found. */
void gst_rmc_sink_use_srtp (GstRmcSink * self, const SecureSettings * found);
/* The guest has to prove this key from now on. */
void gst_rmc_sink_tell_key (GstRmcSink * self);
/* Before the session opens. FALSE and *error: the key is wrong. */
gboolean gst_rmc_sink_begin_srtp (GstRmcSink * self, GError ** error);
void gst_rmc_sink_end_srtp (GstRmcSink * self);
/* NULL: no SRTP. */
SecureContext *gst_rmc_sink_dup_secure (GstRmcSink * self);
/* With the object lock held. */
Transport *gst_rmc_sink_new_transport (GstRmcSink * self, GSocket * socket, gboolean called);
/* Takes RTCP that came to another port; NULL: it was refused. */
GstBuffer *gst_rmc_sink_open_rtcp (GstRmcSink * self, GstBuffer * buffer);
/* In the streaming thread. */
void gst_rmc_sink_warn_of_srtp (GstRmcSink * self);
void gst_rmc_sink_set_srtp (GstRmcSink * self, SecureProperty property, const GValue * value);

/* sinkuri.c */
/* Also what gst_uri_handler_set_uri() refuses by itself, another scheme, is known at the start
 * then. */
gboolean gst_rmc_sink_set_uri (GstRmcSink * self, const gchar * text, GError ** error);
void gst_rmc_sink_uri_handler_init (gpointer iface, gpointer data);

/* sinkwork.c */
extern const SessionHostFuncs gst_rmc_sink_host_funcs;
/* Ends what warned that the receiver cannot be reached. */
void gst_rmc_sink_inform_of_reach (GstRmcSink * self);
void gst_rmc_sink_describe_stats (GstElementClass * klass);

/* sinkrtcp.c */
void gst_rmc_sink_add_rtcp_templates (GstElementClass * klass);
GstPad *gst_rmc_sink_request_pad (GstElement * element, GstPadTemplate * template,
    const gchar * name, const GstCaps * caps);
void gst_rmc_sink_release_pad (GstElement * element, GstPad * pad);
/* Takes the buffers. */
void gst_rmc_sink_push_rtcp (GstRmcSink * self, GQueue * buffers);

/* An INFO that gst-launch-1.0 prints, which is only the text for developers. Takes the text. */
static inline void
gst_rmc_sink_inform (GstRmcSink * self, gchar * text)
{
  GST_ELEMENT_INFO (self, RESOURCE, SETTINGS, ("%s", text), ("%s", text));
  g_free (text);
}

G_END_DECLS
