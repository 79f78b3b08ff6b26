/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The pads of arcavsrc, which outlast their streams.
 *
 * Problem: a sender that starts again has other SSRCs, so rtpbin has other pads for its streams. A
 * launch line links what it waits for once: nothing came out of it any more.
 * Rule: a pad that is linked stays when its stream ends. The next stream of the same format takes
 * over the first such pad whose stream has said BYE, has gone, or is silent; one with the SSRC of
 * before takes its own. One that comes before the silence shows gets a pad of its own, and leaves
 * it for the other if nobody has linked it.
 * Rejected: a ghost pad that gets another target, because a push of the old stream at that moment
 * returns NOT_LINKED, which ends the whole source. */
#pragma once

#include "arcav/avformats.h"

G_BEGIN_DECLS

typedef struct _AvPads AvPads;

void av_pads_add_templates (GstElementClass * klass);
AvPads *av_pads_new (GstElement * element);
void av_pads_free (AvPads * self);
/* A stream begins, and leaves its depayloader by `from`: the pad that from is linked to then. */
GstPad *av_pads_begin (AvPads * self, GstPad * from, const AvFormat * format, guint ssrc);
void av_pads_bye (AvPads * self, guint ssrc);
void av_pads_end (AvPads * self, GstPad * in);
/* At EOS of the element, which reaches the others through their streams. */
void av_pads_finish_idle (AvPads * self);
/* All go. */
void av_pads_clear (AvPads * self);

G_END_DECLS
