/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A property is one row of a table: its name, its range and its default, what it is, and where its
 * value lies. It is installed, set, read, begun and freed by the row. IDs count from 1 (or from
 * `first`) in the order of the rows. Not thread-safe: the caller holds its lock. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef enum
{
  PROPERTY_UINT,
  PROPERTY_INT,
  PROPERTY_UINT64,
  PROPERTY_DOUBLE,
  PROPERTY_BOOL,
  PROPERTY_CHOICE,
  PROPERTY_STRING,
  PROPERTY_OWN_BOXED,
} PropertyKind;

typedef struct
{
  const gchar *name;            /* NULL ends a table */
  PropertyKind kind;
  const gchar *nick, *text;
  gdouble least, most, usual;   /* of numbers; whole ones are exact up to 2^53 */
  const gchar *usual_text;
  GType (*type) (void);         /* of choices and boxed values */
  GParamFlags flags;
  gboolean never_null;          /* a string: NULL gives the usual one */
  gsize offset;                 /* of the value in its struct */
} PropertyRow;

/* When it may be set. */
#define PROPERTY_READ (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)
#define PROPERTY_ANY (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)
#define PROPERTY_READY (PROPERTY_ANY | GST_PARAM_MUTABLE_READY)
#define PROPERTY_PLAYING (PROPERTY_ANY | GST_PARAM_MUTABLE_PLAYING)

/* Its value lies nowhere: the owner of the table reads it, and sets it. */
#define PROPERTY_BY_OWNER G_MAXSIZE

#define PROPERTY_KIND_OF(Struct, member) _Generic (((Struct *) NULL)->member, \
    guint: PROPERTY_UINT, gint: PROPERTY_INT, guint64: PROPERTY_UINT64, gint64: PROPERTY_UINT64, \
    gdouble: PROPERTY_DOUBLE)

#define PROPERTY_ROW_NUMBER(Struct, member, flags, name, nick, text, least, most, usual) \
    { name, PROPERTY_KIND_OF (Struct, member), nick, text, least, most, usual, NULL, NULL, flags, \
        FALSE, G_STRUCT_OFFSET (Struct, member) }
#define PROPERTY_ROW_BOOLEAN(Struct, member, flags, name, nick, text, usual) \
    { name, PROPERTY_BOOL, nick, text, 0, 1, usual, NULL, NULL, flags, FALSE, \
        G_STRUCT_OFFSET (Struct, member) }
#define PROPERTY_ROW_ENUM(Struct, member, flags, name, nick, text, type, usual) \
    { name, PROPERTY_CHOICE, nick, text, 0, 0, usual, NULL, type, flags, FALSE, \
        G_STRUCT_OFFSET (Struct, member) }
#define PROPERTY_ROW_STRING(Struct, member, flags, name, nick, text, usual) \
    { name, PROPERTY_STRING, nick, text, 0, 0, 0, usual, NULL, flags, FALSE, \
        G_STRUCT_OFFSET (Struct, member) }
#define PROPERTY_ROW_NEVER_NULL(Struct, member, flags, name, nick, text, usual) \
    { name, PROPERTY_STRING, nick, text, 0, 0, 0, usual, NULL, flags, TRUE, \
        G_STRUCT_OFFSET (Struct, member) }
#define PROPERTY_ROW_BOXED(Struct, member, flags, name, nick, text, type) \
    { name, PROPERTY_OWN_BOXED, nick, text, 0, 0, 0, NULL, type, flags, FALSE, \
        G_STRUCT_OFFSET (Struct, member) }
#define PROPERTY_ROW_BOXED(Struct, member, flags, name, nick, text, type) \
    { name, PROPERTY_OWN_BOXED, nick, text, 0, 0, 0, NULL, type, flags, FALSE, \
        G_STRUCT_OFFSET (Struct, member) }
#define PROPERTY_ROW_STRUCTURE(Struct, member, flags, name, nick, text) \
    PROPERTY_ROW_BOXED (Struct, member, flags, name, nick, text, gst_structure_get_type)
/* The owner of the table has the value. */
#define PROPERTY_ROW_OWN(kind, flags, name, nick, text, least, most, usual) \
    { name, kind, nick, text, least, most, usual, NULL, NULL, flags, FALSE, PROPERTY_BY_OWNER }
#define PROPERTY_ROW_OWN_STRING(flags, name, nick, text, usual) \
    { name, PROPERTY_STRING, nick, text, 0, 0, 0, usual, NULL, flags, FALSE, PROPERTY_BY_OWNER }
#define PROPERTY_ROW_STATS(text) \
    { "stats", PROPERTY_OWN_BOXED, "Statistics", text, 0, 0, 0, NULL, gst_structure_get_type, \
        PROPERTY_READ, FALSE, PROPERTY_BY_OWNER }
#define PROPERTY_STATS_TEXT "Statistics; gst-inspect-1.0 lists the fields"

/* The function of an enumeration's type, by its values (GEnumValue). */
#define PROPERTY_ENUM_TYPE(function, name, ...) \
    GType function (void) \
    { \
      static gsize type; \
      static const GEnumValue values[] = { __VA_ARGS__, {0, NULL, NULL} }; \
      if (g_once_init_enter (&type)) \
        g_once_init_leave (&type, g_enum_register_static (name, values)); \
      return type; \
    }

/* Of one of its values; static. */
const gchar *property_enum_nick (GType type, gint value);

void property_rows_install (GObjectClass * klass, guint first, const PropertyRow * rows);
/* Defaults, in a struct of zeros. */
void property_rows_init (const PropertyRow * rows, gpointer fields);
void property_rows_clear (const PropertyRow * rows, gpointer fields);
/* FALSE: the value lies nowhere, or the table ends before. */
gboolean property_rows_write (const PropertyRow * rows, gpointer fields, guint id,
    const GValue * value);
gboolean property_rows_read (const PropertyRow * rows, gconstpointer fields, guint id,
    GValue * value);

/* Times are in nanoseconds and bitrates in bit/s, as in most of GStreamer, but those of some
 * elements beside ours are in milliseconds and kbit/s: rtpjitterbuffer latency=200 is 200 ms,
 * x264enc bitrate=2000 is 2 Mbit/s. So: a warning for each property of the element whose
 * description has "in ns" or "in bit/s", that is not 0, and below what it can mean. */
void property_rows_warn_small_numbers (GstElement * element);
/* Of one of them. */
void property_rows_warn_small_number (GstElement * element, const GParamSpec * pspec);

G_END_DECLS
