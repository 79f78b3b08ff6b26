/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/formatchoice.h>

#include <assert.h>

bool
rc_formatchoice_admits (RcFormatChoice *self, RcFormat format, RcTime now)
{
  bool admits = format >= self->format || now - self->heard_at >= RC_FORMAT_PATIENCE;

  self->ignored += !admits;
  return admits;
}

bool
rc_formatchoice_take (RcFormatChoice *self, RcFormat format, RcTime now)
{
  bool changed = self->format != format && self->format != RC_FORMAT_NONE;

  self->format = format;
  self->heard_at = now;
  return changed;
}

const char *
rc_format_name (RcFormat format)
{
  static const char *const names[] = { "none", "rr", "twcc", "ccfb", "arc" };

  static_assert (sizeof names / sizeof names[0] == RC_N_FORMATS, "each format has a name");
  return names[format];
}
