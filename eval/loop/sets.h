/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* All sets, by name. */
#pragma once

#include "set.h"

/* One flow of ours with delay noise (noiseset.c): jitter that keeps the order, or that may
 * overtake; a link, or hosts, that stand still now and then. */
extern const LoopSet loop_set_noise, loop_set_reorder, loop_set_stalls, loop_set_pauses;
/* Flows of ours alone on a path without noise (rateset.c): the cases of cases.h that run the live
 * law; many flows and high rates; encoders with lag and big key frames. */
extern const LoopSet loop_set_clean, loop_set_high, loop_set_startup;
/* The capacity jumps, quiet and with delay noise as of a busy host (stepset.c). */
extern const LoopSet loop_set_steps, loop_set_frames;
/* Beside TCP (tcpset.c): long flows, either first; ours second, from its least rate; ten short
 * flows; scalable ones, behind DualPI2. */
extern const LoopSet loop_set_tcp, loop_set_floor, loop_set_short, loop_set_l4s;
/* Flows that the user bounds below what the link carries (freeset.c). */
extern const LoopSet loop_set_free;
/* Flows of ours alone, by seed (ownset.c). */
extern const LoopSet loop_set_own;
/* One of ours beside one of TCP, by queue: drop-tail, managed (queueset.c). */
extern const LoopSet loop_set_queues, loop_set_aqm;
/* Something breaks: loss, routes, outages, reports, a silent camera (guardset.c). */
extern const LoopSet loop_set_guards;
/* Paths that change in ways of their own: routes, scans of a radio, late reports, a capacity that
 * jumps to and fro; slow links; single jumps, and loss with jitter (oddset.c). */
extern const LoopSet loop_set_routes, loop_set_scans, loop_set_wayback, loop_set_squares,
    loop_set_slow, loop_set_steep;
/* Loss without a queue; policers by their buckets (lossset.c). */
extern const LoopSet loop_set_loss, loop_set_policers;
/* The link serves as a trace says (traceset.c): made ones of cellular links and of Wi-Fi, recorded
 * files (none until traceset_add ()), falls to a tenth within seconds, the same of several flows,
 * uplinks of cars, and thirty of these, with video and with footage. */
extern const LoopSet loop_set_cellular, loop_set_wifi, loop_set_falls, loop_set_own_falls,
    loop_set_drives, loop_set_drives_quick, loop_set_footage;
extern LoopSet loop_set_traces;
/* One flow over two paths (lanesset.c): single cases; the uplinks of both operators in one car,
 * twenty of these, and each operator alone. */
extern const LoopSet loop_set_lanes, loop_set_drives_both, loop_set_drives_both_quick,
    loop_set_drives_att, loop_set_drives_verizon;
/* Ten flows through a relay before such a link (relayset.c). */
extern const LoopSet loop_set_uplink;

extern const LoopSet *const loop_sets[];        /* ends with NULL */
const LoopSet *loop_set_find (const char *name);

/* Another file of loop_set_traces, as opportunitylist.h reads it. false: it cannot be read. */
bool traceset_add (const char *path);
