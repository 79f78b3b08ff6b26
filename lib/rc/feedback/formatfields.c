/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/formatfields.h>

#include <rc/base/bytes.h>
#include <string.h>

#define HEADER_BYTES 4

/* --- fields --- */

static bool
is_name_char (char c)
{
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'
      || c == '_';
}

/* It begins with a letter, as GStreamer demands. */
static bool
is_name (const char *name, size_t len)
{
  if (len == 0 || len > RC_FIELDS_NAME_BYTES || !is_name_char (name[0]) || name[0] < 'A'
      || name[0] == '_')
    return false;
  for (size_t i = 1; i < len; i++)
    if (!is_name_char (name[i]))
      return false;
  return true;
}

static bool
is_printable (const uint8_t *text, size_t len)
{
  for (size_t i = 0; i < len; i++)
    if (text[i] < 0x20 || text[i] > 0x7e)
      return false;
  return true;
}

static bool
is_list (const uint8_t *texts, size_t len)
{
  for (size_t i = 0; i < len; i++)
    if (texts[i] != '\0' && !is_printable (texts + i, 1))
      return false;
  return len > 0 && texts[len - 1] == '\0';
}

static bool
is_value (const RcField *field)
{
  switch (field->type) {
    case RC_FIELD_STRING:
      return is_printable (field->value, field->len);
    case RC_FIELD_INT:
      return field->len == 4;
    case RC_FIELD_BOOLEAN:
      return field->len == 1 && field->value[0] <= 1;
    case RC_FIELD_STRINGS:
      return is_list (field->value, field->len);
    default:
      return false;
  }
}

size_t
rc_fields_put (uint8_t bytes[RC_FIELDS_BYTES_MAX], size_t at, const RcField *field)
{
  size_t size = HEADER_BYTES + (size_t) field->name_len + field->len;

  if (size > RC_FIELDS_BYTES_MAX - at || !is_name (field->name, field->name_len)
      || !is_value (field))
    return at;
  bytes[at] = field->type;
  bytes[at + 1] = field->name_len;
  rc_put16 (bytes + at + 2, field->len);
  memcpy (bytes + at + HEADER_BYTES, field->name, field->name_len);
  if (field->len > 0)
    memcpy (bytes + at + HEADER_BYTES + field->name_len, field->value, field->len);
  return at + size;
}

size_t
rc_fields_end (uint8_t bytes[RC_FIELDS_BYTES_MAX], size_t at)
{
  while (at % 4 != 0)
    bytes[at++] = 0;
  return at;
}

/* false: the end, or no field fits in there. */
static bool
read_field (const uint8_t *bytes, size_t left, RcField *field)
{
  if (left < HEADER_BYTES || bytes[0] == 0)
    return false;
  *field = (RcField) {
    .type = bytes[0],.name_len = bytes[1],.len = rc_get16 (bytes + 2),
    .name = (const char *) bytes + HEADER_BYTES,.value = bytes + HEADER_BYTES + bytes[1]
  };
  return HEADER_BYTES + (size_t) field->name_len + field->len <= left;
}

bool
rc_fields_next (const uint8_t *bytes, size_t n_bytes, size_t *at, RcField *field)
{
  if (!read_field (bytes + *at, n_bytes - *at, field))
    return false;
  *at += HEADER_BYTES + (size_t) field->name_len + field->len;
  return true;
}

bool
rc_fields_valid (const uint8_t *bytes, size_t n_bytes)
{
  size_t at = 0;
  unsigned n = 0;
  RcField field;

  for (; rc_fields_next (bytes, n_bytes, &at, &field); n++)
    if (n == RC_FIELDS_MAX || !is_name (field.name, field.name_len) || !is_value (&field))
      return false;
  if (n == 0 || n_bytes - at >= 4)
    return false;
  for (; at < n_bytes; at++)
    if (bytes[at] != 0)
      return false;
  return true;
}

/* --- parts --- */

/* FNV-1a. It need not resist: who sends the parts may say what he likes. */
static uint32_t
hash_of (const uint8_t *bytes, size_t n_bytes)
{
  uint32_t hash = UINT32_C (2166136261);

  for (size_t i = 0; i < n_bytes; i++)
    hash = (hash ^ bytes[i]) * UINT32_C (16777619);
  return hash;
}

uint8_t
rc_format_part_count (size_t n_bytes)
{
  return (uint8_t) ((n_bytes + RC_FIELDS_PART_BYTES - 1) / RC_FIELDS_PART_BYTES);
}

void
rc_format_part_of (RcFormatPart *part, const uint8_t *bytes, size_t n_bytes, uint8_t number)
{
  size_t at = (size_t) number * RC_FIELDS_PART_BYTES, left = n_bytes - at;

  part->hash = hash_of (bytes, n_bytes);
  part->number = number;
  part->count = rc_format_part_count (n_bytes);
  part->n_bytes = (uint16_t) (left < RC_FIELDS_PART_BYTES ? left : RC_FIELDS_PART_BYTES);
  memcpy (part->bytes, bytes + at, part->n_bytes);
}

bool
rc_format_part_valid (const RcFormatPart *part)
{
  return part->count > 0 && part->count <= RC_FIELDS_PARTS_MAX && part->number < part->count
      && part->n_bytes > 0 && part->n_bytes <= RC_FIELDS_PART_BYTES && part->n_bytes % 4 == 0
      && (part->number == part->count - 1 || part->n_bytes == RC_FIELDS_PART_BYTES);
}

bool
rc_format_parts_take (RcFormatParts *self, const RcFormatPart *part)
{
  if (part->hash != self->hash || part->count != self->count) {
    self->hash = part->hash;
    self->count = part->count;
    self->come = 0;
  }
  memcpy (self->bytes + (size_t) part->number * RC_FIELDS_PART_BYTES, part->bytes, part->n_bytes);
  self->come |= UINT32_C (1) << part->number;
  if (part->number == part->count - 1)
    self->n_bytes = (size_t) part->number * RC_FIELDS_PART_BYTES + part->n_bytes;
  return self->come == (UINT32_C (1) << self->count) - 1
      && hash_of (self->bytes, self->n_bytes) == self->hash
      && rc_fields_valid (self->bytes, self->n_bytes);
}
