/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One sender, many viewers, real elements: what each viewer gets.
 *
 *   ladder-crowd WAY SECONDS FOOTAGE|- SENDTO:RECEIVE...
 *
 * A viewer is a pair of ports, with a link between them. WAY is `ladder` (arcladder with 3 rungs),
 * `ladder2` (with 2), `simulcast` (arcladder with three fixed encodings, in the place of an SFU),
 * `example`, which is the rule of examples/embed/serve.c: two encoders of 1200 and 300 kbit/s
 * and an input-selector for each viewer, `each`, an encoder for each viewer, or `sfu`, the
 * encodings of `simulcast` and webrtcbin, to and from an SFU (laddersfu.h), without ports. FOOTAGE
 * has frames of I420 in the size below, of which the first N_FRAMES are shown again and again; -: a
 * texture that moves, with grain. Each frame has its number painted into it. A row for each viewer:
 * bits received from BEGIN_S on, frames shown of those sent, their delay from the camera to the
 * decoder, the longest time without a frame, and SSIM of each 12th frame. */
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <gst/video/video.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/likeness.h"
#ifdef WITH_SFU
#include "laddersfu.h"
#endif

#define WIDTH 640
#define HEIGHT 360
#define FPS 25
#define FRAME_BYTES (WIDTH * HEIGHT * 3 / 2)
#define N_FRAMES 250            /* of the picture at most, which then begins again */
#define MOST_FRAMES 16384
#define BITS 14
#define BLOCK 16
#define BEGIN_S 10
#define SSIM_FRAMES 12
#define FREEZE_US 500000        /* told */
#define MOST_VIEWERS 100

typedef struct
{
  GstElement *pipeline, *selector, *sink;
  gboolean large;
  guint wait_s, held_s;
  guint64 bytes;
  guint shown;
  gint last;                    /* frame */
  gint64 last_us, longest_us;
  guint delays_ms[2000];        /* histogram */
  gdouble ssim;
  guint n_ssim;
} Viewer;

static Viewer viewers[MOST_VIEWERS];
static guint n_viewers;
static guint8 *frames;          /* n_frames of I420 */
static guint n_frames = N_FRAMES;
static gint64 sent_us[MOST_FRAMES];
static gint n_sent;             /* atomic */
static gint measuring;          /* atomic */
static gint first_measured;
static gint64 began_us;
static GstElement *sender, *source;
static GMainLoop *loop;

/* --- the picture --- */

static guint32 seed = 1;

static guint
draw (guint n)
{
  seed = seed * 1664525 + 1013904223;
  return (seed >> 8) % n;
}

#define TEXTURE 1024

/* Octaves of noise: the picture of a lawn or a crowd. */
static guint8 *
make_texture (void)
{
  guint8 *texture = g_malloc (TEXTURE * TEXTURE);
  gint *sum = g_new0 (gint, TEXTURE * TEXTURE);

  for (gint size = 128; size >= 4; size /= 2) {
    gint amplitude = size >= 32 ? 60 : 6 * size / 4, cells = TEXTURE / size;
    gint *cell = g_new (gint, cells * cells);

    for (gint i = 0; i < cells * cells; i++)
      cell[i] = (gint) draw ((guint) amplitude) - amplitude / 2;
    for (gint y = 0; y < TEXTURE; y++)
      for (gint x = 0; x < TEXTURE; x++) {
        gint cx = x / size, cy = y / size, fx = x % size, fy = y % size;
        gint a = cell[cy * cells + cx], b = cell[cy * cells + (cx + 1) % cells];
        gint c = cell[(cy + 1) % cells * cells + cx];
        gint d = cell[(cy + 1) % cells * cells + (cx + 1) % cells];

        sum[y * TEXTURE + x] += ((a * (size - fx) + b * fx) * (size - fy)
            + (c * (size - fx) + d * fx) * fy) / (size * size);
      }
    g_free (cell);
  }
  for (gint i = 0; i < TEXTURE * TEXTURE; i++)
    texture[i] = (guint8) CLAMP (128 + sum[i], 16, 235);
  g_free (sum);
  return texture;
}

