/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Random values for properties, and what they were before. */
#pragma once

#include "actor.h"

typedef struct
{
  GMutex lock;
  GPtrArray *changed;           /* what each property was before the first change */
} PropertyValues;

void property_values_init (PropertyValues * self);
void property_values_clear (PropertyValues * self);

/* One property that the object's own class has, to a random value of its range; FALSE if it has
 * none that may be changed here. `name`: which. */
gboolean property_values_change (PropertyValues * self, Actor * actor, GObject * object,
    const gchar ** name);
void property_values_set (PropertyValues * self, GObject * object, const gchar * name,
    const GValue * value);
void property_values_set_string (PropertyValues * self, GObject * object, const gchar * name,
    const gchar * value);
void property_values_put_back (PropertyValues * self, GObject * object);
void property_values_forget (PropertyValues * self, GObject * object);

/* All readable properties of the object. */
void property_values_read_all (GObject * object);
