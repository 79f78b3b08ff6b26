/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How large the frames of an encoder are, and what the picture is like: encodes footage, as fast as
 * it can, while EncoderRate sets the bitrate as rmcsink would, decodes it, and compares.
 *
 *   encoder-fit [--plain] [--latency=MS] [--seconds=N] [--rates=KBPS,...] [--keyframes=S]
 *               [--row=TEXT] --media=FILE... LINE...
 *
 * LINE is a piece of a launch line from raw video to encoded, such as "vp8enc deadline=1". The
 * footage is 640x360 at 30 frames/s, one file behind the other. The bitrate is set each 200 ms, up
 * and down by 3 %, since rmcsink's never stands still. --plain sets the bitrate and nothing else.
 * --keyframes asks for a keyframe at the start of each phase but the first and each S seconds.
 *
 * One row for each phase: the line (or --row), kbit/s, bits made in % of these; the 50th, 95th and
 * 99th percentile and the largest of the frames' sizes, as multiples of a frame's share; the first
 * frame; number, median and largest of the other keyframes; the median and the 95th percentile of
 * the time that a frame takes to leave, behind those before it, on a link of 1 / .95 of the
 * bitrate, in ms; mean SSIM of what is on the screen with what is due, where a frame that the
 * encoder left out shows the one before; frames left out. */

#include "drive.h"
#include "../common/likeness.h"

#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/video/video.h>
#include <stdlib.h>

#define FPS 30
#define WIDTH 640
#define HEIGHT 360
#define FRAMES_EACH 300         /* of each file; decoded frames are kept */
#define MAX_PHASES 8
#define RIPPLE_FRAMES 6
#define RIPPLE_PERCENT 3
#define LINK_USE .95

static gint phase_s = 20, latency_ms = ENCODER_ORDERS_LATENCY / GST_MSECOND, keyframes_s;
static gboolean plain;
static const gchar *rates = "1000", *row;
static gchar **media, **operands;

static const GOptionEntry options[] = {
  {"plain", 'p', 0, G_OPTION_ARG_NONE, &plain,
      "the bitrate alone: all other settings as they are", NULL},
  {"latency", 'l', 0, G_OPTION_ARG_INT, &latency_ms, "of rmcsink", "MS"},
  {"seconds", 's', 0, G_OPTION_ARG_INT, &phase_s, "of each phase", "N"},
  {"rates", 'r', 0, G_OPTION_ARG_STRING, &rates, "kbit/s of the phases", "KBPS,..."},
  {"keyframes", 'k', 0, G_OPTION_ARG_INT, &keyframes_s, "asks for keyframes (never)", "S"},
  {"row", 0, 0, G_OPTION_ARG_STRING, &row, "what the row says in place of the line", "TEXT"},
  {"media", 'm', 0, G_OPTION_ARG_FILENAME_ARRAY, &media, "footage", "FILE"},
  {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &operands, NULL, "LINE..."},
  {NULL}
};

typedef struct
{
  gdouble bits, ssim_sum, first_share;
  guint compared, left_out;
  GArray *shares, *key_shares, *times_ms;       /* gdouble */
} Phase;

typedef struct
{
  guint n, kbps[MAX_PHASES];
  Phase phases[MAX_PHASES];
  GPtrArray *encoded;           /* GstBuffer */
  gdouble queue_bits;           /* of the link, when frame `queue_at` is due */
  guint queue_at;
  gdouble header_bits;          /* of buffers without a time, which go with what comes next */
  GstClockTime first_pts;       /* x264enc begins after a thousand hours */
} Fit;

static guint
frame_index (const Fit * self, GstClockTime pts)
{
  return (guint) gst_util_uint64_scale_round (pts - MIN (pts, self->first_pts), FPS, GST_SECOND);
}

static Phase *
phase_of (Fit * self, guint index, guint * kbps)
{
  guint at = MIN (index / (phase_s * FPS), self->n - 1);

  *kbps = self->kbps[at];
  return &self->phases[at];
}

/* How long the frame takes to leave, in ms. */
static gdouble
time_on_link (Fit * self, guint index, gdouble bits, guint kbps)
{
  gdouble link_kbps = kbps / LINK_USE;
  gdouble gone_bits = (gdouble) (index - self->queue_at) * link_kbps * 1000 / FPS;

  self->queue_bits = MAX (self->queue_bits - gone_bits, 0) + bits;
  self->queue_at = index;
  return self->queue_bits / link_kbps;
}