static void
make_frames (void)
{
  guint8 *texture = make_texture ();

  frames = g_malloc ((gsize) N_FRAMES * FRAME_BYTES);
  for (gint n = 0; n < N_FRAMES; n++) {
    guint8 *frame = frames + (gsize) n * FRAME_BYTES;
    gint dx = (gint) (150 + 150 * sin (n * G_PI / 125));
    gint dy = (gint) (150 + 150 * cos (n * G_PI / 125));

    memset (frame + WIDTH * HEIGHT, 128, WIDTH * HEIGHT / 2);
    for (gint y = 0; y < HEIGHT; y++)
      for (gint x = 0; x < WIDTH; x++)
        frame[y * WIDTH + x] = (guint8) (texture[(y + dy) % TEXTURE * TEXTURE
                + (x + dx) % TEXTURE] + draw (5));
  }
  g_free (texture);
}

static gboolean
read_frames (const gchar * name)
{
  FILE *file = fopen (name, "rb");

  frames = g_malloc ((gsize) N_FRAMES * FRAME_BYTES);
  n_frames = file ? (guint) fread (frames, FRAME_BYTES, N_FRAMES, file) : 0;
  if (file)
    fclose (file);
  return n_frames > 0;
}

static void
paint (guint8 * frame, guint number)
{
  for (gint y = 0; y < BLOCK; y++)
    for (gint bit = 0; bit < BITS; bit++)
      memset (frame + y * WIDTH + bit * BLOCK, number >> bit & 1 ? 235 : 16, BLOCK);
}

static guint
read_number (const GstVideoFrame * frame)
{
  gint width = GST_VIDEO_FRAME_WIDTH (frame), height = GST_VIDEO_FRAME_HEIGHT (frame);
  const guint8 *luma = GST_VIDEO_FRAME_PLANE_DATA (frame, 0);
  guint number = 0;

  for (gint bit = 0; bit < BITS; bit++) {
    gint x = (bit * BLOCK + BLOCK / 2) * width / WIDTH, y = BLOCK / 2 * height / HEIGHT;

    number |= (guint) (luma[y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0) + x] > 125) << bit;
  }
  return number;
}

static gboolean
send_frame (gpointer user_data)
{
  guint n = (guint) n_sent;
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, FRAME_BYTES, NULL);
  GstMapInfo map;

  if (n >= MOST_FRAMES)
    return G_SOURCE_REMOVE;
  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  memcpy (map.data, frames + (gsize) (n % n_frames) * FRAME_BYTES, FRAME_BYTES);
  paint (map.data, n);
  gst_buffer_unmap (buffer, &map);
  sent_us[n] = g_get_monotonic_time ();
  g_atomic_int_set (&n_sent, (gint) n + 1);
  gst_app_src_push_buffer (GST_APP_SRC (source), buffer);
  return G_SOURCE_CONTINUE;
}

/* --- viewers --- */

/* The luma at full size, bilinear. */
static void
scale_up (const GstVideoFrame * frame, guint8 * full)
{
  gint width = GST_VIDEO_FRAME_WIDTH (frame), height = GST_VIDEO_FRAME_HEIGHT (frame);
  gint stride = GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0);
  const guint8 *luma = GST_VIDEO_FRAME_PLANE_DATA (frame, 0);

  for (gint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < WIDTH; x++) {
      gdouble u = CLAMP ((x + 0.5) * width / WIDTH - 0.5, 0, width - 1.001);
      gdouble v = CLAMP ((y + 0.5) * height / HEIGHT - 0.5, 0, height - 1.001);
      gint i = (gint) u, j = (gint) v;
      const guint8 *p = luma + j * stride + i;

      u -= i;
      v -= j;
      full[y * WIDTH + x] = (guint8) ((p[0] * (1 - u) + p[1] * u) * (1 - v)
          + (p[stride] * (1 - u) + p[stride + 1] * u) * v + 0.5);
    }
}

