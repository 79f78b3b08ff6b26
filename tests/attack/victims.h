/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Those who are attacked: an arcsrc, and an rmcsink with live sound, each in a pipeline of its
 * own. */
#pragma once

#include "attacker.h"

#include <gst/gst.h>

G_BEGIN_DECLS

#define VICTIMS_SENDER "127.0.0.1"
#define VICTIMS_SENDER_PORT 6000
#define VICTIMS_RECEIVER "127.0.0.2"
#define VICTIMS_RECEIVER_PORT 5004
#define VICTIMS_STRANGER "127.0.0.3"

typedef struct
{
  const gchar *key;             /* hex, NULL: none */
  guint min_bps;                /* of the sender */
  GstElement *sender, *receiver;        /* pipelines, NULL: not there */
  /* atomic: packets that rmcsink got, that left arcsrc, and of these what the attacker made */
  gint made, delivered, false_media;
} Victims;

/* Statistics at one time; each NULL where its pipeline is. */
typedef struct
{
  GstStructure *sender, *receiver;
  gint made, delivered, false_media;
} Snapshot;

void victims_init (Victims * self, const gchar * key, guint min_bps);
void victims_start_receiver (Victims * self);
void victims_start_sender (Victims * self);
/* Through NULL: the elements stay. */
void victims_restart_receiver (Victims * self);
void victims_restart_sender (Victims * self);
void victims_stop_sender (Victims * self);
/* No more media; the sender stays. */
void victims_mute (Victims * self);
/* Also for those that have stopped. */
void victims_stop (Victims * self);

Snapshot snapshot_take (Victims * victims);
void snapshot_clear (Snapshot * self);
/* 0 where there is no such field, or nobody to have it. */
guint64 snapshot_get (const GstStructure * stats, const gchar * name);

G_END_DECLS
