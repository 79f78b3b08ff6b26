/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How well an encoder follows a changing bitrate: encodes a clip, as fast as it can, while
 * EncoderRate sets its bitrate as rmcsink would, and prints what came out in % of what was asked
 * for.
 *
 *   encoder-follow [--plain] [--seconds=N] [--rates=KBPS,KBPS,...] [--ripple=PERCENT] CLIP LINE...
 *
 * LINE is a piece of a launch line from raw video to encoded, such as "vp8enc deadline=1". The
 * bitrate is set each 200 ms, up and down by the ripple, since rmcsink's never stands still.
 * --plain sets the property and nothing else. One row each: the line, % of the target in each
 * phase, its last half alone, the longest queue that the output would make on a link as fast as
 * the target (ms), frames that the encoder left out, frames encoded a second. */

#include "drive.h"

#include <stdlib.h>

#define FPS 25
#define MAX_CLIP_FRAMES 300     /* decoded frames are kept */
#define MAX_PHASES 8
#define RIPPLE_FRAMES 5

static gint phase_s = 10, ripple_percent = 3;
static gboolean plain;
static const gchar *rates = "300,1500,300";
static gchar **operands;

static const GOptionEntry options[] = {
  {"seconds", 's', 0, G_OPTION_ARG_INT, &phase_s, "of each phase", "N"},
  {"rates", 'r', 0, G_OPTION_ARG_STRING, &rates, "kbit/s of the phases", "KBPS,..."},
  {"plain", 'p', 0, G_OPTION_ARG_NONE, &plain,
      "the bitrate alone: all other settings as they are", NULL},
  {"ripple", 0, 0, G_OPTION_ARG_INT, &ripple_percent, "change of the bitrate each 200 ms",
      "PERCENT"},
  {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &operands, NULL, "CLIP LINE..."},
  {NULL}
};

typedef struct
{
  guint n, kbps[MAX_PHASES];
  gdouble bits[MAX_PHASES], late_bits[MAX_PHASES];      /* late: of the second half */
  gdouble queue_bits, longest_s;
  guint frames_in, frames_out;
  GstClockTime first_pts, last_pts;     /* x264enc begins after a thousand hours */
} Follow;

/* Headers come without a time, or with that of a frame, and go with what comes next. */
static void
follow_on_encoded (Follow * self, GstBuffer * buffer)
{
  GstClockTime pts = GST_BUFFER_PTS (buffer), phase_ns = phase_s * GST_SECOND;
  gdouble bits = gst_buffer_get_size (buffer) * 8.0;
  guint phase;

  if (GST_CLOCK_TIME_IS_VALID (pts)) {
    if (self->frames_out++ == 0)
      self->first_pts = pts;
    self->last_pts = MAX (pts - MIN (pts, self->first_pts), self->last_pts);
  }
  phase = MIN (self->last_pts / phase_ns, self->n - 1);
  self->bits[phase] += bits;
  if (self->last_pts % phase_ns >= phase_ns / 2)
    self->late_bits[phase] += bits;
  self->queue_bits += bits;
}

static void
follow_on_frame_time (Follow * self, guint kbps)
{
  self->longest_s = MAX (self->longest_s, self->queue_bits / (kbps * 1000.0));
  self->queue_bits = MAX (self->queue_bits - kbps * 1000.0 / FPS, 0);
}

static void
pull_all (GstHarness * h, Follow * follow)
{
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (h)) != NULL) {
    follow_on_encoded (follow, buffer);
    gst_buffer_unref (buffer);
  }
}

static void
encode (GstHarness * h, const Clip * clip, const Driver * driver, Follow * follow)
{
  guint frames = phase_s * FPS, i;

  for (i = 0; i < follow->n * frames; i++) {
    guint kbps = follow->kbps[i / frames];

    if (i % RIPPLE_FRAMES == 0)
      driver_set (driver,
          kbps * 10 * (100 + (i / RIPPLE_FRAMES % 2 ? ripple_percent : -ripple_percent)));
    if (gst_harness_push (h, clip_frame (clip, i)) != GST_FLOW_OK)
      g_error ("the encoder refused a frame");
    follow->frames_in++;
    pull_all (h, follow);
    follow_on_frame_time (follow, kbps);
  }
  gst_harness_push_event (h, gst_event_new_eos ());
  pull_all (h, follow);
}

static void
print_row (const Follow * self, gdouble elapsed_s, const gchar * line)
{
  guint i;

  g_print ("| `%s` | ", line);
  for (i = 0; i < self->n; i++)
    g_print ("%s%.0f", i > 0 ? "/" : "", self->bits[i] / (self->kbps[i] * 10.0 * phase_s));
  g_print (" | ");
  for (i = 0; i < self->n; i++)
    g_print ("%s%.0f", i > 0 ? "/" : "", self->late_bits[i] / (self->kbps[i] * 5.0 * phase_s));
  g_print (" | %.0f | %d | %.0f |\n", self->longest_s * 1000,
      (gint) self->frames_in - (gint) self->frames_out, self->frames_in / elapsed_s);
}

static void
measure (const Clip * clip, const gchar * line)
{
  gchar **kbps = g_strsplit (rates, ",", MAX_PHASES), *warning = NULL;
  Follow follow = { 0 };
  Driver driver;
  GstHarness *h;
  gint64 start;

  for (follow.n = 0; kbps[follow.n]; follow.n++)
    follow.kbps[follow.n] = atoi (kbps[follow.n]);
  h = driver_harness (line, clip, plain, ENCODER_ORDERS_LATENCY, follow.kbps[0] * 1000, &driver,
      &warning);
  start = g_get_monotonic_time ();
  encode (h, clip, &driver, &follow);
  print_row (&follow, (g_get_monotonic_time () - start) / 1e6, line);
  if (warning)
    g_printerr ("%s\n", warning);
  g_free (warning);
  g_strfreev (kbps);
  driver_clear (&driver);
  gst_harness_teardown (h);
}

int
main (int argc, char **argv)
{
  GOptionContext *context =
      g_option_context_new ("- what encoders make in % of what they are told");
  GError *error = NULL;
  Clip clip;
  guint i;

  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error))
    g_error ("%s", error->message);
  if (operands == NULL || operands[0] == NULL || operands[1] == NULL)
    g_error ("wanted: CLIP LINE...");
  clip = clip_decode ((gchar *[]) {operands[0], NULL}, FPS, MAX_CLIP_FRAMES, 0, 0);
  for (i = 1; operands[i]; i++)
    measure (&clip, operands[i]);
  clip_clear (&clip);
  g_strfreev (operands);
  g_option_context_free (context);
  return 0;
}