static void
judge (Viewer * viewer, const GstVideoFrame * frame, guint number)
{
  guint8 *full = g_malloc (WIDTH * HEIGHT);

  scale_up (frame, full);
  viewer->ssim += ssim (full + 2 * BLOCK * WIDTH, frames + (gsize) (number % n_frames)
      * FRAME_BYTES + 2 * BLOCK * WIDTH, WIDTH, HEIGHT - 2 * BLOCK);
  viewer->n_ssim++;
  g_free (full);
}

static void
note_frame (Viewer * viewer, const GstVideoFrame * frame)
{
  gint64 now = g_get_monotonic_time ();
  guint number = read_number (frame);

  if ((gint) number >= g_atomic_int_get (&n_sent) || (gint) number < first_measured)
    return;
  if (viewer->last_us > 0)
    viewer->longest_us = MAX (viewer->longest_us, now - viewer->last_us);
  if (viewer->last_us > 0 && now - viewer->last_us > FREEZE_US)
    fprintf (stderr, "viewer %d: %d ms without a frame before frame %u\n",
        (gint) (viewer - viewers), (gint) ((now - viewer->last_us) / 1000), number);
  viewer->last_us = now;
  viewer->last = (gint) number;
  viewer->shown++;
  viewer->delays_ms[MIN ((now - sent_us[number]) / 1000, 1999)]++;
  if (number % SSIM_FRAMES == 0)
    judge (viewer, frame, number);
}

