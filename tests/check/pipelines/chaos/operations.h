/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What may be done to the pipelines under test. A new operation is a function and a row of the
 * table in operations.c. It chooses everything random, says by actor_will() what it will do,
 * does it, and says actor_done(). It returns FALSE if there was nothing to do it to. What it
 * leaves changed it tells the scene or the values, so that it can be put back. */
#pragma once

#include "scene.h"

typedef struct
{
  guint weight;                 /* how often, against the others */
  const gchar *name;
  gboolean (*run) (Scene * scene, Actor * actor);
  gboolean beside;              /* also by the second thread, while the first does anything */
} Operation;

extern const Operation operations[];
extern const guint n_operations;

/* Chooses and does one of those that are in `wanted` (NULL: all). FALSE: there is none. */
gboolean operations_do_one (Scene * scene, Actor * actor, gchar ** wanted, gboolean beside);
const Operation *operations_find (const gchar * name);

/* stateoperations.c */
gboolean operate_state (Scene * scene, Actor * actor);
gboolean operate_state_and_wait (Scene * scene, Actor * actor);
gboolean operate_restarts (Scene * scene, Actor * actor);
gboolean operate_recreate (Scene * scene, Actor * actor);
gboolean operate_restart_sender (Scene * scene, Actor * actor);

/* mediaoperations.c */
gboolean operate_seek (Scene * scene, Actor * actor);
gboolean operate_branch_seeks (Scene * scene, Actor * actor);
gboolean operate_flush (Scene * scene, Actor * actor);
gboolean operate_event (Scene * scene, Actor * actor);
gboolean operate_keyframe (Scene * scene, Actor * actor);
gboolean operate_gate (Scene * scene, Actor * actor);
gboolean operate_switch (Scene * scene, Actor * actor);
gboolean operate_eos (Scene * scene, Actor * actor);

/* linkoperations.c */
gboolean operate_add_branch (Scene * scene, Actor * actor);
gboolean operate_remove_branch (Scene * scene, Actor * actor);
gboolean operate_replace_branch (Scene * scene, Actor * actor);
gboolean operate_relink_sink (Scene * scene, Actor * actor);
gboolean operate_relink_behind (Scene * scene, Actor * actor);
gboolean operate_plug (Scene * scene, Actor * actor);
gboolean operate_unplug (Scene * scene, Actor * actor);
gboolean operate_rtcp (Scene * scene, Actor * actor);

/* propertyoperations.c */
gboolean operate_property (Scene * scene, Actor * actor);
gboolean operate_pad_property (Scene * scene, Actor * actor);
gboolean operate_read (Scene * scene, Actor * actor);
gboolean operate_query (Scene * scene, Actor * actor);

/* networkoperations.c */
gboolean operate_host (Scene * scene, Actor * actor);
gboolean operate_port (Scene * scene, Actor * actor);
gboolean operate_address (Scene * scene, Actor * actor);
gboolean operate_datagrams (Scene * scene, Actor * actor);

/* crowdoperations.c */
gboolean operate_crowd (Scene * scene, Actor * actor);

/* audienceoperations.c */
gboolean operate_audience (Scene * scene, Actor * actor);
