/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/scale/ladder.h>

/* A macroblock of H.264: some encoders refuse less. */
#define LEAST_SIDE 16
/* The default for an unknown frame rate. */
#define USUAL_FPS 30

/* Shares of the lines. Neighbours differ by 1.3 to 2.3 times the pixels. */
static const struct
{
  unsigned num, den;
} shares[] = { { 1, 1 }, { 3, 4 }, { 2, 3 }, { 1, 2 }, { 3, 8 }, { 1, 4 } };

#define N_SHARES (sizeof shares / sizeof shares[0])

typedef struct
{
  unsigned char share, divisor;
} Place;

/* The order for each preference; ended by divisor 0. */
static const Place orders[][N_SHARES + 3] = {
  [RC_PREFER_BALANCED] = { { 0, 1 }, { 1, 1 }, { 2, 1 }, { 3, 1 }, { 4, 1 }, { 4, 2 }, { 5, 2 },
      { 5, 3 } },
  [RC_PREFER_SHARPNESS] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 3 }, { 2, 3 }, { 3, 3 }, { 4, 3 },
      { 5, 3 } },
  [RC_PREFER_MOTION] = { { 0, 1 }, { 1, 1 }, { 2, 1 }, { 3, 1 }, { 4, 1 }, { 5, 1 }, { 5, 2 },
      { 5, 3 } },
};

/* The nearest even number: chroma of 4:2:0 has half the lines. */
static unsigned
even_share (unsigned size, unsigned share)
{
  unsigned twice_den = 2 * shares[share].den;

  return 2 * (unsigned) (((uint64_t) size * shares[share].num + twice_den / 2) / twice_den);
}

static RcRung
rung_at (const RcLadderInput *input, Place place)
{
  RcRung rung = { input->width, input->height, place.divisor };

  if (place.share > 0) {
    rung.width = even_share (input->width, place.share);
    rung.height = even_share (input->height, place.share);
  }
  return rung;
}

static bool
has_allowed_lines (const RcLadderInput *input, Place place)
{
  RcRung rung = rung_at (input, place);

  return rung.width >= LEAST_SIDE && rung.height >= LEAST_SIDE && rung.height >= input->min_height;
}

/* A limit must not end the ladder: where the lines may not fall further, the frames still may. */
static Place
nearest_allowed (const RcLadderInput *input, Place place)
{
  while (place.share > 0 && !has_allowed_lines (input, place))
    place.share--;
  while (place.divisor > 1 && (input->fps <= 0 || input->fps / place.divisor < input->min_fps))
    place.divisor--;
  return place;
}

static double
pixels_of (const RcRung *rung)
{
  return (double) rung->width * rung->height / rung->divisor;
}

void
rc_ladder_init (RcLadder *self, const RcLadderInput *input)
{
  const Place *place = orders[input->prefer];

  *self = (RcLadder) { .fps = input->fps > 0 ? input->fps : USUAL_FPS };
  self->rungs[self->n_rungs++] = rung_at (input, *place);
  for (place++; place->divisor > 0; place++) {
    RcRung rung = rung_at (input, nearest_allowed (input, *place));

    if (pixels_of (&rung) < pixels_of (&self->rungs[self->n_rungs - 1]))
      self->rungs[self->n_rungs++] = rung;
  }
}