static GstPadProbeReturn
on_decoded (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstCaps *caps = gst_pad_get_current_caps (pad);
  GstVideoFrame frame;
  GstVideoInfo video;

  if (g_atomic_int_get (&measuring) && caps && gst_video_info_from_caps (&video, caps)
      && gst_video_frame_map (&frame, &video, GST_PAD_PROBE_INFO_BUFFER (info), GST_MAP_READ)) {
    note_frame (user_data, &frame);
    gst_video_frame_unmap (&frame);
  }
  gst_clear_caps (&caps);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_packet (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  if (g_atomic_int_get (&measuring))
    ((Viewer *) user_data)->bytes += gst_buffer_get_size (GST_PAD_PROBE_INFO_BUFFER (info)) + 28;
  return GST_PAD_PROBE_OK;
}

static void
probe (GstElement * pipeline, const gchar * name, GstPadProbeCallback callback, Viewer * viewer)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GstPad *pad = gst_element_get_static_pad (element, "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, callback, viewer, NULL);
  gst_object_unref (pad);
  gst_object_unref (element);
}

#define DECODER "avdec_h264 name=out max-threads=1 ! fakesink sync=false async=false"

static void
add_receiver (Viewer * viewer, guint port)
{
  gchar *line = g_strdup_printf ("arcsrc name=in port=%u ! rtpjitterbuffer latency=300 "
      "do-lost=true ! rtph264depay ! " DECODER, port);

  viewer->pipeline = gst_parse_launch (line, NULL);
  probe (viewer->pipeline, "in", on_packet, viewer);
  probe (viewer->pipeline, "out", on_decoded, viewer);
  gst_element_set_state (viewer->pipeline, GST_STATE_PLAYING);
  g_free (line);
}

#ifdef WITH_SFU
static void
add_subscriber (Viewer * viewer, guint number)
{
  gchar *name = g_strdup_printf ("%u", number);

  viewer->pipeline = gst_parse_launch ("webrtcbin name=webrtc bundle-policy=max-bundle latency=300 "
      "rtph264depay name=depay request-keyframe=true ! " DECODER, NULL);
  sfu_count_packets (viewer->pipeline, on_packet, viewer);
  probe (viewer->pipeline, "out", on_decoded, viewer);
  sfu_add (viewer->pipeline, name);
  gst_element_set_state (viewer->pipeline, GST_STATE_PLAYING);
  g_free (name);
}
#endif

/* --- senders --- */

#define SOURCE "appsrc name=source is-live=true do-timestamp=true format=time caps=video/x-raw," \
    "format=I420,width=640,height=360,framerate=25/1 ! "
#define ENCODER "x264enc tune=zerolatency speed-preset=superfast key-int-max=300"

static gchar *
ladder_line (guint rungs, const guint * ports)
{
  GString *line = g_string_new (NULL);

  g_string_append_printf (line, SOURCE "arcladder name=l rungs=%u", rungs);
  for (guint i = 0; i < n_viewers; i++)
    g_string_append_printf (line, " l. ! rmcsink host=127.0.0.1 port=%u async=false", ports[i]);
  return g_string_free (line, FALSE);
}

#define PAYLOADER "rtph264pay config-interval=-1 aggregate-mode=zero-latency mtu=1200"

/* Bitrates, and sizes of a quarter, a half and the whole, as libwebrtc has them for 720 lines. With
 * x264enc's own VBV of 600 ms its keyframes overflow the senders' queues again and again. */
static void
append_simulcast (GString * line, guint first_ssrc, const gchar * to)
{
  static const guint kbps[] = { 150, 500, 2500 };

  for (guint i = 0; i < G_N_ELEMENTS (kbps); i++)
    g_string_append_printf (line, " raw. ! queue leaky=downstream max-size-buffers=2 "
        "! videoscale ! video/x-raw,width=%u,height=%u ! " ENCODER " name=encoder%u bitrate=%u "
        "vbv-buf-capacity=80 ! " PAYLOADER " ssrc=%u ! %s.sink_%u", WIDTH >> (2 - i),
        HEIGHT >> (2 - i), i, kbps[i], first_ssrc + i, to, i);
}

static gchar *
simulcast_line (const guint * ports)
{
  GString *line = g_string_new ("arcladder name=l rungs=0 " SOURCE "tee name=raw");

  append_simulcast (line, 1, "l");
  for (guint i = 0; i < n_viewers; i++)
    g_string_append_printf (line, " l. ! rmcsink host=127.0.0.1 port=%u async=false",
        ports[i]);
  return g_string_free (line, FALSE);
}

static gchar *
each_line (const guint * ports)
{
  GString *line = g_string_new (SOURCE "tee name=raw");

  for (guint i = 0; i < n_viewers; i++)
    g_string_append_printf (line, " raw. ! queue leaky=downstream max-size-buffers=2 ! " ENCODER
        " ! " PAYLOADER " ! rmcsink host=127.0.0.1 port=%u async=false", ports[i]);
  return g_string_free (line, FALSE);
}

#ifdef WITH_SFU
/* One stream of webrtcbin, of three SSRCs. */
static gchar *
sfu_line (void)
{
  GString *line = g_string_new (NULL);

  g_string_append_printf (line, "webrtcbin name=webrtc bundle-policy=max-bundle rtpfunnel name=f "
      "! capssetter replace=true caps=application/x-rtp,media=video,encoding-name=H264,payload=96,"
      "clock-rate=90000,ssrc=(uint)%u,packetization-mode=(string)1 ! webrtc.sink_0 " SOURCE
      "tee name=raw", SFU_FIRST_SSRC);
  append_simulcast (line, SFU_FIRST_SSRC, "f");
  return g_string_free (line, FALSE);
}
#endif

/* examples/embed/serve.c */
#define LARGE_BPS 1200000
#define SMALL_BPS 300000
#define UP_RATIO 2.0
#define DOWN_RATIO 0.9
#define FIRST_WAIT_S 4
#define MAX_WAIT_S 120

static gchar *
example_line (const guint * ports)
{
  GString *line = g_string_new (SOURCE "tee name=raw raw. ! queue ! " ENCODER " bitrate=1200 "
      "! tee name=large raw. ! queue ! videoscale ! video/x-raw,width=320,height=180 ! " ENCODER
      " bitrate=300 ! tee name=small");

  for (guint i = 0; i < n_viewers; i++)
    g_string_append_printf (line, " input-selector name=selector%u sync-streams=false "
        "! " PAYLOADER " ! rmcsink "
        "name=sink%u adapt-encoder=false max-bitrate=4000000 host=127.0.0.1 port=%u async=false "
        "large. ! queue leaky=downstream max-size-time=500000000 ! selector%u.sink_0 "
        "small. ! queue leaky=downstream max-size-time=500000000 ! selector%u.sink_1", i, i,
        ports[i], i, i);
  return g_string_free (line, FALSE);
}

static GstPadProbeReturn
switch_at_keyframe (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  if (GST_BUFFER_FLAG_IS_SET (GST_PAD_PROBE_INFO_BUFFER (info), GST_BUFFER_FLAG_DELTA_UNIT))
    return GST_PAD_PROBE_OK;
  g_object_set (user_data, "active-pad", pad, NULL);
  return GST_PAD_PROBE_REMOVE;
}

static void
viewer_switch (Viewer * viewer, gboolean large)
{
  GstPad *pad = gst_element_get_static_pad (viewer->selector, large ? "sink_0" : "sink_1");

  viewer->large = large;
  viewer->held_s = 0;
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, switch_at_keyframe, viewer->selector, NULL);
  gst_pad_push_event (pad,
      gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, 0));
  gst_object_unref (pad);
}

