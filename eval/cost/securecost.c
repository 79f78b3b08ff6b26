/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What SRTP costs a packet of 1200 bytes, without a network: N pairs of sender and receiver of one
 * key take turns, as the viewers of a server do. Prints one line of JSON: CPU time in ns for an end
 * that begins, a packet that leaves and one that comes.
 *
 *   securecost [--cipher=aes-128-gcm|aes-128-icm] [--pairs=N] [--packets=OF-EACH]
 */
#include <gst/gst.h>
#include <srtp/securecontext.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define RTP_BYTES 1200

static const gchar *cipher = "aes-128-gcm";
static gint n_pairs = 1, n_packets = 100;

static GOptionEntry options[] = {
  {"cipher", 0, 0, G_OPTION_ARG_STRING, &cipher, "aes-128-gcm or aes-128-icm", "NAME"},
  {"pairs", 0, 0, G_OPTION_ARG_INT, &n_pairs, "how many", "N"},
  {"packets", 0, 0, G_OPTION_ARG_INT, &n_packets, "of each", "N"},
  {NULL}
};

static gdouble
cpu_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (gdouble) t.tv_sec * 1e9 + (gdouble) t.tv_nsec;
}

static SecureContext *
context_new (gboolean leads)
{
  SecureSettings settings = {.cipher = SECURE_CIPHER_AUTO };
  gsize size = g_str_has_suffix (cipher, "gcm") ? 28 : 30;
  SecureContext *context;

  settings.key = gst_buffer_new_allocate (NULL, size, NULL);
  gst_buffer_memset (settings.key, 0, 7, size);
  context = secure_context_new (&settings, leads, NULL);
  g_assert (context);
  gst_buffer_unref (settings.key);
  return context;
}

static gsize
packet_write (guint8 * data, guint sender, guint n)
{
  memset (data, 0, RTP_BYTES);
  data[0] = 0x80;
  data[1] = 96;
  GST_WRITE_UINT16_BE (data + 2, n & 0xffff);
  GST_WRITE_UINT32_BE (data + 8, 1000 + sender);
  return RTP_BYTES;
}

int
main (int argc, char **argv)
{
  GOptionContext *context = g_option_context_new (NULL);
  SecureContext **senders, **receivers;
  guint8 data[RTP_BYTES + SECURE_MAX_TRAILER_BYTES];
  gdouble begun, began, out = 0, in = 0, all;
  SecureDeparture departure;
  SecureArrival arrival;
  gsize size;

  g_option_context_add_main_entries (context, options, NULL);
  g_assert (g_option_context_parse (context, &argc, &argv, NULL));
  gst_init (NULL, NULL);
  senders = g_new (SecureContext *, n_pairs);
  receivers = g_new (SecureContext *, n_pairs);
  began = cpu_ns ();
  for (gint i = 0; i < n_pairs; i++) {
    senders[i] = context_new (TRUE);
    receivers[i] = context_new (FALSE);
  }
  began = cpu_ns () - began;
  for (gint n = 0; n < n_packets; n++)
    for (gint i = 0; i < n_pairs; i++) {
      size = packet_write (data, (guint) i, (guint) n);
      begun = cpu_ns ();
      size = secure_context_protect (senders[i], data, size, &departure, 0);
      secure_context_note_sent (senders[i], &departure, 1);
      out += cpu_ns () - begun;
      begun = cpu_ns ();
      g_assert (size > 0 && secure_context_unprotect (receivers[i], data, &size, &arrival, 0));
      in += cpu_ns () - begun;
    }
  all = (gdouble) n_pairs * n_packets;
  printf ("{\"cipher\": \"%s\", \"pairs\": %d, \"packets\": %.0f, \"begin_ns\": %.0f, "
      "\"protect_ns\": %.0f, \"unprotect_ns\": %.0f}\n", cipher, n_pairs, all,
      began / n_pairs / 2, out / all, in / all);
  return 0;
}
