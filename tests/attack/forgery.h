/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What an attacker makes of what he has heard. Under SRTP he sees headers and SSRCs only; so he
 * sends both what a session without a key would believe, and packets of the session with bytes
 * changed. */
#pragma once

#include "attacker.h"

#include <rc/feedback/wire.h>

G_BEGIN_DECLS

typedef enum
{
  FORGERY_REPORTS,              /* to the sender: much is lost, the delay grows */
  FORGERY_OLD_REPORTS,          /* as they were heard */
  FORGERY_NACKS,                /* all packets of the media once more */
  FORGERY_FAREWELL,             /* BYE, and the notice that another has the place */
  FORGERY_RTP,                  /* to the receiver: media in the name of the sender */
  FORGERY_OLD_RTP,              /* as it was heard */
  FORGERY_STRANGER,             /* media from an address of his own */
  FORGERY_HELLO,                /* an rmcsink's info, in the name of the sender */
  FORGERY_KINDS
} ForgeryKind;

#define FORGERY_MARK "forged"   /* how the payload of false media begins */

typedef struct
{
  Place sender, receiver, own;
  GPtrArray *heard;             /* Datagram: what a session said */
  guint32 ssrc;
  guint16 seq;                  /* the highest heard */
  guint n_heard;                /* of which that is known */
  RcReport report;              /* the last that was made, from the last true one on */
  guint32 instance;             /* who reports */
} Forgery;

const gchar *forgery_name (ForgeryKind kind);
gboolean forgery_is_for_sender (ForgeryKind kind);
/* Finds what is to be known of the sender's media and the receiver's reports. FALSE: nobody has
 * sent any. */
gboolean forgery_study (Forgery * self);
/* The newest sequence number of what was heard since. TRUE: the receiver said something, too. */
gboolean forgery_follow (Forgery * self);
/* Sends the nth of a kind. FALSE: he has heard nothing to make it of. */
gboolean forgery_send (Forgery * self, Attacker * attacker, ForgeryKind kind, guint nth);

G_END_DECLS
