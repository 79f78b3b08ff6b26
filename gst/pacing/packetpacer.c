/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "pacing/packetpacer.h"

static Pacer *
pacer_ref (Pacer * self)
{
  self->funcs->ref (self);
  return self;
}

static void
pacer_unref (Pacer * self)
{
  self->funcs->unref (self);
}

G_DEFINE_BOXED_TYPE (Pacer, pacer, pacer_ref, pacer_unref);
