/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Sets how much FEC the stock rtpulpfecenc upstream of a pad makes, where the user left that open:
 * its percentages were 0 when it was found. Of several pads that it feeds the first that finds it
 * sets it. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _FecSteering FecSteering;

FecSteering *fec_steering_new (void);
void fec_steering_free (FecSteering * self);

/* Again whenever the pipeline has changed. */
void fec_steering_find (FecSteering * self, GstPad * sinkpad);
/* Packets of FEC in a hundred of media. */
void fec_steering_set (FecSteering * self, guint percentage);
/* Any thread. What was found makes no FEC any more, and is free for others. */
void fec_steering_forget (FecSteering * self);

G_END_DECLS
