/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "propertyvalues.h"

#include <math.h>

typedef struct
{
  GObject *object;              /* a reference, so that no other gets its address */
  gchar *name;
  GValue before;
} Change;

/* Those that lead packets elsewhere have operations of their own; `uri` repeats them. The priority
 * makes a real-time thread where that is permitted, and a busy one would take the machine. */
static const gchar *const left_alone[] = { "name", "parent", "host", "port", "uri", "address",
  "bind-address", "bind-port", "host-port", "pacing-priority", "caps", NULL
};

static void
free_change (gpointer data)
{
  Change *change = data;

  g_value_unset (&change->before);
  g_object_unref (change->object);
  g_free (change->name);
  g_free (change);
}

void
property_values_init (PropertyValues * self)
{
  g_mutex_init (&self->lock);
  self->changed = g_ptr_array_new_with_free_func (free_change);
}

void
property_values_clear (PropertyValues * self)
{
  g_ptr_array_unref (self->changed);
  g_mutex_clear (&self->lock);
}

static gboolean
may_put_back (GObject * object, GParamSpec * spec)
{
  return spec->owner_type == G_OBJECT_TYPE (object) && !g_str_equal (spec->name, "uri")
      && (spec->flags & G_PARAM_WRITABLE)
      && (spec->flags & G_PARAM_READABLE) && !(spec->flags & G_PARAM_CONSTRUCT_ONLY);
}

static gboolean
is_remembered (PropertyValues * self, GObject * object)
{
  for (guint i = 0; i < self->changed->len; i++)
    if (((Change *) self->changed->pdata[i])->object == object)
      return TRUE;
  return FALSE;
}

/* All that is not read only, since one property may change another: a minimum above the maximum
 * raises it. */
static void
remember (PropertyValues * self, GObject * object)
{
  guint n;
  GParamSpec **specs;

  if (is_remembered (self, object))
    return;
  specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n);
  for (guint i = 0; i < n; i++) {
    Change *change;

    if (!may_put_back (object, specs[i]))
      continue;
    change = g_new0 (Change, 1);
    change->object = g_object_ref (object);
    change->name = g_strdup (specs[i]->name);
    g_object_get_property (object, change->name, &change->before);
    g_ptr_array_add (self->changed, change);
  }
  g_free (specs);
}

void
property_values_set (PropertyValues * self, GObject * object, const gchar * name,
    const GValue * value)
{
  g_mutex_lock (&self->lock);
  remember (self, object);
  g_mutex_unlock (&self->lock);
  g_object_set_property (object, name, value);
}

void
property_values_set_string (PropertyValues * self, GObject * object, const gchar * name,
    const gchar * value)
{
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (object), name);
  GValue v = G_VALUE_INIT;

  g_value_init (&v, spec->value_type);
  gst_value_deserialize (&v, value);
  property_values_set (self, object, name, &v);
  g_value_unset (&v);
}

static GPtrArray *
take_changes (PropertyValues * self, GObject * object)
{
  GPtrArray *taken = g_ptr_array_new_with_free_func (free_change);

  g_mutex_lock (&self->lock);
  for (guint i = self->changed->len; i-- > 0;)
    if (((Change *) self->changed->pdata[i])->object == object)
      g_ptr_array_add (taken, g_ptr_array_steal_index (self->changed, i));
  g_mutex_unlock (&self->lock);
  return taken;
}

/* Twice: what one property did to another is undone by the second pass. Also what reads as before:
 * a port reads as the one that is open, and the next start opens the one that was set. */
void
property_values_put_back (PropertyValues * self, GObject * object)
{
  g_autoptr (GPtrArray) changes = take_changes (self, object);

  for (guint i = 0; i < 2 * changes->len; i++) {
    Change *change = changes->pdata[i % changes->len];

    g_object_set_property (object, change->name, &change->before);
  }
}

void
property_values_forget (PropertyValues * self, GObject * object)
{
  g_ptr_array_unref (take_changes (self, object));
}

/* Ends of the range, the default, or anything in between in equal shares of each order of
 * magnitude. */
static gdouble
choose_number (Actor * actor, gdouble least, gdouble most, gdouble usual)
{
  switch (actor_below (actor, 6)) {
    case 0:
      return least;
    case 1:
      return most;
    case 2:
      return usual;
    default:
      return CLAMP (least + expm1 (g_rand_double (actor->rand) * log1p (most - least)), least,
          most);
  }
}

static gboolean
choose_enum (Actor * actor, GParamSpec * spec, GValue * value)
{
  GEnumClass *values = G_PARAM_SPEC_ENUM (spec)->enum_class;

  g_value_set_enum (value, values->values[actor_below (actor, values->n_values)].value);
  return TRUE;
}

#define CHOOSE(type, TYPE, gtype) \
  if (G_IS_PARAM_SPEC_##TYPE (spec)) { \
    const GParamSpec##type *s = (const GParamSpec##type *) spec; \
    gdouble n = choose_number (actor, (gdouble) s->minimum, (gdouble) s->maximum, \
        (gdouble) s->default_value); \
    g_value_set_##gtype (value, n >= (gdouble) s->maximum ? s->maximum : (g##gtype) n); \
    return TRUE; \
  }

static gboolean
choose_value (Actor * actor, GParamSpec * spec, GValue * value)
{
  CHOOSE (Int, INT, int)
  CHOOSE (UInt, UINT, uint)
  CHOOSE (Int64, INT64, int64)
  CHOOSE (UInt64, UINT64, uint64)
  CHOOSE (Double, DOUBLE, double)
  if (G_IS_PARAM_SPEC_BOOLEAN (spec)) {
    g_value_set_boolean (value, actor_one_in (actor, 2));
    return TRUE;
  }
  return G_IS_PARAM_SPEC_ENUM (spec) && choose_enum (actor, spec, value);
}

static gboolean
may_change (GObject * object, GParamSpec * spec)
{
  return may_put_back (object, spec) && !g_strv_contains (left_alone, spec->name);
}

gboolean
property_values_change (PropertyValues * self, Actor * actor, GObject * object, const gchar ** name)
{
  guint n, tries;
  GParamSpec **specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n),
      *spec = NULL;
  GValue value = G_VALUE_INIT;
  g_autofree gchar *text = NULL;

  for (tries = 0; tries < 50 && !spec; tries++) {
    spec = specs[actor_below (actor, n)];
    if (!may_change (object, spec))
      spec = NULL;
  }
  g_free (specs);
  if (!spec)
    return FALSE;
  g_value_init (&value, spec->value_type);
  if (!choose_value (actor, spec, &value)) {
    g_value_unset (&value);
    return FALSE;
  }
  text = gst_value_serialize (&value);
  actor_will (actor, "%s.%s = %s", GST_OBJECT_NAME (object), spec->name, text);
  property_values_set (self, object, spec->name, &value);
  actor_done (actor);
  *name = spec->name;
  g_value_unset (&value);
  return TRUE;
}

void
property_values_read_all (GObject * object)
{
  guint n;
  GParamSpec **specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n);

  for (guint i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT;

    if (!(specs[i]->flags & G_PARAM_READABLE))
      continue;
    g_object_get_property (object, specs[i]->name, &value);
    g_value_unset (&value);
  }
  g_free (specs);
}
