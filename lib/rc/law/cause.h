/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Why a rate is what it is: the one reason that binds it. A law sets its cause where it sets its
 * rate, and each limit between the law and the encoder that lowers the rate puts its own in its
 * place. The list is closed: statistics, messages, the event trace and the page know no others. */
#pragma once

typedef enum
{
  RC_CAUSE_START,               /* nothing is known of the path yet: the rate of a start */
  RC_CAUSE_GROWTH,              /* no queue was seen lately, so the rate grows */
  RC_CAUSE_KNOWN_CAPACITY,      /* the rate returns to the capacity that was seen last */
  RC_CAUSE_QUEUE,               /* a queue built, and the rate fell to what was delivered */
  RC_CAUSE_FALL,                /* the same, and the capacity fell far */
  RC_CAUSE_LOSS,                /* packets were lost for the rate */
  RC_CAUSE_MARK,                /* routers marked packets (ECN) */
  RC_CAUSE_TRIAL_LOW,           /* a trial sends less, to see whose the queue or the losses are */
  RC_CAUSE_TRIAL_HIGH,          /* a trial sends more */
  RC_CAUSE_COMPETING,           /* other flows keep a queue, and the rate is a share beside them */
  RC_CAUSE_DRAIN,               /* what waits in the queue drains */
  RC_CAUSE_TIMEOUT,             /* reports of the receiver are missing */
  RC_CAUSE_BREAKER,             /* a circuit breaker (RFC 8083) */
  RC_CAUSE_USER,                /* a limit that the user set */
  RC_CAUSE_PICTURE,             /* the picture needs no more, or the encoder has no lower rate */
  RC_CAUSE_RECEIVER,            /* the receiver's bound (REMB) */
  RC_CAUSE_RELAY,               /* the rate that a relay on the path allows (RCP) */
  RC_CAUSE_OTHER_SINK,          /* another sink, viewer or stream that shares encoder or path */
  RC_CAUSE_APPLICATION,         /* the source sends less than it may, so the rate does not grow */
  RC_CAUSE_N,                   /* no cause */
} RcCause;

/* As users read it, such as "known-capacity"; "unknown" outside the list. */
const char *rc_cause_name (RcCause cause);
/* RC_CAUSE_N: there is none of that name. */
RcCause rc_cause_find (const char *name);
/* A sentence for users, without a full stop. */
const char *rc_cause_text (RcCause cause);
