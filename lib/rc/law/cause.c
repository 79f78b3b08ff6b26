/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/law/cause.h>

#include <assert.h>
#include <string.h>

static const struct
{
  const char *name, *text;
} causes[] = {
  [RC_CAUSE_START] = {"start", "nothing is known of the path yet"},
  [RC_CAUSE_GROWTH] = {"growth", "no queue was seen lately, so the rate grows"},
  [RC_CAUSE_KNOWN_CAPACITY] =
      {"known-capacity", "the rate returns to the capacity that was seen last"},
  [RC_CAUSE_QUEUE] = {"queue", "a queue built, so the rate fell to what was delivered"},
  [RC_CAUSE_FALL] = {"fall", "the capacity of the path fell"},
  [RC_CAUSE_LOSS] = {"loss", "packets were lost because of the rate"},
  [RC_CAUSE_MARK] = {"mark", "routers marked packets as congestion (ECN)"},
  [RC_CAUSE_TRIAL_LOW] =
      {"trial-low", "a trial sends less, to see whose the queue or the losses are"},
  [RC_CAUSE_TRIAL_HIGH] =
      {"trial-high", "a trial sends more, to see whose the queue or the losses are"},
  [RC_CAUSE_COMPETING] = {"competing", "other flows keep a queue, and the rate is a share"},
  [RC_CAUSE_DRAIN] = {"drain", "what waits in the queue drains"},
  [RC_CAUSE_TIMEOUT] = {"timeout", "reports of the receiver are missing"},
  [RC_CAUSE_BREAKER] = {"breaker", "a circuit breaker lowers or stops the media (RFC 8083)"},
  [RC_CAUSE_USER] = {"user", "a limit that the user set"},
  [RC_CAUSE_PICTURE] = {"picture", "the picture needs no more, or the encoder makes no less"},
  [RC_CAUSE_RECEIVER] = {"receiver", "the receiver asks for no more (REMB)"},
  [RC_CAUSE_RELAY] = {"relay", "a relay on the path allows no more (RCP)"},
  [RC_CAUSE_OTHER_SINK] =
      {"other-sink", "another sink, viewer or stream shares the encoder or the path"},
  [RC_CAUSE_APPLICATION] =
      {"application", "the source sends less than it may, so the rate does not grow"},
};

static_assert (sizeof causes / sizeof causes[0] == RC_CAUSE_N, "each cause has a name");

const char *
rc_cause_name (RcCause cause)
{
  return (unsigned) cause < RC_CAUSE_N ? causes[cause].name : "unknown";
}

RcCause
rc_cause_find (const char *name)
{
  RcCause cause = 0;

  while (cause < RC_CAUSE_N && strcmp (causes[cause].name, name) != 0)
    cause++;
  return cause;
}

const char *
rc_cause_text (RcCause cause)
{
  return (unsigned) cause < RC_CAUSE_N ? causes[cause].text : "unknown";
}