static void
fit_on_encoded (Fit * self, GstBuffer * buffer)
{
  gdouble bits = 8. * gst_buffer_get_size (buffer), share, time_ms;
  gboolean first = self->first_pts == GST_CLOCK_TIME_NONE;
  Phase *phase;
  guint index, kbps;

  g_ptr_array_add (self->encoded, buffer);
  if (!GST_BUFFER_PTS_IS_VALID (buffer)) {
    self->header_bits += bits;
    return;
  }
  if (first)
    self->first_pts = GST_BUFFER_PTS (buffer);
  index = frame_index (self, GST_BUFFER_PTS (buffer));
  phase = phase_of (self, index, &kbps);
  bits += self->header_bits;
  self->header_bits = 0;
  share = bits * FPS / (kbps * 1000.);
  phase->bits += bits;
  time_ms = time_on_link (self, index, bits, kbps);
  g_array_append_val (phase->shares, share);
  g_array_append_val (phase->times_ms, time_ms);
  if (phase->shares->len == 1)
    phase->first_share = share;
  if (!first && !GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT))
    g_array_append_val (phase->key_shares, share);
}

static void
pull_all (GstHarness * h, Fit * fit)
{
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (h)) != NULL)
    fit_on_encoded (fit, buffer);
}

static void
ask_for_keyframe (GstHarness * h, guint i)
{
  if (keyframes_s > 0 && i > 0 && i % (keyframes_s * FPS) == 0)
    gst_harness_push_upstream_event (h,
        gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, i));
}

static void
encode (GstHarness * h, const Clip * clip, const Driver * driver, Fit * fit)
{
  guint frames = phase_s * FPS, i;

  for (i = 0; i < fit->n * frames; i++) {
    guint kbps = fit->kbps[i / frames];
    gint percent = 100 + (i / RIPPLE_FRAMES % 2 ? RIPPLE_PERCENT : -RIPPLE_PERCENT);

    if (i % RIPPLE_FRAMES == 0)
      driver_set (driver, kbps * 10 * percent);
    ask_for_keyframe (h, i);
    if (gst_harness_push (h, clip_frame (clip, i)) != GST_FLOW_OK)
      g_error ("the encoder refused a frame");
    pull_all (h, fit);
  }
  gst_harness_push_event (h, gst_event_new_eos ());
  pull_all (h, fit);
}

/* Frame `index` is due, and `shown` (NULL: nothing yet) is on the screen. */
static void
compare (Fit * fit, const Clip * clip, guint index, GstBuffer * shown, gboolean left_out)
{
  GstBuffer *due = clip_frame (clip, index);
  GstMapInfo a, b;
  guint kbps;
  Phase *phase = phase_of (fit, index, &kbps);

  phase->compared++;
  phase->left_out += left_out;
  gst_buffer_map (due, &a, GST_MAP_READ);
  if (shown && gst_buffer_map (shown, &b, GST_MAP_READ)) {
    phase->ssim_sum += ssim (a.data, b.data, WIDTH, HEIGHT);
    gst_buffer_unmap (shown, &b);
  }
  gst_buffer_unmap (due, &a);
  gst_buffer_unref (due);
}

static GstElement *
decoder_new (GstCaps * caps, GstElement ** in, GstElement ** out)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch ("appsrc name=in format=time max-bytes=0 ! decodebin "
      "! videoconvert ! video/x-raw,format=I420 ! appsink name=out sync=false", &error);

  if (error)
    g_error ("%s", error->message);
  *in = gst_bin_get_by_name (GST_BIN (pipeline), "in");
  *out = gst_bin_get_by_name (GST_BIN (pipeline), "out");
  gst_app_src_set_caps (GST_APP_SRC (*in), caps);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  return pipeline;
}

static void
watch_decoded (Fit * fit, const Clip * clip, GstElement * out)
{
  guint frames = fit->n * phase_s * FPS, next = 0, index;
  GstBuffer *shown = NULL;
  GstSample *sample;

  while ((sample = gst_app_sink_pull_sample (GST_APP_SINK (out))) != NULL) {
    GstBuffer *picture = gst_buffer_ref (gst_sample_get_buffer (sample));

    gst_sample_unref (sample);
    for (index = frame_index (fit, GST_BUFFER_PTS (picture)); next < MIN (index, frames); next++)
      compare (fit, clip, next, shown, TRUE);
    gst_clear_buffer (&shown);
    shown = picture;
    if (index == next && next < frames)
      compare (fit, clip, next++, shown, FALSE);
  }
  for (; next < frames; next++)
    compare (fit, clip, next, shown, TRUE);
  gst_clear_buffer (&shown);
}

