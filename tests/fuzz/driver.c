/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Feeds the fuzz body without libFuzzer: deterministic inputs from a seed, then what they
 * reached. Arguments: [count [seed]]. Fails if one kind of outcome was never reached: the
 * fuzzing would be blind there. */
#include "draw.h"
#include "fuzz.h"

#include <string.h>

#define DEFAULT_COUNT 400000
#define DEFAULT_SEED 1
#define MAX_INPUT 900           /* a report with a full list, and blocks behind it */
#define MAX_RANDOM 320          /* of a session: longer ones are slow */

typedef struct
{
  uint8_t bytes[MAX_INPUT];
  size_t size;
} Input;

static void
append_random (Input *input, size_t n)
{
  while (n-- > 0 && input->size < MAX_INPUT)
    input->bytes[input->size++] = (uint8_t) draw (256);
}

static void
append_report (Input *input)
{
  RcReport report = {
    .ssrc = draw (8),.number = draw (UINT32_MAX),.highest_seq = draw (UINT32_MAX),
    .arrival_us_remote = draw (UINT32_MAX),.hold_us = draw (100000),
    .bandwidth_bps = draw (UINT32_MAX),
    .received_pkts = 1 + draw (1000),.lost_pkts = draw (10),.ce_pkts = draw (10),
    .received_bytes = draw (UINT32_MAX),
    .explicit_rate_bps = draw (2) ? draw (UINT32_MAX) : 0,
    .ecn_read = true,.ecn_pkts = draw (1000),.ect1_pkts = draw (1000)
  };
  RcReport hello = {.ssrc = report.ssrc,.number = report.number };
  RcArrivalAges *list = &report.arrivals;

  if (draw (2))
    *list = (RcArrivalAges) { (uint16_t) draw (65536), (uint8_t) draw (10),
      (uint16_t) (1 + draw (draw (2) ? 8 : RC_ARRIVALTIMES_MAX)), {0} };
  for (unsigned i = 1; i < list->n; i++)
    list->ages[i] = i + 1 < list->n && draw (4) == 0 ? RC_ARRIVALAGE_NONE : (uint16_t) draw (4096);
  input->size += rc_wire_encode_report (draw (8) ? &report : &hello, input->bytes + input->size,
      MAX_INPUT - input->size);
}

/* Of fields that are valid more often than not. */
static void
draw_part (RcFormatPart *part)
{
  static uint8_t fields[RC_FIELDS_BYTES_MAX];
  uint8_t value[800];
  size_t at = 0;

  for (unsigned i = draw (4); i < 4; i++) {
    RcField field = { (uint8_t) (1 + draw (5)), (uint8_t) (1 + draw (3)),
      (uint16_t) (draw (2) ? draw (sizeof value) : 1 + 3 * draw (2)), "abc", value };

    memset (value, draw (4) ? 'x' : 0, sizeof value);
    at = rc_fields_put (fields, at, &field);
  }
  at = rc_fields_end (fields, at);
  if (at > 0)
    rc_format_part_of (part, fields, at, (uint8_t) draw (rc_format_part_count (at)));
}

static void
append_info (Input *input)
{
  RcSenderInfo info = {
    .ssrc = draw (8),.srtt_us = draw (1000000),.report_interval_us = draw (1000000),
    .cookie = draw (2) ? draw (UINT32_MAX) : 0
  };

  if (draw (2))
    info.format = (RcMediaFormat) { "VP8", (uint8_t) draw (128), (uint8_t) draw (256),
        draw (UINT32_MAX) };
  if (info.format.encoding_name[0] && draw (2))
    draw_part (&info.part);
  input->size += rc_wire_encode_info (&info, input->bytes + input->size, MAX_INPUT - input->size);
}

static void
append_notice (Input *input)
{
  RcNotice notice = { draw (4), 1 + draw (UINT32_MAX) };

  input->size += rc_wire_encode_notice (&notice, input->bytes + input->size,
      MAX_INPUT - input->size);
}

/* A block of any type, with the right length more often than not. */
static void
append_block (Input *input)
{
  uint8_t words = (uint8_t) draw (4), header[4] = { (uint8_t) draw (5), words, 0, 0 };

  if (input->size + sizeof header > MAX_INPUT)
    return;
  memcpy (input->bytes + input->size, header, sizeof header);
  input->size += sizeof header;
  append_random (input, draw (8) ? 4 * words : draw (40));
}

static void
mutate (Input *input)
{
  uint32_t n;

  for (n = draw (4); n > 0; n--)
    input->bytes[1 + draw ((uint32_t) input->size - 1)] ^= (uint8_t) (1 << draw (8));
  if (draw (8) == 0)
    input->size = 1 + draw ((uint32_t) input->size);
}

static void
next_input (Input *input)
{
  uint32_t kind = draw (16);

  if (kind == 15 && input->size > 1) {
    mutate (input);             /* of the input before */
    return;
  }
  input->bytes[0] = kind >= 10;
  input->size = 1;
  if (kind >= 10) {
    append_random (input, draw (MAX_RANDOM));
  } else if (kind >= 9) {
    append_random (input, draw (MAX_RANDOM));
  } else {
    if (kind >= 3)
      append_report (input);
    else if (kind >= 1)
      append_info (input);
    else
      append_notice (input);
    while (draw (3) == 0)
      append_block (input);
    if (draw (2))
      mutate (input);
  }
}

static bool
reached (const char *what, unsigned long n)
{
  printf ("%-28s %10lu\n", what, n);
  return n > 0;
}

static bool
print_counts (void)
{
  static const char *const digests[] = {
    "digest ok", "digest hello", "digest old", "digest never sent", "digest impossible",
    "digest too many restarts"
  };
  const FuzzCounts *c = &fuzz_counts;
  bool all = true;
  size_t i;

  all &= reached ("reports accepted", c->reports_accepted);
  all &= reached ("  of them to the same bytes", c->same_bytes);
  all &= reached ("  of them with a list", c->lists);
  all &= reached ("reports refused", c->reports_refused);
  all &= reached ("infos accepted", c->infos_accepted);
  all &= reached ("infos refused", c->infos_refused);
  all &= reached ("parts of a format", c->parts);
  all &= reached ("  formats with all of them", c->formats);
  all &= reached ("notices accepted", c->notices_accepted);
  all &= reached ("notices refused", c->notices_refused);
  all &= reached ("true reports in order", c->sent_in_order);
  all &= reached ("  of them believed", c->believed);
  all &= reached ("delays of several packets", c->delays);
  all &= reached ("arrivals refused", c->false_arrivals);
  for (i = 0; i < sizeof digests / sizeof *digests; i++)
    all &= reached (digests[i], c->digests[i]);
  return all;
}

int
main (int argc, char **argv)
{
  unsigned long count = argc > 1 ? strtoul (argv[1], NULL, 0) : DEFAULT_COUNT, i;
  Input input = { .size = 0 };

  random_state = argc > 2 ? strtoull (argv[2], NULL, 0) : DEFAULT_SEED;
  random_state |= UINT64_C (1) << 63;   /* xorshift must not start at 0 */
  for (i = 0; i < count; i++) {
    /* A copy of its own, so that the sanitizer sees a read past its end. */
    uint8_t *exact;

    next_input (&input);
    exact = malloc (input.size);
    memcpy (exact, input.bytes, input.size);
    LLVMFuzzerTestOneInput (exact, input.size);
    free (exact);
  }
  printf ("%lu inputs\n", count);
  return print_counts ()? EXIT_SUCCESS : EXIT_FAILURE;
}