static void
viewer_decide (Viewer * viewer)
{
  guint target_bps;

  g_object_get (viewer->sink, "target-bitrate", &target_bps, NULL);
  viewer->held_s++;
  if (viewer->large && target_bps < DOWN_RATIO * LARGE_BPS) {
    viewer->wait_s = viewer->held_s > MAX_WAIT_S ? FIRST_WAIT_S : MIN (2 * viewer->wait_s,
        MAX_WAIT_S);
    viewer_switch (viewer, FALSE);
  } else if (!viewer->large && target_bps > UP_RATIO * SMALL_BPS
      && viewer->held_s >= viewer->wait_s) {
    viewer_switch (viewer, TRUE);
  }
}

static gboolean
decide (gpointer user_data)
{
  for (guint i = 0; i < n_viewers; i++)
    viewer_decide (&viewers[i]);
  return G_SOURCE_CONTINUE;
}

static void
begin_example (void)
{
  for (guint i = 0; i < n_viewers; i++) {
    gchar *selector = g_strdup_printf ("selector%u", i), *sink = g_strdup_printf ("sink%u", i);

    viewers[i].selector = gst_bin_get_by_name (GST_BIN (sender), selector);
    viewers[i].sink = gst_bin_get_by_name (GST_BIN (sender), sink);
    viewers[i].wait_s = FIRST_WAIT_S;
    viewer_switch (&viewers[i], FALSE);
    g_free (selector);
    g_free (sink);
  }
  g_timeout_add_seconds (1, decide, NULL);
}

/* --- the run --- */

static gboolean
begin_measuring (gpointer user_data)
{
  first_measured = n_sent;
  began_us = g_get_monotonic_time ();
  g_atomic_int_set (&measuring, TRUE);
  return G_SOURCE_REMOVE;
}

