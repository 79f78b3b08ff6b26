/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The bitrates of a few encodings, which follow those that the networks of their viewers carry. The
 * rule of when they move is in rungs.c. A rung keeps its number, 0 to n_rungs - 1, wherever it
 * moves: the encoder of that number makes it. */
#pragma once

#include <rc/ladder/placement.h>

#define RC_RUNGS_NONE (-1)
/* Counted viewers fall into classes of 2.2 %, from 16 kbit/s to 1 Gbit/s. */
#define RC_RUNGS_CLASSES 512

typedef struct
{
  unsigned n_rungs;             /* 1 to RC_PLACEMENT_MOST_RUNGS */
  double min_bps, max_bps;      /* of a rung, of media; min_bps above 0, at most max_bps */
  double pixels_per_s;          /* of the source */
} RcRungsParams;

typedef struct
{
  RcRungsParams params;
  double bps[RC_PLACEMENT_MOST_RUNGS];  /* by number; 0: no viewer needs it */
  double base_bps[RC_PLACEMENT_MOST_RUNGS];     /* of the frames that others need; 0: not known */
  double regret_s;              /* quality times seconds, a viewer, lost since the last move */
  RcTime at;                    /* RC_TIME_NONE: not yet */
  uint64_t moves;
  bool barred[RC_PLACEMENT_MOST_RUNGS];         /* cannot be had any more */
  double weight;                /* counted, of all */
  double least_bps[RC_RUNGS_CLASSES], class_weight[RC_RUNGS_CLASSES];
  double watching[RC_RUNGS_CLASSES][RC_PLACEMENT_MOST_RUNGS];   /* of it, by the present rung */
  RcPlacementPoint points[RC_RUNGS_CLASSES];
  RcPlacementCell cells[RC_RUNGS_CLASSES + 1];
} RcRungs;

void rc_rungs_init (RcRungs *self, const RcRungsParams *params);
/* Other limits or another source. The rungs move with the next rc_rungs_move (). */
void rc_rungs_set_params (RcRungs *self, const RcRungsParams *params);
/* This number is out of use from the next rc_rungs_move () on. */
void rc_rungs_bar (RcRungs *self, unsigned number);
/* All viewers are counted anew before each rc_rungs_move (): what each carries, above 0, and the
 * rung that it is sent, or RC_RUNGS_NONE. */
void rc_rungs_count (RcRungs *self, double bps, double weight, int rung);
/* true: rungs moved. now never runs backwards. */
bool rc_rungs_move (RcRungs *self, RcTime now);
/* The number of the highest rung that is at most bps, or RC_RUNGS_NONE. */
int rc_rungs_below (const RcRungs *self, double bps);
/* The number of the lowest rung, or RC_RUNGS_NONE. */
int rc_rungs_lowest (const RcRungs *self);
