/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What caps say beside the four fields of a media format (RcMediaFormat), as infos carry it. What
 * comes from the network is checked here, whole, before a field of it is used.
 *
 * A field is its type (RcFieldType, 1 byte), the length of its name (1 byte), the length of its
 * value (2 bytes, big-endian), the name, the value. The fields follow each other; zeros end them,
 * up to a multiple of 4 bytes. Names have letters, digits and - _ of ASCII, texts its printable
 * characters: users get to see both.
 *
 * An info has one part of them (RcFormatPart). All parts but the last are of RC_FIELDS_PART_BYTES.
 * Their hash says which parts belong together, and that none is of other fields. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RC_FIELDS_PART_BYTES 512        /* an info with one stays below 768 bytes */
#define RC_FIELDS_PARTS_MAX 16
/* Vorbis has 5500 of them, Theora 4500, the others at most some 100. */
#define RC_FIELDS_BYTES_MAX (RC_FIELDS_PART_BYTES * RC_FIELDS_PARTS_MAX)
#define RC_FIELDS_MAX 64
#define RC_FIELDS_NAME_BYTES 64

typedef enum
{
  RC_FIELD_STRING = 1,
  RC_FIELD_INT = 2,             /* 4 bytes, two's complement */
  RC_FIELD_BOOLEAN = 3,         /* one byte, 0 or 1 */
  RC_FIELD_STRINGS = 4,         /* a list: each text ends with a zero */
} RcFieldType;

typedef struct
{
  uint8_t type;                 /* RcFieldType */
  uint8_t name_len;
  uint16_t len;
  const char *name;             /* not terminated */
  const uint8_t *value;
} RcField;

/* One of the parts; count = 0: there are no fields. */
typedef struct
{
  uint32_t hash;                /* of all parts */
  uint8_t number, count;        /* from 0 */
  uint16_t n_bytes;             /* a multiple of 4 */
  uint8_t bytes[RC_FIELDS_PART_BYTES];
} RcFormatPart;

/* Parts that have come. */
typedef struct
{
  uint32_t hash;
  uint8_t count;
  uint32_t come;                /* a bit for each */
  size_t n_bytes;               /* all of them have, once the last is there */
  uint8_t bytes[RC_FIELDS_BYTES_MAX];
} RcFormatParts;

/* Appends a field at bytes[at]; returns where the next begins, or `at`: it does not fit or no
 * decoder would take it. */
size_t rc_fields_put (uint8_t bytes[RC_FIELDS_BYTES_MAX], size_t at, const RcField *field);
/* What infos carry: filled with zeros to a multiple of 4. */
size_t rc_fields_end (uint8_t bytes[RC_FIELDS_BYTES_MAX], size_t at);
/* Whole and as described above. */
bool rc_fields_valid (const uint8_t *bytes, size_t n_bytes);
/* Of valid ones, the first at *at = 0; false: no more. */
bool rc_fields_next (const uint8_t *bytes, size_t n_bytes, size_t *at, RcField *field);

uint8_t rc_format_part_count (size_t n_bytes);
/* number < the count. */
void rc_format_part_of (RcFormatPart *part, const uint8_t *bytes, size_t n_bytes, uint8_t number);
/* As they can come. */
bool rc_format_part_valid (const RcFormatPart *part);
/* true: with this one all are there, and are valid. */
bool rc_format_parts_take (RcFormatParts *self, const RcFormatPart *part);