static gboolean
quit (gpointer user_data)
{
  gint64 now = g_get_monotonic_time ();

  g_atomic_int_set (&measuring, FALSE);
  for (guint i = 0; i < n_viewers; i++) {
    Viewer *v = &viewers[i];

    v->longest_us = MAX (v->longest_us, now - (v->last_us ? v->last_us : began_us));
  }
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

static guint
quantile (const Viewer * viewer, gdouble share)
{
  guint sum = 0, i = 0;

  for (; i < G_N_ELEMENTS (viewer->delays_ms) - 1; i++)
    if ((sum += viewer->delays_ms[i]) >= share * viewer->shown)
      break;
  return i;
}

static void
print_stats (void)
{
  GstElement *ladder = gst_bin_get_by_name (GST_BIN (sender), "l");
  GstStructure *stats;
  gchar *text;

  if (ladder == NULL)
    return;
  g_object_get (ladder, "stats", &stats, NULL);
  gst_structure_remove_field (stats, "viewer-list");
  text = gst_structure_to_string (stats);
  fprintf (stderr, "%s\n", text);
  g_free (text);
  gst_structure_free (stats);
  gst_object_unref (ladder);
}

static gchar *
line_of (const gchar * way, const guint * ports)
{
#ifdef WITH_SFU
  if (g_str_equal (way, "sfu"))
    return sfu_line ();
#endif
  if (g_str_equal (way, "example"))
    return example_line (ports);
  if (g_str_equal (way, "simulcast"))
    return simulcast_line (ports);
  if (g_str_equal (way, "each"))
    return each_line (ports);
  return ladder_line (g_str_equal (way, "ladder2") ? 2 : 3, ports);
}

static guint run_s;

static void
begin (void)
{
  g_timeout_add_seconds (BEGIN_S, begin_measuring, NULL);
  g_timeout_add_seconds (run_s, quit, NULL);
}

static void
run (const gchar * way, const guint * ports)
{
  gchar *line = line_of (way, ports);
  GError *error = NULL;

  sender = gst_parse_launch (line, &error);
  if (error)
    g_error ("%s", error->message);
  source = gst_bin_get_by_name (GST_BIN (sender), "source");
  if (g_str_equal (way, "example"))
    begin_example ();
#ifdef WITH_SFU
  if (g_str_equal (way, "sfu")) {
    sfu_add (sender, SFU_PUBLISHER);
    sfu_listen (begin);
  } else
#endif
    begin ();
  gst_element_set_state (sender, GST_STATE_PLAYING);
  g_timeout_add (1000 / FPS, send_frame, NULL);
  loop = g_main_loop_new (NULL, FALSE);
  g_main_loop_run (loop);
  print_stats ();
  g_free (line);
}

int
main (int argc, char **argv)
{
  guint send[MOST_VIEWERS], receive;

  gst_init (&argc, &argv);
  if (argc < 5 || argc - 4 > MOST_VIEWERS) {
    fprintf (stderr, "usage: ladder-crowd ladder|ladder2|simulcast|example|each|sfu SECONDS "
        "FOOTAGE|- SENDTO:RECEIVE...\n");
    return 2;
  }
#ifndef WITH_SFU
  if (g_str_equal (argv[1], "sfu")) {
    fprintf (stderr, "ladder-crowd: built without gstreamer-webrtc-1.0, which sfu needs\n");
    return 2;
  }
#endif
  if (g_str_equal (argv[3], "-"))
    make_frames ();
  else if (!read_frames (argv[3]))
    return 2;
  n_viewers = (guint) argc - 4;
  for (guint i = 0; i < n_viewers; i++) {
    if (sscanf (argv[4 + i], "%u:%u", &send[i], &receive) != 2)
      return 2;
#ifdef WITH_SFU
    if (g_str_equal (argv[1], "sfu")) {
      add_subscriber (&viewers[i], i);
      continue;
    }
#endif
    add_receiver (&viewers[i], receive);
  }
  run_s = (guint) atoi (argv[2]);
  run (argv[1], send);
  printf ("bits\tsent\tshown\tp50_ms\tp95_ms\tfreeze_ms\tssim\n");
  for (guint i = 0; i < n_viewers; i++) {
    const Viewer *v = &viewers[i];

    printf ("%" G_GUINT64_FORMAT "\t%d\t%u\t%u\t%u\t%.0f\t%.4f\n", v->bytes * 8,
        n_sent - first_measured, v->shown, quantile (v, 0.5), quantile (v, 0.95),
        v->longest_us / 1000.0, v->n_ssim > 0 ? v->ssim / v->n_ssim : 0);
  }
  fflush (stdout);
  _exit (0);                    /* without waiting for the farewell of each sink */
}
