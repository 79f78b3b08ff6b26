/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The pipelines under test, three senders and who serves them:
 *
 *   camera ! rmcsink             -> arcsrc ! rtpjitterbuffer                  (camera, screen)
 *   film ! queue ! rmcsink       -> udpsrc ! arcreceiver, reports by udpsink  (cinema, recorder)
 *   some ! rampscheduler ! rmcsink -> rcprelay -> arcsrc                      (studio, relay,
     viewer)
 *   camera ! rmcsink mode=listener <- arcsrc mode=caller                      (door, guest)
 *   camera ! rmcsink paths=...   -> arcsrc without caps                       (convoy, depot)
 *   arcavsink                    -> arcavsrc                                  (stage, hall)
 *
 * The screen shows what comes: a decoder and a sink that drops what is late (qos).
 *
 * All that the operations change can be put back; then all media must arrive. */
#pragma once

#include <gio/gio.h>

#include "deliveries.h"
#include "branch.h"
#include "propertyvalues.h"

typedef enum
{
  STAGE_CAMERA,
  STAGE_SCREEN,
  STAGE_CINEMA,
  STAGE_RECORDER,
  STAGE_STUDIO,
  STAGE_RELAY,
  STAGE_VIEWER,
  STAGE_DOOR,
  STAGE_GUEST,
  STAGE_CONVOY,
  STAGE_DEPOT,
  STAGE_STAGE,
  STAGE_HALL,
  N_STAGES
} StageId;

#define SCENE_PORTS 5           /* of receivers; the sixth is where the cinema sends from */

/* A request pad of an element, and a pad without element that it is linked to. */
typedef struct
{
  GstElement *element;
  GstPad *pad, *loose;
} Plug;

typedef struct
{
  const gchar *name;
  GstElement *pipeline;
  GPtrArray *branches;          /* Branch */
  GPtrArray *plugs;             /* Plug */
  gboolean ended;               /* an error or the end of the stream: needs another start */
  gint restart;                 /* atomic: what was changed counts at the next start ... */
  gint from_null;               /* atomic: ... from NULL only */
} Stage;

typedef struct
{
  GMutex lock;                  /* pipelines and branches, against those who look from beside */
  Stage stages[N_STAGES];
  Deliveries deliveries;
  PropertyValues values;        /* to put back */
  guint port;                   /* the first */
  gboolean private;             /* the network: the camera sends to an address that may go */
  guint32 next_ssrc;
  GSocket *recorder_socket;     /* that answers from where it listens */
} Scene;

/* An element of ours in the scene. */
typedef struct
{
  StageId stage;
  const gchar *element;
} Subject;

extern const Subject scene_subjects[];
extern const guint scene_n_subjects;

/* A sink of the stage that plays what comes, such as "picture"; NULL: there is no such. */
extern const gchar *const scene_players[];
extern const guint scene_n_players;
/* What such a sink has played since the last deliveries_reset (). */
guint scene_played (Scene * self, StageId id, guint player);
gboolean scene_has_player (StageId id, guint player);

void scene_init (Scene * self, guint port, gboolean private);
void scene_start (Scene * self, Actor * actor);
void scene_stop (Scene * self);

/* Builds the pipeline of a stage anew, in NULL. */
void scene_rebuild (Scene * self, Actor * actor, StageId id);
void scene_tear_down (Scene * self, StageId id);

/* NULL where there is none. */
GstElement *scene_dup_pipeline (Scene * self, StageId id);
GstElement *scene_dup_element (Scene * self, StageId id, const gchar * name);

gboolean scene_has_branches (StageId id);
void scene_add_branch (Scene * self, Actor * actor, StageId id);
void scene_remove_branch (Scene * self, StageId id, guint index, gboolean unlink_first);

/* A part of a branch chosen at random, or with `name` NULL the element's pad that it feeds. */
gpointer scene_dup_branch_part (Scene * self, Actor * actor, StageId id, const gchar * name);

void scene_add_plug (Scene * self, StageId id, GstElement * element, GstPad * pad, GstPad * loose);
void scene_remove_plug (Scene * self, StageId id, guint index);
void scene_remove_plugs (Scene * self, StageId id);

/* What an application does with messages: latency is computed anew, the end of a stream is
 * noted. */
void scene_read_messages (Scene * self, Actor * actor);

/* After a change of the property: when will it count? */
void scene_mark_change (Scene * self, StageId id, GObject * object, const gchar * property);

/* putback.c: undoes all, starts what has ended; then media of each branch must arrive. */
void scene_put_back (Scene * self, Actor * actor, guint patience_s);
