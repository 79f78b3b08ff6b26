/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/sender/voice.h>

#include <rc/path/path.h>

static RcVoiceState
next_state (RcVoice *self, bool living, unsigned timeouts, RcTime now)
{
  bool was_away = self->state == RC_VOICE_AWAY || self->state == RC_VOICE_BACK;

  if (self->state == RC_VOICE_NEW)
    return living ? RC_VOICE_COUNTS : RC_VOICE_NEW;
  if (!living || timeouts >= RC_PATH_OUTAGE_TIMEOUTS || (was_away && timeouts > 0))
    return RC_VOICE_AWAY;
  if (timeouts > 0)
    return RC_VOICE_LATE;
  if (!was_away)
    return RC_VOICE_COUNTS;
  if (self->state == RC_VOICE_AWAY)
    self->back_at = now;
  return now - self->back_at < RC_VOICE_RETURN ? RC_VOICE_BACK : RC_VOICE_COUNTS;
}

bool
rc_voice_update (RcVoice *self, bool living, unsigned timeouts, RcTime now)
{
  self->state = next_state (self, living, timeouts, now);
  return self->state == RC_VOICE_COUNTS;
}
