/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Random values for properties, and what they were before. */
#pragma once

#include "actor.h"

typedef struct
{
  GMutex lock;
  GPtrArray *changed;           /* what each property was before the first change */
} Settings;

void settings_init (Settings * self);
void settings_clear (Settings * self);

/* One property that the object's own class has, to a random value of its range; FALSE if it has
 * none that may be changed here. `name`: which. */
gboolean settings_change (Settings * self, Actor * actor, GObject * object, const gchar ** name);
void settings_set (Settings * self, GObject * object, const gchar * name, const GValue * value);
void settings_set_string (Settings * self, GObject * object, const gchar * name,
    const gchar * value);
void settings_put_back (Settings * self, GObject * object);
void settings_forget (Settings * self, GObject * object);

/* All readable properties of the object. */
void settings_read_all (GObject * object);