static void
decode (GstHarness * h, const Clip * clip, Fit * fit)
{
  GstCaps *caps = gst_pad_get_current_caps (h->sinkpad);
  GstElement *in, *out, *pipeline = decoder_new (caps, &in, &out);
  guint i;

  for (i = 0; i < fit->encoded->len; i++)
    gst_app_src_push_buffer (GST_APP_SRC (in), gst_buffer_ref (fit->encoded->pdata[i]));
  gst_app_src_end_of_stream (GST_APP_SRC (in));
  watch_decoded (fit, clip, out);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (in);
  gst_object_unref (out);
  gst_object_unref (pipeline);
  gst_caps_unref (caps);
}

static gint
by_size (gconstpointer a, gconstpointer b)
{
  gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

/* Of a sorted array; 0 of none. */
static gdouble
percentile (const GArray * sorted, guint percent)
{
  guint at = MIN (sorted->len * percent / 100, sorted->len - 1);

  return sorted->len > 0 ? g_array_index (sorted, gdouble, at) : 0;
}

static void
print_row (const Phase * phase, guint kbps, const gchar * line)
{
  g_array_sort (phase->shares, by_size);
  g_array_sort (phase->key_shares, by_size);
  g_array_sort (phase->times_ms, by_size);
  g_print ("| %s | %u | %.0f | %.2f | %.2f | %.2f | %.2f | %.2f | ", line, kbps,
      phase->bits / (kbps * 10. * phase_s), percentile (phase->shares, 50),
      percentile (phase->shares, 95), percentile (phase->shares, 99),
      percentile (phase->shares, 100), phase->first_share);
  if (phase->key_shares->len > 0)
    g_print ("%u: %.2f / %.2f", phase->key_shares->len, percentile (phase->key_shares, 50),
        percentile (phase->key_shares, 100));
  else
    g_print ("none");
  g_print (" | %.0f / %.0f", percentile (phase->times_ms, 50), percentile (phase->times_ms, 95));
  g_print (" | %.4f | %u |\n", phase->ssim_sum / MAX (phase->compared, 1), phase->left_out);
}

static Fit
fit_new (void)
{
  gchar **kbps = g_strsplit (rates, ",", MAX_PHASES);
  Fit self = {.encoded = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref),
    .first_pts = GST_CLOCK_TIME_NONE };

  for (; kbps[self.n]; self.n++) {
    self.kbps[self.n] = atoi (kbps[self.n]);
    self.phases[self.n].shares = g_array_new (FALSE, FALSE, sizeof (gdouble));
    self.phases[self.n].key_shares = g_array_new (FALSE, FALSE, sizeof (gdouble));
    self.phases[self.n].times_ms = g_array_new (FALSE, FALSE, sizeof (gdouble));
  }
  g_strfreev (kbps);
  return self;
}

static void
fit_clear (Fit * self)
{
  guint i;

  for (i = 0; i < self->n; i++) {
    g_array_unref (self->phases[i].shares);
    g_array_unref (self->phases[i].key_shares);
    g_array_unref (self->phases[i].times_ms);
  }
  g_ptr_array_unref (self->encoded);
}

static void
measure (const Clip * clip, const gchar * line)
{
  gchar *warning = NULL, *quoted = g_strdup_printf ("`%s`", line);
  Fit fit = fit_new ();
  Driver driver;
  GstHarness *h = driver_harness (line, clip, plain, latency_ms * GST_MSECOND, fit.kbps[0] * 1000,
      &driver, &warning);
  guint i;

  encode (h, clip, &driver, &fit);
  decode (h, clip, &fit);
  for (i = 0; i < fit.n; i++)
    print_row (&fit.phases[i], fit.kbps[i], row ? row : quoted);
  if (warning)
    g_printerr ("%s\n", warning);
  g_free (warning);
  g_free (quoted);
  driver_clear (&driver);
  gst_harness_teardown (h);
  fit_clear (&fit);
}

int
main (int argc, char **argv)
{
  GOptionContext *context = g_option_context_new ("- how large the frames of encoders are");
  GError *error = NULL;
  Clip clip;
  guint i;

  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error))
    g_error ("%s", error->message);
  if (media == NULL || operands == NULL)
    g_error ("wanted: --media=FILE LINE...");
  clip = clip_decode (media, FPS, FRAMES_EACH, WIDTH, HEIGHT);
  for (i = 0; operands[i]; i++)
    measure (&clip, operands[i]);
  clip_clear (&clip);
  g_strfreev (media);
  g_strfreev (operands);
  g_option_context_free (context);
  return 0;
}
