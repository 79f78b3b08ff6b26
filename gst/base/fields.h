/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A field of statistics is one row of a table: its name, what it is, and where its value lies. The
 * GstStructure, the description that gst-inspect-1.0 and the reference print, and the metrics of a
 * monitor are made of the rows. A row reads a member of a struct: a new statistic is a member, the
 * code that fills it in, and a row.
 *
 * Rejected: patterns of names in the monitor, where each new field had to be described once
 * more; the description as the table, since a monitor would have to load the plugin of the
 * version that it watches. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef enum
{
  FIELD_UINT64,
  FIELD_UINT,
  FIELD_BOOLEAN,                /* a gboolean */
  FIELD_BOOL,                   /* a bool of C; in the structure a boolean too */
  FIELD_DOUBLE,
  FIELD_RATE,                   /* a double; in the structure whole bit/s, uint64 */
  FIELD_TIME,                   /* an RcTime; in the structure ns, uint64, 0 where it is unknown */
  FIELD_STRING,                 /* NULL: the field is absent */
  FIELD_STRUCTURE,              /* these two: FIELD_OWN */
  FIELD_ARRAY,
} FieldType;

typedef enum
{
  FIELD_IS_NO_NUMBER,
  FIELD_IS_COUNTER,             /* only grows */
  FIELD_IS_GAUGE,               /* as it is now */
} FieldKind;

typedef struct
{
  const gchar *name;            /* NULL ends a table */
  FieldType type;
  FieldKind kind;
  const gchar *unit;            /* "": a plain number, or none */
  const gchar *text;
  gsize offset;                 /* of the value in its struct */
} FieldRow;

/* The rows of a struct. A table has macros of its own that name the struct. */
#define FIELD_COUNTER(Struct, member, name, unit, text) \
    { name, FIELD_TYPE_OF (Struct, member), FIELD_IS_COUNTER, unit, text, \
        G_STRUCT_OFFSET (Struct, member) }
#define FIELD_GAUGE(Struct, member, name, unit, text) \
    { name, FIELD_TYPE_OF (Struct, member), FIELD_IS_GAUGE, unit, text, \
        G_STRUCT_OFFSET (Struct, member) }
/* A rate that holds now. */
#define FIELD_BITRATE(Struct, member, name, text) \
    { name, FIELD_TYPE_OF (Struct, member) == FIELD_DOUBLE ? FIELD_RATE : \
        FIELD_TYPE_OF (Struct, member), FIELD_IS_GAUGE, "bit/s", text, \
        G_STRUCT_OFFSET (Struct, member) }
#define FIELD_TEXT(Struct, member, name, text) \
    { name, FIELD_TYPE_OF (Struct, member), FIELD_IS_NO_NUMBER, "", text, \
        G_STRUCT_OFFSET (Struct, member) }
/* The owner of the structure adds the value by itself. */
#define FIELD_OWN(type, name, text) { name, type, FIELD_IS_NO_NUMBER, "", text, FIELD_BY_OWNER }
#define FIELD_BY_OWNER G_MAXSIZE
#define FIELD_TYPE_OF(Struct, member) _Generic (((Struct *) NULL)->member, guint64: FIELD_UINT64, \
    guint: FIELD_UINT, gboolean: FIELD_BOOLEAN, _Bool: FIELD_BOOL, double: FIELD_DOUBLE, \
    gint64: FIELD_TIME, gchar *: FIELD_STRING, const gchar *: FIELD_STRING)

#define FIELD_MAX_TABLES 10

/* A structure of statistics with the tables of its fields. */
typedef struct
{
  const gchar *name;            /* of the GstStructure; NULL ends a list */
  const gchar *text;
  const FieldRow *tables[FIELD_MAX_TABLES];     /* NULL behind the last */
} FieldStructure;

/* The rows of one table, with their values in `values`, into the structure. */
void fields_add (GstStructure * structure, const FieldRow * table, gconstpointer values);

/* What these structures are, as text of gst-inspect-1.0 and for a monitor; the first is that of the
 * property `stats`. For class_init. */
void fields_describe (GstElementClass * klass, const FieldStructure * structures);
/* Of each number NAME:KIND:UNIT, with + between them; KIND: counter or gauge. g_free() */
/* Statistics of that type are a part of these: their kinds are known with the own ones. */
void fields_join (GstElementClass * klass, GType element);
gchar *fields_kinds (const FieldStructure * structures);
/* The same as fields_describe() knows it, for derived types too; NULL: of a type that has none. */
const gchar *fields_kinds_of (GType element);

G_END_DECLS
